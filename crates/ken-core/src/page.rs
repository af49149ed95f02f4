//! A page: a header plus a body that is kept byte for byte.

pub mod category;
pub mod outline;
pub mod past;

pub use category::Category;

use crate::diagnostic::Parsed;
use crate::header::{FieldName, Header, Relation, decode_scalar, read_header};
use crate::layout::PRESETS;
use crate::markdown::{BlockKind, blocks};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::span::Span;

/// How the name of the page ends that holds the older claims of another.
pub const HISTORY: &str = "-history";

/// One file of the wiki, read but not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it stands.
    pub path: VaultPath,
    /// Its bytes.
    pub text: String,
    /// Its header, empty when it has none.
    pub header: Header,
}

/// (category, name in the header, folder, heading in the index)
const CATEGORIES: &[(Category, &str, &str, &str)] = &[
    (Category::Concept, "concept", "concepts", "Concepts"),
    (Category::Entity, "entity", "entities", "Entities"),
    (Category::Project, "project", "projects", "Projects"),
    (Category::Reference, "reference", "references", "References"),
    (Category::Theme, "theme", "themes", "Themes"),
    (Category::Connection, "connection", "connections", "Connections"),
    (Category::Question, "question", "qa", "Questions"),
    (Category::Trajectory, "trajectory", "trajectories", "Trajectories"),
    (Category::Rollup, "rollup", "journal", "Journal"),
];

impl Category {
    /// Returns every category in the order of the index.
    pub fn all() -> impl Iterator<Item = Category> {
        CATEGORIES.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Category, &'static str, &'static str, &'static str) {
        CATEGORIES.iter().find(|row| row.0 == self).expect("every category has a row")
    }

    /// Returns the value of `type` in a header.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the folder of its pages inside the wiki.
    pub fn folder(self) -> &'static str {
        self.row().2
    }

    /// Returns its heading in the index.
    pub fn heading(self) -> &'static str {
        self.row().3
    }

    /// Returns the category of that name or folder.
    pub fn parse(text: &str) -> Option<Category> {
        let is_it = |row: &&(Category, &str, &str, &str)| row.1.eq_ignore_ascii_case(text) || row.2 == text;
        let own = CATEGORIES.iter().find(is_it).map(|row| row.0);
        let foreign =
            || PRESETS.iter().flat_map(|preset| preset.categories).find(|(name, _)| name.eq_ignore_ascii_case(text));
        own.or_else(|| foreign().map(|(_, category)| *category))
    }
}

/// The folder of pages that were put away, which are of the sort that they were.
const ARCHIVED: &str = "archive";

/// Returns what people call the sort of page that stands there: the folder of the wiki that it stands in (`people`),
/// where that names no category and nothing but a concept was found; else its category.
pub fn kind_of<'p>(path: &'p VaultPath, category: Category, wiki: &VaultPath) -> &'p str {
    let below = path.as_str().strip_prefix(wiki.as_str()).and_then(|below| below.strip_prefix('/'));
    let folder = below.and_then(|below| below.split_once('/')).filter(|(_, file)| !file.contains('/'));
    let own =
        folder.map(|(folder, _)| folder).filter(|folder| Category::parse(folder).is_none() && *folder != ARCHIVED);
    own.filter(|_| category == Category::Concept).unwrap_or(category.as_str())
}

/// Returns the page that a file's text reads as; a damaged header gives defaults plus notes.
pub fn parse_page(path: &VaultPath, text: String) -> Parsed<Page> {
    let parsed = read_header(&text);
    Parsed { value: Page { path: path.clone(), text, header: parsed.value }, notes: parsed.notes }
}

impl Page {
    /// Returns the page's name: its file's, as a slug.
    pub fn slug(&self) -> Slug {
        page_slug(&self.path)
    }

    /// Returns the bytes after the header; for an HTML page with a comment header, what follows it.
    pub fn body(&self) -> Span {
        Span::new(self.header.block.end, self.text.len())
    }

    /// Returns the display name: the header's, else the first heading, else the slug's words.
    pub fn title(&self) -> String {
        let from_header = self.header.scalar(&self.text, FieldName::Title);
        from_header.or_else(|| self.heading()).unwrap_or_else(|| self.path.stem().replace(['-', '_'], " "))
    }

    /// The first heading of the body; an HTML page's `<title>` or `<h1>`.
    fn heading(&self) -> Option<String> {
        if matches!(self.path.extension(), "html" | "htm") {
            let inside = |tag: &str| {
                let start = self.text.find(&format!("<{tag}"))?;
                let start = start + self.text[start..].find('>')? + 1;
                let text = self.text[start..].split('<').next()?.trim();
                (!text.is_empty()).then(|| text.to_owned())
            };
            return inside("title").or_else(|| inside("h1"));
        }
        let first = blocks(&self.text, self.body()).find(|block| matches!(block.kind, BlockKind::Heading(_)));
        first.map(|block| block.span.of(&self.text).to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns the category: the header's, else that of its folder, else concept.
    pub fn category(&self) -> Category {
        // A page may have several such keys: `type: wiki` beside `category: project`.
        let of_header = self.header.fields.iter().filter(|field| field.name == Some(FieldName::Category));
        let from_header = of_header.map(|field| decode_scalar(field.value.of(&self.text), field.style));
        // What a person keeps in a folder of that name is no roll-up.
        let of_folder = |folder: VaultPath| Category::parse(folder.file_name()).filter(|one| *one != Category::Rollup);
        let folder = || self.path.parent().and_then(of_folder);
        from_header.filter_map(|name| Category::parse(&name)).next().or_else(folder).unwrap_or(Category::Concept)
    }

    /// Returns one field's single value.
    pub fn scalar(&self, name: FieldName) -> Option<String> {
        self.header.scalar(&self.text, name)
    }

    /// Returns one field's list.
    pub fn list(&self, name: FieldName) -> Vec<String> {
        self.header.list(&self.text, name)
    }

    /// Returns the relations of one tier.
    pub fn relations(&self, name: FieldName) -> Vec<Relation> {
        self.header.relations(&self.text, name)
    }

    /// Returns whether Kenning owns the body.
    pub fn is_owned(&self) -> bool {
        self.header.is_owned(&self.text)
    }
}

/// Returns the slug of the page at `path`.
pub fn page_slug(path: &VaultPath) -> Slug {
    Slug::from_text(path.stem()).unwrap_or_else(|| Slug::from_text("page").expect("a word is a slug"))
}
