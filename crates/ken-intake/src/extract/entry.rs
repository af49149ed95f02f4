//! One day's entry: which sentences go where.
//!
//! A statement goes to one section only: where its label says, else decisions, then lessons, then actions, then
//! exchanges. Whatever was settled or found counts wherever it stands in an answer; what was done counts from the
//! answer's last words. How long an entry may be is nothing that is decided here: see `fit`.

use std::collections::BTreeSet;

use ken_core::action::closes_task;
use ken_core::journal::{RULED_OUT, SectionKind, TURNED_DOWN, USER_ASKED, USER_SAID, is_overruled};
use ken_core::supersede::reach;

use super::Changes;
use super::accepted::{AGREED, settled};
use super::bullet::{BULLET_CHARS_MAX, Bullet, add, bullet, repeated, texts, told};
use super::names;
use super::options::Options;
use super::overruled::{Telling, concedes, contradicts, is_proposed, ruled_out, telling, turned_down};
use super::phrases::{Label, Phrases};
use super::request::{Said, context, is_substantive, request_paragraphs, request_sentences};
use super::ruling::{Part, reply};
use super::same::Words;
use super::sentence::{SENTENCE_CHARS_MAX, cut, first_that_fit, sentences, typed_sentences};
use super::statements::{Form, Statement, statements};
use super::summed::{self, FROM_SUMMARY};
use super::units::units;

/// Longest request, in characters.
const REQUEST_CHARS_MAX: usize = 240;

/// Most sentences of a request, and of what a reply asks or tells besides what it rules.
const REQUEST_SENTENCES_MAX: usize = 3;
const REPLY_SENTENCES_MAX: usize = 4;

/// Most statements of what was done that are kept of an answer, and of those that tell much; one more for each so many
/// characters of a long answer.
const TOLD_MAX: usize = 3;
const TOLD_MUCH_MAX: usize = 6;
const TOLD_MORE_CHARS: usize = 600;

/// From where on a statement tells enough, tells enough before the answer's last words, and tells much.
const TELLING_MIN: i32 = 2;
const TELLING_EARLY_MIN: i32 = 6;
const TELLING_MUCH: i32 = 6;

/// How many requests ago something was said at most that is ruled out.
const RULED_OUT_WITHIN: usize = 2;

/// Fewest words of a cause or lesson that names nothing: "The fix is straightforward." is none.
const CUE_WORDS_MIN: usize = 6;

/// Longest message of a person that says in its own words what is wanted, in characters; more is pasted.
const OWN_WORDS_CHARS_MAX: usize = 700;

/// Tools that only keep the agent's own house.
const BOOKKEEPING_TOOLS: &[&str] = &[
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "TaskOutput",
    "BashOutput",
    "ToolSearch",
    "EnterPlanMode",
    "ExitPlanMode",
    "mcp__ide__getDiagnostics",
];

/// Returns the sections of a day, or `None` when nothing was said that could stand in one.
pub(super) fn sections(
    (said, summed): (&[Said], &[String]),
    (events, changes): (&[String], &Changes),
    branch: Option<&str>,
) -> Option<Vec<(SectionKind, Vec<String>)>> {
    if said.is_empty() && summed.is_empty() {
        return None;
    }
    let context = context(said);
    let mut collected = Collected { is_work: !events.is_empty(), ..Collected::new(&context) };
    // First, so that whoever says it again says it in place of the summary.
    summed.iter().for_each(|summary| collected.summary(summary));
    let mut turns = said.iter().enumerate().peekable();
    let mut spoken: Vec<(usize, &str)> = Vec::new();
    // The agent's last words before a request.
    let mut offered = "";
    while let Some((turn, said)) = turns.next() {
        collected.turn = turn;
        if said.is_user {
            collected.request(&said.text, offered);
        } else {
            spoken.push((turn, &said.text));
        }
        if turns.peek().is_none_or(|(_, next)| next.is_user) {
            collected.answer(&spoken);
            offered = spoken.last().map(|(_, text)| *text).unwrap_or_default();
            spoken.clear();
        }
    }
    let all = [
        (SectionKind::Context, context.into_iter().collect()),
        (SectionKind::KeyExchanges, told(collected.exchanges, changes)),
        (SectionKind::DecisionsMade, texts(collected.decisions)),
        (SectionKind::LessonsLearned, texts(collected.lessons)),
        (SectionKind::ActionItems, texts(collected.actions)),
        (SectionKind::Events, listed(events)),
    ];
    let mut filled: Vec<(SectionKind, Vec<String>)> = all.into_iter().filter(|(_, lines)| !lines.is_empty()).collect();
    if !filled.iter().any(|(kind, _)| kind.is_said()) {
        return None;
    }
    let names = names::names(said, branch, filled.iter().flat_map(|(_, lines)| lines));
    let at = filled.iter().position(|(kind, _)| !kind.is_said()).unwrap_or(filled.len());
    filled.splice(at..at, names.map(|names| (SectionKind::Names, vec![names])));
    Some(filled)
}

/// Returns the events that an entry lists, one by one.
pub(super) fn listed(events: &[String]) -> Vec<String> {
    events.iter().filter(|event| !is_bookkeeping(event)).cloned().collect()
}

/// The agent's own lists and searches for tools change nothing that anybody would look up.
fn is_bookkeeping(event: &str) -> bool {
    let tool = event.split(' ').next().unwrap_or("");
    BOOKKEEPING_TOOLS.contains(&tool)
}

/// Where a statement goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Decisions,
    Lessons,
    Actions,
    /// Only if it tells enough.
    Exchanges,
}

/// Sentences with which an agent begins that may say what holds instead of what it takes back.
const CONCEDED_SENTENCES: usize = 4;

/// What was found so far.
struct Collected {
    exchanges: Vec<Bullet>,
    decisions: Vec<Bullet>,
    lessons: Vec<Bullet>,
    actions: Vec<Bullet>,
    /// What stands somewhere already, in lower case without punctuation.
    seen: BTreeSet<String>,
    context: String,
    /// What the agent offered last to choose from, in a message of its own.
    offer: String,
    /// How many requests were made so far.
    n_requests: usize,
    /// Which turn is being read.
    turn: usize,
    /// Whether tools ran: then who answers an agent rules what it does, and does not only chat.
    is_work: bool,
    phrases: &'static Phrases,
}

impl Collected {
    fn new(context: &Option<String>) -> Collected {
        Collected {
            exchanges: Vec::new(),
            decisions: Vec::new(),
            lessons: Vec::new(),
            actions: Vec::new(),
            seen: BTreeSet::new(),
            context: context.clone().unwrap_or_default(),
            offer: String::new(),
            n_requests: 0,
            turn: 0,
            is_work: false,
            phrases: Phrases::get(),
        }
    }

    /// Takes a sentence once; returns whether it was new.
    fn is_new(&mut self, sentence: &str) -> bool {
        let key: String = sentence.to_lowercase().chars().filter(|ch| ch.is_alphanumeric()).collect();
        !key.is_empty() && self.seen.insert(key)
    }

    /// Sorts what the agent summed up.
    fn summary(&mut self, text: &str) {
        for (kind, line) in summed::lines(text) {
            if !self.is_new(&line) {
                continue;
            }
            let section = match kind {
                SectionKind::DecisionsMade => &mut self.decisions,
                SectionKind::LessonsLearned => &mut self.lessons,
                SectionKind::ActionItems => &mut self.actions,
                _ => &mut self.exchanges,
            };
            let words = Some(Words::of(&line));
            let text = format!("{}{FROM_SUMMARY}", cut(&line, BULLET_CHARS_MAX));
            add(section, Bullet { text, score: i32::MIN, words, answers: None, turn: 0 });
        }
    }

    /// Sorts what a person said; `offered` is what the agent said before it.
    fn request(&mut self, text: &str, offered: &str) {
        self.overrule((&turned_down(text), TURNED_DOWN), 0, &mut [], is_proposed);
        typed_sentences(text).into_iter().for_each(|sentence| self.rule_out(sentence, &mut []));
        self.n_requests += 1;
        let offered = &*self.reconsidered(text, offered);
        if let Some(settled) = settled(text, offered) {
            self.drop_offered(&settled, offered);
            if self.is_new(&settled) {
                self.decisions.push(bullet(&settled, 10));
            }
            return;
        }
        if !is_substantive(text) {
            return;
        }
        let is_own = text.chars().count() < OWN_WORDS_CHARS_MAX;
        if self.is_work && is_own && !offered.is_empty() {
            for part in reply(&request_paragraphs(text), offered) {
                if let Part::Ruled(ruling) = &part {
                    self.drop_offered(ruling, offered);
                }
                self.replied(part);
            }
            return;
        }
        let sentences = request_sentences(text);
        let options = Options::of(&units(offered));
        let mut rest = Vec::new();
        for (at, sentence) in sentences.iter().enumerate() {
            // What is pasted further down is somebody else's decision.
            let is_short = at < 6 && sentence.chars().count() <= SENTENCE_CHARS_MAX;
            let is_wish = is_own && sentence.chars().count() >= 20 && self.phrases.is_wish(sentence);
            if is_short && (is_wish || self.phrases.is_decision(sentence)) {
                if self.is_new(sentence) {
                    let named = options.named_in(sentence).map(|option| format!("{sentence} ({option})"));
                    self.decisions.push(bullet(named.as_ref().unwrap_or(sentence), 10));
                }
            } else if !self.is_in_context(sentence) {
                rest.push(sentence.clone());
            }
        }
        self.asked(&rest, REQUEST_SENTENCES_MAX);
    }

    /// Returns what was offered that a person now chooses from: the last message, or the one before from which they choose
    /// another option than they did; that one is turned down.
    fn reconsidered(&mut self, text: &str, offered: &str) -> String {
        if !Options::of(&units(offered)).is_empty() {
            offered.clone_into(&mut self.offer);
        }
        let options = Options::of(&units(&self.offer));
        let Some(chosen) = typed_sentences(text).into_iter().find_map(|one| options.chosen_instead(one)) else {
            return offered.to_owned();
        };
        let is_other = |put: &str| options.open(put) && !put.starts_with(chosen);
        for bullet in &mut self.decisions {
            if bullet.text.strip_prefix(AGREED).is_some_and(is_other) {
                bullet.text.push_str(TURNED_DOWN);
            }
        }
        self.drop_overruled();
        self.offer.clone()
    }

    /// What was offered to choose from is left to do no more once a `ruling` chooses one.
    fn drop_offered(&mut self, ruling: &str, offered: &str) {
        let Some(chosen) = ruling.strip_prefix(AGREED).filter(|_| !self.actions.is_empty()) else { return };
        let options = Options::of(&units(offered));
        if options.open(chosen) {
            self.actions.retain(|action| !options.open(&action.text));
        }
    }

    /// What was decided and is overruled since stands among the exchanges.
    fn drop_overruled(&mut self) {
        let (decided, overruled) =
            std::mem::take(&mut self.decisions).into_iter().partition(|one| !is_overruled(&one.text));
        self.decisions = decided;
        self.exchanges.extend::<Vec<Bullet>>(overruled);
    }

    /// Marks what a sentence rules out of what the agent said shortly before, and of what it is saying.
    fn rule_out(&mut self, sentence: &str, saying: &mut [Bullet]) {
        self.overrule((&ruled_out(sentence), RULED_OUT), RULED_OUT_WITHIN, saying, |text| ruled_out(text).is_empty());
    }

    /// Marks what an agent said in its last answer and takes back where it begins the next one: `You're right, …`.
    fn take_back(&mut self, said: &str) {
        let Some(last) = self.n_requests.checked_sub(1).filter(|_| concedes(said)) else { return };
        let sentences: Vec<&str> = sentences(said).into_iter().take(CONCEDED_SENTENCES).collect();
        let sections = [&mut self.exchanges, &mut self.lessons, &mut self.decisions];
        let all = sections.into_iter().flat_map(|section| section.iter_mut());
        for bullet in all.filter(|one| one.answers == Some(last) && !is_overruled(&one.text)) {
            if sentences.iter().any(|sentence| contradicts(sentence, &bullet.text)) {
                bullet.text.push_str(RULED_OUT);
            }
        }
        self.drop_overruled();
    }

    /// Puts a mark behind what an agent is `saying`, said in its last answer, or up to so many `requests` before it, that has
    /// one of some words and `may_be` meant; what was decided by it is decided no more.
    fn overrule(
        &mut self,
        (words, mark): (&Telling, &str),
        requests: usize,
        saying: &mut [Bullet],
        may_be: impl Fn(&str) -> bool,
    ) {
        if words.is_empty() {
            return;
        }
        let first = self.n_requests.saturating_sub(requests);
        let sections = [&mut self.exchanges, &mut self.lessons, &mut self.decisions];
        let all = sections.into_iter().flat_map(|section| section.iter_mut()).chain(saying);
        for bullet in all.filter(|one| one.answers.is_some_and(|nth| nth >= first) && !is_overruled(&one.text)) {
            if may_be(&bullet.text) && !telling(&bullet.text).is_disjoint(words) {
                bullet.text.push_str(mark);
            }
        }
        self.drop_overruled();
    }

    /// Takes a piece of what a person replied to the agent.
    fn replied(&mut self, part: Part) {
        match part {
            Part::Ruled(ruling) if self.is_new(&ruling) => self.decisions.push(bullet(&ruling, 10)),
            Part::Told(told) if !self.is_in_context(&told) && self.is_new(&told) => {
                self.exchanges.push(Bullet { turn: self.turn, ..repeated(USER_SAID, &told) });
            }
            Part::Asked(mut asked) => {
                asked.retain(|sentence| !self.is_in_context(sentence));
                self.asked(&asked, REPLY_SENTENCES_MAX);
            }
            Part::Ruled(_) | Part::Told(_) => {}
        }
    }

    /// Takes what a person asked.
    fn asked(&mut self, sentences: &[String], n_max: usize) {
        let asked = first_that_fit(sentences, n_max, REQUEST_CHARS_MAX);
        if !asked.is_empty() && self.is_new(&asked) {
            self.exchanges.push(Bullet { turn: self.turn, ..repeated(USER_ASKED, &asked) });
        }
    }

    fn is_in_context(&self, sentence: &str) -> bool {
        let cut_short = self.context.strip_suffix('…');
        self.context.contains(sentence) || cut_short.is_some_and(|context| sentence.starts_with(context))
    }

    /// Sorts what the agent said between two requests; its last words are the conclusion.
    fn answer(&mut self, spoken: &[(usize, &str)]) {
        let mut candidates = Vec::new();
        spoken.first().into_iter().for_each(|(_, first)| self.take_back(first));
        for (nth, (turn, text)) in spoken.iter().enumerate() {
            self.turn = *turn;
            let is_last = nth + 1 == spoken.len();
            sentences(text).into_iter().for_each(|sentence| self.rule_out(sentence, &mut candidates));
            for statement in statements(text) {
                self.sort(&statement, is_last, &mut candidates);
            }
        }
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(candidates[*at].score));
        let n_more = spoken.iter().map(|(_, text)| text.chars().count()).sum::<usize>() / TOLD_MORE_CHARS;
        let max = |nth: usize, score: i32| nth < n_more + if score >= TELLING_MUCH { TOLD_MUCH_MAX } else { TOLD_MAX };
        let kept: BTreeSet<usize> = order
            .into_iter()
            .enumerate()
            .filter(|(nth, at)| max(*nth, candidates[*at].score))
            .map(|(_, at)| at)
            .collect();
        for (at, candidate) in candidates.into_iter().enumerate() {
            if kept.contains(&at) && self.is_new(&candidate.text) {
                add(&mut self.exchanges, candidate);
            }
        }
    }

    fn sort(&mut self, statement: &Statement, is_last: bool, candidates: &mut Vec<Bullet>) {
        let is_task = is_last && self.is_task(statement);
        let is_prose = matches!(statement.form, Form::Opening | Form::Prose);
        let is_note = is_prose && (is_note(&statement.text) || sentences(&statement.text).into_iter().any(closes_task));
        if !is_task && !is_note && !self.is_usable(&statement.text)
            || !is_last && self.phrases.is_guess(&statement.text)
        {
            return;
        }
        let text = statement.text.as_str();
        let label = self.phrases.label(text).or(statement.topic.filter(|_| self.says_enough(text)));
        let is_limit = !is_last && self.phrases.is_limit(text);
        let score = self.score(statement, label) + 2 * i32::from(is_limit);
        let place = if is_task { Place::Actions } else { self.place(statement, label, (score, is_last)) };
        let bullet = Bullet { answers: Some(self.n_requests), turn: self.turn, ..bullet(text, score) };
        let section = match place {
            Place::Decisions => &mut self.decisions,
            Place::Lessons => &mut self.lessons,
            Place::Actions => &mut self.actions,
            Place::Exchanges => {
                let least = if is_last { TELLING_MIN } else { TELLING_EARLY_MIN };
                let is_told = score >= least && (is_last || self.phrases.is_concrete(text)) || is_last && is_note;
                if is_told && !self.phrases.is_bare_change(text) {
                    candidates.push(bullet);
                }
                return;
            }
        };
        let key: String = text.to_lowercase().chars().filter(|ch| ch.is_alphanumeric()).collect();
        if !key.is_empty() && self.seen.insert(key) {
            add(section, bullet);
        }
    }

    fn score(&self, statement: &Statement, label: Option<Label>) -> i32 {
        let form = match statement.form {
            Form::Opening => 2,
            Form::Prose | Form::List => 1,
            // What was put into a table was meant to be looked up.
            Form::Table => 4,
            Form::Item | Form::OpenItem => -2,
            Form::Row => -3,
        };
        self.phrases.telling(&statement.text) + form + 2 * i32::from(label.is_some())
    }

    fn place(&self, statement: &Statement, label: Option<Label>, (score, is_last): (i32, bool)) -> Place {
        let (text, under) = (statement.text.as_str(), statement.under.as_str());
        match label {
            Some(Label::Decision) if !statement.leans => return Place::Decisions,
            Some(Label::Lesson) if !statement.leans => return Place::Lessons,
            Some(Label::Action) if is_last => return Place::Actions,
            _ => {}
        }
        let is_prose = matches!(statement.form, Form::Opening | Form::Prose);
        // Under a telling heading prose counts as it says; the items of a list may be mere names.
        if statement.leans || !is_prose && score < TELLING_MIN {
            return Place::Exchanges;
        }
        let is_enough = self.says_enough(text);
        let any = |is: fn(&Phrases, &str) -> bool| {
            is_enough && sentences(text).into_iter().any(|sentence| is(self.phrases, sentence))
        };
        let is_list = matches!(statement.form, Form::List | Form::Table);
        match () {
            () if !is_list && any(Phrases::is_decision) || self.phrases.is_decision_heading(under) => Place::Decisions,
            () if any(Phrases::is_lesson) || self.phrases.is_lesson_heading(under) => Place::Lessons,
            () if is_last && (any(Phrases::is_action) || self.phrases.is_action_heading(under)) => Place::Actions,
            () => Place::Exchanges,
        }
    }

    /// An open check box, or an item of what is left to do.
    fn is_task(&self, statement: &Statement) -> bool {
        statement.form == Form::OpenItem
            || statement.form == Form::Item && self.phrases.is_action_heading(&statement.under)
    }

    /// Whether a sentence with a cue says what about.
    fn says_enough(&self, text: &str) -> bool {
        text.split_whitespace().count() >= CUE_WORDS_MIN || self.phrases.is_concrete(text)
    }

    /// More than a remark.
    fn is_usable(&self, sentence: &str) -> bool {
        let n_words = sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
        n_words >= 3 && !sentence.ends_with([':', '?'])
    }
}

/// Longest text that may be a note, in characters.
const NOTE_CHARS_MAX: usize = 120;

/// Whether a text has nothing but labels with values: `Opening hours: 9 to 12`.
fn is_note(text: &str) -> bool {
    text.len() <= NOTE_CHARS_MAX && !text.ends_with([':', '?']) && reach(text).is_note
}
