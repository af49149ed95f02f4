//! The lines of an entry while it is made.

use ken_core::journal::CHANGED;

use super::Changes;
use super::same::Words;
use super::sentence::cut;

/// Longest line, in characters.
pub(super) const BULLET_CHARS_MAX: usize = 620;

/// How many lines of a section are compared with a new one. Only neighbours repeat each other, and a session of
/// any length takes work in proportion to it.
const COMPARED_MAX: usize = 60;

/// How many of the files that were changed stand among what was said; all of them stand among the events.
const CHANGED_MAX: usize = 4;

/// A line of an entry.
pub(super) struct Bullet {
    pub(super) text: String,
    pub(super) score: i32,
    /// What it says, if another line may say the same in other words.
    pub(super) words: Option<Words>,
    /// Which request of the person it answers: so many were made before. None of what they said themselves.
    pub(super) answers: Option<usize>,
    /// In which turn it was said.
    pub(super) turn: usize,
}

/// What was said, with the files that were changed last between what was said before and since.
pub(super) fn told(exchanges: Vec<Bullet>, changes: &Changes) -> Vec<String> {
    let (before, since): (Vec<Bullet>, Vec<Bullet>) =
        exchanges.into_iter().partition(|bullet| bullet.turn < changes.n_said);
    let shown: Vec<String> = changes.files.iter().take(CHANGED_MAX).map(|file| format!("`{file}`")).collect();
    let more = match changes.files.len().saturating_sub(CHANGED_MAX) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    // What only people said holds whatever is changed.
    let is_told = before.iter().any(|bullet| bullet.answers.is_some()) && !shown.is_empty();
    let changed = is_told.then(|| format!("{CHANGED} {}{more}", shown.join(", ")));
    texts(before).into_iter().chain(changed).chain(texts(since)).collect()
}

pub(super) fn texts(bullets: Vec<Bullet>) -> Vec<String> {
    bullets.into_iter().map(|bullet| bullet.text).collect()
}

/// Adds a line, in place of one before it that says the same and no better.
pub(super) fn add(section: &mut Vec<Bullet>, bullet: Bullet) {
    let is_same = |other: &Bullet| match (&other.words, &bullet.words) {
        (Some(other), Some(words)) => other.says_the_same(words),
        _ => false,
    };
    let first = section.len().saturating_sub(COMPARED_MAX);
    match section[first..].iter().position(is_same) {
        Some(at) if is_better(&section[first + at], &bullet) => {}
        Some(at) => section[first + at] = bullet,
        None => section.push(bullet),
    }
}

/// Whether a line stands, and not a later one that says the same: what says why does, whoever said it better.
fn is_better(known: &Bullet, new: &Bullet) -> bool {
    let explains = |one: &Bullet, other: &Bullet| {
        one.words.as_ref().zip(other.words.as_ref()).is_some_and(|(one, other)| one.explains(other))
    };
    explains(known, new) || known.score > new.score && !explains(new, known)
}

/// A line that repeats a person's words.
pub(super) fn repeated(label: &str, said: &str) -> Bullet {
    Bullet { text: format!("{label} {said}"), score: 10, words: None, answers: None, turn: 0 }
}

pub(super) fn bullet(text: &str, score: i32) -> Bullet {
    Bullet { text: cut(text, BULLET_CHARS_MAX), score, words: Some(Words::of(text)), answers: None, turn: 0 }
}
