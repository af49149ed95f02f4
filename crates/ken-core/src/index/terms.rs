//! The terms of headers, made as those of questions are.

use std::collections::BTreeMap;

use crate::index::{FieldKind, IndexEntry};
use crate::page::Category;
use crate::search::Language;
use crate::search::tokens::{TokenKind, runs, tokens};
use crate::words::is_stop;

/// Makes the terms of header texts and remembers them: the words of many headers are mostly the same.
///
/// A header is too short to tell its language, so a word has the stems of every language.
#[derive(Debug, Default)]
pub struct HeaderTerms {
    /// Per run: its words, function words aside, each with its forms.
    known: BTreeMap<String, Vec<Vec<String>>>,
}

impl HeaderTerms {
    /// Calls `with` on each word of a text, function words aside, with the forms under which it matches.
    pub fn each_word(&mut self, text: &str, mut with: impl FnMut(&[String])) {
        for (_, run) in runs(text) {
            if !self.known.contains_key(run) {
                self.known.insert(run.to_owned(), forms(run));
            }
            self.known[run].iter().for_each(|forms| with(forms));
        }
    }
}

fn forms(run: &str) -> Vec<Vec<String>> {
    let mut out: Vec<Vec<String>> = Vec::new();
    for language in Language::ALL {
        let is_word =
            |token: &crate::search::tokens::Token<'_>| token.kind == TokenKind::Part && !is_stop(token.written);
        for (n, token) in tokens(run, language).into_iter().filter(is_word).enumerate() {
            match out.get_mut(n) {
                Some(forms) if forms.contains(&token.term) => {}
                Some(forms) => forms.push(token.term),
                None => out.push(vec![token.term]),
            }
        }
    }
    out
}

/// Returns every (term, field) of an entry, each once; `maker` is shared by the entries of one index.
pub fn entry_terms(entry: &IndexEntry, maker: &mut HeaderTerms) -> Vec<(String, FieldKind)> {
    let mut out: Vec<(String, FieldKind)> = Vec::new();
    // What is past answers nothing; who knows its name still finds it.
    // A roll-up tells its days again: it answers what happened in a period, which no word of its header decides.
    if entry.past.is_some() || entry.is_owned && entry.category == Category::Rollup {
        return out;
    }
    let mut add = |text: &str, of_one: FieldKind, of_several: FieldKind| {
        let (first, mut n_words) = (out.len(), 0);
        maker.each_word(text, |forms| {
            n_words += 1;
            out.extend(forms.iter().map(|form| (form.clone(), of_one)));
        });
        if n_words > 1 {
            out[first..].iter_mut().for_each(|(_, field)| *field = of_several);
        }
    };
    entry.triggers.iter().for_each(|trigger| add(trigger, FieldKind::Trigger, FieldKind::TriggerPart));
    let names = [entry.title.as_str(), entry.slug.as_str()].into_iter().chain(entry.aliases.iter().map(String::as_str));
    names.for_each(|name| add(name, FieldKind::Name, FieldKind::Name));
    add(&entry.tldr, FieldKind::Tldr, FieldKind::Tldr);
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut words: Vec<String> = Vec::new();
        HeaderTerms::default().each_word(text, |forms| words.push(forms.join("|")));
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn a_word_has_the_stems_of_every_language() {
        check("Tokens", "token|tokens|tok");
        check("reati", "reati|reat");
        check("Entscheidungen", "entscheidungen|entscheid|entscheidung");
        check("decisiones", "decision|decisiones");
    }

    #[test]
    fn function_words_are_none_and_identifiers_are_their_parts() {
        check("the order of maxRetries", "order|ord max retri|retries|retr");
        check("認証設定", "認証 証設 設定");
    }
}
