//! The table of secrets: to add a rule, add a line here and a sample in the tests.

use super::look::{always, is_filled_in, is_header_value, is_password, is_random};

/// What one kind of secret looks like.
pub(super) struct Rule {
    /// The name that stands in its place.
    pub(super) kind: &'static str,
    /// Text without which the pattern cannot match, in any case.
    pub(super) hints: &'static [&'static str],
    /// What to find; the group `secret` is replaced, or else the whole match.
    pub(super) pattern: &'static str,
    /// Whether what was found is one.
    pub(super) is_secret: fn(&str) -> bool,
}

const fn rule(
    kind: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
    is_secret: fn(&str) -> bool,
) -> Rule {
    Rule { kind, hints, pattern, is_secret }
}

/// Every rule: multi-line and specific shapes first, the generic assignment last.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule("private-key", &["PRIVATE KEY"], r#"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\+[nr]|[\s"'+,>|])*(?:[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\\+[nr]|\s)+){0,4}(?:[A-Za-z0-9+/=]{8,}(?:\\+[nr]|[\s"'+,>|])*)+(?:[A-Za-z0-9+/=]{1,8}(?:\\+[nr]|[\s"'+,>|])*){0,2}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"#, always),
    rule("jwt", &["eyJ"], r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?", always),
    rule("anthropic-key", &["sk-ant-"], r"\bsk-ant-[A-Za-z0-9_-]{20,}", always),
    rule("openai-key", &["sk-"], r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}", is_random),
    rule("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", always),
    rule("aws-secret-key", &["aws"], r#"(?i)aws[a-z0-9_.\s-]{0,20}(?:secret|key)[a-z0-9_.\s-]{0,20}\\?["']?\s*[=:]+\s*\\?["']?(?P<secret>[A-Za-z0-9/+]{40})\b"#, always),
    rule("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})", always),
    rule("gitlab-token", &["gl"], r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-[A-Za-z0-9_.-]{20,}", is_filled_in),
    rule("slack-token", &["xox", "xapp-"], r"\b(?:xox[abeoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{10,}", is_random),
    rule("slack-webhook", &["hooks.slack.com"], r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9/_+-]{20,})", is_filled_in),
    rule("discord-webhook", &["/api/webhooks/"], r"discord(?:app)?\.com/api/webhooks/(?P<secret>[0-9]{10,}/[A-Za-z0-9_-]{20,})", always),
    rule("stripe-key", &["sk_", "rk_", "whsec_"], r"\b(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,})", is_filled_in),
    rule("google-key", &["AIza"], r"\bAIza[0-9A-Za-z_-]{35}", always),
    rule("google-oauth", &["ya29.", "GOCSPX-", "1//0"], r"\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}|\b1//0[0-9A-Za-z_-]{30,}", always),
    rule("npm-token", &["npm_"], r"\bnpm_[A-Za-z0-9]{36,}", always),
    rule("pypi-token", &["pypi-"], r"\bpypi-[A-Za-z0-9_-]{40,}", is_random),
    rule("huggingface-token", &["hf_"], r"\bhf_[A-Za-z0-9]{30,}", always),
    rule("twilio-key", &["SK", "twilio"], r#"\bSK[0-9a-f]{32}\b|(?i:twilio)[A-Za-z_.\s-]{0,30}\\?["']?\s*[=:]\s*\\?["']?(?P<secret>[0-9a-f]{32})\b"#, always),
    rule("sendgrid-key", &["SG."], r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}", always),
    rule("digitalocean-token", &["_v1_"], r"\bdo[oprt]_v1_[a-f0-9]{64}", always),
    rule("azure-key", &["AccountKey", "sig="], r"AccountKey=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})|[?&]sig=(?P<signature>[A-Za-z0-9%+/=]{40,})", always),
    rule("authorization", &["authorization"], r#"(?i)\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:basic|bearer|token|apikey)?\s*(?P<secret>[A-Za-z0-9._~+/=-]{8,})"#, is_header_value),
    rule("bearer-token", &["bearer"], r"(?i)\bbearer\s+(?P<secret>[A-Za-z0-9._~+/=-]{16,})", is_header_value),
    rule("url-password", &["://"], r#"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@"'<>`]{0,100}:(?P<secret>[^\s/"'<>`]{1,200})@"#, is_url_password),
    rule("curl-password", &["curl"], r#"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]["']?[^\s:"']{1,60}:(?P<secret>[^\s"']{3,})"#, is_filled_in),
    rule("password", &["passw", "pwd", "passphrase"], r#"(?i)(?:passw(?:or)?d|pwd|passphrase)[A-Za-z0-9_]{0,12}\\?["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}\\?["'](?P<secret>[^\s"'\\]{6,})\\?["']"#, is_password),
    rule("password", &["passw", "pwd", "passphrase"], r#"(?i)(?:passw(?:or)?d|pwd|passphrase)[A-Za-z0-9_]{0,12}\s?[=:]\s?(?P<secret>[^\s"'`;,&\\)]{6,})"#, is_password),
    rule("secret", &["key", "secret", "token", "credential"], r#"(?i)(?:api[_-]?key|secret|token|credentials?|private[_-]?key|access[_-]?key|license[_-]?key|encryption[_-]?key)[A-Za-z0-9_-]{0,20}\\?["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}\\?["']?(?P<secret>[^\s"'`;,&\\)\]}]{12,})"#, is_random),
];

/// The password of an address, unless it is a stand-in or the text is about such addresses.
fn is_url_password(value: &str) -> bool {
    !value.starts_with(['$', '<', '{', '%', '[', '*']) && !value.contains("***")
}
