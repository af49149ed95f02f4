//! What each document counts among its kind: what is asked was mostly done in one session, or stands in one document.

use super::beside::is_session;
use super::{DocKind, FoundDoc, Said, of_best};

/// Each counts by this power of what its best units have, as a share of the best one's.
///
/// Decisions 54 (sessions) and 55 (documents) have the measurements.
const DOC_POWER: f32 = 0.5;

/// Lets sessions, pieces of work and documents count by what all of them says of the question.
pub(super) fn weigh(docs: &[FoundDoc<'_>], all: &mut [Vec<Said>]) {
    let sessions = weigh_kind(docs, is_session, all);
    weigh_work(docs, &sessions, all);
    weigh_kind(docs, |doc| doc.kind == DocKind::Document, all);
}

/// Lets each document of a kind count by what it says of the question beside the others; returns what each of them counts.
fn weigh_kind(
    docs: &[FoundDoc<'_>],
    is_of_kind: impl Fn(&FoundDoc<'_>) -> bool,
    all: &mut [Vec<Said>],
) -> Vec<(usize, f32)> {
    let of_kind: Vec<usize> = (0..docs.len()).filter(|n| is_of_kind(&docs[*n])).collect();
    let of: Vec<f32> = of_kind.iter().map(|n| of_best(all[*n].iter().map(|said| said.own).collect())).collect();
    let best = of.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let shares: Vec<(usize, f32)> = of_kind.into_iter().zip(of.iter().map(|of| (of / best).powf(DOC_POWER))).collect();
    for (n, share) in &shares {
        all[*n].iter_mut().for_each(|said| said.score *= share);
    }
    shares
}

/// Lets the page of a piece of work count as the sessions of its day do; as the least of all sessions where none of them is
/// among what was found.
fn weigh_work(docs: &[FoundDoc<'_>], sessions: &[(usize, f32)], all: &mut [Vec<Said>]) {
    let Some(least) = sessions.iter().map(|(_, share)| *share).reduce(f32::min) else { return };
    for (doc, said) in docs.iter().zip(all).filter(|(doc, _)| doc.kind == DocKind::Work) {
        let of_day = sessions.iter().filter(|(n, _)| docs[*n].date == doc.date).map(|(_, share)| *share);
        let share = of_day.reduce(f32::max).unwrap_or(least);
        said.iter_mut().for_each(|said| said.score *= share);
    }
}
