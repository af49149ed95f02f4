//! What was said, as it may stand in a file among others: nothing in it reaches beyond it.

use super::Speaker;
use crate::journal::lines::{self, Line};

/// Most characters of a line; longer ones are data.
const LINE_CHARS_MAX: usize = 2_000;
/// Most characters of a turn; longer ones were pasted.
const TURN_CHARS_MAX: usize = 20_000;
/// Levels that headings go down, below those of turns.
const LEVELS_DOWN: usize = 3;
const LEVEL_MAX: usize = 6;

pub(super) fn said(text: &str) -> String {
    let lines = text.trim().lines().map(|line| short(line.trim_end(), LINE_CHARS_MAX)).collect();
    // An open comment would swallow what follows.
    let text = without_middle(lines, TURN_CHARS_MAX).join("\n").replace("<!--", "&lt;!--");
    let mut lines = lines::split(&text);
    let missing_fence = lines::missing_fence(&text, &lines);
    let text = text + &missing_fence.map(|fence| format!("\n{fence}")).unwrap_or_default();
    lines = lines::split(&text);
    let mut out = String::with_capacity(text.len());
    let mut is_after_text = false;
    for Line { span, is_code, heading } in lines {
        let line = span.of(&text);
        if let Some(heading) = heading {
            // Nothing that was said is the heading of a turn, at any level.
            out.push_str(if Speaker::of_heading(heading.text.of(&text)).is_some() { "\\" } else { "" });
            out.push_str(&"#".repeat((heading.level + LEVELS_DOWN).min(LEVEL_MAX)));
            out.push_str(&line.trim_start()[heading.level..]);
        } else {
            // A line of dashes would make a heading of the one before.
            out.push_str(if is_after_text && !is_code && is_underline(line) { "\\" } else { "" });
            out.push_str(line);
        }
        is_after_text = !is_code && !line.trim().is_empty();
    }
    out
}

fn is_underline(line: &str) -> bool {
    let bare = line.trim();
    bare.len() > 1 && (bare.bytes().all(|byte| byte == b'-') || bare.bytes().all(|byte| byte == b'='))
}

/// Returns a line without its middle, if it has more characters than that.
pub fn short(line: &str, chars_max: usize) -> String {
    let n_chars = line.chars().count();
    if n_chars <= chars_max {
        return line.to_owned();
    }
    let (n_head, n_tail) = (chars_max * 2 / 3, chars_max / 3);
    let head: String = line.chars().take(n_head).collect();
    let tail: String = line.chars().skip(n_chars - n_tail).collect();
    format!("{head} [… {} characters left out …] {tail}", n_chars - n_head - n_tail)
}

/// Returns lines without those in the middle, if all of them have more characters than that.
pub fn without_middle(lines: Vec<String>, chars_max: usize) -> Vec<String> {
    let chars = |line: &String| line.chars().count();
    let n_all: usize = lines.iter().map(chars).sum();
    if n_all <= chars_max {
        return lines;
    }
    let fitting = |share: usize| {
        let mut left = share;
        move |line: &&String| {
            let is_room = chars(line) <= left;
            left = left.saturating_sub(chars(line));
            is_room
        }
    };
    let n_head = lines.iter().take_while(fitting(chars_max * 2 / 3)).count().max(1);
    let n_tail = lines[n_head..].iter().rev().take_while(fitting(chars_max / 3)).count();
    let middle = &lines[n_head..lines.len() - n_tail];
    if middle.is_empty() {
        return lines;
    }
    let n_chars: usize = middle.iter().map(chars).sum();
    let mark = format!("[… {} lines, {n_chars} characters left out …]", middle.len());
    let mut out = lines[..n_head].to_vec();
    out.push(mark);
    out.extend_from_slice(&lines[lines.len() - n_tail..]);
    out
}
