//! Rules about how pages hang together: links, relations, backlinks, size.

use std::borrow::Cow;
use std::collections::BTreeSet;

use strsim::levenshtein;

use super::{Context, Rule, field_span};
use crate::diagnostic::{Diagnostic, Severity};
use crate::header::FieldName;
use crate::index::part::INDEX;
use crate::link::{Link, page_links};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::snapshot::{PageFacts, Snapshot};
use crate::span::Span;

/// A page should have this many words; fewer is likely incomplete.
const SPARSE_WORDS: usize = 200;

/// Links that the closest page is looked for: each is compared with every page, and who has more of them has
/// other troubles than a slip of the pen.
const SPELLED_MAX: usize = 100;

/// A link to nothing.
pub(super) struct BrokenLink;

impl Rule for BrokenLink {
    fn name(&self) -> &'static str {
        "broken-link"
    }
    fn severity(&self) -> Severity {
        Severity::Error
    }
    fn doc(&self) -> &'static str {
        "a link leads to no page; readers follow links, and a link to nothing costs them a search"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let (mut spelled, mut n_spelled) = (None, 0);
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate() {
            let unresolved = facts.links.iter().zip(&cx.snapshot.leads(page_idx).links).filter(|(_, to)| to.is_none());
            for link in unresolved.map(|(link, _)| link).filter(|link| link.vault.is_none()) {
                let Some(target) = wanted_by(link, cx.snapshot, (&facts.page.path, &facts.page.text)) else { continue };
                let target = target.as_ref();
                let span = Span::new(link.span.start, link.span.end);
                let message = format!("no page named `{}`", crate::text::cut(target, 120));
                let mut diagnostic = Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message);
                n_spelled += 1;
                let close = |target| spelled.get_or_insert_with(|| Spelled::new(cx.snapshot)).closest(target);
                if let Some(close) = (n_spelled <= SPELLED_MAX).then_some(target).and_then(close) {
                    diagnostic = diagnostic.hint(format!("the closest page is `{close}`"));
                }
                out.push(diagnostic);
            }
        }
        self.check_pointers(cx, out);
    }
}

impl BrokenLink {
    /// Looks at what the indexes of other tools point to.
    fn check_pointers(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let snapshot = cx.snapshot;
        for (path, text) in snapshot.index_files.iter().filter(|(path, _)| snapshot.layout.tells(path)) {
            // What stands between the marks is generated, and right once it is generated again.
            let ours = text.find(INDEX.begin).unwrap_or(text.len());
            for link in page_links(text, Span::new(0, ours)).into_iter().filter(|link| link.vault.is_none()) {
                let Some(target) = wanted_by(&link, snapshot, (path, text)) else { continue };
                let message = format!("no page named `{}`", crate::text::cut(&target, 120));
                out.push(Diagnostic::new(self.name(), self.severity(), path, link.span, message));
            }
        }
    }
}

/// The page that a link of a file wants and that is not there; none where something else may well stand there.
fn wanted_by<'t>(link: &Link, snapshot: &Snapshot, (path, text): (&VaultPath, &'t str)) -> Option<Cow<'t, str>> {
    let target = link.name(text);
    // A file that is no page may well stand there.
    let is_elsewhere = || link.names_file(text) && !snapshot.may_be_page(path, &target);
    let is_there = target.is_empty() || is_other_file(&target) || snapshot.is_known(&target) || is_elsewhere();
    (!is_there).then_some(target)
}

/// Returns the names that a page links or relates to and that no page has, in the order in which it says them.
pub fn wanted(snapshot: &Snapshot, page_idx: usize) -> Vec<String> {
    let (facts, leads) = (&snapshot.pages[page_idx], snapshot.leads(page_idx));
    let file = (&facts.page.path, facts.page.text.as_str());
    let links = facts.links.iter().zip(&leads.links).filter(|(link, to)| to.is_none() && link.vault.is_none());
    let linked = links.filter_map(|(link, _)| wanted_by(link, snapshot, file)).map(Cow::into_owned);
    let related = facts.entry.high.iter().chain(&facts.entry.mid).zip(&leads.relations);
    let related = related.filter(|(_, to)| to.is_none()).map(|(relation, _)| relation.target.clone());
    let redirect = facts.entry.redirect_to.clone().filter(|target| snapshot.find(target).is_none());
    linked.chain(related).chain(redirect).collect()
}

/// Pictures and other attachments are not pages.
fn is_other_file(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target);
    name.rsplit_once('.').is_some_and(|(stem, ext)| {
        let is_extension = (1..=5).contains(&ext.len()) && ext.bytes().all(|byte| byte.is_ascii_alphanumeric());
        !stem.is_empty()
            && is_extension
            && !matches!(ext, "md" | "html" | "htm" | "txt")
            && !ext.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The slugs of a vault, with what tells most of them from a wanted one without comparing letters.
struct Spelled<'a> {
    slugs: Vec<(&'a Slug, u64, usize)>,
}

impl<'a> Spelled<'a> {
    fn new(snapshot: &'a Snapshot) -> Spelled<'a> {
        let spelled = |slug: &'a Slug| (slug, letters(slug.as_str()), slug.as_str().chars().count());
        Spelled { slugs: snapshot.pages.iter().map(|facts| spelled(&facts.entry.slug)).collect() }
    }

    /// The page whose slug differs least, if it differs by at most a third of its letters.
    fn closest(&self, target: &str) -> Option<Slug> {
        let wanted = Slug::from_text(target.rsplit('/').next().unwrap_or(target))?;
        let (own, len) = (letters(wanted.as_str()), wanted.as_str().chars().count());
        let max = len / 3;
        // An edit brings at most one letter in and takes at most one away.
        let may_be_near = |(_, letters, n): &&(&Slug, u64, usize)| {
            let differing = (letters & !own).count_ones().max((own & !letters).count_ones());
            differing as usize <= max && n.abs_diff(len) <= max
        };
        let near =
            self.slugs.iter().filter(may_be_near).map(|(slug, ..)| (levenshtein(wanted.as_str(), slug.as_str()), slug));
        near.filter(|(distance, _)| *distance <= max).min().map(|(_, slug)| (*slug).clone())
    }
}

/// The letters of a text as bits; two letters may share one.
fn letters(text: &str) -> u64 {
    text.chars().fold(0, |bits, ch| bits | 1 << (ch as u32 % 64))
}

/// A relation to nothing.
pub(super) struct BrokenRelation;

impl Rule for BrokenRelation {
    fn name(&self) -> &'static str {
        "broken-relation"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a high or mid relation names no page, so routing cannot load it"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate() {
            let mut found = cx.snapshot.leads(page_idx).relations.iter();
            for (field, relations) in [(FieldName::High, &facts.entry.high), (FieldName::Mid, &facts.entry.mid)] {
                for relation in relations.iter().filter(|_| found.next().is_some_and(Option::is_none)) {
                    let message =
                        format!("relation to `{}`, but no page has that name", crate::text::cut(&relation.target, 120));
                    out.push(Diagnostic::new(
                        self.name(),
                        self.severity(),
                        &facts.page.path,
                        field_span(facts, field),
                        message,
                    ));
                }
            }
        }
    }
}

/// Whether a page is compiled: what it says and where it leads follows from its sources, and nobody can mend it by hand.
fn is_compiled(facts: &PageFacts) -> bool {
    facts.entry.is_owned
}

/// A page nothing leads to.
pub(super) struct Orphan;

impl Rule for Orphan {
    fn name(&self) -> &'static str {
        "orphan"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "no other page links or relates to a page of yours; only its own words lead to it"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let mut reached = vec![false; cx.snapshot.pages.len()];
        for page_idx in 0..cx.snapshot.pages.len() {
            cx.snapshot.leads(page_idx).pages.iter().for_each(|target| reached[*target] = true);
        }
        let lonely = cx
            .snapshot
            .pages
            .iter()
            .zip(reached)
            .filter(|(facts, reached)| !reached && facts.entry.redirect_to.is_none() && !is_compiled(facts));
        for (facts, _) in lonely.filter(|_| cx.snapshot.pages.len() > 1) {
            let message = "no page links or relates to this page".to_owned();
            out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, Span::new(0, 0), message));
        }
    }
}

/// A link that is not returned.
pub(super) struct MissingBacklink;

impl Rule for MissingBacklink {
    fn name(&self) -> &'static str {
        "missing-backlink"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "a page of yours links to another that does not link back"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate().filter(|(_, facts)| !is_compiled(facts)) {
            let mut seen = BTreeSet::new();
            for (link, target) in facts.links.iter().zip(&cx.snapshot.leads(page_idx).links) {
                let Some(target) = *target else { continue };
                let is_returned = || cx.snapshot.leads(target).pages.binary_search(&page_idx).is_ok();
                let is_other = target != page_idx && !is_compiled(&cx.snapshot.pages[target]);
                if is_other && !is_returned() && seen.insert(target) {
                    let message = format!("`{}` does not link back", cx.snapshot.pages[target].entry.slug);
                    out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, link.span, message));
                }
            }
        }
    }
}

/// A page with little in it.
pub(super) struct SparsePage;

impl Rule for SparsePage {
    fn name(&self) -> &'static str {
        "sparse-page"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "a page of yours has fewer than 200 words and is likely incomplete"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let is_sparse = |facts: &&PageFacts| {
            facts.n_words < SPARSE_WORDS && facts.entry.redirect_to.is_none() && !is_compiled(facts)
        };
        for facts in cx.snapshot.pages.iter().filter(is_sparse) {
            let message = format!("page has {} words, fewer than {SPARSE_WORDS}", facts.n_words);
            out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, Span::new(0, 0), message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_apart_by_its_letters_is_further_than_a_third() {
        for (a, b) in [("harbour", "harbor"), ("lamp", "ramp"), ("tide", "xyzw"), ("città", "citta"), ("a", "b")] {
            let (own, other) = (letters(a), letters(b));
            let differing = (own & !other).count_ones().max((other & !own).count_ones()) as usize;
            assert!(differing <= levenshtein(a, b), "{a} {b}");
        }
    }

    #[test]
    fn attachments_are_not_pages_but_versions_may_be() {
        assert!(
            is_other_file("a/b.png")
                && !is_other_file("release v1.2")
                && !is_other_file("x.md")
                && !is_other_file("plain")
        );
    }
}
