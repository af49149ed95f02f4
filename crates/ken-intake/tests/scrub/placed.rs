//! Secrets that only their place gives away: assignments, addresses, headers, files of known forms.

use super::Kind;

const fn placed(name: &'static str, shapes: &'static [&'static str], places: &'static [&'static str]) -> Kind {
    Kind { name, shapes, places, is_shaped: false }
}

const PASSWORDS: &[&str] = &["«pw»", "«gen»", "«a20»", "«l12»", "«pw»«l3»"];
const KEYS: &[&str] = &["«a32»", "«h40»", "«w43»", "«h32»", "«b44»=", "«l24»"];

#[rustfmt::skip]
pub(crate) const PLACED: &[Kind] = &[
    placed("private key block", &["«pem64»\n«b52»=="], &[
        "-----BEGIN «B:RSA PRIVATE» KEY-----\n«S»\n-----END «B:RSA PRIVATE» KEY-----",
        "-----BEGIN «B:PRIVATE» KEY-----\n«S»\n-----END «B:PRIVATE» KEY-----\n",
        "-----BEGIN «B:OPENSSH PRIVATE» KEY-----\n«S»\n-----END «B:OPENSSH PRIVATE» KEY-----",
        "-----BEGIN «B:EC PRIVATE» KEY-----\n«S»\n-----END «B:EC PRIVATE» KEY-----",
        "key: |\n-----BEGIN «B:ENCRYPTED PRIVATE» KEY-----\n«S»\n-----END «B:ENCRYPTED PRIVATE» KEY-----",
        "-----BEGIN «B:RSA PRIVATE» KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,«H32»\n\n«S»\n-----END «B:RSA PRIVATE» KEY-----",
    ]),
    placed("pgp private key", &["«pem64»\n«b20»=\n=«b4»"], &[
        "-----BEGIN PGP «B:PRIVATE» KEY BLOCK-----\n\n«S»\n-----END PGP «B:PRIVATE» KEY BLOCK-----",
        "-----BEGIN PGP «B:PRIVATE» KEY BLOCK-----\nVersion: GnuPG v2\n\n«S»\n-----END PGP «B:PRIVATE» KEY BLOCK-----",
        "$ gpg --armor --export-secret-keys\n-----BEGIN PGP «B:PRIVATE» KEY BLOCK-----\nComment: bakery\n\n«S»\n-----END PGP «B:PRIVATE» KEY BLOCK-----",
    ]),
    placed("private key on one line", &["«b64»\\n«b64»\\n«b64»\\n«b64»\\n«b40»="], &[
        "\"private_key\": \"-----BEGIN «B:PRIVATE» KEY-----\\n«S»\\n-----END «B:PRIVATE» KEY-----\\n\",",
        "{\"type\":\"service_account\",\"project_id\":\"bakery\",\"private_key_id\":\"1\",\"private_key\":\"-----BEGIN «B:PRIVATE» KEY-----\\n«S»\\n-----END «B:PRIVATE» KEY-----\\n\"}",
        "PRIVATE_KEY=\"-----BEGIN «B:RSA PRIVATE» KEY-----\\n«S»\\n-----END «B:RSA PRIVATE» KEY-----\"",
        "const key = '-----BEGIN «B:EC PRIVATE» KEY-----\\n«S»\\n-----END «B:EC PRIVATE» KEY-----';",
    ]),
    placed("indented private key", &["«b64»\n    «b64»\n    «b64»\n    «b64»\n    «b22»=="], &[
        "tls.key: |\n    -----BEGIN «B:RSA PRIVATE» KEY-----\n    «S»\n    -----END «B:RSA PRIVATE» KEY-----",
        "ssh_keys:\n  rsa_private: |\n    -----BEGIN «B:OPENSSH PRIVATE» KEY-----\n    «S»\n    -----END «B:OPENSSH PRIVATE» KEY-----",
    ]),
    placed("aws secret key", &["«b40»"], &[
        "aws_secret_access_key = «S»", "AWS_SECRET_ACCESS_KEY=«S»", "export AWS_SECRET_ACCESS_KEY=\"«S»\"",
        "{\"SecretAccessKey\": \"«S»\", \"UserName\": \"mia\"}", "{\\\"SecretAccessKey\\\": \\\"«S»\\\"}",
        "  secret_key = \"«S»\"\n  region = \"eu-west-1\"", "secretAccessKey: '«S»',", "aws configure set aws_secret_access_key «S»",
    ]),
    placed("aws session token", &["IQoJb3JpZ2luX2Vj«b380»", "FwoGZXIvYXdzE«b300»=="], &[
        "AWS_SESSION_TOKEN=«S»", "aws_session_token = «S»", "\"SessionToken\": \"«S»\",", "export AWS_SESSION_TOKEN=\"«S»\"", "X-Amz-Security-Token: «S»",
    ]),
    placed("azure storage key", &["«b86»=="], &[
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«S»;EndpointSuffix=core.windows.net",
        "AZURE_STORAGE_KEY=«S»", "az storage blob list --account-key «S»", "\"storageAccountKey\": \"«S»\"",
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«S»",
    ]),
    placed("azure sas signature", &["«a43»%3D", "«a20»%2B«a21»%3D"], &[
        "https://x.blob.core.windows.net/c/f?sv=2022-11-02&sr=b&sp=r&se=2026-09-01&sig=«S»", "?sv=2021-06-08&ss=bfqt&sig=«S»&spr=https",
        "SAS=sv=2022&sig=«S»", "SharedAccessSignature sr=x&sig=«S»&se=17&skn=root", "url: 'https://x.file.core.windows.net/s?sig=«S»'",
    ]),
    placed("twilio auth token", &["«h32»"], &["TWILIO_AUTH_TOKEN=«S»", "client = Client(account_sid, auth_token='«S»')", "twilio_auth_token: «S»", "\"authToken\": \"«S»\",", "curl -u AC0123:«S» https://api.twilio.com"]),
    placed("heroku key", &["«uuid»"], &["HEROKU_API_KEY=«S»", "heroku_api_key: \"«S»\"", "machine api.heroku.com\n  login mia@example.net\n  password «S»", "export HEROKU_API_KEY=«S»", "api_key = \"«S»\""]),
    placed("datadog key", &["«h32»", "«h40»"], &["DD_API_KEY=«S»", "DATADOG_APP_KEY: «S»", "dd-api-key: «S»", "curl -H \"DD-APPLICATION-KEY: «S»\" https://api.datadoghq.com", "api_key: «S»"]),
    placed("cloudflare token", &["«w40»", "«h37»"], &["CLOUDFLARE_API_TOKEN=«S»", "CF_API_KEY=«S»", "X-Auth-Key: «S»", "api_token = \"«S»\"", "curl -H \"Authorization: Bearer «S»\" https://api.cloudflare.com"]),
    placed("fastly key", &["«w32»"], &["FASTLY_API_KEY=«S»", "Fastly-Key: «S»", "FASTLY_API_TOKEN: «S»", "fastly_api_key = \"«S»\"", "fastly --token «S» service list"]),
    placed("vercel token", &["«a24»"], &["VERCEL_TOKEN=«S»", "vercel --token «S» --prod", "vercel deploy --token=«S»", "\"vercelToken\": \"«S»\"", "VERCEL_TOKEN: «S»"]),
    placed("okta token", &["00«w40»"], &["Authorization: SSWS «S»", "OKTA_API_TOKEN=«S»", "okta.client.token=«S»", "curl -H 'Authorization: SSWS «S»' https://x.okta.com", "\"oktaToken\":\"«S»\""]),
    placed("auth0 client secret", &["«w64»"], &["AUTH0_CLIENT_SECRET=«S»", "client_secret: '«S»'", "{\"client_id\":\"a\",\"client_secret\":\"«S»\"}", "&client_secret=«S»&grant_type=client_credentials", "clientSecret=«S»"]),
    placed("sentry dsn", &["«h32»"], &["SENTRY_DSN=https://«S»@o45.ingest.sentry.io/67", "Sentry.init({ dsn: 'https://«S»@o45.ingest.us.sentry.io/67' })", "dsn: https://«S»:«h32»@sentry.example.net/2", "https://«S»@o45.ingest.de.sentry.io/67", "sentry_sdk.init(\"https://«S»@sentry.io/67\")"]),
    placed("postgres address", PASSWORDS_URL, &["postgres://shop:«S»@«host»:5432/shop", "DATABASE_URL=postgresql://«name»:«S»@«host»/shop?sslmode=require", "psql \"postgres://«name»:«S»@«host»/shop\"", "{\\\"db\\\": \\\"postgres://app:«S»@db/app\\\"}", "engine = create_engine('postgresql+psycopg2://«name»:«S»@«host»/shop')"]),
    placed("other database address", PASSWORDS_URL, &["mysql://root:«S»@«host»/shop", "mongodb+srv://«name»:«S»@cluster0.ab1cd.mongodb.net/shop", "redis://:«S»@«host»:6379/0", "amqp://guest:«S»@«host»:5672/%2f", "rediss://default:«S»@x.upstash.io:6379", "clickhouse://«name»:«S»@«host»:9000", "smtp://mailer:«S»@smtp.example.net:587", "ftp://«name»:«S»@files.example.net/x"]),
    placed("proxy address", PASSWORDS_URL, &["http_proxy=http://«name»:«S»@proxy.example.net:3128", "https://«name»:«S»@nexus.example.net/repository/x", "pip install --index-url https://«name»:«S»@pypi.example.net/simple", "wget https://«name»:«S»@files.example.net/a.tgz", "- url: https://«name»:«S»@charts.example.net"]),
    placed("git address with token", &["«a40»", "«l52»", "«h40»"], &["https://«S»@github.com/mia/bakery.git", "git clone https://x-access-token:«S»@github.com/mia/bakery", "origin\thttps://«S»:x-oauth-basic@github.com/mia/bakery.git (fetch)", "https://build:«S»@dev.azure.com/org/_git/repo", "url = https://oauth2:«S»@git.example.net/mia/x.git"]),
    placed("jdbc string", PASSWORDS_TAME, &["jdbc:mysql://«host»:3306/shop?user=app&password=«S»", "jdbc:postgresql://«host»/shop?user=app&password=«S»&ssl=true", "jdbc:sqlserver://«host»;databaseName=shop;user=sa;password=«S»;", "jdbc:oracle:thin:app/«S»@«host»:1521/orcl", "spring.datasource.password=«S»"]),
    placed("ado or odbc string", PASSWORDS_TAME, &["Server=tcp:«host»,1433;Database=shop;User ID=app;Password=«S»;Encrypt=True", "Driver={ODBC Driver 18};Server=«host»;Uid=app;Pwd=«S»;", "Data Source=«host»;User Id=sa;Password=«S»", "\"Default\": \"Server=.;Database=d;User Id=u;Password=«S»;\"", "DRIVER={PostgreSQL};UID=app;PWD=«S»;DATABASE=x"]),
    placed("env password", PASSWORDS, &["DB_PASSWORD=«S»", "export PGPASSWORD='«S»'", "POSTGRES_PASSWORD: «S»", "MYSQL_ROOT_PASSWORD=\"«S»\"", "ENV ADMIN_PASSWORD=«S»", "SMTP_PASS=«S»", "setx DB_PASSWORD \"«S»\"", "set -x DB_PASSWORD «S»", "$env:DB_PASSWORD = \"«S»\"", "-e MYSQL_PASSWORD=«S» mysql:8"]),
    placed("configured password", PASSWORDS, &["password: «S»", "  password: \"«S»\"", "password = \"«S»\"", "\"password\": \"«S»\",", "{\\\"user\\\":\\\"mia\\\",\\\"password\\\":\\\"«S»\\\"}", "{\\\\\\\"password\\\\\\\":\\\\\\\"«S»\\\\\\\"}", "<password>«S»</password>", "<add key=\"Password\" value=\"«S»\" />", "db.password=«S»", "'password' => '«S»',", "passphrase: «S»", "requirepass «S»"]),
    placed("password in code", PASSWORDS, &["password = \"«S»\"", "conn = psycopg2.connect(host='x', user='y', password='«S»')", "const password = '«S»';", "String dbPassword = \"«S»\";", "let pwd: &str = \"«S»\";", "define('DB_PASSWORD', '«S»');", "self.password = '«S»'", "cfg.Passwd := \"«S»\"", "await page.fill('#password', '«S»')", "if user.password == \"«S»\":"]),
    placed("password on a command line", PASSWORDS_TAME, &["mysql -u root -p«S» shop", "sshpass -p '«S»' ssh mia@«host»", "curl -u «name»:«S» https://api.example.net/x", "curl --user '«name»:«S»' https://api.example.net", "redis-cli -h «host» -a «S» ping", "helm install x --set auth.password=«S»", "docker login -u mia --password «S» registry.example.net", "ldapsearch -D cn=admin -w «S» -b dc=x", "PGPASSWORD=«S» psql -h «host»", "openssl enc -aes-256-cbc -k «S» -in a"]),
    placed("password in prose", PASSWORDS, &["The password is `«S»`, please change it.", "Password: «S»", "log in as mia with password «S» on the staging host", "credentials: mia / «S»", "the admin password was «S» until today", "Use user `admin` and password `«S»`."]),
    placed("netrc", PASSWORDS, &["machine api.example.net login mia password «S»", "machine git.example.net\n  login «name»\n  password «S»\n", "default login mia password «S»", "machine «host» login «name» password «S»"]),
    placed("npmrc", &["«uuid»", "«b40»=", "«a36»"], &["//registry.example.net/:_authToken=«S»", "_auth=«S»", "//npm.pkg.example.net/:_password=\"«S»\"", "npm config set //registry.example.net/:_authToken «S»", "_authToken=«S»"]),
    placed("pypirc", PASSWORDS, &["[pypi]\nusername = mia\npassword = «S»", "[distutils]\nindex-servers = x\n[x]\nrepository = https://pypi.example.net\nusername: mia\npassword: «S»", "TWINE_PASSWORD=«S»"]),
    placed("docker config", &["«b32»==", "«b40»="], &["{\"auths\":{\"ghcr.io\":{\"auth\":\"«S»\"}}}", "\t\t\t\"auth\": \"«S»\"", "{\\\"auths\\\":{\\\"r.example.net\\\":{\\\"auth\\\":\\\"«S»\\\"}}}", ".dockerconfigjson: «S»", "\"identitytoken\": \"«S»\""]),
    placed("kubeconfig", &["«b120»=="], &["    client-key-data: «S»", "    token: «S»", "client-key-data: LS0t«S»", "users:\n- name: mia\n  user:\n    token: «S»", "\"client-key-data\":\"«S»\""]),
    placed("kubernetes secret", &["«b24»=", "«b32»", "«b44»="], &["kind: Secret\ndata:\n  password: «S»", "  DB_PASSWORD: «S»", "data:\n  api-key: «S»", "  secret-key: «S»", "data:\n  token: «S»"]),
    placed("basic authorization", &["«b28»=", "«b24»", "«b36»=="], &["Authorization: Basic «S»", "-H \"Authorization: Basic «S»\"", "headers = {'Authorization': 'Basic «S»'}", "\\\"Authorization\\\": \\\"Basic «S»\\\"", "Proxy-Authorization: Basic «S»", "authorization: basic «S»"]),
    placed("bearer authorization", KEYS, &["Authorization: Bearer «S»", "-H 'authorization: bearer «S»'", "{ headers: { Authorization: `Bearer «S»` } }", "\"Authorization\": \"Bearer «S»\"", "{\\\"Authorization\\\":\\\"Bearer «S»\\\"}", "auth header was \"Bearer «S»\""]),
    placed("key header", KEYS, &["X-Api-Key: «S»", "-H \"x-api-key: «S»\"", "'X-Auth-Token': '«S»'", "apikey: «S»", "api-key: «S»", "X-Vault-Token: «S»", "Ocp-Apim-Subscription-Key: «S»"]),
    placed("session cookie", &["«a32»", "s%3A«w32».«a43»", "«h40»", "«uuid»"], &["Set-Cookie: session=«S»; Path=/; HttpOnly", "Cookie: theme=dark; sessionid=«S»; lang=en", "Set-Cookie: connect.sid=«S»; Secure", "curl --cookie 'PHPSESSID=«S»' https://x", "curl -b \"JSESSIONID=«S»\" https://x", "cookie: session_id=«S»", "-H 'Cookie: auth_session=«S»'"]),
    placed("key in an address", KEYS_URL, &["https://api.example.net/v1/x?api_key=«S»&q=1", "GET /items?access_token=«S» HTTP/1.1", "https://x.example.net/cb?token=«S»", "wss://x.example.net/?apikey=«S»", "https://x/?client_secret=«S»", "POST /hook?secret=«S»", "https://api.example.net/x?key=«S»&lang=en"]),
    placed("assigned key", KEYS, &["API_KEY=«S»", "export SERVICE_API_KEY=\"«S»\"", "api_key: «S»", "api_key = \"«S»\"", "\"apiKey\": \"«S»\"", "apiKey: '«S»',", "{\\\"api_key\\\":\\\"«S»\\\"}", "private static final String API_KEY = \"«S»\";", "ACCESS_TOKEN='«S»'", "access_key => \"«S»\"", "  value: «S» # api key", "variable \"api_key\" { default = \"«S»\" }", "--api-key «S»", "--token=«S»", "$env:API_KEY=\"«S»\""]),
    placed("assigned secret", KEYS, &["JWT_SECRET=«S»", "SESSION_SECRET: \"«S»\"", "secret = '«S»'", "client_secret = \"«S»\"", "webhookSecret: \"«S»\"", "NEXTAUTH_SECRET=«S»", "app.secret=«S»", "<secret>«S»</secret>", "{\\\"clientSecret\\\":\\\"«S»\\\"}", "signing_secret=«S»", "COOKIE_SECRET=«S»"]),
    placed("framework key", &["«h64»", "«h128»", "«h32»"], &["SECRET_KEY_BASE=«S»", "RAILS_MASTER_KEY=«S»", "secret_key_base: «S»", "config.secret_key = '«S»'", "ENCRYPTION_KEY=«S»", "HMAC_KEY: «S»", "MASTER_KEY=«S»"]),
    placed("django secret key", &["django-insecure-«p50»", "«p50»"], &["SECRET_KEY = '«S»'", "SECRET_KEY = \"«S»\"", "DJANGO_SECRET_KEY='«S»'", "SECRET_KEY=«S»"]),
    placed("laravel key", &["base64:«b43»="], &["APP_KEY=«S»", "APP_KEY=\"«S»\"", "'key' => env('APP_KEY', '«S»'),", "  APP_KEY: «S»", "{\\\"APP_KEY\\\":\\\"«S»\\\"}"]),
    placed("wordpress salt", &["«p64»"], &["define('AUTH_KEY',         '«S»');", "define( 'SECURE_AUTH_KEY', '«S»' );", "define('NONCE_SALT', '«S»');", "define('LOGGED_IN_KEY', '«S»');", "define('AUTH_SALT',        '«S»');"]),
    placed("wireguard key", &["«b43»="], &["[Interface]\nPrivateKey = «S»", "PrivateKey=«S»", "PresharedKey = «S»", "wg_private_key: «S»", "WIREGUARD_PRIVATE_KEY=«S»"]),
    placed("wallet key", &["0x«h64»", "«h64»"], &["PRIVATE_KEY=«S»", "privateKey: \"«S»\"", "DEPLOYER_PRIVATE_KEY=«S»", "accounts: [{ privateKey: '«S»' }]", "private_key = \"«S»\""]),
    placed("npm style credentials", KEYS, &["credentials: { token: '«S»' }", "\"accessToken\":\"«S»\"", "\"refresh_token\": \"«S»\"", "{\\\"refreshToken\\\": \\\"«S»\\\"}", "id_token=«S»", "authtoken: «S»", "auth_token = «S»"]),
    placed("mistral or cohere key", &["«a32»", "«a40»"], &["MISTRAL_API_KEY=«S»", "COHERE_API_KEY=«S»", "co = cohere.Client('«S»')", "mistral_api_key: «S»", "CO_API_KEY=\"«S»\""]),
];

/// Without characters that end an address.
const PASSWORDS_URL: &[&str] = &["«a16»", "«l10»", "S0urd0ugh!«d3»", "«a24»", "p%40ss«a8»", "pass"];
/// Without characters that mean something in a connection string or a shell.
const PASSWORDS_TAME: &[&str] = &["«a16»", "S0urd0ugh!«d3»", "«a24»", "«l12»", "Brioche_«d4»"];
const KEYS_URL: &[&str] = &["«a32»", "«h40»", "«w43»", "«h32»", "«l24»"];
