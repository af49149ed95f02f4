//! Pages that a command makes, or marks: new ones, redirects, retired ones.

use ken_core::header::{FieldName, TLDR_CHARS_MAX};
use ken_core::link::without_links;
use ken_core::page::past::RETIRED;
use ken_core::text::{cut, one_line, sentences};
use ken_core::{Category, Slug};
use ken_intake::scrub::scrub;

use super::NewPage;
use super::view::{Change, View, called, slug_of};
use crate::failure::Failure;

/// What stands on a new page of a category, below its first words: headings or labels, each with the part of the command
/// that fills it.
type Form = &'static [(&'static str, Part)];

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Why,
    How,
    Open,
}

/// The form of each category that a person makes pages of.
const FORMS: &[(Category, Form)] = &[
    (Category::Concept, &[("**Why:**", Part::Why), ("**How to apply:**", Part::How)]),
    (Category::Project, &[("**Why:**", Part::Why), ("**How to apply:**", Part::How)]),
    (Category::Entity, &[]),
    (Category::Reference, &[("## Where to find it", Part::Open), ("## When to use it", Part::Open)]),
    (Category::Theme, &[("## What recurs", Part::Open), ("## Common positions", Part::Open)]),
    (Category::Connection, &[("## What joins them", Part::Why), ("## What follows", Part::How)]),
];

/// Makes a page from the form of its category.
pub(super) fn new(view: &mut View<'_>, new: &NewPage) -> Result<Change, Failure> {
    let title = one_line(&new.title);
    let (title, mut redactions) = covered(&title);
    let slug = slug_of(&title)?;
    let Some((_, form)) = FORMS.iter().find(|(category, _)| *category == new.category) else {
        return Err(Failure::usage(format!("pages of the category `{}` are not made by hand", new.category.as_str()))
            .hint("`ken ask --file-back` files a question; a trajectory is of what the journal says"));
    };
    let path = view.free_place(&title, &view.folder_of(new.category), None)?;
    let mut said = |text: &Option<String>| {
        let (text, n) = covered(text.as_deref().unwrap_or_default().trim());
        redactions += n;
        text
    };
    let (lede, why, how) = (said(&new.lede), said(&new.why), said(&new.how));
    let mut text = view.with("", FieldName::Category, new.category.as_str());
    text = view.with(&text, FieldName::Title, title.as_str());
    if let Some(first) = sentences(&lede).first().map(|first| one_line(&without_links(first.of(&lede)))) {
        text = view.with(&text, FieldName::Tldr, cut(&first, TLDR_CHARS_MAX - 1).as_str());
    }
    let today = view.engine.clock.today().to_string();
    text = view.with(&text, FieldName::Created, today.as_str());
    text.push_str(&format!("# {title}\n"));
    if !lede.is_empty() {
        text.push_str(&format!("\n{lede}\n"));
    }
    for (label, part) in *form {
        let filled = match part {
            Part::Why => &why,
            Part::How => &how,
            Part::Open => "",
        };
        let gap = if label.starts_with('#') && !filled.is_empty() { "\n\n" } else { " " };
        text.push_str(format!("\n{label}{gap}{filled}").trim_end());
        text.push('\n');
    }
    view.put(&path, text);
    let mut change = Change::of("page new", slug.to_string(), slug, Some(path.clone()));
    change.lines.push(format!("Made: {path}"));
    change.redactions = redactions;
    Ok(change)
}

fn covered(text: &str) -> (String, usize) {
    let (text, n) = scrub(text);
    (text.into_owned(), n)
}

/// Lets a name lead to a page.
pub(super) fn redirect(view: &mut View<'_>, from: &str, to: &str) -> Result<Change, Failure> {
    let target = view.page(to)?;
    let target = match end_of(view, &target)? {
        Some(end) => end,
        None => target,
    };
    let title = one_line(from);
    let slug = slug_of(&title)?;
    let standing = view.snapshot.named(&slug).map(|page_idx| view.snapshot.pages[page_idx].clone());
    if slug == target.entry.slug || standing.as_ref().is_some_and(|own| own.page.path == target.page.path) {
        return Err(Failure::refused(format!("`{slug}` leads to `{}` already", target.entry.slug)));
    }
    let (path, title) = match standing {
        Some(page) if page.entry.redirect_to.is_some() => {
            view.refuse_foreign(&page.page.path)?;
            (page.page.path, page.entry.title)
        }
        Some(page) => {
            let own = page.entry.slug;
            return Err(Failure::refused(format!("`{own}` is a page of its own")).hint(format!(
                "`ken page merge {own} {}` puts what it says there and leaves a redirect",
                target.entry.slug
            )));
        }
        None => (view.free_place(&title, &view.folder_of(target.entry.category), None)?, title),
    };
    let text = view.redirect_text(&title, &called(&target));
    view.put(&path, text);
    let subject = format!("{slug} -> {}", target.entry.slug);
    Ok(Change::of("page redirect", subject, slug, Some(path)))
}

/// The page at the end of a chain of redirects that begins with this one; none where it is no redirect.
fn end_of(
    view: &View<'_>,
    start: &ken_core::snapshot::PageFacts,
) -> Result<Option<ken_core::snapshot::PageFacts>, Failure> {
    let mut at = start.clone();
    for _ in 0..=view.snapshot.pages.len() {
        let Some(target) = &at.entry.redirect_to else {
            return Ok((at.page.path != start.page.path).then_some(at));
        };
        let Some(next) = view.snapshot.find(target) else {
            return Err(Failure::refused(format!("`{}` is a redirect to `{target}`, which is no page", at.entry.slug)));
        };
        at = view.snapshot.pages[next].clone();
    }
    Err(Failure::refused(format!("the redirects from `{}` lead in a circle", start.entry.slug))
        .hint("`ken lint` names them"))
}

/// Takes a page out of use: it is kept, marked, and not routed.
pub(super) fn retire(view: &mut View<'_>, name: &str, because: &str) -> Result<Change, Failure> {
    let facts = view.changeable(name)?;
    let slug: Slug = facts.entry.slug.clone();
    let (because, redactions) = covered(&one_line(because));
    if because.is_empty() {
        return Err(Failure::usage("no reason is given").hint("say why with `--because \"…\"`"));
    }
    if facts.entry.past.as_deref().is_some_and(|past| past.starts_with(RETIRED)) {
        return Err(Failure::refused(format!("`{slug}` is retired already"))
            .hint(format!("`ken page restore {slug}` takes it into use again")));
    }
    if super::view::is_html(&facts.page.path) {
        return Err(Failure::refused(format!("`{}` is no Markdown page", facts.page.path)));
    }
    let mut text = facts.page.text.clone();
    if facts.entry.is_owned {
        view.subject(&facts)?;
        text = view.with(&text, FieldName::Owner, "person");
    }
    text = view.with(&text, FieldName::Status, RETIRED);
    text = view.with(&text, FieldName::StaleReason, because.as_str());
    view.put(&facts.page.path, text);
    let mut change = Change::of("page retire", slug.to_string(), slug.clone(), Some(facts.page.path.clone()));
    change.lines.push(format!("Because: {because}"));
    change.redactions = redactions;
    if facts.entry.is_owned {
        change.notes.push(format!("what the journal goes on to say of `{slug}` makes no page until it is restored"));
    }
    Ok(change)
}
