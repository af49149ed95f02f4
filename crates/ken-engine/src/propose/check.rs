//! Checks that every kind of reply goes through, part by part.
//!
//! What fails is rejected with a reason that whoever made the proposal can act on; what holds goes on. The
//! outcome depends on the reply and on what the task showed, and on nothing else, so that a recorded reply
//! gives the same parts today and after the wiki is gone.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::about::About;
use ken_core::text::{cut, one_line, sentences};
use ken_core::words::subject_key;
use ken_core::{Date, ground, orders};
use ken_intake::scrub::scrub;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::numbered::without_numbers_of;

/// A part of a reply that was not taken, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// Where in the reply: `claims[3]`.
    pub part: String,
    /// Why, in words that tell how to mend it.
    pub reason: String,
    /// What it said, shortened.
    pub text: String,
    /// The place that it cited, if it did: `daily/2026-04-01.md#L3-L5`.
    pub cited: String,
}

impl Rejected {
    fn new(part: impl Into<String>, reason: &str, text: &str, cited: &str) -> Rejected {
        // Reasons quote what was said, and nobody promised that it is short or fit to be kept.
        let kept = |text: &str| cut(&orders::clean(&one_line(&scrub(text).0)), TEXT_CHARS_MAX);
        Rejected { part: part.into(), reason: kept(reason), text: kept(text), cited: cited.to_owned() }
    }

    /// Returns that a reply, or what stands for it, is not taken as a whole.
    pub(super) fn whole(part: &str, reason: impl Into<String>) -> Rejected {
        Rejected { part: part.to_owned(), reason: reason.into(), text: String::new(), cited: String::new() }
    }
}

/// What a task showed of the wiki: only this may be named in the reply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// Titles of pages by slug.
    pub(crate) pages: BTreeMap<String, String>,
    /// Subjects of claims, by the claims' ids.
    pub(crate) claims: BTreeMap<String, Vec<String>>,
    /// The ids of those that are disputed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) disputed: BTreeSet<String>,
    /// Who was found to speak in the talk behind an entry, whose own words need not name them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) speakers: BTreeSet<String>,
    /// What claims are about, by their ids, as far as that was noted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) about: BTreeMap<String, About>,
}

impl Shown {
    /// Returns the keys of the pages that were shown, see [`subject_key`].
    pub(crate) fn known(&self) -> BTreeSet<String> {
        self.pages.values().map(|title| subject_key(title)).collect()
    }

    /// Returns the titles of the pages that were shown and have a number: `Room 2` may be said of what is told of room two.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = &str> {
        let titles = self.pages.values().map(String::as_str);
        titles.filter(|title| title.bytes().any(|byte| byte.is_ascii_digit()))
    }

    /// Adds what was shown besides.
    pub(super) fn add_all(&mut self, other: &Shown) {
        self.pages.extend(other.pages.clone());
        self.claims.extend(other.claims.clone());
        self.disputed.extend(other.disputed.clone());
        self.speakers.extend(other.speakers.clone());
        self.about.extend(other.about.clone());
    }

    /// Forgets the claims that a reply does not name: nothing of them is needed to check it again.
    pub(super) fn keep_named(&mut self, reply: &str) {
        self.claims.retain(|id, _| reply.contains(id.as_str()));
        self.disputed.retain(|id| reply.contains(id.as_str()));
        self.about.retain(|id, _| reply.contains(id.as_str()));
    }
}

/// The parts of a reply that do not hold, and those that hold as unverified.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) rejected: Vec<Rejected>,
    /// With what they are doubted for.
    pub(crate) doubted: Vec<Rejected>,
}

/// Most characters of a rejected text that are kept.
const TEXT_CHARS_MAX: usize = 300;

impl Report {
    /// Notes a part that is not taken.
    pub(crate) fn reject(&mut self, part: impl Into<String>, reason: impl Into<String>, text: &str, cited: &str) {
        self.rejected.push(Rejected::new(part, &reason.into(), text, cited));
    }

    /// Notes a part that is taken as unverified.
    pub(crate) fn doubt(&mut self, part: impl Into<String>, reason: &str, text: &str, cited: &str) {
        self.doubted.push(Rejected::new(part, reason, text, cited));
    }
}

/// Returns the list under a name; one that is missing counts as empty, and what is no list is rejected.
pub(crate) fn list<'a>(reply: &'a Value, name: &str, max: usize, report: &mut Report) -> &'a [Value] {
    match reply.get(name) {
        None | Some(Value::Null) => &[],
        Some(Value::Array(values)) if values.len() <= max => values,
        Some(Value::Array(values)) => {
            let reason = format!("{} entries, at most {max} are allowed; the rest is not looked at", values.len());
            report.reject(name, reason, "", "");
            &values[..max]
        }
        Some(other) => {
            report.reject(name, "it is no list", &other.to_string(), "");
            &[]
        }
    }
}

/// Returns a text on one line, without secrets.
///
/// # Errors
/// When it is missing, no text, empty, or longer than `chars_max`.
pub(crate) fn line(part: &Value, name: &str, chars_max: usize) -> Result<String, String> {
    let text = part.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` is missing or no text"))?;
    plain_line(text, chars_max).map_err(|why| format!("`{name}` {why}"))
}

/// Most sentences of a statement: a paragraph is no statement, and is not about one thing.
const SENTENCES_MAX: usize = 2;

/// Returns the text of a part, on one line and without secrets, where it is a statement; the reason otherwise.
pub(crate) fn statement(part: &Value, chars_max: usize) -> Result<String, String> {
    let text = line(part, "text", chars_max)?;
    match sentences(&text).len() {
        n if n > SENTENCES_MAX => Err(format!("it has {n} sentences, and a statement has one or two")),
        _ => Ok(text),
    }
}

/// Returns a text on one line, without secrets; the reason otherwise.
pub(crate) fn plain_line(text: &str, chars_max: usize) -> Result<String, String> {
    let n_chars = text.chars().count();
    if n_chars > chars_max {
        return Err(format!("has {n_chars} characters, at most {chars_max} are allowed"));
    }
    if orders::hidden(text) {
        return Err("has characters that cannot be seen".to_owned());
    }
    // Before its lines are joined: a turn begins a line.
    if let Some(order) = text.contains(['\n', '\r']).then(|| why_unsafe(text)).flatten() {
        return Err(format!("is {order}"));
    }
    let clean = one_line(&scrub(text).0);
    if !clean.chars().any(char::is_alphanumeric) {
        return Err("says nothing".to_owned());
    }
    Ok(clean)
}

/// Returns the texts under a name; what is no text is left out, and so is everything beyond `max`.
pub(crate) fn texts<'a>(part: &'a Value, name: &str, max: usize) -> Vec<&'a str> {
    let values = part.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    values.iter().filter_map(Value::as_str).take(max).collect()
}

/// Says what [`texts`] leaves out of a list, if anything.
pub(crate) fn left_out(part: &Value, name: &str, max: usize) -> Option<String> {
    match part.get(name) {
        None | Some(Value::Null) => None,
        Some(Value::Array(values)) if values.len() > max => {
            Some(format!("{} entries, at most {max} are looked at", values.len()))
        }
        Some(Value::Array(values)) if values.iter().all(Value::is_string) => None,
        Some(Value::Array(_)) => Some("what is no text is left out".to_owned()),
        Some(_) => Some("it is no list".to_owned()),
    }
}

/// Most lines that one claim may cite: a claim that needs more says too much.
pub(crate) const CITED_LINES_MAX: usize = 20;

/// Returns the lines a part cites, counted from 1 in what was shown; `n_lines` were.
///
/// # Errors
/// When they are missing or there are no such lines.
pub(crate) fn cited_lines(part: &Value, n_lines: usize) -> Result<(usize, usize), String> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let lines = match part.get("lines") {
        Some(Value::Array(ends)) => ends.iter().map(number).collect::<Option<Vec<_>>>(),
        Some(one) => number(one).map(|one| vec![one]),
        None => None,
    };
    let (first, last) = match lines.as_deref() {
        Some([one]) => (*one, *one),
        Some([first, last]) => (*first, *last),
        _ => return Err("`lines` must be the numbers of the first and the last line: [3, 4]".to_owned()),
    };
    if first < 1 || first > last || last > n_lines {
        return Err(format!("there are no lines {first} to {last}, the text has lines 1 to {n_lines}"));
    }
    if last - first >= CITED_LINES_MAX {
        return Err(format!("it cites {} lines, at most {CITED_LINES_MAX} are allowed", last - first + 1));
    }
    Ok((first, last))
}

/// Least share of a claim's words that the cited text must have.
const OVERLAP_MIN: f32 = 0.34;

/// What a claim is compared with.
pub(crate) struct Ground<'a> {
    /// The texts it cites.
    pub(crate) cited: &'a [&'a str],
    /// The day on which they were written.
    pub(crate) date: Option<Date>,
    /// Names that need not stand there: those of its subjects, and all that the text around it has.
    pub(crate) names: &'a [&'a str],
}

/// Says why a claim cannot stand: it is an order to its reader, or the cited text does not say it.
pub(crate) fn why_not(claim: &str, on: &Ground<'_>) -> Option<String> {
    why_not_but(claim, on, &[])
}

/// The same, with what may be missing.
pub(crate) fn why_not_but(claim: &str, on: &Ground<'_>, but: &[ground::Kind]) -> Option<String> {
    if let Some(reason) = why_unsafe(claim) {
        return Some(reason);
    }
    let missing = missing_of(claim, on, but);
    if missing.is_some() {
        return missing;
    }
    (ground::overlap(claim, on.cited) < OVERLAP_MIN).then(|| ELSEWHERE.to_owned())
}

/// Why a claim is refused that shares hardly a word with what it cites.
pub(crate) const ELSEWHERE: &str = "the cited lines are about something else";

fn kind_word(kind: ground::Kind) -> &'static str {
    match kind {
        ground::Kind::Number => "number",
        ground::Kind::Date => "date",
        ground::Kind::Name => "name",
        ground::Kind::Quote => "quote",
        ground::Kind::Negation => "negation",
    }
}

/// How the reason begins for what is an order to its reader.
pub(crate) const QUARANTINED: &str = "quarantined";

/// Says why a text may not stand on a page, whatever it cites.
pub(crate) fn why_unsafe(text: &str) -> Option<String> {
    if let Some(order) = orders::order(text) {
        return Some(format!("{QUARANTINED}: it {} (`{}`)", order.rule, order.words));
    }
    let markup = markup(text)?;
    Some(format!("it has `{markup}`, which a page would not show as text; put code between backticks"))
}

/// Elements that text in angle brackets may be taken for; whatever else stands there is shown.
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "bdi",
    "bdo",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "center",
    "code",
    "del",
    "details",
    "dialog",
    "div",
    "embed",
    "fieldset",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "link",
    "main",
    "map",
    "mark",
    "marquee",
    "math",
    "menu",
    "meta",
    "nav",
    "noscript",
    "object",
    "ol",
    "option",
    "p",
    "param",
    "picture",
    "pre",
    "q",
    "s",
    "script",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "td",
    "template",
    "textarea",
    "th",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "video",
    "wbr",
    "xmp",
];

/// Returns the first markup outside of code that a page would not show as text: an element of HTML, the end
/// of a comment, a mark of a footnote, or the number of an item.
fn markup(text: &str) -> Option<&str> {
    let in_code = |at: usize| text[..at].matches('`').count() % 2 == 1 && text[at..].contains('`');
    for (at, mark) in text.match_indices("[^").chain(text.match_indices("-->")) {
        if !in_code(at) {
            return Some(mark);
        }
    }
    // On a page the number would be text, and one that no source says.
    let digits = text.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let is_item = digits.len() < text.len() && (digits.starts_with(". ") || digits.starts_with(") "));
    if is_item {
        return Some(&text[..text.len() - digits.len() + 1]);
    }
    for (at, _) in text.match_indices('<').filter(|(at, _)| !in_code(*at)) {
        let behind = &text[at + 1..];
        let inner = behind.strip_prefix('/').unwrap_or(behind);
        let len = inner.find(|ch: char| !ch.is_ascii_alphanumeric() && ch != '-').unwrap_or(inner.len());
        let (name, rest) = inner.split_at(len);
        let ends = rest.is_empty() || rest.starts_with(['>', '/', ' ']);
        // A name with a hyphen is an element that a page defines for itself.
        let is_known = ELEMENTS.iter().any(|known| name.eq_ignore_ascii_case(known)) || name.contains('-');
        if (ends && is_known && !name.is_empty()) || behind.starts_with(['!', '?']) {
            return Some(&text[at..text.len() - rest.len()]);
        }
    }
    None
}

/// Least share of a conclusion's words that the claims it draws on must have.
const CONCLUSION_OVERLAP_MIN: f32 = OVERLAP_MIN / 2.0;

/// Says why a sentence cannot stand that concludes more than its claims say: it may deny what they do not,
/// and must be about the same; numbers, dates, names and quotes are still theirs.
pub(crate) fn why_no_conclusion(text: &str, on: &Ground<'_>) -> Option<String> {
    if let Some(reason) = why_unsafe(text) {
        return Some(reason);
    }
    let missing = missing_of(text, on, &[ground::Kind::Negation]);
    if missing.is_some() {
        return missing;
    }
    let is_off = ground::overlap(text, on.cited) < CONCLUSION_OVERLAP_MIN;
    is_off.then(|| "the claims it names are about something else".to_owned())
}

/// What a text says and what it cites does not, but for some kinds.
fn missing_of(text: &str, on: &Ground<'_>, but: &[ground::Kind]) -> Option<String> {
    let is_known = |name: &str| on.names.iter().any(|known| holds_name(known, name));
    let mut missing = ground::missing(&without_numbers_of(on.names, text), on.cited, on.date, &is_known);
    missing.retain(|one| !but.contains(&one.kind));
    let named: Vec<String> = missing.iter().map(|one| format!("the {} `{}`", kind_word(one.kind), one.text)).collect();
    (!named.is_empty()).then(|| format!("the cited lines do not contain {}", named.join(", ")))
}

/// Whether a known name, or a text, holds another: `Refresh tokens` holds `Refresh`, and `Refresh's`.
fn holds_name(known: &str, name: &str) -> bool {
    let (known, name) = (known.to_lowercase(), name.to_lowercase());
    let name =
        ["'s", "\u{2019}s", "'", "\u{2019}"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let words = |text: &str| -> Vec<String> {
        text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let wanted = words(name);
    known == name || !wanted.is_empty() && words(&known).windows(wanted.len()).any(|some| some == wanted)
}

/// What a name does not begin with: a place, or a sign of YAML.
const BAD_STARTS: [char; 6] = ['!', '&', '*', '@', '%', '/'];

/// Most characters of the name of a subject.
pub(crate) const NAME_CHARS_MAX: usize = 80;

/// Returns the name of a subject.
///
/// # Errors
/// When it is no name: empty, too long, or with characters that links and headers are made of.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let clean = plain_line(text, NAME_CHARS_MAX).map_err(|why| format!("the name `{}` {why}", cut(text, 60)))?;
    if let Some(reason) = why_unsafe(&clean) {
        return Err(format!("the name `{}`: {reason}", cut(&clean, 60)));
    }
    let is_odd = |ch: char| matches!(ch, '[' | ']' | '|' | '{' | '}' | '<' | '>' | '#' | '^' | '\\' | '`' | '"');
    let is_flag = clean.trim_start_matches('-').starts_with(char::is_alphanumeric) && !clean.starts_with("- ");
    let starts_oddly = clean.starts_with(BAD_STARTS) || (clean.starts_with('-') && !is_flag);
    if clean.contains(is_odd) || clean.contains("..") || starts_oddly || text.contains(char::is_control) {
        return Err(format!("the name `{clean}` has characters that a name cannot have"));
    }
    if clean.contains(".kenning") {
        return Err(format!("the name `{clean}` is one of the tool's own places"));
    }
    if clean.split_whitespace().count() > 8 {
        return Err(format!("the name `{clean}` is a sentence"));
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_that_is_left_out_is_empty_and_what_is_no_list_is_rejected() {
        let reply = json!({"no": null, "text": "oven", "some": ["oven"]});
        let of = |name: &str| {
            let mut report = Report::default();
            (list(&reply, name, 3, &mut report).len(), report.rejected.len())
        };
        assert_eq!(["missing", "no", "text", "some"].map(of), [(0, 0), (0, 0), (0, 1), (1, 0)]);
    }
}
