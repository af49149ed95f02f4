//! What pages rest on, beside them: the days, documents and talk that their footnotes cite, below a folder of their own,
//! so that a citation leads somewhere wherever a page goes.

use std::collections::BTreeSet;

use ken_core::claim::SourceRef;
use ken_core::page::outline::footnotes;
use ken_core::page::parse_page;
use ken_core::{Date, VaultPath};

use crate::format::{Incoming, Output};
use crate::vault::{Item, Source, Vault};

/// The folder of what pages rest on.
pub(crate) const EVIDENCE: &str = "evidence";
/// Where talk stands in a vault; the folder of an export has nothing hidden.
const TALK: &str = ".kenning/talk";

/// Where what is cited stands in the folder of an export, with what its name has behind it.
fn stored(path: &VaultPath, ending: &str) -> Option<VaultPath> {
    VaultPath::new(&format!("{EVIDENCE}/{}{ending}", path.as_str().trim_start_matches('.')))
}

/// What the footnotes of a text cite.
pub(crate) fn cited_in(path: &VaultPath, text: &str) -> BTreeSet<VaultPath> {
    let page = parse_page(path, text.to_owned()).value;
    let notes = footnotes(text, page.body()).into_iter();
    notes.filter_map(|note| Some(SourceRef::parse(note.text.of(text))?.path)).collect()
}

/// Adds what is cited to what is written, each file once.
pub(crate) fn add(vault: &Vault, cited: &BTreeSet<VaultPath>, ending: &str, out: &mut Output) {
    let texts = vault.days.iter().chain(&vault.talk).map(|one| (&one.path, &one.text));
    let sources = vault.sources.iter().map(|one| (&one.path, &one.text));
    for (path, text) in texts.chain(sources).filter(|(path, _)| cited.contains(*path)) {
        if let Some(place) = stored(path, ending) {
            out.put(place.as_str(), text.clone());
        }
    }
}

/// Returns what is cited of what came along, as days, talk and documents at the places that citations name.
pub(crate) fn items(files: &[Incoming], cited: &BTreeSet<VaultPath>, ending: &str) -> Vec<Item> {
    let item = |path: &VaultPath| {
        let place = stored(path, ending)?;
        let file = files.iter().find(|file| file.path == place)?;
        let text = String::from_utf8(file.bytes.clone()).ok()?;
        Some(as_item(path.clone(), text))
    };
    cited.iter().filter_map(item).collect()
}

/// A file that a page rests on, as what it is.
pub(crate) fn as_item(from: VaultPath, text: String) -> Item {
    if let Some(place) = from.as_str().strip_prefix(TALK).and_then(|rest| VaultPath::new(rest.strip_prefix('/')?)) {
        return Item::Talk { from, place, text };
    }
    match day_of(from.file_name(), &text) {
        Some(date) => Item::Day { from, date, text },
        None => Item::Source(Source::found(from, text)),
    }
}

/// The day that a file is, if it is called by it and begins as a day does; documents may be called so, too.
pub(crate) fn day_of(name: &str, text: &str) -> Option<Date> {
    let stem = name.strip_suffix(".md")?;
    // A plain name may have that of its folder in front.
    let date: Date = stem.get(stem.len().checked_sub(10)?..)?.parse().ok()?;
    let openings = [format!("# Daily Log: {date}"), format!("## {date}"), "type: daily".to_owned()];
    let mut head = text.trim_start_matches('\u{feff}').lines().take(8);
    head.any(|line| openings.iter().any(|opening| line.trim_end() == opening)).then_some(date)
}
