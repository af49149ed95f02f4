//! Which statements say that something was done.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use regex::Regex;

use super::{Action, SAME_MIN, words_of};
use crate::ground::negates;
use crate::language::alternatives;
use crate::text::sentences;
use crate::words::{fold, stem, words};

/// What a sentence says was done.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Done {
    /// The stems of what is said to be done, where the sentence names it by itself: `The menu is done`.
    thing: Option<BTreeSet<String>>,
    /// The stems of all that it says.
    words: BTreeSet<String>,
    /// What was done to it, folded, where that is a word of its own: `The menu is printed` closes `print the menu`.
    verb: Option<String>,
}

struct Forms {
    /// `Closed: …`, `Booked the stand.`
    opens: Regex,
    /// `The menu is printed`.
    passive: Regex,
    /// `I printed the menu`.
    active: Regex,
    /// `The task is closed`, `Task done`.
    by_name: Regex,
    /// What only may be: `when the menu is done`.
    supposed: Regex,
    /// What an action item is called.
    name: Regex,
    list: Regex,
    done: Regex,
}

fn forms() -> &'static Forms {
    static FORMS: OnceLock<Forms> = OnceLock::new();
    FORMS.get_or_init(|| {
        let done = alternatives(|lexicon| lexicon.pages.done);
        let changed = alternatives(|lexicon| lexicon.pages.change_verbs);
        let is = alternatives(|lexicon| lexicon.actions.is);
        let did = alternatives(|lexicon| lexicon.actions.did);
        let name = alternatives(|lexicon| lexicon.actions.name);
        let and = alternatives(|lexicon| lexicon.actions.and);
        let supposed = alternatives(|lexicon| lexicon.sessions.subordinate);
        let form = |form: String| Regex::new(&format!("(?i){form}")).expect("a pattern of ours");
        Forms {
            opens: form(format!(r"^(?:{done})\b|^(?:(?:{did}) )?(?:{changed})\b")),
            passive: form(format!(r"^(?P<thing>[^:;?]{{2,160}}?) (?:{is}) (?P<verb>[\p{{L}}]{{3,}})\b")),
            active: form(format!(r"^(?:{did}) (?P<verb>[\p{{L}}]{{3,}}) ")),
            by_name: form(format!(r"\b(?:{name})(?: (?:{is}))? (?:{done})\b")),
            name: form(format!(r"\b(?:{name})\b")),
            supposed: form(format!(r"\b(?:{supposed})\b|\?\s*$")),
            list: form(format!(r", (?:{and}) |, | (?:{and}) ")),
            // With the endings of gender and number.
            done: form(format!(r"^(?:{done})(?:e|s|es|a|o|i|os|as)?$")),
        }
    })
}

impl Done {
    /// Returns what the statements of an entry say was done, each with the place of the statement.
    pub(super) fn of_entry<'a>(statements: impl Iterator<Item = &'a str>) -> Vec<(usize, Done)> {
        let (mut out, mut before): (Vec<(usize, Done)>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
        for (at, statement) in statements.enumerate() {
            for span in sentences(statement) {
                let text = span.of(statement);
                out.extend(Done::in_sentence(text).into_iter().map(|done| (at, done)));
                // `Task done.` says of what was told up to there that it is.
                let named = forms().by_name.find(text).filter(|_| !is_unsure(text));
                before.extend(words_of(named.as_ref().map_or(text, |named| &text[..named.start()])));
                if named.is_some() {
                    out.push((at, Done { thing: None, words: std::mem::take(&mut before), verb: None }));
                }
            }
        }
        out
    }

    fn in_sentence(text: &str) -> Vec<Done> {
        let forms = forms();
        if is_unsure(text) {
            return Vec::new();
        }
        let whole = |verb: Option<String>| Done { thing: None, words: words_of(text), verb };
        if forms.opens.is_match(text) {
            return vec![whole(None)];
        }
        let own = |verb: &str| (!forms.done.is_match(verb)).then(|| fold(verb));
        let first = words(text).first().map(|word| fold(word.of(text)));
        let active = forms.active.captures(text).map(|found| whole(own(&found["verb"])));
        let mut out: Vec<Done> = active.into_iter().chain(first.map(|verb| whole(Some(verb)))).collect();
        if let Some(found) = forms.passive.captures(text) {
            let verb = own(&found["verb"]);
            // Of `the task of the menu`, only the menu says which.
            let of_thing = |thing: &str| words_of(&forms.name.replace_all(thing, ""));
            let things = forms.list.split(&found["thing"]).map(of_thing).filter(|thing| !thing.is_empty());
            out.extend(things.map(|thing| Done { thing: Some(thing), words: words_of(text), verb: verb.clone() }));
        }
        out
    }

    /// Returns whether this says of an action item that it is done.
    pub(super) fn closes(&self, action: &Action) -> bool {
        // The same form again says what is to be done, another of the same word that it was.
        let is_done = |verb: &String| *verb != action.verb && stem(verb) == stem(&action.verb);
        if !self.verb.as_ref().is_none_or(is_done) {
            return false;
        }
        let n_common = self.words.intersection(&action.words).count();
        // `The app is fixed` is not about the crash of the app.
        let names = |thing: &BTreeSet<String>| !thing.is_disjoint(&action.nouns) || thing.contains(&stem(&action.verb));
        let is_about = |thing: &BTreeSet<String>| thing.is_subset(&action.words) && names(thing);
        action.words.len() > 1 && n_common * SAME_MIN.1 >= action.words.len() * SAME_MIN.0
            || self.thing.as_ref().is_some_and(is_about)
    }
}

/// Whether a sentence denies what it says, or only supposes or asks it.
fn is_unsure(text: &str) -> bool {
    negates(text) || forms().supposed.is_match(text)
}
