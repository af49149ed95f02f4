//! What was said, as it may stand in a file among others: nothing in it reaches beyond it.

use super::Speaker;

/// Most characters of a line; longer ones are data.
const LINE_CHARS_MAX: usize = 2_000;
/// Most characters of a turn; longer ones were pasted.
const TURN_CHARS_MAX: usize = 20_000;
/// Levels that headings go down, below those of turns.
const LEVELS_DOWN: usize = 3;
const LEVEL_MAX: usize = 6;

/// An open code block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    len: usize,
}

impl Fence {
    /// Goes on over a line: it may open a block, or close the open one.
    pub(super) fn pass(open: &mut Option<Fence>, line: &str) {
        let bare = line.trim();
        let mark = bare.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let Some(mark) = mark else { return };
        let len = bare.chars().take_while(|ch| *ch == mark).count();
        let rest = &bare[len..];
        match open {
            Some(fence) if fence.mark == mark && len >= fence.len && rest.is_empty() => *open = None,
            None if len >= 3 && (mark == '~' || !rest.contains('`')) => *open = Some(Fence { mark, len }),
            _ => {}
        }
    }

    fn closing(self) -> String {
        self.mark.to_string().repeat(self.len)
    }
}

pub(super) fn said(text: &str) -> String {
    let lines = text.trim().lines().map(|line| short(line.trim_end(), LINE_CHARS_MAX)).collect();
    let lines = without_middle(lines, TURN_CHARS_MAX);
    let mut out = String::with_capacity(text.len());
    let mut fence = None;
    let mut is_after_text = false;
    for line in lines {
        let was_open = fence.is_some();
        Fence::pass(&mut fence, &line);
        let is_code = was_open || fence.is_some();
        if !out.is_empty() {
            out.push('\n');
        }
        match level_of(&line).filter(|_| !is_code) {
            Some(level) => {
                // Nothing that was said is the heading of a turn, at any level.
                if Speaker::of_heading(line.trim_start()[level..].trim()).is_some() {
                    out.push('\\');
                }
                out.push_str(&"#".repeat((level + LEVELS_DOWN).min(LEVEL_MAX)));
                push(&mut out, &line.trim_start()[level..]);
            }
            None => {
                // A line of dashes would make a heading of the one before.
                if is_after_text && !is_code && is_underline(&line) {
                    out.push('\\');
                }
                push(&mut out, &line);
            }
        }
        is_after_text = !line.trim().is_empty() && !is_code;
    }
    if let Some(fence) = fence {
        out.push('\n');
        out.push_str(&fence.closing());
    }
    out
}

/// Adds a line in which no comment begins.
fn push(out: &mut String, line: &str) {
    out.push_str(&line.replace("<!--", "&lt;!--"));
}

/// The level of a heading, up to three blanks before its marks.
fn level_of(line: &str) -> Option<usize> {
    let bare = line.trim_start_matches(' ');
    let level = bare.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&level) && (bare.len() == level || bare[level..].starts_with([' ', '\t']));
    (is_heading && line.len() - bare.len() <= 3).then_some(level)
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
