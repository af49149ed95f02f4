//! The header of a page as it was on an earlier day.

use std::collections::BTreeSet;

use super::{Fate, Then};
use crate::header::{FieldName, FieldValue, NewBlock, read_header, set_field};
use crate::path::VaultPath;
use crate::time::{Date, Month};
use crate::trust::EXTERNAL_TLDR;
use crate::words::{fold, folded_words, words};

/// Returns a text with the fields of its header that say what had not been said by then taken back.
pub(super) fn header_as_of(then: &Then<'_>, text: String, day_of: &dyn Fn(&VaultPath) -> Option<Date>) -> String {
    let page = then.page;
    if !page.is_owned() {
        return text;
    }
    let triggers = triggers(then, &text);
    let mut text = set(text, FieldName::Triggers, triggers.into());
    let tldr = page.scalar(FieldName::Tldr).unwrap_or_default();
    let is_said = tldr == EXTERNAL_TLDR || then.kept().any(|claim| says(&claim.text, &tldr));
    if !tldr.is_empty() && !is_said {
        text = set(text, FieldName::Tldr, "".into());
    }
    let mut sources = page.list(FieldName::Sources);
    sources.retain(|source| {
        let path = VaultPath::new(source.split('#').next().unwrap_or(source));
        path.and_then(|path| day_of(&path)).is_none_or(|said| said <= then.day)
    });
    text = set(text, FieldName::Sources, sources.into());
    let newest = then.days.values().filter(|said| **said <= then.day).max();
    let Some(newest) = newest.filter(|_| page.header.field(FieldName::Updated).is_some()) else { return text };
    text = set(text, FieldName::Updated, newest.to_string().as_str().into());
    set(text, FieldName::Validated, Month::of(*newest).to_string().as_str().into())
}

/// The triggers without those that only stand in what nobody had said; `text` still has the header of today.
fn triggers(then: &Then<'_>, text: &str) -> Vec<String> {
    let mut triggers = then.page.list(FieldName::Triggers);
    let gone = then.claims.iter().filter(|(_, fate)| *fate == Fate::Gone).map(|(claim, _)| claim.text.as_str());
    let gone = folded(&gone.collect::<Vec<_>>().join("\n"));
    let left = folded(&text[then.page.body().start.min(text.len())..]);
    triggers.retain(|trigger| {
        let trigger = folded(trigger);
        !gone.contains(&trigger) || left.contains(&trigger)
    });
    triggers
}

/// Sets a field that is there, where that keeps every line where it is.
pub(crate) fn set(text: String, name: FieldName, value: FieldValue) -> String {
    let header = read_header(&text).value;
    if header.field(name).is_none() {
        return text;
    }
    let new = set_field(&text, &header, name, &value, NewBlock::Yaml);
    if new.matches('\n').count() == text.matches('\n').count() { new } else { text }
}

/// Whether a claim has every word of a sentence, which then may have been made from it.
pub(crate) fn says(claim: &str, sentence: &str) -> bool {
    let said: BTreeSet<String> = folded_words(claim).into_iter().collect();
    let asked: Vec<String> = folded_words(sentence);
    !asked.is_empty() && asked.iter().all(|word| said.contains(word))
}

/// The words of a text, each between spaces.
fn folded(text: &str) -> String {
    words(text).iter().map(|word| fold(word.of(text))).fold(" ".to_owned(), |out, word| out + &word + " ")
}
