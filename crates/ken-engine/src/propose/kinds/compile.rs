//! Reading a portion of the journal or of a document: what it says, about which subjects.
//!
//! The reading takes the place of the sentences that a compile without a model would extract. Every claim
//! cites lines of the portion and must be borne out by them; a claim may say the same as one that stands on
//! a page already, replace it, or dispute it.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::trust::UNVERIFIED_STATEMENT;
use ken_core::words::{Weight, subject_key, weight};
use ken_core::{Category, meaning};
use serde_json::{Value, json};

use super::card::{CATEGORIES, cards};
use super::claim::{CHANGES, CLAIM_KINDS, IDS_MAX, LISTS_OF_CLAIM, SETTLES, SUBJECTS_OF_CLAIM_MAX, WORDS_OF_CLAIM};
pub(crate) use super::claim::{ClaimKind, ReadClaim};
use super::doubt::{Doubted, Verdicts, judged};
use super::within::{self, Within};
use super::{Rules, object, with_weekday};
use crate::propose::check::{
    Ground, QUARANTINED, Report, Shown, cited_lines, left_out, list, name, plain_line, statement, texts, why_not,
    why_unsafe,
};
use ken_compile::about::About;
use ken_compile::portion::Portion;
use ken_compile::told::Card;

/// What the reader is told.
pub(crate) const RULES: Rules = Rules { version: 8, text: TEXT, schema, reply_tokens_max: 4_000 };

const TEXT: &str = "\
Task: read one portion of a journal or document and say what is worth keeping.

Keep what matters in a month: decisions and their reasons, how things work, limits and numbers, causes of failures and \
cures, agreements, preferences of people, open tasks. Leave out chatter, what was merely tried or viewed, progress reports, \
what anyone knows. Empty lists are right where nothing is.

claims: at most 30, none twice. Each is a statement of one or two sentences that can be understood alone, at most 500 \
characters, in the language and with the words of the text: names instead of \"it\" or \"the user\", no markup. Its \
numbers, dates and quotes stand in its lines, names anywhere in the portion; compute, guess and add nothing. A relative \
day becomes a date only where the day of the text is given.
It says no more than its lines mean: what is asked, wished, offered, planned, guessed, told by others or conditional is told \
as that; \"not\", \"all\", \"only\", \"except\", before and after stay, each number with its thing, from and to in order, and \
who said it; no reason that the text does not give. What the next turn takes back, and mockery, is no claim; that somebody \
decided, promised or refused stands in the lines. Else it is refused, or stands as unverified and changes no known claim.
- lines: first and last line that bear it out, few, at most 20; a heading or a list of files alone says nothing.
- kind: decision (settled), lesson (learned), fact (it is so), todo (left to do).
- subjects: 1 to 3 names of at most eight words, without brackets, quotes or backticks, first the page it belongs to: the \
title of a known page exactly where it is about that; else what a reader would look up and the text names (part of the \
system, tool, person, team, method, rule, document), never a sentence, a session or a file only mentioned. Few subjects \
that many claims share.
- ids of known claims, at most 4 each: same_as (it says them again, with the same numbers and names); replaces (about one \
of its subjects, true until it; of a task: it was done); disputes (not true beside it, and the text does not say which \
holds); settles (marked `disputed`, and a person decides in its lines against them; what holds goes into same_as). An \
earlier claim of the reply is named by its place: `claims[0]`.
- slot: what of its first subject it gives a value of, in one to four words without the value (`price of a kit`); the \
`[slot]` of a known claim exactly where it is that. A new value there takes the place of the older one.
- speaker: who says it: `User`, `Agent`, or a name in the text.
- valid_from: the day from which it holds (`2026-04-01`), where its lines say so (`from 1 April`).
- renames: the old and the new name, where its lines say that a thing is called otherwise now.

subjects: at most 12, each that you named and that is no known page: category entity (person, team, product, service), \
concept (idea, method, component, rule), project, reference (document, file, command, endpoint) or theme (runs through much \
else); aliases, at most 4 other names that the text has for it, without commas.
connections, at most 3: what joins two to four subjects and is more than a claim about one: a cause that runs from one to \
the other, a trade-off, a pattern that they share. Most texts have none.
Leave out what would be empty, but `claims`.

Example. `1| We moved checkout from cookies to JWT because cookie sessions died on restart.` `2| Tokens live 15 minutes now, \
not 60.` Known claim `a1b2c3d4` on page `JWT`: Tokens live 60 minutes. A good reply:
{\"claims\":[{\"text\":\"Checkout uses JWT instead of cookies, because cookie sessions died on restart.\",\
\"lines\":[1,1],\"kind\":\"decision\",\"subjects\":[\"JWT\",\"Checkout\"],\"slot\":\"sessions by\"},\
{\"text\":\"Tokens live 15 minutes.\",\"lines\":[2,2],\"kind\":\"fact\",\"subjects\":[\"JWT\"],\
\"replaces\":[\"a1b2c3d4\"],\"slot\":\"lifetime\"}],\"subjects\":[{\"name\":\"Checkout\",\"category\":\"concept\"}]}
";

/// Most claims of one portion.
const CLAIMS_MAX: usize = 30;
/// Most characters of a claim.
const CLAIM_CHARS_MAX: usize = 500;
/// Most connections of one portion.
const CONNECTIONS_MAX: usize = 3;
/// Most subjects of a connection.
const JOINED_MAX: usize = 4;

/// Words behind a name that does or is something.
const ACTS: &[&str] = &[
    "is", "was", "has", "had", "will", "would", "can", "could", "may", "might", "must", "should", "wants", "wanted",
    "said", "says", "asked", "prefers", "needs", "likes", "agreed", "decided",
];

/// What joins several subjects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadConnection {
    /// On one line.
    pub(crate) text: String,
    /// First and last line in the portion.
    pub(crate) lines: (usize, usize),
    /// Names, two or more.
    pub(crate) subjects: Vec<String>,
}

/// What holds of a reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Statements.
    pub(crate) claims: Vec<ReadClaim>,
    /// Subjects that were described, by name.
    pub(crate) cards: BTreeMap<String, Card>,
    /// What joins subjects.
    pub(crate) connections: Vec<ReadConnection>,
    /// Lines of claims that do not hold, in the portion: there the text speaks for itself.
    pub(crate) unread: Vec<(usize, usize)>,
    /// Claims among them that are unverified, and about which somebody can be asked.
    pub(crate) doubted: Vec<Doubted>,
}

fn schema() -> Value {
    let strings = json!({"type": "array", "items": {"type": "string"}});
    let lines = json!({"type": "array", "items": {"type": "integer"}});
    let mut claim = json!({
        "text": {"type": "string"},
        "lines": lines,
        "kind": {"type": "string", "enum": CLAIM_KINDS.map(|(name, _)| name)},
    });
    LISTS_OF_CLAIM.iter().for_each(|(name, _)| claim[*name] = strings.clone());
    WORDS_OF_CLAIM.iter().for_each(|name| claim[*name] = json!({"type": "string"}));
    let claim = object(claim);
    let subject = object(json!({
        "name": {"type": "string"},
        "category": {"type": "string", "enum": CATEGORIES.map(Category::as_str)},
        "aliases": strings,
    }));
    let connection = object(json!({"text": {"type": "string"}, "lines": lines, "subjects": strings}));
    object(json!({
        "claims": {"type": "array", "items": claim},
        "subjects": {"type": "array", "items": subject},
        "connections": {"type": "array", "items": connection},
    }))
}

/// Returns what is sent for one portion.
pub(crate) fn input(portion: &Portion) -> String {
    let day = portion.date.map(|date| format!("\nDay: {}", with_weekday(date))).unwrap_or_default();
    format!("Title: {}{day}\n\n{}", portion.title, portion.numbered())
}

/// Returns what holds of a reply to one portion, with what was said of the claims that are doubted.
pub(crate) fn check(
    reply: &Value,
    portion: &Portion,
    (shown, verdicts): (&Shown, &Verdicts),
    report: &mut Report,
) -> Reading {
    let known = shown.known();
    let words = words_of(portion);
    let cards = cards(reply, &words, report);
    let text = meaning::Text::read(portion.lines.iter().map(|line| line.text.as_str()));
    let mut reader = Reader {
        portion,
        shown,
        verdicts,
        known,
        words,
        text,
        whole: portion.text(),
        doubted: Vec::new(),
        within: Vec::new(),
        report,
    };
    let mut places = BTreeMap::new();
    let mut reading = Reading::default();
    let mut seen = BTreeSet::new();
    for (n, part) in list(reply, "claims", CLAIMS_MAX, reader.report).iter().enumerate() {
        reader.left_out(&format!("claims[{n}]"), part, &LISTS_OF_CLAIM);
        match reader.claim(n, part) {
            Ok(claim) if seen.insert(claim.text.to_lowercase()) => {
                places.insert(n, reading.claims.len());
                reading.claims.push(claim);
            }
            Ok(claim) => reader.report.reject(format!("claims[{n}]"), "it is there twice", &claim.text, ""),
            Err(reason) => {
                let is_order = reason.contains(QUARANTINED);
                reading.unread.extend(cited_lines(part, portion.lines.len()).ok().filter(|_| !is_order));
                reader.reject(format!("claims[{n}]"), reason, part);
            }
        }
    }
    within::resolve(&mut reading.claims, &places, &reader.within, reader.report);
    for (n, part) in list(reply, "connections", CONNECTIONS_MAX, reader.report).iter().enumerate() {
        reader.left_out(&format!("connections[{n}]"), part, &[("subjects", JOINED_MAX)]);
        match reader.connection(n, part) {
            Ok(connection) => reading.connections.push(connection),
            Err(reason) => reader.reject(format!("connections[{n}]"), reason, part),
        }
    }
    reading.doubted = reader.doubted;
    let used: BTreeSet<String> =
        reading.claims.iter().flat_map(|claim| &claim.subjects).map(|name| subject_key(name)).collect();
    reading.cards = cards.into_iter().filter(|(name, _)| used.contains(&subject_key(name))).collect();
    reading
}

/// The words of a portion, folded, for names that must come from it.
fn words_of(portion: &Portion) -> BTreeSet<String> {
    let text = format!("{}\n{}", portion.title, portion.text());
    subject_key(&text).split('-').map(str::to_owned).collect()
}

struct Reader<'a> {
    portion: &'a Portion,
    shown: &'a Shown,
    verdicts: &'a Verdicts,
    /// Keys of the pages that were shown.
    known: BTreeSet<String>,
    words: BTreeSet<String>,
    text: meaning::Text,
    /// The text of the portion.
    whole: String,
    doubted: Vec<Doubted>,
    /// What claims say of others of the same reply.
    within: Vec<Within>,
    report: &'a mut Report,
}

impl Reader<'_> {
    fn claim(&mut self, n: usize, part: &Value) -> Result<ReadClaim, String> {
        let text = statement(part, CLAIM_CHARS_MAX)?;
        let lines = cited_lines(part, self.portion.lines.len())?;
        let said = part.get("kind").and_then(Value::as_str).unwrap_or("");
        let kind = CLAIM_KINDS.iter().find(|(name, _)| *name == said).map(|(_, kind)| *kind);
        let one_of = CLAIM_KINDS.map(|(name, _)| name).join(", ");
        let kind = kind.ok_or_else(|| format!("the kind `{said}` is not one of {one_of}"))?;
        let name_of = |list: &str| format!("claims[{n}].{list}");
        let mut subjects = self.subjects(part, SUBJECTS_OF_CLAIM_MAX, &name_of("subjects"))?;
        if subjects.is_empty() {
            return Err("it names no subject".to_owned());
        }
        self.grounded(&text, lines, &subjects)?;
        let is_unverified = self.is_unverified(n, (&text, kind), lines)?;
        let speaker = within::speaker(part, (&self.words, &self.shown.speakers));
        let speaker = speaker.unwrap_or_else(|reason| self.empty(&name_of("speaker"), reason, part, "speaker"));
        let said = (text.as_str(), lines, subjects.as_slice());
        let [same_as, replaces, disputes, settles] = self.changes(n, part, said, (is_unverified, &speaker));
        // What changes a claim stands on a page of that claim, whatever else it is about; on the others it is found from there.
        let changed = same_as.iter().chain(&replaces).chain(&disputes).chain(&settles);
        for titles in changed.filter_map(|id| self.shown.claims.get(id)) {
            let is_on = |title: &String| subjects.iter().any(|known| subject_key(known) == subject_key(title));
            if let Some(title) = titles.first().filter(|_| !titles.iter().any(is_on)) {
                // What was shown comes from a record that anybody may have written.
                name(title)?;
                subjects.push(title.clone());
            }
        }
        let cited = self.portion.cited(lines).unwrap_or_default();
        let from = within::valid_from(part, (&cited, self.portion.date));
        let valid_from = self.told(&name_of("valid_from"), part, (is_unverified, from));
        let renames = self.told(&name_of("renames"), part, (is_unverified, within::renamed(part, (&text, &cited))));
        let slot = self.told(&name_of("slot"), part, (is_unverified, within::slot(part)));
        // The page is called by a name that a reader wrote: the new one belongs to the claim.
        for new in within::new_names(&text, &renames, &subjects) {
            if subjects.iter().all(|known| subject_key(known) != subject_key(&new)) && self.subject(&new).is_ok() {
                subjects.push(new);
            }
        }
        Ok(ReadClaim {
            text,
            lines,
            kind,
            subjects,
            is_unverified,
            same_as,
            replaces,
            disputes,
            settles,
            slot,
            speaker,
            valid_from,
            renames,
        })
    }

    /// The claims that one names, list by list; those that it may not are left out.
    fn changes(
        &mut self,
        n: usize,
        part: &Value,
        said: (&str, (usize, usize), &[String]),
        (is_unverified, speaker): (bool, &str),
    ) -> [Vec<String>; 4] {
        let slot = within::slot(part).unwrap_or_default();
        CHANGES.map(|list| {
            let mut ids = Vec::new();
            for id in texts(part, list, IDS_MAX) {
                let place = within::place(id).filter(|_| list != SETTLES);
                if let Some(of) = place.filter(|_| !is_unverified) {
                    self.within.push(Within { n, list, of });
                    continue;
                }
                // What an unverified claim says of others waits for the verdict, too.
                if is_unverified && (place.is_some() || self.shown.claims.contains_key(id)) {
                    continue;
                }
                match self.id(id, list, said, (speaker, &slot)) {
                    Ok(()) => ids.push(id.to_owned()),
                    Err(reason) => self.report.reject(format!("claims[{n}].{list}"), reason, id, ""),
                }
            }
            ids
        })
    }

    /// What was said of a claim besides its words, nothing where it does not hold or the claim may change no other: of one
    /// that is unverified it waits for the verdict, and is nothing that was rejected.
    fn told<T: Default>(&mut self, place: &str, part: &Value, (is_unverified, said): (bool, Result<T, String>)) -> T {
        match said {
            Ok(said) if !is_unverified => said,
            Ok(_) => T::default(),
            Err(reason) => {
                self.empty(place, reason, part, place.rsplit('.').next().unwrap_or_default());
                T::default()
            }
        }
    }

    fn connection(&mut self, n: usize, part: &Value) -> Result<ReadConnection, String> {
        let text = statement(part, CLAIM_CHARS_MAX)?;
        let lines = cited_lines(part, self.portion.lines.len())?;
        let subjects = self.subjects(part, JOINED_MAX, &format!("connections[{n}].subjects"))?;
        if subjects.len() < 2 {
            return Err("it joins fewer than two subjects".to_owned());
        }
        self.grounded(&text, lines, &subjects)?;
        Ok(ReadConnection { text, lines, subjects })
    }

    /// The names of a part, each once; one that does not hold is left out, and is the reason where none does.
    fn subjects(&mut self, part: &Value, max: usize, place: &str) -> Result<Vec<String>, String> {
        let (mut out, mut bad): (Vec<String>, Vec<(&str, String)>) = (Vec::new(), Vec::new());
        for text in texts(part, "subjects", max) {
            match self.subject(text) {
                Ok(name) if out.iter().any(|known| subject_key(known) == subject_key(&name)) => {}
                Ok(name) => out.push(name),
                Err(reason) => bad.push((text, reason)),
            }
        }
        if out.is_empty()
            && let Some((_, reason)) = bad.pop()
        {
            return Err(reason);
        }
        bad.into_iter().for_each(|(text, reason)| self.report.reject(place, reason, text, ""));
        Ok(out)
    }

    /// A name; one that stands neither in the text nor in the wiki is invented.
    fn subject(&self, text: &str) -> Result<String, String> {
        let name = name(text)?;
        let key = subject_key(&name);
        let parts: Vec<&str> = key.split('-').filter(|part| !part.is_empty()).collect();
        let n_known = parts.iter().filter(|part| self.words.contains(**part)).count();
        if !self.known.contains(&key) && n_known * 2 < parts.len().max(1) {
            return Err(format!("the subject `{name}` is neither a known page nor named in the text"));
        }
        Ok(name)
    }

    /// Whether a claim may say more than its lines, or they say so themselves; the reason where it surely does.
    fn is_unverified(
        &mut self,
        n: usize,
        (text, kind): (&str, ClaimKind),
        lines: (usize, usize),
    ) -> Result<bool, String> {
        let kind = match kind {
            ClaimKind::Decision => meaning::Kind::Decision,
            ClaimKind::Lesson => meaning::Kind::Lesson,
            ClaimKind::Fact => meaning::Kind::Fact,
            ClaimKind::Todo => meaning::Kind::Todo,
        };
        let doubts = self.text.doubts(text, kind, &[lines]);
        let cited = self.portion.cited(lines).unwrap_or_default();
        let doubted = judged(&doubts, (text, lines), (&cited, self.verdicts))?;
        let says_so = |line: &str| line.contains(UNVERIFIED_STATEMENT);
        let is_unverified = doubted.is_some() || cited.lines().all(says_so);
        // What a line says of itself is no question of what it means.
        if let Some(doubted) = doubted.filter(|_| !says_so(&cited)) {
            self.report.doubt(format!("claims[{n}]"), doubted.rule.why(), text, &in_file(self.portion, lines));
            self.doubted.push(doubted);
        }
        Ok(is_unverified)
    }

    fn grounded(&self, text: &str, lines: (usize, usize), subjects: &[String]) -> Result<(), String> {
        let cited = self.portion.cited(lines).ok_or("there are no such lines")?;
        let plain = |text: &str| subject_key(text);
        if plain(&cited).contains(&plain(text)) {
            // What stands there word for word needs no comparison.
            return why_unsafe(text).map_or(Ok(()), Err);
        }
        // Whoever is named further up needs no name in every line.
        let around = [self.portion.title.as_str(), self.whole.as_str()];
        let names = subjects.iter().map(String::as_str).chain(around);
        let names: Vec<&str> = names.chain(self.shown.numbered()).collect();
        let on = Ground { cited: &[&cited], date: self.portion.date, names: &names };
        if let Some(word) = self.strange_start(text, &cited, &names) {
            return Err(format!("the cited lines do not contain the name `{word}`"));
        }
        why_not(text, &on).map_or(Ok(()), Err)
    }

    /// The name that a claim opens with, when the cited lines do not have it: the general check takes a
    /// capital at the beginning for grammar.
    fn strange_start<'t>(&self, text: &'t str, cited: &str, names: &[&str]) -> Option<&'t str> {
        let mut tokens = text.split_whitespace();
        let first = tokens.next()?.trim_matches(|ch: char| !ch.is_alphanumeric());
        let is_name = first.starts_with(char::is_uppercase) && weight(first) == Weight::Strong;
        let key = subject_key(first);
        let has = |text: &str| {
            let there = subject_key(text);
            key.split('-').all(|part| there.split('-').any(|word| word == part))
        };
        if !is_name || has(cited) || names.iter().any(|name| has(name)) {
            return None;
        }
        // A word that the text uses as a name elsewhere, or one that it does not use at all and that acts
        // like one: `Zebulon reads …`.
        let whole = self.whole.as_str();
        let is_used_as_name =
            whole.split_whitespace().any(|word| word.trim_matches(|ch: char| !ch.is_alphanumeric()) == first);
        let acts = tokens.next().is_some_and(|next| {
            ACTS.contains(&next) || (next.len() > 3 && next.ends_with('s') && next.chars().all(char::is_lowercase))
        });
        (is_used_as_name || (acts && !has(whole))).then_some(first)
    }

    /// Says why a claim may not name another one.
    fn id(
        &self,
        id: &str,
        list: &str,
        (text, lines, subjects): (&str, (usize, usize), &[String]),
        (speaker, slot): (&str, &str),
    ) -> Result<(), String> {
        let Some(titles) = self.shown.claims.get(id) else {
            let id = plain_line(id, 20).unwrap_or_default();
            return Err(format!("`{list}` names the claim `{id}`, which was not shown"));
        };
        let said = format!("{text} {} {}", self.portion.cited(lines).unwrap_or_default(), subjects.join(" "));
        let said: BTreeSet<String> = subject_key(&said).split('-').map(str::to_owned).collect();
        let is_shared = |title: &String| subject_key(title).split('-').any(|word| said.contains(word));
        let changes = list == "replaces" || list == SETTLES;
        if changes && !titles.is_empty() && !titles.iter().any(is_shared) {
            return Err(format!("`{list}` names the claim `{id}`, which is about something else"));
        }
        let is_of_it = |about: &About| About::of(text, slot).may_be_of(about);
        // Who settles what is disputed may say no more than which it is.
        if list != SETTLES && !self.shown.about.get(id).is_none_or(is_of_it) {
            return Err(format!("`{list}` names the claim `{id}`, which shares no word with it"));
        }
        if list == SETTLES && !self.shown.disputed.contains(id) {
            return Err(format!("`{list}` names the claim `{id}`, which was not shown as disputed"));
        }
        if list == SETTLES && speaker == "Agent" {
            return Err(format!("`{list}` is left out: what the agent says settles nothing"));
        }
        Ok(())
    }

    /// Notes an entry of a claim that does not hold; the claim does, without it.
    fn empty(&mut self, place: &str, reason: String, part: &Value, name: &str) -> String {
        self.report.reject(place, reason, part.get(name).and_then(Value::as_str).unwrap_or(""), "");
        String::new()
    }

    /// Says which entries of a part's lists are not looked at.
    fn left_out(&mut self, part: &str, value: &Value, lists: &[(&str, usize)]) {
        for (name, max) in lists {
            if let Some(reason) = left_out(value, name, *max) {
                self.report.reject(format!("{part}.{name}"), reason, "", "");
            }
        }
    }

    fn reject(&mut self, part: String, reason: String, value: &Value) {
        let lines = cited_lines(value, self.portion.lines.len()).ok();
        let cited = lines.map(|lines| in_file(self.portion, lines)).unwrap_or_default();
        let text = value.get("text").and_then(Value::as_str).map_or_else(|| value.to_string(), str::to_owned);
        self.report.reject(part, reason, &text, &cited);
    }
}

/// Where lines of a portion stand, for people.
fn in_file(portion: &Portion, lines: (usize, usize)) -> String {
    let lines = portion.in_file(lines);
    lines.map(|(first, last)| format!("{}#L{first}-L{last}", portion.path)).unwrap_or_default()
}
