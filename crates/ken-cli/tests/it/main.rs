//! What suites cannot show: streams, terminals, locks, processes that are killed or meet.

#[cfg(unix)]
mod asking;
mod at_once;
mod answers;
mod background;
mod batches;
mod distill;
mod documents;
mod exchanged;
mod fleet;
mod folders;
mod captures;
#[cfg(unix)]
mod committed;
mod hooks;
#[cfg(unix)]
mod poison;
mod provider;
mod race;
mod retry;
mod secrets;
mod state;
#[cfg(unix)]
mod stranger;
mod streams;
mod support;
#[cfg(unix)]
mod watch;
