//! What of a page is past, as the tool that wrote it says: entries that were superseded or went stale.
//!
//! Three forms are read. A header says it of the whole page: `status: superseded`, `superseded_by`, `stale_reason`;
//! `status: retired` that a person took the page out of use.
//! The fenced block `json:entry` at the end of a section says it of that section. The header's `supersedes` and
//! `grounding` say it of single facts, of earlier sources or of the page. A page that says nothing of the kind is
//! current; nothing here judges.

use crate::header::{Field, FieldName, Style, decode_scalar};
use crate::markdown::{BlockKind, ENTRY, blocks};
use crate::page::Page;
use crate::span::{LineIndex, Span};
use crate::text::{cut, one_line};
use crate::time::{Date, leading_date};

/// The status of a page that a person took out of use.
pub const RETIRED: &str = "retired";

/// The status of a compiled page that was put away: what it says holds, and it leads nowhere by itself.
pub const ARCHIVED: &str = "archived";

/// How what is told of something stale begins.
pub(crate) const STALE: &str = "stale";

/// Longest reason that is told, in characters.
const WHY_CHARS_MAX: usize = 160;

/// Why something is past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Past {
    /// Something took its place: its name there, as far as it is said.
    Superseded(Option<String>),
    /// Nobody is to rely on it: why, as far as it is said.
    Stale(Option<String>),
    /// It held until a day.
    Expired(Date),
    /// It holds from a day that has not come.
    Pending(Date),
    /// A person took it out of use: why, as far as it is said.
    Retired(Option<String>),
    /// Nobody used it for long: since when, as far as it is said.
    Archived(Option<String>),
}

impl Past {
    /// Returns whether it may be so of a page that is compiled, or of one that is not: only what is compiled is put away,
    /// and nothing else is past as a whole that is.
    pub fn is_of(&self, is_owned: bool) -> bool {
        matches!(self, Past::Archived(_)) == is_owned
    }

    /// Returns it in words: `superseded by 0003`, `stale: source issue #43 closed`.
    pub fn told(&self) -> String {
        let short = |text: &str| cut(&one_line(text), WHY_CHARS_MAX);
        match self {
            Past::Superseded(Some(by)) => format!("superseded by {}", short(by)),
            Past::Superseded(None) => "superseded".to_owned(),
            Past::Stale(Some(why)) => format!("{STALE}: {}", short(why)),
            Past::Stale(None) => STALE.to_owned(),
            Past::Expired(day) => format!("held until {day}"),
            Past::Pending(day) => format!("holds from {day}"),
            Past::Retired(Some(why)) => format!("retired: {}", short(why)),
            Past::Retired(None) => "retired".to_owned(),
            Past::Archived(Some(why)) => format!("archived: {}", short(why)),
            Past::Archived(None) => "archived".to_owned(),
        }
    }
}

/// Something of a page that is past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastPart {
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// What of these lines: nothing where it is all of them.
    pub said: Option<String>,
    /// Why.
    pub past: Past,
}

/// Returns why the page as a whole is past; `None` of a current one.
pub fn past_of(page: &Page) -> Option<Past> {
    let word = |name| page.scalar(name).filter(|value| !value.is_empty());
    let status = word(FieldName::Status).map(|status| status.to_lowercase()).unwrap_or_default();
    let by = || word(FieldName::SupersededBy);
    match status.split_whitespace().next().unwrap_or_default() {
        "superseded" => Some(Past::Superseded(by())),
        "stale" => Some(Past::Stale(reason(page))),
        RETIRED => Some(Past::Retired(reason(page))),
        ARCHIVED => Some(Past::Archived(reason(page))),
        // Who names what took its place says as much; an empty list is none.
        "" | "active" => by().filter(|by| by != "[]").map(|by| Past::Superseded(Some(by))),
        _ => None,
    }
}

/// The field of a memory bank that says how long a page may be relied on: `30d`, `2mo`, `1y`.
pub const TTL: &str = "ttl";

/// Returns the field of a page that says how long it may be relied on.
pub fn ttl_field(page: &Page) -> Option<&Field> {
    page.header.fields.iter().find(|field| field.key.of(&page.text).eq_ignore_ascii_case(TTL))
}

/// Returns until when a page might be relied on, where that day is over: its `ttl` counts from when it was last updated or
/// validated.
///
/// ```
/// # use ken_core::{VaultPath, page::{parse_page, past::expired}};
/// let path = VaultPath::new("a.md").expect("inside");
/// let page = parse_page(&path, "---\nttl: 30d\nupdated_at: 2026-03-01\n---\nHot.\n".to_owned()).value;
/// let on = |day: &str| expired(&page, day.parse().expect("a day")).map(|day| day.to_string());
/// assert_eq!((on("2026-03-31"), on("2026-04-01").as_deref()), (None, Some("2026-03-31")));
/// ```
pub fn expired(page: &Page, today: Date) -> Option<Date> {
    let field = ttl_field(page)?;
    let ttl = decode_scalar(field.value.of(&page.text), field.style);
    let day = |name: FieldName| leading_date(&page.scalar(name)?);
    let validated = || leading_date(&format!("{}-01", page.scalar(FieldName::Validated)?));
    let since = [day(FieldName::Updated), validated(), day(FieldName::Created)].into_iter().flatten().max();
    end_of(ttl.trim(), since).filter(|until| *until < today)
}

/// Why a page went stale. The value goes to the end of its line: a `#` in it names an issue and begins no comment.
fn reason(page: &Page) -> Option<String> {
    let field = page.header.field(FieldName::StaleReason)?;
    Some(decode_scalar(field.value.of(&page.text), Style::Ckp)).filter(|why| !why.is_empty())
}

/// Returns what of a page is past on a day: all of it, sections, or single facts.
pub fn past_parts(page: &Page, today: Date) -> Vec<PastPart> {
    if page.is_owned() {
        return Vec::new();
    }
    let whole = past_of(page).filter(|past| past.is_of(false)).map(|past| PastPart {
        lines: (1, usize::MAX),
        said: None,
        past,
    });
    let expired = expired(page, today).filter(|_| whole.is_none()).map(|until| PastPart {
        lines: (1, usize::MAX),
        said: None,
        past: Past::Stale(Some(format!("its {TTL} ended {until}"))),
    });
    let whole = whole.or(expired);
    let facts = facts_under(page, FieldName::Grounding, "stale").into_iter();
    let facts = facts.map(|said| PastPart { lines: (1, usize::MAX), said: Some(said), past: Past::Stale(None) });
    let sections = sections(page).into_iter().filter_map(|one| {
        let past = one.past(today)?;
        Some(PastPart { lines: one.lines, said: None, past })
    });
    whole.into_iter().chain(sections).chain(facts).collect()
}

/// Returns how often what a page says was found, with the byte in its text that the first sentence of that stands at:
/// of the page as a whole, and of each section that says so itself.
pub fn corroborations(page: &Page) -> Vec<(usize, usize)> {
    let number = |text: String| text.parse::<usize>().ok().filter(|n| *n > 1);
    let whole = page.scalar(FieldName::Corroborations).and_then(number).map(|n| (page.body().start, n));
    let sections = sections(page).into_iter();
    let sections = sections.filter_map(|one| Some((one.span.start, number(one.value("corroborations")?)?)));
    whole.into_iter().chain(sections).collect()
}

/// Returns the facts of earlier sources that the page says no longer hold: source, fact, and since when.
pub fn superseded_facts(page: &Page) -> Vec<(String, String, Option<Date>)> {
    let Some(field) = page.header.field(FieldName::Supersedes).filter(|field| field.is_block) else {
        return Vec::new();
    };
    let mut out: Vec<(String, String, Option<Date>)> = Vec::new();
    for line in field.value.of(&page.text).lines() {
        let line = line.trim();
        let (is_first, line) = line.strip_prefix("- ").map_or((false, line), |rest| (true, rest.trim()));
        if is_first {
            out.push(Default::default());
        }
        let (Some(fact), Some((key, value))) = (out.last_mut(), line.split_once(':')) else { continue };
        let value = decode_scalar(value, field.style);
        match key.trim() {
            "source" | "uri" => fact.0 = value,
            "fact" => fact.1 = value,
            "supersededOn" | "superseded_on" => fact.2 = leading_date(&value),
            _ => {}
        }
    }
    out.retain(|(source, fact, _)| !source.is_empty() && !fact.is_empty());
    out
}

/// The items of a list in a nested field: those below `key:`.
fn facts_under(page: &Page, name: FieldName, key: &str) -> Vec<String> {
    let Some(field) = page.header.field(name).filter(|field| field.is_block) else { return Vec::new() };
    let (mut is_in, mut out) = (false, Vec::new());
    for line in field.value.of(&page.text).lines().map(str::trim) {
        match line.strip_prefix("- ") {
            Some(item) if is_in => out.push(decode_scalar(item, field.style)),
            Some(_) => {}
            None => is_in = line.split_once(':').is_some_and(|(found, rest)| found == key && rest.trim().is_empty()),
        }
    }
    out.retain(|fact| !fact.is_empty());
    out
}

/// A section with what its block says of it.
struct Section<'p> {
    span: Span,
    lines: (usize, usize),
    json: &'p str,
}

impl Section<'_> {
    fn value(&self, key: &str) -> Option<String> {
        json_value(self.json, key)
    }

    fn past(&self, today: Date) -> Option<Past> {
        if let Some(by) = self.value("superseded_by") {
            let why = self.value("superseded_reason");
            return Some(Past::Superseded(Some(why.map_or(by.clone(), |why| format!("{by} ({why})")))));
        }
        if self.value("stale").as_deref() == Some("true") {
            return Some(Past::Stale(self.value("stale_reason")));
        }
        if let Some(from) = self.value("valid_from").and_then(|day| leading_date(&day)).filter(|from| *from > today) {
            return Some(Past::Pending(from));
        }
        let created = self.value("created_at").and_then(|day| leading_date(&day));
        let until = self.value("valid_to").and_then(|text| end_of(&text, created))?;
        (until <= today).then_some(Past::Expired(until))
    }
}

/// The day that `2026-12-31`, `30d`, `2mo` or `1y` after a day means.
fn end_of(text: &str, created: Option<Date>) -> Option<Date> {
    if let Some(day) = leading_date(text) {
        return Some(day);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let days = match &text[digits..] {
        "d" => 1,
        "mo" => 30,
        "y" => 365,
        _ => return None,
    };
    let n: i32 = text[..digits].parse().ok().filter(|n| *n > 0)?;
    created?.checked_add(jiff::Span::new().try_days(n.checked_mul(days)?).ok()?).ok()
}

/// The sections of a page that end in a block of their own: each from the heading before it.
fn sections(page: &Page) -> Vec<Section<'_>> {
    if memchr::memmem::find(page.text.as_bytes(), ENTRY.as_bytes()).is_none() {
        return Vec::new();
    }
    let index = LineIndex::new(&page.text);
    let (mut out, mut start) = (Vec::new(), None);
    for block in blocks(&page.text, page.body()) {
        match block.kind {
            BlockKind::Heading(_) => start = Some(block.span.start),
            BlockKind::Comment => {
                let Some(json) = entry_block(block.span.of(&page.text)) else { continue };
                let Some(from) = start.take() else { continue };
                let span = Span::new(from, block.span.end);
                let lines = (index.line_of(span.start), index.line_of(span.end.saturating_sub(1)));
                out.push(Section { span, lines, json });
            }
            _ => {}
        }
    }
    out
}

/// What stands in a block, if it says what is known of an entry.
fn entry_block(block: &str) -> Option<&str> {
    let (open, rest) = block.split_once('\n')?;
    let is_fence = |line: &str| !line.trim().is_empty() && line.trim().bytes().all(|byte| matches!(byte, b'`' | b'~'));
    let rest = rest.rsplit_once('\n').filter(|(_, last)| is_fence(last)).map_or(rest, |(json, _)| json);
    (open.trim_start_matches(['`', '~', ' ']).trim() == ENTRY).then_some(rest)
}

/// The value of a key of a flat JSON object, as text; nothing for `null`, lists and objects.
fn json_value(json: &str, key: &str) -> Option<String> {
    let mut from = 0;
    let quoted = format!("\"{key}\"");
    loop {
        let at = from + json[from..].find(&quoted)?;
        let rest = json[at + quoted.len()..].trim_start();
        if let Some(value) = rest.strip_prefix(':') {
            return scalar(value.trim_start());
        }
        from = at + quoted.len();
    }
}

fn scalar(text: &str) -> Option<String> {
    if let Some(inside) = text.strip_prefix('"') {
        let (mut out, mut chars) = (String::new(), inside.chars());
        loop {
            match chars.next()? {
                '"' => return Some(out).filter(|text| !text.is_empty()),
                '\\' => match chars.next()? {
                    'n' | 't' | 'r' => out.push(' '),
                    'u' => {
                        let hex: String = chars.by_ref().take(4).collect();
                        out.extend(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32));
                    }
                    other => out.push(other),
                },
                other => out.push(other),
            }
        }
    }
    let end = text.find([',', '}', '\n', ' ']).unwrap_or(text.len());
    let word = text[..end].trim();
    (!word.is_empty() && word != "null" && !word.starts_with(['[', '{'])).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::parse_page;
    use crate::path::VaultPath;

    fn page(text: &str) -> Page {
        parse_page(&VaultPath::new("repo_wiki/a.md").expect("inside"), text.to_owned()).value
    }

    #[track_caller]
    fn check(header: &str, told: Option<&str>) {
        let page = page(&format!("---\n{header}\n---\n\n# A\n\nText.\n"));
        assert_eq!(past_of(&page).map(|past| past.told()).as_deref(), told, "{header}");
    }

    #[track_caller]
    fn check_parts(text: &str, parts: &[((usize, usize), &str)]) {
        let today: Date = "2026-06-01".parse().expect("a day");
        let found = past_parts(&page(text), today);
        let found: Vec<_> = found.iter().map(|part| (part.lines, part.past.told())).collect();
        let parts: Vec<_> = parts.iter().map(|(lines, told)| (*lines, (*told).to_owned())).collect();
        assert_eq!(found, parts);
    }

    #[test]
    fn a_header_says_whether_its_page_holds() {
        check("status: active", None);
        check("status: proposed", None);
        check("status: superseded", Some("superseded"));
        check("status: Superseded\nsuperseded_by: 0003", Some("superseded by 0003"));
        check("status: superseded by ADR-0005", Some("superseded"));
        check("superseded_by: 0003", Some("superseded by 0003"));
        check("superseded_by: []", None);
        check("status: stale\nstale_reason: source issue #43 closed", Some("stale: source issue #43 closed"));
        check("status: done\nsuperseded_by: 3", None);
    }

    #[test]
    fn a_block_says_whether_its_section_holds() {
        let section = |title: &str, json: &str| format!("## {title}\n\nText.\n\n```json:entry\n{json}\n```\n\n");
        let text = [
            "# Gotchas\n\n".to_owned(),
            section("Held", r#"{"id":"a","superseded_by":null,"stale":false,"valid_to":null}"#),
            section("Gone", r#"{"id":"b","superseded_by":"c","superseded_reason":"five \"tries\" now"}"#),
            "## By hand\n\nText.\n\n".to_owned(),
            section("Old", r#"{"id":"d","stale":true}"#),
            section("Ended", r#"{"created_at":"2026-03-01T00:00:00Z","valid_to":"30d"}"#),
            section("Still", r#"{"created_at":"2026-03-01T00:00:00Z","valid_to":"1y"}"#),
            section("Never", r#"{"created_at":"2026-03-01","valid_to":"0d"}"#),
            section("Not yet", r#"{"valid_from":"2026-06-02T00:00:00Z"}"#),
            section("Cut off", r#"{"superseded_by":"#),
        ];
        let expected = [
            ((11, 17), "superseded by c (five \"tries\" now)"),
            ((23, 29), "stale"),
            ((31, 37), "held until 2026-03-31"),
            ((55, 61), "holds from 2026-06-02"),
        ];
        check_parts(&text.concat(), &expected);
    }

    #[test]
    fn what_is_known_of_facts_is_read_from_nested_fields() {
        let text = "---\nsupersedes:\n  - source: memory/2026-04-10.md\n    fact: 'Tokens live 60 minutes'\n    supersededOn: 2026-04-20\n  - fact: no source\ngrounding:\n  verifiedOn: 2026-05-01\n  grounded: 3\n  unverified:\n    - maybe\n  stale:\n    - Tokens live 30 minutes\n---\nText.\n";
        let page = page(text);
        let day = "2026-04-20".parse().ok();
        let fact = ("memory/2026-04-10.md".to_owned(), "Tokens live 60 minutes".to_owned(), day);
        assert_eq!(superseded_facts(&page), [fact]);
        let parts = past_parts(&page, "2026-06-01".parse().expect("a day"));
        let said: Vec<_> = parts.iter().filter_map(|part| part.said.as_deref()).collect();
        assert_eq!(said, ["Tokens live 30 minutes"]);
    }

    #[test]
    fn counts_are_those_of_the_page_and_of_its_sections() {
        assert_eq!(corroborations(&page("---\ncorroborations: 4\n---\nText.\n")), [(26, 4)]);
        assert_eq!(corroborations(&page("---\ncorroborations: 1\n---\nText.\n")), []);
        let text = "## A\n\nText.\n\n```json:entry\n{\"corroborations\": 3}\n```\n";
        assert_eq!(corroborations(&page(text)), [(3, 3)]);
    }
}
