//! What of HTML becomes which Markdown, and that no document harms.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(html: &str, expected: &str) {
    let prose = read(html);
    assert_eq!(prose.text.trim_end(), expected);
    assert_eq!(prose.text.lines().count(), prose.lines.len(), "every line has a line of the source");
}

/// The lines that say something, with where they stand in the source.
fn placed(html: &str) -> Vec<(String, usize)> {
    let prose = read(html);
    let lines = prose.text.lines().map(str::to_owned).zip(prose.lines.iter().copied());
    lines.filter(|(line, _)| !line.trim().is_empty()).collect()
}

#[track_caller]
fn check_lines(html: &str, expected: &[(&str, usize)]) {
    let expected: Vec<(String, usize)> = expected.iter().map(|(line, at)| ((*line).to_owned(), *at)).collect();
    assert_eq!(placed(html), expected);
}

#[test]
fn what_runs_or_frames_is_no_prose_and_values_are_no_text() {
    check(
        "<p title=\"a > b\">One.</p><IFRAME src=x>two</iframe><svg onload=x><text>three</text></svg><p a='x\">Four.</p>",
        "One.\n\nFour.",
    );
    check("a <p title=\"never closed>b</p>", "a\n\nb");
    check("<p title=\"x\">a</p title=\"never closed><p>b</p>", "a\n\nb");
    check("<head><style>p{}</style><script>if (a<b) {'<p>no</p>'}</script></head><p>yes", "yes");
    check(
        "<p>a<noscript><p>on?</p></noscript><template><p>t</p></template> b<object><object>x</object>y</object>",
        "a b",
    );
    check("<p>a</p><svg><path/><p>An open drawing holds nothing.</p>", "a\n\nAn open drawing holds nothing.");
    check("<script src=x /><p>a</p>", "");
    check("<!doctype html><!-- a > b --><?xml version='1'?><p>c</p><!-- never closed <p>d</p>", "c");
}

#[test]
fn references_are_decoded_and_hide_nothing() {
    check(
        "<p>a &#8212; b &hellip; &lt;img&gt; &amp;amp; &Auml;&ouml;&nbsp;c &copy 2 &bogus; &#x1F600;</p>",
        "a — b … <img> &amp; Äö c © 2 &bogus; 😀",
    );
    check("<p>in&#x200b;vis&#8206;ible&#x202e; &#27;[31mred&#27;[0m&#0;</p>", "invisible red\u{fffd}");
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    for split in [token.replacen('_', "&lowbar;", 1), format!("{}<b>{}</b>", &token[..9], &token[9..])] {
        let prose = read(&format!("<p>The key is {split} here.</p>"));
        assert!(!prose.text.contains(&token), "{}", prose.text);
    }
}

#[test]
fn every_line_keeps_the_line_of_its_source() {
    check_lines(
        "<html><head><style>p{}\n</style></head>\n<body><h1>Title</h1>\n<p>One &amp;\ntwo.</p><ul>\n<li>item</li></ul><script>x < 1;\n</script></body>",
        &[("# Title", 3), ("One &", 4), ("two.", 5), ("- item", 6)],
    );
    check_lines(
        "<p\n title='a\nb'>\n\nx\r\n<b>y</b></p>\r\n<pre>\n\na\n\n  b\n</pre>",
        &[("x", 5), ("y", 6), ("```", 9), ("a", 9), ("  b", 11), ("```", 11)],
    );
    check_lines(
        "<table>\n<tr><th>a<th>b\n<tr>\n<td>1\n<td>2\n</table>",
        &[("| a | b |", 2), ("|---|---|", 2), ("| 1 | 2 |", 4)],
    );
}

#[test]
fn headings_and_paragraphs_stand_apart() {
    check(
        "<h1>A\n<em>b</em><br>c</h1>x<h2></h2><h3>D<a href='#d'>¶</a></h3><div>y</div>z",
        "# A b c\n\nx\n\n### D\n\ny\n\nz",
    );
    check("<h1>open<p>text</p>", "# open text");
    check("<p>a <b>b</b><i>c</i> , d<br>e<br><br>f<hr>g", "a bc , d\ne\n\nf\n\ng");
    check("<p>10<sup>6</sup> <q>no</q> way", "10^6 “no” way");
}

#[test]
fn lists_are_nested_and_numbered() {
    check(
        "<p>Steps:</p><ol start=3><li>one</li><li><p>two</p><p>more</p><ul><li>a<li>b</ul></li></ol><p>end",
        "Steps:\n\n3. one\n4. two\n\n   more\n   - a\n   - b\n\nend",
    );
    check("<ul><li></li><li><ul><li>deep</ul><li>a<h2>H</h2>b</ul>", "- deep\n- a\n\n## H\n\nb");
    check(
        "<ul><li><pre>x</pre></li><li>y<pre><code class='language-sh'>z</code></pre></ul>",
        "```\nx\n```\n- y\n\n  ```sh\n  z\n  ```",
    );
    check(
        "<dl><dt>Rate</dt><dd>Ten a second.</dd><dt>Size:</dt><dd><p>One.</p><p>Two.</p></dd></dl>",
        "- Rate: Ten a second.\n- Size:\n\n  One.\n\n  Two.",
    );
}

#[test]
fn code_stands_in_fences_with_its_language() {
    check(
        "<pre><code class=\"hl language-rust\">fn a() {\n    <b>b</b>();\n}\n</code></pre>",
        "```rust\nfn a() {\n    b();\n}\n```",
    );
    check("<div class='highlight-source-c++'><pre>a<br>b</pre></div>", "```c++\na\nb\n```");
    check("<pre>&lt;p&gt;\n```\n</pre>", "````\n<p>\n```\n````");
    check("<p>Run <code>a  b\nc</code>, <kbd>d`e</kbd><code> f </code>g <code></code>", "Run `a b c`, ``d`e`` `f` g");
    check("<p>open <code>x<p>y", "open `x`\n\ny");
    let memo = format!("<pre>\n1. Scope\n\n# {}\n</pre>", "A line of prose. ".repeat(300));
    assert!(read(&memo).text.starts_with("1. Scope\n\n\\# A line"), "{}", &read(&memo).text[..40]);
}

#[test]
fn tables_of_data_are_tables_and_others_only_place() {
    check(
        "<table><caption>Limits</caption><thead><tr><th>name<th>value</tr></thead><tbody><tr><td><code>a|b</code><td>1<br>2</tr></table>after",
        "Limits\n\n| name | value |\n|---|---|\n| `a\\|b` | 1 2 |\n\nafter",
    );
    check("<table><tr><td>a<td>b</table>", "|  |  |\n|---|---|\n| a | b |");
    check(
        "<table><tr><th>x<th>y<th>z<tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td><ul><li>d<li>e</ul></table>",
        "| x | y | z |\n|---|---|---|\n| a | b |  |\n| a | c | d; e |",
    );
    check(
        "<table><tr><td><h1>T</h1><p>x</p><td><table><tr><td>a<td>b</table></table>",
        "# T\n\nx\n\n|  |  |\n|---|---|\n| a | b |",
    );
    check("<table><tr><td>one<tr><td>two</table>", "one\n\ntwo");
}

#[test]
fn links_and_images_lead_somewhere_or_are_text() {
    check("<a href='https://x.example/a b(c)'>see <b>this</b></a>.", "[see this](https://x.example/a%20b%28c%29).");
    check(
        "<a href='#part'>a</a> <a href='javascript:x()'>b</a> <a name=c>c</a> <a href='d.html#e'>d</a>",
        "a b c [d](d.html#e)",
    );
    check("<a href='e.html'><h3>Card</h3><p>text</p></a>", "### [Card](e.html)\n\ntext");
    check("<a href=f.html>un]balanced</a> <a href=g.html>^1</a>", "un]balanced ^1");
    check(
        "<a href=f.html><img alt='a [b]' src='i.png'></a> <img src=x> <img alt='only' src='data:x'>",
        "[![a b](i.png)](f.html) only",
    );
}

#[test]
fn text_that_looks_like_markdown_stays_text() {
    check(
        "<p># a</p><p>```</p><p>| b</p><p>[^1]: c</p><p>&lt;!-- d</p><p>x\n# y",
        "\\# a\n\n\\```\n\n\\| b\n\n\\[^1]: c\n\n\\<!-- d\n\nx # y",
    );
}

#[test]
fn a_document_is_called_by_its_title_or_its_first_heading() {
    let title = |html: &str| read(html).title;
    assert_eq!(title("<title>\n A &#8212; B &amp; C</title><h1>D</h1>").as_deref(), Some("A — B & C"));
    assert_eq!(title("<title></title><h2><b>D</b> e</h2><h1>F</h1>").as_deref(), Some("D e"));
    assert_eq!(title("<p>x"), None);
}

/// Documents that are made to cost stack, time or memory.
fn hostile() -> Vec<(&'static str, String)> {
    let nested = |open: &str, n: usize| format!("{}end", open.repeat(n));
    vec![
        ("divs", nested("<div>", 100_000)),
        ("lists", nested("<ul><li>a", 50_000)),
        ("numbered lists", nested("<ol><li>", 100_000)),
        ("tables", nested("<table><tr><td>a<td>b", 300)),
        ("many tables", nested("<table><tr><td>", 50_000)),
        ("wide cells", format!("<table>{}", "<tr><td colspan=999 rowspan=999>word".repeat(20_000))),
        (
            "rows below",
            format!("<table><tr>{}{}", "<td rowspan=64>a word or two".repeat(64), "<tr><td>x".repeat(50_000)),
        ),
        ("a long row", format!("<table><tr>{}{}", "<td>a".repeat(50_000), "<tr><td>x".repeat(50_000))),
        ("formats", nested("<b><i><a href=x>", 50_000)),
        ("definitions", nested("<dl><dt>a<dd>", 50_000)),
        ("signs", "<".repeat(1_000_000)),
        ("open tags", "<p a=\"".repeat(150_000)),
        ("open closings", "</p a=\"".repeat(150_000)),
        ("attributes", format!("<p {}>end", (0..100_000).map(|n| format!("a{n} ")).collect::<String>())),
        ("comments", "<!--".repeat(250_000)),
        ("scripts", "<script>".repeat(100_000)),
        ("drawings", nested("<svg>", 100_000)),
        ("references", "&amp&#x41&#99999999999;".repeat(40_000)),
        ("backticks", format!("<p>{}", "`".repeat(1_000_000))),
        ("codes", nested("<code>`", 100_000)),
        ("brackets", format!("<a href=x>{}", "[ ".repeat(400_000))),
        ("line ends", "<p>\n".repeat(200_000)),
        ("preformatted", nested("<pre>a\n", 100_000)),
        ("headings", nested("<h1>a", 100_000)),
        ("one line", format!("<p>{}", "word ".repeat(400_000))),
    ]
}

#[test]
#[expect(clippy::disallowed_methods, reason = "that it ends in time is what is tested")]
fn hostile_documents_cost_neither_stack_nor_time() {
    for (name, html) in hostile() {
        let started = Instant::now();
        // A small stack: nothing may recurse.
        let work = std::thread::Builder::new().stack_size(256 * 1024);
        let prose = std::thread::scope(|scope| {
            work.spawn_scoped(scope, || read(&html)).expect("a thread").join().expect("reads to the end")
        });
        assert_eq!(prose.text.lines().count(), prose.lines.len(), "{name}");
        assert!(prose.text.len() < 8 * html.len() + 1_000_000, "{name}: {} bytes", prose.text.len());
        // Anything quadratic takes minutes.
        assert!(started.elapsed() < Duration::from_secs(20), "{name}: {:?}", started.elapsed());
    }
}

proptest! {
    #[test]
    fn whatever_is_read_every_line_has_its_place(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<p>", "</p>", "<ul>", "<ol start=7>", "<li>", "</ul>", "<pre>", "</pre>", "<code>", "</code>", "<h2>",
            "</h2>", "<table>", "<tr>", "<td>", "<th>", "</table>", "<a href=b.md>", "</a>", "<br>", "<dl>", "<dt>",
            "<dd>", "</dl>", "<div class=language-sh>", "<script>", "</script>", "<svg>", "</svg>", "<p a=\"", "a", " ",
            "\n", "é", "&lt;", "&#10;", "`", "# ", "|", "<img alt=i src=j>", "<title>", "</title>", "<caption>", "<q>",
        ]), 0..40),
    ) {
        let html = parts.concat();
        let prose = read(&html);
        prop_assert_eq!(prose.text.lines().count(), prose.lines.len());
        let last = html.split('\n').count();
        prop_assert!(prose.lines.iter().all(|line| (1..=last).contains(line)));
        prop_assert!(!prose.text.contains('\r'));
    }
}
