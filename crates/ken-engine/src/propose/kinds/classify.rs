//! Relations of a page to its neighbours: the rubric of the Compiled Knowledge Pattern.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Slug;
use ken_core::header::{HIGH_MAX, MID_MAX};
use ken_core::text::cut;
use serde_json::{Value, json};

use super::{PageView, Rules, object};
use crate::propose::check::{Report, Shown, left_out, texts};

/// What the classifier is told.
pub(crate) const RULES: Rules = Rules { version: 2, text: TEXT, schema, reply_tokens_max: 400 };

const TEXT: &str = "\
Task: sort the candidates of one page by what they are to it:
- high, at most 3: whoever wants to understand or change the subject is misled without the candidate, as jwt without oauth2.
- mid, at most 5: often useful together, each understood alone, as jwt and http-headers.
- else leave it out: it only occurs in the same system or text, as jwt and database.
It counts what the page needs, not what needs it. Only slugs of its candidates; few are better than many, none is a good answer.
";

/// Claims of a page that are shown.
const CLAIMS_MAX: usize = 3;
/// Characters of a candidate's tldr.
const TLDR_CHARS_MAX: usize = 70;

/// Most entries of a list that are looked at.
const LOOKED_AT_MAX: usize = 20;

/// Relations that hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    /// What is needed with the page.
    pub(crate) high: Vec<Slug>,
    /// What is often useful with it.
    pub(crate) mid: Vec<Slug>,
}

fn schema() -> Value {
    let slugs = json!({"type": "array", "items": {"type": "string"}});
    object(json!({"high": slugs, "mid": slugs}))
}

/// Slug, title and tldr of a page that may be related to another.
pub(crate) type Candidate = (String, String, String);

/// Returns what is sent for one page and its candidates.
pub(crate) fn input(page: &PageView, candidates: &[Candidate]) -> String {
    format!("{}Candidates:\n{}", page.told_in_short(CLAIMS_MAX), rows(candidates.iter()))
}

/// Returns the same where the candidates of several pages are told once, before them.
pub(crate) fn short_input(page: &PageView, candidates: &[Candidate]) -> String {
    let slugs: Vec<&str> = candidates.iter().map(|(slug, ..)| slug.as_str()).collect();
    format!("{}Candidates: {}\n", page.told_in_short(CLAIMS_MAX), slugs.join(", "))
}

/// Returns the candidates of several pages, each once.
pub(crate) fn all_candidates<'a>(of: impl Iterator<Item = &'a [Candidate]>) -> String {
    let all: BTreeMap<&str, &Candidate> = of.flatten().map(|one| (one.0.as_str(), one)).collect();
    format!("Candidates:\n{}", rows(all.into_values()))
}

fn rows<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> String {
    let row = |(slug, title, tldr): &Candidate| format!("- {slug} | {title} | {}\n", cut(tldr, TLDR_CHARS_MAX));
    candidates.map(row).collect()
}

/// Returns what holds of a reply: slugs that were shown, each once, within the caps.
pub(crate) fn check(reply: &Value, page: &PageView, shown: &Shown, report: &mut Report) -> Relations {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut tier = |name: &str, max: usize| {
        let mut out = Vec::new();
        if let Some(reason) = left_out(reply, name, LOOKED_AT_MAX) {
            report.reject(name, reason, "", "");
        }
        for (n, text) in texts(reply, name, LOOKED_AT_MAX).into_iter().enumerate() {
            let reason = match Slug::from_text(text).filter(|slug| slug.as_str() == text) {
                _ if text == page.slug => "a page is not related to itself".to_owned(),
                Some(_) if !shown.pages.contains_key(text) => "it is no candidate".to_owned(),
                Some(_) if seen.contains(text) => "it is there twice".to_owned(),
                Some(_) if out.len() >= max => format!("at most {max} are allowed"),
                Some(slug) => {
                    seen.insert(text.to_owned());
                    out.push(slug);
                    continue;
                }
                None => "it is no slug".to_owned(),
            };
            report.reject(format!("{name}[{n}]"), reason, text, "");
        }
        out
    };
    Relations { high: tier("high", HIGH_MAX), mid: tier("mid", MID_MAX) }
}
