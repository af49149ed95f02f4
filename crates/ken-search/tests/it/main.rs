//! What the crate promises, through its public surface only.

mod damage;
mod equivalence;
mod stamps;
mod support;
