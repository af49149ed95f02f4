//! A journal made from a seed, of which every page is compiled.
//!
//! Work goes on about some things for a while and comes back to few of them: of the things that are known on
//! a day, later ones are named more often. So about half of the pages are pieces of work, and the others things
//! that several of them speak of. One day is the same bytes on every machine, however many there are.

use std::fmt::Write;
use std::path::Path;

use super::vault::{Random, Words, capital};

/// Entries of every day.
pub(super) const ENTRIES_A_DAY: usize = 10;
/// Things that one entry speaks of.
const N_THINGS: usize = 6;
/// New things for ten entries.
const NEW_FOR_TEN: usize = 13;

/// Writes the n-th day of the journal.
pub(super) fn write_day(dir: &Path, n: usize) -> std::io::Result<()> {
    write_short_day(dir, n, ENTRIES_A_DAY)
}

/// Writes the n-th day of a journal whose days have so many entries.
pub(super) fn write_short_day(dir: &Path, n: usize, n_entries: usize) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("daily"))?;
    // Months of 28 days: every number gives a day that exists.
    let date = format!("{}-{:02}-{:02}", 2001 + n / 336, 1 + n / 28 % 12, 1 + n % 28);
    std::fs::write(dir.join("daily").join(format!("{date}.md")), day(&Words::new(), (n, n_entries), &date))
}

/// A day in the form that capture writes.
fn day(words: &Words, (n, n_entries): (usize, usize), date: &str) -> String {
    let mut out = format!("# Daily Log: {date}\n\n## Sessions\n");
    for at in 0..n_entries {
        entry(words, n * n_entries + at, at, &mut out);
    }
    out
}

/// The n-th entry of all, which settles something about a few things.
fn entry(words: &Words, n: usize, at: usize, out: &mut String) {
    let mut random = Random(0xe27 ^ n as u64);
    let n_known = N_THINGS + n * NEW_FOR_TEN / 10;
    let mut things: Vec<String> = Vec::new();
    while things.len() < N_THINGS {
        // The smaller of two numbers, counted from the newest, so that what is new is named more often.
        let back = random.below(n_known).min(random.below(n_known));
        let thing = thing(words, n_known - 1 - back);
        if !things.contains(&thing) {
            things.push(thing);
        }
    }
    let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|n: usize| things[n].as_str());
    let mut word = || words.common(&mut random).to_owned();
    let (one, two, three, four) = (word(), word(), word(), word());
    let limit = 10 + random.below(90);
    let title = format!("{} {} {}", capital(words.rare(&mut random)), words.rare(&mut random), words.rare(&mut random));
    let _ = write!(out, "\n### Session ({:02}:{:02}) - {title}\n", 8 + at, 5 * at);
    let _ = writeln!(out, "<!-- kenning: session=bench-{n} agent=bench project=bench trust=user -->\n");
    let _ = writeln!(out, "**Context:** The {a} lost {one} {two} when {limit} runs met.\n");
    let _ = writeln!(out, "**Key Exchanges:**\n- The {e} writes to the {f} whenever {three} {four} is renewed.");
    let _ = writeln!(out, "- The {f} is {three} of {limit} bytes that the {c} must not change.\n");
    let _ = writeln!(
        out,
        "**Decisions Made:**\n- The {a} keeps {limit} {one} for each {two}, because the {b} never asks twice."
    );
    let _ = writeln!(out, "- The {b} depends on the {c} and must run before {one} {three} begins.\n");
    let _ = writeln!(
        out,
        "**Lessons Learned:**\n- The {d} fails after {limit} ms when {four} is closed, because nobody holds the {e}.\n"
    );
    let _ = writeln!(out, "**Action Items:**\n- [ ] Measure the {d} again after {limit} runs of {two}.");
}

/// The n-th thing: a name, an identifier, or mostly a phrase.
fn thing(words: &Words, n: usize) -> String {
    let mut random = Random(0x7e1 ^ n as u64);
    let (first, second) = (words.rare(&mut random), words.rare(&mut random));
    match n % 6 {
        0 => format!("{}{}", capital(first), capital(second)),
        1 => format!("`{first}_{second}`"),
        _ => format!("{first} {second}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_day_is_the_same_bytes_every_time_and_no_other_day() {
        let words = Words::new();
        assert_eq!(day(&words, (3, 10), "2001-01-04"), day(&words, (3, 10), "2001-01-04"));
        assert_ne!(day(&words, (3, 10), "2001-01-04"), day(&words, (4, 10), "2001-01-04"));
    }

    #[test]
    fn things_are_told_apart() {
        let words = Words::new();
        assert!((0..6_000).map(|n| thing(&words, n)).collect::<BTreeSet<_>>().len() > 5_990);
    }
}
