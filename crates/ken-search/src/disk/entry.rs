//! One index entry as bytes.
//!
//! | field | written as |
//! |---|---|
//! | path | text reference, shared with the file's stamp |
//! | category | position in the order of the index, one byte |
//! | owned, redirect, past | bits 0, 1 and 2 of one byte |
//! | cost of its row of the index | u32 |
//! | tokens | varint |
//! | updated | year << 16 \| month << 8 \| day, u32; 0 for none |
//! | slug, title, tldr | varint length, bytes |
//! | aliases, triggers | varint count, texts |
//! | high, mid | varint count, each year << 8 \| month as u32 (0 for none) and a text |
//! | redirect target, why it is past | a text each, if its bit is set |

use ken_core::header::Relation;
use ken_core::index::{self, PageSort};
use ken_core::{Category, Date, IndexEntry, Month, Slug, Tokens, VaultPath};

use crate::bytes::{Reader, Writer, date, date_code};

const IS_OWNED: u8 = 1;
const IS_REDIRECT: u8 = 2;
const IS_PAST: u8 = 4;

/// Writes an entry except its path, which stands before it.
pub(super) fn write(entry: &IndexEntry, row: Tokens, out: &mut Writer) {
    let category = Category::all().position(|category| category == entry.category).unwrap_or_default();
    out.byte(category as u8);
    let owned = if entry.is_owned { IS_OWNED } else { 0 };
    let redirect = if entry.redirect_to.is_some() { IS_REDIRECT } else { 0 };
    out.byte(owned | redirect | if entry.past.is_some() { IS_PAST } else { 0 });
    out.u32(u32::try_from(row.0).unwrap_or(u32::MAX));
    out.varint(entry.tokens.0 as u64);
    out.u32(entry.updated.map_or(0, date_code));
    [entry.slug.as_str(), &entry.title, &entry.tldr].into_iter().for_each(|text| out.text(text));
    for list in [&entry.aliases, &entry.triggers] {
        out.varint(list.len() as u64);
        list.iter().for_each(|text| out.text(text));
    }
    for relations in [&entry.high, &entry.mid] {
        out.varint(relations.len() as u64);
        for relation in relations {
            out.u32(relation.validated.map_or(0, month_code));
            out.text(&relation.target);
        }
    }
    entry.redirect_to.iter().chain(&entry.past).for_each(|text| out.text(text));
}

/// Returns the entry of the page at `path`, or `None` when the bytes are damaged.
pub(super) fn read(path: VaultPath, from: &mut Reader<'_>) -> Option<IndexEntry> {
    let category = Category::all().nth(from.byte()?.into())?;
    let flags = from.byte()?;
    from.u32()?;
    // No page is that long; a damaged count must not make a caller's sum overflow.
    let tokens = Tokens(u32::try_from(from.varint()?).ok()? as usize);
    let updated = date(from.u32()?);
    let slug = slug(from.text()?, &path)?;
    let title = from.text()?.to_owned();
    let tldr = from.text()?.to_owned();
    let aliases = list(from, text)?;
    let triggers = list(from, text)?;
    let high = list(from, relation)?;
    let mid = list(from, relation)?;
    let redirect_to = if flags & IS_REDIRECT == 0 { None } else { Some(text(from)?) };
    let past = if flags & IS_PAST == 0 { None } else { Some(text(from)?) };
    let is_owned = flags & IS_OWNED != 0;
    Some(IndexEntry {
        slug,
        path,
        title,
        category,
        aliases,
        tldr,
        triggers,
        high,
        mid,
        tokens,
        updated,
        is_owned,
        redirect_to,
        past,
    })
}

/// Returns of what sort the page is and what its row of the index costs, without reading the rest of its entry.
pub(super) fn read_sort(from: &mut Reader<'_>) -> Option<(PageSort, Tokens)> {
    let category = Category::all().nth(from.byte()?.into())?;
    let flags = from.byte()?;
    let sort = PageSort {
        category,
        is_owned: flags & IS_OWNED != 0,
        is_redirect: flags & IS_REDIRECT != 0,
        is_past: flags & IS_PAST != 0,
    };
    Some((sort, Tokens(from.u32()? as usize)))
}

/// Returns the names of the page at `path`, without reading the rest of its entry.
pub(super) fn read_names(path: &VaultPath, from: &mut Reader<'_>) -> Option<Vec<Slug>> {
    read_updated(from);
    let slug = slug(from.text()?, path)?;
    let title = from.text()?;
    from.text()?;
    let aliases = list(from, Reader::text)?;
    Some(index::names(slug, std::iter::once(title).chain(aliases)))
}

/// Returns when the page was updated, without reading the rest of its entry.
pub(super) fn read_updated(from: &mut Reader<'_>) -> Option<Date> {
    read_sort(from)?;
    from.varint()?;
    date(from.u32()?)
}

/// Returns what stands for an entry whose bytes are damaged.
pub(super) fn damaged() -> IndexEntry {
    IndexEntry {
        slug: Slug::from_text("damaged").expect("a word is a slug"),
        path: VaultPath::new("damaged").expect("a word is a path"),
        title: String::new(),
        category: Category::Concept,
        aliases: Vec::new(),
        tldr: String::new(),
        triggers: Vec::new(),
        high: Vec::new(),
        mid: Vec::new(),
        tokens: Tokens(0),
        updated: None,
        is_owned: false,
        redirect_to: None,
        past: None,
    }
}

/// The slug that was written. Making a slug of a slug changes a few texts that Unicode composes only
/// once their punctuation is gone; those come from the file's name again.
fn slug(written: &str, path: &VaultPath) -> Option<Slug> {
    let same = |text: &str| Slug::from_text(text).filter(|slug| slug.as_str() == written);
    same(written).or_else(|| same(path.stem())).or_else(|| Slug::from_text(written))
}

fn text(from: &mut Reader<'_>) -> Option<String> {
    from.text().map(str::to_owned)
}

fn relation(from: &mut Reader<'_>) -> Option<Relation> {
    let validated = month(from.u32()?);
    Some(Relation { target: text(from)?, validated })
}

/// Reads a count and as many values; a count that lies ends with the bytes.
fn list<'a, T>(from: &mut Reader<'a>, read: fn(&mut Reader<'a>) -> Option<T>) -> Option<Vec<T>> {
    let n_values = from.varint()?;
    (0..n_values).map(|_| read(from)).collect()
}

fn month_code(month: Month) -> u32 {
    u32::from(month.year as u16) << 8 | u32::from(month.month as u8)
}

fn month(code: u32) -> Option<Month> {
    let [month, low, high, _] = code.to_le_bytes();
    let month = Month { year: i16::from_le_bytes([low, high]), month: month as i8 };
    (1..=12).contains(&month.month).then_some(month)
}
