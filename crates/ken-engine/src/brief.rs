//! Gathers what a session starts with: what is open, what was decided, and the pages nearest to the work.
//!
//! What is being worked on is told by the branch, the files that are changed (as the last worker saw
//! them, since looking at every file would take longer than everything else) and the newest entries. Text of
//! low trust does not come in: pages that rest on an external source are passed over, and so is every row that
//! by its structure is no statement, and everything of a vault that this user neither made nor accepted.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::path::Path;

use ken_core::brief::{MEMORY, Part, brief, memory_index, page_row, row, told_row};
use ken_core::frame::attribute;
use ken_core::header::FieldName;
use ken_core::journal::{JournalEntry, parse_journal};
use ken_core::layout::{CONFIG_FILE, TOOL_FOLDER};
use ken_core::page::outline::claim_spans;
use ken_core::page::parse_page;
use ken_core::route::{Tier, route};
use ken_core::search::Question;
use ken_core::text::cut;
use ken_core::{Catalog, Date, IndexEntry, Slug, Timestamp, Tokens};
use serde::{Deserialize, Serialize};

use crate::actions::{JournalDay, OpenAction};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::issues::issue_of;
use crate::outcome::{BriefOutcome, Trust};
use crate::repository;
use crate::search::gather::FileKind;
use crate::trusted::TrustOfPages;
use crate::wiki::is_said_again;
use recent::Recent;

mod recent;
mod task;

pub use task::CHARS_MAX as TASK_CHARS_MAX;

/// Days of the journal that are looked at, up to the newest entry: what is older than two weeks is on a page by now.
const DAYS_MAX: i32 = 14;
/// Days of the journal whose action items may still be open: who left something undone for a quarter has other plans.
const ACTION_DAYS_MAX: i32 = 90;
/// Questions put to the routing table: each takes a fraction of a millisecond.
const QUESTIONS_MAX: usize = 16;
/// Pages that are offered as near to the work; the budget shows fewer.
const NEAR_MAX: usize = 24;
/// Newest pages that are offered.
const NEWEST_MAX: usize = 40;

/// What of a prompt is looked up: questions stand at its start.
const PROMPT_CHARS_MAX: usize = 600;
/// Of these and of those how many are told with how often their sentence was said: the budget shows few more, and each
/// has to be read.
const TOLD_MAX: usize = 8;
/// Pages that a prompt is answered with.
const PROMPT_PAGES_MAX: usize = 3;

/// Sentences of one file with which a session starts.
const STARTS_MAX: usize = 12;

/// Name of the file in the cache that says what is being worked on.
const PROJECT: &str = "project.json";

/// Changed files that are remembered.
const CHANGED_MAX: usize = 50;

/// What a session starts with instead of a brief: words of ours alone, none of the vault's.
const NOT_ACCEPTED: &str = "Kenning: this folder has a vault that this user has not accepted here (it was cloned, copied or moved), so nothing of it is shown. `ken trust` accepts it.";

/// What is being worked on, as the repository tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ProjectState {
    /// When it was asked.
    at: Option<Timestamp>,
    /// Files that differ from the last commit, relative to the vault, the latest first.
    changed: Vec<String>,
}

impl Engine {
    /// Returns what a session in the folder `cwd` starts with; `bytes_max` replaces the configured budget.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn brief(&self, cwd: &Path, bytes_max: Option<usize>) -> Result<BriefOutcome, Failure> {
        if !self.is_accepted() {
            let budget = bytes_max.unwrap_or(self.config.brief_bytes);
            let text = if budget < NOT_ACCEPTED.len() { String::new() } else { NOT_ACCEPTED.to_owned() };
            return Ok(BriefOutcome { text, budget, n_pages: 0 });
        }
        let mut recent = self.recent(cwd)?;
        self.tell_drift(&mut recent.decisions);
        let catalog = self.catalog()?;
        // What is being worked on is known of today alone.
        let is_now = !self.is_of_then();
        let branch = if is_now { repository::branch_of(cwd) } else { None };
        let project = if is_now { self.project_state() } else { ProjectState::default() };
        let near = self.near(catalog.as_ref(), branch.as_deref(), &project, &recent);
        let near_slugs: BTreeSet<Slug> = near.iter().map(|entry| entry.slug.clone()).collect();
        let newest = self.newest(catalog.as_ref(), &near_slugs);
        let n_pages = catalog.n_pages();
        // What a decision says is not said again by its page.
        let trusted = TrustOfPages::new(self)?;
        let row_of = |(n, entry): (usize, &IndexEntry)| match recent.says(&entry.tldr) {
            true => page_row(&IndexEntry { tldr: String::new(), ..entry.clone() }),
            false if n < TOLD_MAX => {
                let drift = self.drift_marks(&[&entry.tldr]).pop().flatten();
                told_row(entry, drift.or_else(|| self.tag_of_entry(entry, &trusted)).as_deref())
            }
            false => page_row(entry),
        };
        let rows = |entries: &[IndexEntry]| -> Vec<String> { entries.iter().enumerate().filter_map(row_of).collect() };
        let (near_rows, newest_rows) = (rows(&near), rows(&newest));
        let part = |heading: &'static str, rows: Vec<String>, n_all: usize, share| Part {
            heading: heading.into(),
            n_all: n_all.max(rows.len()),
            rows,
            share,
        };
        let before = if recent.last.is_empty() { "The newest entries" } else { "Entries before it" };
        let parts = [
            part("The project", self.start_rows()?, 0, 15),
            part("Open action items", self.action_rows(cwd)?, 0, 20),
            part("Decisions", recent.decisions, 0, 25),
            part("The last session", recent.last, 0, 15),
            part("Pages near the work at hand", near_rows, 0, 20),
            part(before, recent.entries, 0, 10),
            part("Other pages", newest_rows, n_pages.saturating_sub(near.len()), 10),
        ];
        let budget = bytes_max.unwrap_or(self.config.brief_bytes).min(crate::config::BRIEF_BYTES_MAX);
        let text = if budget == 0 {
            String::new()
        } else {
            let told = if is_now { [self.background_row(), self.batch_row()] } else { [None, None] };
            let closing =
                [Some(closing(n_pages, &parts))].into_iter().chain(told).flatten().collect::<Vec<_>>().join(" ");
            brief(&self.attributes(branch.as_deref()), &parts, &closing, budget)
        };
        Ok(BriefOutcome { text, budget, n_pages })
    }

    /// What the files say with which every session of this family starts: their sentences, in order.
    fn start_rows(&self) -> Result<Vec<String>, Failure> {
        let mut rows = Vec::new();
        for path in self.layout().starts() {
            let Some(text) = self.read_then(&path)? else { continue };
            let page = parse_page(&path, text).value;
            let sentences = claim_spans(&page.text, page.body()).into_iter();
            rows.extend(sentences.filter_map(|span| row(span.of(&page.text))).take(STARTS_MAX));
        }
        Ok(rows)
    }

    /// Returns a short index of all pages, for agents that read such a file whole.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn memory_brief(&self) -> Result<BriefOutcome, Failure> {
        let mut entries = self.trusted(self.all_entries()?);
        entries.retain(|entry| !is_said_again(entry));
        let text = MEMORY
            .put(None, &memory_index(&entries.iter().collect::<Vec<_>>(), &[], "", |entry| entry.path.to_string()));
        Ok(BriefOutcome { budget: ken_core::brief::MEMORY_BYTES_MAX, n_pages: entries.len(), text })
    }

    /// Returns what the wiki says of what a prompt asks: the tldrs of at most three pages, or nothing.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn prompt_brief(&self, prompt: &str) -> Result<String, Failure> {
        if !self.is_accepted() {
            return Ok(String::new());
        }
        let catalog = self.catalog()?;
        let asked = cut(prompt, PROMPT_CHARS_MAX);
        let route = route(&Question::in_every_language(&asked), catalog.as_ref(), Tokens(usize::MAX));
        let matches = route.loaded.into_iter().filter(|loaded| loaded.tier == Tier::Match).map(|loaded| loaded.entry);
        let entries: Vec<IndexEntry> = matches.take(PROMPT_PAGES_MAX).collect();
        let rows: Vec<String> = self.trusted(entries).iter().filter_map(page_row).collect();
        if rows.is_empty() {
            return Ok(String::new());
        }
        let n_all = rows.len();
        let parts = [Part { heading: "Pages on what was asked".into(), rows, n_all, share: 100 }];
        let closing = "`ken ask \"question\"` answers from this vault, `ken search \"words\"` lists what was said, `ken log \"text\"` keeps a decision.";
        Ok(brief(&self.attributes(None), &parts, closing, self.config.brief_bytes))
    }

    fn attributes(&self, branch: Option<&str>) -> String {
        let name = self.root().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let now = self.clock.now.to_zoned(self.clock.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        let branch = branch.map(|branch| format!(" {}", attribute("branch", branch))).unwrap_or_default();
        let branch = branch + &self.then_attributes();
        format!("{}{branch} at=\"{now}\"", attribute("vault", &name))
    }

    /// What the newest days say, entries of the folder's own project first.
    fn recent(&self, cwd: &Path) -> Result<Recent, Failure> {
        let project = cwd.file_name().map(|name| name.to_string_lossy().into_owned());
        let (mut own, mut others) = (Recent::default(), Recent::default());
        let withdrawn = self.withdrawn(None)?;
        for JournalDay { date, path } in self.newest_days(DAYS_MAX)?.into_iter().rev() {
            let Some(text) = self.store.read(&path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            let journal = parse_journal(&text, Some(date)).value;
            let standing: Vec<&JournalEntry> = journal.standing().collect();
            for entry in standing.into_iter().rev() {
                let is_own = entry.provenance.project.is_none() || entry.provenance.project == project;
                let is_stale = issue_of(entry).is_some_and(|issue| withdrawn.contains_key(&issue));
                // What came from outside is on pages with its source; it does not speak here, nor does what did not stay.
                if entry.provenance.trust.as_deref() != Some(Trust::External.as_str()) && !is_stale {
                    if is_own { &mut own } else { &mut others }.add(date, entry, &text);
                }
            }
        }
        own.append(others);
        own.settle();
        Ok(own)
    }

    /// What is to be done, items of the folder's own project first.
    fn action_rows(&self, cwd: &Path) -> Result<Vec<String>, Failure> {
        let project = cwd.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut actions = self.open_actions(ACTION_DAYS_MAX)?;
        actions.sort_by_key(|action| action.project.is_some() && action.project != project);
        Ok(actions.iter().filter_map(OpenAction::row).collect())
    }

    /// The pages that branch, changed files and newest entries lead to, the most often led to first.
    fn near(
        &self,
        catalog: &dyn Catalog,
        branch: Option<&str>,
        project: &ProjectState,
        recent: &Recent,
    ) -> Vec<IndexEntry> {
        let branch = branch.filter(|name| !matches!(*name, "main" | "master" | "develop" | "trunk"));
        let questions = branch.into_iter().chain(project.changed.iter().map(String::as_str).take(QUESTIONS_MAX / 2));
        let questions = questions.chain(recent.titles.iter().map(String::as_str)).take(QUESTIONS_MAX);
        let mut found: Vec<(usize, IndexEntry)> = Vec::new();
        for question in questions {
            let question = question.replace(['/', '_', '-', '.'], " ");
            let route = route(&Question::in_every_language(&question), catalog, Tokens(usize::MAX));
            for loaded in route.loaded {
                let weight = if loaded.tier == Tier::Match { 3 } else { 1 };
                match found.iter_mut().find(|(_, entry)| entry.path == loaded.entry.path) {
                    Some((score, _)) => *score += weight,
                    None => found.push((weight, loaded.entry)),
                }
            }
        }
        // Stable: of two that are led to as often, the one that was found first is nearer.
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let near: Vec<IndexEntry> = found.into_iter().map(|(_, entry)| entry).take(NEAR_MAX).collect();
        self.trusted(near)
    }

    /// The newest pages that are not shown already.
    fn newest(&self, catalog: &dyn Catalog, near: &BTreeSet<Slug>) -> Vec<IndexEntry> {
        // Only the newest entries are read whole: reading them all takes longer than all the rest.
        let mut by_age: Vec<(Option<Date>, u32)> =
            (0..catalog.n_pages() as u32).map(|page_idx| (catalog.updated(page_idx), page_idx)).collect();
        by_age.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let entries = by_age.into_iter().map(|(_, page_idx)| catalog.entry(page_idx));
        let is_new = |entry: &IndexEntry| !near.contains(&entry.slug) && !is_said_again(entry);
        let wanted = |entry: &IndexEntry| entry.redirect_to.is_none() && entry.past.is_none() && is_new(entry);
        let newest: Vec<IndexEntry> = entries.filter(wanted).take(NEWEST_MAX).collect();
        self.trusted(newest)
    }

    /// Those of the pages that may stand where a model always reads: none that rests on a source which
    /// nobody vouches for.
    pub(crate) fn trusted<E: Borrow<IndexEntry>>(&self, mut entries: Vec<E>) -> Vec<E> {
        let external = self.external_sources();
        entries.retain(|entry| external.is_empty() || !self.rests_on(entry.borrow(), &external));
        entries
    }

    /// The registered sources that nobody vouches for.
    fn external_sources(&self) -> BTreeSet<String> {
        let register = self.register().unwrap_or_default();
        let external = register.into_iter().filter(|(_, known)| known.trust == Trust::External);
        external.map(|(path, _)| path.to_string()).collect()
    }

    /// What a reader is told of how often the sentence of a page was said.
    fn tag_of_entry(&self, entry: &IndexEntry, trusted: &TrustOfPages) -> Option<String> {
        let text = String::from_utf8(self.store.read(&entry.path).ok()??).ok()?;
        let text = self.text_then(FileKind::Page, &entry.path, text)?;
        self.tag_of(&parse_page(&entry.path, text).value, trusted)
    }

    /// Whether a page says it was made from one of these sources.
    fn rests_on(&self, entry: &IndexEntry, external: &BTreeSet<String>) -> bool {
        let Ok(Some(bytes)) = self.store.read(&entry.path) else { return true };
        let page = parse_page(&entry.path, String::from_utf8_lossy(&bytes).into_owned()).value;
        let sources = page.list(FieldName::Sources);
        sources.iter().any(|source| external.contains(source.split('#').next().unwrap_or(source)))
    }

    /// Returns what was being worked on when a worker last asked.
    fn project_state(&self) -> ProjectState {
        self.store.read_cache(PROJECT).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Notes what is being worked on, for the next brief; outside a repository there is nothing to note.
    pub fn note_project(&self) {
        let layout = self.layout();
        let kept = layout.folders();
        let is_kept = |path: &str| {
            kept.iter().any(|kept| path.strip_prefix(kept.as_str()).is_some_and(|rest| rest.starts_with('/')))
        };
        let is_own = |path: &str| path == CONFIG_FILE || path.starts_with(TOOL_FOLDER) || is_kept(path);
        let Some(mut changed) = repository::changed_files(self.root(), usize::MAX) else { return };
        changed.retain(|path| !is_own(path));
        changed.truncate(CHANGED_MAX);
        if let Ok(bytes) = serde_json::to_vec(&ProjectState { at: Some(self.clock.now), changed }) {
            let _ = self.store.write_cache(PROJECT, bytes);
        }
    }
}

fn closing(n_pages: usize, parts: &[Part]) -> String {
    if n_pages == 0 && parts.iter().all(|part| part.rows.is_empty()) {
        return "The wiki has no pages yet, and the journal no entries.".to_owned();
    }
    let pages = if n_pages == 1 { "page" } else { "pages" };
    format!(
        "The wiki has {n_pages} {pages}. `ken route \"question\"` names those that answer, `ken context \"question\"` prints their text, `ken show NAME` prints one."
    )
}
