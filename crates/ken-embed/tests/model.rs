//! all-MiniLM-L6-v2 from its folder: the vectors are those that its makers publish.
//!
//! Runs only with the feature `model-tests`, which `cargo xtask semantic` sets, and then never skips.

use std::path::PathBuf;
use std::time::Instant;

use ken_embed::{Embedder, LocalModel, Role};

fn folder() -> PathBuf {
    std::env::var_os("KEN_EMBEDDING_MODEL").map(PathBuf::from).expect("KEN_EMBEDDING_MODEL names the model's folder")
}

fn products(model: &LocalModel, texts: &[&str]) -> Vec<Vec<f32>> {
    let vectors = model.embed(Role::Passage, texts).expect("vectors");
    let product = |a: &Vec<f32>, b: &Vec<f32>| a.iter().zip(b).map(|(a, b)| a * b).sum();
    vectors.iter().map(|a| vectors.iter().map(|b| product(a, b)).collect()).collect()
}

#[test]
fn vectors_are_those_that_are_published() {
    let model = LocalModel::open(&folder()).expect("opens");
    let texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."];
    let found = products(&model, &texts);
    // From the documentation of sentence-transformers.
    let expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]];
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }
}

#[test]
fn long_empty_and_foreign_texts_have_vectors() {
    let model = LocalModel::open(&folder()).expect("opens");
    let long = "word ".repeat(5000);
    let texts = ["", "\u{0}\u{ffff}", "日本語のテキスト", "Ünïcödé naïve café", &long, "🙂"];
    let vectors = model.embed(Role::Question, &texts).expect("vectors");
    assert!(vectors.iter().all(|vector| vector.len() == 384 && vector.iter().all(|one| one.is_finite())));
    let alone = model.embed(Role::Question, &texts[3..4]).expect("a vector");
    assert_eq!(vectors[3], alone[0], "a vector does not depend on its neighbours");
}

#[test]
fn passages_take_so_long() {
    let model = LocalModel::open(&folder()).expect("opens");
    let passage = "The refresh token rotates on every use and the old one is revoked at once. ".repeat(13);
    let started = Instant::now();
    model.embed(Role::Passage, &[passage.as_str(); 16]).expect("vectors");
    println!("{:.1} passages of 180 words a second", 16.0 / started.elapsed().as_secs_f64());
}
