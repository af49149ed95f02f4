//! What a claim says besides its words and ids: which of the same reply it changes, what it gives a value of, who says it.
//!
//! What does not hold of it is left out, and the claim stands without it.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::account::claim_id;
use ken_core::Date;
use ken_core::supersede::{Renamed, begins_on, renames, speaks_of_names};
use ken_core::text::cut;
use ken_core::words::subject_key;
use serde_json::{Value, json};

use super::claim::{LISTS_OF_CLAIM, ReadClaim};
use crate::propose::check::{Report, name, plain_line, why_unsafe};

/// Most characters of a slot, and of who speaks.
const CHARS_MAX: usize = 40;
/// Most words of them. Four are asked for: one that is a little longer says as clearly what it is.
const WORDS_MAX: usize = 6;

/// A claim that names another one of its reply.
pub(super) struct Within {
    /// Its number in the reply.
    pub(super) n: usize,
    /// The list in which it names the other.
    pub(super) list: &'static str,
    /// The number of the other.
    pub(super) of: usize,
}

/// Returns which claim of the same reply is named by its place, `claims[2]`.
pub(super) fn place(id: &str) -> Option<usize> {
    id.trim().strip_prefix("claims[")?.strip_suffix(']')?.parse().ok()
}

/// Writes down by their ids what claims say of others of their reply; `places` says where those stand that hold.
pub(super) fn resolve(
    claims: &mut [ReadClaim],
    places: &BTreeMap<usize, usize>,
    within: &[Within],
    report: &mut Report,
) {
    for Within { n, list, of } in within {
        let Some(own) = places.get(n).copied() else { continue };
        match named(claims, own, (list, places.get(of).copied())) {
            Ok(other) => {
                let id = claim_id(&claims[other].text);
                let claim = &mut claims[own];
                let ids = match *list {
                    "same_as" => &mut claim.same_as,
                    "replaces" => &mut claim.replaces,
                    _ => &mut claim.disputes,
                };
                ids.push(id);
            }
            Err(reason) => report.reject(format!("claims[{n}].{list}"), reason, &format!("claims[{of}]"), ""),
        }
    }
}

/// The claim that is meant; the reason where it may not be named.
fn named(claims: &[ReadClaim], own: usize, (list, other): (&str, Option<usize>)) -> Result<usize, String> {
    let other = other.ok_or_else(|| format!("`{list}` names a statement of this reply that does not hold"))?;
    let (claim, of) = (&claims[own], &claims[other]);
    let keys =
        |claim: &ReadClaim| -> BTreeSet<String> { claim.subjects.iter().map(|name| subject_key(name)).collect() };
    match () {
        // What stands further up in the entry was said before.
        () if other >= own => Err(format!("`{list}` names a statement of this reply that does not stand further up")),
        () if of.is_unverified => Err(format!("`{list}` names a statement of this reply that is unverified")),
        () if list == "replaces" && of.lines.0 > claim.lines.0 => {
            Err("`replaces` names a statement of this reply that is said later".to_owned())
        }
        () if keys(claim).is_disjoint(&keys(of)) => {
            Err(format!("`{list}` names a statement of this reply that is about something else"))
        }
        () => Ok(other),
    }
}

/// Returns what a claim gives a value of; empty where it gives none.
pub(super) fn slot(part: &Value) -> Result<String, String> {
    let Some(slot) = short(part, "slot")? else { return Ok(String::new()) };
    match slot.chars().any(|ch| ch.is_ascii_digit()) {
        true => Err(format!("the slot `{slot}` has a value in it")),
        false => Ok(slot),
    }
}

/// Returns who says a claim; empty where nobody does. Names stand in the text, folded to these words, or are known to speak.
pub(super) fn speaker(part: &Value, (words, known): (&BTreeSet<String>, &BTreeSet<String>)) -> Result<String, String> {
    let Some(speaker) = short(part, "speaker")? else { return Ok(String::new()) };
    let is_role = speaker == "User" || speaker == "Agent" || known.contains(&speaker);
    match is_role || subject_key(&speaker).split('-').all(|word| words.contains(word)) {
        true => Ok(speaker),
        false => Err(format!("the speaker `{speaker}` does not stand in the text")),
    }
}

/// Returns the day from which a claim holds, none where it says none: one from which the cited lines, written on a day,
/// say that something holds.
pub(super) fn valid_from(part: &Value, (cited, day): (&str, Option<Date>)) -> Result<Option<Date>, String> {
    let said = match part.get("valid_from") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(said)) if said.trim().is_empty() => return Ok(None),
        Some(Value::String(said)) => said.trim(),
        Some(_) => return Err("`valid_from` is no text".to_owned()),
    };
    let shown = cut(said, CHARS_MAX);
    let from: Date = said.parse().map_err(|_| format!("`valid_from` is no day like 2026-04-01: `{shown}`"))?;
    // Of a line that says several things in a hurry each is looked at by itself.
    let begins = |day: Date| {
        let parts = cited.split(['.', ',', ';', '\n']);
        std::iter::once(cited).chain(parts).any(|part| begins_on(part, day).contains(&from))
    };
    match day.is_some_and(begins) {
        true => Ok(Some(from)),
        false => Err(format!("the cited lines do not say that something holds from {from} on")),
    }
}

/// Returns how a thing was called and how it is called, none where a claim says nothing of it. The cited lines must give
/// it the new name, as [`renames`] reads them, and both names stand there.
pub(super) fn renamed(part: &Value, (text, cited): (&str, &str)) -> Result<Option<(String, String)>, String> {
    let names = match part.get("renames") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(names)) if names.is_empty() => return Ok(None),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>(),
        Some(_) => return Err("`renames` is no list".to_owned()),
    };
    let [old, new] = names[..] else { return Err("`renames` is the old name and the new one".to_owned()) };
    let (old, new) = (name(old)?, name(new)?);
    let key = |text: &str| format!("-{}-", subject_key(text));
    let stands = |name: &str| key(cited).contains(&key(name));
    let holds = |whole: &str, part: &str| key(whole).contains(&key(part));
    let gives = |one: &Renamed| holds(&old, &one.old) && holds(&new, &one.new);
    // Who types in a hurry writes names small; and where lines speak of names, whoever read them says which is the new one.
    let written = as_written(cited, [&old, &new]);
    let is_turned = |one: &Renamed| holds(&old, &one.new) && holds(&new, &one.old);
    let says_so = || {
        let is_told = |name: &str| key(text).contains(&key(name));
        let given = renames(&written);
        let is_open = || !given.iter().chain(&renames(text)).any(is_turned) && speaks_of_names(cited);
        given.iter().any(gives) || is_told(&old) && is_told(&new) && is_open()
    };
    match stands(&old) && stands(&new) && key(&old) != key(&new) && says_so() {
        true => Ok(Some((old, new))),
        false => Err(format!("the cited lines do not say that `{old}` is called `{new}` now")),
    }
}

/// A text with names as they are written elsewhere, wherever they stand in small letters.
fn as_written(text: &str, names: [&str; 2]) -> String {
    let mut out = text.to_owned();
    for name in names {
        let small = name.to_ascii_lowercase();
        let places: Vec<usize> = out.match_indices(&small).map(|(at, _)| at).collect();
        let is_whole = |at: usize| {
            let borders = |ch: Option<char>| ch.is_none_or(|ch| !ch.is_alphanumeric());
            borders(out[..at].chars().next_back()) && borders(out[at + small.len()..].chars().next())
        };
        let places: Vec<usize> = places.into_iter().filter(|at| is_whole(*at)).collect();
        places.into_iter().for_each(|at| out.replace_range(at..at + small.len(), name));
    }
    out
}

/// Returns the names that a claim gives to things it is about, by what was said of it and by its own words.
pub(super) fn new_names(text: &str, told: &Option<(String, String)>, subjects: &[String]) -> Vec<String> {
    let is_about = |old: &str| subjects.iter().any(|name| subject_key(name) == subject_key(old));
    let by_words = renames(text).into_iter().filter(|one| is_about(&one.old)).map(|one| one.new);
    told.iter().map(|(_, new)| new.clone()).chain(by_words).collect()
}

/// Some words under a name, without markup.
fn short(part: &Value, name: &str) -> Result<Option<String>, String> {
    let said = match part.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(said)) if said.trim().is_empty() => return Ok(None),
        Some(Value::String(said)) => said,
        Some(_) => return Err(format!("`{name}` is no text")),
    };
    let said = plain_line(said, CHARS_MAX).map_err(|why| format!("`{name}` {why}"))?;
    if let Some(reason) = why_unsafe(&said) {
        return Err(format!("`{name}`: {reason}"));
    }
    let is_plain = |ch: char| ch.is_alphanumeric() || ch.is_whitespace() || "-'’.".contains(ch);
    let n_words = said.split_whitespace().count();
    match said.chars().all(is_plain) && n_words <= WORDS_MAX {
        true => Ok(Some(said)),
        false => Err(format!("`{name}` is one to {WORDS_MAX} words, without marks")),
    }
}

/// Returns a claim that names others of its reply by their places in it, which are others among the claims.
pub(super) fn with_places(claim: &Value, at: &BTreeMap<&str, usize>) -> Value {
    let mut claim = claim.clone();
    for (name, _) in LISTS_OF_CLAIM.iter().filter(|(name, _)| !matches!(*name, "subjects" | "renames")) {
        for id in claim.get_mut(*name).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(n) = id.as_str().and_then(|id| at.get(id.trim())) {
                *id = json!(format!("claims[{n}]"));
            } else if id.as_str().is_some_and(|id| id.trim().starts_with("claims[")) {
                // No list of this reply is called so.
                *id = json!("none");
            }
        }
    }
    claim
}

#[cfg(test)]
mod tests {
    use ken_compile::about::About;
    use ken_compile::portion::{Portion, PortionLine};
    use serde_json::json;

    use super::*;
    use crate::propose::check::Shown;
    use crate::propose::kinds::compile;
    use crate::propose::kinds::doubt::Verdicts;

    #[test]
    fn a_claim_holds_from_a_day_from_which_its_lines_say_so() {
        let day = "2026-03-09".parse().ok();
        let from = |said: Value, cited: &str| valid_from(&json!({"valid_from": said}), (cited, day));
        let first = || "2026-04-01".parse().ok();
        for cited in ["From 1 April Ada leads the bakery.", "- Ab dem 1. April leitet Ada die Backstube."] {
            assert_eq!(from(json!("2026-04-01"), cited), Ok(first()), "{cited}");
        }
        for (said, cited) in [
            ("2026-04-02", "From 1 April Ada leads the bakery."),
            ("2026-04-01", "The fair is on 1 April."),
            ("2026-04-01", "Maybe Ada leads the bakery from 1 April?"),
            ("2026-03-09", "Ada leads the bakery."),
            ("1 April", "From 1 April Ada leads the bakery."),
        ] {
            assert!(from(json!(said), cited).is_err(), "{said}: {cited}");
        }
        for nothing in [json!(""), json!(" "), Value::Null] {
            assert_eq!(from(nothing, "From 1 April Ada leads."), Ok(None));
        }
        let hasty = "i can't come before nine any more, so from tomorrow the mill starts at 10. still shut at 1";
        assert_eq!(from(json!("2026-03-10"), hasty), Ok("2026-03-10".parse().ok()));
        let without_day = valid_from(&json!({"valid_from": "2026-04-01"}), ("From 1 April Ada leads.", None));
        assert!(without_day.is_err());
    }

    #[test]
    fn a_thing_is_renamed_where_the_lines_give_it_the_name() {
        let given = |old: &str, new: &str, cited: &str| renamed(&json!({"renames": [old, new]}), ("", cited));
        let pair = |old: &str, new: &str| Ok(Some((old.to_owned(), new.to_owned())));
        for cited in ["Breadbot is called Ovenbird now.", "- **Breadbot** was renamed to Ovenbird by Ada."] {
            assert_eq!(given("Breadbot", "Ovenbird", cited), pair("Breadbot", "Ovenbird"), "{cited}");
        }
        let part = json!({"renames": ["Breadbot", "Ovenbird"]});
        let said = "Breadbot is called Ovenbird since last night.";
        for cited in ["breadbot is called ovenbird since last night", "Breadbot needs another name. Ovenbird it is."] {
            assert_eq!(renamed(&part, (said, cited)), pair("Breadbot", "Ovenbird"), "{cited}");
        }
        assert!(renamed(&part, (said, "We use Ovenbird instead of Breadbot.")).is_err());
        for (old, new, cited) in [
            ("Ovenbird", "Breadbot", "Breadbot is called Ovenbird now."),
            ("Breadbot", "Ovenbird", "Breadbot and Ovenbird share an oven."),
            ("Breadbot", "Ovenbird", "Maybe Breadbot is called Ovenbird now."),
            ("Breadbot", "Zebulon", "Breadbot is called Ovenbird now."),
            ("Ada", "Ovenbird", "Ada says that Breadbot is called Ovenbird now."),
            ("Breadbot", "Breadbot", "Breadbot is called Ovenbird now."),
        ] {
            assert!(given(old, new, cited).is_err(), "{old} {new}: {cited}");
        }
        assert_eq!(renamed(&json!({"renames": []}), ("", "Breadbot is called Ovenbird now.")), Ok(None));
        assert!(renamed(&json!({"renames": ["Breadbot"]}), ("", "Breadbot is called Ovenbird now.")).is_err());
    }

    #[test]
    fn a_claim_changes_no_other_that_it_shares_no_word_with() {
        let text = "Two more households joined, both with clay.";
        let lines = vec![PortionLine { number: 1, text: format!("Ovens: {text}") }];
        let path = ken_core::VaultPath::new("daily/2026-04-01.md").expect("inside");
        let portion = Portion { path, title: "Ovens".to_owned(), date: None, lines, digest: String::new() };
        let read = |known: &str, slot: &str| {
            let mut shown = Shown::default();
            shown.claims.insert("a1b2c3d4".to_owned(), vec!["Ovens".to_owned()]);
            shown.about.insert("a1b2c3d4".to_owned(), About::of(known, slot));
            let claim = json!({"text": text, "lines": [1, 1], "kind": "fact", "subjects": ["Ovens"], "slot": slot,
                "replaces": ["a1b2c3d4"]});
            let mut report = Report::default();
            let of = (&shown, &Verdicts::default());
            let reading = compile::check(&json!({"claims": [claim]}), &portion, of, &mut report);
            let reasons: Vec<String> = report.rejected.into_iter().map(|part| part.reason).collect();
            (reading.claims[0].replaces.len(), reading.claims[0].subjects.clone(), reasons)
        };
        let subjects = vec!["Ovens".to_owned()];
        let reason = "`replaces` names the claim `a1b2c3d4`, which shares no word with it".to_owned();
        for slot in ["", "everything"] {
            assert_eq!(
                read("The meeting is on 18 March.", slot),
                (0, subjects.clone(), vec![reason.clone()]),
                "{slot}"
            );
        }
        assert_eq!(read("One household has joined.", ""), (1, subjects.clone(), vec![]));
        assert_eq!(
            read("There are twelve of them.", "households"),
            (1, subjects, vec![]),
            "by what it gives a value of"
        );
    }

    #[test]
    fn the_example_of_reading_passes_its_own_check() {
        let (said, reply) = compile::RULES.text.rsplit_once("A good reply:\n").expect("an example");
        let lines = said.rsplit_once("Example. ").expect("lines").1.split('`').filter_map(|part| {
            let (number, text) = part.split_once("| ")?;
            Some(PortionLine { number: number.parse().ok()?, text: text.to_owned() })
        });
        let path = ken_core::VaultPath::new("daily/2026-04-01.md").expect("inside");
        let (title, digest) = ("Sessions".to_owned(), String::new());
        let portion = Portion { path, title, date: "2026-04-01".parse().ok(), lines: lines.collect(), digest };
        let mut shown = Shown::default();
        shown.pages.insert("jwt".to_owned(), "JWT".to_owned());
        shown.claims.insert("a1b2c3d4".to_owned(), vec!["JWT".to_owned()]);
        let mut report = Report::default();
        let reply = serde_json::from_str(reply.trim()).expect("JSON");
        let reading = compile::check(&reply, &portion, (&shown, &Verdicts::default()), &mut report);
        assert_eq!((reading.claims.len(), report.rejected.len()), (2, 0), "{report:?}");
        assert!(reading.doubted.is_empty(), "{:?}", reading.doubted);
    }
}
