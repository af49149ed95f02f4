//! A wiki of HydraFlow in both of its layouts: entries with numbers that stand twice, one without a header, one with CRLF, one with a byte order mark, one whose successor is gone, a conflict copy, and topic pages with a block that breaks off.

/// The files.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "repo_wiki/acme/oven/patterns/0001-issue-41-retry-uploads-three-times.md",
        "---\nid: 0001\ntopic: patterns\nsource_issue: 41\nsource_phase: review\ncreated_at: 2026-01-10T09:00:00+00:00\nstatus: superseded\ncorroborations: 2\nsuperseded_by: 0003\n---\n\n# Retry a failed upload three times\n\nAn upload that fails is retried three times with a pause of one second.\n",
    ),
    (
        "repo_wiki/acme/oven/patterns/0002-issue-42-uploads-temporary-file.md",
        "---\nid: 0002\ntopic: patterns\nsource_issue: 42\nsource_phase: plan\ncreated_at: 2026-02-01T09:00:00+00:00\nstatus: active\ncorroborations: 5\n---\n\n# Uploads are written to a temporary file first\n\nAn upload is written to a temporary file and renamed, so that a reader never sees half of it.\n",
    ),
    (
        "repo_wiki/acme/oven/patterns/0003-issue-57-retry-uploads-five-times.md",
        "---\nid: 0003\ntopic: patterns\nsource_issue: 57\nsource_phase: review\ncreated_at: 2026-04-02T09:00:00+00:00\nstatus: active\ncorroborations: 3\nsupersedes: 0001\n---\n\n# Retry a failed upload five times\n\nAn upload that fails is retried five times; the pause doubles from one second.\n",
    ),
    (
        "repo_wiki/acme/oven/patterns/0004-synthesis-names-of-branches.md",
        "---\nid: 0004\ntopic: patterns\nsource_issue: synthesis\nsource_phase: synthesis\ncreated_at: 2026-04-05T09:00:00+00:00\nstatus: active\ncorroborations: 1\ncode_refs: src/git.c:branch\nfixed_in_pr: 61\n---\n\n# Branches are named after issues\n\nA branch is named after its issue and nothing else.\n",
    ),
    (
        "repo_wiki/acme/oven/gotchas/0001-issue-43-thermostat-reports-zero.md",
        "---\r\nid: 0001\r\ntopic: gotchas\r\nsource_issue: 43\r\nsource_phase: review\r\ncreated_at: 2026-02-03T09:00:00+00:00\r\nstatus: stale\r\ncorroborations: 1\r\nstale_reason: source issue #43 closed\r\n---\r\n\r\n# The thermostat reports zero after a restart\r\n\r\nAfter a restart the thermostat reports zero degrees until the first reading.\r\n",
    ),
    (
        "repo_wiki/acme/oven/gotchas/0001-issue-44-clock-without-seconds.md",
        "\u{feff}---\nid: 0001\ntopic: gotchas\nsource_issue: 44\nsource_phase: implement\ncreated_at: 2026-02-04T09:00:00+00:00\nstatus: active\ncorroborations: 1\n---\n\n# The oven clock has no seconds\n\nThe oven clock counts minutes; its seconds are always zero.\n",
    ),
    (
        "repo_wiki/acme/oven/gotchas/0002-issue-45-relay-sticks.md",
        "---\nid: 0002\ntopic: gotchas\nsource_issue: 45\nsource_phase: review\ncreated_at: 2026-02-05\nstatus: superseded\ncorroborations: 1\nsuperseded_by: 0009\n---\n\n# The relay sticks\n\nThe relay of the oven sticks when it is cold.\n",
    ),
    ("repo_wiki/acme/oven/gotchas/read-this-first.md", "# Read this first\n\nNobody has given this file a header.\n"),
    (
        "repo_wiki/acme/oven/testing/0001-issue-unknown-fixtures.md",
        "---\nid: 0001\ntopic: testing\nsource_issue: unknown\nsource_phase: plan\ncreated_at: not a date\nstatus: active\ncorroborations: 1\n---\n\n# Fixtures are made by factories\n\nTest fixtures are made by factories, never by hand.\n",
    ),
    (
        "repo_wiki/acme/oven/testing/0002-issue-46-proposed.md",
        "---\nid: 0002\ntopic: testing\nsource_issue: 46\nsource_phase: plan\ncreated_at: 2026-03-01T09:00:00\nstatus: proposed\ncorroborations: 1\n---\n\n# Tests run in a random order\n\nTests of the oven run in a random order.\n",
    ),
    (
        "repo_wiki/acme/oven/testing/0002-issue-46-proposed (conflicted copy).md",
        "---\nid: 0002\ntopic: testing\nsource_issue: 46\nsource_phase: plan\ncreated_at: 2026-03-01T09:00:00\nstatus: superseded\ncorroborations: 1\nsuperseded_by: 0002\n---\n\n# Tests run in a random order\n\nTests of the oven run in the order of their names.\n",
    ),
    ("repo_wiki/acme/oven/log/41.jsonl", "{\"ts\":\"2026-01-10T09:00:00Z\",\"op\":\"ingest\"}\n"),
    ("repo_wiki/acme/oven/index.md", "# Wiki Index: acme/oven\n"),
    (
        "docs/wiki/architecture.md",
        "# Architecture\n\n## The oven has two controllers\n\nOne controller heats, the other one watches it.\n\n```json:entry\n{\"id\":\"01HA\",\"superseded_by\":null,\"stale\":false,\"corroborations\":4}\n```\n\n## The door is polled every second\n\nThe door switch is polled once a second.\n\n```json:entry\n{\"id\":\"01HB\",\"superseded_by\":\"01HC\",\"superseded_reason\":\"the door raises an interrupt\"}\n```\n\n## Written by hand\n\nNobody may bypass the watching controller.\n\n## The door raises an interrupt\n\nThe door switch raises an interrupt, and nothing polls it.\n\n```json:entry\n{\"id\":\"01HC\",\"superseded_by\":null,\"stale\":false}\n```\n\n## Cut off\n\nThe rest is missing.\n\n```json:entry\n{\"id\":",
    ),
    ("docs/wiki/patterns.md", "# Patterns\r\n\r\n_No entries yet._\r\n"),
    ("docs/wiki/index.json", "{\"repo_slug\":\"acme/oven\",\"topics\":{},\"total_entries\":3}\n"),
    ("docs/wiki/ingest_dedup.json", "[\"12:plan\",\"13:review\"]\n"),
    ("README.md", "# Oven\n"),
];
