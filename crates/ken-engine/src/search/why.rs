//! Why a page was not found.

use ken_core::search::{Partition, Scope};
use ken_core::{Slug, VaultPath};

use super::ask::{Asked, Ranked};
use crate::engine::Engine;
use crate::failure::Failure;

/// Returns why a page is not among the results, and what it lacks.
pub(super) fn why_not(
    engine: &Engine,
    asked: &Asked<'_>,
    name: &str,
    ranked: &Ranked,
    scope: &Scope,
) -> Result<String, Failure> {
    let path = VaultPath::new(name).filter(|path| asked.has_file(path));
    let path = match path {
        Some(path) => path,
        None => {
            let catalog = engine.catalog()?;
            let slug = Slug::from_text(name.trim_end_matches(".md"));
            let found = slug.and_then(|slug| catalog.find(&slug));
            let page = found.ok_or_else(|| engine.no_such_page(name, catalog.as_ref()))?;
            catalog.entry(page).path
        }
    };
    if let Some(at) = ranked.hits.iter().position(|hit| hit.facts.path == path) {
        return Ok(format!("`{path}` is result {}", at + 1));
    }
    let Some((facts, missing, score)) = asked.look_at(&path) else {
        return Ok(format!("`{path}` is not in the index"));
    };
    if facts.partition == Partition::Evidence {
        return Ok(format!("`{path}` is no page but evidence; it is listed there or not by its own score"));
    }
    if !scope.has(&facts.scoped()) {
        return Ok(format!("`{path}` is outside what the search was narrowed to"));
    }
    let has_none = missing.len() == asked.n_asked();
    let last = ranked.hits.last().map(|hit| hit.score);
    Ok(match (has_none, last) {
        (true, _) => format!("`{path}` has none of the question's words"),
        (false, Some(last)) if score < last => {
            let lacks = if missing.is_empty() { String::new() } else { format!("; it lacks {}", missing.join(", ")) };
            format!("`{path}` scores {score:.2}, the last result {last:.2}{lacks}")
        }
        _ => format!("`{path}` has no passage with the phrase, or has a word that was left out with `-`"),
    })
}
