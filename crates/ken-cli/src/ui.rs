//! The only place that prints.
//!
//! An answer goes to stdout: text for people, or with `--json` one value for programs. What is said
//! beside it (warnings, failures, hints) goes to stderr. A reader that goes away is no failure; a disk
//! that is full is one. Page text keeps its bytes in a pipe and cannot drive a terminal.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ken_engine::Failure;
use ken_engine::propose::{Progress, Tell};
use serde::Serialize;

use crate::paint::{self, Paint};
use crate::table::{self, Cell};
use crate::text::{clean, clean_lines};
use crate::{env, failure};

/// Narrower terminals are taken to be this wide: below it, cutting rows helps nobody.
const WIDTH_MIN: usize = 60;

/// Where everything that is printed goes through.
pub(crate) struct Ui {
    is_json: bool,
    is_quiet: bool,
    out: Box<dyn Write>,
    out_paint: Paint,
    err_paint: Paint,
    out_is_terminal: bool,
    err_is_terminal: bool,
    trouble: Option<io::Error>,
}

impl Ui {
    /// Returns the process's own.
    pub(crate) fn new(is_json: bool, is_quiet: bool) -> Ui {
        Ui {
            is_json,
            is_quiet,
            out: Box::new(BufWriter::new(io::stdout())),
            out_paint: Paint::stdout(),
            err_paint: Paint::stderr(),
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            trouble: None,
        }
    }

    /// Returns whether the answer is to be JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.is_json
    }

    /// Returns how text on stdout is coloured.
    pub(crate) fn paint(&self) -> Paint {
        self.out_paint
    }

    /// Prints the answer as JSON.
    pub(crate) fn json<T: Serialize>(&mut self, answer: &T) {
        let text = serde_json::to_string_pretty(answer).expect("wire structs have text keys, so they are JSON");
        self.write(&(text + "\n"));
    }

    /// Prints one of many answers as JSON on a line of its own.
    pub(crate) fn json_line<T: Serialize>(&mut self, answer: &T) {
        let text = serde_json::to_string(answer).expect("wire structs have text keys, so they are JSON");
        self.write(&(text + "\n"));
        // Whoever asked may wait for this answer before asking again.
        self.flush();
    }

    /// Prints a line of the answer.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.write(line.as_ref());
        self.write("\n");
    }

    /// Prints a line that reports what was done; `--quiet` leaves it out.
    pub(crate) fn say(&mut self, line: impl AsRef<str>) {
        if !self.is_quiet {
            self.line(line);
        }
    }

    /// Prints at most `n_max` names, one an indented line, and how many more there are.
    pub(crate) fn names<S: AsRef<str>>(&mut self, names: &[S], n_max: usize) {
        for name in names.iter().take(n_max) {
            self.line(format!("  {}", clean(name.as_ref())));
        }
        if names.len() > n_max {
            self.line(format!("  and {} more", names.len() - n_max));
        }
    }

    /// Prints names as part of a report of what was done.
    pub(crate) fn say_names<S: AsRef<str>>(&mut self, names: &[S], n_max: usize) {
        if !self.is_quiet {
            self.names(names, n_max);
        }
    }

    /// Prints rows as part of a report of what was done.
    pub(crate) fn say_rows(&mut self, rows: &[Vec<Cell>]) {
        if !self.is_quiet {
            self.rows(rows);
        }
    }

    /// Prints rows in aligned columns.
    pub(crate) fn rows(&mut self, rows: &[Vec<Cell>]) {
        let width = if self.out_is_terminal { width() } else { None };
        for line in table::lines(rows, width, self.out_paint) {
            self.line(line);
        }
    }

    /// Prints the text of a page: its bytes in a pipe, made harmless on a terminal.
    pub(crate) fn page_text(&mut self, text: &str) {
        match self.out_is_terminal {
            true => self.write(&clean_lines(text)),
            false => self.write(text),
        }
        if !text.is_empty() && !text.ends_with('\n') {
            self.write("\n");
        }
    }

    /// Prints a text in its frame, which is for agents; a person at a terminal gets it without.
    pub(crate) fn framed(&mut self, framed: &str, plain: impl FnOnce() -> String) {
        match self.out_is_terminal {
            true => self.page_text(&plain()),
            false => self.page_text(framed),
        }
    }

    /// Prints something the user should know, on stderr; `--quiet` leaves it out.
    pub(crate) fn warning(&mut self, text: &str) {
        if !self.is_quiet {
            let line = format!("{} {}\n", self.err_paint.of(paint::WARNING, "warning:"), clean(text));
            self.write_err(&line);
        }
    }

    /// Prints a line beside the answer, on stderr; `--quiet` leaves it out.
    pub(crate) fn note(&mut self, text: &str) {
        if !self.is_quiet {
            self.write_err(&format!("{}\n", clean(text)));
        }
    }

    /// Prints a line beside the answer for someone who watches; a script never sees it.
    pub(crate) fn aside(&mut self, text: &str) {
        if self.err_is_terminal && !self.is_json {
            self.note(text);
        }
    }

    /// Returns what tells somebody who watches what is being waited for, as [`Ui::aside`] does.
    pub(crate) fn progress(&self) -> Option<Tell> {
        if !self.err_is_terminal || self.is_json || self.is_quiet {
            return None;
        }
        let began = Mutex::new(Instant::now());
        Some(Arc::new(move |progress: &Progress<'_>| {
            let mut began = began.lock().unwrap_or_else(PoisonError::into_inner);
            if progress.n == 1 {
                *began = Instant::now();
            }
            // Who cannot be told is not kept waiting for it.
            let _ = writeln!(io::stderr(), "{}", asking(progress, began.elapsed()));
        }))
    }

    /// Prints a question and returns whether it was answered with yes.
    pub(crate) fn agrees(&mut self, question: &str) -> bool {
        self.write_err(&format!("{} [y/N] ", clean(question)));
        env::says_yes()
    }

    /// Prints a question and returns what was answered; `None` when nobody is there to answer.
    pub(crate) fn asks(&mut self, question: &str) -> Option<String> {
        if self.is_json || !env::can_be_asked() {
            return None;
        }
        self.write_err(&format!("{} ", clean(question)));
        env::line()
    }

    /// Prints why the command was not done.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let text = match self.is_json {
            true => failure::as_json(failure),
            false => failure::as_text(failure, self.err_paint),
        };
        self.write_err(&text);
    }

    /// Prints what the argument parser has to say: help on stdout, mistakes on stderr.
    pub(crate) fn parser(&mut self, error: &clap::Error) {
        let text = error.render();
        let shown = |paint: Paint| in_words(if paint.is_on() { text.ansi().to_string() } else { text.to_string() });
        match (error.use_stderr(), self.is_json) {
            (false, _) => self.write(&shown(self.out_paint)),
            (true, false) => self.write_err(&shown(self.err_paint)),
            (true, true) => {
                let plain = in_words(text.to_string());
                let first: Vec<&str> = plain.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
                let message = first.join(" ").trim_start_matches("error: ").to_owned();
                self.failure(&Failure::usage(message).hint("`ken help` lists commands and options"));
            }
        }
    }

    /// Returns whether nobody reads the answer any longer.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.trouble.is_some()
    }

    /// Writes out what is left.
    ///
    /// # Errors
    /// When stdout took less than it was given, and not because its reader went away.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.flush();
        match self.trouble.take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(failure::of_process("cannot write to standard output", &error).hint("the command itself was done"))
            }
            _ => Ok(()),
        }
    }

    /// Writes out what was printed so far, for somebody who watches.
    pub(crate) fn flush(&mut self) {
        let flushed = self.out.flush();
        self.keep(flushed);
    }

    fn write(&mut self, text: &str) {
        if self.trouble.is_none() {
            let written = self.out.write_all(text.as_bytes());
            self.keep(written);
        }
    }

    /// The answer so far goes first, so that both streams read in order on one terminal.
    fn write_err(&mut self, text: &str) {
        self.flush();
        // Nobody is left to tell when stderr is closed.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result
            && self.trouble.is_none()
        {
            self.trouble = Some(error);
        }
    }
}

/// Says what is asked, how far the run is, what it spent, and how long it will take if it goes on as so far.
fn asking(progress: &Progress<'_>, elapsed: Duration) -> String {
    let Progress { label, n, n_of, n_back, spent, run_max } = *progress;
    let mut told = Vec::new();
    if n_of > 1 {
        told.push(format!("{n} of {n_of}"));
    }
    if spent.0 > 0 {
        told.push(format!("{spent} of {run_max} spent"));
    }
    if n_of > 1 && n_back > 0 {
        let n_left = u32::try_from(n_of.saturating_sub(n_back)).unwrap_or(u32::MAX);
        let each = elapsed / u32::try_from(n_back).unwrap_or(u32::MAX);
        told.push(format!("about {} left", rough(each.saturating_mul(n_left))));
    }
    let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
    format!("asking about {} …{told}", clean(label))
}

/// A time as nobody can tell it more exactly.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{} s", seconds.max(1)),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

/// The terminal's width in characters.
fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size()?;
    Some(usize::from(width.0).max(WIDTH_MIN))
}

/// What was wrong with a number, with what is expected in its place: the parser of numbers says only what it met.
fn in_words(text: String) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("invalid digit found in string", "a whole number is expected, as in `20`"),
        ("cannot parse integer from empty string", "a whole number is expected, as in `20`"),
        ("number too large to fit in target type", "the number is too large"),
        ("invalid float literal", "a number is expected, as in `2.5`"),
        ("cannot parse float from empty string", "a number is expected, as in `2.5`"),
    ];
    WORDS.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn finish_on(kind: ErrorKind) -> Result<(), Failure> {
        let mut ui = Ui::new(false, false);
        ui.out = Box::new(Broken(kind));
        ui.line("one");
        ui.line("two");
        ui.finish()
    }

    #[test]
    fn progress_says_how_far_how_dear_and_how_long() {
        use ken_engine::model::Money;
        let mut progress =
            Progress { label: "a\u{1b}[2J", n: 1, n_of: 1, n_back: 0, spent: Money(0), run_max: Money(1_000_000) };
        let after = |progress: &Progress<'_>, seconds| asking(progress, Duration::from_secs(seconds));
        assert_eq!(after(&progress, 0), "asking about a\u{fffd}[2J …");
        progress.n_of = 12;
        assert_eq!(after(&progress, 0), "asking about a\u{fffd}[2J … (1 of 12)");
        (progress.n, progress.n_back, progress.spent) = (5, 4, Money(20_000));
        assert_eq!(
            after(&progress, 20),
            "asking about a\u{fffd}[2J … (5 of 12, $0.0200 of $1.0000 spent, about 40 s left)"
        );
        assert!(after(&progress, 100).ends_with("about 4 min left)"));
        progress.n_back = 99;
        assert!(after(&progress, 1).ends_with("about 1 s left)"), "nobody waits for less than nothing");
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure_and_a_full_disk_is_one() {
        assert_eq!(finish_on(ErrorKind::BrokenPipe), Ok(()));
        let failure = finish_on(ErrorKind::StorageFull).expect_err("nothing was written");
        assert_eq!(failure.message, "cannot write to standard output");
    }
}
