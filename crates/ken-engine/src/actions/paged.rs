//! Action items that a page says were done: whoever read the journal may have found that in words that say it in no usual way.

use std::collections::BTreeSet;

use ken_core::action::words_of;
use ken_core::claim::{ClaimState, SourceRef};
use ken_core::page::outline::{What, rows};
use ken_core::page::parse_page;
use ken_core::{Date, VaultPath};

use super::OpenAction;
use crate::engine::Engine;
use crate::failure::Failure;

/// So many of the words of an action item are in what the page says was done, of so many.
const SAME_MIN: (usize, usize) = (3, 5);

/// A task that a page says was done.
struct Done {
    /// The stems of its words.
    words: BTreeSet<String>,
    cited: Vec<SourceRef>,
    on: Option<Date>,
}

impl Engine {
    /// Leaves out the action items that a page says were done, by the day that is asked about.
    pub(super) fn leave_out_done(&self, actions: &mut Vec<OpenAction>) -> Result<(), Failure> {
        if actions.is_empty() {
            return Ok(());
        }
        let until = self.as_of_day().into_iter().chain(self.on).min();
        let mut done = self.done_on_pages()?;
        done.retain(|done| until.is_none_or(|until| done.on.is_some_and(|on| on <= until)));
        actions.retain(|action| !done.iter().any(|done| done.closes(action)));
        Ok(())
    }

    /// The pages that found something to hold no longer; all pages where it is not known which did.
    fn pages_with_past(&self) -> Result<Vec<VaultPath>, Failure> {
        if let Some(ledger) = self.load_ledger() {
            let pages = ledger.replaced.keys().filter_map(|key| ledger.pages.get(key));
            return Ok(pages.filter_map(|page| VaultPath::new(&page.path)).collect());
        }
        let mut out = Vec::new();
        for folder in self.layout().page_folders() {
            let files = self.store.list(folder)?.files.into_iter().map(|file| file.path);
            out.extend(files.filter(|path| path.extension() == "md"));
        }
        Ok(out)
    }

    /// The tasks that pages say were done.
    fn done_on_pages(&self) -> Result<Vec<Done>, Failure> {
        let mut out = Vec::new();
        for path in self.pages_with_past()? {
            let Some(text) = self.store.read(&path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            let page = parse_page(&path, text).value;
            for row in rows(&page, None) {
                let What::Claim(claim) = row.what else { continue };
                let ClaimState::Done { on } = claim.state else { continue };
                let cited = claim.own.into_iter().filter_map(|mark| mark.cited).collect();
                out.push(Done { words: words_of(&claim.text), cited, on });
            }
        }
        Ok(out)
    }
}

impl Done {
    /// Whether it rests on the lines of an action item, and says most of it: one line may tell several.
    fn closes(&self, action: &OpenAction) -> bool {
        let (path, lines) = (&action.said.path, action.said.lines);
        let rests_there =
            |cited: &SourceRef| cited.path == *path && cited.lines.0 <= lines.1 && lines.0 <= cited.lines.1;
        let words = words_of(&action.text);
        let n_common = words.intersection(&self.words).count();
        self.cited.iter().any(rests_there) && n_common * SAME_MIN.1 >= words.len() * SAME_MIN.0
    }
}
