//! Writes entries and topic pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ken_core::claim::{Claim, ClaimState, SourceRef};
use ken_core::header::{FieldName, Style, encode_list};
use ken_core::issue::Stage;
use ken_core::journal::parse_journal;
use ken_core::page::Category;
use ken_core::page::outline::claims;
use ken_core::snapshot::PageFacts;
use ken_core::span::LineIndex;
use ken_core::text::{cut, one_line};
use ken_core::{Date, VaultPath};

use super::index::index;
use super::{EMPTY, ENTRIES, TOPIC_PAGES, USUAL, is_entry, is_topic_page, place_in_wiki};
use crate::evidence::{self, cited_in};
use crate::format::{Output, Settings};
use crate::header::plain_name;
use crate::vault::Vault;

/// Longest title and longest name of a file, in characters, as HydraFlow cuts them.
const TITLE_CHARS_MAX: usize = 70;
const NAME_CHARS_MAX: usize = 50;
/// The topic of what tells none.
const NO_TOPIC: &str = "patterns";

pub(super) fn write(vault: &Vault, _: &Settings) -> Output {
    let mut out = Output::default();
    let mut standing: BTreeMap<String, VaultPath> = BTreeMap::new();
    for facts in &vault.snapshot.pages {
        let Some(place) = own_place(vault, facts) else { continue };
        if standing.insert(place.as_str().to_lowercase(), place.clone()).is_none() {
            out.put(place.as_str(), facts.page.text.clone());
        }
    }
    let pages: Vec<&VaultPath> = standing.values().filter(|place| place.is_under(TOPIC_PAGES)).collect();
    for topic in USUAL.iter().filter(|_| !pages.is_empty()) {
        let place = format!("{TOPIC_PAGES}/{topic}.md");
        if !standing.contains_key(&place) {
            out.put(&place, format!("# {}\n\n{EMPTY}\n", ken_core::text::capital(topic)));
        }
    }
    for file in &vault.kept {
        if place_in_wiki(&file.path).is_some_and(|place| place == file.path) && file.path.file_name() != "index.json" {
            out.put(file.path.as_str(), file.text.clone());
        }
    }
    index(vault, &mut out);
    add_entries(vault, &standing, &mut out);
    out
}

/// Where a page stands in a wiki of HydraFlow, if it is one of its files.
fn own_place(vault: &Vault, facts: &PageFacts) -> Option<VaultPath> {
    let (path, layout) = (&facts.page.path, &vault.snapshot.layout);
    let below = path.as_str().strip_prefix(layout.wiki.as_str()).and_then(|below| below.strip_prefix('/'));
    let place = VaultPath::new(below.unwrap_or(path.as_str()))?;
    let is_in_wiki = place_in_wiki(&place).is_some_and(|found| found == place);
    let is_of_theirs = layout.is_foreign(path) || is_entry(&facts.page) || is_topic_page(&facts.page);
    (is_in_wiki && path.extension() == "md" && (is_of_theirs || !facts.entry.is_owned)).then_some(place)
}

/// What becomes an entry.
struct Said<'v> {
    facts: &'v PageFacts,
    topic: String,
    title: String,
    body: String,
    /// What the page says of it besides.
    more: String,
    state: ClaimState,
    own: Vec<SourceRef>,
    by: Vec<SourceRef>,
    day: Option<Date>,
    stage: Option<Stage>,
}

fn add_entries(vault: &Vault, standing: &BTreeMap<String, VaultPath>, out: &mut Output) {
    let stages = Stages::of(vault);
    let (mut said, mut n_left_out) = (Vec::new(), 0);
    let mut seen = told_there(vault);
    for facts in vault.snapshot.pages.iter().filter(|facts| facts.page.path.extension() == "md") {
        if own_place(vault, facts).is_some() || facts.entry.redirect_to.is_some() {
            continue;
        }
        let follows = matches!(facts.entry.category, Category::Rollup | Category::Question | Category::Trajectory);
        match facts.entry.is_owned {
            true if follows => n_left_out += 1,
            true => said.extend(of_claims(vault, facts, &stages, &mut seen)),
            false => said.push(of_page(vault, facts)),
        }
    }
    let cited = said.iter().flat_map(|one| one.own.iter().chain(&one.by)).map(|cited| cited.path.clone());
    let mut cited: BTreeSet<VaultPath> = cited.collect();
    for facts in vault.snapshot.pages.iter().filter(|facts| own_place(vault, facts).is_some()) {
        cited.extend(cited_in(&facts.page.path, &facts.page.text));
    }
    evidence::add(vault, &cited, "", out);
    // The oldest first, so that numbers stay when others come.
    said.sort_by(|a, b| key(a).cmp(&key(b)));
    let home = home(vault, standing);
    let mut next = numbers(&home, standing);
    let numbered: Vec<usize> = said
        .iter()
        .map(|one| {
            let next = next.entry(one.topic.clone()).or_insert(0);
            *next += 1;
            *next
        })
        .collect();
    let ends = ends(&said);
    for (idx, one) in said.iter().enumerate() {
        let issue = one.stage.map_or_else(|| "unknown".to_owned(), |stage| stage.issue.to_string());
        let name = name(one.title.rsplit_once(" (#").map_or(one.title.as_str(), |(title, _)| title));
        let place = format!("{home}/{}/{:04}-issue-{issue}-{name}.md", one.topic, numbered[idx]);
        out.put(&place, entry(one, (numbered[idx], &ends[idx]), &numbered));
    }
    if n_left_out > 0 {
        out.notes.push(format!("{n_left_out} roll-ups and answers tell again what stands elsewhere and were left out"));
    }
}

/// The words of a claim, and what it rests on first.
type Told = (String, Option<SourceRef>);

/// What entries tell already that stand there: a wiki that went out and came in is one with what it rests on.
fn told_there(vault: &Vault) -> BTreeSet<Told> {
    let entries = vault.snapshot.pages.iter().filter(|facts| own_place(vault, facts).is_some());
    let told = |claim: &Claim| {
        let first = claim.own.iter().find_map(|mark| mark.cited.clone());
        (one_line(&claim.text).to_lowercase(), first)
    };
    entries
        .flat_map(|facts| claims(&facts.page))
        .map(|claim| told(&claim))
        .filter(|(_, first)| first.is_some())
        .collect()
}

/// What has no day comes behind all that has one.
type Key<'s> = (bool, Option<Date>, Option<(&'s VaultPath, usize)>, &'s str, &'s VaultPath);

fn key<'s>(said: &'s Said<'_>) -> Key<'s> {
    let first = said.own.first().map(|cited| (&cited.path, cited.lines.0));
    (said.day.is_none(), said.day, first, &said.title, &said.facts.page.path)
}

fn of_claims<'v>(vault: &Vault, facts: &'v PageFacts, stages: &Stages, seen: &mut BTreeSet<Told>) -> Vec<Said<'v>> {
    let words = |claim: &Claim| one_line(&claim.text);
    let cited =
        |marks: &[ken_core::claim::Mark]| marks.iter().filter_map(|mark| mark.cited.clone()).collect::<Vec<_>>();
    let mut out = Vec::new();
    for claim in claims(&facts.page) {
        let (own, by, text) = (cited(&claim.own), cited(&claim.by), words(&claim));
        if text.is_empty() || !seen.insert((text.to_lowercase(), own.first().cloned())) {
            continue;
        }
        let day = own.iter().filter_map(|cited| stages.day_of(&cited.path)).min();
        let stage = own.iter().find_map(|cited| stages.at(cited));
        out.push(Said {
            facts,
            topic: topic(vault, facts, &text),
            title: title(&text, stage),
            more: more(&claim),
            body: without_fence(text),
            state: claim.state,
            own,
            by,
            day,
            stage,
        });
    }
    out
}

/// A page that a person wrote is one entry.
fn of_page<'v>(vault: &Vault, facts: &'v PageFacts) -> Said<'v> {
    let text = facts.page.body().of(&facts.page.text).replace("\r\n", "\n");
    let heading = format!("# {}\n", facts.entry.title);
    let text = text.trim_start_matches('\u{feff}').trim();
    let body = text.strip_prefix(heading.trim_end()).filter(|rest| rest.starts_with('\n')).unwrap_or(text).trim();
    let date = |name| facts.page.header.date(&facts.page.text, name);
    let word = facts.page.scalar(FieldName::Status).unwrap_or_default();
    let state = match facts.entry.past.is_some() {
        true if word.starts_with("superseded") => ClaimState::Superseded { until: None, now: None },
        true => ClaimState::Stale,
        false => ClaimState::Current,
    };
    Said {
        facts,
        topic: topic(vault, facts, ""),
        title: title(&facts.entry.title, None),
        body: body.to_owned(),
        more: String::new(),
        state,
        own: Vec::new(),
        by: Vec::new(),
        day: date(FieldName::Created).or(date(FieldName::Updated)),
        stage: None,
    }
}

/// All claims of a page are of one topic, so that a number leads to what took the place of a claim.
fn topic(vault: &Vault, facts: &PageFacts, text: &str) -> String {
    let own = || vault.topics.of_page(&facts.entry);
    let is_name = |name: &&str| VaultPath::new(name).is_some() && !name.contains('/');
    own()
        .or_else(|| vault.topics.of(text).filter(|_| !facts.entry.is_owned))
        .filter(is_name)
        .unwrap_or(NO_TOPIC)
        .to_owned()
}

fn title(text: &str, stage: Option<Stage>) -> String {
    let text = one_line(text);
    let plain = cut(text.trim_start_matches(['#', ' ', '-']), TITLE_CHARS_MAX);
    let plain = if plain.is_empty() { "Untitled".to_owned() } else { plain };
    stage.map_or(plain.clone(), |stage| format!("{plain} (#{})", stage.issue))
}

/// What the page says of a claim besides, in words.
fn more(claim: &Claim) -> String {
    match &claim.state {
        ClaimState::Superseded { until, now } => {
            let until = until.map(|day| format!("Until {day}.")).unwrap_or_default();
            let now = now.as_ref().map(|now| format!(" Now: {}", one_line(now))).unwrap_or_default();
            format!("{until}{now}").trim().to_owned()
        }
        ClaimState::Done { on: Some(day) } => format!("Done on {day}."),
        ClaimState::Disputed => "Disputed: something else is said elsewhere.".to_owned(),
        ClaimState::External => "Only an external source says so.".to_owned(),
        ClaimState::Unverified => "Unverified: it may say more than its source.".to_owned(),
        ClaimState::Synthesis => "A model concluded it.".to_owned(),
        _ => String::new(),
    }
}

/// What took the place of an entry in its topic, and of which ones it took the place.
#[derive(Default)]
struct Ends {
    by: Option<usize>,
    of: Vec<usize>,
}

/// Where one entry took the place of another: a number leads only inside a topic.
fn ends(said: &[Said<'_>]) -> Vec<Ends> {
    let mut bearers: BTreeMap<&SourceRef, usize> = BTreeMap::new();
    for (idx, one) in said.iter().enumerate() {
        one.own.iter().for_each(|cited| {
            bearers.entry(cited).or_insert(idx);
        });
    }
    let mut out: Vec<Ends> = said.iter().map(|_| Ends::default()).collect();
    for (idx, one) in said.iter().enumerate() {
        let is_past = matches!(one.state, ClaimState::Superseded { .. });
        let in_topic = |other: &usize| said[*other].topic == one.topic && *other != idx;
        let by = one.by.iter().filter_map(|by| bearers.get(by).copied()).find(in_topic).filter(|_| is_past);
        if let Some(by) = by {
            out[idx].by = Some(by);
            out[by].of.push(idx);
        }
    }
    out
}

fn entry(one: &Said<'_>, (number, ends): (usize, &Ends), numbered: &[usize]) -> String {
    let issue = one.stage.map_or_else(|| "unknown".to_owned(), |stage| stage.issue.to_string());
    let phase = one.stage.map_or("legacy-migrated", |stage| stage.phase.as_str());
    let mut text =
        format!("---\nid: {number:04}\ntopic: {}\nsource_issue: {issue}\nsource_phase: {phase}\n", one.topic);
    if let Some(day) = one.day {
        let _ = writeln!(text, "created_at: {day}T00:00:00+00:00");
    }
    match &one.state {
        ClaimState::Superseded { .. } => {
            text.push_str("status: superseded\n");
            if let Some(by) = ends.by {
                let _ = writeln!(text, "superseded_by: {:04}", numbered[by]);
            }
        }
        state @ (ClaimState::Done { .. } | ClaimState::Retracted | ClaimState::Stale) => {
            let past = one.facts.entry.past.as_deref().filter(|_| !one.facts.entry.is_owned);
            let why = past.map_or_else(|| state.as_str().to_owned(), one_line);
            let _ = writeln!(text, "status: stale\nstale_reason: {why}");
        }
        // Nobody is to take it for what holds.
        ClaimState::External | ClaimState::Unverified | ClaimState::Asked => text.push_str("status: proposed\n"),
        _ => text.push_str("status: active\n"),
    }
    let n_found: BTreeSet<&VaultPath> = one.own.iter().map(|cited| &cited.path).collect();
    let _ = writeln!(text, "corroborations: {}", n_found.len().max(1));
    let replaces: Vec<String> = ends.of.iter().map(|other| format!("{:04}", numbered[*other])).collect();
    if !replaces.is_empty() {
        let _ = writeln!(text, "supersedes: {}", replaces.join(","));
    }
    let _ = writeln!(text, "page: {}", one.facts.entry.slug);
    let sources: BTreeSet<&str> = one.own.iter().map(|cited| cited.path.as_str()).collect();
    if !sources.is_empty() {
        let sources: Vec<&str> = sources.into_iter().collect();
        let _ = writeln!(text, "sources: {}", encode_list(&sources, Style::Yaml));
    }
    let _ = writeln!(text, "---\n\n# {}\n", one.title);
    if one.body.starts_with("---") {
        text.push_str("<!-- begins with a rule -->\n");
    }
    text.push_str(&one.body);
    let marks = |from: usize, n: usize| (from..from + n).map(|n| format!("[^{}]", n + 1)).collect::<String>();
    text.push_str(&marks(0, one.own.len()));
    if !one.more.is_empty() {
        let _ = write!(text, "\n\n{}", one.more);
    }
    let _ = writeln!(text, "{}", marks(one.own.len(), one.by.len()));
    for (n, cited) in one.own.iter().chain(&one.by).enumerate() {
        let first = if n == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{first}[^{}]: {cited}", n + 1);
    }
    text
}

/// A statement that would open a block of code, also as an item or a quote, and hide its citations in it, with that
/// escaped.
fn without_fence(mut text: String) -> String {
    let is_lead = |ch: char| matches!(ch, '-' | '*' | '+' | '>' | '#' | '.' | ')' | ' ') || ch.is_ascii_digit();
    let said = text.trim_start_matches(is_lead);
    let at = text.len() - said.len();
    if said.starts_with("```") || said.starts_with("~~~") {
        text.insert(at, '\\');
    }
    text
}

/// A name as HydraFlow makes it.
fn name(title: &str) -> String {
    let mut out = String::new();
    for ch in title.chars().flat_map(char::to_lowercase) {
        match ch {
            'a'..='z' | '0'..='9' => out.push(ch),
            _ if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.truncate(NAME_CHARS_MAX);
    let out = out.trim_matches('-');
    if out.is_empty() { "untitled".to_owned() } else { out.to_owned() }
}

/// The folder of this repository's entries: that which stands there, if it is one.
fn home(vault: &Vault, standing: &BTreeMap<String, VaultPath>) -> String {
    let own = |place: &VaultPath| {
        let parts: Vec<String> = place.as_str().split('/').map(str::to_owned).collect();
        (parts.len() == 5 && parts[0] == ENTRIES).then(|| parts[..3].join("/"))
    };
    let homes: BTreeSet<String> = standing.values().filter_map(own).collect();
    match homes.first() {
        Some(home) if homes.len() == 1 => home.clone(),
        _ => format!("{ENTRIES}/local/{}", plain_name(&vault.name)),
    }
}

/// The highest number of each topic that stands there: every file that begins with digits counts, as HydraFlow counts.
fn numbers(home: &str, standing: &BTreeMap<String, VaultPath>) -> BTreeMap<String, usize> {
    let mut out: BTreeMap<String, usize> = BTreeMap::new();
    for place in standing.values() {
        let Some((topic, name)) = place.as_str().strip_prefix(home).and_then(|rest| rest[1..].split_once('/')) else {
            continue;
        };
        let number =
            name.split('-').next().and_then(|digits| digits.parse::<usize>().ok()).filter(|_| name.contains('-'));
        let highest = out.entry(topic.to_owned()).or_insert(0);
        // A number that nobody counts to is none of a counter's.
        *highest = (*highest).max(number.filter(|number| *number < 1_000_000).unwrap_or(0));
    }
    out
}

/// The first and last line of an entry of the journal, and what it is of.
type Staged = ((usize, usize), Stage);

/// Of which issue and phase the lines of days are, and of which day a file is.
struct Stages {
    of_days: BTreeMap<VaultPath, Vec<Staged>>,
    days: BTreeMap<VaultPath, Date>,
}

impl Stages {
    fn of(vault: &Vault) -> Stages {
        let (mut of_days, mut days) = (BTreeMap::new(), BTreeMap::new());
        for source in &vault.sources {
            let header = ken_core::header::read_header(&source.text).value;
            let day = ken_core::source::day_of(&header, &source.text, &source.path).or(source.day);
            days.extend(day.map(|day| (source.path.clone(), day)));
        }
        for day in &vault.days {
            let date: Option<Date> = day.path.stem().parse().ok();
            let lines = LineIndex::new(&day.text);
            let entries = parse_journal(&day.text, date).value.entries;
            let stages = entries.iter().filter_map(|entry| {
                let (stage, _) = Stage::of_entry(entry)?;
                let last = lines.line_of(entry.span.end.saturating_sub(1).max(entry.span.start));
                Some(((lines.line_of(entry.span.start), last), stage))
            });
            of_days.insert(day.path.clone(), stages.collect());
            days.extend(date.map(|date| (day.path.clone(), date)));
        }
        Stages { of_days, days }
    }

    fn at(&self, cited: &SourceRef) -> Option<Stage> {
        let stages = self.of_days.get(&cited.path)?;
        let holds = |((first, last), _): &&Staged| *first <= cited.lines.0 && cited.lines.0 <= *last;
        stages.iter().find(holds).map(|(_, stage)| *stage)
    }

    fn day_of(&self, path: &VaultPath) -> Option<Date> {
        self.days.get(path).copied()
    }
}
