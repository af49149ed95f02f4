//! The inputs whose growth is measured, each made of a size by a function.
//!
//! Sizes are chosen so that the largest takes seconds at most when the work is linear, and is seen to
//! take minutes when it is not.

use std::fmt::Write as _;
use std::io::Result;
use std::path::Path;

/// One kind of input.
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// The smallest size.
    pub(super) size: usize,
    pub(super) unit: &'static str,
    /// Whether what it writes into `material/` is to be ingested.
    pub(super) is_ingested: bool,
    pub(super) write: Write,
    /// What changes before a search, the n-th time.
    pub(super) change: Write,
}

pub(super) const SHAPES: &[Shape] = &[
    written("one long paragraph", 64, "KB", long_paragraph),
    ingested("a document on one line", 128, "KB", one_line),
    ingested("a word without end", 512, "KB", one_word),
    written("marks without end", 256, "KB", open_marks),
    written("a long entry", 500, "items", long_entry),
    Shape { change: renamed_folder, ..written("deep folders", 100, "levels", deep_folders) },
    written("aliases of one page", 12_500, "aliases", aliases),
    written("relations of one page", 1_000, "relations", relations),
    written("redirects in a row", 1_000, "pages", redirects),
    written("links to no page", 250, "pages", broken_links),
    written("one sentence repeated", 4_000, "times", repeated),
    written("headings of one day", 500, "headings", headings),
    written("days", 500, "days", days),
    ingested("documents", 250, "documents", documents),
    written("pages", 500, "pages", pages),
];

type Write = fn(&Path, usize) -> Result<()>;

const fn written(name: &'static str, size: usize, unit: &'static str, write: Write) -> Shape {
    Shape { name, size, unit, is_ingested: false, write, change: changed_day }
}

const fn ingested(name: &'static str, size: usize, unit: &'static str, write: Write) -> Shape {
    Shape { is_ingested: true, ..written(name, size, unit, write) }
}

/// A day of the journal says something else.
fn changed_day(dir: &Path, n: usize) -> Result<()> {
    let text = format!("# Daily Log: 2031-01-01\n\n### One\n\nThe harbour keeps {n} lamps for the night.\n");
    std::fs::write(dir.join("daily/2031-01-01.md"), text)
}

/// The outermost folder gets another name, so that all below it are new.
fn renamed_folder(dir: &Path, n: usize) -> Result<()> {
    let at = |n: usize| dir.join(if n == 0 { "knowledge/d".to_owned() } else { format!("knowledge/d{n}") });
    let old = (0..=n).rev().map(at).find(|path| path.exists());
    old.map_or(Ok(()), |old| std::fs::rename(old, at(n + 1)))
}

const SUBJECTS: [&str; 8] = ["harbour", "beacon", "anchor", "tide", "cargo", "pilot", "signal", "ferry"];
const VERBS: [&str; 6] = ["keeps", "moves", "closes", "opens", "counts", "holds"];
const THINGS: [&str; 7] = ["lamp", "rope", "ledger", "gate", "crane", "buoy", "chart"];

/// The n-th name: no other number gives it, and names are of many parts.
fn name(n: usize) -> String {
    const PARTS: [&str; 16] = [
        "Bal", "Cor", "Dun", "Far", "Gol", "Hal", "Jor", "Kel", "Lum", "Mor", "Nar", "Pol", "Ros", "Tam", "Vel", "Zor",
    ];
    let mut rest = n;
    let mut out = PARTS[rest % 16].to_owned();
    rest /= 16;
    while rest > 0 {
        out.push_str(&PARTS[rest % 16].to_lowercase());
        rest /= 16;
    }
    out
}

/// The n-th sentence: one in three names something that stands in a few sentences only.
fn sentence(n: usize) -> String {
    let (subject, verb, thing) = (SUBJECTS[n % 8], VERBS[n / 8 % 6], THINGS[n / 3 % 7]);
    match n % 3 {
        0 => format!("The {subject} {verb} a {thing} for {} because the night has {n} hours.", name(n / 6)),
        1 => format!("A {thing} of the {subject} {verb} what order {n} says."),
        _ => format!("Nobody {verb} the {thing} before bell {n} rings at the {subject}."),
    }
}

fn prose(kb: usize) -> String {
    let mut out = String::new();
    for n in 0.. {
        if out.len() >= kb * 1024 {
            break;
        }
        let _ = write!(out, "{} ", sentence(n));
    }
    out
}

fn date(n: usize) -> String {
    // Months of 28 days: every number gives a day that exists.
    format!("{}-{:02}-{:02}", 2001 + n / 336, 1 + n / 28 % 12, 1 + n % 28)
}

fn write_day(dir: &Path, n: usize, body: &str) -> Result<()> {
    let date = date(n);
    std::fs::write(dir.join(format!("daily/{date}.md")), format!("# Daily Log: {date}\n\n## Sessions\n{body}"))
}

fn write_page(dir: &Path, folder: &str, slug: &str, header: &str, body: &str) -> Result<()> {
    let folder = dir.join("knowledge").join(folder);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        folder.join(format!("{slug}.md")),
        format!("---\ntype: concept\nowner: human\ntldr: What {slug} is.\n{header}---\n# {slug}\n\n{body}\n"),
    )
}

fn write_material(dir: &Path, file: &str, text: &str) -> Result<()> {
    std::fs::create_dir_all(dir.join("material"))?;
    std::fs::write(dir.join("material").join(file), text)
}

fn long_paragraph(dir: &Path, kb: usize) -> Result<()> {
    write_day(dir, 0, &format!("\n### Long\n\n{}\n", prose(kb)))
}

fn one_line(dir: &Path, kb: usize) -> Result<()> {
    write_material(dir, "line.md", &prose(kb))
}

fn one_word(dir: &Path, kb: usize) -> Result<()> {
    write_material(dir, "word.md", &format!("# Word\n\n{}\n", "abcdefgh".repeat(kb * 128)))
}

/// Openings of code, links, comments and citations that nothing closes.
fn open_marks(dir: &Path, kb: usize) -> Result<()> {
    let marks = ["` ", "[[a ", "<!-- ", "[^a ", "**b ", "[c](", "~~", "``` "];
    let text: String = (0..kb * 256).map(|n| marks[n % marks.len()]).collect();
    write_day(dir, 0, &format!("\n### Marks\n\n- {text}\n"))?;
    write_page(dir, "concepts", "marks", "", &text)
}

fn long_entry(dir: &Path, n_items: usize) -> Result<()> {
    let items: String = (0..n_items).map(|n| format!("- {}\n", sentence(n))).collect();
    write_day(dir, 0, &format!("\n### Items\n\n**Decisions Made:**\n{items}"))
}

/// A page in each of so many folders inside each other, in the wiki and among the sources.
fn deep_folders(dir: &Path, n_levels: usize) -> Result<()> {
    for root in ["knowledge", "raw"] {
        let mut at = dir.join(root);
        for n in 0..n_levels {
            at.push("d");
            std::fs::create_dir_all(&at)?;
            std::fs::write(at.join(format!("page-{n}.md")), format!("# Page {n}\n\n{}\n", sentence(n)))?;
        }
    }
    Ok(())
}

fn aliases(dir: &Path, n_aliases: usize) -> Result<()> {
    let aliases: Vec<String> = (0..n_aliases).map(|n| format!("{} {n}", name(n))).collect();
    write_page(dir, "concepts", "many", &format!("aliases: [{}]\n", aliases.join(", ")), &sentence(0))
}

fn relations(dir: &Path, n_relations: usize) -> Result<()> {
    let related = |of: &str| (0..n_relations).map(|n| format!("{of}-{n}:2026-04")).collect::<Vec<_>>().join(", ");
    for n in 0..n_relations / 10 {
        write_page(dir, "concepts", &format!("other-{n}"), "", &sentence(n))?;
    }
    let header = format!("similar_high: [{}]\nsimilar_mid: [{}]\n", related("other"), related("none"));
    write_page(dir, "concepts", "many", &header, &sentence(0))
}

fn redirects(dir: &Path, n_pages: usize) -> Result<()> {
    for n in 0..n_pages {
        write_page(dir, "concepts", &format!("step-{n}"), &format!("redirect_to: step-{}\n", n + 1), "")?;
    }
    write_page(dir, "concepts", &format!("step-{n_pages}"), "", &sentence(0))
}

fn broken_links(dir: &Path, n_pages: usize) -> Result<()> {
    for n in 0..n_pages {
        write_page(dir, "concepts", &name(n), "", &format!("{} See [[{}]] there.", sentence(n), name(n + n_pages)))?;
    }
    Ok(())
}

fn repeated(dir: &Path, n_times: usize) -> Result<()> {
    let items: String = (0..n_times).map(|_| "- The harbour lamp keeps the pilot gate open.\n").collect();
    write_day(dir, 0, &format!("\n### Again\n\n**Decisions Made:**\n{items}"))
}

fn headings(dir: &Path, n_headings: usize) -> Result<()> {
    let entry =
        |n: usize| format!("\n### Session ({:02}:{:02}) - Order {n}\n\n- {}\n", n / 60 % 24, n % 60, sentence(n));
    write_day(dir, 0, &(0..n_headings).map(entry).collect::<String>())
}

fn days(dir: &Path, n_days: usize) -> Result<()> {
    for n in 0..n_days {
        let items: String = (8 * n..8 * n + 8).map(|n| format!("- {}\n", sentence(n))).collect();
        write_day(
            dir,
            n,
            &format!("\n### Session (09:00) - Watch of {}\n\n**Decisions Made:**\n{items}", name(n / 4)),
        )?;
    }
    Ok(())
}

fn documents(dir: &Path, n_documents: usize) -> Result<()> {
    for n in 0..n_documents {
        let body: String = (8 * n..8 * n + 8).map(|n| format!("{}\n\n", sentence(n))).collect();
        write_material(dir, &format!("{}.md", name(n)), &format!("# {}\n\n{body}", name(n)))?;
    }
    Ok(())
}

fn pages(dir: &Path, n_pages: usize) -> Result<()> {
    for n in 0..n_pages {
        let header =
            format!("answers_when: [{}, {}]\nsimilar_high: [{}]\n", name(n), THINGS[n % 7], name(n * 7 % n_pages));
        let body: String = (4 * n..4 * n + 4).map(|n| format!("{}\n\n", sentence(n))).collect();
        write_page(dir, "concepts", &name(n), &header, &format!("{body}See [[{}]].", name(n * 3 % n_pages)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_number_has_a_name_and_a_day_of_its_own() {
        assert_eq!((0..5_000).map(name).collect::<BTreeSet<_>>().len(), 5_000);
        assert_eq!((0..4_000).map(date).collect::<BTreeSet<_>>().len(), 4_000);
    }

    #[test]
    fn twice_the_size_is_twice_the_text() {
        assert!((prose(20).len() as f64 / prose(10).len() as f64 - 2.0).abs() < 0.1);
    }
}
