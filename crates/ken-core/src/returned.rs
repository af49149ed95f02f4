//! What comes back unseen: claims that a page called replaced and now tells as true, though nobody said them again.
//!
//! That happens when the line is gone that replaced them: a day was edited, an entry removed, a note undone. It may be
//! meant or not; whoever compiles hears of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::claim::{Claim, ClaimState, SourceRef};
use crate::page::Page;
use crate::page::outline::claims;
use crate::words::folded_words;

/// A claim that is told as true again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// What it says.
    pub text: String,
    /// What had taken its place.
    pub by: Option<SourceRef>,
}

fn cited(claim: &Claim) -> BTreeSet<String> {
    claim.own.iter().filter_map(|mark| mark.cited.as_ref()).map(|cited| cited.digest.clone()).collect()
}

/// Returns the claims of a page that came back by nothing that was said; `before` is the page as it was.
pub fn returned(before: &Page, after: &Page) -> Vec<Returned> {
    if !before.is_owned() {
        return Vec::new();
    }
    let was = claims(before).into_iter().filter(|claim| matches!(claim.state, ClaimState::Superseded { .. }));
    let was: BTreeMap<Vec<String>, Claim> = was.map(|claim| (folded_words(&claim.text), claim)).collect();
    if was.is_empty() {
        return Vec::new();
    }
    let holds = |claim: &Claim| !claim.state.is_past() && claim.state != ClaimState::Disputed;
    let mut out = Vec::new();
    for claim in claims(after).into_iter().filter(holds) {
        let Some(old) = was.get(&folded_words(&claim.text)) else { continue };
        // What was said once more stands there by right.
        if cited(&claim).is_subset(&cited(old)) {
            let by = old.by.first().and_then(|mark| mark.cited.clone());
            out.push(Returned { text: claim.text, by });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::parse_page;
    use crate::path::VaultPath;

    fn page(body: &str) -> Page {
        let path = VaultPath::new("knowledge/oven.md").expect("inside");
        let notes = "[^1]: daily/2026-05-01.md#L3-L3 01234567 \"It is hot.\"\n[^2]: daily/2026-05-11.md#L3-L3 89abcdef \"It is cold now.\"\n";
        parse_page(&path, format!("---\nowner: kenning\n---\n# Oven\n\n{body}\n\n{notes}")).value
    }

    #[test]
    fn what_nobody_said_again_is_named_with_what_had_replaced_it() {
        let before = page(
            "It is cold now.[^2]\n\n## Superseded\n\n- ~~It is hot~~ until 2026-05-11; now: It is cold now.[^1][^2]",
        );
        let found = returned(&before, &page("It is hot.[^1]"));
        let by = found[0].by.as_ref().map(|by| by.path.to_string());
        assert_eq!(
            (found.len(), found[0].text.as_str(), by.as_deref()),
            (1, "It is hot.", Some("daily/2026-05-11.md"))
        );
        assert!(returned(&before, &page("It is hot.[^1][^2]")).is_empty(), "it was said again");
        assert!(returned(&before, &before).is_empty());
    }
}
