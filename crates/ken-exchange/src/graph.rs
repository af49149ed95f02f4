//! The pages and what leads from one to another, as GraphML and as DOT.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ken_core::header::FieldName;

use crate::format::{Format, Output, Settings, Shape, Writer};
use crate::header::plain_name;
use crate::vault::Vault;

/// GraphML, which Gephi, yEd and networkx read.
pub(crate) static GRAPHML: Format = Format {
    name: "graphml",
    about: "the graph of the pages as GraphML",
    write: Some(Writer { shape: Shape::File, sign: "<!-- pages of a vault of Kenning -->", run: graphml }),
    read: None,
};

/// DOT, which Graphviz draws.
pub(crate) static DOT: Format = Format {
    name: "dot",
    about: "the graph of the pages for Graphviz",
    write: Some(Writer { shape: Shape::File, sign: "// pages of a vault of Kenning", run: dot }),
    read: None,
};

/// An edge: from and to which page, of what sort.
type Edge<'v> = (&'v str, &'v str, &'static str);

/// The edges, each once, in order; what leads to no page is none.
fn edges(vault: &Vault) -> BTreeSet<Edge<'_>> {
    let snapshot = &vault.snapshot;
    let slug = |idx: usize| snapshot.pages[idx].entry.slug.as_str();
    let mut edges = BTreeSet::new();
    for (idx, facts) in snapshot.pages.iter().enumerate() {
        let mut add = |to: Option<usize>, sort: &'static str| {
            edges.extend(to.filter(|to| *to != idx).map(|to| (slug(idx), slug(to), sort)));
        };
        for (sort, name) in
            [("high", FieldName::High), ("mid", FieldName::Mid), ("contradicts", FieldName::Contradicts)]
        {
            facts.page.relations(name).iter().for_each(|one| add(snapshot.find(&one.target), sort));
        }
        facts.entry.redirect_to.iter().for_each(|to| add(snapshot.find(to), "redirect"));
        snapshot.leads(idx).links.iter().for_each(|to| add(*to, "link"));
    }
    edges
}

fn graphml(vault: &Vault, _: &Settings) -> Output {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- pages of a vault of Kenning -->\n");
    text.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (key, of) in [("title", "node"), ("category", "node"), ("updated", "node"), ("relation", "edge")] {
        let _ = writeln!(text, "  <key id=\"{key}\" for=\"{of}\" attr.name=\"{key}\" attr.type=\"string\"/>");
    }
    text.push_str("  <graph id=\"wiki\" edgedefault=\"directed\">\n");
    for facts in &vault.snapshot.pages {
        let entry = &facts.entry;
        let _ = write!(text, "    <node id=\"{}\">", xml(entry.slug.as_str()));
        let _ = write!(text, "<data key=\"title\">{}</data>", xml(&entry.title));
        let _ = write!(text, "<data key=\"category\">{}</data>", entry.category.as_str());
        if let Some(day) = entry.updated {
            let _ = write!(text, "<data key=\"updated\">{day}</data>");
        }
        text.push_str("</node>\n");
    }
    for (from, to, sort) in edges(vault) {
        let (from, to) = (xml(from), xml(to));
        let data = format!("<data key=\"relation\">{sort}</data>");
        let _ = writeln!(text, "    <edge source=\"{from}\" target=\"{to}\">{data}</edge>");
    }
    text.push_str("  </graph>\n</graphml>\n");
    let mut out = Output::default();
    out.put(&format!("{}.graphml", plain_name(&vault.name)), text);
    out
}

/// Text between tags or quotes; what XML has no form for is left out.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            ch if ch.is_control() => {}
            ch => out.push(ch),
        }
    }
    out
}

fn dot(vault: &Vault, _: &Settings) -> Output {
    let mut text = String::from("// pages of a vault of Kenning\ndigraph wiki {\n  node [shape=box];\n");
    for facts in &vault.snapshot.pages {
        let entry = &facts.entry;
        let (slug, title) = (quoted(entry.slug.as_str()), quoted(&entry.title));
        let _ = writeln!(text, "  {slug} [label={title}, group={}];", entry.category.as_str());
    }
    for (from, to, sort) in edges(vault) {
        let style = match sort {
            "high" => "bold",
            "mid" => "solid",
            "contradicts" => "dashed",
            _ => "dotted",
        };
        let _ = writeln!(text, "  {} -> {} [style={style}, tooltip={sort}];", quoted(from), quoted(to));
    }
    text.push_str("}\n");
    let mut out = Output::default();
    out.put(&format!("{}.dot", plain_name(&vault.name)), text);
    out
}

fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|ch| if ch.is_control() { ' ' } else { ch }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_text_in_xml_or_dot_is_escaped() {
        assert_eq!(xml("a<b>&\"\u{1}\u{ffff}\n"), "a&lt;b&gt;&amp;&quot; ");
        assert_eq!(quoted("a\"]; b\\\n"), "\"a\\\"]; b\\\\ \"");
    }
}
