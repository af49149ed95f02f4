//! What Kenning does: capture, ingest, compile, route, lint.
//!
//! An [`Engine`] holds one vault; each operation is a method that reads a snapshot, decides, and lets the
//! store apply a plan. Operations return outcomes or a [`Failure`]; they print nothing, read no
//! environment, and ask no clock.
//!
//! The modules are listed in suggested reading order.

pub mod failure;
pub mod config;
pub mod outcome;
mod earlier;
mod code;
mod engine;

pub use ken_intake::document::PDF_THREAD;
pub use ken_intake::transcript;
pub use ken_model as model;
mod wiki;
mod repository;

mod init;
mod recover;
mod resolve;
mod pages;
mod rolled;
mod history;
mod issues;
mod journal;
mod seen;
mod capture;
mod sync;
mod prune;
mod adopt;
mod forget;
mod distill;
mod spool;
mod work;
mod watch;
mod spending;
mod background;
mod ingest;
pub mod exchange;
pub mod propose;
mod compile;
mod consolidate;
mod agreement;
mod grounding;
mod then;
mod query;
mod blame;
mod timeline;
mod course;
mod actions;
mod state;
mod trusted;
mod context;
mod ask;
pub mod search;
pub mod eval;
mod brief;
mod drift;
mod check;
mod checklist;
mod scan;
mod status;
mod health;
mod demo;
#[cfg(test)]
mod in_memory;

pub use adopt::{AdoptOutcome, Adopted};
pub use ask::{AskCost, AskOptions, AskOutcome, Author, Filed, Known, Posed, THREAD_HOURS, Worth};
pub use background::{BackgroundOutcome, When};
pub use brief::TASK_CHARS_MAX;
pub use capture::Captures;
pub use check::LintOptions;
pub use checklist::CheckLine;
pub use compile::{CompileOptions, Counts, EstimateOutcome, Reason, WhyOutcome};
pub use consolidate::{ConsolidateOptions, ConsolidateOutcome};
pub use distill::{DistillOutcome, DistilledEntry};
pub use drift::{Departed, DriftOptions, DriftOutcome, Drifted, told as drift_told};
pub use earlier::Earlier;
pub use engine::{Clock, Engine};
pub use failure::{Failure, FailureKind};
pub use forget::{ForgetOptions, ForgetTarget};
pub use ingest::Committed;
pub use issues::CloseOutcome;
pub use journal::Note;
pub use ken_store::{Keys, Origin};
pub use pages::{Lack, NewPage, PageCommand, PageOutcome, Wanted};
pub use prune::{PruneOptions, PruneOutcome, Pruned, Stays};
pub use recover::{Decision, RecoverOutcome};
pub use resolve::Choice;
pub use scan::ScanOptions;
pub use spending::{Cap, Metered, Payer, Spending, SpendingCaps, SpendingOutcome};
pub use spool::Received;
pub use state::{ClosedBy, RenderOutcome, RenderPart, StateChangeOutcome, StateCommand, StateOutcome, StateTask};
pub use watch::{Concern, Watched};
