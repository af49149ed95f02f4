//! Writes a memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ken_core::claim::{ClaimState, SourceRef};
use ken_core::header::{FieldName, Style, encode_scalar};
use ken_core::page::Category;
use ken_core::page::outline::claims;
use ken_core::snapshot::PageFacts;
use ken_core::text::one_line;
use ken_core::time::leading_date;
use ken_core::{Date, VaultPath};

use super::{MEMORY, ROOTS, What, what};
use crate::format::{Output, Settings};
use crate::header::{Block, lines_where, plain_name};
use crate::links::{Leading, relinked};
use crate::repoint::repointed;
use crate::vault::Vault;

/// Keys that are written anew, or that say nothing there.
const WRITTEN: &[FieldName] = &[
    FieldName::Category,
    FieldName::Title,
    FieldName::Tldr,
    FieldName::Created,
    FieldName::Updated,
    FieldName::Sources,
    FieldName::Related,
    FieldName::Confidence,
    FieldName::Contradicts,
    FieldName::Supersedes,
    FieldName::RedirectTo,
    FieldName::Owner,
    FieldName::BodyDigest,
];
/// Pages that the index lists as new.
const RECENT: usize = 10;

pub(super) fn write(vault: &Vault, _: &Settings) -> Output {
    let memory = Memory::of(vault);
    let mut out = Output::default();
    let mut taken = BTreeSet::new();
    let mut put = |place: &str, text: String| {
        if taken.insert(place.to_lowercase()) {
            out.put(place, text);
        }
    };
    for day in &vault.days {
        put(memory.moved.get(&day.path).unwrap_or(&day.path).as_str(), day.text.clone());
    }
    let mut rows = Vec::new();
    let mut cited = BTreeSet::new();
    let mut n_other = 0;
    for (idx, facts) in vault.snapshot.pages.iter().enumerate() {
        let Some(place) = memory.places[idx].as_ref() else {
            n_other += 1;
            continue;
        };
        let text = if memory.is_theirs[idx] { memory.their_page(facts) } else { memory.page(idx, place) };
        let notes = facts.footnotes.iter().filter_map(|note| SourceRef::parse(note.text.of(&facts.page.text)));
        cited.extend(notes.map(|cited| cited.path));
        if place.is_under("memory/wiki") {
            rows.push(PageFacts::read(place, text.clone()));
        }
        put(place.as_str(), text);
    }
    for source in &vault.sources {
        let below = source.path.as_str().strip_prefix(vault.snapshot.layout.sources.as_str());
        let below = below.and_then(|below| VaultPath::new(below.strip_prefix('/')?));
        match below.filter(|below| what(below) == Some(What::Document)) {
            Some(place) => put(place.as_str(), source.text.clone()),
            None if cited.contains(&source.path) => put(source.path.as_str(), source.text.clone()),
            None => {}
        }
    }
    for file in &vault.kept {
        let place = memory.below_base(&file.path);
        if place.is_under(MEMORY) && what(&place) != Some(What::Index) || ROOTS.contains(&place.as_str()) {
            put(place.as_str(), file.text.clone());
        }
    }
    put("memory/wiki/index.md", index(vault, &rows));
    if n_other > 0 {
        out.notes.push(format!("{n_other} pages that are no Markdown, or roll-ups of a year, were left out"));
    }
    out
}

/// Where everything stands in the memory.
struct Memory<'v> {
    vault: &'v Vault,
    /// The place of each page; none where it is left out.
    places: Vec<Option<VaultPath>>,
    /// Which of them are Recall's own, and stay as they are.
    is_theirs: Vec<bool>,
    /// Where days stand there that stand elsewhere here.
    moved: BTreeMap<VaultPath, VaultPath>,
}

impl<'v> Memory<'v> {
    fn of(vault: &'v Vault) -> Memory<'v> {
        let moved = vault.days.iter().filter_map(|day| {
            let place = VaultPath::new(&format!("{MEMORY}/{}", day.path.file_name()))?;
            (place != day.path).then(|| (day.path.clone(), place))
        });
        let (places, is_theirs) = (Vec::new(), Vec::new());
        let mut memory = Memory { vault, places, is_theirs, moved: moved.collect() };
        let mut taken: BTreeSet<String> = BTreeSet::from(["memory/wiki/index.md".to_owned()]);
        let theirs: Vec<Option<VaultPath>> = vault.snapshot.pages.iter().map(|facts| memory.own_place(facts)).collect();
        taken.extend(theirs.iter().flatten().map(|place| place.as_str().to_lowercase()));
        for (facts, own) in vault.snapshot.pages.iter().zip(theirs) {
            memory.is_theirs.push(own.is_some());
            let place = own.or_else(|| new_place(facts, &mut taken));
            memory.places.push(place);
        }
        memory
    }

    /// The place from the root of a memory on, which may lie in a folder of the vault.
    fn below_base(&self, path: &VaultPath) -> VaultPath {
        let journal = self.vault.snapshot.layout.journal.as_str();
        let base = journal.strip_suffix(MEMORY).unwrap_or_default();
        path.as_str().strip_prefix(base).and_then(VaultPath::new).unwrap_or_else(|| path.clone())
    }

    /// Where a page of Recall's stands; below the wiki, one that came in from there.
    fn own_place(&self, facts: &PageFacts) -> Option<VaultPath> {
        let path = &facts.page.path;
        let below = path.as_str().strip_prefix(self.vault.snapshot.layout.wiki.as_str());
        let below = below.and_then(|below| VaultPath::new(below.strip_prefix('/')?));
        let place = below.filter(|_| !facts.entry.is_owned).unwrap_or_else(|| self.below_base(path));
        (what(&place) == Some(What::Page)).then_some(place)
    }

    /// A page of theirs: every byte, but for the days that are called otherwise here.
    fn their_page(&self, facts: &PageFacts) -> String {
        repointed(&facts.page.path, &facts.page.text, &self.moved)
    }

    fn place_of(&self, path: &VaultPath) -> VaultPath {
        self.moved.get(path).cloned().unwrap_or_else(|| self.below_base(path))
    }

    /// What a page is called there.
    fn name(&self, idx: usize) -> Option<&str> {
        self.places[idx].as_ref().filter(|place| place.is_under("memory/wiki")).map(VaultPath::stem)
    }

    fn page(&self, idx: usize, place: &VaultPath) -> String {
        let facts = &self.vault.snapshot.pages[idx];
        let header = match what(place) {
            Some(What::Summary) => self.summary_header(facts, place),
            _ => self.header(facts, place),
        };
        let link = |link: &Leading<'_>| {
            let to = self.vault.snapshot.find(link.to.entry.slug.as_str()).and_then(|to| self.name(to));
            let bar = if link.is_in_table { "\\|" } else { "|" };
            // Recall knows a page by its name alone, and takes a link to anything else for none.
            match to {
                Some(to) => format!("[[{to}{bar}{}]]", one_line(link.shown).replace(['[', ']', '|'], " ")),
                None => one_line(link.shown),
            }
        };
        let text = relinked(&self.vault.snapshot, idx, facts.page.body(), &link);
        header + &repointed(&facts.page.path, &text.replace("\r\n", "\n"), &self.moved)
    }

    fn header(&self, facts: &PageFacts, place: &VaultPath) -> String {
        let (page, entry) = (&facts.page, &facts.entry);
        let mut block = Block::new();
        block.scalar("name", &one_line(&entry.title));
        let told = if entry.tldr.is_empty() { one_line(&entry.title) } else { one_line(&entry.tldr) };
        block.scalar("description", &told);
        block.scalar("type", "wiki");
        block.scalar("category", category(entry.category));
        block.scalar("slug", place.stem());
        let date = |name| page.header.date(&page.text, name);
        let updated = date(FieldName::Updated).or(entry.updated).or(date(FieldName::Created)).unwrap_or(self.newest());
        let created = date(FieldName::Created).unwrap_or(updated);
        // In quotes: Recall takes a bare one for something else than a text.
        block.raw(&format!("created: \"{created}\"\nupdated: \"{updated}\"\n"));
        block.raw(&self.sources(facts, updated));
        let names = |targets: Vec<String>| -> Vec<String> {
            let found = targets.iter().filter_map(|to| self.vault.snapshot.find(to));
            let names: Vec<&str> = found.filter_map(|to| self.name(to)).filter(|name| *name != place.stem()).collect();
            let mut seen = BTreeSet::new();
            names.into_iter().filter(|name| seen.insert(*name)).map(str::to_owned).collect()
        };
        let of = |name| page.relations(name).into_iter().map(|one| one.target).collect::<Vec<_>>();
        block
            .list("related", &names([of(FieldName::High), of(FieldName::Mid), page.list(FieldName::Related)].concat()));
        let sure = page.scalar(FieldName::Confidence).unwrap_or_default();
        block.scalar("confidence", if ["high", "medium"].contains(&sure.as_str()) { &sure } else { "low" });
        block.list("contradicts", &names(of(FieldName::Contradicts)));
        block.raw_if(&self.supersedes(facts));
        if let Some(to) = &entry.redirect_to {
            let found = self.vault.snapshot.find(to).and_then(|to| self.name(to)).map(str::to_owned);
            block.scalar("redirect_to", &found.unwrap_or_else(|| plain_name(to)));
        }
        // What only Kenning knows stays with the page, under its own name.
        block.raw_if(&lines_where(page, |name, _| !name.is_some_and(|name| WRITTEN.contains(&name))));
        block.finish() + "\n"
    }

    fn summary_header(&self, facts: &PageFacts, place: &VaultPath) -> String {
        let mut block = Block::new();
        block.scalar("type", if place.is_under("memory/weekly") { "weekly" } else { "monthly" });
        block.scalar("period", place.stem());
        let pointers: BTreeSet<String> = facts
            .footnotes
            .iter()
            .filter_map(|note| SourceRef::parse(note.text.of(&facts.page.text)))
            .map(|cited| self.place_of(&cited.path).to_string())
            .collect();
        block.list("pointers", &pointers.into_iter().collect::<Vec<_>>());
        block.finish()
    }

    /// Each place that the page rests on, with its lines and how it begins.
    fn sources(&self, facts: &PageFacts, day: Date) -> String {
        let mut seen = BTreeSet::new();
        let mut out = "sources:\n".to_owned();
        for note in &facts.footnotes {
            let Some(cited) = SourceRef::parse(note.text.of(&facts.page.text)) else { continue };
            if seen.insert((cited.path.clone(), cited.lines)) {
                let (first, n_lines) = (cited.lines.0, cited.lines.1 - cited.lines.0 + 1);
                let _ = writeln!(out, "  - uri: {}", yaml(self.place_of(&cited.path).as_str()));
                let _ = writeln!(out, "    from: {first}\n    lines: {n_lines}");
                if !cited.quote.is_empty() {
                    let _ = writeln!(out, "    summary: {}", yaml(&one_line(&cited.quote)));
                }
            }
        }
        if seen.is_empty() {
            let named = facts.page.list(FieldName::Sources);
            let place = |name: &String| {
                VaultPath::new(name).map_or_else(|| name.clone(), |path| self.place_of(&path).to_string())
            };
            named.iter().for_each(|name| {
                let _ = writeln!(out, "  - {}", yaml(&place(name)));
            });
            // A page without a source is none there; this is how it names what it was taken over from.
            if named.is_empty() {
                let _ = writeln!(out, "  - {}", yaml(&format!("migration:{day}:{}", facts.page.path)));
            }
        }
        out
    }

    fn supersedes(&self, facts: &PageFacts) -> String {
        let mut out = String::new();
        let past = claims(&facts.page).into_iter().filter(|claim| matches!(claim.state, ClaimState::Superseded { .. }));
        for claim in past {
            let cited = |marks: &[ken_core::claim::Mark]| marks.iter().find_map(|mark| mark.cited.clone());
            let by = || cited(&claim.by).and_then(|by| by.path.stem().parse().ok());
            let (Some(own), Some(day)) = (cited(&claim.own), claim.state.ended().or_else(by)) else { continue };
            let _ = writeln!(out, "  - source: {}", yaml(self.place_of(&own.path).as_str()));
            let _ = writeln!(out, "    fact: {}\n    supersededOn: \"{day}\"", yaml(&one_line(&claim.text)));
        }
        let own = lines_where(&facts.page, |name, _| name == Some(FieldName::Supersedes));
        if out.is_empty() { own } else { format!("supersedes:\n{out}") }
    }

    /// The day of a page that has none: the newest that anything here is of.
    fn newest(&self) -> Date {
        newest(self.vault)
    }
}

fn newest(vault: &Vault) -> Date {
    let days = vault.days.iter().filter_map(|day| day.path.stem().parse().ok());
    let pages = vault.snapshot.pages.iter().filter_map(|facts| facts.entry.updated);
    let now = || leading_date(&vault.at.to_string()).unwrap_or_default();
    days.chain(pages).max().unwrap_or_else(now)
}

/// Where a page that is not theirs stands: a flat name of plain letters, taken by no other.
fn new_place(facts: &PageFacts, taken: &mut BTreeSet<String>) -> Option<VaultPath> {
    if facts.page.path.extension() != "md" {
        return None;
    }
    let stem = facts.page.path.stem();
    if facts.entry.category == Category::Rollup {
        let folder = match stem.as_bytes() {
            [_, _, _, _, b'-', b'W', ..] => "weekly",
            [_, _, _, _, b'-', _, _] => "monthly",
            _ => return None,
        };
        let place = VaultPath::new(&format!("{MEMORY}/{folder}/{stem}.md"))?;
        return taken.insert(place.as_str().to_lowercase()).then_some(place);
    }
    let name = plain_name(facts.entry.slug.as_str());
    let numbered = |n: usize| if n == 1 { name.clone() } else { format!("{name}-{n}") };
    let places = (1..).map(|n| format!("{MEMORY}/wiki/{}.md", numbered(n)));
    let place = places.into_iter().find(|place| !taken.contains(place)).expect("numbers do not end");
    taken.insert(place.clone());
    VaultPath::new(&place)
}

/// The category as Recall has it.
fn category(category: Category) -> &'static str {
    match category {
        Category::Entity => "entity",
        Category::Project => "project",
        Category::Reference | Category::Trajectory => "reference",
        Category::Theme | Category::Connection | Category::Rollup => "theme",
        Category::Concept | Category::Question => "concept",
    }
}

fn yaml(text: &str) -> String {
    encode_scalar(text, Style::Yaml)
}

/// The index of the pages as they were written.
fn index(vault: &Vault, rows: &[PageFacts]) -> String {
    let mut text =
        format!("---\ntype: wiki-index\ngenerated: \"{}\"\ntotal: {}\n---\n# Wiki\n", newest(vault), rows.len());
    let row = |facts: &PageFacts| {
        let told = one_line(&facts.entry.tldr);
        let stub = if facts.page.list(FieldName::Sources).len() <= 1 { " (stub)" } else { "" };
        let dash = if told.is_empty() { "" } else { " — " };
        format!("- [[{}]]{dash}{told}{stub}\n", facts.page.path.stem())
    };
    let sections = [
        ("entity", "Entities"),
        ("concept", "Concepts"),
        ("project", "Projects"),
        ("reference", "References"),
        ("theme", "Themes"),
    ];
    for (name, heading) in sections {
        let of: Vec<_> = rows.iter().filter(|facts| category(facts.entry.category) == name).collect();
        if !of.is_empty() {
            let _ = write!(text, "\n## {heading} ({})\n\n", of.len());
            of.into_iter().for_each(|one| text.push_str(&row(one)));
        }
    }
    let mut recent: Vec<_> = rows.iter().filter(|facts| facts.entry.updated.is_some()).collect();
    recent.sort_by_key(|facts| std::cmp::Reverse(facts.entry.updated));
    if !recent.is_empty() {
        text.push_str("\n## Recent Updates\n\n");
    }
    for facts in recent.into_iter().take(RECENT) {
        let day = facts.entry.updated.map(|day| day.to_string()).unwrap_or_default();
        let _ = writeln!(text, "- {day}: [[{}]]", facts.page.path.stem());
    }
    text
}
