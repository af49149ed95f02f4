//! What a vault is expected to know: a file of questions, written by hand.
//!
//! Reads text and returns tests; a file that does not read is refused whole, because a test that is silently
//! left out never fails.

use ken_core::VaultPath;
use ken_core::text::closest;
use toml::{Table, Value};

use super::said::Said;
use crate::failure::Failure;

/// Every key of a test: name and what it takes.
pub const KEYS: &[(&str, &str)] = &[
    ("question", "a text"),
    ("must_load", "a list of pages"),
    ("must_not_load", "a list of pages"),
    ("must_cite", "a list of places"),
    ("must_say", "a list of texts"),
    ("abstain", "true or false"),
];

/// One question and what is to come of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnowledgeTest {
    /// The question.
    pub question: String,
    /// Pages that must be in the route.
    pub must_load: Vec<String>,
    /// Pages that must not.
    pub must_not_load: Vec<String>,
    /// Places that context or evidence must show.
    pub must_cite: Vec<Cited>,
    /// What the context must say: the answer.
    pub must_say: Vec<Said>,
    /// Whether nothing is to be loaded; not tested when it does not say.
    pub abstain: Option<bool>,
}

/// A file, or lines of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The file.
    pub path: VaultPath,
    /// Its lines, from 1, both included; the whole file when none are given.
    pub lines: Option<(usize, usize)>,
}

impl Cited {
    /// Returns the place that `PATH`, `PATH#L3` or `PATH#L3-L5` names.
    pub fn parse(text: &str) -> Option<Cited> {
        let Some((path, place)) = text.split_once('#') else {
            return Some(Cited { path: VaultPath::new(text)?, lines: None });
        };
        let line = |text: &str| text.trim_start_matches('L').parse::<usize>().ok().filter(|line| *line > 0);
        let (first, last) = place.strip_prefix('L')?.split_once('-').unwrap_or((&place[1..], &place[1..]));
        let lines = (line(first)?, line(last)?);
        (lines.0 <= lines.1).then_some(Cited { path: VaultPath::new(path)?, lines: Some(lines) })
    }

    /// Returns whether lines of a file are at this place.
    pub fn overlaps(&self, path: &VaultPath, lines: (usize, usize)) -> bool {
        *path == self.path && self.lines.is_none_or(|(first, last)| lines.0 <= last && lines.1 >= first)
    }
}

impl std::fmt::Display for Cited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.lines {
            None => write!(f, "{}", self.path),
            Some((first, last)) if first == last => write!(f, "{}#L{first}", self.path),
            Some((first, last)) => write!(f, "{}#L{first}-L{last}", self.path),
        }
    }
}

/// Returns the tests that a file's text gives; `name` is the file's.
///
/// # Errors
/// When it is not TOML, or a test is not what a test can be.
pub fn parse(text: &str, name: &str) -> Result<Vec<KnowledgeTest>, Failure> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let why = error.message().lines().next().unwrap_or_default().to_owned();
        bad(name, &format!("line {line}: {why}"))
    })?;
    if let Some(key) = table.keys().find(|key| *key != "test") {
        return Err(bad(name, &format!("unknown key `{key}`")).hint("a test begins with a line `[[test]]`"));
    }
    let Some(tests) = table.get("test").and_then(Value::as_array).filter(|tests| !tests.is_empty()) else {
        return Err(bad(name, "there is no test in it").hint("a test begins with a line `[[test]]`"));
    };
    let of = |(at, value): (usize, &Value)| {
        let what = format!("{name}: test {}", at + 1);
        value.as_table().map_or_else(|| Err(bad(&what, "it is no table")), |table| test(table, &what))
    };
    tests.iter().enumerate().map(of).collect()
}

fn test(table: &Table, what: &str) -> Result<KnowledgeTest, Failure> {
    if let Some(key) = table.keys().find(|key| !KEYS.iter().any(|(known, _)| known == key)) {
        let closest = closest(key, KEYS.iter().map(|(known, _)| *known)).unwrap_or_default();
        return Err(bad(what, &format!("unknown key `{key}`")).hint(format!("the closest key is `{closest}`")));
    }
    let question = table.get("question").and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let Some(question) = question else { return Err(bad(what, "it has no `question`")) };
    let cited = |text: String| {
        Cited::parse(&text).ok_or_else(|| {
            bad(what, &format!("`{text}` is no place in the vault"))
                .hint("write `daily/2026-02-10.md#L14-L16`, or a path")
        })
    };
    let said = |text: String| Said::parse(&text).map_err(|why| bad(what, &format!("`{text}` {why}")));
    let test = KnowledgeTest {
        question: question.to_owned(),
        must_load: texts(table, "must_load", what)?,
        must_not_load: texts(table, "must_not_load", what)?,
        must_cite: texts(table, "must_cite", what)?.into_iter().map(cited).collect::<Result<_, _>>()?,
        must_say: texts(table, "must_say", what)?.into_iter().map(said).collect::<Result<_, _>>()?,
        abstain: match table.get("abstain") {
            Some(value) => Some(value.as_bool().ok_or_else(|| bad(what, "`abstain` is not true or false"))?),
            None => None,
        },
    };
    let wants = !test.must_load.is_empty() || !test.must_cite.is_empty() || !test.must_say.is_empty();
    if !wants && test.must_not_load.is_empty() && test.abstain.is_none() {
        let failure = bad(what, "it expects nothing, so it could never fail");
        return Err(failure.hint("give it `must_load`, `must_cite`, `must_say`, `must_not_load` or `abstain`"));
    }
    if wants && test.abstain == Some(true) {
        return Err(bad(what, "it expects nothing to be loaded and something as well"));
    }
    Ok(test)
}

fn texts(table: &Table, key: &str, what: &str) -> Result<Vec<String>, Failure> {
    let refused = || bad(what, &format!("`{key}` is not a list of texts"));
    let Some(value) = table.get(key) else { return Ok(Vec::new()) };
    let list = value.as_array().filter(|list| !list.is_empty()).ok_or_else(refused)?;
    list.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(refused)).collect()
}

fn bad(what: &str, why: &str) -> Failure {
    Failure::usage(format!("{what}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(parse(text, "t.toml").expect_err("refused").message, message);
    }

    #[test]
    fn a_test_says_what_is_to_come_of_a_question() {
        let text = "[[test]]\nquestion = 'How?'\nmust_load = ['jwt']\nmust_cite = ['daily/2026-02-10.md#L14-L16', \
                    'raw/a.md']\nmust_not_load = ['oven']\n[[test]]\nquestion = 'Why?'\nabstain = true\n";
        let tests = parse(text, "t.toml").expect("reads");
        assert_eq!(tests.len(), 2);
        let cited: Vec<String> = tests[0].must_cite.iter().map(ToString::to_string).collect();
        assert_eq!(cited, ["daily/2026-02-10.md#L14-L16", "raw/a.md"]);
        assert_eq!((tests[0].abstain, tests[1].abstain), (None, Some(true)));
    }

    #[test]
    fn places_are_files_or_lines_of_them() {
        let lines = |text: &str| Cited::parse(text).map(|cited| cited.lines);
        assert_eq!(lines("daily/a.md#L3"), Some(Some((3, 3))));
        assert_eq!(lines("daily/a.md#L3-5"), Some(Some((3, 5))));
        for text in ["../a.md", "a.md#3", "a.md#L0", "a.md#L5-L3", "a.md#Lx", "a.md#"] {
            assert_eq!(lines(text), None, "{text}");
        }
        let cited = Cited::parse("daily/a.md#L3-L5").expect("a place");
        assert!(cited.overlaps(&cited.path, (5, 9)) && !cited.overlaps(&cited.path, (6, 9)));
    }

    #[test]
    fn a_file_that_does_not_read_is_refused_with_the_test_that_is_wrong() {
        refused("", "t.toml: there is no test in it");
        refused("[[test]]\nquestion = \n", "t.toml: line 2: string values must be quoted, expected literal string");
        refused("[[tests]]\nquestion = 'a'\n", "t.toml: unknown key `tests`");
        refused("[[test]]\nabstain = true\n", "t.toml: test 1: it has no `question`");
        refused("[[test]]\nquestion = 'a'\n", "t.toml: test 1: it expects nothing, so it could never fail");
        refused("[[test]]\nquestion = 'a'\nmust_lode = ['b']\n", "t.toml: test 1: unknown key `must_lode`");
        refused("[[test]]\nquestion = 'a'\nmust_load = 'b'\n", "t.toml: test 1: `must_load` is not a list of texts");
        refused("[[test]]\nquestion = 'a'\nmust_cite = ['/x']\n", "t.toml: test 1: `/x` is no place in the vault");
        let broken = "t.toml: test 1: `/[x/` is no expression: unclosed character class";
        refused("[[test]]\nquestion = 'a'\nmust_say = ['x', '/[x/']\n", broken);
        let both = "[[test]]\nquestion = 'a'\nmust_load = ['b']\nabstain = true\n";
        refused(both, "t.toml: test 1: it expects nothing to be loaded and something as well");
    }
}
