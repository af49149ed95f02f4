//! Where things live in a vault.
//!
//! A layout is data: folder and file names relative to the vault's root. Families of vaults differ in the values
//! of their [`Preset`], never in code paths of their own.

mod ckp;
mod claude_memory;
mod hydraflow;
mod kenning;
mod memory_compiler;
mod notes;
mod obsidian;
pub mod preset;
mod recall;
mod sight;

pub use ckp::PRESET as CKP;
pub use kenning::PRESET as KENNING;
pub use preset::Preset;
pub use sight::{Look, Sight, sights};

use crate::path::VaultPath;
use preset::IndexForm;

/// Every family, in the order in which a folder is compared with them.
pub static PRESETS: &[&Preset] = &[
    &kenning::PRESET,
    &ckp::PRESET,
    &recall::PRESET,
    &memory_compiler::PRESET,
    &hydraflow::PRESET,
    &claude_memory::PRESET,
    &obsidian::PRESET,
    &notes::PRESET,
];

impl Preset {
    /// Returns the family of that name.
    pub fn parse(text: &str) -> Option<&'static Preset> {
        PRESETS.iter().copied().find(|preset| preset.name == text)
    }
}

/// The places of one vault, all inside its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The family.
    pub preset: &'static Preset,
    /// Folder of the journal, one file a day.
    pub journal: VaultPath,
    /// Folder of sources, never edited by the tool.
    pub sources: VaultPath,
    /// Folder of the talk of sessions, one file a session.
    pub talk: VaultPath,
    /// Folder of the wiki's pages.
    pub wiki: VaultPath,
    /// Folders of pages that another tool writes: read, never written to.
    pub foreign: Vec<VaultPath>,
    /// Files and folders that are searched and make no pages: they tell again what stands elsewhere.
    pub evidence: Vec<VaultPath>,
    /// Where another compiler says what it has compiled.
    pub state: Option<VaultPath>,
    /// The folder in which the state of the project stands; the vault's root when there is none.
    pub state_folder: Option<VaultPath>,
    /// The index file.
    pub index: VaultPath,
    /// A short index that agents read, which may stand among pages and is none.
    pub memory: Option<VaultPath>,
    /// What the tool did, for people.
    pub log: VaultPath,
}

/// The folder that holds the tool's own files; not a place for pages.
pub const TOOL_FOLDER: &str = ".kenning";

/// Where the talk of sessions stands: for this user alone, or shared with everybody who has the vault.
pub const LOCAL_TALK: &str = ".kenning/talk";
/// See [`LOCAL_TALK`].
pub const SHARED_TALK: &str = "sessions";

/// Name of the file that makes a folder a vault.
pub const CONFIG_FILE: &str = "kenning.toml";

/// The page that says how far the project is, and the file that says the same to programs.
const STATE_PAGE: &str = "state.md";
const STATE_RECORD: &str = "state.json";

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

/// The files of a memory bank that say how things are at the moment.
fn session_files<'p>(preset: &'p Preset, wiki: &'p VaultPath) -> impl Iterator<Item = VaultPath> + 'p {
    let file = |stem: &&str| wiki.join(&format!("{stem}.md")).expect("a plain file name stays inside the wiki folder");
    preset.files.session.iter().map(file)
}

/// Whether a part of a path below a folder begins with a dot.
fn is_hidden_below(path: &VaultPath, folder: &VaultPath) -> bool {
    path.as_str().as_bytes()[folder.as_str().len()..].windows(2).any(|two| two == b"/.")
}

/// Whether a path is a place or lies below it.
fn is_at(path: &VaultPath, place: &VaultPath) -> bool {
    path == place || path.is_under(place.as_str())
}

impl Layout {
    /// Returns the places of a vault whose wiki folder is `wiki`.
    pub fn new(preset: &'static Preset, wiki: &VaultPath) -> Layout {
        Layout::below("", preset, wiki)
    }

    /// Returns the places of a vault of this family that lies in `base`, a folder with its `/`, or in the root.
    pub fn of(preset: &'static Preset, base: &str) -> Layout {
        let wiki = VaultPath::new(preset.places.wiki).expect("a preset names vault paths");
        Layout::below(base, preset, &wiki)
    }

    /// Returns the places of a vault of this family that lies in `base`, with this wiki folder.
    pub fn below(base: &str, preset: &'static Preset, wiki: &VaultPath) -> Layout {
        let place = |name: &str| VaultPath::new(&format!("{base}{name}")).expect("a preset names vault paths");
        let inside = |name: &str| match name.strip_prefix('/') {
            Some(beside) => VaultPath::new(beside).expect("a preset names vault paths"),
            None => wiki.join(name).expect("a plain file name stays inside the wiki folder"),
        };
        let places = &preset.places;
        Layout {
            preset,
            journal: place(places.journal),
            sources: VaultPath::new(places.sources).expect("a preset names vault paths"),
            talk: VaultPath::new(LOCAL_TALK).expect("a plain folder name is a vault path"),
            wiki: wiki.clone(),
            foreign: places.foreign.iter().copied().map(place).collect(),
            evidence: places.evidence.iter().copied().map(place).chain(session_files(preset, wiki)).collect(),
            state: places.state.map(place),
            state_folder: None,
            index: inside(places.index),
            memory: None,
            log: inside(places.log),
        }
    }

    /// Returns the page that says how far the project is.
    pub fn state_page(&self) -> VaultPath {
        self.in_state_folder(STATE_PAGE)
    }

    /// Returns the file that says the same to programs.
    pub fn state_record(&self) -> VaultPath {
        self.in_state_folder(STATE_RECORD)
    }

    fn in_state_folder(&self, name: &str) -> VaultPath {
        let path = self.state_folder.as_ref().map_or_else(|| VaultPath::new(name), |folder| folder.join(name));
        path.expect("a plain file name stays inside its folder")
    }

    /// Returns whether a file is one of the two that say how far the project is.
    pub fn is_state(&self, path: &VaultPath) -> bool {
        matches!(path.file_name(), STATE_PAGE | STATE_RECORD) && path.parent() == self.state_folder
    }

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
        let is_named = *path == self.index || *path == self.log || self.memory.as_ref() == Some(path);
        if path.is_under(TOOL_FOLDER) || is_named || self.is_state(path) {
            return true;
        }
        if let Some(folder) = self.folders().into_iter().find(|folder| path.is_under(folder.as_str())) {
            return !is_hidden_below(path, folder);
        }
        let is_document = DOCUMENTS.iter().any(|extension| path.extension().eq_ignore_ascii_case(extension));
        !is_hidden(text) && (is_document || text == CONFIG_FILE)
    }

    /// Returns whether a file is another tool's, which reads and writes it: it is changed only to take out of it what
    /// must not stay, a secret or what is to be forgotten.
    pub fn is_foreign(&self, path: &VaultPath) -> bool {
        let is_ours = *path == self.index || *path == self.log || self.memory.as_ref() == Some(path);
        let places = self.foreign.iter().chain(&self.evidence).chain(&self.state);
        !is_ours && (places.into_iter().any(|place| is_at(path, place)) || self.is_page_in_journal(path))
    }

    /// Returns the folders that hold what is searched.
    pub fn folders(&self) -> Vec<&VaultPath> {
        [&self.wiki].into_iter().chain(&self.foreign).chain([&self.journal, &self.sources, &self.talk]).collect()
    }

    /// Returns the folders in which pages stand, at any depth.
    pub fn page_folders(&self) -> Vec<&VaultPath> {
        let in_journal = (!self.preset.files.in_journal.is_empty()).then_some(&self.journal);
        [&self.wiki].into_iter().chain(&self.foreign).chain(in_journal).collect()
    }

    /// Returns whether a file is of those that only grow: the journal and the talk.
    pub fn only_grows(&self, path: &VaultPath) -> bool {
        let is_wiki = path.is_under(self.wiki.as_str()) && !self.journal.is_under(self.wiki.as_str());
        path.is_under(self.talk.as_str()) || path.is_under(self.journal.as_str()) && !is_wiki && !self.is_foreign(path)
    }

    /// Returns whether a file is a day of the journal: right in its folder, so that roll-ups below it are none.
    pub fn is_day(&self, path: &VaultPath) -> bool {
        let is_called_so = || !self.preset.files.days_are_dated || preset::FileForm::Day.has(path.file_name());
        path.extension() == "md" && path.parent().as_ref() == Some(&self.journal) && is_called_so()
    }

    /// Returns whether a file is evidence that makes no pages.
    pub fn is_evidence(&self, path: &VaultPath) -> bool {
        self.evidence.iter().any(|place| is_at(path, place))
    }

    /// Returns whether `path` may be a page: a `.md`, `.html` or `.txt` file of the wiki or of another tool's pages
    /// that is not an index, one of its shards, or the log.
    pub fn is_page(&self, path: &VaultPath) -> bool {
        if self.is_page_in_journal(path) {
            return true;
        }
        let of_wiki = path.is_under(self.wiki.as_str()).then_some(&self.wiki);
        let folder = self.foreign.iter().find(|folder| path.is_under(folder.as_str())).or(of_wiki);
        let Some(folder) = folder else { return false };
        let is_shard = || folder == &self.wiki && path.as_str()[folder.as_str().len() + 1..].starts_with("index/");
        matches!(path.extension(), "md" | "html" | "htm" | "txt")
            && !self.is_index(path)
            && *path != self.log
            && !self.is_evidence(path)
            && !is_shard()
            && !is_hidden_below(path, folder)
            && !self.is_session_file(path)
    }

    /// Returns whether a file is an index: the program's, or one of another tool's.
    pub fn is_index(&self, path: &VaultPath) -> bool {
        *path == self.index || self.memory.as_ref() == Some(path) || self.tells(path)
    }

    /// Returns whether a file is an index of another tool, whose rows say what pages are about.
    pub fn tells(&self, path: &VaultPath) -> bool {
        let is_called = |preset: &Preset| preset.files.indexes.iter().any(|name| path.file_name() == *name);
        // A foreign folder may be of another family than the vault.
        let is_foreign = || self.foreign.iter().any(|folder| path.is_under(folder.as_str()));
        *path == self.index && is_called(self.preset) || is_foreign() && PRESETS.iter().any(|preset| is_called(preset))
    }

    /// Whether a file is a page that stands among the days.
    fn is_page_in_journal(&self, path: &VaultPath) -> bool {
        let begins = |name: &str| path.file_name().starts_with(name) && path.extension() == "md";
        let is_there = || path.folder() == Some(self.journal.as_str());
        self.preset.files.in_journal.iter().any(|name| is_there() && begins(name))
    }

    /// Whether a file is one of a memory bank's own: always loaded or a log, never routed and never given
    /// a header.
    fn is_session_file(&self, path: &VaultPath) -> bool {
        let is_at_root = || path.folder() == Some(self.wiki.as_str());
        self.preset.files.session.iter().any(|name| is_at_root() && path.stem().eq_ignore_ascii_case(name))
    }

    /// Returns the files with which a session starts, first ones first.
    pub fn starts(&self) -> Vec<VaultPath> {
        let file = |stem: &&str| self.wiki.join(&format!("{stem}.md"));
        self.preset.files.starts.iter().filter_map(file).collect()
    }

    /// Returns whether the index is a table that others have rows in, too.
    pub fn has_table(&self) -> bool {
        self.preset.index == IndexForm::Table
    }

    /// Returns whether the index is one file of header blocks.
    pub fn has_blocks(&self) -> bool {
        self.preset.index == IndexForm::Blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(preset: &'static Preset, path: &str, is_page: bool) {
        let layout = Layout::new(preset, &VaultPath::new("memory-bank").expect("inside"));
        assert_eq!(layout.is_page(&VaultPath::new(path).expect("inside")), is_page, "{path}");
    }

    #[test]
    fn pages_are_documents_of_the_wiki() {
        check(&KENNING, "memory-bank/concepts/a.md", true);
        check(&KENNING, "memory-bank/a.png", false);
        check(&KENNING, "memory-bank/index.md", false);
        check(&KENNING, "memory-bank/index/concepts-a.md", false);
        check(&KENNING, "memory-bank/.obsidian/a.md", false);
        check(&KENNING, "raw/a.md", false);
    }

    #[test]
    fn only_documents_and_the_vaults_folders_are_changed() {
        let layout = Layout::new(&KENNING, &VaultPath::new("notes").expect("inside"));
        let may = |path: &str| layout.may_change(&VaultPath::new(path).expect("inside"));
        for path in
            ["notes/a.md", "notes/b/c.html", "raw/x.csv", "daily/d.md", "kenning.toml", "README.md", "state.json"]
        {
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
            "package.json",
            "sub/state.json",
        ] {
            assert!(!may(path), "{path}");
        }
    }

    fn of(preset: &'static Preset) -> Layout {
        Layout::of(preset, "")
    }

    #[track_caller]
    fn path(text: &str) -> VaultPath {
        VaultPath::new(text).expect("inside")
    }

    #[test]
    fn what_another_tool_writes_is_read_and_never_changed() {
        let layout = of(&recall::PRESET);
        for page in ["memory/wiki/a.md", "memory/user_a.md"] {
            assert!(layout.is_page(&path(page)) && layout.is_foreign(&path(page)), "{page}");
        }
        for other in ["memory/wiki/index.md", "memory/weekly/2026-W17.md", "WISDOM.md"] {
            assert!(!layout.is_page(&path(other)) && layout.is_foreign(&path(other)), "{other}");
        }
        let day = path("memory/2026-04-20.md");
        assert!(layout.is_day(&day) && layout.only_grows(&day) && !layout.is_foreign(&day));
        assert!(!layout.is_day(&path("memory/user_a.md")) && !layout.is_day(&path("memory/weekly/2026-04-20.md")));
        assert!(!layout.is_foreign(&path("knowledge/a.md")));
    }

    #[test]
    fn a_folder_that_is_named_is_entered_and_what_is_hidden_in_it_is_not() {
        let layout = of(&claude_memory::PRESET);
        assert!(layout.is_page(&path(".claude/memory/a.md")) && layout.is_page(&path(".claude/memory/b/a.md")));
        for other in [".claude/memory/MEMORY.md", ".claude/memory/.x/a.md", ".claude/a.md", ".claude/agents/a.md"] {
            assert!(!layout.is_page(&path(other)), "{other}");
        }
        assert!(!layout.may_change(&path(".claude/settings.json")) && !layout.may_change(&path(".claude/a.md")));
    }

    #[test]
    fn a_wiki_in_the_folder_of_the_journal_is_no_journal() {
        let layout = Layout { journal: path("memory"), ..Layout::new(&KENNING, &path("memory/wiki")) };
        assert!(!layout.only_grows(&path("memory/wiki/index.md")) && layout.only_grows(&path("memory/2026-04-20.md")));
    }

    #[test]
    fn a_memory_banks_own_files_are_not_routed() {
        check(&CKP, "memory-bank/_index.md", false);
        check(&CKP, "memory-bank/activeContext.md", false);
        check(&CKP, "memory-bank/decisionLog.md", false);
        check(&CKP, "memory-bank/projects/progress.md", true);
        check(&CKP, "memory-bank/projects/prescient.md", true);
    }
}
