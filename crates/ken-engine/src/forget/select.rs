//! Chooses what of journal, talk and sources a target stands for.
//!
//! Only reads. A cut lies in one text; whole files go where nothing of them would be left.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::journal::{JournalEntry, parse_journal};
use ken_core::layout::{LOCAL_TALK, SHARED_TALK};
use ken_core::page::Page;
use ken_core::revised::Revision;
use ken_core::talk::parse_talk;
use ken_core::time::leading_date;
use ken_core::{Date, LineIndex, Span, VaultPath};
use ken_store::FileStat;

use super::needle::Needle;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::is_document;

/// Fewest characters of the start of a session's id that name it.
const SESSION_CHARS_MIN: usize = 6;
/// Longest label of a section.
const LABEL_BYTES_MAX: usize = 40;
/// Words in a row by which a line says the same as another.
const SAME_WORDS: usize = 5;

/// The texts that everything is made from.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) journal: BTreeMap<VaultPath, String>,
    pub(super) talk: BTreeMap<VaultPath, String>,
    pub(super) sources: BTreeMap<VaultPath, String>,
}

impl Texts {
    pub(super) fn all(&self) -> impl Iterator<Item = (&VaultPath, &String)> {
        self.journal.iter().chain(&self.talk).chain(&self.sources)
    }

    pub(super) fn get(&self, path: &VaultPath) -> Option<&String> {
        self.journal.get(path).or_else(|| self.talk.get(path)).or_else(|| self.sources.get(path))
    }

    fn entries(&self) -> impl Iterator<Item = (&VaultPath, &String, JournalEntry)> {
        self.journal.iter().flat_map(|(path, text)| {
            parse_journal(text, None).value.entries.into_iter().map(move |entry| (path, text, entry))
        })
    }
}

/// What goes of the texts, and what is to be noted of it.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// What is covered, by file.
    pub(super) cuts: BTreeMap<VaultPath, Vec<Span>>,
    /// Files that go as a whole.
    pub(super) gone: BTreeSet<VaultPath>,
    /// Names that show it wherever they stand.
    pub(super) exact: Vec<String>,
    /// Sessions that it is of, each with the place in its transcript from which on it is read again.
    pub(super) sessions: BTreeMap<String, Option<u64>>,
}

impl Chosen {
    pub(super) fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.cuts.values().all(Vec::is_empty)
    }

    pub(super) fn cut(&mut self, path: &VaultPath, spans: impl IntoIterator<Item = Span>) {
        let spans: Vec<Span> = spans.into_iter().filter(|span| span.start < span.end).collect();
        if !spans.is_empty() {
            self.cuts.entry(path.clone()).or_default().extend(spans);
        }
    }

    pub(super) fn gone_talk(&mut self, path: &VaultPath) {
        self.gone.insert(path.clone());
        self.exact.extend([path.to_string(), path.stem().to_owned()]);
    }

    /// Puts the cuts of each file in order, and joins those that meet.
    pub(super) fn settle(&mut self) {
        for gone in &self.gone {
            self.cuts.remove(gone);
        }
        for spans in self.cuts.values_mut() {
            spans.sort_unstable();
            let mut out: Vec<Span> = Vec::new();
            for span in spans.drain(..) {
                match out.last_mut().filter(|last| span.start <= last.end) {
                    Some(last) => last.end = last.end.max(span.end),
                    None => out.push(span),
                }
            }
            *spans = out;
        }
    }

    /// Notes up to where the sessions were captured of which something is covered: what stands before that in
    /// their transcripts does not come in again.
    pub(super) fn note_sessions(&mut self, texts: &Texts) {
        let mut touched = BTreeSet::new();
        for (path, _, entry) in texts.entries() {
            let meets = |span: &Span| span.start < entry.span.end && entry.span.start < span.end;
            if self.cuts.get(path).is_some_and(|cuts| cuts.iter().any(meets)) {
                touched.extend(entry.provenance.session);
            }
        }
        for (path, text) in &texts.talk {
            if self.cuts.contains_key(path) || self.gone.contains(path) {
                touched.extend(parse_talk(text).provenance.session);
            }
        }
        for session in touched {
            let until = texts.captured_until(&session);
            self.sessions.entry(session).or_insert(Some(until));
        }
    }
}

impl Texts {
    fn captured_until(&self, session: &str) -> u64 {
        let of_session = |of: &Option<String>| of.as_deref() == Some(session);
        let entries = self.entries().filter(|(.., entry)| of_session(&entry.provenance.session));
        let in_journal = entries.filter_map(|(.., entry)| Some(entry.provenance.range?.1)).max();
        let talks = self.talk.values().map(|text| parse_talk(text)).filter(|talk| of_session(&talk.provenance.session));
        let in_talk = talks.flat_map(|talk| talk.turns).map(|turn| turn.end).max();
        in_journal.max(in_talk).unwrap_or(0)
    }

    /// Chooses a session: its entries, and its talk as a whole.
    pub(super) fn session(&self, name: &str) -> Result<Chosen, Failure> {
        let session = self.session_named(name)?;
        let mut chosen = Chosen::default();
        for (path, text, entry) in self.entries() {
            if entry.provenance.session.as_ref() == Some(&session) {
                chosen.cut(path, [said_by(text, &entry)]);
            }
        }
        for (path, text) in &self.talk {
            if parse_talk(text).provenance.session.as_ref() == Some(&session) {
                chosen.gone_talk(path);
            }
        }
        chosen.exact.push(session.clone());
        chosen.sessions.insert(session, None);
        Ok(chosen)
    }

    /// The session whose id this is, or begins so.
    fn session_named(&self, name: &str) -> Result<String, Failure> {
        let mut known: BTreeSet<String> = self.entries().filter_map(|(.., entry)| entry.provenance.session).collect();
        known.extend(self.talk.values().filter_map(|text| parse_talk(text).provenance.session));
        if known.contains(name) {
            return Ok(name.to_owned());
        }
        let is_start = |session: &&String| name.chars().count() >= SESSION_CHARS_MIN && session.starts_with(name);
        let begin_so: Vec<&String> = known.iter().filter(is_start).collect();
        let shown = ken_core::text::cut(name, 60);
        match begin_so.as_slice() {
            [only] => Ok((*only).clone()),
            [] => Err(Failure::usage(format!("no entry of the journal and no talk is of a session `{shown}`"))
                .hint("entries name their session in the comment below their heading; nothing was changed")),
            several => Err(Failure::usage(format!("{} sessions begin with `{shown}`", several.len()))
                .hint("name one of them whole; nothing was changed")),
        }
    }

    /// Chooses what was said and done on some days.
    pub(super) fn days(&self, (first, last): (Date, Date)) -> Chosen {
        let is_in = |date: Date| first <= date && date <= last;
        let mut chosen = Chosen::default();
        for (path, text) in &self.journal {
            let journal = parse_journal(text, leading_date(path.file_name())).value;
            if !journal.date.is_some_and(is_in) {
                continue;
            }
            let entries: Vec<Span> = journal.entries.iter().map(|entry| said_by(text, entry)).collect();
            // What stands outside of entries, such as a header, is of the day too; headings that say no more than
            // the day or group the rest are not.
            let is_in_entry = |span: Span| {
                journal.entries.iter().any(|entry| entry.span.start <= span.start && span.end <= entry.span.end)
            };
            let outside = lines_of(text).filter(|span| !is_in_entry(*span) && !span.of(text).starts_with('#'));
            chosen.cut(path, outside.collect::<Vec<Span>>());
            chosen.cut(path, entries);
        }
        for (path, text) in &self.talk {
            let talk = parse_talk(text);
            let n_in = talk.turns.iter().filter(|turn| is_in(turn.at.0)).count();
            if n_in > 0 && n_in == talk.turns.len() {
                chosen.gone_talk(path);
            } else if n_in > 0 {
                let of_days = talk.turns.iter().filter(|turn| is_in(turn.at.0));
                chosen.cut(path, of_days.map(|turn| after_first_line(text, turn.span)).collect::<Vec<Span>>());
                let title = text.find(&talk.title).filter(|_| !talk.title.is_empty() && is_in(talk.turns[0].at.0));
                chosen.cut(path, title.map(|start| Span::new(start, start + talk.title.len())));
            }
        }
        chosen
    }

    /// Chooses every place where a name or a pattern stands. Talk that is named so goes as a whole.
    pub(super) fn matches(&self, needle: &Needle) -> Chosen {
        let mut chosen = Chosen::default();
        for (path, text) in self.all() {
            if self.talk.contains_key(path) && needle.is_in(path.as_str()) {
                chosen.gone_talk(path);
            }
            chosen.cut(path, needle.spans(text));
        }
        chosen
    }

    /// Chooses what the journal tells of how a document was changed.
    pub(super) fn changes_of(&self, place: &VaultPath) -> Chosen {
        let mut chosen = Chosen::default();
        let tells = |said: &str| Revision::parse(said).is_some_and(|told| told.path == *place);
        for (path, text) in &self.journal {
            let items = lines_of(text).filter_map(|span| item_of(text, span));
            chosen.cut(path, items.filter(|span| tells(span.of(text))));
            // Their entries are called by the document.
            let title = format!("- {}", Revision::title(place));
            let headings =
                lines_of(text).filter(|line| line.of(text).starts_with('#') && line.of(text).ends_with(&title));
            chosen.cut(path, headings.map(|line| Span::new(line.end - title.len() + 2, line.end)));
        }
        chosen
    }

    /// Chooses the lines that pages cite, and lines of journal and talk that say the same.
    pub(super) fn cited_by(&self, pages: &[Page]) -> Chosen {
        let mut chosen = Chosen::default();
        let mut runs = BTreeSet::new();
        for cited in pages.iter().flat_map(|page| citations(&page.text)) {
            let Some(text) = self.get(&cited.path) else { continue };
            let lines = LineIndex::new(text);
            let (first, last) = match cited.standing_in(text, &lines) {
                ken_core::claim::Standing::Moved(first, last) => (first, last),
                _ => cited.lines,
            };
            let spans: Vec<Span> = (first..=last).filter_map(|line| item_of(text, lines.lines(line, line)?)).collect();
            spans.iter().for_each(|span| runs.extend(runs_of(span.of(text))));
            chosen.cut(&cited.path, spans);
        }
        // What was written into a page by hand was taken into the journal under its name.
        let titles: Vec<String> = pages.iter().map(|page| format!("Edited by hand: [[{}]]", page.slug())).collect();
        for (path, text, entry) in self.entries().filter(|(.., entry)| titles.contains(&entry.title)) {
            chosen.cut(path, [said_by(text, &entry)]);
        }
        for (path, text) in self.journal.iter().chain(&self.talk) {
            let says_so = |span: &Span| runs_of(span.of(text)).any(|run| runs.contains(&run));
            let same: Vec<Span> = lines_of(text).filter_map(|span| item_of(text, span)).filter(says_so).collect();
            chosen.cut(path, same);
        }
        chosen
    }
}

/// Returns the citations of a page.
pub(super) fn citations(text: &str) -> impl Iterator<Item = SourceRef> {
    let footnote = |line: &str| SourceRef::parse(line.strip_prefix("[^")?.split_once("]:")?.1);
    text.lines().filter_map(footnote)
}

/// What an entry says: all of it but the marks of its heading, so that it stays an entry.
pub(super) fn said_by(text: &str, entry: &JournalEntry) -> Span {
    let whole = entry.span.of(text);
    let marks = whole.len() - whole.trim_start_matches('#').trim_start_matches([' ', '\t']).len();
    let is_heading = whole.starts_with('#') && marks > 0;
    Span::new(entry.span.start + if is_heading { marks } else { 0 }, entry.span.end)
}

/// A span without its first line and without blank edges.
fn after_first_line(text: &str, span: Span) -> Span {
    let whole = span.of(text);
    let first = whole.find('\n').map_or(whole.len(), |end| end + 1);
    let rest = &whole[first..];
    let lead = rest.len() - rest.trim_start().len();
    let start = span.start + first + lead;
    Span::new(start, start + rest.trim().len())
}

/// The lines of a text that say something, without white space around.
fn lines_of(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start + line.len() - line.trim_start().len();
        start += line.len();
        let said = line.trim();
        (!said.is_empty()).then(|| Span::new(at, at + said.len()))
    })
}

/// A line without the marks of an item or a heading; none where nothing else stands there.
fn item_of(text: &str, line: Span) -> Option<Span> {
    let whole = line.of(text);
    let said = whole.trim_start_matches(|ch: char| ch.is_whitespace() || matches!(ch, '-' | '*' | '#' | '>' | '+'));
    // The label of a section stays, so that what follows it stays in its section.
    let label = said.find(":**").filter(|end| whole.starts_with("**") && *end < LABEL_BYTES_MAX);
    let said = label.map_or(said, |end| said[end + 3..].trim_start());
    let start = line.end - said.len();
    let is_comment = said.starts_with("<!-- kenning:");
    (!said.trim().is_empty() && !is_comment).then(|| Span::new(start, start + said.trim_end().len()))
}

fn runs_of(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<String> =
        text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let n_words = SAME_WORDS.min(words.len()).max(1);
    let runs: Vec<String> =
        words.windows(n_words).filter(|run| run.len() == SAME_WORDS).map(|run| run.join(" ")).collect();
    runs.into_iter()
}

impl Engine {
    /// Reads the texts that everything is made from, as far as they are text.
    pub(super) fn read_texts(&self) -> Result<Texts, Failure> {
        self.read_texts_where(&|_| true)
    }

    /// The same of those files that are wanted.
    pub(super) fn read_texts_where(&self, is_wanted: &dyn Fn(&FileStat) -> bool) -> Result<Texts, Failure> {
        let layout = self.layout();
        let read = |files: &[FileStat]| -> Result<BTreeMap<VaultPath, String>, Failure> {
            let files: Vec<FileStat> = files.iter().filter(|file| is_wanted(file)).cloned().collect();
            let read = self
                .store
                .map_files(&files, |file, bytes| Some((file.path.clone(), String::from_utf8(bytes).ok()?)))?;
            Ok(read.into_iter().flatten().flatten().collect())
        };
        let mut talk = Vec::new();
        let talks = [LOCAL_TALK, SHARED_TALK].map(|name| VaultPath::new(name).expect("a folder name is a vault path"));
        for folder in talks.iter().chain([&layout.talk]).collect::<BTreeSet<&VaultPath>>() {
            let is_of_session = |path: &VaultPath| ken_core::talk::day_of(path, folder).is_some();
            talk.extend(self.store.list(folder)?.files.into_iter().filter(|file| is_of_session(&file.path)));
        }
        let mut sources = self.store.list(&layout.sources)?.files;
        for path in self.sources_in_place()?.into_iter().filter(is_document) {
            sources.extend(self.store.stat(&path)?);
        }
        sources.sort();
        sources.dedup();
        let journal = self.store.list(&layout.journal)?.files;
        Ok(Texts { journal: read(&journal)?, talk: read(&talk)?, sources: read(&sources)? })
    }
}
