//! The store's promises, one module each.

mod ahead;
mod applying;
mod crash_sweep;
mod full_disk;
mod history;
mod keeping;
mod mem_fs;
mod places;
mod processes;
mod recovery;
mod redacting;
mod foreign;
mod forgetting;
mod saving;
mod spool;
mod support;
mod undoing;
mod worker;
