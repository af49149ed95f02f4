//! What suites cannot show: streams, terminals, locks, processes that are killed or meet.

#[cfg(unix)]
mod asking;
mod distill;
mod hooks;
#[cfg(unix)]
mod stranger;
mod secrets;
mod streams;
mod support;
