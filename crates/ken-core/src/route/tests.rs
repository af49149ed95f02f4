//! The two examples of the pattern, abstention, and what holds for every question.

use super::*;
use crate::index::Index;
use crate::page::parse_page;
use crate::path::VaultPath;
use proptest::prelude::*;

fn page(name: &str, triggers: &str, high: &str, mid: &str) -> IndexEntry {
    let path = VaultPath::new(&format!("knowledge/{name}.md")).expect("inside");
    let text = format!(
        "---\nCONCEPT: {name}\nTLDR: What {name} is in one sentence.\nANSWERS_WHEN: {triggers}\nSIMILAR_HIGH: {high}\nSIMILAR_MID: {mid}\n---\nBody.\n"
    );
    IndexEntry::of(&parse_page(&path, text).value)
}

/// The coding example of the pattern's own document.
fn coding() -> Index {
    Index::new(vec![
        page(
            "jwt-authentication",
            "authentication, token, login, bearer, stateless, jwt, auth",
            "oauth2:2025-03, refresh-token:2025-03, bearer-token:2025-03",
            "http-headers:2025-03, cors:2025-03, api-security:2025-03",
        ),
        page("oauth2", "oauth, authorization, delegate, scope, grant, flow", "", ""),
        page("refresh-token", "refresh, rotation, renewal, expiry", "", ""),
        page("http-headers", "headers, http, token transport", "", ""),
        page("cors", "cors, origin, preflight", "", ""),
        page("api-security", "security, rate limiting, abuse", "", ""),
        page("database", "sql, schema, migration", "", ""),
        page("cryptography", "encryption, hashing, keys", "", ""),
    ])
}

/// The civic example.
fn civic() -> Index {
    Index::new(vec![
        page(
            "sicurezza-territoriale",
            "crime, security, reati, statistics, ISTAT, territory, area, criminalità",
            "istat-sdmx-api:2025-04, geographic-filtering:2025-04, crime-statistics:2025-04",
            "sentiment-analysis:2025-04, civis-reporting:2025-04, anomaly-detection:2025-04",
        ),
        page("istat-sdmx-api", "istat, sdmx, dataflow, api", "", ""),
        page("geographic-filtering", "comune, provincia, region, geographic", "", ""),
        page("civis-reporting", "report, civic, reati, segnalazioni", "", ""),
        page("rag-chat", "chat, retrieval, assistant", "", ""),
        page("multilingual-support", "language, translation", "", ""),
        page("social-analytics", "social, posts, trend", "", ""),
    ])
}

/// Pages in languages whose inflections are known.
fn abroad() -> Index {
    Index::new(vec![
        page("entscheidung", "Entscheidung, Beschluss", "", ""),
        page("sauvegarde", "sauvegarde, restauration", "", ""),
        page("despliegue", "despliegue, servidor", "", ""),
    ])
}

fn slugs(route: &Route) -> Vec<String> {
    let mut slugs: Vec<String> = route.loaded.iter().map(|page| page.entry.slug.to_string()).collect();
    slugs.sort();
    slugs
}

#[track_caller]
fn check(index: &Index, question: &str, expected: &[&str]) {
    let route = route(&Question::in_every_language(question), index, Tokens(8000));
    assert_eq!(slugs(&route), expected);
}

#[test]
fn the_refresh_token_question_loads_four_of_eight() {
    check(
        &coding(),
        "how do I implement refresh token rotation?",
        &["http-headers", "jwt-authentication", "oauth2", "refresh-token"],
    );
}

#[test]
fn inflections_of_every_language_meet() {
    check(&abroad(), "Welche Entscheidungen gibt es?", &["entscheidung"]);
    check(&abroad(), "Où sont les sauvegardes ?", &["sauvegarde"]);
    check(&abroad(), "¿Cuáles son los despliegues?", &["despliegue"]);
}

#[test]
fn the_fiumicino_question_loads_four_of_seven() {
    check(
        &civic(),
        "quanti reati a Fiumicino nel 2023?",
        &["civis-reporting", "geographic-filtering", "istat-sdmx-api", "sicurezza-territoriale"],
    );
}

#[test]
fn questions_from_elsewhere_load_nothing() {
    check(&civic(), "How do I set up Stripe payments?", &[]);
    check(&civic(), "How do I integrate Stripe with the API?", &[]);
    check(&civic(), "configure stripe webhook signing secret", &[]);
    check(&civic(), "", &[]);
    check(&coding(), "what is the weather in Oslo?", &[]);
}

#[test]
fn a_mid_relation_needs_its_own_match() {
    let route =
        route(&Question::in_every_language("how do I implement refresh token rotation?"), &coding(), Tokens(8000));
    let why = route.skipped.iter().find(|(slug, _)| slug.as_str() == "cors").map(|(_, why)| why.as_str());
    assert_eq!(why, Some("mid relation of `jwt-authentication`, and no word of the question is among its triggers"));
}

#[track_caller]
fn check_order(question: &str, expected: &[&str]) {
    let order = in_order(&Question::in_every_language(question), &coding());
    let slugs: Vec<String> = order.into_iter().map(|page| coding().entry(page).slug.to_string()).collect();
    assert_eq!(slugs, expected);
}

#[test]
fn pages_stand_in_the_order_of_their_headers_also_where_none_is_sure() {
    check_order("how do I implement refresh token rotation?", &["refresh-token", "jwt-authentication", "http-headers"]);
    let unsure = "does a stateless weather station on the pier of Oslo grant the ferry scope for repairs?";
    check(&coding(), unsure, &[]);
    check_order(unsure, &["oauth2", "jwt-authentication"]);
    check_order("what is the weather in Oslo?", &[]);
}

#[test]
fn a_definition_is_answered_by_the_tldr() {
    let route = route(&Question::in_every_language("what is oauth2?"), &coding(), Tokens(8000));
    assert_eq!((slugs(&route).as_slice(), route.loaded[0].tldr_only), (["oauth2".to_owned()].as_slice(), true));
}

#[test]
fn the_declaration_names_match_and_keyword() {
    let route = route(&Question::in_every_language("which grant and scope?"), &coding(), Tokens(8000));
    assert_eq!(route.declaration(), "[CKP: loaded 1/8 files — match: oauth2 via grant, scope]");
}

#[track_caller]
fn check_decides(question: &str, expected: Option<&str>) {
    let route = route(&Question::in_every_language(question), &coding(), Tokens(8000));
    assert_eq!(route.closest.and_then(|(_, word)| word).as_deref(), expected);
}

#[test]
fn the_word_that_decides_is_named() {
    check_decides("which origin does the proxy send?", Some("origin"));
    check_decides("which schema for weather stations in Oslo?", Some("weather"));
    check_decides("how do I implement refresh token rotation?", None);
}

#[test]
fn confidence_is_between_nothing_and_all() {
    let sure = |question| route(&Question::in_every_language(question), &coding(), Tokens(8000)).confidence;
    assert_eq!(sure("what is the weather in Oslo?"), 0.0);
    assert!(
        sure("sql") < sure("sql schema")
            && sure("sql schema") < sure("jwt authentication token")
            && sure("jwt authentication token") < 1.0
    );
}

#[test]
fn every_page_that_is_named_in_words_is_loaded() {
    check(
        &coding(),
        "Compare api security, refresh token, http headers and jwt authentication for the board",
        &["api-security", "http-headers", "jwt-authentication", "oauth2", "refresh-token"],
    );
}

proptest! {
    #[test]
    fn a_route_never_exceeds_its_budget(budget in 0_usize..200, question in "(token|refresh|oauth|scope|cors|jwt| ){1,9}") {
        let route = route(&Question::in_every_language(&question), &coding(), Tokens(budget));
        prop_assert!(route.tokens <= Tokens(budget));
        prop_assert_eq!(route.tokens, route.loaded.iter().map(|page| page.tokens).sum());
    }

    #[test]
    fn the_order_of_pages_does_not_matter(seed in 0_usize..40320, question in "(token |refresh |oauth |scope |security |keys ){1,4}") {
        let mut entries = coding().entries().to_vec();
        let mut seed = seed;
        for n in (1..entries.len()).rev() {
            entries.swap(n, seed % (n + 1));
            seed /= n + 1;
        }
        let one = route(&Question::in_every_language(&question), &coding(), Tokens(300));
        prop_assert_eq!(one, route(&Question::in_every_language(&question), &Index::new(entries), Tokens(300)));
    }
}

#[test]
fn the_page_that_says_most_of_a_question_comes_before_one_that_says_its_rarest_word() {
    let index = Index::new(vec![
        page("cluster", "cluster, harbour, nodes", "", ""),
        page("deployment", "deployment, deployment script, deploy window", "", ""),
        page("telescope", "telescope, window", "", ""),
        page("window-cleaning", "window cleaning, window, ladder", "", ""),
    ]);
    let first = |question: &str| {
        let asked = Question::in_every_language(question);
        in_order(&asked, &index).first().map(|page_idx| index.entry(*page_idx).slug.to_string())
    };
    assert_eq!(first("Which window does the deployment script use?").as_deref(), Some("deployment"));
    assert_eq!(first("Who cleans the window?").as_deref(), Some("window-cleaning"));
}
