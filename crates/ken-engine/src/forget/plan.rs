//! Makes one plan of a forgetting: what is covered, what goes, and the line of the list.

use std::collections::BTreeMap;

use ken_core::redact::{name_for, redacted};
use ken_core::{Basis, Edit, LogEntry, Plan};

use super::sweep::{Fate, Sweep};
use super::*;
use crate::ingest::register_path;

/// What was decided about a vault.
pub(super) struct Decided {
    pub(super) plan: Plan,
    /// What is registered afterwards, where the register is covered in the same plan.
    pub(super) after: Option<Plan>,
    pub(super) rows: Vec<ForgetRow>,
    pub(super) left: Vec<ForgetLeft>,
}

/// A forgetting while it is decided.
#[derive(Default)]
struct Deciding {
    edits: Vec<Edit>,
    rows: Vec<ForgetRow>,
    left: Vec<ForgetLeft>,
    /// Lines for the register.
    register: String,
    /// Documents that are not to come in again.
    documents: Vec<String>,
}

impl Deciding {
    fn note(&mut self, holder: Holder, path: &VaultPath, deed: Deed, edit: Edit) {
        self.rows.push(ForgetRow { holder, path: path.clone(), deed });
        self.edits.push(edit);
    }
}

impl Engine {
    /// Decides about every file and makes the plan.
    pub(super) fn decide_forgetting(
        &self,
        (aim, needle): (&Aim, &Needle),
        chosen: Chosen,
        (texts, also): (&Texts, &[VaultPath]),
    ) -> Result<Decided, Failure> {
        let mut deciding = Deciding::default();
        for path in &chosen.gone {
            self.goes(path, texts, &mut deciding)?;
        }
        for (path, spans) in &chosen.cuts {
            if let Some(text) = texts.get(path) {
                self.is_covered(path, (text, spans), (texts, needle), &mut deciding)?;
            }
        }
        for (path, text) in texts.sources.iter().filter(|(path, _)| !chosen.cuts.contains_key(*path)) {
            if !chosen.gone.contains(path) && names(needle, path) {
                self.is_covered(path, (text, &Vec::new()), (texts, needle), &mut deciding)?;
            }
        }
        let touched = touched(&chosen, texts);
        let n_before = deciding.rows.len();
        self.sweep_beside((&chosen, texts), &Sweep { engine: self, needle, touched: &touched, also }, &mut deciding)?;
        let is_derived = |row: &ForgetRow| matches!(row.holder, Holder::Undo | Holder::Cache);
        let is_only_derived = n_before == 0 && deciding.rows.iter().all(is_derived);
        if is_only_derived && !self.is_held_by_any(&deciding.rows, needle)? {
            // Nothing holds it: then no record of it has to go either.
            (deciding.rows, deciding.edits) = (Vec::new(), Vec::new());
        }
        deciding.rows.sort_by(|a, b| (a.holder, &a.path).cmp(&(b.holder, &b.path)));
        self.decided(aim, &chosen, deciding)
    }

    fn is_held_by_any(&self, rows: &[ForgetRow], needle: &Needle) -> Result<bool, Failure> {
        for row in rows {
            let bytes = self.store.read(&row.path)?.unwrap_or_default();
            if needle.is_in(&String::from_utf8_lossy(&bytes)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn decided(&self, aim: &Aim, chosen: &Chosen, deciding: Deciding) -> Result<Decided, Failure> {
        let Deciding { mut edits, rows, left, register, mut documents } = deciding;
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *counts.entry(row.holder.as_str().to_owned()).or_default() += 1);
        let in_journal = rows.iter().filter(|row| row.holder == Holder::Journal);
        let places = in_journal.flat_map(|row| match &row.deed {
            Deed::Covered(lines) => lines.iter().map(|(a, b)| format!("{}#L{a}-L{b}", row.path)).collect(),
            _ => Vec::new(),
        });
        documents.sort();
        documents.dedup();
        let sessions =
            chosen.sessions.iter().filter_map(|(session, until)| Some((self.key_of("session", session)?, *until)));
        let line = Line {
            days: aim.days,
            sessions: sessions.collect(),
            documents,
            places: places.collect(),
            counts: counts.clone(),
            ..Line::new(self.clock.now, aim.what, aim.key.clone())
        };
        let line = self.closed_line(line).ok_or_else(|| self.no_key().hint("nothing was changed"))?;
        let mut plan = self.list_plan(line, format!("forgot {}", aim.shown));
        plan.log.lines = counts.iter().map(|(sort, n)| format!("{sort}: {n}")).collect();
        let is_register_covered = edits.iter().any(|edit| *edit.path() == register_path());
        let append = |content: String| Edit::Append {
            path: register_path(),
            preamble: Vec::new(),
            content: content.into_bytes(),
        };
        let registering = Some(register).filter(|lines| !lines.is_empty()).map(append);
        let mut after = None;
        match registering {
            Some(append) if is_register_covered => {
                let log = LogEntry { public: false, lines: Vec::new(), ..plan.log.clone() };
                after = Some(Plan { edits: vec![append], guards: Vec::new(), log });
            }
            registering => edits.extend(registering),
        }
        plan.edits.extend(edits);
        Ok(Decided { plan, after, rows, left })
    }

    /// The plan that adds a line to the list.
    pub(super) fn list_plan(&self, line: String, subject: String) -> Plan {
        let log = LogEntry {
            at: self.clock.now,
            kind: "forget".to_owned(),
            subject,
            lines: Vec::new(),
            inputs: Vec::new(),
            public: true,
        };
        let append = Edit::Append { path: list_path(), preamble: Vec::new(), content: line.into_bytes() };
        Plan { edits: vec![append], guards: Vec::new(), log }
    }

    /// A file of which nothing is left.
    fn goes(&self, path: &VaultPath, texts: &Texts, deciding: &mut Deciding) -> Result<(), Failure> {
        let Some(bytes) = self.store.read(path)? else { return Ok(()) };
        let layout = self.layout();
        let holder = match () {
            () if texts.talk.contains_key(path) => Holder::Talk,
            () if layout.is_page(path) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if parse_page(path, text).value.is_owned() { Holder::Compiled } else { Holder::Page }
            }
            () if path.is_under(ken_core::layout::TOOL_FOLDER) => Holder::Answer,
            () => Holder::Source,
        };
        match holder {
            Holder::Source => deciding.documents.extend(self.document_keys(path, &bytes)?),
            Holder::Talk => deciding.documents.extend(self.key_of("talk", path.as_str())),
            _ => {}
        }
        deciding.note(holder, path, Deed::Removed, Basis::of(path, Some(&bytes)).forget());
        Ok(())
    }

    /// A text of which parts are covered; a source whose name holds them gets another name.
    fn is_covered(
        &self,
        path: &VaultPath,
        (text, spans): (&str, &Vec<Span>),
        (texts, needle): (&Texts, &Needle),
        deciding: &mut Deciding,
    ) -> Result<(), Failure> {
        let basis = Basis::of(path, Some(text.as_bytes()));
        let cuts = covering(spans.clone());
        let holder = match () {
            () if texts.journal.contains_key(path) => Holder::Journal,
            () if texts.talk.contains_key(path) => Holder::Talk,
            () => Holder::Source,
        };
        if holder == Holder::Source {
            deciding.documents.extend(self.document_keys(path, text.as_bytes())?);
            let bytes = redacted(text.as_bytes(), &cuts).unwrap_or_default();
            if names(needle, path)
                && let Some(new) = self.free_name(path, needle)?
            {
                deciding.register.push_str(&self.registered_as(path, &new, &bytes)?.unwrap_or_default());
                deciding.documents.extend(self.key_of("document", new.as_str()));
                deciding.edits.push(Basis::nothing(new.clone()).replace(bytes));
                deciding.note(holder, path, Deed::Renamed(new), basis.forget());
                return Ok(());
            }
            deciding.register.push_str(&self.registered_again(path, &bytes)?.unwrap_or_default());
        }
        deciding.note(holder, path, Deed::Covered(lines_of(text, spans)), basis.redact(cuts));
        Ok(())
    }

    /// What recognises a document, should it come again.
    fn document_keys(&self, path: &VaultPath, bytes: &[u8]) -> Result<Vec<String>, Failure> {
        let digest = Digest::of(bytes).to_string();
        let origin = self.origin_of(path)?;
        let keys = [("bytes", Some(digest)), ("document", Some(path.to_string())), ("origin", origin)];
        Ok(keys.into_iter().filter_map(|(sort, text)| self.key_of(sort, &text?)).collect())
    }

    /// The name of a file without what is forgotten; none where there can be none.
    fn free_name(&self, path: &VaultPath, needle: &Needle) -> Result<Option<VaultPath>, Failure> {
        let mut name = path.as_str().to_owned();
        for span in needle.spans(path.as_str()).into_iter().rev() {
            name.replace_range(span.start..span.end, &name_for(FORGOTTEN));
        }
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, "md"));
        for n in 1..1000 {
            let free = if n == 1 { name.clone() } else { format!("{stem}-{n}.{extension}") };
            let Some(free) = VaultPath::new(&free) else { return Ok(None) };
            if self.store.stat(&free)?.is_none() {
                return Ok(Some(free));
            }
        }
        Ok(None)
    }

    /// Decides about everything beside the texts.
    fn sweep_beside(
        &self,
        (chosen, texts): (&Chosen, &Texts),
        sweep: &Sweep<'_>,
        deciding: &mut Deciding,
    ) -> Result<(), Failure> {
        let mut files = self.files_beside(texts)?;
        files.retain(|file| !chosen.gone.contains(&file.path));
        let decided = self.store.map_files(&files, |file, bytes| {
            let fate = sweep.fate(&file.path, &bytes);
            (fate != Fate::Stays)
                .then(|| (fate, Basis::of(&file.path, Some(&bytes)), String::from_utf8_lossy(&bytes).into_owned()))
        })?;
        for (fate, basis, text) in decided.into_iter().flatten().flatten() {
            let path = basis.path().clone();
            match fate {
                Fate::Stays => {}
                Fate::Goes(holder) => deciding.note(holder, &path, Deed::Removed, basis.forget()),
                Fate::Covered(holder, cuts) => {
                    let lines = lines_of(&text, &cuts.iter().map(|cut| cut.span).collect::<Vec<Span>>());
                    deciding.note(holder, &path, Deed::Covered(lines), basis.redact(cuts));
                }
                Fate::Left(span, why) => {
                    let line = lines_of(&text, &[span]).first().map(|lines| lines.0);
                    deciding.left.push(ForgetLeft { path: path.to_string(), line, why });
                }
            }
        }
        Ok(())
    }
}

/// Whether a name or a pattern stands in the name of a file.
fn names(needle: &Needle, path: &VaultPath) -> bool {
    !matches!(needle, Needle::Traces(_)) && needle.is_in(path.as_str())
}

/// The lines that are covered, by file.
fn touched(chosen: &Chosen, texts: &Texts) -> BTreeMap<String, Option<Vec<(usize, usize)>>> {
    let gone = chosen.gone.iter().map(|path| (path.to_string(), None));
    let cut = chosen.cuts.iter().filter_map(|(path, spans)| {
        let text = texts.get(path)?;
        Some((path.to_string(), Some(lines_of(text, spans))))
    });
    let all: BTreeMap<_, _> = cut.chain(gone).collect();
    debug_assert!(all.len() <= chosen.cuts.len() + chosen.gone.len());
    all
}
