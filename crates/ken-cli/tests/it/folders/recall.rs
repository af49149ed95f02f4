//! A memory of Recall.

use super::{THINGS, Walk, folder, slug, walk};

fn page(n: usize, more: &str) -> (String, String) {
    let (name, said, _) = THINGS[n];
    let next = slug(THINGS[(n + 1) % THINGS.len()].0);
    let category = ["entity", "concept", "project", "reference", "theme"][n % 5];
    let day = format!("2026-04-{:02}", n / 2 + 1);
    (
        format!("memory/wiki/{}.md", slug(name)),
        format!(
            "---\nname: {name}\ndescription: {said}\ntype: wiki\ncategory: {category}\nslug: {}\ncreated: {day}\nupdated: {day}\nsources:\n  - uri: memory/{day}.md\n    from: 5\n    lines: 3\n    summary: first note\nrelated: [{next}]\nconfidence: medium\n{more}---\n{said} See [[{next}]].\n",
            slug(name)
        ),
    )
}

fn files() -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = (0..THINGS.len())
        .map(|n| match n {
            5 => page(n, "supersedes:\n  - source: memory/2026-04-03.md\n    fact: The delivery van leaves at seven in the morning\n    supersededOn: 2026-04-20\ngrounding:\n  verifiedOn: 2026-04-25\n  grounded: 2\n  unverified: []\n  stale: []\ncustom_key: kept\n"),
            7 => page(n, "contradicts: [kitchen-printer]\n"),
            _ => page(n, ""),
        })
        .collect();
    for (n, two) in THINGS.chunks(2).enumerate() {
        let date = format!("2026-04-{:02}", n + 1);
        let said: String = two.iter().map(|(_, said, more)| format!("{said} {more}\n\n")).collect();
        let old = if n == 2 { "The delivery van leaves at seven in the morning.\n" } else { "" };
        out.push((format!("memory/{date}.md"), format!("---\ntype: daily\n---\n## {date}\n\n{said}{old}")));
    }
    let more = [
        (
            "memory/wiki/index.md",
            "---\ntype: wiki-index\ngenerated: 2026-04-20\ntotal: 12\n---\n# Wiki\n\n## Entities (1)\n- [[deck-oven]] — An oven. (stub)\n",
        ),
        (
            "memory/wiki/old-oven.md",
            "---\nname: Old oven\ndescription: Moved.\ntype: wiki\ncategory: entity\nslug: old-oven\nredirect_to: deck-oven\nsources: [memory/2026-04-01.md]\n---\nSee [[deck-oven]].\n",
        ),
        ("memory/wiki/by-hand.md", "# Awning\n\nThe awning is rolled in when it rains.\n"),
        (
            "memory/wiki/spiral-mixer (conflicted copy).md",
            "---\nname: Spiral mixer\ndescription: An older state.\ntype: wiki\ncategory: reference\nslug: spiral-mixer\nsources: [memory/2026-04-05.md]\n---\nAn older state of the page.\n",
        ),
        (
            "memory/user_anna.md",
            "---\nname: Anna\ndescription: Runs the first shop.\ntype: user\n---\nAnna prefers short answers.\n",
        ),
        (
            "memory/feedback_names.md",
            "---\nname: Names\ndescription: How things are called.\ntype: feedback\n---\nThings are called by their English names.\n",
        ),
        (
            "memory/weekly/2026-W14.md",
            "---\ntype: weekly\nperiod: 2026-W14\n---\n# Week 2026-W14\n\n## Key Outcomes\n- The oven arrived.\n",
        ),
        ("memory/monthly/2026-04.md", "# 2026-04\n\nThe oven was bought at the sale of the harvest hall.\n"),
        (
            "memory/dreams/insights/2026-04-10-heat.md",
            "---\ntheme: heat\n---\nHeat is what every delay leads back to.\n",
        ),
        ("WISDOM.md", "# Wisdom\n\n- Never leave a tablet logged in.\n"),
        ("DREAMS.md", "# Dreams\n"),
        ("IDENTITY.md", "# Identity\n\nA baker's assistant.\n"),
        (".dreams/search-log.jsonl", "{}\n"),
        (".index/index.json", "{}\n"),
    ];
    out.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    out
}

#[test]
fn a_memory_of_recall_is_used_whole_and_keeps_every_byte() {
    let asked = [
        ("how hot is the deck oven before the first bread?", "250 degrees"),
        ("when does the delivery van leave in the morning?", "at five"),
        ("where was the oven bought?", "harvest hall"),
        ("what does Anna prefer?", "short answers"),
        ("what must nobody leave a tablet?", "logged in"),
        ("when is the awning rolled in?", "when it rains"),
    ];
    walk(
        folder(files()),
        &Walk {
            layout: "recall",
            called: "a memory of Recall",
            asked: &asked,
            past: &[("when does the delivery van leave in the morning?", "at seven in the morning")],
            announced: &[],
            day: (
                "memory/2026-04-28.md",
                "---\ntype: daily\n---\n## 2026-04-28\n\nThe flour silo gets a second gate in June.\n",
            ),
            new: ("when does the flour silo get a second gate?", "June"),
        },
    );
}
