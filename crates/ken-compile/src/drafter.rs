//! Gathers what the page of one subject is made from: its statements, relations and names.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::{SourceRef, quote};
use ken_core::page::HISTORY;
use ken_core::{Category, Slug, VaultPath};

use super::account::is_replaced_by;
use super::alone;
use super::commands::commands;
use super::compose::{PageInput, RelatedPage, Statement, bare, linked_pages, page_of_history};
use super::corpus::{Corpus, Known, Named};
use super::covered::{Covered, covers};
use super::fault::is_fault;
use super::fingerprint::{Fingerprint, fingerprint};
use super::ledger::{Key, Ledger, PassageId, Replaced, key_hash};
use super::naming::{PageRecord, Pages};
use super::passage::{Passage, PassageKind};
use super::relate::Evidence;
use super::score;
use super::standing;
use super::told::AdoptedPage;
use super::told::Told;
use super::work;
use ken_core::supersede::{Parted, parted};
use ken_core::text::{capital, leans_back};
use ken_core::words::subject_key;

/// Pages near one, for whoever sorts its relations.
const CANDIDATES_MAX: usize = 12;

/// Says which page of a person a name means, by its slug.
pub type Humans<'a> = &'a (dyn Fn(&Slug) -> Option<Slug> + Sync);

/// What is known of all pages while some of them are composed.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub ledger: &'a Ledger,
    pub pages: &'a Pages<'a>,
    pub paths: &'a BTreeMap<u32, VaultPath>,
    /// The pages that people own.
    pub humans: Humans<'a>,
    /// What the persons' pages beside some pages cover.
    pub covered: &'a Covered,
    /// Sources that nobody vouches for.
    pub external: &'a BTreeSet<VaultPath>,
    /// Aliases that lead to another page.
    pub taken: &'a BTreeMap<Key, BTreeSet<String>>,
    /// The connections that join each subject with others.
    pub joining: &'a BTreeMap<Key, Vec<Key>>,
}

/// What composing one page needs.
pub(crate) struct Drafter<'a> {
    pub names: Names<'a>,
    pub corpus: &'a Corpus,
    /// What no longer holds, as far as it is known.
    pub replaced: &'a Replaced,
}

/// Where a passage stands, as it is cited.
fn cited(path: &VaultPath, passage: &Passage) -> SourceRef {
    let path = passage.cited.as_ref().and_then(|cited| cited.day.as_ref()).unwrap_or(path).clone();
    if let Some(cited) = passage.cited.as_deref() {
        return SourceRef { path, lines: cited.lines, digest: cited.digest.clone(), quote: cited.quote.clone() };
    }
    let quote = passage.told.as_ref().map_or_else(|| quote(&passage.text), |told| told.quote.clone());
    SourceRef { path, lines: passage.lines, digest: passage.digest.clone(), quote }
}

/// What was done in a piece of work, each with where that stands, and what was named.
#[derive(Default)]
struct Done {
    files: Vec<(String, SourceRef)>,
    commands: Vec<(String, SourceRef)>,
    names: Vec<String>,
}

impl Done {
    /// Adds what the passages of an entry tell: each file that was changed and each command once, and the names.
    fn note(&mut self, path: &VaultPath, passages: &[&Passage]) {
        for passage in passages {
            let is_known = |file: &str| self.files.iter().any(|(known, _)| known == file);
            if let Some(file) = work::changed_file(passage).filter(|file| !is_known(file)) {
                self.files.push((file.to_owned(), cited(path, passage)));
            }
        }
        for (command, n) in commands(passages) {
            if !self.commands.iter().any(|(known, _)| *known == command) {
                self.commands.push((command, cited(path, passages[n])));
            }
        }
        self.names.extend(passages.iter().flat_map(|passage| work::names_said(passage)).map(str::to_owned));
    }
}

/// The person's page that a page stands beside.
fn beside(record: &PageRecord, statements: &[Statement]) -> Option<RelatedPage> {
    let slug = record.beside.as_deref().and_then(Slug::from_text)?;
    let month = statements.iter().filter_map(|statement| statement.date).max().map(ken_core::Month::of);
    Some(RelatedPage { slug, title: record.title.clone(), month, is_work: false })
}

/// Leaves out what cannot be read alone and, on the page of a thing, what somebody says of themselves, unless it is all
/// that is said.
pub(crate) fn without_leaning(mut statements: Vec<Statement>, is_work: bool) -> Vec<Statement> {
    let leans = |one: &Statement| {
        let is_said = one.place.is_none() && one.told.is_none();
        // In a piece of work it is somebody who decides.
        let may_be_personal = is_work && one.kind == PassageKind::Decision;
        // As with its passage: who settles something and says why speaks of the work, too.
        let is_reasoned = || may_be_personal && alone::is_long_decision(&one.text);
        let is_about = || alone::is_claim(&one.text) && (may_be_personal || !alone::is_personal(&one.text));
        let is_alone = || is_reasoned() || !leans_back(bare(one, &one.text)) && is_about();
        // What was done to a file, or was wrong before, is told by the work that did or mended it.
        let is_of_work = || !is_work && (one.is_fault || score::is_edit(&one.text));
        is_said && !work::is_asked(one.kind) && (is_of_work() || !is_alone())
    };
    let leaning: Vec<bool> = statements.iter().map(leans).collect();
    let is_left = |(one, leans): (&Statement, &bool)| !leans && (is_work || !work::is_asked(one.kind));
    if statements.iter().zip(&leaning).any(is_left) {
        let mut leaning = leaning.into_iter();
        statements.retain(|_| leaning.next() == Some(false));
    }
    statements
}

/// Statements that name a subject beside others and are looked at for what they end there; the newest.
const BESIDE_MAX: usize = 100;

/// Returns a statement as it is looked at for what no longer holds: what people tell while they ask stands on no page, and
/// may have ended like anything else, but ends nothing.
pub(crate) fn as_told(one: Statement) -> Option<Statement> {
    match work::is_asked(one.kind) {
        _ if one.place.is_some() => None,
        true if one.text.ends_with('?') => None,
        true => Some(Statement { kind: PassageKind::Statement, is_vouched_for: false, ..one }),
        false => Some(one),
    }
}

fn told_while_asking(statements: &[Statement]) -> Vec<Statement> {
    statements.iter().filter(|one| work::is_asked(one.kind)).cloned().filter_map(as_told).collect()
}

/// The newest of what the journal says beside a subject.
fn newest(mut beside: Vec<Statement>) -> Vec<Statement> {
    beside.retain(|one| one.place.is_none() && !work::is_asked(one.kind));
    beside.sort_by(|a, b| b.date.cmp(&a.date).then(a.id.cmp(&b.id)));
    beside.truncate(BESIDE_MAX);
    beside
}

/// Returns the connections that join each subject with others.
pub(crate) fn joining(ledger: &Ledger) -> BTreeMap<Key, Vec<Key>> {
    let mut out: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
    for (connection, joined) in &ledger.connections {
        joined.iter().for_each(|key| out.entry(*key).or_default().push(*connection));
    }
    out
}

impl Drafter<'_> {
    /// Returns where the older claims of a subject stand, and what its page is called; `None` where a person's page is
    /// called so.
    pub(crate) fn history_of(&self, key: Key) -> Option<(VaultPath, Slug)> {
        let page = &self.names.pages[&key];
        let path = VaultPath::new(&format!("{}{HISTORY}.md", page.path.strip_suffix(".md")?))?;
        let is_free = (self.names.humans)(&ken_core::page::page_slug(&path)).is_none();
        is_free.then_some((path, page.slug()?))
    }

    /// Returns what a page is made from, and what is known of its relations.
    pub(crate) fn input(&self, key: Key) -> (PageInput, Evidence) {
        let record = &self.names.pages[&key];
        let is_covered = |path: &&VaultPath| covers(record, self.names.covered, path);
        let (mut statements, mut spare, mut evidence) = (Vec::new(), Vec::new(), Evidence::default());
        let mut done = Done::default();
        let is_work = record.category == Category::Project.as_str();
        let leading: Vec<Key> = self.names.ledger.leading_to(key).collect();
        let mut seen = BTreeSet::new();
        let postings = leading.iter().flat_map(|key| self.names.ledger.postings_of(*key));
        for posting in postings.filter(|posting| seen.insert((posting.file, posting.entry))) {
            let Some(path) = self.names.paths.get(&posting.file).filter(|path| !is_covered(path)) else { continue };
            let Some(known) = self.corpus.entry(posting.file, posting.entry) else { continue };
            let passages = || known.passages_of(key).map(|n| (n, &known.entry.passages[n]));
            if is_work {
                done.note(path, &passages().map(|(_, passage)| passage).collect::<Vec<_>>());
            }
            for (n, passage) in passages().filter(|(_, passage)| passage.kind.is_said()) {
                let id = PassageId { file: posting.file, entry: posting.entry, nth: n as u16 };
                let mut statement = self.statement(id, (path, known), passage);
                // On the page of what a document links to it is a statement as any other.
                statement.place = statement.place.filter(|_| posting.is_part());
                statement.standing = known.standing[n];
                statement.is_own = passage.told.as_ref().is_some_and(|told| self.is_first(told, key));
                statement.is_fault = (is_work || known.changes_files) && is_fault(&known.entry.passages, n);
                if known.about.at(n).iter().any(|named| named.key == key) {
                    let named: Vec<Named> = known.about.at(n).iter().chain(known.near.at(n)).cloned().collect();
                    if !known.entry.is_record() && statement.stale.is_empty() && self.holds(key, id) {
                        evidence.take(key, &passage.text, &named, known.entry.date.or(known.entry.committed));
                    }
                    statements.push(statement);
                } else {
                    spare.push(statement);
                }
            }
        }
        // Where nothing was changed, nothing was mended.
        statements.iter_mut().for_each(|one| one.is_fault &= !is_work || !done.files.is_empty());
        // A subject that is only ever named inside longer names still says what those passages say.
        let (statements, beyond) = if statements.is_empty() { (spare, Vec::new()) } else { (statements, spare) };
        let asked = if is_work { Vec::new() } else { told_while_asking(&statements) };
        let (mut statements, beyond) = (without_leaning(statements, is_work), newest(beyond));
        let aliases = self.aliases(key);
        statements.iter_mut().for_each(|one| self.narrow(key, one, &record.title, &aliases));
        let (high, mid) = self.relations(&evidence, beside(record, &statements));
        let (title, is_external) = (record.shown_title(), record.is_external);
        let history = self.history_of(key).map(|(path, _)| page_of_history(&title, ken_core::page::page_slug(&path)));
        let input = PageInput {
            title,
            aliases,
            category: Category::parse(&record.category).unwrap_or(Category::Concept),
            is_external,
            elsewhere: self.elsewhere(key, &statements),
            beside: beyond,
            asked,
            against: self.contradicted(key, &statements),
            statements,
            files: done.files,
            commands: done.commands,
            names: done.names,
            high,
            mid,
            joining: self.joining(key),
            parts: self.parts(key),
            history,
            adopted: self.adopted(key),
            is_history: false,
            archived: record.archived.clone(),
        };
        (input, evidence)
    }

    /// The pages that a page is near to, the person's page that it stands beside before others.
    fn relations(&self, evidence: &Evidence, human: Option<RelatedPage>) -> (Vec<RelatedPage>, Vec<RelatedPage>) {
        let relations = evidence.relations();
        let related = |list: &[(Key, Option<ken_core::Month>)]| {
            list.iter().filter_map(|(key, month)| self.related(*key, *month)).collect::<Vec<_>>()
        };
        let (mut high, mid) = (related(&relations.high), related(&relations.mid));
        if let Some(human) = human {
            high.insert(0, human);
            high.truncate(ken_core::header::HIGH_MAX);
        }
        (high, mid)
    }

    /// Returns what names all that a page of the journal's statements is composed from without proposals; `None` of
    /// other pages.
    pub(crate) fn made_from(&self, key: Key, input: &PageInput) -> Option<Fingerprint> {
        let mut all = input.statements.iter().chain(&input.elsewhere);
        if all.clone().any(|one| one.place.is_some() || one.told.is_some()) {
            return None;
        }
        let resolve = |target: &str| self.resolve(target);
        let found = |one: &Statement| {
            let against: Vec<PassageId> = self.replaced.against(one.id).collect();
            (self.replaced.on(key, one.id), against, linked_pages(one, &resolve))
        };
        let found: Vec<_> = all.by_ref().map(found).collect();
        Some(fingerprint(&(&self.names.pages[&key].path, self.history_of(key), input, found)))
    }

    /// The connections that join a subject with others, which lead to those.
    fn joining(&self, key: Key) -> Vec<RelatedPage> {
        let connections = self.names.joining.get(&key).into_iter().flatten();
        connections.filter_map(|connection| self.related(*connection, None)).collect()
    }

    /// What took the place of statements, and of that in turn, and what disputes them, as far as they do not say it
    /// themselves.
    fn elsewhere(&self, key: Key, statements: &[Statement]) -> Vec<Statement> {
        let mut known: BTreeSet<PassageId> = statements.iter().map(|one| one.id).collect();
        let against = statements.iter().flat_map(|one| self.replaced.against(one.id));
        let all: Vec<PassageId> = statements.iter().map(|one| one.id).chain(against).collect();
        let chains = all.iter().flat_map(|id| std::iter::once(*id).chain(self.replaced.chain(key, *id)));
        let missing: Vec<PassageId> = chains.filter(|id| known.insert(*id)).collect();
        missing.into_iter().filter_map(|id| self.passage(id)).collect()
    }

    /// Leaves of a statement of which one clause was replaced what is said of a page's subject, where that is another one;
    /// else only what was replaced: the other clauses did not end with it.
    fn narrow(&self, key: Key, one: &mut Statement, title: &str, aliases: &[String]) {
        let new: Vec<Statement> = self.replaced.of(one.id).filter_map(|by| self.passage(by)).collect();
        // Who read both said of the whole of it that it no longer holds, and so does a document that says something else.
        if one.is_revised() || new.iter().any(|new| is_replaced_by(one, new)) {
            return;
        }
        let parts = new.iter().map(|new| parted(&one.text, &new.text)).collect::<Option<Vec<Parted<'_>>>>();
        let Some(parts) = parts else { return };
        let Some((first, others)) = parts.split_first() else { return };
        let is_left = |clause: &&&str| others.iter().all(|other| other.left.contains(clause));
        let left: Vec<&str> = first.left.iter().filter(is_left).copied().collect();
        let names: Vec<String> =
            std::iter::once(title).chain(aliases.iter().map(String::as_str)).map(subject_key).collect();
        let is_named = |text: &str| {
            let said = format!("-{}-", subject_key(text));
            names.iter().any(|name| !name.is_empty() && said.contains(&format!("-{name}-")))
        };
        let left: Vec<&str> = left.into_iter().filter(|clause| is_named(clause)).collect();
        if !left.is_empty() && !new.iter().any(|new| is_named(&new.text)) {
            (one.text, one.is_rest, one.telling) = (capital(&left.join("; ")), true, None);
        } else if let Some(by) = self.replaced.on(key, one.id).map(|successor| successor.by) {
            let meant = new.iter().position(|new| new.id == by).map(|n| parts[n].meant.trim_end_matches('.'));
            (one.text, one.telling) = (capital(meant.unwrap_or(&one.text)), None);
        }
    }

    /// The other pages on which one side of a dispute of this page stands.
    fn contradicted(&self, key: Key, statements: &[Statement]) -> Vec<RelatedPage> {
        let mut keys: BTreeSet<Key> = BTreeSet::new();
        for one in statements {
            let mut others = self.replaced.against(one.id).peekable();
            let own = others.peek().map(|_| one.id);
            let is_open = |id: &PassageId| self.replaced.on(key, *id).is_none();
            keys.extend(others.chain(own).filter(is_open).flat_map(|id| self.pages_of(id)));
        }
        keys.remove(&key);
        keys.into_iter().filter_map(|key| self.related(key, None)).take(ken_core::header::MID_MAX).collect()
    }

    /// The pages on which a passage stands.
    fn pages_of(&self, id: PassageId) -> BTreeSet<Key> {
        let known = self.corpus.entry(id.file, id.entry);
        let about = known.map(|known| known.about.at(usize::from(id.nth)));
        about.into_iter().flatten().map(|named| named.key).collect()
    }

    /// A passage as a statement about nothing in particular.
    pub(crate) fn passage(&self, id: PassageId) -> Option<Statement> {
        let path = self.names.paths.get(&id.file)?;
        let known = self.corpus.entry(id.file, id.entry)?;
        Some(self.statement(id, (path, known), known.entry.passages.get(usize::from(id.nth))?))
    }

    /// A passage of an entry as a statement.
    pub(crate) fn statement(&self, id: PassageId, (path, known): (&VaultPath, &Known), passage: &Passage) -> Statement {
        let entry = &known.entry;
        let cited = cited(path, passage);
        let stale = self.names.ledger.stale_for(entry.issue, &cited.digest).to_owned();
        Statement {
            text: passage.text.clone(),
            kind: passage.kind,
            date: entry.date.or(entry.committed),
            said_on: entry.date,
            of: path.clone(),
            cited,
            stale,
            voice: entry.voice.clone(),
            line: passage.lines.0,
            id,
            told: passage.told.clone(),
            is_vouched_for: !self.names.external.contains(path),
            place: passage.place.clone(),
            is_rest: false,
            standing: standing::WRITTEN,
            is_fault: false,
            learned: passage.learned,
            is_own: false,
            telling: known.telling[usize::from(id.nth)],
        }
    }

    /// Whether a passage still says what is so on a page: what does not relates nothing, and gives a relation no month.
    fn holds(&self, page: Key, id: PassageId) -> bool {
        self.replaced.on(page, id).is_none()
    }

    /// The other spellings of a subject that lead to no other page.
    fn aliases(&self, key: Key) -> Vec<String> {
        let record = &self.names.pages[&key];
        let is_taken = |alias: &String| {
            self.names.pages.contains_key(&key_hash(&subject_key(alias))) && key_hash(&subject_key(alias)) != key
                || Slug::from_text(alias).is_some_and(|slug| (self.names.humans)(&slug).is_some())
                || self.names.taken.get(&key).is_some_and(|taken| taken.contains(alias))
        };
        let has_own = record.beside.is_none() && !record.is_external;
        record.aliases.iter().filter(|alias| has_own && !is_taken(alias)).cloned().collect()
    }

    /// The other pages of the document that a page is of: of its first page all, of the others the first.
    fn parts(&self, key: Key) -> Vec<RelatedPage> {
        let postings = self.names.ledger.postings_of(key).iter().filter(|posting| posting.is_part());
        let entries = postings.filter_map(|posting| self.corpus.entry(posting.file, posting.entry));
        let Some(known) = entries.into_iter().next() else { return Vec::new() };
        let mut keys = known.titled.iter().map(|named| named.key);
        let is_first = known.titled.first().is_some_and(|first| first.key == key);
        let others = keys.by_ref().take(if is_first { usize::MAX } else { 1 }).filter(|other| *other != key);
        others.filter_map(|other| self.related(other, None)).collect()
    }

    /// How the page was called of which another compiler's was adopted, if it is one.
    fn adopted(&self, key: Key) -> Option<AdoptedPage> {
        let mut postings = self.names.ledger.postings_of(key).iter().filter(|posting| posting.is_part());
        postings.find_map(|posting| Some(*self.corpus.entry(posting.file, posting.entry)?.entry.adopted.clone()?))
    }

    /// Whether a claim belongs to this subject before any other.
    fn is_first(&self, told: &Told, key: Key) -> bool {
        told.about.first().is_some_and(|about| self.names.ledger.page_of(key_hash(&subject_key(&about.name))) == key)
    }

    /// Slug and title of the pages that may be related.
    pub(crate) fn near(&self, evidence: &Evidence) -> Vec<(String, String)> {
        let related = evidence.candidates(CANDIDATES_MAX).into_iter().filter_map(|key| self.related(key, None));
        related.map(|page| (page.slug.to_string(), page.title)).collect()
    }

    fn related(&self, key: Key, month: Option<ken_core::Month>) -> Option<RelatedPage> {
        let page = self.names.pages.get(&key)?;
        let is_work = page.category == Category::Project.as_str();
        Some(RelatedPage { slug: page.slug()?, title: page.shown_title(), month, is_work })
    }

    /// The page that a wikilink in a statement leads to: a compiled page of that subject, or a person's.
    pub(crate) fn resolve(&self, target: &str) -> Option<Slug> {
        if let Some(place) = target.strip_prefix('/') {
            return self.names.pages.get(&self.names.ledger.document_at(place)?).and_then(|page| page.slug());
        }
        let name = target.rsplit('/').next().unwrap_or(target);
        let name = name.strip_suffix(".md").unwrap_or(name);
        let slug = Slug::from_text(name)?;
        let human = || (self.names.humans)(&slug);
        let compiled = self.names.pages.get(&self.names.ledger.page_of(key_hash(&subject_key(name))));
        compiled.and_then(|page| page.slug()).or_else(human)
    }
}
