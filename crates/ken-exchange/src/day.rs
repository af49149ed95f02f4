//! What a day of the journal gets from another copy of it: the entries that it does not have.

use std::collections::BTreeSet;

use ken_core::Date;
use ken_core::journal::{JournalEntry, day_preamble, parse_journal};

/// What is to be added to a day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grown {
    /// The text behind what stands there; empty when nothing is new.
    pub text: String,
    /// Entries in it.
    pub n_entries: usize,
    /// Entries that were left out.
    pub n_left_out: usize,
}

/// Returns what `new` says of a day beyond what stands there, without the entries that are to be left out.
///
/// What stands there stays a prefix, so that lines that were cited are where they were; a day that went on from what
/// stands there is as it was, byte for byte.
pub fn grown(date: Date, old: Option<&str>, new: &str, is_left_out: &dyn Fn(&JournalEntry) -> bool) -> Grown {
    let entries = parse_journal(new, Some(date)).value.entries;
    let n_left_out = entries.iter().filter(|entry| is_left_out(entry)).count();
    if n_left_out == 0
        && let Some(rest) = new.strip_prefix(old.unwrap_or_default())
    {
        let n_old = old.map_or(0, |old| parse_journal(old, Some(date)).value.entries.len());
        return Grown { text: rest.to_owned(), n_entries: entries.len().saturating_sub(n_old), n_left_out };
    }
    let known: BTreeSet<String> = old.map(|old| texts(date, old)).unwrap_or_default();
    let is_new = |entry: &&JournalEntry| !is_left_out(entry) && !known.contains(&plain(entry.span.of(new)));
    let added: Vec<&str> = entries.iter().filter(is_new).map(|entry| bare(entry.span.of(new)).trim_end()).collect();
    if added.is_empty() {
        return Grown { n_left_out, ..Grown::default() };
    }
    let mut text = match old {
        None => day_preamble(date),
        Some(old) if old.is_empty() || old.ends_with('\n') => String::new(),
        Some(_) => "\n".to_owned(),
    };
    added.iter().for_each(|entry| text.push_str(&format!("\n{entry}\n")));
    Grown { text, n_entries: added.len(), n_left_out }
}

fn texts(date: Date, day: &str) -> BTreeSet<String> {
    let entries = parse_journal(day, Some(date)).value.entries;
    entries.iter().map(|entry| plain(entry.span.of(day))).collect()
}

/// The text without the mark that stands in front of a whole file.
fn bare(entry: &str) -> &str {
    entry.trim_start_matches('\u{feff}')
}

/// An entry as it is compared, whatever its line ends.
fn plain(entry: &str) -> String {
    bare(entry).lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: &str = "# Daily Log: 2026-05-11\n\n## Sessions\n\n### Session (09:00) - Oven\n\nThe oven is hot.\n";

    fn check(old: Option<&str>, new: &str, expected: (&str, usize)) {
        let date = "2026-05-11".parse().expect("a date");
        let found = grown(date, old, new, &|_| false);
        assert_eq!((found.text.as_str(), found.n_entries), expected);
        let after = format!("{}{}", old.unwrap_or_default(), found.text);
        let again = grown(date, Some(&after), new, &|_| false);
        assert_eq!((again.text.as_str(), again.n_entries), ("", 0), "a second time adds nothing");
    }

    #[test]
    fn a_day_grows_by_the_entries_it_does_not_have_and_by_no_other() {
        let more = "\n### Session (10:00) - Flour\n\nThe mill is in Ghent.\n";
        let longer = format!("{DAY}{more}");
        check(None, DAY, (DAY, 1));
        check(Some(DAY), DAY, ("", 0));
        check(Some(DAY), &longer, (more, 1));
        let other = DAY.replace("Oven", "Shop").replace("oven", "shop");
        check(
            Some(&other),
            &longer,
            (
                "\n### Session (09:00) - Oven\n\nThe oven is hot.\n\n### Session (10:00) - Flour\n\nThe mill is in Ghent.\n",
                2,
            ),
        );
        check(Some(&longer), DAY, ("", 0));
        check(Some(&DAY.replace('\n', "\r\n")), DAY, ("", 0));
    }

    #[test]
    fn what_is_left_out_does_not_come_in_with_the_rest() {
        let day = format!("{DAY}\n### Session (10:00) - Flour\n\nThe mill is in Ghent.\n");
        let found = grown("2026-05-11".parse().expect("a date"), None, &day, &|entry| entry.title.contains("Oven"));
        assert_eq!((found.n_entries, found.n_left_out), (1, 1));
        assert!(found.text.starts_with("# Daily Log: 2026-05-11") && !found.text.contains("hot"), "{}", found.text);
    }
}
