//! Which statements may stand in the place of others, and what the labels of their notes are called.

use ken_core::supersede::{Reach, reach};

use super::passage::Passage;

/// Begins the keys of labels, which no subject has.
const LABEL: &str = "label ";

/// Returns how far a passage reaches; nowhere where it is no claim of the journal.
pub(crate) fn reach_of(passage: &Passage) -> Reach {
    let may_end = passage.place.is_none() && passage.told.is_none() && passage.is_claim();
    if may_end { reach(&passage.text) } else { Reach::default() }
}

/// Returns what the labels of a passage are called in the ledger.
pub(crate) fn label_names(reach: &Reach) -> impl Iterator<Item = String> {
    reach.labels.iter().map(|label| format!("{LABEL}{label}"))
}
