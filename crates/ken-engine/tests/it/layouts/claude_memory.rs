//! A memory folder of Claude: MEMORY.md with CRLF and a pointer to nothing, topic files, one with a byte order mark, one that is empty, a conflict copy, and what else stands in `.claude`.

/// The files.
pub(super) const FILES: &[(&str, &str)] = &[
    ("CLAUDE.md", "# Instructions\n\nUse tabs.\n"),
    (".claude/settings.json", "{}\n"),
    (
        ".claude/memory/MEMORY.md",
        "# Memory\r\n\r\n- [Debugging](debugging.md) — how crashes of the kiln driver are found\r\n- [Decisions](decisions.md): what was decided, and why\r\n- [Gone](gone.md) — nothing\r\n",
    ),
    (
        ".claude/memory/debugging.md",
        "# Debugging\n\nA crash of the kiln driver shows in the ring buffer; read it with `kiln dump`.\nSee [decisions](decisions.md), [the tools](tools-api.md#dump) and [what was lost](lost.md).\n",
    ),
    (
        ".claude/memory/decisions.md",
        "---\nname: decisions\ndescription: What was decided for the kiln.\ntype: project\nmodified: 2026-05-02\n---\nThe kiln driver is written in C, because the vendor library is.\n",
    ),
    (
        ".claude/memory/tools-api.md",
        "\u{feff}# Tools\r\n\r\n## Dump\r\n\r\n`kiln dump` prints the ring buffer as text.\r\n",
    ),
    (".claude/memory/team/conventions.md", "# Conventions\n\nNames of kilns are in capitals.\n"),
    (
        ".claude/memory/decisions (conflicted copy).md",
        "---\nname: decisions\ntype: project\n---\nThe kiln driver is written in Rust.\n",
    ),
    (".claude/memory/empty.md", ""),
    (
        ".claude/memory/user_cleo.md",
        "---\nname: Cleo\ndescription: Tends the kiln.\ntype: user\n---\nWorks at night.\n",
    ),
    (".claude/agents/reviewer.md", "# Reviewer\n"),
    ("progress.md", "# Progress\n\n- [ ] The kiln driver loses its last reading.\n"),
    ("src/kiln.c", "int main(void) { return 0; }\n"),
];
