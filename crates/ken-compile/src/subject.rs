//! Finds what a text is about: the names it mentions.
//!
//! Four kinds, from the surest: wikilinks, names (`PostgreSQL`, `Claude Code`, `OAuth2`), code and file
//! names (`max_retries`, `src/checkout/price.rs`), and phrases: runs of two or three content words between
//! function words and verbs (`stock reservation`). A single plain word is a subject only if sentences
//! open with it (`Authentication uses …`): elsewhere it is too common or belongs to a phrase. Names that differ in case, plural or spelling (`refresh-tokens`,
//! `RefreshToken`, `refresh token`) share one key.

mod unit;
mod verb;

use std::sync::LazyLock;

use ken_core::Span;
use ken_core::language::WordSet;
use ken_core::link::links;
use ken_core::words::{Weight, can_name, fold, identifier_parts, is_count_or_date, is_stop, subject_key, weight};
use serde::{Deserialize, Serialize};
use unit::is_unit;

/// How a subject was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MentionKind {
    /// By a wikilink.
    Link,
    /// By a proper name.
    Name,
    /// By an identifier.
    Code,
    /// By a path or file name.
    File,
    /// By a phrase of plain words.
    Phrase,
    /// By one plain word that opens a sentence: what the sentence is about.
    Topic,
    /// By one plain word elsewhere.
    Word,
    /// By the title of an entry that is a piece of work.
    Work,
}

/// One place where a subject is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What all spellings of the subject share.
    pub key: String,
    /// How it is spelled here.
    pub surface: String,
    /// How it was named.
    pub kind: MentionKind,
    /// Where.
    pub span: Span,
    /// Whether the name stands alone here, not inside a longer run of content words.
    pub is_standalone: bool,
    /// Whether a determiner stands before it, as before a noun.
    pub is_noun: bool,
    /// Whether it stands in the first clause of its sentence, which is about it.
    pub leads: bool,
}

impl Mention {
    /// Returns the last word of a phrase as one more mention: a `probe battery` is a battery. It says nothing of what
    /// deserves a page; but what is said of the phrase may end what was said of the word.
    pub fn last_word(&self) -> Option<Mention> {
        if self.kind != MentionKind::Phrase || !self.is_standalone {
            return None;
        }
        let (_, key) = self.key.rsplit_once('-')?;
        let (before, surface) = self.surface.rsplit_once(' ')?;
        let is_plain = surface.chars().all(char::is_lowercase) && can_be_topic(surface);
        let span = Span::new(self.span.start + before.len() + 1, self.span.end);
        is_plain.then(|| Mention {
            key: key.to_owned(),
            surface: surface.to_owned(),
            kind: MentionKind::Word,
            span,
            is_standalone: false,
            is_noun: false,
            leads: false,
        })
    }
}

/// Longest text before a name in the first clause of a sentence, in bytes.
const FIRST_CLAUSE_MAX: usize = 60;
static DETERMINERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.determiners));
static VERBS_IN_S_BEHIND: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.before_verbs_in_s));
static PREPOSITIONS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.prepositions));
static VERBS_IN_ING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.verbs_in_ing));

/// Returns whether a lower-case word stands before nouns.
pub fn is_determiner(word: &str) -> bool {
    DETERMINERS.has(word)
}

/// Returns whether what stands behind a word is no subject.
pub(crate) fn is_preposition(word: &str) -> bool {
    // In another language it may be one: `a valve` and `a casa`.
    PREPOSITIONS.has(word) && !is_determiner(word)
}

/// Whether a text ends in a preposition, or in one and a determiner.
fn is_behind_preposition(before: &str) -> bool {
    let mut words = before.split_whitespace().rev().map(str::to_lowercase).skip_while(|word| is_determiner(word));
    words.next().is_some_and(|word| is_preposition(&word))
}

/// Where the sentence begins that a text ends in.
fn sentence_start(text: &str) -> usize {
    let is_end = |two: &[u8]| matches!(two, [b'.' | b'!' | b'?', b' ']);
    text.as_bytes().windows(2).rposition(is_end).map_or(0, |at| at + 2)
}

/// Longest phrase in words.
const PHRASE_WORDS_MAX: usize = 3;

/// Returns the mentions of a text, in order of their places.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut scan = Scan { text, out: Vec::new(), run: Vec::new() };
    for link in links(text, Span::new(0, text.len())) {
        let target = link.target.of(text);
        let name = target.rsplit('/').next().unwrap_or(target);
        scan.add(name, MentionKind::Link, link.span, true);
    }
    scan.tokens();
    scan.out.retain(|mention| !mention.key.is_empty());
    scan.out.sort_by_key(|mention| (mention.span, mention.kind));
    scan.out
}

/// Longest name of a unit in characters.
const UNIT_CHARS_MAX: usize = 4;

struct Scan<'a> {
    text: &'a str,
    out: Vec<Mention>,
    run: Vec<Word<'a>>,
}

struct Word<'a> {
    text: &'a str,
    /// What its spellings share: made once, used in every window of the run.
    key: String,
    span: Span,
    is_name: bool,
    starts_sentence: bool,
}

impl<'a> Scan<'a> {
    fn add(&mut self, surface: &str, kind: MentionKind, span: Span, is_standalone: bool) {
        // Files are told apart by their extensions, so they keep their spelling.
        let key = if kind == MentionKind::File { fold(surface) } else { subject_key(surface) };
        self.add_keyed(key, surface, kind, span, is_standalone);
    }

    fn add_keyed(&mut self, key: String, surface: &str, kind: MentionKind, span: Span, is_standalone: bool) {
        let before = &self.text[..span.start];
        let before = &before[sentence_start(before)..];
        let word = before.split_whitespace().next_back().unwrap_or("").to_lowercase();
        // `3000 mAh` says how much there is of something else.
        let is_unit = surface.chars().count() <= UNIT_CHARS_MAX && word.replace(',', "").parse::<f64>().is_ok();
        let is_first = before.len() <= FIRST_CLAUSE_MAX && !before.contains([',', ';', ':', '(', '—']);
        let is_noun = is_determiner(word.trim_start_matches(|ch: char| !ch.is_alphanumeric()));
        // A plain word behind a preposition says where or how: `the list is on the wall`.
        let leads = is_first && !is_unit && !(kind == MentionKind::Word && is_behind_preposition(before));
        self.out.push(Mention { key, surface: surface.to_owned(), kind, span, is_standalone, is_noun, leads });
    }

    /// Walks white-space tokens; code spans are taken whole.
    fn tokens(&mut self) {
        let mut at = 0;
        let mut starts_sentence = true;
        while at < self.text.len() {
            let rest = &self.text[at..];
            if let Some(space) = rest.chars().next().filter(|ch| ch.is_whitespace()) {
                at += space.len_utf8();
            } else if let Some(len) = code_len(rest) {
                self.flush();
                self.code(Span::new(at + 1, at + len - 1));
                at += len;
                starts_sentence = false;
            } else if rest.starts_with("[[") && rest.contains("]]") {
                self.flush();
                at += rest.find("]]").map_or(2, |end| end + 2);
                starts_sentence = false;
            } else {
                let len = rest.find(|ch: char| ch.is_whitespace() || ch == '`').unwrap_or(rest.len()).max(1);
                let len = (len..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
                starts_sentence = self.token(Span::new(at, at + len), starts_sentence);
                at += len;
            }
        }
        self.flush();
    }

    /// Takes one token; returns whether the next one begins a sentence.
    fn token(&mut self, span: Span, starts_sentence: bool) -> bool {
        let raw = span.of(self.text);
        let is_around = |ch: char| !ch.is_alphanumeric() && ch != '_' && ch != '/';
        let core = raw.trim_start_matches(is_around);
        let lead = if core.is_empty() { 0 } else { raw.len() - core.len() };
        let core = core.trim_end_matches(is_around);
        let core_span = Span::new(span.start + lead, span.start + lead + core.len());
        if lead > 0 {
            self.flush();
        }
        let behind = &raw[lead + core.len()..];
        if !core.is_empty() && core.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            // Most are: one word that nothing has to be looked for in.
            self.word(core, core_span.start, starts_sentence);
        } else if core.contains("://")
            || core.starts_with("www.")
            || core.contains('@')
            || core.eq_ignore_ascii_case("o'clock")
        {
            self.flush();
        } else if is_file(core) {
            self.flush();
            self.add(file_name(core), MentionKind::File, core_span, true);
        } else if core.contains("::") || (core.contains('_') && core.len() > 3) {
            self.flush();
            self.add(core, MentionKind::Code, core_span, true);
        } else {
            self.words(core, core_span.start, starts_sentence);
        }
        if !behind.is_empty() {
            self.flush();
        }
        behind.contains(['.', '!', '?', ':']) || core.is_empty()
    }

    /// Splits a token at hyphens, slashes and apostrophes into words of the current run.
    fn words(&mut self, core: &'a str, start: usize, starts_sentence: bool) {
        if is_compound(core) {
            let (span, is_name) = (Span::new(start, start + core.len()), false);
            self.run.push(Word { text: core, key: subject_key(core), span, is_name, starts_sentence });
            return;
        }
        let (mut at, mut is_counted) = (start, false);
        for (n, piece) in core.split(['-', '\'', '’', '/', '.']).enumerate() {
            let separator = core[..at - start].chars().last();
            if n > 0 && separator != Some('-') {
                self.flush();
            }
            // The `s` of a possessive is no word, and what a hyphen joins to a number is a piece of it: `first-time`.
            let is_possessive = piece == "s" && n > 0;
            let is_piece = is_counted && separator == Some('-');
            if !is_possessive && !is_piece && !piece.is_empty() {
                self.word(piece, at, starts_sentence && n == 0);
            }
            is_counted = is_piece || is_count_or_date(piece);
            at += piece.len();
            at += core[at - start..].chars().next().map_or(0, char::len_utf8);
        }
    }

    fn word(&mut self, piece: &'a str, at: usize, starts_sentence: bool) {
        let span = Span::new(at, at + piece.len());
        let ends_name = !self.run.is_empty() && is_activity(piece);
        if is_count_or_date(piece) || is_hash(piece) {
            self.flush();
            return;
        }
        if !(can_name(piece) || ends_name) || !piece.chars().all(|ch| ch.is_alphanumeric() || ch == '_') {
            self.flush();
            return;
        }
        self.run.push(Word {
            text: piece,
            key: subject_key(piece),
            span,
            is_name: is_name(piece, starts_sentence),
            starts_sentence,
        });
    }

    /// Ends a run of content words: every window of it may be a subject.
    fn flush(&mut self) {
        let mut run = std::mem::take(&mut self.run);
        if self.ends_in_verb(&run) || self.ends_in_clause(&run) {
            run.pop();
        }
        // `The 3000 mAh cell` is a cell.
        if run.first().is_some_and(|first| is_unit(&self.text[..first.span.start], first.text)) {
            run.remove(0);
        }
        let n = run.len();
        if let [word] = run.as_slice()
            && !word.is_name
            && can_be_topic(word.text)
        {
            let kind = match word.starts_sentence {
                _ if word.text.contains('-') => MentionKind::Phrase,
                true => MentionKind::Topic,
                false => MentionKind::Word,
            };
            self.add(word.text, kind, word.span, true);
        }
        for (at, word) in run.iter().enumerate() {
            if word.is_name && weight(word.text) == Weight::Strong {
                self.add(word.text, MentionKind::Name, word.span, n == 1);
            }
            for len in 2..=PHRASE_WORDS_MAX.min(n - at) {
                let window = &run[at..at + len];
                // `Stock reservation releases …`: a third word in -s behind an opening name is the verb.
                let opens = window[0].starts_sentence && len == PHRASE_WORDS_MAX;
                let last = window[len - 1].text;
                let is_plural = last.ends_with('s') && !last.ends_with("ss");
                let is_verb = is_plural && (opens || (at + len == n && self.takes_object(window[len - 1].span.end)))
                    || (last.ends_with("ed") && last.len() > 4)
                    || is_past(last);
                if is_verb && !window[len - 1].is_name {
                    continue;
                }
                if !window.iter().any(|word| weight(word.text) == Weight::Strong)
                    || window.windows(2).any(|two| two[0].text.eq_ignore_ascii_case(two[1].text))
                {
                    continue;
                }
                let span = Span::new(window[0].span.start, window[len - 1].span.end);
                let kind = if window.iter().all(|word| word.is_name) { MentionKind::Name } else { MentionKind::Phrase };
                let join = |of: fn(&Word<'_>) -> String, by: &str| window.iter().map(of).collect::<Vec<_>>().join(by);
                let key = join(|word| word.key.clone(), "-");
                let surface = join(|word| word.text.to_owned(), " ");
                self.add_keyed(key, &surface, kind, span, len == n);
            }
        }
    }

    fn code(&mut self, span: Span) {
        let code = span.of(self.text).trim();
        let plain = code.trim_end_matches("()");
        if is_file(plain) {
            self.add(file_name(plain), MentionKind::File, span, true);
        } else if is_identifier(plain) {
            self.add(plain, MentionKind::Code, span, true);
        }
    }
}

/// Whether a token is a word with a small one that is a part of it: `stand-up`, `check-in`.
fn is_compound(token: &str) -> bool {
    let is_small = |part: &str| (2..=SMALL_MAX).contains(&part.len()) && is_stop(part);
    let is_word = |part: &str| part.len() > SMALL_MIN && part.chars().skip(1).all(char::is_lowercase);
    token.split_once('-').is_some_and(|(word, small)| is_word(word) && is_small(small))
}

/// Longest small word at the end of a compound, and what the word before it is longer than, in bytes.
const SMALL_MAX: usize = 4;
const SMALL_MIN: usize = 2;

/// Past forms that end no name.
fn is_past(word: &str) -> bool {
    static PAST: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.past_forms));
    PAST.has(word)
}

/// Whether a word in small letters stands behind a verb and begins no other name.
fn is_object(word: &str) -> bool {
    static OBJECTS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.objects));
    is_determiner(word) || OBJECTS.has(word)
}

/// Whether a word names what is done and so can end the name of a subject: `price rounding`.
fn is_activity(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.ends_with("ing") && lower.len() > 5 && !VERBS_IN_ING.has(&lower)
}

/// Shortest plain word that may be a subject.
const TOPIC_CHARS_MIN: usize = 4;

/// Whether a plain word can be what a sentence is about: a noun by its account, not an adverb, a participle
/// or a gerund.
fn can_be_topic(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_other = ["ly", "ed", "ing"].iter().any(|ending| lower.ends_with(ending));
    word.chars().count() >= TOPIC_CHARS_MIN
        && weight(word) == Weight::Strong
        && !is_other
        && word.chars().all(|ch| ch.is_alphabetic() || ch == '-')
}

/// Length of the code span that a text begins with, backticks included.
fn code_len(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('`')?;
    rest.find('`').filter(|end| *end > 0).map(|end| end + 2)
}

/// Extensions by which a bare token is seen as a file.
const EXTENSIONS: &[&str] = &[
    "rs", "go", "py", "js", "ts", "tsx", "jsx", "json", "jsonl", "toml", "yaml", "yml", "md", "html", "css", "sql",
    "sh", "java", "kt", "rb", "c", "h", "cpp", "hpp", "cs", "swift", "lock", "txt", "xml", "proto", "env", "cfg",
    "ini", "conf", "csv", "vue", "svelte", "php", "ex", "exs", "tf", "mod", "sum", "log",
];

/// Whether a token is a path or the name of a file, by its extension.
pub fn is_file(token: &str) -> bool {
    let token = token.trim_end_matches('/');
    let name = token.rsplit('/').next().unwrap_or(token);
    let plain = |ch: char| ch.is_alphanumeric() || matches!(ch, '.' | '-' | '_' | '/' | '~' | '@' | ':');
    let Some((stem, ext)) = name.rsplit_once('.') else { return false };
    // `src/lib.rs:42` names a place in a file.
    let ext = ext.split(':').next().unwrap_or(ext);
    token.chars().all(plain)
        && stem.chars().any(char::is_alphanumeric)
        && EXTENSIONS.contains(&ext.to_ascii_lowercase().as_str())
}

/// Names that every project has; alone they say nothing.
const COMMON_FILES: &[&str] = &[
    "mod.rs",
    "lib.rs",
    "main.rs",
    "index.ts",
    "index.js",
    "index.html",
    "readme.md",
    "main.go",
    "__init__.py",
    "package.json",
    "cargo.toml",
    "index.md",
    "main.py",
];

/// The last part of a path, with its folder for names that every project has.
pub fn file_name(token: &str) -> &str {
    let token = token.trim_end_matches('/');
    let end = token.rfind('.').and_then(|dot| token[dot..].find(':').map(|colon| dot + colon)).unwrap_or(token.len());
    let token = &token[..end];
    let mut cuts = token.rmatch_indices('/');
    let name = cuts.next().map_or(token, |(at, _)| &token[at + 1..]);
    if COMMON_FILES.contains(&name.to_ascii_lowercase().as_str()) {
        return cuts.next().map_or(token, |(at, _)| &token[at + 1..]).trim_start_matches('/');
    }
    name
}

fn is_identifier(code: &str) -> bool {
    let chars_ok = code.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | ':' | '.' | '-'));
    let n = code.chars().count();
    let says_something = code.contains(['_', ':', '-', '.'])
        || !identifier_parts(code).is_empty()
        || (n >= 4 && weight(code) == Weight::Strong);
    chars_ok && (3..=48).contains(&n) && says_something && code.starts_with(|ch: char| ch.is_alphabetic() || ch == '_')
}

/// Whether a word is a hash or a piece of one: seven or more hexadecimal digits, of them letters and others.
pub fn is_hash(word: &str) -> bool {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    word.len() >= 7
        && word.bytes().all(is_hex)
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// A capital inside a sentence, capitals or digits inside a word: `PostgreSQL`, `JWT`, `OAuth2`, `Fish`.
fn is_name(word: &str, starts_sentence: bool) -> bool {
    let mut chars = word.chars();
    let first_upper = chars.next().is_some_and(char::is_uppercase);
    let inner_upper = chars.clone().any(char::is_uppercase);
    let has_letter = word.chars().any(char::is_alphabetic);
    let has_digit = word.chars().any(|ch| ch.is_ascii_digit());
    let is_version =
        has_digit && word.trim_start_matches(['v', 'V']).chars().next().is_some_and(|ch| ch.is_ascii_digit());
    if !has_letter || is_version || word.chars().count() < 2 {
        return false;
    }
    inner_upper || (has_digit && word.starts_with(char::is_alphabetic)) || (first_upper && !starts_sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, MentionKind)]) {
        let found: Vec<_> =
            mentions(text).into_iter().filter(|m| m.is_standalone).map(|m| (m.surface, m.kind)).collect();
        let expected: Vec<_> = expected.iter().map(|(surface, kind)| ((*surface).to_owned(), *kind)).collect();
        assert_eq!(found, expected);
    }

    use MentionKind::*;

    #[test]
    fn spellings_of_one_name_share_a_key() {
        for name in ["refresh tokens", "Refresh-Token", "RefreshToken", "refresh_token"] {
            assert_eq!(subject_key(name), "refresh-token");
        }
    }

    #[test]
    fn phrases_stand_between_function_words_and_verbs() {
        check(
            "The checkout flow depends on stock reservation.",
            &[("checkout flow", Phrase), ("stock reservation", Phrase)],
        );
    }

    #[test]
    fn verbs_end_no_name() {
        check("Ada calls it a day.", &[]);
        check("The starter kit costs 92.", &[]);
        check("The backups fought over the disk.", &[("disk", Word)]);
        check("The starter kits are here.", &[("starter kits", Phrase)]);
        check("The starter kits of May are here.", &[("starter kits", Phrase)]);
        check("The controller listens on port 80.", &[("controller", Word), ("port", Word)]);
        check("Each deck oven hangs at the wall.", &[("deck oven", Phrase), ("wall", Word)]);
        check("The class notes on ovens are here.", &[("class", Word), ("ovens", Word)]);
        check("Read the oven notes of May.", &[("oven notes", Phrase)]);
        check("From 1 June the heater runs at night.", &[("heater", Word), ("night", Word)]);
        check("The oven lamp showing how it works.", &[("oven lamp", Phrase)]);
    }

    #[test]
    fn units_begin_no_name() {
        check("The 3000 mAh cell fits.", &[("cell", Word)]);
    }

    #[test]
    fn numbers_dates_and_hashes_name_nothing() {
        check("Twelve households pay in April and on Friday.", &[("households", Word)]);
        check("It fails for first-time gardener kits.", &[("gardener kits", Phrase)]);
        check("The three-way bakery.", &[("bakery", Word)]);
        check("See you at nine o'clock.", &[]);
        check("Commit b8d967c fixed the third thirty rows.", &[("Commit", Topic)]);
    }

    #[test]
    fn a_noun_has_an_article_before_it_and_a_name_leads_its_first_clause() {
        let found = mentions("The valve is open, and PostgreSQL waits.");
        let shown: Vec<_> = found.iter().map(|m| (m.surface.as_str(), m.is_noun, m.leads)).collect();
        assert_eq!(shown, [("valve", true, true), ("PostgreSQL", false, false)]);
        let leads = |text: &str| mentions(text).iter().any(|one| one.surface == "kWh" && one.leads);
        assert!(leads("The kWh costs 30 cents.") && !leads("3,000 kWh heat the oven."));
        let leading = |text: &str| {
            let leading = mentions(text).into_iter().filter(|one| one.leads);
            leading.map(|one| one.surface).collect::<Vec<_>>()
        };
        assert_eq!(leading("The oven is on the wall."), ["oven"]);
        assert_eq!(leading("The fair is on 9 May."), ["fair"]);
    }

    #[test]
    fn names_are_capitals_inside_a_sentence() {
        check("Orders moved to PostgreSQL because SQLite is slow.", &[("PostgreSQL", Name), ("SQLite", Name)]);
        check("Today we use OAuth2.", &[("OAuth2", Name)]);
    }

    #[test]
    fn code_and_files_are_named_in_backticks_or_plainly() {
        check("Authentication needs authentication.", &[("Authentication", Topic), ("authentication", Word)]);
        check(
            "Call `max_retries` in src/checkout/price.rs:12 and `cmd/setup/main.go`.",
            &[("max_retries", Code), ("price.rs", File), ("setup/main.go", File)],
        );
        check("Run `cargo test --all` now.", &[]);
    }

    #[test]
    fn a_small_word_behind_a_hyphen_is_part_of_its_word() {
        check("The stand-up is at nine.", &[("stand-up", Phrase)]);
        check("The team stand-up is at nine.", &[("team stand-up", Phrase)]);
        check("A two-way street.", &[("street", Word)]);
    }

    #[test]
    fn links_are_explicit() {
        check("See [[concepts/jwt|tokens]].", &[("jwt", Link)]);
    }

    #[test]
    fn odd_text_is_survived() {
        for text in ["`", "``", "[[", "/", "…", "a`b", "é`", "'s", "--", "x::", "\u{200b}`\u{301}`"] {
            mentions(text);
        }
    }
}
