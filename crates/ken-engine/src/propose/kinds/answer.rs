//! An answer to a question from sentences of the vault.

use std::collections::BTreeSet;

use ken_core::answer::{Answer, Consulted, Sentence};
use ken_core::budget::count;
use serde_json::{Value, json};

use super::{Rules, object};
use crate::propose::check::{Ground, Report, line, list, texts, why_not};

/// What the author is told.
pub(crate) const RULES: Rules = Rules { version: 1, text: TEXT, schema, reply_tokens_max: 1_200 };

const TEXT: &str = "\
Task: answer a question from the statements of a vault, and from nothing else.

known: false when the statements do not answer the question, even if you know the answer from elsewhere or they \
come close; then sentences is empty. An answer to a part of the question counts as known; say which part is open.

sentences: one to six, the direct answer first, in the language of the question. Each names in cites the ids of \
the statements it rests on, and says no number, date, name or quote that they do not contain. Newer statements win \
over older ones on the same matter; what is marked as superseded was true once, so give it only when the question \
asks for the past, and say that it is past. Do not write ids or links into the text.
";

/// Most sentences of an answer.
const SENTENCES_MAX: usize = 8;
/// Most characters of a sentence.
const SENTENCE_CHARS_MAX: usize = 600;
/// Most statements that a sentence cites.
const CITES_MAX: usize = 6;
/// Tokens of statements that are sent.
const STATEMENTS_TOKENS: usize = 6_000;

fn schema() -> Value {
    let sentence = object(json!({
        "text": {"type": "string"},
        "cites": {"type": "array", "items": {"type": "string"}},
    }));
    object(json!({"known": {"type": "boolean"}, "sentences": {"type": "array", "items": sentence}}))
}

/// What is sent for a question: the statements that may be cited, each under an id.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The question, on one line and without secrets.
    pub(crate) question: String,
    /// What was looked at.
    pub(crate) consulted: Vec<Consulted>,
}

impl Asked {
    /// Returns the statements with their ids, page by page, as many as fit.
    pub(crate) fn told(&self) -> String {
        let mut out = String::new();
        for (n, one) in self.consulted.iter().enumerate() {
            let mut page = format!("{} ({})\n", one.title, one.path);
            for (m, citable) in one.citables.iter().enumerate() {
                let mark = if citable.is_superseded { " [superseded]" } else { "" };
                page.push_str(&format!("- {}{mark}: {}\n", id(n, m), citable.text));
                if count(&out).0 + count(&page).0 > STATEMENTS_TOKENS {
                    return out + &page;
                }
            }
            out.push_str(&page);
        }
        out
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
    let cited = |(n, m): &(usize, usize)| &asked.consulted[*n].citables[*m];
    let told: Vec<&str> = places.iter().map(|place| cited(place).text.as_str()).collect();
    let titles = places.iter().map(|(n, _)| asked.consulted[*n].title.as_str());
    let names: Vec<&str> = titles.chain([asked.question.as_str()]).collect();
    if let Some(reason) = why_not(&text, &Ground { cited: &told, date: None, names: &names }) {
        return Err(reason);
    }
    let citations = places.iter().map(|(n, m)| asked.consulted[*n].cite(&asked.consulted[*n].citables[*m])).collect();
    Ok(Sentence { text, is_superseded: false, citations })
}
