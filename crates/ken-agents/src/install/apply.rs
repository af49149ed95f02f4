//! Making changes and taking them back, one step at a time.
//!
//! A step is prepared (what it will change is read and written into the receipt) before it is made.

use std::path::{Path, PathBuf};

use super::change::{Change, CliChange, Edit, FileChange};
use super::json::Left;
use super::receipt::{Before, FileState, Step};
use super::{disk, json, run};
use crate::machine::Machine;
use crate::refusal::Refusal;

/// Returns the step that makes this change; `None` when nothing would change.
pub(crate) fn prepare(change: &Change) -> Result<Option<Step>, Refusal> {
    let prepared = |files, folders| Step { change: change.clone(), is_done: false, files, folders };
    match change {
        Change::File(file) => {
            let path = disk::real(&file.path)?;
            let before = disk::read(&path)?;
            let after = after(file, &path, before.as_deref())?;
            if before.as_deref().unwrap_or_default() == after && (before.is_some() || file.takes()) {
                return Ok(None);
            }
            let before = before.filter(|text| !file.is_ours(text));
            // What is taken out is put back also where others have edited the file since; that needs all of it.
            let whole = before.clone().filter(|_| file.takes()).map(Before::Text);
            let state = FileState {
                before: whole.unwrap_or_else(|| Before::between(before.as_deref(), &after)),
                after: Some(disk::digest(&after)),
                mode: disk::mode(&path),
                path: path.clone(),
            };
            Ok(Some(prepared(vec![state], disk::missing_folders(&path))))
        }
        Change::Cli(cli) => {
            if is_in_place(cli)? {
                return Ok(None);
            }
            let mut files = Vec::new();
            let mut folders: Vec<PathBuf> =
                cli.own_folders.iter().chain(&cli.folders).filter(|folder| !folder.exists()).cloned().collect();
            for touched in &cli.touched {
                let path = real_of(&touched.path)?;
                let before = disk::read(&path)?.map_or(Before::Absent, Before::Text);
                folders.extend(disk::missing_folders(&path));
                files.push(FileState { mode: disk::mode(&path), path, before, after: None });
            }
            folders.sort();
            folders.dedup();
            Ok(Some(prepared(files, folders)))
        }
    }
}

/// Makes a prepared step.
pub(crate) fn make(step: &mut Step, machine: &Machine) -> Result<(), Refusal> {
    match &step.change {
        Change::File(file) => {
            let path = &step.files[0].path;
            let text = after(file, path, disk::read(path)?.as_deref())?;
            if step.files[0].after.as_deref() != Some(disk::digest(&text).as_str()) {
                return Err(Refusal::of_file("write", path, "somebody else is changing it"));
            }
            disk::write(path, &text, file.is_program())?;
        }
        Change::Cli(cli) => {
            for call in &cli.calls {
                run::call(&cli.program, call, machine)?;
            }
            for file in &mut step.files {
                file.after = disk::read(&file.path)?.as_deref().map(disk::digest);
            }
        }
    }
    step.is_done = true;
    Ok(())
}

/// Takes a step back and returns what a person should know about it.
pub(crate) fn take_back(step: &Step, machine: &Machine) -> Result<Vec<String>, Refusal> {
    let mut notes = Vec::new();
    match &step.change {
        Change::File(change) => {
            for file in &step.files {
                if !step.is_done {
                    disk::remove_beside(&file.path);
                }
                notes.extend(take_back_file(change, file, machine)?);
            }
        }
        Change::Cli(cli) => take_back_cli(cli, step, machine, &mut notes)?,
    }
    disk::remove_empty(&step.folders);
    Ok(notes)
}

/// Returns the text that taking a step back will leave of a file, if the step changed that file; the
/// inner `None` stands for no file.
pub(crate) fn text_before(step: &Step, path: &Path, now: &str) -> Option<Option<String>> {
    let Change::File(change) = &step.change else { return None };
    let file = step.files.iter().find(|file| file.path == path)?;
    if file.after.as_deref() == Some(disk::digest(now).as_str()) {
        return Some(file.before.restored(now));
    }
    change.taken_back(now, file.before.text()).ok().map(|left| Some(left.text))
}

/// Returns whether what a change makes is there.
pub(crate) fn is_made(change: &Change) -> bool {
    match change {
        Change::File(file) => {
            let text = disk::real(&file.path).and_then(|path| disk::read(&path)).ok().flatten();
            text.is_some_and(|text| match &file.edit {
                Edit::Json { edits, .. } => json::holds(&text, edits),
                _ => file.after(Some(&text)).as_deref() == Ok(text.as_str()),
            })
        }
        Change::Cli(cli) => is_in_place(cli).unwrap_or(false),
    }
}

/// Returns the text of a file with a change in it.
pub(crate) fn after(file: &FileChange, path: &Path, before: Option<&str>) -> Result<String, Refusal> {
    if matches!(file.edit, Edit::Block { .. }) && file.is_program() && before.is_some() && !disk::is_program(path) {
        let cause = "it is there and switched off, as it may not be run";
        return Err(Refusal::of_file("edit", path, cause).hint("make it executable, or remove it"));
    }
    file.after(before).map_err(|cause| Refusal::of_file("edit", path, cause))
}

/// Returns where a file really is; a lock file lies beside the real place of what it locks.
fn real_of(path: &Path) -> Result<PathBuf, Refusal> {
    match path.extension() {
        Some(extension) if extension == "lock" => {
            let mut locked = disk::real(&path.with_extension(""))?.into_os_string();
            locked.push(".lock");
            Ok(PathBuf::from(locked))
        }
        _ => disk::real(path),
    }
}

fn is_in_place(cli: &CliChange) -> Result<bool, Refusal> {
    for touched in cli.touched.iter().filter(|touched| !touched.sign.is_empty()) {
        if !disk::read(&touched.path)?.is_some_and(|text| text.contains(&touched.sign)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn take_back_file(change: &FileChange, file: &FileState, machine: &Machine) -> Result<Vec<String>, Refusal> {
    let shown = machine.shown(&file.path);
    let Some(now) = disk::read(&file.path)? else { return Ok(Vec::new()) };
    if file.before.is(&now) {
        return Ok(Vec::new());
    }
    if file.after.as_deref() == Some(disk::digest(&now).as_str()) {
        restore(file, &now)?;
        return Ok(Vec::new());
    }
    match change.taken_back(&now, file.before.text()) {
        Ok(left) if left.text == now => Ok(Vec::new()),
        Ok(left) if left.is_empty && file.before == Before::Absent => put(&file.path, None).map(|()| Vec::new()),
        Ok(left) => {
            put(&file.path, Some(left.text))?;
            Ok(vec![format!("{shown} was changed by others since; only what Kenning added was removed")])
        }
        Err(cause) => Ok(vec![format!("{shown} was left alone: {cause}")]),
    }
}

fn take_back_cli(cli: &CliChange, step: &Step, machine: &Machine, notes: &mut Vec<String>) -> Result<(), Refusal> {
    let mut untouched = Vec::new();
    for file in &step.files {
        let now = disk::read(&file.path)?;
        untouched.push(step.is_done && now.as_deref().map(disk::digest) == file.after);
    }
    for call in &cli.undo {
        // What is gone already cannot be removed again; the files below tell whether it worked.
        let _ = run::call(&cli.program, call, machine);
    }
    let program = cli.program.file_name().unwrap_or_default().to_string_lossy();
    for ((file, touched), untouched) in step.files.iter().zip(&cli.touched).zip(untouched) {
        let shown = machine.shown(&file.path);
        let Some(now) = disk::read(&file.path)? else {
            if untouched {
                restore(file, "")?;
            }
            continue;
        };
        let left = touched.cleaned(&now);
        let is_still_there = !touched.sign.is_empty() && left.text.contains(&touched.sign);
        if untouched || same_content(&left, &file.before) {
            restore(file, &now)?;
        } else if is_still_there {
            let by_hand: Vec<String> = cli.undo.iter().map(|call| format!("`{program} {}`", call.join(" "))).collect();
            notes.push(format!("{shown} still has Kenning; run {} by hand", by_hand.join(" and ")));
        } else {
            if left.text != now {
                put(&file.path, Some(left.text))?;
            }
            notes.push(format!("{shown} was changed by others since; only what Kenning added was removed"));
        }
    }
    for folder in cli.own_folders.iter().filter(|folder| step.folders.contains(folder)) {
        disk::remove_own(folder)?;
    }
    Ok(())
}

/// Returns whether what is left differs from what was there in its form only.
fn same_content(left: &Left, before: &Before) -> bool {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    match before {
        Before::Absent => left.is_empty,
        Before::Text(before) => {
            // What an agent added and took away again leaves a line end.
            left.text.trim_end() == before.trim_end()
                || value(&left.text).is_some_and(|left| Some(left) == value(before))
        }
        Before::Splice { .. } => false,
    }
}

fn restore(file: &FileState, now: &str) -> Result<(), Refusal> {
    put(&file.path, file.before.restored(now))?;
    disk::set_mode(&file.path, file.mode);
    Ok(())
}

fn put(path: &Path, text: Option<String>) -> Result<(), Refusal> {
    match text {
        Some(text) => disk::write(path, &text, false),
        None => disk::remove(path),
    }
}
