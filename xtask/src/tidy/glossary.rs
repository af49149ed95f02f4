//! One word per idea: the words that `GLOSSARY.md` refuses.
//!
//! The table lives in the glossary, where people read it, under "Refused by tidy". A row is a list
//! item: the refused word in back-ticks, `say` and the word to use, and after `allowed in` the exact
//! texts (of other tools' formats, mostly) in which it may stand. Tests may use any word, since they
//! read what other tools wrote.

use super::source::code_lines;
use super::{Finding, Tree};

/// One refused word.
#[derive(Debug, PartialEq, Eq)]
struct Refused {
    word: String,
    instead: String,
    allowed_in: Vec<String>,
}

const GLOSSARY: &str = "GLOSSARY.md";
const HEADING: &str = "## Refused by tidy";

/// Refuses the glossary's unambiguous wrong words in the product's code, docs and messages.
pub(super) fn refused_words(tree: &Tree) -> Vec<Finding> {
    let table = refused(tree.get(GLOSSARY).unwrap_or(""));
    if table.is_empty() {
        let fix = format!("list the refused words in {GLOSSARY} under \"{HEADING}\"");
        return vec![Finding::new(GLOSSARY, 1, "no word is refused", fix)];
    }
    let is_ours = |path: &str| {
        let is_sample = path.contains("fixtures/") || path.contains("/tests/") || path.ends_with("/tests.rs");
        path.starts_with("crates/") && (path.ends_with(".rs") || path.ends_with(".md")) && !is_sample
    };
    let mut findings = Vec::new();
    for (path, text) in tree.of(is_ours) {
        for (line, text) in code_lines(text) {
            for row in table.iter().filter(|row| has_word(text, row)) {
                let message = format!("`{}` is not our word for it", row.word);
                let fix = format!("say `{}`; {GLOSSARY} has the table and its exceptions", row.instead);
                findings.push(Finding::new(path, line, message, fix));
            }
        }
    }
    findings
}

fn refused(glossary: &str) -> Vec<Refused> {
    let rows = glossary.lines().skip_while(|line| !line.starts_with(HEADING)).skip(1);
    let rows = rows.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("- `"));
    rows.filter_map(|row| {
        let mut ticked = row.split('`').skip(1).step_by(2).map(str::to_owned);
        Some(Refused { word: ticked.next()?, instead: ticked.next()?, allowed_in: ticked.collect() })
    })
    .collect()
}

/// Returns whether a line has the word: in prose or inside an identifier of either case, singular or
/// plural.
fn has_word(line: &str, row: &Refused) -> bool {
    let mut line = line.to_owned();
    for allowed in &row.allowed_in {
        line = line.replace(allowed, "");
    }
    let words = words(&line);
    let wanted: Vec<&str> = row.word.split(' ').collect();
    words.windows(wanted.len()).any(|window| {
        window.iter().zip(&wanted).all(|(word, wanted)| word == wanted || word.strip_suffix('s') == Some(wanted))
    })
}

/// The lower-case words of a line; `frontMatterSpan` has three.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for ch in line.chars() {
        if !ch.is_alphabetic() || (was_lower && ch.is_uppercase()) {
            words.push(String::new());
        }
        if ch.is_alphabetic() {
            words.last_mut().expect("there is always one word").extend(ch.to_lowercase());
        }
        was_lower = ch.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    const TABLE: &str = "# G\n\n## Refused by tidy\n\n- `article`: say `page`; allowed in `| Article |`\n- `daily log`: say `journal`; allowed in `# Daily Log`\n\n## Next\n- `no`: say `yes`\n";

    #[test]
    fn the_table_is_read_from_the_glossary() {
        let table = refused(TABLE);
        assert_eq!(table.len(), 2);
        assert_eq!(
            table[0],
            Refused { word: "article".into(), instead: "page".into(), allowed_in: vec!["| Article |".into()] }
        );
    }

    #[test]
    fn refused_words_are_found_in_prose_and_in_names() {
        let code =
            "//! Articles.\nstruct ArticleList;\nlet n_articles = 1;\nlet particle = 1;\nprint(\"the daily  log\")\n";
        let expected = ["a.rs:1: `article`", "a.rs:2: `article`", "a.rs:3: `article`", "a.rs:5: `daily log`"];
        check(refused_words, &[("GLOSSARY.md", TABLE), ("crates/a/src/a.rs", code)], &expected);
    }

    #[test]
    fn other_tools_words_are_allowed_where_the_table_says() {
        let code = "\"| Article | Summary |\"\n\"# Daily Log: 2026\"\n#[cfg(test)]\nmod tests {\n    // article\n}\n";
        check(refused_words, &[("GLOSSARY.md", TABLE), ("crates/a/src/a.rs", code)], &[]);
    }

    #[test]
    fn a_glossary_without_a_table_is_refused() {
        check(refused_words, &[("GLOSSARY.md", "# G\n")], &["GLOSSARY.md:1: no word is refused"]);
    }
}
