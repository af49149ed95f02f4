//! `ken export`: writes the vault out in another format.

use std::path::{Path, PathBuf};

use ken_core::Tokens;
use ken_engine::exchange::{ExportShape, FORMATS, Format, OutFile, Output, Settings, format_named};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::dest::{Put, is_folder, write_file, write_folder};
use crate::exit::Answer;
use crate::paint::{BOLD, DIM};
use crate::table::Cell;
use crate::text::{clean, count};
use crate::ui::Ui;

/// Write the vault out in another format
///
/// `jsonl` has everything, talk included, and `ken import` makes an equal vault of
/// it. The others are for reading elsewhere: `okf`, `obsidian`, `basic-memory`,
/// `llm-wiki-compiler`, `qmd`, `hydraflow`, `recall`, `llms`, `graphml`, `dot`,
/// `skill`. Without a format they are listed.
///
/// DEST is a file or folder outside of the vault's own folders; without it, formats
/// of one file go to standard output. A file that no export wrote is never replaced
/// without `--force`. The vault itself is not changed.
///
/// Examples:
///   ken export jsonl backup.jsonl      all of it, for another machine
///   ken export obsidian ~/Obsidian/shop
///   ken export llms site/ --max-tokens 20000
///   ken export dot | dot -Tsvg -o pages.svg
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The format; without it, all are listed
    format: Option<String>,
    /// A file or folder [default: standard output]
    dest: Option<PathBuf>,
    /// What the text may cost, of `llms` [default: 8000]
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    max_tokens: Option<usize>,
    /// Replace files that no export wrote
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dest: Option<String>,
    files: Vec<FileWire<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct FileWire<'a> {
    path: String,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct FormatWire<'a> {
    format: &'a str,
    about: &'a str,
    export: bool,
    import: bool,
}

#[derive(Serialize)]
struct FormatsWire<'a> {
    formats: Vec<FormatWire<'a>>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let Some(name) = &args.format else {
        list(ui);
        return Ok(Answer::Yes);
    };
    let format = named(name, |format| format.write.is_some())?;
    let Some(writer) = &format.write else {
        return Err(Failure::usage(format!("`{}` is a format that is only read", format.name)));
    };
    let dest = args.dest.as_deref().filter(|dest| *dest != Path::new("-"));
    if let Some(why) = dest.and_then(|dest| Some((dest, engine.why_not_export_to(dest)?))) {
        return Err(Failure::usage(format!("`{}` is no place for an export: {}", why.0.display(), why.1))
            .hint("name a place outside of the vault's folders; nothing was changed"));
    }
    if dest.is_none() && writer.shape == ExportShape::Folder {
        return Err(Failure::usage(format!("`{}` is a folder of files", format.name))
            .hint(format!("say where, as in `ken export {} DIR`; nothing was changed", format.name)));
    }
    let out = engine.export(format, &Settings { tokens_max: args.max_tokens.map(Tokens) })?;
    let Some(dest) = dest else {
        match ui.is_json() {
            true => ui.json(&wire(format, None, &out, &[])),
            false => ui.page_text(out.files.first().map_or("", |file| &file.text)),
        }
        out.notes.iter().for_each(|note| ui.note(&clean(note)));
        return Ok(Answer::Yes);
    };
    let done = write(format, dest, &out, args.force)?;
    match ui.is_json() {
        true => ui.json(&wire(format, Some(dest), &out, &done)),
        false => print(dest, &out, &done, ui),
    }
    Ok(Answer::Yes)
}

/// Returns the format of that name.
///
/// # Errors
/// When there is none, with what there is.
pub(crate) fn named(name: &str, is_wanted: fn(&Format) -> bool) -> Result<&'static Format, Failure> {
    format_named(name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().filter(|format| is_wanted(format)).map(|format| format.name).collect();
        let closest = ken_core::text::closest(name, known.iter().copied());
        let failure = Failure::usage(format!("no format is called `{}`", clean(name)));
        let failure = match closest {
            Some(closest) => failure.hint(format!("the nearest is `{closest}`")),
            None => failure,
        };
        failure.hint(format!("there are {}; nothing was changed", crate::text::quoted(&known)))
    })
}

/// Writes the files; a single one where that is what was named.
fn write(format: &Format, dest: &Path, out: &Output, force: bool) -> Result<Vec<(String, Put)>, Failure> {
    let writer = format.write.as_ref().expect("it was looked at");
    let ends_open = dest.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    let is_one_file = match writer.shape {
        ExportShape::File => true,
        ExportShape::Files => !is_folder(dest) && dest.extension().is_some_and(|extension| extension == "txt"),
        ExportShape::Folder => false,
    };
    if !is_one_file {
        let done = write_folder(dest, format.name, &out.files, force)?;
        return Ok(done.into_iter().map(|(path, state)| (path.to_string(), state)).collect());
    }
    let file: &OutFile = out.files.first().expect("a format of one file has one");
    let place = if is_folder(dest) || ends_open { dest.join(file.path.as_str()) } else { dest.to_path_buf() };
    let state = write_file(&place, &file.text, out.sign.as_deref().unwrap_or(writer.sign), force)?;
    Ok(vec![(place.display().to_string(), state)])
}

fn wire<'a>(format: &'a Format, dest: Option<&Path>, out: &'a Output, done: &[(String, Put)]) -> Wire<'a> {
    let size = |path: &str| {
        let found = out.files.iter().find(|file| file.path.as_str() == path).or(out.files.first());
        found.map_or(0, |file| file.text.len())
    };
    let files = match dest {
        None => {
            let whole = |file: &'a OutFile| FileWire {
                path: file.path.to_string(),
                bytes: file.text.len(),
                state: None,
                text: Some(&file.text),
            };
            out.files.iter().map(whole).collect()
        }
        Some(_) => {
            let written = |(path, state): &(String, Put)| FileWire {
                path: path.clone(),
                bytes: if *state == Put::Removed { 0 } else { size(path) },
                state: Some(state.as_str()),
                text: None,
            };
            done.iter().map(written).collect()
        }
    };
    Wire { format: format.name, dest: dest.map(crate::wire::place), files, notes: &out.notes }
}

fn print(dest: &Path, out: &Output, done: &[(String, Put)], ui: &mut Ui) {
    let n = |state: Put| done.iter().filter(|(_, one)| *one == state).count();
    // Of a folder, places are told from it.
    let only = match done {
        [(one, _)] if Path::new(one).starts_with(dest) => Some(one),
        _ => None,
    };
    let place = clean(&only.cloned().unwrap_or_else(|| dest.display().to_string()));
    let (n_written, n_removed) = (n(Put::Written), n(Put::Removed));
    let rest = [(n(Put::Unchanged), "unchanged"), (n_removed, "removed")];
    let rest: Vec<String> = rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    match (n_written + n_removed, only, rest.is_empty()) {
        (0, ..) if done.is_empty() => ui.say("There is no page to write; nothing was changed."),
        (0, ..) => ui.say(format!("{place} is as it was: nothing is new.")),
        (_, Some(_), _) => ui.say(format!("Wrote {place}")),
        (_, None, true) => ui.say(format!("Wrote {} to {place}", count(n_written, "file"))),
        (_, None, false) => ui.say(format!("Wrote {} to {place}: {}.", count(n_written, "file"), rest.join(", "))),
    }
    out.notes.iter().for_each(|note| ui.note(&clean(note)));
}

fn list(ui: &mut Ui) {
    if ui.is_json() {
        let wire = |format: &&'static Format| FormatWire {
            format: format.name,
            about: format.about,
            export: format.write.is_some(),
            import: format.read.is_some(),
        };
        ui.json(&FormatsWire { formats: FORMATS.iter().map(wire).collect() });
        return;
    }
    let row = |format: &&'static Format| {
        let ways = match (format.write.is_some(), format.read.is_some()) {
            (true, true) => "export, import",
            (true, false) => "export",
            _ => "import",
        };
        vec![Cell::new(format.name).style(BOLD), Cell::new(ways).style(DIM), Cell::new(format.about)]
    };
    ui.rows(&FORMATS.iter().map(row).collect::<Vec<_>>());
}
