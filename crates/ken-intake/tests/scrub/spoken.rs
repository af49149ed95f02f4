//! Secrets that somebody says in a sentence, in the languages of the rules and some more.

use super::Kind;

const fn spoken(name: &'static str, shapes: &'static [&'static str], places: &'static [&'static str]) -> Kind {
    Kind { name, shapes, places, is_shaped: false }
}

/// What people choose, and what generators give.
const SAID: &[&str] = &["«pw»", "«a16»", "S0urd0ugh!«d3»", "«gen»", "Brioche_«d4»", "hunter2"];
const KEYS: &[&str] = &["«a32»", "«h40»", "«w43»", "«l24»"];

#[rustfmt::skip]
pub(crate) const SPOKEN: &[Kind] = &[
    spoken("password said in English", SAID, &["The password is «S».", "the staging password is now «S», please rotate it", "Password for the oven panel is `«S»`", "btw my password's «S»", "the db password was «S» until June", "I changed the password to «S» yesterday", "admin password -> «S»", "the passphrase for the backup key is «S»", "log in with the password «S» and restart", "sign in as mia with «S»", "you can log in as admin / «S»", "Use password «S» for the demo.", "the password for root on db-2 is \"«S»\"", "passcode: «S»"]),
    spoken("key said in English", KEYS, &["the api key is «S».", "our API key for the weather service is «S»", "the deploy token was «S»", "The secret is «S» for now", "the signing secret is `«S»`", "access token is: «S»", "the webhook secret for staging is «S», store it"]),
    spoken("seed phrase", &["«L5» «L6» «L4» «L5» «L7» «L3» «L5» «L6» «L4» «L5» «L7» «L8»"], &["seed phrase: «S»", "the recovery phrase is «S»", "MNEMONIC=\"«S»\"", "mnemonic: \"«S»\""]),
    spoken("password said in German", SAID, &["Das Passwort lautet «S».", "Passwort für den Server: «S»", "das Passwort ist jetzt «S»", "Kennwort: «S»", "Das Passwort für die Datenbank lautet \"«S»\"", "Zugangscode ist «S»", "Passwort auf «S» geändert"]),
    spoken("password said in Spanish", SAID, &["La contraseña es «S».", "la contraseña de la base de datos es «S»", "Contraseña: «S»", "la clave es «S»", "la contraseña del servidor era \"«S»\""]),
    spoken("password said in French", SAID, &["Le mot de passe est «S».", "le mot de passe de la base est maintenant «S»", "Mot de passe : «S»", "mdp: «S»", "le mot de passe pour le serveur est “«S»”"]),
    spoken("password said in Italian", SAID, &["La password è «S».", "la password del server è «S»", "la parola d'ordine è «S»", "password: «S»", "la password per il database era «S»"]),
    spoken("password said in Portuguese", SAID, &["A senha é «S».", "a senha do banco é «S»", "Senha: «S»", "a palavra-passe é «S»", "a senha do servidor era «S»"]),
    spoken("password said in Dutch", SAID, &["Het wachtwoord is «S».", "wachtwoord voor de server is «S»", "Wachtwoord: «S»"]),
    spoken("password said in a Nordic language", SAID, &["Lösenordet är «S».", "lösenord: «S»", "adgangskoden er «S»", "passordet er «S»", "Passord: «S»"]),
    spoken("password said in Polish", SAID, &["Hasło to «S».", "hasło do bazy: «S»", "hasło jest «S»"]),
    spoken("password said in Czech or Hungarian", SAID, &["heslo je «S»", "Heslo: «S»", "a jelszó: «S»"]),
    spoken("password said in Turkish", SAID, &["Şifre: «S»", "şifre «S»", "parola: «S»"]),
    spoken("password said in Finnish or Indonesian", SAID, &["salasana on «S»", "Salasana: «S»", "kata sandi adalah «S»"]),
    spoken("password said in Russian", SAID, &["Пароль: «S»", "пароль от базы «S»", "пароль теперь «S»", "пароль — «S»"]),
    spoken("password said in Ukrainian or Greek", SAID, &["пароль це «S»", "Ο κωδικός είναι «S»", "κωδικός: «S»"]),
    spoken("password said in Chinese", SAID, &["密码是「«S»」", "数据库密码是«S»", "密码：«S»", "密码改为 «S»"]),
    spoken("password said in Japanese", SAID, &["パスワードは「«S»」です", "パスワード: «S»", "パスワードは «S» です"]),
    spoken("password said in Korean", SAID, &["비밀번호는 «S» 입니다", "비밀번호: «S»", "암호는 «S»"]),
    spoken("password said in Arabic or Hebrew", SAID, &["كلمة المرور هي «S»", "كلمة السر: «S»", "הסיסמה היא «S»", "סיסמה: «S»"]),
    spoken("password of letters alone", &["«A20»", "«L20»"], &["DB_PASSWORD=«S»", "- DB_PASSWORD=«S»", "password: \"«S»\"", "SECRET_TOKEN=«S»"]),
    spoken("cluster secret in base64", &["aHVudGVyMiE=", "czNjcjN0LXA0c3M="], &["  password: «S»", "data:\n  password: «S»", "db-password: «S»"]),
    spoken("connection string", &["«a16»", "S0urd0ugh!«d3»", "«a24»"], &["mongodb+srv://app:«S»@c0.x.mongodb.net/shop", "amqps://app:«S»@mq.internal:5671/", "mssql://sa:«S»@db:1433/shop", "clickhouse://default:«S»@ch:9440", "ldaps://cn:«S»@ldap.internal", "smtp://mailer:«S»@smtp.internal:587", "sftp://deploy:«S»@files.internal/x", "rediss://default:«S»@cache:6380/0", "cockroachdb://app:«S»@db:26257/x", "https://mia:«S»@git.internal/x.git", "jdbc:postgresql://db/shop?user=app&password=«S»", "Server=db;Database=shop;User Id=sa;Password=«S»;Encrypt=true", "host=db user=app password=«S» dbname=shop", "nats://app:«S»@mq:4222", "socks5://u:«S»@proxy:1080"]),
];
