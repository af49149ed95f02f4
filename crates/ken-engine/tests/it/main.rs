//! Whole operations of the engine on real vaults in temporary folders.

mod answers;
mod ask;
mod at_once;
mod blame;
mod capture;
mod compile;
mod context;
mod distill;
mod documents;
mod drift;
mod doubts;
mod forget;
mod judging;
mod layouts;
mod lazy;
mod meaning;
mod models;
mod nodrop;
mod owner;
mod packets;
mod resolve;
mod retold;
mod rollups;
mod hostile;
mod scan;
mod search;
mod secrets;
mod session_packets;
#[cfg(feature = "semantic")]
mod semantic;
mod support;
mod table;
mod talk;
mod timeline;
mod told;
