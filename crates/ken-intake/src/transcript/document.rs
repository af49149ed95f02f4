//! JSON documents that are written anew each time: one object, or one list, with the messages in it.
//!
//! The document is never held. Bytes are followed just far enough to know where a value ends, and one
//! value at a time is handed on; one that is too long is passed over, one that is damaged spoils no
//! other, and a document that breaks off gives everything before the break.

use std::io::{self, BufRead};

use serde_json::Value;

use super::reading::Reading;

/// Longest message that is held.
const VALUE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A part of a document.
pub(super) enum Part {
    /// A field of the object itself.
    Field(String, Value),
    /// An element of the list of messages.
    Message(Value),
}

/// Reads a document whose messages stand in the field `list`, or which is itself the list.
///
/// Messages before `start` are handed on too: `each` is told the position and decides.
pub(super) fn read_document(
    input: &mut dyn BufRead,
    list: &[&str],
    out: &mut Reading<'_>,
    each: &mut dyn FnMut(Part, u64, &mut Reading<'_>),
) -> io::Result<()> {
    let start = out.report.start_offset;
    let mut scan = Scan { input, buffer: Vec::new() };
    let mut n_messages = 0;
    let end = scan.document(list, &mut |part, is_too_long| {
        let is_message = matches!(part, RawPart::Message(_));
        out.at = n_messages;
        if is_message && n_messages >= start {
            out.report.lines_read += 1;
        }
        let parsed = if is_too_long { None } else { part.parse() };
        match parsed {
            Some(part) => each(part, n_messages, out),
            None if is_message && n_messages >= start => out.skip(if is_too_long { "too-long" } else { "unparsable" }),
            None => {}
        }
        n_messages += u64::from(is_message);
    })?;
    if !end {
        out.skip("truncated-tail");
    }
    out.report.end_offset = n_messages.max(start);
    Ok(())
}

enum RawPart<'a> {
    Field(&'a str, &'a [u8]),
    Message(&'a [u8]),
}

impl RawPart<'_> {
    fn parse(&self) -> Option<Part> {
        let value = |bytes: &[u8]| serde_json::from_str(&String::from_utf8_lossy(bytes)).ok();
        Some(match self {
            RawPart::Field(key, bytes) => Part::Field((*key).to_owned(), value(bytes)?),
            RawPart::Message(bytes) => Part::Message(value(bytes)?),
        })
    }
}

struct Scan<'a> {
    input: &'a mut dyn BufRead,
    buffer: Vec<u8>,
}

/// What following a value came to.
#[derive(PartialEq, Eq)]
enum Taken {
    Whole,
    TooLong,
    BrokenOff,
}

impl Scan<'_> {
    /// Follows a whole document; returns whether it ended as it should.
    fn document(&mut self, list: &[&str], each: &mut dyn FnMut(RawPart<'_>, bool)) -> io::Result<bool> {
        match self.next_mark()? {
            Some(b'[') => self.elements(each),
            Some(b'{') => self.fields(list, each),
            _ => Ok(false),
        }
    }

    fn fields(&mut self, list: &[&str], each: &mut dyn FnMut(RawPart<'_>, bool)) -> io::Result<bool> {
        loop {
            match self.next_mark()? {
                Some(b'}') => return Ok(true),
                Some(b',') => continue,
                Some(b'"') => {}
                _ => return Ok(false),
            }
            if self.value(b'"')? != Taken::Whole {
                return Ok(false);
            }
            let key = serde_json::from_str::<String>(&String::from_utf8_lossy(&self.buffer)).unwrap_or_default();
            if self.next_mark()? != Some(b':') {
                return Ok(false);
            }
            let Some(first) = self.next_mark()? else { return Ok(false) };
            if first == b'[' && list.contains(&key.as_str()) {
                if !self.elements(each)? {
                    return Ok(false);
                }
                continue;
            }
            match self.value(first)? {
                Taken::BrokenOff => return Ok(false),
                taken => each(RawPart::Field(&key, &self.buffer), taken == Taken::TooLong),
            }
        }
    }

    fn elements(&mut self, each: &mut dyn FnMut(RawPart<'_>, bool)) -> io::Result<bool> {
        loop {
            match self.next_mark()? {
                Some(b']') => return Ok(true),
                Some(b',') => {}
                Some(first) => match self.value(first)? {
                    Taken::BrokenOff => return Ok(false),
                    taken => each(RawPart::Message(&self.buffer), taken == Taken::TooLong),
                },
                None => return Ok(false),
            }
        }
    }

    /// Takes the next byte that is neither white space nor a byte-order mark.
    fn next_mark(&mut self) -> io::Result<Option<u8>> {
        loop {
            let Some(byte) = self.peek()? else { return Ok(None) };
            self.input.consume(1);
            if !byte.is_ascii_whitespace() && !matches!(byte, 0xEF | 0xBB | 0xBF) {
                return Ok(Some(byte));
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return Ok(other?.first().copied()),
            }
        }
    }

    /// Takes the value whose first byte was taken into the buffer.
    fn value(&mut self, first: u8) -> io::Result<Taken> {
        let mut follow = Follow::new(first);
        self.buffer.clear();
        self.buffer.push(first);
        let mut is_too_long = false;
        while !follow.is_done {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if chunk.is_empty() {
                // A bare number or word ends where the document does; nothing else may.
                return Ok(if follow.is_bare { Taken::Whole } else { Taken::BrokenOff });
            }
            let used = chunk.iter().position(|byte| follow.ends_before(*byte)).unwrap_or(chunk.len());
            is_too_long |= self.buffer.len() + used > VALUE_BYTES_MAX;
            if is_too_long {
                self.buffer = Vec::new();
            } else {
                self.buffer.extend_from_slice(&chunk[..used]);
            }
            self.input.consume(used);
        }
        Ok(if is_too_long { Taken::TooLong } else { Taken::Whole })
    }
}

/// Follows the bytes of one value to its end.
pub(super) struct Follow {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// A number or a word, which ends before what cannot belong to it.
    is_bare: bool,
    /// The last byte was the value's last; the next one is not part of it.
    pub(super) is_over: bool,
    pub(super) is_done: bool,
}

impl Follow {
    pub(super) fn new(first: u8) -> Follow {
        let opens = matches!(first, b'{' | b'[');
        let in_text = first == b'"';
        let depth = usize::from(opens);
        Follow { depth, in_text, is_escaped: false, is_bare: !opens && !in_text, is_over: false, is_done: false }
    }

    /// Returns whether the value ended before this byte.
    pub(super) fn ends_before(&mut self, byte: u8) -> bool {
        if self.is_over || self.is_bare && matches!(byte, b',' | b']' | b'}' | b':' | b' ' | b'\t' | b'\r' | b'\n') {
            self.is_done = true;
            return true;
        }
        if self.in_text {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.is_over = !self.is_bare && !self.in_text && self.depth == 0;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut seen = Vec::new();
        let mut input = BufReader::with_capacity(2, text.as_bytes());
        let mut sink = |_| ();
        let mut out = Reading::new("test", 0, &mut sink);
        read_document(&mut input, &["messages"], &mut out, &mut |part, at, _| {
            seen.push(match part {
                Part::Field(key, value) => format!("{key}={value}"),
                Part::Message(value) => format!("{at}:{value}"),
            });
        })
        .expect("bytes can be read");
        seen.extend(out.report.lines_skipped.keys().map(|reason| (*reason).to_owned()));
        assert_eq!(seen.join(" "), expected);
    }

    #[test]
    fn fields_and_messages_are_handed_on_one_by_one() {
        check(
            r#"{"id":"a\"]","messages":[{"n":[1]},"two", 3 ],"end":null}"#,
            r#"id="a\"]" 0:{"n":[1]} 1:"two" 2:3 end=null"#,
        );
        check("\u{feff} [ {\"a\":1} ,\r\n true]", r#"0:{"a":1} 1:true"#);
        check("{}", "");
    }

    #[test]
    fn a_document_that_breaks_off_gives_what_came_before() {
        check(r#"{"messages":[{"a":1},{"b":"#, r#"0:{"a":1} truncated-tail"#);
        check(r#"{"messages":"none"}"#, r#"messages="none""#);
        check("", "truncated-tail");
        check("just text", "truncated-tail");
    }

    #[test]
    fn a_damaged_message_spoils_no_other() {
        check(r#"[{"a":1},{"b":oops},{"c":2}]"#, r#"0:{"a":1} 2:{"c":2} unparsable"#);
    }

    #[test]
    fn a_message_too_long_to_hold_is_passed_over() {
        let long = format!(r#"["{}",1]"#, "x".repeat(VALUE_BYTES_MAX));
        check(&long, "1:1 too-long");
    }
}
