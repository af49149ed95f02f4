//! Retrieval benchmarks: documents, questions, and which documents answer them.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::search::doc::text_doc;
use ken_core::search::{Language, Partition, Question};
use ken_core::time::leading_date;
use ken_core::{Digest, VaultPath};
use ken_search::{Blob, Shelf, Stamp};
use serde::Deserialize;

use crate::search::ask::Asked;
use crate::search::build::Builder;

#[derive(Debug, Deserialize)]
struct DocLine {
    id: String,
    text: String,
    #[serde(default)]
    meta: serde_json::Value,
}

#[derive(Debug, Deserialize)]
struct QueryLine {
    id: String,
    text: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    meta: serde_json::Value,
}

/// Quick experiment.
pub fn run(docs: &str, queries: &str, qrels: &str) -> String {
    let mut out = String::new();
    let docs: Vec<DocLine> = docs.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let queries: Vec<QueryLine> = queries.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut gold: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for line in qrels.lines().skip(1) {
        let mut parts = line.split('\t');
        if let (Some(q), Some(d), Some(g)) = (parts.next(), parts.next(), parts.next()) {
            gold.entry(q).or_default().insert(d, g.trim().parse().unwrap_or(1));
        }
    }
    let max_grade = gold.values().flat_map(|g| g.values()).copied().max().unwrap_or(1);
    let mut builder = Builder::default();
    for (n, doc) in docs.iter().enumerate() {
        let path = VaultPath::new(&format!("{n:08}.md")).expect("inside");
        let date =
            doc.meta.get("date").and_then(|date| date.as_str()).and_then(|date| leading_date(&date.replace('/', "-")));
        let stamp = Stamp { path: path.clone(), len: 0, mtime_ns: 0, digest: Digest::of(b"") };
        let title = doc.meta.get("title").and_then(|title| title.as_str()).unwrap_or(&doc.id);
        builder.add(&stamp, Partition::Evidence, &[text_doc(&path, title, &doc.text, date)], &doc.text);
    }
    let (segments, languages) = builder.finish();
    let shelf = Shelf::open(segments.into_iter().map(|bytes| (Box::new(bytes) as Box<dyn Blob>, Vec::new())).collect())
        .expect("opens");
    out.push_str(&format!("{} docs {} passages {} bytes\n", shelf.n_docs(), shelf.n_passages(), shelf.n_bytes()));
    let languages = Language::of_bits(languages);
    let scope_of = |meta: &serde_json::Value| meta.get("scope").and_then(|scope| scope.as_str()).map(str::to_owned);
    let scopes: Vec<Option<String>> = docs.iter().map(|doc| scope_of(&doc.meta)).collect();
    let mut sums: BTreeMap<(String, &str), (usize, [f64; 6])> = BTreeMap::new();
    let started = jiff::Timestamp::now();
    let mut n_queries = 0;
    for query in &queries {
        let Some(gold) = gold.get(query.id.as_str()) else { continue };
        let relevant: BTreeSet<&str> = gold.iter().filter(|(_, g)| **g >= max_grade).map(|(d, _)| *d).collect();
        let mut question = Question::plain(&query.text, &languages);
        if let Some((oldest, newest)) = shelf.collection().days {
            question.read_days(newest, Some(oldest));
        }
        let asked = Asked::new(&shelf, &question);
        let scope = scope_of(&query.meta);
        let member_of = |_: usize, doc: u32| scope.is_none() || scopes[doc as usize] == scope;
        let mut passes = |_| true;
        let mut text = |(segment, doc, passage): crate::search::ask::Place| {
            let member = &shelf.members()[segment].segment;
            let n: usize = VaultPath::new(&member.path_of(member.file_of(doc)?)?)?.stem().parse().ok()?;
            let (first, last) = member.passage(passage)?.lines;
            Some(
                docs[n]
                    .text
                    .lines()
                    .skip(first as usize - 1)
                    .take((last + 1 - first) as usize)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        };
        let ranked = asked.best(
            Partition::Evidence,
            10,
            &mut crate::search::ask::Look { in_scope: &member_of, passes: &mut passes, text: &mut text },
        );
        n_queries += 1;
        let ids: Vec<&str> = ranked
            .hits
            .iter()
            .map(|hit| docs[hit.facts.path.stem().parse::<usize>().expect("number")].id.as_str())
            .collect();
        let hits = |k: usize| ids.iter().take(k).filter(|id| relevant.contains(*id)).count() as f64;
        let n = relevant.len() as f64;
        let mrr = ids.iter().position(|id| relevant.contains(id)).map_or(0.0, |at| 1.0 / (at as f64 + 1.0));
        let dcg: f64 = ids
            .iter()
            .enumerate()
            .map(|(at, id)| if relevant.contains(id) { 1.0 / (at as f64 + 2.0).log2() } else { 0.0 })
            .sum();
        let ideal: f64 = (0..relevant.len().min(10)).map(|at| 1.0 / (at as f64 + 2.0).log2()).sum();
        let values = [hits(1).min(1.0), hits(1) / n, hits(5) / n, hits(5).min(1.0), mrr, dcg / ideal];
        let half = if blake_half(&query.id) { "tune" } else { "held" };
        let dated = if !question.days.is_empty() { "dated" } else { "undated" };
        let single = if relevant.len() == 1 { "single" } else { "multi" };
        for key in [
            (dated.to_owned(), "all"),
            (single.to_owned(), "all"),
            ("all".to_owned(), "all"),
            ("all".to_owned(), half),
            (query.kind.clone(), "all"),
        ] {
            let sum = sums.entry(key).or_default();
            sum.0 += 1;
            sum.1.iter_mut().zip(values).for_each(|(a, b)| *a += b);
        }
    }
    let took = jiff::Timestamp::now().duration_since(started);
    out.push_str(&format!("{:.3} ms a query\n", took.as_secs_f64() * 1000.0 / n_queries as f64));
    for ((kind, half), (n, values)) in sums {
        let shown: Vec<String> = values.iter().map(|value| format!("{:.3}", value / n as f64)).collect();
        out.push_str(&format!(
            "{kind:24} {half:5} {n:4}  s@1 {} R@1 {} R@5 {} s@5 {} mrr {} ndcg {}\n",
            shown[0], shown[1], shown[2], shown[3], shown[4], shown[5]
        ));
    }
    out
}

fn blake_half(id: &str) -> bool {
    Digest::of(id.as_bytes()).as_bytes()[0].is_multiple_of(2)
}
