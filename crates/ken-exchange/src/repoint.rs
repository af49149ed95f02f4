//! Makes the citations of a page name files where they stand now.

use std::collections::BTreeMap;

use ken_core::claim::SourceRef;
use ken_core::header::{FieldName, FieldValue, NewBlock, read_header, set_field};
use ken_core::page::outline::footnotes;
use ken_core::page::parse_page;
use ken_core::{Digest, Span, VaultPath};

/// Returns the text of a page whose citations and sources name files as they are called now. A compiled page that was
/// as the compiler wrote it stays so.
pub fn repointed(path: &VaultPath, text: &str, moved: &BTreeMap<VaultPath, VaultPath>) -> String {
    if moved.is_empty() {
        return text.to_owned();
    }
    let page = parse_page(path, text.to_owned()).value;
    let body = page.body();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for note in footnotes(text, body) {
        let said = note.text.of(text);
        let Some(cited) = SourceRef::parse(said) else { continue };
        let Some(now) = moved.get(&cited.path) else { continue };
        let Some(at) = said.find(cited.path.as_str()) else { continue };
        let start = note.text.start + at;
        out.push_str(&text[from..start]);
        out.push_str(now.as_str());
        from = start + cited.path.as_str().len();
    }
    out.push_str(&text[from..]);
    out = with_sources(&out, moved);
    let digest = |text: &str, start: usize| Digest::of(&text.as_bytes()[start..]).short();
    let written = page.scalar(FieldName::BodyDigest).filter(|written| *written == digest(text, body.start));
    if written.is_some() && out != text {
        let header = read_header(&out).value;
        let now = digest(&out, header.block.end);
        out = set_field(&out, &header, FieldName::BodyDigest, &FieldValue::Scalar(now), NewBlock::Yaml);
    }
    out
}

/// The text with the names of files in the fields that say what a page was made of, in the spelling that stands there.
fn with_sources(text: &str, moved: &BTreeMap<VaultPath, VaultPath>) -> String {
    let is_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '/' | '.' | '_' | '-' | '#');
    let header = read_header(text).value;
    let mut spans: Vec<Span> = header
        .fields
        .iter()
        .filter(|field| matches!(field.name, Some(FieldName::Sources | FieldName::Supersedes)))
        .map(|field| field.value)
        .collect();
    spans.sort_by_key(|span| span.start);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for span in spans {
        let mut at = span.start;
        while let Some(start) = text[at..span.end].find(is_name).map(|found| at + found) {
            let end = text[start..span.end].find(|ch| !is_name(ch)).map_or(span.end, |found| start + found);
            let name = text[start..end].split('#').next().unwrap_or_default();
            if let Some(now) = VaultPath::new(name).and_then(|path| moved.get(&path)) {
                out.push_str(&text[from..start]);
                out.push_str(now.as_str());
                from = start + name.len();
            }
            at = end;
        }
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_and_sources_follow_their_files_and_a_compiled_page_stays_as_written() {
        let path = |text: &str| VaultPath::new(text).expect("a vault path");
        let body =
            "# Oven\n\nIt is hot.[^1] Not `daily/2026-05-11.md`.\n\n[^1]: daily/2026-05-11.md#L3-L3 aaaaaaaa \"x\"\n";
        let digest = Digest::of(body.as_bytes()).short();
        let text = format!(
            "---\ntype: concept\nowner: kenning\nsources: [daily/2026-05-11.md, raw/a.md]\nbody_digest: {digest}\n---\n{body}"
        );
        let moved = BTreeMap::from([(path("daily/2026-05-11.md"), path("memory/2026-05-11.md"))]);
        let now = repointed(&path("knowledge/oven.md"), &text, &moved);
        assert!(now.contains("sources: [memory/2026-05-11.md, raw/a.md]"), "{now}");
        assert!(now.contains("[^1]: memory/2026-05-11.md#L3-L3 aaaaaaaa"), "{now}");
        assert!(now.contains("Not `daily/2026-05-11.md`"), "prose stays: {now}");
        let page = parse_page(&path("knowledge/oven.md"), now.clone()).value;
        let written = page.scalar(FieldName::BodyDigest).expect("a digest");
        assert_eq!(written, Digest::of(page.body().of(&now).as_bytes()).short());
    }
}
