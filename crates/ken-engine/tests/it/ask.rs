//! Answers that are filed, compiled again, and go stale.

use std::fs;

use ken_core::answer::{Answer, Consulted, Sentence};
use ken_engine::{AskCost, AskOptions, AskOutcome, CompileOptions, Posed};

use crate::support::{Vault, example_days};

const QUESTION: &str = "How long do signed tokens live?";
const PAGE: &str = "knowledge/qa/how-long-do-signed-tokens-live.md";
const RECORD: &str = ".kenning/answers/how-long-do-signed-tokens-live.json";
const WORK: &str = "knowledge/projects/shorter-lifetime-for-signed-tokens.md";
const ANSWER: &str = "- Signed tokens live 15 minutes instead of 60 minutes. ([[shorter-lifetime-for-signed-tokens]] knowledge/projects/shorter-lifetime-for-signed-tokens.md:17, 2026-03-17, trust: agent)\n- Refresh tokens live 14 days and are deleted when a customer signs out. ([[shorter-lifetime-for-signed-tokens]] knowledge/projects/shorter-lifetime-for-signed-tokens.md:21, 2026-03-17, trust: agent)\n";

fn vault() -> Vault {
    let vault = Vault::new();
    example_days().iter().for_each(|(name, text)| vault.write(&format!("daily/{name}"), text));
    vault.compile();
    vault
}

fn ask(vault: &Vault, question: &str) -> AskOutcome {
    vault.engine().ask(question, AskOptions::default()).expect("asks")
}

fn file(vault: &Vault, question: &str) {
    let options = AskOptions { anew: true, ..AskOptions::default() };
    let engine = vault.engine();
    let answer = engine.ask(question, options).expect("asks");
    engine.file_answer(&answer).expect("files");
}

#[test]
fn pages_of_answers_are_compiled_again_to_the_same_bytes() {
    let vault = vault();
    let questions = [
        QUESTION,
        "what is stock reservation?",
        "why is sqlite the order database?",
        "What depends on stock reservation?",
    ];
    questions.iter().for_each(|question| file(&vault, question));
    let before = vault.wiki();
    assert_eq!(before.keys().filter(|path| path.starts_with("knowledge/qa/")).count(), questions.len());
    vault.compile();
    assert_eq!(vault.wiki(), before, "an unchanged vault");
    vault.remove("knowledge");
    vault.compile();
    assert_eq!(vault.wiki(), before, "without the wiki");
    vault.remove(".kenning/cache");
    vault.engine().compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
    assert_eq!(vault.wiki(), before, "without the cache");
}

#[test]
fn an_answer_rests_on_the_journal_and_is_stale_when_that_says_something_else() {
    let vault = vault();
    file(&vault, QUESTION);
    assert_eq!(ask(&vault, QUESTION).quoted, ANSWER);
    assert!(vault.read(PAGE).contains("\n[^1]: daily/2026-03-17.md#L16-L18 "), "{}", vault.read(PAGE));
    let day = vault.read("daily/2026-03-17.md");
    vault.write("daily/2026-03-17.md", &format!("{}\n", day.replacen("\n\n", "\n\nA line more.\n\n", 1)));
    vault.compile();
    assert!(vault.read(PAGE).contains("#L18-L20 ") && !vault.read(PAGE).contains("Stale"), "{}", vault.read(PAGE));
    vault.write("daily/2026-03-17.md", &day.replace("live 15 minutes", "live 5 minutes"));
    vault.compile();
    assert!(
        vault.read(PAGE).contains("> Stale: [[shorter-lifetime-for-signed-tokens]] changed since 2026-06-01."),
        "{}",
        vault.read(PAGE)
    );
    let anew = ask(&vault, QUESTION);
    assert!(anew.is_new && anew.quoted.contains("5 minutes"), "{}", anew.quoted);
}

#[test]
fn an_answer_is_never_taken_from_another_answer() {
    let vault = vault();
    file(&vault, QUESTION);
    let other = ask(&vault, "do signed tokens live long?");
    assert!(other.consulted.iter().any(|one| one.is_answer), "the filed answer leads to its sources");
    let cited: Vec<&str> = other.answer.citations().iter().map(|cited| cited.path.as_str()).collect();
    assert!(cited.contains(&WORK) && cited.iter().all(|path| !path.starts_with("knowledge/qa/")), "{cited:?}");
}

#[test]
fn asking_writes_nothing_and_filing_writes_through_one_operation() {
    let vault = vault();
    ask(&vault, QUESTION);
    assert!(!vault.root().join(".kenning/answers").exists() && !vault.root().join("knowledge/qa").exists());
    let before = vault.wiki();
    file(&vault, QUESTION);
    vault.engine().undo(None).expect("undoes");
    assert_eq!((vault.wiki(), vault.root().join(RECORD).exists()), (before, false));
}

#[test]
fn a_persons_page_under_an_answers_name_is_left_alone() {
    let vault = vault();
    file(&vault, QUESTION);
    vault.write(PAGE, "---\ntitle: Mine\nowner: human\n---\n# Mine\n");
    vault.compile();
    vault.remove(RECORD);
    vault.compile();
    assert_eq!(vault.read(PAGE), "---\ntitle: Mine\nowner: human\n---\n# Mine\n");
}

#[test]
fn a_page_whose_record_is_gone_goes_and_what_a_person_wrote_into_it_stays_in_the_journal() {
    let vault = vault();
    file(&vault, QUESTION);
    vault.write(PAGE, &format!("{}\nOnly at night they live an hour.\n", vault.read(PAGE)));
    vault.remove(RECORD);
    vault.compile();
    assert!(!vault.root().join(PAGE).exists());
    assert!(vault.read("daily/2026-06-01.md").contains("- Only at night they live an hour.\n"));
}

#[test]
fn what_a_person_wrote_into_the_page_is_kept_when_it_is_filed_again() {
    let vault = vault();
    file(&vault, QUESTION);
    let filed = vault.read(PAGE);
    vault.write(PAGE, &format!("{filed}\nOnly at night they live an hour.\n"));
    file(&vault, QUESTION);
    assert_eq!(vault.read(PAGE), filed);
    assert!(vault.read("daily/2026-06-01.md").contains("- Only at night they live an hour.\n"));
}

#[test]
fn a_stale_line_is_not_taken_for_a_persons() {
    let vault = vault();
    file(&vault, QUESTION);
    let day = vault.read("daily/2026-03-17.md");
    vault.write("daily/2026-03-17.md", &day.replace("live 15 minutes", "live 5 minutes"));
    vault.compile();
    vault.write(PAGE, &vault.read(PAGE).replace("## Consulted", "Mine.\n\n## Consulted"));
    vault.compile();
    let taken = vault.read("daily/2026-06-01.md");
    assert!(taken.contains("- Mine.\n") && !taken.contains("Stale") && !taken.contains("Consulted"), "{taken}");
}

#[cfg(unix)]
#[test]
fn what_came_closest_is_an_answer_only_when_somebody_wrote_one() {
    let vault = vault();
    let question = "after which span do signed passes perish, says the gatekeeper?";
    let asked = |is_written: bool| {
        let author = |posed: &Posed<'_>| {
            let citable = posed.handed.iter().find_map(|one| Some((one, one.citables.first()?))).expect("something");
            let citations = vec![citable.0.cite(citable.1)];
            let sentence = Sentence { text: "After 15 minutes.".to_owned(), is_superseded: false, citations };
            Ok((is_written.then(|| Answer { sentences: vec![sentence] }), AskCost::default()))
        };
        vault.engine().ask_by(question, AskOptions::default(), &author).expect("asks")
    };
    let closest = asked(false);
    assert!(closest.is_abstained() && closest.text.contains("this is closest:\n\n- "), "{}", closest.text);
    let written = asked(true);
    assert!(!written.is_abstained() && written.quoted.starts_with("- After 15 minutes. ("), "{}", written.quoted);
}

/// What an author is handed for a question: per place its statements.
fn handed(vault: &Vault, question: &str) -> Vec<(String, Vec<String>)> {
    let handed = std::cell::RefCell::new(Vec::new());
    let author = |posed: &Posed<'_>| {
        let texts = |one: &Consulted| one.citables.iter().map(|citable| citable.text.clone()).collect();
        *handed.borrow_mut() = posed.handed.iter().map(|one| (one.path.to_string(), texts(one))).collect();
        Ok((None, AskCost::default()))
    };
    vault.engine().ask_by(question, AskOptions::default(), &author).expect("asks");
    handed.into_inner()
}

#[test]
fn an_author_is_handed_the_best_statements_of_all_places_however_long_one_is() {
    let vault = Vault::new();
    let row = |n: usize| {
        format!("- Oven {n} of the bakery bakes loaf {n} of rye bread at {n} degrees on day {n} of the year.\n")
    };
    vault.write("raw/ovens.md", &format!("# Ovens\n\n{}", (0..400).map(row).collect::<String>()));
    vault.write("raw/rye.md", "# Rye\n\nThe bakery buys its rye flour from:\n\n- Halloway\n- the mill in Ghent\n");
    let handed = handed(&vault, "Who sells rye flour to the bakery?");
    let of =
        |path: &str| handed.iter().find(|(one, _)| one == path).map(|(_, texts)| texts.as_slice()).unwrap_or_default();
    assert_eq!(of("raw/rye.md"), ["The bakery buys its rye flour from: Halloway; the mill in Ghent"], "the items once");
    let n_chars: usize = handed.iter().flat_map(|(_, texts)| texts).map(String::len).sum();
    assert!(of("raw/ovens.md").len() > 20 && n_chars < 4 * 4_000, "{n_chars}");
}

#[test]
fn a_vault_that_cannot_be_written_still_answers() {
    use std::os::unix::fs::PermissionsExt;
    let vault = vault();
    let allow = |mode: u32| {
        for folder in ["", ".kenning", ".kenning/cache", "knowledge"] {
            let place = vault.root().join(folder);
            fs::set_permissions(place, fs::Permissions::from_mode(mode)).expect("sets");
        }
    };
    allow(0o555);
    let answer = ask(&vault, QUESTION).quoted;
    allow(0o755);
    assert_eq!(answer, ANSWER);
}

#[test]
fn hostile_questions_are_answered_or_refused_and_never_panic() {
    let vault = vault();
    let long = "how long do signed tokens live ".repeat(2000);
    for question in
        ["", "?!", "🦀🦀", "\u{202e}\u{7}", "---", "[[../x]]", "כמה זמן חי אסימון", &long, "a\0b tokens\u{1b}[31m"]
    {
        let engine = vault.engine();
        let Ok(answer) = engine.ask(question, AskOptions::default()) else { continue };
        assert!(answer.question.chars().count() <= 300 && !answer.question.contains(char::is_control));
        if !answer.is_abstained() {
            engine.file_answer(&answer).expect("files");
        }
    }
}
