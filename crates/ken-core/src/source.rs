//! Documents that pages are made from: of when one is.

mod saved;

pub use saved::saved_from;

use crate::chat::last_day;
use crate::header::{FieldName, Header, decode_scalar};
use crate::path::VaultPath;
use crate::span::Span;
use crate::time::{Date, leading_date};

/// Fields that say of when a document is, and that no page has.
const DATE: &str = "date";
const PUBLISHED: &str = "published";

/// Returns the day that a document is of, as its header says (`updated`, `date`, `published`, `created`), for a page of
/// HTML what its tags say, else its file name (`2026-04-01-notes.md`, `notes 2026-04-01.md`, `20260401.txt`), else the newest message of a chat.
///
/// ```
/// # use ken_core::{VaultPath, header::read_header, source::day_of};
/// let day = |name: &str, text: &str| {
///     let path = VaultPath::new(name).expect("inside");
///     day_of(&read_header(text).value, text, &path).map(|day| day.to_string())
/// };
/// assert_eq!(day("raw/a.md", "---\ndate: 2026-03-14 09:30\n---\n").as_deref(), Some("2026-03-14"));
/// assert_eq!(day("raw/a.md", "---\ncreated: 2025/01/02\npublished: 2025.02.03\n---\n").as_deref(), Some("2025-02-03"));
/// assert_eq!(day("raw/call 20260314 with Ann.txt", "").as_deref(), Some("2026-03-14"));
/// assert_eq!(day("raw/120260314.txt", ""), None);
/// ```
pub fn day_of(header: &Header, text: &str, path: &VaultPath) -> Option<Date> {
    let own = |name: &str| {
        let field = header.fields.iter().find(|field| field.key.of(text).eq_ignore_ascii_case(name))?;
        read(&decode_scalar(field.value.of(text), field.style))
    };
    let known = |name: FieldName| read(&header.scalar(text, name)?);
    known(FieldName::Updated)
        .or_else(|| own(DATE))
        .or_else(|| own(PUBLISHED))
        .or_else(|| known(FieldName::Created))
        .or_else(|| is_html(path).then(|| saved::day_of_page(text)).flatten())
        .or_else(|| in_name(path.file_name()))
        .or_else(|| last_day(text, Span::new(header.block.end, text.len())))
}

/// Returns the number of a printed page, if that is all that a heading says: `Page 12`, as copies of PDF files have it.
///
/// ```
/// # use ken_core::source::page_number;
/// assert_eq!(page_number("Page 12"), Some(12));
/// assert_eq!(page_number("Page layout"), None);
/// ```
pub fn page_number(heading: &str) -> Option<u32> {
    heading.trim().strip_prefix("Page ").filter(|digits| digits.len() <= 6)?.parse().ok()
}

/// Returns the printed page that a line of a source stands on; lines count from 1.
///
/// ```
/// # use ken_core::source::printed_page;
/// let copy = "# Manual\n\n## Page 7\n\nThe oven is hot.\n";
/// assert_eq!((printed_page(copy, 5), printed_page(copy, 1)), (Some(7), None));
/// ```
pub fn printed_page(text: &str, line: usize) -> Option<u32> {
    text.lines().take(line).filter_map(|line| page_number(line.strip_prefix("## ")?)).last()
}

fn is_html(path: &VaultPath) -> bool {
    ["html", "htm"].contains(&path.extension().to_ascii_lowercase().as_str())
}

/// A day at the start of a text: `2026-04-01`, `2026/04/01`, `2026.04.01`, with what follows.
fn read(text: &str) -> Option<Date> {
    leading_date(&text.trim().get(..10)?.replace(['/', '.'], "-"))
}

/// A day that stands by itself anywhere in a file's name: `2026-04-01`, `2026_04_01`, `20260401`.
fn in_name(name: &str) -> Option<Date> {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let at = |start: usize, len: usize| {
        let bytes = name.as_bytes();
        let is_alone =
            !is_digit(start.checked_sub(1).and_then(|at| bytes.get(at))) && !is_digit(bytes.get(start + len));
        name.get(start..start + len).filter(|_| is_alone)
    };
    let spelled = |start: usize| leading_date(&at(start, 10)?.replace(['_', '.'], "-"));
    let plain = |start: usize| {
        let digits = at(start, 8).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        leading_date(&format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
    };
    // A number of eight digits may be anything; a year of this century or the last is a day's.
    let is_near = |day: &Date| (1900..2100).contains(&day.year());
    (0..name.len()).find_map(|start| spelled(start).or_else(|| plain(start).filter(is_near)))
}
