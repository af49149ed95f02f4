//! The formats, one line each.

use crate::format::Format;
use crate::{basic_memory, graph, hydraflow, jsonl, llm_wiki, llms, obsidian, okf, qmd, recall, skill};

/// Every format, in the order in which they are listed.
pub static FORMATS: &[&Format] = &[
    &jsonl::JSONL,
    &okf::OKF,
    &obsidian::OBSIDIAN,
    &basic_memory::BASIC_MEMORY,
    &llm_wiki::LLM_WIKI,
    &qmd::QMD,
    &hydraflow::HYDRAFLOW,
    &recall::RECALL,
    &llms::LLMS,
    &graph::GRAPHML,
    &graph::DOT,
    &skill::SKILL,
];

/// Returns the format of that name.
pub fn format_named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}
