//! What another compiler has compiled already: its days make no pages beside those that it made of them.
//!
//! claude-memory-compiler writes down the SHA-256 of each day that it has compiled, 16 digits of it. A day with
//! other bytes is compiled as any other: nobody knows what of it that compiler has read.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;
use ken_store::FileStat;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::SourceFile;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::LeftOut;

/// Digits of a digest below which it names nothing.
const DIGITS_MIN: usize = 16;

#[derive(Debug, Default, Deserialize)]
struct State {
    #[serde(default)]
    ingested: BTreeMap<String, Ingested>,
}

#[derive(Debug, Default, Deserialize)]
struct Ingested {
    #[serde(default)]
    hash: String,
}

impl Engine {
    /// Returns the journal days that another compiler has compiled as they stand; none where there is no other, or what
    /// it wrote down cannot be read.
    pub(crate) fn compiled_elsewhere(&self) -> Result<BTreeSet<VaultPath>, Failure> {
        let Some(path) = &self.layout().state else { return Ok(BTreeSet::new()) };
        let bytes = self.store.read(path)?.unwrap_or_default();
        let State { ingested } = serde_json::from_slice(&bytes).unwrap_or_default();
        let mut out = BTreeSet::new();
        for (name, Ingested { hash }) in ingested.into_iter().filter(|(_, one)| one.hash.len() >= DIGITS_MIN) {
            let Some(day) = self.layout().journal.join(&name).filter(|path| self.layout().is_day(path)) else {
                continue;
            };
            let hex = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let is_same = |bytes: Vec<u8>| hex(&bytes).starts_with(&hash.to_lowercase());
            out.extend(self.store.read(&day)?.is_some_and(is_same).then_some(day));
        }
        Ok(out)
    }

    /// Returns every journal day and source that pages are made of, sorted by path.
    pub(crate) fn compiled_files(&self) -> Result<(Vec<SourceFile>, LeftOut), Failure> {
        let (mut files, skipped) = self.source_files()?;
        let elsewhere = self.compiled_elsewhere()?;
        files.retain(|SourceFile { stat: FileStat { path, .. }, .. }| !elsewhere.contains(path));
        Ok((files, skipped))
    }
}
