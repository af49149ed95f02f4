//! What a person rules in answer to an agent: what shall be so, with the reasons that they give beside it.
//!
//! "Make that 90. People plan a sweater for weeks, a month is too short" is one decision with its why. The sentences of a
//! paragraph that go together stand together, and in them one must settle something; what asks, has something done or turns
//! to another matter ends them.

use std::sync::{LazyLock, OnceLock};

use ken_core::language::{Sessions, WordSet, alternatives};
use ken_core::search::Asks;
use ken_core::words::{Weight, fold, weight, words};
use regex::{Captures, Regex, RegexBuilder};

use super::accepted::{AGREED, question_of, told_last};
use super::options::{Options, repeats};
use super::phrases::{Phrases, straight};
use super::sentence::{cut, typed_sentences, with_rest};
use super::units::units;

/// Longest ruling, in characters, and fewest words of one.
const RULING_CHARS_MAX: usize = 420;
const RULING_WORDS_MIN: usize = 5;
/// Fewest words of what tells something.
const TOLD_WORDS_MIN: usize = 6;

/// A piece of a person's reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What it rules.
    Ruled(String),
    /// What it tells besides.
    Told(String),
    /// Its sentences that ask, have something done, or say too little.
    Asked(Vec<String>),
}

/// Sorts the sentences of a reply to what an agent `offered`, paragraph by paragraph: each is another matter, unless the
/// one before it only chooses.
pub(super) fn reply(paragraphs: &[Vec<String>], offered: &str) -> Vec<Part> {
    let options = Options::of(&units(offered));
    let mut out = Reply { parts: Vec::new(), offered, options: &options };
    let mut run: Vec<String> = Vec::new();
    for paragraph in paragraphs {
        if run.iter().map(|sentence| sentence.split_whitespace().count()).sum::<usize>() > CHOICE_WORDS_MAX {
            out.close(&mut run);
        }
        for sentence in paragraph {
            let goes_on = goes_along(sentence);
            // `2. Add a test, please` counts what is asked.
            if !goes_on && run.len() == 1 && run[0].trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()) {
                out.asked([format!("{} {sentence}", std::mem::take(&mut run).concat())]);
                continue;
            }
            if !goes_on || !run.is_empty() && patterns().turning.is_match(&straight(sentence)) {
                out.close(&mut run);
            }
            if goes_on { run.push(sentence.clone()) } else { out.asked([sentence.clone()]) }
        }
    }
    out.close(&mut run);
    out.parts
}

/// A reply that is being sorted.
struct Reply<'a> {
    parts: Vec<Part>,
    offered: &'a str,
    options: &'a Options,
}

impl Reply<'_> {
    fn asked(&mut self, sentences: impl IntoIterator<Item = String>) {
        match self.parts.last_mut() {
            Some(Part::Asked(asked)) => asked.extend(sentences),
            _ => self.parts.push(Part::Asked(sentences.into_iter().collect())),
        }
    }

    /// Takes sentences that go together.
    fn close(&mut self, run: &mut Vec<String>) {
        let all = std::mem::take(run);
        if all.is_empty() {
            return;
        }
        let whole = |sentence: &String| self.options.spoken_of(sentence).unwrap_or_else(|| sentence.clone());
        if let Some((at, option)) = choice(&all, self.options) {
            let says_more = |one: &String| one.split_whitespace().count() > CHOICE_WORDS_MAX;
            // `hold on.` gives no reason.
            let tells = |one: &String| one.split_whitespace().count() >= WHY_WORDS_MIN && !repeats(one, option);
            let beside = all.iter().enumerate().filter(|(n, one)| tells(one) && (*n != at || says_more(one)));
            let why: Vec<String> = beside.map(|(_, one)| whole(one)).collect();
            let (why, left) = with_rest(&why, RULING_CHARS_MAX);
            let why = if why.is_empty() { why } else { format!(" — {why}") };
            self.parts.push(Part::Ruled(format!("{AGREED}{option}{why}")));
            self.parts.extend(in_pieces(left).map(Part::Ruled));
            return;
        }
        // Who says no to what was asked settles it; who says it to what was found gives that up.
        let settles = |sentence: &String| {
            rules(sentence)
                || denies(sentence) && question_of(self.offered).is_some()
                || self.options.chosen_by(sentence).is_some()
                || self.options.spoken_of(sentence).is_some()
        };
        let settling = all.iter().position(settles);
        let all: Vec<String> = all.iter().map(whole).collect();
        let n_words = all.iter().map(|sentence| sentence.split_whitespace().count()).sum::<usize>();
        match settling.filter(|_| n_words >= RULING_WORDS_MIN) {
            Some(settling) => self.ruled(&all, settling),
            None if n_words >= TOLD_WORDS_MIN => self.parts.extend(in_pieces(&with_denial(all)).map(Part::Told)),
            None => self.asked(with_denial(all)),
        }
    }

    /// Takes sentences of which the one at `settling` settles something: that stands first, and what there is no room for
    /// beside it by itself.
    fn ruled(&mut self, all: &[String], settling: usize) {
        let chars: usize = all[..=settling].iter().map(|sentence| sentence.chars().count() + 1).sum();
        let first = if chars > RULING_CHARS_MAX { settling } else { 0 };
        self.parts.extend(in_pieces(&all[..first]).map(Part::Told));
        let (text, left) = with_rest(&all[first..], RULING_CHARS_MAX);
        let plain = patterns().reaction.find(&text).map_or(text.as_str(), |found| &text[found.end()..]);
        // `The wall is wet, so 2, and soon` chooses behind its reason.
        let option = self.options.chosen_by(plain).or_else(|| self.options.chosen_by(&all[settling]));
        let option = option.map(|option| format!("{plain} ({option})"));
        // What is denied stays so: of `no, the lower one` the first word answers what was asked.
        let answers = settling == first && denies(&text) && question_of(self.offered).is_some();
        let bare = if answers { text.as_str() } else { plain };
        let beside = || if answers || settling == first { self.beside(bare, answers) } else { None };
        let whole = option.or_else(|| beside().map(|beside| format!("{bare} ({beside})")));
        let whole = whole.unwrap_or_else(|| bare.to_owned());
        self.parts.push(Part::Ruled(cut(&whole, 2 * RULING_CHARS_MAX)));
        self.parts.extend(in_pieces(left).map(Part::Ruled));
    }

    /// Returns what a ruling that says little alone takes up: what was asked, or what was said last. `Make that 90` says
    /// nothing without it.
    fn beside(&self, ruling: &str, answers: bool) -> Option<String> {
        let n_telling = |text: &str| words(text).iter().filter(|word| weight(word.of(text)) == Weight::Strong).count();
        let said = typed_sentences(ruling).first().copied().unwrap_or(ruling);
        let begun = said.split(['!', ';']).next().unwrap_or(said);
        let is_short = said.split_whitespace().count() <= BARE_WORDS_MAX || Phrases::get().is_pointing(said);
        // `No bell in the night` says what of.
        let plain = straight(ruling);
        let opens = self.parts.is_empty() && !patterns().turning.is_match(&plain) && !forbids(&plain);
        let says_little = opens && n_telling(begun) <= TAKES_UP_WORDS_MAX;
        // `Which one?` adds nothing.
        let tells = |question: &String| n_telling(question) > 0 || question.split_whitespace().count() > BARE_WORDS_MAX;
        let question =
            question_of(self.offered).filter(|question| (answers || is_short || says_little) && tells(question));
        let takes_up = says_little && !self.options.named_by(said);
        let told = || told_last(self.offered).filter(|told| takes_up && n_telling(told) >= TOLD_LAST_WORDS_MIN);
        let asked = question.map(|question| format!("asked: {question}"));
        asked.or_else(|| told().map(|told| format!("about: {told}")))
    }
}

/// Returns which of some sentences chooses an option in place of another, or says nothing but which it chooses, and that:
/// the first, else the last.
fn choice<'a>(all: &[String], options: &'a Options) -> Option<(usize, &'a str)> {
    let last = all.len().checked_sub(1)?;
    let chosen_in = |at: usize, said: &str, n_words_max: usize| {
        let is_bare = said.split_whitespace().count() <= n_words_max && options.spoken_of(said).is_none();
        let option = options.chosen_by(said).or_else(|| options.begun_by(said));
        option.filter(|_| is_bare).map(|option| (at, option))
    };
    // What a reply comes to at its end may go on; `… prescribes 25. so 2` has that behind a number.
    let concluded = |said: &str| chosen_in(last, said, CONCLUDED_WORDS_MAX);
    let at_end = || all[last].rsplit(". ").next().filter(|end| end.len() < all[last].len()).and_then(concluded);
    let instead = |at: usize| options.chosen_instead(&all[at]).map(|option| (at, option));
    let first = || chosen_in(0, &all[0], CHOICE_WORDS_MAX);
    let last = || if last > 0 { concluded(&all[last]) } else { None };
    (0..all.len()).find_map(instead).or_else(first).or_else(last).or_else(at_end)
}

/// Joins sentences to pieces no longer than a ruling.
fn in_pieces(mut left: &[String]) -> impl Iterator<Item = String> {
    let mut pieces = Vec::new();
    while !left.is_empty() {
        let (text, more) = with_rest(left, RULING_CHARS_MAX);
        pieces.push(text);
        left = more;
    }
    pieces.into_iter()
}

/// Sentences of which the first may only deny what was said, joined to what goes on with it: `no. the upper one` is
/// `no, the upper one`.
fn with_denial(mut all: Vec<String>) -> Vec<String> {
    if all.len() > 1 && !all[0].contains(' ') && denies(&format!("{} ", all[0])) {
        let first = all.remove(0);
        all[0] = format!("{}, {}", first.trim_end_matches(['.', ',', '!']), all[0]);
    }
    all
}

/// Fewest words of a reason.
const WHY_WORDS_MIN: usize = 3;
/// Most telling words of a sentence that takes up what an agent said last, and fewest of that.
const TAKES_UP_WORDS_MAX: usize = 2;
const TOLD_LAST_WORDS_MIN: usize = 2;
/// Most words of a sentence that only chooses.
const CHOICE_WORDS_MAX: usize = 5;
const CONCLUDED_WORDS_MAX: usize = 8;
/// Most words of a sentence that says nothing without what it answers.
const BARE_WORDS_MAX: usize = 3;

/// Whether a person rules something by a sentence of a reply: says what shall be, takes what was offered, or corrects it.
fn rules(sentence: &str) -> bool {
    let (phrases, plain) = (Phrases::get(), straight(sentence));
    // `Since it is full already` gives a reason for something else.
    if phrases.is_reason(&plain) && !plain.contains(',') {
        return false;
    }
    // `She always says that` and `only since Monday` say how it is.
    let plain = patterns().stating.replace_all(&plain, " ");
    patterns().ruling.is_match(&plain)
        || forbids(&plain)
        || leaves_out(&plain)
        || phrases.is_wish(&plain)
        || phrases.is_decision(&plain)
        || phrases.is_demand(&plain)
}

/// Whether a reply begins by denying what was said or asked before it.
fn denies(sentence: &str) -> bool {
    patterns().denial.is_match(sentence)
}

/// Whether something is not to be: `no magic`.
fn forbids(sentence: &str) -> bool {
    is_named(patterns().none.captures(sentence))
}

/// Whether a sentence says at its end what is not to be: `one oven, no bell`.
fn leaves_out(sentence: &str) -> bool {
    is_named(patterns().left_out.captures(sentence))
}

/// Whether what is not to be is anything: not so in `no worries`.
fn is_named(none: Option<Captures<'_>>) -> bool {
    none.and_then(|found| found.get(1)).is_some_and(|what| !IN_PASSING.has(&fold(what.as_str())))
}

/// Whether a sentence of a reply may go with those beside it: it asks nothing and has nothing done.
fn goes_along(sentence: &str) -> bool {
    let phrases = Phrases::get();
    let is_errand = || {
        phrases.is_asking(sentence)
            && !phrases.is_wish(sentence)
            && !phrases.is_decision(sentence)
            && !forbids(&straight(sentence))
    };
    !sentence.ends_with('?') && !asks(sentence) && !patterns().look.is_match(sentence) && !is_errand()
}

/// Whether a sentence asks without a question mark: `so why is the oven cold`, `I wonder how it heats`.
fn asks(sentence: &str) -> bool {
    let bare = patterns().lead.find(sentence).map_or(sentence, |found| &sentence[found.end()..]);
    Asks::opens(bare) || patterns().wondering.is_match(&straight(bare))
}

/// What stands behind `no` where nothing is forbidden: `no worries`.
static IN_PASSING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.sessions.in_passing));

/// A value or the mark of an option that somebody answers with: `45. `, `36h, `, `B. `.
const VALUE: &str = r"#?[0-9]{1,4} ?(?:%|[a-z]{1,3})?[.,;:](?: |$)|[a-e][.,:)] ";

/// What somebody speaks of, before what they say of it: `theme: leave it`.
const LABEL: &str = r"(?:(?:[^\s:.,;!?]+ ){0,2}[^\s:.,;!?]+: +)";

struct Patterns {
    ruling: Regex,
    stating: Regex,
    turning: Regex,
    wondering: Regex,
    look: Regex,
    none: Regex,
    left_out: Regex,
    denial: Regex,
    reaction: Regex,
    lead: Regex,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    let one_of = |list: fn(&Sessions) -> &'static str| alternatives(|lexicon| list(&lexicon.sessions));
    let compile = |pattern: String| {
        RegexBuilder::new(&pattern).case_insensitive(true).build().expect("the patterns are constants")
    };
    let reaction = format!("(?:{})", one_of(|sessions| sessions.reaction));
    let none = one_of(|sessions| sessions.forbidding);
    PATTERNS.get_or_init(|| Patterns {
        ruling: compile(format!(
            r"(?:^|[.!;] )(?:{LABEL}?(?:{reaction}[,.!:]* +)*(?:{})\b|(?:{reaction}[,.!:]* +)*(?:{VALUE})|{LABEL}[0-9]{{1,3}}[.,;])|\b(?:instead|rather)[.!]?$|\b(?:{})\b",
            one_of(|sessions| sessions.ruling_first),
            one_of(|sessions| sessions.ruling)
        )),
        stating: compile(format!(r"\b(?:{})\b", one_of(|sessions| sessions.stating))),
        turning: compile(format!(r"^(?:and |ok(?:ay)?,? |good[,.] )?(?:{})\b", one_of(|sessions| sessions.turning))),
        wondering: compile(format!(r"^(?:{})\b", one_of(|sessions| sessions.wondering))),
        // `Use the review skill on this`.
        look: compile(format!(r"^(?:{})\b", alternatives(|lexicon| lexicon.work.title_openers))),
        none: compile(format!(r"^(?:{reaction}[,.!:]* +)*(?:{none}) ([a-z]+)")),
        left_out: compile(format!(r", (?:{none}) ([a-z]+)[.!]?$")),
        denial: compile(format!(r"^(?:{})[,.!]+ ", one_of(|sessions| sessions.denial))),
        reaction: compile(format!(r"^(?:{reaction}[,.!:]+ +)+")),
        lead: compile(format!(r"^(?:{reaction}[,.!:]* +)+")),
    })
}
