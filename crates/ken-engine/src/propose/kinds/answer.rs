//! An answer to a question from sentences of the vault.

use std::collections::BTreeSet;

use ken_core::answer::{Answer, AskedTime, Citable, Consulted, Sentence, Testimony, says_it_is_past};
use ken_core::budget::count;
use ken_core::orders::order;
use ken_core::supersede::{Said, replaced};
use ken_core::text::cut;
use ken_core::{Date, ground};
use serde_json::{Value, json};

use super::{Rules, object};
use crate::earlier::Earlier;
use crate::propose::check::{ELSEWHERE, Ground, Report, line, list, texts, why_not, why_not_but};

/// What the author is told.
pub(crate) const RULES: Rules = Rules { version: 3, text: TEXT, schema, reply_tokens_max: 1_200 };

const TEXT: &str = "\
Task: answer a question from the statements of a vault, and from nothing else.

known: false when the statements do not answer the question, even if you know the answer from elsewhere or they \
come close; then sentences is empty. An answer to a part of the question counts as known.

open: what of the question the statements do not say, in few words (who pays for it; whether it was done since), else \
empty. No sentence says that something is not said, not recorded or not known.

sentences: one to six, the direct answer first, in the language of the question. Each names in cites the ids of \
the statements it rests on, all of them, and says no number, date, name or quote that they do not contain, and no `not` that \
neither they nor the question have. It keeps to their words where they are in the language of the question: one that shares \
few words with them is not taken. Do not write ids, links or brackets into the text.

Statements stand below the page, talk or document that they are from, and below its headings; of a talk those say who \
speaks. Each statement has in square brackets the day on which it was said and what is to be known of it. A statement without a \
further word holds. superseded: it was true until that day, and what stands behind `now:` took its place. retracted: it \
ended, and nothing took its place. disputed: it cannot be true beside the other, and nobody said which holds; give both \
and say that they disagree. unverified: say that it is not confirmed. external: a document says it, nobody here vouches \
for it; say so. Newer statements win over older ones on the same matter.

Answer with what holds today, unless a time is asked for. Where the statements show a change in what is asked, add what \
it was before and since when it is so, citing both. What no longer holds is only ever told as past, with the day until \
which it held (Until 2026-03-10 it was …). A question that goes on from earlier ones leaves out what those say; their \
answers are no statements and cannot be cited. Count `today`, `last week` and the like from the day that is given as today.
";

/// Most sentences of an answer.
const SENTENCES_MAX: usize = 8;
/// Most characters of a sentence.
const SENTENCE_CHARS_MAX: usize = 600;
/// Most characters of what is left open.
const OPEN_CHARS_MAX: usize = 160;
/// Statements before and behind a cited one that may name what it speaks of.
const BESIDE: usize = 2;
/// Most statements that a sentence cites.
const CITES_MAX: usize = 6;
/// Tokens of statements that are sent.
const STATEMENTS_TOKENS: usize = 6_000;

fn schema() -> Value {
    let sentence = object(json!({
        "text": {"type": "string"},
        "cites": {"type": "array", "items": {"type": "string"}},
    }));
    let sentences = json!({"type": "array", "items": sentence});
    object(json!({"known": {"type": "boolean"}, "open": {"type": "string"}, "sentences": sentences}))
}

/// How the reason begins for a sentence that gives as current what no longer holds.
pub(crate) const OUT_OF_DATE: &str = "it gives as current what no longer holds";

/// What is sent for a question: the statements that may be cited, each under an id.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The question, on one line and without secrets.
    pub(crate) question: String,
    /// The day on which it is asked.
    pub(crate) today: Date,
    /// Of which time it asks, if not of today.
    pub(crate) time: Option<AskedTime>,
    /// The questions that it goes on from, with their answers.
    pub(crate) earlier: Vec<Earlier>,
    /// What was looked at.
    pub(crate) consulted: Vec<Consulted>,
    /// What is told of each sentence of it.
    pub(crate) told: Vec<Vec<Testimony>>,
}

impl Asked {
    /// Returns the statements with their ids, page by page, each below its heading, as many as fit.
    pub(crate) fn told(&self) -> String {
        let mut out = String::new();
        for (n, (one, told)) in self.consulted.iter().zip(&self.told).enumerate() {
            let mut page = format!("{} ({})\n", one.title, one.path);
            let mut heading = "";
            for (m, (citable, testimony)) in one.citables.iter().zip(told).enumerate() {
                // A heading that gives orders is told no more than a sentence that does.
                if citable.heading != heading && order(&citable.heading).is_none() {
                    heading = &citable.heading;
                    page.push_str(&format!("# {heading}\n"));
                }
                page.push_str(&format!("- {} {}\n", id(n, m), testimony.told()));
                if count(&out).0 + count(&page).0 > STATEMENTS_TOKENS {
                    return out + &page;
                }
            }
            out.push_str(&page);
        }
        out
    }

    /// Returns the questions that it goes on from, with their answers; empty where it stands for itself.
    pub(crate) fn before(&self) -> String {
        let told = |one: &Earlier| format!("Earlier question: {}\nIts answer:\n{}\n", one.question, one.answer);
        self.earlier.iter().map(told).collect()
    }

    /// Returns what is addressed to the author: the day, the time that is asked about, and the question.
    pub(crate) fn asked(&self) -> String {
        let time = self.time.as_ref().map(|time| format!("Asked about: {}\n", time.told)).unwrap_or_default();
        let goes_on = if self.earlier.is_empty() { "" } else { " (it goes on from the earlier ones)" };
        format!("Today: {}\n{time}Question{goes_on}: {}\n", self.today, self.question)
    }

    fn find(&self, wanted: &str) -> Option<(usize, usize)> {
        let places = self.consulted.iter().enumerate();
        let mut all = places.flat_map(|(n, one)| (0..one.citables.len()).map(move |m| (n, m)));
        all.find(|(n, m)| id(*n, *m) == wanted)
    }
}

/// The id of a statement: a letter for its page and its number there.
fn id(page: usize, statement: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(page % 26).unwrap_or(0));
    format!("{letter}{}{}", if page >= 26 { (page / 26).to_string() + "." } else { String::new() }, statement + 1)
}

/// Returns the answer that holds of a reply; none when the vault does not know.
pub(crate) fn check(reply: &Value, asked: &Asked, report: &mut Report) -> Option<Answer> {
    let is_known = reply.get("known").and_then(Value::as_bool).unwrap_or(false);
    let mut sentences = Vec::new();
    for (n, part) in list(reply, "sentences", SENTENCES_MAX, report).iter().enumerate() {
        match sentence(part, asked) {
            Ok(sentence) => sentences.push(sentence),
            Err(reason) => {
                let text = part.get("text").and_then(Value::as_str).unwrap_or("");
                report.reject(format!("sentences[{n}]"), reason, text, "");
            }
        }
    }
    (is_known && !sentences.is_empty()).then_some(Answer { sentences })
}

/// Returns what of the question a reply leaves open, if it says so and names nothing that was not handed over.
pub(crate) fn left_open(reply: &Value, asked: &Asked) -> Option<String> {
    let text = line(reply, "open", OPEN_CHARS_MAX).ok().filter(|text| !text.is_empty())?;
    let told = asked.told();
    let on = Ground { cited: &[&asked.question, &told], date: None, names: &[] };
    let why = why_not_but(&text, &on, &[ground::Kind::Negation]);
    why.is_none_or(|why| why == ELSEWHERE).then_some(text)
}

fn sentence(part: &Value, asked: &Asked) -> Result<Sentence, String> {
    let text = line(part, "text", SENTENCE_CHARS_MAX)?.replace("[[", "").replace("]]", "");
    let ids: BTreeSet<&str> = texts(part, "cites", CITES_MAX).into_iter().collect();
    if ids.is_empty() {
        return Err("it cites no statement".to_owned());
    }
    let mut places = Vec::new();
    for wanted in ids {
        let unknown = || format!("there is no statement `{}`", ken_core::text::cut(wanted, 20));
        places.push(asked.find(wanted).ok_or_else(unknown)?);
    }
    let cited: Vec<(&Citable, &Testimony)> =
        places.iter().map(|(n, m)| (&asked.consulted[*n].citables[*m], &asked.told[*n][*m])).collect();
    let told: Vec<String> = cited.iter().map(|(_, testimony)| testimony.told()).collect();
    // What release notes tell, they tell of the release that their heading names.
    let headings = cited.iter().map(|(citable, _)| citable.heading.as_str());
    let told: Vec<&str> = told.iter().map(String::as_str).chain(headings).collect();
    let titles = places.iter().map(|(n, _)| asked.consulted[*n].title.as_str());
    let questions = asked.earlier.iter().map(|one| one.question.as_str()).chain([asked.question.as_str()]);
    // What `it` stands for is named beside the statement.
    let beside = places.iter().flat_map(|(n, m)| {
        let around = m.saturating_sub(BESIDE)..(m + BESIDE + 1).min(asked.told[*n].len());
        asked.told[*n][around].iter().map(|one| one.text.as_str())
    });
    let names: Vec<&str> = titles.chain(questions).chain(beside).collect();
    let on = Ground { cited: &told, date: None, names: &names };
    holds(&text, &on, &cited, asked)?;
    let citations = places.iter().map(|(n, m)| asked.consulted[*n].cite(&asked.consulted[*n].citables[*m])).collect();
    Ok(Sentence { text, is_superseded: false, citations })
}

/// Refuses a sentence that what it cites does not say, or that gives as current what no longer holds.
fn holds(text: &str, on: &Ground<'_>, cited: &[(&Citable, &Testimony)], asked: &Asked) -> Result<(), String> {
    // What is said in another language shares no words.
    let said: Vec<&str> = cited.iter().map(|(_, testimony)| testimony.text.as_str()).collect();
    let is_translated = ground::is_translated(text, &said);
    let refuse = |reason: Option<String>| match reason.filter(|why| !(is_translated && why == ELSEWHERE)) {
        Some(reason) => Err(reason),
        None => Ok(()),
    };
    refuse(why_not_but(text, on, &[ground::Kind::Negation]))?;
    let is_past_told = says_it_is_past(text, asked.today);
    let is_past_asked = asked.time.as_ref().is_some_and(|time| time.is_past);
    if !is_past_told && !is_past_asked {
        out_of_date(text, cited, on.names)?;
    }
    // `15 minutes now, not 60` bears out `until then 60`, though that has no `not`.
    let has_old = cited.iter().any(|(citable, _)| citable.is_superseded);
    let lacks_not = |one: &ground::Missing| one.kind == ground::Kind::Negation && one.text == text;
    let tells_both = is_past_told && has_old;
    if tells_both && ground::missing(text, on.cited, None, &|_| true).iter().any(lacks_not) {
        return Ok(());
    }
    // `Why not more?` may be answered with why it is not more.
    if ground::negates(&asked.question) { Ok(()) } else { refuse(why_not(text, on)) }
}

/// Two days, one after the other: what holds is compared with a sentence as if that had been said before.
const BEFORE: Date = Date::constant(2000, 1, 1);
const AFTER: Date = Date::constant(2000, 1, 2);

/// Refuses a sentence that does not say of anything that it is over, where only what no longer holds bears it out, or
/// where what holds says something else.
fn out_of_date(text: &str, cited: &[(&Citable, &Testimony)], names: &[&str]) -> Result<(), String> {
    let holds = |(citable, testimony): &(&Citable, &Testimony)| match citable.is_superseded {
        true => testimony.now.clone(),
        false => Some(testimony.text.clone()),
    };
    let current: Vec<String> = cited.iter().filter_map(holds).collect();
    // Both say that something is not so.
    let says_not_too = |now: &&str| ground::negates(text) && ground::negates(now);
    let current: Vec<&str> = current.iter().map(String::as_str).filter(|now| !says_not_too(now)).collect();
    let old = cited.iter().find(|(citable, _)| citable.is_superseded);
    let is_borne_out =
        || !current.is_empty() && why_not(text, &Ground { cited: &current, date: None, names }).is_none();
    if let Some((_, old)) = old.filter(|_| !is_borne_out()) {
        return Err(format!("{OUT_OF_DATE}: \"{}\" ({})", cut(&old.text, 80), old.marks.join("; ")));
    }
    // What was replaced is replaced again by the same words: `15 minutes now, not 60`.
    let said: Vec<Said<'_>> = std::iter::once(text)
        .chain(current)
        .enumerate()
        .map(|(nth, text)| Said {
            text,
            day: Some(if nth == 0 { BEFORE } else { AFTER }),
            exchange: nth,
            may_replace: nth > 0,
            is_action: false,
            goes_on: false,
        })
        .collect();
    match replaced(&said).first() {
        Some(Some(by)) => Err(format!("{OUT_OF_DATE}: \"{}\" says otherwise", cut(said[by.by].text, 80))),
        _ => Ok(()),
    }
}
