//! Follows a citation to the lines it names, and from there to the entry, session, agent and operation.
//!
//! Footnotes are data, and may come with a vault of somebody else: only journal, sources, talk and pages are read.

use std::collections::BTreeMap;

use ken_core::chat::{Message, messages, speaker_of};
use ken_core::claim::{SourceRef, Standing, Windows};
use ken_core::header::read_header;
use ken_core::journal::{JournalEntry, Provenance, parse_journal};
use ken_core::page::parse_page;
use ken_core::source::day_of;
use ken_core::text::{count, cut, one_line};
use ken_core::time::leading_date;
use ken_core::{Date, Digest, LineIndex, Span, Trust, VaultPath, talk};
use ken_intake::scrub::readable;
use ken_store::Operation;

use super::speech::{Speech, said_label, spoken_in_talk};
use crate::compile::Origin;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::Register;
use crate::outcome::{Cited, EntryRef, OperationRef, SpokenBy, Stands, TalkRef};
use crate::propose::kinds::Kind;
use crate::propose::record::Replies;

/// Bytes that may be digested to find which operation added an entry: a day of a hundred entries of ten kilobytes.
const DIGESTED_BYTES_MAX: usize = 64 << 20;
/// Characters of cited lines that are cleaned of secrets and looked through.
const CLEANED_CHARS_MAX: usize = 4 * Cited::TEXT_CHARS_MAX;
/// Speakers of a chat that are named for one citation.
const SPEAKERS_MAX: usize = 3;

/// What a file is to a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Journal,
    Source,
    Talk,
    Page,
}

/// A file that is cited, read once.
struct File {
    text: String,
    lines: LineIndex,
    windows: Windows,
    day: Option<Date>,
    title: String,
    entries: Vec<JournalEntry>,
    /// Per entry: the operation that added it, as a place in the log.
    added: Vec<Option<usize>>,
    /// The operation that left the file as it is.
    left: Option<usize>,
    origins: Vec<Origin>,
    /// What people say in it, if it is a chat.
    messages: Vec<Message>,
}

/// Everything that citations are followed with.
pub(crate) struct Tracer<'a> {
    engine: &'a Engine,
    register: Register,
    replies: Replies,
    /// The operation log, newest first.
    operations: Vec<Operation>,
    files: BTreeMap<VaultPath, Result<(Sort, File), String>>,
    talks: BTreeMap<VaultPath, Option<Speech>>,
}

impl<'a> Tracer<'a> {
    pub(crate) fn new(engine: &'a Engine) -> Result<Tracer<'a>, Failure> {
        let operations = engine.store.history(usize::MAX)?.operations;
        let (register, replies) = (engine.register()?, engine.replies()?);
        let (files, talks) = (BTreeMap::new(), BTreeMap::new());
        Ok(Tracer { engine, register, replies, operations, files, talks })
    }

    /// Returns the newest operation that wrote a file, and whether the file is what it left.
    pub(super) fn written(&self, path: &VaultPath, bytes: &[u8]) -> (Option<OperationRef>, bool) {
        let digest = Digest::of(bytes);
        let edit = |operation: &&Operation| operation.edits.iter().any(|edit| edit.path == *path);
        let Some(last) = self.operations.iter().find(edit) else { return (None, false) };
        let is_as_written = last.edits.iter().any(|edit| edit.path == *path && edit.after == Some(digest));
        (Some(named(last)), is_as_written)
    }

    /// Returns what is known of the lines that a citation of a claim names.
    pub(crate) fn follow(&mut self, cited: &SourceRef, claim: &str) -> Cited {
        let mut out = Cited {
            path: cited.path.clone(),
            lines: cited.lines,
            stands: Stands::There,
            quote: cited.quote.clone(),
            day: None,
            text: String::new(),
            is_cut: false,
            kind: None,
            speaker: None,
            trust: None,
            entry: None,
            model: None,
            is_connection: false,
            is_event: false,
            says_it: false,
            is_document: false,
            operation: None,
        };
        // It is taken out, because talk is looked up beside it.
        let known = self.files.remove(&cited.path).unwrap_or_else(|| self.read(&cited.path));
        let known = known.map(|(sort, mut file)| {
            self.fill(&mut out, (cited, claim), sort, &mut file);
            (sort, file)
        });
        if let Err(why) = &known {
            out.stands = Stands::Gone(why.clone());
        }
        self.files.insert(cited.path.clone(), known);
        out
    }

    /// Returns whether any prose of the vault's pages was made by a model.
    pub(super) fn has_prose(&self) -> bool {
        self.replies.inputs(Kind::Page).next().is_some()
    }

    /// Returns whether a model said of cited lines that they take the place of a claim.
    pub(super) fn says_replaces(&self, by: &Cited, claim: &str) -> bool {
        let Some(Ok((_, file))) = self.files.get(&by.path) else { return false };
        Origin::all_at(&file.origins, by.place()).any(|origin| origin.replaces(claim))
    }

    fn fill(&mut self, out: &mut Cited, (cited, claim): (&SourceRef, &str), sort: Sort, file: &mut File) {
        out.day = file.day;
        out.is_document = sort == Sort::Source;
        out.trust = self.trust(&cited.path, sort);
        out.stands = match cited.standing_by(&file.text, &file.lines, &mut file.windows) {
            Standing::There => Stands::There,
            Standing::Moved(first, last) => Stands::Moved(first, last),
            Standing::Gone if file.lines.lines(cited.lines.0, cited.lines.1).is_none() => {
                Stands::Gone(format!("it has {}", count(file.lines.n_lines(), "line")))
            }
            Standing::Gone => Stands::Gone("other text stands there now".to_owned()),
        };
        let place = out.place();
        let Some(span) = file.lines.lines(place.0, place.1) else { return };
        // A line may be of any length, and hundreds of claims may cite it: what is far behind what is shown is not
        // even cleaned.
        let whole = span.of(&file.text);
        let near = whole.char_indices().nth(CLEANED_CHARS_MAX).map_or(whole, |(end, _)| &whole[..end]);
        let clean = readable(near);
        out.text = cut(clean.trim_end(), Cited::TEXT_CHARS_MAX);
        out.is_cut = near.len() < whole.len() || clean.trim_end().chars().count() > Cited::TEXT_CHARS_MAX;
        if matches!(out.stands, Stands::Gone(_)) {
            return;
        }
        if let Some(origin) = Origin::find(&file.origins, place, claim) {
            (out.kind, out.model, out.is_connection) = (origin.kind, origin.model.clone(), origin.is_connection);
            (out.is_event, out.says_it) = (origin.is_event, origin.says(claim));
        }
        match sort {
            Sort::Journal => self.fill_entry(out, span, claim, file),
            Sort::Talk => {
                let Some(speech) = self.talk(&cited.path) else { return };
                let at = |line| Some((cited.path.clone(), line));
                out.speaker = speech.at(place.0).map(|(who, line)| SpokenBy { who: who.to_owned(), at: at(line) });
                let Provenance { session, agent, project, .. } = speech.provenance.clone();
                let title = file.title.clone();
                out.entry = Some(EntryRef { title, session, agent, project, ..EntryRef::default() });
            }
            Sort::Source | Sort::Page => {
                out.speaker = speakers(&file.messages, span, claim).map(|who| SpokenBy { who, at: None });
                out.entry = Some(EntryRef { title: file.title.clone(), ..EntryRef::default() });
                out.operation = file.left.map(|n| named(&self.operations[n]));
            }
        }
    }

    fn fill_entry(&mut self, out: &mut Cited, span: Span, claim: &str, file: &File) {
        let holds = |entry: &JournalEntry| entry.span.start <= span.start && span.start <= entry.span.end;
        let Some(n) = file.entries.iter().position(holds) else { return };
        let entry = &file.entries[n];
        let provenance = &entry.provenance;
        out.operation = file.added.get(n).copied().flatten().map(|n| named(&self.operations[n]));
        out.trust = provenance.trust.as_deref().and_then(Trust::parse).or(out.trust);
        let talk = provenance.talk.as_deref().and_then(|place| self.talk_place(place));
        let said = span.of(&file.text);
        out.speaker = said_label(said).map(|who| SpokenBy { who: who.to_owned(), at: None });
        // Whoever names a file has not changed it.
        if let Some(talk) = talk.as_ref().filter(|_| !out.is_event) {
            let lines = talk.lines;
            let speech = self.talk(&talk.path).as_ref();
            let found = speech.and_then(|speech| spoken_in_talk(speech, lines, &[claim, said]));
            if let Some((who, line)) = found {
                out.speaker = Some(SpokenBy { who: who.to_owned(), at: Some((talk.path.clone(), line)) });
            }
        }
        out.entry = Some(EntryRef {
            title: one_line(&entry.title),
            time: entry.time,
            session: provenance.session.clone(),
            agent: provenance.agent.clone(),
            project: provenance.project.clone(),
            distilled: provenance.distilled.clone(),
            talk,
        });
    }

    /// The lines of talk that an entry names, as seen from the folder of talk.
    fn talk_place(&mut self, place: &str) -> Option<TalkRef> {
        let (name, range) = place.split_once("#L")?;
        let (first, last) = range.split_once("-L").unwrap_or((range, range));
        let lines = (first.parse().ok()?, last.parse().ok()?);
        let path = self.engine.layout().talk.join(name)?;
        let is_there = self.talk(&path).as_ref().is_some_and(|speech| speech.has(lines));
        Some(TalkRef { path, lines, is_there })
    }

    fn talk(&mut self, path: &VaultPath) -> &Option<Speech> {
        let engine = self.engine;
        let read = || Some(Speech::of(&String::from_utf8(engine.store.read(path).ok()??).ok()?));
        self.talks.entry(path.clone()).or_insert_with(read)
    }

    fn trust(&self, path: &VaultPath, sort: Sort) -> Option<Trust> {
        match sort {
            Sort::Source => Some(self.register.get(path).map_or(Trust::User, |known| known.trust)),
            Sort::Journal | Sort::Talk | Sort::Page => None,
        }
    }

    fn sort(&self, path: &VaultPath) -> Option<Sort> {
        let layout = self.engine.layout();
        let is_under = |folder: &VaultPath| path.is_under(folder.as_str());
        match () {
            () if is_under(&layout.journal) => Some(Sort::Journal),
            () if is_under(&layout.talk) => Some(Sort::Talk),
            () if layout.is_page(path) => Some(Sort::Page),
            () if is_under(&layout.sources) || self.register.contains_key(path) => Some(Sort::Source),
            () => None,
        }
    }

    fn read(&self, path: &VaultPath) -> Result<(Sort, File), String> {
        let sort = self.sort(path).ok_or("it is no journal day, source, talk or page, so it was not read")?;
        let bytes = self.engine.store.read(path).map_err(|error| Failure::from(error).message)?;
        let bytes = bytes.ok_or("there is no such file")?;
        let digest = Digest::of(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text")?;
        let lines = LineIndex::new(&text);
        let is_journal = sort == Sort::Journal;
        let named_day = leading_date(path.file_name());
        let entries = if is_journal { parse_journal(&text, named_day).value.entries } else { Vec::new() };
        let added = self.added(path, &text, &entries);
        let is_left =
            |operation: &Operation| operation.edits.iter().any(|edit| edit.path == *path && edit.after == Some(digest));
        let left = self.operations.iter().position(is_left);
        let is_read = matches!(sort, Sort::Journal | Sort::Source);
        let origins = match is_read {
            true => self.engine.origins(path, &text, (&self.register, &self.replies)),
            false => Vec::new(),
        };
        let committed = self.register.get(path).and_then(|known| known.day);
        let day = match sort {
            Sort::Journal => named_day,
            Sort::Source => day_of(&read_header(&text).value, &text, path).or(committed),
            Sort::Talk => talk::day_of(path, &self.engine.layout().talk),
            Sort::Page => None,
        };
        let title = match sort {
            Sort::Journal => String::new(),
            Sort::Talk => talk::parse_talk(&text).title,
            Sort::Source | Sort::Page => parse_page(path, text.clone()).value.title(),
        };
        let messages = if sort == Sort::Source { messages(&text, Span::new(0, text.len())) } else { Vec::new() };
        let (windows, title) = (Windows::default(), one_line(&title));
        Ok((sort, File { text, lines, windows, day, title, entries, added, left, origins, messages }))
    }

    /// Which operation added each entry of a day: the one that left the file ending with it, or the first that left it
    /// ending with a later one.
    fn added(&self, path: &VaultPath, text: &str, entries: &[JournalEntry]) -> Vec<Option<usize>> {
        let of_path = |operation: &Operation| operation.edits.iter().find(|edit| edit.path == *path).cloned();
        let left: BTreeMap<Digest, usize> =
            (0..self.operations.len()).filter_map(|n| Some((of_path(&self.operations[n])?.after?, n))).collect();
        if left.is_empty() || entries.len().saturating_mul(text.len()) > DIGESTED_BYTES_MAX {
            return vec![None; entries.len()];
        }
        // What one operation added ends with an entry, and with a line.
        let mut out = vec![None; entries.len()];
        let mut later = None;
        for (n, entry) in entries.iter().enumerate().rev() {
            let rest = &text[entry.span.end..];
            let end = entry.span.end + rest.find('\n').map_or(rest.len(), |at| at + 1);
            later = left.get(&Digest::of(&text.as_bytes()[..end])).copied().or(later);
            out[n] = later;
        }
        out
    }
}

/// Who speaks in some lines of a chat: whoever the claim names, if they do.
fn speakers(messages: &[Message], span: Span, claim: &str) -> Option<String> {
    let touches =
        |message: &&Message| message.span.start < span.end.max(span.start + 1) && span.start < message.span.end;
    let mut out: Vec<&str> = Vec::new();
    for message in messages.iter().filter(touches) {
        if !out.contains(&message.speaker.as_str()) {
            out.push(&message.speaker);
        }
    }
    if let Some(named) = speaker_of(claim).filter(|named| out.contains(named)) {
        return Some(named.to_owned());
    }
    let n_more = out.len().saturating_sub(SPEAKERS_MAX);
    out.truncate(SPEAKERS_MAX);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    (!out.is_empty()).then(|| out.join(", ") + &more)
}

fn named(operation: &Operation) -> OperationRef {
    OperationRef {
        id: operation.id.to_string(),
        at: operation.at,
        kind: operation.kind.clone(),
        subject: operation.subject.clone(),
    }
}
