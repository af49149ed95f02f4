//! One managed block in a file that people keep: between two marks, and nothing outside them.
//!
//! Text in, text out. The file's own line ends are used.

use serde::{Deserialize, Serialize};

use super::json::Left;

/// How a file marks a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Marks {
    /// A Markdown file; the block stands at its end.
    Markdown,
    /// A TOML file; the block stands at its end, so that its tables take no key of the person's.
    Toml,
    /// A shell script; the block stands at its top, so that no `exit` of the script skips it.
    Shell,
}

impl Marks {
    fn begin(self) -> &'static str {
        match self {
            Marks::Markdown => "<!-- kenning:begin -->",
            Marks::Shell | Marks::Toml => "# kenning:begin",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Marks::Markdown => "<!-- kenning:end -->",
            Marks::Shell | Marks::Toml => "# kenning:end",
        }
    }
}

/// Returns the file with the block in it; `None` stands for no file.
///
/// # Errors
/// Why the file cannot take a block.
pub(crate) fn with_block(file: Option<&str>, inner: &str, marks: Marks) -> Result<String, String> {
    let text = file.unwrap_or(match marks {
        Marks::Markdown | Marks::Toml => "",
        Marks::Shell => "#!/bin/sh\n",
    });
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = format!("{}\n{}\n{}\n", marks.begin(), inner.trim_end(), marks.end()).replace('\n', line_end);
    if let Some((from, to)) = found(text, marks)? {
        return Ok(format!("{}{block}{}", &text[..from], &text[to..]));
    }
    match marks {
        Marks::Markdown | Marks::Toml => {
            let gap = match text {
                "" | "\u{feff}" => String::new(),
                text if text.ends_with('\n') => line_end.to_owned(),
                _ => line_end.repeat(2),
            };
            Ok(format!("{text}{gap}{block}"))
        }
        Marks::Shell => {
            let top = after_shebang(text)?;
            let gap = if text[..top].is_empty() || text[..top].ends_with('\n') { "" } else { line_end };
            Ok(format!("{}{gap}{block}{}", &text[..top], &text[top..]))
        }
    }
}

/// Returns the file without the block.
///
/// # Errors
/// When half of the block is gone.
pub(crate) fn without_block(text: &str, marks: Marks) -> Result<Left, String> {
    let Some((from, to)) = found(text, marks)? else { return Ok(Left { text: text.to_owned(), is_empty: false }) };
    let mut before = &text[..from];
    if marks != Marks::Shell {
        // The empty line above the block came with it.
        before = before.strip_suffix("\r\n\r\n").map_or(before, |_| &before[..before.len() - 2]);
        before = before.strip_suffix("\n\n").map_or(before, |_| &before[..before.len() - 1]);
    }
    let text = format!("{before}{}", &text[to..]);
    let is_empty = text.trim().is_empty() || (marks == Marks::Shell && text.trim() == "#!/bin/sh");
    Ok(Left { text, is_empty })
}

/// Returns the bytes from the first mark to the end of the line of the last.
fn found(text: &str, marks: Marks) -> Result<Option<(usize, usize)>, String> {
    let line_at = |mark: &str| {
        let mut at = 0;
        text.split_inclusive('\n').find_map(|line| {
            let place = at;
            at += line.len();
            (line.trim() == mark).then_some((place, at))
        })
    };
    match (line_at(marks.begin()), line_at(marks.end())) {
        (None, None) => Ok(None),
        (Some((from, _)), Some((_, to))) if from < to => Ok(Some((from, to))),
        _ => Err(format!("one of the marks `{}` and `{}` is missing", marks.begin(), marks.end())),
    }
}

/// Returns where a script's own lines begin.
fn after_shebang(text: &str) -> Result<usize, String> {
    let first = text.split_inclusive('\n').next().unwrap_or("");
    let Some(program) = first.strip_prefix("#!") else { return Ok(0) };
    let mut words = program.split_whitespace();
    let mut name = words.next().unwrap_or("").rsplit('/').next().unwrap_or("");
    if name == "env" {
        name = words.find(|word| !word.starts_with('-')).unwrap_or("");
    }
    match ["sh", "bash", "dash", "zsh", "ksh", "ash"].contains(&name) {
        true => Ok(first.len()),
        false => Err(format!("it is a script for `{name}`, not for a shell")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn round_trip(file: Option<&str>, marks: Marks, expected: &str) {
        let with = with_block(file, "ours\n", marks).expect("it takes a block");
        assert_eq!(with, expected);
        assert_eq!(with_block(Some(&with), "ours\n", marks).as_deref(), Ok(expected), "twice is once");
    }

    #[test]
    fn a_block_stands_at_the_end_of_a_text_and_at_the_top_of_a_script() {
        round_trip(None, Marks::Markdown, "<!-- kenning:begin -->\nours\n<!-- kenning:end -->\n");
        round_trip(Some("# A"), Marks::Markdown, "# A\n\n<!-- kenning:begin -->\nours\n<!-- kenning:end -->\n");
        round_trip(Some("a = 1"), Marks::Toml, "a = 1\n\n# kenning:begin\nours\n# kenning:end\n");
        let crlf = "# A\r\n\r\n<!-- kenning:begin -->\r\nours\r\n<!-- kenning:end -->\r\n";
        round_trip(Some("# A\r\n"), Marks::Markdown, crlf);
        round_trip(None, Marks::Shell, "#!/bin/sh\n# kenning:begin\nours\n# kenning:end\n");
        let script = "#!/usr/bin/env bash\n# kenning:begin\nours\n# kenning:end\nexit 0\n";
        round_trip(Some("#!/usr/bin/env bash\nexit 0\n"), Marks::Shell, script);
    }

    #[test]
    fn what_a_person_added_around_a_block_stays() {
        let text = "# A\n\n<!-- kenning:begin -->\nours\n<!-- kenning:end -->\nmore\n";
        let left = Left { text: "# A\nmore\n".to_owned(), is_empty: false };
        assert_eq!(without_block(text, Marks::Markdown), Ok(left));
        let left = without_block("#!/bin/sh\n# kenning:begin\n# kenning:end\n", Marks::Shell);
        assert!(left.is_ok_and(|left| left.is_empty));
    }

    #[test]
    fn a_script_of_another_language_and_half_a_block_are_refused() {
        let python = with_block(Some("#!/usr/bin/env python3\n"), "ours", Marks::Shell);
        assert_eq!(python, Err("it is a script for `python3`, not for a shell".to_owned()));
        assert!(with_block(Some("# kenning:begin\n"), "ours", Marks::Shell).is_err());
    }
}
