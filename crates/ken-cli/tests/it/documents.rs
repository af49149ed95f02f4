//! Documents of Word, PDF files, books and texts in other encodings, with the real binary: what they say is asked for, and
//! what cannot be read says why.

use std::fs;
use std::io::{Cursor, Write as _};

use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::support::{run, text};

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        out.start_file(*name, SimpleFileOptions::default()).expect("a new file");
        out.write_all(text.as_bytes()).expect("it is in memory");
    }
    out.finish().expect("it is in memory").into_inner()
}

fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|n| format!("{} 0 R", 4 + 2 * n)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (n, said) in pages.iter().enumerate() {
        let stream = if said.is_empty() { String::new() } else { format!("BT /F1 12 Tf 72 720 Td ({said}) Tj ET") };
        let page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>";
        objects.push(format!("<< {page} /Contents {} 0 R >>", 5 + 2 * n));
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
    }
    let (mut out, mut places) = ("%PDF-1.4\n".to_owned(), String::new());
    for (n, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", out.len()));
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", n + 1));
    }
    let (n, start) = (objects.len() + 1, out.len());
    out.push_str(&format!(
        "xref\n0 {n}\n0000000000 65535 f \n{places}trailer << /Size {n} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    out.into_bytes()
}

#[test]
fn what_documents_of_every_form_say_is_answered_with_its_place_and_what_is_unread_says_why() {
    let folder = TempDir::new().expect("a folder");
    let put = |name: &str, bytes: &[u8]| {
        let place = folder.path().join("papers").join(name);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a new folder");
        fs::write(place, bytes).expect("a new file");
    };
    put("manual.pdf", &pdf(&["Oven manual", "The door seal is replaced every two years."]));
    put("scan.pdf", &pdf(&[""]));
    put(
        "crates.docx",
        &archive(&[(
            "word/document.xml",
            "<w:document xmlns:w=\"x\"><w:body><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Crates</w:t></w:r></w:p><w:p><w:r><w:t>The crates are stacked nine high.</w:t></w:r></w:p></w:body></w:document>",
        )]),
    );
    put(
        "rye.epub",
        &archive(&[
            ("META-INF/container.xml", "<container><rootfiles><rootfile full-path=\"c.opf\"/></rootfiles></container>"),
            (
                "c.opf",
                "<package><metadata><dc:title>The rye book</dc:title></metadata><manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>",
            ),
            ("a.xhtml", "<html><body><h1>Rye</h1><p>Rye bread is baked for seventy minutes.</p></body></html>"),
        ]),
    );
    let cheese = "# Käse\n\nDer Käse reift neunzig Tage im Keller.\n";
    put("cheese.md", &[b"\xff\xfe".to_vec(), cheese.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat());
    put("ovens.txt", &"Die Öfen heizen bis 280 Grad.\n".chars().map(|ch| ch as u8).collect::<Vec<u8>>());
    put("broken.docx", b"PK\x03\x04garbage");
    let ken = |args: &[&str]| {
        let done = run(folder.path(), args);
        assert!(done.status.success(), "{args:?}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    };
    ken(&["init", "--layout", "kenning"]);
    let taken = ken(&["ingest", "papers"]);
    for (name, why) in [("scan.pdf", "ocrmypdf"), ("broken.docx", "it is damaged")] {
        let line = taken.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {taken}"));
        assert!(line.starts_with("skipped") && line.contains(why), "{line}");
    }
    ken(&["compile"]);
    for (question, answer, place) in [
        ("how often is the door seal replaced?", "every two years", "raw/papers/manual.pdf.md:11, page 2"),
        ("how high are the crates stacked?", "nine high", "raw/papers/crates.docx.md:3"),
        ("how long is rye bread baked?", "seventy minutes", "raw/papers/rye.epub.html:6"),
        ("wie lange reift der Käse?", "neunzig Tage", "raw/papers/cheese.md:3"),
        ("bis wie viel Grad heizen die Öfen?", "280 Grad", "raw/papers/ovens.txt:1"),
    ] {
        let said = ken(&["ask", question]);
        assert!(said.contains(answer) && said.contains(place), "{question}: {said}");
    }
    assert!(ken(&["ingest", "papers"]).contains("Nothing is new"));
    // One that stands among the sources already gets its copy beside it.
    fs::copy(folder.path().join("papers/manual.pdf"), folder.path().join("raw/second.pdf")).expect("copied");
    assert!(ken(&["ingest", "raw/second.pdf"]).contains("raw/second.pdf.md"));
    let lint = run(folder.path(), &["lint"]);
    assert!(lint.status.success(), "{}", text(&lint.stdout));
}
