//! When a consolidation is due.

use jiff::SignedDuration;

use crate::time::Timestamp;

/// How often the wiki is consolidated by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Hours since the last time, at least.
    pub hours: usize,
    /// Sessions that were captured since then, at least; 0 is never.
    pub sessions: usize,
}

/// Default: once a day, and only when there is something to go by.
pub const PACE: Pace = Pace { hours: 24, sessions: 5 };

/// Whether it is time, and by what that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// How often it is wanted.
    pub pace: Pace,
    /// When it was last done; none where it never was.
    pub last: Option<Timestamp>,
    /// Sessions that were captured since then.
    pub n_sessions: usize,
    /// Whether it is time.
    pub is_due: bool,
    /// Whole hours since the last time.
    hours: usize,
}

impl Due {
    /// Returns whether a consolidation is due. A clock that went back makes none due.
    pub fn of(pace: Pace, (last, n_sessions): (Option<Timestamp>, usize), now: Timestamp) -> Due {
        let since = last.map_or(SignedDuration::MAX, |last| now.duration_since(last));
        let hours = usize::try_from(since.as_hours()).unwrap_or(0);
        let is_due = pace.sessions > 0 && n_sessions >= pace.sessions && hours >= pace.hours;
        Due { pace, last, n_sessions, is_due, hours }
    }

    /// Returns by what it is told, in words.
    pub fn why(&self) -> String {
        let Pace { hours, sessions } = self.pace;
        if sessions == 0 {
            return "never by itself: `consolidate_after_sessions` is 0".to_owned();
        }
        let session = |n: usize| if n == 1 { "session" } else { "sessions" };
        let n = self.n_sessions;
        let heard = match n >= sessions {
            true => format!("{n} new {}", session(n)),
            false => format!("{n} of {sessions} new {}", session(sessions)),
        };
        match self.last {
            None => format!("{heard}, never done before"),
            Some(_) if self.hours >= hours => format!("{heard}, {} h since the last time", self.hours),
            Some(_) => format!("{heard}, {} of {hours} h since the last time", self.hours),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(last: Option<&str>, n_sessions: usize, expected: (bool, &str)) {
        let at = |text: &str| text.parse::<Timestamp>().expect("a time");
        let due = Due::of(PACE, (last.map(at), n_sessions), at("2026-04-02T09:00:00Z"));
        assert_eq!((due.is_due, due.why().as_str()), expected);
    }

    #[test]
    fn it_is_due_when_both_time_and_sessions_have_gone_by() {
        check(None, 4, (false, "4 of 5 new sessions, never done before"));
        check(None, 5, (true, "5 new sessions, never done before"));
        check(Some("2026-04-01T09:00:00Z"), 5, (true, "5 new sessions, 24 h since the last time"));
        check(Some("2026-04-01T09:00:01Z"), 9, (false, "9 new sessions, 23 of 24 h since the last time"));
        check(Some("2026-03-01T09:00:00Z"), 1, (false, "1 of 5 new sessions, 768 h since the last time"));
        check(Some("2026-05-01T09:00:00Z"), 9, (false, "9 new sessions, 0 of 24 h since the last time"));
    }

    #[test]
    fn no_sessions_wanted_is_never() {
        let pace = Pace { hours: 0, sessions: 0 };
        assert!(!Due::of(pace, (None, 99), "2026-04-02T09:00:00Z".parse().expect("a time")).is_due);
    }
}
