//! Phrases as the files of languages write them: words between spaces, `take/takes` for either of two, `postpon*` for
//! every word that begins so, `*ait` for every word that ends so, `~4` for up to four words of any kind.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::{LEXICONS, Lexicon, fold};
use crate::words::words;

/// Phrases by their first words, to look for at one place of a text after the other.
#[derive(Debug)]
pub(crate) struct Phrases {
    by_first: IndexMap<String, Vec<usize>>,
    /// Those whose first word has a star.
    others: Vec<usize>,
    all: Vec<Wording>,
}

impl Phrases {
    /// Returns the phrases of one list of every language.
    pub(crate) fn of(list: impl Fn(&'static Lexicon) -> &'static str) -> Phrases {
        Phrases::all(Wording::lists(list))
    }

    /// Returns the phrases of one list with their marks, to look for among words in small letters: `würde` is not `wurde`.
    pub(crate) fn written(list: &str) -> Phrases {
        let phrases = list.split('|').filter(|phrase| !phrase.trim().is_empty());
        Phrases::all(phrases.map(|phrase| Wording::of(phrase, str::to_lowercase)).collect())
    }

    fn all(all: Vec<Wording>) -> Phrases {
        let (mut by_first, mut others): (IndexMap<String, Vec<usize>>, Vec<usize>) = (IndexMap::new(), Vec::new());
        for (n, phrase) in all.iter().enumerate() {
            for word in phrase.first() {
                match word.contains('*') {
                    true => others.push(n),
                    false => by_first.entry(word.clone()).or_default().push(n),
                }
            }
        }
        Phrases { by_first, others, all }
    }

    /// Returns how many words the longest of the phrases takes that stands at the beginning of some; 0 where none does.
    pub(crate) fn takes<W: AsRef<str>>(&self, said: &[W]) -> usize {
        let Some(first) = said.first() else { return 0 };
        let known = self.by_first.get(first.as_ref()).into_iter().flatten().chain(&self.others);
        known.filter_map(|n| self.all[*n].length(said)).max().unwrap_or(0)
    }

    /// Returns whether one of the phrases stands anywhere among some words.
    pub(crate) fn are_in<W: AsRef<str>>(&self, said: &[W]) -> bool {
        (0..said.len()).any(|at| self.takes(&said[at..]) > 0)
    }
}

/// A phrase.
#[derive(Debug)]
pub(crate) struct Wording(Vec<Part>);

#[derive(Debug)]
enum Part {
    /// One of some words; a star stands for any beginning or ending.
    Word(Vec<String>),
    Gap(usize),
}

impl Wording {
    /// Returns the phrase that a text writes, its words as `letters` makes them.
    pub(crate) fn of(phrase: &str, letters: impl Fn(&str) -> String) -> Wording {
        let part = |word: &str| match word.strip_prefix('~') {
            Some(n) => vec![Part::Gap(n.parse().expect("a number of words"))],
            None if word.contains(['/', '*']) => {
                let either = word.split('/').map(|word| match (word.strip_suffix('*'), word.strip_prefix('*')) {
                    (Some(stem), _) => letters(stem) + "*",
                    (None, Some(end)) => format!("*{}", letters(end)),
                    (None, None) => letters(word),
                });
                vec![Part::Word(either.collect())]
            }
            // `n'est` is two words.
            None => words(word).iter().map(|span| Part::Word(vec![letters(span.of(word))])).collect(),
        };
        Wording(phrase.split_whitespace().flat_map(part).collect())
    }

    /// Returns the phrases of a list, which stand between `|`, in their plain letters.
    pub(crate) fn list(list: &str) -> Vec<Wording> {
        list.split('|').filter(|phrase| !phrase.trim().is_empty()).map(|phrase| Wording::of(phrase, fold)).collect()
    }

    /// Returns the phrases of one list of every language.
    pub(crate) fn lists(list: impl Fn(&'static Lexicon) -> &'static str) -> Vec<Wording> {
        LEXICONS.iter().flat_map(|lexicon| Wording::list(list(lexicon))).collect()
    }

    /// Returns the places of the words that any of some phrases names, wherever it stands.
    pub(crate) fn places(phrases: &[Wording], said: &[&str]) -> BTreeSet<usize> {
        let at = |at: usize| {
            let named = phrases.iter().filter_map(|phrase| phrase.named(&said[at..])).flatten();
            named.map(|n| at + n).collect::<Vec<usize>>()
        };
        (0..said.len()).flat_map(at).collect()
    }

    /// Returns the words that it may begin with, those with a star as beginnings or endings of words.
    pub(crate) fn first(&self) -> &[String] {
        match self.0.first() {
            Some(Part::Word(first)) => first,
            _ => &[],
        }
    }

    /// Returns how many words it takes from the beginning of some, if it stands there.
    pub(crate) fn length<W: AsRef<str>>(&self, said: &[W]) -> Option<usize> {
        length(&self.0, said)
    }
    /// Returns which of some words it names, if it stands at their beginning; what only fills a gap it does not.
    pub(crate) fn named(&self, said: &[&str]) -> Option<Vec<usize>> {
        named(&self.0, said, 0)
    }
}

fn named(parts: &[Part], said: &[&str], at: usize) -> Option<Vec<usize>> {
    let Some((part, rest)) = parts.split_first() else { return Some(Vec::new()) };
    match part {
        Part::Gap(most) => (0..=*most).find_map(|n| named(rest, said, at + n)),
        Part::Word(either) => {
            let mut out = named(rest, said, at + 1).filter(|_| is_one_of(either, said.get(at)))?;
            out.insert(0, at);
            Some(out)
        }
    }
}

fn is_one_of<W: AsRef<str>>(either: &[String], said: Option<&W>) -> bool {
    let is_it = |word: &String, said: &str| match word.strip_suffix('*') {
        Some(stem) => said.starts_with(stem),
        None => word == said || word.strip_prefix('*').is_some_and(|end| said.ends_with(end)),
    };
    said.is_some_and(|said| either.iter().any(|word| is_it(word, said.as_ref())))
}

fn length<W: AsRef<str>>(parts: &[Part], said: &[W]) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(0) };
    match part {
        Part::Gap(most) => (0..=(*most).min(said.len())).find_map(|n| Some(n + length(rest, &said[n..])?)),
        Part::Word(either) if is_one_of(either, said.first()) => Some(1 + length(rest, &said[1..])?),
        Part::Word(_) => None,
    }
}
