//! What the journal tells of a change of a document, where the document was changed again since.

use crate::context::material::{Material, Outdated};
use crate::held::Standing;
use crate::page::outline::{Next, Remark, When};
use crate::revised::Revision;
use crate::span::Span;
use crate::time::Date;

/// A change of a document among what was found.
struct Told {
    of: usize,
    lines: (usize, usize),
    said: String,
    day: Option<Date>,
    revision: Revision,
}

/// Notes what a document was told to say and does not say any more, as far as that was found too.
pub(super) fn note_revised(found: &mut [Material<'_>]) {
    let all: Vec<Told> = found.iter().enumerate().flat_map(|(of, one)| told_in(of, one)).collect();
    for one in &all {
        let goes_on = |next: &&Told| {
            next.revision.path == one.revision.path
                && Some(&next.revision.before) == one.revision.after.as_ref()
                && (next.day, next.lines) > (one.day, one.lines)
        };
        let Some(next) = all.iter().filter(goes_on).min_by_key(|next| (next.day, next.lines)) else { continue };
        let until = next.day.map(|day| (When::Until, day));
        let now = next.revision.after.as_deref().map(|now| (Next::Now, now));
        let since = Remark { when: until, next: now }.to_string();
        let (lines, said) = (one.lines, Some(one.said.clone()));
        found[one.of].superseded.push(Outdated { lines, said, since, standing: Standing::Replaced });
    }
}

fn told_in<'a>(of: usize, one: &'a Material<'_>) -> impl Iterator<Item = Told> + 'a {
    let spans = one.units.iter().flat_map(|placed| placed.unit.sentences.iter().map(|span| (placed.lines, *span)));
    spans.filter_map(move |(lines, span): ((usize, usize), Span)| {
        let said = span.of(one.text).trim().trim_start_matches("- ").to_owned();
        Some(Told { of, lines, day: one.date, revision: Revision::parse(&said)?, said })
    })
}
