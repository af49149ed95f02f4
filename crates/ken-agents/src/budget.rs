//! What an agent loads before the first prompt, and what that costs.
//!
//! An agent says in its own file which [`Layer`]s it has and which [`Server`]s it starts; reading them,
//! within bounds, and counting them is done here, alike for all. What counts tokens is handed in.
//! Nothing is started unless [`mcp::list`] is called.
//!
//! The modules are listed in suggested reading order.

mod layer;
mod read;
mod text;
mod weigh;
mod server;
pub mod mcp;
#[cfg(test)]
mod tests;

pub use layer::{Counting, Form, Kind, Layer, Only, Place, Start};
pub use server::{Asked, Call, Server, Shown, Told};
pub use weigh::{Part, Section};

pub(crate) use server::servers_in;

use crate::agents::{AGENTS, Agent, Site};
use crate::install::{Scope, is_made, read_receipt};
use mcp::Listings;

/// Files that are named for trimming; who has trimmed three looks again.
const TRIM_MAX: usize = 3;

/// What counts the tokens of a text.
pub type Ruler<'a> = &'a dyn Fn(&str) -> usize;

/// What an agent loads before the first prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What was counted, in the agent's order.
    pub parts: Vec<Part>,
    /// The tool servers that it starts, counted or not.
    pub servers: Vec<Told>,
    /// Whether there were more files than are counted.
    pub is_cut: bool,
}

impl Loaded {
    /// Returns the tokens of all of it.
    pub fn tokens(&self) -> usize {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// Returns whether all of it is text of files; lists are put into words by the agent, and how is
    /// its own affair.
    pub fn is_verbatim(&self) -> bool {
        !self.parts.iter().any(|part| matches!(part.kind, Kind::Skills | Kind::Tools))
    }

    /// Returns what to trim first so that `tokens_max` is kept: the largest parts that people write.
    pub fn to_trim(&self, tokens_max: usize) -> Vec<&Part> {
        let mut parts: Vec<&Part> =
            self.parts.iter().filter(|part| !matches!(part.kind, Kind::Managed | Kind::Brief)).collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.tokens));
        let mut left = self.tokens();
        let is_needed = |part: &&Part| {
            let is_needed = left > tokens_max;
            left -= part.tokens;
            is_needed
        };
        parts.into_iter().take_while(is_needed).take(TRIM_MAX).collect()
    }
}

/// Returns what an agent loads: its files, the brief that Kenning hands it, and what its tool servers
/// said, as far as they were asked.
pub fn load(agent: &dyn Agent, start: &Start<'_>, brief: Option<&str>, said: &Listings, ruler: Ruler<'_>) -> Loaded {
    let weighed = weigh::weigh(&agent.layers(start), start, ruler);
    let mut loaded = Loaded { parts: weighed.parts, servers: Vec::new(), is_cut: weighed.is_cut };
    if let Some(text) = brief.filter(|text| !text.is_empty() && is_briefed(agent, start)) {
        let note = Some("`brief_bytes` in kenning.toml bounds it".to_owned());
        let (place, tokens, bytes) = ("ken brief".to_owned(), ruler(text), text.len());
        loaded.parts.push(Part { kind: Kind::Brief, place, tokens, bytes, n_unread: 0, note, section: None });
    }
    for server in servers(agent, start) {
        let told = said.told(server, agent.shown(), start, ruler);
        loaded.parts.extend(told.part());
        loaded.servers.push(told);
    }
    loaded
}

/// Returns the tool servers of an agent; of two with one name the nearer counts.
pub fn servers(agent: &dyn Agent, start: &Start<'_>) -> Vec<Server> {
    let mut servers: Vec<Server> = Vec::new();
    for server in agent.servers(start) {
        if !servers.iter().any(|other| other.name == server.name) {
            servers.push(server);
        }
    }
    servers
}

/// Returns the agents of which something shows on this machine.
pub fn found(start: &Start<'_>) -> Vec<&'static dyn Agent> {
    let is_found = |agent: &&dyn Agent| !agent.is_extra() && agent.found(start.machine).is_some();
    AGENTS.iter().copied().filter(is_found).collect()
}

/// Returns whether a session of the agent in this place starts with a brief.
fn is_briefed(agent: &dyn Agent, start: &Start<'_>) -> bool {
    if agent.received(&agent.answer("SessionStart", "text")).is_none() {
        return false;
    }
    let is_here = |scope: &Scope| match scope {
        Scope::User => true,
        Scope::Project(folder) => start.cwd.starts_with(folder),
    };
    let records = read_receipt(start.machine).ok().flatten().map(|receipt| receipt.installed).unwrap_or_default();
    // What a team has committed is in no receipt of this machine.
    let site = Site {
        machine: start.machine,
        scope: Scope::Project(start.root.clone()),
        vault: None,
        along: Vec::new(),
        takes: false,
    };
    records.iter().any(|record| record.agent == agent.name() && is_here(&record.scope))
        || agent.changes(&site).is_ok_and(|changes| !changes.is_empty() && changes.iter().all(is_made))
}
