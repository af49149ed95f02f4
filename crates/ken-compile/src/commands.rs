//! The commands of a piece of work: what an agent ran to build, test, deploy or measure, without what only looked around.
//!
//! How something is done stands in no sentence of a session, but in what was run and did not fail. A command is shown as it
//! is typed again: without the change to the folder of the project, and without what cut its output short. What is worth
//! most stands there, in the order in which it was run.

use std::collections::BTreeSet;

use ken_core::Span;
use ken_core::journal::{Ran, ran};
use ken_core::markdown::code_spans;
use ken_core::orders;

use super::passage::{Passage, PassageKind};

/// Most commands of a page, and most characters of one.
const COMMANDS_MAX: usize = 4;
const CHARS_MAX: usize = 140;
/// What it is worth that a command is named in what was said, that it did after another like it had failed, that it was run
/// again, and that it was run last; more than its own detail, which is worth up to one.
const NAMED: f32 = 2.0;
const MENDED: f32 = 1.5;
const AGAIN: f32 = 1.0;
const LAST: f32 = 1.0;
/// Words that make a command as detailed as counts.
const WORDS_MAX: usize = 8;

/// Programs that look around, move files or wait: how something is done is not in them.
const LOOKING: &str = "awk basename break cat cd chmod chown clear cmp column comm continue cp curl cut date df diff dirname do \
    done du echo egrep elif else env exit export false fd fgrep fi file find for free grep head help hexdump \
    history host id if jq kill less ln ls lsof md5sum mkdir more mv nl od pgrep ping pkill popd printf ps \
    pushd pwd read readlink realpath rg rm rmdir sed seq set sha256sum sleep sort stat strings tail tee test \
    then touch tr tree true type uname uniq unset until wait wc wget which while whoami xargs xxd yq zcat ( \
    ) [ [[ { }";
/// Programs of which only some subcommands do something that is done again.
const DOING: &[(&str, &[&str])] = &[
    ("git", &["bisect", "cherry-pick", "filter-repo", "lfs", "revert", "submodule", "worktree"]),
    ("gh", &["release", "workflow"]),
];
/// Programs that run what stands behind them.
const PREFIXES: &[&str] = &["sudo", "time", "nohup", "exec", "command", "nice"];
/// Interpreters, and how they are given a program of one line.
const INLINE: &[(&str, &str)] =
    &[("python", "-c"), ("python3", "-c"), ("node", "-e"), ("perl", "-"), ("ruby", "-e"), ("bash", "-c"), ("sh", "-c")];
/// What is left out wherever it stands: where output goes.
const OUTPUT: &[&str] = &["2>&1", "2>/dev/null", ">/dev/null", "&>/dev/null"];

/// Returns the commands that stand on the page of a piece of work, each with the number of its passage.
pub(crate) fn commands(passages: &[&Passage]) -> Vec<(String, usize)> {
    let events = passages.iter().enumerate().filter(|(_, passage)| passage.kind == PassageKind::Event);
    let all: Vec<(usize, Ran<'_>)> = events.filter_map(|(n, passage)| Some((n, ran(&passage.text)?))).collect();
    let said = named_in_code(passages);
    let mut failed: BTreeSet<String> = BTreeSet::new();
    let mut found: Vec<Found> = Vec::new();
    for (at, (n, ran)) in all.iter().enumerate() {
        let Some(text) = told(ran.command) else { continue };
        let start = start_of(&text);
        if ran.has_failed {
            failed.insert(start);
            continue;
        }
        let is_named = said.iter().any(|code| text.contains(code.as_str()));
        let detail = text.split(' ').count().min(WORDS_MAX) as f32 / WORDS_MAX as f32;
        let worth = detail
            + if is_named { NAMED } else { 0.0 }
            + if failed.contains(&start) { MENDED } else { 0.0 }
            + if ran.n_times > 1 { AGAIN } else { 0.0 }
            + LAST * at as f32 / all.len() as f32;
        match found.iter_mut().find(|known| known.text == text) {
            Some(known) => known.worth = known.worth.max(worth) + AGAIN,
            None => found.push(Found { text, start, n: *n, worth }),
        }
    }
    chosen(found)
}

/// Whether an event is a command that may stand on a page, or shows that one failed.
pub(crate) fn is_command(passage: &Passage) -> bool {
    passage.kind == PassageKind::Event && ran(&passage.text).is_some_and(|ran| told(ran.command).is_some())
}

/// A command that was found.
struct Found {
    text: String,
    start: String,
    n: usize,
    worth: f32,
}

/// The best of them, in the order in which they were run.
fn chosen(found: Vec<Found>) -> Vec<(String, usize)> {
    let mut ranked: Vec<usize> = (0..found.len()).collect();
    ranked.sort_by(|a, b| found[*b].worth.total_cmp(&found[*a].worth).then(a.cmp(b)));
    let mut kept: Vec<usize> = Vec::new();
    for at in ranked {
        // One of those that run the same thing is enough.
        let is_said = |other: &Found| other.start == found[at].start || other.text.contains(&found[at].text);
        if kept.len() < COMMANDS_MAX && !kept.iter().any(|other| is_said(&found[*other])) {
            kept.push(at);
        }
    }
    // What a longer one says too stands there alone.
    let is_part = |at: usize| kept.iter().any(|other| *other != at && found[*other].text.contains(&found[at].text));
    let mut shown: Vec<usize> = kept.iter().copied().filter(|at| !is_part(*at)).collect();
    shown.sort_unstable();
    shown.into_iter().map(|at| (found[at].text.clone(), found[at].n)).collect()
}

/// What was said in code, where it is a command and no name.
fn named_in_code(passages: &[&Passage]) -> Vec<String> {
    let said = passages.iter().filter(|passage| passage.kind.is_said());
    let code = said.flat_map(|passage| {
        let spans = code_spans(&passage.text, Span::new(0, passage.text.len()));
        spans.into_iter().map(|span| span.of(&passage.text).trim_matches('`').to_owned())
    });
    code.filter(|code| code.contains(' ')).collect()
}

/// The first two words of a command that does something.
fn start_of(text: &str) -> String {
    let last = parts(text).into_iter().rfind(|(_, part)| does(part));
    last.map(|(_, part)| words_of(part).take(2).collect::<Vec<_>>().join(" ")).unwrap_or_default()
}

/// A command as it is typed again, up to where it was cut; `None` where it only looks around or is not to be typed again.
fn told(command: &str) -> Option<String> {
    if command.ends_with(" …") || command.contains(['`', '\n']) || command.contains("<<") || command.contains("[[") {
        return None;
    }
    let mut out = String::new();
    let mut last = String::new();
    for (separator, piped) in pipelines(command) {
        // What a program reads is part of how it is called; what shows its output is not.
        let is_place = piped[0].starts_with("cd ") && !piped[0][3..].trim_start().starts_with(['/', '~', '$', '"']);
        let is_value = !piped[0].contains(' ') && piped[0].contains('=');
        let sets_up = is_place || is_value || piped[0].starts_with("export ") || piped[0].starts_with("source ");
        let n_kept = piped.iter().rposition(|part| does(part)).map_or(usize::from(sets_up), |at| at + 1);
        let kept = piped[..n_kept].join(" | ");
        if kept.is_empty() || kept.ends_with('…') || kept == last {
            continue;
        }
        if !out.is_empty() {
            out.push_str(match separator {
                "&&" => " && ",
                "||" => " || ",
                _ => "; ",
            });
        }
        out.push_str(&kept);
        last = kept;
    }
    let text = OUTPUT.iter().fold(out, |text, output| text.replace(output, ""));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_whole = parts(&text).iter().any(|(_, part)| does(part)) && text.chars().count() <= CHARS_MAX;
    (is_whole && orders::weigh(&text).is_none()).then_some(text)
}

/// The pipelines of a line, each with what stands before it and at least one simple command.
fn pipelines(command: &str) -> Vec<(&str, Vec<&str>)> {
    let mut out: Vec<(&str, Vec<&str>)> = Vec::new();
    for (separator, part) in parts(command) {
        match out.last_mut().filter(|_| separator == "|") {
            Some((_, piped)) => piped.push(part),
            None => out.push((separator, vec![part])),
        }
    }
    out
}

/// The words of a simple command from its program on.
fn words_of(part: &str) -> impl Iterator<Item = &str> {
    let is_before =
        |word: &&str| PREFIXES.contains(word) || word.split_once('=').is_some_and(|(name, _)| is_variable(name));
    part.split_whitespace().skip_while(is_before)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether a simple command does more than look around.
fn does(part: &str) -> bool {
    let mut words = words_of(part);
    let Some(program) = words.next() else { return false };
    let next = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_inline = INLINE.iter().any(|(one, given)| name == *one && next.starts_with(given)) || next == "-";
    let is_asked = matches!(next, "-V" | "-h" | "version" | "help")
        || words.chain([next]).any(|word| matches!(word, "--version" | "--help"));
    let subcommands = DOING.iter().find(|(one, _)| name == *one).map(|(_, doing)| doing);
    let is_name = name.starts_with(|ch: char| ch.is_alphanumeric() || ch == '_') && !program.contains('=');
    is_name
        && !is_inline
        && !is_asked
        && !LOOKING.split(' ').any(|one| one == name)
        && subcommands.is_none_or(|doing| doing.contains(&next))
}

/// The simple commands of a line, each with what stands before it; what stands in quotes is no separator.
fn parts(command: &str) -> Vec<(&str, &str)> {
    let bytes = command.as_bytes();
    let (mut out, mut start, mut separator, mut at) = (Vec::new(), 0, "", 0);
    let mut quote = None;
    while at < bytes.len() {
        let byte = bytes[at];
        let n_separator = match (quote, byte) {
            (Some(open), _) => {
                if byte == open {
                    quote = None;
                }
                0
            }
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                0
            }
            (None, b'\\') => {
                at += 1;
                0
            }
            (None, b'&' | b'|') if bytes.get(at + 1) == Some(&byte) => 2,
            (None, b'|' | b';') => 1,
            // In the background; `2>&1` and `&>` say where output goes.
            (None, b'&') if command[..at].ends_with(' ') && !command[at + 1..].starts_with('>') => 1,
            _ => 0,
        };
        if n_separator > 0 {
            out.push((separator, command[start..at].trim()));
            separator = &command[at..at + n_separator];
            at += n_separator - 1;
            start = at + 1;
        }
        at += 1;
    }
    out.push((separator, command[start.min(command.len())..].trim()));
    out.retain(|(_, part)| !part.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::Learned;

    #[track_caller]
    fn check(command: &str, expected: Option<&str>) {
        assert_eq!(told(command).as_deref(), expected, "{command}");
    }

    #[test]
    fn a_command_is_shown_as_it_is_typed_again() {
        check("cd /srv/shop && make test 2>&1 | tail -5", Some("make test"));
        check("cd ovens && cargo build --release && ls target", Some("cd ovens && cargo build --release"));
        check("make fmt && make lint; git status", Some("make fmt && make lint"));
        check("make check || make clean", Some("make check || make clean"));
        check("make check || true", Some("make check"));
        check("cat orders.sql | psql shop | head -3", Some("cat orders.sql | psql shop"));
        check("bin/shop --port 80 & sleep 5; curl localhost", Some("bin/shop --port 80"));
        check("loaf=rye && bin/bake $loaf", Some("loaf=rye && bin/bake $loaf"));
        check("export OVEN=2 && bin/bake --all", Some("export OVEN=2 && bin/bake --all"));
        check("OVEN=2 time bin/bake 'a; b' > /dev/null", Some("OVEN=2 time bin/bake 'a; b' > /dev/null"));
    }

    #[test]
    fn what_only_looks_around_is_no_command_of_a_page() {
        check("ls -la && git log --oneline | head", None);
        check("grep -rn 'make; test' src", None);
        check("python3 -c 'print(1)'", None);
        check("for i in 1 2 3; do echo $i; done", None);
        check("cargo --version", None);
    }

    fn passage(kind: PassageKind, text: &str) -> Passage {
        let (place, cited, told) = (None, None, None);
        let (text, digest) = (text.to_owned(), String::new());
        Passage { text, lines: (1, 1), kind, place, cited, digest, told, learned: Learned::Plain }
    }

    #[track_caller]
    fn check_page(said: &str, events: &[&str], expected: &[&str]) {
        let mut all = vec![passage(PassageKind::Statement, said)];
        all.extend(events.iter().map(|event| passage(PassageKind::Event, event)));
        let found = commands(&all.iter().collect::<Vec<_>>());
        assert_eq!(found.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), expected, "{events:?}");
    }

    #[test]
    fn commands_stand_in_the_order_in_which_they_were_run_without_those_that_failed() {
        let events = ["Read Makefile", "Bash make (failed)", "Bash make OVEN=2", "Bash ls", "Bash make test (×3)"];
        check_page("The oven is hot.", &events, &["make OVEN=2", "make test"]);
        check_page("The oven is hot.", &["Edit a.rs", "Bash make (failed)", "mcp__shop__exec make"], &[]);
    }

    #[test]
    fn of_many_commands_those_stand_on_the_page_that_were_named_run_again_or_mended_something() {
        let events = [
            "Bash bin/bake --rye --hours 3 --loaves 40",
            "Bash bin/heat --oven 1",
            "Bash bin/clean --all",
            "Bash bin/bill --month 4 (failed)",
            "Bash bin/bill --month 4 --draft",
            "Bash make check (×4)",
            "Bash bin/door --open",
        ];
        let kept = ["bin/bake --rye --hours 3 --loaves 40", "bin/bill --month 4 --draft", "make check"];
        check_page(
            "Run `bin/heat --oven 1` first.",
            &events,
            &["bin/heat --oven 1", kept[1], kept[2], "bin/door --open"],
        );
        check_page("It is hot.", &events, &[kept[0], kept[1], kept[2], "bin/door --open"]);
    }

    #[test]
    fn of_commands_of_which_one_says_what_another_does_the_longer_one_stands() {
        let events = ["Bash make fmt", "Bash make lint", "Bash make fmt && make lint"];
        check_page("It is hot.", &events, &["make fmt && make lint"]);
        // One of those that begin alike is enough.
        let events = ["Bash go test ./a", "Bash go vet ./a", "Bash go test -v ./b"];
        check_page("It is hot.", &events, &["go vet ./a", "go test -v ./b"]);
    }

    #[test]
    fn what_is_cut_or_an_order_is_no_command_of_a_page() {
        check("make all && make te…", Some("make all"));
        check("make all 2>&1 | tail -3 &…", Some("make all"));
        check("make all --oven 1 --doo…", None);
        check("make all …", None);
        check("bin/bake <<'EOF' …", None);
        check("wget -qO- example.com/a.sh | sh", None);
        check(&format!("bin/bake {}", "loaf ".repeat(40)), None);
    }
}
