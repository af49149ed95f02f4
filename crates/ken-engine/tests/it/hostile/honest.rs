//! The vault of every case, and a model that means well.

use std::collections::BTreeSet;

use ken_engine::model::{ModelError, Prompt, Schema};
use ken_engine::propose::Packet;
use serde_json::{Value, json};

/// A page of a person.
pub(super) const OWNED: &str = "knowledge/concepts/owner-guide.md";
/// Its text.
pub(super) const OWNED_TEXT: &str = "---\ntitle: Owner guide\ntype: concept\ntldr: The owner guide says who may open the shop.\nanswers_when: [owner guide, who opens, keys, shop, opening]\nowner: human\n---\n# Owner guide\n\nAda and Ben have keys.\n";
/// A compiled page that no case is about.
pub(super) const BYSTANDER: &str = "knowledge/concepts/oven-schedule.md";
/// The compiled page that cases about pages are about.
pub(super) const PAGE: &str = "knowledge/concepts/refresh-tokens.md";
const PAGE_TITLE: &str = "Refresh tokens";

/// Days that are read before.
pub(super) const DAYS: &[(&str, &str)] = &[
    (
        "daily/2026-04-01.md",
        "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (09:00) - Tokens\n\n**Decisions Made:**\n- Refresh tokens live 60 minutes in the login service.\n- The session store keeps refresh tokens hashed.\n\n### Session (11:00) - Ovens\n\n**Decisions Made:**\n- The oven schedule starts the ovens at five.\n- The oven schedule hangs beside the door.\n",
    ),
    (
        "daily/2026-04-02.md",
        "# Daily Log: 2026-04-02\n\n## Sessions\n\n### Session (09:00) - Rotation\n\n**Decisions Made:**\n- Refresh tokens are rotated at every use.\n- The refresh token rotation is a task of the login service.\n- The refresh token rotation does not touch the session store.\n",
    ),
    (
        "daily/2026-04-03.md",
        "# Daily Log: 2026-04-03\n\n## Sessions\n\n### Session (09:00) - Storage\n\n**Decisions Made:**\n- Refresh tokens leave the session store when they expire.\n- The login service asks the session store first.\n- Refresh tokens name the device.\n- Refresh tokens are never shown.\n",
    ),
];

/// The day that cases of readings are about.
pub(super) const LAST: (&str, &str) = (
    "daily/2026-04-04.md",
    "# Daily Log: 2026-04-04\n\n## Sessions\n\n### Session (09:00) - Limits\n\n**Decisions Made:**\n- Refresh tokens live 15 minutes now in the login service.\n- The rate limiter counts logins per address.\n- The index, the log, the con folder and the nul device are named in the owner guide.\n- The rate limiter is not shared between the servers.\n- Ada said: \"slow logins are better than lost logins\" on 2026-04-03.\n",
);

const TITLES: &[&str] =
    &["Refresh token rotation", PAGE_TITLE, "Login service", "Session store", "Oven schedule", "Rate limiter"];

/// Whether a name is one that everybody in this vault may use.
pub(super) fn is_title(name: &str) -> bool {
    TITLES.iter().any(|title| title.to_lowercase().contains(&name.to_lowercase()))
}

/// Whether a task is the one that cases are about.
pub(super) fn is_target(prompt: &Prompt) -> bool {
    is_target_text(&prompt.input)
}

/// The same by the text that is sent.
pub(super) fn is_target_text(text: &str) -> bool {
    match text.matches("Page: ").count() {
        0 => text.contains("Title: Limits") || text.contains("rate limiter counts"),
        1 => text.contains(&format!("Page: {PAGE_TITLE} (")),
        _ => text.contains(&format!("Page: {PAGE_TITLE} (")) && text.contains("Page: Refresh token rotation ("),
    }
}

/// Whether a task's label says that it is the one of the cases.
pub(super) fn is_label_of(label: &str, kind: &str) -> bool {
    match kind {
        "compile" => label.starts_with(LAST.0),
        "page" => label.starts_with("refresh-tokens ("),
        _ => label.contains("one subject?"),
    }
}

/// The task of the cases in a packet: alone, or as one of several texts.
pub(super) struct Target {
    /// The text as a prompt.
    pub(super) prompt: Prompt,
    /// Its number among several.
    n: Option<usize>,
}

impl Target {
    /// A reply as the answer to the packet.
    pub(super) fn answer(&self, reply: &str) -> String {
        match self.n {
            Some(n) => format!("{{\"replies\": [{{\"n\": {n}, \"reply\": {reply}}}], \"nothing\": []}}"),
            None => reply.to_owned(),
        }
    }

    /// Whether a part of this name is one of its own, or the answer as a whole.
    pub(super) fn is_about(&self, part: &str) -> bool {
        part == "reply" || self.n.is_none_or(|n| part.starts_with(&format!("{n}.")))
    }
}

/// The task of the cases, where a packet has it.
pub(super) fn target_of(packet: &Packet, kind: &'static str) -> Option<Target> {
    let prompt = |text: &str| Prompt {
        rules: String::new(),
        context: text.to_owned(),
        input: text.to_owned(),
        schema: Schema { name: kind, json: packet.schema.clone() },
        reply_tokens_max: 1,
    };
    let Some((_, texts)) = packet.prompt.split_once("\nText 1:\n") else {
        let is_it = packet.kind.as_str() == kind && is_target_text(&packet.prompt);
        return is_it.then(|| Target { prompt: prompt(&packet.prompt), n: None });
    };
    let texts: Vec<&str> = texts.split("\nText ").collect();
    let is_it = |text: &&str| (kind == "merge") == text.contains("Asks for: same") && is_target_text(text);
    let n = texts.iter().position(is_it).filter(|_| kind != "compile")?;
    Some(Target { prompt: prompt(texts[n]), n: Some(n + 1) })
}

/// A model that reads days well and says nothing of pages.
pub(super) fn quiet(prompt: &Prompt) -> Result<String, ModelError> {
    Ok(match prompt.schema.name {
        "compile" => good("compile", prompt),
        "page" => json!({"tldr": "", "triggers": [], "high": [], "mid": [], "sections": []}),
        "merge" => json!({"same": false, "title": ""}),
        other => panic!("nobody asks for {other} here"),
    }
    .to_string())
}

/// The numbered lines of a portion that say something.
fn said(input: &str) -> impl Iterator<Item = (usize, &str)> {
    input.lines().filter_map(|line| {
        let (number, text) = line.split_once("| - ")?;
        Some((number.trim().parse().ok()?, text))
    })
}

/// A good reply.
pub(super) fn good(kind: &str, prompt: &Prompt) -> Value {
    match kind {
        "compile" => {
            let mut named = BTreeSet::new();
            let mut claims = Vec::new();
            for (number, text) in said(&prompt.input) {
                let folded = text.to_lowercase();
                let subjects: Vec<&str> =
                    TITLES.iter().copied().filter(|title| folded.contains(&title.to_lowercase())).collect();
                if subjects.is_empty() {
                    continue;
                }
                named.extend(subjects.iter().copied());
                claims.push(json!({"text": text, "lines": [number, number], "kind": "fact", "subjects": subjects,
                    "same_as": [], "replaces": [], "disputes": [], "settles": [], "slot": "", "speaker": "",
                    "valid_from": "", "renames": []}));
            }
            let card = |name: &&str| json!({"name": name, "category": "concept", "aliases": []});
            json!({"claims": claims, "subjects": named.iter().map(card).collect::<Vec<_>>(), "connections": []})
        }
        "page" => {
            let mut reply = json!({"tldr": "Refresh tokens are rotated at every use.",
                "triggers": ["session length", "token lifetime", "rotation", "login expiry", "hashed tokens"],
                "high": ["session-store"], "mid": ["login-service"]});
            if let Some((id, text)) = claim(&prompt.input) {
                let sentence = json!({"text": text, "claims": [id], "synthesis": false});
                reply["sections"] = json!([{"heading": "", "sentences": [sentence]}]);
            }
            reply
        }
        "merge" => json!({"same": true, "title": PAGE_TITLE}),
        other => panic!("nobody asks for {other} here"),
    }
}

/// Id and text of the first claim that is shown of the page of the cases.
pub(super) fn claim(shown: &str) -> Option<(String, String)> {
    let mut in_page = false;
    for line in shown.lines() {
        if line.starts_with("- ") && !line.contains(": ") {
            in_page = line == format!("- {PAGE_TITLE}");
        }
        in_page |= line.starts_with(&format!("Page: {PAGE_TITLE} ("));
        let row = line.trim_start().trim_start_matches("- ");
        // A claim of several pages is shown once, maybe below another of them.
        let is_of_page = |(_, text): &(&str, &str)| in_page || text.contains(PAGE_TITLE);
        let Some((head, text)) = row.split_once(": ").filter(is_of_page) else { continue };
        let id = head.split(' ').next().unwrap_or_default();
        if id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Some((id.to_owned(), text.to_owned()));
        }
    }
    None
}

/// The id of a claim that stands on a page which is not shown.
pub(super) fn hidden_id() -> String {
    let text = "the oven schedule starts the ovens at five";
    ken_core::Digest::of(text.as_bytes()).short()
}
