//! Makes a folder a vault, after looking at what stands in it.

use std::path::Path;

use ken_core::layout::{KENNING, Layout, Sight, sights};
use ken_core::{Basis, LogEntry, Plan, Preset, VaultPath};
use ken_store::{GITIGNORE, Keys};

use crate::config::CONFIG_FILE;
use crate::engine::{Clock, Engine, Root, found_layout};
use crate::failure::Failure;
use crate::outcome::{InitOutcome, Place, Purpose, Survey};

impl Engine {
    /// Returns what a folder looks like, and what a vault made of it would use for what; `preset` is the family that
    /// somebody chose. Nothing is changed.
    ///
    /// # Errors
    /// When what stands there cannot be listed.
    pub fn survey(root: &Path, preset: Option<&'static Preset>, keys: &Keys, clock: &Clock) -> Result<Survey, Failure> {
        let seen = sights(&Root::of(root), &|preset| *preset != KENNING);
        let is_vault = root.join(CONFIG_FILE).is_file();
        let (layout, _) = chosen(root, preset, &seen);
        let is_read = |one: &Sight| {
            let foreign = &one.layout.foreign;
            !foreign.is_empty() && foreign.iter().all(|folder| layout.foreign.contains(folder))
        };
        let others = seen.iter().filter(|one| one.layout.preset != layout.preset && !is_read(one));
        let others = others.map(|one| one.layout.preset).collect();
        let engine = Engine::at(root.to_path_buf(), keys, clock.clone(), std::time::Duration::ZERO);
        let places = match engine.ok().filter(|_| root.is_dir()) {
            Some(engine) => engine.places(&layout)?,
            None => Vec::new(),
        };
        let is_seen = seen.iter().any(|one| one.layout.preset == layout.preset);
        Ok(Survey { layout, is_vault, is_seen, others, places })
    }

    /// The places of a layout that hold something.
    fn places(&self, layout: &Layout) -> Result<Vec<Place>, Failure> {
        let mut out = Vec::new();
        let mut add = |purpose: Purpose, path: &VaultPath, n_files: usize| {
            if n_files > 0 {
                out.push(Place { purpose, path: path.clone(), n_files });
            }
        };
        let files = |path: &VaultPath| -> Result<Vec<VaultPath>, Failure> {
            let mut files = self.store.list_paths(path)?;
            files.extend(self.store.stat(path)?.map(|stat| stat.path));
            Ok(files)
        };
        for folder in layout.page_folders() {
            let is_in = |path: &&VaultPath| folder != &layout.journal || path.parent().as_ref() == Some(folder);
            let n_pages = files(folder)?.iter().filter(is_in).filter(|path| layout.is_page(path)).count();
            add(if folder == &layout.wiki { Purpose::Pages } else { Purpose::Foreign }, folder, n_pages);
        }
        let n_days = files(&layout.journal)?.iter().filter(|path| layout.is_day(path)).count();
        add(Purpose::Days, &layout.journal, n_days);
        add(Purpose::Sources, &layout.sources, files(&layout.sources)?.len());
        for place in &layout.evidence {
            add(Purpose::Evidence, place, files(place)?.len());
        }
        Ok(out)
    }

    /// Makes `root` a vault, accepted by the user with these keys; what stands there already is kept.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn init(
        root: &Path,
        preset: Option<&'static Preset>,
        keys: &Keys,
        clock: &Clock,
    ) -> Result<InitOutcome, Failure> {
        ken_store::create_root(root)?;
        let root = root.to_path_buf();
        let seen = sights(&Root::of(&root), &|preset| *preset != KENNING);
        let engine = Engine::at(root.clone(), keys, clock.clone(), std::time::Duration::from_secs(10))?;
        let config = VaultPath::new(CONFIG_FILE).expect("a file name is a vault path");
        let is_new = engine.store.read(&config)?.is_none();
        let (layout, base) = if is_new { chosen(&root, preset, &seen) } else { (engine.layout().clone(), "") };
        let ignore = VaultPath::new(".kenning/.gitignore").expect("inside the vault");
        let mut files = vec![(config, config_text(&layout, base)), (ignore, GITIGNORE.to_owned())];
        if !layout.has_blocks() && !layout.has_table() {
            let index = ken_core::index::render::render_index(&layout, &[], |_| None);
            files.extend(index);
        }
        let mut edits = Vec::new();
        for (path, text) in files {
            if engine.store.read(&path)?.is_none() {
                edits.push(Basis::nothing(path).replace(text));
            }
        }
        let created = edits.iter().map(|edit| edit.path().clone()).collect();
        let subject = format!("{} layout", layout.preset.name);
        let log = LogEntry {
            at: clock.now,
            kind: "init".to_owned(),
            subject,
            lines: Vec::new(),
            inputs: Vec::new(),
            public: false,
        };
        let guard = engine.lock("init")?;
        engine.apply(&guard, &Plan { edits, guards: Vec::new(), log })?;
        // A vault that is there already may have come with a clone; accepting it is a step of its own.
        if is_new {
            engine.store.accept()?;
        }
        let is_accepted = engine.is_accepted();
        Ok(InitOutcome { root, preset: layout.preset, created, is_accepted, notices: engine.notices() })
    }
}

/// The layout that somebody chose, else what the folder looks like, else Kenning's own; and where it lies.
fn chosen(root: &Path, preset: Option<&'static Preset>, seen: &[Sight]) -> (Layout, &'static str) {
    let sight = match preset {
        Some(preset) => seen.iter().find(|one| one.layout.preset == preset),
        None => seen.first(),
    };
    match (sight, preset) {
        (Some(sight), Some(_)) => (sight.layout.clone(), sight.base),
        (Some(sight), None) => (with_others(sight, seen), sight.base),
        (None, Some(preset)) => (Layout::new(preset, &wiki_of(preset, root)), ""),
        (None, None) => (found_layout(root), ""),
    }
}

/// The places of a family with the foreign folders of the others that keep their days where it does: one vault reads
/// all of them.
fn with_others(sight: &Sight, seen: &[Sight]) -> Layout {
    let mut layout = sight.layout.clone();
    for other in seen.iter().filter(|other| other.layout.journal == layout.journal && *other != sight) {
        layout.foreign.extend(other.layout.foreign.iter().cloned());
    }
    layout
}

/// The wiki of a family that the folder shows no sign of: where its pages are by default, as the configuration reads.
fn wiki_of(preset: &'static Preset, root: &Path) -> VaultPath {
    let found = found_layout(root);
    if *found.preset == KENNING { found.wiki } else { Layout::of(preset, "").wiki }
}

fn config_text(layout: &Layout, base: &str) -> String {
    let mut text = String::from("# Where this vault keeps things and what may be spent. Every key has a default.\n");
    text.push_str(&format!("layout = \"{}\"\n", layout.preset.name));
    if !base.is_empty() {
        text.push_str(&format!("base = \"{}\"\n", base.trim_end_matches('/')));
    }
    if layout.wiki.as_str() != "knowledge" {
        text.push_str(&format!("wiki = \"{}\"\n", layout.wiki));
    }
    if layout.foreign != Layout::of(layout.preset, base).foreign {
        let folders: Vec<String> = layout.foreign.iter().map(|folder| format!("\"{folder}\"")).collect();
        text.push_str(&format!("foreign = [{}]\n", folders.join(", ")));
    }
    text
}
