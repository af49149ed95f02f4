//! The commands a suite may run.
//!
//! A [`Sandbox`] is one test's folder. It runs the real `ken` in it, plus a handful of built-ins that
//! behave the same on every machine; no shell is involved, so a suite means the same everywhere.
//! Output comes back as lines, with the folder's own name written `[VAULT]`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ken_core::VaultPath;
use tempfile::TempDir;

/// What every command finds in its environment, besides `PATH` and `HOME`.
const ENVIRONMENT: [(&str, &str); 4] =
    [("KEN_NOW", "2026-06-01T12:00:00Z"), ("KEN_NO_WORKER", "1"), ("NO_COLOR", "1"), ("TZ", "UTC")];

/// One test's folder and the binary it runs.
pub(super) struct Sandbox {
    dir: TempDir,
    /// Where the user's key is kept, which is never in a vault.
    state: TempDir,
    root: PathBuf,
    ken: PathBuf,
}

/// What a command printed and how it ended.
struct Printed {
    text: String,
    /// `None` when a signal ended it.
    code: Option<i32>,
}

impl Printed {
    fn done(text: impl Into<String>) -> Printed {
        Printed { text: text.into(), code: Some(0) }
    }
}

/// A word of a command line, or the bar between two commands.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Pipe,
}

impl Sandbox {
    /// Returns a fresh, empty folder; it goes away with the value.
    pub(super) fn new(ken: &Path) -> Sandbox {
        let dir = TempDir::new().expect("the machine has a folder for temporary files");
        let root = dir.path().canonicalize().expect("a folder that was just made is there");
        let state = TempDir::new().expect("the machine has a folder for temporary files");
        Sandbox { dir, state, root, ken: ken.to_owned() }
    }

    /// Writes a file, with the folders it needs.
    pub(super) fn write(&self, path: &str, content: &str) -> Result<(), String> {
        let path = self.inside(path)?;
        let parent = path.parent().expect("a path inside the folder has a parent");
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, content)).map_err(|err| err.to_string())
    }

    /// Runs a command line and returns its output by line, with `[exit N]` last when it failed.
    ///
    /// The error says what is wrong with the command line itself.
    pub(super) fn run(&self, line: &str) -> Result<Vec<String>, String> {
        let mut commands = vec![Vec::new()];
        for token in tokens(line)? {
            match token {
                Token::Word(word) => commands.last_mut().expect("there is always one command").push(word),
                Token::Pipe => commands.push(Vec::new()),
            }
        }
        let printed = match commands.as_slice() {
            [only] => self.command(only, "")?,
            [from, to] => self.command(to, &self.command(from, "")?.text)?,
            _ => return Err("at most one `|` is understood".to_owned()),
        };
        let text = printed.text.replace(&*self.dir.path().to_string_lossy(), "[VAULT]");
        let text = text.replace(&*self.root.to_string_lossy(), "[VAULT]");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        match printed.code {
            Some(0) => {}
            Some(code) => lines.push(format!("[exit {code}]")),
            None => lines.push("[ended by a signal]".to_owned()),
        }
        Ok(lines)
    }

    fn command(&self, words: &[String], input: &str) -> Result<Printed, String> {
        let n_settings = words.iter().take_while(|word| is_setting(word)).count();
        let (settings, words) = words.split_at(n_settings);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["ken", args @ ..] => self.ken(settings, args, input),
            _ if n_settings > 0 => Err("only `ken` takes settings in front".to_owned()),
            ["echo", words @ ..] => Ok(Printed::done(words.join(" ") + "\n")),
            ["cat", path] => Ok(told("cat", path, fs::read_to_string(self.inside(path)?))),
            ["rm", path] => Ok(told("rm", path, fs::remove_file(self.inside(path)?).map(|()| String::new()))),
            ["rm", "-r", path] => Ok(told("rm", path, fs::remove_dir_all(self.inside(path)?).map(|()| String::new()))),
            ["cp", from, to] => {
                Ok(told("cp", from, fs::copy(self.inside(from)?, self.inside(to)?).map(|_| String::new())))
            }
            ["append", path, text] => Ok(told("append", path, append(&self.inside(path)?, text))),
            ["ls"] | ["ls", "."] => Ok(told("ls", ".", list(&self.root, ""))),
            ["ls", path] => Ok(told("ls", path, list(&self.inside(path)?, ""))),
            _ => Err(format!("unknown command `{}`; specs/README.md lists what a suite may run", words.join(" "))),
        }
    }

    /// Runs the binary with a cleared environment, so that no suite depends on who runs it.
    fn ken(&self, settings: &[String], args: &[&str], input: &str) -> Result<Printed, String> {
        let mut command = Command::new(&self.ken);
        command.args(args).current_dir(&self.root).env_clear().env("HOME", &self.root).envs(ENVIRONMENT);
        command.env("XDG_STATE_HOME", self.state.path());
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs(settings.iter().filter_map(|setting| setting.split_once('=')));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |err: std::io::Error| format!("cannot run `{}`: {err}", self.ken.display());
        let mut child = command.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take().expect("the input was asked for");
        // A command that does not read its input closes it early; that is its own business.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().map_err(failed)?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') && !output.stderr.is_empty() {
            text.push('\n');
        }
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok(Printed { text, code: output.status.code() })
    }

    /// The file that `path` names; a suite can name nothing outside its own folder.
    fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let path = path.trim_end_matches('/');
        let inner = VaultPath::new(path).ok_or_else(|| format!("`{path}` is no path inside the test's folder"))?;
        Ok(self.root.join(inner.as_str()))
    }
}

/// Turns what a built-in did into what it prints: the error kind only, since the full text differs
/// between systems.
fn told(name: &str, path: &str, result: std::io::Result<String>) -> Printed {
    match result {
        Ok(text) => Printed::done(text),
        Err(err) => Printed { text: format!("{name}: `{path}`: {}\n", err.kind()), code: Some(1) },
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<String> {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{text}")?;
    Ok(String::new())
}

/// Every file under `dir`, one a line, sorted, relative to it.
fn list(dir: &Path, prefix: &str) -> std::io::Result<String> {
    let mut names: Vec<(String, bool)> = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        names.push((entry.file_name().to_string_lossy().into_owned(), entry.file_type()?.is_dir()));
    }
    names.sort();
    let mut out = String::new();
    for (name, is_dir) in names {
        if is_dir {
            out.push_str(&list(&dir.join(&name), &format!("{prefix}{name}/"))?);
        } else {
            out.push_str(&format!("{prefix}{name}\n"));
        }
    }
    Ok(out)
}

fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(key, _)| {
        key.starts_with(|ch: char| ch.is_ascii_uppercase() || ch == '_')
            && key.chars().all(|ch| ch.is_ascii_uppercase() || ch.is_ascii_digit() || ch == '_')
    })
}

/// Splits a command line as a shell does: white space separates, single quotes keep everything,
/// double quotes and backslashes keep the rest. In double quotes `\n` is a line end, so that a suite
/// can pipe several lines in one.
fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(ch) = chars.next() {
        match ch {
            '\'' | '"' => quoted(ch, &mut chars, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '|' => {
                tokens.extend(word.take().map(Token::Word));
                tokens.push(Token::Pipe);
            }
            '>' | '<' | '&' | ';' => return Err(format!("`{ch}` is not understood; quote it to mean the sign itself")),
            ch if ch.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            ch => word.get_or_insert_default().push(ch),
        }
    }
    tokens.extend(word.map(Token::Word));
    Ok(tokens)
}

fn quoted(quote: char, chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), String> {
    while let Some(ch) = chars.next() {
        match ch {
            ch if ch == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next() {
                Some('n') => word.push('\n'),
                Some(kept @ ('"' | '\\' | '$' | '`')) => word.push(kept),
                Some(other) => word.extend(['\\', other]),
                None => break,
            },
            ch => word.push(ch),
        }
    }
    Err(format!("a {quote} is never closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let words: Vec<String> = tokens(line)
            .expect("the line is well formed")
            .into_iter()
            .map(|token| match token {
                Token::Word(word) => word,
                Token::Pipe => "<pipe>".to_owned(),
            })
            .collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn words_split_as_in_a_shell() {
        check("ken route  'how do tokens work?'", &["ken", "route", "how do tokens work?"]);
        check(r#"echo "a \"b\"\nc" | ken log"#, &["echo", "a \"b\"\nc", "<pipe>", "ken", "log"]);
        check(r"ken a\ b ''", &["ken", "a b", ""]);
        check("ken 'a|b'", &["ken", "a|b"]);
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        assert_eq!(
            tokens("ken lint > out").expect_err("the line is not understood"),
            "`>` is not understood; quote it to mean the sign itself"
        );
        assert_eq!(tokens("ken 'lint").expect_err("the line is not understood"), "a ' is never closed");
    }

    #[test]
    fn built_ins_work_on_the_folder_and_nothing_else() {
        let sandbox = Sandbox::new(Path::new("ken"));
        let run = |line: &str| sandbox.run(line).expect("the command is known");
        sandbox.write("a/b.md", "one\n").expect("a plain file");
        assert_eq!(run("append a/b.md two"), Vec::<String>::new());
        assert_eq!(run("cat a/b.md"), ["one", "two"]);
        run("cp a/b.md a/c.md");
        assert_eq!(run("ls ."), ["a/b.md", "a/c.md"]);
        run("rm a/b.md");
        assert_eq!(run("cat a/b.md"), ["cat: `a/b.md`: entity not found", "[exit 1]"]);
        run("rm -r a");
        assert_eq!(run("ls"), Vec::<String>::new());
        assert!(sandbox.run("cat ../secret").is_err());
        assert!(sandbox.run("curl example").is_err());
    }
}
