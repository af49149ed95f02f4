//! The page of a filed answer: a function of its record and of what the vault says.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::digest::Digest;
use crate::header::{FieldName, FieldValue, TLDR_CHARS_MAX, TRIGGERS, render_header};
use crate::link::links;
use crate::markdown::inert;
use crate::page::Category;
use crate::page::outline::{CONSULTED, FOLLOW_UPS, Footnotes, SUPERSEDED_MARK, as_text};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::span::Span;
use crate::text::cut;
use crate::trust::{EXTERNAL_CLAIM, EXTERNAL_TLDR};

use super::Sentence;
use super::extract::content_words;
use super::filed::{FiledAnswer, Look, Stands, standing_page};

/// Returns the text of the page, with what became of its answer.
pub fn render_answer_page(filed: &FiledAnswer, look: &dyn Look) -> (String, Stands) {
    let stands = filed.stands(look);
    let mut notes = Footnotes::default();
    let mut body = format!("# {}\n\n", heading(&filed.question));
    if stands.is_stale() {
        let changed = stands.changed.join(", ");
        writeln!(body, "> Stale: {changed} changed since {}.\n", filed.day).expect("a text takes what is written");
    }
    for sentence in &stands.answer.sentences {
        body.push_str(&item(sentence, &mut notes, look));
    }
    body.push_str(&format!("\n## {CONSULTED}\n\n"));
    for one in &filed.consulted {
        let place = match &one.slug {
            Some(slug) => standing_page(&one.path, slug, look).map_or(format!("`{slug}`"), |_| format!("[[{slug}]]")),
            None => place(&one.path),
        };
        writeln!(body, "- {place}: {}", heading(&one.why)).expect("a text takes what is written");
    }
    let follow_ups: Vec<&Slug> = filed.follow_ups.iter().filter(|slug| look.find(slug).is_some()).collect();
    if !follow_ups.is_empty() {
        body.push_str(&format!("\n## {FOLLOW_UPS}\n\n"));
        follow_ups.iter().for_each(|slug| body.push_str(&format!("- [[{slug}]]\n")));
    }
    body.push_str(&notes.render());
    let cited = stands.answer.citations();
    let is_page = |path: &VaultPath| cited.iter().any(|one| one.slug.is_some() && one.path == *path);
    let sources: BTreeSet<String> =
        notes.cited().iter().filter(|cited| !is_page(&cited.path)).map(|cited| cited.path.to_string()).collect();
    // What nobody vouches for is on the page with its mark, and does not speak for it.
    let mut vouched = stands.answer.sentences.iter().filter(|one| !one.is_external(&|path| look.is_external(path)));
    let tldr = vouched.next();
    let is_external = tldr.is_none() && !stands.answer.sentences.is_empty();
    let tldr = if is_external { EXTERNAL_TLDR.to_owned() } else { tldr_of(tldr, &stands) };
    (header(filed, &stands, (sources, &tldr), &body) + &body, stands)
}

/// One sentence with a link to its page and a mark for each place that it rests on.
fn item(sentence: &Sentence, notes: &mut Footnotes, look: &dyn Look) -> String {
    let superseded = if sentence.is_superseded { SUPERSEDED_MARK } else { "" };
    let external = if sentence.is_external(&|path| look.is_external(path)) { EXTERNAL_CLAIM } else { "" };
    let mut out = format!("- {superseded}{}{external}", prose(&sentence.text));
    let mut slugs: Vec<&Slug> = sentence.citations.iter().filter_map(|citation| citation.slug.as_ref()).collect();
    slugs.dedup();
    for (slug, citation) in slugs.iter().filter_map(|slug| {
        sentence.citations.iter().find(|one| one.slug.as_ref() == Some(slug)).map(|citation| (slug, citation))
    }) {
        let stands = standing_page(&citation.path, slug, look).is_some();
        out.push_str(&if stands { format!(" [[{slug}]]") } else { format!(" `{slug}`") });
    }
    out + &notes.marks(sentence.citations.iter().flat_map(|citation| &citation.refs)) + "\n"
}

/// What a page says in one sentence: the first of its answer that somebody vouches for.
fn tldr_of(sentence: Option<&Sentence>, stands: &Stands) -> String {
    sentence.map_or(String::new(), |sentence| {
        // Routing hands out the tldr alone, so it says itself what it is worth.
        let mark = match (stands.is_stale(), sentence.is_superseded) {
            (true, _) => "(stale) ",
            (false, true) => SUPERSEDED_MARK,
            (false, false) => "",
        };
        inert(&cut(&format!("{mark}{}", inert(&sentence.text)), TLDR_CHARS_MAX - 1)).into_owned()
    })
}

fn header(filed: &FiledAnswer, stands: &Stands, (sources, tldr): (BTreeSet<String>, &str), body: &str) -> String {
    let mut fields: Vec<(FieldName, FieldValue)> = vec![
        (FieldName::Category, Category::Question.as_str().into()),
        (FieldName::Title, filed.question.as_str().into()),
        (FieldName::Tldr, tldr.into()),
        (FieldName::Triggers, triggers(filed).into()),
        (FieldName::Created, filed.first_day.to_string().as_str().into()),
        (FieldName::Updated, filed.day.to_string().as_str().into()),
    ];
    if stands.is_stale() {
        fields.push((FieldName::StaleSince, filed.day.to_string().as_str().into()));
    }
    fields.push((FieldName::Owner, "kenning".into()));
    if !sources.is_empty() {
        fields.push((FieldName::Sources, sources.into_iter().collect::<Vec<_>>().into()));
    }
    fields.push((FieldName::BodyDigest, Digest::of(body.as_bytes()).short().as_str().into()));
    render_header(&fields)
}

/// The question's content words; where they are few, also those of the pages and of the answer.
fn triggers(filed: &FiledAnswer) -> Vec<String> {
    let slugs = filed.consulted.iter().filter_map(|one| one.slug.as_ref()).map(|slug| slug.as_str().replace('-', " "));
    let said = filed.answer.sentences.iter().map(|sentence| sentence.text.clone());
    let mut out: Vec<String> = content_words(&filed.question, false);
    out.truncate(*TRIGGERS.end());
    let more = content_words(&filed.question, true).into_iter();
    for word in more.chain(slugs.chain(said).flat_map(|text| content_words(&text, true))) {
        if out.len() < *TRIGGERS.start() && !out.contains(&word) {
            out.push(word);
        }
    }
    out
}

/// A place in the journal or the sources, as a link where a link can hold it.
fn place(path: &VaultPath) -> String {
    let text = path.as_str();
    let is_plain = !text.contains(['[', ']', '|', '#', '^', '`']);
    match text.strip_suffix(".md").filter(|_| is_plain) {
        Some(stem) => format!("[[{stem}]]"),
        None => format!("`{}`", text.replace('`', "'")),
    }
}

/// A text that somebody typed, as part of a heading: it can make no link, mark, comment or tag.
fn heading(text: &str) -> String {
    prose(text).replace("\\<", "<").replace('<', "&lt;")
}

/// A sentence as prose: what would not read as text is escaped.
fn prose(text: &str) -> String {
    let mut out = as_text(text);
    while !links(&out, Span::new(0, out.len())).is_empty() && out.contains("[[") {
        out = out.replace("[[", "[ [");
    }
    out
}
