//! The names of the fields.

/// The fields Kenning understands; every other key is kept and left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldName {
    /// Category of the page (`type`, `category`).
    Category,
    /// Display name (`title`, `name`, `CONCEPT`).
    Title,
    /// Other names that resolve to the page.
    Aliases,
    /// One sentence meant to answer without opening the page (`tldr`, `description`, `summary`).
    Tldr,
    /// Words that make routing consider the page (`answers_when`).
    Triggers,
    /// Pages needed to understand this one, at most 3.
    High,
    /// Pages often useful together with this one, at most 5.
    Mid,
    /// Pages on which something stands that cannot be true beside what stands here.
    Contradicts,
    /// How well the sources agree.
    Confidence,
    /// Month the relations were last confirmed.
    Validated,
    /// Date of the oldest source.
    Created,
    /// Date of the newest source.
    Updated,
    /// Who owns the body: `kenning` or `human`.
    Owner,
    /// What the page was made from.
    Sources,
    /// Where the subject of a redirect now lives.
    RedirectTo,
    /// Digest of the body as the compiler wrote it, by which an edit by hand is seen.
    BodyDigest,
    /// The day that a filed answer was given on, once what it rests on changed.
    StaleSince,
    /// Whether what the page says holds: `active`, `superseded`, `stale`, `retired`.
    Status,
    /// What took the place of the page.
    SupersededBy,
    /// Why nobody is to rely on the page.
    StaleReason,
    /// How often what the page says was found, the first time included.
    Corroborations,
    /// Pages that have to do with this one, of no tier.
    Related,
    /// What of earlier sources the page says no longer holds.
    Supersedes,
    /// What of the page its sources bear out, and what not.
    Grounding,
}
