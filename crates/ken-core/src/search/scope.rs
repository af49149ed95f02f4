//! What a search is narrowed to, before anything is ranked.

use crate::page::Category;
use crate::time::{Date, Month};
use crate::words::folded_words;

/// What a scope asks of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scoped<'a> {
    /// The file it stands in.
    pub path: &'a str,
    /// What it is called.
    pub title: &'a str,
    /// A page's category.
    pub category: Option<Category>,
    /// Its day.
    pub date: Option<Date>,
    /// The project it belongs to; empty when not known, here and below.
    pub project: &'a str,
    /// The session it came from.
    pub session: &'a str,
    /// The agent that took part.
    pub agent: &'a str,
}

/// Limits on which documents count. Empty, it lets everything through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The project, whatever its case.
    pub project: Option<String>,
    /// The session: its id, or how that begins.
    pub session: Option<String>,
    /// The agent, whatever its case.
    pub agent: Option<String>,
    /// The category of pages; evidence has none and is left out.
    pub category: Option<Category>,
    /// What the path must contain.
    pub path: Option<String>,
    /// What the title must contain, whatever its case.
    pub title: Option<String>,
    /// Who says it: a part of a speaker's name in a chat, whatever its case.
    pub speaker: Option<String>,
    /// The first day.
    pub from: Option<Date>,
    /// The last day.
    pub to: Option<Date>,
    /// Filters that do not read, as `field:value`: nothing matches them, and the answer says so.
    pub unread: Vec<String>,
}

impl Scope {
    /// The fields that a question can be narrowed by, with what each takes.
    pub const FIELDS: &[(&str, &str)] = &[
        ("project", "the name of a project"),
        ("session", "the id of a session, or how it begins"),
        ("agent", "the name of an agent, such as claude-code"),
        ("category", "a category of pages, such as concept"),
        ("speaker", "who says it in a chat: a name or words of one"),
        ("by", "the same"),
        ("path", "a part of a file's path"),
        ("title", "a part of a title"),
        ("date", "a day, a month or two days: 2026-04-01, 2026-04, 2026-04-01..2026-04-08"),
        ("after", "the first day"),
        ("before", "the day behind the last one"),
    ];

    /// Narrows the scope by a field; a value that does not read is kept in `unread`.
    pub fn narrow(&mut self, field: &str, value: &str) {
        let set = |place: &mut Option<String>| {
            *place = Some(value.to_owned());
            true
        };
        let is_read = match field {
            "project" => set(&mut self.project),
            "session" => set(&mut self.session),
            "agent" => set(&mut self.agent),
            "speaker" | "by" => set(&mut self.speaker),
            "path" => set(&mut self.path),
            "title" => set(&mut self.title),
            "category" => {
                self.category = Category::parse(value);
                self.category.is_some()
            }
            "after" => self.narrow_days(day(value), None),
            "before" => self.narrow_days(None, day(value).and_then(|day| day.yesterday().ok())),
            "date" => {
                let (from, to) = value.split_once("..").unwrap_or((value, value));
                let (from, to) = (days(from).map(|days| days.0), days(to).map(|days| days.1));
                from.is_some() && to.is_some() && self.narrow_days(from, to)
            }
            _ => false,
        };
        if !is_read {
            self.unread.push(format!("{field}:{value}"));
        }
    }

    /// Narrows the scope by another one; what both name, the other says.
    pub fn add(&mut self, other: &Scope) {
        let set = |place: &mut Option<String>, value: &Option<String>| {
            if value.is_some() {
                place.clone_from(value);
            }
        };
        set(&mut self.project, &other.project);
        set(&mut self.session, &other.session);
        set(&mut self.agent, &other.agent);
        set(&mut self.speaker, &other.speaker);
        set(&mut self.path, &other.path);
        set(&mut self.title, &other.title);
        self.category = other.category.or(self.category);
        self.narrow_days(other.from, other.to);
        self.unread.extend(other.unread.iter().cloned());
    }

    /// Narrows the days; returns whether any was given.
    pub fn narrow_days(&mut self, from: Option<Date>, to: Option<Date>) -> bool {
        self.from = self.from.max(from);
        self.to = match (self.to, to) {
            (Some(known), Some(new)) => Some(known.min(new)),
            (known, new) => known.or(new),
        };
        from.is_some() || to.is_some()
    }

    /// Returns whether every document is in scope.
    pub fn is_open(&self) -> bool {
        *self == Scope::default()
    }

    /// Returns whether a document is in scope.
    pub fn has(&self, facts: &Scoped<'_>) -> bool {
        let same = |wanted: &Option<String>, found: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(found))
        };
        let holds = |wanted: &Option<String>, found: &str| {
            wanted.as_ref().is_none_or(|wanted| found.to_lowercase().contains(&wanted.to_lowercase()))
        };
        self.unread.is_empty()
            && same(&self.project, facts.project)
            && same(&self.agent, facts.agent)
            && self.session.as_ref().is_none_or(|wanted| facts.session.starts_with(wanted))
            && self.category.is_none_or(|wanted| facts.category == Some(wanted))
            && holds(&self.path, facts.path)
            && holds(&self.title, facts.title)
            && self.has_day(facts.date)
    }

    /// Returns whether somebody's words are in scope: one that is named by all the words of their name, or by some.
    pub fn has_speaker(&self, speaker: &str) -> bool {
        let said = folded_words(speaker);
        self.speaker.as_ref().is_none_or(|wanted| {
            let wanted = folded_words(wanted);
            !wanted.is_empty() && wanted.iter().all(|word| said.contains(word))
        })
    }

    /// Returns whether a day is in scope; a document without one is not, if days were asked for.
    pub fn has_day(&self, date: Option<Date>) -> bool {
        let within = |date: Date| self.from.is_none_or(|from| from <= date) && self.to.is_none_or(|to| date <= to);
        date.map_or(self.from.is_none() && self.to.is_none(), within)
    }
}

fn day(text: &str) -> Option<Date> {
    days(text).map(|days| days.0)
}

/// First and last day of a day or month.
fn days(text: &str) -> Option<(Date, Date)> {
    if let Ok(day) = text.parse::<Date>() {
        return Some((day, day));
    }
    let month = Month::parse(text).filter(|_| text.len() == 7)?;
    let first = Date::new(month.year, month.month, 1).ok()?;
    Some((first, first.last_of_month()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months_narrow_both_ends() {
        let mut scope = Scope::default();
        scope.narrow("date", "2026-04");
        scope.narrow("after", "2026-04-10");
        let date = |text: &str| text.parse::<Date>().ok();
        assert_eq!((scope.from, scope.to), (date("2026-04-10"), date("2026-04-30")));
        assert!(scope.has_day(date("2026-04-11")) && !scope.has_day(date("2026-05-01")) && !scope.has_day(None));
    }

    #[test]
    fn a_speaker_is_named_by_words_of_the_name() {
        let by = |wanted: &str, speaker: &str| {
            let mut scope = Scope::default();
            scope.narrow("by", wanted);
            scope.has_speaker(speaker)
        };
        assert!(by("ada", "Ada") && by("lovelace", "Ada Lovelace") && by("Ada Lovelace", "ada lovelace"));
        assert!(!by("ada", "Adam") && !by("ada", "") && !by("Ada Smith", "Ada") && !by("?", "Ada"));
    }

    #[test]
    fn what_does_not_read_matches_nothing_and_is_kept() {
        let mut scope = Scope::default();
        scope.narrow("date", "soon");
        assert_eq!(scope.unread, ["date:soon"]);
    }
}
