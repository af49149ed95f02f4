//! The field block at the top of a page, in every shape the seeds of this design use.
//!
//! Reading finds the block and the bytes of each value; it never changes or loses one. Writing
//! replaces the bytes of single values *in kind* (a YAML list stays a YAML list, a CKP line stays a
//! CKP line), so unknown keys, comments, order, quoting, line ends and a BOM survive.
//!
//! | shape | looks like |
//! |---|---|
//! | [`Shape::Fenced`] | `key: value` lines between `---` fences: YAML front matter, and CKP's upper-case block |
//! | [`Shape::Comment`] | the same lines inside an HTML comment |
//! | [`Shape::None`] | no header |
//!
//! Nested YAML values of foreign pages are kept as raw text; this module does not interpret them.

pub mod name;
mod read;
mod value;
mod write;

pub use name::FieldName;
pub use read::read_header;
pub use value::{decode_list, decode_scalar, encode_list, encode_scalar};
pub use write::{FieldValue, NewBlock, render_header, set_field, without_field};

use std::fmt;

use crate::layout::PRESETS;
use crate::page::Category;
use crate::span::Span;
use crate::time::{Date, Month, leading_date};

/// High relations a page may have: what must be loaded to understand it.
pub const HIGH_MAX: usize = 3;
/// Mid relations a page may have.
pub const MID_MAX: usize = 5;
/// Triggers a page should have.
pub const TRIGGERS: std::ops::RangeInclusive<usize> = 5..=10;
/// Most triggers of a page of many things: see [`triggers_max`].
const MANY_TRIGGERS_MAX: usize = 32;
/// Longest tldr in characters: one sentence that stays readable in an index row.
pub const TLDR_CHARS_MAX: usize = 300;

/// Returns how many triggers a page has at most. A document is asked for by its sections and the names it explains, a
/// piece of work by what was asked for and the names it changed.
pub fn triggers_max(category: Category) -> usize {
    match category {
        Category::Reference | Category::Project => MANY_TRIGGERS_MAX,
        _ => *TRIGGERS.end(),
    }
}

/// How the block is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The text has no header.
    None,
    /// Between two `---` lines at the top.
    Fenced,
    /// Inside an HTML comment near the top.
    Comment,
}

/// How a field's keys and lists are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Lower-case keys, YAML values.
    Yaml,
    /// CKP's upper-case keys, comma-separated lists, values to the end of the line.
    Ckp,
}

/// Every spelling of every field: (field, YAML key, CKP key). The first row of a field is the one written. Spellings
/// that one family of vaults has alone are in its preset.
const SPELLINGS: &[(FieldName, &str, &str)] = &[
    (FieldName::Category, "type", "CATEGORY"),
    (FieldName::Category, "category", "TYPE"),
    (FieldName::Title, "title", "CONCEPT"),
    (FieldName::Title, "name", "TITLE"),
    (FieldName::Title, "concept", "NAME"),
    (FieldName::Aliases, "aliases", "ALIASES"),
    (FieldName::Aliases, "alias", "ALIAS"),
    (FieldName::Tldr, "tldr", "TLDR"),
    (FieldName::Tldr, "description", "DESCRIPTION"),
    (FieldName::Tldr, "summary", "SUMMARY"),
    (FieldName::Triggers, "answers_when", "ANSWERS_WHEN"),
    (FieldName::Triggers, "triggers", "TRIGGERS"),
    (FieldName::High, "similar_high", "SIMILAR_HIGH"),
    (FieldName::Mid, "similar_mid", "SIMILAR_MID"),
    (FieldName::Contradicts, "contradicts", "CONTRADICTS"),
    (FieldName::Confidence, "confidence", "CONFIDENCE"),
    (FieldName::Validated, "validated", "VALIDATED"),
    (FieldName::Created, "created", "CREATED"),
    (FieldName::Updated, "updated", "UPDATED"),
    (FieldName::Updated, "updated_at", "UPDATED_AT"),
    (FieldName::Owner, "owner", "OWNER"),
    (FieldName::Sources, "sources", "SOURCES"),
    (FieldName::RedirectTo, "redirect_to", "REDIRECT_TO"),
    (FieldName::RedirectTo, "redirectTo", "REDIRECT_TO"),
    (FieldName::BodyDigest, "body_digest", "BODY_DIGEST"),
    (FieldName::StaleSince, "stale_since", "STALE_SINCE"),
];

/// The spellings of all families.
fn spellings() -> impl Iterator<Item = &'static (FieldName, &'static str, &'static str)> {
    SPELLINGS.iter().chain(PRESETS.iter().flat_map(|preset| preset.spellings))
}

impl FieldName {
    /// Returns the field that a key names, whatever its case, and how that key is styled.
    pub fn of_key(key: &str) -> Option<FieldName> {
        let is_it = |spelling: &str| spelling.len() == key.len() && spelling.eq_ignore_ascii_case(key);
        spellings().find(|(_, yaml, ckp)| is_it(yaml) || is_it(ckp)).map(|(name, ..)| *name)
    }

    /// Returns the key under which a new field is written.
    pub fn key(self, style: Style) -> &'static str {
        let row = spellings().find(|(name, ..)| *name == self).expect("every field has a spelling");
        if style == Style::Yaml { row.1 } else { row.2 }
    }
}

/// One field as it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The field it is, if Kenning knows it.
    pub name: Option<FieldName>,
    /// The key.
    pub key: Span,
    /// The value without the white space around it; for a nested or block value, all its lines.
    pub value: Span,
    /// The whole of the field's lines, with their line ends.
    pub lines: Span,
    /// How key and value are written.
    pub style: Style,
    /// Whether the value is a YAML block below the key's line.
    pub is_block: bool,
}

/// The machine-read fields of a page, as byte ranges in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// How the block is fenced.
    pub shape: Shape,
    /// The whole block with its fences and the line end after it; empty, at the start of the text, when there
    /// is none.
    pub block: Span,
    /// The lines between the fences.
    pub inner: Span,
    /// All fields in order, known or not.
    pub fields: Vec<Field>,
}

/// A typed edge to another page with the month it was last validated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relation {
    /// The other page, by slug, alias or title, as written.
    pub target: String,
    /// When the relation was last confirmed.
    pub validated: Option<Month>,
}

impl Relation {
    /// Returns the relation that `slug:YYYY-MM` or `slug` spells; wikilink brackets are allowed.
    pub fn parse(text: &str) -> Option<Relation> {
        let bare = |text: &str| text.trim().trim_start_matches('[').trim_end_matches(']').trim().to_owned();
        let text = text.trim().trim_start_matches('[').trim_end_matches(']');
        let (target, validated) = match text.rsplit_once(':') {
            Some((target, month)) if Month::parse(month).is_some() => (bare(target), Month::parse(month)),
            _ => (bare(text), None),
        };
        (!target.is_empty()).then_some(Relation { target, validated })
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.validated {
            Some(month) => write!(f, "{}:{month}", self.target),
            None => f.write_str(&self.target),
        }
    }
}

impl Header {
    /// Returns the field of that name, the first one if the header repeats it.
    pub fn field(&self, name: FieldName) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == Some(name))
    }

    /// Returns the decoded single value of a field, or `None` when it is absent or empty.
    pub fn scalar(&self, text: &str, name: FieldName) -> Option<String> {
        let field = self.field(name)?;
        let value = decode_scalar(field.value.of(text), field.style);
        (!value.is_empty()).then_some(value)
    }

    /// Returns the decoded list of a field; a single value is a list of one, an absent one is empty.
    pub fn list(&self, text: &str, name: FieldName) -> Vec<String> {
        self.field(name).map(|field| decode_list(field.value.of(text), field)).unwrap_or_default()
    }

    /// Returns the relations of one tier, in order.
    pub fn relations(&self, text: &str, name: FieldName) -> Vec<Relation> {
        self.list(text, name).iter().filter_map(|entry| Relation::parse(entry)).collect()
    }

    /// Returns the date of a field.
    pub fn date(&self, text: &str, name: FieldName) -> Option<Date> {
        leading_date(&self.scalar(text, name)?)
    }

    /// Returns the style new fields are written in: that of the fields that are there.
    pub fn style(&self) -> Style {
        self.fields.first().map_or(Style::Yaml, |field| field.style)
    }

    /// Returns whether Kenning owns the body; the answer for every page it did not create is no.
    pub fn is_owned(&self, text: &str) -> bool {
        self.scalar(text, FieldName::Owner).as_deref() == Some("kenning")
    }
}

#[cfg(test)]
mod tests;
