//! Headers in every shape the seeds use, read and changed.

use super::*;
use proptest::prelude::*;

const CKP: &str = "---\nCONCEPT:      JWT Authentication\nTLDR:         Stateless token-based auth — see #12.\nANSWERS_WHEN: authentication, token, jwt\n\nSIMILAR_HIGH: oauth2:2025-03, refresh-token:2025-03\n\nVALIDATED:    2025-03\n---\n\n# JWT\n";
const YAML: &str = "\u{feff}---\r\ntype: concept # a comment\r\ntitle: \"A: b\"\r\nsources:\r\n  - daily/2026-04-01.md\r\n  - 'raw/it''s.md'\r\nodd_key: {a: [1, 2]}\r\n---\r\nbody\r\n";
const HTML: &str =
    "<!DOCTYPE html>\n<html>\n<!-- plain: comment -->\n<!--\nCONCEPT: x\nTLDR: One line.\n-->\n<body>hi</body>\n";
const COMBINED: &str = "---\n# CKP fields\nCONCEPT:      prescient\nANSWERS_WHEN: analytics, dati\n\n# Memory bank metadata (unchanged)\nupdated_at:   2025-04-01T10:00:00\nttl:          30d\n---\nbody\n";

fn header(text: &str) -> Header {
    read_header(text).value
}

#[test]
fn ckp_block_reads() {
    let h = header(CKP);
    assert_eq!(h.scalar(CKP, FieldName::Title).as_deref(), Some("JWT Authentication"));
    assert_eq!(h.scalar(CKP, FieldName::Tldr).as_deref(), Some("Stateless token-based auth — see #12."));
    assert_eq!(h.list(CKP, FieldName::Triggers), ["authentication", "token", "jwt"]);
    assert_eq!(h.relations(CKP, FieldName::High)[1].to_string(), "refresh-token:2025-03");
    assert_eq!(&CKP[h.block.end..], "\n# JWT\n");
}

#[test]
fn yaml_block_reads() {
    let h = header(YAML);
    assert_eq!(h.scalar(YAML, FieldName::Category).as_deref(), Some("concept"));
    assert_eq!(h.scalar(YAML, FieldName::Title).as_deref(), Some("A: b"));
    assert_eq!(h.list(YAML, FieldName::Sources), ["daily/2026-04-01.md", "raw/it's.md"]);
    assert_eq!(&YAML[h.block.end..], "body\r\n");
}

#[test]
fn comment_block_reads_past_other_comments() {
    let h = header(HTML);
    assert_eq!((h.shape, h.scalar(HTML, FieldName::Tldr).as_deref()), (Shape::Comment, Some("One line.")));
}

#[test]
fn combined_header_keeps_both_halves() {
    let h = header(COMBINED);
    assert_eq!(h.list(COMBINED, FieldName::Triggers), ["analytics", "dati"]);
    assert_eq!(h.date(COMBINED, FieldName::Updated).map(|d| d.to_string()).as_deref(), Some("2025-04-01"));
    let changed = set_field(COMBINED, &h, FieldName::Tldr, &"Predicts.".into(), NewBlock::Yaml);
    assert_eq!(changed.replace("TLDR: Predicts.\n", "").replace("tldr: Predicts.\n", ""), COMBINED);
}

#[track_caller]
fn check_set(text: &str, name: FieldName, value: FieldValue, from: &str, to: &str) {
    assert!(text.contains(from), "the sample holds what is replaced");
    assert_eq!(set_field(text, &header(text), name, &value, NewBlock::Yaml), text.replacen(from, to, 1));
}

#[test]
fn only_the_value_changes() {
    check_set(YAML, FieldName::Category, "entity".into(), "concept # a", "entity # a");
    check_set(YAML, FieldName::Title, "Plain".into(), "\"A: b\"", "Plain");
    check_set(CKP, FieldName::Validated, "2026-01".into(), "VALIDATED:    2025-03", "VALIDATED:    2026-01");
    check_set(
        CKP,
        FieldName::Triggers,
        vec!["a".to_owned(), "b".to_owned()].into(),
        "authentication, token, jwt",
        "a, b",
    );
}

#[test]
fn an_entry_of_a_list_that_some_readers_would_cut_is_quoted() {
    let value = vec!["jj log? How".to_owned(), "plain".to_owned()].into();
    let changed = set_field("# T\n", &header("# T\n"), FieldName::Triggers, &value, NewBlock::Yaml);
    assert!(changed.contains("[\"jj log? How\", plain]"), "{changed}");
}

#[test]
fn block_lists_stay_block_lists() {
    let value = vec!["a.md".to_owned(), "b.md".to_owned()].into();
    check_set(YAML, FieldName::Sources, value, "  - daily/2026-04-01.md\r\n  - 'raw/it''s.md'", "  - a.md\r\n  - b.md");
}

#[test]
fn an_unchanged_value_keeps_its_quoting() {
    assert_eq!(set_field(YAML, &header(YAML), FieldName::Title, &"A: b".into(), NewBlock::Yaml), YAML);
}

#[test]
fn a_page_without_header_gets_one() {
    assert_eq!(
        set_field("# T\n", &header("# T\n"), FieldName::Tldr, &"X.".into(), NewBlock::Yaml),
        "---\ntldr: X.\n---\n# T\n"
    );
    let html = "<!doctype html>\n<p>";
    let changed = set_field(html, &header(html), FieldName::Tldr, &"X.".into(), NewBlock::Comment);
    assert_eq!(changed, "<!doctype html>\n<!--\nTLDR: X.\n-->\n\n<p>");
    assert_eq!(header(&changed).scalar(&changed, FieldName::Tldr).as_deref(), Some("X."));
}

#[test]
fn a_ckp_page_without_header_gets_ckp_fields() {
    let changed =
        set_field("# T\n", &header("# T\n"), FieldName::Triggers, &vec!["a".to_owned()].into(), NewBlock::Ckp);
    assert_eq!(changed, "---\nANSWERS_WHEN: a\n---\n# T\n");
}

#[test]
fn a_rule_at_the_top_is_not_a_header() {
    let text = "---\nJust a paragraph.\n---\n";
    assert_eq!(header(text).shape, Shape::None);
}

#[test]
fn an_unclosed_header_is_reported_and_loses_nothing() {
    let parsed = read_header("---\ntitle: x\n\nbody");
    assert_eq!((parsed.value.shape, parsed.notes[0].rule), (Shape::None, "header-unclosed"));
}

proptest! {
    #[test]
    fn reading_never_panics_and_spans_are_in_range(text in "(---\n)?([a-zA-Z_]{0,8}: ?[^\n]{0,12}\r?\n|- .{0,5}\n|<!--|-->|\n){0,12}(---\n)?.{0,20}") {
        let h = header(&text);
        for field in &h.fields {
            prop_assert!(field.lines.end <= text.len());
            prop_assert!(text.get(field.key.start..field.key.end).is_some());
            prop_assert!(text.get(field.value.start..field.value.end).is_some());
        }
        prop_assert!(text.is_char_boundary(h.block.end));
    }

    #[test]
    fn setting_a_field_reads_back_and_leaves_the_body_alone(value in "[ -~à]{1,40}", body in "[a-z\n]{0,30}") {
        let wanted = value.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assume!(!wanted.is_empty() && !wanted.starts_with(['"', '\'']) );
        for text in [format!("---\nother: 1 # c\n---\n{body}"), format!("---\nCONCEPT: x\n---\n{body}")] {
            let changed = set_field(&text, &header(&text), FieldName::Tldr, &wanted.as_str().into(), NewBlock::Yaml);
            let h = header(&changed);
            prop_assert_eq!(h.scalar(&changed, FieldName::Tldr).unwrap_or_default(), wanted.clone());
            prop_assert_eq!(&changed[h.block.end..], body.as_str());
        }
    }
}
