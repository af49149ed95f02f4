//! A folder that qmd indexes: the pages as they stand, and `.qmd/index.yml`, which says what each folder of them is about.
//!
//! What comes in are the documents of the collections inside the folder. Commands that its configuration names are shown and
//! never run, and places outside are left out: it may have come with a clone.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ken_core::VaultPath;
use ken_core::header::{Style, encode_scalar};
use ken_core::text::{cut, one_line};

use crate::format::{Format, Incoming, Output, Received, Settings, Shape, Writer};
use crate::header::plain_name;
use crate::vault::{Item, Source, Vault};

/// A collection of qmd.
pub(crate) static QMD: Format = Format {
    name: "qmd",
    about: "a folder for qmd: pages, and what each folder is about",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write }),
    read: Some(read),
};

/// Where the configuration stands.
const CONFIGS: &[&str] = &[".qmd/index.yml", ".qmd/index.yaml"];
/// Longest description of a folder.
const ABOUT_CHARS_MAX: usize = 240;

fn write(vault: &Vault, _: &Settings) -> Output {
    let mut out = Output::default();
    let wiki = vault.snapshot.layout.wiki.as_str();
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for facts in &vault.snapshot.pages {
        let path = facts.page.path.as_str();
        if facts.page.path.extension() != "md" || facts.entry.redirect_to.is_some() {
            continue;
        }
        let below = path.strip_prefix(wiki).and_then(|path| path.strip_prefix('/')).unwrap_or(path);
        // A folder that begins with a dot is not indexed there.
        let below = below.split('/').map(|part| part.trim_start_matches('.')).collect::<Vec<_>>().join("/");
        let folder = below.rsplit_once('/').map_or("/".to_owned(), |(folder, _)| format!("/{folder}"));
        folders.entry(folder).or_default().push(one_line(&facts.entry.title));
        out.put(&below, facts.page.text.clone());
    }
    let mut config =
        format!("collections:\n  {}:\n    path: .\n    pattern: \"**/*.md\"\n    context:\n", plain_name(&vault.name));
    let name = one_line(&vault.name);
    let all = format!("The wiki {name}, compiled by Kenning from sessions and documents");
    let _ = writeln!(config, "      \"/\": {}", encode_scalar(&all, Style::Yaml));
    for (folder, titles) in folders.iter().filter(|(folder, _)| *folder != "/") {
        let kind = folder.rsplit('/').next().unwrap_or(folder);
        let about = cut(&format!("Pages of {name} in {kind}: {}", titles.join(", ")), ABOUT_CHARS_MAX);
        let _ =
            writeln!(config, "      {}: {}", encode_scalar(folder, Style::Yaml), encode_scalar(&about, Style::Yaml));
    }
    out.put(CONFIGS[0], config);
    out
}

/// A collection, as its configuration says.
#[derive(Debug, Default)]
struct Collection {
    name: String,
    path: String,
    update: String,
    contexts: Vec<(String, String)>,
}

fn read(files: &[Incoming]) -> Received {
    let config = files.iter().find(|file| CONFIGS.contains(&file.path.as_str()));
    let Some(config) = config.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()) else {
        return Received::refuse("there is no `.qmd/index.yml` in it, which says what its collections are");
    };
    let mut out = Received::default();
    let mut taken: Vec<&VaultPath> = Vec::new();
    for one in collections(&config) {
        if !one.update.is_empty() {
            out.skip(
                format!("update of {}", one.name),
                format!("`{}` is a command, and was not run", cut(&one.update, 80)),
            );
        }
        let inside = one.path.trim_start_matches("./").trim_end_matches('/');
        let folder = VaultPath::new(inside);
        if folder.is_none() && !matches!(inside, "" | ".") {
            out.skip(one.name.clone(), format!("`{}` is outside of the folder that was named", cut(&one.path, 80)));
            continue;
        }
        let is_in = |path: &VaultPath| folder.as_ref().is_none_or(|folder| path.is_under(folder.as_str()));
        for file in files.iter().filter(|file| file.path.extension() == "md" && is_in(&file.path)) {
            if taken.contains(&&file.path) {
                continue;
            }
            taken.push(&file.path);
            match String::from_utf8(file.bytes.clone()) {
                Ok(text) => out.items.push(Item::Source(Source::found(file.path.clone(), text))),
                Err(_) => out.skip(file.path.as_str(), "it is not UTF-8 text"),
            }
        }
        if let Some(text) = contexts(&one) {
            let path = format!("{}-contexts.md", plain_name(&one.name));
            out.items.push(Item::Source(Source::found(VaultPath::new(&path).expect("a plain name"), text)));
        }
    }
    if out.items.is_empty() && out.skipped.is_empty() {
        return Received::refuse("its configuration names no collection with a document in this folder");
    }
    out
}

/// What a collection says of its folders, as a document of its own.
fn contexts(one: &Collection) -> Option<String> {
    let row = |(place, about): &(String, String)| format!("- `{}`: {}\n", one_line(place), one_line(about));
    let rows: String = one.contexts.iter().map(row).collect();
    (!rows.is_empty()).then(|| format!("# What the folders of {} are about\n\n{rows}", one_line(&one.name)))
}

/// The collections of a configuration: keys by how far they are indented, which is all of YAML that it needs.
fn collections(config: &str) -> Vec<Collection> {
    let mut out: Vec<Collection> = Vec::new();
    let (mut is_in, mut is_context) = (false, false);
    let mut depths = (usize::MAX, usize::MAX);
    for line in config.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')) {
        let depth = line.len() - line.trim_start().len();
        let Some((key, value)) = pair(line.trim()) else { continue };
        if depth == 0 {
            (is_in, depths) = (key == "collections", (usize::MAX, usize::MAX));
        } else if is_in && depth <= depths.0 {
            (depths, is_context) = ((depth, usize::MAX), false);
            out.push(Collection { name: key, ..Collection::default() });
        } else if let Some(one) = out.last_mut().filter(|_| is_in) {
            if depth <= depths.1 {
                depths.1 = depth;
                is_context = key == "context";
                match key.as_str() {
                    "path" => one.path = value,
                    "update" => one.update = value,
                    _ => {}
                }
            } else if is_context {
                one.contexts.push((key, value));
            }
        }
    }
    out
}

/// A key and its value, either of them in quotes or not.
fn pair(line: &str) -> Option<(String, String)> {
    let quote = line.chars().next().filter(|ch| matches!(ch, '"' | '\''));
    let (key, rest) = match quote {
        Some(quote) => line[1..].split_once(quote).map(|(key, rest)| (key, rest.trim_start()))?,
        None => line.split_once(':').map(|(key, _)| (key, &line[key.len()..]))?,
    };
    let value = rest.strip_prefix(':')?.trim();
    let bare =
        |text: &str, quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote)).map(str::to_owned);
    let value = bare(value, '"').or_else(|| bare(value, '\'')).unwrap_or_else(|| value.to_owned());
    Some((key.trim().to_owned(), value))
}
