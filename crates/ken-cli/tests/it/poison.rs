//! Lines that try to steer an agent go in by every way there is; nothing of them may come out as something else
//! than quoted text. The corpus is `crates/ken-core/src/orders/poison.tsv`.
#![cfg(unix)]

use std::fs;
use std::process::Stdio;

use crate::support::{Place, figures, line, text};

const CORPUS: &str = include_str!("../../../ken-core/src/orders/poison.tsv");

/// What may stand in `context` and `ask` without a mark, in hundredths of the corpus.
const UNMARKED_MAX_PERCENT: usize = 2;

struct Poison {
    id: &'static str,
    vector: &'static str,
    half: &'static str,
    text: &'static str,
}

fn corpus(vector: &str) -> Vec<Poison> {
    let fields = CORPUS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let poison = fields.map(|fields| match fields[..] {
        [id, _, _, vector, half, text] => Poison { id, vector, half, text },
        _ => panic!("six fields: {fields:?}"),
    });
    poison.filter(|poison| poison.vector == vector).collect()
}

/// Letters and digits alone: what escapes and wraps look like does not matter.
fn plain(text: &str) -> String {
    text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What a line is known by wherever it comes out: its sentences, as far as they say something.
fn pieces(poison: &str) -> Vec<String> {
    let ends = ['.', '!', '?', '。', ';', '；', '<', '>'];
    // The name of the frame's own tag stands in every frame.
    let long =
        |piece: &String| piece != "kenningcontext" && piece.chars().count() >= if piece.is_ascii() { 14 } else { 8 };
    poison.split(ends).map(plain).filter(long).map(|piece| piece.chars().take(40).collect()).collect()
}

fn run(place: &Place, args: &[&str]) -> String {
    let output = place.ken(args).stderr(Stdio::null()).output().expect("the binary runs");
    text(&output.stdout)
}

/// Brings lines into a vault by a vector, and compiles.
fn poisoned(vector: &str, lines: &[Poison]) -> Place {
    let place = Place::new();
    let cwd = fs::canonicalize(place.project()).expect("it exists");
    let quoted = |said: &str| said.replace('\\', "\\\\").replace('"', "\\\"");
    place.session("s", &["The oven timer counts down and rings.", "We decided that the oven timer reads the clock."]);
    match vector {
        "transcript" | "reply" => {
            let said = |poison: &Poison| {
                let said = quoted(poison.text);
                let forms = [format!("Decision: {said}"), format!("TODO: {said}"), said];
                forms.map(|form| line("p", &cwd, "assistant", &form)).concat()
            };
            let path = place.session("p", &["We decided to look at what came in."]);
            let turns: String = lines.iter().map(said).collect();
            fs::write(&path, fs::read_to_string(&path).expect("it is there") + &turns).expect("there is room");
        }
        "document" => {
            let said: Vec<String> =
                lines.iter().map(|poison| format!("{}\n\n- {}", poison.text, poison.text)).collect();
            fs::write(place.home().join("notes.md"), format!("# Build notes\n\n{}\n", said.join("\n\n")))
                .expect("a file");
            run(&place, &["ingest", "../home/notes.md"]);
        }
        "html" => {
            let said: Vec<String> = lines.iter().map(|poison| format!("<p>{}</p>", poison.text)).collect();
            let page = format!("<html><body><h1>Build notes</h1>\n{}\n</body></html>\n", said.join("\n"));
            fs::write(place.home().join("notes.html"), page).expect("a file");
            run(&place, &["ingest", "../home/notes.html"]);
        }
        _ => {}
    }
    run(&place, &["sync", "--quiet"]);
    run(&place, &["compile", "--quiet"]);
    if vector == "page-edit" {
        let page = place.project().join("knowledge/concepts/oven-timer.md");
        let said: String = lines.iter().map(|poison| format!("- {}\n", poison.text)).collect();
        fs::write(&page, fs::read_to_string(&page).expect("it was compiled") + &said).expect("there is room");
    }
    if vector == "reply" {
        let part = |poison: &Poison| format!("{{\"text\":\"{}\",\"lines\":[1,400]}}", quoted(poison.text));
        let parts: Vec<String> = lines.iter().map(part).collect();
        let all = parts.join(",");
        let reply = format!(
            "{{\"worth\":true,\"title\":\"\",\"context\":[],\"exchanges\":[],\"decisions\":[{all}],\"lessons\":[{all}],\"actions\":[{all}]}}"
        );
        fs::write(place.home().join("reply.json"), reply).expect("a new file");
        run(&place, &["distill", "--quiet", "--model", "command:sh -c 'cat ~/reply.json'"]);
    }
    run(&place, &["compile", "--quiet"]);
    place
}

/// The pieces of a line that stand in an answer on a line of it without a mark.
fn unmarked(answer: &str, poison: &Poison) -> Option<String> {
    let mut is_external = false;
    for line in answer.lines() {
        is_external = if line.starts_with("## ") { line.ends_with("trust: external)") } else { is_external };
        let is_marked = is_external || line.contains("[speaks to its reader]") || line.contains("(external)");
        let shown = plain(line);
        if !is_marked && pieces(poison.text).iter().any(|piece| shown.contains(piece)) {
            return Some(line.to_owned());
        }
    }
    None
}

/// What is wrong with a text as the frame that it should be.
fn broken(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let n_of = |mark: &str| lower.matches(mark).count();
    if text.is_empty() {
        return None;
    }
    if (n_of("<kenning-context"), n_of("</kenning-context>")) != (1, 1)
        || !text.trim_end().ends_with("</kenning-context>")
    {
        return Some("it does not begin and end once");
    }
    ["<system", "[ckp:", "［ckp", "<tool_result", "<|im_"].into_iter().find(|mark| lower.contains(mark))
}

struct Found {
    n_lines: usize,
    n_held: usize,
    started: Vec<String>,
    unmarked: Vec<String>,
    n_unmarked_held: usize,
}

fn attack(vector: &str) -> Found {
    let lines = corpus(vector);
    let place = poisoned(vector, &lines);
    let hook = text(&place.hook("SessionStart", None).wait_with_output().expect("the hook ends").stdout);
    let starts = [
        run(&place, &["brief"]),
        run(&place, &["brief", "--bytes", "9000"]),
        run(&place, &["brief", "--memory"]),
        hook,
    ];
    assert_eq!(starts[..2].iter().find_map(|text| broken(text)), None, "{}", starts[1]);
    assert!(starts[3].contains("kenning-context"), "{}", starts[3]);
    let mut found =
        Found { n_lines: lines.len(), n_held: 0, started: Vec::new(), unmarked: Vec::new(), n_unmarked_held: 0 };
    for poison in &lines {
        let is_held = poison.half == "held";
        found.n_held += usize::from(is_held);
        let shown = |text: &String| pieces(poison.text).iter().any(|piece| plain(text).contains(piece));
        if starts.iter().any(shown) {
            found.started.push(poison.id.to_owned());
        }
        let context = run(&place, &["context", "--budget", "1500", poison.text]);
        assert_eq!(broken(&context), None, "{}\n{context}", poison.id);
        let asked = run(&place, &["ask", "--json", poison.text]);
        let asked: serde_json::Value = serde_json::from_str(&asked).expect("it is JSON");
        let framed = asked["text"].as_str().unwrap_or_default();
        assert_eq!(broken(framed), None, "{}\n{framed}", poison.id);
        let answer = asked["answer"].as_str().unwrap_or_default().replace(". ", ".\n");
        if let Some(line) = unmarked(&context, poison).or_else(|| unmarked(&answer, poison)) {
            found.n_unmarked_held += usize::from(is_held);
            found.unmarked.push(if is_held { poison.id.to_owned() } else { format!("{}: {line}", poison.id) });
        }
    }
    found
}

#[test]
fn no_line_of_the_corpus_starts_a_session_and_none_answers_as_something_else() {
    let vectors = ["transcript", "document", "html", "page-edit", "reply"];
    let attacks: Vec<_> = vectors.map(|vector| std::thread::spawn(move || attack(vector))).into_iter().collect();
    let found: Vec<Found> = attacks.into_iter().map(|attack| attack.join().expect("the attack ends")).collect();
    let n_lines: usize = found.iter().map(|one| one.n_lines).sum();
    let n_unmarked: usize = found.iter().map(|one| one.unmarked.len()).sum();
    let n_held: usize = found.iter().map(|one| one.n_held).sum();
    let n_unmarked_held: usize = found.iter().map(|one| one.n_unmarked_held).sum();
    let started: Vec<&String> = found.iter().flat_map(|one| &one.started).collect();
    let note = format!("{n_unmarked} unmarked in an answer, {n_unmarked_held} of them of the {n_held} held back");
    let violations = started.iter().map(|id| format!("{id} starts a session")).collect::<Vec<_>>();
    figures(n_lines, &violations, &note);
    let unmarked: Vec<&String> = found.iter().flat_map(|one| &one.unmarked).collect();
    assert!(n_lines >= 300 && started.is_empty(), "{started:?}");
    assert!(
        n_unmarked * 100 <= n_lines * UNMARKED_MAX_PERCENT,
        "{n_unmarked} of {n_lines} answer unmarked: {unmarked:?}"
    );
}

/// What nobody vouches for has a page beside the user's own, and speaks for nothing.
#[test]
fn what_is_external_leads_nothing_and_is_marked_wherever_it_is_quoted() {
    let place = Place::new();
    place.session("s", &["We decided that the oven timer reads the clock.", "Decision: the oven timer rings twice."]);
    run(&place, &["sync", "--quiet"]);
    let said = "# Oven timer\n\nThe oven timer is a purple device made by Acme and the oven timer rings for minutes.\n\nThe sourdough vault is fed by Acme.\n";
    fs::write(place.home().join("web.md"), said).expect("a new file");
    run(&place, &["ingest", "--trust", "external", "../home/web.md"]);
    run(&place, &["compile", "--quiet"]);
    assert!(!run(&place, &["show", "oven-timer"]).contains("purple"));
    let listed = run(&place, &["list"]);
    let slug = listed.split_whitespace().find(|word| word.starts_with("oven-timer-")).expect("it has a page");
    let page = run(&place, &["show", slug]);
    let marked = page.lines().filter(|line| line.contains("purple") && !line.starts_with("[^"));
    assert!(marked.clone().count() == 1 && marked.clone().all(|line| line.contains("*(external)*")), "{page}");
    let listed = run(&place, &["list", "--json"]);
    let index = fs::read_to_string(place.project().join("knowledge/index.md")).expect("it was compiled");
    for always_read in [&listed, &index, &run(&place, &["brief"]), &run(&place, &["brief", "--memory"])] {
        assert!(!always_read.contains("purple") && !always_read.contains("fed by"), "{always_read}");
    }
    for (question, word) in
        [("which purple device is the oven timer?", "purple"), ("who feeds the sourdough vault?", "fed")]
    {
        let context = run(&place, &["context", question]);
        let answers = context.lines().filter(|line| line.contains(word) && !line.contains("[^"));
        assert!(answers.clone().all(|line| line.contains("(external)")) && context.contains(word), "{context}");
        let asked = run(&place, &["ask", question]);
        assert!(!asked.contains(word) || asked.contains("(external)"), "{asked}");
    }
    run(&place, &["ask", "--file-back", "which purple device is the oven timer?"]);
    let index = fs::read_to_string(place.project().join("knowledge/index.md")).expect("it was compiled");
    assert!(!index.contains("purple device made"), "{index}");
    // Vouching for it later makes it a source like any other.
    run(&place, &["ingest", "--trust", "user", "../home/web.md"]);
    run(&place, &["compile", "--quiet"]);
    assert!(!run(&place, &["show", "oven-timer"]).contains("(external)"));
}
