//! What an agent wrote down when its session was compacted, without what the program put around it.
//!
//! A summary is told as one, see [`Role::Summary`](super::Role::Summary): what of it was said before is left out
//! later, by [`crate::extract::Heard`].

use super::clean::inside;

/// How the lines begin that programs write before and behind a summary, for the model that reads it.
const AROUND: &[&str] = &[
    "This session is being continued from a previous conversation",
    "If you need specific details from before compaction",
    "Please continue the conversation from where",
    "Continue the conversation from where",
    "The messages after this summary are",
    "Recent messages are preserved verbatim",
    "The conversation so far has been compacted",
    "Another language model started to solve this problem",
];

/// The line behind which the summary stands; before it the model thinks.
const SUMMARY: &str = "Summary:";

/// What stands before the place of the transcript that was summed up.
const TRANSCRIPT_AT: &str = "read the full transcript at:";

/// Returns what the agent wrote of what came before.
pub(super) fn own_words(text: &str) -> String {
    let inner = inside(text, "summary");
    let text = inner.as_deref().unwrap_or(text);
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(at) = lines.iter().position(|line| line.trim() == SUMMARY) {
        lines.drain(..=at);
    }
    lines.retain(|line| !AROUND.iter().any(|start| line.trim_start().starts_with(start)));
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}

/// Returns the session whose transcript a summary names.
pub(super) fn continues(text: &str) -> Option<String> {
    let (_, behind) = text.split_once(TRANSCRIPT_AT)?;
    let place = behind.trim_start().lines().next()?.trim();
    let name = place.rsplit(['/', '\\']).next()?.strip_suffix(".jsonl")?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_what_the_agent_wrote_and_not_what_stands_around_it() {
        let text = "This session is being continued from a previous conversation that ran out of context.\n\nAnalysis:\nFirst the oven.\n\nSummary:\n1. Primary Request:\n   - Bake rye\n\nIf you need specific details from before compaction, read the full transcript at: /home/mia/p/0b3-77.jsonl\nContinue the conversation from where it left off.";
        assert_eq!(own_words(text), "1. Primary Request:\n   - Bake rye");
        assert_eq!(continues(text).as_deref(), Some("0b3-77"));
        assert_eq!(own_words("<analysis>hm</analysis>\n<summary>\n- Bake rye\n</summary>"), "- Bake rye");
        assert_eq!((own_words("Bake rye."), continues("Bake rye.")), ("Bake rye.".to_owned(), None));
    }
}
