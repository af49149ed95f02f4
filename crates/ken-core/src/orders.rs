//! x
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule { A }
#[derive(Debug, Clone)]
pub struct Order { pub rule: Rule }
pub fn order(_: &str) -> Option<Order> { None }
