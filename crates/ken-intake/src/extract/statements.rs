//! What an agent's message says, as statements that can stand alone.
//!
//! A sentence that only points back is joined to the one before it, or left out where there is none. What leads to
//! a short list, a small table or a few commands is joined to them. What was only offered (options, suggestions)
//! and what only ticks off (test results, checklists) is left out. Nothing is reworded: parts are put side by side.

use ken_core::finding::behind_mark;

use super::phrases::{Label, Phrases};
use super::sentence::sentences;
use super::units::{CELL_END, Kind, Unit, units};

/// Longest statement of sentences that were joined, in characters.
const JOINED_CHARS_MAX: usize = 420;

/// Longest statement of a list, and of a table, with what leads to it, in characters.
const LIST_CHARS_MAX: usize = 400;
const TABLE_CHARS_MAX: usize = 600;

/// Most items of a list that is kept as one statement; a longer one is read item by item.
const ITEMS_MAX: usize = 5;

/// Fewest words of what leads to a list and says something by itself, and of a heading above one: less is a label,
/// like `Key changes`.
const LEAD_WORDS_MIN: usize = 3;
const HEADING_WORDS_MIN: usize = 4;

/// Longest item that leads to the items below it without saying so by a colon, in characters.
const LEAD_CHARS_MAX: usize = 100;

/// How many sentences say what was found, and how many characters two of them have at most.
const FOUND_SENTENCES: usize = 2;
const FOUND_CHARS_MAX: usize = 300;

/// How a statement stood in its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The first sentence of a paragraph.
    Opening,
    /// Another sentence.
    Prose,
    /// An item of a list.
    Item,
    /// An item with an open check box.
    OpenItem,
    /// A list with what leads to it.
    List,
    /// A table with what leads to it.
    Table,
    /// A row of a table that is too long to be kept whole.
    Row,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) form: Form,
    /// The heading or introducing line that it stands under.
    pub(super) under: String,
    /// Whether it points back to something that is not in it.
    pub(super) leans: bool,
    /// What it is by what was said before it: found, or granted.
    pub(super) topic: Option<Label>,
}

/// Returns the statements of a message, in order.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let units = units(text);
    let mut reader =
        Reader { found: Vec::new(), lead: None, aside: None, mark: None, phrases: Phrases::get(), n_said: 0 };
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        let is_list = |unit: &&Unit| matches!(unit.kind, Kind::Item | Kind::OpenItem);
        let is_table = |unit: &&Unit| unit.kind == Kind::Row;
        let n = units[at..].iter().take_while(is_list).count();
        // The last words ask which of the options it shall be, and say why.
        let is_last = at + 1 == units.len() && unit.text.contains('?');
        let is_left_out = reader.aside.is_some() && !is_last;
        if !matches!(unit.kind, Kind::Prose | Kind::Code) {
            reader.mark = None;
        }
        match unit.kind {
            Kind::Heading => reader.heading(unit),
            _ if is_left_out => {}
            Kind::Prose => reader.paragraph(unit),
            Kind::Item | Kind::OpenItem => reader.list(&units[at..at + n]),
            Kind::Columns => {
                let n_rows = units[at + 1..].iter().take_while(is_table).count();
                reader.table(unit, &units[at + 1..=at + n_rows]);
                at += n_rows;
            }
            Kind::Row => {}
            Kind::Code => reader.code(unit),
        }
        at += n.max(1);
    }
    reader.close_lead();
    reader.found
}

struct Reader {
    found: Vec<Statement>,
    /// What leads to whatever comes next.
    lead: Option<Statement>,
    /// The level of the heading under which everything is left out.
    aside: Option<usize>,
    /// The words before a paragraph that say that something was found: `Found it.`
    mark: Option<String>,
    phrases: &'static Phrases,
    /// How many sentences were read.
    n_said: usize,
}

impl Reader {
    fn heading(&mut self, unit: &Unit) {
        self.close_lead();
        if self.aside.is_none_or(|level| unit.depth <= level) {
            let is_meta = self.phrases.is_meta(&unit.text);
            // Options have headings of their own below them; what ticks off ends at the next heading.
            let depth = if is_meta { usize::MAX } else { unit.depth };
            self.aside = (is_meta || self.phrases.is_offer_heading(&unit.text)).then_some(depth);
        }
    }

    fn paragraph(&mut self, unit: &Unit) {
        self.close_lead();
        let (mut can_join, mut is_granted) = (false, false);
        let mark = self.mark.take();
        let all: Vec<&str> = mark.as_deref().into_iter().chain(sentences(&unit.text)).collect();
        let mut at = 0;
        while let Some(sentence) = all.get(at) {
            is_granted |= self.phrases.is_concession(sentence);
            let n = self.finding(&all[at..], unit);
            if n > 0 {
                (at, can_join) = (at + n, true);
                continue;
            }
            let sentence = self.phrases.without_opener(sentence);
            let is_ruled = is_granted && self.phrases.is_demand(sentence);
            let topic = is_ruled.then_some(Label::Decision);
            self.n_said += 1;
            at += 1;
            let leans = self.phrases.leans_back(sentence);
            if leans && can_join && self.join(sentence, JOINED_CHARS_MAX) {
                continue;
            }
            let leads = sentence.ends_with(':');
            can_join = self.is_said(sentence) && (!leans || leads || self.n_said == 1);
            if can_join {
                let form = if at == 1 { Form::Opening } else { Form::Prose };
                let text = sentence.to_owned();
                self.found.push(Statement { text, form, under: unit.under.clone(), leans, topic });
            }
        }
        if can_join && self.found.last().is_some_and(|last| last.text.ends_with(':')) {
            self.lead = self.found.pop();
        }
    }

    /// Takes what was found by sentences of which the first begins by saying so, with these words, and returns how many
    /// sentences that are. Where nothing stands behind them, the next paragraph says it.
    fn finding(&mut self, all: &[&str], unit: &Unit) -> usize {
        let Some(behind) = all.first().and_then(|first| behind_mark(first)) else { return 0 };
        let is_told = |sentence: &str| self.is_said(sentence) && !sentence.ends_with(':');
        let mut text = all[0].to_owned();
        let mut n_told = usize::from(!behind.is_empty());
        if n_told > 0 && !is_told(behind) {
            return 0;
        }
        let mut n = 1;
        for sentence in all[1..].iter().take_while(|sentence| is_told(sentence)) {
            let fits = text.chars().count() + sentence.chars().count() < FOUND_CHARS_MAX;
            if n_told == FOUND_SENTENCES || n_told > 0 && !fits {
                break;
            }
            (n, n_told) = (n + 1, n_told + 1);
            text = format!("{text} {sentence}");
        }
        if n_told == 0 {
            self.mark = (all.len() == 1).then_some(text);
            return usize::from(self.mark.is_some());
        }
        self.n_said += n;
        let (form, under) = (Form::Opening, unit.under.clone());
        self.found.push(Statement { text, form, under, leans: false, topic: Some(Label::Lesson) });
        n
    }

    /// Whether a sentence is about the matter, however little it says.
    fn is_said(&self, sentence: &str) -> bool {
        !sentence.ends_with('?')
            && !self.phrases.is_narration(sentence)
            && !self.phrases.is_supposed(sentence)
            && !self.phrases.is_meta(sentence)
    }

    /// Puts a text behind the statement before it; returns whether there is one and room.
    fn join(&mut self, text: &str, max: usize) -> bool {
        let Some(last) = self.found.last_mut() else { return false };
        let is_short = last.text.chars().count() + text.chars().count() < max;
        if is_short {
            last.text.push_str(if last.text.ends_with(['.', '!', '…', ')']) { " " } else { ". " });
            last.text.push_str(text);
        }
        is_short
    }

    /// What led to something that is not kept counts if it says something by itself.
    fn close_lead(&mut self) {
        let Some(mut lead) = self.lead.take() else { return };
        lead.text.truncate(lead.text.trim_end_matches(':').len());
        if !lead.leans && self.phrases.is_complete(&lead.text) {
            self.found.push(lead);
        }
    }

    /// Joins parts to what leads to them, or to the heading above; returns whether that was possible.
    fn join_to_lead(&mut self, parts: &str, form: Form, unit: &Unit) -> bool {
        let (lead, words_min) = match &self.lead {
            Some(lead) => (lead.text.as_str(), LEAD_WORDS_MIN),
            // What led to it was left out, for saying nothing.
            None if unit.under.ends_with(':') => return false,
            None => (without_number(&unit.under), HEADING_WORDS_MIN),
        };
        let lead = lead.trim_end_matches(':');
        let chars_max = if form == Form::Table { TABLE_CHARS_MAX } else { LIST_CHARS_MAX };
        if lead.chars().count() + parts.chars().count() > chars_max || !self.is_said(lead) {
            return false;
        }
        let says_enough = lead.split_whitespace().count() >= words_min || self.phrases.is_concrete(lead);
        let leans = self.lead.as_ref().is_some_and(|lead| lead.leans);
        if leans {
            let text = format!("{lead}: {parts}");
            let is_joined = self.join(&text, LIST_CHARS_MAX);
            self.lead = self.lead.take().filter(|_| !is_joined);
            return is_joined;
        }
        if form == Form::List && !says_enough || lead.is_empty() {
            return false;
        }
        let text = format!("{lead}: {parts}");
        let topic = self.lead.take().and_then(|lead| lead.topic);
        self.found.push(Statement { text, form, under: unit.under.clone(), leans: false, topic });
        true
    }

    fn list(&mut self, items: &[Unit]) {
        let under = items[0].under.as_str();
        let lead = self.lead.as_ref().map_or(under, |lead| lead.text.as_str());
        // "All tests pass. Here's what changed:" is one line, and its last sentence leads.
        let lead = sentences(lead).last().copied().unwrap_or_default();
        if self.phrases.is_offer_heading(lead) || self.phrases.is_meta(lead) {
            self.lead = None;
            return;
        }
        let is_open = items.iter().any(|item| item.kind == Kind::OpenItem) || self.phrases.is_action_heading(under);
        let parts: Vec<&str> = items.iter().map(|item| item.text.trim_end_matches([';', ','])).collect();
        let is_short = (2..=ITEMS_MAX).contains(&items.len()) && items.iter().all(|item| self.is_said(&item.text));
        if !is_open && is_short && self.join_to_lead(&listed(&parts), Form::List, &items[0]) {
            return;
        }
        self.close_lead();
        let mut at = 0;
        while let Some(item) = items.get(at) {
            // An item may lead to a list of its own.
            let below = items[at + 1..].iter().take_while(|other| other.depth > item.depth).count();
            let parts: Vec<&str> = items[at + 1..=at + below].iter().map(|item| item.text.as_str()).collect();
            let leads =
                item.text.ends_with(':') || item.text.chars().count() <= LEAD_CHARS_MAX && !is_sentence(&item.text);
            let whole = format!("{}: {}", item.text.trim_end_matches(':'), listed(&parts));
            if !is_open && leads && below > 0 && whole.chars().count() <= LIST_CHARS_MAX {
                self.item(item, &whole, Form::List);
                at += 1 + below;
            } else {
                self.item(item, &item.text, Form::Item);
                at += 1;
            }
        }
    }

    fn item(&mut self, item: &Unit, text: &str, form: Form) {
        let is_open = item.kind == Kind::OpenItem;
        let form = if is_open { Form::OpenItem } else { form };
        if is_open || self.is_said(text) {
            let (text, under) = (text.to_owned(), item.under.clone());
            self.found.push(Statement { text, form, under, leans: false, topic: None });
        }
    }

    fn table(&mut self, columns: &Unit, rows: &[Unit]) {
        let names: Vec<&str> = columns.text.split(CELL_END).collect();
        let rows: Vec<Unit> =
            rows.iter().map(|row| Unit { text: row_told(&names, &row.text), ..row.clone() }).collect();
        let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        if self.phrases.is_meta(&columns.text) || self.phrases.is_offer_heading(&columns.under) {
            self.lead = None;
            return;
        }
        if rows.len() >= 2 && self.join_to_lead(&listed(&texts), Form::Table, columns) {
            return;
        }
        self.close_lead();
        for Unit { text, under, .. } in rows {
            self.found.push(Statement { text, form: Form::Row, under, leans: false, topic: None });
        }
    }

    fn code(&mut self, unit: &Unit) {
        let is_led = self.lead.is_some() && !unit.text.is_empty();
        if !is_led || !self.join_to_lead(&unit.text, Form::List, unit) {
            self.close_lead();
        }
    }
}

/// Returns a heading without the number or letter that it may begin with.
pub(super) fn without_number(heading: &str) -> &str {
    let is_mark = |mark: &str| mark.len() <= 2 && mark.chars().all(|ch| ch.is_ascii_digit() || ch.is_ascii_lowercase());
    match heading.split_once(['.', ')']) {
        Some((mark, rest)) if !mark.is_empty() && is_mark(mark) && rest.starts_with(' ') => rest.trim_start(),
        _ => heading,
    }
}

fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?'])
}

/// Returns a row of a table in words: what its first cell names, and what the columns say of it.
fn row_told(columns: &[&str], row: &str) -> String {
    let cells: Vec<&str> = row.split(CELL_END).collect();
    let [first, rest @ ..] = cells.as_slice() else { return String::new() };
    let names = columns.get(1..).filter(|names| names.len() == rest.len() && rest.len() > 1);
    let told = rest.iter().enumerate().filter(|(_, cell)| !matches!(**cell, "" | "-" | "–" | "—"));
    let told = told.map(|(n, cell)| match names.map(|names| names[n]).filter(|name| !name.is_empty()) {
        Some(name) if name.ends_with('?') => format!("{name} {cell}"),
        Some(name) => format!("{name}: {cell}"),
        None => (*cell).to_owned(),
    });
    let told = told.collect::<Vec<_>>().join(", ");
    match (first.is_empty(), told.is_empty()) {
        (true, _) => told,
        (false, true) => (*first).to_owned(),
        (false, false) => format!("{first}{} {told}", if names.is_some() { " –" } else { ":" }),
    }
}

/// Returns parts side by side.
fn listed(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push_str(if out.ends_with(':') { " " } else { "; " });
        }
        out.push_str(part.trim_end_matches('.'));
    }
    out
}
