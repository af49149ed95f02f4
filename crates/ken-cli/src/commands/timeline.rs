//! `ken timeline`: how what is said of a subject changed, and what was said of it in order of time.

use ken_core::claim::ClaimState;
use ken_engine::outcome::{Change, ChangeStep, Cited, Proof, SaidRow, Stands, TimelineOutcome};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, GOOD, PLACE, WARNING};
use crate::text::{brief, clean, count, quoted};
use crate::ui::Ui;
use crate::wire;

/// Show how what is said of a subject changed, with days and sources
///
/// Each change is one line, oldest value first, and below it the statements
/// that say so: the day each was said, whether it holds or until when it did,
/// who said it, and where. The subject is a page by slug, title, alias or
/// path; its page of older statements is read too. Words behind it keep what
/// speaks of them: `date`, `price` and `time` also stand for such values. With
/// `--all` everything that was said is listed in order of time. Nothing is
/// changed. Exit code 1 when nothing changed, or with `--all` nothing was said.
///
/// Examples:
///   ken timeline jwt-authentication
///   ken timeline launch date
///   ken timeline "Starter kit" --all --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The page of the subject
    subject: String,
    /// Only what speaks of all these words
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// List everything that was said, not only what changed
    #[arg(long)]
    all: bool,
}

/// Most characters of a sentence.
const SENTENCE_CHARS_MAX: usize = 160;
/// The same where it stands for a value.
const STEP_CHARS_MAX: usize = 48;
/// The same of a name.
const NAME_CHARS_MAX: usize = 48;
/// Sources that are named of one statement.
const SOURCES_MAX: usize = 3;

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.timeline(&args.subject, &args.words, args.all)?;
    let is_empty = if args.all { done.rows.is_empty() } else { done.changes.is_empty() };
    if ui.is_json() {
        ui.json(&wire_of(&done));
        return Ok(Answer::no_if(is_empty));
    }
    done.notes.iter().for_each(|note| ui.warning(note));
    if is_empty {
        print_nothing(args, &done, ui);
        return Ok(Answer::No);
    }
    print_page(&done, ui);
    for change in &done.changes {
        ui.line(glance(change, &done.rows, ui));
        if !args.all {
            ui.line("");
            let mut rows: Vec<usize> = change.steps.iter().flat_map(|step| step.rows.iter().copied()).collect();
            rows.sort_unstable();
            print_rows(rows.iter().map(|at| &done.rows[*at]), ui);
            ui.line("");
        }
    }
    if args.all {
        if !done.changes.is_empty() {
            ui.line("");
        }
        print_rows(done.rows.iter(), ui);
    }
    Ok(Answer::Yes)
}

/// Says that there is nothing to show, and what there is.
fn print_nothing(args: &Args, done: &TimelineOutcome, ui: &mut Ui) {
    let of = if args.words.is_empty() { String::new() } else { format!(" that speaks of {}", quoted(&args.words)) };
    let slug = clean(done.slug.as_str());
    let words: String = args.words.iter().map(|word| format!(" {}", clean(word))).collect();
    ui.line(match done.n_said {
        0 if args.words.is_empty() => format!("nothing is said of `{slug}`"),
        0 => format!("nothing is said of `{slug}`{of}; `ken timeline {slug} --all` lists everything that is"),
        n => {
            let said = count(n, "statement");
            let all = format!("`ken timeline {slug}{words} --all` lists what was said");
            format!("nothing about `{slug}`{of} changed: {said}, none replaced; {all}")
        }
    });
}

/// Prints which pages were read.
fn print_page(done: &TimelineOutcome, ui: &mut Ui) {
    let path = ui.paint().of(BOLD, &clean(done.path.as_str()));
    let changes = if done.changes.is_empty() { "no changes".to_owned() } else { count(done.changes.len(), "change") };
    ui.say(format!("{path}: {}, {changes}", count(done.n_said, "statement")));
    let more: Vec<String> = done.pages.iter().skip(1).map(|path| clean(path.as_str())).collect();
    if !more.is_empty() {
        ui.say(ui.paint().of(DIM, &format!("with: {}", more.join(", "))));
    }
    if !done.redirected_from.is_empty() {
        let from = wire::slugs(&done.redirected_from).join(", ");
        ui.say(ui.paint().of(DIM, &format!("redirected from: {from}")));
    }
    ui.say("");
}

/// A change on one line: `2026-03-02 89 euros -> 2026-03-06 95 euros, current`.
fn glance(change: &Change, rows: &[SaidRow], ui: &Ui) -> String {
    let n_steps = change.steps.len();
    let step = |(n, step): (usize, &ChangeStep)| {
        let what = match step.values.is_empty() {
            _ if change.is_ended && n + 1 == n_steps => "ended".to_owned(),
            false => brief(&step.values.join(" / "), 2 * STEP_CHARS_MAX),
            true => {
                let text = step.rows.first().map_or("", |at| rows[*at].text.as_str());
                format!("\"{}\"", brief(text.trim_end_matches('.'), STEP_CHARS_MAX))
            }
        };
        format!("{} {}", day(step.day), ui.paint().of(BOLD, &what))
    };
    let steps: Vec<String> = change.steps.iter().enumerate().map(step).collect();
    let last = change.steps.last().and_then(|step| step.rows.first()).map(|at| &rows[*at]);
    let state = last.filter(|_| !change.is_ended).map(|row| format!(", {}", state(row))).unwrap_or_default();
    steps.join(" -> ") + &state
}

fn day(day: Option<ken_core::Date>) -> String {
    day.map_or_else(|| "no date   ".to_owned(), |day| day.to_string())
}

/// Whether a statement holds: `replaced until 2026-03-13`.
fn state(row: &SaidRow) -> String {
    match row.until {
        Some(day) if matches!(row.state, ClaimState::Done { .. }) => format!("done {day}"),
        Some(day) => format!("{} until {day}", row.state.as_str()),
        None => row.state.as_str().to_owned(),
    }
}

fn print_rows<'r>(rows: impl Iterator<Item = &'r SaidRow> + Clone, ui: &mut Ui) {
    let wide = rows.clone().map(|row| state(row).len()).max().unwrap_or(0);
    for row in rows {
        let style = match row.state {
            ClaimState::Current | ClaimState::ByHand => GOOD,
            ClaimState::Superseded { .. } | ClaimState::Retracted | ClaimState::Done { .. } => DIM,
            _ if row.state.is_doubtful() => WARNING,
            _ => BOLD,
        };
        let word = ui.paint().of(style, &format!("{:<wide$}", state(row)));
        ui.line(format!("  {}  {word}  {}", day(row.day), brief(&row.text, SENTENCE_CHARS_MAX)));
        let below = source_of(row, ui);
        ui.line(format!("  {:10}  {below}", ""));
    }
}

/// Who said a statement, when else, and where it stands.
fn source_of(row: &SaidRow, ui: &Ui) -> String {
    let mut parts = Vec::new();
    parts.extend(row.from.map(|day| format!("from {day}")));
    parts.extend(row.again.map(|day| format!("again {day}")));
    if row.is_of_document {
        parts.push("a document".to_owned());
    }
    parts.extend(speaker(row).map(|who| brief(who, NAME_CHARS_MAX)));
    let cited: Vec<&Cited> = row.proofs.iter().filter_map(cited).collect();
    parts.extend(cited.iter().take(SOURCES_MAX).map(|cited| {
        let gone = if matches!(cited.stands, Stands::Gone(_)) { " (gone)" } else { "" };
        let (first, last) = cited.place();
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        ui.paint().of(PLACE, &format!("{}:{lines}{gone}", clean(cited.path.as_str())))
    }));
    let n_more = cited.len().saturating_sub(SOURCES_MAX);
    if n_more > 0 {
        parts.push(format!("and {n_more} more"));
    }
    if cited.is_empty() {
        let at = row.at.as_ref().map(|(path, line)| format!("{}:{line}, which cites nothing", clean(path.as_str())));
        parts.extend(at);
    }
    parts.join(", ")
}

fn speaker(row: &SaidRow) -> Option<&str> {
    row.proofs.iter().filter_map(cited).find_map(|cited| Some(cited.speaker.as_ref()?.who.as_str()))
}

fn cited(proof: &Proof) -> Option<&Cited> {
    proof.cited.as_deref().ok()
}

#[derive(Serialize)]
struct Wire<'a> {
    slug: &'a str,
    path: &'a str,
    title: &'a str,
    redirected_from: Vec<&'a str>,
    pages: Vec<&'a str>,
    statements: usize,
    changes: Vec<WireChange<'a>>,
    rows: Vec<WireRow<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct WireChange<'a> {
    steps: Vec<WireStep<'a>>,
    ended: bool,
}

#[derive(Serialize)]
struct WireStep<'a> {
    day: Option<String>,
    values: &'a [String],
    rows: &'a [usize],
}

#[derive(Serialize)]
struct WireRow<'a> {
    day: Option<String>,
    again: Option<String>,
    from: Option<String>,
    until: Option<String>,
    text: &'a str,
    state: &'static str,
    reason: &'a str,
    page: Option<&'a str>,
    line: Option<usize>,
    document: bool,
    replaced_by: Option<usize>,
    sources: Vec<WireSource<'a>>,
}

#[derive(Serialize)]
struct WireSource<'a> {
    path: &'a str,
    lines: (usize, usize),
    stands: &'static str,
    day: Option<String>,
    speaker: Option<&'a str>,
    trust: Option<&'static str>,
    session: Option<&'a str>,
}

fn wire_of(done: &TimelineOutcome) -> Wire<'_> {
    Wire {
        slug: done.slug.as_str(),
        path: done.path.as_str(),
        title: &done.title,
        redirected_from: wire::slugs(&done.redirected_from),
        pages: done.pages.iter().map(ken_core::VaultPath::as_str).collect(),
        statements: done.n_said,
        changes: done.changes.iter().map(wire_change).collect(),
        rows: done.rows.iter().map(wire_row).collect(),
        notes: &done.notes,
    }
}

fn wire_change(change: &Change) -> WireChange<'_> {
    let day = |step: &ChangeStep| step.day.map(|day| day.to_string());
    let steps = change.steps.iter().map(|step| WireStep { day: day(step), values: &step.values, rows: &step.rows });
    WireChange { steps: steps.collect(), ended: change.is_ended }
}

fn wire_row(row: &SaidRow) -> WireRow<'_> {
    let text = |day: Option<ken_core::Date>| day.map(|day| day.to_string());
    WireRow {
        day: text(row.day),
        again: text(row.again),
        from: text(row.from),
        until: text(row.until),
        text: &row.text,
        state: row.state.as_str(),
        reason: &row.reason,
        page: row.at.as_ref().map(|(path, _)| path.as_str()),
        line: row.at.as_ref().map(|(_, line)| *line),
        document: row.is_of_document,
        replaced_by: row.by,
        sources: row.proofs.iter().filter_map(cited).map(wire_source).collect(),
    }
}

fn wire_source(cited: &Cited) -> WireSource<'_> {
    WireSource {
        path: cited.path.as_str(),
        lines: cited.place(),
        stands: match cited.stands {
            Stands::There => "there",
            Stands::Moved(..) => "moved",
            Stands::Gone(_) => "gone",
        },
        day: cited.day.map(|day| day.to_string()),
        speaker: cited.speaker.as_ref().map(|speaker| speaker.who.as_str()),
        trust: cited.trust.map(ken_core::Trust::as_str),
        session: cited.entry.as_ref().and_then(|entry| entry.session.as_deref()),
    }
}
