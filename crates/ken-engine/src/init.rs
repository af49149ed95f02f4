//! Makes a folder a vault.

use std::path::Path;

use ken_core::{Basis, LogEntry, Plan, Preset, VaultPath};
use ken_store::{GITIGNORE, Keys};

use crate::config::CONFIG_FILE;
use crate::engine::{Clock, Engine, found_layout};
use crate::failure::Failure;
use crate::outcome::InitOutcome;

impl Engine {
    /// Makes `root` a vault, accepted by the user with these keys; what stands there already is kept.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn init(root: &Path, preset: Option<Preset>, keys: &Keys, clock: &Clock) -> Result<InitOutcome, Failure> {
        ken_store::create_root(root)?;
        let root = root.to_path_buf();
        let engine = Engine::at(root.clone(), keys, clock.clone(), std::time::Duration::from_secs(10))?;
        let config = VaultPath::new(CONFIG_FILE).expect("a file name is a vault path");
        let is_new = engine.store.read(&config)?.is_none();
        let layout = if is_new { preset_layout(&root, preset) } else { engine.layout().clone() };
        let ignore = VaultPath::new(".kenning/.gitignore").expect("inside the vault");
        let mut files = vec![(config, config_text(&layout)), (ignore, GITIGNORE.to_owned())];
        if layout.preset == Preset::Kenning {
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
        let subject = format!("{} layout", layout.preset.as_str());
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

fn preset_layout(root: &Path, preset: Option<Preset>) -> ken_core::Layout {
    let found = found_layout(root);
    match preset {
        Some(preset) if preset != found.preset => ken_core::Layout::new(preset, &found.wiki),
        _ => found,
    }
}

fn config_text(layout: &ken_core::Layout) -> String {
    let mut text = String::from("# Where this vault keeps things and what may be spent. Every key has a default.\n");
    text.push_str(&format!("layout = \"{}\"\n", layout.preset.as_str()));
    if layout.wiki.as_str() != "knowledge" {
        text.push_str(&format!("wiki = \"{}\"\n", layout.wiki));
    }
    text
}
