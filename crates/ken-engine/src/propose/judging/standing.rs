//! The claims that stand: what pages say now.
//!
//! Reads the pages of a snapshot, compiled or a person's; leaves out what is superseded, disputed, asked or
//! still to be done. The same words on several pages are one claim about all of them.

use std::collections::BTreeMap;

use ken_core::claim::{Claim, ClaimState, SourceRef};
use ken_core::clash::{Said, name, plain};
use ken_core::ground::stems;
use ken_core::page::outline::{OPEN, claims};
use ken_core::parallel::in_parallel;
use ken_core::snapshot::PageFacts;
use ken_core::{Date, Snapshot, Span};

/// A claim where it stands.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Its page, as a place in the snapshot.
    pub(super) page: usize,
    /// Its page's name.
    pub(super) slug: String,
    /// Its page's title.
    pub(super) title: String,
    /// Where it stands.
    pub(super) span: Span,
    /// What it says.
    pub(super) text: String,
    /// What names it, see [`name`].
    pub(super) name: String,
    /// When it was said.
    pub(super) day: Option<Date>,
    /// What it cites.
    pub(super) cited: Vec<SourceRef>,
}

impl Found {
    /// How a model is told of it, behind `Claim`.
    pub(super) fn told(&self) -> String {
        let day = self.day.map(|day| format!(", written {day}")).unwrap_or_default();
        format!(" (page {}{day}): {}", self.title, ken_core::text::cut(&self.text, TOLD_CHARS_MAX))
    }
}

/// Most characters of a claim that are sent.
const TOLD_CHARS_MAX: usize = 1_200;
/// A claim with fewer stems says nothing that could be denied.
const STEMS_MIN: usize = 2;
/// Pages that lead to one page beyond which that page says nothing of what they are about.
const LED_MAX: usize = 20;
/// The claims of a snapshot.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// Every claim at every place.
    pub(super) all: Vec<Found>,
    /// Each claim once, where it stands first.
    pub(super) claims: Vec<Found>,
    /// Places in `claims` by name.
    by_name: BTreeMap<String, usize>,
    /// What each of `claims` is about, sorted.
    subjects: Vec<Vec<u32>>,
}

impl Standing {
    /// Returns the claims that stand in a snapshot.
    pub(super) fn of(snapshot: &Snapshot) -> Standing {
        let found = in_parallel(snapshot.pages.len(), |page| of_page(page, &snapshot.pages[page]));
        let subjects = subjects(snapshot);
        let mut out = Standing { all: found.into_iter().flatten().collect(), ..Standing::default() };
        for claim in &out.all {
            let n = *out.by_name.entry(claim.name.clone()).or_insert(out.claims.len());
            if n == out.claims.len() {
                out.claims.push(claim.clone());
                out.subjects.push(Vec::new());
            }
            out.subjects[n].extend(&subjects[claim.page]);
        }
        for subjects in &mut out.subjects {
            subjects.sort_unstable();
            subjects.dedup();
        }
        out
    }

    /// Returns the claim of that name.
    pub(super) fn find(&self, name: &str) -> Option<&Found> {
        self.by_name.get(name).map(|n| &self.claims[*n])
    }

    /// Returns each claim as it is compared.
    pub(super) fn said(&self) -> Vec<Said> {
        let said = |(claim, subjects): (&Found, &Vec<u32>)| Said {
            text: claim.text.clone(),
            day: claim.day,
            subjects: subjects.clone(),
        };
        self.claims.iter().zip(&self.subjects).map(said).collect()
    }
}

/// What each page is about: itself, and the pages it leads to that not everything leads to.
fn subjects(snapshot: &Snapshot) -> Vec<Vec<u32>> {
    let mut n_led = vec![0usize; snapshot.pages.len()];
    (0..n_led.len()).flat_map(|page| &snapshot.leads(page).pages).for_each(|to| n_led[*to] += 1);
    let about = |page: usize| {
        let led = snapshot.leads(page).pages.iter().copied().filter(|to| n_led[*to] <= LED_MAX);
        std::iter::once(page).chain(led).filter_map(|page| u32::try_from(page).ok()).collect()
    };
    (0..snapshot.pages.len()).map(about).collect()
}

fn of_page(page: usize, facts: &PageFacts) -> Vec<Found> {
    if facts.entry.redirect_to.is_some() || facts.page.path.extension() != "md" {
        return Vec::new();
    }
    let mut out = Vec::new();
    for claim in claims(&facts.page).into_iter().filter(|claim| !facts.entry.is_owned || stands(claim)) {
        let said = plain(claim.span.of(&facts.page.text));
        if said.contains("~~") || said.ends_with('?') || stems(&said).len() < STEMS_MIN {
            continue;
        }
        let cited: Vec<SourceRef> = claim.marks().filter_map(|mark| mark.cited.clone()).collect();
        let day = cited.iter().filter_map(|cited| cited.path.stem().parse::<Date>().ok()).max();
        out.push(Found {
            page,
            slug: facts.entry.slug.to_string(),
            title: facts.entry.title.clone(),
            span: claim.span,
            name: name(&said),
            text: said,
            day,
            cited,
        });
    }
    out
}

/// Whether a page says of a claim that it holds, and it is nothing that is left to do.
fn stands(claim: &Claim) -> bool {
    !claim.state.is_past() && !matches!(claim.state, ClaimState::Disputed | ClaimState::Asked) && claim.heading != OPEN
}
