//! The JSON of `ken blame`.

use ken_engine::outcome::{
    BlameOutcome, BlamedClaim, BlamedRow, Cited, EntryRef, Made, OperationRef, PageOf, Proof, Stands, TalkRef,
};
use serde::Serialize;

use crate::wire;

#[derive(Serialize)]
pub(super) struct Wire<'a> {
    slug: &'a str,
    path: &'a str,
    title: &'a str,
    of: &'static str,
    owner: Option<&'a str>,
    companion: Option<&'a str>,
    stale_since: Option<&'a str>,
    edited: bool,
    written: Option<Operation<'a>>,
    as_written: bool,
    lines: usize,
    redirected_from: Vec<&'a str>,
    claims: Vec<Claim<'a>>,
    parts: Vec<Part>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Part {
    lines: (usize, usize),
    what: &'static str,
    claims: Vec<usize>,
}

#[derive(Serialize)]
struct Claim<'a> {
    lines: (usize, usize),
    heading: &'a str,
    text: &'a str,
    state: &'static str,
    reason: &'a str,
    until: Option<String>,
    now: Option<&'a str>,
    disputed_with: Vec<Other<'a>>,
    citations: Vec<Citation<'a>>,
    replaced_by: Vec<Citation<'a>>,
}

#[derive(Serialize)]
struct Other<'a> {
    line: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct Citation<'a> {
    label: &'a str,
    problem: Option<&'a str>,
    path: Option<&'a str>,
    lines: Option<(usize, usize)>,
    stands: Option<&'static str>,
    lines_now: Option<(usize, usize)>,
    quote: Option<&'a str>,
    text: Option<&'a str>,
    day: Option<String>,
    speaker: Option<&'a str>,
    said_at: Option<Place<'a>>,
    trust: Option<&'static str>,
    model: Option<&'a str>,
    entry: Option<&'a str>,
    time: Option<String>,
    session: Option<&'a str>,
    agent: Option<&'a str>,
    project: Option<&'a str>,
    distilled: Option<&'a str>,
    talk: Option<Talk<'a>>,
    operation: Option<Operation<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    line: usize,
}

#[derive(Serialize)]
struct Talk<'a> {
    path: &'a str,
    lines: (usize, usize),
    kept: bool,
}

#[derive(Serialize)]
struct Operation<'a> {
    id: &'a str,
    at: String,
    kind: &'a str,
    subject: &'a str,
}

/// Returns the answer as it is printed.
pub(super) fn of(done: &BlameOutcome) -> Wire<'_> {
    let (owner, companion) = match &done.of {
        PageOf::Person { owner, companion } => (owner.as_deref(), companion.as_ref().map(ken_core::Slug::as_str)),
        PageOf::Compiled | PageOf::Answer(_) => (None, None),
    };
    let stale_since = match &done.of {
        PageOf::Answer(since) => since.as_deref(),
        PageOf::Compiled | PageOf::Person { .. } => None,
    };
    Wire {
        slug: done.slug.as_str(),
        path: done.path.as_str(),
        title: &done.title,
        of: done.of.as_str(),
        owner,
        companion,
        stale_since,
        edited: done.is_edited,
        written: done.written.as_ref().map(operation),
        as_written: done.is_as_written,
        lines: done.n_lines,
        redirected_from: wire::slugs(&done.redirected_from),
        claims: done.rows.iter().filter_map(claim).collect(),
        parts: done.rows.iter().filter_map(part).collect(),
        notes: &done.notes,
    }
}

fn part(row: &BlamedRow) -> Option<Part> {
    match &row.made {
        Made::Part(what, of) => Some(Part { lines: row.lines, what, claims: of.clone() }),
        Made::Claim(_) => None,
    }
}

fn claim(row: &BlamedRow) -> Option<Claim<'_>> {
    let Made::Claim(claim) = &row.made else { return None };
    let BlamedClaim { claim, state, reason, disputed_with, proofs, by } = claim.as_ref();
    Some(Claim {
        lines: row.lines,
        heading: &claim.heading,
        text: &claim.text,
        state: state.as_str(),
        reason,
        until: claim.state.ended().map(|day| day.to_string()),
        now: claim.state.now(),
        disputed_with: disputed_with.iter().map(|(line, text)| Other { line: *line, text }).collect(),
        citations: proofs.iter().map(citation).collect(),
        replaced_by: by.iter().map(citation).collect(),
    })
}

fn citation(proof: &Proof) -> Citation<'_> {
    let cited = proof.cited.as_ref().ok().map(Box::as_ref);
    let entry: Option<&EntryRef> = cited.and_then(|cited| cited.entry.as_ref());
    let speaker = cited.and_then(|cited| cited.speaker.as_ref());
    let said_at = speaker.and_then(|speaker| speaker.at.as_ref());
    let time = entry.and_then(|entry| entry.time);
    Citation {
        label: &proof.label,
        problem: match (&proof.cited, cited.map(|cited| &cited.stands)) {
            (Err(why), _) | (Ok(_), Some(Stands::Gone(why))) => Some(why),
            _ => None,
        },
        path: cited.map(|cited| cited.path.as_str()),
        lines: cited.map(|cited| cited.lines),
        stands: cited.map(stands),
        lines_now: cited.and_then(|cited| match cited.stands {
            Stands::Moved(first, last) => Some((first, last)),
            Stands::There | Stands::Gone(_) => None,
        }),
        quote: cited.map(|cited| cited.quote.as_str()),
        text: cited.map(|cited| cited.text.as_str()),
        day: cited.and_then(|cited| cited.day).map(|day| day.to_string()),
        speaker: speaker.map(|speaker| speaker.who.as_str()),
        said_at: said_at.map(|(path, line)| Place { path: path.as_str(), line: *line }),
        trust: cited.and_then(|cited| cited.trust).map(ken_core::Trust::as_str),
        model: cited.and_then(|cited| cited.model.as_deref()),
        entry: entry.map(|entry| entry.title.as_str()),
        time: time.map(|(hour, minute)| format!("{hour:02}:{minute:02}")),
        session: entry.and_then(|entry| entry.session.as_deref()),
        agent: entry.and_then(|entry| entry.agent.as_deref()),
        project: entry.and_then(|entry| entry.project.as_deref()),
        distilled: entry.and_then(|entry| entry.distilled.as_deref()),
        talk: entry.and_then(|entry| entry.talk.as_ref()).map(talk),
        operation: cited.and_then(|cited| cited.operation.as_ref()).map(operation),
    }
}

fn stands(cited: &Cited) -> &'static str {
    match cited.stands {
        Stands::There => "there",
        Stands::Moved(..) => "moved",
        Stands::Gone(_) => "gone",
    }
}

fn talk(one: &TalkRef) -> Talk<'_> {
    Talk { path: one.path.as_str(), lines: one.lines, kept: one.is_there }
}

fn operation(one: &OperationRef) -> Operation<'_> {
    Operation { id: &one.id, at: one.at.to_string(), kind: &one.kind, subject: &one.subject }
}
