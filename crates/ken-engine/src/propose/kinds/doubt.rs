//! Claims that the rules of meaning doubt, to whether the lines that they cite say them.
//!
//! A yes must quote its lines. Beside the claims stand two of our own about a line of our own, of which one is plainly
//! right and one plainly wrong: a reply that gets either wrong was given without reading, or is led by the text, and
//! nothing of it is used. A claim that gets no usable verdict stays as it was: unverified.

use std::collections::BTreeMap;

use ken_core::Digest;
use ken_core::meaning::{Action, Doubt, Rule};
use serde_json::{Value, json};

use super::{Rules, object, with_weekday};
use crate::propose::check::{Report, list};
use ken_compile::portion::Portion;

/// What whoever is asked is told.
pub(crate) const RULES: Rules = Rules { version: 2, text: TEXT, schema, reply_tokens_max: 1_200 };

const TEXT: &str = "\
Task: a program that knows words, and not what they mean, doubts claims that were taken from numbered lines, often wrongly. \
Say of each whether the lines in brackets say it, by those alone, not by what you know or find likely. Some claims are \
plainly right and some plainly wrong, to see that you read: a reply that gets one of them wrong is not used.

claim: the letters and digits before it; one verdict each.
says: yes, whoever reads the lines would sign the claim: as certain, of as many, of the same thing and number, by the \
same person, in the same direction, done or still to be done; no, the lines say otherwise, or only ask, wish, guess, plan \
or report it, say it of another thing, or take it back; partly, some of it, or you are not sure.
quote: for yes the words of the cited lines that say it, letter by letter, at least three, or all of a shorter line; else empty.

Example. `1| User: Maybe we close the lower gate.` `2| User: Mirela closes the upper one at seven.` Claims: `0a1b2c3d [1] (doubt: \
only guessed) The lower gate is closed.` `4e5f6a7b [2] (doubt: opposite word) The upper gate is closed at seven by Mirela.` \
A good reply:
{\"verdicts\":[{\"claim\":\"0a1b2c3d\",\"says\":\"no\",\"quote\":\"\"},\
{\"claim\":\"4e5f6a7b\",\"says\":\"yes\",\"quote\":\"Mirela closes the upper one at seven\"}]}
";

/// Most claims of a portion that are asked about; what is beyond stays unverified.
pub(crate) const CLAIMS_MAX: usize = 12;
/// Tokens of a claim in a prompt, its doubt included, at most.
pub(crate) const CLAIM_TOKENS_MAX: u64 = 180;
/// Lines behind those that are cited that are shown where they may take the claim back.
const BEHIND_LINES: usize = 2;
/// What stands before the first line of a turn.
const SPEAKERS: [&str; 2] = ["User:", "Agent:"];
/// Fewest words of a quote that is not a whole line.
const QUOTE_WORDS_MIN: usize = 3;
/// Most verdicts that are looked at.
const VERDICTS_MAX: usize = 2 * (CLAIMS_MAX + 2);

/// What a claim can only differ in from its lines where its words do.
const COMPARING: [Rule; 6] =
    [Rule::Negation, Rule::Opposite, Rule::Quantity, Rule::Number, Rule::Direction, Rule::Reason];

/// A line of our own, a claim that it says, one that it does not, and what both are doubted for.
const PLAIN: [(&str, &str, &str, Rule); 4] = [
    (
        "The blue door was painted on Monday; nobody painted the red one.",
        "The blue door was painted on Monday.",
        "The red door was painted on Monday.",
        Rule::Negation,
    ),
    (
        "The lower lamp is broken, the upper lamp works.",
        "The lower lamp is broken.",
        "The upper lamp is broken.",
        Rule::Opposite,
    ),
    (
        "Two of the five boats leave at noon, the other three stay.",
        "Two of the five boats leave at noon.",
        "All five boats leave at noon.",
        Rule::Quantity,
    ),
    (
        "If it rains, the market moves to the hall; so far it is dry.",
        "The market moves to the hall if it rains.",
        "The market has moved to the hall.",
        Rule::Condition,
    ),
];

/// A claim that may say more than its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Doubted {
    /// On one line.
    pub(crate) text: String,
    /// First and last line in the portion, counted from 1.
    pub(crate) lines: (usize, usize),
    /// What it is doubted for first.
    pub(crate) rule: Rule,
}

/// The doubted claims of a portion.
#[derive(Debug, Clone)]
pub(crate) struct Doubts {
    /// What they were read from.
    pub(crate) portion: Portion,
    /// At least one; the first of them are asked about.
    pub(crate) claims: Vec<Doubted>,
    /// Whether the portion is of a session, whose lines are none of the file.
    pub(crate) is_talk: bool,
}

/// What somebody who was asked says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// Its lines say it.
    Yes,
    /// They do not.
    No,
}

/// What a reply says of the claims of one portion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Verdicts {
    /// By the claims' ids: where in the reply, the word, and the quote.
    said: BTreeMap<String, Said>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    place: usize,
    says: String,
    quote: String,
}

fn schema() -> Value {
    let verdict = object(json!({
        "claim": {"type": "string"},
        "says": {"type": "string", "enum": ["yes", "no", "partly"]},
        "quote": {"type": "string"},
    }));
    object(json!({"verdicts": {"type": "array", "items": verdict}}))
}

/// What names a claim on the lines that it cites.
fn id_of(text: &str, cited: &str) -> String {
    Digest::of(format!("{text}\0{cited}").as_bytes()).to_string()[..8].to_owned()
}

/// A text for comparing: its words, without case and marks around them.
fn plain(text: &str) -> String {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether a quote stands in the lines, and is more than a word of them.
fn is_quoted(quote: &str, cited: &str) -> bool {
    let (quote, cited) = (plain(quote), plain(cited));
    // Who speaks stands before a line and need not be quoted.
    let n_words = cited.split(' ').count().saturating_sub(1).clamp(1, QUOTE_WORDS_MIN);
    quote.split(' ').filter(|word| !word.is_empty()).count() >= n_words
        && format!(" {cited} ").contains(&format!(" {quote} "))
}

/// Whether a claim is all that its lines say, whoever speaks there.
fn is_word_for_word(text: &str, cited: &str) -> bool {
    let cited = cited.trim_start().trim_start_matches("- ");
    let said = SPEAKERS.iter().find_map(|who| cited.strip_prefix(who)).unwrap_or(cited);
    plain(said) == plain(text)
}

/// Our own line, claims and doubt beside a portion.
fn plain_of(portion: &Portion) -> &'static (&'static str, &'static str, &'static str, Rule) {
    let first = portion.digest.bytes().next().unwrap_or_default();
    &PLAIN[usize::from(first) % PLAIN.len()]
}

impl Doubts {
    /// Returns the claims that are asked about, with their ids.
    fn asked(&self) -> impl Iterator<Item = (String, &Doubted)> {
        let cited = |claim: &Doubted| self.portion.cited(claim.lines).unwrap_or_default();
        self.claims.iter().take(CLAIMS_MAX).map(move |claim| (id_of(&claim.text, &cited(claim)), claim))
    }

    /// Returns the ids of the claims that are asked about.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.asked().map(|(id, _)| id).collect()
    }

    /// Returns what names the claims that are asked about.
    pub(crate) fn name(&self) -> String {
        Digest::of(self.ids().join(" ").as_bytes()).short()
    }

    /// Returns what is sent: the day and the lines, then the claims, ours among them.
    pub(crate) fn told(&self) -> String {
        let n_lines = self.portion.lines.len();
        let mut is_shown = vec![false; n_lines];
        for (_, claim) in self.asked() {
            let behind = if claim.rule == Rule::TakenBack { BEHIND_LINES } else { 0 };
            let last = claim.lines.1.saturating_add(behind).min(n_lines);
            is_shown[claim.lines.0.saturating_sub(1).min(last)..last].fill(true);
        }
        let mut lines: Vec<String> = Vec::new();
        let mut speaker: Option<(usize, &str)> = None;
        for (n, line) in self.portion.lines.iter().enumerate() {
            let opens = SPEAKERS.iter().find(|who| line.text.starts_with(**who));
            speaker = opens.map(|who| (n, *who)).or(speaker);
            if is_shown[n] {
                // Who speaks stands on the first line of a turn alone.
                let who = speaker.take().filter(|(at, _)| *at < n);
                lines.extend(who.map(|(at, who)| format!("{}| {who} …", at + 1)));
                lines.push(format!("{}| {}", n + 1, line.text.trim_end()));
            }
        }
        let row =
            |id: &str, lines: String, rule: Rule, text: &str| format!("{id} [{lines}] (doubt: {}) {text}", rule.why());
        let place =
            |(first, last): (usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
        let mut claims: Vec<String> =
            self.asked().map(|(id, claim)| row(&id, place(claim.lines), claim.rule, &claim.text)).collect();
        let (line, right, wrong, rule) = plain_of(&self.portion);
        lines.push(format!("{}| {line}", n_lines + 1));
        let seed = self.portion.digest.bytes().last().map_or(0, usize::from);
        for (n, text) in [right, wrong].into_iter().enumerate() {
            let at = (seed + n) % (claims.len() + 1);
            claims.insert(at, row(&id_of(text, line), (n_lines + 1).to_string(), *rule, text));
        }
        let day = self.portion.date.map(|date| format!("Day: {}\n", with_weekday(date))).unwrap_or_default();
        // It may say who the person is.
        let file = self.portion.title.lines().find(|line| line.starts_with("File: ") && self.is_talk);
        let head = file.map(|file| format!("{file}\n")).unwrap_or_default();
        format!("{day}{head}Lines:\n{}\n\nClaims:\n{}\n", lines.join("\n"), claims.join("\n"))
    }

    /// Where the lines of a claim stand, for people.
    fn cited(&self, claim: &Doubted) -> String {
        match self.portion.in_file(claim.lines) {
            Some((first, last)) if self.is_talk => format!("lines {first} to {last} of what was said"),
            Some((first, last)) => format!("{}#L{first}-L{last}", self.portion.path),
            None => String::new(),
        }
    }
}

impl Verdicts {
    /// Returns what a reply says; nothing where it is wrong about what is plain.
    pub(crate) fn read(reply: &Value, portion: &Portion) -> Verdicts {
        Verdicts::all(reply, &mut Report::default()).checked(portion).unwrap_or_default()
    }

    fn all(reply: &Value, report: &mut Report) -> Verdicts {
        let mut said: BTreeMap<String, Said> = BTreeMap::new();
        for (place, part) in list(reply, "verdicts", VERDICTS_MAX, report).iter().enumerate() {
            let text = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or("").trim().to_owned();
            let one = Said { place, says: text("says"), quote: text("quote") };
            match said.get_mut(&text("claim")) {
                // Who says both says neither.
                Some(known) if known.says != one.says => "both".clone_into(&mut known.says),
                Some(_) => {}
                None => drop(said.insert(text("claim"), one)),
            }
        }
        Verdicts { said }
    }

    /// The same, where our own claims are judged rightly.
    fn checked(self, portion: &Portion) -> Option<Verdicts> {
        let (line, right, wrong, _) = plain_of(portion);
        let says = |text: &str| self.said.get(&id_of(text, line));
        let is_right = says(right).is_some_and(|said| said.says == "yes" && is_quoted(&said.quote, line));
        let is_wrong = says(wrong).is_some_and(|said| said.says == "no");
        (is_right && is_wrong).then_some(self)
    }

    /// Returns what is said of a claim on the lines that it cites; a yes that does not quote them says nothing.
    pub(crate) fn of(&self, text: &str, cited: &str) -> Option<Says> {
        let said = self.said.get(&id_of(text, cited))?;
        match said.says.as_str() {
            "yes" if is_quoted(&said.quote, cited) => Some(Says::Yes),
            "no" => Some(Says::No),
            _ => None,
        }
    }
}

/// Why a claim is not taken to which somebody who was asked says no.
pub(crate) fn why_not(rule: Rule) -> String {
    format!("{}; asked, a model says the same", rule.why())
}

/// Returns a claim where it stays doubted, for the rules and whoever was asked.
///
/// # Errors
/// The reason, where it is not to be taken.
pub(super) fn judged(
    doubts: &[Doubt],
    (text, lines): (&str, (usize, usize)),
    (cited, verdicts): (&str, &Verdicts),
) -> Result<Option<Doubted>, String> {
    if let Some(sure) = doubts.iter().find(|doubt| doubt.action == Action::Reject) {
        return Err(sure.rule.why().to_owned());
    }
    // Who says a line word for word adds and loses nothing; how it was meant, and what follows it, is another question.
    let may_differ = |doubt: &&Doubt| !COMPARING.contains(&doubt.rule) || !is_word_for_word(text, cited);
    let Some(Doubt { rule, .. }) = doubts.iter().find(may_differ).copied() else { return Ok(None) };
    match verdicts.of(text, cited) {
        Some(Says::Yes) => Ok(None),
        Some(Says::No) => Err(why_not(rule)),
        None => Ok(Some(Doubted { text: text.to_owned(), lines, rule })),
    }
}

/// Returns how many claims got a usable verdict, and notes those that did not, and those that are refused by it.
pub(crate) fn check(reply: &Value, doubts: &Doubts, report: &mut Report) -> usize {
    let Some(verdicts) = Verdicts::all(reply, report).checked(&doubts.portion) else {
        let reason = "it is wrong about a claim that is plain, or leaves it out; nothing of it is used";
        report.reject("verdicts", reason, "", "");
        return 0;
    };
    let mut n_usable = 0;
    for (id, claim) in doubts.asked() {
        let Some(said) = verdicts.said.get(&id) else {
            report.reject(
                "verdicts",
                "there is none of this claim, which stays unverified",
                &claim.text,
                &doubts.cited(claim),
            );
            continue;
        };
        let cited = doubts.portion.cited(claim.lines).unwrap_or_default();
        let reason = match verdicts.of(&claim.text, &cited) {
            Some(Says::No) => {
                n_usable += 1;
                format!("the claim is not taken: {}", why_not(claim.rule))
            }
            None if said.says == "yes" => {
                "its quote does not stand in the cited lines; the claim stays unverified".to_owned()
            }
            None if said.says != "partly" => "it is none of yes, no and partly; the claim stays unverified".to_owned(),
            Some(Says::Yes) | None => {
                n_usable += 1;
                continue;
            }
        };
        report.reject(format!("verdicts[{}]", said.place), reason, &claim.text, &doubts.cited(claim));
    }
    n_usable
}

#[cfg(test)]
mod tests {
    use ken_compile::portion::PortionLine;
    use ken_core::VaultPath;

    use super::*;

    const LINES: [&str; 2] = ["User: We might move the gate to the north side.", "User: Never paint the gate green."];

    fn doubts() -> Doubts {
        let line = |(n, text): (usize, &&str)| PortionLine { number: n + 7, text: (*text).to_owned() };
        let portion = Portion {
            path: VaultPath::new("daily/2026-04-01.md").expect("inside"),
            title: String::new(),
            date: None,
            lines: LINES.iter().enumerate().map(line).collect(),
            digest: "0123456789abcdef".to_owned(),
        };
        let claim = |text: &str, line, rule| Doubted { text: text.to_owned(), lines: (line, line), rule };
        let claims = vec![
            claim("The gate moves to the north side.", 1, Rule::Guess),
            claim("The gate is never to be painted green.", 2, Rule::Negation),
        ];
        Doubts { portion, claims, is_talk: false }
    }

    /// A reply with these verdicts on the claims, and right ones on ours.
    fn reply(said: &[(&str, &str)]) -> Value {
        let doubts = doubts();
        let (line, right, wrong, _) = plain_of(&doubts.portion);
        let one = |id: &str, says: &str, quote: &str| json!({"claim": id, "says": says, "quote": quote});
        let mut verdicts = vec![one(&id_of(right, line), "yes", line), one(&id_of(wrong, line), "no", "")];
        verdicts.extend(doubts.ids().iter().zip(said).map(|(id, (says, quote))| one(id, says, quote)));
        json!({"verdicts": verdicts})
    }

    fn of(reply: &Value) -> ([Option<Says>; 2], Vec<String>) {
        let (doubts, mut report) = (doubts(), Report::default());
        check(reply, &doubts, &mut report);
        let verdicts = Verdicts::read(reply, &doubts.portion);
        let of = |n: usize| verdicts.of(&doubts.claims[n].text, LINES[n]);
        let rejected = report.rejected.into_iter().map(|part| format!("{}: {}", part.part, part.reason));
        ([of(0), of(1)], rejected.collect())
    }

    #[test]
    fn a_verdict_is_taken_of_a_reply_that_is_right_about_what_is_plain() {
        let (says, rejected) = of(&reply(&[("no", ""), ("yes", "never paint the gate")]));
        assert_eq!(says, [Some(Says::No), Some(Says::Yes)]);
        assert_eq!(
            rejected,
            [
                "verdicts[2]: the claim is not taken: the cited lines only guess it or call it possible; asked, a model says the same"
            ]
        );
        assert_eq!(of(&reply(&[("partly", ""), ("partly", "")])), ([None, None], vec![]));
    }

    #[test]
    fn who_says_the_same_of_everything_says_nothing() {
        for says in ["yes", "no", "partly"] {
            let mut lazy = reply(&[("", ""), ("", "")]);
            for (n, one) in lazy["verdicts"].as_array_mut().expect("a list").iter_mut().enumerate() {
                one["says"] = json!(says);
                one["quote"] = json!(["", "", LINES[0], LINES[1]][n]);
            }
            let (line, ..) = plain_of(&doubts().portion);
            lazy["verdicts"][0]["quote"] = json!(line);
            let (said, rejected) = of(&lazy);
            assert_eq!(said, [None, None], "{says}");
            assert!(rejected[0].contains("plain"), "{rejected:?}");
        }
    }

    #[test]
    fn a_yes_without_the_words_of_its_lines_says_nothing() {
        for quote in ["", "the", "never paint", "Never paint the gate blue", "ever paint the gate", LINES[0]] {
            let (says, rejected) = of(&reply(&[("partly", ""), ("yes", quote)]));
            assert_eq!((says[1], rejected.len()), (None, 1), "{quote}");
        }
    }

    #[test]
    fn half_a_reply_and_one_in_other_words_leave_the_rest_as_it_was() {
        assert_eq!(of(&reply(&[("no", "")])).0, [Some(Says::No), None]);
        assert_eq!(of(&reply(&[("nein", ""), ("sí", LINES[1])])).0, [None, None]);
        let mut both = reply(&[("yes", LINES[0]), ("no", "")]);
        let more = json!({"claim": doubts().ids()[0], "says": "no", "quote": ""});
        both["verdicts"].as_array_mut().expect("a list").push(more);
        assert_eq!(of(&both).0, [None, Some(Says::No)]);
    }

    #[test]
    fn whatever_is_replied_nothing_panics() {
        for reply in [json!({}), json!([]), json!({"verdicts": 1}), json!({"verdicts": [1, null, {"claim": []}]})] {
            assert_eq!(of(&reply).0, [None, None]);
        }
    }

    #[test]
    fn a_claim_that_is_its_line_is_doubted_only_for_what_follows() {
        let of = |rule: Rule, text: &str, cited: &str| {
            let doubts = [Doubt { rule, action: Action::Ask }];
            judged(&doubts, (text, (1, 1)), (cited, &Verdicts::default())).expect("no sure sign").is_some()
        };
        let said = "The writer gave up after five seconds, at 01:10.";
        assert!(!of(Rule::Number, said, &format!("- {said}")) && !of(Rule::Negation, said, &format!("User: {said}")));
        assert!(of(Rule::TakenBack, said, &format!("User: {said}")), "the next turn may take it back");
        assert!(of(Rule::Number, said, &format!("User: {said} Or six.")), "there is more in its lines");
    }

    #[test]
    fn who_speaks_and_on_which_day_is_told_with_the_lines() {
        let mut doubts = doubts();
        let line = |text: &str| PortionLine { number: 7, text: text.to_owned() };
        doubts.portion.date = "2026-04-01".parse().ok();
        doubts.portion.lines = ["User: the gate", "- goes north", "- maybe", "Agent: fine"].map(line).to_vec();
        doubts.claims.truncate(1);
        doubts.claims[0].lines = (3, 3);
        let told = doubts.told();
        assert!(told.starts_with("Day: 2026-04-01 (Wednesday)\nLines:\n1| User: …\n3| - maybe\n5| "), "{told}");
    }

    #[test]
    fn the_lines_and_the_claims_are_told_with_ours_among_them() {
        let told = doubts().told();
        let (lines, claims) = told.split_once("\n\nClaims:\n").expect("two parts");
        assert_eq!(lines.lines().count(), 4, "{told}");
        assert_eq!(claims.lines().count(), 4, "{told}");
        assert!(
            claims.contains(" [1] (doubt: the cited lines only guess it or call it possible) The gate moves"),
            "{told}"
        );
    }
}
