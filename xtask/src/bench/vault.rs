//! Vaults made from a seed.
//!
//! The words are invented but their frequencies are not: the k-th word is used 1/k as often as the
//! first, as in any natural text, so that most words are common and triggers can be rare. The same
//! size gives the same bytes on every machine, so two measurements are of one thing.

use std::fmt::Write;
use std::path::Path;

const N_WORDS: usize = 20_000;
/// Words beyond this rank are rare enough to be triggers: a few pages have each.
const TRIGGER_RANK_MIN: usize = 1_000;
const BODY_BYTES: usize = 2_500;
const N_DAYS: usize = 30;
const N_SESSIONS: usize = 3;
/// Entries of the day that a compile run adds.
const N_NEW_SESSIONS: usize = 10;

const FOLDERS: [(&str, &str); 4] =
    [("concepts", "concept"), ("entities", "entity"), ("projects", "project"), ("references", "reference")];

/// SplitMix64: one addition and a mix a number, and good enough for text.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// The invented language.
pub(super) struct Words {
    words: Vec<String>,
    /// Running sum of the frequencies, for drawing by bisection.
    weights: Vec<f64>,
}

impl Words {
    pub(super) fn new() -> Words {
        let words: Vec<String> = (0..N_WORDS).map(word).collect();
        let weights = (1..=N_WORDS).scan(0.0, |sum, rank| {
            *sum += 1.0 / rank as f64;
            Some(*sum)
        });
        Words { weights: weights.collect(), words }
    }

    pub(super) fn common(&self, random: &mut Random) -> &str {
        let total = self.weights[N_WORDS - 1];
        let drawn = (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * total;
        &self.words[self.weights.partition_point(|weight| *weight < drawn).min(N_WORDS - 1)]
    }

    pub(super) fn rare(&self, random: &mut Random) -> &str {
        &self.words[TRIGGER_RANK_MIN + random.below(N_WORDS - TRIGGER_RANK_MIN)]
    }
}

/// The n-th word: its number spelled in syllables, shuffled so that neighbours do not look alike.
fn word(n: usize) -> String {
    const ONSETS: [&str; 16] = ["b", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    // Odd multiplier, power-of-two modulus: a permutation, so no two words are equal.
    let mut rest = (n * 40_503 + 12_345) % (1 << 16);
    let mut out = String::new();
    for _ in 0..2 {
        out.push_str(ONSETS[rest % 16]);
        rest /= 16;
        out.push_str(VOWELS[rest % 5]);
        rest /= 5;
    }
    // What is left is below 11, so the spelling loses nothing.
    out.push_str(ONSETS[rest]);
    out
}

/// One page before it is written.
struct Page {
    slug: String,
    title: String,
    triggers: Vec<String>,
}

/// A vault's content.
pub(super) struct Vault {
    words: Words,
    pages: Vec<Page>,
}

impl Vault {
    /// Returns the vault of that many pages.
    pub(super) fn new(n_pages: usize) -> Vault {
        let words = Words::new();
        let mut random = Random(n_pages as u64);
        let pages = (0..n_pages)
            .map(|n| {
                let n_triggers = 5 + random.below(6);
                let mut triggers: Vec<String> = Vec::new();
                while triggers.len() < n_triggers {
                    let word = words.rare(&mut random).to_owned();
                    if !triggers.contains(&word) {
                        triggers.push(word);
                    }
                }
                // The number keeps slugs unique in a language of few words.
                let (first, second) = (&triggers[0], &triggers[1]);
                Page {
                    slug: format!("{first}-{second}-{n}"),
                    title: format!("{} {second} {n}", capital(first)),
                    triggers,
                }
            })
            .collect();
        Vault { words, pages }
    }

    /// Returns the number of pages.
    pub(super) fn n_pages(&self) -> usize {
        self.pages.len()
    }

    /// Returns questions that a page of the vault answers, spread over it.
    pub(super) fn questions(&self, n_questions: usize) -> Vec<String> {
        let step = (self.pages.len() / n_questions).max(1);
        let asked = self.pages.iter().step_by(step).take(n_questions);
        asked.map(|page| format!("how does {} work with {}?", page.triggers[0], page.triggers[2])).collect()
    }

    /// Returns a word that few pages have.
    pub(super) fn rare_word(&self) -> String {
        self.words.words[N_WORDS - 1].clone()
    }

    /// Returns the three most common words.
    pub(super) fn common_words(&self) -> String {
        self.words.words[..3].join(" ")
    }

    /// Returns questions of two to seven words, rare and common ones mixed.
    pub(super) fn mixed_questions(&self, n_questions: usize) -> Vec<String> {
        let mut random = Random(n_questions as u64);
        let question = |_| {
            let n_words = 2 + random.below(6);
            let word = |n: usize, random: &mut Random| {
                if n.is_multiple_of(2) {
                    self.words.rare(random).to_owned()
                } else {
                    self.words.common(random).to_owned()
                }
            };
            (0..n_words).map(|n| word(n, &mut random)).collect::<Vec<_>>().join(" ")
        };
        (0..n_questions).map(question).collect()
    }

    /// Returns where a page stands in the vault.
    pub(super) fn page_path(&self, n: usize) -> String {
        let n = n % self.pages.len();
        format!("knowledge/{}/{}.md", FOLDERS[n % FOLDERS.len()].0, self.pages[n].slug)
    }

    /// Writes pages and journal into a vault that `ken init` made.
    pub(super) fn write(&self, dir: &Path) -> std::io::Result<()> {
        for (folder, _) in FOLDERS {
            std::fs::create_dir_all(dir.join("knowledge").join(folder))?;
        }
        for n in 0..self.pages.len() {
            let (folder, _) = FOLDERS[n % FOLDERS.len()];
            std::fs::write(
                dir.join("knowledge").join(folder).join(format!("{}.md", self.pages[n].slug)),
                self.page(n),
            )?;
        }
        std::fs::create_dir_all(dir.join("daily"))?;
        for n in 0..N_DAYS {
            self.write_day(dir, &format!("2026-04-{:02}", n + 1), n as u64, N_SESSIONS)?;
        }
        Ok(())
    }

    /// Writes the n-th day after those of [`Vault::write`].
    pub(super) fn write_new_day(&self, dir: &Path, n: usize) -> std::io::Result<()> {
        self.write_day(dir, &format!("2026-05-{:02}", n + 1), (N_DAYS + n) as u64, N_NEW_SESSIONS)
    }

    fn write_day(&self, dir: &Path, date: &str, seed: u64, n_sessions: usize) -> std::io::Result<()> {
        std::fs::write(dir.join("daily").join(format!("{date}.md")), self.day(date, seed, n_sessions))
    }

    fn page(&self, n: usize) -> String {
        let page = &self.pages[n];
        let mut random = Random(0x5eed ^ n as u64);
        let mut out = String::from("---\n");
        let mut field = |key: &str, value: &str| out.push_str(&format!("{key}: {value}\n"));
        field("type", FOLDERS[n % FOLDERS.len()].1);
        field("title", &page.title);
        field("tldr", &self.sentence(&mut random, page));
        field("answers_when", &format!("[{}]", page.triggers.join(", ")));
        field("similar_high", &self.relations(&mut random, n, 3));
        field("similar_mid", &self.relations(&mut random, n, 5));
        field("confidence", "high");
        field("validated", "2026-04");
        field("created", "2026-02-15");
        field("updated", "2026-04-26");
        // No source, so no compiler may own it.
        field("owner", "human");
        let _ = write!(out, "---\n# {}\n", page.title);
        while out.len() < BODY_BYTES + 500 {
            self.section(&mut out, &mut random, page);
        }
        out
    }

    fn section(&self, out: &mut String, random: &mut Random, page: &Page) {
        let _ = write!(out, "\n## {} {}\n\n", capital(self.words.common(random)), self.words.common(random));
        for _ in 0..3 {
            let _ = write!(out, "{} ", self.sentence(random, page));
        }
        let other = &self.pages[random.below(self.pages.len())];
        let _ = write!(out, "See [[{}]].\n\n", other.slug);
        for _ in 0..3 {
            let _ = writeln!(out, "- {}", self.sentence(random, page));
        }
    }

    fn sentence(&self, random: &mut Random, page: &Page) -> String {
        let mut words = vec![capital(self.words.common(random))];
        words.extend((0..8 + random.below(6)).map(|_| self.words.common(random).to_owned()));
        let at = 1 + random.below(words.len() - 1);
        words.insert(at, page.triggers[random.below(page.triggers.len())].clone());
        words.join(" ") + "."
    }

    /// Different pages, never the page itself.
    fn relations(&self, random: &mut Random, n: usize, n_wanted: usize) -> String {
        let mut chosen: Vec<usize> = Vec::new();
        for _ in 0..4 * n_wanted {
            let other = random.below(self.pages.len());
            if other != n && !chosen.contains(&other) && chosen.len() < n_wanted {
                chosen.push(other);
            }
        }
        let shown: Vec<String> = chosen.iter().map(|other| format!("{}:2026-04", self.pages[*other].slug)).collect();
        format!("[{}]", shown.join(", "))
    }

    /// A day of the journal in the form that capture writes.
    fn day(&self, date: &str, seed: u64, n_sessions: usize) -> String {
        let mut random = Random(0xda7 ^ seed);
        let mut out = format!("# Daily Log: {date}\n\n## Sessions\n");
        for n in 0..n_sessions {
            let page = &self.pages[random.below(self.pages.len())];
            let other = &self.pages[random.below(self.pages.len())];
            let (subject, neighbour) = (page.triggers[..2].join(" "), other.triggers[..2].join(" "));
            let _ = write!(out, "\n### Session ({:02}:{:02}) - {} moves\n", 8 + n, 5 * n, capital(&subject));
            let _ = writeln!(out, "<!-- kenning: session=bench-{seed}-{n} agent=bench project=bench trust=user -->\n");
            let _ = writeln!(
                out,
                "**Context:** {} The {subject} depends on {neighbour}.\n",
                self.sentence(&mut random, page)
            );
            out.push_str("**Key Exchanges:**\n");
            for _ in 0..3 {
                let _ = writeln!(out, "- {}", self.sentence(&mut random, page));
            }
            let limit = 10 + random.below(90);
            let _ = writeln!(
                out,
                "\n**Decisions Made:**\n- We decided that {subject} keeps {limit} entries for {neighbour}.\n"
            );
            let _ = writeln!(out, "**Lessons Learned:**\n- {}\n", self.sentence(&mut random, other));
            let _ = writeln!(out, "**Action Items:**\n- [ ] Measure {subject} again after {limit} runs.");
        }
        out
    }
}

/// Returns the word with a capital.
pub(super) fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_words_are_equal() {
        assert_eq!((0..N_WORDS).map(word).collect::<BTreeSet<_>>().len(), N_WORDS);
    }

    #[test]
    fn one_size_gives_the_same_bytes_every_time() {
        let (a, b) = (Vault::new(50), Vault::new(50));
        assert_eq!(a.page(7), b.page(7));
        assert_eq!(a.day("2026-04-01", 1, 3), b.day("2026-04-01", 1, 3));
        assert_ne!(a.page(7), a.page(8));
    }

    #[test]
    fn pages_keep_the_caps_of_the_format() {
        let vault = Vault::new(50);
        for n in 0..vault.n_pages() {
            let (page, text) = (&vault.pages[n], vault.page(n));
            let count = |key: &str| {
                let line = text.lines().find(|line| line.starts_with(key)).expect("every page has the field");
                line.split(", ").count()
            };
            assert!((5..=10).contains(&page.triggers.len()));
            assert_eq!((count("similar_high"), count("similar_mid")), (3, 5));
            assert!((2_500..4_500).contains(&text.len()), "{}", text.len());
            assert!(text.contains("\nowner: human\n") && !text.contains("sources:"));
        }
    }

    #[test]
    fn triggers_are_specific_and_common_words_are_not() {
        let vault = Vault::new(1_000);
        let n_with =
            |word: &str| vault.pages.iter().filter(|page| page.triggers.iter().any(|trigger| trigger == word)).count();
        assert!(n_with(&vault.pages[0].triggers[0]) <= 5);
        assert!(vault.page(3).contains(&vault.words.words[0]));
    }
}
