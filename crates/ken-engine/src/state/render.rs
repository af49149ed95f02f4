//! What an agent that remembers nothing starts from.

use ken_core::brief::{Part, ROW_CHARS_MAX, page_row, task_row};
use ken_core::frame::quoted;
use ken_core::journal::one_line;
use ken_core::state::{Status, Task, narrative};
use ken_core::text::cut;
use ken_core::{IndexEntry, Slug, Tokens};
use ken_intake::scrub::scrub;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::state::StateTask;
use crate::wiki::is_said_again;

/// Pages that are named; a reader opens two to four.
const PAGES_MAX: usize = 6;
/// Days of the journal whose action items may still be open, as in a brief.
const ACTION_DAYS_MAX: i32 = 90;

/// A part of the narrative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderPart {
    /// What its rows are.
    pub heading: std::borrow::Cow<'static, str>,
    /// The rows that are shown.
    pub rows: Vec<String>,
    /// How many there are.
    pub n_all: usize,
}

/// The narrative of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderOutcome {
    /// The text, in its frame.
    pub text: String,
    /// What it costs.
    pub tokens: Tokens,
    /// What it might cost.
    pub budget: Tokens,
    /// The goal, as it stands in the text.
    pub goal: String,
    /// The parts, with what is shown of them.
    pub parts: Vec<RenderPart>,
    /// The pages that are named, in order.
    pub pages: Vec<Slug>,
    /// Lines that do not read.
    pub notes: Vec<String>,
}

impl Engine {
    /// Returns what an agent that remembers nothing starts from, for a goal: the same for the same state, journal and pages,
    /// whatever the time.
    ///
    /// # Errors
    /// When the vault cannot be read, or the frame alone is larger than the budget.
    pub fn render(&self, goal: &str, budget: Tokens) -> Result<RenderOutcome, Failure> {
        let (goal, _) = scrub(goal);
        let state = self.state()?;
        let pages = self.pages_for(&goal, &state.tasks)?;
        let page_rows: Vec<(Slug, String)> =
            pages.iter().filter_map(|entry| Some((entry.slug.clone(), page_row(entry)?))).collect();
        let rows_of = |status: Status| -> (Vec<String>, usize) {
            let tasks: Vec<&StateTask> = state.tasks.iter().filter(|one| one.status() == status).collect();
            (tasks.iter().filter_map(|one| row(one)).collect(), tasks.len())
        };
        let (mut todo, mut n_todo) = rows_of(Status::Todo);
        let page = self.layout().state_page();
        let others: Vec<_> =
            self.open_actions(ACTION_DAYS_MAX)?.into_iter().filter(|action| *action.path() != page).collect();
        let is_known = |text: &str| state.tasks.iter().any(|one| one.task.key() == ken_core::state::key(text));
        let others = others.iter().map(|action| action.text()).filter(|text| !is_known(text));
        let (mut n_others, mut other_rows) = (0, Vec::new());
        for text in others {
            n_others += 1;
            other_rows.extend(task_row(text));
        }
        todo.append(&mut other_rows);
        n_todo += n_others;
        let part = |heading: &'static str, (rows, n_all): (Vec<String>, usize), share| Part {
            heading: heading.into(),
            rows,
            n_all,
            share,
        };
        let parts = [
            part("Doing", rows_of(Status::Doing), 25),
            part("Blocked", rows_of(Status::Blocked), 15),
            part("To do", (todo, n_todo), 20),
            part("Done, the last first", done(&state.tasks), 10),
            part("Pages to read", (page_rows.iter().map(|(_, row)| row.clone()).collect(), page_rows.len()), 30),
        ];
        let told = narrative(&self.frame_attributes(), &goal, &parts, budget).map_err(|least| {
            Failure::usage(format!(
                "a budget of {budget} tokens is too small, {least} are needed for the frame and the goal"
            ))
            .hint("`--budget 500` is the default")
        })?;
        let shown = |(part, n): (&Part, &usize)| RenderPart {
            heading: part.heading.clone(),
            rows: part.rows[..*n].to_vec(),
            n_all: part.n_all.max(part.rows.len()),
        };
        let n_pages = told.shown.last().copied().unwrap_or_default();
        Ok(RenderOutcome {
            parts: parts.iter().zip(&told.shown).map(shown).collect(),
            pages: page_rows.into_iter().take(n_pages).map(|(slug, _)| slug).collect(),
            goal: one_line(&goal),
            text: told.text,
            tokens: told.tokens,
            budget,
            notes: state.notes,
        })
    }

    /// The pages that a goal leads to, and those that the tasks at hand lead to, as far as they may stand where a model reads.
    fn pages_for(&self, goal: &str, tasks: &[StateTask]) -> Result<Vec<IndexEntry>, Failure> {
        let catalog = self.catalog()?;
        let at_hand = tasks.iter().filter(|one| one.status() == Status::Doing).map(|one| one.task.name.as_str());
        let mut found: Vec<IndexEntry> = Vec::new();
        for question in std::iter::once(goal).chain(at_hand) {
            let route = self.choose(question, catalog.as_ref(), Tokens(usize::MAX));
            for loaded in route.loaded {
                if !found.iter().any(|known| known.path == loaded.entry.path) && !is_said_again(&loaded.entry) {
                    found.push(loaded.entry);
                }
            }
        }
        found.truncate(PAGES_MAX);
        Ok(self.trusted(found))
    }
}

/// What is done, the last first; how much of it there is.
fn done(tasks: &[StateTask]) -> (Vec<String>, usize) {
    let mut done: Vec<&StateTask> = tasks.iter().filter(|one| one.status() == Status::Done).collect();
    done.reverse();
    // Stable: of one moment, what stands lower on the page comes first.
    done.sort_by_key(|one| std::cmp::Reverse(one.task.since));
    (done.iter().filter_map(|one| row(one)).collect(), done.len())
}

/// A task as a row; nothing where it may not stand where a model reads.
fn row(one: &StateTask) -> Option<String> {
    let Task { name, feature, since, blockers, next, .. } = &one.task;
    let status = one.status();
    let since = since.map(|since| since.date());
    let dated = match (status, since) {
        _ if one.closed.is_some() => one.closed.as_ref().map(|by| format!("done by {}:{}", by.path, by.line)),
        (Status::Todo, _) | (_, None) => None,
        (Status::Done, Some(since)) => Some(since.to_string()),
        (_, Some(since)) => Some(format!("since {since}")),
    };
    let told = |label: &str, values: &[String]| {
        (!values.is_empty() && status != Status::Done).then(|| format!("{label}: {}", values.join(", ")))
    };
    let about = feature.clone().into_iter().chain(dated).chain(told("blocked by", blockers)).chain(told("next", next));
    let about: Vec<String> = about.collect();
    let full = if about.is_empty() { name.clone() } else { format!("{name} ({})", about.join("; ")) };
    // What speaks to its reader is told as such, and an order is withheld.
    task_row(&full).or_else(|| Some(cut(&quoted(&one_line(&full)), ROW_CHARS_MAX)))
}
