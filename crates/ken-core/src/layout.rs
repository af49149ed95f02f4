//! Where things live in a vault.
//!
//! A layout is data: folder and file names relative to the vault's root. Presets differ in these
//! values and in the shape of their index, never in code paths of their own.

use crate::path::VaultPath;

/// Which family of vaults this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Journal, sources and a wiki by category: what `ken init` makes.
    Kenning,
    /// The Compiled Knowledge Pattern: one folder of pages with headers and one index at its root.
    Ckp,
}

impl Preset {
    /// Returns the name used in `kenning.toml` and `--layout`.
    pub fn as_str(self) -> &'static str {
        match self {
            Preset::Kenning => "kenning",
            Preset::Ckp => "ckp",
        }
    }

    /// Returns the preset of that name.
    pub fn parse(text: &str) -> Option<Preset> {
        [Preset::Kenning, Preset::Ckp].into_iter().find(|preset| preset.as_str() == text)
    }
}

/// The places of one vault, all inside its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The family.
    pub preset: Preset,
    /// Folder of the journal, one file a day.
    pub journal: VaultPath,
    /// Folder of sources, never edited by the tool.
    pub sources: VaultPath,
    /// Folder of the talk of sessions, one file a session.
    pub talk: VaultPath,
    /// Folder of the wiki's pages.
    pub wiki: VaultPath,
    /// The index file.
    pub index: VaultPath,
    /// What the tool did, for people.
    pub log: VaultPath,
}

/// Files at the root of a memory bank that belong to a session or are read every time, in lower case.
const SESSION_FILES: &[&str] = &["projectbrief", "activecontext", "dailylog", "decisionlog", "progress"];

/// The folder that holds the tool's own files; not a place for pages.
pub const TOOL_FOLDER: &str = ".kenning";

/// Where the talk of sessions stands: for this user alone, or shared with everybody who has the vault.
pub const LOCAL_TALK: &str = ".kenning/talk";
/// See [`LOCAL_TALK`].
pub const SHARED_TALK: &str = "sessions";

/// Name of the file that makes a folder a vault.
pub const CONFIG_FILE: &str = "kenning.toml";

/// Extensions of what the program writes outside its folders: documents, which nothing executes.
const DOCUMENTS: &[&str] = &["md", "markdown", "html", "htm", "txt"];

/// Returns whether a path leads into a repository's own folder, in any spelling that a file system takes for
/// `.git`: other case, trailing dots and blanks, ignored characters, the short name of old Windows.
fn is_in_git(path: &str) -> bool {
    path.split('/').any(|part| {
        let plain: String = part.chars().filter(char::is_ascii).collect();
        let plain = plain.trim_end_matches(['.', ' ']).to_ascii_lowercase();
        plain == ".git" || plain == "git~1"
    })
}

impl Layout {
    /// Returns whether a folder may be one of the vault's: not of a repository's own, nor the tool's.
    pub fn may_be_folder(folder: &VaultPath) -> bool {
        let first = folder.as_str().split('/').next().unwrap_or_default();
        !is_in_git(folder.as_str()) && !first.eq_ignore_ascii_case(TOOL_FOLDER)
    }

    /// Returns whether the program may change this file at all: what lies in its folders, the configuration, and
    /// documents elsewhere; never a repository's own folder, and no hidden one that the layout does not name.
    pub fn may_change(&self, path: &VaultPath) -> bool {
        let text = path.as_str();
        let is_hidden = |text: &str| text.split('/').any(|part| part.starts_with('.'));
        if is_in_git(text) {
            return false;
        }
        if path.is_under(TOOL_FOLDER) || *path == self.index || *path == self.log {
            return true;
        }
        if let Some(folder) = self.folders().into_iter().find(|folder| path.is_under(folder.as_str())) {
            return !is_hidden(&text[folder.as_str().len() + 1..]);
        }
        let is_document = DOCUMENTS.iter().any(|extension| path.extension().eq_ignore_ascii_case(extension));
        !is_hidden(text) && (is_document || text == CONFIG_FILE)
    }

    /// Returns the places of a vault whose wiki folder is `wiki`.
    pub fn new(preset: Preset, wiki: &VaultPath) -> Layout {
        let inside = |name: &str| wiki.join(name).expect("a plain file name stays inside the wiki folder");
        let fixed = |name: &str| VaultPath::new(name).expect("a plain folder name is a vault path");
        Layout {
            preset,
            journal: fixed("daily"),
            sources: fixed("raw"),
            talk: fixed(LOCAL_TALK),
            wiki: wiki.clone(),
            index: inside(if preset == Preset::Ckp { "_index.md" } else { "index.md" }),
            log: inside("log.md"),
        }
    }

    /// Returns the folders that hold what is searched.
    pub fn folders(&self) -> [&VaultPath; 4] {
        [&self.wiki, &self.journal, &self.sources, &self.talk]
    }

    /// Returns whether a file is of those that only grow: the journal and the talk.
    pub fn only_grows(&self, path: &VaultPath) -> bool {
        path.is_under(self.journal.as_str()) || path.is_under(self.talk.as_str())
    }

    /// Returns whether `path` may be a page: a `.md`, `.html` or `.txt` file of the wiki that is not the
    /// index, one of its shards, or the log.
    pub fn is_page(&self, path: &VaultPath) -> bool {
        let text = path.as_str();
        path.is_under(self.wiki.as_str())
            && matches!(path.extension(), "md" | "html" | "htm" | "txt")
            && *path != self.index
            && *path != self.log
            && !text[self.wiki.as_str().len() + 1..].starts_with("index/")
            && !text.split('/').any(|part| part.starts_with('.'))
            && !(self.preset == Preset::Ckp && self.is_session_file(path))
    }

    /// Whether a file is one of a memory bank's own: always loaded or a log, never routed and never given
    /// a header.
    fn is_session_file(&self, path: &VaultPath) -> bool {
        let is_at_root = path.parent().as_ref() == Some(&self.wiki);
        is_at_root && SESSION_FILES.iter().any(|name| path.stem().eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(preset: Preset, path: &str, is_page: bool) {
        let layout = Layout::new(preset, &VaultPath::new("memory-bank").expect("inside"));
        assert_eq!(layout.is_page(&VaultPath::new(path).expect("inside")), is_page, "{path}");
    }

    #[test]
    fn pages_are_documents_of_the_wiki() {
        check(Preset::Kenning, "memory-bank/concepts/a.md", true);
        check(Preset::Kenning, "memory-bank/a.png", false);
        check(Preset::Kenning, "memory-bank/index.md", false);
        check(Preset::Kenning, "memory-bank/index/concepts-a.md", false);
        check(Preset::Kenning, "memory-bank/.obsidian/a.md", false);
        check(Preset::Kenning, "raw/a.md", false);
    }

    #[test]
    fn only_documents_and_the_vaults_folders_are_changed() {
        let layout = Layout::new(Preset::Kenning, &VaultPath::new("notes").expect("inside"));
        let may = |path: &str| layout.may_change(&VaultPath::new(path).expect("inside"));
        for path in ["notes/a.md", "notes/b/c.html", "raw/x.csv", "daily/d.md", "kenning.toml", "README.md"] {
            assert!(may(path), "{path}");
        }
        for path in [
            ".git/config",
            ".GIT/config",
            ".git./config",
            "GIT~1/config",
            ".g\u{200c}it/config",
            "sub/.git/hooks/x.md",
            "notes/.git/config",
            "notes/.obsidian/a.md",
            ".env",
            "main.c",
            ".gitattributes",
            ".claude/x.md",
            "Makefile",
        ] {
            assert!(!may(path), "{path}");
        }
    }

    #[test]
    fn a_memory_banks_own_files_are_not_routed() {
        check(Preset::Ckp, "memory-bank/_index.md", false);
        check(Preset::Ckp, "memory-bank/activeContext.md", false);
        check(Preset::Ckp, "memory-bank/decisionLog.md", false);
        check(Preset::Ckp, "memory-bank/projects/progress.md", true);
        check(Preset::Ckp, "memory-bank/projects/prescient.md", true);
    }
}
