//! What sort of thing a page is about.

/// What sort of thing a page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// An idea, rule, technique or part of a system.
    Concept,
    /// A person, team, product, system or organisation.
    Entity,
    /// Ongoing work with its decisions.
    Project,
    /// A file, document, address or other thing to look up.
    Reference,
    /// A pattern across many days.
    Theme,
    /// What links two or more pages.
    Connection,
    /// A question and its filed answer.
    Question,
    /// The superseded claims of a page in order.
    Trajectory,
    /// What happened in a week, a month or a year.
    Rollup,
}
