//! Which terms of an index a word that stands nowhere in it may be a misspelling of.
//!
//! An index holds stems, and a misspelt word has another stem than the word that was meant, or none: `migratoin`
//! ends in nothing that a stemmer knows. So a term is compared with the beginning of the word, and what is left of
//! the word with the endings that this term takes; then the texts that have the term say how it is written there.
//!
//! Most words that stand nowhere are no misspellings, and most short words have neighbours that mean something else
//! (`stale` and `state`, `rewind` and `remind`). So few wrong letters are allowed for, and of a short word none that
//! is another: only letters that are missing, too many, or in each other's place.

use crate::language::Language;
use crate::search::tokens::{TokenKind, runs, tokens};
use crate::search::word::Word;
use crate::words::fold;

/// Shorter words have too many neighbours, and longer ones are none.
const LETTERS_MIN: usize = 5;
const LETTERS_MAX: usize = 40;
/// From this length on a letter may be another, and what is found is likely to be meant.
const LETTERS_OF_LONG: usize = 8;
/// From this length on two letters may be wrong, else one.
const LETTERS_OF_TWO: usize = 12;
/// Terms that are searched for in the place of one word, of so many that are looked up in texts.
const MEANT_MAX: usize = 3;
const CANDIDATES_MAX: usize = 8;
/// The most letters that may be wrong.
const EDITS_MAX: usize = 2;
/// Fewest letters of a term.
const TERM_LETTERS_MIN: usize = 3;

/// What stemmers take off, longest words' endings included. One is used only where the stemmer itself gives the term
/// back, so that it does not matter which language it is of.
const ENDINGS: [&str; 62] = [
    "e", "s", "es", "ed", "er", "ers", "ing", "ings", "ion", "ions", "ation", "ations", "ication", "ications", "ment",
    "ments", "ness", "able", "ible", "al", "ally", "ly", "ity", "ities", "ive", "ize", "ized", "izes", "izing", "ism",
    "ist", "ists", "ance", "ence", "ful", "less", "or", "ors", "ate", "ated", "ates", "ating", "ic", "ical", "a", "i",
    "o", "as", "os", "en", "ern", "ung", "ungen", "heit", "keit", "are", "ato", "azione", "azioni", "mente", "acion",
    "aciones",
];
const ENDING_LETTERS_MAX: usize = 9;

/// A term that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// As it stands in the index.
    pub term: String,
    /// As it is written where it stands; empty before a text was heard.
    pub word: String,
    /// How many letters are wrong, missing, too many, or in each other's place.
    n_edits: usize,
    /// Whether its first letter is another.
    is_other_first: bool,
    /// Documents that have it.
    n_docs: usize,
}

impl Meant {
    /// The nearest first, then what stands in the most documents.
    fn rank(&self) -> (usize, bool, std::cmp::Reverse<usize>) {
        (self.n_edits, self.is_other_first, std::cmp::Reverse(self.n_docs))
    }
}

/// A word that stands nowhere, and what may have been meant.
#[derive(Debug)]
pub struct Speller<'l> {
    word: Vec<char>,
    n_edits_max: usize,
    languages: &'l [Language],
    found: Vec<Meant>,
}

impl<'l> Speller<'l> {
    /// Returns the word as one that may be misspelt; none for what is short, no single word of letters, or a day.
    pub fn of(word: &Word, languages: &'l [Language]) -> Option<Speller<'l>> {
        let folded: Vec<char> = fold(&word.text).chars().collect();
        let is_cased = |ch: &char| ch.is_lowercase();
        // `maxRetires` is several words, and so is what has no letters with cases.
        let is_one = word.text.chars().skip(1).all(char::is_lowercase) || word.text.chars().all(char::is_uppercase);
        let may_be = word.is_asked()
            && word.kind == TokenKind::Part
            && !word.is_date
            && !word.is_quoted
            && is_one
            && (LETTERS_MIN..=LETTERS_MAX).contains(&folded.len())
            && folded.iter().all(is_cased);
        let n_edits_max = if folded.len() >= LETTERS_OF_TWO { EDITS_MAX } else { 1 };
        may_be.then(|| Speller { word: folded, n_edits_max, languages, found: Vec::new() })
    }

    /// Returns the letters that a term may begin with: the word's own first one, and the one behind it, since the two
    /// may be in each other's place.
    pub fn first_letters(&self) -> Vec<String> {
        let mut letters: Vec<String> = self.word[..2].iter().map(char::to_string).collect();
        letters.dedup();
        letters
    }

    /// Compares a term of the index, which stands in `n_docs` documents.
    pub fn compare(&mut self, term: &str, n_docs: usize) {
        // Most terms go here, before anything is made of them.
        let n_letters = term.chars().count();
        let n_min = self.word.len().saturating_sub(ENDING_LETTERS_MAX + self.n_edits_max).max(TERM_LETTERS_MIN);
        if !(n_min..=self.word.len() + self.n_edits_max).contains(&n_letters) {
            return;
        }
        let mut letters = [' '; LETTERS_MAX + EDITS_MAX];
        letters.iter_mut().zip(term.chars()).for_each(|(to, letter)| *to = letter);
        let letters = &letters[..n_letters];
        let spelled = self.edits_of(letters, term);
        // English stems end in `i` where words end in `y`.
        let with_y = term.strip_suffix('i').and_then(|start| {
            let word = format!("{start}y");
            self.edits_of(&word.chars().collect::<Vec<char>>(), &word)
        });
        let Some(n_edits) = spelled.into_iter().chain(with_y).min() else { return };
        if let Some(known) = self.found.iter_mut().find(|one| one.term == term) {
            known.n_docs += n_docs;
            return;
        }
        let is_other_first = letters[0] != self.word[0];
        self.found.push(Meant { term: term.to_owned(), word: String::new(), n_edits, is_other_first, n_docs });
    }

    /// Returns the terms that may have been meant, the nearest first; texts have to say how they are written.
    pub fn candidates(&mut self) -> Vec<Meant> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by(|a, b| a.rank().cmp(&b.rank()).then_with(|| a.term.cmp(&b.term)));
        found.truncate(CANDIDATES_MAX);
        found
    }

    /// Takes from a text how a term is written, if that is near enough.
    pub fn hear(&self, meant: &mut Meant, text: &str) {
        for (_, run) in runs(text) {
            let is_it = |language: &Language| {
                let found = tokens(run, *language);
                found.len() == 1 && found[0].term == meant.term
            };
            if !run.chars().all(char::is_alphabetic) || !self.languages.iter().any(is_it) {
                continue;
            }
            let word = fold(run);
            if let Some(n_edits) = self.edits(&word).filter(|n| meant.word.is_empty() || *n < meant.n_edits) {
                (meant.word, meant.n_edits) = (word, n_edits);
            }
        }
    }

    /// Returns the nearest of what was found written, in the most documents first.
    pub fn nearest(&self, mut meant: Vec<Meant>) -> Vec<Meant> {
        meant.retain(|one| !one.word.is_empty());
        meant.sort_by(|a, b| a.rank().cmp(&b.rank()).then_with(|| a.term.cmp(&b.term)));
        let nearest = meant.first().map(|one| (one.n_edits, one.is_other_first));
        meant.retain(|one| Some((one.n_edits, one.is_other_first)) == nearest);
        meant.truncate(MEANT_MAX);
        meant
    }

    /// Returns whether a word that is near enough is likely to be what was meant: long words have few neighbours, and
    /// letters in each other's place are slips. Another last letter makes another form, or another word.
    pub fn is_likely(&self, meant: &str) -> bool {
        self.is_long() && self.ends_like(meant) || self.has_letters_of(meant)
    }

    fn ends_like(&self, other: &str) -> bool {
        self.word.last().copied() == other.chars().last()
    }

    fn is_long(&self) -> bool {
        self.word.len() >= LETTERS_OF_LONG
    }

    /// Whether another word has the same letters, in whatever order.
    fn has_letters_of(&self, other: &str) -> bool {
        let mut letters: [Vec<char>; 2] = [self.word.clone(), other.chars().collect()];
        letters.iter_mut().for_each(|letters| letters.sort_unstable());
        letters[0] == letters[1]
    }

    /// The edits that make the word from another, if they are few enough.
    fn edits(&self, other: &str) -> Option<usize> {
        let word: String = self.word.iter().collect();
        let n_edits = strsim::osa_distance(&word, other);
        // Two letters that are others make another word, and so does one of a short word.
        let is_slip = self.is_long() && n_edits < 2 && self.ends_like(other);
        let may_be = is_slip || other.chars().count() != self.word.len() || self.has_letters_of(other);
        (n_edits <= self.n_edits_max && may_be).then_some(n_edits)
    }

    /// The fewest edits by which the word may be one with this stem.
    fn edits_of(&self, letters: &[char], term: &str) -> Option<usize> {
        let of_beginning = |(n_letters, n_edits): (usize, usize)| {
            let rest: String = self.word[n_letters..].iter().collect();
            if rest.is_empty() || self.is_stem_of(term, &format!("{term}{rest}")) {
                return Some(n_edits);
            }
            let endings = ENDINGS.iter().map(|ending| (n_edits + strsim::osa_distance(ending, &rest), *ending));
            let near = endings.filter(|(n_edits, _)| *n_edits <= self.n_edits_max);
            near.filter(|(_, ending)| self.is_stem_of(term, &format!("{term}{ending}"))).map(|(n, _)| n).min()
        };
        edits_of_beginnings(letters, &self.word, self.n_edits_max).into_iter().filter_map(of_beginning).min()
    }

    fn is_stem_of(&self, term: &str, word: &str) -> bool {
        self.languages.iter().any(|language| language.stem(word) == term)
    }
}

/// For each beginning of a word that a term is within so many edits of: its letters, and the edits. Letters that stand
/// in each other's place are one edit (optimal string alignment).
fn edits_of_beginnings(term: &[char], word: &[char], n_max: usize) -> Vec<(usize, usize)> {
    let far = n_max as u8 + 1;
    // The rows of this letter, the one before, and the one before that, in turn.
    let mut rows = [[far; LETTERS_MAX + 1]; 3];
    rows[2] = std::array::from_fn(|n| (n as u8).min(far));
    for (i, letter) in term.iter().enumerate() {
        let [last, row, next] = [(i + 1) % 3, (i + 2) % 3, i % 3];
        rows[next] = [far; LETTERS_MAX + 1];
        let mut nearest = far;
        // Further from the diagonal there are more edits than may be.
        let from = (i + 1).saturating_sub(n_max);
        let to = (i + 1 + n_max).min(word.len());
        for j in from..=to {
            let mut edits = rows[row][j] + 1;
            if j > 0 {
                edits = edits.min(rows[next][j - 1] + 1).min(rows[row][j - 1] + u8::from(word[j - 1] != *letter));
                if j > 1 && i > 0 && word[j - 2] == *letter && word[j - 1] == term[i - 1] {
                    edits = edits.min(rows[last][j - 2] + 1);
                }
            }
            rows[next][j] = edits.min(far);
            nearest = nearest.min(edits);
        }
        if nearest >= far {
            return Vec::new();
        }
    }
    let row = &rows[(term.len() + 2) % 3][..=word.len()];
    row.iter().enumerate().filter(|(_, edits)| **edits < far).map(|(n, edits)| (n, usize::from(*edits))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::question::Question;

    /// What is searched for in the place of a word, of an index that holds these words.
    fn meant(asked: &str, known: &[&str]) -> String {
        let languages = [Language::ENGLISH];
        let question = Question::read(asked, &languages);
        let Some(mut speller) = Speller::of(&question.words[0], &languages) else { return "-".to_owned() };
        let firsts = speller.first_letters();
        for word in known {
            let term = Language::ENGLISH.stem(word);
            if firsts.iter().any(|first| term.starts_with(first.as_str())) {
                speller.compare(&term, 1);
            }
        }
        let mut meant = speller.candidates();
        meant.iter_mut().for_each(|one| speller.hear(one, &known.join(" ")));
        speller.nearest(meant).into_iter().map(|one| one.word).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(asked: &str, known: &[&str], expected: &str) {
        assert_eq!(meant(asked, known), expected, "{asked}");
    }

    #[test]
    fn a_misspelt_word_is_the_nearest_that_is_known() {
        check("authentification", &["authentication", "authority"], "authentication");
        check("kuberntes", &["kubernetes", "kube"], "kubernetes");
        check("migratoin", &["migration", "migrant"], "migration");
        check("roation", &["rotation", "ration"], "ration rotation");
        check("telemtry", &["telemetry"], "telemetry");
        check("polciy", &["policy", "police"], "policy");
        check("ekrnel", &["kernel"], "kernel");
        check("runing", &["running", "ruin"], "running");
        check("dashbord", &["dashboard"], "dashboard");
        check("recieve", &["receive"], "receive");
    }

    #[test]
    fn what_is_short_or_no_single_word_is_as_it_is() {
        for asked in ["oven", "maxRetires", "max_retires", "v1kernel", "\"kernal\"", "認証設定方法"] {
            check(asked, &["ovens", "retries", "kernel"], "-");
        }
    }

    #[test]
    fn too_many_wrong_letters_are_another_word() {
        check("kernal", &["kettle"], "");
        check("marisol", &["marlson"], "");
        check("retention", &["detention"], "");
        check("detection", &["direction"], "");
        check("condensation", &["conversation"], "");
        check("directory", &["directors"], "");
        check("stale", &["state", "stables"], "");
        check("helper", &["help", "helped"], "");
    }
}
