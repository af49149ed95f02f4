//! A wiki of HydraFlow: entries `repo_wiki/OWNER/REPO/TOPIC/NNNN-issue-N-NAME.md`, topic pages in `docs/wiki/`.
//!
//! What is an entry or a topic page already goes out, and comes in, byte for byte and with its place: its states, counts
//! and numbers are read where it stands. A claim of any other page goes out as an entry: its state, count, issue and phase
//! in the header, its citations as footnotes.

mod index;
mod read;
mod write;

use ken_core::VaultPath;
use ken_core::page::Page;

use crate::format::{Format, Shape, Writer};

/// A wiki of HydraFlow.
pub(crate) static HYDRAFLOW: Format = Format {
    name: "hydraflow",
    about: "a HydraFlow repo wiki: an entry for each claim, with its state, count and issue",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write::write }),
    read: Some(read::read),
};

/// What the fence of a block says that tells of the section above it.
const ENTRY: &str = "json:entry";
/// The folder of entries, and that of topic pages.
const ENTRIES: &str = "repo_wiki";
const TOPIC_PAGES: &str = "docs/wiki";
/// The topics that a new wiki has a page for.
const USUAL: &[&str] = &["architecture", "patterns", "gotchas", "testing", "dependencies"];
/// What a topic page says before it has an entry.
const EMPTY: &str = "_No entries yet._";

/// Where a file stands in a wiki of HydraFlow, from the folder of entries or of topic pages on.
fn place_in_wiki(path: &VaultPath) -> Option<VaultPath> {
    let parts: Vec<&str> = path.as_str().split('/').collect();
    let entries = parts.iter().position(|part| *part == ENTRIES);
    let pages = || parts.windows(2).position(|two| two == ["docs", "wiki"]);
    let from = entries.or_else(pages)?;
    let is_below = parts.len() > from + 1 + usize::from(parts[from] != ENTRIES);
    VaultPath::new(&parts[from..].join("/")).filter(|_| is_below)
}

/// Whether a header is that of an entry.
fn is_entry(page: &Page) -> bool {
    let has = |key: &str| page.header.fields.iter().any(|field| field.key.of(&page.text) == key);
    has("topic") && (has("source_issue") || has("source_phase"))
}

/// Whether a page holds entries as sections.
fn is_topic_page(page: &Page) -> bool {
    page.text.contains(&format!("```{ENTRY}"))
}
