//! The words that lead to a page: what somebody would ask with.
//!
//! Names come first: the title, aliases, sections of a document, identifiers, files. Then the nouns that a person asked
//! with or that the claims speak of. A word that is only said in passing (a verb, an adjective, half of a name, the value of
//! an example) leads nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use ken_core::Category;
use ken_core::header::{TRIGGERS, triggers_max};
use ken_core::language::{Language, WordSet};
use ken_core::orders::order;
use ken_core::text::one_line;
use ken_core::trust::EXTERNAL_TITLE;
use ken_core::words::{Weight, fold, identifier_parts, is_count_or_date, is_stop, stem, weight, words};

use super::{PageInput, Proposed, Statement, adopted, reference};
use crate::account::Claim;
use crate::alone::with_code_as;
use crate::subject::{is_determiner, is_file, is_hash, is_preposition};
use crate::work::is_asked;

/// Triggers as they are collected: each once, whatever its spelling, and no more than a page may have.
struct Triggers {
    list: Vec<String>,
    seen: BTreeSet<String>,
    n_max: usize,
}

impl Triggers {
    fn of(category: Category) -> Triggers {
        Triggers { list: Vec::new(), seen: BTreeSet::new(), n_max: triggers_max(category) }
    }

    /// Adds names in the spelling in which they are given: `fetchLatest` is found by its parts.
    fn add<'t>(&mut self, names: impl IntoIterator<Item = &'t str>) {
        for name in names {
            if self.list.len() < self.n_max && self.seen.insert(stems(name)) {
                self.list.push(one_line(name));
            }
        }
    }

    /// Whether names lead to the page: then a plain word alone adds little.
    fn has_names(&self) -> bool {
        self.list.len() >= NAMES_ENOUGH
    }

    /// Adds nouns of which a word stands in no trigger yet, at most so many.
    fn add_nouns(&mut self, nouns: Vec<String>, n_max: usize) {
        let mut known: BTreeSet<String> =
            self.seen.iter().flat_map(|stems| stems.split(' ')).map(str::to_owned).collect();
        let mut is_new = |noun: &&String| {
            let stems = stems(noun);
            stems.split(' ').filter(|stem| known.insert((*stem).to_owned())).count() > 0
        };
        self.add(nouns.iter().filter(&mut is_new).take(n_max).map(String::as_str));
    }
}

/// Returns the words that lead to the page: its names, then what its claims speak of most, or what was proposed.
pub(super) fn triggers(input: &PageInput, claims: &[Claim<'_>], proposed: &Proposed) -> Vec<String> {
    let mut out = Triggers::of(input.category);
    let is_vouched_for = claims.is_empty() || claims.iter().any(|claim| claim.statement.is_vouched_for);
    if input.is_external || !is_vouched_for {
        // Names lead to what external sources say; their words do not.
        let name = input.title.trim_end_matches(EXTERNAL_TITLE);
        out.add([name]);
        out.add(words(name).into_iter().map(|word| word.of(name)).filter(|word| weight(word) == Weight::Strong));
        out.add([input.category.as_str(), "external", "external source", "not vouched for"]);
        return out.list;
    }
    out.add([input.title.as_str()].into_iter().filter(|title| !is_joined(title)));
    if let Some(proposed) = proposed.header.as_ref().filter(|header| !header.triggers.is_empty()) {
        out.add(proposed.triggers.iter().chain(&input.aliases).map(String::as_str));
        return out.list;
    }
    out.add(input.aliases.iter().take(2).map(String::as_str));
    out.add(input.adopted.iter().flat_map(|adopted| &adopted.tags).map(String::as_str));
    if input.is_history {
        // Whoever asks what holds is led to the page itself.
        return out.list;
    }
    // An order leads nobody to a page.
    let leads = |one: &&Statement| one.is_believed() && order(&one.text).is_none();
    // What is said and not shown leads to a page as well.
    let told = || input.statements.iter().filter(|one| !is_asked(one.kind)).filter(leads).map(|one| one.text.as_str());
    let names = reference::triggers(claims);
    let is_of_form = |name: &&str| input.adopted.is_some() && adopted::is_of_form(name);
    out.add(names.iter().map(String::as_str).filter(|name| !is_of_form(name)));
    if !reference::is_reference(claims) {
        let n_max = if input.category == Category::Project { CODE_MAX } else { SAID_NAMES_MAX };
        // In whatever order they were compiled.
        let mut texts: Vec<&str> = told().collect();
        texts.sort_unstable();
        out.add(reference::names_in_code(texts.into_iter(), PLAIN_MIN).iter().take(n_max).map(String::as_str));
    }
    if input.category == Category::Project {
        // Of a signature its name is enough.
        let called = |name: &'_ str| name.split_once('(').map_or(name.len(), |(called, _)| called.len());
        let title = reference::stems(&input.title);
        // A branch that the work is called after leads as its title does.
        let is_title = |name: &str| name.contains('-') && reference::stems(name).is_subset(&title);
        let names = input.names.iter().filter(|name| leads_by_name(name)).map(|name| without_owner(name));
        out.add(names.filter(|name| !is_title(name)).take(NAMES_MAX).map(|name| &name[..called(name)]));
        let files = input.files.iter().map(|(file, _)| file.rsplit('/').next().unwrap_or(file));
        out.add(files.filter(|file| !is_test(file)).take(FILES_MAX));
    }
    let (page, is_reference) = (Shown::of(input, claims), reference::is_reference(claims));
    let has_compounds = has_compounds(told());
    if input.category == Category::Project {
        // What people asked for is what they ask with.
        let asked = input.statements.iter().filter(|one| is_asked(one.kind)).map(|one| one.text.as_str());
        let asked = frequent(asked, (SAID_MIN, true), has_compounds);
        add_asked(&mut out, asked.into_iter().filter(|noun| page.leads(noun)));
    }
    // The relation leads to another page, and who asks for that is led there.
    let related: BTreeSet<String> = input.high.iter().chain(&input.mid).map(|page| stems(&page.title)).collect();
    let mut told = frequent(told(), (SAID_MIN, false), has_compounds);
    told.retain(|noun| !related.contains(&stems(noun)) && page.n(noun) > 0);
    add_told(&mut out, told, &page, is_reference);
    if out.list.len() > *TRIGGERS.start() && out.list[0] == one_line(&input.title) {
        // Its title leads by itself.
        out.list.remove(0);
    }
    out.list
}

/// Adds the nouns that somebody asked with.
fn add_asked(out: &mut Triggers, asked: impl Iterator<Item = String>) {
    let is_word = |noun: &String| !noun.contains(' ') && !noun.contains(char::is_uppercase);
    let (plain, telling) = asked.partition::<Vec<String>, _>(is_word);
    let n_plain = if out.has_names() { ASKED_WORDS_MAX } else { ASKED_MAX };
    out.add_nouns(telling, ASKED_MAX);
    out.add_nouns(plain, n_plain);
}

/// Adds names and nouns of which the claims of a page speak.
fn add_told(out: &mut Triggers, told: Vec<String>, page: &Shown, is_reference: bool) {
    let is_name = |noun: &String| noun.contains(char::is_uppercase);
    let (mut names, mut plain) = told.into_iter().partition::<Vec<String>, _>(is_name);
    if is_reference {
        // A document says by its headings and names what it is about; what else it is full of, others are full of as well.
        out.add_nouns(names, DOCUMENT_NAMES_MAX);
        return;
    }
    if out.has_names() {
        // A name is said in passing, a language, a system or a person mostly; where nothing else leads, it does.
        names.retain(|name| !identifier_parts(name).is_empty() || page.n(name) > 1);
    }
    out.add_nouns(names, SAID_NAMES_MAX);
    plain.retain(|noun| !out.has_names() || noun.contains(' '));
    out.add_nouns(plain, FREQUENT_MAX);
}

/// The words of a page, by their stems: whoever follows a trigger finds it there.
struct Shown {
    /// Those of each text that stands on it.
    texts: Vec<BTreeSet<String>>,
    /// Those of what was asked first: as somebody told of a fault before anybody had looked, others tell of it as well.
    opening: BTreeSet<String>,
}

impl Shown {
    fn of(input: &PageInput, claims: &[Claim<'_>]) -> Shown {
        let texts = claims.iter().map(|claim| claim.statement.text.as_str());
        let texts = texts.chain(input.files.iter().map(|(file, _)| file.as_str())).chain([input.title.as_str()]);
        let first = input.statements.iter().filter(|one| is_asked(one.kind)).min_by_key(|one| one.id);
        let opening = first.map(|one| reference::stems(&one.text)).unwrap_or_default();
        Shown { texts: texts.map(reference::stems).collect(), opening }
    }

    /// In how many of the texts all words of a noun stand.
    fn n(&self, noun: &str) -> usize {
        let stems = reference::stems(noun);
        self.texts.iter().filter(|text| stems.is_subset(text)).count()
    }

    /// Whether a noun that somebody asked with leads to the page.
    fn leads(&self, noun: &str) -> bool {
        self.n(noun) > 0 || reference::stems(noun).is_subset(&self.opening)
    }
}

/// Files that lead to the work that changed them.
const FILES_MAX: usize = 3;
/// Names that lead to work and stand in none of its claims, and those in code that its statements speak of most.
const NAMES_MAX: usize = 2;
const CODE_MAX: usize = 5;
/// Names that lead to a page because its claims speak of them.
const SAID_NAMES_MAX: usize = 2;
/// The same of a document, which has headings.
const DOCUMENT_NAMES_MAX: usize = 4;
/// How often a plain word in code is said that leads to what is no document.
const PLAIN_MIN: usize = 2;
/// Words that lead to a page because its claims are full of them, and because people asked with them; of these the plain ones
/// where names lead.
const FREQUENT_MAX: usize = 3;
const ASKED_MAX: usize = 4;
const ASKED_WORDS_MAX: usize = 1;
/// So many triggers lead to a page without a plain word.
const NAMES_ENOUGH: usize = 6;

/// Whether a title is made of the names or sections of what it stands for: each of them leads by itself.
fn is_joined(title: &str) -> bool {
    let is_name = |part: &str| {
        let is_shaped = part.contains(['.', '_', '/', '(']) || !identifier_parts(part).is_empty();
        !part.contains(' ') && is_shaped
    };
    title.ends_with('…') || title.split_once(" and ").is_some_and(|(a, b)| is_name(a) || is_name(b))
}

/// Whether somebody may look for a name that was only said: no variable or field, no call into a library, no place in a
/// file, no value of an example.
fn leads_by_name(name: &str) -> bool {
    let called = name.split_once('(').map_or(name, |(called, _)| called);
    let is_plain = called.chars().all(|ch| ch.is_alphanumeric() || ch == '_');
    let is_variable = is_plain && called.starts_with(char::is_lowercase) && !name.ends_with("()");
    let is_member =
        called.contains('.') && !called.contains(['/', ' ']) && !called.starts_with('.') && !is_file(called);
    let is_place = name.rsplit_once(':').is_some_and(|(_, line)| line.starts_with(|ch: char| ch.is_ascii_digit()));
    let n_digits = name.chars().filter(char::is_ascii_digit).count();
    !reference::is_address(name)
        && !is_variable
        && !is_member
        && !is_place
        && n_digits < DIGITS_MAX
        && !name.contains(['*', '"', '<', '='])
        && !name.contains(": ")
        && !is_of_machine(name)
        && !is_test(name)
}

/// The name of a branch without whose or of what kind it is: of `fix/oven-door` the door.
fn without_owner(name: &str) -> &str {
    let is_branch = |rest: &str| rest.contains('-') && rest.chars().all(|ch| ch.is_alphanumeric() || ch == '-');
    match name.split_once('/') {
        Some((owner, rest)) if !owner.is_empty() && !owner.contains('.') && is_branch(rest) => rest,
        _ => name,
    }
}

/// Whether a name is a place of a machine, not of a project: `/usr/local/bin`.
fn is_of_machine(name: &str) -> bool {
    name.strip_prefix('/').is_some_and(|rest| rest.contains('/') && !rest.ends_with('/'))
}

/// Whether a name is that of a test: whoever looks something up asks for what is tested.
fn is_test(name: &str) -> bool {
    let is_of_file = ["_test.", ".test.", ".spec.", "_spec."].iter().any(|part| name.contains(part));
    let behind = name.strip_prefix("Test").or_else(|| name.strip_prefix("test_"));
    is_of_file
        || behind.is_some_and(|rest| {
            rest.starts_with(|ch: char| ch.is_uppercase() || ch == '_') || name.starts_with("test_")
        })
}

/// So many digits are an example's or a machine's.
const DIGITS_MAX: usize = 6;

/// How often a plain word is said that leads somebody, once as what a text speaks of first.
const SAID_MIN: usize = 2;
/// So few texts say each thing once.
const FEW_TEXTS: usize = 3;

/// Whether a word of letters and digits in turn was made by a program (`wwz1xp8ai9xr`), not by a person (`oauth2`, `x86_64`).
fn is_made_up(word: &str) -> bool {
    let digits = word.split(|ch: char| !ch.is_ascii_digit()).filter(|run| !run.is_empty()).count();
    word.len() >= MADE_UP_MIN && digits > 1 && word.chars().all(char::is_alphanumeric)
}

/// Shortest word in bytes that may be one that a program made.
const MADE_UP_MIN: usize = 8;

/// Those of the nouns and names in texts that are said most, each in its most frequent spelling; where much is said, plain
/// words at least `n_min` times. Of what is asked the state is told as well: `uncommitted changes`.
fn frequent<'t>(
    texts: impl Iterator<Item = &'t str>,
    (n_min, is_asked): (usize, bool),
    has_compounds: bool,
) -> Vec<String> {
    let mut counts: BTreeMap<String, (usize, BTreeMap<String, usize>)> = BTreeMap::new();
    // What is only ever counted is a unit: `4 euros`, `20 percent`.
    let mut things: BTreeSet<String> = BTreeSet::new();
    let mut n_texts = 0;
    for text in texts {
        n_texts += 1;
        // Pieces of code, paths and addresses are words of nobody.
        let spoken = with_code_as(CODE, text);
        let plain: Vec<&str> =
            spoken.split_whitespace().map(|token| if token.contains('/') { CODE } else { token }).collect();
        for (n, (noun, is_counted)) in nouns(&plain.join(" "), is_asked, has_compounds).into_iter().enumerate() {
            let key = stems(&noun);
            things.extend((!is_counted).then(|| key.clone()));
            let slot = counts.entry(key).or_default();
            // What a text names first it is about, mostly.
            slot.0 += if n == 0 { 2 } else { 1 };
            *slot.1.entry(noun).or_default() += 1;
        }
    }
    let mut ranked: Vec<_> = counts.into_iter().filter(|(key, _)| things.contains(key)).collect();
    ranked.sort_by(|(a, (n, _)), (b, (m, _))| m.cmp(n).then_with(|| a.cmp(b)));
    let leads = |(key, (count, spellings)): &(String, (usize, BTreeMap<String, usize>))| {
        // Somebody may be named in passing, as anything may; an identifier is not.
        let is_name = spellings.keys().any(|spelling| {
            spelling.chars().skip(1).any(char::is_uppercase) || spelling.contains(|ch: char| ch.is_ascii_digit())
        });
        *count >= n_min || n_texts <= FEW_TEXTS || key.contains(' ') || is_name
    };
    let spelling = |spellings: BTreeMap<String, usize>| {
        spellings.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0))).map(|(spelling, _)| spelling)
    };
    ranked.into_iter().filter(leads).filter_map(|(_, (_, spellings))| spelling(spellings)).collect()
}

/// Whether two nouns in a row are one name in what texts are written in, as in English. In the other languages one is joined
/// to the other, by writing them as one or by a preposition: there the first is an adjective, an adverb or a verb.
fn has_compounds<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    Language::of(&texts.collect::<Vec<_>>().join(" ")) == Language::ENGLISH
}

/// The stems of the words of a text, in a row.
fn stems(text: &str) -> String {
    words(text).iter().map(|word| stem(&fold(word.of(text)))).collect::<Vec<_>>().join(" ")
}

/// What stands for a piece of code: no word.
const CODE: &str = "`";

/// The nouns of a text by their place, and its names of several words: what ends a run of words behind a determiner, a
/// preposition or a number, with the word before it (`oven timer`); with each whether a number stands before it.
fn nouns(text: &str, has_states: bool, has_compounds: bool) -> Vec<(String, bool)> {
    let all = words(text);
    let word = |n: usize| all.get(n).map(|span| span.of(text));
    // Whether nothing but a blank stands between a word and the next.
    let goes_on = |n: usize| all.get(n + 1).is_some_and(|next| text[all[n].end..next.start].trim().is_empty());
    let is_content = |word: &str| weight(word) != Weight::Stop && !is_count_or_date(word) && !is_stop(word);
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) && word.len() > 1;
    let starts =
        |n: usize| n == 0 || !text[..all[n].start].trim_end().ends_with(|ch: char| ch.is_alphanumeric() || ch == ',');
    let (mut out, mut n) = (Vec::new(), 0);
    while let Some(first) = word(n) {
        if !is_content(first) {
            n += 1;
            continue;
        }
        let mut end = n;
        while goes_on(end) && word(end + 1).is_some_and(is_content) {
            end += 1;
        }
        let before = n.checked_sub(1).filter(|before| goes_on(*before)).and_then(word).unwrap_or("").to_lowercase();
        let is_counted = is_count_or_date(&before) || before.parse::<f64>().is_ok();
        let is_led = is_determiner(&before) || is_preposition(&before) || is_counted;
        let is_name =
            |n: usize| word(n).is_some_and(|word| !identifier_parts(word).is_empty() || is_capital(word) && !starts(n));
        let mut at = n;
        while at <= end {
            let len = (at..=end).take_while(|n| is_name(*n)).count();
            // Of `Mill Lane` neither half is asked for.
            let name = || (at..at + len).filter_map(word).collect::<Vec<_>>().join(" ");
            out.extend((len > 0).then(|| (name() + numbered(&text[all[at + len - 1].end..]), false)));
            at += len.max(1);
        }
        // `The oven timer rings for …`: a third word in -s is the verb, and the second behind a determiner, mostly.
        let is_verb = |word: &str| word.ends_with('s') && !word.ends_with("ss");
        let n_before_verb = if is_determiner(&before) { 1 } else { 2 };
        let last = if end >= n + n_before_verb && word(end).is_some_and(is_verb) { end - 1 } else { end };
        // What stands before code describes it: `the same `flush()``.
        let describes = last == end && text[all[end].end..].trim_start().starts_with(CODE);
        // `The bakers restart the oven`: what stands before a determiner was the verb.
        let acts = last > n && last == end && goes_on(end) && word(end + 1).is_some_and(is_determiner);
        // What stands behind a number is its unit: an `8 byte frame` is no kind of frame.
        let is_measured = last == n + 1 && before.parse::<f64>().is_ok();
        let may_lead = is_led && !describes && !acts && !is_measured && !is_name(last);
        // `What the bakers restart`: a word in -s has its verb behind it, mostly, and no noun.
        let may_lead = may_lead && !(last > n && !is_name(last - 1) && word(last - 1).is_some_and(is_verb));
        let noun = word(last).filter(|noun| may_lead && is_noun(noun) && is_telling(noun));
        let kind = (has_compounds && last > n && !is_name(last - 1)).then(|| word(last - 1)).flatten();
        let kind = kind.filter(|kind| (is_noun(kind) || has_states && kind.ends_with("ed")) && is_telling(kind));
        out.extend(noun.map(|noun| match kind {
            Some(kind) => (format!("{kind} {noun}"), false),
            None => (noun.to_owned(), is_counted),
        }));
        n = end + 1;
    }
    out.retain(|(noun, _)| {
        let parts = words(noun);
        let is_any = |is: fn(&str) -> bool| parts.iter().any(|part| is(part.of(noun)));
        is_any(is_telling) && (parts.len() > 1 || is_any(|part| !is_everyday(part)))
    });
    out
}

/// What stands behind a name and belongs to it: of `UTF-8` and `OVEN-412` the number.
fn numbered(rest: &str) -> &str {
    let digits = rest.strip_prefix('-').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    if digits > 0 { &rest[..digits + 1] } else { "" }
}

/// Whether a word is a noun that everything is full of: nobody looks anything up by it alone.
fn is_everyday(word: &str) -> bool {
    static EVERYDAY: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.everyday));
    let word = word.to_lowercase();
    EVERYDAY.has(&word) || word.strip_suffix('s').is_some_and(|one| EVERYDAY.has(one))
}

fn is_telling(word: &str) -> bool {
    let is_strong = words(word).iter().any(|part| weight(part.of(word)) == Weight::Strong);
    // What is emphasised has a mark at its end: `_only_`.
    let is_date = is_count_or_date(&word.to_lowercase());
    // `IDs`, `CLIs` are of a kind of which there are many.
    let is_of_kind =
        word.strip_suffix('s').is_some_and(|one| one.len() > 1 && one.chars().all(|ch| ch.is_ascii_uppercase()));
    is_strong
        && !is_date
        && !is_of_kind
        && !word.ends_with('_')
        && (3..=30).contains(&word.chars().count())
        && !is_hash(word)
        && !is_made_up(word)
}

/// Whether a word behind a determiner can be a noun: no participle and no adverb.
fn is_noun(word: &str) -> bool {
    let lower = word.to_lowercase();
    !(lower.ends_with("ed") || lower.ends_with("ly") || EXAMPLES.contains(&lower.as_str()))
}

/// Names that examples use for anything.
const EXAMPLES: &[&str] = &["foo", "bar", "baz", "qux", "lorem", "ipsum"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_end_what_a_determiner_begins_and_names_stay_whole() {
        for (text, expected) in [
            ("The oven timer rings for an hour.", &["oven timer"][..]),
            ("We baked it in the old oven on Mill Lane.", &["oven", "Mill Lane"]),
            ("It calls the same `flush()` of an oven.", &["oven"]),
            ("It inserts loaves and permits steam.", &[]),
            ("Orders moved to Redis yesterday with fetchLatest.", &["Redis", "fetchLatest"]),
            ("In the morning the oven bakers restart the bell.", &["bell"]),
            ("We read it as UTF-8 from OVEN-412 in an 8 byte frame.", &["UTF-8", "OVEN-412"]),
            ("It has two loaves pls and a bell tbh.", &["loaves", "bell"]),
            ("See what the loaves weigh on the bell rope.", &["bell rope"]),
        ] {
            let found: Vec<String> =
                nouns(&with_code_as(CODE, text), false, true).into_iter().map(|(word, _)| word).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_everything_is_full_of_leads_nobody_and_names_keep_their_capitals() {
        let texts = ["The morning oven is at Redis for the morning.", "Ada has the other side of the oven."];
        let found = frequent(texts.into_iter(), (SAID_MIN, false), true);
        assert!(found.contains(&"Redis".to_owned()) && found.iter().any(|noun| noun.contains("oven")), "{found:?}");
        assert!(!found.iter().any(|noun| noun == "morning" || noun == "side"), "{found:?}");
        let asked = |is_asked| frequent(["Where is the uncounted loaf of today?"].into_iter(), (1, is_asked), true);
        assert!(asked(true).contains(&"uncounted loaf".to_owned()), "{:?}", asked(true));
        assert!(!asked(false).contains(&"uncounted loaf".to_owned()), "{:?}", asked(false));
        assert!(is_everyday("Mornings") && !is_everyday("oven"));
        assert!(!is_telling("CLIs") && is_telling("CLI") && is_telling("Redis"));
    }

    #[test]
    fn a_branch_leads_without_whose_it_is() {
        for (name, expected) in [
            ("ada/oven-door", "oven-door"),
            ("fix/oven", "fix/oven"),
            ("src/oven-door.rs", "src/oven-door.rs"),
            (".oven/old-door", ".oven/old-door"),
            ("oven-door", "oven-door"),
        ] {
            assert_eq!(without_owner(name), expected);
        }
    }

    #[test]
    fn of_names_that_were_only_said_those_lead_that_somebody_looks_for() {
        for name in ["TrackCommand()", "--force", "src/oven.rs", "E0308", "oven.toml", "git push", "OVEN_HEAT"] {
            assert!(leads_by_name(name), "{name}");
        }
        let none = ["refName", "fmt.Errorf", "oven.rs:63", "batch-20260301", "heat: true", "heat=default"];
        for name in none.into_iter().chain(["TestOven", "oven_test.go", "/usr/local/bin", "*Oven", "oven/<hash>"]) {
            assert!(!leads_by_name(name), "{name}");
        }
    }
}
