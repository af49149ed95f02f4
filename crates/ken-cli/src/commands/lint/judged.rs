//! What came of judging, as JSON and as text.

use ken_engine::Failure;
use ken_engine::propose::{JudgedOutcome, Tally};
use serde::Serialize;

use crate::models;
use crate::text::{count, number};
use crate::ui::Ui;

/// The candidates of each rule, as JSON.
#[derive(Serialize)]
pub(super) struct Wire {
    contradiction: TallyWire,
    #[serde(rename = "unsupported-claim")]
    unsupported_claim: TallyWire,
    #[serde(rename = "code-says-otherwise")]
    code_says_otherwise: TallyWire,
}

#[derive(Serialize)]
struct TallyWire {
    candidates: usize,
    now: usize,
    before: usize,
    left: usize,
}

impl TallyWire {
    fn of(tally: Tally) -> TallyWire {
        TallyWire { candidates: tally.n_candidates, now: tally.n_now, before: tally.n_before, left: tally.n_left }
    }
}

/// Returns what became of the candidates.
pub(super) fn wire(judged: &JudgedOutcome) -> Wire {
    Wire {
        contradiction: TallyWire::of(judged.pairs),
        unsupported_claim: TallyWire::of(judged.claims),
        code_says_otherwise: TallyWire::of(judged.code),
    }
}

/// Prints what became of the candidates, and what asking cost.
pub(super) fn print(judged: &JudgedOutcome, ui: &mut Ui) {
    if let Some(asked) = &judged.asked {
        models::print(asked, ui);
    }
    tally("of claims that may contradict each other", "pair", judged.pairs, ui);
    tally("whose source may not say them", "claim", judged.claims, ui);
    tally("whose code may do otherwise", "claim", judged.code, ui);
    let n_left = judged.pairs.n_left + judged.claims.n_left + judged.code.n_left;
    if judged.asked.is_none() && judged.failure.is_none() && n_left > 0 {
        ui.note("`ken lint --model MODEL` judges what is left; `--estimate` says what it can cost");
    }
}

fn tally(what: &str, noun: &str, tally: Tally, ui: &mut Ui) {
    let Tally { n_candidates, n_now, n_before, n_left } = tally;
    if n_candidates > 0 {
        let [now, before, left] = [n_now, n_before, n_left].map(number);
        let all = count(n_candidates, noun);
        ui.say(format!("{all} {what}: {now} judged now, {before} before, {left} left."));
    }
}

/// Returns why nothing could be judged; what was judged in part is no failure, and is said.
pub(super) fn failure(judged: &JudgedOutcome, ui: &mut Ui) -> Option<Failure> {
    let unused = judged.asked.as_ref().and_then(|asked| Some((asked.is_nothing(), asked.why_unused()?, asked)));
    let unused = unused.map(|(is_nothing, why, asked)| (is_nothing, models::unused(asked, why)));
    if let Some(failure) = &judged.failure {
        return Some(failure.clone());
    }
    match unused? {
        (true, failure) => Some(failure),
        (false, failure) => {
            if !ui.is_json() {
                ui.warning(&failure.message);
                failure.hints.iter().for_each(|hint| ui.note(&format!("hint: {hint}")));
            }
            None
        }
    }
}
