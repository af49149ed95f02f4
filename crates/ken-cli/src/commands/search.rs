//! `ken search`: passages of pages and evidence that answer a question.

use std::path::Path;

use ken_core::Category;
use ken_core::search::{Partition, Scope};
use ken_engine::search::{RESULTS_MAX, SearchHit, SearchOutcome, SearchRequest, Searcher, text_of};
use ken_engine::{Engine, Failure};
use serde::{Deserialize, Serialize};

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, GOOD};
use crate::text::{clean, count};
use crate::then::{Then, ThenWire};
use crate::ui::Ui;

/// Search pages, journal, talk and sources for what answers a question
///
/// Finds passages by words, whatever their inflection, and by parts of identifiers.
/// Pages and evidence (journal, talk and sources) are listed apart, so that a
/// summary never displaces its source. Says so, and exits with 1, when nothing
/// answers well enough; what came closest is listed all the same.
///
/// In the question:
///   "several words"    as they stand
///   -word  -"words"    not in the document
///   project: session: agent: category: path: title:
///                      narrow the search before anything is ranked
///   date:2026-04  date:2026-04-01..2026-04-08  after:2026-04-01  before:2026-05-01
///   last week, in March, on 2026-04-01, day 14
///                      days are understood and put first
///
/// Examples:
///   ken search "how do refresh tokens rotate?"
///   ken search '"refresh token" -legacy agent:claude-code' --in evidence
///   ken search --explain --why-not jwt token lifetime
///   ken search --as-of 2026-03-12 token lifetime
///   ken search --batch questions.jsonl --json > answers.jsonl
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The question
    #[arg(required_unless_present_any = ["batch", "refresh"], conflicts_with = "batch")]
    question: Vec<String>,
    /// Where to search: pages, evidence or all
    #[arg(long = "in", value_name = "WHERE", default_value = "all", value_parser = ["pages", "evidence", "all"])]
    within: String,
    /// Most results of pages, and of evidence; at most 200
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "10", value_parser = clap::value_parser!(u16).range(1..=RESULTS_MAX as i64))]
    limit: u16,
    /// Say how each score came about
    #[arg(long)]
    explain: bool,
    /// Say what kept a page out of the results
    #[arg(long, value_name = "PAGE")]
    why_not: Option<String>,
    /// Read questions from a file of JSON lines {"id", "text", "scope"}, `-` for stdin
    #[arg(long, value_name = "FILE")]
    batch: Option<String>,
    #[command(flatten)]
    then: Then,
    /// Look at every file and bring the index up to date first
    #[arg(long)]
    refresh: bool,
    /// Compare meanings too; with `--refresh`, make what that needs (docs/book/semantic.md)
    #[arg(long)]
    semantic: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    query: &'a str,
    #[serde(flatten)]
    then: ThenWire,
    abstained: bool,
    confidence: f32,
    pages: Vec<PageWire<'a>>,
    evidence: Vec<EvidenceWire<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<[Option<String>; 2]>,
    unknown: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'a str>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct PageWire<'a> {
    slug: &'a str,
    path: &'a str,
    title: &'a str,
    category: Option<&'static str>,
    heading: &'a str,
    score: f32,
    lines: [usize; 2],
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trust: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    past: &'a str,
    snippet: &'a str,
    marks: &'a [(usize, usize)],
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Vec<PartWire<'a>>>,
}

#[derive(Serialize)]
struct EvidenceWire<'a> {
    path: &'a str,
    lines: [usize; 2],
    date: Option<String>,
    session: Option<&'a str>,
    agent: Option<&'a str>,
    project: Option<&'a str>,
    trust: Option<&'static str>,
    title: &'a str,
    heading: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<&'a str>,
    score: f32,
    text: &'a str,
    snippet: &'a str,
    marks: &'a [(usize, usize)],
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Vec<PartWire<'a>>>,
}

#[derive(Serialize)]
struct PartWire<'a> {
    what: &'a str,
    adds: f32,
}

/// One line of a batch.
#[derive(Deserialize)]
struct Line {
    id: serde_json::Value,
    text: String,
    #[serde(default)]
    scope: serde_json::Map<String, serde_json::Value>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    if args.refresh {
        refresh(args, engine, ui)?;
        if args.semantic {
            embed(engine, ui)?;
        }
        if args.question.is_empty() && args.batch.is_none() {
            return Ok(Answer::Yes);
        }
    }
    let engine = &args.then.engine(engine)?;
    if let Some(file) = &args.batch {
        return batch(file, args, engine, ui);
    }
    let question = args.question.join(" ");
    let done = searcher(args, engine)?.search(&args.request(&question, Scope::default()))?;
    engine.note_question_of(&question, done.abstained, done.pages.iter().map(|hit| &hit.path));
    if ui.is_json() {
        ui.json(&wire(&done, None, args));
    } else {
        print(&done, args.explain, ui);
    }
    Ok(Answer::no_if(done.abstained))
}

impl Args {
    fn request(&self, text: &str, scope: Scope) -> SearchRequest {
        let partition = Partition::ALL.into_iter().find(|one| one.as_str() == self.within);
        SearchRequest {
            text: text.to_owned(),
            scope,
            partition,
            n_max: self.limit.into(),
            explains: self.explain,
            why_not: self.why_not.clone(),
        }
    }
}

/// What answers: by words, and by meaning where the vault or the user asks for it.
fn searcher<'a>(args: &Args, engine: &'a Engine) -> Result<Searcher<'a>, Failure> {
    let searcher = engine.searcher()?;
    // Meanings are kept for texts as they are now.
    if args.then.is_past() {
        return Ok(searcher);
    }
    Ok(match (args.semantic, engine.config().semantic) {
        (false, None | Some(false)) => searcher,
        (true, Some(false)) => {
            searcher.with_note("searched by words alone: this vault's kenning.toml says `semantic = false`")
        }
        _ => searcher.by_meaning(),
    })
}

/// Makes the vectors that the index lacks.
fn embed(engine: &Engine, ui: &mut Ui) -> Result<(), Failure> {
    if engine.config().semantic == Some(false) {
        return Err(Failure::usage("this vault's kenning.toml says `semantic = false`").hint("nothing was changed"));
    }
    let done = engine.embed_index(&mut |n, all| ui.note(&format!("{n} of {all} passages")))?;
    ui.note(&match done {
        done if done.is_busy => "another process is making vectors".to_owned(),
        done => format!("made {} vectors, took {} over", done.n_made, done.n_taken),
    });
    Ok(())
}

fn refresh(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<(), Failure> {
    let done = engine.refresh_index()?;
    if args.question.is_empty() && args.batch.is_none() && ui.is_json() {
        ui.json(&serde_json::json!({
            "files_read": done.n_read, "files_gone": done.n_gone, "rebuilt": done.is_new, "busy": done.is_busy,
        }));
        return Ok(());
    }
    let said = match done {
        done if done.is_busy => "another process is bringing the search index up to date".to_owned(),
        done if done.n_read + done.n_gone == 0 => "the search index is up to date".to_owned(),
        done => format!("read {} into the search index, took {} out", count(done.n_read, "file"), done.n_gone),
    };
    ui.note(&said);
    Ok(())
}

/// Answers every line of a file, each as soon as it is there; a line that does not read is reported, the
/// rest goes on.
fn batch(file: &str, args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let mut searcher = searcher(args, engine)?;
    let (mut n_lines, mut n_failed) = (0, 0);
    let mut answer_line = |line: &str| {
        n_lines += 1;
        match answer(line, args, &mut searcher) {
            _ if line.trim().is_empty() => {}
            Ok((id, done)) => ui.json_line(&wire(&done, Some(&id), args)),
            Err(why) => {
                n_failed += 1;
                ui.warning(&format!("line {n_lines} of `{file}`: {why}"));
            }
        }
    };
    if file == "-" {
        crate::env::each_input_line(&mut answer_line)?;
    } else {
        text_of(Path::new(file))?.lines().for_each(answer_line);
    }
    Ok(Answer::no_if(n_failed > 0))
}

fn answer(line: &str, args: &Args, searcher: &mut Searcher<'_>) -> Result<(String, SearchOutcome), String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut scope = Scope::default();
    for (field, value) in &line.scope {
        if !Scope::FIELDS.iter().any(|(known, _)| known == field) {
            return Err(format!("`{field}` is no field of a scope"));
        }
        scope.narrow(field, value.as_str().unwrap_or_default());
    }
    let id = line.id.as_str().map_or_else(|| line.id.to_string(), str::to_owned);
    let done = searcher.search(&args.request(&line.text, scope)).map_err(|failure| failure.message)?;
    Ok((id, done))
}

fn wire<'a>(done: &'a SearchOutcome, id: Option<&'a str>, args: &Args) -> Wire<'a> {
    let explains = args.explain;
    Wire {
        id,
        query: &done.query,
        then: args.then.wire(),
        abstained: done.abstained,
        confidence: rounded(done.confidence),
        pages: done.pages.iter().map(|hit| page_wire(hit, explains)).collect(),
        evidence: done.evidence.iter().map(|hit| evidence_wire(hit, explains)).collect(),
        days: done.days.map(|(from, to)| [from, to].map(|day| day.map(|day| day.to_string()))),
        unknown: &done.unknown,
        why_not: done.why_not.as_deref(),
        notes: &done.notes,
    }
}

fn page_wire(hit: &SearchHit, explains: bool) -> PageWire<'_> {
    PageWire {
        slug: &hit.slug,
        path: hit.path.as_str(),
        title: &hit.title,
        category: hit.category.map(Category::as_str),
        heading: &hit.heading,
        score: rounded(hit.score),
        lines: hit.lines.into(),
        date: hit.date.map(|date| date.to_string()),
        trust: hit.trust.map(ken_engine::outcome::Trust::as_str),
        past: &hit.past,
        snippet: &hit.snippet,
        marks: &hit.marks,
        explain: explains.then(|| parts(hit)),
    }
}

fn evidence_wire(hit: &SearchHit, explains: bool) -> EvidenceWire<'_> {
    let known = |text: &'_ str| !text.is_empty();
    EvidenceWire {
        path: hit.path.as_str(),
        lines: hit.lines.into(),
        date: hit.date.map(|date| date.to_string()),
        session: Some(hit.session.as_str()).filter(|text| known(text)),
        agent: Some(hit.agent.as_str()).filter(|text| known(text)),
        project: Some(hit.project.as_str()).filter(|text| known(text)),
        trust: hit.trust.map(ken_engine::outcome::Trust::as_str),
        title: &hit.title,
        heading: &hit.heading,
        speaker: Some(hit.speaker.as_str()).filter(|text| known(text)),
        score: rounded(hit.score),
        text: &hit.text,
        snippet: &hit.snippet,
        marks: &hit.marks,
        explain: explains.then(|| parts(hit)),
    }
}

fn parts(hit: &SearchHit) -> Vec<PartWire<'_>> {
    hit.parts.iter().map(|part| PartWire { what: &part.name, adds: rounded(part.amount) }).collect()
}

/// Four digits behind the point: more would only show noise.
fn rounded(number: f32) -> f32 {
    (number * 10_000.0).round() / 10_000.0
}

fn print(done: &SearchOutcome, explains: bool, ui: &mut Ui) {
    let is_empty = done.pages.is_empty() && done.evidence.is_empty();
    if done.abstained {
        let closest = if is_empty { "" } else { "; this came closest" };
        ui.note(&format!("nothing in this vault answers that{closest}"));
    }
    for (name, hits) in [("pages", &done.pages), ("evidence", &done.evidence)] {
        if !hits.is_empty() {
            ui.line(ui.paint().of(BOLD, name));
            hits.iter().for_each(|hit| print_hit(hit, explains, ui));
        }
    }
    if let Some((from, to)) = done.days {
        let day = |day: Option<ken_core::Date>| day.map_or("…".to_owned(), |day| day.to_string());
        ui.aside(&format!("days asked about: {} to {}", day(from), day(to)));
    }
    // Of a word for which another one was searched, a note says so.
    let is_told = |word: &&String| done.respelled.iter().any(|one| one.asked == **word);
    let unknown: Vec<&str> = done.unknown.iter().filter(|word| !is_told(word)).map(String::as_str).collect();
    if !unknown.is_empty() {
        ui.aside(&format!("stands nowhere in this vault: {}", unknown.join(", ")));
    }
    if let Some(why) = &done.why_not {
        ui.line(clean(why));
    }
    done.notes.iter().for_each(|note| ui.warning(note));
}

fn print_hit(hit: &SearchHit, explains: bool, ui: &mut Ui) {
    let paint = ui.paint();
    let (first, last) = hit.lines;
    let lines = if first == last { format!("L{first}") } else { format!("L{first}-{last}") };
    let mut about = vec![hit.title.clone()];
    about.extend((hit.trust == Some(ken_core::Trust::External)).then(|| "external".to_owned()));
    about.extend(Some(hit.past.clone()).filter(|past| !past.is_empty()));
    about.extend(Some(hit.heading.clone()).filter(|heading| !heading.is_empty() && *heading != hit.title));
    about.extend(Some(hit.speaker.clone()).filter(|speaker| !speaker.is_empty()));
    // A journal's file name says the day already.
    about.extend(hit.date.map(|date| date.to_string()).filter(|date| !hit.path.as_str().contains(date.as_str())));
    let place = paint.of(GOOD, &clean(&format!("{}#{lines}", hit.path)));
    ui.line(format!("  {place}  {:.2}  {}", hit.score, paint.of(DIM, &clean(&about.join(" · ")))));
    ui.line(format!("    {}", marked(hit, paint)));
    if explains {
        for part in &hit.parts {
            ui.line(format!("      {:>6.2}  {}", part.amount, clean(&part.name)));
        }
    }
}

/// The snippet with the question's words in bold.
fn marked(hit: &SearchHit, paint: crate::paint::Paint) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (start, end) in &hit.marks {
        out.push_str(&clean(hit.snippet.get(at..*start).unwrap_or("")));
        out.push_str(&paint.of(BOLD, &clean(hit.snippet.get(*start..*end).unwrap_or(""))).to_string());
        at = *end;
    }
    out.push_str(&clean(hit.snippet.get(at..).unwrap_or("")));
    out
}
