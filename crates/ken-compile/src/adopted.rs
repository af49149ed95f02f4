//! Pages of another compiler that were adopted: documents that say how their page was called, and where it stood.
//!
//! An adopted page makes one page again, in its place and with its sections; nothing of it is left out. Each of its
//! statements cites the line of the day that bears it out, where one does, and else the kept copy of the page.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::quote;
use ken_core::ground::{missing, stems};
use ken_core::header::{FieldName, decode_list};
use ken_core::markdown::inert;
use ken_core::page::parse_page;
use ken_core::text::one_line;
use ken_core::time::leading_date;
use ken_core::{Digest, VaultPath};
use ken_intake::scrub::scrub;

use crate::document::whole_entry;
use crate::passage::{Cited, Entry, Passage};
use crate::told::AdoptedPage;

/// The folder of kept copies, in that of the sources.
pub const ADOPTED: &str = "adopted";

/// Longest name or word that leads to a page, in characters, and most of them.
const NAME_CHARS_MAX: usize = 60;
const NAMES_MAX: usize = 8;

/// Returns the entry of an adopted page.
pub fn adopted_entry(path: &VaultPath, text: &str) -> Entry {
    let page = parse_page(path, text.to_owned()).value;
    let fitting = |names: Vec<String>| -> Vec<String> {
        let names = names.into_iter().map(|name| one_line(&name));
        names.filter(|name| !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX).take(NAMES_MAX).collect()
    };
    let tags = page.header.fields.iter().find(|field| field.key.of(text).eq_ignore_ascii_case("tags"));
    let tags = fitting(tags.map(|field| decode_list(field.value.of(text), field)).unwrap_or_default());
    let days = page.list(FieldName::Sources);
    let place = place_of(path);
    let adopted = AdoptedPage {
        category: page.category(),
        aliases: fitting(page.list(FieldName::Aliases)),
        tags,
        tldr: one_line(&page.scalar(FieldName::Tldr).unwrap_or_default()),
        days,
        created: page.header.date(text, FieldName::Created),
        place,
    };
    let mut entry = whole_entry(path, text);
    entry.passages.iter_mut().filter_map(|passage| passage.place.as_mut()).for_each(|place| place.is_adopted = true);
    entry.adopted = Some(Box::new(adopted));
    entry
}

/// Where the page of a kept copy stood in its wiki, without the extension.
fn place_of(path: &VaultPath) -> String {
    let inside = path.as_str().split_once(&format!("/{ADOPTED}/")).map_or(path.as_str(), |(_, inside)| inside);
    inside.rsplit_once('.').map_or(inside, |(stem, _)| stem).to_owned()
}

/// Share of its words that a line must have of a statement that it bears out; beside them all of its numbers, names
/// and dates.
const BORNE_OUT: f32 = 0.7;

/// A line of a day, with the stems of what it says.
struct Line<'d> {
    path: &'d VaultPath,
    number: usize,
    text: &'d str,
    stems: BTreeSet<String>,
}

fn stems_of(text: &str) -> BTreeSet<String> {
    stems(text).into_iter().map(|(_, stem)| stem).collect()
}

/// Has the statements of an adopted page cite the lines of its days that bear them out; `days` are texts by path.
pub fn cite_days(entry: &mut Entry, days: &BTreeMap<VaultPath, String>) {
    let numbered = days.iter().flat_map(|(path, text)| text.lines().zip(1..).map(move |(line, n)| (path, n, line)));
    let lines: Vec<Line<'_>> = numbered
        .filter(|(.., text)| !text.trim().is_empty() && !text.starts_with('#'))
        .map(|(path, number, text)| Line { path, number, text, stems: stems_of(text) })
        .collect();
    for passage in &mut entry.passages {
        if let Some(found) = best(passage, &lines) {
            passage.cited = Some(Box::new(found));
        }
    }
}

/// The line that bears out a statement best; of equals the first.
fn best(passage: &Passage, lines: &[Line<'_>]) -> Option<Cited> {
    let is_prose = passage.place.as_ref().is_some_and(|place| place.blocks.is_empty());
    if !is_prose || !passage.is_claim() || passage.text.contains("[[") {
        return None;
    }
    let wanted = stems_of(&passage.text);
    let mut best: Option<(f32, &Line<'_>)> = None;
    for line in lines {
        let share = wanted.intersection(&line.stems).count() as f32 / wanted.len().max(1) as f32;
        if share < BORNE_OUT || best.is_some_and(|(most, _)| most >= share) {
            continue;
        }
        let day = leading_date(line.path.file_name());
        if missing(&passage.text, &[line.text], day, &|_| false).is_empty() {
            best = Some((share, line));
        }
    }
    let (_, Line { path, number, text, .. }) = best?;
    let digest = Digest::of_normalised(text).short();
    let said = text.trim_start_matches([' ', '-', '*', '>']).replace("**", "");
    let said = quote(&scrub(&said).0);
    let (day, lines) = (Some((*path).clone()), (*number, *number));
    Some(Cited { day, lines, digest, quote: inert(&said).into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_core::Category;

    const PAGE: &str = "---\ntitle: \"Deck oven\"\naliases: [oven one]\ntags: [bakery]\nsources:\n  - \"daily/2026-04-01.md\"\ncreated: 2026-04-01\nupdated: 2026-04-02\n---\n# Deck oven\n\nThe deck oven is heated to 250 degrees.\n\n## Key Points\n\n- It bakes rye\n- Heated to 250 degrees before the first bread\n\n## Details\n\n```sh\nheat 250\n```\n";

    fn path(text: &str) -> VaultPath {
        VaultPath::new(text).expect("inside")
    }

    #[test]
    fn an_adopted_page_keeps_its_place_its_names_and_all_it_says() {
        let entry = adopted_entry(&path("raw/adopted/concepts/deck-oven.md"), PAGE);
        let adopted = entry.adopted.expect("an adopted");
        assert_eq!((adopted.place.as_str(), adopted.category), ("concepts/deck-oven", Category::Concept));
        assert_eq!((adopted.aliases, adopted.tags), (vec!["oven one".to_owned()], vec!["bakery".to_owned()]));
        let said: Vec<&str> = entry.passages.iter().map(|passage| passage.text.as_str()).collect();
        let expected = [
            "The deck oven is heated to 250 degrees.",
            "It bakes rye",
            "Heated to 250 degrees before the first bread",
            "Deck oven:",
        ];
        assert_eq!(said, expected);
        assert_eq!((entry.title.as_str(), entry.parts), ("Deck oven", vec!["Deck oven".to_owned()]));
    }

    #[test]
    fn a_line_of_a_day_is_cited_where_it_says_all_that_the_statement_does() {
        let mut entry = adopted_entry(&path("raw/adopted/concepts/deck-oven.md"), PAGE);
        let day = "# Daily Log: 2026-04-01\n\n- Deck oven: heated to 250 degrees before the first bread\n- The deck oven is heated to 230 degrees.\n";
        cite_days(&mut entry, &[(path("daily/2026-04-01.md"), day.to_owned())].into());
        let cited = |n: usize| entry.passages[n].cited.as_ref().map(|cited| (cited.day.is_some(), cited.lines));
        assert_eq!(cited(0), Some((true, (3, 3))), "that line says so, not the one with another number");
        assert_eq!(cited(1), Some((false, (16, 17))), "nobody says so that day");
        assert_eq!(cited(2), Some((true, (3, 3))));
    }
}
