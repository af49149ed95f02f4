//! Quick.
fn main() {
    for dir in std::env::args().skip(1) {
        let read = |name: &str| std::fs::read_to_string(format!("{dir}/{name}")).unwrap_or_default();
        println!(
            "== {dir}\n{}",
            ken_engine::eval::retrieval::run(&read("docs.jsonl"), &read("queries.jsonl"), &read("qrels.tsv"))
        );
    }
}
