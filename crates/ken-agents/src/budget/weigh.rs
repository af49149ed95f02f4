//! Reads the layers of an agent by the agent's own rules and counts them.

use std::path::{Path, PathBuf};

use super::layer::{Form, Kind, Layer, Only, Place, Start};
use super::read::{Reader, is_in, listed, matching};
use super::{Ruler, text};

/// Imports that are looked for in one file; words with an at sign may be anything.
const IMPORTS_MAX: usize = 500;

/// One file that is loaded, or a folder of which descriptions are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// How the place is named to people.
    pub place: String,
    /// Its tokens.
    pub tokens: usize,
    /// What of it is loaded, bytes.
    pub bytes: usize,
    /// What of it the agent leaves out, since it reads only so much of such files; bytes.
    pub n_unread: usize,
    /// What there is to know about it.
    pub note: Option<String>,
    /// The largest part of it that has a name.
    pub section: Option<Section>,
}

/// A part of a file with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub name: String,
    /// Its tokens.
    pub tokens: usize,
}

/// What an agent loads from files.
pub(super) struct Weighed {
    pub(super) parts: Vec<Part>,
    pub(super) is_cut: bool,
}

/// Returns what the layers of a start come to.
pub(super) fn weigh(layers: &[Layer], start: &Start<'_>, ruler: Ruler<'_>) -> Weighed {
    let mut scale = Scale { start, ruler, reader: Reader::default(), shared: None, parts: Vec::new() };
    layers.iter().for_each(|layer| scale.layer(layer));
    Weighed { parts: scale.parts, is_cut: scale.reader.is_full }
}

struct Scale<'a> {
    start: &'a Start<'a>,
    ruler: Ruler<'a>,
    reader: Reader,
    /// What is left of the bytes that several layers share.
    shared: Option<usize>,
    parts: Vec<Part>,
}

/// A file that is to be read, and how the agent came to it.
struct Found<'a> {
    kind: Kind,
    path: PathBuf,
    /// The file that imports it.
    by: Option<&'a Path>,
    hops: usize,
}

impl Scale<'_> {
    fn layer(&mut self, layer: &Layer) {
        let (files, folder) = match &layer.place {
            Place::First(files) => (files.iter().find(|file| file.is_file()).cloned().into_iter().collect(), None),
            Place::Folder(folder, suffix) => (listed(folder, suffix), Some(folder.as_path())),
            Place::Pattern(pattern) => (matching(pattern), None),
        };
        if let (Form::Described(chars_max), Some(folder)) = (layer.form, folder) {
            return self.described(layer.kind, folder, &files, chars_max);
        }
        for path in files {
            self.file(&Found { kind: layer.kind, path, by: None, hops: 0 }, layer);
        }
    }

    fn file(&mut self, found: &Found<'_>, layer: &Layer) {
        let Some(content) = self.reader.text(&found.path) else { return };
        let (header, body) = text::split_header(&content.text);
        let is_loaded = match layer.only {
            Only::All => true,
            Only::Everywhere(key) => {
                text::field(header, key).is_none_or(|files| ["**", "**/*"].contains(&files.trim_start_matches("- ")))
            }
            Only::With(key, value) => text::field(header, key).as_deref() == Some(value),
        };
        if !is_loaded {
            return;
        }
        let mut note = content.is_cut.then(|| "only its first megabyte was counted".to_owned());
        let loaded = match layer.form {
            Form::Whole | Form::LinkedInside(_) | Form::Described(_) => content.text.clone(),
            Form::Body => body.to_owned(),
            Form::Linked(_) => text::without_comments(body),
            Form::Head(lines_max, bytes_max) => {
                let head = text::head(&content.text, lines_max, bytes_max);
                if head.len() < content.text.len() {
                    note = Some(format!("the agent loads the first {} of {} bytes", head.len(), content.text.len()));
                }
                head.to_owned()
            }
            Form::Within(bytes_max) => {
                let left = self.shared.get_or_insert(bytes_max);
                let head = text::head(&content.text, usize::MAX, *left);
                *left -= head.len();
                if head.len() < content.text.len() {
                    note = Some(format!("the agent cuts it: {} of {} bytes fit", head.len(), content.text.len()));
                }
                head.to_owned()
            }
        };
        if let Some(by) = found.by {
            note.get_or_insert(format!("imported by {}", self.start.shown(by)));
        }
        let is_bounded = matches!(layer.form, Form::Head(..) | Form::Within(_));
        let n_unread = if is_bounded { content.text.len() - loaded.len() } else { 0 };
        self.push(found, &loaded, (n_unread, note));
        self.imports(found, &loaded, layer);
    }

    fn imports(&mut self, found: &Found<'_>, loaded: &str, layer: &Layer) {
        let (hops_max, is_inside_only) = match layer.form {
            Form::Linked(hops_max) => (hops_max, false),
            Form::LinkedInside(hops_max) => (hops_max, true),
            _ => return,
        };
        if found.hops >= hops_max {
            return;
        }
        let folder = found.path.parent().unwrap_or(&found.path);
        for place in text::imports(loaded).into_iter().take(IMPORTS_MAX) {
            let path = match place.strip_prefix("~/") {
                Some(rest) => self.start.machine.home.join(rest),
                None => folder.join(place),
            };
            if path.is_file() && (!is_inside_only || self.start.is_inside(&path) || is_in(&path, folder)) {
                let next = Found { kind: Kind::Import, path, by: Some(&found.path), hops: found.hops + 1 };
                self.file(&next, layer);
            }
        }
    }

    /// One row for a folder: there may be hundreds, and each is a line to the model.
    fn described(&mut self, kind: Kind, folder: &Path, files: &[PathBuf], chars_max: usize) {
        let mut all = String::new();
        let mut largest: Option<Section> = None;
        let mut n_files = 0;
        for path in files {
            let Some(content) = self.reader.text(path) else { continue };
            let (header, _) = text::split_header(&content.text);
            if text::field(header, "disable-model-invocation").as_deref() == Some("true") {
                continue;
            }
            let name = text::field(header, "name").unwrap_or_else(|| name_of(path));
            let words = ["description", "when_to_use"].into_iter().filter_map(|key| text::field(header, key));
            let words: String = words.collect::<Vec<_>>().join(" - ").chars().take(chars_max).collect();
            let line = format!("- {name}: {words}\n");
            let tokens = (self.ruler)(&line);
            if largest.as_ref().is_none_or(|largest| tokens > largest.tokens) {
                largest = Some(Section { name, tokens });
            }
            all.push_str(&line);
            n_files += 1;
        }
        if n_files > 0 {
            let note = Some(format!("descriptions of {n_files}"));
            let (tokens, bytes) = ((self.ruler)(&all), all.len());
            let place = self.start.shown(folder);
            self.parts.push(Part { kind, place, tokens, bytes, n_unread: 0, note, section: largest });
        }
    }

    fn push(&mut self, found: &Found<'_>, loaded: &str, (n_unread, note): (usize, Option<String>)) {
        let sections = text::sections(loaded);
        let counted =
            sections.iter().map(|(name, text)| Section { name: (*name).to_owned(), tokens: (self.ruler)(text) });
        let section = counted.max_by_key(|section| section.tokens);
        let (tokens, bytes) = ((self.ruler)(loaded), loaded.len());
        let place = self.start.shown(&found.path);
        self.parts.push(Part { kind: found.kind, place, tokens, bytes, n_unread, note, section });
    }
}

/// A skill is named by its folder, anything else by its file.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    if stem == "SKILL" { folder } else { stem }
}
