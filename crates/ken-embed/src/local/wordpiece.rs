//! Cuts a text into pieces of words that a BERT model knows, exactly as it was trained.
//!
//! Control characters go, whitespace is one, every Chinese character and every punctuation mark stands
//! alone, letters lose case and accents where the model never saw any; then each word is the longest known
//! beginning, and the longest known continuation, and so on, or unknown as a whole.

use std::collections::BTreeMap;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

/// Longest word that is looked for in pieces, in characters.
const WORD_CHARS_MAX: usize = 100;
/// Longest part of a text that is looked at, in bytes for each piece that counts: what is behind is cut
/// away anyway.
const BYTES_PER_PIECE: usize = 32;

/// A list of pieces of words.
pub(super) struct WordPiece {
    ids: BTreeMap<String, u32>,
    /// Longest piece, in bytes.
    len_max: usize,
    begin: u32,
    end: u32,
    unknown: u32,
    is_lower_cased: bool,
    punctuation: Regex,
    accent: Regex,
    control: Regex,
}

impl WordPiece {
    /// Returns the list, or `None` when it lacks the marks that every text is put between.
    pub(super) fn new(words: Vec<String>, is_lower_cased: bool) -> Option<WordPiece> {
        let len_max = words.iter().map(String::len).max().unwrap_or(0);
        let ids: BTreeMap<String, u32> = words.into_iter().zip(0..).collect();
        let (begin, end, unknown) = (*ids.get("[CLS]")?, *ids.get("[SEP]")?, *ids.get("[UNK]")?);
        let class = |class: &str| Regex::new(class).expect("the class is known");
        let (punctuation, accent, control) = (class(r"^\p{P}$"), class(r"^\p{Mn}$"), class(r"^\p{C}$"));
        Some(WordPiece { ids, len_max, begin, end, unknown, is_lower_cased, punctuation, accent, control })
    }

    /// Returns how many pieces there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the numbers of a text's pieces between the marks for begin and end, `n_max` at most.
    pub(super) fn ids(&self, text: &str, n_max: usize) -> Vec<u32> {
        let mut len = text.len().min(n_max * BYTES_PER_PIECE);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        let text = &text[..len];
        let mut out = vec![self.begin];
        for word in self.words(text) {
            if out.len() >= n_max {
                break;
            }
            self.pieces(&word, &mut out);
        }
        out.truncate(n_max - 1);
        out.push(self.end);
        out
    }

    fn words(&self, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        let mut word = String::new();
        let mut close = |word: &mut String| {
            if !word.is_empty() {
                out.push(std::mem::take(word));
            }
        };
        for ch in self.plain(text).chars() {
            if ch.is_whitespace() {
                close(&mut word);
            } else if self.is_punctuation(ch) || is_chinese(ch) {
                close(&mut word);
                word.push(ch);
                close(&mut word);
            } else {
                word.push(ch);
            }
        }
        close(&mut word);
        out
    }

    fn plain(&self, text: &str) -> String {
        let kept = text.chars().filter(|ch| !self.is_control(*ch));
        if !self.is_lower_cased {
            return kept.collect();
        }
        if text.is_ascii() {
            return kept.map(|ch| ch.to_ascii_lowercase()).collect();
        }
        kept.nfd().filter(|ch| !self.is_accent(*ch)).flat_map(char::to_lowercase).collect()
    }

    fn is_control(&self, ch: char) -> bool {
        match ch {
            '\t' | '\n' | '\r' => false,
            _ if ch.is_ascii() => ch.is_control(),
            '\u{fffd}' => true,
            _ => fits(&self.control, ch),
        }
    }

    fn is_accent(&self, ch: char) -> bool {
        !ch.is_ascii() && fits(&self.accent, ch)
    }

    fn is_punctuation(&self, ch: char) -> bool {
        if ch.is_ascii() { ch.is_ascii_punctuation() } else { fits(&self.punctuation, ch) }
    }

    fn pieces(&self, word: &str, out: &mut Vec<u32>) {
        let n_before = out.len();
        if word.chars().count() > WORD_CHARS_MAX {
            out.push(self.unknown);
            return;
        }
        let mut at = 0;
        let mut piece = String::new();
        while at < word.len() {
            let mut end = word.len().min(at + self.len_max);
            let found = loop {
                if end <= at {
                    break None;
                }
                if word.is_char_boundary(end) {
                    piece.clear();
                    piece.push_str(if at > 0 { "##" } else { "" });
                    piece.push_str(&word[at..end]);
                    if let Some(id) = self.ids.get(&piece) {
                        break Some(*id);
                    }
                }
                end -= 1;
            };
            let Some(id) = found else {
                out.truncate(n_before);
                out.push(self.unknown);
                return;
            };
            out.push(id);
            at = end;
        }
    }
}

fn fits(class: &Regex, ch: char) -> bool {
    class.is_match(ch.encode_utf8(&mut [0; 4]))
}

/// Whether a character stands for a word of its own, by the blocks that BERT names.
fn is_chinese(ch: char) -> bool {
    matches!(u32::from(ch),
        0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x20000..=0x2a6df | 0x2a700..=0x2b73f
        | 0x2b740..=0x2b81f | 0x2b920..=0x2ceaf | 0xf900..=0xfaff | 0x2f800..=0x2fa1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let list = ["[UNK]", "[CLS]", "[SEP]", "token", "##s", "rot", "##ate", ".", "的", "cafe", "a"];
        let words = WordPiece::new(list.map(str::to_owned).to_vec(), true).expect("a list");
        let shown: Vec<&str> = words.ids(text, 8).iter().map(|id| list[*id as usize]).collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn words_are_cut_into_what_is_known() {
        check("Tokens rotate.", "[CLS] token ##s rot ##ate . [SEP]");
        check("Café\u{200b} 的a的", "[CLS] cafe 的 a 的 [SEP]");
        check("unknown a", "[CLS] [UNK] a [SEP]");
        check("", "[CLS] [SEP]");
    }

    #[test]
    fn long_texts_end_at_the_limit() {
        check(&"a ".repeat(1000), "[CLS] a a a a a a [SEP]");
        check(&"x".repeat(200), "[CLS] [UNK] [SEP]");
    }

    #[test]
    fn a_list_without_marks_is_none() {
        assert!(WordPiece::new(vec!["a".to_owned()], true).is_none());
    }
}
