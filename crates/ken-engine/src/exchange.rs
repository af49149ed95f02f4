//! Export and import: what formats are written from, and what becomes of what they read.
//!
//! Formats are functions of `ken_exchange`; this module gathers a vault for them and says where it may be written to.
//! [`import`] decides what of a file that somebody named comes in, where, and how far it is believed.

mod holds;
mod import;
mod incoming;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ken_core::VaultPath;
use ken_core::layout::TOOL_FOLDER;
use ken_exchange::{RECORDS, SEAL_PURPOSE, Shape, Source, Text, Vault, sealed_with};
use ken_intake::outside;

pub use import::{ImportOptions, ImportOutcome, ImportState, Imported};
pub use ken_exchange::{FORMATS, Format, OutFile, Output, Settings, Shape as ExportShape, format_named};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::kinds::Kind;

/// The program, as exports name it.
const BY: &str = concat!("kenning/", env!("CARGO_PKG_VERSION"));

impl Engine {
    /// Returns the vault in a format.
    ///
    /// # Errors
    /// When the format is only read, or a file of the vault cannot be read.
    pub fn export(&self, format: &Format, settings: &Settings) -> Result<Output, Failure> {
        let Some(writer) = &format.write else {
            return Err(Failure::usage(format!("`{}` is a format that is only read", format.name)));
        };
        let vault = self.whole()?;
        let mut out = (writer.run)(&vault, settings);
        // What is written as one file and read back bears the seal of who wrote it.
        if writer.shape == Shape::File && format.read.is_some() {
            for file in &mut out.files {
                file.text =
                    sealed_with(&file.text, |digest| self.store.sign(SEAL_PURPOSE, digest.to_string().as_bytes()));
            }
        }
        Ok(out)
    }

    /// Returns why an export may not be written to a place; nothing where it may.
    pub fn why_not_export_to(&self, place: &Path) -> Option<String> {
        let inside = match self.place_inside(place) {
            Ok(inside) => inside?,
            Err(why) => return Some(why.to_owned()),
        };
        let layout = self.layout();
        let is_at = |folder: &VaultPath| inside == *folder || inside.is_under(folder.as_str());
        let is_hidden = inside.as_str().split('/').any(|part| part.starts_with('.'));
        let is_own = inside == layout.index || inside == layout.log || layout.is_state(&inside);
        if is_own || is_hidden || is_at(&VaultPath::new(TOOL_FOLDER)?) || layout.folders().into_iter().any(is_at) {
            return Some("it is in one of the vault's own folders, or in a hidden one".to_owned());
        }
        let holds = |folder: &&VaultPath| folder.is_under(inside.as_str());
        let held = layout.folders().into_iter().find(holds);
        held.map(|folder| format!("the vault keeps `{folder}` below it"))
    }

    /// Where a place is in the vault, nothing outside of it. What does not exist yet is where the nearest folder above it
    /// is. Fails where the vault itself lies, and where nobody can tell.
    fn place_inside(&self, place: &Path) -> Result<Option<VaultPath>, &'static str> {
        let lost = "nobody can tell where it is: it goes up from a folder that is not there";
        let root = outside::resolved(self.root()).ok_or(lost)?;
        let mut missing: Vec<String> = Vec::new();
        let mut at = place;
        let stands = loop {
            let known = if at.as_os_str().is_empty() { Path::new(".") } else { at };
            if let Some(found) = outside::resolved(known) {
                break found;
            }
            missing.push(at.file_name().ok_or(lost)?.to_string_lossy().into_owned());
            at = at.parent().ok_or(lost)?;
        };
        let full: PathBuf = missing.iter().rev().fold(stands, |path, name| path.join(name));
        // The folder around a vault is no place for files of it either.
        if root.starts_with(&full) {
            return Err("the vault lies there");
        }
        let Ok(below) = full.strip_prefix(&root) else { return Ok(None) };
        let inside = VaultPath::new(&below.to_string_lossy().replace('\\', "/"));
        inside.map(Some).ok_or("its name is none that a vault can have")
    }

    /// Everything of the vault that formats are written from.
    fn whole(&self) -> Result<Vault, Failure> {
        let layout = self.layout();
        let name = outside::resolved(self.root()).unwrap_or_else(|| self.root().to_path_buf());
        let name = name.file_name().map_or_else(|| "vault".to_owned(), |name| name.to_string_lossy().into_owned());
        let (register, (files, skipped)) = (self.register()?, self.source_files()?);
        let mut origins = self.places_of_copies()?;
        skipped.into_iter().for_each(|(place, why)| self.notice(format!("`{place}` is not in the export: {why}")));
        let (mut days, mut sources) = (Vec::new(), Vec::new());
        for file in files {
            let path = file.stat.path;
            let Some(Text { path, text }) = self.text_of(path)? else { continue };
            if file.is_journal {
                days.push(Text { path, text });
                continue;
            }
            let known = register.get(&path);
            let trust = known.map_or(crate::outcome::Trust::User, |known| known.trust);
            let day = known.and_then(|known| known.day);
            let digest = ken_core::Digest::of(text.as_bytes());
            let origin = origins.remove(&path);
            let is_adopted = known.is_some_and(|known| known.is_adopted);
            sources.push(Source { path, text, trust, day, digest, origin, is_adopted });
        }
        let talk = self.texts(self.store.list_paths(&layout.talk)?)?;
        Ok(Vault {
            name,
            at: self.clock.now,
            by: BY.to_owned(),
            snapshot: self.snapshot_of_pages()?,
            days,
            sources,
            talk,
            records: self.kept_records()?,
            kept: self.kept_by_others()?,
            topics: self.config.topics.clone(),
        })
    }

    /// What another tool keeps in its folders besides pages and days.
    fn kept_by_others(&self) -> Result<Vec<Text>, Failure> {
        let layout = self.layout();
        let mut paths = BTreeSet::new();
        for place in layout.foreign.iter().chain(&layout.evidence) {
            paths.extend(self.store.list_paths(place)?);
            paths.extend(self.store.stat(place)?.map(|stat| stat.path));
        }
        let is_text = |path: &VaultPath| matches!(path.extension(), "md" | "json" | "jsonl");
        let is_kept = |path: &VaultPath| is_text(path) && !layout.is_page(path) && !layout.is_day(path);
        self.texts(paths.into_iter().filter(is_kept).collect())
    }

    /// What pages are made from besides journal and sources, and the state.
    fn kept_records(&self) -> Result<Vec<Text>, Failure> {
        let mut paths = Vec::new();
        let folders = |(folder, depth): &(&str, usize)| match depth {
            1 => vec![(*folder).to_owned()],
            _ => Kind::ALL.map(|kind| format!("{folder}/{}", kind.as_str())).to_vec(),
        };
        for folder in RECORDS.iter().flat_map(folders) {
            let names = self.store.kept_names(&folder)?.into_iter().filter(|name| name.ends_with(".json"));
            paths.extend(names.filter_map(|name| VaultPath::new(&format!("{TOOL_FOLDER}/{folder}/{name}"))));
        }
        paths.extend(self.store.stat(&self.layout().state_page())?.map(|stat| stat.path));
        self.texts(paths)
    }

    fn texts(&self, paths: Vec<VaultPath>) -> Result<Vec<Text>, Failure> {
        paths.into_iter().filter_map(|path| self.text_of(path).transpose()).collect()
    }

    /// A file that is text; another is named in a note.
    fn text_of(&self, path: VaultPath) -> Result<Option<Text>, Failure> {
        let Some(bytes) = self.store.read(&path)? else { return Ok(None) };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(Text { path, text })),
            Err(_) => {
                self.notice(format!("`{path}` is not in the export: it is not UTF-8 text"));
                Ok(None)
            }
        }
    }
}
