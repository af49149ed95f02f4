//! Documents in other forms than UTF-8 text: what they say, as text whose lines can be cited.
//!
//! A document of Word, a PDF file, reStructuredText and AsciiDoc become Markdown, a book becomes HTML, text in another
//! encoding becomes UTF-8. What cannot be read says why, and what would help. Bytes in, text out: nothing here opens a
//! file, and damaged or hostile bytes give a reason, never a panic.

mod asciidoc;
#[cfg(feature = "documents")]
mod book;
mod inline;
#[cfg(feature = "documents")]
mod encoded;
#[cfg(feature = "documents")]
mod packed;
#[cfg(feature = "pdf")]
mod pdf;
mod structured;
mod tables;
#[cfg(feature = "documents")]
mod word;
mod written;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use written::Told;

/// Name of the thread in which a PDF file is read: what panics there is damage of the file, which is told as a reason.
pub const PDF_THREAD: &str = "ken-pdf";

/// Documents that are text as they stand, by the ending of their names.
const PLAIN: &[&str] = &["md", "markdown", "html", "htm", "txt"];
/// Documents that are text after reading, and what their copy is called besides.
const OTHERS: &[(&str, &str)] = &[
    ("rst", ".md"),
    ("adoc", ".md"),
    ("asciidoc", ".md"),
    ("asc", ".md"),
    ("pdf", ".md"),
    ("docx", ".md"),
    ("epub", ".html"),
];
/// Documents that nothing here reads, and what would help.
const NONE: &[(&str, &str)] = &[
    ("doc", "it is a document of an old Word: save it as .docx"),
    ("rtf", "it is rich text: save it as .docx"),
    ("odt", "it is an OpenDocument text: save it as .docx"),
    ("pages", "it is a document of Pages: export it as .docx"),
    ("pptx", "it is a presentation: export it as .pdf"),
    ("ppt", "it is a presentation: export it as .pdf"),
    ("xlsx", "it is a table: save it as .html or .txt"),
    ("xls", "it is a table: save it as .html or .txt"),
    ("mobi", "it is a book of a Kindle: convert it to .epub"),
    ("azw3", "it is a book of a Kindle: convert it to .epub"),
    ("ps", "it is PostScript: convert it to .pdf"),
    ("djvu", "it is a scan: convert it to .pdf with its text"),
];

/// What the text of a document may have at most, in bytes.
pub const TEXT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// What a document of another form may have at most, in bytes: pictures are no text.
pub const PACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Returns whether documents of that ending of a name (`pdf`, in small letters) are read.
pub fn is_read(extension: &str) -> bool {
    PLAIN.contains(&extension) || OTHERS.iter().any(|(other, _)| *other == extension)
}

/// Returns how large a document of that ending may be, in bytes.
pub fn bytes_max(extension: &str) -> u64 {
    match extension {
        "pdf" | "docx" | "epub" => PACKED_BYTES_MAX,
        _ => TEXT_BYTES_MAX as u64,
    }
}

/// Returns why a document of that ending is not read, and what would help.
pub fn why_not(extension: &str) -> &'static str {
    let known = NONE.iter().find(|(other, _)| *other == extension);
    known.map_or("it is none of .md .html .txt .rst .adoc .docx .epub .pdf", |(_, why)| why)
}

/// Returns what a document says whose file is called `name`.
///
/// # Errors
/// Why it cannot be read, and what would help.
pub fn read(name: &str, bytes: &[u8]) -> Result<Told, String> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let extension = extension.to_ascii_lowercase();
    let ending = OTHERS.iter().find(|(other, _)| *other == extension).map_or("", |(_, ending)| ending);
    let told = match extension.as_str() {
        "pdf" => pdf_of(stem, bytes),
        "docx" => word_of(stem, bytes),
        "epub" => book_of(stem, bytes),
        "rst" => decoded(bytes, false).map(|text| structured::read(&text)),
        "adoc" | "asciidoc" | "asc" => decoded(bytes, false).map(|text| asciidoc::read(&text)),
        _ => decoded(bytes, extension.starts_with("htm")).map(|text| Told::plain(text.into_owned())),
    }?;
    if told.text.len() > TEXT_BYTES_MAX {
        return Err("its text is larger than 16 MiB".to_owned());
    }
    Ok(Told { ending, ..told })
}

/// The text of bytes, whatever their encoding.
fn decoded(bytes: &[u8], is_html: bool) -> Result<Cow<'_, str>, String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => otherwise(bytes, is_html).map(Cow::Owned),
    }
}

#[cfg(feature = "documents")]
fn otherwise(bytes: &[u8], is_html: bool) -> Result<String, String> {
    encoded::decode(bytes, is_html)
}

#[cfg(not(feature = "documents"))]
fn otherwise(_: &[u8], _: bool) -> Result<String, String> {
    Err("it is not UTF-8 text, and this build of `ken` reads no other encoding".to_owned())
}

#[cfg(feature = "documents")]
fn word_of(stem: &str, bytes: &[u8]) -> Result<Told, String> {
    word::read(stem, bytes)
}

#[cfg(feature = "documents")]
fn book_of(stem: &str, bytes: &[u8]) -> Result<Told, String> {
    book::read(stem, bytes)
}

#[cfg(not(feature = "documents"))]
fn word_of(_: &str, _: &[u8]) -> Result<Told, String> {
    Err("this build of `ken` reads no .docx: save it as .html".to_owned())
}

#[cfg(not(feature = "documents"))]
fn book_of(_: &str, _: &[u8]) -> Result<Told, String> {
    Err("this build of `ken` reads no .epub: convert it to .html".to_owned())
}

#[cfg(feature = "pdf")]
fn pdf_of(stem: &str, bytes: &[u8]) -> Result<Told, String> {
    pdf::read(stem, bytes, PDF_THREAD)
}

#[cfg(not(feature = "pdf"))]
fn pdf_of(_: &str, _: &[u8]) -> Result<Told, String> {
    Err("this build of `ken` reads no .pdf: `pdftotext -layout` makes text of it".to_owned())
}
