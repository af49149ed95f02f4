//! Tests of rolling up.
