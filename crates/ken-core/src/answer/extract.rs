//! Answers by picking sentences as they stand.
//!
//! A sentence counts by what the text around it counts for the question, by the share of the question that it
//! holds itself, and by its form: whether it has what is asked for, says something that the question does not,
//! and speaks of what the question names. Further ones are taken while they are worth it and say something
//! else, those beside a taken one first.

mod around;
mod in_place;
mod later;
mod named;
mod pick;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::chat::said_by;
use crate::language::{LEXICONS, WordSet};
use crate::page::outline::{COMMANDS, names_next};
use crate::revised::Revision;
use crate::search::close::{Close, DocKind, FoundDoc, Said, share_in};
use crate::search::unit::Unit;
use crate::search::{Asks, Cue};
use crate::span::Span;
use crate::supersede::takes_back;
use crate::time::Date;
use crate::timeline::names_price;
use crate::when::DateWords;
use crate::words::{self, Weight, fold};

use super::request::{asking_words, is_request};
use super::{Answer, Citable, Consulted, LINES_BETWEEN, Sentence};
use around::{beside, by_names, is_begun, led_to};
use in_place::{date_of, is_to_come, lead_on, old_day, stated};
use pick::Picking;

/// How much may be picked.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Sentences, and characters of all of them with their places.
    sentences: usize,
    chars: usize,
    /// Pages and pieces of evidence that they are taken from.
    places: usize,
    /// What a further sentence must be worth as a share of the best one, and hold of the question.
    share_min: f32,
    holds_min: f32,
}

/// An answer.
const ANSWER: Room = Room { sentences: 5, chars: 480, places: 4, share_min: 0.45, holds_min: HOLDS_MIN };
/// The same where no sentence holds most of the question and has what is asked for: another may have it.
const IN_PART: Room = Room { sentences: 8, chars: 1000, places: 3, share_min: 0.35, holds_min: 0.15 };
/// The same where a list is asked for.
const LIST: Room = Room { sentences: 8, chars: 800, ..ANSWER };
/// The same where it is asked how something changed: each of its values is one sentence, said on another day.
const HISTORY: Room = Room { sentences: 8, chars: 900, places: 8, share_min: 0.25, holds_min: 0.15 };
/// What is closest, where nothing answers for sure: whoever asked looks through it.
const CLOSEST: Room = Room { sentences: 10, chars: 1800, places: 3, share_min: 0.2, holds_min: 0.15 };
/// What the share of the question counts that a sentence holds, and the share that one beside it holds.
const SHARE: f32 = 1.2;
const BESIDE: f32 = 0.4;
/// What it counts in a reply of a person that what the agent said before it holds of the question, and from which share of it
/// on the reply has a part in the question.
const REPLIED: f32 = 0.8;
const REPLIED_MIN: f32 = 0.25;
/// What it counts that neighbours of the question are neighbours in the sentence.
const PAIRS: f32 = 0.3;
/// What is left of a sentence that says fewer new words than this.
const NEW_WORDS_MIN: usize = 3;
const NOTHING_NEW: f32 = 0.8;
/// What is left of one that asks, of chatter, and of a short item.
const ASKING: f32 = 0.6;
const CHATTER: f32 = 0.6;
/// What is left of what a person began a session with, where a reason is asked for: they tell what they saw, as the question
/// does, and the reason was found later.
const BEGUN: f32 = 0.5;
/// What is left of a command or a file of a page's lists, and where a reason, a time or a number is asked for: none is in them.
const DONE: f32 = 0.7;
const DONE_ASKED: f32 = 0.2;
/// What a command gains that has a word of a question for one: it says nothing else.
const COMMAND: f32 = 1.6;
const SHORT_CHARS: usize = 60;
const SHORT: f32 = 0.7;
/// What one gains that has what is asked for.
const ASKED_FOR: f32 = 1.6;
/// What the tldr of a page gains where it is asked what that is.
const DEFINES: f32 = 1.3;
/// Most words of a name of which the question has the last: `database` of `the order database`.
const NAME_WORDS_MAX: usize = 2;
/// What one gains in a chat that is said by whom the question asks about.
const SPOKEN: f32 = 1.5;
/// What a sentence of a page gains: a page is worth opening.
const ON_A_PAGE: f32 = 1.1;
/// What is left of one of a document's page: the document says it too, with what stands around it.
const OF_A_DOCUMENT: f32 = 0.9;
/// What is left of what no longer holds, and of what a later sentence says, too, with this share of what it says.
const SUPERSEDED: f32 = 0.25;
/// The same where it says what holds instead.
const SAYS_NOW: f32 = 0.7;
const OVERTAKEN: f32 = 0.4;
const OVERTAKEN_SHARE: f32 = 0.85;
const OVERTAKEN_WORDS: f32 = 0.5;
/// What is left of one that only takes back what was said.
const TAKES_BACK: f32 = 0.25;
/// What is left of one that tells how a document changed, beside what the document says.
const RETOLD: f32 = 0.5;
/// What is left of one without a value where it is asked how something changed.
const WITHOUT_VALUE: f32 = 0.5;
/// Its length counts by this power, as if it were so many characters longer.
const LENGTH_POWER: f32 = 0.12;
const LENGTH_BASE: f32 = 150.0;
/// What a further sentence gains beside a taken one, and what is left of one from another document.
const NEXT_TO: f32 = 1.25;
const ELSEWHERE: f32 = 0.6;
/// What the best sentence must hold of the question, and each further one of an answer.
const HOLDS_MIN: f32 = 0.25;
/// What a tldr must hold of the question to lead, as a share of what the sentence holds that holds most.
const LEADS: f32 = 0.9;
/// What a sentence must hold of the question to be sure to answer it.
const SURE_SHARE: f32 = 0.3;
/// From this share of the question on a sentence answers it, and then the most that others lose for saying the same.
const WHOLE: f32 = 0.6;
const AGAIN: f32 = 0.4;
/// A sentence says nothing new when a taken one holds more than this share of its words.
const SAME_SHARE: f32 = 0.75;
/// Headings of compiled pages under which nothing is settled.
const OPEN_SECTIONS: &[&str] = &["Asked", "Open"];
/// Returns the sentences that answer a question, of what was consulted, best place first, and whether any of them
/// holds enough of the question to be sure, if anything that was found `may_be_sure`; `worth` is what the text around each of
/// them counts. Where none is sure there are more of them.
pub fn extract(
    close: &mut Close<'_>,
    consulted: &[Consulted],
    (worth, may_be_sure): (&[Vec<f32>], bool),
) -> (Answer, bool) {
    let (mut candidates, asked) = (candidates(close, consulted, worth), Asked::of(close));
    if !asked.is_history {
        lead_on(&mut candidates, consulted, (close.asks().is_some(), asked.until));
    }
    let picking = Picking { asked, candidates: &candidates, consulted, weights: close.weights() };
    let is_sure = |picked: &[&Candidate<'_>]| {
        let holds = picked.iter().any(|one| one.share >= SURE_SHARE && !one.is_request);
        may_be_sure && holds && is_answered(close, picked) && names_one(close, &candidates, picked)
    };
    let room = match asked {
        Asked { is_list: true, .. } => LIST,
        Asked { is_history: true, .. } => HISTORY,
        _ => ANSWER,
    };
    let answer = picking.pick(room);
    let mut picked = answer.clone();
    let is_met = close.asks().is_none() || answer.iter().any(|one| one.is_met);
    if !asked.is_list && !asked.is_history && (picking.share(&answer) < WHOLE || !is_met) {
        picked = picking.pick(IN_PART);
    }
    let is_sure = is_sure(&picked);
    if !is_sure {
        picked = picking.pick(CLOSEST);
    }
    let sentence = |(one, text): (&Candidate<'_>, &str)| Sentence {
        text: text.to_owned(),
        is_superseded: one.citable.is_superseded,
        citations: vec![consulted[one.place].cite(one.citable)],
    };
    // Places in the order of their best sentence, in each of them the order of reading.
    let mut places: Vec<usize> = Vec::new();
    picked.iter().for_each(|one| places.extend(Some(one.place).filter(|place| !places.contains(place))));
    let mut ordered = picked;
    let asks_what = close.asks().is_none();
    let most = ordered.iter().map(|one| one.share).fold(0.0, f32::max);
    let at = |one: &&Candidate<'_>| places.iter().position(|place| *place == one.place);
    let said_on = |one: &&Candidate<'_>| if one.citable.is_superseded { old_day(one) } else { one.date };
    match asked.is_history {
        // A history is told from its beginning.
        true => ordered.sort_by_key(|one| (said_on(one).is_none(), said_on(one), at(one), one.nth)),
        // What has what is asked for leads.
        false => ordered.sort_by_key(|one| {
            // What took the place of something leads where that held as much of the question as anything.
            let is_led_to = one.in_place_of.is_some();
            let is_besides = !one.is_met && if asks_what { !is_led_to || one.share < WHOLE * most } else { is_led_to };
            let is_further = !answer.iter().any(|known| std::ptr::eq(*known, *one));
            // What leads a page leads the answer where nothing that stands there holds more of the question.
            let leads = one.citable.is_tldr && one.holds && one.share >= LEADS * most;
            (one.citable.is_superseded, is_further, is_besides, at(one), !leads, one.nth)
        }),
    }
    let mut last: Option<&Candidate<'_>> = None;
    let said = ordered.into_iter().map(|one| (one, said_after(last.replace(one), one)));
    (Answer { sentences: said.map(sentence).collect() }, is_sure)
}

/// Whether a number is among what was picked, where the price of something is asked: `How much does the flour cost?` is not
/// answered by who sells it.
fn is_answered(close: &Close<'_>, picked: &[&Candidate<'_>]) -> bool {
    let asks_for_price = close.asks() == Some(Asks::Amount) && names_price(&close.question().text);
    !asks_for_price || picked.iter().any(|one| one.is_met)
}

/// Whether what was picked stands where a name of the question is said, if it has any: what is said of another answers nothing
/// of it.
fn names_one(close: &Close<'_>, all: &[Candidate<'_>], picked: &[&Candidate<'_>]) -> bool {
    let is_name = |n: &usize| close.weights()[*n] > 0.0 && close.question().is_name(*n);
    let mut names = (0..close.weights().len()).filter(is_name).peekable();
    let is_here = |one: &Candidate<'_>| picked.iter().any(|known| known.place == one.place);
    names.peek().is_none() || names.any(|n| all.iter().any(|one| is_here(one) && one.said.has[n] > 0.0))
}

/// Returns the sentences of the place that counts most, for a question none of whose words stand in any; `worth` is
/// what the text around each of them counts.
pub fn nearest(consulted: &[Consulted], worth: &[Vec<f32>]) -> Answer {
    let best_of = |worth: &Vec<f32>| worth.iter().copied().fold(0.0, f32::max);
    let Some((place, most)) =
        worth.iter().map(best_of).enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    else {
        return Answer::default();
    };
    let one = &consulted[place];
    let mut n_left = ANSWER.chars;
    let fits = |citable: &&Citable| {
        let n_chars = citable.text.chars().count();
        let fits = n_chars <= n_left;
        n_left = n_left.saturating_sub(n_chars);
        fits
    };
    let found =
        one.citables.iter().zip(&worth[place]).filter(|(citable, worth)| **worth >= most && !citable.is_superseded);
    let taken = found.map(|(citable, _)| citable).take_while(fits).take(ANSWER.sentences);
    let sentence = |citable: &Citable| Sentence {
        text: citable.text.clone(),
        is_superseded: false,
        citations: vec![one.cite(citable)],
    };
    Answer { sentences: taken.map(sentence).collect() }
}

/// The words of a sentence: in a chat without who says it, where the one before has said that.
fn said_after<'c>(last: Option<&Candidate<'_>>, one: &'c Candidate<'_>) -> &'c str {
    let Citable { text, lines, speaker, is_superseded, .. } = one.citable;
    let goes_on = last.is_some_and(|last| {
        let before = last.citable;
        (last.place, last.nth + 1, &before.speaker, before.is_superseded)
            == (one.place, one.nth, speaker, *is_superseded)
            && lines.0 <= before.lines.1 + LINES_BETWEEN
    });
    let bare = text.strip_prefix(speaker.as_str()).and_then(|rest| rest.strip_prefix(": "));
    bare.filter(|_| goes_on && !speaker.is_empty()).unwrap_or(text)
}

/// What a question asks for beside its words.
#[derive(Debug, Clone, Copy)]
struct Asked {
    /// More than one place answers: a list, a history, what holds now.
    is_wide: bool,
    is_list: bool,
    /// What holds now: later sentences overtake earlier ones.
    is_present: bool,
    is_history: bool,
    /// Why something is so: what was said later of it gives no reason.
    is_reason: bool,
    /// The day on which it is asked what held.
    until: Option<Date>,
}

impl Asked {
    fn of(close: &Close<'_>) -> Asked {
        let question = close.question();
        let (is_list, is_history) = (close.asks() == Some(Asks::Open), close.asks() == Some(Asks::Change));
        let is_past = Asks::is_of_past(&question.text) || Cue::of(&question.text) == Some(Cue::Early);
        let day = |days: &DateWords| days.period.to.filter(|to| days.period.from == Some(*to));
        let until = question.on.or_else(|| question.days.iter().filter_map(day).max());
        let is_present = !is_past && !is_history && question.days.is_empty() && question.on.is_none();
        Asked {
            is_wide: is_list || is_history || is_present || question.on.is_some(),
            is_list,
            is_present,
            is_history,
            is_reason: close.asks() == Some(Asks::Reason),
            until,
        }
    }
}

/// What a question asks the number of, where one of that is said: then other numbers answer less.
fn counted(close: &Close<'_>, consulted: &[Consulted]) -> Option<String> {
    let counted = Asks::counted(&close.question().text)?;
    let mut all = consulted.iter().flat_map(|one| &one.citables);
    all.any(|citable| Asks::counts(&stated(citable), &counted)).then_some(counted)
}

struct Candidate<'a> {
    place: usize,
    nth: usize,
    citable: &'a Citable,
    date: Option<Date>,
    said: Said,
    /// The share of the question that it holds, what stands above it included.
    share: f32,
    /// The share that what it replies to holds.
    replied: f32,
    /// Whether it holds a word of the question itself, or replies to what does.
    holds: bool,
    /// Whether it has what is asked for: a number, a reason, a name.
    is_met: bool,
    /// Whether somebody is asked for it there: `Please settle when the shop opens.`
    is_request: bool,
    /// Which one it took the place of that answers.
    in_place_of: Option<usize>,
    value: f32,
}

fn candidates<'a>(close: &mut Close<'_>, consulted: &'a [Consulted], worth: &[Vec<f32>]) -> Vec<Candidate<'a>> {
    let texts: Vec<(String, Vec<Unit>, String)> = consulted.iter().map(units_of).collect();
    let docs: Vec<FoundDoc<'_>> = consulted
        .iter()
        .zip(&texts)
        .map(|(one, (text, units, title))| {
            let units =
                units.iter().zip(&one.citables).map(|(unit, citable)| (unit, citable.heading.as_str())).collect();
            FoundDoc { text, title, date: one.date, units, kind: DocKind::Other }
        })
        .collect();
    let heard = close.look(&docs);
    let total: f32 = close.weights().iter().sum();
    let share = |said: &Said| {
        let held: f32 = close.weights().iter().zip(&said.in_sentence).map(|(weight, has)| weight * has).sum();
        held / total.max(f32::MIN_POSITIVE)
    };
    let best = worth.iter().flatten().copied().fold(f32::MIN_POSITIVE, f32::max);
    let asked = close.question().words.iter().filter(|word| word.is_asked() && !word.is_date);
    let named: Vec<String> = asked.map(|word| words::stem(&fold(&word.text))).collect();
    let asking = asking_words(&close.question().text);
    let names: Vec<usize> = (0..close.weights().len()).filter(|n| close.question().is_name(*n)).collect();
    let counted = counted(close, consulted);
    let mut out: Vec<Candidate<'a>> = Vec::new();
    for (place, (one, said)) in consulted.iter().zip(heard).enumerate() {
        let shares: Vec<f32> = said.iter().map(&share).collect();
        let known = by_names(&names, &said);
        let replied = led_to(one, &shares, &close.question().text);
        for (nth, (citable, said)) in one.citables.iter().zip(said).enumerate() {
            let next = beside(&shares, nth, citable);
            let around = worth[place].get(nth).copied().unwrap_or(0.0) / best;
            let is_request = is_request(&asking, citable);
            let counts = counted.as_ref().is_none_or(|counted| Asks::counts(&stated(citable), counted));
            let is_met = match close.asks() {
                _ if is_request => false,
                Some(asks) => counts && asks.is_met(&stated(citable)),
                None => says_what_it_is(&named, &citable.text),
            };
            let says_what = is_met && close.asks().is_none();
            let asked_for = if says_what { ASKED_FOR } else { 1.0 };
            let shape = shape(close, (citable, is_request, says_what, counts), &said) * known[nth] * asked_for;
            let value = (around
                + SHARE * shares[nth]
                + (BESIDE * next).max(REPLIED * replied[nth])
                + PAIRS * said.share_of_pairs(close.question().pairs.len()))
                * shape
                * of_place(one, citable, close.asks());
            let date = date_of(citable).or(one.date);
            let holds = replied[nth] >= REPLIED_MIN
                || said.times.iter().zip(close.weights()).any(|(times, weight)| *times > 0.0 && *weight > 0.0);
            let new = Candidate {
                place,
                nth,
                citable,
                date,
                share: shares[nth],
                replied: replied[nth],
                holds,
                is_met,
                is_request,
                said,
                value,
                in_place_of: None,
            };
            out.push(new);
        }
    }
    demote_retractions(&mut out);
    out
}

/// Whether a sentence names an amount, a day or a time.
fn has_value(text: &str) -> bool {
    Asks::Amount.is_met(text) || Asks::When.is_met(text)
}

/// What only takes something back comes behind what else holds the words of the question and still stands; where nothing
/// does, it is what there is to say of them.
fn demote_retractions(all: &mut [Candidate<'_>]) {
    let retracts: Vec<bool> = all.iter().map(|one| one.holds && takes_back(&one.citable.text)).collect();
    let stands = |one: &Candidate<'_>| one.holds && !one.citable.is_superseded && one.share >= HOLDS_MIN;
    if all.iter().zip(&retracts).any(|(one, retracts)| !retracts && stands(one)) {
        all.iter_mut().zip(retracts).filter(|(_, retracts)| *retracts).for_each(|(one, _)| one.value *= TAKES_BACK);
    }
}

/// What a sentence counts by where it stands.
fn of_place(one: &Consulted, citable: &Citable, asks: Option<Asks>) -> f32 {
    match (&one.slug, one.is_document) {
        (None, _) if asks == Some(Asks::Reason) && is_begun(one, citable) => BEGUN,
        (Some(_), true) => OF_A_DOCUMENT,
        (Some(_), false) => ON_A_PAGE,
        (None, _) => 1.0,
    }
}

/// The sentences of a place as units of one text, and what is said of all of them.
pub(super) fn units_of(one: &Consulted) -> (String, Vec<Unit>, String) {
    let (mut text, mut units) = (String::new(), Vec::new());
    for citable in &one.citables {
        let span = Span::new(text.len(), text.len() + citable.text.len());
        text.push_str(&citable.text);
        text.push('\n');
        let (speaker, is_event) = (citable.speaker.clone(), citable.lists_done());
        units.push(Unit { span, sentences: vec![span], section: 0, is_event, speaker });
    }
    let names = [one.title.clone(), one.path.stem().to_owned()];
    (text, units, names.into_iter().chain(one.names.iter().cloned()).collect::<Vec<_>>().join("\n"))
}

/// What a sentence is worth beside its words, as a factor.
fn shape(
    close: &Close<'_>,
    (citable, is_request, says_what, counts): (&Citable, bool, bool, bool),
    said: &Said,
) -> f32 {
    let n_asked = said.times.iter().filter(|times| **times > 0.0).count();
    let n_new = said.words.len().saturating_sub(n_asked);
    let folded = words::words(&citable.text).into_iter().take(5).map(|word| fold(word.of(&citable.text)));
    let opening = format!("{} ", folded.collect::<Vec<_>>().join(" "));
    let mut openers = LEXICONS.iter().flat_map(|lexicon| lexicon.questions.answer_openers);
    let is_chatter = openers.any(|opener| opening.starts_with(opener) && opening[opener.len()..].starts_with(' '));
    let is_asking = is_request || citable.text.ends_with('?') || OPEN_SECTIONS.contains(&citable.heading.as_str());
    let is_command = close.asks_for_command() && citable.lists_done() && citable.heading == COMMANDS && n_asked > 0;
    let n_chars = citable.text.chars().count();
    let revision = Revision::parse(&citable.text);
    let factors = [
        (n_new < NEW_WORDS_MIN && !says_what, NOTHING_NEW),
        (is_asking && close.asks() != Some(Asks::Open), ASKING),
        (is_chatter, CHATTER),
        (citable.lists_done() && !is_command, if close.asks().is_some() { DONE_ASKED } else { DONE }),
        (is_command, COMMAND),
        (!matches!(close.asks(), Some(Asks::Change | Asks::When)) && revision.is_some(), RETOLD),
        (revision.is_some_and(|told| told.after.is_none()), RETOLD),
        (close.asks() == Some(Asks::Change) && !has_value(&stated(citable)), WITHOUT_VALUE),
        (n_chars < SHORT_CHARS && citable.is_item && !says_what && !is_command, SHORT),
        (
            n_asked > 0
                && !is_request
                && counts
                && close.asks().is_some_and(|asks| asks.is_met(&said_by(&stated(citable), &citable.speaker))),
            ASKED_FOR,
        ),
        (citable.is_tldr && close.asks().is_none() && n_asked > 0, DEFINES),
        (said.is_spoken, SPOKEN),
        (
            citable.is_superseded && close.asks() != Some(Asks::Change),
            if names_next(&citable.text) { SAYS_NOW } else { SUPERSEDED },
        ),
    ];
    let factor: f32 = factors.iter().filter(|(applies, _)| *applies).map(|(_, factor)| factor).product();
    factor / ((n_chars as f32 + LENGTH_BASE) / (2.0 * LENGTH_BASE)).powf(LENGTH_POWER)
}

/// Whether a sentence begins by saying what something is that the question names, by these stems: `The order database is …`.
fn says_what_it_is(asked: &[String], text: &str) -> bool {
    let said = words::words(text);
    let is_asked = |word: &Span| asked.contains(&words::stem(&fold(word.of(text))));
    let is = |word: &Span| words::is_linking(word.of(text));
    let n_before = said.iter().take_while(|word| DETERMINERS.has(&fold(word.of(text)))).count();
    let name = &said[n_before..];
    let n_words = name.iter().position(is).unwrap_or(name.len());
    let (name, rest) = name.split_at(n_words);
    // What is asked for is named first: `In which order do tools run` asks for no tools.
    let is_first = |word: &Span| asked.first().is_some_and(|first| *first == words::stem(&fold(word.of(text))));
    let n_other = name.iter().filter(|word| !is_asked(word)).count();
    !rest.is_empty() && name.last().is_some_and(is_asked) && name.iter().any(is_first) && n_other < NAME_WORDS_MAX
}

/// Words that stand before a name.
static DETERMINERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.determiners));

/// Returns the words of a text that say what it is about, lower case, each once; with `weak` also those that
/// say little.
pub(super) fn content_words(text: &str, weak: bool) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let spans = words::words(text).into_iter().map(|span| span.of(text));
    let says = |weight: Weight| weight == Weight::Strong || (weak && weight != Weight::Stop);
    let strong = spans.filter(|word| says(words::weight(word)) && (2..=30).contains(&word.chars().count()));
    strong.filter(|word| seen.insert(words::stem(&fold(word)))).map(str::to_lowercase).collect()
}
