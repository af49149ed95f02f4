//! Colour, where it is wanted: on a terminal, unless `NO_COLOR` or `CLICOLOR` say otherwise.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// Text as it comes.
pub(crate) const PLAIN: Style = Style::new();
/// What the eye should find.
pub(crate) const BOLD: Style = Style::new().bold();
/// What may be skipped.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Errors, and lines that go.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Hints and suggestions.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// Lines that come, and what went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Lines that go.
pub(crate) const GONE: Style = AnsiColor::Red.on_default();
/// Places.
pub(crate) const PLACE: Style = AnsiColor::Blue.on_default();

/// Whether one stream is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint {
    is_on: bool,
}

impl Paint {
    /// No colour.
    #[cfg(test)]
    pub(crate) const OFF: Paint = Paint { is_on: false };

    /// Returns whether stdout is coloured.
    pub(crate) fn stdout() -> Paint {
        Paint { is_on: AutoStream::choice(&io::stdout()) != ColorChoice::Never }
    }

    /// Returns whether stderr is coloured.
    pub(crate) fn stderr() -> Paint {
        Paint { is_on: AutoStream::choice(&io::stderr()) != ColorChoice::Never }
    }

    /// Returns whether text is coloured at all.
    pub(crate) fn is_on(self) -> bool {
        self.is_on
    }

    /// Returns the text in a style, or as it is.
    pub(crate) fn of(self, style: Style, text: &str) -> String {
        if !self.is_on || style.is_plain() || text.is_empty() {
            return text.to_owned();
        }
        format!("{style}{text}{style:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_is_closed_again_and_absent_when_off() {
        assert_eq!(Paint { is_on: true }.of(DIM, "x"), "\u{1b}[2mx\u{1b}[0m");
        assert_eq!(Paint::OFF.of(DIM, "x"), "x");
    }
}
