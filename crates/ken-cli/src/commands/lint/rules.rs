//! The list of rules.

use ken_core::lint::RULES;
use ken_core::lint::judged::JUDGED;
use serde::Serialize;

use crate::paint::{BOLD, DIM};
use crate::table::Cell;
use crate::ui::Ui;

#[derive(Serialize)]
struct Wire {
    rules: Vec<Rule>,
}

#[derive(Serialize)]
struct Rule {
    name: &'static str,
    severity: &'static str,
    doc: &'static str,
}

/// Prints every rule with its severity and what it finds.
pub(crate) fn print(ui: &mut Ui) {
    let rules =
        RULES.iter().map(|rule| Rule { name: rule.name(), severity: rule.severity().as_str(), doc: rule.doc() });
    let judged = JUDGED.iter().map(|rule| Rule { name: rule.name, severity: rule.severity.as_str(), doc: rule.doc });
    let rules = rules.chain(judged);
    if ui.is_json() {
        ui.json(&Wire { rules: rules.collect() });
        return;
    }
    let row =
        |rule: Rule| vec![Cell::new(rule.name).style(BOLD), Cell::new(rule.severity), Cell::new(rule.doc).style(DIM)];
    ui.rows(&rules.map(row).collect::<Vec<_>>());
}
