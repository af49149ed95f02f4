//! Books (EPUB): their chapters in order, as one page of HTML.

use std::collections::BTreeMap;

use quick_xml::events::Event;

use super::packed::{Packed, attribute, element, events, local};
use super::written::{About, Told, title_of};

/// Tags in front of which a line begins, so that what they hold can be cited by its line.
const BLOCKS: &[&str] = &[
    "<p",
    "<h1",
    "<h2",
    "<h3",
    "<h4",
    "<h5",
    "<h6",
    "<li",
    "<ul",
    "<ol",
    "<dl",
    "<dt",
    "<dd",
    "<div",
    "<section",
    "<table",
    "<tr",
    "<blockquote",
    "<pre",
    "<figure",
];

/// Returns what a book says.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn read(stem: &str, bytes: &[u8]) -> Result<Told, String> {
    let mut packed = Packed::open(bytes)?;
    if packed.text("META-INF/encryption.xml")?.is_some_and(|xml| xml.contains("xmlenc#aes") || xml.contains("adept")) {
        return Err("it is protected against copying: nothing but its own reader opens it".to_owned());
    }
    let container = packed.text("META-INF/container.xml")?.unwrap_or_default();
    let Some(place) = first(&container, "rootfile", "full-path") else {
        return Err("it is no book: there is no `META-INF/container.xml` in it that names its contents".to_owned());
    };
    let Some(package) = packed.text(&place)? else {
        return Err(format!("it is damaged: `{place}` is not in it"));
    };
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut body, mut lost) = (String::new(), Vec::new());
    for (n, chapter) in chapters(&package).into_iter().enumerate() {
        match packed.text(&joined(folder, &chapter))? {
            Some(text) => body.push_str(&lined(inner(&text))),
            None => lost.push(format!("chapter {}: `{chapter}` is not in it", n + 1)),
        }
    }
    if body.trim().is_empty() {
        return Err("there is no text in it".to_owned());
    }
    let title = element(&package, "title").unwrap_or_else(|| title_of(stem));
    let about = About { title: Some(title.clone()), date: element(&package, "date") };
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    let header = about.fields().replace("--", "- -");
    let text = format!(
        "<!--\n{header}-->\n<html><head><title>{escaped}</title></head><body>\n{}\n</body></html>\n",
        body.trim()
    );
    Ok(Told { text, lost, ..Told::default() })
}

/// The first value of an attribute of a tag.
fn first(xml: &str, tag_name: &str, name: &str) -> Option<String> {
    let mut out = None;
    events(xml, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = &event else { return };
        if out.is_none() && local(tag.name().as_ref()) == tag_name {
            out = attribute(tag, name);
        }
    });
    out
}

/// The files of the chapters, in the order in which they are read.
fn chapters(package: &str) -> Vec<String> {
    let (mut files, mut order) = (BTreeMap::new(), Vec::new());
    events(package, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = &event else { return };
        match local(tag.name().as_ref()) {
            "item" => {
                let is_text = attribute(tag, "media-type").is_some_and(|kind| kind.contains("html"));
                let is_contents =
                    attribute(tag, "properties").is_some_and(|said| said.split(' ').any(|one| one == "nav"));
                if let (Some(id), Some(file), true) =
                    (attribute(tag, "id"), attribute(tag, "href"), is_text && !is_contents)
                {
                    files.insert(id, file);
                }
            }
            "itemref" => order.extend(attribute(tag, "idref")),
            _ => {}
        }
    });
    order.into_iter().filter_map(|id| files.remove(&id)).collect()
}

/// A place as seen from a folder of the archive, without what makes an address of it.
fn joined(folder: &str, file: &str) -> String {
    let file = file.split(['#', '?']).next().unwrap_or_default().replace("%20", " ");
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What stands in the body of a page.
fn inner(html: &str) -> &str {
    let lower = html.to_ascii_lowercase();
    let start = lower.find("<body").and_then(|at| Some(at + lower[at..].find('>')? + 1)).unwrap_or(0);
    let end = lower.rfind("</body").filter(|end| *end >= start).unwrap_or(html.len());
    &html[start..end]
}

/// The text with a line for each paragraph.
fn lined(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let mut out = String::with_capacity(html.len() + html.len() / 16);
    for (at, ch) in html.char_indices() {
        let begins = |tag: &str| {
            lower[at..].strip_prefix(tag).is_some_and(|rest| rest.starts_with(['>', ' ', '\n', '\t', '\r', '/']))
        };
        if ch == '<' && BLOCKS.iter().any(|tag| begins(tag)) && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push(ch);
    }
    out + "\n"
}
