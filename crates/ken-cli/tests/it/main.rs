//! What suites cannot show: streams, terminals, locks, processes that are killed or meet.

mod distill;
mod hooks;
mod streams;
mod support;
