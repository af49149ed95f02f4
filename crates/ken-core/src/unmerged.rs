//! Finding what git leaves in a file that it could not merge.
//!
//! A file counts as unmerged when the three markers stand in it in order, each at the start of its line and
//! of exactly seven characters. An underlined heading has no partner, and an example in a code block is
//! closed around: a conflict in code is one only if it takes the fence with it.

use crate::span::Span;

/// Returns the first line of the first conflict in a text, or none.
pub fn unmerged(text: &str) -> Option<Span> {
    // Most texts have none, and this is asked of every text.
    memchr::memmem::find(text.as_bytes(), b"<<<<<<<")?;
    let mut fence: Option<&str> = None;
    let mut open: Option<Open> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if let Some(mark) = fence_mark(line) {
            let is_end = fence.is_some_and(|begun| mark.starts_with(begun));
            if is_end || fence.is_none() {
                fence = if is_end { None } else { Some(mark) };
                open.iter_mut().for_each(|open| open.is_code = false);
            }
        }
        if is_marker(line, "<<<<<<<") {
            open = Some(Open { span, is_code: fence.is_some(), has_middle: false });
        } else if let Some(conflict) = &mut open {
            if line.trim_end() == "=======" {
                conflict.has_middle = true;
            } else if conflict.has_middle && is_marker(line, ">>>>>>>") {
                if !conflict.is_code {
                    return Some(conflict.span);
                }
                open = None;
            }
        }
    }
    None
}

/// A conflict that is not known to end.
struct Open {
    span: Span,
    /// Whether it began inside a code block, and no fence has come since.
    is_code: bool,
    has_middle: bool,
}

fn is_marker(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker).is_some_and(|rest| rest.trim_end().is_empty() || rest.starts_with(' '))
}

/// The run of characters that begins or ends a code block, if the line does.
fn fence_mark(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    let ch = text.chars().next().filter(|ch| matches!(ch, '`' | '~'))?;
    let len = text.len() - text.trim_start_matches(ch).len();
    (len >= 3 && line.len() - text.len() <= 3).then(|| &text[..len])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, line: Option<&str>) {
        assert_eq!(unmerged(text).map(|span| span.of(text)), line, "{text:?}");
    }

    #[test]
    fn a_conflict_is_found_and_what_looks_like_one_is_not() {
        let conflict = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n";
        check(conflict, Some("<<<<<<< HEAD"));
        check(&conflict.replace('\n', "\r\n"), Some("<<<<<<< HEAD"));
        check("<<<<<<< a\nb\n||||||| base\nx\n=======\nc\n>>>>>>> o\n", Some("<<<<<<< a"));
        check("Heading\n=======\n\ntext\n", None);
        check("<<<<<<< HEAD\nHeading\n=======\n\ntext\n", None);
        check(&format!("So it looks:\n\n```\n{conflict}```\n"), None);
        check(&format!("So it looks:\n\n~~~~ text\n```\n{conflict}~~~~\n"), None);
        check(&conflict.replace("<<<<<<<", "    <<<<<<<"), None);
        check("<<<<<<<< a\n=======\n>>>>>>>> b\n", None);
    }

    #[test]
    fn a_conflict_that_takes_a_fence_with_it_is_one() {
        check("```\na\n<<<<<<< HEAD\n```\n=======\nc\n```\n>>>>>>> other\n", Some("<<<<<<< HEAD"));
    }
}
