//! A claim that says more than the lines it cites.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::memory::{CheckKey, Checked, check_key};
use super::{Context, Rule};
use crate::claim::{Claim, SourceRef};
use crate::diagnostic::{Diagnostic, Severity};
use crate::digest::Digest;
use crate::ground::{Kind, Missing, missing};
use crate::page::outline::{claims, without_marks};
use crate::parallel::in_parallel;
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::snapshot::{PageFacts, Snapshot, SourceText};
use crate::span::Span;
use crate::text::sentences;
use crate::time::Date;
use crate::trust::without_stale;

/// A claim with a number, date, name or quote that its cited lines do not contain.
pub(super) struct UngroundedClaim;

impl Rule for UngroundedClaim {
    fn name(&self) -> &'static str {
        "ungrounded-claim"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a claim says a number, date, name or quote that the lines it cites do not contain; a suggestion on pages of people"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let is_page = |name: &str| cx.snapshot.find(name).is_some();
        let sources = Sources::new(&cx.snapshot.sources, &is_page);
        let pages: Vec<&PageFacts> = cx.snapshot.pages.iter().filter(|facts| !facts.footnotes.is_empty()).collect();
        let keys = in_parallel(pages.len(), |n| self.key(pages[n], cx.snapshot));
        for (facts, key) in pages.into_iter().zip(keys) {
            let known = cx.memory.before(&key, cx.snapshot).cloned();
            let checked = known.unwrap_or_else(|| check_page(facts, &sources));
            out.extend(checked.found.iter().map(|found| self.diagnostic(facts, found)));
            cx.memory.note(key, checked);
        }
    }
}

/// Returns what the claims of a page say and their sources do not.
fn check_page(facts: &PageFacts, sources: &Sources<'_>) -> Checked {
    let mut checked = Checked::default();
    for claim in claims(&facts.page) {
        let found = sources.missing(facts, &claim);
        if !found.is_empty() {
            let things: Vec<String> = found.iter().map(thing).collect();
            let message = format!("cited lines do not say {}", things.join(", "));
            checked.found.push(((claim.span.start, claim.span.end), message));
        }
    }
    checked.asked = sources.asked.take().into_iter().collect();
    checked
}

impl UngroundedClaim {
    /// What names a page with the files that its claims cite.
    fn key(&self, facts: &PageFacts, snapshot: &Snapshot) -> CheckKey {
        let text = &facts.page.text;
        let cited = facts.footnotes.iter().filter_map(|note| SourceRef::parse(note.text.of(text)));
        let cited: BTreeSet<VaultPath> = cited.map(|cited| cited.path).collect();
        let mut parts: Vec<&[u8]> = vec![facts.page.path.as_str().as_bytes(), text.as_bytes()];
        for path in &cited {
            parts.push(path.as_str().as_bytes());
            parts.push(snapshot.sources.get(path).map_or(b"", |source| source.digest.as_bytes()));
        }
        check_key(self.name(), &parts)
    }

    fn diagnostic(&self, facts: &PageFacts, ((start, end), message): &((usize, usize), String)) -> Diagnostic {
        let severity = if facts.entry.is_owned { self.severity() } else { Severity::Suggestion };
        let span = Span::new(*start, *end);
        let found = Diagnostic::new(self.name(), severity, &facts.page.path, span, message.clone());
        found.hint("correct the claim, or cite the lines that say it")
    }
}

/// How a message names what is missing.
fn thing(missing: &Missing) -> String {
    let text = crate::text::cut(&crate::text::one_line(&missing.text.replace('`', "")), 60);
    match missing.kind {
        Kind::Quote => format!("\"{text}\""),
        Kind::Negation => format!("the `not` of `{text}`"),
        Kind::Number | Kind::Date | Kind::Name => format!("`{text}`"),
    }
}

/// What claims are compared with.
pub(super) struct Sources<'a> {
    texts: &'a BTreeMap<VaultPath, SourceText>,
    /// Whether a page has a name.
    is_page: &'a dyn Fn(&str) -> bool,
    /// Cited texts that are long, by place: hundreds of claims may rest on one line.
    long: RefCell<BTreeMap<(usize, usize), LongText<'a>>>,
    /// The names of pages that were asked for, with whether there is one.
    asked: RefCell<BTreeMap<String, bool>>,
}

/// From so many bytes on a cited text is looked through once for all claims.
const LONG_BYTES: usize = 4096;

/// A long text with where each of its sentences first begins.
struct LongText<'a> {
    sentences: BTreeMap<&'a str, usize>,
    plain: String,
}

impl<'a> LongText<'a> {
    fn new(text: &'a str) -> LongText<'a> {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for sentence in sentences(text) {
            let letters = letters(sentence.of(text));
            let lead = sentence.of(text).find(letters).unwrap_or(0);
            found.entry(letters).or_insert(sentence.start + lead);
        }
        LongText { sentences: found, plain: plain(text) }
    }

    /// Whether a claim is seen to stand in the text, because it begins as one of its sentences does.
    fn begins_with(&self, said: &str, text: &str) -> bool {
        let first = sentences(said).first().map_or("", |span| letters(span.of(said)));
        self.sentences.get(first).is_some_and(|at| text[*at..].starts_with(said))
    }
}

/// A claim without what stands around its letters.
fn letters(said: &str) -> &str {
    said.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches(['.', ' '])
}

impl<'a> Sources<'a> {
    pub(super) fn new(texts: &'a BTreeMap<VaultPath, SourceText>, is_page: &'a dyn Fn(&str) -> bool) -> Sources<'a> {
        Sources { texts, is_page, long: RefCell::default(), asked: RefCell::default() }
    }

    /// What a claim says and its cited lines do not; nothing when one of them cannot be read.
    pub(super) fn missing(&self, facts: &PageFacts, claim: &Claim) -> Vec<Missing> {
        let sources: Option<Vec<&SourceRef>> = claim.marks().map(|mark| mark.cited.as_ref()).collect();
        let sources = sources.unwrap_or_default();
        let texts: Option<Vec<&str>> = sources.iter().map(|source| self.cited(source)).collect();
        let Some(texts) = texts.filter(|texts| !texts.is_empty()) else { return Vec::new() };
        let said = without_marks(claim.span.of(&facts.page.text));
        let said = without_stale(&said);
        // Most claims stand in their lines letter by letter, which is seen at once.
        let letters = letters(&said);
        if texts.iter().any(|text| self.holds(text, letters)) {
            return Vec::new();
        }
        let (said, dates) = without_resolved(&said);
        // Others do so word for word, and only what compiling added needs a look.
        let is_there = texts.iter().any(|text| self.says(text, &said));
        if is_there && dates.is_empty() {
            return Vec::new();
        }
        let headings: Vec<&str> = sources.iter().filter_map(|source| self.heading(source)).collect();
        let is_known = |name: &str| self.is_known(facts, name) || stands_in_any(without_possessive(name), &headings);
        // Relative words count from the day of the lines they stand in, whichever that is.
        let mut days: Vec<Option<Date>> = sources.iter().map(|source| source.path.stem().parse().ok()).collect();
        days.dedup();
        // A claim that was replaced has a day of each.
        let mut found: Option<Vec<Missing>> = None;
        for day in days {
            let mut now = if is_there { Vec::new() } else { missing(&said, &texts, day, &is_known) };
            now.extend(missing(&dates, &texts, day, &is_known));
            now.retain(|one| found.as_ref().is_none_or(|before| before.contains(one)));
            if now.is_empty() {
                return now;
            }
            found = Some(now);
        }
        let found = found.unwrap_or_default();
        // Other lines than those that were cited are a finding of the citation rules.
        let is_there = |(source, text): (&&SourceRef, &&str)| {
            source.digest.is_empty() || Digest::of_normalised(text).short() == source.digest
        };
        if sources.iter().zip(&texts).all(is_there) { found } else { Vec::new() }
    }

    /// Whether a text holds a claim letter by letter.
    fn holds(&self, text: &'a str, letters: &str) -> bool {
        (text.len() >= LONG_BYTES && self.of_long(text, |long| long.begins_with(letters, text)))
            || text.contains(letters)
    }

    /// Whether a text holds a claim word for word.
    fn says(&self, text: &'a str, said: &str) -> bool {
        if text.len() < LONG_BYTES {
            return stands_in(said, text);
        }
        self.of_long(text, |long| long.plain.contains(&plain(said)))
    }

    fn of_long<T>(&self, text: &'a str, look: impl FnOnce(&LongText<'a>) -> T) -> T {
        // A source stays where it is while its snapshot lives, so place and length name a text.
        let mut long = self.long.borrow_mut();
        let key = (text.as_ptr() as usize, text.len());
        look(long.entry(key).or_insert_with(|| LongText::new(text)))
    }

    /// Whether a name needs no evidence: the page's own, and the slug of a page.
    fn is_known(&self, facts: &PageFacts, name: &str) -> bool {
        let Some(slug) = Slug::from_text(without_possessive(name)) else { return true };
        let entry = &facts.entry;
        let is_own = |own: &str| Slug::from_text(own).as_ref() == Some(&slug);
        let is_within = |own: &str| {
            own.split(|ch: char| !ch.is_alphanumeric()).any(|word| Slug::from_text(word).as_ref() == Some(&slug))
        };
        let is_own = |own: &str| is_own(own) || (entry.is_owned && is_within(own));
        slug == entry.slug
            || is_own(&entry.title)
            || entry.aliases.iter().any(|alias| is_own(alias))
            // Who reads for a compiled page may call a subject by the name of its page.
            || ((slug.as_str() == name || entry.is_owned) && self.is_page(slug.as_str()))
    }

    /// Whether there is a page of this name.
    fn is_page(&self, name: &str) -> bool {
        let is_there = (self.is_page)(name);
        self.asked.borrow_mut().insert(name.to_owned(), is_there);
        is_there
    }

    /// The heading that the cited lines stand under: it says what they are about.
    fn heading(&self, source: &SourceRef) -> Option<&'a str> {
        let (text, lines) = self.texts.get(&source.path)?.lines()?;
        let above = (1..source.lines.0).rev().take(HEADING_LINES_MAX);
        above.filter_map(|line| Some(lines.lines(line, line)?.of(text))).find(|line| line.starts_with('#'))
    }

    /// The lines that a citation names; none of HTML, which says its text in other bytes.
    fn cited(&self, source: &SourceRef) -> Option<&'a str> {
        let is_html = matches!(source.path.extension(), "html" | "htm");
        let (text, lines) = self.texts.get(&source.path).filter(|_| !is_html)?.lines()?;
        Some(lines.lines(source.lines.0, source.lines.1)?.of(text))
    }
}

/// Returns a claim without the dates that compiling put behind relative ones, and those dates.
fn without_resolved(said: &str) -> (String, String) {
    let (mut plain, mut dates) = (String::with_capacity(said.len()), String::new());
    let mut rest = said;
    while let Some(at) = rest.find(" (2") {
        let inside = &rest[at + 2..];
        let end = inside.find(')').unwrap_or(0);
        let is_date =
            (7..=10).contains(&end) && inside[..end].bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'W');
        if is_date {
            plain.push_str(&rest[..at]);
            dates.push_str(&format!("{}, ", &inside[..end]));
            rest = &inside[end + 1..];
        } else {
            plain.push_str(&rest[..at + 2]);
            rest = inside;
        }
    }
    plain.push_str(rest);
    (plain, dates)
}

/// Lines above a citation among which its heading is looked for.
const HEADING_LINES_MAX: usize = 400;

fn without_possessive(name: &str) -> &str {
    ["'s", "\u{2019}s"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

fn stands_in_any(name: &str, texts: &[&str]) -> bool {
    texts.iter().any(|text| stands_in(name, text))
}

/// Whether a claim stands in a text, word for word.
fn stands_in(said: &str, text: &str) -> bool {
    plain(text).contains(&plain(said))
}

/// The words of a text, each with a space on both sides.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for ch in text.chars() {
        if ch.is_alphanumeric() {
            out.push(ch);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}
