//! Chooses what a reader is shown of the wiki beside a portion, within bounds that do not grow with it.
//!
//! For a file: names of pages, those that it mentions first, the same for all its portions so that
//! providers' caches serve them. For a portion: the claims of the pages whose names stand in it, those that
//! share most words with it. Only pages and claims that come from readings are shown: what was extracted
//! goes when its source is read, and would be a poor example. Of what is known only that is shown which was known on the
//! day of the portion: of many days that are read at once, and of one that is read late, later ones may be read before.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::budget::count;
use ken_core::text::cut;
use ken_core::words::{fold, is_stop, stem, subject_key, words};
use ken_core::{Category, Date};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::check::Shown;
use crate::propose::kinds::{ClaimView, PageView, Standing};
use ken_compile::about::About;
use ken_compile::ledger::{Key, Ledger, key_hash};
use ken_compile::naming::PageRecord;
use ken_compile::portion::Portion;

/// Tokens of names that are shown beside a file.
const NAMES_TOKENS: usize = 260;
/// Pages whose claims may be shown beside the portions of a file.
const PAGES_OF_FILE_MAX: usize = 60;
/// Pages whose claims are shown beside a portion.
const PAGES_MAX: usize = 14;
/// Claims of each that are shown.
const CLAIMS_MAX: usize = 5;
/// Tokens that all of them may take.
const CLAIMS_TOKENS: usize = 900;
/// Characters of a claim that are shown: enough to know it again.
const CLAIM_CHARS_MAX: usize = 160;
/// What a page is worth of whose name only a part is mentioned, for each part.
const PARTLY: f64 = 0.3;

/// What is shown beside the portions of one file.
#[derive(Debug, Default)]
pub(crate) struct Slice {
    /// Names of pages.
    pub(crate) context: String,
    /// The same by slug.
    names: BTreeMap<String, String>,
    /// Pages that the file mentions, with the stems of their names.
    pages: Vec<(PageView, Vec<BTreeSet<String>>)>,
    /// How much a stem tells pages apart.
    weights: BTreeMap<String, f64>,
}

impl Engine {
    /// Returns what is shown beside the portions of a file.
    pub(crate) fn slice(&self, portions: &[Portion]) -> Result<Slice, Failure> {
        Ok(self.slices(&[portions])?.pop().unwrap_or_default())
    }

    /// Returns what is shown beside the portions of each of some files. The wiki is read once for all of them.
    pub(crate) fn slices(&self, files: &[&[Portion]]) -> Result<Vec<Slice>, Failure> {
        let Some(ledger) = self.load_ledger() else { return Ok(files.iter().map(|_| Slice::default()).collect()) };
        let known: Vec<(Key, Vec<BTreeSet<String>>)> =
            shown_subjects(&ledger).into_iter().map(|key| (key, names_of(&ledger.pages[&key]))).collect();
        let weights = weights(known.iter().map(|(_, names)| names));
        let routed = self.routed(&ledger)?;
        let mut wanted = Vec::new();
        for portions in files {
            let text: String = portions.iter().map(|one| format!("{}\n{}\n", one.title, one.text())).collect();
            let bag = stems(&text);
            let mut ranked: Vec<(f64, u32, Key)> = known
                .iter()
                .map(|(key, names)| (score(names, &bag, &weights), ledger.pages[key].n_claims, *key))
                .collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
            let best = ranked.iter().filter(|(score, ..)| *score > 0.0).take(PAGES_OF_FILE_MAX);
            let mut keys: BTreeSet<Key> = best.map(|(.., key)| *key).collect();
            keys.extend(routed(portions));
            wanted.push((listed(&ranked, &ledger), keys));
        }
        let all: BTreeSet<Key> = wanted.iter().flat_map(|(_, keys)| keys).copied().collect();
        let views: BTreeMap<Key, (PageView, Vec<BTreeSet<String>>)> = self
            .views(&ledger, &all)?
            .into_iter()
            .map(|viewed| {
                let names = viewed.page.names().into_iter().map(stems).collect();
                (key_hash(&subject_key(&viewed.page.title)), (viewed.page, names))
            })
            .collect();
        let slices = wanted.into_iter().map(|((context, names), keys)| {
            let pages = keys.iter().filter_map(|key| views.get(key).cloned()).collect();
            Slice { context, names, pages, weights: weights.clone() }
        });
        Ok(slices.collect())
    }

    /// Returns how to find the pages that routing loads for the titles of a file's entries.
    fn routed<'l>(&self, ledger: &'l Ledger) -> Result<impl Fn(&[Portion]) -> BTreeSet<Key> + use<'l>, Failure> {
        let catalog = self.catalog()?;
        let known = shown_subjects(ledger);
        let pages = ledger.pages.iter().filter(|(key, _)| known.contains(key));
        let by_path: BTreeMap<&str, Key> = pages.map(|(key, page)| (page.path.as_str(), *key)).collect();
        Ok(move |portions: &[Portion]| {
            let titles: BTreeSet<&str> = portions.iter().map(|portion| portion.title.as_str()).collect();
            let titles = titles.into_iter().filter(|title| !title.is_empty()).take(PAGES_MAX);
            let routes = titles.map(|title| {
                let query = ken_core::search::Question::in_every_language(title);
                ken_core::route::route(&query, catalog.as_ref(), ken_core::Tokens(usize::MAX))
            });
            let of = |route: ken_core::route::Route| {
                route
                    .loaded
                    .iter()
                    .filter_map(|page| by_path.get(page.entry.path.as_str()).copied())
                    .collect::<Vec<_>>()
            };
            routes.flat_map(of).collect()
        })
    }
}

/// The subjects that a reading is about; what joins several is made anew where it is said anew.
fn shown_subjects(ledger: &Ledger) -> BTreeSet<Key> {
    let mut known = ledger.read_subjects();
    known.retain(|key| ledger.pages[key].category != Category::Connection.as_str());
    known
}

/// The names of pages, as many as fit.
fn listed(ranked: &[(f64, u32, Key)], ledger: &Ledger) -> (String, BTreeMap<String, String>) {
    let (mut out, mut names) = (String::from("Known pages: "), BTreeMap::new());
    for page in ranked.iter().map(|(.., key)| &ledger.pages[key]) {
        let title = page.shown_title();
        let row = format!("{}{title}", if names.is_empty() { "" } else { "; " });
        if count(&out).0 + count(&row).0 > NAMES_TOKENS {
            break;
        }
        out.push_str(&row);
        names.extend(page.slug().map(|slug| (slug.to_string(), title)));
    }
    if names.is_empty() { (String::new(), names) } else { (out + "\n", names) }
}

impl Slice {
    /// Returns the claims that are shown beside one portion, and what may be named in a reply to it.
    pub(crate) fn beside(&self, portion: &Portion) -> (String, Shown) {
        let mut shown = Shown { pages: self.names.clone(), ..Shown::default() };
        let bag = stems(&format!("{}\n{}", portion.title, portion.text()));
        let mut ranked: Vec<(f64, &PageView)> = self
            .pages
            .iter()
            .map(|(page, names)| {
                let by_name = score(names, &bag, &self.weights);
                // A page may be meant that is not named: then its claims speak of the same.
                let closest = page
                    .claims
                    .iter()
                    .filter(|claim| is_known_on(claim, portion.date))
                    .map(|claim| shared(claim, &bag))
                    .fold(0.0, f64::max);
                (by_name + closest, page)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.slug.cmp(&b.1.slug)));
        let mut out = String::new();
        for (_, page) in ranked.into_iter().filter(|(score, _)| *score > 0.0).take(PAGES_MAX) {
            let is_new = |claim: &&ClaimView| !shown.claims.contains_key(&claim.id);
            let claims: Vec<&ClaimView> = best_claims(page, (&bag, portion.date)).into_iter().filter(is_new).collect();
            let row = told(page, &claims, portion.date);
            if claims.is_empty() || count(&out).0 + count(&row).0 > CLAIMS_TOKENS {
                continue;
            }
            out.push_str(&row);
            shown.add(page, &claims, portion.date);
        }
        let text = if out.is_empty() { out } else { format!("Known claims, by page:\n{out}") };
        (text, shown)
    }
}

/// Claims that are shown for one of several texts that are read at once.
const CLAIMS_OF_TEXT_MAX: usize = 10;
/// How many of them are of one page: a page that is named says more than the one thing that changed.
const OF_PAGE_MAX: usize = 4;

impl Slice {
    /// Returns the claims that are shown beside several short texts that are read at once, each claim once, and what may
    /// be named in the replies. Each text brings those of the pages that it names, and those that share its rarest words:
    /// chosen by all texts together they would be those of whatever is spoken of most.
    pub(crate) fn beside_all(&self, texts: &[&Portion]) -> (String, Shown) {
        let mut seen = BTreeSet::new();
        let candidates: Vec<Known<'_>> = self
            .pages
            .iter()
            .flat_map(|(page, names)| page.claims.iter().chain(&page.past).map(move |claim| (page, names, claim)))
            .filter(|(.., claim)| claim.is_read && seen.insert(&claim.id))
            .map(|(page, names, claim)| {
                let stems = stems(&format!("{} {}", claim.about.join(" "), claim.text));
                Known { page, names, claim, stems }
            })
            .collect();
        let tokens_max = CLAIMS_TOKENS.max(texts.len() * TOKENS_OF_TEXT);
        let day = texts.iter().filter_map(|text| text.date).max();
        let (mut n_tokens, mut kept) = (0, BTreeMap::<&str, (&PageView, Vec<&ClaimView>)>::new());
        for Known { page, claim, .. } in chosen(&candidates, texts).into_iter().map(|n| &candidates[n]) {
            let is_first = !kept.contains_key(page.slug.as_str());
            let of_page = if is_first { count(&heading(page)).0 } else { 0 };
            n_tokens += count(&cut(&claim.text, CLAIM_CHARS_MAX)).0 + CLAIM_TOKENS + of_page;
            if n_tokens > tokens_max {
                break;
            }
            kept.entry(&page.slug).or_insert((*page, Vec::new())).1.push(*claim);
        }
        let mut shown = Shown { pages: self.names.clone(), ..Shown::default() };
        let mut out = String::new();
        for (page, claims) in kept.values() {
            out.push_str(&told(page, claims, day));
            shown.add(page, claims, day);
        }
        let text = if out.is_empty() { out } else { format!("Known claims, by page:\n{out}") };
        (text, shown)
    }
}

/// Tokens of a claim besides its text: its id, its day, its slot.
const CLAIM_TOKENS: usize = 12;
/// Tokens of claims for each of several texts.
const TOKENS_OF_TEXT: usize = 200;
/// What it is worth that a text names the page of a claim: some rare words, which may be shared by chance.
const NAMED: f64 = 12.0;
/// What it is worth that a claim gives a value: those are what changes.
const VALUE: f64 = 2.0;
/// What a claim that was replaced is worth of what it would be: it is shown to be told from what replaced it.
const REPLACED: f64 = 0.5;
/// What it is worth besides that the claim is a task that is open: whoever reads that it was done has to name it.
const OPEN: f64 = 4.0;

/// A claim that may be shown.
struct Known<'a> {
    page: &'a PageView,
    /// The stems of the page's names.
    names: &'a [BTreeSet<String>],
    claim: &'a ClaimView,
    /// Its own stems, those of its subjects among them.
    stems: BTreeSet<String>,
}

/// Whether a claim was known on the day of a text.
fn is_known_on(claim: &ClaimView, day: Option<Date>) -> bool {
    claim.date.zip(day).is_none_or(|(said, day)| said <= day)
}

/// Whether a claim stands on the day of a text as it does now; what is replaced later still holds.
fn standing_on(claim: &ClaimView, day: Option<Date>) -> Standing {
    let is_later = claim.until.zip(day).is_some_and(|(until, day)| until > day);
    if is_later { Standing::Holds } else { claim.standing }
}

/// The claims that texts call to mind: the best of each text first, then the second best of each, so that no text goes
/// without for the sake of one that shares much. Every other one is of a page that a text names: who names several pages
/// speaks of something that need stand on none of them.
fn chosen(claims: &[Known<'_>], texts: &[&Portion]) -> Vec<usize> {
    let mut n_with: BTreeMap<&str, usize> = BTreeMap::new();
    claims.iter().flat_map(|one| &one.stems).for_each(|stem| *n_with.entry(stem).or_default() += 1);
    let rarity = |stem: &String| (1.0 + claims.len() as f64 / n_with[stem.as_str()] as f64).ln();
    let mut chosen: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for text in texts {
        let bag = stems(&format!("{}\n{}", text.title, text.text()));
        let is_named = |names: &[BTreeSet<String>]| names.iter().any(|name| !name.is_empty() && name.is_subset(&bag));
        let score = |one: &Known<'_>, bonus: f64| {
            let shared = one.stems.intersection(&bag).map(rarity).sum::<f64>();
            let open =
                if one.claim.is_open && standing_on(one.claim, text.date) == Standing::Holds { OPEN } else { 0.0 };
            let value = if one.claim.slot.is_empty() { 0.0 } else { VALUE };
            let is_about = shared > 0.0 && (bonus == 0.0 || is_named(one.names));
            let score = if is_about { bonus + open + value + shared } else { shared };
            let is_replaced = standing_on(one.claim, text.date) == Standing::Replaced;
            if is_replaced { REPLACED * score } else { score }
        };
        let ranked = |bonus: f64| {
            let known = claims.iter().enumerate().filter(|(_, one)| is_known_on(one.claim, text.date));
            let mut ranked: Vec<(f64, usize)> = known.map(|(n, one)| (score(one, bonus), n)).collect();
            ranked.retain(|(score, _)| *score > 0.0);
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            ranked
        };
        let in_turn = ranked(NAMED).into_iter().zip(ranked(0.0)).flat_map(|(named, alike)| [named, alike]);
        let (mut of_page, mut seen): (BTreeMap<&str, usize>, BTreeSet<usize>) = Default::default();
        let best = in_turn.filter(|(_, n)| {
            let n_before = of_page.entry(&claims[*n].page.slug).or_default();
            let is_new = *n_before < OF_PAGE_MAX && seen.insert(*n);
            *n_before += usize::from(is_new);
            is_new
        });
        let best = best.take(CLAIMS_OF_TEXT_MAX);
        for (rank, (score, n)) in best.enumerate() {
            let known = chosen.entry(n).or_insert((rank, score));
            *known = (known.0.min(rank), known.1.max(score));
        }
    }
    let mut ranked: Vec<(usize, f64, usize)> = chosen.into_iter().map(|(n, (rank, score))| (rank, score, n)).collect();
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    ranked.into_iter().map(|(.., n)| n).collect()
}

impl Shown {
    fn add(&mut self, page: &PageView, claims: &[&ClaimView], day: Option<Date>) {
        self.pages.insert(page.slug.clone(), page.title.clone());
        for claim in claims {
            let about = if claim.about.is_empty() { vec![page.title.clone()] } else { claim.about.clone() };
            self.claims.insert(claim.id.clone(), about);
            self.disputed.extend((standing_on(claim, day) == Standing::Disputed).then(|| claim.id.clone()));
            self.about.insert(claim.id.clone(), About::of(&claim.text, &claim.slot));
        }
    }
}

/// Other names of a page that are shown.
const ALIASES_MAX: usize = 2;

/// A page's names, as they are shown.
fn heading(page: &PageView) -> String {
    let also: Vec<&str> = page.aliases.iter().take(ALIASES_MAX).map(String::as_str).collect();
    let also = if also.is_empty() { String::new() } else { format!(", also {}", also.join(", ")) };
    format!("- {}{also}\n", page.title)
}

/// A page as it is shown: its names and claims as they stand on the day of a text; days of its year go without it.
fn told(page: &PageView, claims: &[&ClaimView], day: Option<Date>) -> String {
    let mut out = heading(page);
    let short = |date: Date| match day.is_some_and(|day| day.year() == date.year()) {
        true => format!("{:02}-{:02}", date.month(), date.day()),
        false => date.to_string(),
    };
    for claim in claims {
        let mark = match standing_on(claim, day) {
            Standing::Holds => None,
            Standing::Disputed => Some("disputed".to_owned()),
            Standing::Replaced => Some("replaced".to_owned()),
        };
        let marks: Vec<String> = claim.date.map(short).into_iter().chain(mark).collect();
        let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
        let slot = if claim.slot.is_empty() { String::new() } else { format!(" [{}]", claim.slot) };
        out.push_str(&format!("{}{marks}: {}{slot}\n", claim.id, cut(&claim.text, CLAIM_CHARS_MAX)));
    }
    out
}

/// The claims from readings that share most words with a text; what was replaced by a statement's own words, too: a
/// reading of that statement has to say so again.
fn best_claims<'a>(page: &'a PageView, (bag, day): (&BTreeSet<String>, Option<Date>)) -> Vec<&'a ClaimView> {
    let read = page.claims.iter().chain(&page.past).filter(|claim| claim.is_read && is_known_on(claim, day));
    let mut ranked: Vec<(f64, &ClaimView)> = read.map(|claim| (shared(claim, bag), claim)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().take(CLAIMS_MAX).map(|(_, claim)| claim).collect()
}

/// The share of a claim's words that a text has.
fn shared(claim: &ClaimView, bag: &BTreeSet<String>) -> f64 {
    let own = stems(&claim.text);
    own.intersection(bag).count() as f64 / own.len().max(4) as f64
}

fn names_of(page: &PageRecord) -> Vec<BTreeSet<String>> {
    std::iter::once(&page.title).chain(&page.aliases).map(|name| stems(name)).collect()
}

/// How much each stem of a name tells pages apart: the fewer have it, the more.
fn weights<'a>(names: impl Iterator<Item = &'a Vec<BTreeSet<String>>>) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut n_pages = 0;
    for names in names {
        n_pages += 1;
        let all: BTreeSet<&String> = names.iter().flatten().collect();
        all.into_iter().for_each(|stem| *counts.entry(stem.clone()).or_default() += 1);
    }
    counts.into_iter().map(|(stem, n)| (stem, (1.0 + n_pages as f64 / n as f64).ln())).collect()
}

/// How surely a text speaks of a page: by the weight of a name that stands in it, or of a part of one.
fn score(names: &[BTreeSet<String>], bag: &BTreeSet<String>, weights: &BTreeMap<String, f64>) -> f64 {
    let weight = |stem: &String| weights.get(stem).copied().unwrap_or(0.0);
    let of_name = |name: &BTreeSet<String>| {
        let found: f64 = name.intersection(bag).map(weight).sum();
        let is_whole = !name.is_empty() && name.is_subset(bag);
        if is_whole { found } else { PARTLY * found }
    };
    names.iter().map(of_name).fold(0.0, f64::max)
}

/// The stems of a text's words, short ones aside.
pub(crate) fn stems(text: &str) -> BTreeSet<String> {
    let named = words(text).into_iter().map(|word| word.of(text)).filter(|word| !is_stop(word));
    named.map(|word| stem(&fold(word))).filter(|stem| stem.chars().count() > 2).collect()
}

#[cfg(test)]
mod tests {
    use ken_compile::portion::PortionLine;
    use ken_core::VaultPath;

    use super::*;

    fn claim(text: &str, day: &str) -> ClaimView {
        ClaimView::held(ken_core::Digest::of(text.as_bytes()).short(), text.to_owned(), day.parse().ok())
    }

    fn page(title: &str, alias: &str, claims: Vec<ClaimView>) -> (PageView, Vec<BTreeSet<String>>) {
        let page = PageView {
            digest: String::new(),
            path: String::new(),
            slug: ken_core::Slug::from_text(title).expect("a slug").to_string(),
            title: title.to_owned(),
            aliases: [alias].into_iter().filter(|alias| !alias.is_empty()).map(str::to_owned).collect(),
            category: Category::Concept,
            claims,
            past: Vec::new(),
            sources: Vec::new(),
        };
        let names = page.names().into_iter().map(stems).collect();
        (page, names)
    }

    fn portion(day: &str, text: &str) -> Portion {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let lines = vec![PortionLine { number: 1, text: text.to_owned() }];
        Portion { path, title: String::new(), date: day.parse().ok(), lines, digest: String::new() }
    }

    /// What is shown beside texts that are read at once.
    fn shown(pages: Vec<(PageView, Vec<BTreeSet<String>>)>, texts: &[(&str, &str)]) -> String {
        let slice = Slice { pages, ..Slice::default() };
        let texts: Vec<Portion> = texts.iter().map(|(day, text)| portion(day, text)).collect();
        slice.beside_all(&texts.iter().collect::<Vec<_>>()).0
    }

    #[test]
    fn of_a_page_that_a_text_names_more_is_called_to_mind_than_of_words_it_happens_to_share() {
        let of_celery = "Cass eats everything except celery, which she hands to whoever sits beside her instead.";
        let pages = vec![
            page("Cass", "", vec![claim(of_celery, "2026-03-02")]),
            page("Stand-up", "morning round", vec![claim("The stand-up is at 9:15.", "2026-03-02")]),
        ];
        let said = "We do everything earlier, so whoever sits there: the stand-up is at 9:45 instead.";
        let found = shown(pages, &[("2026-03-05", said)]);
        assert!(found.contains("- Stand-up, also morning round\n") && found.contains("9:15"), "{found}");
        assert_eq!(chosen_first(said), "The stand-up is at 9:15.");
    }

    /// The claim that a text calls to mind first.
    fn chosen_first(said: &str) -> String {
        let names = [vec![stems("Cass")], vec![stems("Stand-up")]];
        let (cass, standup) = (page("Cass", "", Vec::new()).0, page("Stand-up", "", Vec::new()).0);
        let says = [
            claim(
                "Cass eats everything except celery, which she hands to whoever sits beside her instead.",
                "2026-03-02",
            ),
            claim("The stand-up is at 9:15.", "2026-03-02"),
        ];
        let known: Vec<Known<'_>> = [&cass, &standup]
            .into_iter()
            .zip(&names)
            .zip(&says)
            .map(|((page, names), claim)| Known { page, names, claim, stems: stems(&claim.text) })
            .collect();
        says[chosen(&known, &[&portion("2026-03-05", said)])[0]].text.clone()
    }

    #[test]
    fn a_task_that_is_open_is_shown_before_what_else_is_known_of_a_page_that_a_text_names() {
        let mut task = claim("Ask Ada for flour of the mill.", "2026-03-02");
        task.is_open = true;
        let known = ["stone", "wheel", "roof", "door", "yard", "lamp", "floor", "stair"];
        let facts =
            known.map(|part| claim(&format!("The flour of the mill lies beside the {part} since May."), "2026-03-02"));
        let page = page("Mill", "", facts.into_iter().chain([task]).collect());
        let said =
            "The mill: flour of May lies beside the stone, wheel, roof, door, yard, lamp, floor and stair since.";
        let found = shown(vec![page], &[("2026-03-05", said)]);
        assert!(found.contains("Ask Ada"), "{found}");
    }

    #[test]
    fn of_what_is_known_only_what_was_known_on_the_day_is_shown() {
        let mut old = claim("The loaf costs 4 euros.", "2026-03-02");
        (old.standing, old.until) = (Standing::Replaced, "2026-03-06".parse().ok());
        let pages = || vec![page("Loaf", "", vec![old.clone(), claim("The loaf costs 5 euros.", "2026-03-06")])];
        let before = shown(pages(), &[("2026-03-04", "What does the loaf cost?")]);
        assert!(before.contains("(03-02): The loaf costs 4") && !before.contains("5 euros"), "{before}");
        let after = shown(pages(), &[("2026-03-07", "What does the loaf cost?")]);
        assert!(after.contains("(03-02, replaced): The loaf costs 4") && after.contains("5 euros"), "{after}");
        // In one call each text brings what was known on its own day.
        let both = shown(pages(), &[("2026-03-04", "What does the loaf cost?"), ("2026-03-07", "Who opens the shop?")]);
        assert!(!both.contains("5 euros"), "{both}");
    }
}
