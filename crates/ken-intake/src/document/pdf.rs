//! PDF files: the text of each page, below a heading that says its number, so that a citation names the page.

mod unfolded;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pdf_extract::{Document, Object, PlainTextOutput, output_doc_page};

use super::written::{About, Told, prose, title_of};

/// How long a file may be read, in seconds: damage can lead in circles.
const READ_S_MAX: u64 = 120;
/// Most pages that are read of one file.
const PAGES_MAX: usize = 10_000;
/// What says that a title was made up by the program that wrote the file.
const NO_TITLES: &[&str] = &["untitled", "microsoft word", "microsoft powerpoint", ".doc", ".indd", ".tex", ".dvi"];

/// Returns what a file says. It is read in a thread of its own, because what reads it gives up by a panic.
///
/// # Errors
/// Why it cannot be read, and what would help.
pub(super) fn read(stem: &str, bytes: &[u8], thread: &str) -> Result<Told, String> {
    if !bytes.windows(5).take(1024).any(|five| five == b"%PDF-") {
        return Err("it is no PDF file: it does not begin as one".to_owned());
    }
    let (bytes, stem) = (bytes.to_vec(), stem.to_owned());
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name(thread.to_owned())
        .stack_size(64 * 1024 * 1024)
        .spawn(move || {
            let told = catch_unwind(AssertUnwindSafe(|| told(&stem, &bytes)));
            // Nobody waits any longer when the time is over.
            let _ = sender.send(told.unwrap_or_else(|_| Err(DAMAGED.to_owned())));
        })
        .map_err(|error| format!("it cannot be read now: {error}"))?;
    match receiver.recv_timeout(Duration::from_secs(READ_S_MAX)) {
        Ok(told) => told,
        Err(RecvTimeoutError::Timeout) => {
            Err("it took longer than two minutes to read: print it to a new PDF file".to_owned())
        }
        Err(RecvTimeoutError::Disconnected) => Err(DAMAGED.to_owned()),
    }
}

const DAMAGED: &str = "it is damaged, or of a form that is not read: print it to a new PDF file";

fn told(stem: &str, bytes: &[u8]) -> Result<Told, String> {
    unfolded::check_bytes(bytes)?;
    let mut file = Document::load_mem(bytes).map_err(|_| DAMAGED.to_owned())?;
    if file.is_encrypted() {
        file.decrypt("").map_err(|_| "it is protected by a password: save a copy without one".to_owned())?;
        unfolded::check(&file)?;
    }
    let numbers: Vec<u32> = file.get_pages().into_keys().collect();
    if numbers.is_empty() {
        return Err("it is damaged: there is no page in it".to_owned());
    }
    let (mut body, mut lost, mut n_empty) = (String::new(), Vec::new(), 0);
    for number in numbers.iter().take(PAGES_MAX) {
        match page(&file, *number) {
            Some(text) if text.trim().is_empty() => n_empty += 1,
            Some(text) => body.push_str(&format!("## Page {number}\n\n{}\n\n", lines(&text))),
            None => lost.push(format!("page {number} is damaged")),
        }
    }
    if numbers.len() > PAGES_MAX {
        lost.push(format!("{} pages behind the first {PAGES_MAX}", numbers.len() - PAGES_MAX));
    }
    if body.is_empty() {
        return Err(match n_empty {
            0 => DAMAGED.to_owned(),
            _ => "there are pictures in it and no text: `ocrmypdf` reads what is on them and writes it into the file"
                .to_owned(),
        });
    }
    if n_empty > 0 {
        lost.push(format!("{n_empty} of {} pages have no text; `ocrmypdf` reads what is on pictures", numbers.len()));
    }
    let title = known(&file, b"Title").filter(|title| !NO_TITLES.iter().any(|no| title.to_lowercase().contains(no)));
    let date = known(&file, b"ModDate").or_else(|| known(&file, b"CreationDate")).and_then(|date| day(&date));
    let title = Some(title.unwrap_or_else(|| title_of(stem)));
    Ok(Told { text: About { title, date }.above(&body), lost, ..Told::default() })
}

/// The text of a page; `None` where it cannot be read.
fn page(file: &Document, number: u32) -> Option<String> {
    let read = || {
        let mut text = String::new();
        let mut output = PlainTextOutput::new(&mut text);
        output_doc_page(file, &mut output, number).ok()?;
        Some(text)
    };
    catch_unwind(AssertUnwindSafe(read)).ok().flatten()
}

/// The lines of a page, with words whole that a line end divided.
fn lines(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        let begins_small = line.starts_with(char::is_lowercase);
        match out.last_mut() {
            // A hyphen that stands in the word stays in doubt; in running text most are of the line.
            Some(last) if begins_small && is_divided(last) => {
                last.pop();
                let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
                last.push_str(word);
                if !rest.is_empty() {
                    out.push(prose(rest));
                }
            }
            _ => out.push(prose(line)),
        }
    }
    out.join("\n")
}

fn is_divided(line: &str) -> bool {
    line.strip_suffix(['-', '\u{ad}', '\u{2010}']).is_some_and(|word| word.ends_with(char::is_lowercase))
}

/// What the file says of itself.
fn known(file: &Document, key: &[u8]) -> Option<String> {
    let info = match file.trailer.get(b"Info").ok()? {
        Object::Reference(id) => file.get_dictionary(*id).ok()?,
        Object::Dictionary(info) => info,
        _ => return None,
    };
    let bytes = match info.get(key).ok()? {
        Object::String(bytes, _) => bytes.clone(),
        Object::Reference(id) => file.get_object(*id).ok()?.as_str().ok()?.to_vec(),
        _ => return None,
    };
    let text = match bytes.strip_prefix(b"\xfe\xff") {
        Some(wide) => {
            let units: Vec<u16> = wide.chunks_exact(2).map(|two| u16::from_be_bytes([two[0], two[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        None => {
            String::from_utf8(bytes.clone()).unwrap_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect())
        }
    };
    let text: String = text.chars().filter(|ch| !ch.is_control()).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// `D:20260304…` as `2026-03-04`.
fn day(date: &str) -> Option<String> {
    let digits =
        date.trim_start_matches("D:").get(..8).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
}
