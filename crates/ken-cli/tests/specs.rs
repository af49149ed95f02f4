//! The suites of `specs/` against the real binary; `KEN_BLESS=1` rewrites their expectations.

use std::path::Path;

use ken_testkit::spec::run_all;

#[test]
fn ken_prints_what_the_specs_say() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs").canonicalize().expect("the folder is there");
    let bless = std::env::var_os("KEN_BLESS").is_some_and(|value| value == "1");
    let result = run_all(&specs, Path::new(env!("CARGO_BIN_EXE_ken")), bless);
    assert!(result.n_tests() > 0, "no test was found under `specs/`");
    let failures: String = result.failed.iter().map(|failure| format!("\n{failure}")).collect();
    assert!(failures.is_empty(), "{} of {} tests differ:\n{failures}", result.failed.len(), result.n_tests());
}
