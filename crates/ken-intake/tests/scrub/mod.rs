//! The corpus the scrubber is measured on: planted secrets in realistic places, and innocent look-alikes.
//!
//! It was written before the rules were tuned and is not written to fit them: every provider whose keys we
//! could find a description of is in it, in places that transcripts really have. What the scrubber misses
//! stays in and is reported.

pub(crate) mod disguised;
pub(crate) mod innocents;
pub(crate) mod newer;
pub(crate) mod noise;
pub(crate) mod placed;
pub(crate) mod providers;
pub(crate) mod spoken;

use std::borrow::Cow;
use std::collections::BTreeMap;

use noise::Noise;

/// The seed of everything; another one must give nearly the same figures.
pub(crate) const SEED: u64 = 20_260_601;
/// Seeds that are only measured with: what is missed there is not looked at.
pub(crate) const HELD_OUT: &[u64] = &[41, 42, 43, 44];
/// Samples of a kind of secret: as many as it has places, at least so many.
const SAMPLES_MIN: usize = 6;
/// Lines of a kind of innocent text.
const INNOCENT_LINES: usize = 240;

/// A kind of secret.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) shapes: &'static [&'static str],
    pub(crate) places: &'static [&'static str],
    /// Whether it must be found wherever it stands.
    pub(crate) is_shaped: bool,
}

impl Kind {
    /// Has a shape of its own, and is only a secret in its places.
    pub(crate) const fn placed(self) -> Kind {
        Kind { is_shaped: false, ..self }
    }
}

/// A text with one secret in it.
pub(crate) struct Planted {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) secret: String,
}

/// Places for a secret that has a shape of its own.
const ANYWHERE: &[&str] = &[
    "the key is «S», rotate it later",
    "«S»",
    "- \"«S»\"",
    "curl -H \"X-Thing: «S»\" https://api.example.com/v1",
    "{\\\"text\\\": \\\"see «S»\\\\nnext line\\\"}",
    "«date»T«time»Z INFO «word»: loaded «S» from disk",
    "| prod | `«S»` | mia |",
    "+  value: «S»",
    "(«S»)",
    "{\"output\":\"A=1\\nB=\\n«S»\\nC=2\"}",
    "const k = '«S»';",
    "https://example.com/hook?t=«S»&x=1",
    "Some(\"«S»\".to_owned()),",
    "what does «S» do? It is «Word»'s.",
    "<value>«S»</value>",
    "\u{1b}[32m«S»\u{1b}[0m",
];

/// Every kind of secret.
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    providers::PROVIDERS.iter().chain(placed::PLACED).chain(newer::NEWER).chain(spoken::SPOKEN)
}

/// Every planted secret, as it is.
pub(crate) fn planted(seed: u64) -> Vec<Planted> {
    let mut noise = Noise::new(seed);
    let mut out = Vec::new();
    for (nth, kind) in kinds().enumerate() {
        let mut places: Vec<&str> = kind.places.to_vec();
        if kind.is_shaped {
            places.extend((0..5).map(|n| ANYWHERE[(nth * 5 + n) % ANYWHERE.len()]));
        }
        for n in 0..places.len().max(SAMPLES_MIN) {
            let secret = noise.fill(kind.shapes[n % kind.shapes.len()]);
            let (before, after) = places[n % places.len()]
                .split_once("«S»")
                .unwrap_or_else(|| panic!("no place for «S» in {}", places[n % places.len()]));
            let (before, after) = (fill(&mut noise, before), fill(&mut noise, after));
            out.push(Planted { kind: kind.name, text: format!("{before}{secret}{after}"), secret });
        }
    }
    out
}

/// Expands a place; `«B:…»` only keeps the words of a key block apart in this file.
fn fill(noise: &mut Noise, place: &str) -> String {
    let mut place = place.to_owned();
    while let Some(at) = place.find("«B:") {
        let end = at + place[at..].find('»').expect("closed");
        let words = place[at + "«B:".len()..end].to_owned();
        place.replace_range(at..end + "»".len(), &words);
    }
    noise.fill(&place)
}

/// Every innocent line with its kind, no line twice unless it has nothing random in it.
pub(crate) fn innocent_lines(seed: u64) -> Vec<(&'static str, String)> {
    let mut noise = Noise::new(seed + 1);
    let mut out: Vec<(&'static str, String)> = Vec::new();
    for kind in innocents::INNOCENTS {
        // A line without noise would be the same each time; once is enough.
        let (fixed, random): (Vec<&str>, Vec<&str>) = kind.lines.iter().partition(|line| !line.contains('«'));
        out.extend(fixed.iter().map(|line| (kind.name, (*line).to_owned())));
        for n in 0..INNOCENT_LINES.saturating_sub(fixed.len()) {
            if let Some(line) = random.get(n % random.len().max(1)) {
                out.push((kind.name, noise.fill(line)));
            }
        }
    }
    out
}

/// Parts of the secret that are still readable: any twelve characters of it, or all of a short one.
pub(crate) fn leaks(secret: &str, scrubbed: &str) -> bool {
    let scrubbed = without_marks(scrubbed);
    telling_parts(secret).iter().any(|part| scrubbed.contains(part))
}

/// The parts of a secret of which none may be readable: any twelve characters of it, or all of a short one.
pub(crate) fn telling_parts(secret: &str) -> Vec<String> {
    let chars: Vec<char> = secret.chars().collect();
    if chars.len() < 12 {
        return vec![secret.to_owned()];
    }
    let windows = chars.windows(12).map(|window| window.iter().collect::<String>());
    // Lines of a block are secrets each; a window across two of them is not looked for.
    windows.filter(|part| !part.contains(['\n', '\\', ' '])).collect()
}

/// The marks name kinds, and a kind may be a word that stands in a weak password.
pub(crate) fn without_marks(scrubbed: &str) -> String {
    let mut parts = scrubbed.split("[redacted:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once(']').map_or("", |(_, rest)| rest))
}

/// What one run over the corpus found.
#[derive(Default)]
pub(crate) struct Figures {
    /// By kind of secret: planted, found.
    pub(crate) kinds: BTreeMap<&'static str, (usize, usize)>,
    pub(crate) missed: Vec<Planted>,
    pub(crate) n_innocent: usize,
    /// Kind, line, and what became of it.
    pub(crate) false_alarms: Vec<(&'static str, String, String)>,
}

impl Figures {
    pub(crate) fn n_planted(&self) -> usize {
        self.kinds.values().map(|(planted, _)| planted).sum()
    }

    pub(crate) fn n_found(&self) -> usize {
        self.n_planted() - self.missed.len()
    }

    pub(crate) fn recall(&self) -> f64 {
        self.n_found() as f64 / self.n_planted() as f64
    }

    pub(crate) fn precision(&self) -> f64 {
        self.n_found() as f64 / (self.n_found() + self.false_alarms.len()) as f64
    }

    pub(crate) fn false_alarm_rate(&self) -> f64 {
        self.false_alarms.len() as f64 / self.n_innocent as f64
    }
}

/// Runs the scrubber over the corpus.
pub(crate) fn measure(seed: u64, scrub: impl Fn(&str) -> (Cow<'_, str>, usize)) -> Figures {
    measure_planted(seed, planted(seed).into_iter().chain(disguised::disguised(seed)), scrub)
}

/// Runs the scrubber over these secrets and the innocent lines of a seed.
pub(crate) fn measure_planted(
    seed: u64,
    planted: impl Iterator<Item = Planted>,
    scrub: impl Fn(&str) -> (Cow<'_, str>, usize),
) -> Figures {
    let mut figures = Figures::default();
    for sample in planted {
        let (planted, found) = figures.kinds.entry(sample.kind).or_default();
        *planted += 1;
        let stored = scrub(&sample.text).0;
        if leaks(&sample.secret, &stored) || leaks(&sample.secret, &disguised::plain(&without_marks(&stored))) {
            figures.missed.push(sample);
        } else {
            *found += 1;
        }
    }
    for (kind, line) in innocent_lines(seed) {
        figures.n_innocent += 1;
        let (scrubbed, n_found) = scrub(&line);
        if n_found > 0 {
            figures.false_alarms.push((kind, line.clone(), scrubbed.into_owned()));
        }
    }
    figures
}
