//! Amounts of money, in whole millionths of a dollar.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// Millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Money(pub u64);

impl Money {
    /// Returns an amount of dollars, rounded down; none when it is negative, no number or too large to count.
    pub fn of_usd(usd: f64) -> Option<Money> {
        let millionths = (usd * 1e6 + 1e-6).floor();
        (usd >= 0.0 && millionths < 1e15).then_some(Money(millionths as u64))
    }
}

impl Add for Money {
    type Output = Money;
    fn add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::default(), Add::add)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded up here too: what was spent is never shown as nothing.
        let shown = self.0.div_ceil(100);
        write!(f, "${}.{:04}", shown / 10_000, shown % 10_000)
    }
}
