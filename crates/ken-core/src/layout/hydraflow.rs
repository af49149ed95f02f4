//! HydraFlow: a wiki of a code repository, one file an entry (tracked) or one file a topic (legacy).

use super::preset::{FileForm, Files, PLAIN, PLAIN_FILES, PLAIN_PLACES, Places, Preset, Sign};
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
    places: Places { foreign: &["repo_wiki", "docs/wiki"], log: "/.kenning/log.md", ..PLAIN_PLACES },
    files: Files { indexes: &["index.md"], ..PLAIN_FILES },
    spellings: &[
        (FieldName::Status, "status", "STATUS"),
        (FieldName::SupersededBy, "superseded_by", "SUPERSEDED_BY"),
        (FieldName::StaleReason, "stale_reason", "STALE_REASON"),
        (FieldName::Corroborations, "corroborations", "CORROBORATIONS"),
        (FieldName::Created, "created_at", "CREATED_AT"),
    ],
    remarks: &[
        "Entries that are superseded or stale are told as such and never routed.",
        "`ken export hydraflow DIR` writes a copy of it with what `ken` has learnt besides.",
    ],
    ..PLAIN
};
