//! The words that say something of change, and where they stand in a sentence.
//!
//! A language lists them as phrases between `|`, see [`crate::language::Wording`]. They are compared word by word in small
//! letters, so that the phrases of a language cost next to nothing to make; `würde` is not `wurde`.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use crate::language::{LEXICONS, Language, Lexicon, Wording};

/// What a phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cue {
    /// Between the new and the old.
    Instead,
    /// The same where both are amounts or days; of words it only contrasts.
    Rather,
    /// Before the old, and between it and the new.
    From,
    To,
    Not,
    But,
    /// Behind a comma, between the new and the old.
    AndNot,
    Replaces,
    With,
    /// Behind the new and before the old.
    Formerly,
    Change,
    /// What changes an amount or a day.
    Alters,
    /// What begins a correction.
    Corrects,
    /// A verb of change behind which the new stands, whatever stood before the old.
    Switch,
    Takes,
    Gives,
    Owns,
    Keeps,
    Ends,
    /// What calls off something that was to happen.
    Cancels,
    /// What takes back what was said of what follows.
    Retracts,
    Back,
    Again,
    /// What says that something was looked at or tried.
    Finds,
    /// What is left beside what was named.
    Rest,
    /// What somebody is to do.
    Must,
    /// What says how many it takes.
    Enough,
    Unsure,
    /// What somebody wishes, thinks, asks or tries.
    Views,
    /// What happens to what another takes the place of.
    Departs,
    /// What calls a value unfit.
    Unfit,
    /// Before a day from which something holds.
    Since,
    /// Before a day before or after which it does.
    Effective,
    /// Before a day up to which it does.
    Until,
    /// Before and behind an hour of the day.
    Clock,
    ClockBehind,
    /// When something is, by a word that is no date.
    When,
    /// Behind an amount by which something differs.
    Offset,
    /// Behind a number of how often something happens.
    Times,
    /// Before whom or what has the place of another.
    Heir,
    /// Before a unit of time that is how often something happens.
    Each,
    Free,
    Also,
    Condition,
    /// Before the name of a thing.
    Named,
    Renames,
    /// Before a name that is no longer used: `formerly`.
    Once,
    /// Before what a thing is, where it is, by what means it works, where it comes from, where it goes.
    Is,
    At,
    Means,
    Of,
    Toward,
    As,
    /// What joins clauses.
    Joins,
    /// What joins one that says why, when or which.
    Because,
    /// What amounts are of.
    Unit,
    /// What something measures: `costs`.
    Measures,
    /// What says that an amount is the most or the least there may be.
    Bounds,
    /// By what something is somebody's to see to.
    Charge,
    /// What stands for something that was named before: `it`.
    Stands,
}

/// Where a phrase stands among the words of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) cue: Cue,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug)]
struct Phrase {
    cue: Cue,
    wording: Wording,
}

/// The phrases of one language.
#[derive(Debug)]
pub(super) struct Cues {
    phrases: Vec<Phrase>,
    /// Those that begin with a word, and those that begin with the beginning of one.
    by_word: BTreeMap<String, Vec<u16>>,
    by_prefix: BTreeMap<char, Vec<(String, u16)>>,
}

/// Returns the phrases of a language, which are made when the first statement in it is read.
pub(super) fn of(language: Language) -> &'static Cues {
    static ALL: LazyLock<Vec<OnceLock<Cues>>> = LazyLock::new(|| LEXICONS.iter().map(|_| OnceLock::new()).collect());
    ALL[language.place()].get_or_init(|| Cues::of(language.lexicon()))
}

impl Cues {
    fn of(lexicon: &Lexicon) -> Cues {
        let words = &lexicon.changes;
        let mut out = Cues { phrases: Vec::new(), by_word: BTreeMap::new(), by_prefix: BTreeMap::new() };
        for (cue, list) in [
            (Cue::Instead, words.instead),
            (Cue::Rather, words.rather),
            (Cue::From, words.from),
            (Cue::To, words.to),
            (Cue::Not, words.not),
            (Cue::But, words.but),
            (Cue::AndNot, words.and_not),
            (Cue::Replaces, words.replaces),
            (Cue::With, words.with),
            (Cue::Formerly, words.formerly),
            (Cue::Change, words.change),
            (Cue::Alters, words.alters),
            (Cue::Corrects, words.corrects),
            (Cue::Switch, words.switch),
            (Cue::Takes, words.takes),
            (Cue::Gives, words.gives),
            (Cue::Owns, words.owns),
            (Cue::Keeps, words.keeps),
            (Cue::Ends, words.ends),
            (Cue::Cancels, words.cancels),
            (Cue::Retracts, words.retracts),
            (Cue::Back, words.back),
            (Cue::Again, words.again),
            (Cue::Finds, words.finds),
            (Cue::Rest, words.rest),
            (Cue::Must, words.must),
            (Cue::Enough, words.enough),
            (Cue::Unsure, words.unsure),
            (Cue::Views, words.views),
            (Cue::Unfit, words.unfit),
            (Cue::Departs, words.departs),
            (Cue::Since, words.since),
            (Cue::Effective, words.effective),
            (Cue::Until, words.until),
            (Cue::Clock, words.clock),
            (Cue::ClockBehind, words.clock_behind),
            (Cue::When, words.when),
            (Cue::Offset, words.offsets),
            (Cue::Times, words.times),
            (Cue::Heir, words.heir),
            (Cue::Each, words.each),
            (Cue::Free, words.free),
            (Cue::Also, words.also),
            (Cue::Condition, words.condition),
            (Cue::Named, words.named),
            (Cue::Renames, words.renames),
            (Cue::Once, words.once),
            (Cue::Is, words.is),
            (Cue::At, words.at),
            (Cue::Means, words.means),
            (Cue::Of, words.of),
            (Cue::Toward, words.toward),
            (Cue::As, words.role),
            (Cue::Joins, words.joins),
            (Cue::Because, words.because),
            (Cue::Unit, words.units),
            (Cue::Measures, words.measures),
            (Cue::Bounds, words.bounds),
            (Cue::Charge, words.charge),
            (Cue::Stands, words.stands_for),
        ] {
            list.split('|').filter(|phrase| !phrase.trim().is_empty()).for_each(|phrase| out.add(cue, phrase));
        }
        out
    }

    fn add(&mut self, cue: Cue, phrase: &str) {
        let wording = Wording::of(phrase, str::to_lowercase);
        let at = u16::try_from(self.phrases.len()).expect("fewer phrases");
        for word in wording.first() {
            match word.strip_suffix('*') {
                Some(stem) => {
                    let first = stem.chars().next().unwrap_or(' ');
                    self.by_prefix.entry(first).or_default().push((stem.to_owned(), at));
                }
                None => self.by_word.entry(word.clone()).or_default().push(at),
            }
        }
        if !wording.first().is_empty() {
            self.phrases.push(Phrase { cue, wording });
        }
    }

    /// Returns the phrases that may begin with a word in small letters.
    pub(super) fn beginning(&self, word: &str) -> Vec<u16> {
        let mut out = self.by_word.get(word).cloned().unwrap_or_default();
        let first = word.chars().next().and_then(|first| self.by_prefix.get(&first));
        out.extend(first.into_iter().flatten().filter(|(stem, _)| word.starts_with(stem)).map(|(_, at)| *at));
        out
    }

    /// Whether one of some phrases is of a kind.
    pub(super) fn has(&self, phrases: &[u16], cue: Cue) -> bool {
        phrases.iter().any(|at| self.phrases[usize::from(*at)].cue == cue)
    }

    /// Returns a phrase where it stands, if it does, beginning with the first of some words.
    pub(super) fn at(&self, phrase: u16, said: &[&str]) -> Option<(Cue, usize)> {
        let phrase = &self.phrases[usize::from(phrase)];
        Some((phrase.cue, phrase.wording.length(said)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_have_endings_either_or_and_gaps() {
        let mut cues = Cues { phrases: Vec::new(), by_word: BTreeMap::new(), by_prefix: BTreeMap::new() };
        cues.add(Cue::Ends, "not ~2 any more");
        cues.add(Cue::Change, "postpon* to/until");
        let said = ["not", "baked", "any", "more"];
        assert_eq!(cues.beginning("not").iter().find_map(|at| cues.at(*at, &said)), Some((Cue::Ends, 4)));
        let said = ["postponed", "until", "may"];
        assert_eq!(cues.beginning("postponed").iter().find_map(|at| cues.at(*at, &said)), Some((Cue::Change, 2)));
        assert_eq!(cues.beginning("posted"), Vec::<u16>::new());
    }
}
