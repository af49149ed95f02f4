//! The only place that changes the files of a vault.
//!
//! A [`Store`] reads and lists a vault without a lock, and changes it through one door,
//! [`Store::apply`], which carries out a whole [`ken_core::Plan`] or nothing of it: whatever moment the process or
//! the machine dies at, the next [`Store::lock`] finds the vault entirely before or entirely after
//! the plan. Invariants: the old bytes of an appended file stay its prefix; nobody's bytes are ever
//! overwritten unseen; no read or write goes through a symbolic link inside the vault.
//!
//! It does not understand pages, read configuration, ask for the time, or print.
//!
//! The modules are listed in suggested reading order.

mod error;
mod fs;
mod real_fs;

mod disk;
mod seal;
mod user;
mod settle;
mod listing;
mod store;
mod bulk;
mod ahead;
mod cache;
mod spool;
mod kept;
mod leftovers;

mod intent;
mod lock;

mod apply;
mod perform;
mod recover;

mod history;
mod runs;
mod undo;

pub use apply::Receipt;
pub use bulk::create_root;
pub use cache::CacheGuard;
pub use error::StoreError;
pub use fs::{Fs, FsEntry, FsMeta, Held, OpenFile};
pub use history::{Damage, History, OpId, Operation, OperationEdit, Verified};
pub use listing::{DEPTH_MAX, FileStat, FolderStat, Listing, Skipped};
pub use lock::{LockGuard, Owner};
pub use perform::Conflict;
pub use real_fs::RealFs;
pub use recover::{Left, Recovered};
pub use runs::{Redo, Run, Runs};
pub use seal::{Keys, Origin};
pub use spool::{SpoolGuard, SpooledFile};
pub use store::{GITIGNORE, Store};
pub use undo::Back;
pub use user::{UserFolder, UserGuard};
