//! Reading a suite: Markdown in, tests out.
//!
//! Only two things of Markdown matter here, `##` headings and fenced blocks that start at the left
//! margin; the rest is prose. Reading is strict where a mistake would make a test vanish (a fence
//! that never closes, output before any command) and indifferent everywhere else.

/// One suite as read.
#[derive(Debug)]
pub(super) struct Suite {
    /// The files that stand above the first test: every test starts with them.
    pub(super) shared: Vec<Step>,
    /// The headings that have at least one command.
    pub(super) tests: Vec<Test>,
}

/// One `##` heading with what to do under it.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) heading: String,
    pub(super) steps: Vec<Step>,
}

/// One thing to do, in the order of the suite.
#[derive(Debug)]
pub(super) enum Step {
    /// Write a file into the vault.
    File { path: String, content: String, line: usize },
    /// Run a command and compare.
    Run(Command),
}

/// One command and what it must print.
#[derive(Debug)]
pub(super) struct Command {
    /// The text behind `$ `.
    pub(super) text: String,
    /// Its line, from 1; the expectation starts on the next one.
    pub(super) line: usize,
    /// Number of backticks of the fence around it.
    pub(super) fence: usize,
    pub(super) expected: Vec<String>,
}

/// Why a suite cannot be run.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Info strings that name a language although they could be read as a file name.
const LANGUAGES: [&str; 14] =
    ["bash", "console", "diff", "html", "json", "jsonl", "markdown", "md", "rust", "sh", "text", "toml", "txt", "yaml"];

impl Suite {
    /// Returns the suite that `text` holds.
    pub(super) fn parse(text: &str) -> Result<Suite, Problem> {
        let lines: Vec<&str> = text.split('\n').collect();
        let mut suite = Suite { shared: Vec::new(), tests: Vec::new() };
        let mut at = 0;
        while at < lines.len() {
            if let Some(heading) = lines[at].strip_prefix("## ") {
                suite.tests.push(Test { heading: heading.trim().to_owned(), steps: Vec::new() });
            } else if let Some((fence, info)) = opening_fence(lines[at]) {
                let close = closing_fence(&lines, at, fence)?;
                let steps = block_steps(&lines, at, close, fence, info)?;
                suite.add(at + 1, steps)?;
                at = close;
            }
            at += 1;
        }
        suite.tests.retain(|test| test.steps.iter().any(|step| matches!(step, Step::Run(_))));
        Ok(suite)
    }

    fn add(&mut self, line: usize, steps: Vec<Step>) -> Result<(), Problem> {
        match self.tests.last_mut() {
            Some(test) => test.steps.extend(steps),
            None if steps.iter().any(|step| matches!(step, Step::Run(_))) => {
                let message = "a command stands above the first `##` heading; give it a test".to_owned();
                return Err(Problem { line, message });
            }
            None => self.shared.extend(steps),
        }
        Ok(())
    }
}

/// The number of backticks and the info string of a line that opens a fenced block.
fn opening_fence(line: &str) -> Option<(usize, &str)> {
    let info = line.trim_start_matches('`');
    let fence = line.len() - info.len();
    (fence >= 3 && !info.contains('`')).then_some((fence, info.trim()))
}

fn closing_fence(lines: &[&str], open: usize, fence: usize) -> Result<usize, Problem> {
    let closes = |line: &str| {
        let line = line.trim_end();
        line.len() >= fence && line.bytes().all(|byte| byte == b'`')
    };
    (open + 1..lines.len())
        .find(|at| closes(lines[*at]))
        .ok_or_else(|| Problem { line: open + 1, message: "this fenced block never ends".to_owned() })
}

fn block_steps(lines: &[&str], open: usize, close: usize, fence: usize, info: &str) -> Result<Vec<Step>, Problem> {
    if info == "console" {
        return console_steps(lines, open, close, fence);
    }
    if LANGUAGES.contains(&info) || !info.contains(['/', '.']) {
        return Ok(Vec::new());
    }
    let content: String = lines[open + 1..close].iter().flat_map(|line| [line, "\n"]).collect();
    Ok(vec![Step::File { path: info.to_owned(), content, line: open + 1 }])
}

fn console_steps(lines: &[&str], open: usize, close: usize, fence: usize) -> Result<Vec<Step>, Problem> {
    let mut commands: Vec<Command> = Vec::new();
    for (at, line) in lines.iter().enumerate().take(close).skip(open + 1) {
        if let Some(text) = line.strip_prefix("$ ") {
            commands.push(Command { text: text.trim().to_owned(), line: at + 1, fence, expected: Vec::new() });
        } else if let Some(command) = commands.last_mut() {
            command.expected.push((*line).to_owned());
        } else if !line.trim().is_empty() {
            let message = "output stands above the first command; commands start with `$ `".to_owned();
            return Err(Problem { line: at + 1, message });
        }
    }
    Ok(commands.into_iter().map(Step::Run).collect())
}
