//! Secrets that what stands around them gives away: a name and a value, an address, a header, a command.
//!
//! To add a rule, add a line here and places to the corpus in `tests/scrub/placed.rs`. Patterns match within
//! one line. A quote may be escaped any number of times, as in JSON within JSON.

use super::look::{
    is_chosen, is_env_value, is_filled_in, is_generated, is_header_value, is_key, is_password, is_random, is_session,
    is_strong,
};
use super::rule::{Rule, assigned, place};

/// Every rule: the more certain ones first, the generic assignment last.
#[rustfmt::skip]
pub(super) static PLACES: &[Rule] = &[
    // Addresses.
    place("slack-webhook", &["hooks.slack.com"], r"(?i)hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9/_+-]{20,})", is_filled_in),
    place("discord-webhook", &["/api/webhooks/"], r"(?i)discord(?:app)?\.com/api/webhooks/(?P<secret>[0-9]{10,}/[A-Za-z0-9_-]{20,})", is_filled_in),
    assigned("url-password", &["://"], r#"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@"'<>`]{0,100}:(?P<secret>[^\s/"'<>`]{1,200})@"#, is_url_password),
    assigned("url-password", &["jdbc:oracle"], r"(?i)jdbc:oracle:thin:[^/\s]{1,60}/(?P<secret>[^@\s]{3,100})@", is_url_password),
    assigned("url-token", &["://"], r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<secret>[A-Za-z0-9_~.-]{20,200})(?::[^\s/@]{0,100})?@", is_strong),
    place("azure-key", &["sig="], r"(?i)\bsig=(?P<secret>[A-Za-z0-9%+/=]{40,})", is_filled_in),
    // Headers.
    assigned("authorization", &["authorization"], r#"(?i)\bauthorization\\*["']?[ \t]*[:=][ \t]*\\*["'`]?(?:[a-z]{3,10}[ \t]+|key=)?(?P<secret>[A-Za-z0-9._~+/=%-]{8,})"#, is_header_value),
    place("bearer-token", &["bearer"], r"(?i)\bbearer[ \t]+(?P<secret>[A-Za-z0-9._~+/=%-]{16,})", is_header_value),
    assigned("session", &["cookie", " -b "], r#"(?i)(?:cookie\b|[ \t]-b[ \t])[^\n]{0,400}?\b[a-z0-9_.-]{0,20}(?:sess(?:ion)?(?:_?id)?|sid|auth|token)[a-z0-9_]{0,10}=(?P<secret>[A-Za-z0-9%._~+/-]{16,})"#, is_session),
    // Known names.
    place("aws-secret-key", &["aws"], r#"(?i)aws[a-z0-9_. \t-]{0,20}(?:secret|key)[a-z0-9_. \t-]{0,20}\\*["']?[ \t]*[=: \t][ \t]*\\*["']?(?P<secret>[A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)"#, is_filled_in),
    assigned("aws-secret-key", &["secret"], r#"(?i)secret_?(?:access_?)?key\\*["']?[ \t]*[=:][ \t]*\\*["']?(?P<secret>[A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)"#, is_random),
    place("azure-key", &["AccountKey", "AccessKey", "account-key"], r#"(?i)(?:AccountKey|SharedAccessKey|account-key)\\*["']?[ \t]*[=: \t][ \t]*\\*["']?(?P<secret>[A-Za-z0-9+/]{40,}={0,2})"#, is_filled_in),
    assigned("twilio-key", &["twilio"], r#"(?i:twilio)[A-Za-z_. \t-]{0,30}\\*["']?[ \t]*[=:][ \t]*\\*["']?(?P<secret>[0-9a-f]{32})\b"#, is_filled_in),
    assigned("docker-auth", &["auth", "dockerconfigjson"], r#"(?i)(?:\\*["']auth\\*["'][ \t]*:[ \t]*\\*["']|\b_auth[ \t]*=[ \t]*["']?|dockerconfigjson\\*["']?[ \t]*:[ \t]*\\*["']?)(?P<secret>[A-Za-z0-9+/]{16,}={0,2})"#, is_strong),
    // Commands.
    place("curl-password", &["curl"], r#"(?i)\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ =]["']?[^\s:"']{1,60}:(?P<secret>[^\s"']{3,})"#, is_filled_in),
    place("password", &["mysql", "mariadb"], r#"(?i)\b(?:mysql|mariadb)(?:dump|admin)?\b[^\n|;]{0,120}?[ \t]-p(?P<secret>[^\s"'-][^\s"']{3,})"#, is_chosen),
    place("password", &["sshpass", "redis-cli", "ldap", "openssl", "docker login", "twine"], r#"(?i)\b(?:sshpass[^\n|;]{0,20}?[ \t]-p|redis-cli[^\n|;]{0,120}?[ \t]-a|ldap[a-z]{3,10}[ \t][^\n|;]{0,160}?[ \t]-w|openssl[ \t]enc[^\n|;]{0,120}?[ \t]-(?:k|pass)|docker login[^\n|;]{0,120}?[ \t]-p|twine[^\n|;]{0,120}?[ \t]-p)[ \t]+["']?(?:pass:)?(?P<secret>[^\s"']{4,})"#, is_chosen),
    place("password", &["-pass", "-token", "-secret", "-key", "-apikey", "-auth"], r#"(?i)(?:^|[ \t])--?(?:[a-z]{1,12}-){0,3}(?:password|passwd|passphrase|pass|token|secret|api-?key|account-key|access-key|auth-?key|authtoken|secret-key)[= \t]\\*["']?(?P<secret>[^\s"'\\]{6,})"#, is_password),
    place("password", &["setx", "set ", "export "], r#"(?i)\b(?:setx?|export)\b[^\n=|;]{0,80}?(?:passw(?:or)?d|secret|token|_key)[a-z0-9_]{0,12}[ \t]+\\*["']?(?P<secret>[^\s"'\\]{6,})"#, is_password),
    // Passwords.
    assigned("password", &["passw", "pwd", "passphrase"], r#"(?i)(?:passw(?:or)?d|pwd|passphrase)[a-z0-9_]{0,12}\\*["']?[ \t]{0,3}(?:=>|:=|[=!]={1,2}|=|:[ \t]{0,3}&str[ \t]*=|:)[ \t]{0,3}\\*["'](?P<secret>[^\s"'\\]{6,})\\*["']"#, is_chosen),
    assigned("password", &["pass", "pwd"], r#"(?i)(?:(?:passw(?:or)?d|pwd|passphrase|passwd|[_-]pass)\\*["']?[ \t]?[=:]|\bpass(?:=|\\*["'][ \t]?:))[ \t]?(?P<secret>[^\s"'`;,&\\)<]{6,})"#, is_chosen),
    place("password", &["passw", "requirepass", "masterauth"], r#"(?i)^[ \t]*(?:password|passwd|requirepass|masterauth)[ \t]+["']?(?P<secret>[^\s"']{6,})["']?[ \t]*$"#, is_chosen),
    place("password", &["login"], r#"(?i)\b(?:login|machine|default)[ \t]+\S{1,80}[ \t]+(?:account[ \t]+\S+[ \t]+)?password[ \t]+(?P<secret>\S{4,})"#, is_filled_in),
    place("password", &["password"], r#"(?i)\bpassword\b(?:[ \t]+(?:for|of|on)\b[^\n.:`"']{0,40})?(?:[ \t]+(?:is|was|to)\b)?:?[ \t]+[`"'](?P<secret>[^\s`"'\\]{6,})[`"']"#, is_chosen),
    place("password", &["password"], r#"(?i)\bpassword[ \t]+(?:is[ \t]+|was[ \t]+)?(?P<secret>[^\s,;:`"'()\[\]{}<>]{8,})"#, is_password),
    assigned("password", &["credential", "creds", "login"], r#"(?i)\b(?:credentials?|creds|login)[ \t]*:[ \t]*\S{1,60}[ \t]*/[ \t]*(?P<secret>[^\s,;`"']{6,})"#, is_password),
    // Names and values in markup and in calls.
    place("secret", &["</"], r#"(?i)<(?:[a-z0-9_]{0,20}[:.-])?[a-z0-9_]{0,20}(?:password|passwd|pwd|secret|token|apikey|api_key|api-key)>[ \t]*(?P<secret>[^<\s]{6,})[ \t]*</"#, is_chosen),
    place("secret", &["value="], r#"(?i)(?:password|passwd|pwd|secret|token|apikey|api_key|api-key)\\*["'][ \t]+value=\\*["'](?P<secret>[^"'\\\s]{6,})"#, is_chosen),
    place("secret", &["passw", "secret", "_key", "_salt", "token"], r#"(?i)(?:passw(?:or)?d|secret|token|_key|_salt)[a-z_]{0,10}\\*["'][ \t]*,[ \t]*\\*["'](?P<secret>[^"'\s]{6,})["']"#, is_password),
    place("secret", &["client(", "login(", "api_key(", "apikey(", "authenticate("], r#"(?i)(?:client|login|set_?api_?key|authenticate)\([ \t]*\\*["'](?P<secret>[A-Za-z0-9_.-]{24,})\\*["']"#, is_strong),
    // Names and values.
    assigned("secret", &["secret", "_key", "-key"], r#"(?i)secret[_-]?key[a-z_]{0,12}\\*["']?[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}["'](?P<secret>[^"'\s]{20,})["']"#, is_generated),
    assigned("secret", &["secret", "pass", "token", "key", "pwd", "salt"], r#"^[ \t]*(?:-[ \t]+|export[ \t]+|ENV[ \t]+|ARG[ \t]+|set[ \t]+)?[A-Z0-9_]{0,60}(?:SECRET|PASSWORD|PASSWD|PASS|PWD|TOKEN|KEY|SALT)(?:_BASE|_KEY|_TOKEN|_HASH)?=(?P<secret>[^\s"'`]{8,})[ \t]*$"#, is_env_value).unless(&["public"]),
    assigned("secret", &["secret", "token", "key", "credential"], r#"(?i)(?:api[_-]?key|secret|token|credentials?|private[_-]?key|access[_-]?key|license[_-]?key|encryption[_-]?key)[a-z0-9_-]{0,20}\\*["']?[ \t]{0,3}(?:=>|:=|={1,3}|:)[ \t]{0,3}\\*["']?(?P<secret>[^\s"'`;,&\\)\]}<]{12,})"#, is_key).unless(&["public"]),
    assigned("secret", &["key"], r#"(?i)(?P<name>[a-z0-9]{0,20}[_.-]?)key(?:[_-](?:data|base|base64|hex|value))?\\*["']?[ \t]{0,3}(?:=>|:=|={1,3}|:)[ \t]{0,3}\\*["']?(?P<secret>[^\s"'`;,&\\)\]}<]{20,})"#, is_strong).unless(&["public", "foreign", "primary", "sort", "partition", "cache", "idempotency"]),
    assigned("secret", &["value:"], r#"(?i)\bvalue:[ \t]*["']?(?P<secret>[A-Za-z0-9+/=_-]{20,})["']?[ \t]+#[^\n]{0,40}(?:key|secret|token|password)"#, is_strong),
    assigned("secret", &["default"], r#"(?i)(?:key|secret|token|password)["'][ \t]*\{[^}\n]{0,80}?\bdefault[ \t]*=[ \t]*["'](?P<secret>[^"'\s]{8,})["']"#, is_random),
];

/// The password of an address, unless it is a stand-in or the text is about such addresses.
fn is_url_password(value: &str) -> bool {
    let is_word = ["password", "passwd", "pass word", "pw", "secret", "root", "postgres", "guest"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word));
    !is_word && !value.starts_with(['$', '<', '{', '%', '[', '*']) && !value.contains("***")
}
