//! The layers of a start beside their limits.

use ken_agents::budget::{Kind, Loaded};
use ken_engine::config::{Figures, Limits, Measured};
use ken_engine::{Engine, Failure};

use super::window;
use crate::text::number;

/// What a start is measured against: the limits, and what the vault adds to it.
pub(crate) struct Against {
    /// The limits, with the window that was asked for.
    pub(crate) limits: Limits,
    state: usize,
    context: usize,
}

impl Against {
    /// Returns the limits of a vault; where there is none, the usual ones.
    pub(crate) fn of(
        engine: Option<&Engine>,
        window: Option<usize>,
        ruler: &dyn Fn(&str) -> usize,
    ) -> Result<Against, Failure> {
        let limits = engine.map_or_else(Limits::default, |engine| engine.config().limits);
        let limits = Limits { window: window.unwrap_or(limits.window), ..limits };
        let state = engine.map_or(Ok(0), |engine| engine.state_tokens(ruler))?;
        let context = engine.map_or(0, |engine| engine.config().context_tokens.0);
        Ok(Against { limits, state, context })
    }

    /// Returns each layer of a start beside its limit.
    pub(crate) fn measured(&self, loaded: &Loaded) -> [Measured; 5] {
        let of = |kinds: &[Kind]| loaded.parts.iter().filter(|part| kinds.contains(&part.kind)).collect::<Vec<_>>();
        let instructions = of(&[Kind::Managed, Kind::Instructions, Kind::Import, Kind::Rule]);
        self.limits.measured(Figures {
            instructions: instructions.iter().map(|part| part.tokens).sum(),
            memory_bytes: of(&[Kind::Memory]).iter().map(|part| part.bytes).sum(),
            state: self.state,
            start: loaded.tokens(),
            context: self.context,
        })
    }

    /// Returns the figure of a layer, and its limit, as people read them.
    pub(crate) fn shown(&self, one: &Measured) -> (String, String) {
        let is_share = matches!(one.key, "start_percent" | "free_percent");
        let share = |n: usize| format!(", {}", window::percent(n, self.limits.window));
        let share = |n: usize| if is_share { share(n) } else { String::new() };
        let word = if one.is_least { "at least" } else { "at most" };
        let figure = format!("{} {}{}", number(one.figure), one.unit, share(one.figure));
        (figure, format!("{word} {}{}", number(one.limit), share(one.limit)))
    }
}
