//! One form for a verb and its participle where a stem does not give it: German puts `ge` inside (`abdichten`, `abgedichtet`).

use std::sync::LazyLock;

use crate::language::{LEXICONS, Lexicon};

/// Prefixes that stand apart from their verb, longest first, and those that do not.
static PREFIXES: LazyLock<[Vec<&str>; 2]> = LazyLock::new(|| {
    let all = |list: fn(&'static Lexicon) -> &'static str| {
        let mut all: Vec<&str> = LEXICONS.iter().flat_map(|lexicon| list(lexicon).split_whitespace()).collect();
        all.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
        all
    };
    [all(|lexicon| lexicon.actions.parting), all(|lexicon| lexicon.actions.staying)]
});
const MARK: &str = "ge";
const STEM_MIN: usize = 3;

/// Returns what a folded infinitive and its participle have in common: `abdicht` of `abdichten` and `abgedichtet`, `reparier` of
/// `reparieren` and `repariert`. `None` for what looks like neither. What changes its vowel (`gestrichen`) is not known.
pub(super) fn deed(folded: &str) -> Option<String> {
    participle(folded).or_else(|| {
        let stem = match folded.strip_suffix('n')? {
            stem if stem.ends_with("el") || stem.ends_with("er") => stem,
            stem => stem.strip_suffix('e')?,
        };
        (stem.len() >= STEM_MIN).then(|| stem.to_owned())
    })
}

/// Returns whether a folded word has the form of what was done: `abgedichtet`, `painted`.
pub(super) fn is_done_form(folded: &str) -> bool {
    folded.ends_with("ed") || participle(folded).is_some()
}

fn participle(folded: &str) -> Option<String> {
    let [parting, staying] = &*PREFIXES;
    let is_long = |stem: &&str| stem.len() >= STEM_MIN;
    let marked = |(prefix, rest): (&str, &str)| {
        let end = rest.strip_prefix(MARK)?;
        let stem = bare(end).or_else(|| end.strip_suffix("en")).filter(is_long)?;
        Some(format!("{prefix}{stem}"))
    };
    let parts = parting.iter().filter_map(|prefix| Some((*prefix, folded.strip_prefix(prefix)?)));
    let is_unmarked = || folded.ends_with("iert") || staying.iter().any(|prefix| folded.starts_with(prefix));
    let unmarked = || bare(folded).filter(is_long).filter(|_| is_unmarked()).map(str::to_owned);
    parts.chain([("", folded)]).find_map(marked).or_else(unmarked)
}

/// A participle without its ending.
fn bare(end: &str) -> Option<&str> {
    let stem = end.strip_suffix('t')?;
    Some(stem.strip_suffix('e').filter(|stem| stem.ends_with(['t', 'd'])).unwrap_or(stem))
}

#[cfg(test)]
mod tests {
    use super::deed;
    use crate::words::fold;

    #[test]
    fn a_verb_and_its_participle_have_one_form() {
        for (verb, participle) in [
            ("abdichten", "abgedichtet"),
            ("wechseln", "gewechselt"),
            ("prüfen", "geprüft"),
            ("reparieren", "repariert"),
            ("bestellen", "bestellt"),
            ("nachfüllen", "nachgefüllt"),
            ("anrufen", "angerufen"),
            ("zurückgeben", "zurückgegeben"),
            ("erneuern", "erneuert"),
        ] {
            let both = [deed(&fold(verb)), deed(&fold(participle))];
            assert!(both[0].is_some() && both[0] == both[1], "{verb}, {participle}: {both:?}");
        }
        assert_ne!(deed("malen"), deed("mahlen"));
        assert_eq!(deed("order"), None);
        assert_eq!(deed("get"), None);
    }
}
