//! Pieces of work: an entry of the journal that settled or found out something has a page of its own.
//!
//! What was done and learned together is read together; of the things it speaks of only those get pages that other
//! entries speak of, too. Change notes, questions and what a tool did stay in the journal.

mod change;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

use ken_core::Span;
use ken_core::journal;
use ken_core::language::{AnyOf, alternatives};
use ken_core::markdown::code_spans;
use ken_core::text::{leans_back, one_line};
use ken_core::words::{Weight, fold, identifier_parts, is_spoken, is_stop, stem, weight, words};
use regex::Regex;

use super::alone;
use super::clause::is_one;
use super::passage::{Entry, Learned, Passage, PassageKind, Places, Work, cite_together};
use super::score;
use super::standing;
use super::subject::{Mention, MentionKind, is_determiner, is_hash, is_preposition, mentions};
use ken_core::text::capital;

/// Least worth of a statement that stands on a page of work, and how many of them make one.
const KEPT_MIN: f32 = 2.1;
const STATEMENTS_MIN: usize = 3;
/// So much must be settled or learned, and so many statements may stand there, where fewer are worth it.
const SETTLED_MIN: usize = 2;
const STANDING_MIN: usize = 5;
/// What was settled or learned counts more than what was merely said, and a cause that is called one more than that.
const SETTLED: f32 = 1.5;
const CAUSE: f32 = 1.0;
/// Fewest words of a title that is a whole clause of a longer sentence.
const CLAUSE_WORDS_MIN: usize = 5;
/// Names that make a title where the entry has none, and how many passages must speak of each.
const NAMES_MAX: usize = 2;
const NAMED_MIN: usize = 2;

/// Returns whether a statement stands on the page of its entry's work: whatever somebody wrote, and of what was
/// extracted from a session that which is worth it.
pub fn is_kept(passage: &Passage, is_extracted: bool) -> bool {
    passage.is_claim() && (!is_extracted || worth(passage) >= KEPT_MIN)
}

/// Returns how much a statement of a piece of work tells, and how much is kept.
pub(crate) fn weighed(passage: &Passage) -> (f32, f32) {
    (worth(passage), KEPT_MIN)
}

/// Returns whether a passage of a kind says what was asked for.
pub fn is_asked(kind: PassageKind) -> bool {
    matches!(kind, PassageKind::Context | PassageKind::Question)
}

/// Notes what an entry gives to pages of work; what stands on them is cited with its neighbours.
pub fn note(entry: &mut Entry, places: &mut Places<'_>) {
    entry.work = work(entry);
    // What somebody asked for makes work, and says nothing of what holds.
    let is_asked = |one: &&mut Passage| {
        one.kind == PassageKind::Decision
            && (alone::is_errand(&one.text)
                || alone::is_answer(&one.text)
                || one.text.starts_with(journal::USER_APPROVED))
    };
    if entry.is_extracted {
        entry.passages.iter_mut().filter(is_asked).for_each(|one| one.kind = PassageKind::Question);
    }
    if entry.work.as_ref().is_some_and(|work| work.is_enough) {
        // What somebody began with leads to the work, and stands on its page if it is worth it.
        let is_begun = |one: &&mut Passage| {
            one.learned == Learned::Begun && one.kind == PassageKind::Statement && !is_kept(one, entry.is_extracted)
        };
        entry.passages.iter_mut().filter(is_begun).for_each(|one| one.kind = PassageKind::Context);
        for one in entry.passages.iter_mut().filter(|one| {
            let is_told = one.is_claim() && one.kind != PassageKind::Decision && !one.learned.is_cause();
            entry.is_extracted && one.told.is_none() && is_told
        }) {
            one.text = standing::without_asides(&one.text).to_owned();
        }
        cite_together(&mut entry.passages, places, |a, b| a.kind == b.kind);
    }
}

fn work(entry: &Entry) -> Option<Work> {
    let is_told = entry.passages.iter().any(|passage| passage.told.is_some());
    if is_told || entry.is_document() {
        return None;
    }
    let n_worth = entry.passages.iter().filter(|passage| worth(passage) >= KEPT_MIN).count();
    let is_enough = n_worth >= STATEMENTS_MIN || entry.is_extracted && settles_enough(entry);
    let own = entry.title.trim_end_matches(CONTINUED).trim();
    // What settled something has a page, however little its title tells.
    let has_words = || words(own).iter().any(|word| weight(word.of(own)) != Weight::Stop);
    let own_title = || (is_telling(own) && !is_spoken(own)).then(|| capital(own));
    let any_title = || of_context(entry).or_else(|| of_files(entry)).or_else(|| has_words().then(|| capital(own)));
    let is_name = is_telling(own) || is_enough && is_short_name(own);
    let title = match is_name && !is_request(own, entry) && is_told_of(own, entry) {
        true if is_enough && opens_request(own) => {
            of_change(entry).or_else(|| asked_about(own)).or_else(|| Some(capital(own)))
        }
        true => of_request(own).or_else(|| Some(capital(own))),
        // What another entry speaks of most says nothing about this one.
        false if is_enough => of_change(entry)
            .or_else(|| of_topic(own, entry))
            .or_else(|| of_request(own))
            .or_else(|| of_fault(entry))
            .or_else(|| of_names(entry))
            .or_else(own_title)
            .or_else(any_title),
        false => None,
    };
    title.map(|title| Work { title, is_enough })
}

/// Whether a piece of work settled or found something, and says enough besides that may stand on its page.
fn settles_enough(entry: &Entry) -> bool {
    let is_settled = |one: &&Passage| {
        one.kind == PassageKind::Lesson || one.kind == PassageKind::Decision && alone::is_long_decision(&one.text)
    };
    let is_work = entry.passages.iter().any(|one| one.kind == PassageKind::Event);
    let may_stand =
        |one: &&Passage| one.is_claim() && standing::of_work(&one.text, one.kind, weighed(one)) >= standing::SPARE_MIN;
    is_work
        && entry.passages.iter().filter(is_settled).count() >= SETTLED_MIN
        && entry.passages.iter().filter(may_stand).count() >= STANDING_MIN
}

/// Whether an entry speaks of its title at all: a branch may be called after something else.
fn is_told_of(title: &str, entry: &Entry) -> bool {
    let said = entry.passages.iter().filter(|passage| passage.kind.is_said() || is_asked(passage.kind));
    let told: BTreeSet<String> = said.flat_map(|passage| change::telling_stems(&passage.text)).collect();
    let named = change::telling_stems(title);
    // What it has in code is named in so many words.
    let is_quoted = || {
        let code = code_spans(title, Span::new(0, title.len()));
        let quoted = |passage: &Passage| code.iter().any(|span| passage.text.contains(span.of(title)));
        entry.passages.iter().any(|passage| passage.kind.is_said() && quoted(passage))
    };
    !entry.is_extracted || told.is_empty() || 3 * named.intersection(&told).count() > named.len() || is_quoted()
}

/// Whether a title has words enough to be one.
fn is_telling(title: &str) -> bool {
    let words = words(title);
    let n_of = |is: fn(Weight) -> bool| words.iter().filter(|word| is(weight(word.of(title)))).count();
    n_of(|weight| weight == Weight::Strong) >= 2 || n_of(|weight| weight != Weight::Stop) >= 3
}

/// Whether a title is two words of which one tells something: `Add telemetry`, not the list `Ada, minutes`.
fn is_short_name(title: &str) -> bool {
    let words = words(title);
    let n_of = |is: fn(Weight) -> bool| words.iter().filter(|word| is(weight(word.of(title)))).count();
    n_of(|weight| weight == Weight::Strong) == 1 && n_of(|weight| weight != Weight::Stop) == 2 && !title.contains(',')
}

/// Returns the names that a passage lists.
pub fn names_said(passage: &Passage) -> Vec<&str> {
    match passage.kind {
        PassageKind::Names => {
            let text = &passage.text;
            code_spans(text, Span::new(0, text.len())).into_iter().map(|span| span.of(text).trim_matches('`')).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the file that an event changed, see [`ken_core::journal::changed_file`].
pub fn changed_file(passage: &Passage) -> Option<&str> {
    if passage.kind == PassageKind::Event { journal::changed_file(&passage.text) } else { None }
}

/// How the titles of entries end that go on with another.
pub(crate) const CONTINUED: &str = "(continued)";

/// How much a statement tells whoever looks something up.
fn worth(passage: &Passage) -> f32 {
    let is_cause = passage.learned.is_cause() || alone::without_fault_label(&passage.text).len() < passage.text.len();
    let cause = if is_cause && passage.kind == PassageKind::Lesson { CAUSE } else { 0.0 };
    cause + of_kind(passage)
}

fn of_kind(passage: &Passage) -> f32 {
    match passage.kind {
        PassageKind::Decision | PassageKind::Lesson => SETTLED + score::score(&passage.text, false),
        PassageKind::Statement if score::is_change_note(&passage.text) || score::is_step(&passage.text) => 0.0,
        PassageKind::Statement if score::is_outcome(&passage.text) || alone::is_of_change(&passage.text) => {
            SETTLED + score::score(&passage.text, false)
        }
        PassageKind::Statement | PassageKind::Action => score::score(&passage.text, false),
        PassageKind::Context | PassageKind::Question | PassageKind::Names | PassageKind::Event => 0.0,
    }
}

/// Whether a title is cut out of what somebody asked, and is no name.
fn is_request<'a>(title: &str, entry: &'a Entry) -> bool {
    let asked = entry.passages.iter().filter(|passage| is_asked(passage.kind));
    // What an entry that goes on was cut out of stands in the one before it.
    let goes_on = entry.title.ends_with(CONTINUED);
    // What stands behind the title in what was asked; a title that ends within a sentence is a piece of one.
    let lower = title.to_lowercase();
    let behind = |passage: &'a Passage| {
        let at = passage.text.to_lowercase().find(&lower)? + lower.len();
        Some(passage.text.get(at..).unwrap_or_default().trim_start())
    };
    let found: Vec<&str> = asked.into_iter().filter_map(behind).collect();
    // Before a small word the clause may well be whole.
    let is_cut = |behind: &&str| {
        let next = behind.split_whitespace().next().unwrap_or_default();
        let is_whole = is_stop(next) && title.split_whitespace().count() >= CLAUSE_WORDS_MIN;
        behind.starts_with(|ch: char| ch.is_lowercase() || matches!(ch, '`' | ':' | ',')) && !is_whole
    };
    let is_piece = found.iter().any(is_cut);
    is_piece || is_spoken(title) && (goes_on || !found.is_empty())
}

/// The title of an entry that names a thing or a state of it, where it is no clause of somebody's own: that of a branch, of
/// which the entry has a word, or what a request begins with up to a comma (`Heat at the upper door, also at night`).
fn of_topic(title: &str, entry: &Entry) -> Option<String> {
    let all = words(title);
    let n_named = all.iter().filter(|word| weight(word.of(title)) != Weight::Stop).count();
    if is_spoken(title)
        || opens_request(title)
        || has_place(title)
        || n_named < TOPIC_WORDS_MIN
        || title.ends_with(CONTINUED)
    {
        return None;
    }
    let lower = title.to_lowercase();
    let asked =
        entry.passages.iter().filter(|passage| is_asked(passage.kind)).map(|passage| passage.text.to_lowercase());
    let behind: Vec<String> =
        asked.filter_map(|text| Some(text.split_once(&lower)?.1.trim_start().to_owned())).collect();
    let is_whole = |rest: &String| !rest.starts_with(|ch: char| ch.is_alphanumeric() || ch == '`');
    let stems = |text: &str| words(text).into_iter().map(|word| stem(&fold(word.of(text)))).collect::<BTreeSet<_>>();
    let is_told = || {
        let named: BTreeSet<String> = all
            .iter()
            .filter(|word| weight(word.of(title)) != Weight::Stop)
            .map(|word| stem(&fold(word.of(title))))
            .collect();
        entry.passages.iter().any(|passage| !stems(&passage.text).is_disjoint(&named))
    };
    let is_topic = if behind.is_empty() { is_told() } else { behind.iter().all(is_whole) };
    is_topic.then(|| capital(title))
}

/// Whether a title names a folder of a machine or an address: that says where somebody was.
fn has_place(title: &str) -> bool {
    title.split_whitespace().any(|word| word.starts_with(['/', '~', '$']) || word.contains("://"))
}

/// Fewest words of such a title.
const TOPIC_WORDS_MIN: usize = 2;

/// The clause of what somebody began with that has most words of which the entry speaks, too, the first of them.
fn of_context(entry: &Entry) -> Option<String> {
    let first = entry.passages.first().filter(|first| entry.is_extracted && first.kind.is_said())?;
    let begun = entry.passages.iter().take_while(|passage| passage.lines == first.lines);
    let behind = entry.passages.iter().filter(|passage| passage.lines != first.lines && passage.kind.is_said());
    let told: BTreeSet<String> = behind.flat_map(|passage| change::telling_stems(&passage.text)).collect();
    let is_title = |clause: &&str| {
        let n_words = clause.split_whitespace().count();
        CONTEXT_WORDS.contains(&n_words)
            && is_telling(clause)
            && !is_spoken(clause)
            && !opens_request(clause)
            && !leans_back(clause)
            && !alone::points_back(clause)
            && !clause.contains('/')
    };
    let n_told = |clause: &str| change::telling_stems(clause).intersection(&told).count();
    let clauses = begun.flat_map(|passage| clause_ends().split(&passage.text)).filter(is_title);
    // Of equals the last is the greatest: the first of all is wanted.
    let ranked = clauses.map(|clause| (n_told(clause), clause)).filter(|(n, _)| *n > 0).collect::<Vec<_>>();
    ranked.into_iter().rev().max_by_key(|(n, _)| *n).map(|(_, clause)| capital(clause))
}

/// What stands between two clauses; `0.14` is one word.
fn clause_ends() -> &'static Regex {
    static ENDS: OnceLock<Regex> = OnceLock::new();
    ENDS.get_or_init(|| {
        Regex::new(r#"[.;:,?!"“”„()—]+(?:\s+|$)|(?:^|\s+)(?:[("“„]+|[—–-]+(?:\s|$))\s*"#).expect("a pattern of ours")
    })
}

/// How many words such a clause has.
const CONTEXT_WORDS: std::ops::RangeInclusive<usize> = 3..=12;

/// What somebody speaks of who says in their own words what they are at, from its first determiner on: `I'm writing the
/// results for the paper` makes `Results for the paper`.
fn of_request(title: &str) -> Option<String> {
    if !is_spoken(title) {
        return None;
    }
    let before = words(title).into_iter().find(|word| is_determiner(&word.of(title).to_lowercase()))?;
    let thing = title[before.end..].trim_start();
    (is_telling(thing) && !is_spoken(thing) && !has_place(thing)).then(|| capital(thing))
}

/// Whether a title says only that something is to be looked at: `Check if the door shuts`.
pub(crate) fn opens_request(title: &str) -> bool {
    openers().is_match(title)
}

/// What was found wrong, where a clause says it in a few words.
fn of_fault(entry: &Entry) -> Option<String> {
    static SUBORDINATE: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.subordinate));
    static RULES: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.work.rules));
    let found = entry.passages.iter().filter(|passage| passage.kind == PassageKind::Lesson);
    let clauses = found.flat_map(|passage| clause_ends().split(alone::without_fault_label(&passage.text)));
    let says_it = |clause: &&str| {
        FAULT_WORDS.contains(&clause.split_whitespace().count())
            && clause.chars().count() <= FAULT_CHARS_MAX
            && is_telling(clause)
            && alone::tells_fault(clause)
            && is_one(clause)
            && !SUBORDINATE.opens(clause)
            && !RULES.is_in(clause)
            && !is_spoken(clause)
            && !leans_back(clause)
            && !alone::points_back(clause)
    };
    clauses.map(str::trim).find(says_it).map(capital)
}

/// How many words such a clause has, and how long it is at most, in characters.
const FAULT_WORDS: std::ops::RangeInclusive<usize> = 4..=10;
const FAULT_CHARS_MAX: usize = 80;

/// What a title asks to look for or into, where that is a thing: `Do some research on oven doors`.
fn asked_about(title: &str) -> Option<String> {
    let opener = openers().find(title)?.as_str();
    let last = opener.rsplit(' ').next().filter(|last| last.len() < opener.len())?;
    let about = title[opener.len()..].trim_start();
    (is_preposition(&last.to_lowercase()) && is_telling(about)).then(|| capital(about))
}

fn openers() -> &'static Regex {
    static OPENERS: OnceLock<Regex> = OnceLock::new();
    OPENERS.get_or_init(|| {
        let openers = alternatives(|lexicon| lexicon.work.title_openers);
        Regex::new(&format!(r"(?i)^(?:{openers})\b")).expect("a pattern of ours")
    })
}

/// What was done in a piece of work, by the note that has most of the words of what was asked and is kept of it.
fn of_change(entry: &Entry) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let tells = |one: &&Passage| is_asked(one.kind) || is_kept(one, entry.is_extracted);
    for passage in entry.passages.iter().filter(tells) {
        change::telling_stems(&passage.text).into_iter().for_each(|stem| *counts.entry(stem).or_default() += 1);
    }
    counts.retain(|_, n| *n >= NAMED_MIN);
    change::title(entry, &counts)
}

/// The one or two files that were changed most often, by their names; documents only where nothing else was.
fn of_files(entry: &Entry) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let changed = || entry.passages.iter().filter_map(changed_file);
    let is_named = |file: &str| !journal::is_document(file) || changed().all(journal::is_document);
    for passage in &entry.passages {
        if let Some(file) = changed_file(passage).filter(|file| is_named(file)) {
            *counts.entry(file.rsplit('/').next().unwrap_or(file)).or_default() += journal::counted(&passage.text).1;
        }
    }
    let mut ranked: Vec<(&str, usize)> = counts.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let names: Vec<&str> = ranked.into_iter().take(NAMES_MAX).map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

/// A name of which an entry speaks.
struct Spoken {
    /// How many statements speak of it.
    n: usize,
    surface: String,
    is_phrase: bool,
    is_asked: bool,
}

/// The names of which an entry speaks in what is kept of it, and in what was asked.
fn spoken_of(entry: &Entry) -> BTreeMap<String, Spoken> {
    let mut counts: BTreeMap<String, Spoken> = BTreeMap::new();
    let kept = entry.passages.iter().filter(|passage| is_kept(passage, entry.is_extracted));
    let asked = entry.passages.iter().filter(|passage| is_asked(passage.kind));
    let all = kept.map(|passage| (passage, false)).chain(asked.map(|passage| (passage, true)));
    for (passage, is_asked) in all {
        let mut seen = BTreeSet::new();
        for mention in mentions(&passage.text).into_iter().filter(names_work) {
            if seen.insert(mention.key.clone()) {
                let is_phrase = mention.kind == MentionKind::Phrase;
                let new = || Spoken { n: 0, surface: mention.surface, is_phrase, is_asked: false };
                let name = counts.entry(mention.key).or_insert_with(new);
                name.n += usize::from(!is_asked);
                name.is_asked |= is_asked;
            }
        }
    }
    counts
}

/// The name that most statements speak of, those that were asked for before others; where there are two, what the entry
/// began with, else both.
fn of_names(entry: &Entry) -> Option<String> {
    let weighed = |name: Spoken| (if name.is_asked { 2 * name.n } else { name.n }, name.surface, name.is_phrase);
    let mut ranked: Vec<(usize, String, bool)> = spoken_of(entry).into_values().map(weighed).collect();
    // What several statements speak of comes first; where there is no such name, any is better than a request.
    if ranked.iter().any(|(n, ..)| *n >= NAMED_MIN) {
        ranked.retain(|(n, ..)| *n >= NAMED_MIN);
    }
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut names: Vec<String> = Vec::new();
    for (_, surface, is_phrase) in ranked {
        let folded = fold(&surface);
        if names.len() < NAMES_MAX
            && !names.iter().any(|known| fold(known).contains(&folded) || folded.contains(&fold(known)))
        {
            let surface = one_line(&surface);
            names.push(if is_phrase && names.is_empty() { capital(&surface) } else { surface });
        }
    }
    // One plain word is too little to tell work from what it is about.
    let is_enough = |name: &String| name.contains([' ', '.', '_', ':']) || !identifier_parts(name).is_empty();
    let is_name = names.len() > 1 || names.iter().any(is_enough);
    let joined = || is_name.then(|| names.join(" and "));
    // Two names side by side, or one of code, say little of what it was about.
    let says_little = is_name && !(names.len() == 1 && names[0].contains(' '));
    if says_little { of_context(entry).or_else(joined) } else { joined() }
}

/// Whether a mention may name a piece of work: identifiers, files, names and phrases that stand alone.
fn names_work(mention: &Mention) -> bool {
    // What opens with a number is measured: `700ms cold`.
    let name = &mention.surface;
    // A place on somebody's machine and a commit name nothing.
    mention.is_standalone
        && !name.starts_with(|ch: char| ch.is_ascii_digit() || matches!(ch, '/' | '~' | '$'))
        && !is_hash(name)
        && !matches!(mention.kind, MentionKind::Topic | MentionKind::Word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::journal_entries;
    use ken_core::VaultPath;

    const SETTLED: &str = "**Decisions Made:**\n- `flush()` waits for the event queue instead of dropping it, because a closed one loses events.\n- Retries stop after 30 s.\n\n**Lessons Learned:**\n- `flush()` must never run twice: the second call blocks the event queue.\n";

    #[track_caller]
    fn check(title: &str, context: &str, body: &str, expected: Option<&str>) {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = format!("### Session (09:00) - {title}\n\n**Context:** {context}\n\n{body}");
        let mut entries = journal_entries(&path, &text, false);
        note(&mut entries[0], &mut Places::new(&text));
        let made = entries[0].work.as_ref().filter(|work| work.is_enough).map(|work| work.title.as_str());
        assert_eq!(made, expected);
    }

    #[test]
    fn an_entry_that_settled_something_is_work_and_is_called_like_the_entry() {
        check("Queue shutdown", "The queue loses events.", SETTLED, Some("Queue shutdown"));
        check("queue shutdown (continued)", "The queue loses events.", SETTLED, Some("Queue shutdown"));
    }

    #[test]
    fn an_entry_of_work_that_settled_something_says_enough_in_plain_words() {
        let said = "**Key Exchanges:**\n- The queue is closed too early, so its events are gone.\n- The bell rings only after the queue, because both share a thread.\n- The queue of the hall has 12 slots and 3 threads, and 4 of them wait.\n\n**Decisions Made:**\n- The queue stays as it is until the spring, nobody wants to touch it before the sale is over.\n\n**Lessons Learned:**\n- The reason was the bell of the hall.\n";
        let events = "\n**Events:**\n- Edit src/queue.rs\n";
        let range = "<!-- kenning: session=s1 agent=claude-code range=0-9 -->\n\n";
        let made = |events: &str, range: &str| {
            let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
            let text =
                format!("### Session (09:00) - Queue shutdown\n{range}**Context:** The queue.\n\n{said}{events}");
            let mut entries = journal_entries(&path, &text, false);
            note(&mut entries[0], &mut Places::new(&text));
            entries[0].work.as_ref().is_some_and(|work| work.is_enough)
        };
        assert!(made(events, range), "settled");
        assert!(!made("", range), "only somebody talks");
    }

    #[test]
    fn work_that_is_called_like_a_request_is_named_by_what_that_asks_for_or_what_it_speaks_of_most() {
        let asked = "I don't know why the queue loses events";
        check("I don't know why the queue loses events", asked, SETTLED, Some("Queue loses events"));
        check("Why it loses events (continued)", asked, SETTLED, Some("Event queue and flush"));
        let paper = "I'm preparing the rye results for the paper on events";
        check("I'm preparing the rye results for the paper", paper, SETTLED, Some("Rye results for the paper"));
        check(
            "Queue at the upper door",
            "Queue at the upper door, also at night.",
            SETTLED,
            Some("Queue at the upper door"),
        );
    }

    #[test]
    fn work_that_began_at_a_place_of_a_machine_is_named_by_what_was_wrong() {
        let asked = "I'm currently getting this error in /srv/shop/hall, and the queue is empty";
        let title = "I'm currently getting this error in /srv/shop/hall";
        let found = "- Because `flush()` never waits for the hall, it is late.\n- The queue doesn't wait for the bell, so its events are gone.\n";
        check(title, asked, &(SETTLED.to_owned() + found), Some("The queue doesn't wait for the bell"));
        check(title, asked, SETTLED, Some("Event queue and flush"));
    }

    #[test]
    fn what_has_no_title_and_no_name_is_called_after_the_files_that_changed_most() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### Session (09:00) - Um, I'm talking\n\n**Events:**\n- Edit src/till.rs (×3)\n- Read src/door.rs\n- Edit CHANGELOG.md (×4)\n- Edit src/bell.rs\n- Edit a/bell.rs\n- Edit src/hall.rs\n";
        let entries = journal_entries(&path, text, false);
        assert_eq!(of_files(&entries[0]).as_deref(), Some("till.rs and bell.rs"));
    }

    #[test]
    fn work_that_asks_to_look_for_something_is_called_like_that() {
        let lost = "The queue loses events.";
        check("Do some research for event queues in shops", lost, SETTLED, Some("Event queues in shops"));
        check("Check if the queue shuts", "The queue loses events.", SETTLED, Some("Check if the queue shuts"));
        let done = "**Key Exchanges:**\n- Added a `drain()` call to the event queue.\n\n".to_owned() + SETTLED;
        let asked = "Use the event-queue test skill with the second recipe";
        check(asked, lost, &done, Some("Add a `drain()` call to the event queue"));
        check(asked, lost, SETTLED, Some(asked));
    }

    #[test]
    fn an_entry_that_only_asks_notes_changes_or_chats_is_no_work() {
        let chat = "**Key Exchanges:**\n- User asked: When do we meet?\n- We meet on Monday.\n- The room is booked.\n";
        check("Team meeting", "When do we meet?", chat, None);
        let changes =
            "**Key Exchanges:**\n- Added `a.rs` and `b.rs`.\n- Updated `c.rs`.\n- Removed `d.rs`.\n- Fixed `e.rs`.\n";
        check("Small changes", "Clean up.", changes, None);
    }

    #[test]
    fn files_that_tools_changed_are_those_of_the_project() {
        let event = |text: &str| Passage {
            text: text.to_owned(),
            lines: (1, 1),
            kind: PassageKind::Event,
            place: None,
            cited: None,
            digest: String::new(),
            told: None,
            learned: Learned::Plain,
        };
        let cases = [
            ("Edit src/cart.ts (×3)", Some("src/cart.ts")),
            ("write_file docs/color.md", Some("docs/color.md")),
            ("apply_patch lib/a.py", Some("lib/a.py")),
            ("Read src/cart.ts", None),
            ("Write /tmp/plan.md", None),
            ("Edit ~/.bashrc", None),
            ("Bash sed -i s/a/b/ c.txt", None),
        ];
        for (text, expected) in cases {
            assert_eq!(changed_file(&event(text)), expected, "{text}");
        }
    }

    #[test]
    fn an_approved_plan_and_what_somebody_began_with_lead_to_the_work_and_stand_on_no_page() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = format!(
            "### Session (09:00) - Queue shutdown\n<!-- kenning: session=s1 agent=claude-code range=0-9 -->\n\n**Context:** The till of the hall has 12 bills.\n\n{SETTLED}- x\n\n**Decisions Made:**\n- User approved the plan: Shut the queue of the hall before the till of the yard is read again\n"
        );
        let mut entries = journal_entries(&path, &text, false);
        note(&mut entries[0], &mut Places::new(&text));
        let kind = |start: &str| entries[0].passages.iter().find(|one| one.text.starts_with(start)).map(|one| one.kind);
        assert_eq!(kind("User approved"), Some(PassageKind::Question));
        assert_eq!(kind("The till of the hall"), Some(PassageKind::Context));
    }

    #[test]
    fn a_cause_keeps_what_is_told_behind_it_and_other_lessons_lose_asides() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let cause = "- Got it: the till reads `queue` as text. When you compare it with a number, every row is read.\n";
        let other = "- The bell hangs on the queue of the till. You hear it in the hall.\n";
        let begun =
            "### Session (09:00) - Queue shutdown\n<!-- kenning: session=s1 agent=claude-code range=0-9 -->\n\n";
        let text = format!("{begun}{SETTLED}{cause}{other}");
        let mut entries = journal_entries(&path, &text, false);
        note(&mut entries[0], &mut Places::new(&text));
        let told =
            |start: &str| entries[0].passages.iter().find(|one| one.text.starts_with(start)).map(|one| &*one.text);
        let whole = "The till reads `queue` as text. When you compare it with a number, every row is read.";
        assert_eq!(told("The till reads"), Some(whole));
        assert_eq!(told("The bell hangs"), Some("The bell hangs on the queue of the till."));
    }

    #[test]
    fn what_somebody_wrote_is_kept_and_of_an_extract_what_is_worth_it() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### A\n\n- The lights go dark.\n- Updated the tests.\n- What is next?\n- `flush()` must never run twice.\n";
        let entry = &journal_entries(&path, text, false)[0];
        let kept =
            |is_extracted| entry.passages.iter().map(|passage| is_kept(passage, is_extracted)).collect::<Vec<_>>();
        assert_eq!(kept(false), [true, true, false, true]);
        assert_eq!(kept(true), [false, false, false, true]);
    }
}
