//! Measuring: whether a vault knows what it should, how well search finds, what routing spares.
//!
//! Everything here only reads, and calls no model but where answers are graded. A stopwatch comes from the caller.
//!
//! The modules are listed in suggested reading order.

pub mod metrics;
pub mod confidence;
mod benchmark;
pub mod retrieval;
mod said;
mod expected;
mod headers;
pub mod knowledge;
pub mod routing;
pub mod answers;
