//! Several compiled pages that become redirects in one change, and a page that is taken out of the archive.

use ken_core::link::rewrite::Move;
use ken_core::snapshot::PageFacts;
use ken_core::{LogEntry, Slug};

use super::PageOutcome;
use super::view::{View, called};
use crate::compile::beside::Beside;
use crate::compile::{CompileOptions, Standing};
use crate::engine::Engine;
use crate::failure::Failure;

impl Engine {
    /// Returns the pages as they are once each of the first is a redirect to the second, and the pages that there must be
    /// then.
    pub(crate) fn joined_pages(&self, pairs: &[(Slug, Slug)]) -> Result<(View<'_>, Vec<Slug>), Failure> {
        let mut view = View::of(self)?;
        let (mut moves, mut expects) = (Vec::new(), Vec::new());
        for (from, into) in pairs {
            let (from, into) = (view.changeable(from.as_str())?, view.changeable(into.as_str())?);
            view.subject(&from)?;
            view.subject(&into)?;
            let redirect = view.redirect_text(&from.entry.title, &called(&into));
            view.put(&from.page.path, redirect);
            expects.push(into.entry.slug.clone());
            moves.push(Move { from: called(&from), to: called(&into), part: None, heading: None });
        }
        view.rewrite_references(moves);
        expects.sort();
        expects.dedup();
        Ok((view, expects))
    }

    /// Takes a compiled page out of the archive, by its record; the page follows from that.
    pub(super) fn take_out_of_archive(&self, facts: &PageFacts, dry_run: bool) -> Result<PageOutcome, Failure> {
        let slug = facts.entry.slug.clone();
        let Some(edit) = self.taken_into_use(&slug)? else {
            return Err(Failure::refused(format!("nothing says why `{slug}` is in the archive"))
                .hint("`ken compile` puts it where journal and records have it"));
        };
        let guard = if dry_run { None } else { Some(self.lock("page")?) };
        let log = LogEntry {
            at: self.clock.now,
            kind: "page restore".to_owned(),
            subject: slug.to_string(),
            lines: Vec::new(),
            inputs: Vec::new(),
            public: true,
        };
        let beside = Beside {
            edits: vec![edit],
            log,
            expects: vec![slug.clone()],
            around: &|_, text| text.to_owned(),
            tells_compiled: false,
        };
        let options = CompileOptions { dry_run, ..CompileOptions::default() };
        let (compiled, plan) =
            self.compile_under(guard.as_ref(), (options, &mut Standing::default()), Some(&beside))?;
        Ok(PageOutcome {
            kind: "page restore".to_owned(),
            path: self.stands_at(&slug, Some(facts.page.path.clone()), dry_run),
            slug,
            changed: plan.edits.iter().map(|edit| edit.path().clone()).collect(),
            n_references: 0,
            journal: None,
            redactions: 0,
            notes: Vec::new(),
            diff: compiled.diff,
        })
    }
}
