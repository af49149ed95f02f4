//! Names that come up on several days and have no page of their own.
//!
//! What deserves a page is decided by the ledger; here is what it did not find enough for, so that somebody may say more
//! of it, or make a page. Only what is written as a name counts: of other words too many stand on many days.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Date;
use ken_core::claim::{SourceRef, quote};
use ken_core::consolidate::rules::{Said as SaidWish, is_wish};
use ken_core::consolidate::twins::{Abbreviation, abbreviations};
use ken_core::language::fold;
use ken_core::words::{Weight, weight};

use crate::archive::SaidOf;
use crate::ledger::{Key, Ledger, Posting, Reason, flag};
use crate::marked::Marked;
use crate::passage::PassageKind;
use crate::subject::MentionKind;

/// Days on which a name must come up.
const DAYS_MIN: usize = 3;
/// Of the entries that mention it, one in so many must write it as a name.
const NAMED_PART: usize = 2;

/// A name without a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// How it is written most.
    pub name: String,
    /// The days on which it comes up.
    pub days: Vec<Date>,
    /// Entries that mention it.
    pub n_entries: usize,
    /// Why it has no page.
    pub reason: Reason,
}

/// Looks through the entries of the journal for what nobody made a page of, and for what was said in so many words.
pub struct Looking<'l> {
    ledger: &'l Ledger,
    said: SaidOf<'l>,
    /// The names that are looked for, with how each is written.
    names: BTreeMap<Key, BTreeMap<String, usize>>,
    /// What may be a wish.
    pub wishes: Vec<SaidWish>,
    /// The abbreviations that statements give, each with where it stands first.
    pub abbreviations: BTreeMap<Abbreviation, String>,
}

impl<'l> Looking<'l> {
    /// Begins to look.
    pub fn new(ledger: &'l Ledger) -> Looking<'l> {
        let said = SaidOf::new(ledger);
        let groups = ledger.postings.chunk_by(|a, b| a.key == b.key);
        let is_name = |group: &&[Posting]| {
            let n_named = group.iter().filter(|posting| posting.flags & flag::NAME != 0).count();
            n_named * NAMED_PART >= group.len() && group.len() >= DAYS_MIN
        };
        let is_without_page = |key: Key| {
            !ledger.pages.contains_key(&key)
                && !ledger.pages.contains_key(&ledger.page_of(key))
                && !ledger.is_former_name(key)
        };
        let wanted = groups.filter(is_name).map(|group| group[0].key).filter(|key| is_without_page(*key));
        let names = wanted.filter(|key| said.days(*key).len() >= DAYS_MIN).map(|key| (key, BTreeMap::new())).collect();
        Looking { ledger, said, names, wishes: Vec::new(), abbreviations: BTreeMap::new() }
    }

    /// Looks at an entry of the journal.
    pub fn look(&mut self, marked: &Marked) {
        let entry = &marked.entry;
        let marks = marked.title.iter().chain(marked.passages.iter().flat_map(|passage| &passage.names));
        for mark in marks.filter(|mark| mark.kind == MentionKind::Name) {
            if let Some(spelled) = self.names.get_mut(&mark.key) {
                *spelled.entry(mark.surface.clone()).or_default() += 1;
            }
        }
        let Some(day) = entry.date else { return };
        for passage in entry.passages.iter().filter(|passage| passage.kind.is_said()) {
            let cited = || SourceRef {
                path: entry.path.clone(),
                lines: passage.lines,
                digest: passage.digest.clone(),
                quote: quote(&passage.text),
            };
            for one in abbreviations(&passage.text) {
                let at = cited();
                self.abbreviations.entry(one).or_insert_with(|| format!("{}#L{}", at.path, at.lines.0));
            }
            if passage.kind != PassageKind::Action && is_wish(&passage.text) {
                self.wishes.push(SaidWish { text: passage.text.clone(), day, at: cited() });
            }
        }
    }

    /// Returns the names without a page, those of most days first.
    pub fn themes(&self) -> Vec<Theme> {
        let theme = |(key, spelled): (&Key, &BTreeMap<String, usize>)| {
            let name = spelled.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)))?.0.clone();
            let (reason, counts) = self.ledger.why(*key);
            // What stands inside longer names, or in every other entry, is no theme of its own.
            let is_one = !matches!(reason, Reason::PieceOfName | Reason::Background | Reason::Unmentioned);
            let days: BTreeSet<Date> = self.said.days(*key);
            is_one.then(|| Theme { name, days: days.into_iter().collect(), n_entries: counts.mentioning, reason })
        };
        let mut out: Vec<Theme> = self.names.iter().filter_map(theme).filter(|theme| may_name(&theme.name)).collect();
        let all = out.clone();
        out.retain(|theme| !all.iter().any(|longer| is_piece(theme, longer)));
        out.sort_by(|a, b| b.days.len().cmp(&a.days.len()).then_with(|| a.name.cmp(&b.name)));
        out
    }
}

/// Whether a word is more than one that every project uses, or a unit.
fn may_name(name: &str) -> bool {
    let is_name = name.chars().next().is_some_and(char::is_uppercase);
    is_name && (name.contains(char::is_whitespace) || weight(&fold(name)) == Weight::Strong)
}

/// Whether a name comes up only where a longer one does that has it in it.
fn is_piece(theme: &Theme, longer: &Theme) -> bool {
    let has = longer.name.split_whitespace().any(|word| word == theme.name) && longer.name != theme.name;
    has && theme.days.iter().all(|day| longer.days.contains(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(name: &str, days: &[&str]) -> Theme {
        let days = days.iter().map(|day| day.parse().expect("a day")).collect();
        Theme { name: name.to_owned(), days, n_entries: 3, reason: Reason::TooFew }
    }

    #[test]
    fn pieces_of_names_units_and_plain_words_are_no_themes() {
        let longer = theme("Mill Lane", &["2026-03-01", "2026-03-02"]);
        assert!(is_piece(&theme("Lane", &["2026-03-02"]), &longer));
        assert!(!is_piece(&theme("Lane", &["2026-03-03"]), &longer));
        assert!(!is_piece(&longer, &longer));
        assert!(may_name("Ottilie") && may_name("Mill Lane"));
        assert!(!may_name("mAh") && !may_name("Change"));
    }
}
