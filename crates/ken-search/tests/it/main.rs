//! What the crate promises, through its public surface only.

mod called;
mod damage;
mod equivalence;
mod shelf;
mod stamps;
mod support;
