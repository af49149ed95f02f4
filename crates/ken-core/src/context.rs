//! Cuts a route to a budget: whole pages when they fit, the spans that say most when they do not.
//!
//! A span is a sentence, list item or table row of a page. Spans are taken by what they add per token:
//! a word of the question that a chosen span already covers adds half as much the next time. Every part
//! says where it stands and of when it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::{self, Tokens};
use crate::claim::without_marks;
use crate::header::FieldName;
use crate::markdown::{BlockKind, blocks};
use crate::page::Page;
use crate::path::VaultPath;
use crate::route::{Loaded, Query, QueryWord, Route, Tier};
use crate::span::{LineIndex, Span};
use crate::text::sentences;
use crate::time::Date;
use crate::words::{self, Weight};

/// One piece of a context pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The page it stands in.
    pub path: VaultPath,
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// What it costs, its heading included.
    pub tokens: Tokens,
    /// Date of the page's newest source.
    pub date: Option<Date>,
}

/// Route plus text, cut to a budget, with the place of everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextPack {
    /// What to hand to a model.
    pub text: String,
    /// Cost of `text`; never above the budget.
    pub tokens: Tokens,
    /// What it is made of, in order.
    pub parts: Vec<Part>,
}

/// One thing that can be put into a pack.
struct Candidate {
    rank: usize,
    lines: (usize, usize),
    text: String,
    terms: BTreeSet<usize>,
    tokens: Tokens,
}

/// Returns the pack of a route; `pages` holds the pages of the route in any order.
pub fn pack(query: &Query, route: &Route, pages: &[Page], budget: Tokens) -> ContextPack {
    let by_path: BTreeMap<&VaultPath, &Page> = pages.iter().map(|page| (&page.path, page)).collect();
    let loaded: Vec<(&Loaded, &Page)> =
        route.loaded.iter().filter_map(|one| Some((one, *by_path.get(&one.entry.path)?))).collect();
    let whole: Vec<Candidate> =
        loaded.iter().enumerate().map(|(rank, (one, page))| whole_page(rank, one, page)).collect();
    let all_fit = assemble(&whole.iter().collect::<Vec<_>>(), &loaded);
    if all_fit.tokens <= budget {
        return all_fit;
    }
    let spans: Vec<Candidate> =
        loaded.iter().enumerate().flat_map(|(rank, (one, page))| page_spans(rank, one, page, query)).collect();
    let mut chosen = choose(&spans, query, &loaded, budget);
    loop {
        chosen.sort_by_key(|candidate| (candidate.rank, candidate.lines));
        let pack = assemble(&chosen, &loaded);
        if pack.tokens <= budget || chosen.is_empty() {
            return pack;
        }
        // The headings can tip a full pack over; what says least goes first.
        let least = chosen.iter().enumerate().min_by_key(|(n, one)| (one.terms.len(), usize::MAX - n)).map(|(n, _)| n);
        chosen.remove(least.unwrap_or(0));
    }
}

fn whole_page(rank: usize, one: &Loaded, page: &Page) -> Candidate {
    if one.tldr_only {
        return tldr(rank, page);
    }
    let body = page.body();
    let text = body.of(&page.text).trim().to_owned();
    let lines = LineIndex::new(&page.text);
    let lead = body.of(&page.text).len() - body.of(&page.text).trim_start().len();
    let first = lines.line_of((body.start + lead).min(page.text.len()));
    let last = lines.line_of(body.start + body.of(&page.text).trim_end().len().saturating_sub(1)).max(first);
    Candidate { rank, lines: (first, last), tokens: budget::count(&text), text, terms: BTreeSet::new() }
}

fn tldr(rank: usize, page: &Page) -> Candidate {
    let text = page.scalar(FieldName::Tldr).unwrap_or_default();
    let line =
        page.header.field(FieldName::Tldr).map_or(1, |field| LineIndex::new(&page.text).line_of(field.lines.start));
    Candidate { rank, lines: (line, line), tokens: budget::count(&text), text, terms: BTreeSet::new() }
}

fn page_spans(rank: usize, one: &Loaded, page: &Page, query: &Query) -> Vec<Candidate> {
    let mut summary = tldr(rank, page);
    summary.terms = covered(&summary.text, query);
    let known = summary.text.clone();
    let mut out = if summary.text.is_empty() { Vec::new() } else { vec![summary] };
    if one.tldr_only {
        return out;
    }
    let lines = LineIndex::new(&page.text);
    let mut under = BTreeSet::new();
    for block in blocks(&page.text, page.body()) {
        let spans = match block.kind {
            // What is related is in the route already.
            BlockKind::Heading(_) if page.is_owned() && block.span.of(&page.text) == "Related" => break,
            BlockKind::Heading(_) => {
                under = covered(block.span.of(&page.text), query);
                continue;
            }
            BlockKind::Paragraph => sentences(block.span.of(&page.text)),
            BlockKind::Item | BlockKind::Row => vec![Span::new(0, block.span.end - block.span.start)],
            BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => continue,
        };
        for span in spans.into_iter().map(|span| span.shifted(block.span.start)) {
            // Lines and path say where a span stands; its footnote marks would point to nothing.
            let text = &without_marks(span.of(&page.text));
            if *text == known {
                continue;
            }
            let mut terms = covered(text, query);
            terms.extend(&under);
            let place = (lines.line_of(span.start), lines.line_of(span.end.saturating_sub(1)));
            out.push(Candidate {
                rank,
                lines: place,
                tokens: budget::count(&line(place, text)),
                text: text.to_owned(),
                terms,
            });
        }
    }
    out
}

/// Which of the question's words a text holds.
fn covered(text: &str, query: &Query) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for word in words::words(text) {
        let terms = words::terms(word.of(text));
        let holds = |asked: &QueryWord| asked.terms.iter().any(|term| terms.contains(term));
        out.extend(query.words.iter().enumerate().filter(|(_, asked)| holds(asked)).map(|(n, _)| n));
    }
    out
}

fn choose<'a>(
    spans: &'a [Candidate],
    query: &Query,
    loaded: &[(&Loaded, &Page)],
    budget: Tokens,
) -> Vec<&'a Candidate> {
    let mut times_covered = vec![0_i32; query.words.len()];
    let mut left: Vec<&Candidate> = spans.iter().collect();
    let mut chosen: Vec<&Candidate> = Vec::new();
    let mut opened = BTreeSet::new();
    let mut spent = 0;
    while !left.is_empty() {
        let value = |candidate: &Candidate| {
            let word = |n: &usize| {
                let weight = if query.words[*n].weight == Weight::Strong { 1.0 } else { 0.25 };
                weight * 0.5_f64.powi(times_covered[*n])
            };
            let tier = if loaded[candidate.rank].0.tier == Tier::Match { 0.1 } else { 0.02 };
            let gain = candidate.terms.iter().map(word).sum::<f64>() + tier;
            // A long span is worth more than a short one that says the same only if it adds words.
            gain / (candidate.tokens.0 as f64 + 8.0).sqrt()
        };
        let best = left.iter().enumerate().max_by(|a, b| {
            value(a.1).total_cmp(&value(b.1)).then(b.1.rank.cmp(&a.1.rank)).then(b.1.lines.cmp(&a.1.lines))
        });
        let Some(best) = best.map(|(n, _)| n) else { break };
        let candidate = left.swap_remove(best);
        left.sort_by_key(|candidate| (candidate.rank, candidate.lines));
        let heading =
            if opened.contains(&candidate.rank) { 0 } else { budget::count(&heading(loaded[candidate.rank])).0 };
        let cost = candidate.tokens.0 + heading;
        if spent + cost > budget.0 || chosen.iter().any(|known| known.text == candidate.text) {
            continue;
        }
        spent += cost;
        opened.insert(candidate.rank);
        candidate.terms.iter().for_each(|n| times_covered[*n] += 1);
        chosen.push(candidate);
    }
    chosen
}

/// What stands above the spans of one page.
fn heading((one, page): (&Loaded, &Page)) -> String {
    let when = one.entry.updated.map(|date| format!(", {date}")).unwrap_or_default();
    format!("## {} ({}{when})\n\n", page.title(), page.path)
}

/// One span with its lines in front.
fn line((first, last): (usize, usize), text: &str) -> String {
    let place = if first == last { format!("L{first}") } else { format!("L{first}-{last}") };
    format!("{place}: {text}\n")
}

fn assemble(chosen: &[&Candidate], loaded: &[(&Loaded, &Page)]) -> ContextPack {
    let mut text = String::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut open = None;
    for candidate in chosen.iter().filter(|candidate| !candidate.text.is_empty()) {
        let mut piece = String::new();
        if open != Some(candidate.rank) {
            if open.is_some() {
                piece.push('\n');
            }
            piece.push_str(&heading(loaded[candidate.rank]));
            open = Some(candidate.rank);
        }
        piece.push_str(&line(candidate.lines, &candidate.text));
        let (one, page) = loaded[candidate.rank];
        let tokens = budget::count(&piece);
        parts.push(Part { path: page.path.clone(), lines: candidate.lines, tokens, date: one.entry.updated });
        text.push_str(&piece);
    }
    ContextPack { tokens: budget::count(&text), text, parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Index, IndexEntry};
    use crate::page::parse_page;
    use crate::route::route;
    use proptest::prelude::*;

    fn vault() -> Vec<Page> {
        let page = |name: &str, body: &str| {
            let path = VaultPath::new(&format!("knowledge/{name}.md")).expect("inside");
            let text = format!(
                "---\ntldr: All about {name}.\nanswers_when: [{name}, token]\nupdated: 2026-04-08\n---\n# {name}\n\n{body}\n"
            );
            parse_page(&path, text).value
        };
        vec![
            page(
                "jwt",
                "Tokens live 15 minutes. The weather is fine. Keys rotate daily.\n\n- refresh works by rotation\n- unrelated item here",
            ),
            page("oauth", "Scopes limit a token. Nobody asked for this sentence."),
        ]
    }

    fn packed(question: &str, budget: usize) -> ContextPack {
        let pages = vault();
        let index = Index::new(pages.iter().map(IndexEntry::of).collect());
        let query = Query::new(question);
        pack(&query, &route(&query, &index, Tokens(8000)), &pages, Tokens(budget))
    }

    #[test]
    fn everything_comes_when_it_fits() {
        let pack = packed("jwt token refresh", 4000);
        assert!(
            pack.text.contains("unrelated item")
                && pack.text.contains("## jwt (knowledge/jwt.md, 2026-04-08)\n\nL6-11: # jwt"),
            "{}",
            pack.text
        );
    }

    #[test]
    fn a_small_budget_gets_the_spans_that_answer() {
        let pack = packed("how does jwt refresh rotation work?", 50);
        assert!(pack.text.contains("refresh works by rotation") && !pack.text.contains("weather"), "{}", pack.text);
    }

    proptest! {
        #[test]
        fn a_pack_never_exceeds_its_budget(budget in 0_usize..300, question in "(jwt |token |refresh |oauth |rotation ){1,5}") {
            let pack = packed(&question, budget);
            prop_assert!(pack.tokens <= Tokens(budget));
            prop_assert_eq!(pack.tokens, budget::count(&pack.text));
        }
    }
}
