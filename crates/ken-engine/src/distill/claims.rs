//! The reading of an entry that a model wrote: what its lines say about which subjects.
//!
//! The same reply gives the lines and what they are about. So the reading is recorded when the entry is appended, as if
//! somebody had read the entry, and nobody is asked to.

use ken_compile::ReadAs;
use ken_compile::account::claim_id;
use ken_compile::cut::cut_entries;
use ken_compile::portion::Portion;
use ken_core::journal::{NewEntry, render_entry};
use ken_core::{Date, Slug, VaultPath};
use serde_json::{Value, json};

use crate::propose::check::Shown;
use crate::propose::kinds::card::cards_as_part;
use crate::propose::kinds::compile::Reading;
use crate::propose::kinds::distill::unverified;

/// A reading to be recorded: the portion, the reply about it, and what may be named there.
pub(super) type Derived = (Portion, Value, Shown);

/// Returns the readings of an entry as it will stand in the journal, from what was claimed of the talk; `shown` is what
/// was shown then. Nothing where a claim is not found among the lines.
pub(super) fn derived(
    (path, date): (&VaultPath, Date),
    entry: &NewEntry,
    reading: &Reading,
    shown: &Shown,
) -> Vec<Derived> {
    let day = format!("# Daily Log: {date}\n\n{}", render_entry(entry));
    let portions: Vec<Portion> =
        cut_entries(path, ReadAs::Journal, &day, true).into_iter().flat_map(|entry| entry.portions).collect();
    let mut parts: Vec<Vec<Value>> = vec![Vec::new(); portions.len()];
    for claim in &reading.claims {
        let is_it = |line: &str| {
            let said = line.strip_prefix("- ").map(|said| said.strip_prefix("[ ] ").unwrap_or(said));
            said.is_some_and(|said| said == claim.text || said == unverified(&claim.text))
        };
        let place = portions
            .iter()
            .enumerate()
            .find_map(|(n, portion)| Some((n, portion.lines.iter().position(|line| is_it(line.text.trim_end()))? + 1)));
        let Some((n, line)) = place else { return Vec::new() };
        parts[n].push(claim.as_part((line, line)));
    }
    // Whatever was named in the talk need not stand in the entry.
    let mut shown = shown.clone();
    for name in reading.claims.iter().flat_map(|claim| &claim.subjects) {
        shown.pages.extend(Slug::from_text(name).map(|slug| (slug.to_string(), name.clone())));
    }
    shown.speakers.extend(reading.claims.iter().map(|claim| claim.speaker.clone()).filter(|name| !name.is_empty()));
    // What was said in the same reply may be named, too.
    shown.claims.extend(reading.claims.iter().map(|claim| (claim_id(&claim.text), claim.subjects.clone())));
    let subjects = cards_as_part(&reading.cards);
    let reply = |claims: Vec<Value>| json!({"claims": claims, "subjects": subjects, "connections": []});
    let made = portions.into_iter().zip(parts).map(|(portion, claims)| (portion, reply(claims), shown.clone()));
    made.collect()
}
