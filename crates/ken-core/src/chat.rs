//! Chats: documents in which people speak in turn, and who says what in them.
//!
//! A chat is known by its form alone, never by names: several lines begin a message in one and the same way
//! (`Ada: …`, `**Ada** (10:42): …`, `[10:42] Ada: …`, `### Ada, 10:42`, `<ada> …`, a line with nothing but a name and a
//! time), and at least two speak. Where no time stands beside the name more is asked for, because lists of fields,
//! notes in prose and the sections of a changelog begin lines that way too. What looks like a message in another form
//! is part of what is said.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::markdown::heading;
use crate::span::Span;
use crate::time::Date;
use crate::words::fold;

/// What one person said at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who said it, as it is written.
    pub speaker: String,
    /// The message with the mark that it begins with, up to the next one.
    pub span: Span,
}

/// Messages that make a chat where each has its time, and where none has.
const STAMPED_MIN: usize = 3;
const PLAIN_MIN: usize = 4;
/// How much more messages than speakers there are where none has its time.
const AGAIN_MIN: usize = 2;
/// One paragraph in so many begins a message, at least: in prose a label is rare.
const PARAGRAPHS_MAX: usize = 4;
/// One message in so many asks something, at least, where none has its time.
const QUESTIONS_MAX: usize = 20;
/// A longer name is a sentence.
const NAME_WORDS_MAX: usize = 4;
const NAME_CHARS_MAX: usize = 40;

/// Returns the messages of the part `body` of a text, in order; none where it is no chat.
///
/// ```
/// # use ken_core::{Span, chat::messages};
/// let chat = "Ada: Who has the key?\nBen: I do.\nAda: And the oven?\nBen: It is off.\n";
/// let said = messages(chat, Span::new(0, chat.len()));
/// assert_eq!((said.len(), said[1].speaker.as_str(), said[1].span.of(chat)), (4, "Ben", "Ben: I do.\n"));
/// ```
pub fn messages(text: &str, body: Span) -> Vec<Message> {
    let lines = lines(text, body);
    let mut forms: BTreeMap<Form, Vec<usize>> = BTreeMap::new();
    for (n, line) in lines.iter().enumerate() {
        if let Some(mark) = &line.mark {
            forms.entry(mark.form).or_default().push(n);
        }
    }
    // The form that most messages have; of two, the one that stands first.
    let chat = forms.into_iter().filter(|(form, marks)| is_chat(*form, marks, &lines));
    let Some((form, _)) = chat.max_by_key(|(_, marks)| (marks.len(), usize::MAX - marks[0])) else { return Vec::new() };
    let mut out: Vec<Message> = Vec::new();
    let mut is_open = false;
    for line in &lines {
        let speaker = line.mark.as_ref().filter(|mark| mark.form == form).map(|mark| mark.speaker.to_owned());
        match (speaker, out.last_mut().filter(|_| is_open)) {
            (Some(speaker), _) => {
                out.push(Message { speaker, span: line.span });
                is_open = true;
            }
            // What stands under a heading of its own is nobody's.
            (None, Some(_)) if line.level.is_some_and(|level| !form.holds(level)) => is_open = false,
            (None, Some(last)) => last.span.end = line.span.end,
            (None, None) => {}
        }
    }
    out
}

/// Returns the newest day that stands beside a message, if it is a chat and any does.
///
/// ```
/// # use ken_core::{Span, chat::last_day};
/// let chat = "[01.03.26, 10:42] Ada: Who has the key?\n[02.03.26, 09:10] Ben: I do.\n[02.03.26, 09:11] Ada: Good.\n";
/// assert_eq!(last_day(chat, Span::new(0, chat.len())).map(|day| day.to_string()).as_deref(), Some("2026-03-02"));
/// ```
pub fn last_day(text: &str, body: Span) -> Option<Date> {
    let first_line = |message: &Message| message.span.of(text).lines().next().and_then(stamped_day);
    let stamps: Vec<(char, [i16; 3])> = messages(text, body).iter().filter_map(first_line).collect();
    // `3/1/26` may be of March or of January; in one chat it is always the same.
    let is_over = |at: usize| stamps.iter().any(|(between, parts)| *between == '/' && parts[at] > 12 && parts[at] < 32);
    let day = |(between, [a, b, c]): &(char, [i16; 3])| {
        let year = |year: i16| if year < 100 { 2000 + year } else { year };
        let (year, month, day) = match between {
            _ if *a > 31 => (*a, *b, *c),
            '/' if is_over(1) => (year(*c), *a, *b),
            '/' if !is_over(0) => return None,
            _ => (year(*c), *b, *a),
        };
        Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()
    };
    stamps.iter().filter_map(day).max()
}

/// The day in the mark of a message: what stands between its numbers, and these as they stand.
fn stamped_day(line: &str) -> Option<(char, [i16; 3])> {
    // It stands before the name or right behind it.
    let words = line.split_whitespace().take(NAME_WORDS_MAX + 4).map(|word| word.split('T').next().unwrap_or(word));
    words.map(|word| word.trim_matches(AROUND)).find_map(|word| {
        let between = ['-', '/', '.'].into_iter().find(|between| is_day(word, *between))?;
        let mut parts = word.trim_end_matches(between).split(between).map(|part| part.parse().ok());
        Some((between, [parts.next()??, parts.next()??, parts.next()??]))
    })
}

/// Returns who speaks in a line that begins a message, in whatever form.
///
/// ```
/// # use ken_core::chat::speaker_of;
/// assert_eq!(speaker_of("2026-03-01 10:42 - Ada: It is off."), Some("Ada"));
/// assert_eq!(speaker_of("It is off."), None);
/// ```
pub fn speaker_of(line: &str) -> Option<&str> {
    mark_of(line).map(|mark| mark.speaker)
}

/// Returns what somebody says without the marks of their messages: the time that stands there answers nothing.
///
/// ```
/// # use ken_core::chat::said_by;
/// assert_eq!(said_by("[10:42] Ada: It is off.\nAt last.", "Ada"), "It is off.\nAt last.");
/// ```
pub fn said_by<'t>(text: &'t str, speaker: &str) -> Cow<'t, str> {
    if speaker.is_empty() {
        return Cow::Borrowed(text);
    }
    let said = |line: &'t str| mark_of(line).filter(|mark| mark.speaker == speaker).map_or(line, |mark| mark.rest);
    Cow::Owned(text.lines().map(said).collect::<Vec<_>>().join("\n"))
}

/// Returns what somebody says in a chat with who says it, if it does not say so itself.
pub(crate) fn with_speaker(speaker: &str, said: String) -> String {
    if speaker.is_empty() || speaker_of(said.lines().next().unwrap_or_default()) == Some(speaker) {
        return said;
    }
    // Code, a list or a table begins on a line of its own.
    let between = if said.starts_with(['`', '~', '|', '-', '*', '+', '>', '#']) { '\n' } else { ' ' };
    format!("{speaker}:{between}{said}")
}

/// How the mark of a message looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    style: Style,
    /// Whether the time stands there.
    is_stamped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Style {
    /// `Ada: …`
    Name,
    /// `**Ada:** …`
    Bold,
    /// `<ada> …`
    Angle,
    /// A line of its own, with a time.
    Line,
    /// A heading, of a level.
    Heading(u8),
}

impl Form {
    /// Whether a heading of a level stands within a message.
    fn holds(self, level: u8) -> bool {
        matches!(self.style, Style::Heading(own) if level > own)
    }
}

struct Mark<'t> {
    form: Form,
    speaker: &'t str,
    /// What is said behind the mark.
    rest: &'t str,
}

/// A line that does not stand in a block of code.
struct Line<'t> {
    span: Span,
    mark: Option<Mark<'t>>,
    /// The level of a heading.
    level: Option<u8>,
    is_blank: bool,
    /// Whether it holds a question.
    asks: bool,
    /// Whether a paragraph or a message begins with it.
    begins: bool,
}

fn lines(text: &str, body: Span) -> Vec<Line<'_>> {
    let (mut out, mut at) = (Vec::new(), body.start);
    let (mut in_code, mut is_behind_blank) = (false, true);
    for line in body.of(text).split_inclusive('\n') {
        let span = Span::new(at, at + line.len());
        at = span.end;
        let trimmed = line.trim();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        in_code ^= is_fence;
        let is_code = in_code || is_fence;
        let mark = if is_code { None } else { mark_of(line) };
        let level = if is_code { None } else { heading(trimmed).map(|(level, _)| level) };
        let begins = !is_code && !trimmed.is_empty() && (is_behind_blank || mark.is_some());
        is_behind_blank = trimmed.is_empty();
        let asks =
            !is_code && ["? ", "?\"", "?)", "？"].iter().any(|end| trimmed.contains(end)) || trimmed.ends_with('?');
        out.push(Line { span, mark, level, is_blank: trimmed.is_empty(), asks, begins });
    }
    out
}

/// Whether lines that begin messages in one form make a chat.
fn is_chat(form: Form, marks: &[usize], lines: &[Line<'_>]) -> bool {
    let speaker = |n: &usize| lines[*n].mark.as_ref().map(|mark| fold(mark.speaker)).unwrap_or_default();
    let speakers: BTreeSet<String> = marks.iter().map(speaker).collect();
    if speakers.len() < 2 || marks.len() <= speakers.len() {
        return false;
    }
    if form.is_stamped {
        let says = |pair: &[usize]| lines[pair[0] + 1..pair[1]].iter().any(|line| !line.is_blank);
        // A timetable has nothing between its lines.
        return marks.len() >= STAMPED_MIN && (form.style != Style::Line || marks.windows(2).all(says));
    }
    if marks.len() < PLAIN_MIN.max(speakers.len() + AGAIN_MIN) || !is_talk(marks, lines) {
        return false;
    }
    let rest = &lines[marks[0]..];
    if let Style::Heading(own) = form.style {
        // The sections of entries, of functions, of versions stand below a heading each, or beside one.
        let is_own = |line: &Line<'_>| line.mark.as_ref().is_some_and(|mark| mark.form == form);
        return rest.iter().all(|line| line.level.is_none_or(|level| level > own || level == own && is_own(line)));
    }
    let n_begun = rest.iter().filter(|line| line.begins).count();
    n_begun <= PARAGRAPHS_MAX * marks.len() && speaks_again(form, rest)
}

/// Whether people talk to each other where lines begin with names: fields and the entries of a changelog ask nothing.
fn is_talk(marks: &[usize], lines: &[Line<'_>]) -> bool {
    let ends = marks.iter().skip(1).copied().chain([lines.len()]);
    let asks = |(start, end): &(usize, usize)| lines[*start..*end].iter().any(|line| line.asks);
    let n_asking = marks.iter().copied().zip(ends).filter(asks).count();
    n_asking * QUESTIONS_MAX >= marks.len()
}

/// Whether somebody speaks twice under one heading: fields of an entry stand there once.
fn speaks_again(form: Form, lines: &[Line<'_>]) -> bool {
    let mut heard: BTreeSet<String> = BTreeSet::new();
    lines.iter().any(|line| {
        if line.level.is_some() {
            heard.clear();
        }
        line.mark.as_ref().filter(|mark| mark.form == form).is_some_and(|mark| !heard.insert(fold(mark.speaker)))
    })
}

/// What a line begins, if it is a message.
fn mark_of(line: &str) -> Option<Mark<'_>> {
    let line = line.trim().trim_start_matches('\u{200e}');
    if let Some((level, skip)) = heading(line) {
        let said = line[skip..].trim().trim_matches('*').trim_end_matches(':');
        let (said, is_before) = without_stamp(said);
        let (said, is_behind) = before_stamp(said);
        return marked(Style::Heading(level), said, (is_before || is_behind, ""));
    }
    let bare = ["- ", "* ", "+ "].iter().find_map(|marker| line.strip_prefix(marker)).unwrap_or(line).trim_start();
    let (rest, is_before) = without_stamp(bare);
    if let Some((name, said)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        return marked(Style::Angle, name, (is_before, said)).filter(|_| says(said));
    }
    if let Some((inside, behind)) = rest.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        let (name, is_inside) = before_stamp(inside.trim_end_matches(':'));
        let (name, is_first) = without_stamp(name);
        let (said, is_behind) = without_stamp(behind);
        let is_stamped = is_before || is_inside || is_first || is_behind;
        let is_marked = inside.ends_with(':') || said.starts_with(':') || behind.starts_with(':');
        return marked(Style::Bold, name, (is_stamped, said)).filter(|_| is_marked || is_stamped);
    }
    let colon = rest.char_indices().find(|(at, ch)| *ch == ':' && says_or_ends(&rest[at + 1..]));
    let (head, said) = colon.map_or((rest, ""), |(at, _)| (&rest[..at], &rest[at + 1..]));
    let (name, is_behind) = before_stamp(head);
    let style = if colon.is_some() { Style::Name } else { Style::Line };
    // What begins an item of a list like a name, without its time, is a field or an entry.
    let is_item = bare.len() < line.len();
    let reads = |mark: &Mark<'_>| mark.form.is_stamped || style == Style::Name && !is_item;
    marked(style, name, (is_before || is_behind, said)).filter(reads)
}

fn marked<'t>(style: Style, name: &'t str, (is_stamped, said): (bool, &'t str)) -> Option<Mark<'t>> {
    let speaker = name_of(name, is_stamped)?;
    let rest = said.trim_start().trim_start_matches(':').trim();
    Some(Mark { form: Form { style, is_stamped }, speaker, rest })
}

fn says(rest: &str) -> bool {
    rest.starts_with(char::is_whitespace) && !rest.trim().is_empty()
}

fn says_or_ends(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(char::is_whitespace)
}

/// A text as a name: a few words without the marks of sentences, of which a longer one without a time is written as
/// names are.
fn name_of(text: &str, is_stamped: bool) -> Option<&str> {
    let name = text.trim().trim_start_matches('@').trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_plain =
        |ch: char| ch.is_alphanumeric() || !ch.is_ascii() || matches!(ch, ' ' | '.' | '_' | '-' | '\'' | '+' | '~');
    let is_proper = || words.len() == 1 || words.iter().all(|word| word.starts_with(char::is_uppercase));
    let fits = (1..=NAME_WORDS_MAX).contains(&words.len()) && name.chars().count() <= NAME_CHARS_MAX;
    let reads = name.chars().all(is_plain) && name.chars().any(char::is_alphanumeric);
    let is_name = is_stamped || name.starts_with(char::is_alphabetic) && is_proper();
    (fits && reads && is_name).then_some(name)
}

/// What stands around a day and a time.
const AROUND: &[char] = &['(', ')', '[', ']', ',', ';', '-', '–', '—', '|', '·'];

/// A text without the day and time that it begins with, and whether there was one.
fn without_stamp(text: &str) -> (&str, bool) {
    let (mut at, mut has_time) = (0, false);
    while let Some(word) = text[at..].split_whitespace().next() {
        // A bracket may end a time without a blank behind it.
        let start = at + text[at..].find(word).unwrap_or(0);
        let end = start + word.find([']', ')']).map_or(word.len(), |bracket| bracket + 1);
        let Some(is_time) = stamp_word(&text[start..end]) else { break };
        has_time |= is_time;
        at = end;
    }
    if has_time { (text[at..].trim_start(), true) } else { (text, false) }
}

/// A text before the day and time that it ends with, and whether there was one.
fn before_stamp(text: &str) -> (&str, bool) {
    let (mut end, mut has_time) = (text.len(), false);
    while let Some(word) = text[..end].split_whitespace().next_back() {
        let Some(is_time) = stamp_word(word) else { break };
        has_time |= is_time;
        end = text[..end].rfind(word).unwrap_or(0);
    }
    if has_time { (text[..end].trim_end().trim_end_matches(AROUND), true) } else { (text, false) }
}

/// Whether a word is part of a day with its time, and whether it is the time.
fn stamp_word(word: &str) -> Option<bool> {
    let word = word.trim_matches(AROUND);
    let lower = word.to_lowercase();
    if word.is_empty() || ["am", "pm", "a.m.", "p.m."].contains(&lower.as_str()) {
        return Some(false);
    }
    let (day, time) = word.split_once('T').unwrap_or(("", word));
    let has_day = |text: &str| ['-', '/', '.'].into_iter().any(|between| is_day(text, between));
    if is_time(time) && (day.is_empty() || has_day(day)) {
        return Some(true);
    }
    has_day(word).then_some(false)
}

fn is_day(text: &str, between: char) -> bool {
    let parts: Vec<&str> = text.trim_end_matches(between).split(between).collect();
    parts.len() == 3 && parts.iter().all(|part| is_number(part, 4))
}

/// `10:42`, `10:42:07`, `10:42:07.250`, with `am`, `Z` or what it is away from that.
fn is_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let bare = lower.trim_end_matches(['a', 'p', 'm', 'z']);
    let bare = bare.split_once(['+', '-']).map_or(bare, |(time, _)| time);
    let bare = bare.split_once('.').map_or(bare, |(time, _)| time);
    let parts: Vec<&str> = bare.split(':').collect();
    let rest_reads = || parts[1..].iter().all(|part| part.len() == 2 && is_number(part, 2));
    (2..=3).contains(&parts.len()) && is_number(parts[0], 2) && rest_reads()
}

fn is_number(text: &str, n_digits_max: usize) -> bool {
    (1..=n_digits_max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
