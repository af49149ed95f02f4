//! A question that goes on from an earlier one, as it is searched for.

use crate::search::Asks;
use crate::timeline::AskedHistory;

use super::extract::content_words;

/// Most words of the earlier question that are searched for, too.
const WORDS_MAX: usize = 12;

/// Returns a question with the words of the one before, which it leaves out: those that say what it was about where it
/// asks for something of its own (`and since when?`), and else all of it (`and refresh tokens?`).
///
/// ```
/// # use ken_core::answer::joined_question;
/// let before = "How long do access tokens live?";
/// assert_eq!(joined_question("And since when?", before), "And since when? long access tokens live");
/// assert_eq!(joined_question("And refresh tokens?", before), "And refresh tokens? How long do access tokens live?");
/// ```
pub fn joined_question(question: &str, before: &str) -> String {
    let asks = Asks::of(question).is_some() || AskedHistory::of(question).is_some();
    if !asks {
        return format!("{question} {before}");
    }
    let own = content_words(question, true);
    let mut words = content_words(before, true);
    words.retain(|word| !own.contains(word));
    words.truncate(WORDS_MAX);
    format!("{question} {}", words.join(" ")).trim_end().to_owned()
}
