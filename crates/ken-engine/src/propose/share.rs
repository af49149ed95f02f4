//! Which of many open days are read at once, and which of them share a call.
//!
//! A day is read with the wiki as the day before left it. Where many days are open nobody waits for one after the other:
//! short ones that follow each other share a call, as the texts of a day do, and with a model that takes several calls
//! some days go out at once. All that are read at once are shown the wiki as it was before them.

use ken_compile::portion::Portion;

use super::pack::{PACK_TASKS_MAX, PACK_TOKENS, tokens_of};
use super::run::Run;
use super::task::Task;
use crate::compile::tasks::{Unread, bare_portion_task};

/// Days that are read at once, at most. In a month of talk that was looked at, none of 48 values that changed was first
/// told within the same four days as what took its place; within the same eight, five were.
const DAYS_AT_ONCE_MAX: usize = 4;

/// How much there is to read of a day: tokens, and texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    n_tokens: usize,
    n_texts: usize,
}

impl Size {
    /// Returns how much these tasks are to read.
    pub(crate) fn of<'t>(tasks: impl Iterator<Item = &'t Task>) -> Size {
        tasks.fold(Size::default(), |sum, task| sum.and(Size { n_tokens: tokens_of(task), n_texts: 1 }))
    }

    /// Returns how much portions of notes are to read.
    fn of_portions(portions: &[Portion]) -> Size {
        let tasks: Vec<Task> = portions.iter().cloned().map(bare_portion_task).collect();
        Size::of(tasks.iter())
    }

    fn and(self, other: Size) -> Size {
        Size { n_tokens: self.n_tokens + other.n_tokens, n_texts: self.n_texts + other.n_texts }
    }

    fn is_of_one_call(self) -> bool {
        self.n_tokens <= PACK_TOKENS && self.n_texts <= PACK_TASKS_MAX
    }
}

/// Returns how many days there are in each call where days that follow each other share one: no more than fit into it,
/// and one at least.
pub(crate) fn sharing(days: &[Size]) -> Vec<usize> {
    let mut out: Vec<(usize, Size)> = Vec::new();
    for day in days {
        match out.last_mut().filter(|(n, sum)| *n < DAYS_AT_ONCE_MAX && sum.and(*day).is_of_one_call()) {
            Some((n, sum)) => (*n, *sum) = (*n + 1, sum.and(*day)),
            None => out.push((1, *day)),
        }
    }
    out.into_iter().map(|(n, _)| n).collect()
}

/// Returns things in groups of so many each, in their order.
pub(crate) fn grouped<T>(things: Vec<T>, lens: &[usize]) -> Vec<Vec<T>> {
    let mut things = things.into_iter();
    lens.iter().map(|n| things.by_ref().take(*n).collect()).collect()
}

/// Returns days of notes as one for each call that some of them share.
pub(crate) fn joined(days: Vec<Unread>) -> Vec<Unread> {
    let lens = sharing(&days.iter().map(|day| Size::of_portions(&day.portions)).collect::<Vec<_>>());
    let join = |days: Vec<Unread>| Unread { portions: days.into_iter().flat_map(|day| day.portions).collect() };
    grouped(days, &lens).into_iter().map(join).collect()
}

impl Run<'_> {
    /// Returns how many of some open days are read at once each time. A few go one after the other; so do those of a model
    /// that takes one call at a time, which gains nothing where none share a call. In a batch all of them are one: nothing
    /// of it is compiled before it comes back.
    pub(crate) fn days_at_once(&self, days: &[Size]) -> Vec<usize> {
        if self.author().in_batch {
            return vec![days.len()];
        }
        let is_backlog = days.len() > DAYS_AT_ONCE_MAX;
        match self.model().calls_at_once_max() {
            _ if !is_backlog => vec![1; days.len()],
            0 | 1 => sharing(days),
            _ => days.chunks(DAYS_AT_ONCE_MAX).map(<[Size]>::len).collect(),
        }
    }

    /// Returns days of notes as they are read, step by step, each step with those that share a call as one.
    pub(crate) fn steps_of(&self, days: Vec<Unread>) -> Vec<Vec<Unread>> {
        let sizes: Vec<Size> = days.iter().map(|day| Size::of_portions(&day.portions)).collect();
        let lens = self.days_at_once(&sizes);
        grouped(days, &lens).into_iter().map(joined).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_share_a_call_as_long_as_they_fit_into_it() {
        let of = |days: &[(usize, usize)]| {
            let days: Vec<Size> =
                days.iter().map(|(n_tokens, n_texts)| Size { n_tokens: *n_tokens, n_texts: *n_texts }).collect();
            sharing(&days)
        };
        assert_eq!(of(&[(2_400, 11), (2_400, 11), (2_400, 11)]), [2, 1], "by tokens");
        assert_eq!(of(&[(100, 30), (100, 10), (100, 1)]), [2, 1], "by texts");
        assert_eq!(of(&[(100, 1); 6]), [4, 2], "by days");
        assert_eq!(of(&[(9_000, 3), (100, 1), (9_000, 1)]), [1, 1, 1], "what fills its calls alone shares none");
        assert_eq!(of(&[]), [0; 0]);
    }

    #[test]
    fn groups_keep_the_order() {
        assert_eq!(grouped(vec![1, 2, 3, 4, 5], &[2, 1, 2]), [vec![1, 2], vec![3], vec![4, 5]]);
    }
}
