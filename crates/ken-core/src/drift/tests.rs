//! The cases of `tests/drift`, and what no case is told by.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::*;

/// The cases by which the rules were written.
const KNOWN: &str = include_str!("../../tests/drift/known.txt");
/// The cases that only judge them.
const ASIDE: &str = include_str!("../../tests/drift/aside.txt");
/// The cases that were written when the rules stood.
const LATER: &str = include_str!("../../tests/drift/later.txt");
/// The cases that were written before anybody saw what the rules say of them.
const BLIND: &str = include_str!("../../tests/drift/blind.txt");
/// Cases by language and kind, written before anybody saw what the rules say of them.
const GRID: &str = include_str!("../../tests/drift/grid.txt");

#[derive(Debug, Default)]
struct Case<'t> {
    name: &'t str,
    files: Vec<(&'t str, String)>,
    departures: BTreeMap<String, Departure>,
    absent: BTreeMap<String, Absent>,
    /// Claims with the findings that they have.
    claims: Vec<(&'t str, BTreeSet<String>)>,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut out: Vec<Case<'_>> = Vec::new();
    let mut is_in_file = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            out.push(Case { name, ..Case::default() });
            is_in_file = false;
            continue;
        }
        let Some(case) = out.last_mut() else { continue };
        if let Some(path) = line.strip_prefix("--- ") {
            case.files.push((path, String::new()));
            is_in_file = true;
        } else if let Some(said) = line.strip_prefix("git: ") {
            let mut parts = said.split(' ');
            let path = parts.next().expect("a path").to_owned();
            let day = parts.next().expect("a day");
            is_in_file = false;
            let absent = match day {
                "uncommitted" => Some(Absent::Deleted),
                "left-out" => Some(Absent::LeftOut),
                _ => None,
            };
            if let Some(why) = absent {
                case.absent.insert(path, why);
                continue;
            }
            let day = day.parse().expect("a date");
            case.departures.insert(path, Departure { day, to: parts.next().map(str::to_owned) });
            is_in_file = false;
        } else if let Some(claim) = line.strip_prefix("claim: ") {
            case.claims.push((claim, BTreeSet::new()));
            is_in_file = false;
        } else if let Some(wanted) = line.strip_prefix("want: ") {
            case.claims.last_mut().expect("a claim").1.insert(wanted.to_owned());
        } else if is_in_file {
            let (_, text) = case.files.last_mut().expect("a file");
            text.push_str(line);
            text.push('\n');
        }
    }
    for case in &mut out {
        // The empty line before the next case belongs to no file.
        case.files.iter_mut().filter(|(_, text)| text == "\n").for_each(|(_, text)| text.clear());
    }
    out
}

/// Says of a path whether a `.gitignore` of the plainest form ignores it.
fn is_ignored(patterns: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    patterns.lines().any(|pattern| match pattern.strip_prefix('*') {
        Some(ending) => path.ends_with(ending),
        None => {
            let name = pattern.trim_matches('/');
            let is_below = path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            is_below || (!pattern.starts_with('/') && parts.contains(&name))
        }
    })
}

fn project<'c>(case: &'c Case<'_>) -> Project<'c> {
    let file = |(path, text): &(&str, String)| ProjectFile {
        path: (*path).to_owned(),
        n_lines: Some(text.lines().count()),
        definitions: code_facts(path, text).map(|facts| facts.definitions),
        manifest: manifest(path, text),
    };
    let files = case.files.iter().map(file).collect();
    let mentions = || {
        let facts = case.files.iter().map(|(path, text)| code_facts(path, text));
        facts.map(|facts| facts.unwrap_or_default().mentions).collect()
    };
    let ignore = case.files.iter().find(|(path, _)| *path == ".gitignore").map_or("", |(_, text)| text);
    let is_ignored = move |path: &str| is_ignored(ignore, path);
    let mut project = Project::new(files, case.departures.clone(), Box::new(mentions), Box::new(is_ignored));
    // What is there is not absent, whatever the repository says.
    let is_absent = |path: &String| case.files.iter().all(|(there, _)| there != path);
    project.know_absent(case.absent.clone().into_iter().filter(|(path, _)| is_absent(path)).collect());
    project
}

fn findings(claim: &str, project: &Project<'_>) -> BTreeSet<String> {
    let told = |one: &Reference| match judge(one, project) {
        State::Gone { since } => {
            Some(format!("{} gone{}", one.text, since.map_or(String::new(), |day| format!(" {day}"))))
        }
        State::Moved { to, .. } => Some(format!("{} moved {to}", one.text)),
        _ => None,
    };
    references(claim).iter().filter_map(told).collect()
}

/// Returns how well the cases are judged, and what is judged wrongly.
fn figures(text: &str) -> (usize, usize, usize, String) {
    let (mut n_right, mut n_found, mut n_wanted) = (0, 0, 0);
    let mut wrong = String::new();
    for case in cases(text) {
        let project = project(&case);
        for (claim, wanted) in &case.claims {
            let found = findings(claim, &project);
            n_right += found.intersection(wanted).count();
            n_found += found.len();
            n_wanted += wanted.len();
            if found != *wanted {
                writeln!(wrong, "{}: {claim}\n  wanted {wanted:?}\n  found {found:?}", case.name).expect("a text");
            }
        }
    }
    (n_right, n_found, n_wanted, wrong)
}

#[test]
fn the_cases_that_the_rules_were_written_by_are_judged_right() {
    let (n_right, n_found, n_wanted, wrong) = figures(KNOWN);
    assert_eq!((n_right, n_found), (n_wanted, n_wanted), "{n_right} of {n_wanted}, {n_found} found\n{wrong}");
}

#[test]
fn the_cases_that_no_rule_was_written_by_are_judged_nearly_as_well() {
    let (n_right, n_found, n_wanted, wrong) = figures(ASIDE);
    assert_eq!((n_right, n_found), (n_wanted, n_wanted), "{n_right} of {n_wanted}, {n_found} found\n{wrong}");
}

#[test]
fn cases_that_came_later_are_judged_as_the_others_are() {
    let (n_right, n_found, n_wanted, wrong) = figures(LATER);
    assert_eq!((n_right, n_found), (n_wanted, n_wanted), "{n_right} of {n_wanted}, {n_found} found\n{wrong}");
}

/// How much of what is told must be true, and how much of what is true must be told.
const PRECISION_MIN: f64 = 0.98;
const RECALL_MIN: f64 = 0.95;
/// Fewest cases, and languages that they are in.
const CASES_MIN: usize = 60;
const LANGUAGES_MIN: usize = 10;

#[test]
#[expect(clippy::print_stdout, reason = "its figures are what one runs it for")]
fn all_cases_together_are_judged_nearly_without_a_fault() {
    let all = [KNOWN, ASIDE, LATER, BLIND, GRID];
    let (mut n_right, mut n_found, mut n_wanted, mut n_cases) = (0, 0, 0, 0);
    let mut languages = BTreeSet::new();
    let mut faults = String::new();
    for text in all {
        let (right, found, wanted, wrong) = figures(text);
        (n_right, n_found, n_wanted) = (n_right + right, n_found + found, n_wanted + wanted);
        faults.push_str(&wrong);
        for case in cases(text) {
            n_cases += 1;
            let of_code = case.files.iter().filter(|(path, text)| code_facts(path, text).is_some());
            languages.extend(of_code.filter_map(|(path, _)| Some(path.rsplit_once('.')?.1)));
        }
    }
    let (precision, recall) = (n_right as f64 / n_found as f64, n_right as f64 / n_wanted as f64);
    let figures = format!(
        "{n_cases} cases, files of code ending in {}: {n_right} of {n_wanted} told (recall {recall:.3}), \
         {n_right} of {n_found} true (precision {precision:.3})",
        languages.iter().copied().collect::<Vec<_>>().join(" ")
    );
    println!("{figures}");
    assert!(precision >= PRECISION_MIN && recall >= RECALL_MIN, "{figures}\n{faults}");
    assert!(n_cases >= CASES_MIN && languages.len() >= LANGUAGES_MIN, "{figures}");
}

/// What is missed knowingly: a string that is nothing but a name may be that name, a bare word in code marks may be a
/// key of the settings, and what is called a plan need not be there.
const MISSED_BLIND: [&str; 6] = [
    "`Queue::drain_all`",
    "`src/queue.rs:drain_all`",
    "`a_full_list_is_something`",
    "`store/store.go:DeleteRow`",
    "`lib/oven.rb:cool_down`",
    "(docs/plan.md)",
];

/// What is missed knowingly, too: a text of markup that is nothing but a name, a file of a kind that its folder has
/// none of, and a member that the base of a library may bring.
const MISSED_GRID: [&str; 3] = ["`useShoppingCart()` holds", "`src/contract.yaml`", "`MainForm.OnPrintPreview`"];

#[test]
fn of_the_cases_that_were_written_blind_nothing_is_told_wrongly_and_what_is_missed_is_known() {
    for (text, missed) in [(BLIND, &MISSED_BLIND[..]), (GRID, &MISSED_GRID[..])] {
        let (n_right, n_found, n_wanted, wrong) = figures(text);
        assert_eq!((n_right, n_found), (n_wanted - missed.len(), n_right), "{n_wanted} wanted\n{wrong}");
        let unexpected: Vec<&str> =
            wrong.lines().filter(|line| line.contains(": ") && !missed.iter().any(|one| line.contains(one))).collect();
        assert_eq!(unexpected, [""; 0]);
    }
}

#[test]
fn code_that_breaks_off_anywhere_or_is_of_another_language_never_panics() {
    let all = [KNOWN, ASIDE, LATER, BLIND, GRID].concat();
    let endings = ["rs", "py", "tsx", "go", "java", "cpp", "cs", "rb", "php", "sh", "kt", "swift"];
    for (n, ending) in endings.into_iter().enumerate() {
        let starts = (n * 37..all.len()).step_by(1_999).filter(|at| all.is_char_boundary(*at));
        for start in starts {
            let end =
                (start..=all.len()).find(|at| *at >= start + 900 && all.is_char_boundary(*at)).unwrap_or(all.len());
            let facts = code_facts(&format!("a.{ending}"), &all[start..end]).expect("a language");
            assert!(facts.mentions.is_sorted() && facts.definitions.is_sorted());
        }
    }
}

#[test]
fn references_of_any_text_lie_inside_of_it() {
    let all = [KNOWN, ASIDE, LATER, BLIND, GRID, "[a](b`c`d.md) `x](y.md)` ``z`` `` ` ü`é/ü.rs` ](ä.rs"].concat();
    for line in all.lines() {
        for (at, _) in line.char_indices() {
            for one in references(&line[at..]) {
                assert!(one.span.end <= line.len() - at && !one.text.is_empty(), "{one:?} of {line}");
            }
        }
    }
}

#[test]
fn a_name_of_two_projects_is_told_by_its_folder() {
    let file = |path: &str, text: &str| ProjectFile {
        path: path.to_owned(),
        n_lines: Some(text.lines().count()),
        definitions: code_facts(path, text).map(|facts| facts.definitions),
        manifest: None,
    };
    let files = vec![file("a/src/x.rs", "fn one() {}"), file("b/src/x.rs", "fn two() {}")];
    let project = Project::new(files, BTreeMap::new(), Box::new(|| vec![Vec::new(); 2]), Box::new(|_| false));
    let said = "`a/src/x.rs:one`, `a/src/x.rs:two_of_b`, `src/x.rs:two` and `x.rs:one`";
    assert_eq!(findings(said, &project), BTreeSet::from(["a/src/x.rs:two_of_b gone".to_owned()]));
}
