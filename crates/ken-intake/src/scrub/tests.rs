//! Tests of scrubbing: the corpus with its floors, exact marks, look-alikes that stay, and properties.

#[path = "../../tests/scrub/mod.rs"]
#[allow(dead_code, reason = "the measurement uses the rest of the corpus")]
mod corpus;

use std::collections::BTreeSet;

use proptest::prelude::*;
use regex::Regex;

use super::*;

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
fn the_scrubber_keeps_its_recall_and_precision() {
    for seed in [corpus::SEED, corpus::HELD_OUT[0]] {
        let figures = corpus::measure(seed, scrub);
        assert!(figures.kinds.len() >= 240 && figures.n_planted() >= 2_800 && figures.n_innocent >= 5_000);
        let (recall, n_false) = (figures.recall(), figures.false_alarms.len());
        assert!(recall >= 0.98, "recall {recall} with seed {seed}; `cargo xtask scrub` lists what is missed");
        assert!(
            n_false * 5_000 <= figures.n_innocent,
            "{n_false} false alarms with seed {seed}: {:#?}",
            figures.false_alarms
        );
    }
}

#[test]
fn every_rule_is_needed_and_its_hints_are_where_it_matches() {
    assert!(sieve::all_rules().count() <= sieve::Rules::N_MAX);
    let texts: Vec<String> = corpus::planted(corpus::SEED).into_iter().map(|sample| sample.text).collect();
    for rule in sieve::all_rules() {
        let regex = Regex::new(&rule.pattern()).expect(rule.kind);
        let mut n_hits = 0;
        for line in texts.iter().flat_map(|text| text.lines()).filter(|line| regex.is_match(line)) {
            n_hits += 1;
            let has = |hint: &&str| match rule.is_exact() {
                true => line.contains(*hint),
                false => line.to_lowercase().contains(&hint.to_lowercase()),
            };
            assert!(!rule.needs_sign() || line.contains(['=', ':']), "no sign for {} in {line}", rule.kind);
            assert!(rule.hints.iter().any(has) || rule.kind == "discord-token", "no hint of {} in {line}", rule.kind);
        }
        assert!(n_hits > 0, "nothing in the corpus for {} {:?}", rule.kind, rule.hints);
    }
}

#[test]
fn what_is_found_is_what_is_replaced() {
    for sample in corpus::planted(corpus::SEED) {
        let text = clean(&sample.text);
        let found = find(&text);
        let mut at = 0;
        for one in &found {
            assert!(at <= one.span.start && one.span.start < one.span.end, "{found:?}");
            at = one.span.end;
        }
        assert_eq!(replaced(&text, &found), scrub(&sample.text).0);
    }
}

#[test]
fn kinds_are_words_that_marks_can_hold() {
    let kinds: BTreeSet<&str> = sieve::all_rules().map(|rule| rule.kind).collect();
    let is_plain = |kind: &str| kind.chars().all(|ch| ch.is_ascii_lowercase() || ch == '-');
    assert!(kinds.len() >= 40 && kinds.into_iter().all(is_plain));
}

#[test]
fn look_alikes_stay() {
    let uuid = "6f1c2a90-3b44-4c55-8d66-77e8f9a0b1c2";
    let (sha, blake) = (noise(40, HEX), noise(64, HEX));
    for text in [
        format!("commit {sha} fixes it"),
        format!("session {uuid} ended"),
        format!("digest {blake}"),
        "see crates/ken-intake/src/scrub.rs:42 and ./secrets/prod.env".to_owned(),
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
    for piece in [
        begin.as_str(),
        "password=\"",
        "://a:",
        "eyJaaaaaaaa.",
        "curl -u ",
        "aws key ",
        "cookie: session=",
        "password ",
        " --token ",
        "mysql -p",
        "key=",
        "AAAAAAAA",
        "1234567890:AA",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        let started = std::time::Instant::now();
        scrub(&text);
        assert!(started.elapsed().as_secs() < 20, "{piece}");
    }
}

/// Several samples one after the other, with something between them.
fn glued(picks: &[(usize, &str)]) -> String {
    let samples = corpus::planted(corpus::SEED);
    picks.iter().map(|(at, glue)| format!("{glue}{}", samples[at % samples.len()].text)).collect()
}

const GLUE: &[&str] = &["", " ", "\n", "=", "\"", ":", "@", "token=", "\\n", "é"];

proptest! {
    #[test]
    fn scrubbing_twice_is_scrubbing_once(
        picks in prop::collection::vec((0usize..4096, prop::sample::select(GLUE)), 0..6),
        tail in ".{0,20}",
    ) {
        let once = scrub(&(glued(&picks) + &tail)).0.into_owned();
        prop_assert_eq!(scrub(&once), (Cow::Borrowed(once.as_str()), 0));
    }

    #[test]
    fn what_a_line_shows_alone_is_found_among_others(
        picks in prop::collection::vec((0usize..4096, prop::sample::select(GLUE)), 0..6),
    ) {
        let text = glued(&picks);
        // A line of a key block is a part of the block.
        prop_assume!(!text.contains("-----BEGIN"));
        let found = find(&text);
        let mut start = 0;
        for line in text.split('\n') {
            for one in find(line).into_iter().map(|one| shifted(one, start)) {
                let is_covered = found.iter().any(|all| all.span.start <= one.span.start && one.span.end <= all.span.end);
                prop_assert!(is_covered, "{:?} of {:?}", one, line);
            }
            start += line.len() + 1;
        }
    }

    #[test]
    fn what_is_hidden_anywhere_hides_nothing(
        pick in 0usize..4096, at in 0usize..200, hidden in prop::sample::select(vec![
            "\u{200b}", "\u{ad}", "\u{202e}", "\u{e0041}", "\u{1b}[31m", "\u{0}", "\u{200d}", "\u{feff}",
        ]),
    ) {
        let samples = corpus::planted(corpus::SEED);
        let text = ken_core::clean::clean(&samples[pick % samples.len()].text).into_owned();
        let at = text.char_indices().map(|(at, _)| at).nth(at).unwrap_or(text.len());
        let (before, after) = text.split_at(at);
        let disguised = format!("{before}{hidden}{after}");
        // Between letters that join, as in Arabic, a joiner is spelling and stays.
        let (found, n_found) = scrub(&disguised);
        let (expected, n_expected) = scrub(&text);
        prop_assert_eq!((found.replace('\u{200d}', ""), n_found), (expected.replace('\u{200d}', ""), n_expected));
    }

    #[test]
    fn what_is_stored_is_read_with_every_line_in_its_place(
        picks in prop::collection::vec((0usize..4096, prop::sample::select(GLUE)), 0..6),
    ) {
        let text = glued(&picks);
        let read = readable(&text);
        prop_assert_eq!(read.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(find(&read), Vec::new());
    }

    #[test]
    fn any_text_is_scrubbed_without_a_panic(text in "(?s).{0,200}") {
        scrub(&text);
    }
}
