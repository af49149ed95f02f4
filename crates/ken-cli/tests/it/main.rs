//! What suites cannot show: streams, terminals, locks, processes that are killed or meet.

#[cfg(unix)]
mod asking;
mod distill;
mod hooks;
mod race;
mod streams;
mod support;
