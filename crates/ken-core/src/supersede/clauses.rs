//! What of a statement of several clauses still holds where another statement took the place of one of them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::{LEXICONS, WordSet};
use crate::text::leans_back;
use crate::words::{Weight, fold, is_count_or_date, is_stop, stem, weight, words};

/// Fewest words of a clause that says something by itself.
const CLAUSE_WORDS_MIN: usize = 3;
/// The same where nothing but a comma parts it from others.
const WHOLE_WORDS_MIN: usize = 4;
/// Fewest parts of a list of notes, and how many words each has.
const LIST_PARTS_MIN: usize = 3;
const NOTE_WORDS_MIN: usize = 2;
const NOTE_WORDS_MAX: usize = 7;
/// Most parts between commas of a statement that is about one thing.
const PARTS_MAX: usize = 2;

/// A statement of several clauses of which another statement took the place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parted<'t> {
    /// The clause that was replaced.
    pub meant: &'t str,
    /// The others, of which the other statement says nothing.
    pub left: Vec<&'t str>,
}

/// Returns which clause of `old` was replaced by `new`, and what is left; `None` where `old` is one clause, or nobody can
/// tell which of them is meant.
///
/// ```
/// # use ken_core::supersede::parted;
/// let old = "The deck oven costs 890 euros; the spare stone stays at 140 euros.";
/// let parts = parted(old, "The deck oven costs 920 euros now.").expect("two clauses");
/// assert_eq!((parts.meant, parts.left), ("The deck oven costs 890 euros", vec!["the spare stone stays at 140 euros."]));
/// assert_eq!(parted("The deck oven costs 890 euros.", "The deck oven costs 920 euros now."), None);
/// ```
pub fn parted<'t>(old: &'t str, new: &str) -> Option<Parted<'t>> {
    let mut left = clauses(old);
    let meant = meant(&left, new)?;
    Some(Parted { meant: left.remove(meant), left })
}

/// Returns the clause of `old` that `new` took the place of: all of it where it is one clause; `None` where nobody can tell
/// which of them is meant.
pub(super) fn clause_meant<'t>(old: &'t str, new: &str) -> Option<&'t str> {
    let clauses = marked_clauses(old);
    if clauses.len() < 2 {
        return (breaks(old).len() < PARTS_MAX).then_some(old);
    }
    meant(&clauses, new).map(|meant| clauses[meant])
}

/// Which of several clauses says what another statement says otherwise.
fn meant(clauses: &[&str], new: &str) -> Option<usize> {
    if clauses.len() < 2 {
        return None;
    }
    let shared = |stems: fn(&str) -> BTreeSet<String>| -> Vec<usize> {
        let named: Vec<BTreeSet<String>> = clauses.iter().map(|clause| stems(clause)).collect();
        // What every clause says tells none of them apart.
        let is_of_all = |word: &String| named.iter().all(|clause| clause.contains(word));
        let said: BTreeSet<String> = stems(new).into_iter().filter(|word| !is_of_all(word)).collect();
        named.iter().map(|clause| clause.intersection(&said).count()).collect()
    };
    let is_any = |shared: &Vec<usize>| shared.iter().any(|n| *n > 0);
    // Where they share no name, common words and the number that is named as the former one say which is meant.
    let shared = Some(shared(stems)).filter(is_any).unwrap_or_else(|| shared(all_stems));
    let most = shared.iter().copied().max().filter(|most| *most > 0)?;
    let mut is_meant = (0..clauses.len()).filter(|n| shared[*n] == most);
    is_meant.next().filter(|_| is_meant.next().is_none())
}

/// Returns the clauses of a text, each of which may end without the others: at semicolons and at `, and`, at each comma where
/// each of them tells a number or says something of its own, and the items of a list of notes; a text of one clause is that.
pub fn clauses(text: &str) -> Vec<&str> {
    let marked = marked_clauses(text);
    if marked.len() == 1 { whole_clauses(text) } else { marked }
}

/// The same, without those that nothing but a comma parts.
fn marked_clauses(text: &str) -> Vec<&str> {
    let long = |clauses: &Vec<&str>| clauses.iter().all(|clause| words(clause).len() >= CLAUSE_WORDS_MIN);
    let tell = |clauses: &Vec<&str>| clauses.iter().all(|clause| clause.contains(|ch: char| ch.is_ascii_digit()));
    let at_commas: Vec<&str> = split_at_breaks(text).into_iter().map(bare).collect();
    if at_commas.len() > 1 && tell(&at_commas) && long(&at_commas) {
        return at_commas;
    }
    let mut items: Vec<&str> = text.split(", ").map(bare).collect();
    // The last item of a list may stand behind `and` alone: `…, Ada on the rota and Ben on the till`.
    let (last, joined) = (items.len() - 1, items[items.len() - 1].split_once(" and "));
    if let Some((before, behind)) = joined
        && [before, behind].iter().all(|half| words(half).len() >= NOTE_WORDS_MIN)
    {
        items.splice(last.., [before, behind]);
    }
    if !text.contains(';') && is_list(&items) {
        return items;
    }
    let halves: Vec<&str> = text.split("; ").flat_map(|half| half.split(", and ")).map(bare).collect();
    if halves.len() == 1
        && let Some(deeds) = deeds(text)
    {
        return deeds;
    }
    if long(&halves) { with_what_goes_on(text, &halves) } else { vec![text] }
}

/// The parts of a text, each with those behind it that only say more of it.
fn with_what_goes_on<'t>(text: &'t str, parts: &[&'t str]) -> Vec<&'t str> {
    let place = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for part in parts {
        let end = place(part) + part.len();
        match spans.last_mut().filter(|_| goes_on(part)) {
            Some(last) => last.1 = end,
            None => spans.push((place(part), end)),
        }
    }
    spans.into_iter().map(|(start, end)| &text[start..end]).collect()
}

/// The parts of a sentence between commas, where each but the first says something of its own: `Coffee 50 cents, the till stands by
/// the door`. A text of which a part only says more of the one before it is one.
fn whole_clauses(text: &str) -> Vec<&str> {
    static DETERMINERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.determiners));
    let parts: Vec<&str> = split_at_breaks(text).into_iter().map(bare).collect();
    let opens = |part: &str| {
        let first = words(part).first().map_or("", |word| word.of(part));
        let is_form = ["ing", "ed"].iter().any(|end| first.ends_with(end));
        DETERMINERS.has(&fold(first)) || !is_stop(first) && !is_count_or_date(first) && !is_form
    };
    let is_whole =
        |part: &&str| words(part).len() >= WHOLE_WORDS_MIN && opens(part) && !leans_back(part) && !goes_on(part);
    if parts[1..].iter().all(is_whole) { parts } else { vec![text] }
}

/// The parts of a sentence that says two things of one: `The oven holds 40 trays and uses 22 kW`, not `10 and 12 trays`.
fn deeds(text: &str) -> Option<Vec<&str>> {
    let is_number = |word: &str| word.starts_with(|ch: char| ch.is_ascii_digit()) || is_count_or_date(word);
    let tells = |part: &str| {
        let said = words(part);
        said.len() >= CLAUSE_WORDS_MIN && said.iter().any(|word| is_number(word.of(part)))
    };
    let (before, behind) = text.split_once(" and ")?;
    let first = words(behind).first()?.of(behind);
    let is_deed = !is_stop(first) && !is_number(first);
    (tells(before) && tells(behind) && is_deed).then(|| vec![before, behind])
}

/// Where the commas and semicolons of a text stand that part what it says: that of `3,800 euros` parts nothing.
pub(super) fn breaks(text: &str) -> Vec<usize> {
    let is_digit = |ch: char| ch.is_ascii_digit();
    let parts = |at: &usize| !(text[..*at].ends_with(is_digit) && text[at + 1..].starts_with(is_digit));
    text.match_indices([',', ';']).map(|(at, _)| at).filter(parts).collect()
}

fn split_at_breaks(text: &str) -> Vec<&str> {
    let breaks = breaks(text);
    let starts = std::iter::once(0).chain(breaks.iter().map(|at| at + 1));
    let ends = breaks.iter().copied().chain([text.len()]);
    starts.zip(ends).map(|(start, end)| &text[start..end]).collect()
}

/// Whether what stands between commas is a list of short notes: `flour from Ada, yeast from Ben, delivery on Fridays`.
fn is_list(parts: &[&str]) -> bool {
    let is_note = |part: &&str| {
        (NOTE_WORDS_MIN..=NOTE_WORDS_MAX).contains(&words(part).len()) && !leans_back(part) && !goes_on(part)
    };
    parts.len() >= LIST_PARTS_MIN && parts.iter().all(is_note)
}

/// Whether a part says more of the one before it: where it is, or why: `in the hall`, `because Ada wants it`.
fn goes_on(part: &str) -> bool {
    static OPENERS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let lists = LEXICONS.iter().flat_map(|lexicon| {
            let changes = &lexicon.changes;
            [changes.because, changes.at, changes.toward, changes.means]
        });
        let words = lists.flat_map(|list| list.split('|')).flat_map(|phrase| phrase.split('/'));
        words.filter(|word| !word.is_empty() && !word.contains([' ', '*'])).map(fold).collect()
    });
    let opens = words(part).first().is_some_and(|word| OPENERS.contains(&fold(word.of(part))));
    // `At most 12 things on a card` is a note.
    let mut bounds = LEXICONS.iter().flat_map(|lexicon| lexicon.changes.bounds.split('|'));
    opens && !bounds.any(|bound| !bound.is_empty() && fold(part).starts_with(bound))
}

fn bare(clause: &str) -> &str {
    let clause = clause.trim();
    clause.strip_prefix("and ").unwrap_or(clause)
}

/// The stems of what a text names, numbers and days aside.
fn stems(text: &str) -> BTreeSet<String> {
    let named = words(text).into_iter().map(|word| word.of(text));
    named
        .filter(|word| weight(word) == Weight::Strong && !is_count_or_date(word))
        .map(|word| stem(&fold(word)))
        .collect()
}

/// The stems of all words of a text but function words, and its numbers.
fn all_stems(text: &str) -> BTreeSet<String> {
    let said = words(text).into_iter().map(|word| fold(word.of(text)));
    said.filter(|word| !is_stop(word)).map(|word| stem(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: Option<&[&str]>) {
        assert_eq!(parted(old, new).map(|parts| parts.left).as_deref(), expected);
    }

    #[test]
    fn of_several_prices_those_that_nobody_changed_stay() {
        check(
            "The oven costs 890 euros, one extra stone costs 140 euros, and the training costs 40 euros a month",
            "The oven costs 950 euros.",
            Some(&["one extra stone costs 140 euros", "the training costs 40 euros a month"]),
        );
        check(
            "All prices include tax, and the oven budget is 2,000 euros.",
            "The oven budget is 2,600 euros now.",
            Some(&["All prices include tax"]),
        );
        check(
            "Two numbers I look up: a key allows 120 requests a minute, and the connection pool is 20.",
            "A key allows 300 requests a minute now instead of 120.",
            Some(&["the connection pool is 20."]),
        );
        check(
            "The oven costs 890 euros; the stone costs 140 euros; because it is heavy; the training is free of charge",
            "The oven costs 950 euros.",
            Some(&["the stone costs 140 euros; because it is heavy", "the training is free of charge"]),
        );
        check(
            "The big oven holds 40 trays and uses 22 kW.",
            "The big oven holds 36 trays since the repair.",
            Some(&["uses 22 kW."]),
        );
        check(
            "Coffee 50 cents, the till stands by the door.",
            "Coffee costs 70 cents now.",
            Some(&["the till stands by the door."]),
        );
        check(
            "Die Buchung läuft über Ovenhub, Link hängt an der Tür.",
            "Die Buchung läuft jetzt über Breadbox.",
            Some(&["Link hängt an der Tür."]),
        );
        check("The oven takes 40 trays and 12 tins of bread.", "The oven takes 36 trays now.", None);
        // A comma within a number parts nothing.
        check("The oven budget is 3,800 euros for 14 pans.", "The oven budget falls to 3,200 euros.", None);
        check(
            "Flour from Millbrook, yeast from Castor, delivery on Fridays.",
            "The flour comes from Redmill now.",
            Some(&["yeast from Castor", "delivery on Fridays."]),
        );
    }

    #[test]
    fn where_nobody_can_tell_which_clause_is_meant_none_stays() {
        for (old, new) in [
            ("Ada leads the bakery, and Ben leads the shop.", "Cleo leads now."),
            ("The oven is lit at five, at home.", "The oven is lit at six."),
            ("The oven is hot; the oven is old.", "The oven is cold."),
            ("The fair is on 6 May, two weeks later than planned.", "The fair is on 9 May now."),
            ("Ada leads the bakery, being the oldest one here.", "Ben leads the bakery now."),
            // Why and where something is ends with it.
            ("The order book is Ovenhub, in the hall, because one baker writes.", "The order book is Breadbox now."),
        ] {
            check(old, new, None);
        }
    }
}
