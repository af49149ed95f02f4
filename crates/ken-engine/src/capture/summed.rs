//! Leaves of an agent's own summaries what was said or captured before.
//!
//! What came before stands in the transcript in front of the summary, in what was captured of its session where the
//! transcript was written anew, and in what was captured of the session that the summary names. It is read only when
//! there is a summary: most parts of transcripts have none.

use ken_core::talk::parse_talk;
use ken_intake::extract::{Heard, Scrubbed};
use ken_intake::scrub::scrub;
use ken_intake::transcript::ReadReport;

use super::opened::OpenTranscript;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::seen::Known;

/// What was heard of a session so far, and up to where of its transcript.
#[derive(Default)]
pub(super) struct Hearing {
    heard: Option<(Heard, u64)>,
}

impl Hearing {
    /// Leaves of each summary in a piece what came before it; returns how many then say nothing and are gone.
    pub(super) fn leave_heard(
        &mut self,
        engine: &Engine,
        opened: &mut OpenTranscript,
        (head, report): (&ReadReport, &ReadReport),
        scrubbed: &mut Scrubbed,
        known: &mut Known,
    ) -> Result<usize, Failure> {
        if !scrubbed.has_summary() {
            return Ok(0);
        }
        let (mut heard, until) = match self.heard.take() {
            Some(heard) => heard,
            None => (engine.heard_elsewhere(opened, (head, report), known)?, 0),
        };
        let before = (until, report.start_offset);
        opened.each_before(before, head, &mut |records| heard.add_records(&Scrubbed::of(records)))?;
        let n_told = scrubbed.leave_heard(&mut heard);
        self.heard = Some((heard, report.end_offset));
        Ok(n_told)
    }
}

impl Engine {
    /// What was captured, of this session or the one that it continues, that does not stand in the transcript.
    fn heard_elsewhere(
        &self,
        opened: &OpenTranscript,
        (head, report): (&ReadReport, &ReadReport),
        known: &mut Known,
    ) -> Result<Heard, Failure> {
        let mut heard = Heard::default();
        let own = head.session.as_deref().filter(|_| opened.is_anew);
        let continued = report.continues.as_deref().map(|session| scrub(session).0.into_owned());
        let others = continued.as_deref().filter(|session| head.session.as_deref() != Some(session));
        for session in own.into_iter().chain(others) {
            let bodies = self.entries_of(session, |entry, text| entry.body.of(text).to_owned())?;
            bodies.iter().for_each(|body| heard.add(body));
            let Some(path) = self.talk_file(session, known)? else { continue };
            let bytes = self.store.read(&path)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            for turn in &parse_talk(&text).turns {
                heard.add(turn.said.of(&text));
                turn.events.iter().for_each(|event| heard.add(event.of(&text)));
            }
        }
        Ok(heard)
    }
}
