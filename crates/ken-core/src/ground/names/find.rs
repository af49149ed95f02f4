//! Finds what names something in a claim.
//!
//! Reads the claim alone; returns stretches with what makes each a name. Words that every text uses
//! (`API`, `Decision`, month and weekday names) are none.

use crate::span::Span;
use crate::words::{Weight, has_nouns_in_capitals, identifier_parts, weight};

/// What makes a stretch of text a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ground) enum Sort {
    /// It stands in backticks.
    Code,
    /// Its spelling: `src/auth.rs`, `maxRetries`, `JWT`, `sha256`.
    Run,
    /// A capital inside of a sentence.
    Capital,
    /// The target of a wikilink.
    Link,
}

/// A name of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ground) struct Name {
    pub(in crate::ground) span: Span,
    pub(in crate::ground) sort: Sort,
}

/// Returns the names of a claim, in order.
pub(in crate::ground) fn names(claim: &str) -> Vec<Name> {
    let mut out = Vec::new();
    let marked = marked(claim);
    let is_german = has_nouns_in_capitals(claim);
    let mut from = 0;
    for name in marked.iter().map(|name| (name.span, Some(*name))).chain([(Span::new(claim.len(), claim.len()), None)])
    {
        plain(claim, Span::new(from, name.0.start.max(from)), is_german, &mut out);
        out.extend(name.1);
        from = name.0.end;
    }
    out
}

/// Code and the targets of links.
fn marked(claim: &str) -> Vec<Name> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = claim[at..].find(['`', '[']).map(|by| at + by) {
        let rest = &claim[found..];
        let (name, end) = if rest.starts_with('`') {
            let n_ticks = rest.len() - rest.trim_start_matches('`').len();
            let Some(len) = rest[n_ticks..].find(&rest[..n_ticks]) else { break };
            (Some(Sort::Code), (found + n_ticks, found + n_ticks + len))
        } else if let Some(inside) = rest.strip_prefix("[[") {
            match inside.find("]]") {
                Some(len) => {
                    let len_target = inside[..len].find(['|', '#']).unwrap_or(len);
                    (Some(Sort::Link), (found + 2, found + 2 + len_target))
                }
                None => (None, (found, found + 2)),
            }
        } else {
            (None, (found, found + 1))
        };
        at = end.1 + usize::from(name == Some(Sort::Code));
        if let Some(sort) = name.filter(|_| end.0 < end.1) {
            let is_number = claim[end.0..end.1].chars().all(|ch| !ch.is_alphabetic());
            if !is_number {
                out.push(Name { span: Span::new(end.0, end.1), sort });
            }
        }
    }
    out
}

/// What encloses a word and is no part of it.
const AROUND: &[char] = &[
    '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '“', '”', '„', '‘', '’', '«', '»', ',', ';', ':', '!', '?', '*',
    '_', '~', '|', '=', '…', '.', '`', '—', '–', '→', '+', '&', '$', '€', '£', '%', '#', '/', '\\', '^', '-',
];

/// The names of a stretch without code.
fn plain(claim: &str, stretch: Span, is_german: bool, out: &mut Vec<Name>) {
    let text = stretch.of(claim);
    let is_gap = |ch: char| {
        ch.is_whitespace() || matches!(ch, '—' | '–' | '→' | '|' | '=' | '(' | ')' | '…' | '+' | '"' | '“' | '”')
    };
    let mut at = 0;
    for chunk in text.split(is_gap) {
        let start = at;
        at += chunk.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        // Most words are small letters alone, which make no name.
        if chunk.bytes().all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        let lead = chunk.len() - chunk.trim_start_matches(AROUND).len();
        let word = chunk.trim_matches(AROUND);
        if word.is_empty() || !word.contains(char::is_alphabetic) {
            continue;
        }
        let span = Span::new(stretch.start + start + lead, stretch.start + start + lead + word.len());
        let Some((sort, lead)) = sort(claim, span, is_german) else { continue };
        out.push(Name { span: Span::new(span.start + lead, span.end), sort });
    }
}

/// What makes a word a name, with the bytes before it that are an elided word of French or Italian.
fn sort(claim: &str, span: Span, is_german: bool) -> Option<(Sort, usize)> {
    let whole = span.of(claim);
    let lead = elided(whole);
    let word = without_possessive(&whole[lead..]);
    let is_half_of_day =
        matches!(word, "AM" | "PM") && claim[..span.start].trim_end().ends_with(|ch: char| ch.is_ascii_digit());
    if is_number_with_unit(word) || is_abbreviation(word) || is_half_of_day {
        return None;
    }
    if is_run(word) {
        return Some((Sort::Run, lead));
    }
    if word.chars().any(is_mark) || !word.starts_with(char::is_uppercase) {
        return None;
    }
    let n_capitals = word.chars().filter(|ch| ch.is_uppercase()).count();
    let n_letters = word.chars().filter(|ch| ch.is_alphabetic()).count();
    if n_letters < 2 || word.split('-').all(|part| part.is_empty() || weight(part) != Weight::Strong) {
        return None;
    }
    if n_capitals >= 2 && !word.contains('-') {
        return Some((Sort::Run, lead));
    }
    // A possessive shows a name at the beginning, too: `Ada's`.
    let is_inside = !is_first(&claim[..span.start]) || lead > 0 || word.len() < whole.len() - lead;
    if word.contains('-') {
        let is_named = word.split('-').skip(usize::from(!is_inside)).any(|part| part.starts_with(char::is_uppercase));
        return (is_named && !is_german).then_some((Sort::Run, lead));
    }
    (is_inside && !is_german).then_some((Sort::Capital, lead))
}

fn is_mark(ch: char) -> bool {
    matches!(ch, '.' | '/' | '_' | ':' | '@' | '\\' | '#' | '$' | '=' | ',' | ';')
}

/// `l'API`, `dell'Ada`: the short word before the apostrophe.
fn elided(word: &str) -> usize {
    let Some(at) = word.find(['\'', '’']) else { return 0 };
    let len = if word[at..].starts_with('’') { '’'.len_utf8() } else { 1 };
    let is_short = at <= 5 && word[..at].chars().skip(1).all(char::is_lowercase) && word.len() - at - len >= 3;
    let is_elision = !word[..at].ends_with('n') || at > 2;
    if is_short && is_elision { at + len } else { 0 }
}

fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// `15min`, `2nd`, `10-minute`, `5GB/s`, `v1.2.3`, `0x1f`
fn is_number_with_unit(word: &str) -> bool {
    let is_version =
        word.strip_prefix(['v', 'V']).is_some_and(|rest| rest.chars().all(|ch| ch.is_ascii_digit() || ch == '.'));
    let is_hexadecimal = word.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if is_version || is_hexadecimal {
        return true;
    }
    let rest =
        word.trim_start_matches(|ch: char| ch.is_ascii_digit() || matches!(ch, '.' | ',' | ':' | '%' | '-' | '–'));
    let is_counted = rest.len() < word.len() && !rest.bytes().any(|byte| byte.is_ascii_digit());
    let letters = rest.chars().take_while(|ch| ch.is_alphabetic()).count();
    let is_behind_hyphen = word[..word.len() - rest.len()].ends_with('-');
    is_counted && (letters <= 4 || is_behind_hyphen) && !rest.contains(['_', '.', '@'])
}

/// `e.g`, `p.m`, `U.S`
fn is_abbreviation(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().count() <= 1)
}

/// Whether the spelling alone makes a name.
fn is_run(word: &str) -> bool {
    let has_letter = word.contains(char::is_alphabetic);
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    if has_letter && has_digit && word.len() >= 2 {
        return true;
    }
    if word.contains("://") || word.contains("::") || word.contains('_') || word.contains('@') || word.contains('\\') {
        return true;
    }
    let n_slashes = word.matches('/').count();
    let is_dotted = word.split('.').count() > 1
        && word.split('.').all(|part| part.chars().count() >= 1)
        && word.rsplit('.').next().is_some_and(|last| last.chars().all(|ch| ch.is_lowercase()));
    if n_slashes > 1 || (is_dotted && word.len() >= 4) {
        return true;
    }
    if word.contains(['/', '.', ':']) {
        // `and/or` is a word; `API/UI` is checked by its parts.
        return word.split(['/', '.', ':']).any(|part| is_acronym(part) && weight(part) == Weight::Strong);
    }
    let is_humped = !identifier_parts(word).is_empty() && !word.contains('-');
    is_humped && word.chars().any(char::is_lowercase) && weight(word.trim_end_matches('s')) == Weight::Strong
}

fn is_acronym(word: &str) -> bool {
    word.chars().count() >= 2 && word.chars().all(char::is_uppercase)
}

/// Whether what stands before a word lets a sentence, a list item or a label begin with it.
fn is_first(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '*', '_', '(', '[', '#', '>', '~', '\u{a0}']);
    let Some(last) = before.chars().next_back() else { return true };
    let is_bullet = last == '-' && before.trim_end_matches('-').ends_with(['\n', ' ']) || before == "-";
    is_bullet
        || matches!(
            last,
            '.' | '!'
                | '?'
                | ':'
                | ';'
                | '"'
                | '“'
                | '„'
                | '«'
                | '\''
                | '‘'
                | '\n'
                | '|'
                | '—'
                | '–'
                | '→'
                | '…'
                | '•'
                | ')'
        )
}
