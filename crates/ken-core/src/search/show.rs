//! Which part of a passage to show, and which words of it to mark.

use crate::search::question::Question;
use crate::search::tokens::{runs, with_terms};
use crate::search::word::Word;
use crate::span::Span;
use crate::text::one_line;

/// Longest snippet in characters.
const SNIPPET_CHARS: usize = 240;

/// A part of a text with the question's words in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The part that says most, on one line.
    pub snippet: String,
    /// Where the question's words stand in it, as byte ranges.
    pub marks: Vec<(usize, usize)>,
    /// How many different words of the question the whole text has.
    pub n_said: usize,
}

impl Shown {
    /// Returns what to show of a text.
    pub fn of(question: &Question, text: &str) -> Shown {
        let whole = one_line(text);
        let found = said(question, &whole);
        let mut different: Vec<usize> = found.iter().map(|(_, word)| *word).collect();
        different.sort_unstable();
        different.dedup();
        let window = best_window(&whole, &found);
        let mut snippet = window.of(&whole).trim_end().to_owned();
        let mut shift = 0;
        if window.start > 0 {
            snippet.insert_str(0, "… ");
            shift = "… ".len();
        }
        let end = window.start + (snippet.len() - shift);
        let inside = found.iter().filter(|(span, _)| span.start >= window.start && span.end <= end);
        let marks =
            inside.map(|(span, _)| (span.start - window.start + shift, span.end - window.start + shift)).collect();
        if window.end < whole.len() {
            snippet.push_str(" …");
        }
        Shown { snippet, marks, n_said: different.len() }
    }
}

/// Where words of the question stand in a text, with their positions in the question.
fn said(question: &Question, text: &str) -> Vec<(Span, usize)> {
    let wanted = |term: &str| {
        let is_it = |word: &Word| word.weight > 0.0 && word.forms.iter().any(|(form, _)| form == term);
        question.words.iter().position(is_it)
    };
    let mut out = Vec::new();
    for (at, run) in runs(text) {
        let found = question
            .languages()
            .iter()
            .find_map(|language| with_terms(run, *language, |terms| terms.iter().find_map(|one| wanted(&one.term))));
        if let Some(n) = found {
            out.push((Span::new(at, at + run.len()), n));
        }
    }
    out
}

/// The stretch of a text, between words, that holds the most different words of the question.
fn best_window(text: &str, found: &[(Span, usize)]) -> Span {
    if text.chars().count() <= SNIPPET_CHARS {
        return Span::new(0, text.len());
    }
    let end_of =
        |start: usize| text[start..].char_indices().nth(SNIPPET_CHARS).map_or(text.len(), |(at, _)| start + at);
    let mut best = (0, 0);
    for (n, (first, _)) in found.iter().enumerate() {
        let end = end_of(first.start);
        let mut inside: Vec<usize> =
            found[n..].iter().take_while(|(span, _)| span.end <= end).map(|(_, word)| *word).collect();
        inside.sort_unstable();
        inside.dedup();
        if inside.len() > best.0 {
            best = (inside.len(), first.start);
        }
    }
    // A little of what stands before, from the beginning of a word.
    let lead = text[..best.1].char_indices().rev().nth(SNIPPET_CHARS / 6).map_or(0, |(at, _)| at);
    let start = if lead == 0 { 0 } else { text[lead..best.1].find(' ').map_or(best.1, |at| lead + at + 1) };
    let end = end_of(start);
    let end = if end == text.len() { end } else { text[start..end].rfind(' ').map_or(end, |at| start + at) };
    Span::new(start, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn shown(question: &str, text: &str) -> String {
        let shown = Shown::of(&Question::read(question, &[Language::ENGLISH]), text);
        let mut out = shown.snippet.clone();
        for (start, end) in shown.marks.iter().rev() {
            out.insert(*end, ']');
            out.insert(*start, '[');
        }
        out
    }

    #[test]
    fn words_are_marked_whatever_their_inflection() {
        assert_eq!(shown("how do tokens rotate?", "The token\nis rotating."), "The [token] is [rotating].");
        assert_eq!(
            shown("認証", "これは認証設定です"),
            "これは認証設定です".replace("これは認証設定です", "[これは認証設定です]")
        );
    }

    #[test]
    fn the_part_that_says_most_is_shown() {
        let text =
            format!("{} Signed tokens rotate daily. {}", "Filler stands here. ".repeat(30), "More of it. ".repeat(40));
        let found = shown("signed tokens rotate", &text);
        assert!(
            found.contains("[Signed] [tokens] [rotate] daily") && found.starts_with('…') && found.ends_with('…'),
            "{found}"
        );
    }
}
