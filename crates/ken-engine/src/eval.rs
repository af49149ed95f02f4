//! Measuring: does search find what it should?

pub mod retrieval;
