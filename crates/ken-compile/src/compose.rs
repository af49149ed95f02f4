//! Writes the page of one subject from the passages about it.
//!
//! A page is a function of those passages alone: every claim is an extracted sentence with the lines it
//! stands on, the newest first. Nothing is reworded; only relative dates get their absolute date, and
//! markup that would not read as text on a page is escaped.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ken_core::claim::{ClaimState, SourceRef};
use ken_core::language::AnyOf;
use ken_core::markdown::inert;
use ken_core::page::outline::{
    ASKED, BEFORE, Body, COMMANDS, DECISIONS, DETAILS, DISPUTED, FILES, FOUND, LESSONS, OPEN, PARTS, RELATED, SECTIONS,
    SUPERSEDED, SYNTHESIS, before_end,
};
use ken_core::supersede::takes_back;
use ken_core::text::one_line;
use ken_core::trust::{EXTERNAL_CLAIM, EXTERNAL_TLDR, STALE_TLDR, UNVERIFIED_CLAIM, UNVERIFIED_STATEMENT, stale_mark};
use ken_core::{Category, Date, Month, Slug, VaultPath};
use ken_intake::extract::is_proposed;
use ken_intake::scrub::readable;

use super::account::{Account, Claim};
use super::alone;
use super::document::InDocument;
use super::fault;
use super::ledger::PassageId;
use super::passage::{Learned, PassageKind};
use super::score;
use super::telling::Telling;
use crate::told::{AdoptedPage, ProposedHeader, Section, Sentence, Told};
use names::plain;

/// One statement about the subject with the place it stands.
#[derive(Debug, Clone, Hash)]
pub struct Statement {
    /// The extracted text.
    pub text: String,
    /// What it is.
    pub kind: PassageKind,
    /// The day it was written.
    pub date: Option<Date>,
    /// The day that its "yesterday" counts from.
    pub said_on: Option<Date>,
    /// The file that it is of.
    pub of: VaultPath,
    /// Where it stands.
    pub cited: SourceRef,
    /// Why it is stale: it is of an issue whose work did not stay; empty where it is not.
    pub stale: String,
    /// Who says it, of those that speak in that file; nobody where it is external.
    pub voice: Option<String>,
    /// Its first line there.
    pub line: usize,
    /// Which passage it is: what was said in one entry stands beside each other.
    pub id: PassageId,
    /// What a model said of it, when it comes from a reading.
    pub told: Option<Box<Told>>,
    /// Whether somebody vouches for where it stands.
    pub is_vouched_for: bool,
    /// Where it stands in its document; none for what the journal says.
    pub place: Option<Box<InDocument>>,
    /// Whether a reader said that it belongs to this page before any other.
    pub is_own: bool,
    /// Whether it tells what was wrong in work that changed files since.
    pub is_fault: bool,
    /// What its session says of it besides.
    pub learned: Learned,
    /// Whether it is what is left of a statement of which a clause was replaced: nothing took the place of that.
    pub is_rest: bool,
    /// How well it stands on a page, see [`crate::standing`].
    pub standing: i16,
    /// What its words tell; none where nobody found that out.
    pub telling: Option<Telling>,
}

impl Statement {
    /// Returns whether a reader may have said more than the lines that it cites, or it says so itself.
    pub fn is_unverified(&self) -> bool {
        self.text.contains(UNVERIFIED_STATEMENT) || self.told.as_ref().is_some_and(|told| told.is_unverified)
    }

    /// Returns whether it may lead to a page, stand for it, and change what others say.
    pub fn is_believed(&self) -> bool {
        self.is_vouched_for && !self.is_unverified() && self.stale.is_empty()
    }

    /// Returns whether a document said it before it was changed.
    pub(crate) fn is_revised(&self) -> bool {
        self.told.as_ref().is_some_and(|told| told.revised.is_some())
    }

    /// Returns how little it is believed, to be compared with another that says the same: what is stale least.
    pub(crate) fn doubt(&self) -> (bool, bool, bool) {
        (!self.stale.is_empty(), !self.is_vouched_for, self.is_unverified())
    }
}

/// A relation to a page that exists.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RelatedPage {
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub title: String,
    /// Newest evidence.
    pub month: Option<Month>,
    /// Whether it is of a piece of work.
    pub is_work: bool,
}

/// Everything a page is made from.
#[derive(Debug, Clone, Hash)]
pub struct PageInput {
    /// Display name.
    pub title: String,
    /// Other spellings.
    pub aliases: Vec<String>,
    /// What sort of thing it is.
    pub category: Category,
    /// Whether only external sources name it.
    pub is_external: bool,
    /// What is said of it, in any order.
    pub statements: Vec<Statement>,
    /// What took the place of some of them and is not said of it.
    pub elsewhere: Vec<Statement>,
    /// What names it beside other things, or inside longer names, and stands on the pages of these: it may say that
    /// something here no longer holds.
    pub beside: Vec<Statement>,
    /// What people told of the subject while they asked, which stands on no page.
    pub asked: Vec<Statement>,
    /// The files that a piece of work changed, with where that stands.
    pub files: Vec<(String, SourceRef)>,
    /// The commands that were run for a piece of work, in order, with where that stands.
    pub commands: Vec<(String, SourceRef)>,
    /// The names that were said of a piece of work beside its claims, those said most first.
    pub names: Vec<String>,
    /// Strongest first.
    pub high: Vec<RelatedPage>,
    /// Strongest first.
    pub mid: Vec<RelatedPage>,
    /// Connections that it is part of.
    pub joining: Vec<RelatedPage>,
    /// Pages on which something stands that disputes what stands here, or that is disputed here.
    pub against: Vec<RelatedPage>,
    /// The other pages of its document, in order.
    pub parts: Vec<RelatedPage>,
    /// The page of older claims, if there are any; `None` where it has no place.
    pub history: Option<RelatedPage>,
    /// How another compiler's page was called that was adopted as this one.
    pub adopted: Option<AdoptedPage>,
    /// Whether it is such a page.
    pub is_history: bool,
    /// Why it was put away; empty where it is in use.
    pub archived: String,
}

/// What models proposed for a page, as far as it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposed {
    /// Tldr and triggers.
    pub header: Option<ProposedHeader>,
    /// Prose made of its claims.
    pub sections: Vec<Section>,
    /// High and mid relations, in the place of those found.
    pub relations: Option<(Vec<RelatedPage>, Vec<RelatedPage>)>,
}

impl Proposed {
    /// Returns the high and mid relations of a page: those proposed, else those found.
    fn relations<'a>(&'a self, input: &'a PageInput) -> (&'a [RelatedPage], &'a [RelatedPage]) {
        match &self.relations {
            Some((high, mid)) => (high, mid),
            None => (&input.high, &input.mid),
        }
    }
}

/// The heading that a statement of the journal stands below.
pub(crate) fn section_of(statement: &Statement) -> &'static str {
    match statement.kind {
        // What was done is no decision and no lesson, however it was said; what somebody tells that they did may be.
        PassageKind::Decision if score::is_edit(&statement.text) => DETAILS,
        PassageKind::Lesson | PassageKind::Statement | PassageKind::Decision if statement.is_fault => FOUND,
        PassageKind::Decision => DECISIONS,
        PassageKind::Lesson if score::notes_change(&statement.text) && !alone::is_personal(&statement.text) => DETAILS,
        PassageKind::Lesson if fault::is_result(&statement.text) => DETAILS,
        PassageKind::Lesson => LESSONS,
        // What people tell while they ask is no question.
        PassageKind::Question if !statement.text.ends_with('?') && alone::stands(&statement.text) => DETAILS,
        PassageKind::Question => ASKED,
        PassageKind::Action => OPEN,
        _ if statement.learned == Learned::BeforeChange && tells_state(&statement.text) => BEFORE,
        _ => DETAILS,
    }
}

/// Whether a statement that was said before a change may tell how things were: not what had been done by then, and not what
/// could be done.
fn tells_state(text: &str) -> bool {
    static BRINGS: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.brings));
    let notes = score::is_edit(text) || score::notes_change(text) || score::is_outcome(text);
    let tells_change = notes || alone::tells_outcome(text) || BRINGS.opens(text);
    !tells_change && !is_proposed(text) && !score::is_step(text)
}

/// What stands behind a high relation, and behind a mid one.
const WHY_HIGH: &str = "needed to understand this";
const WHY_MID: &str = "often named together";
/// The same between a piece of work and what it speaks of.
const WHY_IN_WORK: &str = "part of this work";
const WHY_WORK: &str = "work on this";
/// The same where a model sorted them.
const WHY_MID_SORTED: &str = "often useful with this";
/// What stands behind a connection.
const WHY_JOINS: &str = "joins this with others";
/// What stands behind the page of older claims.
const WHY_HISTORY: &str = "older statements";
/// What stands behind a page that says otherwise.
const WHY_CONTRADICTS: &str = "contradicts this, see Disputed";
/// All of them.
pub const WHYS: [&str; 8] =
    [WHY_HIGH, WHY_MID, WHY_IN_WORK, WHY_WORK, WHY_MID_SORTED, WHY_JOINS, WHY_HISTORY, WHY_CONTRADICTS];
/// How the line ends that counts the statements left out.
pub const LEFT_OUT: &str = "older statements are not shown; they stand in the sources named in the header -->";

/// Returns the text of the page of `account`, which is that of the input's statements; `resolve` says which page a wikilink in a statement leads to.
pub fn compose(
    input: &PageInput,
    account: &Account<'_>,
    proposed: &Proposed,
    resolve: &dyn Fn(&str) -> Option<Slug>,
) -> String {
    let leads = |claim: &Claim<'_>| claim.statement.is_vouched_for && claim.statement.stale.is_empty();
    let is_vouched_for = account.current.iter().any(leads);
    let header = proposed.header.as_ref().filter(|header| is_vouched_for && !header.tldr.is_empty());
    let lead = header.and_then(|header| lead::closest(&header.tldr, &account.current));
    let is_reference = reference::is_reference(&account.current);
    let lead = lead.or_else(|| match is_reference {
        true => reference::lead(input, &account.current),
        // What was said long ago says nothing of what holds.
        false if input.is_history => None,
        false => lead::central(input, account),
    });
    let tldr_of = |one: &Statement| lead::tldr(input, (one, lead::replaces(account, one)));
    // What was wrong, and what was done, says more of a piece of work than what holds since.
    let work = summary::of_pure_work(input, account).filter(|_| header.is_none());
    let told = |n: usize| Some(gist::carried_on(tldr_of(account.current[n].statement)?, n, &account.current));
    let own_tldr =
        || work.clone().or_else(|| lead.and_then(told)).or_else(|| summary::of(input, account)).unwrap_or_default();
    let tldr = match is_vouched_for || account.current.is_empty() {
        true => match (header, adopted::tldr(input, account)) {
            (Some(header), _) => inert(&header.tldr).into_owned(),
            (None, Some(tldr)) => tldr,
            (None, None) => own_tldr(),
        },
        false if account.current.iter().any(|claim| claim.statement.is_vouched_for) => STALE_TLDR.to_owned(),
        false => EXTERNAL_TLDR.to_owned(),
    };
    let mut body = Body::new(&inert(&one_line(&input.title)));
    let sections = vouched_opening(&proposed.sections, account);
    let has_opening = sections.first().is_some_and(|section| section.heading.is_empty());
    let lead = lead.filter(|_| !has_opening && work.is_none());
    if let Some(n) = lead {
        let claim = &account.current[n];
        body.line(&claim_text(claim.statement, resolve), &claim.cited);
    }
    let told = synthesis(&sections, account, resolve, &mut body);
    let is_listed = |n: usize, claim: &Claim<'_>| Some(n) != lead && !told.contains(claim.id.as_str());
    let rest: Vec<&Claim<'_>> =
        account.current.iter().enumerate().filter(|(n, claim)| is_listed(*n, claim)).map(|(_, claim)| claim).collect();
    reference::sections(input, &rest, resolve, &mut body);
    for heading in SECTIONS {
        body.section(heading);
        let is_below = |claim: &&&Claim<'_>| claim.statement.place.is_none() && section_of(claim.statement) == *heading;
        for claim in rest.iter().filter(is_below) {
            body.claim(&claim_text(claim.statement, resolve), &claim.cited);
        }
    }
    if !account.older.is_empty() && input.history.is_none() {
        body.block(&format!("<!-- {} {LEFT_OUT}\n", account.older.len()));
    }
    done(input, &mut body);
    past(account, resolve, &mut body);
    related(input, proposed, account, &mut body);
    adopted::days(input, &mut body);
    // What stands beside each other only here may look like a secret, and a scan would find it on every run.
    let body = body.render();
    let body = readable(&body);
    let named = adopted::days_of(input);
    let sources = sources_of(input, &named);
    let triggers = triggers::triggers(input, &account.current, proposed);
    let has_disputes = !account.disputed.is_empty();
    let header =
        header::header(input, &sources, (&tldr, triggers, proposed, account.confidence()), (&body, has_disputes));
    readable(&header).into_owned() + &body
}

/// The files that a page was made from; `named` are days that it names besides.
fn sources_of<'i>(input: &'i PageInput, named: &'i [VaultPath]) -> BTreeSet<&'i VaultPath> {
    let cited = input.statements.iter().chain(&input.elsewhere).map(|statement| &statement.cited.path);
    cited.chain(named).collect()
}

/// Writes the sections that a model made of the claims; returns the ids of those it told.
fn synthesis<'a>(
    sections: &'a [Section],
    account: &Account<'_>,
    resolve: &dyn Fn(&str) -> Option<Slug>,
    body: &mut Body,
) -> BTreeSet<&'a str> {
    let mut told = BTreeSet::new();
    for section in sections {
        body.section(&section.heading);
        for sentence in &section.sentences {
            let cited = account.current.iter().filter(|claim| sentence.claims.contains(&claim.id));
            let mut known = BTreeSet::new();
            let places: Vec<_> =
                cited.flat_map(|claim| &claim.cited).copied().filter(|one| known.insert(*one)).collect();
            told.extend(sentence.told.iter().map(String::as_str));
            let text = escaped(&sentence.text, resolve);
            let text = if sentence.is_synthesis { before_end(&text, SYNTHESIS) } else { text };
            let text = if rests_on_external(sentence, account) { before_end(&text, EXTERNAL_CLAIM) } else { text };
            let text = if rests_on_unverified(sentence, account) { before_end(&text, UNVERIFIED_CLAIM) } else { text };
            let text =
                rests_on_stale(sentence, account).map_or(text.clone(), |why| before_end(&text, &stale_mark(why)));
            // A sentence a line, so that a change of one is seen as one.
            body.line(&text, &places);
        }
    }
    told
}

/// Whether a sentence tells a claim that nobody vouches for.
fn rests_on_external(sentence: &Sentence, account: &Account<'_>) -> bool {
    account.current.iter().any(|claim| !claim.statement.is_vouched_for && sentence.claims.contains(&claim.id))
}

/// Whether a sentence tells a claim that may say more than its lines.
fn rests_on_unverified(sentence: &Sentence, account: &Account<'_>) -> bool {
    account.current.iter().any(|claim| claim.statement.is_unverified() && sentence.claims.contains(&claim.id))
}

/// Why a claim that a sentence tells is stale.
fn rests_on_stale<'a>(sentence: &Sentence, account: &Account<'a>) -> Option<&'a str> {
    let told = account.current.iter().filter(|claim| sentence.claims.contains(&claim.id));
    told.map(|claim| claim.statement.stale.as_str()).find(|why| !why.is_empty())
}

/// The sections without what would open the page on words that nobody vouches for.
fn vouched_opening(sections: &[Section], account: &Account<'_>) -> Vec<Section> {
    let mut out = sections.to_vec();
    for section in out.iter_mut().filter(|section| section.heading.is_empty()) {
        section.sentences.retain(|sentence| sentence_leads(sentence, account));
    }
    out.retain(|section| !section.sentences.is_empty());
    out
}

fn sentence_leads(sentence: &Sentence, account: &Account<'_>) -> bool {
    let doubts = rests_on_external(sentence, account) || rests_on_unverified(sentence, account);
    !doubts && rests_on_stale(sentence, account).is_none()
}

/// Lists the commands that were run and the files that were changed.
fn done(input: &PageInput, body: &mut Body) {
    for (heading, all) in [(COMMANDS, &input.commands), (FILES, &input.files)] {
        body.section(heading);
        for (what, cited) in all {
            body.claim(&inert(&format!("`{what}`")), &[cited]);
        }
    }
}

/// Writes what cannot all be true, and what no longer holds.
fn past(account: &Account<'_>, resolve: &dyn Fn(&str) -> Option<Slug>, body: &mut Body) {
    body.section(DISPUTED);
    for (n, dispute) in account.disputed.iter().enumerate() {
        if n > 0 {
            body.another_dispute();
        }
        for claim in dispute {
            body.claim(&claim_text(claim.statement, resolve), &claim.cited);
        }
    }
    body.section(SUPERSEDED);
    for old in &account.superseded {
        let state = match old.claim.statement.kind {
            // A task that is done was not wrong; one that another takes the place of is not done.
            PassageKind::Action if old.now.kind != PassageKind::Action => ClaimState::Done { on: old.until },
            // What holds today stands on the page itself; here it keeps whoever finds the old from taking it for true.
            _ => {
                let now = Some(old.now).filter(|now| !takes_back(&now.text));
                ClaimState::Superseded { until: old.until, now: now.map(|now| claim_text(now, resolve)) }
            }
        };
        body.past(&claim_text(old.claim.statement, resolve), &state, &old.claim.cited, &old.by);
    }
}

fn related(input: &PageInput, proposed: &Proposed, account: &Account<'_>, body: &mut Body) {
    let (has_older, has_disputes) = (!account.older.is_empty(), !account.disputed.is_empty());
    let history = input.history.as_ref().filter(|_| has_older);
    let (high, mid) = proposed.relations(input);
    body.section(PARTS);
    for part in &input.parts {
        // Below the title of the document its sections are enough.
        let own = part.title.strip_prefix(input.title.as_str()).and_then(|rest| rest.strip_prefix(": "));
        let title = own.unwrap_or(&part.title).to_owned();
        body.link(&shown_link(&RelatedPage { title, ..part.clone() }), "");
    }
    body.section(RELATED);
    let against: &[RelatedPage] = if has_disputes { &input.against } else { &[] };
    let is_sorted = proposed.relations.is_some();
    let why_mid = |page: &RelatedPage| match (page.is_work, input.category) {
        _ if is_sorted => WHY_MID_SORTED,
        (true, _) => WHY_WORK,
        (false, Category::Project) => WHY_IN_WORK,
        (false, _) => WHY_MID,
    };
    let high = high.iter().map(|page| (page, WHY_HIGH));
    let mid = mid.iter().map(|page| (page, why_mid(page)));
    let joining = input.joining.iter().map(|page| (page, WHY_JOINS));
    let history = history.map(|page| (page, WHY_HISTORY));
    let against = against.iter().map(|page| (page, WHY_CONTRADICTS));
    let mut seen = BTreeSet::new();
    for (page, why) in against.chain(high).chain(mid).chain(joining).chain(history) {
        if seen.insert(&page.slug) {
            body.link(&shown_link(page), why);
        }
    }
}

pub(crate) fn shown_link(page: &RelatedPage) -> String {
    format!("[[{}|{}]]", page.slug, unlinked(&page.title).replace('|', " "))
}

/// A title as it stands within other text: no part of it is a link, or markup.
pub(crate) fn unlinked(title: &str) -> String {
    inert(&one_line(title)).replace(['[', ']'], " ")
}

mod adopted;
mod gist;
mod header;
mod history;
mod lead;
mod named;
pub(crate) mod names;
mod reference;
mod shown;
mod summary;
mod symptom;
mod triggers;

pub(crate) use header::ended as header_ended;
pub use history::{history, page_of_history};
pub(crate) use lead::with_parts as telling_stems;
pub(crate) use reference::{INDEFINITE, stems};
pub use reference::{ITEMS_LEFT_OUT, headings, is_shortened};
use shown::dated;
pub use shown::shown_text;
pub(crate) use shown::{bare, claim_text, escaped, linked_pages};

#[cfg(test)]
mod tests;
