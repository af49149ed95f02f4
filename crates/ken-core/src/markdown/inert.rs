//! Text of anybody's as it may stand on a compiled page: nothing in it is fetched, run or hidden.

use std::borrow::Cow;

use memchr::{memchr, memchr3, memmem};

/// Longest description or address of an image; what is longer is escaped as it stands.
const PART_LEN_MAX: usize = 1024;
/// Addresses that a reader may be led to; they are followed by a click and never by themselves.
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel", "ftp"];

/// Returns a text in which nothing is live but links to read: images become their description and their
/// address, tags of HTML become text, and links that would run something lead nowhere.
///
/// Code spans stay as they are. A text that is inert stays as it is.
///
/// ```
/// # use ken_core::markdown::inert;
/// assert_eq!(inert("see ![plan](https://x.example/a.png)"), "see plan (https://x.example/a.png)");
/// assert_eq!(inert("<img src=x> and `<img>`"), "\\<img src=x> and `<img>`");
/// assert_eq!(inert("[go](javascript:alert(1))"), "[go] (javascript:alert(1))");
/// ```
pub fn inert(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_plain = memchr3(b'<', b'!', b'>', bytes).is_none() && memmem::find(bytes, b"](").is_none();
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    while at < bytes.len() {
        at = step(text, at, &mut out);
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Takes what stands at a place over, and returns where the next begins.
fn step(text: &str, at: usize, out: &mut String) -> usize {
    let rest = &text[at..];
    let mut take = |len: usize| {
        out.push_str(&rest[..len]);
        at + len
    };
    match rest.as_bytes()[0] {
        b'\\' => take(1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
        b'`' => take(code_len(rest)),
        b'<' => match rest.as_bytes().get(1) {
            _ if rest.starts_with("<!--") => {
                // Its dashes may be those of an end as well: `<!-->` is both.
                out.push_str("&lt;!");
                at + 2
            }
            Some(next) if next.is_ascii_alphabetic() || b"/!?".contains(next) => match autolink_len(rest) {
                Some(len) => take(len),
                None => {
                    out.push_str("\\<");
                    at + 1
                }
            },
            _ => take(1),
        },
        b'-' if rest.starts_with("-->") => {
            out.push_str("--&gt;");
            at + 3
        }
        // What embeds a page of the vault is a wikilink, and those are resolved elsewhere.
        b'!' if rest.starts_with("![") && !rest.starts_with("![[") => match image(rest) {
            Some((description, address, len)) => {
                let name = if description.trim().is_empty() { "image" } else { description };
                out.push_str(&inert(name));
                out.push_str(&format!(" ({})", inert(address)));
                at + len
            }
            None => {
                out.push_str("\\!");
                at + 1
            }
        },
        b']' if rest.starts_with("](") && !leads_to_text(&rest[2..]) => {
            out.push_str("] ");
            at + 1
        }
        _ => take(1 + memchr_special(&rest.as_bytes()[1..])),
    }
}

/// How many bytes say nothing by themselves.
fn memchr_special(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| b"\\`<-!]".contains(byte)).unwrap_or(bytes.len())
}

/// Length of the code span that begins here, or of the backticks that begin none.
fn code_len(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let run = |at: usize| bytes[at..].iter().take_while(|byte| **byte == b'`').count();
    let width = run(0);
    let mut at = width;
    while let Some(next) = memchr(b'`', &bytes[at..]).map(|n| at + n) {
        let found = run(next);
        at = next + found;
        if found == width {
            return at;
        }
    }
    width
}

/// Length of `<https://…>`, which shows where it leads.
fn autolink_len(rest: &str) -> Option<usize> {
    let end = rest.find('>')?;
    let address = &rest[1..end];
    let is_address = address.contains(':') && !address.contains(|ch: char| ch.is_whitespace() || "<\"'`".contains(ch));
    (is_address && scheme_is_safe(address)).then_some(end + 1)
}

/// Description, address and length of an image with both.
fn image(rest: &str) -> Option<(&str, &str, usize)> {
    let close = closing(&rest[1..], b'[', b']')? + 1;
    let after = &rest[close + 1..];
    let end = after.starts_with('(').then(|| closing(after, b'(', b')')).flatten()?;
    let inside = after[1..end].trim();
    let address = match inside.strip_prefix('<') {
        Some(inside) => inside.split('>').next().unwrap_or(inside),
        None => inside.split_whitespace().next().unwrap_or(""),
    };
    Some((&rest[2..close], address, close + 1 + end + 1))
}

/// Where the bracket that opens a text is closed.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().take(PART_LEN_MAX) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == open => depth += 1,
            _ if byte == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether what stands in a link's parentheses leads to something to read.
fn leads_to_text(destination: &str) -> bool {
    // An address between `<` and `>` looks like a tag, and is escaped as one.
    let address = destination.trim_start();
    let end = address.find(|ch: char| ch == ')' || ch.is_whitespace()).unwrap_or(address.len());
    scheme_is_safe(&address[..end])
}

/// Whether an address is of a known scheme, or of none.
fn scheme_is_safe(address: &str) -> bool {
    // A scheme may be written in entities, escapes and percents, which no honest one is.
    let Some(end) = address.find([':', '/', '?', '#', '&', '\\', '%', '<', '>', '!']) else { return true };
    match address.as_bytes()[end] {
        b':' => SCHEMES.iter().any(|scheme| address[..end].eq_ignore_ascii_case(scheme)),
        // The last three may get escaped, and are then of the others the next time they are read.
        b'&' | b'\\' | b'<' | b'>' | b'!' => false,
        b'%' => !address.contains(':'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(inert(text), expected);
        assert_eq!(inert(expected), expected, "inert text stays");
    }

    #[test]
    fn images_become_their_description_and_their_address() {
        check("![a b](https://x.example/p?d=1 \"t\") now", "a b (https://x.example/p?d=1) now");
        check("![](<https://x.example/a b.png>)", "image (https://x.example/a b.png)");
        check(
            "[![Build](https://x.example/b.svg)](https://x.example)",
            "[Build (https://x.example/b.svg)](https://x.example)",
        );
        check("![a][ref] ![b] ![c](broken", "\\![a][ref] \\![b] \\![c](broken");
        check("wow! [a](b.md) ![[plan]]", "wow! [a](b.md) ![[plan]]");
    }

    #[test]
    fn tags_become_text_and_code_stays() {
        check("<script>x</script> <!-- y --> <iframe", "\\<script>x\\</script> &lt;!-- y --&gt; \\<iframe");
        check("a < b, `<img>`, ``<a ` b>``, <https://x.example>", "a < b, `<img>`, ``<a ` b>``, <https://x.example>");
        check("\\`<img>` and \\\\<img>", "\\`\\<img>` and \\\\\\<img>");
        check("one ` <img src=x>", "one ` \\<img src=x>");
    }

    #[test]
    fn links_lead_to_text_only() {
        for address in [
            "javascript:x()",
            "JavaScript:x",
            "data:text/html,x",
            "vbscript:x",
            "java&#115;cript:x",
            "javascript&colon;x",
            "javascript\\:x",
            "<javascript:x>",
            " file:///etc/passwd",
        ] {
            let text = format!("[a]({address}) b");
            check(&text, &format!("[a] ({address}) b").replace("(<javascript", "(\\<javascript"));
        }
        for address in ["https://x.example/a:b", "a/b.md#c", "mailto:mia@x.example", "#part", "a%20b.md", ""] {
            let text = format!("[a]({address}) b");
            check(&text, &text);
        }
        check("<javascript:x>", "\\<javascript:x>");
        check("](a<!--!", "] (a&lt;!--!");
        check("](a-->", "] (a--&gt;");
    }

    proptest! {
        #[test]
        fn nothing_is_live_and_inert_text_stays(
            parts in prop::collection::vec(prop::sample::select(vec![
                "!", "[", "]", "(", ")", "<", ">", "img src=x", "`", "\\", "https://x.example", "javascript:x", "a",
                " ", "--", "![a](b)", "<!--", "-->", "é",
            ]), 0..16),
        ) {
            let text = parts.concat();
            let once = inert(&text).into_owned();
            prop_assert_eq!(inert(&once), once.as_str());
        }
    }
}
