//! Batches: half the price, collected by a later run, and nothing paid twice whoever is killed when.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::provider::{Lines, Provider};
use crate::support::{Place, text};

/// A person with a key for a provider.
struct Person {
    place: Place,
    provider: Provider,
    model: &'static str,
}

const BOTH: [&str; 2] = ["anthropic:m", "openai:m"];

impl Person {
    /// A vault of so many captured sessions.
    fn new(n_sessions: usize, model: &'static str) -> Person {
        let person = Person { place: Place::new(), provider: Provider::start(), model };
        person.says("");
        (0..n_sessions).for_each(|n| drop(person.session(n)));
        person.said(&["trust"], "12:00");
        person.said(&["sync"], "12:00");
        person
    }

    /// Writes the person's own file.
    fn says(&self, more: &str) {
        let folder = self.place.home().join(".config/kenning");
        fs::create_dir_all(&folder).expect("a new folder");
        let url = &self.provider.url;
        let text = format!(
            "{more}\n[anthropic]\nurl = \"{url}\"\nthinking_tokens_max = 0\n\
             [openai]\nurl = \"{url}/v1\"\napi = \"responses\"\nthinking_tokens_max = 0\n\
             [prices.\"anthropic:m\"]\ninput = 10\noutput = 10\n[prices.\"openai:m\"]\ninput = 10\noutput = 10\n"
        );
        fs::write(folder.join("models.toml"), text).expect("a new file");
    }

    /// A session that is too long to share a call.
    fn session(&self, n: usize) -> PathBuf {
        let filler = |day| format!("The dough of day {day} in house {n} rests and the oven is lit for it. ").repeat(20);
        let said: Vec<String> =
            [format!("We decided to bake loaf number {n}.")].into_iter().chain((1..18).map(filler)).collect();
        self.place.session(&format!("s{n}"), &said.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn ken(&self, args: &[&str], time: &str) -> Command {
        let mut command = self.place.ken(args);
        let now = if time.contains('-') { time.to_owned() } else { format!("2026-06-01T{time}:00Z") };
        command.env("KEN_NOW", now).env("ANTHROPIC_API_KEY", "key-of-a-test").env("OPENAI_API_KEY", "key-of-a-test");
        command.env("XDG_STATE_HOME", self.place.home().join("state"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn said(&self, args: &[&str], time: &str) -> String {
        let output = self.ken(args, time).output().expect("it runs");
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    fn batch(&self, time: &str) -> Value {
        let said = self.said(&["compile", "--model", self.model, "--batch", "--json"], time);
        serde_json::from_str::<Value>(&said).expect("JSON")["asked"].clone()
    }

    /// Sends and collects until nothing is under way or left.
    fn finish(&self, hour: usize) -> usize {
        for n in 0..12 {
            let asked = self.batch(&format!("2026-06-{:02}T{:02}:00:00Z", 2 + n, hour));
            if asked["batch"]["under_way"].as_u64().unwrap_or(0) == 0 && asked["left"] == 0 {
                return n;
            }
        }
        panic!("there is always something under way: {}", self.said(&["costs"], "13:00"));
    }

    fn costs(&self, args: &[&str]) -> Value {
        let all: Vec<&str> = [&["costs", "--json"][..], args].concat();
        serde_json::from_str::<Value>(&self.said(&all, "13:00")).expect("JSON")["total"].clone()
    }

    fn n_distilled(&self) -> usize {
        self.place.journal().matches(" distilled=").count()
    }

    fn wiki(&self) -> BTreeMap<PathBuf, String> {
        let vault = self.place.project();
        let is_page = |path: &PathBuf| path.starts_with(vault.join("knowledge")) && !path.ends_with("log.md");
        let read = |path: PathBuf| {
            let text = fs::read_to_string(&path).unwrap_or_default();
            (path.strip_prefix(&vault).expect("inside").to_path_buf(), text)
        };
        self.place.files().into_iter().filter(is_page).map(read).collect()
    }

    /// No prompt was in two batches: what it reads was paid for once.
    #[track_caller]
    fn nothing_was_asked_twice(&self) {
        let mut prompts = self.provider.prompts();
        prompts.sort();
        let n_all = prompts.len();
        prompts.dedup();
        assert_eq!(n_all, prompts.len());
    }
}

fn usd(cost: &Value) -> f64 {
    cost["usd"].as_f64().expect("a number")
}

#[test]
fn a_batch_costs_half_is_told_of_while_it_is_under_way_and_makes_the_same_pages() {
    for model in BOTH {
        let at_once = Person::new(3, model);
        for _ in 0..3 {
            at_once.said(&["compile", "--model", model], "12:00");
        }
        let person = Person::new(3, model);
        let sent = person.batch("12:00");
        assert_eq!((&sent["answered"], &sent["batch"]["tasks_sent"]), (&Value::from(0), &Value::from(3)), "{sent}");
        assert_eq!((person.n_distilled(), person.provider.n_alone()), (0, 0));
        let costs = person.costs(&[]);
        assert_eq!(costs["under_way"], 3, "{costs}");
        assert!((usd(&costs) - sent["batch"]["usd_max"].as_f64().expect("a number")).abs() < 1e-9, "{costs} {sent}");
        assert_eq!(person.costs(&["--all"])["under_way"], 3);
        let status = person.said(&["status"], "12:30");
        let expected = format!("in a batch: 3 tasks of {model}, at most $");
        assert!(status.contains(&expected) && status.contains(", sent 2026-06-01 12:00"), "{status}");
        let brief = person.said(&["brief"], "12:30");
        assert!(brief.contains(&format!("3 tasks are under way in a batch of {model}")), "{brief}");
        person.finish(12);
        assert_eq!((person.n_distilled(), person.provider.n_alone()), (3, 0), "{}", person.place.journal());
        assert_eq!(person.wiki(), at_once.wiki(), "{model}");
        let (n, costs) = (person.provider.prompts().len() as f64, person.costs(&[]));
        assert!((usd(&costs) - n * 0.0055).abs() < 1e-9, "half of $0.011 a call: {n} {costs}");
        assert!((usd(&costs) - usd(&person.costs(&["--all"]))).abs() < 1e-9);
        assert_eq!((&costs["lost"], &costs["failed"]), (&Value::from(0), &Value::from(0)));
        assert_eq!(person.provider.n_files(), 0, "what was collected is deleted there");
        assert!(
            !person.provider.asked().iter().any(|path| path.contains("steal")),
            "no address of a server's is asked"
        );
        person.nothing_was_asked_twice();
        let before = person.wiki();
        person.said(&["rebuild", "--all", "--offline"], "12:00");
        assert_eq!(person.wiki(), before, "rebuilt from what was recorded");
    }
}

#[test]
fn who_is_killed_before_the_id_is_known_finds_the_batch_again() {
    for model in BOTH {
        let person = Person::new(2, model);
        person.provider.does(|manners| manners.pause = Duration::from_secs(20));
        let mut child = person.ken(&["compile", "--model", model, "--batch"], "12:00").spawn().expect("it runs");
        person.place.until("a batch arrives", |_| person.provider.n_batches() == 1);
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        person.provider.does(|manners| (manners.pause, manners.never_ends) = (Duration::ZERO, true));
        let asked = person.batch("12:01");
        assert_eq!((&asked["batch"]["under_way"], person.provider.n_batches()), (&Value::from(2), 1), "{asked}");
        // Who is in a hurry is told that it is under way, and pays for nothing again.
        let said = person.said(&["compile", "--model", model], "12:02");
        assert!(said.contains("2 tasks under way in batches that went out before."), "{said}");
        assert_eq!(person.provider.n_alone(), 0);
        person.provider.does(|manners| manners.never_ends = false);
        person.finish(12);
        assert_eq!(person.n_distilled(), 2);
        person.nothing_was_asked_twice();
        // The same where nobody was killed and the answer was lost.
        let person = Person::new(2, model);
        person.provider.does(|manners| manners.hangs_up = true);
        let asked = person.batch("12:00");
        assert!(asked["batch"]["troubles"][0].as_str().is_some_and(|why| why.contains("not known")), "{asked}");
        person.provider.does(|manners| manners.hangs_up = false);
        person.finish(12);
        assert_eq!(person.n_distilled(), 2);
        person.nothing_was_asked_twice();
    }
}

#[test]
fn a_run_killed_at_any_moment_sends_nothing_a_second_time() {
    for model in BOTH {
        let whole = Person::new(3, model);
        whole.finish(12);
        let person = Person::new(3, model);
        person.provider.does(|manners| manners.pause = Duration::from_millis(60));
        for n in 0..14_u64 {
            let time = format!("2026-06-01T12:{:02}:00Z", 4 * n);
            let mut command = person.ken(&["compile", "--model", model, "--batch"], &time);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
            std::thread::sleep(Duration::from_millis(20 + n * 131 % 400));
            let _ = child.kill();
            child.wait().expect("it ends");
        }
        person.provider.does(|manners| manners.pause = Duration::ZERO);
        person.finish(12);
        assert_eq!(person.n_distilled(), 3, "{}", person.place.journal());
        assert_eq!(person.wiki(), whole.wiki());
        person.nothing_was_asked_twice();
        let (costs, n) = (person.costs(&[]), person.provider.prompts().len() as f64);
        assert!((usd(&costs) - n * 0.0055).abs() < 1e-9, "{n} {costs}");
        assert_eq!((&costs["lost"], &costs["under_way"]), (&Value::from(0), &Value::Null), "{costs}");
    }
}

#[test]
fn what_a_batch_did_not_do_is_asked_anew_and_costs_nothing() {
    for model in BOTH {
        for (lines, is_free) in [(Lines::Half, true), (Lines::Errored, true), (Lines::OtherNames, false)] {
            let person = Person::new(3, model);
            person.batch("12:00");
            person.provider.does(|manners| manners.lines = lines);
            let asked = person.batch("12:10");
            let n_done = usize::from(lines == Lines::Half);
            assert_eq!(asked["batch"]["collected"].as_u64().unwrap_or(0), n_done as u64, "{asked}");
            assert_eq!(asked["failed"].as_array().map(Vec::len), Some(3 - n_done), "{asked}");
            person.provider.does(|manners| manners.lines = Lines::Good);
            person.finish(12);
            assert_eq!(person.n_distilled(), 3, "{}", person.place.journal());
            let costs = person.costs(&[]);
            let n_paid = person.provider.prompts().len() - (3 - n_done);
            let is_as_reported = (usd(&costs) - n_paid as f64 * 0.0055).abs() < 1e-9;
            assert_eq!(is_as_reported, is_free, "what nobody accounts for counts with the most: {costs}");
        }
    }
}

#[test]
fn no_lines_of_a_batch_harm_anything() {
    for model in BOTH {
        for lines in [Lines::Hostile, Lines::Chatter] {
            let person = Person::new(3, model);
            person.batch("12:00");
            person.provider.does(|manners| manners.lines = lines);
            let asked = person.batch("12:10");
            person.provider.does(|manners| manners.lines = Lines::Good);
            person.finish(12);
            assert_eq!(person.n_distilled(), 3, "{asked}\n{}", person.place.journal());
            assert!(!person.place.journal().contains("said twice"), "what is said first holds");
            let replies = person.place.project().join(".kenning/replies");
            let of_files = person.place.files().into_iter().filter(|path| path.starts_with(&replies));
            assert!(of_files.clone().count() > 0 && of_files.clone().all(|path| path.extension().is_some()));
        }
    }
}

#[test]
fn a_batch_that_never_ends_is_given_up_after_two_days_and_counts_with_the_most() {
    for model in BOTH {
        let person = Person::new(2, model);
        person.provider.does(|manners| manners.never_ends = true);
        let sent = person.batch("12:00");
        let most = sent["batch"]["usd_max"].as_f64().expect("a number");
        let asked = person.batch("2026-06-03T11:59:00Z");
        assert_eq!((&asked["batch"]["under_way"], person.provider.n_batches()), (&Value::from(2), 1));
        let asked = person.batch("2026-06-03T12:01:00Z");
        let troubles = asked["batch"]["troubles"].to_string();
        assert!(troubles.contains("a batch did not end within 48 hours"), "{asked}");
        assert_eq!(asked["batch"]["tasks_sent"], 2, "they are sent anew");
        assert!(person.provider.asked().iter().any(|path| path.ends_with("/cancel")));
        assert!(usd(&person.costs(&[])) >= most);
    }
}

#[test]
fn caps_hold_for_batches_and_what_is_refused_is_said() {
    for model in BOTH {
        let person = Person::new(6, model);
        let whole = person.said(&["compile", "--model", model, "--estimate", "--json"], "12:00");
        let whole: Value = serde_json::from_str(&whole).expect("JSON");
        let (usual, half) = (whole["usd_expected"].as_f64(), whole["batch"]["usd_expected"].as_f64());
        assert!((usual.expect("a number") / 2.0 - half.expect("a number")).abs() < 1e-5, "{whole}");
        let one = whole["batch"]["usd_max"].as_f64().expect("a number") / 6.0;
        let cap = format!("{:.4}", one * 2.5);
        let args = ["compile", "--model", model, "--batch", "--max-usd", &cap, "--json"];
        let output = person.ken(&args, "12:00").output().expect("it runs");
        let asked: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let asked = &asked["asked"];
        assert_eq!((&asked["batch"]["tasks_sent"], &asked["left"]), (&Value::from(2), &Value::from(4)), "{asked}");
        assert!(usd(&person.costs(&[])) <= one * 2.5);
        let person = Person::new(2, model);
        person.provider.does(|manners| manners.refuses = Some("your account takes no batches"));
        let output = person.ken(&["compile", "--model", model, "--batch"], "12:00").output().expect("it runs");
        let (said, is_fine) = (text(&output.stdout) + &text(&output.stderr), output.status.success());
        assert!(!is_fine && said.contains("your account takes no batches"), "{said}");
        assert_eq!((usd(&person.costs(&[])), person.costs(&[])["under_way"].clone()), (0.0, Value::Null));
        person.provider.does(|manners| manners.refuses = None);
        person.finish(12);
        assert_eq!(person.n_distilled(), 2);
    }
}

#[test]
fn a_worker_sends_batches_and_a_later_one_collects_them() {
    let person = Person::new(0, "anthropic:m");
    person.says("[background]\nmodel = \"anthropic:m\"\nbatch = true\nday_usd_max = 1\n");
    (0..3).for_each(|n| drop(person.session(n)));
    let work = |time: &str| {
        let state = person.place.home().join("state");
        person.place.hook_without_worker("SessionStart", &state).wait().expect("it ends");
        person.said(&["work"], time)
    };
    let said = work("12:00");
    assert!(said.contains("In the background: 0 replies, $0.0000, 3 tasks under way in a batch."), "{said}");
    assert_eq!((person.n_distilled(), person.provider.n_alone()), (0, 0));
    person.provider.does(|manners| manners.never_ends = true);
    work("12:10");
    assert_eq!((person.n_distilled(), person.provider.n_batches()), (0, 1));
    person.provider.does(|manners| manners.never_ends = false);
    for minute in 20..26 {
        work(&format!("12:{minute}"));
    }
    assert_eq!((person.n_distilled(), person.provider.n_alone()), (3, 0), "{}", person.place.journal());
    let (spent, n) = (person.costs(&["--all"]), person.provider.prompts().len() as f64);
    assert!((usd(&spent) - n * 0.0055).abs() < 1e-9, "{n} {spent}");
    let status = person.said(&["status"], "12:30");
    assert!(status.contains("3 sessions read by anthropic:m"), "{status}");
    // What is allowed for a day holds for what is under way.
    let person = Person::new(0, "anthropic:m");
    person.says("[background]\nmodel = \"anthropic:m\"\nbatch = true\nday_usd_max = 0.06\n");
    (0..6).for_each(|n| drop(person.session(n)));
    let state = person.place.home().join("state");
    person.place.hook_without_worker("SessionStart", &state).wait().expect("it ends");
    person.said(&["work"], "12:00");
    assert!(usd(&person.costs(&["--all"])) <= 0.06 && person.provider.n_batches() <= 1);
}

#[test]
fn a_batch_that_somebody_planted_is_none() {
    let person = Person::new(2, "anthropic:m");
    person.batch("12:00");
    let folder = person.place.project().join(".kenning/batches");
    let file = fs::read_dir(&folder).expect("it is there").flatten().next().expect("a batch").path();
    let text = fs::read_to_string(&file).expect("it reads");
    let other = Person::new(2, "anthropic:m");
    fs::create_dir_all(other.place.project().join(".kenning/batches")).expect("a new folder");
    let planted: &Path = &other.place.project().join(".kenning/batches/planted.json");
    fs::write(planted, &text).expect("a new file");
    fs::write(planted.with_file_name("x.json"), "{}\n").expect("a new file");
    assert_eq!(other.batch("12:00")["batch"]["tasks_sent"], 2, "another person's file holds nothing up");
    // Nor does one of one's own that was changed.
    fs::write(&file, text.replace("batch_0", "batch_7")).expect("a file");
    assert_eq!(person.costs(&[])["lost"], 2, "nobody knows any longer what became of it");
}

#[test]
fn a_batch_that_is_cancelled_keeps_what_was_answered_and_the_rest_is_asked_at_once() {
    for model in BOTH {
        let person = Person::new(3, model);
        let cancel = ["compile", "--model", model, "--cancel"];
        assert!(person.said(&cancel, "11:00").contains("Nothing of this vault is under way in a batch."));
        person.provider.does(|manners| manners.never_ends = true);
        person.batch("12:00");
        person.provider.does(|manners| manners.refuses = Some("not now"));
        let refused = person.ken(&cancel, "12:01").output().expect("it runs");
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(4), "{said}");
        assert!(said.contains("not now") && said.contains("what is under way is as it was"), "{said}");
        person.provider.does(|manners| manners.refuses = None);
        assert!(!person.said(&["status"], "12:01").contains("cancelled"));
        let said = person.said(&cancel, "12:02");
        assert!(said.contains("Cancelled 3 tasks in a batch; what was answered until then is kept."), "{said}");
        assert!(person.provider.asked().iter().any(|path| path.ends_with("/cancel")));
        // Until it has ended some of it may be answered yet, so nobody asks it.
        person.said(&["compile", "--model", model], "12:03");
        assert_eq!((person.provider.n_alone(), &person.costs(&[])["under_way"]), (0, &Value::from(3)));
        let status = person.said(&["status"], "12:03");
        assert!(status.contains(", sent 2026-06-01 12:00:00Z, cancelled"), "{status}");
        person.provider.does(|manners| (manners.never_ends, manners.lines) = (false, Lines::Cancelled));
        let said = person.ken(&["compile", "--model", model], "12:04").output().expect("it runs");
        assert!(text(&said.stdout).contains("Collected 1 reply that went out in a batch."), "{}", text(&said.stdout));
        assert!(person.provider.n_alone() >= 2, "{}", text(&said.stdout));
        assert_eq!(person.n_distilled(), 3);
        let costs = person.costs(&[]);
        assert_eq!((&costs["lost"], costs.get("under_way")), (&Value::from(0), None), "{costs}");
        assert!(person.said(&cancel, "12:05").contains("Nothing of this vault is under way in a batch."));
    }
}
