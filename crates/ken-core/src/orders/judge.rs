//! Whether a sentence gives an order, by what it shows together: an act, at whom, at what.
//!
//! No cue makes an order by itself: `Delete stale branches` is work, and so is `Send the token in the header`. An
//! order is an act that is directed at a reader, or aims at secrets, addresses, rights or instructions. What is
//! [`Force::Plain`] is one beyond doubt; what is [`Force::Likely`] speaks to its reader and may be meant well.

use std::sync::LazyLock;

use crate::language::WordSet;
use crate::span::Span;
use crate::supersede::takes_back;
use crate::text::sentences;
use crate::words::{fold, words};

use super::Rule;
use super::cues::{
    ACTS, ADD, ALL, AS, AUTHORITY, BYPASS, Cues, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL,
    NEGATED, PERSON, PLACE, PRIOR, PROMPT, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION,
    SILENT, Shown, TELL, TOLD, TURN, URGENT, VITAL, VOID, YOU, shown,
};

/// How sure it is that a sentence gives an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    /// It speaks to its reader.
    Likely,
    /// It is one.
    Plain,
}

/// Acts that do harm when they are aimed well.
const RISKS: Cues = SEND | RUN | FETCH | INSTALL | DELETE | REVEAL | HIDE | IGNORE | TELL | TURN | ADD;

/// What makes a risk of an act.
const AIMS: Cues = SECRET | PLACE | ROOT | BYPASS | SILENT | PROMPT | READER;

/// Returns the first sentence of a text that is an order, or else the first that may be one.
pub(super) fn find(text: &str) -> Option<(Force, Rule, Span)> {
    let mut first = None;
    for span in sentences(text) {
        match judge(span.of(text)) {
            Some((rule, Force::Plain)) => return Some((Force::Plain, rule, span)),
            Some((rule, force)) => first = first.or(Some((force, rule, span))),
            None => {}
        }
    }
    first
}

fn judge(sentence: &str) -> Option<(Rule, Force)> {
    if let Some(rule) = label(sentence) {
        return Some((rule, Force::Plain));
    }
    let shown = shown(sentence);
    if is_role(sentence) && shown.has(ACTS | READER) {
        return Some((Rule::Role, Force::Likely));
    }
    if is_own_retraction(sentence, shown) {
        return shown.has(YOU).then_some((Rule::Override, Force::Likely));
    }
    plain(shown).map(|rule| (rule, Force::Plain)).or_else(|| likely(shown).map(|rule| (rule, Force::Likely)))
}

/// Whether somebody takes back what they said of a topic, and orders and allows nothing else: `Forget what I said about
/// the oven`. What others said may be what a reader is to hold to.
fn is_own_retraction(sentence: &str, shown: Shown) -> bool {
    static SPEAKER: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.speaker));
    let aims = AIMS | TOLD | PRIOR | HIDDEN | VOID | SCRIPT | SESSION | PUBLIC | GRANTED | AUTHORITY | URGENT | MODAL;
    let is_own = || words(sentence).into_iter().any(|word| SPEAKER.has(&fold(word.of(sentence))));
    shown.ordered == IGNORE && shown.has(SAID) && !shown.has(aims) && is_own() && takes_back(sentence)
}

/// A sentence that opens as a line of this program, of a system or of a tool does.
fn label(sentence: &str) -> Option<Rule> {
    // An edit of a page is kept behind the page's name.
    let own = sentence.trim_start().strip_prefix("[[").and_then(|rest| rest.split_once("]]: "));
    let sentence = own.map_or(sentence, |(_, said)| said);
    let start =
        sentence.trim_start_matches(|ch: char| ch.is_whitespace() || matches!(ch, '>' | '*' | '-' | '#' | '`' | '_'));
    let lower = crate::text::within(start, 120).to_lowercase();
    let bare = lower.trim_start_matches(['[', '［', '【', '<', '(', '*', ' ']);
    let is_bracketed = bare.len() < lower.len();
    if bare.starts_with("ckp") && bare[3..].trim_start().starts_with([':', '：']) {
        return Some(Rule::Role);
    }
    let systems = ["system", "système", "sistema", "система", "系统", "システム", "시스템"];
    let closes = bare.find([']', '］', '】']);
    if is_bracketed && systems.iter().any(|name| bare.starts_with(name)) && closes.is_some_and(|at| at < 60) {
        return Some(Rule::Role);
    }
    let results = [
        "tool result:",
        "tool output:",
        "function output:",
        "function result:",
        "werkzeugergebnis:",
        "résultat de l'outil",
        "resultado de la herramienta",
        "risultato dello strumento",
        "resultado da ferramenta",
        "результат инструмента",
        "工具结果",
        "ツールの結果",
        "도구 결과",
    ];
    results.iter().any(|name| bare.starts_with(name)).then_some(Rule::Tool)
}

/// Whether a sentence opens as a turn of a conversation does.
fn is_role(sentence: &str) -> bool {
    let start = sentence.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let lower = crate::text::within(start, 24).to_lowercase();
    ["system:", "system prompt:", "assistant:", "developer:", "human:"].iter().any(|role| lower.starts_with(role))
}

/// What no project says of itself.
fn plain(shown: Shown) -> Option<Rule> {
    let directed = shown.directed();
    let (has, all) = (|cues| shown.has(cues), |cues: Cues| shown.all & cues == cues);
    let orders = |acts: Cues| shown.ordered & acts != 0;
    let does = |acts: Cues| directed & acts != 0;
    let is_negated = has(NEGATED);
    if orders(IGNORE) && has(TOLD) && has(PRIOR | YOU) || orders(IGNORE) && has(SAID) && has(YOU) {
        return Some(Rule::Override);
    }
    if has(VOID) && (has(TOLD) && has(YOU) || has(READER) && has(YOU)) {
        return Some(Rule::Override);
    }
    if does(SEND | REVEAL)
        && has(SECRET)
        && (has(PLACE | READER) || orders(SEND) && has(PUBLIC) || all(YOU | MODAL))
        && !is_negated
    {
        return Some(Rule::Secret);
    }
    if does(RUN | FETCH | INSTALL | ADD) && has(PLACE) && has(SESSION | BYPASS | ROOT | READER) && !is_negated {
        return Some(Rule::Command);
    }
    if orders(RISKS) && has(BYPASS | SILENT) && !is_negated {
        return Some(Rule::Conceal);
    }
    if does(REVEAL | TELL | SEND) && (all(HIDDEN | TOLD) || all(PROMPT | YOU)) && has(YOU) {
        return Some(Rule::Reveal);
    }
    if has(READER)
        && does(RISKS)
        && has(MODAL | ALL)
        && has(PLACE | PERSON | SECRET)
        && has(RUN | FETCH | HIDE | SEND | ADD)
        && !is_negated
    {
        return Some(Rule::Address);
    }
    if has(URGENT | AUTHORITY) && (has(YOU) || shown.ordered != 0) && has(SECRET | BYPASS | SILENT | PLACE) && has(ACTS)
    {
        return Some(Rule::Address);
    }
    (orders(AS) && has(ROOT) && has(YOU | ROOT)).then_some(Rule::Address)
}

/// What speaks to its reader, though it may be meant well.
fn likely(shown: Shown) -> Option<Rule> {
    let directed = shown.directed();
    let has = |cues| shown.has(cues);
    let does = |acts: Cues| directed & acts != 0;
    if does(SEND | REVEAL) && has(SECRET) {
        return Some(Rule::Secret);
    }
    if does(RISKS) && has(AIMS) || does(RUN | FETCH | INSTALL) && has(SESSION) && has(SCRIPT) {
        return Some(Rule::Command);
    }
    let is_lost = has(DELETE) && has(VITAL) && (shown.ordered & DELETE != 0 || has(YOU | GRANTED | PERSON));
    if is_lost || has(MODAL) && has(PLACE) && has(SEND | RUN | FETCH | INSTALL) {
        return Some(Rule::Command);
    }
    if does(IGNORE) && has(TOLD | PRIOR | SAID) || has(VOID) && has(TOLD | READER | ROOT | YOU) {
        return Some(Rule::Override);
    }
    if has(HIDDEN) && has(TOLD) && does(RISKS) {
        return Some(Rule::Reveal);
    }
    // `you` alone with a verb is how people talk: `What did you say?`
    let is_told =
        has(YOU) && has(MODAL | TOLD | ROOT | GRANTED) && has(ACTS) || has(READER) && has(MODAL | ALL | RISKS);
    let is_urged = has(URGENT | AUTHORITY | GRANTED) && (has(YOU) && has(ACTS) || has(BYPASS) || shown.ordered != 0);
    let is_bait = has(IF) && does(RISKS) && has(PERSON | SECRET | PUBLIC);
    let is_posed = does(AS) && has(YOU | READER | ROOT | BYPASS | PROMPT | TOLD)
        || has(GRANTED) && has(BYPASS | ROOT | SESSION | ALL)
        || has(BYPASS) && has(YOU | MODAL | READER)
        || (does(TELL | HIDE) || has(HIDE) && has(MODAL)) && has(PERSON);
    (is_told || is_urged || is_bait || is_posed).then_some(Rule::Address)
}

/// Whether a text may stand where every session reads it: nobody is spoken to, no act is ordered that could be
/// aimed at anything, and neither prompts nor instructions are spoken of.
pub(super) fn is_statement(text: &str, is_task: bool) -> bool {
    sentences(text).iter().all(|span| {
        let shown = shown(span.of(text));
        let has = |cues| shown.has(cues);
        let orders = |acts: Cues| shown.ordered & acts != 0;
        let risks = SEND | RUN | FETCH | REVEAL | IGNORE | INSTALL | DELETE | HIDE | TELL | AS;
        let aims = AIMS | HIDDEN | TOLD | SCRIPT | SESSION | PERSON | PUBLIC;
        let is_risky = orders(risks) && has(aims) || orders(DELETE) && has(VITAL) || orders(IGNORE) && has(PRIOR);
        let is_turned = orders(ADD | TURN) && has(PLACE | ROOT | BYPASS | SILENT | PROMPT);
        let is_ordered = if is_task { is_risky || is_turned } else { orders(risks) };
        let is_aimed =
            has(PLACE) && has(ACTS) || has(BYPASS | SILENT | VOID | PROMPT) || has(GRANTED) && has(ROOT | PERSON);
        let is_spoken_of =
            has(READER) && has(MODAL | RISKS | ALL) || has(TOLD) && has(HIDDEN | IGNORE | READER | PRIOR);
        !(has(YOU) || is_ordered || is_aimed || is_spoken_of || judge(span.of(text)).is_some())
    })
}
