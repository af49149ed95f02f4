//! Exit codes: one table, from which the help is made too.

use ken_engine::FailureKind;

/// Exit code of a bug.
pub(crate) const BUG: u8 = 70;
/// Exit code of a command that could not start.
pub(crate) const USAGE: u8 = 2;

/// Every code and what it promises.
pub(crate) const TABLE: [(u8, &str); 7] = [
    (0, "done"),
    (1, "done, and the answer is \"no\": lint errors, secrets, failed tests, nothing routed, above budget"),
    (USAGE, "could not start: arguments, configuration, no vault"),
    (3, "not done, nothing was changed; the same may succeed later"),
    (4, "not done; the same will fail again"),
    (5, "recorded, will be completed by the next command; do not give it again"),
    (BUG, "a bug in ken"),
];

/// What a command that was done answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done.
    Yes,
    /// Done, and the answer is "no".
    No,
}

impl Answer {
    /// Returns the answer "no" if `is_no`.
    pub(crate) fn no_if(is_no: bool) -> Answer {
        if is_no { Answer::No } else { Answer::Yes }
    }

    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Answer::Yes => 0,
            Answer::No => 1,
        }
    }
}

/// Returns the exit code of a failure.
pub(crate) fn code_of(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::Usage => USAGE,
        FailureKind::Retry => 3,
        FailureKind::Refused => 4,
        FailureKind::Recorded => 5,
        FailureKind::Bug => BUG,
    }
}

/// Returns the word that stands for a kind of failure in JSON.
pub(crate) fn kind_name(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Usage => "usage",
        FailureKind::Retry => "retry",
        FailureKind::Refused => "refused",
        FailureKind::Recorded => "recorded",
        FailureKind::Bug => "bug",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_end_has_its_code_in_the_table() {
        use FailureKind::{Bug, Recorded, Refused, Retry, Usage};
        let kinds = [Usage, Retry, Refused, Recorded, Bug];
        let codes: Vec<u8> = kinds.into_iter().map(code_of).collect();
        assert_eq!(codes, [2, 3, 4, 5, 70]);
        assert_eq!([Answer::Yes.code(), Answer::no_if(true).code()], [0, 1]);
        let listed: Vec<u8> = TABLE.iter().map(|(code, _)| *code).collect();
        assert_eq!(listed, [0, 1, 2, 3, 4, 5, 70]);
    }
}
