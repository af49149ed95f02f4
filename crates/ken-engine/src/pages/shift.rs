//! Puts a page into another category or folder.

use ken_core::header::FieldName;
use ken_core::link::rewrite::{Called, Move};
use ken_core::{Category, VaultPath};

use super::view::{Change, View, called};
use crate::failure::Failure;

/// Moves a page; its name stays, so that nothing has to be left in its place.
pub(super) fn shift(
    view: &mut View<'_>,
    name: &str,
    category: Option<Category>,
    to: Option<&str>,
) -> Result<Change, Failure> {
    let facts =
        view.own(name, "its category is what its words or a model's reading say; a page of your own is moved")?;
    let (slug, old) = (facts.entry.slug.clone(), called(&facts));
    let wiki = view.engine.layout().wiki.clone();
    let folder = match (to, category) {
        (Some(folder), _) => {
            let folder = folder.trim_matches('/');
            let folder = folder.strip_prefix(&format!("{wiki}/")).unwrap_or(folder);
            if folder.is_empty() || folder == wiki.as_str() { Some(wiki.clone()) } else { wiki.join(folder) }
        }
        (None, Some(category)) => VaultPath::new(&view.folder_of(category)),
        (None, None) => return Err(Failure::usage("neither a category nor a folder is named")),
    };
    let path = folder.and_then(|folder| folder.join(old.path.file_name()));
    let path = path.filter(|path| view.engine.layout().is_page(path) && view.engine.layout().may_change(path));
    let Some(path) = path else {
        let to = to.unwrap_or_default();
        return Err(Failure::usage(format!("`{to}` is no folder for pages"))
            .hint(format!("folders are named as they lie inside `{wiki}`")));
    };
    view.refuse_foreign(&path)?;
    if path != old.path && view.engine.store.stat(&path)?.is_some() {
        return Err(Failure::refused(format!("a file stands at `{path}` already")));
    }
    let moves =
        vec![Move { from: old.clone(), to: Called { path: path.clone(), ..old.clone() }, part: None, heading: None }];
    let mut text = view.rewritten_by(&moves, (&old.path, &path), &facts.page.text);
    if let Some(category) = category.filter(|category| *category != facts.entry.category) {
        let has_field = facts.page.header.field(FieldName::Category).is_some();
        // Where the folder says it, a page without a header needs none.
        if has_field || ken_core::page::parse_page(&path, text.clone()).value.category() != category {
            text = view.with(&text, FieldName::Category, category.as_str());
        }
    }
    if path == old.path && text == facts.page.text {
        return Err(Failure::refused(format!("`{slug}` stands there already")));
    }
    if path != old.path {
        view.remove(&old.path);
    }
    view.put(&path, text);
    if path != old.path {
        view.rewrite_references(moves);
    }
    let mut change = Change::of("page move", slug.to_string(), slug, Some(path.clone()));
    change.lines.push(format!("{} -> {path}", old.path));
    Ok(change)
}
