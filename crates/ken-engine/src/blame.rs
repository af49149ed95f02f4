//! Where each line of a page comes from: claim, citations, journal entry, session, operation; and why a claim is what
//! it is. Writes nothing.
//!
//! Reads the page, the files that it cites, the operation log and the recorded replies. What the page says of its claims
//! is read by [`ken_core::page::outline`]; `trace` follows citations, `reason` judges.

mod reason;
mod speech;
pub(crate) mod trace;

use ken_core::header::FieldName;
use ken_core::index::Catalog;
use ken_core::page::outline::{self, What, carriers};
use ken_core::page::parse_page;
use ken_core::{Category, LineIndex, Page, Slug, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{BlameOutcome, BlamedRow, Made, PageOf, Proof, Stands};
use crate::query::find_page;
use crate::wiki::is_edited_by_hand;
use ken_compile::html;
use reason::Judge;
pub(crate) use reason::statement;
use trace::Tracer;

/// What stands behind the name of the page of what the journal says of a person's page.
const COMPANION: &str = "-journal";

/// A name and the lines that stand behind it.
type Split<'n> = (&'n str, Option<(usize, usize)>);

impl Engine {
    /// Returns where the lines of a page come from: `PAGE`, `PAGE:LINE` or `PAGE:FROM-TO`, where the page is named as for
    /// [`Engine::show`].
    ///
    /// # Errors
    /// When no page has that name, it has no such line, or the vault cannot be read.
    pub fn blame(&self, name: &str) -> Result<BlameOutcome, Failure> {
        let catalog = self.catalog()?;
        let (name, asked) = self.named(name, catalog.as_ref())?;
        let found = named_page(name, catalog.as_ref());
        let found = found.ok_or_else(|| self.no_such_page(name, catalog.as_ref()))?;
        self.blame_page(found, asked, catalog.as_ref(), &mut Tracer::new(self)?)
    }

    /// Says where the lines of a page come from, which was found by these redirects.
    pub(crate) fn blame_page(
        &self,
        (page_idx, redirected_from): (u32, Vec<Slug>),
        asked: Option<(usize, usize)>,
        catalog: &dyn Catalog,
        tracer: &mut Tracer<'_>,
    ) -> Result<BlameOutcome, Failure> {
        let path = catalog.entry(page_idx).path;
        let bytes = self.store.read(&path)?.unwrap_or_default();
        let (written, is_as_written) = tracer.written(&path, &bytes);
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::refused(format!("`{path}` is not UTF-8 text")).hint("nothing was changed"))?;
        let n_lines = LineIndex::new(&text).n_lines();
        if let Some((first, last)) = asked.filter(|(_, last)| *last > n_lines) {
            let what = if first == last { format!("no line {last}") } else { format!("no lines {first}-{last}") };
            return Err(Failure::refused(format!("`{path}` has {n_lines} lines, and {what}"))
                .hint(format!("`ken blame {}` shows all of them", ken_core::page::page_slug(&path))));
        }
        let page = parse_page(&path, text).value;
        let of = page_of(&page, catalog);
        let is_edited = is_edited_by_hand(&page);
        let rows = self.rows(&page, (&of, is_edited), asked, tracer, catalog);
        let notes = self.reading_notes();
        Ok(BlameOutcome {
            slug: page.slug(),
            title: page.title(),
            path,
            redirected_from,
            of,
            is_edited,
            written,
            is_as_written,
            n_lines,
            asked,
            rows,
            notes,
        })
    }

    fn rows(
        &self,
        page: &Page,
        (of, is_edited): (&PageOf, bool),
        asked: Option<(usize, usize)>,
        tracer: &mut Tracer<'_>,
        catalog: &dyn Catalog,
    ) -> Vec<BlamedRow> {
        let is_html = matches!(page.path.extension(), "html" | "htm");
        let plain = is_html.then(|| html::to_text(page.body().of(&page.text)));
        let before = page.text[..page.body().start].bytes().filter(|byte| *byte == b'\n').count();
        let plain = plain.map(|(text, map)| (text, map.into_iter().map(|line| line + before).collect::<Vec<_>>()));
        let all = outline::rows(page, plain.as_ref().map(|(text, map)| (text.as_str(), map.as_slice())));
        let is_asked = |lines: (usize, usize)| asked.is_none_or(|(first, last)| lines.0 <= last && first <= lines.1);
        let is_known = |name: &str| Slug::from_text(name).is_some_and(|slug| catalog.find(&slug).is_some());
        let judge = Judge::new(page, (of, is_edited), &all, &is_known);
        let mut out = Vec::new();
        for row in all.iter().filter(|row| is_asked(row.lines)) {
            let made = match &row.what {
                What::Claim(claim) => Made::Claim(Box::new(judge.judged(row.lines, claim, tracer))),
                What::Footnotes(of) => match asked {
                    Some((first, last)) if first == last => Made::Part("footnote", carriers(page, &all, first)),
                    _ => Made::Part(row.what.as_str(), of.clone()),
                },
                other => Made::Part(other.as_str(), Vec::new()),
            };
            let lines = match (&made, asked) {
                (Made::Part(..), Some((first, last))) => (row.lines.0.max(first), row.lines.1.min(last)),
                _ => row.lines,
            };
            out.push(BlamedRow { lines, made });
        }
        if let (true, Some(lines)) = (out.is_empty(), asked) {
            out.push(BlamedRow { lines, made: Made::Part("blank", Vec::new()) });
        }
        out
    }

    /// The page that an argument names, and the lines of it.
    fn named<'n>(&self, name: &'n str, catalog: &dyn Catalog) -> Result<Split<'n>, Failure> {
        let is_page = |name: &str| exact(name, catalog).is_some() || find_page(name, catalog).is_some();
        let splits = split_lines(name);
        let Some(first) = splits.first().copied() else { return Ok((name, None)) };
        // A title may end in a number.
        let (head, lines) = match splits.into_iter().find(|(head, _)| is_page(head)) {
            Some(split) => split,
            None if is_page(name) => return Ok((name, None)),
            None => first,
        };
        match lines {
            Some((first, last)) if 0 < first && first <= last => Ok((head, Some((first, last)))),
            _ => Err(Failure::usage(format!("`{}` names no lines", ken_core::text::cut(name, 120)))
                .hint("lines count from 1: `ken blame jwt:14`, `ken blame jwt:14-20`")),
        }
    }
}

/// The page that a place, slug, alias or title names, and the redirects that were followed to it.
pub(crate) fn named_page(name: &str, catalog: &dyn Catalog) -> Option<(u32, Vec<Slug>)> {
    let found = exact(name, catalog).map(|page_idx| (page_idx, Vec::new()));
    found.or_else(|| find_page(name, catalog))
}

/// The page at just this place: two pages may have one name.
fn exact(name: &str, catalog: &dyn Catalog) -> Option<u32> {
    let path = VaultPath::new(name)?;
    let is_here = |page_idx: &u32| catalog.entry(*page_idx).path == path;
    let named = catalog.find(&ken_core::page::page_slug(&path))?;
    // Only where another page has the name is there anything to look through.
    if is_here(&named) { Some(named) } else { (0..catalog.n_pages() as u32).find(is_here) }
}

/// An argument without the lines that it may end in (`:14`, `:14-20`, `:14:8` with a column), and those; what is meant
/// most likely first. Lines that are no numbers of this machine are none.
fn split_lines(name: &str) -> Vec<Split<'_>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let range = |text: &str| {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        (is_number(from) && is_number(to)).then(|| from.parse().ok().zip(to.parse().ok()))
    };
    let Some((head, last)) = name.rsplit_once(':').filter(|(head, _)| !head.is_empty()) else { return Vec::new() };
    let with_column =
        head.rsplit_once(':').filter(|(head, line)| is_number(last) && is_number(line) && !head.is_empty());
    let with_column = with_column.and_then(|(head, line)| Some((head, range(line)?)));
    with_column.into_iter().chain(range(last).map(|lines| (head, lines))).collect()
}

/// Whose a page is.
fn page_of(page: &Page, catalog: &dyn Catalog) -> PageOf {
    if page.is_owned() {
        return match page.category() {
            Category::Question => PageOf::Answer(page.scalar(FieldName::StaleSince)),
            _ => PageOf::Compiled,
        };
    }
    let companion = Slug::from_text(&format!("{}{COMPANION}", page.slug())).filter(|slug| {
        let leads_here = |entry: &ken_core::IndexEntry| {
            let mut high = entry.high.iter().filter_map(|relation| Slug::from_text(&relation.target));
            entry.is_owned && high.any(|target| target == page.slug())
        };
        catalog.find(slug).is_some_and(|page_idx| leads_here(&catalog.entry(page_idx)))
    });
    PageOf::Person { owner: page.scalar(FieldName::Owner).filter(|owner| !owner.trim().is_empty()), companion }
}

/// Whether none of some proofs stands any longer.
fn all_gone(proofs: &[Proof]) -> bool {
    let is_gone = |proof: &Proof| proof.cited.as_ref().map_or(true, |cited| matches!(cited.stands, Stands::Gone(_)));
    !proofs.is_empty() && proofs.iter().all(is_gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &[Split<'_>]) {
        assert_eq!(split_lines(name), expected, "{name}");
    }

    #[test]
    fn lines_stand_behind_a_colon() {
        check("jwt:14", &[("jwt", Some((14, 14)))]);
        check("knowledge/concepts/jwt.md:14-20", &[("knowledge/concepts/jwt.md", Some((14, 20)))]);
        check("jwt.md:14:8", &[("jwt.md", Some((14, 14))), ("jwt.md:14", Some((8, 8)))]);
        check("Configuration: Pager", &[]);
        check(":14", &[]);
        check("jwt:99999999999999999999999", &[("jwt", None)]);
    }
}
