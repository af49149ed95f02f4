//! Whatever a model replies, no byte of the vault is harmed: every line of the corpus, asked and submitted.
//!
//! The corpus is `tests/hostile/replies.txt`; a line adds a case. Each case runs in a vault of its own that
//! has compiled pages, a page of a person, and one portion or page to be asked about.

mod corpus;
mod honest;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ken_core::header::FieldName;
use ken_core::page::outline::{claims, without_marks};
use ken_core::page::parse_page;
use ken_core::{Category, LineIndex, Severity, Slug, VaultPath, ground};
use ken_engine::model::{ErrorKind, Model, ModelError, Prices, Prompt, Reply, Scripted, Usage};
use ken_engine::propose::{AskedOutcome, Author, Caps};
use ken_engine::{CompileOptions, Engine, LintOptions};

use crate::support::{Vault, files};
use corpus::{Case, Fate, cases};

/// Longest that one case may take, machine under load included.
const CASE_SECS_MAX: u64 = 30;
/// Cases that run at once.
const THREADS: usize = 3;
/// Largest file of rejected parts.
const REJECTED_BYTES_MAX: usize = 256 * 1024;

pub(crate) fn author(script: impl Fn(&Prompt) -> Result<String, ModelError> + Send + Sync + 'static) -> Author {
    let model = Scripted::new(move |_, prompt| {
        let text = script(prompt)?;
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    let model: Arc<dyn Model> = Arc::new(model.named("command:test"));
    Author {
        model: Some(model),
        prices: Prices::built_in(),
        caps: Caps::default(),
        renew: false,
        on_ask: None,
        in_batch: false,
    }
}

type Bytes = BTreeMap<String, Vec<u8>>;

/// A vault to copy: what is in it, without what is derived.
struct Base {
    files: Bytes,
}

impl Base {
    /// A vault in which everything but the last day is read; `with_last` adds that day.
    fn new(with_last: bool) -> Base {
        let vault = Vault::new();
        vault.write(honest::OWNED, honest::OWNED_TEXT);
        honest::DAYS.iter().for_each(|(path, text)| vault.write(path, text));
        let author = author(honest::quiet);
        let (_, asked) = vault.engine().compile_with(CompileOptions::default(), &author).expect("compiles");
        assert_eq!((asked.failed.len(), asked.n_left), (0, 0), "{asked:?}");
        // Pages are asked about in the cases, so their replies are forgotten.
        for kind in ["page", "merge"] {
            let _ = fs::remove_dir_all(vault.root().join(".kenning/replies").join(kind));
        }
        let _ = fs::remove_dir_all(vault.root().join(".kenning/rejected"));
        vault.compile();
        if with_last {
            vault.write(honest::LAST.0, honest::LAST.1);
        }
        let base = Base { files: files(vault.root()) };
        assert!(base.files.contains_key(honest::PAGE), "{:?}", base.files.keys());
        assert!(base.files.contains_key(honest::BYSTANDER));
        base
    }

    fn vault(&self) -> Vault {
        let vault = Vault::bare();
        for (path, bytes) in &self.files {
            let place = vault.root().join(path);
            fs::create_dir_all(place.parent().expect("a folder")).expect("creates");
            fs::write(place, bytes).expect("writes");
        }
        vault
    }
}

/// One run of one case.
struct Trial<'a> {
    case: &'a Case,
    kind: &'static str,
    base: &'a Base,
    vault: Vault,
    /// What did not hold.
    broken: &'a Mutex<Vec<String>>,
}

impl Trial<'_> {
    fn holds(&self, is_so: bool, what: &str) {
        if !is_so {
            let broken = format!("case `{}` as {}: {what}", self.case.name, self.kind);
            self.broken.lock().unwrap_or_else(PoisonError::into_inner).push(broken);
        }
    }

    fn engine(&self) -> Engine {
        self.vault.engine()
    }

    /// Asks a model that gives the hostile reply to the one task of the kind, and quiet ones to all others.
    fn ask(&self) -> AskedOutcome {
        let (case, kind) = (self.case.clone(), self.kind);
        let author = author(move |prompt| {
            if prompt.schema.name == kind && honest::is_target(prompt) {
                let text = case.reply(prompt);
                if text.is_empty() {
                    return Err(ModelError::new(ErrorKind::Unusable, "it said nothing".to_owned()));
                }
                return Ok(text);
            }
            honest::quiet(prompt)
        });
        self.engine().compile_with(CompileOptions::default(), &author).expect("a reply fails no compile").1
    }

    fn check(&self, is_asked: bool) {
        self.nothing_else_changed();
        self.pages_read();
        self.nothing_is_said();
        // Where nothing was taken there is nothing that could come out otherwise.
        if self.vault.root().join(".kenning/replies").join(self.kind).is_dir() && self.case.fate != Fate::Open {
            self.lint_finds_nothing_new();
            // However a reply comes in, it is one record; it is compiled again where it was asked for.
            if is_asked {
                self.compiling_again_changes_nothing();
            }
        }
    }

    fn nothing_else_changed(&self) {
        let now = files(self.vault.root());
        let is_kept = |path: &str| {
            !path.starts_with(".kenning/") && !path.starts_with("knowledge/")
                || [honest::OWNED, honest::BYSTANDER, ".kenning/sources.jsonl"].contains(&path)
        };
        for (path, bytes) in self.base.files.iter().filter(|(path, _)| is_kept(path)) {
            self.holds(now.get(path) == Some(bytes), &format!("`{path}` was changed"));
        }
        for path in now.keys().filter(|path| !self.base.files.contains_key(*path)) {
            let ours = [".kenning/replies/", ".kenning/rejected/", ".kenning/cache/", ".kenning/tasks/"];
            let ours = ours.iter().any(|folder| path.starts_with(folder))
                || [".kenning/undo/", ".kenning/costs.jsonl"].iter().any(|one| path.starts_with(one));
            self.holds(ours || is_page(path), &format!("`{path}` is new"));
        }
        for (path, bytes) in now.iter().filter(|(path, _)| path.starts_with(".kenning/rejected/")) {
            self.holds(bytes.len() < REJECTED_BYTES_MAX, &format!("`{path}` has {} bytes", bytes.len()));
            let parts: Vec<serde_json::Value> = serde_json::from_slice(bytes).expect("rejected parts");
            let has_reason = |part: &serde_json::Value| part["reason"].as_str().is_some_and(|why| !why.is_empty());
            self.holds(parts.iter().all(has_reason), "every rejected part has a reason");
        }
        for (path, bytes) in &now {
            let text = String::from_utf8_lossy(bytes);
            self.holds(!text.contains(&corpus::secret()), &format!("a secret stands in `{path}`"));
        }
    }

    fn pages_read(&self) {
        let wiki = self.vault.wiki();
        let mut slugs = BTreeSet::new();
        for (path, text) in wiki.iter().filter(|(path, _)| is_page(path)) {
            let place = VaultPath::new(path).expect("inside");
            let parsed = parse_page(&place, text.clone());
            self.holds(parsed.notes.is_empty(), &format!("`{path}` has damage: {:?}", parsed.notes));
            let page = parsed.value;
            self.holds(slugs.insert(page.slug().as_str().to_lowercase()), &format!("`{path}` is there twice"));
            if path == honest::OWNED {
                continue;
            }
            self.holds(page.is_owned(), &format!("`{path}` is not ours:\n{text}"));
            let folder = page.category().folder();
            self.holds(path.contains(&format!("/{folder}/")), &format!("`{path}` is in another folder than {folder}"));
            let keys: Vec<_> = page.header.fields.iter().map(|field| field.name).collect();
            let distinct: BTreeSet<_> = keys.iter().map(|key| format!("{key:?}")).collect();
            self.holds(
                keys.iter().all(Option::is_some) && distinct.len() == keys.len(),
                &format!("odd fields in `{path}`:\n{text}"),
            );
            let title = page.scalar(FieldName::Title).unwrap_or_default();
            self.holds(page.title() == title && !title.is_empty(), &format!("odd title in `{path}`:\n{text}"));
            self.holds(
                page.list(FieldName::Triggers).len() <= 15 && page.list(FieldName::Aliases).len() <= 5,
                &format!("too much leads to `{path}`"),
            );
            let body = page.body().of(&page.text);
            let digest = ken_core::Digest::of(body.as_bytes()).short();
            self.holds(page.scalar(FieldName::BodyDigest) == Some(digest), &format!("`{path}` is not as composed"));
            self.claims_are_borne_out(path, &page);
        }
    }

    fn claims_are_borne_out(&self, path: &str, page: &ken_core::Page) {
        let names = [vec![page.title()], page.list(FieldName::Aliases)].concat();
        let known = |name: &str| {
            names.iter().any(|known| known.to_lowercase().contains(&name.to_lowercase())) || honest::is_title(name)
        };
        for claim in claims(page) {
            let said = claim.span.of(&page.text);
            if claim.own.is_empty() {
                self.holds(
                    said.contains("[[") || said.starts_with("# "),
                    &format!("`{path}` says without proof: {said}"),
                );
                continue;
            }
            let mut cited = Vec::new();
            for mark in claim.marks() {
                let Some(place) = &mark.cited else { panic!("`{path}` cites nothing with {mark}: {said}") };
                let text = self.vault.read(place.path.as_str());
                let lines =
                    LineIndex::new(&text).lines(place.lines.0, place.lines.1).map(|span| span.of(&text).to_owned());
                let Some(lines) = lines else { panic!("case `{}`: no such lines {place}", self.case.name) };
                cited.push(lines);
            }
            let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
            let plain = without_marks(said).replace("~~", "").replace('\\', "");
            let is_synthesis = plain.contains("*(synthesis)*");
            let plain = plain.split(" until ").next().unwrap_or_default().replace("*(synthesis)*", "");
            let mut missing = ground::missing(&plain, &cited, None, &known);
            missing.retain(|one| !is_synthesis || one.kind != ground::Kind::Negation);
            self.holds(missing.is_empty(), &format!("`{path}` says what it does not cite: {said} {missing:?}"));
        }
    }

    fn nothing_is_said(&self) {
        let said = self.case.never();
        if said.is_empty() {
            return;
        }
        for (path, bytes) in files(self.vault.root()).iter().filter(|(path, _)| path.starts_with("knowledge/")) {
            let text = String::from_utf8_lossy(bytes).to_lowercase();
            for said in &said {
                self.holds(!text.contains(&said.to_lowercase()), &format!("`{path}` says {said:?}:\n{text}"));
            }
        }
    }

    fn lint_finds_nothing_new(&self) {
        let found = self.engine().lint(LintOptions::default()).expect("lints").findings;
        let bad: Vec<_> = found.iter().filter(|one| one.diagnostic.severity != Severity::Suggestion).collect();
        self.holds(bad.is_empty(), &format!("lint finds {bad:#?}"));
    }

    fn compiling_again_changes_nothing(&self) {
        let wiki = self.vault.wiki();
        self.vault.compile();
        self.holds(self.vault.wiki() == wiki, "compiling again changes pages");
        self.engine().compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
        self.holds(self.vault.wiki() == wiki, "compiling all again changes pages");
        self.vault.remove("knowledge");
        self.vault.write(honest::OWNED, honest::OWNED_TEXT);
        self.vault.remove(".kenning/cache");
        self.vault.compile();
        let again = self.vault.wiki();
        let differing: Vec<_> = wiki.iter().filter(|(path, text)| again.get(*path) != Some(text)).collect();
        self.holds(again == wiki, &format!("the deleted wiki comes back otherwise: {differing:#?}\n{again:#?}"));
    }

    /// How many replies of the kind are recorded.
    fn n_recorded(&self) -> usize {
        fs::read_dir(self.vault.root().join(".kenning/replies").join(self.kind)).map_or(0, Iterator::count)
    }
}

fn is_page(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("knowledge/") else { return false };
    let Some((folder, file)) = rest.split_once('/') else { return false };
    let stem = file.strip_suffix(".md").unwrap_or("");
    let device = ["con", "prn", "aux", "nul", "com1", "lpt1"].contains(&stem);
    Category::all().any(|category| category.folder() == folder)
        && Slug::from_text(stem).is_some_and(|slug| slug.as_str() == stem)
        && !device
}

fn trials(is_asked: bool, test: impl Fn(&Trial<'_>) + Sync) -> usize {
    let (unread, read) = (Base::new(true), Base::new(false));
    let cases = cases();
    let work: Vec<(&Case, &'static str)> =
        cases.iter().flat_map(|case| case.kinds().iter().map(move |kind| (case, *kind))).collect();
    let (next, broken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some((case, kind)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let base = if *kind == "compile" { &unread } else { &read };
            let trial = Trial { case, kind, base, vault: base.vault(), broken: &broken };
            let started = Instant::now();
            let ended = catch_unwind(AssertUnwindSafe(|| {
                test(&trial);
                trial.check(is_asked);
            }));
            trial.holds(ended.is_ok(), "it panics");
            trial.holds(started.elapsed() < Duration::from_secs(CASE_SECS_MAX), "it takes too long");
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(worker))));
    let broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(broken.is_empty(), "{} promises are broken:\n{}", broken.len(), broken.join("\n"));
    work.len()
}

#[test]
fn no_reply_of_a_model_harms_a_byte() {
    let n = trials(true, |trial| {
        let asked = trial.ask();
        let reasons: Vec<String> = asked
            .rejected
            .iter()
            .map(|(task, part)| format!("{task} {}: {}", part.part, part.reason))
            .chain(asked.failed.iter().map(|(task, why)| format!("{task} {why}")))
            .collect();
        match trial.case.fate {
            Fate::Open => trial.holds(!asked.failed.is_empty(), &format!("the task does not stay open: {reasons:?}")),
            Fate::Out => {
                let labels =
                    asked.rejected.iter().map(|(task, _)| task).chain(asked.failed.iter().map(|(task, _)| task));
                let is_said = labels.into_iter().any(|task| honest::is_label_of(task, trial.kind));
                trial.holds(is_said, &format!("nothing says why it was not taken: {reasons:?}"));
            }
            Fate::Safe => {}
        }
    });
    assert!(n >= 200, "the corpus has {n} trials");
}

#[test]
fn no_answer_of_an_agent_harms_a_byte() {
    trials(false, |trial| {
        let engine = trial.engine();
        // The copy of a vault has no cache that is believed; what is asked about pages is known from one.
        if trial.kind != "compile" {
            engine.compile(CompileOptions::default()).expect("compiles");
        }
        let mut is_found = false;
        while let Some(packet) = engine.next_task(30).expect("hands out") {
            let Some(target) = honest::target_of(&packet, trial.kind) else { continue };
            is_found = true;
            let n_before = trial.n_recorded();
            let answer = target.answer(&trial.case.reply(&target.prompt));
            let done = engine.submit_task(&packet.id, answer.as_bytes()).expect("an answer fails no compile");
            let is_taken = done.applied.is_some();
            trial.holds(is_taken == (trial.n_recorded() > n_before), "what is taken is recorded, and nothing else");
            let is_said = done.rejected.iter().any(|part| target.is_about(&part.part));
            match trial.case.fate {
                Fate::Open => trial.holds(!is_taken && is_said, "it is taken"),
                Fate::Out => trial.holds(is_said, "nothing says why it was not taken"),
                Fate::Safe => {}
            }
            break;
        }
        trial.holds(is_found, "no such task was handed out");
        // What nobody could answer is compiled as without a model.
        trial.vault.compile();
    });
}
