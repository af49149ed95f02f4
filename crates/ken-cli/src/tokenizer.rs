//! What `ken budget` counts with: Kenning's own ruler, or the tokenizer of a family of models.
//!
//! Tokenizers are tables of several megabytes, so they are in the program only with the feature
//! `tokenizers`; without it, asking for one says so.

use clap::ValueEnum;
use ken_engine::Failure;

/// What counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tokenizer {
    /// The token ruler, meant to be at or above what models count
    Estimate,
    /// What GPT models since GPT-4o count with
    #[value(name = "o200k")]
    O200k,
    /// What GPT-4 and GPT-3.5 count with
    #[value(name = "cl100k")]
    Cl100k,
}

impl Tokenizer {
    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tokenizer::Estimate => "estimate",
            Tokenizer::O200k => "o200k",
            Tokenizer::Cl100k => "cl100k",
        }
    }

    /// Returns what counts the tokens of a text.
    pub(crate) fn ruler(self) -> Result<fn(&str) -> usize, Failure> {
        match self {
            Tokenizer::Estimate => Ok(|text| ken_core::budget::count(text).0),
            Tokenizer::O200k => exact::O200K.ok_or_else(|| missing(self)),
            Tokenizer::Cl100k => exact::CL100K.ok_or_else(|| missing(self)),
        }
    }
}

fn missing(tokenizer: Tokenizer) -> Failure {
    Failure::usage(format!("this `ken` was built without the tokenizer `{}`", tokenizer.name()))
        .hint("`cargo build --release --features tokenizers` builds one with it")
        .hint("without `--tokenizer` the counts are estimates")
}

#[cfg(feature = "tokenizers")]
mod exact {
    //! The tables of `tiktoken-rs`; texts are counted as they are, marks of a conversation included.

    pub(super) const O200K: Option<fn(&str) -> usize> =
        Some(|text| tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len());
    pub(super) const CL100K: Option<fn(&str) -> usize> =
        Some(|text| tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len());
}

#[cfg(not(feature = "tokenizers"))]
mod exact {
    //! No tables.

    pub(super) const O200K: Option<fn(&str) -> usize> = None;
    pub(super) const CL100K: Option<fn(&str) -> usize> = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tokenizer_is_there_or_says_how_to_get_it() {
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            match tokenizer.ruler() {
                Ok(count) => assert_eq!(count("Tokens live 15 minutes."), 6),
                Err(failure) => assert!(!cfg!(feature = "tokenizers") && failure.hints[0].contains("--features")),
            }
        }
    }
}
