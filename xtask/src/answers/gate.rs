//! The figures that must be reached, and the tables that are printed.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::ask::{Asked, BUDGETS, baseline, context};
use super::set::Set;

/// Questions of a part that a method may answer fewer than the committed figure says.
const SLACK: usize = 2;
/// Questions of a part, and of a set, that compiling may cost, and that BM25 may be ahead at the largest budget: what
/// is cut differently is found differently.
const SLACK_BESIDE: usize = 1;

/// Sets in which no part may be behind BM25. The project's own is asked in other words than those of its texts, and
/// chunks of 900 characters hold more that nobody asked for: there BM25 is ahead, and only the figures must hold.
const BESIDE_BM25: &[&str] = &["qa"];

/// The committed figures: of each set and part, how many answers each method holds.
pub(super) struct Figures(Map<String, Value>);

impl Figures {
    pub(super) fn read(place: &Path) -> Result<Figures, String> {
        let text = match std::fs::read_to_string(place) {
            Ok(text) => text,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => "{}".to_owned(),
            Err(err) => return Err(format!("cannot read `{}`: {err}", place.display())),
        };
        serde_json::from_str(&text).map(Figures).map_err(|err| format!("`{}`: {err}", place.display()))
    }

    pub(super) fn write(&self, place: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(&self.0).expect("a map can be written");
        std::fs::write(place, text + "\n").map_err(|err| format!("cannot write `{}`: {err}", place.display()))
    }

    /// Takes what was measured as the figures of a set.
    pub(super) fn take(&mut self, set: &str, parts: &BTreeMap<String, Asked>) {
        let part = |asked: &Asked| Value::from_iter(measured(asked).map(|(name, n)| (name, json!(n))));
        let parts: Map<String, Value> = parts.iter().map(|(name, asked)| (name.clone(), part(asked))).collect();
        self.0.insert(set.to_owned(), Value::Object(parts));
    }

    /// Returns what a set fell short of, ready to print.
    pub(super) fn missed(&self, set: &str, parts: &BTreeMap<String, Asked>) -> Vec<String> {
        let mut missed = Vec::new();
        if !self.0.contains_key(set) {
            missed.push(format!("{set}: no figures are committed; `cargo xtask answers --bless` takes those of now"));
        }
        let total = |method: &str| parts.values().map(|asked| asked.n(method)).sum::<usize>();
        for budget in BUDGETS {
            let (compiled, plain) = (total(&context(budget, true)), total(&context(budget, false)));
            if compiled + SLACK_BESIDE < plain {
                missed.push(format!("{set}, context {budget}: {compiled} compiled, {plain} never compiled"));
            }
        }
        for (part, asked) in parts {
            let mut below = |what: &str, n: usize, bar: usize| {
                if n < bar {
                    missed.push(format!("{set}, {part}, {what}: {n}, at least {bar} are expected"));
                }
            };
            for (name, n) in measured(asked) {
                let committed = self.0.get(set).and_then(|set| set[part][&name].as_u64()).unwrap_or(0);
                below(&name, n, usize::try_from(committed).unwrap_or(0).saturating_sub(SLACK));
            }
            for budget in BUDGETS {
                let n = asked.n(&context(budget, true));
                if BESIDE_BM25.contains(&set) {
                    let slack = if budget == BUDGETS[2] { SLACK_BESIDE } else { 0 };
                    below(
                        &format!("context {budget} beside BM25"),
                        n,
                        asked.n(&baseline(budget)).saturating_sub(slack),
                    );
                }
                let plain = asked.n(&context(budget, false)).saturating_sub(SLACK_BESIDE);
                below(&format!("context {budget} beside what was never compiled"), n, plain);
            }
        }
        missed
    }
}

/// What is committed of a part.
fn measured(asked: &Asked) -> impl Iterator<Item = (String, usize)> {
    let methods = BUDGETS.map(|budget| context(budget, true)).into_iter().chain(["ask".to_owned()]);
    let silent = [("silent".to_owned(), asked.silent.len())];
    methods.map(|method| (method.clone(), asked.n(&method))).collect::<Vec<_>>().into_iter().chain(silent)
}

/// Prints what was measured, and where answers were lost.
pub(super) fn print(set: &Set, parts: &BTreeMap<String, Asked>) {
    let names: Vec<&str> = parts.keys().map(String::as_str).collect();
    let count = |of: &dyn Fn(&Asked) -> usize| parts.values().map(of).collect::<Vec<_>>();
    let row = |name: &str, counts: &[usize]| {
        let cells: Vec<String> = counts.iter().chain([&counts.iter().sum()]).map(usize::to_string).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    println!("\n## Answers in the set `{}`\n", set.name);
    println!("| method | {} | all |\n|---|{}", names.join(" | "), "---|".repeat(names.len() + 1));
    row("answerable questions", &count(&|asked| asked.n_answerable));
    let methods: std::collections::BTreeSet<&String> = parts.values().flat_map(|asked| asked.right.keys()).collect();
    for method in methods {
        row(method, &count(&|asked| asked.n(method)));
    }
    row("answerable questions refused", &count(&|asked| asked.refused.len()));
    row("questions without an answer", &count(&|asked| asked.n_unanswerable));
    row("of these refused", &count(&|asked| asked.silent.len()));
    // A question stands at every step that does not hold its answer; the first of them lost it.
    println!("\nWhere answers were lost:\n");
    let steps = ["talk, journal or sources", "pages", "context 4000", "context 1500", "context 500", "ask"];
    for step in steps {
        let lost: Vec<&str> = parts
            .values()
            .flat_map(|asked| {
                asked.ids.iter().filter(|id| !asked.right.get(step).is_some_and(|held| held.contains(*id)))
            })
            .map(String::as_str)
            .collect();
        println!("- not in {step}: {}", if lost.is_empty() { "none".to_owned() } else { lost.join(" ") });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(compiled: usize, plain: usize, bm25: usize) -> BTreeMap<String, Asked> {
        let mut asked = Asked::default();
        let held = |n: usize| (0..n).map(|n| n.to_string()).collect();
        for budget in BUDGETS {
            asked.right.insert(context(budget, true), held(compiled));
            asked.right.insert(context(budget, false), held(plain));
            asked.right.insert(baseline(budget), held(bm25));
        }
        BTreeMap::from([("docs".to_owned(), asked)])
    }

    #[test]
    fn what_falls_behind_is_named() {
        let mut figures = Figures(Map::new());
        figures.take("qa", &asked(10, 10, 10));
        assert_eq!(figures.missed("qa", &asked(10, 10, 10)), Vec::<String>::new());
        assert_eq!(figures.missed("qa", &asked(8, 8, 8)), Vec::<String>::new());
        assert_eq!(figures.missed("qa", &asked(7, 7, 7)).len(), 3);
        assert_eq!(figures.missed("qa", &asked(9, 9, 10)).len(), 2, "one less than BM25 is allowed at 4000 tokens");
        assert_eq!(figures.missed("qa", &asked(9, 10, 9)), Vec::<String>::new());
        assert_eq!(figures.missed("qa", &asked(9, 11, 9)).len(), 6);
        assert_eq!(figures.missed("own", &asked(9, 9, 20)).len(), 1, "nothing is committed of it");
        figures.take("own", &asked(10, 10, 10));
        assert_eq!(figures.missed("own", &asked(9, 9, 20)), Vec::<String>::new());
    }
}
