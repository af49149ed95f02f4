//! Takes something out of a vault for good, with everything that was made from it.
//!
//! One plan covers it in journal, talk and sources, removes what goes as a whole, and takes away every derived file
//! that could hold a copy: compiled pages that rest on it, records of models and answers, undo records, caches.
//! So a crash leaves the text everywhere or nowhere. Then what was removed is compiled again from what is left, and
//! at last every file of the vault is read to see that no copy is left. A sealed list notes that it was forgotten,
//! without saying what, so that it does not come in again by itself.
//!
//! What this does not reach: files of other programs, pages of people who were not asked, a repository's history,
//! and transcripts. It says so.

mod again;
mod list;
mod needle;
mod plan;
mod select;
mod sweep;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ken_core::header::read_header;
use ken_core::page::{Page, parse_page};
use ken_core::redact::Cut;
use ken_core::source::day_of;
use ken_core::{Category, Date, Digest, Span, VaultPath};
use ken_store::LockGuard;

use list::Line;
pub(crate) use list::{Forgotten, Readable, list_path};
use needle::{Needle, Traces};
use select::{Chosen, Texts};
use sweep::texts_of;

use crate::compile::CompileOptions;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::outcome::{Deed, ForgetLeft, ForgetOutcome, ForgetRow, Holder};

/// What the marks say that cover it.
const FORGOTTEN: &str = "forgotten";

/// How often a page is looked at again after the lines that it cited are gone.
const ROUNDS_MAX: usize = 8;

/// A name or a pattern that stands in more lines than this, and in more than this share of all, is likely not what
/// was meant.
const LINES_MAX: usize = 20;
const SHARE_MAX: usize = 4;

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgetTarget {
    /// A source, by its place in the vault, or by the place that it was copied from.
    Source(PathBuf),
    /// A session, by its id or the start of it.
    Session(String),
    /// What was said and done from one day to another.
    Days(Date, Date),
    /// A person's name, or what else somebody is called.
    Name(String),
    /// A page, with the lines that it was made from.
    Page(String),
    /// Whatever a regular expression matches.
    Pattern(String),
}

/// How to forget.
#[derive(Debug, Clone, Default)]
pub struct ForgetOptions {
    /// Pages of people's that are covered too, or folders of them.
    pub also: Vec<PathBuf>,
    /// Say what would go, and change nothing.
    pub dry_run: bool,
    /// Cover a name or a pattern however often it stands there.
    pub yes: bool,
}

/// What was looked up before anything is decided.
struct Aim {
    /// The sort of target.
    what: &'static str,
    /// The same for people.
    shown: String,
    /// What names the target in the list.
    key: String,
    days: Option<(Date, Date)>,
    /// Of a name or a pattern, what finds it.
    needle: Option<Needle>,
}

impl Engine {
    /// Forgets something, or says what would go.
    ///
    /// # Errors
    /// When there is no such thing, a pattern does not read or stands in too much of the vault, there is no key to
    /// seal the list with, or the vault cannot be read or written.
    pub fn forget(&self, target: &ForgetTarget, options: &ForgetOptions) -> Result<ForgetOutcome, Failure> {
        let aim = self.aim(target)?;
        let also = options.also.iter().map(|path| self.place_of(path)).collect::<Result<Vec<_>, Failure>>()?;
        let page = if let ForgetTarget::Page(name) = target { self.forgotten_page(name)? } else { None };
        let mut needles = Vec::new();
        let mut outcome = self.forget_once((target, &aim), (options, &also), &mut needles)?;
        if options.dry_run || outcome.rows.is_empty() {
            return Ok(outcome);
        }
        // Lines that only named it beside something else may make a page of it where nothing better is left.
        let stands = || page.as_ref().map_or(Ok(None), |path| self.store.stat(path));
        for _ in 1..ROUNDS_MAX {
            if stands()?.is_none() {
                break;
            }
            let more = self.forget_once((target, &aim), (options, &also), &mut needles)?;
            outcome.add(more);
        }
        (outcome.left, outcome.n_checked) = self.copies_left(&needles)?;
        outcome.parts = self.parts_left(target)?;
        Ok(outcome)
    }

    /// Decides, and unless it is a dry run changes the vault and compiles; what was looked for is added to `needles`.
    fn forget_once(
        &self,
        (target, aim): (&ForgetTarget, &Aim),
        (options, also): (&ForgetOptions, &[VaultPath]),
        needles: &mut Vec<Needle>,
    ) -> Result<ForgetOutcome, Failure> {
        let guard = if options.dry_run { None } else { Some(self.lock("forget")?) };
        if let Some(guard) = &guard {
            // What a person wrote into a page that will be made again is kept, or forgotten, as a part of the journal.
            let wiki = self.read_wiki_from(None)?;
            self.capture_edits(guard, &wiki)?;
        }
        let texts = self.read_texts()?;
        let chosen = match self.chosen(target, aim, &texts) {
            // Told twice to forget the same, there is nothing left to do.
            Err(_) if self.forgotten()?.has(&aim.key) => Chosen::default(),
            chosen => chosen?,
        };
        let mut outcome =
            ForgetOutcome { what: aim.shown.clone(), is_dry_run: options.dry_run, ..ForgetOutcome::default() };
        outcome.sources_of_days = aim.days.map(|days| sources_of(days, &texts)).unwrap_or_default();
        outcome.transcripts = self.transcripts_of(&chosen);
        let needle = match &aim.needle {
            Some(needle) => {
                if !options.yes && !options.dry_run {
                    keep_most(needle, &chosen, &texts)?;
                }
                needle.clone()
            }
            None => Needle::Traces(self.traces_of(&chosen, &texts)?),
        };
        let decided = self.decide_forgetting((aim, &needle), chosen, (&texts, also))?;
        (outcome.rows, outcome.left) = (decided.rows, decided.left);
        let Some(guard) = guard.filter(|_| !outcome.rows.is_empty()) else { return Ok(outcome) };
        self.apply(&guard, &decided.plan)?;
        if let Some(after) = &decided.after {
            self.apply(&guard, after)?;
        }
        let gone = outcome.rows.iter().filter(|row| !matches!(row.deed, Deed::Covered(_)));
        gone.for_each(|row| self.store.remove_empty_folders(&guard, &row.path));
        drop(guard);
        let compiled = self.compile(CompileOptions { yes: true, ..CompileOptions::default() })?;
        outcome.n_pages_made = compiled.created.len() + compiled.updated.len() + compiled.removed.len();
        needles.push(needle);
        Ok(outcome)
    }

    /// The page of a name, if there is one.
    fn forgotten_page(&self, name: &str) -> Result<Option<VaultPath>, Failure> {
        match self.show(name) {
            Ok(shown) => Ok(Some(shown.entry.path)),
            Err(failure) if failure.kind == FailureKind::Refused => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Lets something come in again that was forgotten; returns whether it was.
    ///
    /// # Errors
    /// When there is no key, or the vault cannot be written to.
    pub fn allow_again(&self, target: &ForgetTarget) -> Result<bool, Failure> {
        let aim = self.aim(target)?;
        let guard: LockGuard = self.lock("forget")?;
        if !self.forgotten()?.has(&aim.key) {
            return Ok(false);
        }
        let line = self.closed_line(Line::new(self.clock.now, "allow", aim.key)).ok_or_else(|| self.no_key())?;
        self.apply(&guard, &self.list_plan(line, format!("let {} in again", aim.shown)))?;
        Ok(true)
    }

    fn aim(&self, target: &ForgetTarget) -> Result<Aim, Failure> {
        let (what, named, shown) = match target {
            ForgetTarget::Source(path) => {
                let place = self.source_named(path)?;
                ("source", place.to_string(), "a source".to_owned())
            }
            ForgetTarget::Session(session) => ("session", session.clone(), "a session".to_owned()),
            ForgetTarget::Days(first, last) if first > last => {
                return Err(Failure::usage(format!("{first} comes after {last}")).hint("nothing was changed"));
            }
            ForgetTarget::Days(first, last) => {
                let shown =
                    if first == last { format!("the day {first}") } else { format!("the days {first} to {last}") };
                ("days", format!("{first}..{last}"), shown)
            }
            ForgetTarget::Name(name) => ("name", name.to_lowercase(), "a name".to_owned()),
            ForgetTarget::Page(name) => ("page", name.clone(), "a page".to_owned()),
            ForgetTarget::Pattern(pattern) => ("pattern", pattern.clone(), "a pattern".to_owned()),
        };
        let needle = match target {
            ForgetTarget::Name(name) => Some(Needle::name(name)?),
            ForgetTarget::Pattern(pattern) => Some(Needle::pattern(pattern)?),
            _ => None,
        };
        let key = self.key_of(what, &named).ok_or_else(|| self.no_key().hint("nothing was changed"))?;
        let days = if let ForgetTarget::Days(first, last) = target { Some((*first, *last)) } else { None };
        Ok(Aim { what, shown, key, days, needle })
    }

    fn chosen(&self, target: &ForgetTarget, aim: &Aim, texts: &Texts) -> Result<Chosen, Failure> {
        let mut chosen = match target {
            ForgetTarget::Source(path) => {
                let place = self.source_named(path)?;
                let is_on_shelf = place.is_under(self.layout().sources.as_str());
                let is_source = texts.sources.contains_key(&place) || is_on_shelf && self.store.stat(&place)?.is_some();
                if !is_source {
                    return Err(Failure::usage(format!("there is no source `{place}`"))
                        .hint("sources are the documents in the sources folder and those that `ken ingest` registered")
                        .hint("nothing was changed"));
                }
                let mut chosen = texts.changes_of(&place);
                chosen.exact.push(place.to_string());
                chosen.gone.insert(place);
                chosen
            }
            ForgetTarget::Session(session) => texts.session(session)?,
            ForgetTarget::Days(first, last) => texts.days((*first, *last)),
            ForgetTarget::Page(name) => self.choose_page(name, texts)?,
            ForgetTarget::Name(_) | ForgetTarget::Pattern(_) => {
                aim.needle.as_ref().map(|needle| texts.matches(needle)).unwrap_or_default()
            }
        };
        chosen.settle();
        chosen.note_sessions(texts);
        Ok(chosen)
    }

    /// A page with what it was made from: of a compiled one the lines that it cites, of a filed answer its record.
    fn choose_page(&self, name: &str, texts: &Texts) -> Result<Chosen, Failure> {
        let shown = self.show(name).map_err(|failure| failure.hint("nothing was changed"))?;
        let path = shown.entry.path.clone();
        let page = parse_page(&path, shown.text).value;
        let mut gone = BTreeSet::from([path.clone()]);
        if page.is_owned() && page.category() == Category::Question {
            let record = crate::ask::record::record_path(&page.slug());
            gone.extend(self.store.read(&record)?.map(|_| record));
            return Ok(Chosen { gone, exact: vec![path.to_string()], ..Chosen::default() });
        }
        let mut chosen = Chosen::default();
        if page.is_owned() {
            let mut pages: Vec<Page> = vec![page];
            let history = path.parent().and_then(|folder| folder.join(&format!("{}-history.md", path.stem())));
            if let Some(path) = history
                && let Some(text) = self.store.read(&path)?.and_then(|bytes| String::from_utf8(bytes).ok())
            {
                let history = parse_page(&path, text).value;
                gone.extend(history.is_owned().then_some(path));
                pages.push(history);
            }
            chosen = texts.cited_by(&pages);
        }
        chosen.gone.extend(gone);
        chosen.exact.push(path.to_string());
        Ok(chosen)
    }

    /// The traces of what goes, in everything that stays.
    fn traces_of(&self, chosen: &Chosen, texts: &Texts) -> Result<Traces, Failure> {
        let mut going: Vec<String> = chosen.exact.clone();
        for (path, spans) in &chosen.cuts {
            going.extend(texts.get(path).map(|text| spans.iter().map(|span| format!("{}\n", span.of(text))).collect()));
        }
        for path in &chosen.gone {
            let bytes = self.store.read(path)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            going.extend([path.to_string(), path.stem().to_owned()]);
            // A page that is made says nothing of its own but what it is called.
            let is_page = self.layout().is_page(path).then(|| parse_page(path, text.clone()).value);
            match is_page.filter(Page::is_owned) {
                Some(page) => going.push(page.title()),
                None if path.is_under(ken_core::layout::TOOL_FOLDER) && !texts.talk.contains_key(path) => {}
                None => going.push(text),
            }
        }
        let mut traces = Traces::of(going.iter().map(String::as_str), chosen.exact.clone());
        for (path, text) in texts.all().filter(|(path, _)| !chosen.gone.contains(*path)) {
            traces.without(path.as_str());
            match chosen.cuts.get(path) {
                None => traces.without(text),
                Some(cuts) => without(text, cuts).iter().for_each(|rest| traces.without(rest)),
            }
        }
        // People's pages, and files that are none of Kenning's, stay and may say the same.
        let files = self.files_beside(texts)?;
        let theirs = self.store.map_files(&files, |file, bytes| {
            let text = String::from_utf8(bytes).ok()?;
            let is_page = self.layout().is_page(&file.path);
            let is_made = is_page && parse_page(&file.path, text.clone()).value.is_owned();
            (!is_made && !chosen.gone.contains(&file.path) && self.is_theirs(&file.path)).then_some(text)
        })?;
        theirs.into_iter().flatten().flatten().for_each(|text| traces.without(&text));
        Ok(traces)
    }

    /// Whether a file is none that Kenning writes.
    fn is_theirs(&self, path: &VaultPath) -> bool {
        let layout = self.layout();
        let is_written =
            *path == layout.index || *path == layout.log || self.config.memory_index.as_ref() == Some(path);
        let is_shard = path.is_under(&format!("{}/index", layout.wiki));
        !is_written && !is_shard && !path.is_under("reports") && !path.is_under(ken_core::layout::TOOL_FOLDER)
    }

    /// Every file of the vault but journal, talk and sources.
    fn files_beside(&self, texts: &Texts) -> Result<Vec<ken_store::FileStat>, Failure> {
        let mut files = self.store.list_every()?.files;
        files.retain(|file| texts.get(&file.path).is_none());
        Ok(files)
    }

    /// Reads every file of the vault and says where a copy is left, and how many files that were.
    fn copies_left(&self, needles: &[Needle]) -> Result<(Vec<ForgetLeft>, usize), Failure> {
        let mut listing = self.store.list_every()?;
        listing.files.retain(|file| file.path != list_path() && !file.path.as_str().ends_with(".kenning/lock"));
        let look = |file: &ken_store::FileStat, bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            let copy_in = |text: &str| needles.iter().find_map(|needle| needle.copy_in(text));
            let decoded = || serde_json::from_str(&text).ok().and_then(|value| copy_in(&texts_of(&value)));
            let found = copy_in(&text).or_else(|| decoded().map(|_| Span::new(0, 0)))?;
            let line = text[..found.start].matches('\n').count() + 1;
            Some(ForgetLeft {
                path: file.path.to_string(),
                line: Some(line),
                why: self.why_left(&file.path, &text, &|text| copy_in(text).is_some()),
            })
        };
        let mut left: Vec<ForgetLeft> =
            self.store.map_files(&listing.files, look)?.into_iter().flatten().flatten().collect();
        let paths =
            listing.files.iter().map(|file| file.path.as_str()).chain(listing.folders.iter().map(VaultPath::as_str));
        let is_named =
            |path: &&str| needles.iter().any(|needle| !matches!(needle, Needle::Traces(_)) && needle.is_in(path));
        left.extend(paths.filter(is_named).map(|path| ForgetLeft {
            path: path.to_owned(),
            line: None,
            why: Engine::why_named(),
        }));
        Ok((left, listing.files.len()))
    }

    /// Parts of a name of several words that still stand somewhere alone.
    fn parts_left(&self, target: &ForgetTarget) -> Result<Vec<(String, usize)>, Failure> {
        let ForgetTarget::Name(name) = target else { return Ok(Vec::new()) };
        let words: Vec<&str> = name.split_whitespace().collect();
        if words.len() < 2 {
            return Ok(Vec::new());
        }
        let texts = self.read_texts()?;
        let count = |word: &&str| {
            let needle = Needle::name(word).ok()?;
            let in_one =
                |(path, text): (&VaultPath, &String)| needle.spans(text).len() + needle.spans(path.as_str()).len();
            let n: usize = texts.all().map(in_one).sum();
            (n > 0).then(|| ((*word).to_owned(), n))
        };
        Ok(words.iter().filter_map(count).collect())
    }

    /// Transcripts of sessions that go, as far as it is known where they lie.
    fn transcripts_of(&self, chosen: &Chosen) -> Vec<String> {
        let known = self.known();
        let places = chosen.sessions.keys().filter_map(|session| known.session(session)).map(|seen| seen.place.clone());
        places.filter(|place| !place.is_empty()).collect()
    }

    /// The source that somebody named, by its place in the vault or by that of its document.
    fn source_named(&self, path: &Path) -> Result<VaultPath, Failure> {
        let register = self.register()?;
        let is_source =
            |place: &VaultPath| place.is_under(self.layout().sources.as_str()) || register.contains_key(place);
        let plain = path.to_str().and_then(VaultPath::new);
        if let Some(plain) = plain.clone().filter(is_source) {
            return Ok(plain);
        }
        for named in [path.to_path_buf(), self.root().join(path)] {
            if let Some(place) = self.place_of(&named).ok().filter(is_source) {
                return Ok(place);
            }
            if let Some(copy) = self.copy_of(&named)? {
                return Ok(copy);
            }
        }
        plain.map_or_else(|| self.place_of(path), Ok)
    }
}

/// What of a text stays, cut at what goes.
fn without<'t>(text: &'t str, cuts: &[Span]) -> Vec<&'t str> {
    let mut at = 0;
    let mut out = Vec::new();
    for cut in cuts {
        out.push(&text[at..cut.start]);
        at = cut.end;
    }
    out.push(&text[at..]);
    out
}

/// Marks that cover parts of a text.
fn covering(spans: Vec<Span>) -> Vec<Cut> {
    spans.into_iter().map(|span| Cut::new(span, FORGOTTEN)).collect()
}

/// Refuses a name or a pattern that stands in so much of what there is that it is likely not what was meant.
fn keep_most(needle: &Needle, chosen: &Chosen, texts: &Texts) -> Result<(), Failure> {
    let n_all: usize = texts.all().map(|(_, text)| text.lines().filter(|line| !line.trim().is_empty()).count()).sum();
    let lines = texts.all().flat_map(|(_, text)| text.lines());
    let n_met = lines.filter(|line| needle.is_in(line)).count();
    if n_met <= LINES_MAX || n_met * SHARE_MAX <= n_all || chosen.is_empty() {
        return Ok(());
    }
    let message = format!("it stands in {n_met} of {n_all} lines of journal, talk and sources");
    Err(Failure::refused(message)
        .hint("`--dry-run` says where; `--yes` covers it all the same")
        .hint("nothing was changed"))
}

/// The sources that say they are of some days.
fn sources_of((first, last): (Date, Date), texts: &Texts) -> Vec<VaultPath> {
    let is_of = |(path, text): &(&VaultPath, &String)| {
        day_of(&read_header(text).value, text, path).is_some_and(|day| first <= day && day <= last)
    };
    texts.sources.iter().filter(is_of).map(|(path, _)| path.clone()).collect()
}

/// The lines that spans lie on, each run of them once.
fn lines_of(text: &str, spans: &[Span]) -> Vec<(usize, usize)> {
    let lines = ken_core::LineIndex::new(text);
    let mut out: Vec<(usize, usize)> = Vec::new();
    for span in spans {
        let (first, last) = (lines.line_of(span.start), lines.line_of(span.end.max(span.start + 1) - 1));
        match out.last_mut().filter(|known| first <= known.1 + 1) {
            Some(known) => known.1 = known.1.max(last),
            None => out.push((first, last)),
        }
    }
    out
}
