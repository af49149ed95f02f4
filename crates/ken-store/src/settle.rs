//! Waiting for a save that is under way.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ken_core::VaultPath;

use crate::disk::{Disk, Standing};
use crate::error::StoreError;
use crate::fs::FsMeta;

/// How long somebody may take between emptying a file and writing it.
const SAVE_MAX: Duration = Duration::from_secs(1);
const SAVE_PAUSE: Duration = Duration::from_millis(10);

/// Returns what stands at a path. Who saves a file in place empties it first: a file that was emptied just
/// now is read again until there is something in it, or until it has been empty for as long as any save takes.
pub(crate) fn settled(disk: &Disk, path: &VaultPath) -> Result<Standing, StoreError> {
    let begun = Instant::now();
    loop {
        let now = disk.standing(path)?;
        let is_new = |meta: FsMeta| {
            let changed = Duration::from_nanos(meta.mtime_ns.unsigned_abs());
            let age = SystemTime::now().duration_since(UNIX_EPOCH + changed);
            age.is_ok_and(|age| age < SAVE_MAX)
        };
        let is_emptied = now == Standing::File(Vec::new()) && disk.stat(path)?.is_some_and(is_new);
        if !is_emptied || begun.elapsed() > SAVE_MAX {
            return Ok(now);
        }
        std::thread::sleep(SAVE_PAUSE);
    }
}
