//! The text of an HTML document, with the source line of every line.
//!
//! Enough of HTML to read documents as prose: headings, list items and paragraphs become Markdown lines,
//! scripts and styles go, common entities are decoded. It is not a renderer and trusts nothing: whatever
//! it does not know stays text.

use memchr::{memchr, memmem};

/// Returns the text and, per line of it, the line of the source it came from (from 1).
pub(crate) fn to_text(html: &str) -> (String, Vec<usize>) {
    let mut writer = Writer { out: String::with_capacity(html.len()), map: Vec::new(), line: 1 };
    let mut at = 0;
    while at < html.len() {
        if html.as_bytes()[at] == b'<' {
            let end = tag_end(html, at);
            writer.tag(&html[at..end]);
            at = skip_raw(html, at, end, &mut writer);
        } else {
            let end = memchr(b'<', &html.as_bytes()[at..]).map_or(html.len(), |n| at + n);
            writer.text(&html[at..end]);
            at = end;
        }
    }
    writer.newline();
    (writer.out, writer.map)
}

/// End of the tag or comment that opens at `at`; a lone `<` is text of one byte.
fn tag_end(html: &str, at: usize) -> usize {
    if html[at..].starts_with("<!--") {
        return html[at..].find("-->").map_or(html.len(), |n| at + n + 3);
    }
    let opens = html[at + 1..].starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '/' || ch == '!');
    if !opens {
        return at + 1;
    }
    let tag = &html.as_bytes()[at..html.len().min(at + TAG_LEN_MAX)];
    // A value may say `>`; a quote that nobody closes is none.
    let mut quote = None;
    let is_end = |byte: &u8| match quote {
        Some(open) => {
            quote = quote.filter(|_| *byte != open);
            false
        }
        None => {
            quote = Some(*byte).filter(|byte| matches!(byte, b'"' | b'\''));
            *byte == b'>'
        }
    };
    let end = tag.iter().position(is_end).or_else(|| memchr(b'>', &html.as_bytes()[at..]));
    end.map_or(html.len(), |n| at + n + 1)
}

/// Longest tag whose values are told apart.
const TAG_LEN_MAX: usize = 16 * 1024;

/// What is not prose, whatever stands in it.
const RAW: &[&str] = &["script", "style", "title", "iframe", "object", "template", "svg", "noframes"];

/// The content of scripts, styles and the title is not prose: returns where reading goes on.
fn skip_raw(html: &str, at: usize, end: usize, writer: &mut Writer) -> usize {
    let tag = &html[at..end];
    if tag.starts_with("</") || tag.ends_with("/>") {
        return end;
    }
    let tag_name = name_of(tag);
    let Some(name) = RAW.iter().find(|name| tag_name == **name) else { return end };
    let closes = |at: &usize| {
        let rest = &html.as_bytes()[at + 2..];
        rest.get(..name.len()).is_some_and(|rest| rest.eq_ignore_ascii_case(name.as_bytes()))
    };
    let found = memmem::find_iter(&html.as_bytes()[end..], b"</").map(|n| end + n).find(closes);
    let stop = found.unwrap_or(html.len());
    writer.line += html[end..stop].matches('\n').count();
    stop
}

fn name_of(tag: &str) -> String {
    let name = tag.trim_start_matches(['<', '/']);
    name.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

struct Writer {
    out: String,
    map: Vec<usize>,
    line: usize,
}

impl Writer {
    fn newline(&mut self) {
        self.out.push('\n');
        self.map.push(self.line);
    }

    fn block(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            if !self.out.ends_with('\n') {
                self.newline();
            }
            self.newline();
        }
    }

    fn tag(&mut self, tag: &str) {
        if tag.len() == 1 {
            self.out.push_str(tag);
            return;
        }
        let closes = tag.starts_with("</");
        match name_of(tag).as_str() {
            name @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                self.block();
                if !closes {
                    let level = usize::from(name.as_bytes()[1] - b'0');
                    self.out.push_str(&"#".repeat(level));
                    self.out.push(' ');
                }
            }
            "li" if !closes => {
                self.block();
                self.out.push_str("- ");
            }
            "p" | "div" | "ul" | "ol" | "li" | "br" | "tr" | "table" | "section" | "article" | "title" | "head"
            | "body" | "pre" | "blockquote" | "header" | "footer" | "main" | "nav" | "dt" | "dd" => self.block(),
            "td" | "th" => self.out.push(' '),
            "code" => self.out.push('`'),
            _ => {}
        }
        self.line += tag.matches('\n').count();
    }

    fn text(&mut self, text: &str) {
        for (n, piece) in text.split('\n').enumerate() {
            if n > 0 {
                // A line end inside a paragraph is white space; it may not become a blank line.
                if self.out.ends_with('\n') || self.out.is_empty() {
                    self.line += 1;
                } else {
                    self.newline();
                    self.line += 1;
                }
            }
            let piece = piece.trim_end_matches('\r');
            let piece = if self.out.is_empty() || self.out.ends_with('\n') { piece.trim_start() } else { piece };
            self.out.push_str(&decode(piece));
        }
    }
}

/// (entity, character)
const ENTITIES: &[(&str, &str)] = &[
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&nbsp;", " "),
    ("&mdash;", "—"),
    ("&ndash;", "–"),
    ("&hellip;", "…"),
    ("&agrave;", "à"),
    ("&egrave;", "è"),
    ("&eacute;", "é"),
    ("&ograve;", "ò"),
    ("&ugrave;", "ù"),
    ("&igrave;", "ì"),
    ("&amp;", "&"),
];

fn decode(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, ch)| text.replace(entity, ch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_or_frames_is_no_prose_and_values_are_no_text() {
        let html = "<p title=\"a > b\">One.</p><IFRAME src=x>two</iframe><svg onload=x><text>three</text></svg><p a='x\">Four.</p>";
        let (text, _) = to_text(html);
        assert_eq!(text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(), ["One.", "Four."]);
        assert_eq!(to_text("a <p title=\"never closed>b</p>").0.trim(), "a \n\nb");
    }

    #[test]
    fn headings_items_and_paragraphs_keep_their_source_lines() {
        let html = "<html><head><style>p{}\n</style></head>\n<body><h1>Title</h1>\n<p>One &amp;\ntwo.</p><ul>\n<li>item</li></ul><script>x < 1;\n</script></body>";
        let (text, map) = to_text(html);
        let shown: Vec<(&str, usize)> =
            text.lines().zip(map.iter().copied()).filter(|(line, _)| !line.trim().is_empty()).collect();
        assert_eq!(shown, [("# Title", 3), ("One &", 4), ("two.", 5), ("- item", 6)]);
        assert_eq!(text.lines().count(), map.len());
    }
}
