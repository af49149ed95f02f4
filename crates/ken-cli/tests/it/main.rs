//! What suites cannot show: streams, terminals, locks, processes that are killed or meet.

#[cfg(unix)]
mod asking;
mod distill;
mod captures;
mod hooks;
mod retry;
mod streams;
mod support;
