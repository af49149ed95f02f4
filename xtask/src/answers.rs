//! `cargo xtask answers`: questions with known answers, asked of the real binary.
//!
//! A set is a folder with material of three kinds and questions about it: `sessions/` (transcripts), `docs/`
//! (documents), `life/DAY/HHMM-WHO.txt` (talks of a team), and `questions.jsonl`, which names the expressions that
//! an answer must match. Each part is asked compiled and never compiled, beside plain BM25 over the raw text at the
//! same budgets. The command says where answers were lost, and fails where the figures in `bench/answers` are no
//! longer reached.

mod ask;
mod baseline;
mod gate;
mod replies;
mod set;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::{Outcome, cargo, root, run};
use ask::Asked;
use gate::Figures;
pub(crate) use replies::reply;
use set::Set;

/// The set that lies beside a checkout, and is no part of the project.
const BESIDE: &str = "../shared/data/qa";
const OWN: &str = "bench/answers";
const USAGE: &str =
    "usage: cargo xtask answers [--ken FILE] [--own] [--bless] [--semantic FOLDER] [--replies [MANNER…]]";

struct Plan {
    ken: Option<PathBuf>,
    /// Only the set of the project.
    is_own: bool,
    is_bless: bool,
    /// The folder of a model whose vectors are compared too.
    model: Option<PathBuf>,
    /// Instead of everything else: the poor models that a wiki is read by.
    manners: Vec<&'static str>,
}

/// Runs the command; fails when a figure is missed.
pub(crate) fn answers(options: &[&str]) -> Outcome {
    let plan = plan(options)?;
    let ken = match plan.ken {
        Some(ken) => ken.canonicalize().map_err(|err| format!("cannot find `{}`: {err}", ken.display()))?,
        None => {
            run(&mut cargo(&["build", "--release", "--quiet", "-p", "ken-cli"]), "cargo build --release")?;
            crate::target_dir().join("release/ken")
        }
    };
    let mut sets = vec![("own", root().join(OWN))];
    let beside = root().join(BESIDE);
    match (plan.is_own, beside.is_dir()) {
        (true, _) => {}
        (false, true) => sets.push(("qa", beside)),
        (false, false) => {
            println!("`{BESIDE}` does not lie beside this checkout: only the project's own set is asked.")
        }
    }
    if !plan.manners.is_empty() {
        return poorly_read(&ken, &sets, &plan.manners);
    }
    let place = root().join(OWN).join("figures.json");
    let mut figures = Figures::read(&place)?;
    let mut missed = Vec::new();
    for (name, folder) in sets {
        let set = Set::read(name, &folder)?;
        let parts: BTreeMap<String, Asked> = set
            .parts()
            .map(|part| Ok((part.to_owned(), ask::ask((&ken, plan.model.as_deref()), &set, part)?)))
            .collect::<Result<_, String>>()?;
        gate::print(&set, &parts);
        match plan.is_bless {
            true => figures.take(name, &parts),
            false => missed.extend(figures.missed(name, &parts)),
        }
    }
    if plan.is_bless {
        figures.write(&place)?;
        println!("The figures are in `{}`.", place.display());
    }
    match missed.as_slice() {
        [] => Ok(()),
        some => Err(format!("{} figures are missed:\n  {}", some.len(), some.join("\n  "))),
    }
}

/// Reads every part by poor models; fails where one costs answers that a wiki without it gives.
fn poorly_read(ken: &std::path::Path, sets: &[(&str, PathBuf)], manners: &[&'static str]) -> Outcome {
    for (name, what) in replies::MANNERS.iter().filter(|(name, _)| manners.contains(name)) {
        println!("- {name}: {what}");
    }
    println!(
        "\n| set | part | questions | read by | context 500 | 1,500 | 4,000 | ask |\n|---|---|---|---|---|---|---|---|"
    );
    let mut missed = Vec::new();
    for (name, folder) in sets {
        let set = Set::read(name, folder)?;
        for part in set.parts() {
            missed.extend(replies::compare(ken, &set, part, manners)?);
        }
    }
    match missed.as_slice() {
        [] => Ok(()),
        some => Err(format!("poor replies cost answers:\n  {}", some.join("\n  "))),
    }
}

fn plan(options: &[&str]) -> Result<Plan, String> {
    let mut plan = Plan { ken: None, is_own: false, is_bless: false, model: None, manners: Vec::new() };
    let mut options = options.iter().peekable();
    while let Some(option) = options.next() {
        match *option {
            "--ken" => plan.ken = Some(options.next().ok_or(USAGE)?.into()),
            "--own" => plan.is_own = true,
            "--bless" => plan.is_bless = true,
            "--replies" => {
                let all = replies::MANNERS.map(|(name, _)| name);
                while let Some(name) = options.peek().and_then(|next| all.into_iter().find(|name| name == *next)) {
                    plan.manners.push(name);
                    options.next();
                }
                if plan.manners.is_empty() {
                    plan.manners.extend(all);
                }
            }
            "--semantic" => plan.model = Some(options.next().ok_or(USAGE)?.into()),
            _ => return Err(format!("`{option}` is no option\n{USAGE}")),
        }
    }
    Ok(plan)
}
