//! What an agent offers to choose from, and what a reply chooses of it.
//!
//! Options stand as items of a list, behind a label (`Option 2: …`), as numbered headings, or in running text
//! (`a) … b) …`). A reply names one by its mark or by its place: `c.`, `the second`.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use ken_core::language::alternatives;
use regex::Regex;

use super::sentence::{cut, sentences};
use super::units::{CELL_END, Kind, Unit};

/// Longest option, in characters.
pub(super) const OFFER_CHARS_MAX: usize = 300;

/// Most words of a heading that names an option without saying it.
const HEADING_WORDS_MAX: usize = 3;

/// Fewest words of an option that a reply repeats to choose it.
const REPEATED_WORDS_MIN: usize = 3;

/// How many words of an option a reply begins with to choose it.
const BEGUN_WORDS_MIN: usize = 2;
const BEGUN_WORDS_MAX: usize = 5;

/// Longest option, in characters, that stands in brackets behind its mark.
const SHORT_CHARS_MAX: usize = 100;

/// What stands before the mark of an option that is chosen.
const CHOOSING: &str = r"ok(?:ay)?|yes|yeah|so|then|let's|lets|i(?:'d)? (?:like|prefer|choose|pick|want|go with)|go with|going with|do|use|take|try|please|the|address|fix|start with|implement|first|and|just|option|approach|number|variant|solution|choice|suggestion|opzione|also|dann|die|den|donc|alors|la|le|entonces|el|quindi|allora|il";

/// What stands behind it.
const BEHIND_CHOSEN: &str = r"\)?$|[.,!)]|\s+(?:first|then|please|and|now|only|for)\b";

const NAMED: &str = r"(?i)\b(?:option|approach|variant|solution|opzione) #?([0-9]{1,2}|[a-e])\b";

const LABELLED: &str =
    r"(?i)^(?:option|approach|variant|solution|alternative|opzione) #?([0-9]{1,2}|[a-e])(?:[:.)]|\s+[—–-])\s+(\S.*)$";

/// What a paragraph, an item or a heading begins with that is an option: `b) `, of an item or a heading also `B. `.
const LETTERED: &str = r"^\(?([a-eA-E])([.)])\s+(\S.*)$";

/// A cell that is the mark of an option.
const CELL: &str = r"(?i)^(?:option )?\(?([1-9]|[a-e])[.)]?$";

/// A mark in running text: `(1) `, `b) `.
const INLINE: &str = r"(?:^|[\s:;,–—])\(?([1-9]|[a-eA-E])\)\s+";

/// An option as it was offered.
struct Choice {
    /// `2`, `b`; empty where it has none.
    mark: String,
    /// Which of its list it is, from 1 on.
    nth: usize,
    text: String,
    /// Whether it is called an option, so that it counts before what is only numbered.
    is_named: bool,
}

/// What an agent's message offers to choose from.
pub(super) struct Options(Vec<Choice>);

impl Options {
    /// Returns those of a message.
    pub(super) fn of(units: &[Unit]) -> Options {
        let mut all: Vec<Choice> = Vec::new();
        // The unit in which the last choice stands.
        let mut last = None;
        for (at, unit) in units.iter().enumerate() {
            let nth = match (last, all.last()) {
                (Some(before), Some(choice)) if before + 1 == at => choice.nth + 1,
                _ => 1,
            };
            let text = || cut(&unit.text, OFFER_CHARS_MAX);
            if let Some((mark, rest)) = labelled(&unit.text) {
                all.push(Choice { mark, nth, text: cut(rest, OFFER_CHARS_MAX), is_named: true });
            } else if let Some((mark, rest)) = lettered(unit) {
                all.push(Choice { mark, nth, text: cut(rest, OFFER_CHARS_MAX), is_named: false });
            } else if unit.kind == Kind::Item {
                all.push(Choice { mark: unit.mark.clone(), nth, text: text(), is_named: false });
            } else if let Some((mark, text)) = of_heading(unit, units.get(at + 1)) {
                all.push(Choice { mark, nth, text, is_named: false });
            } else if unit.kind == Kind::Prose {
                all.extend(inline(&unit.text));
                continue;
            } else {
                continue;
            }
            last = Some(at);
        }
        Options(all)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a sentence has the mark of one of them.
    pub(super) fn named_by(&self, sentence: &str) -> bool {
        let lower = sentence.to_lowercase();
        let mut words = lower.split(|ch: char| !ch.is_alphanumeric());
        words.any(|word| self.0.iter().any(|choice| choice.mark == word))
    }

    /// Whether a text begins with one of them.
    pub(super) fn open(&self, text: &str) -> bool {
        self.0.iter().any(|choice| text.starts_with(&choice.text))
    }

    /// Returns the option that a sentence chooses in place of another: `go 3 after all`.
    pub(super) fn chosen_instead(&self, sentence: &str) -> Option<&str> {
        let found = patterns().instead.captures(sentence)?;
        let mark = found.get(1).or_else(|| found.get(2))?.as_str().to_lowercase();
        self.0.iter().rfind(|choice| choice.mark == mark).map(|choice| choice.text.as_str())
    }

    /// Returns the option that a reply begins by choosing.
    pub(super) fn chosen_by(&self, reply: &str) -> Option<&str> {
        let reply = reply.trim();
        let is_named = self.0.iter().any(|choice| choice.is_named);
        // Of several lists the last is the one that was asked about.
        let last = |is: &dyn Fn(&Choice) -> bool| {
            self.0.iter().filter(|choice| choice.is_named == is_named).rfind(|choice| is(choice))
        };
        let by_mark = patterns().chosen.captures(reply);
        // `1 and 2` chooses none of them, `2. 30 seconds is too long` the second.
        let joined = by_mark.as_ref().filter(|found| found[0].to_lowercase().ends_with(" and"));
        let rest = joined.map_or("", |found| reply[found[0].len()..].trim_start());
        if rest.split(|ch: char| !ch.is_alphanumeric()).next().is_some_and(is_mark) {
            return None;
        }
        let by_mark = by_mark.map(|found| found[1].to_lowercase());
        let choice = match by_mark {
            Some(mark) => last(&|choice| choice.mark == mark),
            None => match patterns().nth.iter().position(|nth| nth.is_match(reply))? {
                LAST => last(&|_| true),
                nth => last(&|choice| choice.nth == nth + 1),
            },
        };
        choice.map(|choice| choice.text.as_str())
    }

    /// Returns a sentence of which the subject is the mark of an option with what that says: `B is too wide` is
    /// `B (brick one up) is too wide`; `None` of others.
    pub(super) fn spoken_of(&self, sentence: &str) -> Option<String> {
        if let Some(found) = patterns().both.captures(sentence) {
            let [first, joint, second, rest] = [1, 2, 3, 4].map(|n| found.get(n).map_or("", |part| part.as_str()));
            let [one, other] = [first, second].map(|mark| self.short(&mark.to_lowercase()));
            return Some(format!("{first} ({}) {joint} {second} ({}){rest}", one?, other?));
        }
        let (at, mark) = subject(sentence)?;
        let short = self.short(&mark)?;
        let bare = &sentence[..at].trim_end_matches([')', '.']);
        let opened = if bare.contains('(') { bare.replacen('(', "", 1) } else { (*bare).to_owned() };
        Some(format!("{opened} ({short}){}", sentence[at..].trim_start_matches(')')))
    }

    /// Returns the beginning of the option of a mark.
    fn short(&self, mark: &str) -> Option<String> {
        let choice = self.0.iter().rfind(|choice| choice.mark == mark)?;
        // `2.11` is one word.
        let said = choice.text.split([';', '|']).next().unwrap_or_default();
        Some(cut(said.split(". ").next().unwrap_or_default().trim_end_matches('.').trim(), SHORT_CHARS_MAX))
    }

    /// Returns the option that a sentence names among those that are called so: `I like option 2 best`.
    pub(super) fn named_in(&self, sentence: &str) -> Option<&str> {
        let mark = named(sentence)?;
        self.0.iter().find(|choice| choice.is_named && choice.mark == mark).map(|choice| choice.text.as_str())
    }

    /// Returns a text with the option that it names.
    pub(super) fn with_named(&self, text: &str) -> String {
        let mark = named(text);
        let choice = mark.and_then(|mark| self.0.iter().rfind(|choice| choice.mark == mark));
        choice.map_or_else(|| text.to_owned(), |choice| format!("{text} ({}. {})", choice.mark, choice.text))
    }

    /// Returns the only option that begins with the few words by which a reply begins, up to the end of its sentence: `sell
    /// it.` of what was put as `Sell it to the mill`.
    pub(super) fn begun_by(&self, reply: &str) -> Option<&str> {
        let begun = reply.split(['.', ',', '!', ';', ':']).next()?.trim();
        // A command is run, whoever offered it.
        let is_few =
            (BEGUN_WORDS_MIN..=BEGUN_WORDS_MAX).contains(&begun.split_whitespace().count()) && !begun.contains('/');
        let mut all = self.0.iter().filter(|choice| is_few && begins_with(&choice.text, begun));
        all.next().filter(|_| all.next().is_none()).map(|choice| choice.text.as_str())
    }

    /// Returns the option that a reply says in a few of its own words.
    pub(super) fn repeated_by(&self, reply: &str) -> Option<&str> {
        let reply = long_words(reply);
        let mut all = self.0.iter().rev().filter(|choice| !choice.mark.is_empty()).map(|choice| choice.text.as_str());
        all.find(|text| reply.len() >= REPEATED_WORDS_MIN && reply.is_subset(&long_words(text)))
    }
}

/// Whether a text says no more than another one: each of its longer words stands there.
pub(super) fn repeats(text: &str, other: &str) -> bool {
    long_words(text).is_subset(&long_words(other))
}

/// The words of three letters and more.
fn long_words(text: &str) -> BTreeSet<String> {
    let all = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| word.chars().count() >= 3);
    all.map(str::to_lowercase).collect()
}

/// Whether a text begins with another one, up to the end of a word.
fn begins_with(text: &str, start: &str) -> bool {
    let rest = text.to_lowercase().strip_prefix(&start.to_lowercase()).map(str::to_owned);
    rest.is_some_and(|rest| !rest.starts_with(|ch: char| ch.is_alphanumeric()))
}

/// Returns the mark of an option and what it says: `Option 2: use a cache`.
fn labelled(text: &str) -> Option<(String, &str)> {
    let found = patterns().labelled.captures(text)?;
    Some((found.get(1)?.as_str().to_lowercase(), found.get(2)?.as_str()))
}

/// Returns the mark of an option that a unit begins with, in letters, and what it says.
fn lettered(unit: &Unit) -> Option<(String, &str)> {
    if let Some((first, rest)) = unit.text.split_once(CELL_END).filter(|_| unit.kind == Kind::Row) {
        let mark = patterns().cell.captures(first.trim())?.get(1)?.as_str();
        return Some((mark.to_lowercase(), rest));
    }
    let found = patterns().lettered.captures(&unit.text).filter(|_| unit.mark.is_empty())?;
    let is_option = match unit.kind {
        Kind::Item | Kind::Heading => true,
        // A paragraph may begin with somebody's initial, and have several options.
        Kind::Prose => &found[2] == ")" && inline(&unit.text).is_empty(),
        _ => false,
    };
    Some((found[1].to_lowercase(), found.get(3)?.as_str())).filter(|_| is_option)
}

/// Returns where the mark of an option ends that is the subject of a sentence, and the mark; `a` may be no mark.
fn subject(sentence: &str) -> Option<(usize, String)> {
    let found = patterns().subject.captures(sentence)?;
    let mark = (1..=3).find_map(|nth| found.get(nth))?;
    let is_word = mark.as_str().eq_ignore_ascii_case("a") && !sentence[mark.end()..].starts_with(')');
    (!is_word).then(|| (mark.end(), mark.as_str().to_lowercase()))
}

/// Returns the mark of the option that a sentence names: `2` of `I like option 2`.
fn named(sentence: &str) -> Option<String> {
    Some(patterns().named.captures(sentence)?.get(1)?.as_str().to_lowercase())
}

/// Whether a word may be the mark of an option.
fn is_mark(word: &str) -> bool {
    !word.is_empty() && word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit())
        || matches!(word, "b" | "c" | "d")
}

/// Returns the option that a numbered heading is: one of a word or two names it, and what stands below says it.
fn of_heading(unit: &Unit, below: Option<&Unit>) -> Option<(String, String)> {
    let (mark, rest) = unit.text.split_once(['.', ')']).filter(|_| unit.kind == Kind::Heading)?;
    let is_number = mark.len() <= 2 && mark.chars().all(|ch| ch.is_ascii_digit());
    let below = below.filter(|_| rest.split_whitespace().count() <= HEADING_WORDS_MAX);
    let below = below.and_then(|unit| sentences(&unit.text).first().map(|first| format!(": {first}")));
    let text = format!("{}{}", rest.trim_start(), below.unwrap_or_default());
    is_number.then(|| (mark.to_owned(), cut(&text, OFFER_CHARS_MAX)))
}

/// Returns the options of running text, where there are two at least and their marks count from the first on.
fn inline(text: &str) -> Vec<Choice> {
    let marks: Vec<(String, usize, usize)> = patterns()
        .inline
        .captures_iter(text)
        .filter_map(|found| Some((found.get(1)?.as_str().to_lowercase(), found.get(0)?.start(), found.get(0)?.end())))
        .collect();
    let counts = |first: u8| marks.iter().zip(first..).all(|((mark, ..), expected)| mark.as_bytes() == [expected]);
    if marks.len() < 2 || !(counts(b'1') || counts(b'a')) {
        return Vec::new();
    }
    let choice = |(at, (mark, _, from)): (usize, &(String, usize, usize))| {
        let text = match marks.get(at + 1) {
            Some((_, to, _)) => without_joint(&text[*from..*to]),
            None => sentences(&text[*from..]).first().copied().unwrap_or_default(),
        };
        let text = cut(text.trim_end_matches([' ', ',', ';', '.', '?']), OFFER_CHARS_MAX);
        Choice { mark: mark.clone(), nth: at + 1, text, is_named: false }
    };
    marks.iter().enumerate().map(choice).collect()
}

/// Longest word that joins two options, in bytes.
const JOINT_BYTES_MAX: usize = 4;

/// Returns an option without what joins it to the next: `keep it, or`.
fn without_joint(text: &str) -> &str {
    let text = text.trim_end();
    match text.rsplit_once([',', ';']) {
        Some((option, joint)) if joint.trim().len() <= JOINT_BYTES_MAX => option,
        _ => text,
    }
}

/// Where in `nth` the last one stands.
const LAST: usize = 4;

struct Patterns {
    chosen: Regex,
    named: Regex,
    labelled: Regex,
    lettered: Regex,
    cell: Regex,
    subject: Regex,
    both: Regex,
    instead: Regex,
    inline: Regex,
    nth: [Regex; LAST + 1],
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    let regex = |pattern: &str| Regex::new(pattern).expect("the patterns are constants");
    let of_option = alternatives(|lexicon| lexicon.sessions.of_option);
    let takes_option = alternatives(|lexicon| lexicon.sessions.takes_option);
    let mark = r"#?([0-9]{1,2}|[a-e])";
    PATTERNS.get_or_init(|| Patterns {
        chosen: regex(&format!(r"(?i)^(?:(?:{CHOOSING})[ ,:]+)*\(?{mark}(?:{BEHIND_CHOSEN}|\s+(?:{takes_option}))")),
        lettered: regex(LETTERED),
        cell: regex(CELL),
        subject: regex(&format!(
            r"(?i)^(?:(?:(?:and|but|und|aber|et|mais|y|pero|e|ma) )?\(?{mark}\)?,? (?:{of_option})\b|(?:not|nicht|pas|no|non) \(?{mark}\)?[,.;:] |(?:the|die|la|el|il) \(?{mark}\) )"
        )),
        both: regex(r"(?i)^\(?([1-9]|[a-e])\)? (and|und|et|y|e|or|oder|ou|o) \(?([1-9]|[a-e])\)?( .*)$"),
        named: regex(NAMED),
        labelled: regex(LABELLED),
        instead: regex(&format!(
            r"(?i)(?:^|\s)\(?{mark}\)?,? (?:{})(?:\W|$)|(?:^|\s)(?:{}),? \(?{mark}\)?(?:[.,;:!]|$)",
            alternatives(|lexicon| lexicon.sessions.after_all),
            alternatives(|lexicon| lexicon.sessions.rather),
        )),
        inline: regex(INLINE),
        nth: std::array::from_fn(|at| {
            let reaction = alternatives(|lexicon| lexicon.sessions.reaction);
            let nth = alternatives(|lexicon| lexicon.sessions.nth[at]);
            regex(&format!(r"(?i)^(?:(?:{reaction})[,.!:]* +)*(?:{nth})(?: (?:one|option|variant|solution|opción|opzione|variante))?(?:$|[.,;:!])"))
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::super::units::units;
    use super::*;

    #[track_caller]
    fn check(offered: &str, reply: &str, expected: Option<&str>) {
        assert_eq!(Options::of(&units(offered)).chosen_by(reply), expected);
    }

    #[test]
    fn an_option_is_chosen_by_its_mark_or_by_its_place() {
        let list = "Two ways:\n\n1. Keep both doors\n2. Brick one up\n";
        check(list, "2. the hall is cold", Some("Brick one up"));
        check(list, "(2)", Some("Brick one up"));
        check(list, "ok the first, it's cheaper", Some("Keep both doors"));
        check(list, "the latter", Some("Brick one up"));
        check(list, "die zweite. die Halle ist kalt", Some("Brick one up"));
        check(list, "la primera", Some("Keep both doors"));
        check(list, "the second door sticks", None);
        check(list, "first, open the door", None);
        check("Either:\n\n- Keep both doors\n- Brick one up", "the second one.", Some("Brick one up"));
        check("Nothing to choose here.", "the second.", None);
        check(list, "1 and 2 later", None);
        check(list, "2. 30 loaves fit in there", Some("Brick one up"));
        check(list, "2 is fine", Some("Brick one up"));
        check(list, "so 2 then", Some("Brick one up"));
        check(list, "2 is impossible, the wall is wet", None);
        check(list, "2 looks odd to me", None);
        let lettered = "- **A.** Keep both doors\n- **B.** Brick one up";
        check(lettered, "B.", Some("Brick one up"));
        check("**a) Keep both doors**\n- cheap\n\n**b) Brick one up**\n- dear", "b) jetzt.", Some("Brick one up"));
        check("| | what |\n|---|---|\n| A | Keep both |\n| B | Brick one up |", "B. It is cold.", Some("Brick one up"));
    }

    #[test]
    fn an_option_is_chosen_by_the_words_that_it_begins_with() {
        let options = Options::of(&units("For the doors:\n\n1. keep both (dear)\n2. brick one up\n3. brick both up\n"));
        for (reply, expected) in [
            ("Keep both. the hall is warm", Some("keep both (dear)")),
            ("brick one up, please", Some("brick one up")),
            ("brick.", None),
            ("keep bothering", None),
            ("sell it", None),
        ] {
            assert_eq!(options.begun_by(reply), expected, "{reply}");
        }
    }

    #[test]
    fn what_is_said_of_an_option_names_it() {
        let options = Options::of(&units("1. Keep both doors\n2. Brick one up; that is dear\n"));
        for (sentence, expected) in [
            ("2 is impossible, it's wet", Some("2 (Brick one up) is impossible, it's wet")),
            ("but (2) doesn't help", Some("but 2 (Brick one up) doesn't help")),
            ("Not 1, the hall is cold", Some("Not 1 (Keep both doors), the hall is cold")),
            ("3 is impossible", None),
            ("1 und 2 gehen nicht", Some("1 (Keep both doors) und 2 (Brick one up) gehen nicht")),
            ("1 and 3 are impossible", None),
            ("2 doors are wet", None),
            ("La 2) l'avevamo già", Some("La 2 (Brick one up) l'avevamo già")),
        ] {
            assert_eq!(options.spoken_of(sentence).as_deref(), expected, "{sentence}");
        }
        let lettered = Options::of(&units("- a) Keep both\n- b) Brick one up"));
        assert_eq!(lettered.spoken_of("(a) just moves the cold"), Some("a (Keep both) just moves the cold".to_owned()));
        assert_eq!(lettered.spoken_of("a door is wet"), None);
    }

    #[test]
    fn an_option_is_chosen_in_place_of_another() {
        let options = Options::of(&units("1. Keep both doors\n2. Brick one up\n"));
        for reply in ["go 2 after all", "then rather 2.", "doch lieber 2", "2 instead, please"] {
            assert_eq!(options.chosen_instead(reply), Some("Brick one up"), "{reply}");
        }
        for reply in ["2 doors after all", "rather 2 doors", "3 after all", "use oak instead"] {
            assert_eq!(options.chosen_instead(reply), None, "{reply}");
        }
    }

    #[test]
    fn options_stand_in_running_text_too() {
        let offered = "Options: a) keep both doors b) brick one up, or c) hang a curtain, as in the hall. Which one?";
        check(offered, "b. the hall is cold", Some("brick one up"));
        check(offered, "the third", Some("hang a curtain, as in the hall"));
        check("Two possibilities: (1) keep it, (2) sell it.", "the second, it's old", Some("sell it"));
        check("It fails in (2) and in (3).", "the second", None);
        check("See a) above.", "a.", None);
    }
}
