//! Coding agents on this machine: where they keep things, and how they call and are answered.
//!
//! What differs from agent to agent and has nothing to do with pages is kept here. Nothing here reads
//! the environment: a [`Machine`] is made once, by the program, and handed in. Only `install`,
//! `committed`, `budget` and `doctor` look at files and start programs.
//!
//! The modules are listed in suggested reading order.

pub mod call;
mod machine;
mod refusal;
mod login;
mod command;
pub mod install;
mod plugin;
mod committed;
pub mod agents;
pub mod budget;
pub mod doctor;

pub use call::{Call, Moment};
pub use committed::{last_committed, last_deleted};
pub use login::{Login, login};
pub use machine::{Machine, VARIABLES};
pub use refusal::Refusal;
