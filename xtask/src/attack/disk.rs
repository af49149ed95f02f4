//! Disks that are full or cannot be written to: real ones, in memory, where this machine lets one be mounted.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::arena::{Arena, copy, ended, files};
use super::{Plan, Tally};

/// A file system of so many kilobytes at a place, for as long as the value lives.
struct Mounted<'a>(&'a Path);

impl Mounted<'_> {
    fn at(place: &Path, kilobytes: usize) -> Option<Mounted<'_>> {
        let size = format!("size={kilobytes}k");
        let done = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(place).output().ok()?;
        done.status.success().then_some(Mounted(place))
    }

    fn make_read_only(&self) -> bool {
        Command::new("mount").args(["-o", "remount,ro"]).arg(self.0).output().is_ok_and(|done| done.status.success())
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).output();
    }
}

const COMMANDS: &[&[&str]] =
    &[&["log", "The flour came."], &["compile", "--all"], &["rebuild", "--all"], &["scan", "--fix"]];

/// Commands on a disk that is nearly full: with each amount of room they succeed, or nothing was changed, or the
/// change is recorded and completed once there is room.
pub(super) fn full(plan: &Plan) -> Result<Tally, String> {
    let start = Arena::new(&plan.ken)?;
    start.furnish()?;
    let mut tally = Tally::default();
    for args in COMMANDS {
        for room in (0..plan.of(8, 60)).map(|n| n * plan.of(8, 4)) {
            let arena = Arena::new(&plan.ken)?;
            copy(&start.home(), &arena.home())?;
            let vault = arena.vault();
            let Some(_mounted) = Mounted::at(&vault, 16 * 1024) else {
                return Ok(Tally::skipped("this user may mount no file system"));
            };
            copy(&start.vault(), &vault)?;
            ended(arena.ken(&["recover", "--accept"]))?;
            fill(&vault, room)?;
            let before = seen(&vault);
            let output = ended(arena.ken(args))?;
            let after = seen(&vault);
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            tally.tries += 1;
            let wrong = match output.status.code() {
                Some(0 | 1) => None,
                Some(3 | 4) if before == after => None,
                Some(5) => None,
                Some(3 | 4) => Some("said that nothing was changed, and something was"),
                _ => Some("ended in another way"),
            };
            if let Some(wrong) = wrong {
                tally.violations.push(format!("`ken {}` with {room} KiB free {wrong}: {said}", args.join(" ")));
            }
            let _ = fs::remove_file(vault.join("ballast"));
            let next = ended(arena.ken(&["lint", "--fix", "--quiet"]))?;
            if !matches!(next.status.code(), Some(0 | 1)) || vault.join(".kenning/intent").exists() {
                let why = String::from_utf8_lossy(&next.stderr).trim().to_owned();
                tally
                    .violations
                    .push(format!("`ken {}` with {room} KiB free: not completed later: {why}", args.join(" ")));
            }
        }
    }
    Ok(tally)
}

/// Every command in a vault that cannot be written to.
pub(super) fn read_only(plan: &Plan) -> Result<Tally, String> {
    let start = Arena::new(&plan.ken)?;
    start.furnish()?;
    let arena = Arena::new(&plan.ken)?;
    copy(&start.home(), &arena.home())?;
    let vault = arena.vault();
    let Some(mounted) = Mounted::at(&vault, 16 * 1024) else {
        return Ok(Tally::skipped("this user may mount no file system"));
    };
    copy(&start.vault(), &vault)?;
    if !mounted.make_read_only() {
        return Ok(Tally::skipped("a file system could not be made read-only"));
    }
    let mut tally = Tally::default();
    for args in super::planted::COMMANDS {
        let output = ended(arena.ken(args))?;
        tally.tries += 1;
        let reads = ["status", "list", "route", "context", "ask", "search", "brief", "history", "show"];
        let is_right = match output.status.code() {
            Some(0 | 1) => true,
            Some(2..=4) => !reads.contains(&args[0]),
            _ => false,
        };
        if !is_right {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            tally.violations.push(format!("`ken {}`: {:?} {said}", args.join(" "), output.status.code()));
        }
    }
    Ok(tally)
}

/// Fills the disk up to so many kilobytes.
fn fill(vault: &Path, room: usize) -> Result<(), String> {
    use std::io::Write;
    let mut file = fs::File::create(vault.join("ballast")).map_err(|err| err.to_string())?;
    let block = vec![0; 1024];
    let mut n_written = 0;
    while file.write_all(&block).is_ok() {
        n_written += 1;
    }
    file.set_len(1024 * (n_written as u64).saturating_sub(room as u64)).map_err(|err| err.to_string())
}

/// What people see of a vault: everything but what the program keeps for itself.
fn seen(vault: &Path) -> Vec<(std::path::PathBuf, u64)> {
    let tool = vault.join(".kenning");
    files(vault).into_iter().filter(|(path, _)| !path.starts_with(&tool)).collect()
}
