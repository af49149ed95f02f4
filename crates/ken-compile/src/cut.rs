//! Cuts a file into entries, as they may stand on pages: cleaned, without secrets, with nothing live.

use std::borrow::Cow;

use ken_core::markdown::inert;
use ken_core::{Date, Digest, VaultPath};
use ken_intake::scrub::{readable, scrub};

use crate::adopted::adopted_entry;
use crate::document::document_entry;
use crate::passage::{Entry, Passage, Places, numbered_entries};
use crate::told::AdoptedPage;
use crate::work;

/// Somebody, as a model, who read entries and whose readings were checked.
pub trait Reader {
    /// Puts what was read of an entry in the place of what was extracted from it.
    fn put_into(&self, entry: &mut Entry, places: &mut Places<'_>);
}

/// What a file is read as.
#[derive(Debug, Clone, Copy)]
pub enum ReadAs {
    /// A day of the journal.
    Journal,
    /// A document, with the day of its last commit where the register has it.
    Document(Option<Date>),
    /// A document that was a page of another compiler.
    Adopted,
}

impl ReadAs {
    /// The day of the last commit as the ledger keeps it: empty for none.
    pub fn committed(self) -> String {
        match self {
            ReadAs::Document(Some(day)) => day.to_string(),
            _ => String::new(),
        }
    }
}

/// What is known of the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// They may hold what must not stand on a page.
    Unknown,
    /// They were searched and hold nothing hidden or secret.
    Clean,
}

/// Entries of one file.
pub struct Cut {
    /// Each with its number in the file.
    pub entries: Vec<(u16, Entry)>,
    /// Whether nothing hidden or secret was found in them.
    pub is_clean: bool,
}

/// Returns the entries of one file, with what was read of them.
pub fn read_entries(path: &VaultPath, read_as: ReadAs, text: &str, readings: Option<&dyn Reader>) -> Vec<Entry> {
    let all = read_numbered((path, read_as), (text, State::Unknown), readings, &|_| true);
    all.entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns those entries of one file whose numbers are wanted, with what was read of them.
pub fn read_numbered(
    file: (&VaultPath, ReadAs),
    (text, state): (&str, State),
    readings: Option<&dyn Reader>,
    is_wanted: &dyn Fn(u16) -> bool,
) -> Cut {
    let mut cut = cut_numbered(file, (text, state), readings.is_some(), is_wanted);
    if let Some(readings) = readings {
        let mut places = Places::new(text);
        cut.entries.iter_mut().for_each(|(_, entry)| readings.put_into(entry, &mut places));
    }
    let mut places = Places::new(text);
    cut.entries.iter_mut().for_each(|(_, entry)| work::note(entry, &mut places));
    cut
}

/// Returns the entries of one file as they are without a model, with their portions if they are wanted.
pub fn cut_entries(path: &VaultPath, read_as: ReadAs, text: &str, with_portions: bool) -> Vec<Entry> {
    let all = cut_numbered((path, read_as), (text, State::Unknown), with_portions, &|_| true);
    all.entries.into_iter().map(|(_, entry)| entry).collect()
}

fn cut_numbered(
    (path, read_as): (&VaultPath, ReadAs),
    (text, state): (&str, State),
    with_portions: bool,
    is_wanted: &dyn Fn(u16) -> bool,
) -> Cut {
    // What stands on disk may be from anybody, or from before it was scrubbed on its way in.
    let read = if state == State::Clean { Cow::Borrowed(text) } else { readable(text) };
    let mut entries = match read_as {
        ReadAs::Journal => numbered_entries(path, &read, with_portions, is_wanted),
        ReadAs::Document(committed) => vec![(0, document_entry(path, &read, committed, with_portions))],
        ReadAs::Adopted => vec![(0, adopted_entry(path, &read))],
    };
    let mut is_clean = matches!(read, Cow::Borrowed(_));
    if !is_clean {
        // Citations are of the lines as they stand in the file.
        let (mut places, whole) = (Places::new(text), Digest::of(text.as_bytes()));
        for (_, entry) in &mut entries {
            // Those change although what is read of them does not, when the file is redacted.
            entry.digest = Digest::of(format!("{} {whole}", entry.digest).as_bytes());
            for passage in &mut entry.passages {
                passage.digest = places.digest(passage.lines);
                if let Some(cited) = &mut passage.cited {
                    cited.digest = places.digest(cited.lines);
                }
            }
        }
    }
    for text in entries.iter_mut().flat_map(|(_, entry)| texts_of(entry)) {
        let scrubbed = if state == State::Clean { None } else { changed(scrub(text).0) };
        is_clean &= scrubbed.is_none();
        scrubbed.into_iter().for_each(|scrubbed| *text = scrubbed);
        let fit = changed(inert(text));
        fit.into_iter().for_each(|fit| *text = fit);
    }
    Cut { entries, is_clean }
}

/// A text that is another than the one it was made from.
fn changed(text: Cow<'_, str>) -> Option<String> {
    match text {
        Cow::Owned(text) => Some(text),
        Cow::Borrowed(_) => None,
    }
}

/// The texts of an entry that may stand on a page, each on one line. Lines that were joined may show a secret that
/// none of them has.
fn texts_of(entry: &mut Entry) -> impl Iterator<Item = &mut String> {
    let own = std::iter::once(&mut entry.title).chain(&mut entry.parts);
    let adopted = entry.adopted.iter_mut().flat_map(|adopted| {
        let AdoptedPage { place, aliases, tags, tldr, days, .. } = &mut **adopted;
        [place, tldr].into_iter().chain(aliases).chain(tags).chain(days)
    });
    own.chain(adopted).chain(entry.passages.iter_mut().flat_map(texts_of_passage))
}

fn texts_of_passage(passage: &mut Passage) -> impl Iterator<Item = &mut String> {
    let quote = passage.cited.as_mut().map(|cited| &mut cited.quote);
    let sections = passage.place.as_mut().map(|place| place.sections.iter_mut());
    std::iter::once(&mut passage.text).chain(quote).chain(sections.into_iter().flatten())
}
