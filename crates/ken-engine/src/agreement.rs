//! Counts how often the claims of pages were said, by what they cite.

use ken_core::agreement::{Counted, Voices, counted};
use ken_core::claim::SourceRef;
use ken_core::header::FieldName;
use ken_core::{Date, Page, Trust};

use crate::engine::Engine;
use crate::trusted::TrustOfPages;

impl Engine {
    /// Returns the claims of a compiled page as of the day of the question, counted.
    pub(crate) fn counted(&self, page: &Page, trusted: &TrustOfPages) -> Vec<Counted> {
        counted(page, self.counting_day(), &mut |cited| self.voice(cited, trusted))
    }

    /// Returns what a reader is told of how often the tldr of a page was said.
    pub(crate) fn tag_of(&self, page: &Page, trusted: &TrustOfPages) -> Option<String> {
        let tldr = page.scalar(FieldName::Tldr)?;
        let is_said = |one: &Counted| one.claim.text.trim_end_matches('.') == tldr.trim_end_matches('.');
        self.counted(page, trusted).into_iter().find(is_said)?.tag
    }

    /// The day that tags count to.
    fn counting_day(&self) -> Date {
        self.as_of_day().unwrap_or_else(|| self.clock.today())
    }

    /// Who says what is cited; nobody where it is external. A document speaks for itself.
    fn voice(&self, cited: &SourceRef, trusted: &TrustOfPages) -> Option<String> {
        if trusted.of_source(&cited.path) == Trust::External {
            return None;
        }
        if !cited.path.is_under(self.layout().journal.as_str()) {
            return Some(String::new());
        }
        let mut days = trusted.voices.borrow_mut();
        let voices = days.entry(cited.path.clone()).or_insert_with(|| {
            let bytes = self.store.read(&cited.path).ok().flatten().unwrap_or_default();
            Voices::of(&String::from_utf8_lossy(&bytes))
        });
        voices.at(cited.lines.0).map(str::to_owned)
    }
}
