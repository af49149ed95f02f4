//! Where an entry came from, as one comment line that people can ignore and tools can read.
//!
//! Values are percent-encoded where they would break the line, so that any value survives.

use std::fmt::Write as _;

/// What a provenance comment starts with.
pub(super) const OPENING: &str = "<!-- kenning:";

const CLOSING: &str = "-->";

/// Where an entry came from; what is not known is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The agent's id of the session.
    pub session: Option<String>,
    /// The agent that wrote the transcript (`claude-code`).
    pub agent: Option<String>,
    /// The project, usually the last part of its folder.
    pub project: Option<String>,
    /// Who vouches for the text (`agent`, `human`).
    pub trust: Option<String>,
    /// The bytes of the transcript that the entry covers, the end not included.
    pub range: Option<(u64, u64)>,
    /// Where the words stand that the entry was made from: a file of the folder of talk, with its lines.
    pub talk: Option<String>,
    /// An id for the entry itself.
    pub id: Option<String>,
    /// The model that wrote the entry from that part of the transcript; nothing where it was extracted.
    pub distilled: Option<String>,
    /// Of a part of a talk whose words are not kept: the local time up to which it was said there.
    pub until: Option<String>,
    /// Whether the entry says no more than that nothing there is worth keeping.
    pub keeps_nothing: bool,
    /// Whether the entry says so little of that part that what was extracted from it stands beside it.
    pub keeps_little: bool,
}

impl Provenance {
    /// Returns what stands in every comment that names this session; empty without a session.
    pub fn needle(&self) -> String {
        self.session.as_deref().map_or_else(String::new, |session| format!("session={}", encode(session)))
    }

    /// Returns whether both came from the same part of the same session; never where that is not known.
    pub fn is_of_same_part(&self, other: &Provenance) -> bool {
        self.part().is_some() && self.part() == other.part()
    }

    /// Returns the part of a session that it came from, where that is known.
    pub fn part(&self) -> Option<(&str, (u64, u64))> {
        Some((self.session.as_deref()?, self.range?))
    }

    /// Returns the comment, or `None` when nothing is known.
    pub(crate) fn render(&self) -> Option<String> {
        let mut out = OPENING.to_owned();
        let fields = [
            ("session", &self.session),
            ("agent", &self.agent),
            ("project", &self.project),
            ("trust", &self.trust),
            ("id", &self.id),
            ("distilled", &self.distilled),
        ];
        for (key, value) in fields {
            if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
                let _ = write!(out, " {key}={}", encode(value));
            }
        }
        if let Some((start, end)) = self.range {
            let _ = write!(out, " range={start}-{end}");
        }
        if let Some(talk) = self.talk.as_deref().filter(|talk| !talk.is_empty()) {
            let _ = write!(out, " talk={}", encode(talk));
        }
        if let Some(until) = self.until.as_deref() {
            let _ = write!(out, " until={}", encode(until));
        }
        if self.keeps_nothing {
            out.push_str(" keeps=nothing");
        } else if self.keeps_little {
            out.push_str(" keeps=little");
        }
        if out.len() == OPENING.len() {
            return None;
        }
        let _ = write!(out, " {CLOSING}");
        Some(out)
    }

    /// Returns what a comment line says, or `None` when the line is no such comment.
    pub(crate) fn parse(line: &str) -> Option<Provenance> {
        let inside = line.trim().strip_prefix(OPENING)?.strip_suffix(CLOSING)?;
        if inside.contains(CLOSING) {
            return None;
        }
        let mut found = Provenance::default();
        for (key, value) in inside.split_whitespace().filter_map(|field| field.split_once('=')) {
            let text = Some(decode(value)).filter(|text| !text.is_empty());
            match key {
                "session" => found.session = text,
                "agent" => found.agent = text,
                "project" => found.project = text,
                "trust" => found.trust = text,
                "id" => found.id = text,
                "talk" => found.talk = text,
                "distilled" => found.distilled = text,
                "until" => found.until = text,
                "keeps" => {
                    found.keeps_nothing = value == "nothing";
                    found.keeps_little = value == "little";
                }
                "range" => found.range = parse_range(value),
                // A later version may say more; what we do not know is not ours to judge.
                _ => {}
            }
        }
        Some(found)
    }
}

/// Returns every provenance comment of a text, without reading anything else of it.
pub fn provenances(text: &str) -> impl Iterator<Item = Provenance> {
    let starts = memchr::memmem::find_iter(text.as_bytes(), OPENING).collect::<Vec<usize>>().into_iter();
    let line = |start: usize| text[start..].lines().next().unwrap_or("");
    starts.filter_map(move |start| Provenance::parse(line(start)))
}

fn parse_range(value: &str) -> Option<(u64, u64)> {
    let (start, end) = value.split_once('-')?;
    let range = (start.parse().ok()?, end.parse().ok()?);
    (range.0 <= range.1).then_some(range)
}

fn encode(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for ch in value.chars() {
        if ch.is_whitespace() || super::sanitize::is_hidden(ch) || matches!(ch, '%' | '<' | '>') {
            let mut bytes = [0; 4];
            for byte in ch.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(ch);
        }
    }
    out
}

fn decode(value: &str) -> String {
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let coded = hex.filter(|_| *byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(coded.unwrap_or(*byte));
        rest = if coded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&out).into_owned()
}
