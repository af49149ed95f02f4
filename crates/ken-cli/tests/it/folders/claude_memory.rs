//! A memory in four layers: instructions, MEMORY.md, topic files, and how far the project is.

use super::{THINGS, Walk, folder, slug, walk};

fn files() -> Vec<(String, String)> {
    let mut memory = String::from("# Memory\n\n## Topics\n\n");
    let mut out = Vec::new();
    for (n, (name, said, more)) in THINGS.iter().enumerate() {
        let name_of = slug(name);
        let place = match n % 4 {
            3 => format!("wiki/{name_of}.md"),
            _ => format!("{name_of}.md"),
        };
        memory.push_str(&format!("- [{name}]({place}) — how the {} works\n", name.to_lowercase()));
        let next = slug(THINGS[(n + 1) % THINGS.len()].0);
        let head = if n % 2 == 0 {
            format!("---\nname: {name_of}\ndescription: About the {}\ntype: project\n---\n", name.to_lowercase())
        } else {
            String::new()
        };
        out.push((
            format!(".claude/memory/{place}"),
            format!("{head}# {name}\n\n{said} {more}\n\nSee [the next one]({next}.md).\n"),
        ));
    }
    memory.push_str("- [Gone](gone.md) — nothing\n");
    let more = [
        (".claude/memory/by-hand.md", "# Awning\n\nThe awning is rolled in when it rains.\n"),
        (".claude/memory/deck-oven (conflicted copy).md", "# Deck oven\n\nAn older state of the page.\n"),
        (".claude/memory/raw/deck-oven.md", "# Deck oven\n\nNotes on the oven as they were taken.\n"),
        (".claude/memory/raw/error-logs/2026-04-01.log", "E42 door open\n"),
        (".claude/memory/raw/decisions-log.md", "# Decisions\n\n- 2026-04-02: The signboard is painted green.\n"),
        (".claude/memory/raw/session-transcripts/a.jsonl", "{}\n"),
        (".claude/settings.json", "{}\n"),
        (".claude/commands/bake.md", "Bake.\n"),
        ("CLAUDE.md", "# Instructions\n\nUse grams.\n"),
        ("progress.md", "# Progress\n\n- [x] Order crates\n- [ ] The chimney is to be swept\n"),
        ("README.md", "# Bakery\n"),
        ("src/a.py", "print(1)\n"),
        ("src/b.py", "print(2)\n"),
        ("docs/one.txt", "one\n"),
        ("docs/two.txt", "two\n"),
        ("docs/three.txt", "three\n"),
        ("docs/four.txt", "four\n"),
    ];
    out.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    out.push((".claude/memory/MEMORY.md".to_owned(), memory));
    out
}

#[test]
fn a_memory_folder_of_claude_is_used_whole_and_keeps_every_byte() {
    let asked = [
        ("how hot is the deck oven before the first bread?", "250 degrees"),
        ("when does the order form close?", "six in the evening"),
        ("which colour is the signboard painted?", "green"),
        ("when is the awning rolled in?", "when it rains"),
        ("what is to be swept?", "chimney"),
    ];
    walk(
        folder(files()),
        &Walk {
            layout: "claude-memory",
            called: "a memory folder of Claude",
            asked: &asked,
            past: &[],
            announced: &[],
            day: (".claude/memory/glaze.md", "# Glaze\n\nThe glaze of the buns is made of honey.\n"),
            new: ("what is the glaze of the buns made of?", "honey"),
        },
    );
}
