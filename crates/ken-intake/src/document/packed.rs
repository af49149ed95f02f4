//! Files of an archive, unpacked as far as a text may go.

use std::io::{Cursor, Read as _};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

/// What is unpacked of one archive at most, in bytes: a small file can say that it is the largest there is.
const UNPACKED_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// An archive in memory.
pub(super) struct Packed<'b> {
    files: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

impl<'b> Packed<'b> {
    /// Opens an archive.
    ///
    /// # Errors
    /// When it is none.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Packed<'b>, String> {
        let files = ZipArchive::new(Cursor::new(bytes)).map_err(|_| "it is damaged: its archive cannot be opened")?;
        Ok(Packed { files, left: UNPACKED_BYTES_MAX })
    }

    /// Returns a file as text; `None` when there is none of that name.
    ///
    /// # Errors
    /// When it is damaged, protected or too large.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        let Ok(file) = self.files.by_name(name) else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(self.left + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| format!("it is damaged: `{name}` in it cannot be unpacked"))?;
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or("its text is larger than 32 MiB when it is unpacked: split it")?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => super::encoded::decode(error.as_bytes(), true).map(Some),
        }
    }
}

/// Calls `each` with every event of a document of XML, up to where it is damaged.
pub(super) fn events(xml: &str, mut each: impl FnMut(Event<'_>)) {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return,
            Ok(event) => each(event),
        }
    }
}

/// Returns the value of an attribute, whatever stands before the colon in its name.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|one| local(one.key.as_ref()) == name)?;
    Some(
        found
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .map_or_else(|_| found.value.to_string(), std::borrow::Cow::into_owned),
    )
}

/// The name of a tag without what stands before its colon.
pub(super) fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// The characters that an event says, if it says any.
pub(super) fn said(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Text(text) => Some(text.xml10_content().into_owned()),
        Event::CData(text) => Some(text.xml10_content().into_owned()),
        Event::GeneralRef(name) => {
            let known = || match &*name.xml10_content() {
                "amp" => Some('&'),
                "lt" => Some('<'),
                "gt" => Some('>'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                "nbsp" => Some(' '),
                _ => None,
            };
            name.resolve_char_ref().ok().flatten().or_else(known).map(String::from)
        }
        _ => None,
    }
}

/// The text of the first element of that name.
pub(super) fn element(xml: &str, wanted: &str) -> Option<String> {
    let (mut is_in, mut out, mut is_done) = (false, String::new(), false);
    events(xml, |event| match &event {
        _ if is_done => {}
        Event::Start(tag) if local(tag.name().as_ref()) == wanted => is_in = true,
        Event::End(tag) if local(tag.name().as_ref()) == wanted => is_done = is_in,
        _ if is_in => out.extend(said(&event)),
        _ => {}
    });
    let out = out.trim().to_owned();
    (!out.is_empty()).then_some(out)
}
