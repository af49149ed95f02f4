//! Writes a vault as JSON Lines.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::{Claim, Mark};
use ken_core::header::FieldName;
use ken_core::journal::{JournalEntry, parse_journal};
use ken_core::page::outline::claims_as_owned;
use ken_core::snapshot::PageFacts;
use ken_core::source::day_of;
use ken_core::span::LineIndex;
use ken_core::{Date, Digest, VaultPath};
use serde::Serialize;

use super::{Begin, EXPORT, SCHEMA};
use crate::format::{Output, Settings};
use crate::vault::{Text, Vault};

/// Hex digits of a claim's id.
const ID_CHARS: usize = 12;

#[derive(Serialize)]
struct Day<'a> {
    kind: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    text: &'a str,
}

#[derive(Serialize)]
struct Entry<'a> {
    kind: &'a str,
    path: &'a str,
    lines: (usize, usize),
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trust: Option<&'a str>,
}

#[derive(Serialize)]
struct SourceLine<'a> {
    kind: &'a str,
    path: &'a str,
    digest: String,
    trust: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    committed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    adopted: bool,
    text: &'a str,
}

#[derive(Serialize)]
struct Plain<'a> {
    kind: &'a str,
    path: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct PageLine<'a> {
    kind: &'a str,
    path: &'a str,
    slug: &'a str,
    category: &'a str,
    title: &'a str,
    aliases: &'a [String],
    tldr: &'a str,
    answers_when: &'a [String],
    owner: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    past: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_to: Option<&'a str>,
    sources: Vec<String>,
    text: &'a str,
}

#[derive(Serialize)]
struct ClaimLine<'a> {
    kind: &'a str,
    id: String,
    page: &'a str,
    text: &'a str,
    state: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    heading: &'a str,
    lines: (usize, usize),
    #[serde(skip_serializing_if = "Option::is_none")]
    said_on: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<&'a str>,
    citations: Vec<Citation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced_by: Vec<Citation<'a>>,
}

#[derive(Serialize)]
struct Citation<'a> {
    path: &'a str,
    lines: (usize, usize),
    digest: &'a str,
    quote: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

#[derive(Serialize)]
struct RelationLine<'a> {
    kind: &'a str,
    from: &'a str,
    to: &'a str,
    relation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    validated: Option<String>,
    is_there: bool,
}

/// Writes lines of one object each.
struct Lines(String);

impl Lines {
    fn add(&mut self, line: &impl Serialize) {
        self.0.push_str(&serde_json::to_string(line).expect("texts are JSON"));
        self.0.push('\n');
    }
}

/// Writes the whole vault; the caller adds the last line with the seal.
pub(super) fn write(vault: &Vault, _: &Settings) -> Output {
    let layout = &vault.snapshot.layout;
    let mut out = Lines(String::new());
    out.add(&Begin {
        kind: EXPORT,
        schema: SCHEMA,
        by: vault.by.clone(),
        at: vault.at.to_string(),
        vault: vault.name.clone(),
        layout: layout.preset.name.to_owned(),
        wiki: layout.wiki.to_string(),
        journal: layout.journal.to_string(),
        sources: layout.sources.to_string(),
        talk: layout.talk.to_string(),
    });
    vault.days.iter().for_each(|day| add_day(&mut out, day));
    for source in &vault.sources {
        let path = source.path.as_str();
        let (trust, committed) = (source.trust.as_str(), source.day.map(|day| day.to_string()));
        let digest = source.digest.to_string();
        let origin = source.origin.as_deref();
        out.add(&SourceLine {
            kind: "source",
            path,
            digest,
            trust,
            committed,
            origin,
            adopted: source.is_adopted,
            text: &source.text,
        });
    }
    add_plain(&mut out, "talk", &vault.talk);
    let days = days_of(vault);
    for (page_idx, facts) in vault.snapshot.pages.iter().enumerate() {
        add_page(&mut out, facts);
        add_claims(&mut out, facts, &days);
        add_relations(&mut out, vault, page_idx);
    }
    let (state, records): (Vec<Text>, Vec<Text>) =
        vault.records.iter().cloned().partition(|record| layout.is_state(&record.path));
    add_plain(&mut out, "record", &records);
    add_plain(&mut out, "state", &state);
    // A backup of another vault is nothing to write over.
    let sign = format!("\"vault\":{},", serde_json::to_string(&vault.name).expect("a text is JSON"));
    let mut output = Output { sign: Some(sign), ..Output::default() };
    let n_talk = vault.talk.len();
    output
        .notes
        .extend((n_talk > 0).then(|| format!("what was said in sessions is in it, word for word: {n_talk} files")));
    output.put(&format!("{}.jsonl", crate::header::plain_name(&vault.name)), out.0);
    output
}

fn add_plain(out: &mut Lines, kind: &str, texts: &[Text]) {
    texts.iter().for_each(|text| out.add(&Plain { kind, path: text.path.as_str(), text: &text.text }));
}

fn add_day(out: &mut Lines, day: &Text) {
    let (path, text) = (day.path.as_str(), day.text.as_str());
    let date: Option<Date> = day.path.stem().parse().ok();
    out.add(&Day { kind: "day", path, date: date.map(|date| date.to_string()), text });
    let lines = LineIndex::new(text);
    for entry in parse_journal(text, date).value.entries {
        let JournalEntry { span, title, time, provenance, .. } = &entry;
        out.add(&Entry {
            kind: "entry",
            path,
            lines: (lines.line_of(span.start), lines.line_of(span.end.saturating_sub(1).max(span.start))),
            title,
            time: time.map(|(hour, minute)| format!("{hour:02}:{minute:02}")),
            session: provenance.session.as_deref(),
            agent: provenance.agent.as_deref(),
            project: provenance.project.as_deref(),
            trust: provenance.trust.as_deref(),
        });
    }
}

fn add_page(out: &mut Lines, facts: &PageFacts) {
    let (page, entry) = (&facts.page, &facts.entry);
    out.add(&PageLine {
        kind: "page",
        path: page.path.as_str(),
        slug: entry.slug.as_str(),
        category: entry.category.as_str(),
        title: &entry.title,
        aliases: &entry.aliases,
        tldr: &entry.tldr,
        answers_when: &entry.triggers,
        owner: if entry.is_owned { "kenning" } else { "person" },
        created: page.scalar(FieldName::Created),
        updated: entry.updated.map(|day| day.to_string()),
        confidence: page.scalar(FieldName::Confidence),
        past: entry.past.as_deref(),
        redirect_to: entry.redirect_to.as_deref(),
        sources: page.list(FieldName::Sources),
        text: &page.text,
    });
}

/// The days that sources are of.
fn days_of(vault: &Vault) -> BTreeMap<&VaultPath, Date> {
    let own = |source: &crate::vault::Source| {
        let header = ken_core::header::read_header(&source.text).value;
        day_of(&header, &source.text, &source.path).or(source.day)
    };
    vault.sources.iter().filter_map(|source| Some((&source.path, own(source)?))).collect()
}

fn add_claims(out: &mut Lines, facts: &PageFacts, days: &BTreeMap<&VaultPath, Date>) {
    let page = &facts.page;
    if matches!(page.path.extension(), "html" | "htm") {
        return;
    }
    let lines = LineIndex::new(&page.text);
    let mut ids = BTreeSet::new();
    for claim in claims_as_owned(page) {
        let citations = |marks: &'_ [Mark]| -> Vec<(ken_core::claim::SourceRef, Option<Date>)> {
            let cited = marks.iter().filter_map(|mark| mark.cited.clone());
            cited
                .map(|cited| {
                    let of_journal: Option<Date> = cited.path.stem().parse().ok();
                    let day = days.get(&cited.path).copied().or(of_journal);
                    (cited, day)
                })
                .collect()
        };
        let (own, by) = (citations(&claim.own), citations(&claim.by));
        let said_on = own.iter().filter_map(|(_, day)| *day).min();
        let Claim { span, text, heading, state, .. } = &claim;
        out.add(&ClaimLine {
            kind: "claim",
            id: id_of(facts, &claim, &mut ids),
            page: facts.entry.slug.as_str(),
            text,
            state: state.as_str(),
            heading,
            lines: (lines.line_of(span.start), lines.line_of(span.end.saturating_sub(1).max(span.start))),
            said_on: said_on.map(|day| day.to_string()),
            ended: state.ended().map(|day| day.to_string()),
            now: state.now(),
            citations: own.iter().map(wire).collect(),
            replaced_by: by.iter().map(wire).collect(),
        });
    }
}

fn wire((cited, day): &(ken_core::claim::SourceRef, Option<Date>)) -> Citation<'_> {
    Citation {
        path: cited.path.as_str(),
        lines: cited.lines,
        digest: &cited.digest,
        quote: &cited.quote,
        day: day.map(|day| day.to_string()),
    }
}

/// What names a claim: its page, its words and the first lines that bear it out, so that it stays when others come.
fn id_of(facts: &PageFacts, claim: &Claim, taken: &mut BTreeSet<String>) -> String {
    let first = claim.own.iter().find_map(|mark| mark.cited.as_ref());
    let cited = first.map(|cited| format!("{}#{}", cited.path, cited.digest)).unwrap_or_default();
    let named = format!("{}\n{}\n{cited}", facts.entry.slug, claim.text);
    let id = Digest::of_normalised(&named).to_string()[..ID_CHARS].to_owned();
    let numbered = |n: usize| if n == 1 { id.clone() } else { format!("{id}-{n}") };
    let free = (1..).map(numbered).find(|id| !taken.contains(id)).expect("numbers do not end");
    taken.insert(free.clone());
    free
}

fn add_relations(out: &mut Lines, vault: &Vault, page_idx: usize) {
    let snapshot = &vault.snapshot;
    let facts = &snapshot.pages[page_idx];
    let from = facts.entry.slug.as_str();
    let mut add = |relation: &str, to: &str, validated: Option<String>| {
        let page = snapshot.find(to).map(|idx| snapshot.pages[idx].entry.slug.as_str());
        let is_there = page.is_some();
        out.add(&RelationLine { kind: "relation", from, to: page.unwrap_or(to), relation, validated, is_there });
    };
    for (relation, name) in
        [("high", FieldName::High), ("mid", FieldName::Mid), ("contradicts", FieldName::Contradicts)]
    {
        for one in facts.page.relations(name) {
            add(relation, &one.target, one.validated.map(|month| month.to_string()));
        }
    }
    if let Some(to) = &facts.entry.redirect_to {
        add("redirect", to, None);
    }
    let text = &facts.page.text;
    let links = facts.links.iter().filter(|link| link.vault.is_none());
    let names: BTreeSet<String> = links.map(|link| link.name(text).into_owned()).collect();
    names.iter().for_each(|name| add("link", name, None));
}
