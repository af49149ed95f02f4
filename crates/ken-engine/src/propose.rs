//! What models propose, and what becomes of it.
//!
//! A model never holds the pen. It is given a bounded task, and its reply is kept before anything else is
//! done with it; a check that needs no model takes the reply apart, keeps each part that holds, and rejects
//! each other part with a reason. Pages are then composed from what was kept, in the same way and through
//! the same door as without a model. So a reply is an input like the journal: with the replies recorded,
//! composing again gives the same bytes and costs nothing.
//!
//! Nothing here decides what a page looks like, and nothing here writes to the wiki.
//!
//! The modules are listed in suggested reading order.

pub(crate) mod check;
pub(crate) mod kinds;
pub(crate) mod record;
pub(crate) mod task;
mod across;
pub(crate) mod pack;
pub mod costs;
pub(crate) mod rest;
mod progress;
mod keep;
mod sent;
pub(crate) mod asked;
pub(crate) mod run;
pub(crate) mod share;
mod calls;
mod batch;
mod collect;
mod cancel;
mod doubting;
mod judging;
mod submitted;
pub(crate) mod numbered;
mod packet;

pub use asked::AskedOutcome;
pub use check::Rejected;
pub use costs::{Caps, CostsOutcome, Spent};
pub use judging::{AppliedOutcome, JudgedOutcome, Judges, Tally};
pub use kinds::Kind;
pub(crate) use packet::nobody;
pub use packet::{PACKET_MINUTES, Packet, PacketInput, SubmitOutcome};
pub use progress::{Progress, Tell};
pub use rest::Pause;
pub use run::Author;
pub use sent::{BatchOutcome, UnderWay};
