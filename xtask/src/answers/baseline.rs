//! What plain BM25 gets out of the raw text: chunks of it, best first, up to a budget.

use std::collections::{BTreeMap, BTreeSet};

use super::ask::CHARS_A_TOKEN;

/// Characters of a chunk.
const CHUNK: usize = 900;
/// Okapi's usual constants.
const K1: f64 = 1.5;
const B: f64 = 0.75;
/// Words that are no part of a question.
const STOP: &str = "a about after all an and any are as at be been before but by can could did do does each every for \
                    from get got had has have how i if in into is it its just made make me more most my no not of on \
                    once one only or our out over should so some than that the their them then there they this to two \
                    up use used using was we were what when where which who why will with without would you your";

/// The chunks of a part, with what their words weigh.
pub(super) struct Bm25 {
    chunks: Vec<String>,
    lengths: Vec<f64>,
    posts: BTreeMap<String, Vec<(usize, f64)>>,
}

impl Bm25 {
    /// Cuts texts into chunks; each chunk behind the first of a text has the text's head before it.
    pub(super) fn new(texts: &[(String, String)]) -> Bm25 {
        let of_text = |(head, text): &(String, String)| {
            let chunks = chunks(text).into_iter().enumerate();
            chunks.map(|(n, chunk)| if n == 0 { chunk } else { format!("{head}{chunk}") }).collect::<Vec<_>>()
        };
        let chunks: Vec<String> = texts.iter().flat_map(of_text).collect();
        let mut posts: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lengths = Vec::with_capacity(chunks.len());
        for (n, chunk) in chunks.iter().enumerate() {
            let words = words(chunk);
            lengths.push(words.len() as f64);
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1.0);
            counts.into_iter().for_each(|(word, times)| posts.entry(word).or_default().push((n, times)));
        }
        Bm25 { chunks, lengths, posts }
    }

    /// Returns what answers a question best, in as many tokens.
    pub(super) fn answer(&self, question: &str, budget: usize) -> String {
        let n_all = self.chunks.len() as f64;
        let mean = self.lengths.iter().sum::<f64>() / n_all.max(1.0);
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for word in words(question).into_iter().collect::<BTreeSet<_>>() {
            let Some(posts) = self.posts.get(&word) else { continue };
            let idf = (1.0 + (n_all - posts.len() as f64 + 0.5) / (posts.len() as f64 + 0.5)).ln();
            for (chunk, times) in posts {
                let length = 1.0 - B + B * self.lengths[*chunk] / mean;
                *scores.entry(*chunk).or_default() += idf * times * (K1 + 1.0) / (times + K1 * length);
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut out = String::new();
        for (chunk, _) in ranked {
            out.push_str("\n---\n");
            out.push_str(&self.chunks[chunk]);
            if out.chars().count() >= budget * CHARS_A_TOKEN {
                break;
            }
        }
        out.chars().take(budget * CHARS_A_TOKEN).collect()
    }
}

/// Pieces of a text, cut at blank lines, headings, items and turns, and put together up to the length of a chunk.
fn chunks(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = vec![String::new()];
    for line in text.lines() {
        let begins = line.starts_with("- ") || line.starts_with('#') || line.starts_with('@');
        let last = pieces.last_mut().expect("one is there");
        if (line.trim().is_empty() || begins) && !last.is_empty() {
            pieces.push(String::new());
        }
        let last = pieces.last_mut().expect("one is there");
        if !line.trim().is_empty() {
            last.push_str(if last.is_empty() { "" } else { "\n" });
            last.push_str(line);
        }
    }
    let mut out: Vec<String> = Vec::new();
    for piece in pieces {
        let chars: Vec<char> = piece.chars().collect();
        for part in chars.chunks(CHUNK) {
            let part: String = part.iter().collect();
            match out.last_mut().filter(|last| last.chars().count() + part.chars().count() < CHUNK) {
                Some(last) => {
                    last.push('\n');
                    last.push_str(&part);
                }
                None => out.push(part),
            }
        }
    }
    out.retain(|chunk| !chunk.trim().is_empty());
    out
}

/// The words of a text, lower case, camel case apart, without those that only ask.
fn words(text: &str) -> Vec<String> {
    let stop: BTreeSet<&str> = STOP.split_whitespace().collect();
    let mut out = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for ch in text.chars().chain([' ']) {
        let breaks = !ch.is_alphanumeric() || (was_lower && ch.is_uppercase());
        if breaks && !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if ch.is_alphanumeric() {
            word.extend(ch.to_lowercase());
        }
        was_lower = ch.is_lowercase();
    }
    out.retain(|word| !stop.contains(word.as_str()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chunk_with_the_rare_word_comes_first_and_the_budget_holds() {
        let ovens = format!("# Ovens\n\nAn oven is hot.\n\n{}", "An oven bakes. ".repeat(100));
        let flour = "# Flour\n\nThe mill grinds.".to_owned();
        let found = Bm25::new(&[(String::new(), ovens), (String::new(), flour)]);
        assert!(found.answer("what does the mill do with an oven?", 100).contains("The mill grinds."));
        assert_eq!(found.answer("oven", 20).chars().count(), 20 * CHARS_A_TOKEN);
        assert_eq!(found.answer("quagga", 20), "");
    }

    #[test]
    fn words_are_cut_like_names_of_code() {
        assert_eq!(words("What is the EnsureSetup of v2?"), ["ensure", "setup", "v2"]);
    }
}
