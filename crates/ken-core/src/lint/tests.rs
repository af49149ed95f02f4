//! One vault a rule, and fixes that remove their findings.

use std::collections::BTreeMap;

use super::*;
use crate::digest::Digest;
use crate::index::render::render_index;
use crate::layout::{KENNING, Layout};
use crate::snapshot::{PageFacts, SourceText};

fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("inside")
}

fn snapshot(pages: &[(&str, &str)], sources: &[(&str, &str)]) -> Snapshot {
    let facts = pages.iter().map(|(name, text)| PageFacts::read(&path(name), (*text).to_owned())).collect();
    let source = |text: &str| {
        let digest = Digest::of(text.as_bytes());
        SourceText::new(Some(text.to_owned()), digest, Some(digest))
    };
    let sources: BTreeMap<_, _> = sources.iter().map(|(name, text)| (path(name), source(text))).collect();
    let layout = Layout::new(&KENNING, &path("knowledge"));
    let mut snapshot = Snapshot::new(layout, facts, sources);
    snapshot.index_files = render_index(&snapshot.layout, &snapshot.entries(), |_| None).into_iter().collect();
    snapshot
}

/// The findings as `rule path:message`, without the suggestions every small fixture has.
#[track_caller]
fn check(pages: &[(&str, &str)], sources: &[(&str, &str)], expected: &[&str]) {
    let snapshot = snapshot(pages, sources);
    let quiet = ["sparse-page", "orphan", "missing-backlink", "trigger-count", "tldr-shape", "unvalidated-relation"];
    let found = lint(&snapshot, "2026-06-01".parse().expect("a date"));
    let shown: Vec<String> = found
        .iter()
        .filter(|d| !quiet.contains(&d.rule))
        .map(|d| format!("{} {}: {}", d.rule, d.path, d.message))
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn what_was_checked_before_is_found_again_as_long_as_nothing_of_it_changes() {
    let digest = Digest::of_normalised("The oven heats.").short();
    let oven =
        format!("---\nowner: kenning\n---\nOven heats in Florian and Tarvos.[^1]\n\n[^1]: daily/a.md#L1-L1 {digest}\n");
    let pages = |more| [("knowledge/oven.md", oven.as_str()), ("knowledge/florian.md", "A town.\n"), (more, "More.\n")];
    let today = "2026-06-01".parse().expect("a date");
    let mut before = BTreeMap::new();
    for (more, source) in [
        ("knowledge/x.md", "The oven heats.\n"),
        ("knowledge/x.md", "The oven heats.\n"),
        ("knowledge/tarvos.md", "The oven heats.\n"),
        ("knowledge/x.md", "The oven heats.\nIt is in Tarvos.\n"),
    ] {
        let snapshot = snapshot(&pages(more), &[("daily/a.md", source)]);
        let memory = Memory::of(before.clone());
        assert_eq!(lint_with(&snapshot, today, &memory), lint(&snapshot, today), "{more} {source}");
        before = memory.news().unwrap_or(before);
        assert!(!before.is_empty());
        // Nothing is news where nothing changed.
        let again = Memory::of(before.clone());
        assert_eq!(lint_with(&snapshot, today, &again), lint(&snapshot, today));
        assert_eq!(again.news(), None);
    }
}

/// When this fails, rules that remember find something else in the same texts: raise [`CHECKS_VERSION`] and pin the new
/// digest, or what an older program found would be believed.
#[test]
fn what_a_version_of_the_checks_finds_never_changes() {
    let lines =
        "On Tuesday Ada moved 12 of the 30 ovens to `src/oven.rs`; \"heat it slowly\", she said. It is not done.";
    let claims = [
        "Ada moved 12 ovens.",
        "Bob moved 14 ovens.",
        "She said \"heat it fast\".",
        "It is done on 2026-05-04.",
        "Ada moved them on Tuesday (2026-03-31).",
        "Ada moved them on Tuesday (2026-04-01).",
        "`src/kiln.rs` holds 12 % of 3 days.",
    ];
    let digest = Digest::of_normalised(lines).short();
    let mut page = "---\nowner: kenning\n---\n".to_owned();
    claims.iter().for_each(|claim| page.push_str(&format!("- {claim}[^1]\n")));
    page.push_str(&format!("\n[^1]: daily/2026-04-01.md#L1-L1 {digest}\n"));
    let snapshot = snapshot(&[("knowledge/x.md", &page)], &[("daily/2026-04-01.md", &format!("{lines}\n"))]);
    let found = lint(&snapshot, "2026-06-01".parse().expect("a date"));
    let found = found.iter().filter(|one| one.rule == "ungrounded-claim");
    let shown: Vec<String> = found.map(|one| format!("{} {}", one.span.start, one.message)).collect();
    assert_eq!(
        (CHECKS_VERSION, Digest::of(shown.join("\n").as_bytes()).short()),
        (2, "2d39cc84".to_owned()),
        "{shown:#?}"
    );
}

#[test]
fn a_link_to_nothing_is_found_and_the_closest_page_named() {
    let snapshot = snapshot(&[("knowledge/auth-middleware.md", "See [[auth-midleware]] and `[[code]]`.\n")], &[]);
    let found = lint(&snapshot, "2026-06-01".parse().expect("a date"));
    let broken: Vec<_> = found.iter().filter(|d| d.rule == "broken-link").collect();
    assert_eq!((broken.len(), broken[0].hints[0].as_str()), (1, "the closest page is `auth-middleware`"));
}

#[test]
fn links_resolve_by_path_slug_alias_title_and_to_the_journal() {
    let a = "---\ntitle: Web Tokens\naliases: [jwt]\n---\nbody\n";
    let b = "[[concepts/a]] [[a]] [[JWT]] [[web tokens]] [[a#Heading]] [[daily/2026-04-01]] [[daily/2026-04-01.md]] [[index]] ![[pic.png]] [[team:x]]\n";
    check(&[("knowledge/concepts/a.md", a), ("knowledge/b.md", b)], &[("daily/2026-04-01.md", "x\n")], &[]);
}

#[test]
fn citations_are_checked_by_content() {
    let digest = Digest::of_normalised("tokens live 15 minutes").short();
    let page = |lines: &str| {
        format!(
            "---\nowner: kenning\nsources: [daily/2026-04-08.md]\n---\nTokens live 15 minutes.[^1]\n\n[^1]: daily/2026-04-08.md#{lines} {digest} \"x\"\n"
        )
    };
    let there = page("L2-L2");
    let moved = page("L1-L1");
    check(&[("knowledge/a.md", &there)], &[("daily/2026-04-08.md", "# d\ntokens  live 15 minutes\n")], &[]);
    check(
        &[("knowledge/a.md", &moved)],
        &[("daily/2026-04-08.md", "# d\ntokens live 15 minutes\n")],
        &["citation-moved knowledge/a.md: cited text of `daily/2026-04-08.md` moved to lines 2-2"],
    );
    check(
        &[("knowledge/a.md", &there)],
        &[("daily/2026-04-08.md", "# d\ngone\n")],
        &[
            "citation-gone knowledge/a.md: cited text of `daily/2026-04-08.md` is gone: the cited lines hold other text now",
        ],
    );
}

#[test]
fn an_uncited_claim_of_a_compiled_page_is_found() {
    check(
        &[("knowledge/a.md", "---\nowner: kenning\n---\nNo source.\n\nOdd mark.[^9]\n")],
        &[],
        &[
            "uncited-claim knowledge/a.md: claim cites no source",
            "uncited-claim knowledge/a.md: mark `[^9]` has no footnote",
        ],
    );
}

#[test]
fn names_and_redirects_are_unambiguous() {
    check(
        &[
            ("knowledge/a/x.md", "x\n"),
            ("knowledge/b/x.md", "---\nslug: y\n---\nx\n"),
            ("knowledge/r1.md", "---\nredirect_to: r2\n---\n"),
            ("knowledge/r2.md", "---\nredirect_to: x\n---\n"),
            ("knowledge/r3.md", "---\nredirect_to: zz\n---\n"),
        ],
        &[],
        &[
            "duplicate-name knowledge/b/x.md: slug `x` already names `knowledge/a/x.md`",
            "slug-drift knowledge/b/x.md: header says slug `y`, the file is named `x`",
            "double-redirect knowledge/r1.md: redirect takes 2 steps to reach `x`",
            "broken-redirect knowledge/r3.md: redirect to `zz`, but no page has that name",
        ],
    );
}

#[test]
fn a_changed_source_makes_its_pages_stale() {
    let mut snapshot =
        snapshot(&[("knowledge/a.md", "---\nowner: kenning\nsources: [raw/s.md]\n---\n")], &[("raw/s.md", "new")]);
    snapshot.sources.get_mut(&path("raw/s.md")).expect("there").compiled = Some(Digest::of(b"old"));
    let rules: Vec<_> = lint(&snapshot, "2026-06-01".parse().expect("a date")).iter().map(|d| d.rule).collect();
    assert!(rules.contains(&"stale-page") && rules.contains(&"uncompiled-source"));
}

#[test]
fn where_nothing_is_known_of_what_was_compiled_pages_tell() {
    let page = ("knowledge/a.md", "---\nowner: kenning\nsources: [raw/s.md, raw/gone.md]\n---\n");
    let rules = |sources: &[(&str, &str)]| -> Vec<String> {
        let mut snapshot = snapshot(&[page], sources);
        snapshot.sources.values_mut().for_each(|source| source.compiled = None);
        let found = lint(&snapshot, "2026-06-01".parse().expect("a date"));
        let wanted = found.iter().filter(|one| ["stale-page", "uncompiled-source"].contains(&one.rule));
        wanted.map(|one| format!("{}: {}", one.path, one.message)).collect()
    };
    assert_eq!(
        rules(&[("raw/s.md", "new"), ("raw/other.md", "new")]),
        ["knowledge/a.md: source `raw/gone.md` is gone", "raw/other.md: source is not compiled yet"]
    );
    assert_eq!(rules(&[("raw/s.md", "new"), ("raw/gone.md", "here")]), Vec::<String>::new());
}

#[test]
fn the_claims_of_a_page_are_counted_as_the_rules_find_them() {
    let digest = |line: &str| Digest::of_normalised(line).short();
    let (kept, gone) = (digest("It rings after 25 minutes."), digest("It is red."));
    let text = format!(
        "---\nowner: kenning\nsources: [daily/2026-05-01.md]\n---\n# Oven\n\nIt rings after 25 minutes.[^1] It rings after 30 \
         minutes.[^1] It is red.[^2] It is old.\n\n[^1]: daily/2026-05-01.md#L1-L1 {kept} \"It\"\n[^2]: \
         daily/2026-05-01.md#L2-L2 {gone} \"It\"\n"
    );
    let pages = [("knowledge/oven.md", text.as_str()), ("knowledge/own.md", "It is mine.\n")];
    let snapshot = snapshot(&pages, &[("daily/2026-05-01.md", "It rings after 25 minutes.\nIt is blue.\n")]);
    let is_page = |_: &str| false;
    let mut grounds = Grounds::new(&snapshot.sources, &is_page);
    let counted: Vec<Option<Grounding>> = snapshot.pages.iter().map(|facts| grounds.of(facts)).collect();
    assert_eq!(counted, [Some(Grounding { grounded: 1, unverified: 2, stale: 1 }), None]);
    let found = lint(&snapshot, "2026-06-01".parse().expect("a date"));
    let n = |rule: &str| found.iter().filter(|one| one.rule == rule).count();
    assert_eq!((n("ungrounded-claim") + n("uncited-claim"), n("citation-gone")), (2, 1));
}

#[test]
fn fixes_remove_their_findings_and_add_none() {
    let digest = Digest::of_normalised("x y").short();
    let a = format!(
        "---\nowner: kenning\nsimilar_high: [b:2026-05, c:2026-05, d:2026-05, e:2026-05]\nbody_digest: 00000000\nsources: [raw/s.md]\n---\nX y.[^1]\n\n[^1]: raw/s.md#L1-L1 {digest} \"x y\"\n"
    );
    let b = "---\nredirect_to: c\n---\n";
    let c = "---\nredirect_to: d\n---\n";
    let mut pages = vec![
        ("knowledge/a.md".to_owned(), a),
        ("knowledge/b.md".to_owned(), b.to_owned()),
        ("knowledge/c.md".to_owned(), c.to_owned()),
        ("knowledge/d.md".to_owned(), "d\n".to_owned()),
        ("knowledge/e.md".to_owned(), "e\n".to_owned()),
    ];
    let today = "2026-06-01".parse().expect("a date");
    let build = |pages: &[(String, String)]| {
        let borrowed: Vec<(&str, &str)> = pages.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        snapshot(&borrowed, &[("raw/s.md", "first\nx y\n")])
    };
    let before = build(&pages);
    let count = |s: &Snapshot| lint(s, today).into_iter().filter(|d| d.fixable).count();
    assert_eq!(count(&before), 3);
    for (basis, text) in fixed_pages(&before, today) {
        pages.iter_mut().find(|(name, _)| *name == basis.path().as_str()).expect("a page").1 = text;
    }
    let after = build(&pages);
    assert_eq!(count(&after), 0);
    assert!(lint(&after, today).len() < lint(&before, today).len());
}
