//! A memory of Recall: days, one of them with CRLF and one with a byte order mark, pages with every nested field, one without a header, a redirect, a typed memory, roll-ups and what it keeps for itself.

/// The files.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "memory/2026-04-10.md",
        "---\ntype: daily\n---\n## 2026-04-10\n\nThe bakery moved its order list to a spreadsheet. Tokens of the ordering page live 60 minutes.\n",
    ),
    (
        "memory/2026-04-20.md",
        "---\r\ntype: daily\r\n---\r\n## 2026-04-20\r\n\r\nTokens of the ordering page live 15 minutes, because a shared tablet stayed logged in.\r\n\r\nThe flour mill delivers on Tuesdays.\r\n",
    ),
    (
        "memory/2026-04-28.md",
        "\u{feff}## 2026-04-28\n\n- The flour mill delivers on Thursdays now, no longer on Tuesdays.\n- Decided to bake rye bread on Fridays.\n",
    ),
    (
        "memory/wiki/ordering-page.md",
        "---\nname: Ordering page\ndescription: The page on which shops order bread; its tokens live 15 minutes.\ntype: wiki\ncategory: project\nslug: ordering-page\ncreated: 2026-04-10\nupdated: 2026-04-20\nsources:\n  - uri: memory/2026-04-10.md\n    from: 5\n    lines: 1\n    summary: first note\n  - uri: memory/2026-04-20.md\nrelated: [flour-mill]\nconfidence: medium\nscoreBoost: 1.2\nsupersedes:\n  - source: memory/2026-04-10.md\n    fact: Tokens of the ordering page live 60 minutes\n    supersededOn: 2026-04-20\ngrounding:\n  verifiedOn: 2026-04-25\n  grounded: 2\n  unverified: []\n  stale:\n    - The page is printed every evening\n---\nShops order bread on the ordering page. Its tokens live 15 minutes. The page is printed every evening.\n",
    ),
    (
        "memory/wiki/flour-mill.md",
        "---\nname: Flour mill\ndescription: Delivers flour.\ntype: wiki\ncategory: entity\nslug: flour-mill\ncreated: 2026-04-20\nupdated: 2026-04-20\nsources: [memory/2026-04-20.md]\nconfidence: low\n---\nThe flour mill delivers flour. See [[ordering-page|the page]] and [[bread-shop]].\n",
    ),
    (
        "memory/wiki/order-form.md",
        "---\nname: Order form\ndescription: Moved.\ntype: wiki\ncategory: project\nslug: order-form\nredirect_to: ordering-page\nsources: [memory/2026-04-10.md]\n---\nSee [[ordering-page]].\n",
    ),
    ("memory/wiki/by-hand.md", "Nobody has given this page a header.\n"),
    (
        "memory/wiki/index.md",
        "---\ntype: wiki-index\ngenerated: 2026-04-20\ntotal: 3\n---\n# Wiki\n\n## Entities (1)\n- [[flour-mill]] — Delivers flour. (stub)\n",
    ),
    (
        "memory/weekly/2026-W16.md",
        "---\ntype: weekly\nperiod: 2026-W16\n---\n# Week 2026-W16\n\n## Key Outcomes\n- Tokens were shortened.\n",
    ),
    ("memory/monthly/2026-04.md", "# 2026-04\n\nThe oven was bought at the sale of the harvest hall.\n"),
    ("memory/dreams/insights/2026-04-28-mill.md", "# The mill is late\n\nThe mill came late three times.\n"),
    (
        "memory/user_anna.md",
        "---\nname: Anna\ndescription: Runs the bakery.\ntype: user\n---\nPrefers short answers about ovens.\n",
    ),
    ("memory/.archive/typed-memories/user_bo.md", "Bo left.\n"),
    ("WISDOM.md", "# Wisdom\n\n- Never leave a tablet logged in.\n"),
    ("DREAMS.md", "# Dreams\n"),
    ("IDENTITY.md", "# Identity\n"),
    (".dreams/search-log.jsonl", "{}\n"),
    (".index/index.json", "{}\n"),
];
