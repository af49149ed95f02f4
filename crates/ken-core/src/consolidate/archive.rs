//! Which compiled pages are put away: what nobody spoke of, linked or asked for in a long time.

use jiff::SignedDuration;

use crate::slug::Slug;
use crate::time::Date;

/// Default of the days after which a page may be put away.
pub const ARCHIVE_DAYS: usize = 90;

/// Of so many pages one pass puts one away, and so many however few there are: what comes at once is looked at by nobody.
const OF_PAGES: usize = 10;
/// See [`OF_PAGES`].
const AT_ONCE_MIN: usize = 5;

/// Days of the journal that there must be since: what lay still for months says nothing of what is used.
const ACTIVE_DAYS_MIN: usize = 10;

/// What is known of the use of a compiled page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The page.
    pub slug: Slug,
    /// The last day on which something was said of it.
    pub last_said: Date,
    /// How many entries name it.
    pub n_entries: usize,
    /// The last day on which a question was answered from it.
    pub last_asked: Option<Date>,
    /// The day on which a person took it out of the archive.
    pub restored: Option<Date>,
    /// Whether a page of a person's, or a filed answer, leads to it.
    pub is_needed: bool,
    /// Days of the journal since anybody had to do with it.
    pub n_days_since: usize,
}

impl Standing {
    /// Returns the last day on which anybody had to do with it.
    pub fn last(&self) -> Date {
        [Some(self.last_said), self.last_asked, self.restored].into_iter().flatten().max().unwrap_or(self.last_said)
    }

    /// Returns why it is put away, in words.
    pub fn why(&self, days: usize) -> String {
        let entries = if self.n_entries == 1 { "1 entry".to_owned() } else { format!("{} entries", self.n_entries) };
        let asked = self.last_asked.map(|day| format!(", last asked for on {day}")).unwrap_or_default();
        let since = if asked.is_empty() { format!(", not asked for in {days} days") } else { asked };
        format!("last said on {} ({entries}), nothing of yours leads to it{since}", self.last_said)
    }
}

/// What is put away, and what waits for the next pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Away<'s> {
    /// The pages, longest unused first.
    pub pages: Vec<&'s Standing>,
    /// How many more could be.
    pub n_later: usize,
}

/// Returns the pages that are put away on a day, of so many that there are, of which some were put away on that day
/// already; after 0 days nothing is.
pub fn to_put_away(all: &[Standing], days: usize, today: Date, (n_pages, n_today): (usize, usize)) -> Away<'_> {
    let Ok(span) = i64::try_from(days) else { return Away::default() };
    let Ok(before) = today.checked_sub(SignedDuration::from_hours(span.saturating_mul(24))) else {
        return Away::default();
    };
    if days == 0 {
        return Away::default();
    }
    let is_unused = |page: &&Standing| !page.is_needed && page.last() <= before && page.n_days_since >= ACTIVE_DAYS_MIN;
    let mut pages: Vec<&Standing> = all.iter().filter(is_unused).collect();
    pages.sort_by(|a, b| (a.last(), a.n_entries, &a.slug).cmp(&(b.last(), b.n_entries, &b.slug)));
    let max = (n_pages / OF_PAGES).max(AT_ONCE_MIN).saturating_sub(n_today);
    let n_later = pages.len().saturating_sub(max);
    pages.truncate(max);
    Away { pages, n_later }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    fn page(slug: &str, last_said: &str) -> Standing {
        Standing {
            slug: Slug::from_text(slug).expect("a slug"),
            last_said: day(last_said),
            n_entries: 2,
            last_asked: None,
            restored: None,
            is_needed: false,
            n_days_since: 10,
        }
    }

    fn shown(all: &[Standing], n_pages: usize) -> (Vec<&str>, usize) {
        let away = to_put_away(all, ARCHIVE_DAYS, day("2026-04-01"), (n_pages, 0));
        (away.pages.iter().map(|page| page.slug.as_str()).collect(), away.n_later)
    }

    #[test]
    fn what_nobody_used_for_long_is_put_away() {
        let asked = Standing { last_asked: Some(day("2026-02-01")), ..page("asked", "2025-01-01") };
        let restored = Standing { restored: Some(day("2026-03-01")), ..page("restored", "2025-01-01") };
        let needed = Standing { is_needed: true, ..page("needed", "2025-01-01") };
        let idle = Standing { n_days_since: 9, ..page("idle", "2025-01-01") };
        let all = [page("new", "2026-01-02"), page("old", "2026-01-01"), asked, restored, needed, idle];
        assert_eq!(shown(&all, 5), (vec!["old"], 0));
        assert_eq!(to_put_away(&all, 0, day("2026-04-01"), (5, 0)), Away::default());
    }

    #[test]
    fn a_pass_puts_few_pages_away_the_longest_unused_first() {
        let all: Vec<Standing> = (1..=9).rev().map(|n| page(&format!("p{n}"), &format!("2025-01-0{n}"))).collect();
        assert_eq!(shown(&all, 9), (vec!["p1", "p2", "p3", "p4", "p5"], 4));
        assert_eq!(shown(&all, 70).1, 2);
        let again = to_put_away(&all[..4], ARCHIVE_DAYS, day("2026-04-01"), (9, 5));
        assert_eq!((again.pages.len(), again.n_later), (0, 4), "on the same day nothing more");
    }

    #[test]
    fn a_day_of_long_ago_and_a_span_without_end_harm_nothing() {
        let all = [page("old", "0001-01-01")];
        assert_eq!(to_put_away(&all, usize::MAX, day("2026-04-01"), (1, 0)), Away::default());
        assert_eq!(to_put_away(&all, 10_000_000, day("2026-04-01"), (1, 0)), Away::default());
    }
}
