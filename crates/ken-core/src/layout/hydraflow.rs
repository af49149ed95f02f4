//! HydraFlow: a wiki of a code repository, one file an entry (tracked) or one file a topic (legacy).

use super::preset::{FileForm, Files, HeaderForm, IndexForm, PLAIN_FILES, Places, Preset, Sign};
use crate::header::name::FieldName;

/// Entries in `repo_wiki/OWNER/REPO/TOPIC/`, topic pages in `docs/wiki/` or `repo_wiki/`.
pub(super) static PRESET: Preset = Preset {
    name: "hydraflow",
    called: "a HydraFlow repo wiki",
    signs: &[
        Sign::Has("repo_wiki", FileForm::Entry),
        Sign::Says("docs/wiki/architecture.md", "```json:entry"),
        Sign::Says("docs/wiki/patterns.md", "```json:entry"),
        Sign::Says("docs/wiki/gotchas.md", "```json:entry"),
        Sign::Says("docs/wiki/testing.md", "```json:entry"),
        Sign::Says("docs/wiki/dependencies.md", "```json:entry"),
        Sign::All(&[Sign::File("docs/wiki/index.json"), Sign::File("docs/wiki/log.jsonl")]),
    ],
    is_vault: false,
    bases: &[""],
    places: Places {
        wiki: "knowledge",
        other_wikis: &[],
        journal: "daily",
        sources: "raw",
        index: "index.md",
        log: "log.md",
        foreign: &["repo_wiki", "docs/wiki"],
        evidence: &[],
        state: None,
    },
    files: Files { indexes: &["index.md"], ..PLAIN_FILES },
    notes_anywhere: false,
    index: IndexForm::Rows,
    has_folders: true,
    fills_headers: false,
    header: HeaderForm::Yaml,
    spellings: &[
        (FieldName::Status, "status", "STATUS"),
        (FieldName::SupersededBy, "superseded_by", "SUPERSEDED_BY"),
        (FieldName::StaleReason, "stale_reason", "STALE_REASON"),
        (FieldName::Corroborations, "corroborations", "CORROBORATIONS"),
        (FieldName::Created, "created_at", "CREATED_AT"),
    ],
    categories: &[],
    remarks: &["Entries that are superseded or stale are told as such and never routed."],
};
