//! What a rule is.

/// What one kind of secret looks like.
pub(super) struct Rule {
    /// The name that stands in its place.
    pub(super) kind: &'static str,
    /// Text without which the pattern cannot match: as written for a token, in any case for a place.
    pub(super) hints: &'static [&'static str],
    /// What to find.
    pub(super) place: Place,
    /// Words, in lower case, that make it innocent when they stand in the match before the secret.
    pub(super) unless: &'static [&'static str],
    /// Whether what was found is one.
    pub(super) is_secret: fn(&str) -> bool,
}

/// What gives a secret away.
pub(super) enum Place {
    /// Its own shape, wherever it stands: all of the pattern is the secret.
    Anywhere(&'static str),
    /// What stands around it: the group `secret` of the pattern, or all of it.
    After(&'static str),
    /// The same, where a `=` or a `:` is part of it.
    Assigned(&'static str),
}

/// What may stand right before a token: the edge of a word, an escaped line end, a terminal's colour.
const EDGE: &str = r"(?:\b|\\[nrt]|\b[0-9;]{1,8}m)";

impl Rule {
    /// Returns the pattern that is searched for.
    pub(super) fn pattern(&self) -> String {
        match self.place {
            Place::Anywhere(shape) => format!("{EDGE}(?P<secret>{shape})"),
            Place::After(pattern) | Place::Assigned(pattern) => pattern.to_owned(),
        }
    }

    /// Returns whether its hints count only as they are written.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.place, Place::Anywhere(_))
    }

    /// Returns whether it needs a sign between a name and a value, which most sentences do not have.
    pub(super) fn needs_sign(&self) -> bool {
        matches!(self.place, Place::Assigned(_))
    }

    /// Returns the rule with words that make it innocent.
    pub(super) const fn unless(self, unless: &'static [&'static str]) -> Rule {
        Rule { unless, ..self }
    }
}

/// A rule for something that is told by its shape.
pub(super) const fn token(
    kind: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
    is_secret: fn(&str) -> bool,
) -> Rule {
    Rule { kind, hints, place: Place::Anywhere(shape), unless: &[], is_secret }
}

/// A rule for something that is told by what stands around it.
pub(super) const fn place(
    kind: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
    is_secret: fn(&str) -> bool,
) -> Rule {
    Rule { kind, hints, place: Place::After(pattern), unless: &[], is_secret }
}

/// A rule for a name and a value with a sign between them.
pub(super) const fn assigned(
    kind: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
    is_secret: fn(&str) -> bool,
) -> Rule {
    Rule { kind, hints, place: Place::Assigned(pattern), unless: &[], is_secret }
}
