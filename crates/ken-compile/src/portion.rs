//! Cuts entries into portions: what a model reads at once.
//!
//! A portion is some lines of one journal entry or document with the numbers they have in their file, and
//! is named by a digest of all that a reading of it can depend on: its text, the entry's title and its day.
//! So a reading still holds when the file is renamed or something is added to the day. Provenance and the
//! list of tool runs are left out: they would cost tokens and say nothing.

use ken_core::budget::count;
use ken_core::{Date, Digest, VaultPath};

/// One line of a portion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortionLine {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
}

/// Lines of one entry that are read at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portion {
    /// The file.
    pub path: VaultPath,
    /// What the entry is called.
    pub title: String,
    /// The entry's day.
    pub date: Option<Date>,
    /// Its lines in order; a line that is too long stands in several pieces under one number.
    pub lines: Vec<PortionLine>,
    /// 16 hex digits that name what is read.
    pub digest: String,
}

/// Most tokens of a portion: what a model reads with care, and little to lose when one reply is of no use.
const PORTION_TOKENS: usize = 2_500;
/// Longest piece of a line, in bytes: about half a portion.
const LINE_BYTES_MAX: usize = 4_000;
/// A portion of fewer words has nothing to say.
const WORDS_MIN: usize = 4;

/// Returns the portions of an entry whose lines are `lines`, numbered as in the file.
pub fn portions<'a>(
    path: &VaultPath,
    title: &str,
    date: Option<Date>,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Vec<Portion> {
    let mut groups: Vec<Vec<PortionLine>> = vec![Vec::new()];
    let mut n_tokens = 0;
    for (number, text) in told(lines) {
        for text in pieces(text) {
            let more = count(text).0 + 1;
            let is_break = text.trim().is_empty() || text.starts_with(['#', '*', '-']);
            let is_full = n_tokens + more > PORTION_TOKENS || (is_break && n_tokens * 5 > PORTION_TOKENS * 4);
            if is_full && n_tokens > 0 {
                groups.push(Vec::new());
                n_tokens = 0;
            }
            n_tokens += more;
            let line = PortionLine { number, text: text.to_owned() };
            groups.last_mut().expect("there is always one").push(line);
        }
    }
    let made = groups.into_iter().map(|lines| portion(path, title, date, lines));
    made.filter(|portion| portion.text().split_whitespace().count() >= WORDS_MIN).collect()
}

fn portion(path: &VaultPath, title: &str, date: Option<Date>, mut lines: Vec<PortionLine>) -> Portion {
    let is_blank = |line: &PortionLine| line.text.trim().is_empty();
    while lines.last().is_some_and(is_blank) {
        lines.pop();
    }
    let n_blank = lines.iter().take_while(|line| is_blank(line)).count();
    lines.drain(..n_blank);
    let day = date.map(|date| date.to_string()).unwrap_or_default();
    let text: Vec<&str> = lines.iter().map(|line| line.text.trim_end()).collect();
    let whole = format!("{title}\0{day}\0{}", text.join("\n"));
    let digest = Digest::of(whole.as_bytes()).to_string()[..16].to_owned();
    Portion { path: path.clone(), title: title.to_owned(), date, lines, digest }
}

/// The lines without comments and without what tools did.
fn told<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> impl Iterator<Item = (usize, &'a str)> {
    let mut in_events = false;
    lines.filter(move |(_, line)| {
        let trimmed = line.trim_start();
        if trimmed.starts_with("**") || trimmed.starts_with('#') {
            in_events = trimmed.to_lowercase().starts_with("**events:**");
        }
        !(in_events || trimmed.starts_with("<!-- kenning:") && trimmed.ends_with("-->"))
    })
}

/// A line in pieces that fit.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        if text.len() <= LINE_BYTES_MAX {
            return Some(text);
        }
        let mut cut = LINE_BYTES_MAX;
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let (piece, behind) = text.split_at(cut);
        rest = Some(behind);
        Some(piece)
    })
}

impl Portion {
    /// Returns its text, lines joined.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the text of its lines from one to another, counted from 1, joined by spaces; none when there
    /// are no such lines.
    pub fn cited(&self, (first, last): (usize, usize)) -> Option<String> {
        let lines = self.lines.get(first.checked_sub(1)?..last).filter(|lines| !lines.is_empty())?;
        Some(lines.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" "))
    }

    /// Returns the numbers in the file of its lines from one to another, counted from 1.
    pub fn in_file(&self, (first, last): (usize, usize)) -> Option<(usize, usize)> {
        Some((self.lines.get(first.checked_sub(1)?)?.number, self.lines.get(last.checked_sub(1)?)?.number))
    }

    /// Returns the numbers in the file of its first and last line; 0 when it has none.
    pub fn range(&self) -> (usize, usize) {
        self.in_file((1, self.lines.len())).unwrap_or_default()
    }

    /// Returns the text with each line's number, counted from 1, before it.
    pub fn numbered(&self) -> String {
        self.lines.iter().enumerate().map(|(n, line)| format!("{}| {}\n", n + 1, line.text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<Portion> {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        portions(&path, "T", None, text.lines().enumerate().map(|(n, line)| (n + 1, line)))
    }

    #[test]
    fn tool_runs_and_provenance_are_not_read() {
        let text = "<!-- kenning: session=s1 -->\n\n**Decisions Made:**\n- We chose signed tokens.\n\n**Events:**\n- Edit src/auth.rs\n";
        let portions = cut(text);
        assert_eq!(portions.len(), 1);
        assert_eq!(
            (portions[0].text().as_str(), portions[0].range()),
            ("**Decisions Made:**\n- We chose signed tokens.", (3, 4))
        );
    }

    #[test]
    fn long_entries_are_cut_and_nothing_is_left_out() {
        let text: String = (0..2_000).map(|n| format!("- Item {n} says something about ovens.\n")).collect();
        let portions = cut(&text);
        assert!(portions.len() > 5);
        assert!(portions.iter().all(|portion| count(&portion.text()).0 <= PORTION_TOKENS));
        assert_eq!(portions.iter().map(|portion| portion.lines.len()).sum::<usize>(), 2_000);
        let one_line = cut(&"word ".repeat(10_000));
        assert_eq!(one_line.iter().flat_map(|p| &p.lines).map(|line| line.text.len()).sum::<usize>(), 50_000);
        assert!(one_line.iter().flat_map(|p| &p.lines).all(|line| line.number == 1));
    }

    #[test]
    fn a_portion_is_named_by_what_it_says_not_by_where_it_stands() {
        let (a, b) = (cut("One holds here today.\n"), cut("\n\nOne holds here today.\n\n"));
        assert_eq!(a[0].digest, b[0].digest);
        assert_ne!(a[0].digest, cut("Two holds here today.\n")[0].digest);
    }
}
