//! Checks of the documents: decisions, ARCHITECTURE.md, links of the front page.

use super::{Finding, Tree};

/// Two printed pages; what does not fit belongs into the modules' own headers.
const ARCHITECTURE_LINES_MAX: usize = 150;

/// Refuses a decision that nothing enforces.
pub(super) fn decisions_are_enforced(tree: &Tree) -> Vec<Finding> {
    tree.of(|path| path.starts_with("docs/decisions/") && path.ends_with(".md"))
        .filter(|(_, text)| !text.lines().any(|line| line.starts_with("Enforced by:")))
        .map(|(path, _)| {
            let fix = "end it with a line that starts \"Enforced by:\" and names a test or a check";
            Finding::new(path, 1, "the decision does not say what enforces it", fix)
        })
        .collect()
}

/// Refuses an ARCHITECTURE.md that is missing, or longer than a newcomer reads.
pub(super) fn architecture_is_short(tree: &Tree) -> Vec<Finding> {
    let path = "ARCHITECTURE.md";
    let Some(text) = tree.get(path) else {
        return vec![Finding::new(path, 1, "there is no such file", "write it: two pages, every name checked")];
    };
    let n_lines = text.lines().count();
    if n_lines <= ARCHITECTURE_LINES_MAX {
        return Vec::new();
    }
    let message = format!("the file has {n_lines} lines, at most {ARCHITECTURE_LINES_MAX} are allowed");
    vec![Finding::new(path, ARCHITECTURE_LINES_MAX + 1, message, "move details into the modules' `//!`")]
}

/// Refuses links of the root's documents to files that are not there.
pub(super) fn readme_links_lead_somewhere(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.of(|path| path.ends_with(".md") && !path.contains('/')) {
        for (at, line) in text.lines().enumerate() {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            for target in targets.filter(|target| !target.contains("://") && !target.starts_with('#')) {
                let file = target.split('#').next().unwrap_or(target);
                if !tree.has(file) {
                    let message = format!("the link leads to `{file}`, which is not there");
                    findings.push(Finding::new(path, at + 1, message, "correct the path"));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn a_decision_that_nothing_enforces_is_refused() {
        let good = ("docs/decisions/0001-a.md", "# A\n\nEnforced by: tidy.\n");
        let bad = ("docs/decisions/0002-b.md", "# B\n\nNot Enforced by: x\n");
        check(decisions_are_enforced, &[good, bad], &["0002-b.md:1: the decision"]);
    }

    #[test]
    fn a_long_or_missing_architecture_is_refused() {
        let long = "x\n".repeat(151);
        check(architecture_is_short, &[("ARCHITECTURE.md", &long)], &["ARCHITECTURE.md:151: the file has 151 lines"]);
        check(architecture_is_short, &[], &["there is no such file"]);
        check(architecture_is_short, &[("ARCHITECTURE.md", "x\n")], &[]);
    }

    #[test]
    fn a_link_to_nothing_is_refused() {
        let text = "[a](docs/a.md#x) [b](https://example.org) [c](#here)\n[d](docs/d.md)\n";
        let files = [("README.md", text), ("docs/a.md", "")];
        check(readme_links_lead_somewhere, &files, &["README.md:2: the link leads to `docs/d.md`"]);
    }
}
