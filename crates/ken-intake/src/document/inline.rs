//! What stands in a line of reStructuredText and AsciiDoc, as Markdown.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("our own expressions are valid")
}

/// Code, which nothing else is looked for in; RST writes it with two marks, AsciiDoc with one.
static CODE: LazyLock<Regex> = LazyLock::new(|| regex("``(.+?)``"));
static ROLE: LazyLock<Regex> = LazyLock::new(|| regex(r":([a-zA-Z][\w:+.-]*):`([^`]+)`"));
static EMBEDDED: LazyLock<Regex> = LazyLock::new(|| regex(r"`([^`<]+?)\s*<([^`<>\s]+)>`__?"));
static NAMED: LazyLock<Regex> = LazyLock::new(|| regex(r"`([^`]+)`_\b|`([^`]+)`_"));
static SUBSTITUTED: LazyLock<Regex> = LazyLock::new(|| regex(r"\|([^|\s][^|]*)\|_{0,2}"));
static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"(^|[\s(])([A-Za-z][A-Za-z0-9.-]*)__?($|[\s.,;:!?)])"));
static FOOTNOTE: LazyLock<Regex> = LazyLock::new(|| regex(r"\s?\[(#?\w*|\*)\]_"));

/// What a text of RST calls by a name: where names lead, and what stands for something else.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) targets: BTreeMap<String, String>,
    pub(super) substitutes: BTreeMap<String, String>,
}

/// A line of reStructuredText as Markdown.
pub(super) fn of_structured(line: &str, names: &Names) -> String {
    outside_code(line, &CODE, |part| {
        let part = EMBEDDED.replace_all(part, |found: &Captures<'_>| link(&found[1], &found[2]));
        let part = ROLE.replace_all(&part, |found: &Captures<'_>| role(&found[1], &found[2]));
        let part = NAMED.replace_all(&part, |found: &Captures<'_>| {
            let name = found.get(1).or_else(|| found.get(2)).map_or("", |name| name.as_str());
            let to = names.targets.get(&name.to_lowercase());
            to.map_or_else(|| name.to_owned(), |to| link(name, to))
        });
        let part = SUBSTITUTED.replace_all(&part, |found: &Captures<'_>| {
            names.substitutes.get(&found[1]).cloned().unwrap_or_else(|| found[0].to_owned())
        });
        let part = FOOTNOTE.replace_all(&part, "");
        let part = WORD.replace_all(&part, |found: &Captures<'_>| {
            let to = names.targets.get(&found[2].to_lowercase());
            let shown = to.map_or_else(|| found[2].to_owned(), |to| link(&found[2], to));
            format!("{}{shown}{}", &found[1], &found[3])
        });
        part.into_owned()
    })
}

/// What a role says: what it shows, as code where it names something of code.
fn role(role: &str, said: &str) -> String {
    let shown = said.rsplit_once('<').map_or(said, |(shown, _)| shown).trim().trim_start_matches(['~', '!']);
    let is_prose =
        ["ref", "doc", "term", "emphasis", "strong", "abbr", "numref", "sup", "sub", "guilabel"].contains(&role);
    if is_prose { shown.to_owned() } else { format!("`{shown}`") }
}

static MONO: LazyLock<Regex> = LazyLock::new(|| regex(r"`\+?([^`]+?)\+?`"));
static MACRO: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?:link:|\b)((?:https?|ftp)://[^\s\[\]<>]+|(?:link:)[^\s\[\]<>]+)\[([^\]]*)\]"));
static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"<<([^,<>]+)(?:,\s*([^<>]+))?>>|xref:([^\s\[\]]+)\[([^\]]*)\]"));
static GONE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\[\[[\w:.-]+(?:,[^\]]*)?\]\]|\(\(\([^()]*\)\)\)|image:[^\s\[\]]+\[[^\]]*\]|footnote:\w*\[[^\]]*\]")
});
static VALUE: LazyLock<Regex> = LazyLock::new(|| regex(r"\{([A-Za-z0-9_][\w-]*)\}"));
static ROLED: LazyLock<Regex> = LazyLock::new(|| regex(r"\[[.\w-]+\]#([^#]+)#"));
static STRONG: LazyLock<Regex> = LazyLock::new(|| regex(r"(^|[\s(])\*([^\s*](?:[^*]*[^\s*])?)\*($|[\s.,;:!?)])"));

/// A line of AsciiDoc as Markdown, with what its document gave names to.
pub(super) fn of_asciidoc(line: &str, values: &BTreeMap<String, String>) -> String {
    let line = VALUE.replace_all(line, |found: &Captures<'_>| {
        values.get(&found[1].to_lowercase()).cloned().unwrap_or_else(|| found[0].to_owned())
    });
    outside_code(&line, &MONO, |part| {
        let part = GONE.replace_all(part, "");
        let part = MACRO.replace_all(&part, |found: &Captures<'_>| {
            let (to, shown) = (found[1].trim_start_matches("link:"), found[2].split(',').next().unwrap_or_default());
            let shown = shown.trim_matches(['"', '^', ' ']);
            link(if shown.is_empty() { to } else { shown }, to)
        });
        let part = REFERENCE.replace_all(&part, |found: &Captures<'_>| {
            let said = |n: usize| found.get(n).map(|said| said.as_str()).filter(|said| !said.is_empty());
            said(2).or(said(4)).or(said(1)).or(said(3)).unwrap_or_default().to_owned()
        });
        let part = ROLED.replace_all(&part, "$1");
        STRONG.replace_all(&part, "$1**$2**$3").into_owned()
    })
}

fn link(shown: &str, to: &str) -> String {
    let shown = shown.trim();
    let is_plain = !shown.contains(['[', ']']) && !to.contains(['(', ')', ' ']);
    if is_plain { format!("[{shown}]({to})") } else { shown.to_owned() }
}

/// The line with what is no code as `change` says, and code between single marks.
fn outside_code(line: &str, code: &Regex, change: impl Fn(&str) -> String) -> String {
    let (mut out, mut from) = (String::with_capacity(line.len()), 0);
    for found in code.captures_iter(line) {
        let (whole, inner) = (found.get(0).expect("it matched"), &found[1]);
        // Of a link only the mark in front is one of code.
        if inner.contains('<') && line[whole.end()..].starts_with('_') {
            continue;
        }
        out.push_str(&change(&line[from..whole.start()]));
        out.push_str(&format!("`{inner}`"));
        from = whole.end();
    }
    out.push_str(&change(&line[from..]));
    out
}
