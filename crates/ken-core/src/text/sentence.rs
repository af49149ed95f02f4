//! Where sentences end.
//!
//! A stop ends a sentence before white space and something that can begin one; never inside code, a number or a name.
//! What a stop behind an abbreviation, a number or an initial means is told by the words around it, which is a guess:
//! the languages hold what notes and documents are full of, and a sentence that goes on too long
//! does less harm than one that breaks off.

use std::sync::LazyLock;

use crate::language::WordSet;
use crate::markdown::code_spans;
use crate::span::Span;

/// What may stand between a stop and the end of its sentence.
const CLOSING: &[char] = &['"', '\'', ')', '”', '“', '’', '»', '«', '*', '_', ']', '」', '』', '）', '】', '》', '〉'];
static LEADING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.abbreviations));
static NUMBERED: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.abbreviations_before_numbers));
static EITHER: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.abbreviations_either));
static OPENERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.openers));
/// Months behind the number of a day, as German writes them.
const MONTHS: &[&str] = &[
    "Januar",
    "Jänner",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
/// Months that are shortened, before the number of a year.
const SHORT_MONTHS: &[&str] =
    &["Jan", "Feb", "Mär", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Okt", "Oct", "Nov", "Dez", "Dec"];
/// Longest label of a footnote, in bytes.
const LABEL_LEN_MAX: usize = 64;

/// Returns the sentences of a paragraph as byte ranges without the white space around them.
///
/// A sentence ends at `.`, `!`, `?` or `…` before white space and something that can begin a sentence, and at the
/// stops of Chinese and Japanese; never inside code, after an abbreviation, or inside a number or name.
///
/// ```
/// # use ken_core::text::sentences;
/// let text = "Ask Dr. Who, e.g. by mail. See `a. B`!";
/// let found: Vec<&str> = sentences(text).iter().map(|span| span.of(text)).collect();
/// assert_eq!(found, ["Ask Dr. Who, e.g. by mail.", "See `a. B`!"]);
/// ```
pub fn sentences(text: &str) -> Vec<Span> {
    let codes = if text.contains('`') { code_spans(text, Span::new(0, text.len())) } else { Vec::new() };
    let mut codes = codes.into_iter().peekable();
    let mut out = Vec::new();
    let (mut start, mut skip_to) = (0, 0);
    for (at, ch) in text.char_indices() {
        if at < skip_to {
            continue;
        }
        if let Some(code) = codes.next_if(|code| code.start <= at) {
            skip_to = code.end;
            continue;
        }
        let after = at + ch.len_utf8();
        let ends = match ch {
            '。' | '！' | '？' | '｡' => true,
            '.' | '!' | '?' | '…' => ends_here(text, start, at, after),
            _ => false,
        };
        if ends {
            let closing = text[after..].len() - text[after..].trim_start_matches(CLOSING).len();
            push_trimmed(text, start, after + closing, &mut out);
            start = after + closing;
            skip_to = start;
        }
    }
    push_trimmed(text, start, text.len(), &mut out);
    out
}

fn ends_here(text: &str, start: usize, at: usize, after: usize) -> bool {
    let rest = text[after..].trim_start_matches(CLOSING);
    let rest = strip_footnotes(rest);
    let Some(next) = rest.chars().next() else { return true };
    let stop = &text[at..after];
    if !next.is_whitespace() {
        // Chinese and Japanese set no space behind a stop.
        return matches!(stop, "?" | "!") && is_wide(next) && text[..at].chars().next_back().is_some_and(is_wide);
    }
    let next = rest.split_whitespace().next().unwrap_or("");
    // `B/1, ... , B/n`
    if next.starts_with([',', ';']) {
        return false;
    }
    match stop {
        "." => begins(next) && !leads_on(&text[start..at], next),
        // Three dots stand for what is left out more often than they end anything.
        "…" => next.starts_with(char::is_uppercase),
        _ => begins(next),
    }
}

/// Whether a sentence can begin with a word: not with a small letter, unless it is a name.
fn begins(word: &str) -> bool {
    let bare = word.trim_end_matches(|ch: char| !ch.is_alphanumeric());
    let is_spelt = bare.chars().any(char::is_uppercase) && bare.chars().all(char::is_alphabetic);
    let is_name = bare.contains(['/', '_']) || bare.contains("::") || is_spelt;
    let is_file = bare.split_once('.').is_some_and(|(stem, rest)| stem.len() > 1 && rest.len() > 1);
    !word.starts_with(char::is_lowercase) || is_name || is_file
}

/// Whether a full stop behind `said` belongs to its last word, so that the sentence goes on with `next`.
fn leads_on(said: &str, next: &str) -> bool {
    let word = said.rsplit(|ch: char| ch.is_whitespace() || matches!(ch, '(' | '[' | '"' | '“' | '„')).next();
    let word = word.unwrap_or("");
    let lower = word.to_lowercase();
    // `Oktober.[^1]`
    let bare = next.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let bare = bare.split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or_default();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if LEADING.has(&lower) || word == "Ms" {
        return true;
    }
    if is_number(word) {
        // `1. First` is a number of a list; `3. Mai` and `5. 10.` are days.
        let is_month = next.strip_suffix('.').is_some_and(|month| month.parse().is_ok_and(|month: u8| month <= 12));
        return said.trim() == word || is_day(word, bare) || word.len() <= 2 && is_month;
    }
    let is_before_number = bare.starts_with(|ch: char| ch.is_ascii_digit());
    if SHORT_MONTHS.contains(&word) {
        return is_before_number;
    }
    if NUMBERED.has(&lower) {
        // Behind a number these are units: `It takes 5 min. 3 are left.`
        let before = said[..said.len() - word.len()].trim_end();
        return is_before_number && !before.ends_with(|ch: char| ch.is_ascii_digit());
    }
    let is_part = is_letter(word) && (is_dotted_letter(next) || ends_in_letter(said, word));
    is_part || ((EITHER.has(&lower) || is_initials(word)) && !OPENERS.has(bare))
}

/// Returns whether a number and the word behind its full stop are a day, as German writes it: `3. Mai`.
///
/// ```
/// # use ken_core::text::is_day;
/// assert!(is_day("12", "Juni") && !is_day("12", "Ovens") && !is_day("2012", "Juni"));
/// ```
pub fn is_day(number: &str, word: &str) -> bool {
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && (MONTHS.contains(&word) || SHORT_MONTHS.contains(&word))
}

fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// `B.` behind `z.`
fn is_dotted_letter(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(is_letter)
}

/// Whether the letter before the last one has a full stop of its own: `z. B`.
fn ends_in_letter(said: &str, word: &str) -> bool {
    let before = said[..said.len() - word.len()].trim_end();
    before.rsplit(char::is_whitespace).next().is_some_and(is_dotted_letter)
}

/// `J` and `U.S`, of which nobody but the next word says whether a sentence ends behind them.
fn is_initials(word: &str) -> bool {
    let is_capital = is_letter(word) && word.chars().all(char::is_uppercase);
    is_capital || (word.contains('.') && word.split('.').all(|part| is_letter(part) || part == "Ph"))
}

/// Whether a letter is of a script without spaces.
fn is_wide(ch: char) -> bool {
    crate::words::is_cjk(ch)
}

/// Citations follow the full stop directly: `claim.[^1] Next` ends before the next sentence.
fn strip_footnotes(mut text: &str) -> &str {
    while let Some(rest) = text.strip_prefix("[^") {
        match rest.bytes().take(LABEL_LEN_MAX).position(|byte| byte == b']') {
            Some(end) => text = &rest[end + 1..],
            None => break,
        }
    }
    text
}

fn push_trimmed(text: &str, start: usize, end: usize, out: &mut Vec<Span>) {
    // A footnote mark directly behind the stop belongs to the sentence it supports.
    let rest = &text[end..];
    let end = end + (rest.len() - strip_footnotes(rest).len());
    let start = start.max(out.last().map_or(0, |last| last.end));
    if start >= end {
        return;
    }
    let piece = &text[start..end];
    let lead = piece.len() - piece.trim_start().len();
    let trimmed = piece.trim();
    if trimmed.chars().any(char::is_alphanumeric) {
        out.push(Span::new(start + lead, start + lead + trimmed.len()));
    }
}

/// Returns whether a part of a text is read aloud: it stands between quotation marks that hold more, or all of it does. A
/// mark that stands alone opens nothing.
///
/// ```
/// # use ken_core::span::Span;
/// # use ken_core::text::{is_quoted, sentences};
/// let text = "The old sheet says: \"Clean aprons. Open at 9:15. No dogs.\" It is over.";
/// let quoted: Vec<bool> = sentences(text).into_iter().map(|span| is_quoted(text, span)).collect();
/// assert_eq!(quoted, [false, true, true, false]);
/// assert!(!is_quoted("\"Rye\" is an oven.", Span::new(0, 18)));
/// assert!(!is_quoted("Press the \" key. The oven is hot.", Span::new(17, 33)));
/// ```
pub fn is_quoted(text: &str, part: Span) -> bool {
    let said = part.of(text).trim_end_matches(['.', '!', '?', ' ']);
    let end = part.start + said.len();
    let (mut is_open, mut before, mut all_of_it) = (false, None, true);
    for (at, ch) in text[..end].char_indices() {
        if at == part.start && is_open {
            return true;
        }
        let is_mark = matches!(ch, '"' | '“' | '”' | '„' | '«' | '»');
        // What opens in one language closes in another: `„Rye“`, `»Rye«`.
        is_open = match is_mark {
            true => !is_open && opens(before, text[at + ch.len_utf8()..].chars().next()),
            false => is_open,
        };
        before = Some(ch);
        let is_last = at + ch.len_utf8() == end;
        all_of_it &= at < part.start || is_open || is_mark && is_last && at > part.start;
    }
    all_of_it && !said.is_empty()
}

/// Whether a quotation mark between two characters begins what it holds: no word stands before it, and one behind it.
fn opens(before: Option<char>, behind: Option<char>) -> bool {
    !before.is_some_and(char::is_alphanumeric) && behind.is_some_and(|behind| !behind.is_whitespace())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sentences are given with ` | ` where one ends.
    #[track_caller]
    fn check(text: &str) {
        let expected: Vec<&str> = text.split(" | ").collect();
        let plain = text.replace(" | ", " ");
        let found: Vec<&str> = sentences(&plain).iter().map(|span| span.of(&plain)).collect();
        assert_eq!(found, expected);
    }

    /// As [`check`] where no space stands between sentences.
    #[track_caller]
    fn check_wide(text: &str) {
        let plain = text.replace('|', "");
        let found: Vec<&str> = sentences(&plain).iter().map(|span| span.of(&plain)).collect();
        assert_eq!(found, text.split('|').collect::<Vec<_>>());
    }

    #[test]
    fn sentences_end_at_stops() {
        check("One is here. | Two? | Yes! | Wait… | Now it goes on... | Three");
        check("Call `a` [b …] --c. | Good.");
        check("The trays are A, B, ... , and the last. | Good.");
        check("No end… yet. | Is it? | (It is.) | *So it is.* | Good");
        check("It was late! | 3 of them left. | 5 stayed.");
    }

    #[test]
    fn abbreviations_do_not_end_one() {
        check("Use v1.2.3 e.g. with Node.js today. | It costs 3.50 euro.");
        check("Ask Dr. Mill, Prof. Dr. Weber, Mr. Oak or Ms. Elm. | They know.");
        check("That is, i.e. Rust, cf. RFC 9110, vs. Go (approx. 5). | Good.");
        check("It needs ca. 20 MB, bzw. 30 MB, vgl. Kap. 4. | Good.");
        check("Mill et al. Oven tests say so. | Mill et al. | The tests say so.");
        check("Take Node, Deno, etc. | Then build.");
        check("Oak Inc. Ltd. pays. | It pays Oak Inc. | They deliver.");
    }

    #[test]
    fn letters_with_stops_are_one_word_in_german_too() {
        check("Das gilt z. B. Montags, d. h. Immer, u. a. Nachts. | Gut.");
        check("Das gilt z.B. Montags, d.h. Immer, i. d. R. Nachts. | Gut.");
        check("The U.S. Navy has it. | It left the U.S. | It came back.");
        check("Since 9 a.m. Monday it runs. | A Ph.D. Student reads it.");
        check("J. R. Miller wrote it. | It is written in C. | The rest is Rust.");
    }

    #[test]
    fn numbers_end_one_unless_they_are_an_ordinal_or_a_number_of_a_list() {
        check("Es ist am 15. Oktober.[^1] | Gut.");
        check("Am 5. 10. um neun kommt der Ofen. | Am 12. 1. geht er.");
        check("Hr. Mag. Weber, Fr. Dr. Muhl und Fa. Elm (Tel. 0123, Kd.-Nr. 7) kommen. | Gut.");
        check("Une farine (env. 20 kg) pour Mme. Weber. | Bien. | El Sr. Elm y la Dra. Weber. | Bien.");
        check("Am 3. Mai und am 12. Dez. 2026 ist frei. | Danach nicht.");
        check("On 5 Dec. 2026 it ran. | It ran in April. | 3 times.");
        check("It costs 3. | May I? | It was 2.0. | Then 3.");
        check("1. First do this. | 2. Then that.");
        check("See No. 5, Fig. 3, pp. 4 and Nr. 7. | The answer is no. | We go.");
        check("It takes 3.5 s. | It took 5 ms. | It took 5 min. | 3 are left.");
    }

    #[test]
    fn names_of_files_and_addresses_are_whole_and_begin_one() {
        check("Edit src/lib.rs. | Then run. | See https://x.example/a?b=c.d! | Good.");
        check("It failed. | src/lib.rs holds it. | node.js runs it. | .env sets it. | main_loop ends it. | a::b too.");
        check("It works. | macOS does not. | `x` does. | \"y\" does.");
        check("It fits and. so on it goes. or v2Xk9 does.");
        check("Call `a. B` now. | Then stop. | A lone ` hides nothing. | See.");
    }

    #[test]
    fn quotes_close_with_their_sentence() {
        check("She said \"Stop.\" | Then she left. | \"Is it?\" she asked.");
        check("Er sagt „Halt.“ | Dann geht er. | »Nein.« | ‘So.’ | Gut.");
        check("(See there.) | [Or there.] | Good.");
    }

    #[test]
    fn stops_of_chinese_and_japanese_need_no_space() {
        check_wide("烤箱很热。|我们等!|真的吗?|是的。");
        check_wide("彼は「止まれ。」|と言った。|本当?|はい！|（終わり。）|次");
        check_wide("用 `a。b` 命令。|版本 1.2 很好。");
    }

    #[test]
    fn citations_stay_with_their_sentence() {
        check("Tokens live 15 minutes.[^2] | They rotate.[^1][^3]");
    }

    proptest! {
        #[test]
        fn sentences_are_in_order_and_in_range(text in ".{0,80}") {
            let mut last = 0;
            for span in sentences(&text) {
                prop_assert!(span.start >= last && text.get(span.start..span.end).is_some());
                last = span.end;
            }
        }

        #[test]
        fn nothing_that_says_something_is_lost(words in prop::collection::vec("[a-zA-Z]{1,4}[.?!…。]?|`|[0-9]{1,2}\\.", 0..20)) {
            let text = words.join(" ");
            let kept: String = sentences(&text).iter().map(|span| span.of(&text)).collect();
            let letters = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>();
            prop_assert_eq!(letters(&kept), letters(&text));
        }
    }
}
