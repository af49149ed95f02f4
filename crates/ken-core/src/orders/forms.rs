//! Forms that make a text an order whatever it says: role and tool markup, comments, links, commands.
//!
//! Reads a text in lower case; returns the rule and the place of the first form. What stands in backticks
//! may name a comment, a link or an image without being one; markup and commands count there as well. What they are
//! made of belongs to formats and programs, and to no language.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::span::Span;
use crate::text::within;

use super::Rule;

/// Marks of turns and roles in the formats of models.
const ROLES: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|end|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|begin_of_text|>",
    "<|endofprompt|>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<</sys>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<system>",
    "</system>",
    "<system_prompt>",
    "<system-reminder>",
    "</system-reminder>",
    "<assistant>",
    "</assistant>",
    "<human>",
    "</human>",
    "[system](#",
    "### instruction:",
    "### system:",
    "### human:",
    "### assistant:",
    "### response:",
    "<kenning-context",
    "</kenning-context",
    "<start_header_id>",
    "begin system prompt",
    "[system message]",
    "[system override]",
];

/// Beginnings of tool calls in the formats of models.
const TOOLS: &[&str] = &[
    "<tool_call>",
    "</tool_call>",
    "<tool_use>",
    "<function_calls>",
    "</function_calls>",
    "<invoke name=",
    "</invoke>",
    "<antml:",
    "<tool_result>",
    "<function_result",
    "<function=",
    "<|python_tag|>",
    "<|tool_call",
    "[tool_calls]",
    "{\"tool_calls\":",
    "{\"function_call\":",
    "{\"type\":\"tool_use\"",
    "{\"type\": \"tool_use\"",
    "{\"tool\":\"",
    "{\"tool\": \"",
    "{\"name\":\"bash\"",
    "{\"name\": \"bash\"",
    "{\"recipient_name\":",
    "```tool_code",
    "```tool_call",
];

/// Links that run or embed something.
const LINKS: &[&str] = &[
    "](javascript:",
    "](data:",
    "](vbscript:",
    "](file:",
    "](<javascript:",
    "](<data:",
    "href=\"javascript:",
    "href='javascript:",
    "href=javascript:",
    "]: javascript:",
    "]: data:",
    "<javascript:",
    "data:text/html",
    "data:application/javascript",
    "<script",
    "<iframe",
    "<object data=",
    "<embed src=",
];

/// Commands that destroy, or open a door.
const COMMANDS: &[&str] = &[
    "rm -rf / ",
    "rm -rf /*",
    "rm -rf ~",
    "rm -rf $home",
    "rm -rf --no-preserve-root",
    ":(){ :|:& };:",
    "/dev/tcp/",
    "nc -e ",
    "ncat -e ",
    "mkfifo /tmp/",
    "powershell -enc",
    "powershell -e ",
    "-encodedcommand ",
    "iex (iwr",
    "iex(iwr",
    "iex (new-object",
    "iex(new-object",
    "iex (irm",
    "invoke-expression (",
    "bash <(curl",
    "bash <(wget",
    "sh <(curl",
    "sh <(wget",
    "source <(curl",
    "eval \"$(curl",
    "eval \"$(wget",
    "eval $(curl",
    "eval `curl",
    "sh -c \"$(curl",
    "sh -c \"$(wget",
    "sh -c '$(curl",
    "sh -c \"`curl",
    "exec(requests.get",
    "exec(urllib",
    "base64 -d | sh",
    "base64 -d | bash",
    "base64 --decode | sh",
    "base64 --decode | bash",
    "base64 -d|sh",
    "base64 -d|bash",
];

/// Programs that download.
const DOWNLOADS: &[&str] = &["curl ", "wget ", "iwr ", "irm ", "invoke-webrequest ", "fetch http"];

/// What sends a file elsewhere.
const SENDS: &[&str] = &["curl ", "wget ", "nc ", "scp ", "invoke-webrequest ", "requests.post", "fetch("];

/// Who may have a turn.
const TURNS: &[&str] = &["human", "assistant", "system", "user", "developer"];

/// What runs the text it is given.
const SHELLS: &[&str] =
    &["sh", "bash", "zsh", "sudo", "python", "python3", "node", "perl", "ruby", "iex", "fish", "dash", "php"];

/// Files and outputs that hold secrets.
const SECRETS: &[&str] = &[
    ".ssh/",
    "id_rsa",
    "id_ed25519",
    ".env",
    "$(env",
    "`env`",
    "printenv",
    "/etc/passwd",
    "/etc/shadow",
    ".aws/credentials",
    ".netrc",
    "$(cat ",
    "`cat ",
    ".npmrc",
    ".git-credentials",
    "$api_key",
    "$github_token",
    "_token}",
    "_secret",
    "_api_key",
];

/// Returns the first form of a text.
pub(super) fn find(text: &str) -> Option<(Rule, Span)> {
    // Every form has one of these marks, and most texts have none.
    if !marks().is_match(text) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    // A command at the very end has nothing behind it.
    let ended = lower.clone() + " ";
    let first = |marks: &[&str]| {
        let found = marks.iter().find_map(|mark| ended.find(mark).map(|at| (at, at + mark.len())));
        found.map(|(start, end)| Span::new(start, end.min(lower.len())))
    };
    let outside = |marks: &[&str]| {
        let found = marks.iter().find_map(|mark| {
            lower
                .match_indices(mark)
                .find(|(at, _)| !is_in_code(&lower, *at))
                .map(|(at, mark)| Span::new(at, at + mark.len()))
        });
        found.map(|span| Span::new(span.start, end_of_form(&lower, span.end)))
    };
    None.or_else(|| outside(ROLES).map(|span| (Rule::Role, span)))
        .or_else(|| turn(&lower).map(|span| (Rule::Role, span)))
        .or_else(|| outside(TOOLS).map(|span| (Rule::Tool, span)))
        .or_else(|| outside(&["<!--"]).map(|span| (Rule::Comment, span)))
        .or_else(|| outside(LINKS).map(|span| (Rule::Link, span)))
        .or_else(|| image(&lower).map(|span| (Rule::Image, span)))
        .or_else(|| sent(&lower).map(|span| (Rule::Secret, span)))
        .or_else(|| first(COMMANDS).map(|span| (Rule::Command, span)))
        .or_else(|| piped(&lower).map(|span| (Rule::Command, span)))
}

/// Whatever a form may have, found in one pass; built once.
fn marks() -> &'static AhoCorasick {
    static MARKS: OnceLock<AhoCorasick> = OnceLock::new();
    MARKS.get_or_init(|| {
        let lists = [ROLES, TOOLS, LINKS, COMMANDS, DOWNLOADS, SENDS, TURNS, &["<!--", "![", "<img"]];
        // A command at the very end has nothing behind it.
        let marks = lists.into_iter().flatten().map(|mark| mark.trim_end());
        once(marks, true)
    })
}

/// An automaton that costs little to build, for texts of a few lines.
pub(super) fn once<'a>(patterns: impl Iterator<Item = &'a str>, any_case: bool) -> AhoCorasick {
    let kind = Some(AhoCorasickKind::NoncontiguousNFA);
    let built = AhoCorasick::builder().kind(kind).ascii_case_insensitive(any_case).build(patterns);
    built.expect("the lists of this program are far below the limits")
}

/// The end of what a form belongs to, for the reason: its line, and not far.
fn end_of_form(text: &str, from: usize) -> usize {
    let end = text[from..].find('\n').map_or(text.len(), |at| from + at);
    from + within(&text[from..end], 60).len()
}

/// Whether a place stands inside of backticks on its line.
fn is_in_code(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    text[line..at].matches('`').count() % 2 == 1
}

/// A line that begins a turn: `Human:`, `Assistant:`, `System: you …`.
fn turn(lower: &str) -> Option<Span> {
    let mut at = 0;
    for (n, line) in lower.split('\n').enumerate() {
        let start = at;
        at += line.len() + 1;
        let bare = line.trim_start_matches([' ', '\t', '>', '*', '#', '-', '_', '[']);
        for role in TURNS {
            let Some(rest) = bare.strip_prefix(role) else { continue };
            let rest = rest.trim_start_matches(['*', '_', ']', ' ']);
            let Some(said) = rest.strip_prefix(':') else { continue };
            let said = said.trim_start_matches([' ', '*']);
            let is_inner = n > 0 && matches!(*role, "human" | "assistant");
            let is_order =
                ["you ", "ignore", "override", "new instruction", "execute", "disregard", "from now", "your "]
                    .iter()
                    .any(|begin| said.starts_with(begin));
            if *role == "human" || is_inner || (is_order && matches!(*role, "system" | "assistant" | "developer")) {
                return Some(Span::new(start, start + line.len()));
            }
        }
    }
    None
}

/// An image that is loaded from elsewhere.
fn image(lower: &str) -> Option<Span> {
    for (at, _) in lower.match_indices("![") {
        let rest = &lower[at..];
        let Some(close) = rest.find("](") else { continue };
        let target = rest[close + 2..].trim_start_matches([' ', '<']);
        let is_remote = ["http:", "https:", "//", "data:"].iter().any(|begin| target.starts_with(begin));
        if close < 300 && is_remote && !is_in_code(lower, at) {
            let end = rest.find(')').map_or(rest.len(), |end| end + 1);
            return Some(Span::new(at, at + end));
        }
    }
    let found = lower.match_indices("<img").find(|(at, _)| {
        let tag = &lower[*at..end_of_tag(lower, *at)];
        (tag.contains("http") || tag.contains("//") || tag.contains("onerror")) && !is_in_code(lower, *at)
    });
    found.map(|(at, _)| Span::new(at, end_of_tag(lower, at)))
}

fn end_of_tag(text: &str, at: usize) -> usize {
    text[at..].find('>').map_or(text.len(), |end| at + end + 1)
}

/// A download that goes straight into a shell.
fn piped(lower: &str) -> Option<Span> {
    for (at, _) in DOWNLOADS.iter().flat_map(|program| lower.match_indices(program)) {
        let line = &lower[at..lower[at..].find('\n').map_or(lower.len(), |end| at + end)];
        let mut end = 0;
        for piece in line.split('|') {
            let is_first = end == 0;
            end += piece.len() + 1;
            let mut words = piece.split_whitespace().map(|word| word.trim_matches(['`', '"', '\'', ')', '.', ',']));
            let program = words.next().unwrap_or("");
            let program = program.rsplit('/').next().unwrap_or(program);
            if !is_first && SHELLS.contains(&program) {
                return Some(Span::new(at, at + (end - 1).min(line.len())));
            }
        }
        let runs = ["&& sh ", "&& bash ", "; sh ", "; bash ", "&& chmod +x", "; chmod +x", "&& sudo sh", "&& python "];
        if runs.iter().any(|run| line.contains(run)) {
            return Some(Span::new(at, at + line.len()));
        }
    }
    None
}

/// A command that sends a file of secrets away.
fn sent(lower: &str) -> Option<Span> {
    for line in lower.split('\n') {
        let has_place = line.contains("http") || line.contains("@") || line.contains("nc ") || line.contains("scp ");
        let program = SENDS.iter().find_map(|program| line.find(program));
        let has_secret = SECRETS.iter().any(|secret| line.contains(secret));
        let is_data = ["-d ", "-f ", "--data", "-t ", "| curl", "| nc", "|curl", "scp ", "post", "?", "--post"]
            .iter()
            .any(|flag| line.contains(flag));
        if let Some(at) = program.filter(|_| has_place && has_secret && is_data) {
            let start = line.as_ptr() as usize - lower.as_ptr() as usize;
            return Some(Span::new(start + at, start + line.len()));
        }
    }
    None
}
