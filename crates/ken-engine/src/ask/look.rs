//! What a vault says to an answer: the texts of its files, and what may be cited of them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ken_core::answer::{Citable, Look, citables_of_lines, citables_of_page};
use ken_core::page::parse_page;
use ken_core::{Slug, VaultPath};

use crate::engine::Engine;
use ken_compile::html;

/// The vault, with what a plan is about to change.
pub(crate) struct VaultLook<'a> {
    engine: &'a Engine,
    /// Which file a page stands in.
    names: &'a dyn Fn(&Slug) -> Option<VaultPath>,
    texts: RefCell<BTreeMap<VaultPath, Option<Cow<'a, str>>>>,
    external: BTreeSet<VaultPath>,
}

impl<'a> VaultLook<'a> {
    pub(crate) fn new(
        engine: &'a Engine,
        names: &'a dyn Fn(&Slug) -> Option<VaultPath>,
        texts: BTreeMap<VaultPath, Option<Cow<'a, str>>>,
    ) -> VaultLook<'a> {
        // A register that does not read vouches for nothing that it names, and names nothing.
        let external = engine.external().unwrap_or_default();
        VaultLook { engine, names, texts: RefCell::new(texts), external }
    }
}

impl Look for VaultLook<'_> {
    fn text(&self, path: &VaultPath) -> Option<String> {
        // What cannot be read is not there for an answer; who reads the vault itself says why.
        let read = || self.engine.read_then(path).ok().flatten().map(Cow::Owned);
        self.texts.borrow_mut().entry(path.clone()).or_insert_with(read).as_deref().map(str::to_owned)
    }

    fn citables(&self, path: &VaultPath) -> Vec<Citable> {
        self.text(path).map_or(Vec::new(), |text| page_citables(path, text))
    }

    fn find(&self, slug: &Slug) -> Option<VaultPath> {
        (self.names)(slug)
    }

    fn is_external(&self, path: &VaultPath) -> bool {
        self.external.contains(path)
    }
}

/// Returns what an answer may cite of a page.
pub(super) fn page_citables(path: &VaultPath, text: String) -> Vec<Citable> {
    let plain = plain(path, &text);
    let page = parse_page(path, text).value;
    citables_of_page(&page, plain.as_ref().map(|(text, map)| (text.as_str(), map.as_slice())))
}

/// Returns what an answer may cite of some lines of the journal or of a source.
pub(super) fn line_citables(
    path: &VaultPath,
    (text, is_document): (&str, bool),
    lines: (usize, usize),
) -> Vec<Citable> {
    let plain = plain(path, text);
    citables_of_lines(
        path,
        (text, is_document),
        plain.as_ref().map(|(text, map)| (text.as_str(), map.as_slice())),
        lines,
    )
}

/// An HTML document as prose, with the line of the source for each of its lines.
fn plain(path: &VaultPath, text: &str) -> Option<(String, Vec<usize>)> {
    matches!(path.extension(), "html" | "htm").then(|| html::to_text(text))
}
