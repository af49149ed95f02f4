//! Tests of scrubbing: one planted secret a rule, look-alikes that stay, and idempotence.

use super::*;
use proptest::prelude::*;

/// Letters and digits that look random, the same every time; no realistic key stands in this file.
fn noise(n_chars: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state % alphabet.len() as u64) as usize]
    };
    (0..n_chars).map(|_| next()).collect()
}

const MIXED: &str = "23456789abcdefghijkmnpqrstuvwxyz23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const UPPER: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

/// One planted secret a rule: its kind, what stands before it, the secret, what stands after it.
fn samples() -> Vec<(&'static str, String, String, String)> {
    let plain = |kind, secret: String| (kind, "use ".to_owned(), secret, " now".to_owned());
    let around = |kind, before: &str, secret: String, after: &str| (kind, before.to_owned(), secret, after.to_owned());
    let mixed = |n_chars| noise(n_chars, MIXED);
    let block = |line_end: &str| {
        let begin = format!("-----BEGIN RSA {} KEY-----", "PRIVATE");
        let end = format!("-----END RSA {} KEY-----", "PRIVATE");
        [begin, mixed(64), mixed(64), mixed(11), end].join(line_end)
    };
    vec![
        plain("private-key", block("\n")),
        plain("private-key", block("\\n")),
        plain("private-key", block("\\\\n")),
        plain("jwt", format!("eyJ{}.eyJ{}.{}", mixed(20), mixed(40), mixed(43))),
        plain("anthropic-key", format!("sk-{}-api03-{}", "ant", mixed(80))),
        plain("openai-key", format!("sk-{}-{}", "proj", mixed(48))),
        plain("openai-key", format!("sk-{}", mixed(48))),
        plain("aws-access-key", format!("AK{}{}", "IA", noise(16, UPPER))),
        around("aws-secret-key", "aws_secret_access_key = ", mixed(40), "\n"),
        around("aws-secret-key", "\\\"AWS_SECRET_KEY\\\": \\\"", mixed(40), "\\\""),
        plain("github-token", format!("gh{}{}", "p_", mixed(36))),
        plain("github-token", format!("gh{}{}", "o_", mixed(36))),
        plain("github-token", format!("gh{}{}", "s_", mixed(36))),
        plain("github-token", format!("github_{}_{}", "pat", mixed(60))),
        plain("gitlab-token", format!("gl{}-{}", "pat", mixed(20))),
        plain("slack-token", format!("xo{}-{}-{}", "xb", noise(12, "0123456789"), mixed(24))),
        around(
            "slack-webhook",
            "https://hooks.slack.com/services/",
            format!("T{}/B{}/{}", mixed(8), mixed(8), mixed(24)),
            " ",
        ),
        around(
            "discord-webhook",
            "https://discord.com/api/webhooks/",
            format!("{}/{}", noise(18, "123456789"), mixed(60)),
            "",
        ),
        plain("stripe-key", format!("sk_{}_{}", "live", mixed(24))),
        plain("stripe-key", format!("wh{}_{}", "sec", mixed(32))),
        plain("google-key", format!("AI{}{}", "za", mixed(35))),
        plain("google-oauth", format!("ya{}.{}", "29", mixed(60))),
        plain("google-oauth", format!("GOC{}-{}", "SPX", mixed(28))),
        plain("npm-token", format!("np{}_{}", "m", mixed(36))),
        plain("pypi-token", format!("py{}-{}", "pi", mixed(90))),
        plain("huggingface-token", format!("h{}_{}", "f", mixed(34))),
        plain("twilio-key", format!("S{}{}", "K", noise(32, HEX))),
        around("twilio-key", "TWILIO_AUTH_TOKEN=", noise(32, HEX), ""),
        plain("sendgrid-key", format!("S{}.{}.{}", "G", mixed(22), mixed(43))),
        plain("digitalocean-token", format!("dop_{}_{}", "v1", noise(64, HEX))),
        around("azure-key", "AccountName=shop;AccountKey=", format!("{}==", mixed(86)), ";Suffix=x"),
        around("authorization", "Authorization: Basic ", format!("{}=", mixed(15)), "\n"),
        around("authorization", "-H \"authorization: token ", mixed(30), "\""),
        around("bearer-token", "send Bearer ", mixed(40), " with it"),
        around("url-password", "postgres://shop:", "pass".to_owned(), "@localhost/shop"),
        around("url-password", "redis://:", "p@ss!".to_owned(), "@cache:6379"),
        around("curl-password", "curl -s -u mia:", "r0lls&buns".to_owned(), " https://x"),
        around("password", "password = \"", "hunter2!".to_owned(), "\""),
        around("password", "Server=db;User=sa;Password=", "Sourd0ugh!".to_owned(), ";"),
        around("secret", "api_key = \"", mixed(24), "\""),
        around("secret", "CLIENT_SECRET: ", mixed(24), ""),
        around("secret", "\"session_token\":\"", mixed(32), "\"}"),
    ]
}

#[test]
fn every_planted_secret_is_replaced_and_nothing_around_it() {
    for (kind, before, secret, after) in samples() {
        let text = format!("{before}{secret}{after}");
        assert_eq!(scrub(&text), (Cow::<str>::Owned(format!("{before}[redacted:{kind}]{after}")), 1), "{text}");
    }
}

#[test]
fn every_rule_has_a_sample_and_its_hints_are_in_it() {
    for rule in RULES {
        let regex = Regex::new(rule.pattern).expect(rule.kind);
        let texts: Vec<String> =
            samples().into_iter().map(|(_, before, secret, after)| before + &secret + &after).collect();
        let hits: Vec<&String> = texts.iter().filter(|text| regex.is_match(text)).collect();
        assert!(!hits.is_empty(), "no sample for {}", rule.kind);
        for text in hits {
            let lower = text.to_lowercase();
            assert!(rule.hints.iter().any(|hint| lower.contains(&hint.to_lowercase())), "{text}");
        }
    }
}

#[test]
fn look_alikes_stay() {
    let uuid = "6f1c2a90-3b44-4c55-8d66-77e8f9a0b1c2";
    let (sha, blake) = (noise(40, HEX), noise(64, HEX));
    for text in [
        format!("commit {sha} fixes it"),
        format!("session {uuid} ended"),
        format!("digest {blake}"),
        "see crates/ken-engine/src/scrub.rs:42 and ./secrets/prod.env".to_owned(),
        "aGVsbG8= is hello".to_owned(),
        "the password_field is empty, token: string; secret: Option<String>".to_owned(),
        "export TOKEN=<your-token> API_KEY=$TOKEN SECRET=${SECRET} api_key=xxxxxxxxxxxxxxxx".to_owned(),
        "const apiKey = process.env.API_KEY2; token = get_token2(); auth: config.auth2.token".to_owned(),
        "api_key: ${{ secrets.NPM_TOKEN_2 }}, token_url = \"https://auth.example.com/oauth2/token\"".to_owned(),
        "Bearer authentication is required; Authorization: Bearer $TOKEN".to_owned(),
        "Password: required, max_tokens: 4096, token_budget = 16000".to_owned(),
        "sk-learn-like-names-are-not-keys and AKIA alone".to_owned(),
        "https://example.com:8080/@scope/pkg and git@github.com:mia/bakery.git".to_owned(),
        "postgres://user:$PASSWORD@host/db and https://user:<password>@host".to_owned(),
        "secret_name = bakery-oven-v2, tokenizer: cl100k_base, auth-service: auth-service-v2".to_owned(),
        "the -----BEGIN PRIVATE KEY----- marker".to_owned(),
        "author: MiaBaker2000, keyboard: qwerty12345".to_owned(),
    ] {
        assert_eq!(scrub(&text), (Cow::Borrowed(text.as_str()), 0));
    }
}

#[test]
fn long_hostile_text_is_done_quickly() {
    let begin = format!("-----BEGIN {} KEY-----", "PRIVATE");
    for piece in [begin.as_str(), "password=\"", "://a:", "eyJaaaaaaaa.", "curl -u ", "aws key "] {
        let text = piece.repeat(200_000 / piece.len());
        let started = std::time::Instant::now();
        scrub(&text);
        assert!(started.elapsed().as_secs() < 20, "{piece}");
    }
}

proptest! {
    #[test]
    fn scrubbing_twice_is_scrubbing_once(
        picks in prop::collection::vec((0usize..64, prop::sample::select(vec!["", " ", "\n", "=", "\"", ":", "@", "token="])), 0..6),
        tail in ".{0,20}",
    ) {
        let samples = samples();
        let mut text = String::new();
        for (at, glue) in picks {
            let (_, before, secret, after) = &samples[at % samples.len()];
            text.push_str(&format!("{glue}{before}{secret}{after}"));
        }
        text.push_str(&tail);
        let once = scrub(&text).0.into_owned();
        prop_assert_eq!(scrub(&once), (Cow::Borrowed(once.as_str()), 0));
    }
}
