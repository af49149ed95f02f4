//! What documents of each form say, and that damaged ones give a reason.

use super::*;

#[track_caller]
fn said(name: &str, bytes: &[u8]) -> Told {
    read(name, bytes).unwrap_or_else(|why| panic!("{name}: {why}"))
}

#[test]
fn structured_text_is_markdown_with_its_headings_lists_code_tables_and_links() {
    let text = "=====\nMixer\n=====\n\n:Author: Ada\n:Date: 2026-03-04\n\nThe *mixer* kneads ``30 kg``, see `the manual <https://example.org/m>`_ and :ref:`lids <lid>`.\n\n.. _lid:\n\nLid\n---\n\nKeep it closed. Start it so::\n\n    mixer --start\n    mixer --stop\n\n.. note:: Never open it.\n   It stops then.\n\n.. code-block:: python\n   :linenos:\n\n   run()\n\n* one\n* two\n  goes on\n\n#. first\n\n.. image:: mixer.png\n   :alt: a mixer\n\n.. a comment\n   over lines\n\n* deep\n\n  ::\n\n    code\n\nSee Maker_ and |logo|.\n\n.. _maker: https://example.org/k\n.. |logo| image:: logo.png\n\nterm\n    What it means.\n\n=====  ======\nDough  Time\n=====  ======\nRye    40 min\nWheat  20 min\n=====  ======\n\n+------+------+\n| Lid  | Door |\n+======+======+\n| open | shut |\n+------+------+\n";
    let told = said("mixer.rst", text.as_bytes());
    let expected = "---\ndate: 2026-03-04\n---\n\n# Mixer\n\n- Author: Ada\n- Date: 2026-03-04\n\nThe *mixer* kneads `30 kg`, see [the manual](https://example.org/m) and lids.\n\n## Lid\n\nKeep it closed. Start it so:\n\n```\nmixer --start\nmixer --stop\n```\n\nNote: Never open it.\nIt stops then.\n\n```python\nrun()\n```\n\n- one\n- two\n  goes on\n\n1. first\n\n- deep\n\n  ```\n  code\n  ```\n\nSee [Maker](https://example.org/k) and .\n\n- **term**: What it means.\n\n| Dough | Time |\n|---|---|\n| Rye | 40 min |\n| Wheat | 20 min |\n\n| Lid | Door |\n|---|---|\n| open | shut |\n";
    assert_eq!((told.text.as_str(), told.ending), (expected, ".md"));
}

#[test]
fn asciidoc_is_markdown_with_its_headings_lists_code_tables_and_links() {
    let text = "= Chimney\nAda <ada@example.org>\nv1.0, 2026-03-05\n:firm: Sweep & Son\n\nIt is swept by {firm} in *March*, see https://example.org/s[their page] and <<soot,below>>.\n\n[[soot]]\n== Soot\n\nNOTE: Call them early.\n\n* one\n** deeper\n. first\n\nsoot:: What is swept.\n\n[source,sh]\n----\nsweep --all\n----\n\n// left out\n////\nand this\n////\n\n.Prices\n|===\n|Work |Euro\n\n|Sweep\n|40\n|===\n\nimage::chimney.png[]\n\n[WARNING]\n====\nMind the dust.\n====\n";
    let told = said("chimney.adoc", text.as_bytes());
    let expected = "---\ndate: 2026-03-05\n---\n\n# Chimney\n\nIt is swept by Sweep & Son in **March**, see [their page](https://example.org/s) and below.\n\n## Soot\n\nNote: Call them early.\n\n- one\n   - deeper\n1. first\n\n- **soot**: What is swept.\n\n```sh\nsweep --all\n```\n\n**Prices**\n\n| Work | Euro |\n|---|---|\n| Sweep | 40 |\n\nWarning: Mind the dust.\n";
    assert_eq!((told.text.as_str(), told.ending), (expected, ".md"));
}

#[test]
fn utf_8_stays_as_it_is_and_what_nobody_reads_says_what_would_help() {
    assert_eq!(said("a.md", "# Käse\r\n".as_bytes()).text, "# Käse\r\n");
    assert_eq!(said("a.md", b"# A\n").ending, "");
    assert!(is_read("pdf") && is_read("rst") && !is_read("doc") && !is_read(""));
    assert!(why_not("doc").contains("save it as .docx") && why_not("jpg").contains(".pdf"));
}

#[cfg(feature = "documents")]
mod packed {
    use std::io::{Cursor, Write as _};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut out = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            out.start_file(*name, SimpleFileOptions::default()).expect("a new file");
            out.write_all(text.as_bytes()).expect("it is in memory");
        }
        out.finish().expect("it is in memory").into_inner()
    }

    fn word() -> Vec<u8> {
        let paragraph = |style: &str, text: &str| {
            format!("<w:p><w:pPr>{style}</w:pPr><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
        };
        let item = "<w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"2\"/></w:numPr>";
        let body = [
            paragraph("<w:pStyle w:val=\"Titel\"/>", "Crates &amp; racks"),
            paragraph("<w:pStyle w:val=\"berschrift1\"/>", "How they stand"),
            paragraph("", "The crates are stacked &#110;ine high."),
            paragraph("", "# is no heading"),
            paragraph("<w:pStyle w:val=\"Aufzhlung\"/>", "a hall"),
            paragraph(item, "a rack"),
            "<w:p><w:r><w:t>Ask </w:t></w:r><w:hyperlink r:id=\"r1\"><w:r><w:t>the firm</w:t></w:r></w:hyperlink><w:r><w:delText>gone</w:delText></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>".to_owned(),
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Hall</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Crates</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>North</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>90</w:t></w:r></w:p></w:tc></w:tr></w:tbl>".to_owned(),
        ];
        archive(&[
            (
                "word/document.xml",
                &format!(
                    "<?xml version=\"1.0\"?><w:document xmlns:w=\"x\" xmlns:r=\"y\"><w:body>{}</w:body></w:document>",
                    body.concat()
                ),
            ),
            (
                "word/styles.xml",
                "<w:styles><w:style w:styleId=\"Titel\"><w:name w:val=\"Title\"/></w:style><w:style w:styleId=\"Aufzhlung\"><w:name w:val=\"List Bullet\"/></w:style><w:style w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>",
            ),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Id=\"r1\" Target=\"https://example.org/f\"/></Relationships>",
            ),
            (
                "docProps/core.xml",
                "<c><dc:title>Ignored</dc:title><dcterms:modified>2026-03-06T10:00:00Z</dcterms:modified></c>",
            ),
        ])
    }

    fn book() -> Vec<u8> {
        archive(&[
            (
                "META-INF/container.xml",
                "<container><rootfiles><rootfile full-path=\"O/c.opf\"/></rootfiles></container>",
            ),
            (
                "O/c.opf",
                "<package><metadata><dc:title>The Rye Book</dc:title><dc:date>2025-01-02</dc:date></metadata><manifest><item id=\"n\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/><item id=\"b\" href=\"t/b.xhtml\" media-type=\"application/xhtml+xml\"/><item id=\"a\" href=\"t/a.xhtml\" media-type=\"application/xhtml+xml\"/><item id=\"x\" href=\"t/x.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"n\"/><itemref idref=\"a\"/><itemref idref=\"b\"/><itemref idref=\"x\"/></spine></package>",
            ),
            (
                "O/t/a.xhtml",
                "<html><head><title>A</title></head><body class=\"c\"><h1>Rye</h1><p>It is baked for seventy minutes.</p></body></html>",
            ),
            ("O/t/b.xhtml", "<html><body><h1>Wheat</h1><p>For forty.</p></body></html>"),
        ])
    }

    #[test]
    fn a_document_of_word_has_its_headings_lists_links_and_tables() {
        let told = said("crates.docx", &word());
        let expected = "---\ndate: 2026-03-06\n---\n\n# Crates & racks\n\n## How they stand\n\nThe crates are stacked nine high.\n\n\\# is no heading\n\n- a hall\n  - a rack\n\nAsk [the firm](https://example.org/f)\n\n| Hall | Crates |\n|---|---|\n| North | 90 |\n";
        assert_eq!((told.text.as_str(), told.ending), (expected, ".md"));
    }

    #[test]
    fn a_book_has_its_chapters_in_order_a_paragraph_a_line() {
        let told = said("rye.epub", &book());
        let expected = "<!--\ntitle: The Rye Book\ndate: 2025-01-02\n-->\n<html><head><title>The Rye Book</title></head><body>\n<h1>Rye</h1>\n<p>It is baked for seventy minutes.</p>\n\n<h1>Wheat</h1>\n<p>For forty.</p>\n</body></html>\n";
        assert_eq!((told.text.as_str(), told.ending), (expected, ".html"));
        assert_eq!(told.lost, ["chapter 3: `t/x.xhtml` is not in it"]);
    }

    #[test]
    fn text_in_other_encodings_is_read_and_what_is_none_is_not() {
        let wide = |text: &str, big: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        let text = "Der Käse reift neunzig Tage im Keller.\n";
        for bytes in [
            [b"\xff\xfe".to_vec(), wide(text, false)].concat(),
            [b"\xfe\xff".to_vec(), wide(text, true)].concat(),
            wide(text, false),
            wide(text, true),
            text.chars().map(|ch| ch as u8).collect(),
        ] {
            assert_eq!(said("a.txt", &bytes).text, text);
        }
        let page = b"<meta charset=\"windows-1251\"><p>\xd5\xeb\xe5\xe1</p>";
        assert_eq!(said("a.html", page).text, "<meta charset=\"windows-1251\"><p>Хлеб</p>");
        for bytes in [&[0xff, 0x00, 0x01, 0xfe][..], &(0..=255).collect::<Vec<u8>>(), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"]
        {
            let why = read("a.txt", bytes).expect_err("it is no text");
            assert!(why.contains("save it as UTF-8"), "{why}");
        }
    }

    #[test]
    fn what_is_damaged_protected_or_too_large_says_so() {
        let why = |name: &str, bytes: &[u8]| read(name, bytes).expect_err("it cannot be read");
        assert!(why("a.docx", b"PK\x03\x04garbage").contains("damaged"));
        assert!(why("a.docx", b"\xd0\xcf\x11\xe0 old").contains("protected by a password"));
        assert!(why("a.docx", &book()).contains("no document of Word"));
        assert!(why("a.docx", &archive(&[("word/document.xml", "<w:document/>")])).contains("no text"));
        assert!(why("a.epub", &word()).contains("no book"));
        let bomb = archive(&[("word/document.xml", &" ".repeat(33 * 1024 * 1024))]);
        assert!(bomb.len() < 1024 * 1024 && why("a.docx", &bomb).contains("32 MiB"));
    }

    #[test]
    fn no_damage_makes_a_panic() {
        let mut seed = 1_u64;
        let mut next = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).expect("31 bits") % n.max(1)
        };
        let rst = "T\n=\n\n.. note::\n\n   x\n\n+-+-+\n|a|b|\n+-+-+\n\n== ==\na  b\n== ==\n\n`x <y>`_ ``é`` :r:`s`\n::\n\n  c\n";
        let adoc = "= T\nv1, 2026-01-01\n\n|===\n|a |b\n|===\n\n----\nx\n----\n* é\n{x} <<a>> `b` link:c[d]\n";
        for (name, whole) in [
            ("a.docx", word()),
            ("a.epub", book()),
            ("a.rst", rst.into()),
            ("a.adoc", adoc.into()),
            ("a.txt", "Käse".into()),
        ] {
            for _ in 0..400 {
                let mut bytes = whole.clone();
                for _ in 0..=next(4) {
                    let at = next(bytes.len());
                    match next(3) {
                        0 => bytes[at] = u8::try_from(next(256)).expect("a byte"),
                        1 => bytes.truncate(at.max(1)),
                        _ => bytes.insert(at, b"=|`<>[]\"'{}\n -+"[next(15)]),
                    }
                }
                let _ = read(name, &bytes);
            }
        }
    }
}

#[cfg(feature = "pdf")]
mod pdf {
    use super::*;

    /// A file with pages of lines; a page without lines has a picture at most.
    fn file(pages: &[&[&str]], info: &str) -> Vec<u8> {
        let kids: Vec<String> = (0..pages.len()).map(|n| format!("{} 0 R", 5 + 2 * n)).collect();
        let mut objects = vec![
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
            format!("<< {info} >>"),
        ];
        for (n, lines) in pages.iter().enumerate() {
            let shown: String = lines.iter().map(|line| format!("({line}) Tj 0 -16 Td ")).collect();
            let stream = format!("BT /F1 12 Tf 72 720 Td {shown}ET");
            objects.push(format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>", 6 + 2 * n));
            objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
        }
        let (mut out, mut places) = ("%PDF-1.4\n".to_owned(), Vec::new());
        for (n, object) in objects.iter().enumerate() {
            places.push(out.len());
            out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", n + 1));
        }
        let start = out.len();
        out.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
        places.iter().for_each(|at| out.push_str(&format!("{at:010} 00000 n \n")));
        out.push_str(&format!(
            "trailer << /Size {} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n",
            objects.len() + 1
        ));
        out.into_bytes()
    }

    #[test]
    fn a_pdf_file_has_its_pages_with_their_numbers() {
        let bytes = file(
            &[&["The door seal is re-", "placed every two years."], &[], &["# Call the firm."]],
            "/Title (Oven manual) /ModDate (D:20260307120000Z)",
        );
        let told = said("manual.pdf", &bytes);
        assert!(told.text.starts_with("---\ntitle: Oven manual\ndate: 2026-03-07\n---\n\n## Page 1\n\nThe door seal is replaced\nevery two years.\n"), "{}", told.text);
        assert!(told.text.contains("## Page 3\n\n\\# Call the firm.\n"), "{}", told.text);
        assert_eq!(told.ending, ".md");
        assert_eq!(told.lost, ["1 of 3 pages have no text; `ocrmypdf` reads what is on pictures"]);
        assert!(
            said("my_manual.pdf", &file(&[&["x"]], "/Title (Microsoft Word - a.doc)"))
                .text
                .starts_with("---\ntitle: my manual\n")
        );
    }

    #[test]
    fn what_cannot_be_read_of_a_pdf_file_says_why() {
        let why = |bytes: &[u8]| read("a.pdf", bytes).expect_err("it cannot be read");
        assert!(why(b"no pdf").contains("does not begin as one"));
        assert!(why(&file(&[&[], &[]], "")).contains("ocrmypdf"));
        let whole = file(&[&["The oven is hot."]], "");
        assert!(!why(&whole[..whole.len() / 3]).is_empty());
        // Whatever is damaged gives text or a reason.
        for at in (9..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] = b'9';
            let _ = read("a.pdf", &bytes);
        }
    }
}
