//! Whole operations of the engine on real vaults in temporary folders.

mod capture;
mod compile;
mod hostile;
mod scan;
mod search;
#[cfg(feature = "semantic")]
mod semantic;
mod support;
