//! Which crate may use which.
//!
//! Cargo lets any crate use any other; this table is the drawing in ARCHITECTURE.md made binding.
//! Reads what `cargo metadata` says about the workspace's own crates, and nothing about others.

use serde_json::Value;

use super::Finding;

/// A crate and what it may use. `ken-server` has its place before it exists.
const ARROWS: [(&str, &[&str]); 14] = [
    ("ken-cli", &["ken-core", "ken-engine", "ken-agents", "ken-server"]),
    ("ken-server", &["ken-core", "ken-engine"]),
    (
        "ken-engine",
        &[
            "ken-core",
            "ken-compile",
            "ken-store",
            "ken-search",
            "ken-exchange",
            "ken-agents",
            "ken-embed",
            "ken-intake",
            "ken-model",
        ],
    ),
    ("ken-compile", &["ken-core", "ken-intake"]),
    ("ken-intake", &["ken-core", "ken-agents"]),
    ("ken-store", &["ken-core"]),
    ("ken-search", &["ken-core"]),
    ("ken-exchange", &["ken-core"]),
    ("ken-model", &["ken-core"]),
    ("ken-embed", &["ken-core"]),
    ("ken-agents", &[]),
    ("ken-core", &[]),
    ("ken-testkit", &["ken-core", "ken-store", "ken-model"]),
    ("xtask", &[]),
];

/// The crate that tests, and only tests, may use.
const TESTKIT: &str = "ken-testkit";

/// Refuses a dependency between our crates that the table does not have.
pub(super) fn arrows(metadata: &Value) -> Vec<Finding> {
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut findings = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or("");
        let manifest = if name == "xtask" { "xtask/Cargo.toml".into() } else { format!("crates/{name}/Cargo.toml") };
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            let fix = "add it to `ARROWS` in xtask/src/tidy/arrows.rs, with a decision in docs/decisions";
            findings.push(Finding::new(&manifest, 1, format!("the crate `{name}` has no place in the drawing"), fix));
            continue;
        };
        for dependency in package["dependencies"].as_array().map_or(&[][..], Vec::as_slice) {
            let to = dependency["name"].as_str().unwrap_or("");
            let is_dev = dependency["kind"] == "dev";
            let is_allowed = allowed.contains(&to) || (is_dev && to == TESTKIT && name != "xtask");
            if ours.contains(&to) && !is_allowed {
                let message = format!("`{name}` may not use `{to}`");
                let fix = "move the code to where it may be used; ARCHITECTURE.md has the drawing";
                findings.push(Finding::new(&manifest, 1, message, fix));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(name: &str, to: &str, kind: Value, expected: Option<&str>) {
        let metadata = json!({"packages": [
            {"name": name, "dependencies": [{"name": to, "kind": kind}, {"name": "serde", "kind": null}]},
            {"name": to, "dependencies": []},
        ]});
        let found: Vec<String> = arrows(&metadata).into_iter().map(|finding| finding.message).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn arrows_of_the_drawing_are_allowed() {
        check("ken-engine", "ken-store", Value::Null, None);
        check("ken-core", "ken-testkit", json!("dev"), None);
    }

    #[test]
    fn other_arrows_are_refused() {
        check("ken-core", "ken-store", Value::Null, Some("`ken-core` may not use `ken-store`"));
        check("ken-store", "ken-testkit", Value::Null, Some("`ken-store` may not use `ken-testkit`"));
        check("xtask", "ken-testkit", json!("dev"), Some("`xtask` may not use `ken-testkit`"));
    }

    #[test]
    fn a_crate_outside_the_drawing_is_refused() {
        let metadata = json!({"packages": [{"name": "ken-new", "dependencies": []}]});
        assert_eq!(arrows(&metadata)[0].message, "the crate `ken-new` has no place in the drawing");
    }
}
