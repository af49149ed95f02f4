//! What the file of one language holds: its words, for every room that reads texts.
//!
//! Rules stay where they are used. A list is words between white space; a list of phrases is a slice of them.
//! Words stand folded (lower case, no diacritics) unless a list says otherwise. A language leaves out what it has
//! no words for, with `..Lexicon::NONE`, and then has none in that room.
//!
//! Long because every list of words has its line, its doc and its empty value.

mod pages;
mod periods;
mod sessions;
mod work;

use rust_stemmers::Algorithm;

pub use pages::Pages;
pub(crate) use periods::Periods;
pub use sessions::Sessions;
pub use work::Work;

use super::senses::Senses;
use crate::orders::cues::Orders;
use crate::search::Asks;
use crate::when::phrase::Dates;

/// The words of one language.
#[derive(Debug)]
pub struct Lexicon {
    /// What the language is called, in English, in small letters.
    pub name: &'static str,
    /// What takes the endings off; a language without it is never what a text is in.
    pub(crate) stemmer: Option<Algorithm>,
    /// What leads a form that no ending tells back to its base: `held` to `hold`.
    pub(crate) base: fn(&str) -> Option<&'static str>,
    /// Words that stand in nearly every sentence of the language and seldom in the others.
    pub telling: &'static str,
    /// Function words: never matched.
    pub stop: &'static str,
    /// Words that every project uses, in their base form: they support a match and make none.
    pub weak: &'static str,
    /// Weak nouns that may begin or end the name of a subject: `order database`, `image pipeline job`.
    pub naming: &'static str,
    /// Numbers in words.
    pub numbers: &'static str,
    /// Places in a row, in words.
    pub ordinals: &'static str,
    /// The words that name dates.
    pub(crate) dates: Dates,
    /// The words by which a sentence shows that it gives an order.
    pub(crate) orders: Orders,
    /// The words by which claims are compared with what they cite, and with each other.
    pub(crate) claims: Claims,
    /// The wording by which a statement says that something is no longer what it was.
    pub(crate) changes: Changes,
    /// The wording by which it shows how something is meant.
    pub(crate) senses: Senses,
    /// The words by which it shows what a question asks for.
    pub(crate) questions: Questions,
    /// Abbreviations that lead on to what follows them, whatever it is, in small letters.
    pub abbreviations: &'static str,
    /// Those before a number; elsewhere they are words or units.
    pub abbreviations_before_numbers: &'static str,
    /// Those that stand at the end of a sentence as well as inside one.
    pub abbreviations_either: &'static str,
    /// Words that begin a sentence and hardly ever a name, as they are written there.
    pub openers: &'static str,
    /// The same as they stand in what agents write.
    pub abbreviations_in_turns: &'static str,
    /// The wording of what is to be done, and of what was.
    pub(crate) actions: Actions,
    /// The wording that asks what happened in a period.
    pub(crate) periods: Periods,
    /// The wording of what became of code that is named.
    pub(crate) code: Code,
    /// The words by which sentences are chosen for pages.
    pub pages: Pages,
    /// The words by which pages of work tell what was done.
    pub work: Work,
    /// The wording by which it shows what somebody says in a session.
    pub sessions: Sessions,
}

impl Lexicon {
    /// A language without words.
    pub const NONE: Lexicon = Lexicon {
        name: "",
        stemmer: None,
        base: |_| None,
        telling: "",
        stop: "",
        weak: "",
        naming: "",
        numbers: "",
        ordinals: "",
        dates: Dates::NONE,
        orders: Orders::NONE,
        claims: Claims::NONE,
        changes: Changes::NONE,
        senses: Senses::NONE,
        questions: Questions::NONE,
        abbreviations: "",
        abbreviations_before_numbers: "",
        abbreviations_either: "",
        openers: "",
        abbreviations_in_turns: "",
        actions: Actions::NONE,
        periods: Periods::NONE,
        code: Code::NONE,
        pages: Pages::NONE,
        work: Work::NONE,
        sessions: Sessions::NONE,
    };
}

/// The words by which claims are compared with what they cite, and with each other.
#[derive(Debug)]
pub(crate) struct Claims {
    /// Words that negate what follows.
    pub(crate) negating: &'static str,
    /// Words that may carry the sense of a negation.
    pub(crate) may_negate: &'static str,
    /// Beginnings of words that begin with `un` and negate nothing.
    pub(crate) un_words: &'static str,
    /// Words that say that something was otherwise before.
    pub(crate) changes: &'static str,
    /// Words such as `the` before what is known, where they say no more than that: German ones say who does it to whom.
    pub(crate) definite: &'static str,
    /// Words that say that it holds now, as every claim does.
    pub(crate) light: &'static str,
    /// Words that stand for one another, whatever stands around them.
    pub(crate) twins: &'static [(&'static str, &'static str)],
    /// What introduces a claim and tells nothing of it, alternatives of a pattern: `reminder:`.
    pub(crate) introduces: &'static str,
    /// Words behind which a number is a name.
    pub(crate) labels: &'static str,
    /// Words by which a text shows that it is in this language, in which a capital says nothing.
    pub(crate) capitalised: &'static str,
    /// Numbers with the words for them, which are numbers wherever they stand.
    pub(crate) sure_numbers: &'static [(u64, &'static str)],
    /// The same with words that mean something else as often.
    pub(crate) unsure_numbers: &'static [(u64, &'static str)],
    /// What words multiply the number before them by.
    pub(crate) factors: &'static [(u64, &'static str)],
}

impl Claims {
    /// A language without them.
    pub(crate) const NONE: Claims = Claims {
        negating: "",
        may_negate: "",
        un_words: "",
        changes: "",
        definite: "",
        light: "",
        twins: &[],
        introduces: "",
        labels: "",
        capitalised: "",
        sure_numbers: &[],
        unsure_numbers: &[],
        factors: &[],
    };
}

/// The wording of what is to be done, and of what was: phrases between `|` like those of [`Changes`], where nothing else is
/// said.
#[derive(Debug)]
pub(crate) struct Actions {
    /// What asks for it: `left to do`.
    pub(crate) asked: &'static str,
    /// What says nothing of what such a question is about: `give me a list`.
    pub(crate) idle: &'static str,
    /// Labels that are written before what is left to do, without a number before them.
    pub(crate) label: &'static str,
    /// Words between such a label and whose it is: `for`.
    pub(crate) owned_by: &'static str,
    /// Words of a label of more than one: `tasks`.
    pub(crate) several: &'static str,
    /// Words between two of them.
    pub(crate) and: &'static str,
    /// Between a thing and what was done to it: `is`, `has been`.
    pub(crate) is: &'static str,
    /// Whoever speaks and did something: `I have`.
    pub(crate) did: &'static str,
    /// Behind the name of somebody who did: `has`.
    pub(crate) has: &'static str,
    /// Words that may stand before what was done and say nothing of it: `already`.
    pub(crate) beside: &'static str,
    /// What an action item is called by whoever closes it.
    pub(crate) name: &'static str,
    /// Behind an item and a comma, by whoever remembers that it was done: `no, she did`.
    pub(crate) taken_back: &'static str,
    /// Prefixes that stand apart from their verb, before `ge` in its participle (`abgedichtet`), and those that take its place
    /// (`bestellt`).
    pub(crate) parting: &'static str,
    pub(crate) staying: &'static str,
}

impl Actions {
    /// A language without them.
    pub(crate) const NONE: Actions = Actions {
        asked: "",
        idle: "",
        label: "",
        owned_by: "",
        several: "",
        and: "",
        is: "",
        did: "",
        has: "",
        beside: "",
        name: "",
        taken_back: "",
        parting: "",
        staying: "",
    };
}

/// The wording by which a statement says that something is no longer what it was: phrases between `|`, of words between
/// spaces; `a/b` is either word, `a*` every word that begins so, `~3` up to three words of any kind.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Between the new and the old: `wood instead of coal`.
    pub(crate) instead: &'static str,
    /// The same where both are amounts or days: `at 5 rather than at 6`.
    pub(crate) rather: &'static str,
    /// Before the old, and between it and the new: `from 5 to 6`.
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// Before the old, and between it and the new: `not 5 but 6`.
    pub(crate) not: &'static str,
    pub(crate) but: &'static str,
    /// Behind a comma, between the new and the old: `6, not 5`.
    pub(crate) and_not: &'static str,
    /// Before the old, and between it and the new: `replaced coal with wood`.
    pub(crate) replaces: &'static str,
    pub(crate) with: &'static str,
    /// Behind the new and before the old: `6, up from 5`.
    pub(crate) formerly: &'static str,
    /// Words of change: `now`, `moves to`.
    pub(crate) change: &'static str,
    /// What changes an amount or a day, and says nothing of words: `raised`, `the new`.
    pub(crate) alters: &'static str,
    /// Those of them by which something is a newer one, and of no other sort: `the new oven`.
    pub(crate) newness: &'static str,
    /// What begins a correction.
    pub(crate) corrects: &'static str,
    /// What takes back what was said of what follows: `forget what i said about`.
    pub(crate) retracts: &'static str,
    /// Verbs of change behind which the new stands, whatever stood before the old: `switched to wood`.
    pub(crate) switch: &'static str,
    /// What somebody new does with a thing, and somebody who had it: `takes over`, `hands`.
    pub(crate) takes: &'static str,
    pub(crate) gives: &'static str,
    /// What somebody does whose task a thing is: `runs`, `looks after`.
    pub(crate) owns: &'static str,
    /// What says that nothing changed: `stays`.
    pub(crate) keeps: &'static str,
    /// What ends something: `no longer`.
    pub(crate) ends: &'static str,
    /// What calls off something that was to happen: `is cancelled`.
    pub(crate) cancels: &'static str,
    /// What brings something back: `back to`.
    pub(crate) back: &'static str,
    /// What says that something is as it once was, of which it says nothing else.
    pub(crate) again: &'static str,
    /// What says that something was looked at (`we tested and found`); what is left beside what was named (`everything else`).
    pub(crate) finds: &'static str,
    pub(crate) rest: &'static str,
    /// Before what follows from what was said (`so we used`), and what says that one thing is used where another was
    /// (`the queue instead`).
    pub(crate) therefore: &'static str,
    pub(crate) in_its_place: &'static str,
    /// What somebody is to do: `we need to order again`.
    pub(crate) must: &'static str,
    /// What says how many it takes: `one is enough`.
    pub(crate) enough: &'static str,
    /// What makes a statement a question, a wish, a guess, a trial or somebody's report.
    pub(crate) unsure: &'static str,
    /// What somebody wishes, thinks, asks or tries, which says nothing of what stands beside it.
    pub(crate) views: &'static str,
    /// What calls a value unfit: `too often`, `is not possible`.
    pub(crate) unfit: &'static str,
    /// What happens to somebody or something that another takes the place of: `retired`, `burned down`.
    pub(crate) departs: &'static str,
    /// Before a day from which something holds, and before one up to which it does.
    pub(crate) since: &'static str,
    /// First words of those that stand before a day to come alone: `from Monday`, and not `since Monday`.
    pub(crate) since_ahead: &'static str,
    pub(crate) effective: &'static str,
    pub(crate) until: &'static str,
    /// Those of them that say how long something is so, and not by when it is to be.
    pub(crate) lasts: &'static str,
    /// Behind an amount by which something differs, and is not: `10 minutes later`.
    pub(crate) offsets: &'static str,
    /// When something was or will be, by a word that is no date: `last week`.
    pub(crate) when: &'static str,
    /// Before an hour of the day, and behind one: `8 Uhr`.
    pub(crate) clock: &'static str,
    pub(crate) clock_behind: &'static str,
    /// Before a unit of time that is how often something happens (`every week`), and behind a number of it (`three times`).
    pub(crate) each: &'static str,
    pub(crate) times: &'static str,
    /// The number one, by a word that stands before no noun otherwise.
    pub(crate) one: &'static str,
    /// What costs nothing.
    pub(crate) free: &'static str,
    /// What says that something comes besides, and not in the place of another.
    pub(crate) also: &'static str,
    /// Before whom or what has the place of another: `the new head is Ada`.
    pub(crate) heir: &'static str,
    /// Words of a condition.
    pub(crate) condition: &'static str,
    /// Before the name of a thing: `is called`.
    pub(crate) named: &'static str,
    /// What gives a thing another name: `is renamed to`.
    pub(crate) renames: &'static str,
    /// What speaks of names at all.
    pub(crate) naming: &'static str,
    /// Before a name that a thing had, behind the one that it has: `formerly`.
    pub(crate) once: &'static str,
    /// Before what a thing is, where it is, by what means it works, where it comes from, and where it goes.
    pub(crate) is: &'static str,
    pub(crate) at: &'static str,
    pub(crate) means: &'static str,
    pub(crate) of: &'static str,
    pub(crate) toward: &'static str,
    /// Before what a thing is used for: `use wood as fuel`.
    pub(crate) role: &'static str,
    /// Words that begin another clause, and those that begin one that says why, when or which.
    pub(crate) joins: &'static str,
    pub(crate) because: &'static str,
    /// Other small words that say nothing of what a thing is about, nor do those of what amounts are of.
    pub(crate) small: &'static str,
    pub(crate) units: &'static str,
    /// Whether what tells a thing from others stands before it: `the blue vase`, not `le vase bleu`.
    pub(crate) has_adjectives_before: bool,
    /// Wording before or behind an amount that is the most or the least there may be: `at most`.
    pub(crate) bounds: &'static str,
    /// Wording by which something is somebody's to see to, whatever it is: `is responsible for`.
    pub(crate) charge: &'static str,
    /// Words that stand for what was named before: `it`.
    pub(crate) stands_for: &'static str,
    /// Before what tells a thing from others of its sort: `the choir of Lund`.
    pub(crate) qualifies: &'static str,
    /// Verbs and nouns of what something measures, which say nothing of what it is: `costs`, `the price`.
    pub(crate) measures: &'static str,
    /// Parts of units of time, in seconds, with their phrases: `1800 half an hour`.
    pub(crate) fractions: &'static str,
    /// What a number is called that one types or dials: `the code 4471`.
    pub(crate) codes: &'static str,
    /// Units of time with their seconds.
    pub(crate) lengths: &'static [(u32, &'static str)],
    /// Words of how often something happens, with the seconds between.
    pub(crate) often: &'static [(u32, &'static str)],
    /// Words of how many times something happens: `twice`.
    pub(crate) repeats: &'static [(u32, &'static str)],
    /// Folded words that say that something does not work or apply, and that it does: `off`, `on`.
    pub(crate) states: [&'static str; 2],
}

impl Changes {
    /// A language without them.
    pub(crate) const NONE: Changes = Changes {
        instead: "",
        rather: "",
        from: "",
        to: "",
        not: "",
        but: "",
        and_not: "",
        replaces: "",
        with: "",
        formerly: "",
        change: "",
        alters: "",
        newness: "",
        corrects: "",
        retracts: "",
        switch: "",
        takes: "",
        gives: "",
        owns: "",
        keeps: "",
        ends: "",
        cancels: "",
        back: "",
        again: "",
        finds: "",
        rest: "",
        therefore: "",
        in_its_place: "",
        must: "",
        enough: "",
        unsure: "",
        views: "",
        unfit: "",
        departs: "",
        since: "",
        since_ahead: "",
        effective: "",
        until: "",
        lasts: "",
        offsets: "",
        when: "",
        clock: "",
        clock_behind: "",
        each: "",
        times: "",
        one: "",
        free: "",
        also: "",
        heir: "",
        condition: "",
        named: "",
        renames: "",
        naming: "",
        once: "",
        is: "",
        at: "",
        means: "",
        of: "",
        toward: "",
        role: "",
        joins: "",
        because: "",
        small: "",
        units: "",
        has_adjectives_before: false,
        bounds: "",
        charge: "",
        stands_for: "",
        qualifies: "",
        measures: "",
        fractions: "",
        codes: "",
        lengths: &[],
        often: &[],
        repeats: &[],
        states: ["", ""],
    };
}

/// The words by which it shows what a question asks for, and what answers it.
#[derive(Debug)]
pub(crate) struct Questions {
    /// Words that ask, wherever they stand; `…` stands for what is between two parts.
    pub(crate) openings: &'static [(&'static str, Asks)],
    /// Words that ask when they stand first: elsewhere they may be another language's (`where do the boards come from`).
    pub(crate) first: &'static [(&'static str, Asks)],
    /// Words that ask for a thing: behind them, `when`, `where` and `who` only join clauses (`what happens when …`).
    pub(crate) things: &'static str,
    /// Words behind the one that asks for a reason, where what it is about is so (`why is …`): somebody decided it.
    pub(crate) stated: &'static str,
    /// Words behind which somebody else's question is told, as a pattern: `he asked how many fit`.
    pub(crate) reported: &'static str,
    /// Days of the week, times of the day and seasons by which a text says when.
    pub(crate) moments: &'static str,
    /// Words by which a text says how often.
    pub(crate) repeats: &'static str,
    /// Words by which a text says why.
    pub(crate) reasons: &'static str,
    /// Words by which a text says what became of something.
    pub(crate) changes: &'static str,
    /// Words by which a text says what is still to be done.
    pub(crate) open: &'static str,
    /// Words that ask for what was first.
    pub(crate) early: &'static str,
    /// Words that ask for what holds now.
    pub(crate) late: &'static str,
    /// Runs of words that ask for what was first.
    pub(crate) early_runs: &'static [&'static str],
    /// Runs of words that ask for what holds now.
    pub(crate) late_runs: &'static [&'static str],
    /// Words that ask for what was.
    pub(crate) past: &'static str,
    /// The wording of questions about a change, as phrases between `|` like those of [`Changes`], folded: what asks how
    /// something became what it is (`how did ~6 evolve`).
    pub(crate) course: &'static str,
    /// What asks for what was first: `originally`.
    pub(crate) first_of_all: &'static str,
    /// What asks for what was before something, which stands behind it.
    pub(crate) before: &'static str,
    /// What asks for what was before today's: `previously`.
    pub(crate) formerly: &'static str,
    /// What makes `when`, `who` and `why` ask about a change: `switch*`, `decid*`.
    pub(crate) turns: &'static str,
    /// What asks for the day of a change by itself: `since when`.
    pub(crate) since_when: &'static str,
    /// The forms by which a question speaks of the past.
    pub(crate) was: &'static str,
    /// Whoever asks, and words as small, that say nothing of what it is about.
    pub(crate) askers: &'static str,
    /// What begins the part of a statement that gives a reason: `because`.
    pub(crate) why: &'static str,
    /// Words that name a sort of value and stand beside none: `the launch date`, `the price`, `the opening time`, `the number of ovens`, `the
    /// name`; `*preis`
    /// is every word that ends so.
    pub(crate) dates: &'static str,
    pub(crate) prices: &'static str,
    pub(crate) times: &'static str,
    pub(crate) amounts: &'static str,
    pub(crate) names: &'static str,
    /// Openings of questions that a one-sentence definition answers, in small letters, not folded.
    pub(crate) what_is: &'static [&'static str],
    /// Openings of questions that need more than a definition, the same way.
    pub(crate) how: &'static [&'static str],
    /// Runs of words, folded, by which a question asks what to run: `how do i`, `which command`.
    pub(crate) commands: &'static [&'static str],
    /// How a turn of an agent opens that says what comes, and not what is.
    pub(crate) answer_openers: &'static [&'static str],
    /// Function words that say something in a question nevertheless.
    pub(crate) kept: &'static str,
    /// Words that ask for what is disputed: `disagree`.
    pub(crate) disagreeing: &'static str,
}

impl Questions {
    /// A language without them.
    pub(crate) const NONE: Questions = Questions {
        openings: &[],
        first: &[],
        things: "",
        stated: "",
        reported: "",
        moments: "",
        repeats: "",
        reasons: "",
        changes: "",
        open: "",
        early: "",
        late: "",
        early_runs: &[],
        late_runs: &[],
        past: "",
        course: "",
        first_of_all: "",
        before: "",
        formerly: "",
        turns: "",
        since_when: "",
        was: "",
        askers: "",
        why: "",
        dates: "",
        prices: "",
        times: "",
        amounts: "",
        names: "",
        what_is: &[],
        how: &[],
        commands: &[],
        answer_openers: &[],
        kept: "",
        disagreeing: "",
    };
}

/// The words by which a statement says what became of code that it names: phrases like those of [`Changes`].
#[derive(Debug)]
pub(crate) struct Code {
    /// What stands right before something that has gone, or that is not meant to be there: `removed the old`.
    pub(crate) left_before: &'static str,
    /// What soon follows something that has gone, or is not there yet: `was removed`.
    pub(crate) left_behind: &'static str,
    /// What says anywhere before it that it is wished for or planned.
    pub(crate) moods: &'static str,
    /// What says anywhere before it that it is of another project.
    pub(crate) elsewhere: &'static str,
    /// Words that may stand between [`Code::left_before`] and what it is of.
    pub(crate) between: &'static str,
    /// Sorts of things in code, beside their names: `the class`.
    pub(crate) kinds: &'static str,
    /// What stands between a name and the file that it is in, beside [`Code::kinds`].
    pub(crate) inside: &'static str,
}

impl Code {
    /// A language without them.
    pub(crate) const NONE: Code =
        Code { left_before: "", left_behind: "", moods: "", elsewhere: "", between: "", kinds: "", inside: "" };
}
