//! What a folder looks like: of which families it shows signs, and where they would find things in it.
//!
//! Looking reads names and the texts that a sign asks for, through [`Look`]; it changes nothing and decides nothing.

use super::preset::{FileForm, Preset, Sign};
use super::{Layout, PRESETS};
use crate::path::VaultPath;

/// So many files are several: one or two lie in any folder.
const SEVERAL: usize = 3;

/// How a folder is looked at.
pub trait Look {
    /// Returns the files at any depth below a folder; right in the root for `None`.
    fn files(&self, folder: Option<&VaultPath>) -> Vec<VaultPath>;
    /// Returns the text of a file, if there is one.
    fn text(&self, path: &VaultPath) -> Option<String>;
}

/// A family that a folder shows signs of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The places that the family would use.
    pub layout: Layout,
    /// The folder, with its `/`, in which it lies; `""` for the root.
    pub base: &'static str,
}

/// Returns the families, of those that are asked for, that a folder shows signs of, in the order of [`PRESETS`]; a folder of notes only where it
/// shows no other.
pub fn sights(look: &dyn Look, is_asked: &dyn Fn(&Preset) -> bool) -> Vec<Sight> {
    let mut out: Vec<Sight> = Vec::new();
    for preset in PRESETS.iter().copied().filter(|preset| is_asked(preset)) {
        let is_of_root = |sign: &Sign| matches!(sign, Sign::Several("", _));
        if !out.is_empty() && preset.signs.iter().any(is_of_root) {
            continue;
        }
        let seen = preset.bases.iter().find(|base| preset.signs.iter().any(|sign| shows(look, base, sign)));
        out.extend(seen.map(|base| sight(look, preset, base)));
    }
    out
}

fn sight(look: &dyn Look, preset: &'static Preset, base: &'static str) -> Sight {
    let layout = Layout::of(preset, base);
    let has_index = |layout: &Layout| look.text(&layout.index).is_some();
    let others = preset.places.other_wikis.iter().filter_map(|wiki| VaultPath::new(wiki));
    let other = others.map(|wiki| Layout::new(preset, &wiki)).find(has_index);
    Sight { layout: other.filter(|_| !has_index(&layout)).unwrap_or(layout), base }
}

fn shows(look: &dyn Look, base: &str, sign: &Sign) -> bool {
    let place = |name: &str| VaultPath::new(format!("{base}{name}").trim_end_matches('/'));
    let files = |name: &str| look.files(place(name).as_ref());
    let count = |name: &str, form: FileForm| files(name).iter().filter(|path| form.has(path.file_name())).count();
    match sign {
        Sign::File(name) => place(name).is_some_and(|path| look.text(&path).is_some()),
        Sign::Below(name) => {
            let depth = place(name).map_or(0, |path| path.as_str().split('/').count()) + 1;
            files(name).iter().any(|path| path.as_str().split('/').count() > depth)
        }
        Sign::Has(name, form) => count(name, *form) > 0,
        Sign::Several(name, form) => count(name, *form) >= SEVERAL,
        Sign::Says(name, words) => {
            place(name).and_then(|path| look.text(&path)).is_some_and(|text| text.contains(words))
        }
        Sign::All(signs) => signs.iter().all(|sign| shows(look, base, sign)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    struct Folder(BTreeMap<VaultPath, &'static str>);

    impl Look for Folder {
        fn files(&self, folder: Option<&VaultPath>) -> Vec<VaultPath> {
            let is_in = |path: &&VaultPath| match folder {
                Some(folder) => path.is_under(folder.as_str()),
                None => !path.as_str().contains('/'),
            };
            self.0.keys().filter(is_in).cloned().collect()
        }

        fn text(&self, path: &VaultPath) -> Option<String> {
            self.0.get(path).map(|text| (*text).to_owned())
        }
    }

    #[track_caller]
    fn check(files: &[(&str, &'static str)], seen: &[&str]) {
        let files = files.iter().map(|(path, text)| (VaultPath::new(path).expect("inside"), *text)).collect();
        let found = sights(&Folder(files), &|_| true);
        let found: Vec<String> = found.iter().map(|one| format!("{}{}", one.base, one.layout.preset.name)).collect();
        assert_eq!(found, seen);
    }

    #[test]
    fn every_family_is_known_by_its_signs() {
        check(&[], &[]);
        check(&[("src/main.c", "")], &[]);
        check(&[("memory-bank/_index.md", "")], &["ckp"]);
        check(&[("memory-bank/projects/a.md", "")], &["ckp"]);
        check(&[("knowledge/index.md", "| Article | Summary | Compiled From | Updated |\n")], &["memory-compiler"]);
        check(&[("repo_wiki/o/r/patterns/0001-issue-42-retries.md", "")], &["hydraflow"]);
        check(&[("docs/wiki/gotchas.md", "## A\n```json:entry\n{}\n```\n")], &["hydraflow"]);
        check(&[("memory/2026-05-11.md", ""), ("memory/wiki/oven.md", "")], &["recall"]);
        check(&[("memory/memory/2026-05-11.md", ""), ("memory/memory/wiki/oven.md", "")], &["memory/recall"]);
        check(&[(".claude/memory/debugging.md", "")], &["claude-memory"]);
        check(&[(".obsidian/app.json", "{}"), ("a.md", "")], &["obsidian"]);
        check(&[("a.md", ""), ("b.md", "")], &[]);
        check(&[("a.md", ""), ("b.md", ""), ("README.md", ""), ("c.md", "")], &["notes"]);
    }

    #[test]
    fn a_folder_may_show_several_and_notes_only_alone() {
        let files = [("repo_wiki/o/r/t/0001-issue-4-a.md", ""), (".claude/memory/MEMORY.md", ""), ("README.md", "")];
        check(&files, &["hydraflow", "claude-memory"]);
    }
}
