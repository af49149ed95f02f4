//! `ken blame`: where each line of a page comes from, and why its claims are what they are.

mod wire;

use ken_core::claim::ClaimState;
use ken_engine::outcome::{BlameOutcome, BlamedClaim, BlamedRow, Cited, Made, PageOf, Proof, Stands};
use ken_engine::{Engine, Failure};

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, GONE, GOOD, PLACE, WARNING};
use crate::text::{brief, clean, count, moment};
use crate::ui::Ui;

/// Say where each line of a page comes from, and why
///
/// Of every claim: whether it holds and why, the lines of journal or sources
/// that it cites, who said them, and the entry, session, agent and operation
/// that they came by. The page may be a slug, a title, an alias or a path;
/// redirects are followed. With a line (`:14`, `:14-20`) it says all it knows
/// of the claims there, the cited words included. Nothing is changed.
///
/// Examples:
///   ken blame jwt-authentication
///   ken blame knowledge/concepts/jwt.md:14
///   ken blame "JWT authentication:14-20" --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The page, and lines of it
    #[arg(value_name = "PAGE[:LINE]")]
    page: String,
}

/// Most characters of a sentence where all of a page is shown.
const SENTENCE_CHARS_MAX: usize = 160;
/// The same of cited text, and of what is shown of single lines.
const CITED_CHARS_MAX: usize = 120;
const WHOLE_CHARS_MAX: usize = 1_000;
/// Longest title and id of a session beside a citation.
const TITLE_CHARS_MAX: usize = 48;
const SESSION_CHARS_MAX: usize = 24;
/// What is shown of a longer id.
const SESSION_CHARS: usize = 8;

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.blame(&args.page)?;
    if ui.is_json() {
        ui.json(&wire::of(&done));
        return Ok(Answer::Yes);
    }
    done.notes.iter().for_each(|note| ui.warning(note));
    print_page(&done, ui);
    let wide = Widths::of(&done.rows);
    let is_whole = done.asked.is_some();
    let mut rows = done.rows.iter().peekable();
    let mut last: Option<&BlamedClaim> = None;
    while let Some(row) = rows.next() {
        match &row.made {
            // A page that a person wrote is not listed sentence by sentence.
            Made::Claim(claim) if claim.state == ClaimState::ByHand && !is_whole => {
                let (mut lines, mut n) = (row.lines, 1);
                while let Some(next) = rows.next_if(|next| is_by_hand(next)) {
                    (lines.1, n) = (next.lines.1, n + 1);
                }
                let one = || brief(&claim.claim.text, SENTENCE_CHARS_MAX);
                let what = if n == 1 { one() } else { count(n, "sentence") };
                line((wide, lines), &claim.state, &what, ui);
                below(wide, &ui.paint().of(DIM, &claim.reason), ui);
            }
            Made::Claim(claim) if is_whole => print_whole((wide, row), claim, ui),
            Made::Claim(claim) => {
                print_claim((wide, row), claim, last, ui);
                last = Some(claim);
            }
            Made::Part(what, of) => print_part((wide, row.lines), what, if is_whole { of } else { &[] }, ui),
        }
    }
    Ok(Answer::Yes)
}

/// How wide the columns are.
#[derive(Clone, Copy)]
struct Widths {
    place: usize,
    state: usize,
}

impl Widths {
    fn of(rows: &[BlamedRow]) -> Widths {
        let state = |row: &BlamedRow| match &row.made {
            Made::Claim(claim) => claim.state.as_str().len(),
            Made::Part(..) => 0,
        };
        Widths {
            place: rows.iter().map(|row| place(row.lines).len()).max().unwrap_or(0),
            state: rows.iter().map(state).max().unwrap_or(0),
        }
    }
}

/// Prints lines that are no claim, with the lines of the claims that they belong to.
fn print_part((wide, lines): (Widths, (usize, usize)), what: &str, of: &[usize], ui: &mut Ui) {
    let lines_of: Vec<String> = of.iter().map(usize::to_string).collect();
    let of = match lines_of.as_slice() {
        [] => String::new(),
        [line] => format!(" of line {line}"),
        more => format!(" of lines {}", more.join(", ")),
    };
    let text = format!("{:>width$}  {what}{of}", place(lines), width = wide.place);
    ui.line(ui.paint().of(DIM, &text));
}

fn is_by_hand(row: &BlamedRow) -> bool {
    matches!(&row.made, Made::Claim(claim) if claim.state == ClaimState::ByHand)
}

/// Prints whose the page is, and what wrote it.
fn print_page(done: &BlameOutcome, ui: &mut Ui) {
    let by = done.written.as_ref().map(|by| format!("{} ({}, {})", by.id, clean(&by.kind), moment(by.at)));
    let of = match &done.of {
        PageOf::Compiled => "compiled".to_owned(),
        PageOf::Answer(None) => "a filed answer".to_owned(),
        PageOf::Answer(Some(since)) => format!("a filed answer, stale since {}", brief(since, 40)),
        PageOf::Person { owner: Some(owner), .. } => format!("a page of {}", brief(owner, TITLE_CHARS_MAX)),
        PageOf::Person { owner: None, .. } => "a page of a person".to_owned(),
    };
    let is_person = matches!(done.of, PageOf::Person { .. });
    let is_compile = done.written.as_ref().is_some_and(|by| by.kind == "compile");
    let wrote = match (by, is_person) {
        (Some(by), false) if done.is_edited => format!(", written by {by} and edited by hand since"),
        (Some(by), false) if done.is_as_written => format!(", written by {by}"),
        (Some(by), false) => format!(", written by {by} and changed since"),
        (Some(by), true) if is_compile => format!(", its header filled by {by}"),
        (Some(by), true) => format!(", last written to by {by}"),
        (None, false) => ", by no operation of this vault".to_owned(),
        (None, true) => ", never written to".to_owned(),
    };
    let path = ui.paint().of(BOLD, &clean(done.path.as_str()));
    ui.say(format!("{path}: {of}{wrote}"));
    if !done.redirected_from.is_empty() {
        let from: Vec<&str> = done.redirected_from.iter().map(ken_core::Slug::as_str).collect();
        ui.say(ui.paint().of(DIM, &format!("redirected from: {}", from.join(", "))));
    }
    if let PageOf::Person { companion: Some(companion), .. } = &done.of {
        ui.say(ui.paint().of(DIM, &format!("what the journal says of it: {companion}")));
    }
    ui.say("");
}

/// Prints the first line of a claim.
fn line((wide, lines): (Widths, (usize, usize)), state: &ClaimState, text: &str, ui: &mut Ui) {
    let style = match state {
        ClaimState::Current | ClaimState::ByHand => GOOD,
        ClaimState::Superseded { .. } | ClaimState::Retracted | ClaimState::Done { .. } => DIM,
        ClaimState::Gone | ClaimState::Ungrounded => GONE,
        _ if state.is_doubtful() => WARNING,
        _ => BOLD,
    };
    let word = ui.paint().of(style, &format!("{:<width$}", state.as_str(), width = wide.state));
    ui.line(format!("{:>width$}  {word}  {text}", place(lines), width = wide.place));
}

/// Prints a line that belongs to the claim above.
fn below(wide: Widths, text: &str, ui: &mut Ui) {
    ui.line(format!("{:width$}  {text}", "", width = wide.place + 2));
}

/// Prints a claim in a few lines; what its neighbour rests on too is not said again.
fn print_claim(at: (Widths, &BlamedRow), claim: &BlamedClaim, last: Option<&BlamedClaim>, ui: &mut Ui) {
    let (wide, row) = at;
    let text = brief(&claim.claim.text, SENTENCE_CHARS_MAX) + &until(claim);
    line((wide, row.lines), &claim.state, &text, ui);
    let is_same = last.is_some_and(|last| {
        (&last.proofs, last.state.as_str(), &last.reason) == (&claim.proofs, claim.state.as_str(), &claim.reason)
    });
    if is_same && claim.by.is_empty() && !claim.proofs.is_empty() {
        return below(wide, &ui.paint().of(DIM, "as above"), ui);
    }
    let reason = ui.paint().of(DIM, &brief(&claim.reason, WHOLE_CHARS_MAX));
    below(wide, &reason, ui);
    let proofs = claim.proofs.iter().map(|proof| ("", proof));
    for (lead, proof) in proofs.chain(claim.by.iter().map(|proof| ("by ", proof))) {
        let Ok(cited) = &proof.cited else { continue };
        let mut parts = vec![ui.paint().of(PLACE, &cited_place(cited))];
        parts.extend(entry_of(cited));
        parts.extend(source_of(cited));
        parts.extend(cited.operation.as_ref().map(|by| format!("{} {}", by.id, clean(&by.kind))));
        parts.extend(change_of(cited));
        // Why a claim is gone says so of each place.
        if claim.state != ClaimState::Gone || !lead.is_empty() {
            below(wide, &format!("{lead}{}", parts.join("  ")), ui);
        }
        if lead.is_empty() && !cited.text.is_empty() && !holds(cited, &claim.claim.text) {
            below(wide, &format!("  > {}", brief(bare(&cited.text), CITED_CHARS_MAX)), ui);
        }
    }
}

/// Prints all that is known of a claim.
fn print_whole((wide, row): (Widths, &BlamedRow), claim: &BlamedClaim, ui: &mut Ui) {
    let text = brief(&claim.claim.text, WHOLE_CHARS_MAX) + &until(claim);
    line((wide, row.lines), &claim.state, &text, ui);
    let mut field = |name: &str, text: &str| {
        let text = brief(text, WHOLE_CHARS_MAX);
        let name = ui.paint().of(DIM, &format!("{name:<8}"));
        below(wide, &format!("{name}  {text}"), ui);
    };
    field("why", &claim.reason);
    let proofs = claim.proofs.iter().map(|proof| ("cites", proof));
    for (name, proof) in proofs.chain(claim.by.iter().map(|proof| ("now", proof))) {
        print_proof(name, proof, &mut field);
    }
}

fn print_proof(name: &str, proof: &Proof, field: &mut dyn FnMut(&str, &str)) {
    let cited = match &proof.cited {
        Ok(cited) => cited,
        Err(why) => return field(name, &format!("`[^{}]` {why}", proof.label)),
    };
    let mut places = vec![cited_place(cited)];
    places.extend(cited.day.map(|day| day.to_string()));
    places.extend(cited.trust.map(|trust| format!("trust {}", trust.as_str())));
    places.extend(change_of(cited));
    field(name, &places.join(", "));
    if !cited.text.is_empty() {
        field("", &format!("> {}", bare(&cited.text)));
    }
    if let Some(speaker) = &cited.speaker {
        let at = speaker.at.as_ref().map(|(path, line)| format!(", {path}:{line}")).unwrap_or_default();
        field("said by", &format!("{}{at}", speaker.who));
    }
    if let Some(entry) = &cited.entry {
        let time = entry.time.map(|(hour, minute)| format!("{hour:02}:{minute:02} ")).unwrap_or_default();
        if !entry.title.is_empty() || !time.is_empty() {
            field("entry", &format!("{time}{}", entry.title));
        }
        if let Some(session) = &entry.session {
            let agent = entry.agent.as_ref().map(|agent| format!(" of {agent}")).unwrap_or_default();
            let project = entry.project.as_ref().map(|project| format!(", project {project}")).unwrap_or_default();
            field("session", &format!("{session}{agent}{project}"));
        }
        if let Some(talk) = &entry.talk {
            let gone = if talk.is_there { "" } else { ", which is not kept any longer" };
            field("talk", &format!("{}{gone}", path_lines(talk.path.as_str(), talk.lines)));
        }
    }
    if let Some(by) = &cited.operation {
        field("came by", &format!("{} ({}, {})", by.id, by.kind, moment(by.at)));
    }
}

fn until(claim: &BlamedClaim) -> String {
    match claim.claim.state.ended() {
        Some(day) if matches!(claim.state, ClaimState::Done { .. }) => format!(" (done {day})"),
        Some(day) => format!(" (until {day})"),
        None => String::new(),
    }
}

/// The entry of a citation in a few words.
fn entry_of(cited: &Cited) -> Option<String> {
    let entry = cited.entry.as_ref()?;
    let time = entry.time.map(|(hour, minute)| format!("{hour:02}:{minute:02} ")).unwrap_or_default();
    let entry = format!("{time}{}", brief(&entry.title, TITLE_CHARS_MAX));
    (!entry.trim().is_empty()).then(|| entry.trim().to_owned())
}

/// Who said it, and in which session.
fn source_of(cited: &Cited) -> Option<String> {
    let who = cited.speaker.as_ref().map(|speaker| brief(&speaker.who, TITLE_CHARS_MAX));
    let entry = cited.entry.as_ref();
    let agent = entry.and_then(|entry| entry.agent.as_ref()).map(|agent| brief(agent, TITLE_CHARS_MAX));
    let session = entry.and_then(|entry| entry.session.as_ref());
    let session = session.map(|session| match session.chars().count() {
        0..=SESSION_CHARS_MAX => clean(session),
        _ => clean(session).chars().take(SESSION_CHARS).collect(),
    });
    let session = [agent, session].into_iter().flatten().collect::<Vec<_>>().join(" ");
    match (who, session.is_empty()) {
        (Some(who), false) => Some(format!("{who}, {session}")),
        (Some(who), true) => Some(who),
        (None, false) => Some(session),
        (None, true) => None,
    }
}

fn change_of(cited: &Cited) -> Option<String> {
    match &cited.stands {
        Stands::There => None,
        Stands::Moved(first, last) => Some(format!("now at {}", place((*first, *last)))),
        Stands::Gone(why) => Some(format!("gone: {}", brief(why, CITED_CHARS_MAX))),
    }
}

fn cited_place(cited: &Cited) -> String {
    path_lines(cited.path.as_str(), cited.lines)
}

fn path_lines(path: &str, lines: (usize, usize)) -> String {
    format!("{}:{}", clean(path), place(lines))
}

fn place((first, last): (usize, usize)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// A cited line without the marker of its list.
fn bare(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")).unwrap_or(text)
}

/// Whether cited lines hold the claim letter by letter, so that nothing is gained by showing both.
fn holds(cited: &Cited, claim: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>().to_lowercase();
    letters(&cited.text).contains(&letters(claim))
}
