//! Which rules can match in which lines: one search for the hints of all of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use ken_core::Span;
use memchr::{memchr, memchr2, memmem, memrchr};
use regex::Regex;

use super::assigned::PLACES;
use super::providers::TOKENS;
use super::rule::Rule;
use super::spoken::SPOKEN;

/// Texts up to this length are searched hint by hint at first.
const SHORT_BYTES: usize = 4 * 1024;
/// So many of them, before making the one search pays.
const N_SHORT_MAX: usize = 16;

/// Beyond so many bytes, the search that is fastest once it is made has paid for being made.
const MUCH_BYTES: usize = 1024 * 1024;

/// A set of rules, a bit each, in the order of the tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rules([u64; N_WORDS]);

const N_WORDS: usize = 4;

impl Rules {
    /// How many rules there can be.
    #[cfg(test)]
    pub(super) const N_MAX: usize = N_WORDS * u64::BITS as usize;

    fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    fn is_empty(self) -> bool {
        self.0 == [0; N_WORDS]
    }

    fn and(self, other: Rules) -> Rules {
        Rules(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    fn without(self, other: Rules) -> Rules {
        Rules(std::array::from_fn(|n| self.0[n] & !other.0[n]))
    }

    /// Takes the first rule out.
    fn pop(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(word * 64 + bit)
    }
}

/// The rules, ready to be searched for.
pub(super) struct Sieve {
    /// Finds every hint, in any case; made when there is enough to search.
    hints: OnceLock<AhoCorasick>,
    /// The same in half the time; made when there is much to search, as making it takes long.
    hints_in_much: OnceLock<AhoCorasick>,
    /// Short texts that were searched without them.
    n_short: AtomicUsize,
    /// Bytes that were searched with them.
    n_bytes: AtomicUsize,
    /// What a hint is of, in the same order.
    hinted: Vec<Hinted>,
    rules: Vec<(&'static Rule, OnceLock<Regex>)>,
    /// The rules that match only where a `=` or a `:` stands.
    signed: Rules,
}

/// The rules of one hint: those that need it as it is written, and those that take it in any case.
struct Hinted {
    hint: &'static str,
    exact: Rules,
    any_case: Rules,
}

/// Returns the one sieve.
pub(super) fn sieve() -> &'static Sieve {
    static SIEVE: OnceLock<Sieve> = OnceLock::new();
    SIEVE.get_or_init(Sieve::new)
}

/// Returns every rule, in the order in which they are tried.
pub(super) fn all_rules() -> impl Iterator<Item = &'static Rule> {
    TOKENS.iter().chain(PLACES).chain(SPOKEN)
}

impl Sieve {
    fn new() -> Sieve {
        let mut hinted: Vec<Hinted> = Vec::new();
        for (n, rule) in all_rules().enumerate() {
            for &hint in rule.hints {
                let at = hinted.iter().position(|known| known.hint == hint).unwrap_or_else(|| {
                    hinted.push(Hinted { hint, exact: Rules::default(), any_case: Rules::default() });
                    hinted.len() - 1
                });
                let rules = if rule.is_exact() { &mut hinted[at].exact } else { &mut hinted[at].any_case };
                rules.insert(n);
            }
        }
        // Compiled when first needed: most runs of the program meet a handful of them.
        let rules = all_rules().map(|rule| (rule, OnceLock::new())).collect();
        let mut signed = Rules::default();
        all_rules().enumerate().filter(|(_, rule)| rule.needs_sign()).for_each(|(n, _)| signed.insert(n));
        Sieve {
            hints: OnceLock::new(),
            hints_in_much: OnceLock::new(),
            n_short: AtomicUsize::new(0),
            n_bytes: AtomicUsize::new(0),
            hinted,
            rules,
            signed,
        }
    }

    /// The search for the next so many bytes.
    fn search(&self, n_bytes: usize) -> &AhoCorasick {
        let made = |kind| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::Standard)
                .kind(Some(kind))
                .build(self.hinted.iter().map(|known| known.hint))
                .expect("a few hundred short texts fit")
        };
        match self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes {
            0..MUCH_BYTES => self.hints.get_or_init(|| made(AhoCorasickKind::ContiguousNFA)),
            _ => self.hints_in_much.get_or_init(|| made(AhoCorasickKind::DFA)),
        }
    }

    /// Calls `each` with every hint in the text, which one and where, in an order that never goes back to an
    /// earlier line.
    fn hits(&self, text: &str, each: &mut impl FnMut(usize, Span)) {
        // A hook scrubs a few hundred bytes and goes; making the search would take it longer than all else.
        let is_short = text.len() < SHORT_BYTES && self.n_bytes.load(Ordering::Relaxed) == 0;
        if !is_short || self.n_short.fetch_add(1, Ordering::Relaxed) >= N_SHORT_MAX {
            let search = self.search(text.len());
            return search
                .find_overlapping_iter(text)
                .for_each(|hit| each(hit.pattern().as_usize(), Span::new(hit.start(), hit.end())));
        }
        let folded = text.to_ascii_lowercase();
        let mut hits: Vec<(usize, usize)> = Vec::new();
        for (n, hinted) in self.hinted.iter().enumerate() {
            let hint = hinted.hint.to_ascii_lowercase();
            hits.extend(memmem::find_iter(folded.as_bytes(), &hint).map(|start| (start, n)));
        }
        hits.sort_unstable();
        hits.into_iter().for_each(|(start, n)| each(n, Span::new(start, start + self.hinted[n].hint.len())));
    }

    /// Calls `each` with every line that has a hint, and the rules whose hints it has.
    pub(super) fn lines(&self, text: &str, mut each: impl FnMut(Span, Rules)) {
        let bytes = text.as_bytes();
        let mut line = (Span::new(0, 0), Rules::default());
        self.hits(text, &mut |n, hit| {
            let hinted = &self.hinted[n];
            let is_exact = !hinted.exact.is_empty() && hit.of(text) == hinted.hint;
            let rules = if is_exact { hinted.exact.and(hinted.any_case) } else { hinted.any_case };
            if rules.is_empty() {
                return;
            }
            if hit.start >= line.0.end {
                self.hand_on(bytes, line, &mut each);
                let start = memrchr(b'\n', &bytes[..hit.start]).map_or(0, |end| end + 1);
                let end = memchr(b'\n', &bytes[hit.start..]).map_or(bytes.len(), |len| hit.start + len);
                line = (Span::new(start, end), Rules::default());
            }
            line.1 = line.1.and(rules);
        });
        self.hand_on(bytes, line, &mut each);
    }

    fn hand_on(&self, bytes: &[u8], (line, rules): (Span, Rules), each: &mut impl FnMut(Span, Rules)) {
        let has_sign = || memchr2(b'=', b':', &bytes[line.start..line.end]).is_some();
        let unsigned = rules.without(self.signed);
        let rules = if rules != unsigned && !has_sign() { unsigned } else { rules };
        if !rules.is_empty() {
            each(line, rules);
        }
    }

    /// Returns the rules of a set with their patterns.
    pub(super) fn of(&self, mut rules: Rules) -> impl Iterator<Item = (&'static Rule, &Regex)> {
        std::iter::from_fn(move || {
            let (rule, regex) = &self.rules[rules.pop()?];
            Some((*rule, regex.get_or_init(|| Regex::new(&rule.pattern()).expect("a test compiles every rule"))))
        })
    }
}
