//! Comparing what was expected with what was printed.
//!
//! Expected lines may hold wildcards: `[..]` and `[TIME]` stand for any text inside a line, `...`
//! alone stands for any lines. Both sides are aligned once, with the fewest unmatched lines; the
//! verdict, the diff and the blessed lines all come from that one alignment, so they never disagree.

/// One row of the alignment.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Row {
    /// An expected line and the printed line that it matches.
    Same { expected: String, actual: String },
    /// Expected, not printed.
    Missing(String),
    /// Printed, not expected.
    Extra(String),
    /// `...` together with how many lines it stands for.
    Skip(usize),
}

/// The alignment of an expectation and an output.
#[derive(Debug)]
pub(super) struct Comparison {
    rows: Vec<Row>,
    /// Blank lines below the expectation: they keep commands apart and promise nothing.
    n_blank: usize,
}

/// The line that stands for any number of lines.
const ANY_LINES: &str = "...";

/// Returns the alignment of `expected` and `actual`; blank lines at the end of either are ignored.
pub(super) fn compare(expected: &[String], actual: &[String]) -> Comparison {
    let kept = without_blank_end(expected);
    let rows = align(kept, without_blank_end(actual));
    Comparison { rows, n_blank: expected.len() - kept.len() }
}

impl Comparison {
    /// Returns whether the output is what was expected.
    pub(super) fn is_match(&self) -> bool {
        !self.rows.iter().any(|row| matches!(row, Row::Missing(_) | Row::Extra(_)))
    }

    /// Returns a line diff: `-` expected, `+` printed.
    pub(super) fn diff(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            match row {
                Row::Same { actual, .. } => out.push_str(&format!("    {actual}\n")),
                Row::Missing(line) => out.push_str(&format!("  - {line}\n")),
                Row::Extra(line) => out.push_str(&format!("  + {line}\n")),
                Row::Skip(n_lines) => out.push_str(&format!("    ... ({n_lines} lines)\n")),
            }
        }
        out
    }

    /// Returns the expectation rewritten to fit the output, for a block fenced by `fence` backticks.
    pub(super) fn blessed(&self, fence: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            match row {
                Row::Same { expected, .. } => lines.push(expected.clone()),
                Row::Extra(line) => lines.push(escaped(line, fence)),
                Row::Skip(_) => lines.push(ANY_LINES.to_owned()),
                Row::Missing(_) => {}
            }
        }
        lines.extend(vec![String::new(); self.n_blank]);
        lines
    }
}

/// A printed line that cannot be read as a command or a fence when the suite is read again.
fn escaped(line: &str, fence: usize) -> String {
    let is_fence = line.len() >= fence && line.trim_end().bytes().all(|byte| byte == b'`') && !line.trim().is_empty();
    if line.starts_with("$ ") || is_fence { format!("[..]{}", &line[1..]) } else { line.to_owned() }
}

fn without_blank_end(lines: &[String]) -> &[String] {
    let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// Aligns the two sides by dynamic programming over "lines left on each side".
///
/// `cost[i][j]` is the fewest unmatched lines among `expected[i..]` and `actual[j..]`.
fn align(expected: &[String], actual: &[String]) -> Vec<Row> {
    let (n, m) = (expected.len(), actual.len());
    let mut cost = vec![vec![0_usize; m + 1]; n + 1];
    for i in (0..=n).rev() {
        for j in (0..=m).rev() {
            cost[i][j] = match (i < n, j < m) {
                (false, _) => m - j,
                (true, _) if expected[i] == ANY_LINES && j < m => cost[i + 1][j].min(cost[i][j + 1]),
                (true, _) if expected[i] == ANY_LINES => cost[i + 1][j],
                (true, false) => cost[i + 1][j] + 1,
                (true, true) => {
                    let unmatched = 1 + cost[i + 1][j].min(cost[i][j + 1]);
                    if matches(&expected[i], &actual[j]) { cost[i + 1][j + 1].min(unmatched) } else { unmatched }
                }
            };
        }
    }
    walk(expected, actual, &cost)
}

/// Reads the cheapest alignment off the table, expected lines before printed ones in a difference.
fn walk(expected: &[String], actual: &[String], cost: &[Vec<usize>]) -> Vec<Row> {
    let (mut i, mut j, mut rows) = (0, 0, Vec::new());
    while i < expected.len() || j < actual.len() {
        let here = cost[i][j];
        if i == expected.len() {
            rows.push(Row::Extra(actual[j].clone()));
            j += 1;
        } else if expected[i] == ANY_LINES {
            let from = j;
            while j < actual.len() && cost[i + 1][j] > cost[i][j] {
                j += 1;
            }
            rows.push(Row::Skip(j - from));
            i += 1;
        } else if j < actual.len() && cost[i + 1][j + 1] == here && matches(&expected[i], &actual[j]) {
            rows.push(Row::Same { expected: expected[i].clone(), actual: actual[j].clone() });
            (i, j) = (i + 1, j + 1);
        } else if j == actual.len() || cost[i + 1][j] + 1 == here {
            rows.push(Row::Missing(expected[i].clone()));
            i += 1;
        } else {
            rows.push(Row::Extra(actual[j].clone()));
            j += 1;
        }
    }
    rows
}

/// Returns whether `actual` is what `pattern` says.
fn matches(pattern: &str, actual: &str) -> bool {
    let pattern = pattern.replace("[TIME]", "[..]");
    let mut parts = pattern.split("[..]");
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = actual.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(expected: &str, actual: &str, is_match: bool) {
        let compared = compare(&lines(expected), &lines(actual));
        assert_eq!(compared.is_match(), is_match, "{compared:?}");
    }

    #[track_caller]
    fn check_blessed(expected: &str, actual: &str, blessed: &str) {
        assert_eq!(compare(&lines(expected), &lines(actual)).blessed(3), lines(blessed));
        check(blessed, actual, true);
    }

    #[test]
    fn equal_lines_match_and_others_do_not() {
        check("a\nb", "a\nb", true);
        check("a\nb", "a", false);
        check("a", "a\nb", false);
        check("", "", true);
    }

    #[test]
    fn wildcards_stand_for_text_inside_a_line() {
        check("took [TIME], read [..] files", "took 3 ms, read 12 files", true);
        check("a[..]", "a", true);
        check("[..]b", "a\nb", false);
        check("a[..]b[..]c", "a b x", false);
        check("aa[..]aa", "aaa", false);
    }

    #[test]
    fn three_dots_stand_for_any_lines() {
        check("a\n...\nz", "a\nz", true);
        check("a\n...\nz", "a\nb\nc\nz", true);
        check("...", "a\nb", true);
        check("a\n...\nz", "a\nb", false);
        check("...\nb\n...", "a\nb\nb\nc", true);
    }

    #[test]
    fn blank_lines_at_the_end_promise_nothing() {
        check("a\n\n", "a", true);
        check("a", "a\n\n", true);
        check("a\n\nb", "a\nb", false);
    }

    #[test]
    fn blessing_keeps_lines_that_match_by_wildcard() {
        check_blessed("took [TIME]\n2 pages\n", "took 4 ms\n3 pages\n", "took [TIME]\n3 pages\n");
        check_blessed("a\n...\nz\nold", "a\n1\n2\nz\nnew", "a\n...\nz\nnew");
        check_blessed("old\n\n", "new", "new\n\n");
    }

    #[test]
    fn blessed_output_cannot_be_read_as_a_command_or_a_fence() {
        check_blessed("", "$ ken init\n```", "[..] ken init\n[..]``");
    }

    #[test]
    fn the_diff_marks_both_sides() {
        let compared = compare(&lines("a\nold\nz"), &lines("a\nnew\nz"));
        assert_eq!(compared.diff(), "    a\n  - old\n  + new\n    z\n");
    }
}
