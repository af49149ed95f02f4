//! Our reading of blocks beside one that follows CommonMark, with the tables, tasks and footnotes of GitHub.
//!
//! Both are brought to the same facts: headings, code, items, rows and comments, in the order of the text. Where ours
//! differs on purpose, a [`Reason`] says so.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::*;

/// What a reader of Markdown sees.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fact {
    Heading(u8, String),
    /// The lines of code, without what they are indented by.
    Code(Vec<String>),
    /// The first line of an item.
    Item(String),
    Row(String),
    Comment(String),
}

fn line_of(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

fn code_of(text: &str) -> Fact {
    Fact::Code(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
}

fn is_rule_of_table(row: &str) -> bool {
    row.contains('-') && row.chars().all(|ch| matches!(ch, '|' | '-' | ':' | ' '))
}

/// What stands in a fence: without its first line, and its last if that closes it.
fn fenced(raw: &str) -> &str {
    let mark = &raw[..1];
    let inside = raw.split_once('\n').map_or("", |(_, inside)| inside);
    let last = inside.rsplit('\n').next().unwrap_or_default();
    let closes = last.trim().len() >= 3 && last.trim().chars().all(|ch| mark.starts_with(ch));
    if closes { &inside[..inside.len() - last.len()] } else { inside }
}

fn ours(text: &str) -> Vec<Fact> {
    let mut out = Vec::new();
    let mut code: Option<Span> = None;
    for block in blocks(text, Span::new(0, text.len())) {
        let raw = block.span.of(text);
        let is_fenced = raw.starts_with("```") || raw.starts_with("~~~");
        if block.kind == BlockKind::Code && !is_fenced {
            // Each line of indented code is a block.
            code = Some(Span::new(code.map_or(block.span.start, |code| code.start), block.span.end));
            continue;
        }
        out.extend(code.take().map(|code| code_of(code.of(text))));
        match block.kind {
            BlockKind::Heading(level) => out.push(Fact::Heading(level, raw.trim().to_owned())),
            BlockKind::Code => out.push(code_of(fenced(raw))),
            BlockKind::Item => out.push(Fact::Item(line_of(raw))),
            BlockKind::Row if !is_rule_of_table(raw) => out.push(Fact::Row(raw.trim().to_owned())),
            BlockKind::Comment => out.push(Fact::Comment(raw.trim().to_owned())),
            BlockKind::Row | BlockKind::Paragraph | BlockKind::Footnote => {}
        }
    }
    out.extend(code.map(|code| code_of(code.of(text))));
    out
}

fn theirs(text: &str) -> Vec<Fact> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    let mut out = Vec::new();
    // How many quotes and footnotes are open: ours reads both as text.
    let mut n_outer = 0;
    let mut code: Option<String> = None;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let raw = text.get(range).unwrap_or_default();
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::FootnoteDefinition(_)) => n_outer += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition) => n_outer -= 1,
            _ if n_outer > 0 => {}
            Event::Start(Tag::Heading { level, .. }) => {
                let said = match heading(raw.trim_start()) {
                    Some((_, skip)) => raw.trim_start()[skip..].trim().trim_end_matches('#').trim().to_owned(),
                    None => raw.trim_end().rsplit_once('\n').map_or("", |(said, _)| said).trim().to_owned(),
                };
                out.push(Fact::Heading(level as u8, said));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                code = Some(String::new());
            }
            Event::Text(said) if code.is_some() => code.as_mut().into_iter().for_each(|code| code.push_str(&said)),
            Event::End(TagEnd::CodeBlock) => out.extend(code.take().map(|code| code_of(&code))),
            Event::Start(Tag::Item) => {
                let raw = raw.trim_start();
                let said = item_marker(raw).and_then(|skip| raw.get(skip..)).unwrap_or_default();
                // An item that begins with code is the code.
                if fence(&line_of(said)).is_some() {
                    continue;
                }
                let said = ["[ ] ", "[x] ", "[X] "].iter().find_map(|box_| said.strip_prefix(box_)).unwrap_or(said);
                out.push(Fact::Item(line_of(said)));
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => out.push(Fact::Row(line_of(raw))),
            Event::Start(Tag::HtmlBlock) if raw.trim_start().starts_with("<!--") => {
                let end = raw.find("-->").map_or(raw.len(), |end| end + 3);
                out.push(Fact::Comment(raw[..end].trim().to_owned()));
            }
            _ => {}
        }
    }
    out
}

/// Our own documents and suites.
const DOCUMENTS: &[(&str, &str)] = &[
    ("README", include_str!("../../../../README.md")),
    ("ARCHITECTURE", include_str!("../../../../ARCHITECTURE.md")),
    ("CHANGELOG", include_str!("../../../../CHANGELOG.md")),
    ("CONTRIBUTING", include_str!("../../../../CONTRIBUTING.md")),
    ("GLOSSARY", include_str!("../../../../GLOSSARY.md")),
    ("agents", include_str!("../../../../docs/book/agents.md")),
    ("ask", include_str!("../../../../docs/book/ask.md")),
    ("cli", include_str!("../../../../docs/book/cli.md")),
    ("compile", include_str!("../../../../docs/book/compile.md")),
    ("eval", include_str!("../../../../docs/book/eval.md")),
    ("formats", include_str!("../../../../docs/book/formats.md")),
    ("lint", include_str!("../../../../docs/book/lint.md")),
    ("models", include_str!("../../../../docs/book/models.md")),
    ("recovery", include_str!("../../../../docs/book/recovery.md")),
    ("reliability", include_str!("../../../../docs/book/reliability.md")),
    ("routing", include_str!("../../../../docs/book/routing.md")),
    ("search", include_str!("../../../../docs/book/search.md")),
    ("security", include_str!("../../../../docs/book/security.md")),
    ("semantic", include_str!("../../../../docs/book/semantic.md")),
    ("sessions", include_str!("../../../../docs/book/sessions.md")),
    ("transcripts", include_str!("../../../../docs/book/transcripts.md")),
    ("libraries", include_str!("../../../../docs/decisions/0002-libraries.md")),
    ("specs: ask", include_str!("../../../../specs/ask.md")),
    ("specs: capture", include_str!("../../../../specs/capture.md")),
    ("specs: compile", include_str!("../../../../specs/compile.md")),
    ("specs: context", include_str!("../../../../specs/context.md")),
    ("specs: distill", include_str!("../../../../specs/distill.md")),
    ("specs: eval", include_str!("../../../../specs/eval.md")),
    ("specs: hooks", include_str!("../../../../specs/hooks.md")),
    ("specs: ingest", include_str!("../../../../specs/ingest.md")),
    ("specs: json", include_str!("../../../../specs/json.md")),
    ("specs: lint", include_str!("../../../../specs/lint.md")),
    ("specs: models", include_str!("../../../../specs/models.md")),
    ("specs: route", include_str!("../../../../specs/route.md")),
    ("specs: search", include_str!("../../../../specs/search.md")),
];

#[test]
fn our_own_documents_are_read_as_the_standard_reads_them() {
    for (name, text) in DOCUMENTS {
        let (ours, theirs) = (ours(text), theirs(text));
        let differs = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        let at = differs.unwrap_or(ours.len().min(theirs.len()));
        assert_eq!(ours.get(at), theirs.get(at), "{name}, fact {at}");
        assert!(ours.len() > 3, "{name}");
    }
}

/// Pieces of Markdown on which both agree, also next to each other.
const PIECES: &[&str] = &[
    "# One",
    "## Two ##",
    "   ### Three",
    "#four",
    "####### Five",
    "Six\n===",
    "Seven\n---",
    "# Eight\nword\n---",
    "# Nine\n    code",
    "## ##",
    "word and word",
    "two\nlines",
    "a  \nb",
    "\\# a",
    "\\- a",
    "**a** *b*",
    "&#35; a",
    "+1",
    "- a",
    "* a\n* b",
    "1. a\n2. b",
    "3) a",
    "- [ ] a\n- [x] b",
    "- a\n\n  more",
    "- a\nlazy",
    "- a\n\n\n- b",
    "1986. a",
    "-a",
    "1.a",
    "1234567890. a",
    "a\n- b",
    "a\n1. b",
    "a\n# b",
    "- ```\n  x\n  ```\n- b",
    "1. ~~~\n   - x\n   ~~~",
    "```sh\n# x\n\n- y\n```",
    "~~~\n```\n~~~",
    "````\n```\n````",
    "```\nx\n```\ny",
    "  ```\n  x\n  ```",
    "``` a`b",
    "a\n```\nb\n```",
    "a\n    b",
    "| a | b |\n|---|---|\n| c | d |",
    "| a |\n|:-:|",
    "a\n| b | c |\n|---|---|",
    "<!-- a -->",
    "<!--\na\n\n- b\n-->",
    "text <!-- a -->",
    "> a\n> - b",
    "> # a",
    "---",
    "***",
    "* * *",
    "- - -",
    "- a\n---",
    "[^1]: a",
    "[a]: b",
];

/// Why a text is read in another way than the standard reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Behind an item text is indented to belong to it; code there is taken for such text rather than the reverse.
    IndentedInList,
    /// A hyphen or two below a line begin an item more often than they underline a heading.
    ShortUnderline,
    /// A sentence above a rule is no heading.
    SentenceAboveRule,
    /// The heading is the underlined line; what stands above it in the paragraph stays text.
    LongHeading,
    /// A number below a line begins a list, whichever it is.
    NumberBelowText,
    /// A row is a row though the line below its head is missing, and ends what stands above it.
    RowWithoutRule,
    /// A table without bars at its margin is text.
    TableWithoutBars,
    /// Tags are text, and what stands between them is read.
    Tags,
    /// An item is text, whatever it begins with, unless it is code.
    BlockInItem,
    /// What is indented below a footnote is not part of it.
    IndentedInFootnote,
}

use Reason::*;

const DIFFERENCES: &[(Reason, &str)] = &[
    (IndentedInList, "- a\n\n      code"),
    (IndentedInList, "-\n\n      code"),
    (ShortUnderline, "Eight\n-"),
    (ShortUnderline, "Eight\n--"),
    (SentenceAboveRule, "It holds.\n---"),
    (LongHeading, "two\nlines\n---"),
    (NumberBelowText, "a\n2. b"),
    (RowWithoutRule, "| a | b |"),
    (RowWithoutRule, "- a\n| b | c |\n|---|---|"),
    (TableWithoutBars, "a | b\n--|--\nc | d"),
    (Tags, "<div>\n# x\n</div>"),
    (BlockInItem, "- # a"),
    (BlockInItem, "1. - a"),
    (BlockInItem, "-\na"),
    (IndentedInFootnote, "[^1]: a\n\n    code"),
];

#[test]
fn what_is_read_in_another_way_is_so_for_a_reason() {
    for (reason, text) in DIFFERENCES {
        assert_ne!(ours(text), theirs(text), "{reason:?} is none any more: {text:?}");
    }
}

#[test]
fn pieces_are_read_as_the_standard_reads_them_alone_and_two_by_two() {
    for first in PIECES {
        assert_eq!(ours(first), theirs(first), "{first:?}");
        for second in PIECES {
            let text = format!("{first}\n\n{second}");
            assert_eq!(ours(&text), theirs(&text), "{text:?}");
        }
    }
}

/// A list whose items are nested by two blanks each.
fn list() -> impl Strategy<Value = String> {
    let item = (0_usize..4, "[a-z]{1,6}( [a-z.]{1,6}){0,3}", any::<bool>());
    prop::collection::vec(item, 1..8).prop_map(|items| {
        let mut deepest = 0;
        let line = |(depth, said, is_loose): (usize, String, bool)| {
            let depth = depth.min(deepest);
            deepest = depth + 1;
            format!("{}- {said}\n{}", "  ".repeat(depth), if is_loose { "\n" } else { "" })
        };
        items.into_iter().map(line).collect()
    })
}

/// Code in a fence with anything inside.
fn fence_of_code() -> impl Strategy<Value = String> {
    let line = "(# |- |\\| |> |    |``|<!-- )?[a-z]{0,5}";
    (prop::sample::select(vec!["```", "````", "~~~", "~~~~~"]), prop::collection::vec(line, 0..5))
        .prop_map(|(fence, lines)| format!("{fence}sh\n{}\n{fence}", lines.join("\n")))
}

fn table() -> impl Strategy<Value = String> {
    (2_usize..5, 1_usize..5, "[a-z]{1,5}").prop_map(|(n_columns, n_rows, said)| {
        let row = |cell: &str| format!("|{}\n", format!(" {cell} |").repeat(n_columns));
        format!("{}{}{}", row(&said), row("---"), row("x").repeat(n_rows))
    })
}

proptest! {
    #[test]
    fn what_is_set_apart_is_read_as_the_standard_reads_it(
        parts in prop::collection::vec(
            prop_oneof![prop::sample::select(PIECES).prop_map(str::to_owned), list(), fence_of_code(), table()],
            1..8,
        ),
    ) {
        let text = parts.join("\n\n");
        prop_assert_eq!(ours(&text), theirs(&text), "{}", text);
    }
}
