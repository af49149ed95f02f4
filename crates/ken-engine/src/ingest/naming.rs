//! What a document is called as a source.
//!
//! A source is named after the place of its document, so that two files called `README.md` are two sources.
//! Which place became which source is remembered by a digest of the place as seen from the vault, never by the
//! place itself: the register may travel with the vault, and what it says is no way to any file.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use ken_core::{Digest, VaultPath};
use unicode_normalization::UnicodeNormalization;

/// Longest part of a name in bytes; with what is put behind it, every file system takes it.
const PART_BYTES_MAX: usize = 120;
/// Most folders of a document's place that go into its name.
const FOLDERS_MAX: usize = 12;
/// Hex digits of a digest that tell places and names apart.
const DIGEST_CHARS: usize = 16;
const SUFFIX_CHARS: usize = 6;

/// Names that Windows keeps for devices.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The place of a document, as the vault remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// A digest of where it stands, seen from the vault.
    pub(super) origin: String,
    /// The parts of its name, the file's name last: how it was named by the caller.
    named: Vec<String>,
    /// The folders it really stands in, and its file name.
    full: Vec<String>,
}

impl Place {
    /// Returns the place of `path`, which was found at or below `root`, the path that the caller named. `full`
    /// is where it really stands, `vault` the real root of the vault.
    pub(super) fn of(path: &Path, root: &Path, full: &Path, vault: &Path) -> Place {
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let full_parts = parts(full);
        let named = match full.strip_prefix(vault) {
            Ok(inside) => parts(inside),
            Err(_) if is_plain => parts(path),
            // A file takes the folder it stands in with it, a folder its own name.
            Err(_) => {
                let n_below = path.strip_prefix(root).map_or(0, |below| parts(below).len());
                full_parts[full_parts.len().saturating_sub(n_below.max(1) + 1)..].to_vec()
            }
        };
        let origin = Digest::of(seen_from(vault, full).as_bytes()).to_string()[..DIGEST_CHARS].to_owned();
        Place { origin, named, full: full_parts }
    }

    /// Gives a copy another ending than its document has, and a place beside one that stands among the sources.
    pub(super) fn beside(&mut self, sources: &VaultPath, ending: &str) {
        let own = parts(Path::new(sources.as_str()));
        if self.named.len() > own.len() && self.named.starts_with(&own) {
            self.named.drain(..own.len());
        }
        for parts in [&mut self.named, &mut self.full] {
            parts.last_mut().into_iter().for_each(|name| name.push_str(ending));
        }
    }

    /// Returns the first name below `sources` that is not taken, the plainest first.
    pub(super) fn free_name(&self, sources: &VaultPath, taken: &BTreeSet<String>) -> VaultPath {
        let n_named = self.named.len().clamp(1, FOLDERS_MAX);
        let longer = (n_named + 1..=self.full.len().min(FOLDERS_MAX)).map(|n| &self.full[self.full.len() - n..]);
        let named = &self.named[self.named.len() - n_named.min(self.named.len())..];
        let mut names = std::iter::once(named).chain(longer).filter_map(|parts| join(sources, parts));
        names.find(|name| !taken.contains(&folded(name))).unwrap_or_else(|| self.numbered(sources, named, taken))
    }

    fn numbered(&self, sources: &VaultPath, named: &[String], taken: &BTreeSet<String>) -> VaultPath {
        let file = named.last().map_or("document.md", String::as_str);
        let (stem, ext) = file.rsplit_once('.').unwrap_or((file, "md"));
        let id = &self.origin[..SUFFIX_CHARS];
        let name = |n: usize| match n {
            1 => format!("{}-{id}.{ext}", plain(stem)),
            n => format!("{}-{id}-{n}.{ext}", plain(stem)),
        };
        let names = (1..).map(|n| sources.join(&name(n)).expect("a plain name is a vault path"));
        names.into_iter().find(|name| !taken.contains(&folded(name))).expect("numbers do not end")
    }
}

/// Returns what a source is called whose document is called `name`, folders included.
pub(crate) fn source_name(name: &str) -> VaultPath {
    let parts: Vec<String> = parts(Path::new(name));
    let sources = VaultPath::new("raw").expect("inside the vault");
    join(&sources, &parts[parts.len().saturating_sub(FOLDERS_MAX)..])
        .filter(|_| !parts.is_empty())
        .unwrap_or_else(|| sources.join("document.md").expect("a plain name is a vault path"))
}

/// Returns the place below a folder for a file that was called so elsewhere.
pub(crate) fn named_below(folder: &VaultPath, name: &VaultPath) -> Option<VaultPath> {
    let parts = parts(Path::new(name.as_str()));
    join(folder, &parts[parts.len().saturating_sub(FOLDERS_MAX)..])
}

/// Returns a path as it is compared: names that some system takes for one are one.
pub(crate) fn folded(path: &VaultPath) -> String {
    path.as_str().nfc().flat_map(char::to_lowercase).collect::<String>().nfc().collect()
}

fn join(sources: &VaultPath, parts: &[String]) -> Option<VaultPath> {
    let clean: Vec<String> = parts.iter().map(|part| plain(part)).collect();
    sources.join(&clean.join("/"))
}

/// Returns a part of a name that every system stores, every link can name and no citation misreads.
fn plain(part: &str) -> String {
    let is_unsafe = |ch: char| ch.is_control() || is_hidden(ch) || "[]|#\"'`<>:*?\\/^{}".contains(ch);
    let clean: String = part.nfc().map(|ch| if is_unsafe(ch) || ch.is_whitespace() { '-' } else { ch }).collect();
    let mut out = String::with_capacity(clean.len());
    for ch in clean.chars().filter(|ch| *ch != '-' || !part.is_empty()) {
        // Runs of what was replaced say nothing.
        if !(ch == '-' && out.ends_with('-') && !part.contains("--")) {
            out.push(ch);
        }
    }
    let (stem, ext) = match out.rsplit_once('.') {
        Some((stem, ext)) if !stem.is_empty() && ext.len() <= 10 => (stem.to_owned(), format!(".{ext}")),
        _ => (out.clone(), String::new()),
    };
    let stem = stem.trim_start_matches(['.', '-', '~']).trim_end_matches(['.', '-']);
    let stem = if stem.is_empty() { "document" } else { stem };
    let base = stem.split('.').next().unwrap_or(stem).to_lowercase();
    let is_reserved = RESERVED.iter().any(|name| {
        base.strip_prefix(name).is_some_and(|rest| {
            rest.is_empty() || (name.starts_with(['c', 'l']) && rest.len() == 1 && rest != "0" && is_digit(rest))
        })
    });
    let stem = if is_reserved { format!("{stem}-file") } else { stem.to_owned() };
    let cut = (0..=PART_BYTES_MAX.min(stem.len())).rev().find(|at| stem.is_char_boundary(*at)).unwrap_or(0);
    match cut < stem.len() {
        true => format!("{}-{}{ext}", &stem[..cut], &Digest::of(part.as_bytes()).to_string()[..SUFFIX_CHARS]),
        false => stem + &ext,
    }
}

fn is_digit(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Characters that take no room or turn the text around: nobody sees them in a name.
fn is_hidden(ch: char) -> bool {
    matches!(ch, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The parts of a path that are names.
fn parts(path: &Path) -> Vec<String> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

/// Where a file stands as seen from the vault: the same for everybody who has both at the same distance.
fn seen_from(vault: &Path, full: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (vault.components().collect(), full.components().collect());
    let n_same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - n_same);
    let down = to[n_same..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str, root: &str) -> Place {
        let full = if path.starts_with('/') { path.to_owned() } else { format!("/home/mia/{path}") };
        Place::of(Path::new(path), Path::new(root), Path::new(&full), Path::new("/home/mia/vault"))
    }

    fn name(path: &str, root: &str, taken: &[&str]) -> String {
        let taken = taken.iter().map(|name| folded(&VaultPath::new(name).expect("inside"))).collect();
        place(path, root).free_name(&VaultPath::new("raw").expect("inside"), &taken).to_string()
    }

    #[test]
    fn a_source_is_named_after_the_place_of_its_document() {
        assert_eq!(name("guide.md", "guide.md", &[]), "raw/guide.md");
        assert_eq!(name("a/README.md", "a/README.md", &[]), "raw/a/README.md");
        assert_eq!(name("a/README.md", "a", &[]), "raw/a/README.md", "a folder names its files alike");
        assert_eq!(name("/srv/docs/a/README.md", "/srv/docs/a/README.md", &[]), "raw/a/README.md");
        assert_eq!(name("/srv/docs/a/b/x.md", "/srv/docs", &[]), "raw/docs/a/b/x.md");
        assert_eq!(name("/home/mia/vault/notes/x.md", "/home/mia/vault/notes/x.md", &[]), "raw/notes/x.md");
    }

    #[test]
    fn a_taken_name_is_told_apart_by_folders_whatever_its_case() {
        assert_eq!(name("README.md", "README.md", &["raw/readme.md"]), "raw/mia/README.md");
        let all = ["raw/README.md", "raw/mia/readme.md", "raw/home/MIA/README.md"];
        let last = name("README.md", "README.md", &all);
        assert!(last.starts_with("raw/README-") && last.ends_with(".md"), "{last}");
        assert_eq!(name("cafe\u{301}.md", "x", &["raw/caf\u{e9}.md"]), "raw/mia/caf\u{e9}.md");
    }

    #[test]
    fn names_that_somebody_or_something_misreads_become_plain() {
        for (from, to) in [
            ("[[x]].md", "x.md"),
            ("a\nb.md", "a-b.md"),
            ("a#L1-L2 \"b.md", "a-L1-L2-b.md"),
            (".hidden.md", "hidden.md"),
            (" lead.md", "lead.md"),
            ("tail .md", "tail.md"),
            ("con.md", "con-file.md"),
            ("COM1.notes.md", "COM1.notes-file.md"),
            ("combine.md", "combine.md"),
            ("a|b.md", "a-b.md"),
            ("###.md", "document.md"),
            ("two--dashes.md", "two--dashes.md"),
            ("a\u{202e}b.md", "a-b.md"),
            ("Größe 2.md", "Größe-2.md"),
        ] {
            assert_eq!(plain(from), to, "{from:?}");
        }
        let long = plain(&format!("{}.md", "é".repeat(300)));
        assert!(long.len() < 140 && long.ends_with(".md"), "{long}");
        assert_ne!(long, plain(&format!("{}x.md", "é".repeat(300))));
    }

    #[test]
    fn an_origin_says_nothing_of_the_machine() {
        let of = |full: &str, vault: &str| {
            Place::of(Path::new("x.md"), Path::new("x.md"), Path::new(full), Path::new(vault))
        };
        let one = of("/home/mia/shop/docs/x.md", "/home/mia/shop/notes");
        let other = of("/srv/u/shop/docs/x.md", "/srv/u/shop/notes");
        assert_eq!(one.origin, other.origin);
        assert_ne!(one.origin, of("/home/mia/shop/docs2/x.md", "/home/mia/shop/notes").origin);
    }
}
