//! Which word of a run is the verb of its sentence, or begins a clause, and so ends no name.

use super::*;

impl<'a> Scan<'a> {
    /// Whether what stands behind a word in -s makes it a verb: `Ada calls it`, `the kit costs 92`.
    pub(super) fn takes_object(&self, end: usize) -> bool {
        let next = self.text[end..].strip_prefix(' ').and_then(|rest| rest.split_whitespace().next());
        next.is_some_and(|next| {
            let bare = next.trim_end_matches(|ch: char| !ch.is_alphanumeric()).to_lowercase();
            next.starts_with(|ch: char| ch.is_ascii_digit()) || is_object(&bare)
        })
    }

    /// Whether the last word of a run begins a clause: `a part below Settings explaining how they work`.
    pub(super) fn ends_in_clause(&self, run: &[Word<'_>]) -> bool {
        let [_, .., last] = run else { return false };
        let next = self.text[last.span.end..].strip_prefix(' ').and_then(|rest| rest.split_whitespace().next());
        let takes = |next: &str| next == "how" || next.starts_with("wh") || is_determiner(next);
        last.text.ends_with("ing") && next.is_some_and(takes)
    }

    /// Whether the last word of a run is the verb of its sentence: `The gateway listens on port 7443.`
    pub(super) fn ends_in_verb(&self, run: &[Word<'_>]) -> bool {
        let [first, .., last] = run else { return false };
        let before = &self.text[..first.span.start];
        // `From 1 June the gateway listens`: what stands before the sentence's subject begins with a preposition.
        let before = before[sentence_start(before)..].trim();
        let (leading, determiner) = before.rsplit_once(' ').unwrap_or(("", before));
        let leads =
            leading.split(' ').next().is_some_and(|first| first.is_empty() || is_preposition(&first.to_lowercase()));
        let opens = leads && VERBS_IN_S_BEHIND.has(&determiner.to_lowercase());
        let next = self.text[last.span.end..].strip_prefix(' ').and_then(|rest| rest.split_whitespace().next());
        let is_in_s = last.text.ends_with('s') && !last.text.ends_with("ss") && !last.is_name;
        opens && is_in_s && next.is_some_and(|next| next != "of" && is_preposition(next))
    }
}
