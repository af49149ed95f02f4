//! Looks for secrets in what the vault already holds, and takes them out.
//!
//! Everything stored is read as it stands: journal, wiki, sources, reports, and the tool's own folder with
//! its operation log and undo records. With `fix` one plan covers every secret by its mark and erases the
//! tool's own files that hold one; what belongs to people is only reported, unless it was named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ken_core::layout::{SHARED_TALK, TOOL_FOLDER};
use ken_core::page::parse_page;
use ken_core::redact::{Cut, mark, redacted};
use ken_core::text::count;
use ken_core::{Basis, Edit, LineIndex, LogEntry, Plan, Span, VaultPath};
use ken_intake::outside;
use ken_intake::scrub::{Found, find};
use ken_store::FileStat;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::register_path;
use crate::outcome::{Cure, ScanOutcome, StoredSecret};

mod private;

pub(crate) use private::private_parts;

/// How to scan.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// Redact what is found, as one plan.
    pub fix: bool,
    /// Files and folders to look at; everything that is stored when there are none.
    pub paths: Vec<PathBuf>,
}

/// How often what is stored is looked at again after a fix.
const ROUNDS_MAX: usize = 3;

/// Characters of a secret that may be shown, and which part of it at most.
const SHOWN_CHARS_MAX: usize = 4;
const SHOWN_SHARE: usize = 4;

const NAMED_BY_PEOPLE: &str = "it is part of a file's name; rename the file";
const A_SOURCE: &str = "a source is a person's; name it as PATH to redact it";
const A_PAGE: &str = "the page is a person's; name it as PATH to redact it";
const NOT_TEXT: &str = "the file is not UTF-8 text; remove it by hand";

/// The secrets of one file, and what it takes to remove them.
struct Leak {
    basis: Basis,
    cuts: Vec<(Cut, StoredSecret)>,
}

impl Engine {
    /// Looks for secrets in what is stored.
    ///
    /// # Errors
    /// When a path lies outside the vault, or files cannot be read or, with `fix`, not be written.
    pub fn scan(&self, options: &ScanOptions) -> Result<ScanOutcome, Failure> {
        let named = options.paths.iter().map(|path| self.place_of(path)).collect::<Result<Vec<_>, Failure>>()?;
        let mut outcome = ScanOutcome::default();
        if options.fix {
            let guard = self.lock("scan --fix")?;
            // What stood beside a secret may show only once that is covered; and a record of the fix is a file too.
            for _ in 0..ROUNDS_MAX {
                let (leaks, _) = self.leaks(&named)?;
                let of = |leak: &Leak| leak.cuts.iter().map(|(_, secret)| secret.clone()).collect::<Vec<_>>();
                let mut fixed: Vec<StoredSecret> = leaks.iter().flat_map(of).collect();
                fixed.retain(|secret| !matches!(secret.cure, Cure::Leave(_)));
                let mut edits: Vec<Edit> = leaks.into_iter().filter_map(edit_of).collect();
                if edits.is_empty() {
                    break;
                }
                edits.extend(self.register_again(&edits)?);
                let log = self.scan_log(&fixed);
                self.apply(&guard, &Plan { edits, guards: Vec::new(), log })?;
                outcome.fixed.extend(fixed);
            }
        }
        let (leaks, n_files) = self.leaks(&named)?;
        outcome.findings = leaks.into_iter().flat_map(|leak| leak.cuts.into_iter().map(|(_, secret)| secret)).collect();
        outcome.n_files = n_files;
        Ok(outcome)
    }

    /// A registered source keeps its registration: its new digest is put into the register.
    fn register_again(&self, edits: &[Edit]) -> Result<Option<Edit>, Failure> {
        let mut lines = String::new();
        for edit in edits {
            let Edit::Redact { basis, cuts } = edit else { continue };
            let path = basis.path();
            let bytes = self.store.read(path)?.and_then(|bytes| redacted(&bytes, cuts)).unwrap_or_default();
            lines.push_str(&self.registered_again(path, &bytes)?.unwrap_or_default());
        }
        let register =
            |lines: String| Edit::Append { path: register_path(), preamble: Vec::new(), content: lines.into_bytes() };
        Ok(Some(lines).filter(|lines| !lines.is_empty()).map(register))
    }

    fn scan_log(&self, fixed: &[StoredSecret]) -> LogEntry {
        let n_files = fixed.iter().map(|secret| &secret.path).collect::<BTreeSet<_>>().len();
        let line = |secret: &StoredSecret| match secret.cure {
            Cure::Erase => format!("erased {}", secret.path),
            _ => format!("redacted {} ({})", secret.place(), secret.kind),
        };
        let mut lines: Vec<String> = fixed.iter().map(line).collect();
        lines.dedup();
        LogEntry {
            at: self.clock.now,
            kind: "scan --fix".to_owned(),
            subject: format!("{} in {}", count(fixed.len(), "secret"), count(n_files, "file")),
            lines,
            inputs: Vec::new(),
            public: true,
        }
    }

    /// The secrets of every file that is looked at, and how many files those are.
    fn leaks(&self, named: &[VaultPath]) -> Result<(Vec<Leak>, usize), Failure> {
        let files = self.stored_files(named)?;
        let leaks = self.store.map_files(&files, |file, bytes| self.leak(&file.path, &bytes, named))?;
        let leaks = leaks.into_iter().flatten().flatten().collect();
        Ok((leaks, files.len()))
    }

    fn leak(&self, path: &VaultPath, bytes: &[u8], named: &[VaultPath]) -> Option<Leak> {
        let text = String::from_utf8_lossy(bytes);
        let found = private::with_private(&text, find(&text));
        if found.is_empty() {
            return None;
        }
        let lines = LineIndex::new(&text);
        let keeper = self.keeper(path, &text);
        let is_own = matches!(keeper, Keeper::Store);
        let is_named = named.iter().any(|name| name == path || path.is_under(name.as_str()));
        let cure = |span: Span| match keeper {
            Keeper::Store => Cure::Erase,
            Keeper::Person(why) if !is_named => Cure::Leave(why),
            Keeper::Record if !is_subject(&text, span) => Cure::Leave(NAMED_BY_PEOPLE),
            _ if str::from_utf8(bytes).is_err() => Cure::Leave(NOT_TEXT),
            _ => Cure::Redact,
        };
        let secret = |one: &Found| StoredSecret {
            path: path.clone(),
            line: (!is_own).then(|| lines.position(&text, one.span.start).line),
            kind: one.kind,
            excerpt: excerpt(one.span.of(&text)),
            cure: cure(one.span),
        };
        let cut = |one: &Found| Cut::new(one.span, one.kind);
        let mut cuts: Vec<(Cut, StoredSecret)> = found.iter().map(|one| (cut(one), secret(one))).collect();
        if is_own {
            // Places in a file that is removed as a whole help nobody; that it holds one of a kind does.
            let mut kinds = BTreeSet::new();
            cuts.retain(|(cut, _)| kinds.insert(cut.kind.clone()));
        }
        Some(Leak { basis: Basis::of(path, Some(bytes)), cuts })
    }

    /// Who keeps a file, and so what may be done to it.
    fn keeper(&self, path: &VaultPath, text: &str) -> Keeper {
        let own = |name: &str| path.is_under(&format!("{TOOL_FOLDER}/{name}"));
        if own("undo") || own("cache") || path.as_str().starts_with(".kenning/intent.") {
            Keeper::Store
        } else if own("ops") || path.as_str() == ".kenning/sources.jsonl" {
            Keeper::Record
        } else {
            let layout = self.layout();
            let folders = [&layout.journal, &layout.talk].into_iter().chain(layout.page_folders());
            let is_ours = { folders }.any(|folder| path.is_under(folder.as_str()))
                || layout.is_state(path)
                || ["reports", TOOL_FOLDER].iter().any(|folder| path.is_under(folder));
            let is_theirs = |text: &str| layout.is_page(path) && !parse_page(path, text.to_owned()).value.is_owned();
            match is_ours {
                false => Keeper::Person(A_SOURCE),
                true if is_theirs(text) => Keeper::Person(A_PAGE),
                true => Keeper::Vault,
            }
        }
    }

    /// The files that are looked at: those that were named, or everything that is stored.
    fn stored_files(&self, named: &[VaultPath]) -> Result<Vec<FileStat>, Failure> {
        let layout = self.layout();
        let folder = |name: &str| VaultPath::new(name).expect("a folder name is a vault path");
        let mut places = named.to_vec();
        if named.is_empty() {
            places.extend([layout.journal.clone(), layout.wiki.clone(), layout.index.clone(), layout.log.clone()]);
            places.extend([layout.sources.clone(), folder("reports"), folder(TOOL_FOLDER), folder(SHARED_TALK)]);
            places.extend(layout.foreign.iter().chain(&layout.evidence).cloned());
            places.extend([layout.state_page(), layout.state_record()]);
            places.extend(self.sources_in_place()?);
        }
        let mut files = Vec::new();
        for place in places {
            let listing = self.store.list(&place)?;
            let is_file = listing.folders.is_empty();
            files.extend(listing.files);
            files.extend(if is_file { self.store.stat(&place)? } else { None });
        }
        let is_busy =
            |path: &VaultPath| matches!(path.as_str(), ".kenning/lock" | ".kenning/intent" | ".kenning/intent.tmp");
        files.retain(|file| !is_busy(&file.path));
        files.sort();
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }

    /// The vault path that somebody named, from the vault's root or from anywhere.
    pub(crate) fn place_of(&self, path: &Path) -> Result<VaultPath, Failure> {
        let shown = path.display();
        let outside = || Failure::usage(format!("`{shown}` is not in the vault")).hint("nothing was changed");
        let root = outside::resolved(self.root()).ok_or_else(outside)?;
        let full = outside::resolved(path).or_else(|| outside::resolved(&self.root().join(path)));
        let full = full.ok_or_else(|| Failure::usage(format!("there is no `{shown}`")).hint("nothing was changed"))?;
        let inside = full.strip_prefix(root).ok().and_then(Path::to_str).and_then(VaultPath::new);
        inside.ok_or_else(outside)
    }
}

/// Who keeps a file.
enum Keeper {
    /// The vault: it is redacted.
    Vault,
    /// A person: it is redacted when it was named, and else left for this reason.
    Person(&'static str),
    /// The store, for itself: it is erased.
    Store,
    /// A record of operations or sources: only what people wrote into it is redacted.
    Record,
}

/// The edit that takes out what may be taken out of one file.
fn edit_of(leak: Leak) -> Option<Edit> {
    let Leak { basis, cuts } = leak;
    if cuts.iter().any(|(_, secret)| secret.cure == Cure::Erase) {
        return Some(basis.erase());
    }
    let cuts: Vec<Cut> =
        cuts.into_iter().filter(|(_, secret)| secret.cure == Cure::Redact).map(|(cut, _)| cut).collect();
    (!cuts.is_empty()).then(|| basis.redact(cuts))
}

/// Whether a part of a record lies in the subject of an operation: the line must differ there only.
fn is_subject(text: &str, span: Span) -> bool {
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |len| span.end + len);
    let without = format!("{}{}{}", &text[start..span.start], mark("x"), &text[span.end..end]);
    let fields = |line: &str| {
        let mut fields: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).ok()?;
        fields.remove("subject").map(|_| fields)
    };
    fields(&text[start..end]).is_some_and(|before| fields(&without) == Some(before))
}

/// The first characters of a secret, never more than a small part of it.
fn excerpt(secret: &str) -> String {
    let n_shown = (secret.chars().count() / SHOWN_SHARE).min(SHOWN_CHARS_MAX);
    let shown: String = secret.chars().take(n_shown).map(|ch| if ch.is_control() { ' ' } else { ch }).collect();
    shown + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_little_of_a_secret() {
        assert_eq!(excerpt(&"ab".repeat(20)), "abab…");
        assert_eq!((excerpt("hunter2!"), excerpt("abc")), ("hu…".to_owned(), "…".to_owned()));
    }

    #[test]
    fn only_the_subject_of_a_record_can_be_redacted() {
        let line = "{\"subject\":\"a SECRET\",\"path\":\"b SECRET\"}\n";
        let at = |nth: usize| {
            let start = line.match_indices("SECRET").nth(nth).expect("there").0;
            Span::new(start, start + 6)
        };
        assert!(is_subject(line, at(0)) && !is_subject(line, at(1)));
    }
}
