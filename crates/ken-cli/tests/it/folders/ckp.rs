//! A memory bank of the Compiled Knowledge Pattern.

use super::{THINGS, Walk, folder, slug, walk};

/// A header in capitals, as the pattern prints it, with the keys of a memory bank below it.
fn header(n: usize) -> String {
    let (name, said, _) = THINGS[n];
    let near = |by: usize| slug(THINGS[(n + by) % THINGS.len()].0);
    let words = name.to_lowercase().replace(' ', ", ");
    format!(
        "# CKP fields\nCONCEPT:      {}\nTLDR:         {said}\nANSWERS_WHEN: {words}\nSIMILAR_HIGH: {}:2025-04\nSIMILAR_MID:  {}:2025-04, {}:2025-04\nCONFIDENCE:   high\nVALIDATED:    2025-04\n\n# Memory bank metadata (unchanged)\nupdated_at:   2025-04-01T10:00:00\nupdated_by:   agent\nttl:          900d\nproject_id:   {}\n",
        slug(name),
        near(1),
        near(2),
        near(3),
        slug(name)
    )
}

fn files() -> Vec<(String, String)> {
    let mut out = vec![
        ("memory-bank/_index.md".to_owned(), index()),
        ("memory-bank/projectbrief.md".to_owned(), "# Brief\n\nA bakery with one oven and two shops.\n".to_owned()),
        ("memory-bank/activeContext.md".to_owned(), "# Now\n\nThe second shop opens in July.\n".to_owned()),
        ("memory-bank/dailyLog.md".to_owned(), "# Daily log\n\n## 2026-04-02\n\n- The chimney was swept.\n".to_owned()),
        (
            "memory-bank/decisionLog.md".to_owned(),
            "# Decisions\n\n- 2026-04-03: The signboard is painted green.\n".to_owned(),
        ),
        ("memory-bank/progress.md".to_owned(), "# Progress\n\n- [ ] Order new crates\n".to_owned()),
        (
            "memory-bank/projects/notes/deck-oven.md".to_owned(),
            "# Deck oven\n\nA second file of this name, by hand.\n".to_owned(),
        ),
        (
            "memory-bank/projects/deck-oven (conflicted copy 2026-04-05).md".to_owned(),
            format!("---\n{}---\n\n# Deck oven\n\nAn older state of the page.\n", header(0)),
        ),
        (
            "memory-bank/projects/by-hand.md".to_owned(),
            "# Awning\n\nThe awning of the shop is rolled in when it rains.\n".to_owned(),
        ),
        ("memory-bank/projects/picture.png".to_owned(), "no text".to_owned()),
        ("AGENT.md".to_owned(), "# Agent\n\nBe brief.\n".to_owned()),
        (".gitignore".to_owned(), "node_modules\n".to_owned()),
        ("src/main.py".to_owned(), "print('bread')\n".to_owned()),
    ];
    for (n, (name, said, more)) in THINGS.iter().enumerate() {
        let (head, name_of) = (header(n), slug(name));
        out.push(match n % 4 {
            1 => (
                format!("memory-bank/projects/{name_of}.html"),
                format!("<!--\n{head}-->\n<h1>{name}</h1>\n<p>{said} {more}</p>\n"),
            ),
            2 => {
                (format!("memory-bank/projects/{name_of}.txt"), format!("---\n{head}---\n\n{name}\n\n{said} {more}\n"))
            }
            _ => {
                (format!("memory-bank/projects/{name_of}.md"), format!("---\n{head}---\n\n# {name}\n\n{said} {more}\n"))
            }
        });
    }
    for day in 1..=6 {
        out.push((
            format!("memory-bank/archive/2025-0{day}.md"),
            format!("# Review {day}\n\nReview number {day} of the year found {} crates missing.\n", day * 3),
        ));
    }
    out
}

fn index() -> String {
    let row = |(name, said, _): &(&str, &str, &str)| format!("| {} | active | {said} |\n", slug(name));
    let rows: String = THINGS.iter().map(row).collect();
    format!("# Memory bank\n\n| Project | State | TLDR |\n|---|---|---|\n{rows}")
}

#[test]
fn a_memory_bank_is_used_whole_and_keeps_every_byte_that_was_not_announced() {
    let asked = [
        ("how hot is the deck oven before the first bread?", "250 degrees"),
        ("how many millimetres does the bread slicer cut?", "eleven millimetres"),
        ("when is the awning of the shop rolled in?", "when it rains"),
        ("when does the second shop open?", "July"),
        ("which colour is the signboard painted?", "green"),
    ];
    let folder = folder(files());
    walk(
        folder,
        &Walk {
            layout: "ckp",
            called: "a memory bank (CKP)",
            asked: &asked,
            past: &[],
            announced: &["memory-bank/_index.md", "memory-bank/projects/", "memory-bank/archive/"],
            day: ("memory-bank/projects/mill-contract.md", "# Mill contract\n\nThe mill contract ends in December.\n"),
            new: ("when does the mill contract end?", "December"),
        },
    );
}
