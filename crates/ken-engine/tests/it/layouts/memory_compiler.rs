//! A knowledge base of claude-memory-compiler: three days, one with CRLF, two of them compiled, a state that also names what lies outside, a table with a row for nothing, a page with a byte order mark and one by hand.

/// The files.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "daily/2026-04-01.md",
        "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (14:30) - Shop login\n\n**Context:** The shop login.\n\n**Decisions Made:**\n- Supabase Auth checks row level security with the JWT of the shop.\n- Webhooks of Stripe are verified by their signature.\n\n**Lessons Learned:**\n- A JWT without a role claim passes no policy of Supabase Auth.\n",
    ),
    (
        "daily/2026-04-02.md",
        "# Daily Log: 2026-04-02\r\n\r\n## Sessions\r\n\r\n### Session (09:00) - Stripe webhooks\r\n\r\n**Decisions Made:**\r\n- Stripe webhooks are answered at once and worked on later.\r\n\r\n**Action Items:**\r\n- [ ] Move Stripe webhooks to a queue\r\n",
    ),
    (
        "daily/2026-04-03.md",
        "# Daily Log: 2026-04-03\n\n## Sessions\n\n### Session (10:00) - Kitchen printer\n\n**Decisions Made:**\n- The kitchen printer prints each order twice.\n- The kitchen printer has its own network.\n- Supabase Auth keeps sessions for 30 days.\n\n### Memory Flush (18:00)\n\nFLUSH_OK - Nothing worth saving\n",
    ),
    (
        "scripts/state.json",
        "{\"ingested\": {\"2026-04-01.md\": {\"hash\": \"bf7fae03429b4acd\", \"compiled_at\": \"2026-04-01T18:05:00+00:00\", \"cost_usd\": 0.41}, \"2026-04-02.md\": {\"hash\": \"7540eb863a34e933\", \"compiled_at\": \"2026-04-02T18:05:00+00:00\", \"cost_usd\": 0.38}, \"../x.md\": {\"hash\": \"7540eb863a34e933\"}, \"gone.md\": {\"hash\": \"ab\"}}, \"query_count\": 2, \"last_lint\": null, \"total_cost\": 0.79}\n",
    ),
    ("scripts/last-flush.json", "{\"session_id\":\"a\"}\n"),
    (
        "knowledge/index.md",
        "# Knowledge Base Index\n\n| Article | Summary | Compiled From | Updated |\n|---------|---------|---------------|---------|\n| [[concepts/supabase-auth]] | Row level security checks the role claim of the JWT | daily/2026-04-01.md | 2026-04-01 |\n| [[concepts/stripe-webhooks]] | Webhooks are verified by signature and worked on later | daily/2026-04-01.md, daily/2026-04-02.md | 2026-04-02 |\n| [[connections/auth-and-webhooks]] | Both trust a signature, never a session | daily/2026-04-02.md | 2026-04-02 |\n| [[concepts/lost]] | Its file is gone | daily/2026-04-02.md | 2026-04-02 |\n",
    ),
    (
        "knowledge/log.md",
        "# Build Log\n\n## [2026-04-01T18:05:00] compile | Daily Log 2026-04-01\n- Source: daily/2026-04-01.md\n",
    ),
    (
        "knowledge/concepts/supabase-auth.md",
        "---\ntitle: \"Supabase Auth\"\naliases: [supabase-jwt]\ntags: [auth]\nsources:\n  - \"daily/2026-04-01.md\"\ncreated: 2026-04-01\nupdated: 2026-04-01\n---\n# Supabase Auth\n\nSupabase Auth checks row level security with the JWT of the shop.\n\n## Related Concepts\n- [[concepts/stripe-webhooks]] - Both verify signatures\n\n## Sources\n- [[daily/2026-04-01.md]] - Initial decision\n",
    ),
    (
        "knowledge/concepts/stripe-webhooks.md",
        "\u{feff}---\ntitle: \"Stripe webhooks\"\naliases: []\nsources:\n  - \"daily/2026-04-01.md\"\n  - \"daily/2026-04-02.md\"\ncreated: 2026-04-01\nupdated: 2026-04-02\n---\n# Stripe webhooks\n\nWebhooks of Stripe are verified by their signature and worked on later.\n\n## Related Concepts\n- [[concepts/supabase-auth]]\n",
    ),
    ("knowledge/concepts/by-hand.md", "# By hand\r\n\r\nNobody has given this page a header.\r\n"),
    (
        "knowledge/connections/auth-and-webhooks.md",
        "---\ntitle: \"Connection: Auth and webhooks\"\nconnects:\n  - \"concepts/supabase-auth\"\n  - \"concepts/stripe-webhooks\"\nsources:\n  - \"daily/2026-04-02.md\"\ncreated: 2026-04-02\nupdated: 2026-04-02\n---\n# Connection: Auth and webhooks\n\n## The Connection\n\nBoth trust a signature.\n",
    ),
    (
        "knowledge/qa/how-are-webhooks-verified.md",
        "---\ntitle: \"Q: How are webhooks verified?\"\nquestion: \"How are webhooks verified?\"\nconsulted:\n  - \"concepts/stripe-webhooks\"\nfiled: 2026-04-02\n---\n# Q: How are webhooks verified?\n\n## Answer\n\nBy their signature, see [[concepts/stripe-webhooks]].\n",
    ),
    ("AGENTS.md", "# Knowledge base\n"),
    ("reports/lint-2026-04-02.md", "# Lint\n"),
];
