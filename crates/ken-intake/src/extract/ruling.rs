//! What a person rules in answer to an agent: what shall be so, with the reasons that they give beside it.
//!
//! "Make that 90. People plan a sweater for weeks, a month is too short" is one decision with its why. The sentences of a
//! reply that go together stand together, and in them one must settle something; what asks, has something done or turns to
//! another matter ends them.

use std::sync::{LazyLock, OnceLock};

use ken_core::language::{Sessions, WordSet, alternatives};
use ken_core::words::fold;
use regex::{Regex, RegexBuilder};

use super::accepted::{option_of, question_of};
use super::phrases::{Phrases, straight};
use super::sentence::{cut, sentences, with_rest};

/// Longest ruling, in characters, and fewest words of one.
const RULING_CHARS_MAX: usize = 420;
const RULING_WORDS_MIN: usize = 5;

/// A reply of a person.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// What it rules.
    pub(super) rulings: Vec<String>,
    /// Its other sentences.
    pub(super) rest: Vec<String>,
}

/// Sorts the sentences of a reply to what an agent `offered`.
pub(super) fn reply(sentences: &[String], offered: &str) -> Reply {
    let mut out = Reply::default();
    let mut run: Vec<String> = Vec::new();
    for sentence in sentences {
        let goes_on = goes_along(sentence);
        if !goes_on || !run.is_empty() && patterns().turning.is_match(&straight(sentence)) {
            out.close(&mut run, offered);
        }
        if goes_on { run.push(sentence.clone()) } else { out.rest.push(sentence.clone()) }
    }
    out.close(&mut run, offered);
    out
}

impl Reply {
    /// Takes sentences that go together.
    fn close(&mut self, run: &mut Vec<String>, offered: &str) {
        let all = std::mem::take(run);
        // Who says no to what was asked settles it; who says it to what was found gives that up.
        let settles = |sentence: &String| rules(sentence) || denies(sentence) && question_of(offered).is_some();
        let settling = all.iter().position(settles);
        let n_words = all.iter().map(|sentence| sentence.split_whitespace().count()).sum::<usize>();
        let Some(settling) = settling.filter(|_| n_words >= RULING_WORDS_MIN) else {
            self.rest.extend(with_denial(all));
            return;
        };
        // What is settled stands first, and what there is no room for beside it by itself.
        let chars: usize = all[..=settling].iter().map(|sentence| sentence.chars().count() + 1).sum();
        let first = if chars > RULING_CHARS_MAX { settling } else { 0 };
        self.rest.extend(all[..first].iter().cloned());
        let (text, mut left) = with_rest(&all[first..], RULING_CHARS_MAX);
        let bare = patterns().reaction.find(&text).map_or(text.as_str(), |found| &text[found.end()..]);
        let option = option_of(bare, offered).map(|option| format!("{bare} ({option})"));
        // `Make that 90` says nothing without what was asked.
        let first = sentences(bare).first().copied().unwrap_or(bare);
        let is_bare = first.split_whitespace().count() <= BARE_WORDS_MAX || Phrases::get().is_pointing(first);
        let asked = || question_of(offered).filter(|_| is_bare).map(|question| format!("{bare} (asked: {question})"));
        let whole = option.or_else(asked).unwrap_or_else(|| bare.to_owned());
        self.rulings.push(cut(&whole, 2 * RULING_CHARS_MAX));
        while !left.is_empty() {
            let (text, more) = with_rest(left, RULING_CHARS_MAX);
            self.rulings.push(text);
            left = more;
        }
    }
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

/// Most words of a sentence that says nothing without what it answers.
const BARE_WORDS_MAX: usize = 3;

/// Whether a person rules something by a sentence of a reply: says what shall be, takes what was offered, or corrects it.
fn rules(sentence: &str) -> bool {
    let (phrases, plain) = (Phrases::get(), straight(sentence));
    patterns().ruling.is_match(&plain)
        || forbids(&plain)
        || phrases.is_wish(sentence)
        || phrases.is_decision(sentence)
        || phrases.is_demand(sentence)
}

/// Whether a reply begins by denying what was said or asked before it.
fn denies(sentence: &str) -> bool {
    patterns().denial.is_match(sentence)
}

/// Whether something is not to be: `no magic`.
fn forbids(sentence: &str) -> bool {
    let none = patterns().none.captures(sentence).and_then(|found| found.get(1));
    none.is_some_and(|what| !IN_PASSING.has(&fold(what.as_str())))
}

/// Whether a sentence of a reply may go with those beside it: it asks nothing and has nothing done.
fn goes_along(sentence: &str) -> bool {
    let phrases = Phrases::get();
    let is_errand = phrases.is_asking(sentence) && !phrases.is_wish(sentence) && !phrases.is_decision(sentence);
    !sentence.ends_with('?') && !is_errand
}

/// What stands behind `no` where nothing is forbidden: `no worries`.
static IN_PASSING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.sessions.in_passing));

/// A value or the mark of an option that somebody answers with: `45. `, `36h, `, `B. `.
const VALUE: &str = r"#?[0-9]{1,4} ?(?:%|[a-z]{1,3})?[.,;:] |[a-e][.,:)] ";

struct Patterns {
    ruling: Regex,
    turning: Regex,
    none: Regex,
    denial: Regex,
    reaction: Regex,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    let one_of = |list: fn(&Sessions) -> &'static str| alternatives(|lexicon| list(&lexicon.sessions));
    let compile = |pattern: String| {
        RegexBuilder::new(&pattern).case_insensitive(true).build().expect("the patterns are constants")
    };
    let reaction = format!("(?:{})", one_of(|sessions| sessions.reaction));
    PATTERNS.get_or_init(|| Patterns {
        ruling: compile(format!(
            r"(?:^|[.!;] )(?:{reaction}[,.!:]* +)*(?:(?:{})\b|{VALUE})|\b(?:instead|rather)[.!]?$|\b(?:{})\b",
            one_of(|sessions| sessions.ruling_first),
            one_of(|sessions| sessions.ruling)
        )),
        turning: compile(format!(r"^(?:and |ok(?:ay)?,? |good[,.] )?(?:{})\b", one_of(|sessions| sessions.turning))),
        none: compile(format!(r"^(?:{}) ([a-z]+)", one_of(|sessions| sessions.forbidding))),
        denial: compile(format!(r"^(?:{})[,.!]+ ", one_of(|sessions| sessions.denial))),
        reaction: compile(format!(r"^(?:{reaction}[,.!:]+ +)+")),
    })
}
