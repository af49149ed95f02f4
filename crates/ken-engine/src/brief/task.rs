//! The brief for a task: what the vault knows for it, over all topics.

use std::collections::BTreeMap;

use ken_core::brief::{Part, brief_for_task};
use ken_core::context::{Offer, each_once, offers};
use ken_core::search::close::Verdict;
use ken_core::text::cut;
use ken_core::topic::Topics;
use ken_core::{IndexEntry, Tokens, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::journal::statements;
use crate::outcome::BriefOutcome;

/// Default of `--max-chars`: a tenth of what an agent reads before it starts.
pub const CHARS_MAX: usize = 15_000;

/// What of a task is looked up: so many of its statements, and so much of each.
const QUESTIONS_MAX: usize = 8;
const QUESTION_CHARS_MAX: usize = 600;
/// Of what came only close nothing counts as much as what answers.
const CLOSEST: f32 = 0.5;
/// Under what stands what has no topic.
const OTHER: &str = "other";
/// What units are cut for: a row is one sentence or item, so that each stands under its own topic.
const UNIT_TOKENS: Tokens = Tokens(40);

impl Engine {
    /// Returns what the vault knows for a task in at most `chars_max` characters, by topic: each has a share, and what one
    /// leaves goes to the others. Within a share what the `personal` vault knows stands behind that. The same task and
    /// vaults give the same text; nothing is given where nothing is near.
    ///
    /// # Errors
    /// When the task says nothing, or the vault cannot be read.
    pub fn brief_for(&self, task: &str, personal: Option<&Engine>, chars_max: usize) -> Result<BriefOutcome, Failure> {
        let mut asked = statements(task);
        if asked.is_empty() {
            return Err(
                Failure::usage("the task has no words").hint("give it as `ken brief --for \"what is to be done\"`")
            );
        }
        asked.truncate(QUESTIONS_MAX);
        if !self.is_accepted() {
            let text =
                if chars_max < super::NOT_ACCEPTED.len() { String::new() } else { super::NOT_ACCEPTED.to_owned() };
            return Ok(BriefOutcome { text, budget: chars_max, n_pages: 0 });
        }
        let (mut found, n_pages) = self.offers_of(&asked, &self.config.topics)?;
        // A vault that this user did not accept says nothing, whoever names it.
        if let Some(personal) = personal.filter(|personal| personal.is_accepted() && personal.root() != self.root()) {
            let (mut own, _) = personal.offers_of(&asked, &self.config.topics)?;
            own.iter_mut().for_each(Offer::stand_behind);
            found.extend(own);
        }
        let parts = parts_of(each_once(found), self.config.topics.names());
        let closing = "`ken context \"question\"` hands over more of one thing; `ken log --issue N --phase PHASE` keeps what was decided, done or found.";
        let text = match parts.is_empty() {
            true => String::new(),
            false => brief_for_task(&self.frame_attributes(), &parts, closing, chars_max),
        };
        Ok(BriefOutcome { text, budget: chars_max, n_pages })
    }

    /// The rows for a task, and how many pages there are.
    fn offers_of(&self, asked: &[String], topics: &Topics) -> Result<(Vec<Offer>, usize), Failure> {
        let pages: BTreeMap<VaultPath, IndexEntry> =
            self.all_entries()?.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        let mut found: Vec<Offer> = Vec::new();
        for question in asked {
            found.extend(self.offers_for(&cut(question, QUESTION_CHARS_MAX), topics, &pages)?);
        }
        Ok((found, pages.len()))
    }

    /// The rows for one statement of a task.
    fn offers_for(
        &self,
        question: &str,
        topics: &Topics,
        pages: &BTreeMap<VaultPath, IndexEntry>,
    ) -> Result<Vec<Offer>, Failure> {
        let catalog = self.catalog()?;
        let of_page = |one: &ken_core::context::Material<'_>| pages.get(&one.path).cloned();
        self.look((question, catalog.as_ref()), (UNIT_TOKENS, false), |looked| {
            let weight = match looked.verdict {
                Verdict::Answers => 1.0,
                Verdict::Closest => CLOSEST,
                Verdict::Nothing => return Vec::new(),
            };
            offers(looked.found, looked.said, (weight, topics), &of_page)
        })
    }
}

/// Rows by topic, in the order of the best row of each.
fn parts_of<'t>(offers: Vec<Offer>, topics: impl Iterator<Item = &'t str>) -> Vec<Part> {
    let mut parts: Vec<Part> = topics.chain([OTHER]).map(|name| part(name.to_owned())).collect();
    let mut order: Vec<usize> = Vec::new();
    for offer in offers {
        let name = offer.topic.as_deref().unwrap_or(OTHER);
        let Some(n) = parts.iter().position(|part| part.heading == name) else { continue };
        if !order.contains(&n) {
            order.push(n);
        }
        parts[n].rows.push(offer.row);
    }
    let share = 100 / order.len().max(1);
    let take = |n: usize| {
        let part = std::mem::replace(&mut parts[n], part(String::new()));
        Part { n_all: part.rows.len(), share, ..part }
    };
    order.into_iter().map(take).collect()
}

fn part(heading: String) -> Part {
    Part { heading: heading.into(), rows: Vec::new(), n_all: 0, share: 0 }
}
