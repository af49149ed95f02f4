//! The pages of filed answers: made from their records, like other pages from journal and sources.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ken_core::answer::{Stands, render_answer_page};
use ken_core::header::FieldName;
use ken_core::page::parse_page;
use ken_core::{Basis, Edit, Page, VaultPath};

use super::plan::{may_replace, note_page};
use crate::ask::{VaultLook, is_filed_answer, wiki_names};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use crate::wiki::Wiki;

impl Engine {
    /// Adds the edits of answers' pages; `edits` holds what the plan does to all others.
    pub(super) fn plan_answers(
        &self,
        wiki: &mut Wiki,
        edits: &mut Vec<Edit>,
        outcome: &mut CompileOutcome,
    ) -> Result<(), Failure> {
        let records = self.answer_records()?;
        outcome.skipped.extend(records.damaged.iter().cloned());
        let names = if records.answers.is_empty() { BTreeMap::new() } else { wiki_names(wiki) };
        let find = |slug: &ken_core::Slug| names.get(slug).cloned();
        let look = VaultLook::new(self, &find, planned(edits));
        let mut own: Vec<Edit> = Vec::new();
        for (slug, filed) in &records.answers {
            let path = self.answer_page(slug);
            let current = self.store.read(&path)?;
            let (text, _) = render_answer_page(filed, &look);
            let is_persons = current.as_deref().is_some_and(|bytes| !is_made_from_record(&path, bytes));
            if is_persons || wiki.is_unmerged(&path) || current.as_deref() == Some(text.as_bytes()) {
                continue;
            }
            may_replace(wiki, &path, current.as_deref())?;
            let changed = if current.is_some() { &mut outcome.updated } else { &mut outcome.created };
            changed.push(slug.clone());
            note_page(wiki, &path, &text);
            own.push(Basis::of(&path, current.as_deref()).replace(text));
        }
        edits.append(&mut own);
        let kept: BTreeSet<VaultPath> = records.slugs.iter().map(|slug| self.answer_page(slug)).collect();
        let is_gone = |path: &VaultPath| !kept.contains(path) && !wiki.is_unmerged(path);
        let gone = wiki.pages().filter(|(path, sort)| is_filed_answer(*sort) && is_gone(path));
        for path in gone.map(|(path, _)| path.clone()).collect::<Vec<_>>() {
            let Some(bytes) = self.store.read(&path)?.filter(|bytes| is_made_from_record(&path, bytes)) else {
                continue;
            };
            may_replace(wiki, &path, Some(&bytes))?;
            edits.push(Basis::of(&path, Some(&bytes)).remove());
            outcome.removed.push(ken_core::page::page_slug(&path));
            wiki.files.remove(&path);
        }
        Ok(())
    }

    /// Returns the text that the record of a page gives it now, if it has one.
    pub(super) fn answer_text(&self, page: &Page) -> Result<Option<(String, Stands)>, Failure> {
        let slug = page.slug();
        if page.category() != ken_core::Category::Question || self.answer_page(&slug) != page.path {
            return Ok(None);
        }
        let records = self.answer_records()?;
        let look = VaultLook::new(self, &|_| None, BTreeMap::new());
        let filed = records.answers.iter().find(|(known, _)| *known == slug);
        Ok(filed.map(|(_, filed)| render_answer_page(filed, &look)))
    }
}

/// Whether a page carries what only the compiler writes; others are a person's, whatever folder they lie in.
fn is_made_from_record(path: &VaultPath, bytes: &[u8]) -> bool {
    let page = str::from_utf8(bytes).ok().map(|text| parse_page(path, text.to_owned()).value);
    page.is_some_and(|page| page.is_owned() && page.scalar(FieldName::BodyDigest).is_some())
}

/// What files will say when the plan is applied. A first compile writes ten thousand pages: none is held twice.
fn planned(edits: &[Edit]) -> BTreeMap<VaultPath, Option<Cow<'_, str>>> {
    fn text(edit: &Edit) -> Option<(VaultPath, Option<Cow<'_, str>>)> {
        match edit {
            Edit::Write { basis, content } => {
                Some((basis.path().clone(), str::from_utf8(content).ok().map(Cow::Borrowed)))
            }
            Edit::Remove { basis } => Some((basis.path().clone(), None)),
            Edit::Append { .. } | Edit::Redact { .. } | Edit::Erase { .. } | Edit::Forget { .. } => None,
        }
    }
    edits.iter().filter_map(text).collect()
}
