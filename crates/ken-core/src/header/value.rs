//! Values of fields: YAML scalars and lists, CKP lines.
//!
//! Only the flat part of YAML that page headers use: plain, single- and double-quoted scalars, flow
//! lists, block lists. Anything else is returned as the text it is.

use super::{Field, Style};

/// Returns the text of a single value: quotes removed, a YAML comment cut.
pub fn decode_scalar(raw: &str, style: Style) -> String {
    let raw = raw.trim();
    if style == Style::Ckp {
        return unquote(raw).unwrap_or_else(|| raw.to_owned());
    }
    let raw = match raw.chars().next() {
        Some('"' | '\'') => &raw[..quoted_len(raw).unwrap_or(raw.len())],
        _ => comment_start(raw).map_or(raw, |at| raw[..at].trim_end()),
    };
    unquote(raw).unwrap_or_else(|| if raw == "~" || raw == "null" { String::new() } else { raw.to_owned() })
}

/// Where a YAML comment begins behind a plain value: at white space before `#`.
fn comment_start(raw: &str) -> Option<usize> {
    memchr::memchr_iter(b'#', raw.as_bytes()).filter_map(|at| at.checked_sub(1)).find(|at| raw.as_bytes()[*at] == b' ')
}

/// Returns the elements of a list value, in any of its spellings; a plain value splits at commas.
pub fn decode_list(raw: &str, field: &Field) -> Vec<String> {
    let elements: Vec<&str> = if field.is_block {
        raw.lines().filter_map(block_element).collect()
    } else {
        let flow = raw.trim();
        let inner = flow.find('[').filter(|at| *at == 0 && !flow.starts_with("[[")).and_then(|_| flow.rfind(']'));
        split_commas(inner.map_or(flow, |end| &flow[1..end]))
    };
    let decoded = elements.into_iter().map(|element| decode_scalar(element, field.style));
    decoded.filter(|element| !element.is_empty()).collect()
}

/// `- value`, also `- uri: value` of nested source lists, whose first key carries the value.
fn block_element(line: &str) -> Option<&str> {
    let element = line.trim().strip_prefix('-')?.trim();
    let nested = ["uri:", "resource:", "path:", "source:"].iter().find_map(|key| element.strip_prefix(key));
    Some(nested.map_or(element, str::trim))
}

fn split_commas(text: &str) -> Vec<&str> {
    // Most lists are plain words: no quotes, no nesting, no commas of other scripts.
    if text.is_ascii() && memchr::memchr3(b'"', b'\'', b'[', text.as_bytes()).is_none() && !text.contains('{') {
        return text.split(',').collect();
    }
    let (mut out, mut start, mut quote, mut depth) = (Vec::new(), 0, None, 0_usize);
    for (at, ch) in text.char_indices() {
        match (quote, ch) {
            (Some(open), _) if ch == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if text[start..at].trim().is_empty() => quote = Some(ch),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',' | '、' | '，') if depth == 0 => {
                out.push(&text[start..at]);
                start = at + ch.len_utf8();
            }
            _ => {}
        }
    }
    out.push(&text[start..]);
    out
}

/// The bytes a quoted scalar takes, quotes included.
fn quoted_len(raw: &str) -> Option<usize> {
    let open = raw.chars().next()?;
    let mut escaped = false;
    let mut chars = raw.char_indices().skip(1).peekable();
    while let Some((at, ch)) = chars.next() {
        if escaped {
            escaped = false;
        } else if open == '"' && ch == '\\' {
            escaped = true;
        } else if ch == open {
            if open == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
                continue;
            }
            return Some(at + 1);
        }
    }
    None
}

fn unquote(raw: &str) -> Option<String> {
    let open = raw.chars().next().filter(|ch| matches!(ch, '"' | '\''))?;
    if raw.len() < 2 || quoted_len(raw)? != raw.len() {
        return None;
    }
    let inner = &raw[1..raw.len() - 1];
    if open == '\'' {
        return Some(inner.replace("''", "'"));
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(ch) = chars.next() {
        if ch != '\\' {
            out.push(ch);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let hex: String = chars.by_ref().take(4).collect();
                out.extend(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    Some(out)
}

/// Returns the value as it is written in a header of that style.
pub fn encode_scalar(value: &str, style: Style) -> String {
    let value: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if style == Style::Ckp || !needs_quotes(&value, false) { value } else { quoted(&value) }
}

/// Returns the list as it is written in a header of that style.
pub fn encode_list<S: AsRef<str>>(values: &[S], style: Style) -> String {
    let one_line = |value: &S| value.as_ref().split_whitespace().collect::<Vec<_>>().join(" ");
    let values: Vec<String> = values.iter().map(one_line).collect();
    match style {
        // A comma inside an element would become two of them: CKP lines have no quoting.
        Style::Ckp => values.iter().map(|value| value.replace(',', ";")).collect::<Vec<_>>().join(", "),
        Style::Yaml => {
            let quote = |value: &String| if needs_quotes(value, true) { quoted(value) } else { value.clone() };
            format!("[{}]", values.iter().map(quote).collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether YAML would read the plain value as something else than this text.
fn needs_quotes(value: &str, in_flow: bool) -> bool {
    let first = value.chars().next();
    let is_indicator = |ch: char| "-?:,[]{}#&*!|>'\"%@`".contains(ch);
    let reserved = ["true", "false", "yes", "no", "null", "~", "on", "off"];
    value.is_empty()
        || first.is_some_and(|ch| is_indicator(ch) && !(ch == '-' && value.len() > 1 && !value.starts_with("- ")))
        || value.contains(": ")
        || value.contains(" #")
        || value.ends_with(':')
        || reserved.iter().any(|word| value.eq_ignore_ascii_case(word))
        || value.parse::<f64>().is_ok()
        // Some readers end a plain value of a list at a question mark.
        || (in_flow && value.contains([',', '[', ']', '{', '}', '?']))
}
