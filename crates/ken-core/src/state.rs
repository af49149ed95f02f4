//! The state of a project: its tasks by feature, how far each is, what blocks it and what comes next.
//!
//! It stands on a page that people read and edit, `state.md`: tasks are list items with a check box, headings are features.
//! Reading keeps where everything stands, so that an edit touches the lines of one task and nothing else; what does not read
//! as a task is named, and stays. Nothing here knows files or clocks.

mod edit;
mod narrative;

use std::collections::BTreeMap;

use jiff::civil::DateTime;

use crate::slug::Slug;
use crate::span::Span;
use crate::text::{cut, one_line};

pub use edit::{Change, changed};
pub use narrative::{Narrative, narrative};

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nobody has begun it.
    Todo,
    /// Somebody works on it.
    Doing,
    /// It is done.
    Done,
    /// It cannot go on.
    Blocked,
}

impl Status {
    /// Every one, with its word.
    pub const ALL: [(Status, &'static str); 4] =
        [(Status::Todo, "todo"), (Status::Doing, "doing"), (Status::Done, "done"), (Status::Blocked, "blocked")];

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        Status::ALL.iter().find(|(status, _)| *status == self).map_or("todo", |(_, word)| word)
    }

    /// Returns the status that a word names.
    pub fn parse(word: &str) -> Option<Status> {
        Status::ALL.iter().find(|(_, known)| word.eq_ignore_ascii_case(known)).map(|(status, _)| *status)
    }
}

/// What a line below a task says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Blocker,
    Next,
}

/// The labels of fields, as they are written.
const FIELDS: [(Field, &str); 2] = [(Field::Blocker, "Blocked by"), (Field::Next, "Next")];

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What it is called.
    pub name: String,
    /// The feature that it belongs to.
    pub feature: Option<String>,
    /// How far it is.
    pub status: Status,
    /// Since when it is that far.
    pub since: Option<DateTime>,
    /// What it waits for.
    pub blockers: Vec<String>,
    /// What comes next.
    pub next: Vec<String>,
    /// The line that it stands on, from 1.
    pub line: usize,
    /// Its line and those below that belong to it, line ends included.
    pub(crate) block: Span,
    /// Its line up to its box, its name, and its line as a whole, line end included.
    pub(crate) head: (Span, Span, Span),
    /// The lines that say what it waits for and what comes next.
    pub(crate) fields: Vec<(Field, Span)>,
}

impl Task {
    /// Returns what all spellings of its name share.
    pub fn key(&self) -> String {
        key(&self.name)
    }
}

/// Returns what all spellings of a task's name share.
pub fn key(name: &str) -> String {
    Slug::from_text(name).map_or_else(|| one_line(name), |slug| slug.as_str().to_owned())
}

/// A line that does not read as what it seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateNote {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it, and what counts instead.
    pub says: String,
}

/// What a page says of the state of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// The tasks, in the order of the page.
    pub tasks: Vec<Task>,
    /// Lines that do not read.
    pub notes: Vec<StateNote>,
}

impl State {
    /// Returns the task of that name.
    pub fn find(&self, name: &str) -> Option<&Task> {
        let wanted = key(name);
        self.tasks.iter().find(|task| task.key() == wanted)
    }

    /// Returns the tasks that a name may mean: the one that is called so, else those whose names have all of its words.
    pub fn meant(&self, name: &str) -> Vec<&Task> {
        if let Some(task) = self.find(name) {
            return vec![task];
        }
        let words = crate::words::folded_words(name);
        let has = |task: &&Task| {
            let own = crate::words::folded_words(&task.name);
            !words.is_empty() && words.iter().all(|word| own.contains(word))
        };
        self.tasks.iter().filter(has).collect()
    }

    /// Returns how many tasks are that far.
    pub fn count(&self, status: Status) -> usize {
        self.tasks.iter().filter(|task| task.status == status).count()
    }
}

/// Longest quote of a line in a note, in characters.
const QUOTE_CHARS_MAX: usize = 60;

/// Returns what a page says; reading never fails.
///
/// ```
/// # use ken_core::state::{Status, parse_state};
/// let state = parse_state("## Export\n\n- [ ] Write it (doing)\n  - Next: try it\n- [x] Plan it\n");
/// assert_eq!(state.tasks[0].status, Status::Doing);
/// assert_eq!(state.tasks[0].next, ["try it"]);
/// assert_eq!(state.tasks[1].feature.as_deref(), Some("Export"));
/// ```
pub fn parse_state(text: &str) -> State {
    let mut reader = Reader { text, state: State::default(), seen: BTreeMap::new(), feature: None, open: None };
    let (mut at, mut fence): (usize, Option<&str>) = (0, None);
    for (n, line) in text.split_inclusive('\n').enumerate() {
        let span = Span::new(at, at + line.len());
        at += line.len();
        if let Some(mark) = fence_of(line) {
            fence = match fence {
                None => Some(mark),
                Some(begun) if mark.starts_with(begun) => None,
                begun => begun,
            };
            continue;
        }
        if fence.is_none() {
            reader.line(n + 1, span);
        }
    }
    reader.state
}

/// The mark by which a line begins or ends a code block.
fn fence_of(line: &str) -> Option<&str> {
    let said = line.trim();
    let len = said.len() - said.trim_start_matches(if said.starts_with('~') { '~' } else { '`' }).len();
    (len >= 3).then(|| &said[..len])
}

struct Reader<'a> {
    text: &'a str,
    state: State,
    /// The line of each name.
    seen: BTreeMap<String, usize>,
    feature: Option<String>,
    /// The indent of the last task, while lines below belong to it; whether it is one that counts.
    open: Option<(usize, bool)>,
}

impl Reader<'_> {
    fn line(&mut self, n: usize, span: Span) {
        let whole = span.of(self.text);
        // A mark of byte order stands before the first line.
        let lead = whole.len() - whole.trim_start_matches('\u{feff}').len();
        let line = whole[lead..].trim_end();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let said = line.trim_start();
        if said.is_empty() || said.starts_with("<!--") {
            return;
        }
        if let Some(heading) = heading_of(line) {
            self.open = None;
            self.feature = heading;
            return;
        }
        let is_below = self.open.is_some_and(|(of, _)| indent > of);
        if is_below {
            return self.below(said, span);
        }
        self.open = None;
        match item_of(said) {
            Item::Task { mark, name_at } => {
                let name_at = span.start + lead + indent + name_at;
                self.task(n, span, (mark, name_at, indent));
            }
            Item::Broken(why) => self.note(n, said, why),
            Item::Other => {}
        }
    }

    fn note(&mut self, line: usize, said: &str, why: &str) {
        let says = format!("`{}` is no task: {why}", cut(&one_line(said), QUOTE_CHARS_MAX));
        self.state.notes.push(StateNote { line, says });
    }

    fn task(&mut self, n: usize, span: Span, (mark, name_at, indent): (char, usize, usize)) {
        let end = span.start + span.of(self.text).trim_end().len();
        let (name_end, words) = suffix_of(&self.text[name_at..end]);
        let name = Span::new(name_at, name_at + name_end);
        let said = Words::of(words);
        let box_says = match mark {
            'x' | 'X' => Some(Status::Done),
            '/' => Some(Status::Doing),
            '!' => Some(Status::Blocked),
            _ => None,
        };
        let status = match (box_says, said.status) {
            (Some(status), _) => status,
            (None, Some(Status::Done) | None) => Status::Todo,
            (None, Some(status)) => status,
        };
        // Who ticks a box by hand does not change the words behind it.
        let is_at_odds = said.status.is_some_and(|said| said != status);
        if is_at_odds {
            let said = said.status.map_or("", Status::word);
            let says = format!("the box says {} and the words say {said}; the box counts", status.word());
            self.state.notes.push(StateNote { line: n, says });
        }
        let called = one_line(name.of(self.text));
        self.open = Some((indent, false));
        if !called.chars().any(char::is_alphanumeric) {
            return self.note(n, span.of(self.text).trim(), "it has no name");
        }
        if let Some(first) = self.seen.get(&key(&called)) {
            let says = format!("`{}` stands on line {first} already; that line counts", cut(&called, QUOTE_CHARS_MAX));
            self.state.notes.push(StateNote { line: n, says });
            return;
        }
        self.seen.insert(key(&called), n);
        self.open = Some((indent, true));
        self.state.tasks.push(Task {
            name: called,
            feature: self.feature.clone(),
            status,
            since: said.since.filter(|_| !is_at_odds),
            blockers: Vec::new(),
            next: Vec::new(),
            line: n,
            block: span,
            head: (Span::new(span.start, name_at), name, span),
            fields: Vec::new(),
        });
    }

    /// A line below a task.
    fn below(&mut self, said: &str, span: Span) {
        if self.open.is_none_or(|(_, counts)| !counts) {
            return;
        }
        let Some(task) = self.state.tasks.last_mut() else { return };
        task.block.end = span.end;
        let Some(item) = said.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).map(str::trim) else {
            return;
        };
        if let Item::Task { mark, name_at } = item_of(said) {
            // A step in a box of its own.
            let (end, words) = suffix_of(&said[name_at..]);
            let is_done = matches!(mark, 'x' | 'X') || Words::of(words).status == Some(Status::Done);
            let step = one_line(&said[name_at..name_at + end]);
            task.next.extend(Some(step).filter(|step| !is_done && !step.is_empty()));
            return;
        }
        let found = FIELDS.iter().find_map(|(field, label)| {
            let (start, rest) = item.split_once(':')?;
            start.trim().eq_ignore_ascii_case(label).then(|| (*field, one_line(rest)))
        });
        let Some((field, value)) = found.filter(|(_, value)| !value.is_empty()) else { return };
        task.fields.push((field, span));
        match field {
            Field::Blocker => {
                // What waits for something is blocked, whatever the words say.
                task.status = if task.status == Status::Done { Status::Done } else { Status::Blocked };
                task.blockers.push(value);
            }
            Field::Next => task.next.push(value),
        }
    }
}

/// The feature that a line begins, if it is a heading: none below the page's title and below `Tasks`.
fn heading_of(line: &str) -> Option<Option<String>> {
    let level = line.len() - line.trim_start_matches('#').len();
    let name = one_line(line[level..].trim_end_matches('#').trim());
    let is_heading = (1..=6).contains(&level) && (line.len() == level || line[level..].starts_with([' ', '\t']));
    let is_feature = level > 1 && !name.is_empty() && !name.eq_ignore_ascii_case(edit::TASKS);
    is_heading.then(|| is_feature.then_some(name))
}

/// What a list item is.
enum Item<'a> {
    Task { mark: char, name_at: usize },
    Broken(&'a str),
    Other,
}

/// Marks that a box may have.
const MARKS: [char; 5] = [' ', 'x', 'X', '/', '!'];

fn item_of(said: &str) -> Item<'static> {
    let digits = said.len() - said.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
    let bullet = match said.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ => 0,
    };
    let blank = said[bullet..].len() - said[bullet..].trim_start_matches(' ').len();
    let inner = &said[bullet + blank..];
    let mut chars = inner.chars();
    let (Some('['), Some(mark)) = (chars.next(), chars.next()) else { return Item::Other };
    if mark == ']' {
        // `[](…)` is a link.
        return if chars.as_str().starts_with('(') { Item::Other } else { Item::Broken("a box is `[ ]` or `[x]`") };
    }
    if chars.next() != Some(']') {
        return Item::Other;
    }
    let rest = chars.as_str();
    if rest.starts_with(['(', '[', ':']) {
        return Item::Other;
    }
    match () {
        () if !MARKS.contains(&mark) => Item::Broken("a box is `[ ]`, `[x]`, `[/]` or `[!]`"),
        () if bullet == 0 => Item::Broken("it does not begin with `- `"),
        () if blank == 0 => Item::Broken("there is no blank before the box"),
        () if rest.trim().is_empty() => Item::Broken("it has no name"),
        () if !rest.starts_with(' ') => Item::Broken("there is no blank behind the box"),
        () => Item::Task { mark, name_at: said.len() - rest.trim_start().len() },
    }
}

/// What the words behind a name say.
#[derive(Default)]
struct Words {
    status: Option<Status>,
    since: Option<DateTime>,
}

impl Words {
    /// Reads `doing since 2026-04-01 14:30`, `since 2026-04-01`, `done`; nothing where they say something else.
    fn read(text: &str) -> Option<Words> {
        let mut words = text.split_whitespace().peekable();
        let status = words.peek().and_then(|word| Status::parse(word));
        if status.is_some() {
            words.next();
        }
        words.next_if(|word| word.eq_ignore_ascii_case("since"));
        let rest: Vec<&str> = words.collect();
        let since = match rest.as_slice() {
            [] if status.is_some() => None,
            [day] => Some(day.parse().ok().map(|day: crate::Date| day.at(0, 0, 0, 0))?),
            [day, time] => Some(format!("{day}T{time}").parse().ok()?),
            _ => return None,
        };
        Some(Words { status, since })
    }

    fn of(text: Option<&str>) -> Words {
        text.and_then(Words::read).unwrap_or_default()
    }
}

/// Where a name ends, and the words in parentheses behind it.
fn suffix_of(text: &str) -> (usize, Option<&str>) {
    let said = text.trim_end();
    let found = said.strip_suffix(')').and_then(|inner| {
        let open = inner.rfind(" (")?;
        Words::read(&inner[open + 2..]).map(|_| (inner[..open].trim_end().len(), &inner[open + 2..]))
    });
    found.map_or((said.len(), None), |(end, words)| (end, Some(words)))
}

#[cfg(test)]
mod tests;
