//! Names that documents list, and texts as they are read alone.

use std::sync::LazyLock;

use ken_core::link::without_links;
use regex::Regex;

use crate::score;

/// Longest name of something that a document lists, in characters, and in words where it is not marked as one.
const NAME_CHARS_MAX: usize = 60;
const NAME_WORDS_MAX: usize = 4;

/// Returns a text without links and emphasis.
pub(super) fn plain(text: &str) -> String {
    static PLACES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[([^\[\]]+)\]\(https?://[^()\s]*\)").expect("a pattern of ours"));
    PLACES.replace_all(&without_links(text).replace("**", ""), "$1").into_owned()
}

/// Some names in a row: `a, b and c`, or `a, b and more`.
pub(crate) fn listed(mut names: Vec<String>, max: usize) -> Option<String> {
    if names.len() > max {
        names.truncate(max);
        names.push("more".to_owned());
    }
    let last = names.pop()?;
    Some(if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) })
}

/// Returns what an item names, of which it then says something: `**Heat**: …`, `[Ovenhub](…): …`.
pub(super) fn name_of(item: &str) -> Option<String> {
    let text = plain(item);
    let is_marked = item.starts_with(['[', '*', '`']) || score::is_term(item);
    let (name, rest) = text.split_once(": ").or_else(|| text.split_once(" – ")).or_else(|| text.split_once(" - "))?;
    let name = name.trim_matches(['*', '_', '`', ':']).trim();
    let is_short = name.chars().count() <= NAME_CHARS_MAX && !name.contains(['.', ',']);
    (is_short && !rest.is_empty() && (is_marked || name.split(' ').count() <= NAME_WORDS_MAX)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_their_labels_in_what_is_read_alone() {
        assert_eq!(
            plain("See [[oven|the **oven**]] and [crumbs](https://crumb.example/a) [x]"),
            "See the oven and crumbs [x]"
        );
    }

    #[test]
    fn an_item_names_what_it_then_speaks_of() {
        for (item, name) in [
            ("[Ovenhub](https://hub.example): Counts loaves.", Some("Ovenhub")),
            ("**Heat**: How hot it is.", Some("Heat")),
            ("`open` - opens the door", Some("open")),
            ("The oven is hot, and so on. See: nothing", None),
            ("Counts loaves", None),
        ] {
            assert_eq!(name_of(item).as_deref(), name, "{item}");
        }
    }

    #[test]
    fn of_many_names_some_are_told() {
        let names = |n: usize| (0..n).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(listed(names(2), 5).as_deref(), Some("0 and 1"));
        assert_eq!(listed(names(9), 3).as_deref(), Some("0, 1, 2 and more"));
        assert_eq!(listed(names(0), 3), None);
    }
}
