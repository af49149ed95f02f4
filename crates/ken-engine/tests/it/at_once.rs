//! What calls that are under way at once promise: the bytes of one at a time, caps to the cent, nothing lost.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ken_engine::eval::answers::{self, Examiners};
use ken_engine::model::{ErrorKind, ModelError, Money, Prices, Prompt, Reply, Scripted, Usage};
use ken_engine::outcome::CompileOutcome;
use ken_engine::propose::{AskedOutcome, Author, Caps, Progress};
use ken_engine::transcript::Transcript;
use ken_engine::{CompileOptions, Failure, FailureKind, Metered, Payer, Spending, SpendingCaps};
use serde_json::{Value, json};

use crate::support::{Vault, clock, files};

/// Sessions of the day; two of them share a call.
const N_SESSIONS: usize = 12;

/// A vault with a day of sessions, each long enough that no three share a call.
fn vault() -> Vault {
    let vault = Vault::new();
    for n in 0..N_SESSIONS {
        let turn = |role: &str, minute: usize, text: &str| {
            let message = json!({"role": role, "content": text});
            let at = format!("2026-04-01T{:02}:{minute:02}:00Z", n + 8);
            json!({"type": role, "sessionId": format!("s-{n}"), "cwd": "/x/crumb", "timestamp": at, "message": message})
                .to_string()
        };
        let filler = |minute: usize| {
            let said =
                format!("The dough of minute {minute} in house {n} rests and the oven is lit for it. ").repeat(16);
            turn("user", minute, &said)
        };
        let mut said = vec![
            turn("user", 1, &format!("How hot is the oven of house {n}?")),
            turn("assistant", 2, &format!("We decided that the oven of house {n} heats to {} degrees.", 200 + n)),
            turn("assistant", 3, &format!("The oven of house {n} needs stones from the mill of house {n}.")),
        ];
        said.extend((4..14).map(filler));
        let file = vault.root().join(format!("s-{n}.jsonl"));
        fs::write(&file, said.join("\n") + "\n").expect("writes");
        vault.engine().capture(&Transcript::file(&file), None).expect("captures");
    }
    vault
}

/// The number of the house that a text speaks of.
fn house(text: &str) -> Option<usize> {
    text.split("house ").nth(1)?.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

/// What is replied to one text, by its words alone.
fn reply_to(kind: &str, text: &str) -> Value {
    let n = house(text).unwrap_or_default();
    let oven = format!("Oven of house {n}");
    match kind {
        "distill" => {
            let said = |said: String, line: usize, subject: &str| {
                json!({"text": said, "lines": [line, line], "subjects": [subject],
                    "same_as": [], "replaces": [], "disputes": []})
            };
            let mill = format!("Mill of house {n}");
            let card = |name: &str| json!({"name": name, "category": "concept", "aliases": []});
            json!({"worth": true, "title": format!("Oven of house {n}"), "context": [], "exchanges": [],
                "decisions": [said(format!("The oven of house {n} heats to {} degrees.", 200 + n), 2, &oven)],
                "lessons": [said(format!("The oven of house {n} needs stones from the mill of house {n}."), 3, &mill),
                    said(format!("The oven of house {n} is {} years old.", 40 + n), 3, &oven)],
                "actions": [], "subjects": [card(&oven), card(&mill)]})
        }
        "page" => {
            json!({"tldr": "", "triggers": ["baking", "stones", "heat", "bread", "loaf"], "high": [], "mid": [], "sections": [], "same": false})
        }
        "doubt" => json!({"verdicts": []}),
        _ => json!({"same": false}),
    }
}

fn reply(prompt: &Prompt) -> Reply {
    let texts: Vec<&str> = prompt.input.split("\nText ").collect();
    let n_texts = texts.iter().filter(|text| text.trim_start_matches("Text ").starts_with(char::is_numeric)).count();
    let text = if prompt.input.contains("Text 2:") {
        let first = texts.len() - n_texts;
        let one = |(n, text): (usize, &&str)| json!({"n": n + 1, "reply": reply_to(prompt.schema.name, text)});
        let replies: Vec<Value> = texts[first..].iter().enumerate().map(one).collect();
        json!({"replies": replies, "nothing": []}).to_string()
    } else {
        reply_to(prompt.schema.name, &prompt.input).to_string()
    };
    // Not estimated: the codes that stand around texts are random and take a token more or less.
    Reply { usage: Usage { input: 6_000, output: 600, ..Usage::default() }, text }
}

/// How many calls are under way, and how many were at most.
#[derive(Default)]
struct Watched {
    n: AtomicUsize,
    most: AtomicUsize,
}

impl Watched {
    fn during<T>(&self, pause: u64, call: impl FnOnce() -> T) -> T {
        let n = self.n.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(n, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(pause));
        let done = call();
        self.n.fetch_sub(1, Ordering::SeqCst);
        done
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    /// Waits until so many were under way, for as long as a busy machine may take for it; the first call of a run goes alone.
    fn wait_for(&self, n: usize) {
        let tick = Duration::from_millis(5);
        (0..400).take_while(|_| self.most() < n).for_each(|_| std::thread::sleep(tick));
    }
}

/// A model that takes so many prompts at once, and longer for some than for others.
fn slow(at_once: usize, watched: &Arc<Watched>) -> Scripted {
    let watched = Arc::clone(watched);
    Scripted::new(move |n, prompt| watched.during([60, 40, 50, 45][n % 4], || Ok(reply(prompt)))).at_once(at_once)
}

fn author(model: Scripted) -> Author {
    let prices = Prices::parse("\"scripted:test\" = { input = 1.0, output = 1.0 }\n").expect("prices");
    Author { model: Some(Arc::new(model)), prices, caps: Caps::default(), renew: false, on_ask: None, in_batch: false }
}

fn compile(vault: &Vault, author: &Author) -> (CompileOutcome, AskedOutcome) {
    vault.engine().compile_with(CompileOptions::default(), author).expect("compiles")
}

/// Everything that lies in a vault but caches, what tells times of a run, and names that are random.
fn lies_there(vault: &Vault) -> Vec<(String, Vec<u8>)> {
    let is_random = |name: &str| {
        [
            ".kenning/cache",
            ".kenning/accepted",
            ".kenning/costs.jsonl",
            ".kenning/undo",
            ".kenning/log",
            "knowledge/log.md",
        ]
        .iter()
        .any(|place| name.starts_with(place))
    };
    files(vault.root()).into_iter().filter(|(name, _)| !is_random(name)).collect()
}

#[test]
fn calls_at_once_leave_the_bytes_of_one_at_a_time() {
    let [alone, at_once] = [1, 4].map(|n| {
        let (vault, watched) = (vault(), Arc::<Watched>::default());
        let seen = Arc::clone(&watched);
        let model = Scripted::new(move |nth, prompt| {
            seen.during([60, 40, 50, 45][nth % 4], || {
                seen.wait_for(n);
                Ok(reply(prompt))
            })
        });
        let (done, asked) = compile(&vault, &author(model.at_once(n)));
        assert_eq!((watched.most(), asked.failed.as_slice()), (n, &[][..]), "so many were under way");
        assert_eq!(asked.n_sessions, N_SESSIONS);
        assert_eq!(asked.rejected.len(), N_SESSIONS, "each session claims something that was not said");
        (vault, done, asked)
    });
    assert_eq!((alone.1, alone.2), (at_once.1, at_once.2), "what is said of it, in the same order");
    let (before, after) = (lies_there(&alone.0), lies_there(&at_once.0));
    let names = |all: &[(String, Vec<u8>)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&before), names(&after));
    assert!(names(&after).iter().any(|name| name.starts_with("knowledge/concepts/oven-of-house-11")));
    for ((name, alone), (_, at_once)) in before.iter().zip(&after) {
        // What a record says of when it was shown is the same as well: the clock of a run stands still.
        assert_eq!(String::from_utf8_lossy(alone), String::from_utf8_lossy(at_once), "{name}");
    }
    let again = [&alone.0, &at_once.0].map(|vault| compile(vault, &author(slow(4, &Arc::default()))).1);
    assert_eq!((again[0].n_sessions, &again[0]), (0, &again[1]), "and goes on alike");
}

#[test]
fn the_first_call_of_a_run_goes_alone_and_so_do_calls_while_they_fail() {
    let (vault, watched) = (vault(), Arc::<Watched>::default());
    let seen = Arc::clone(&watched);
    let model = Scripted::new(move |_, _| {
        seen.during(5, || Err::<Reply, _>(ModelError::new(ErrorKind::Refused, "there is no such key")))
    });
    let (_, asked) = compile(&vault, &author(model.at_once(4)));
    assert_eq!(watched.most(), 1, "one call is enough to see that there is no key");
    assert_eq!(asked.stopped.expect("stopped").message, "there is no such key");
    let (seen, watched) = (Arc::<Watched>::default(), Arc::<Watched>::default());
    let inside = Arc::clone(&seen);
    let model = Scripted::new(move |_, _| inside.during(5, || Err(ModelError::new(ErrorKind::Unusable, "no"))));
    let (_, asked) = compile(&vault, &author(model.at_once(4)));
    assert_eq!((seen.most(), watched.most()), (1, 0));
    assert!(asked.stopped.is_some() && asked.failed.len() <= 4, "{asked:?}");
}

/// What asking came to, without what the next call could have cost: that is a token more or less by the codes around texts.
fn without_bound(mut asked: AskedOutcome) -> AskedOutcome {
    let words =
        |failure: &mut Failure| failure.message = failure.message.split(", ").last().unwrap_or_default().to_owned();
    asked.stopped.iter_mut().for_each(words);
    asked
}

#[test]
fn caps_hold_to_the_cent_with_calls_under_way() {
    // What all of it costs, and what each call can cost at most, is known from one that was not bounded.
    let asks = |at_once: usize, run: Money| {
        let vault = vault();
        let mut author = author(slow(at_once, &Arc::default()));
        author.caps.run = run;
        let asked = without_bound(compile(&vault, &author).1);
        assert!(asked.spent.money <= run, "{:?} of {run:?}", asked.spent.money);
        assert_eq!(vault.engine().costs().expect("reads").total(None).money, asked.spent.money);
        (asked, lies_there(&vault))
    };
    let tokens = [1, 4].map(|at_once| {
        let mut author = author(slow(at_once, &Arc::default()));
        author.caps.run_tokens = Some(70_000);
        without_bound(compile(&vault(), &author).1)
    });
    assert!(tokens[0].stopped.is_some() && tokens[0].n_answered > 0, "{:?}", tokens[0]);
    assert_eq!(tokens[0], tokens[1]);
    let whole = asks(4, Money(10_000_000)).0.spent.money;
    for cap in [0, 30_000, 60_000, whole.0 / 2 + 20_000, whole.0 - 1] {
        let (alone, at_once) = (asks(1, Money(cap)), asks(4, Money(cap)));
        assert!(alone.0.stopped.is_some(), "{cap} of {whole:?}");
        assert_eq!(alone.0, at_once.0, "what has room alone is asked, and no more");
        assert!(alone.1 == at_once.1, "and leaves the same behind with {cap}");
    }
}

#[test]
fn caps_over_all_vaults_hold_with_calls_under_way() {
    for day in [0, 30_000, 60_000] {
        let [alone, at_once] = [1, 4].map(|n| {
            let (vault, state) = (vault(), tempfile::tempdir().expect("a folder"));
            let spending = || Spending::in_folder(state.path().to_owned(), jiff::tz::TimeZone::UTC);
            let caps = SpendingCaps { day: Money(day), month: Money(1_000_000) };
            let payer = Payer { vault: "a".to_owned(), caps: Some(caps), call_usd_max: Money(0) };
            // Every third reply is none, so that the call is made once more within the same task.
            let spoilt = Arc::new(Mutex::new(BTreeSet::new()));
            let model = Scripted::new(move |_, prompt| {
                std::thread::sleep(Duration::from_millis(20));
                let house = house(prompt.input.split("Text 2:").next().unwrap_or_default()).unwrap_or_default();
                let is_spoilt =
                    house.is_multiple_of(3) && spoilt.lock().expect("a set").insert((prompt.schema.name, house));
                let reply = reply(prompt);
                Ok(if is_spoilt { Reply { text: "no JSON".to_owned(), ..reply } } else { reply })
            });
            let mut author = author(model.at_once(n));
            let model = author.model.take().expect("a model");
            let metered = Arc::new(Metered::new(model, author.prices.clone(), spending(), payer, clock().now));
            author.model = Some(metered.clone());
            let asked = compile(&vault, &author).1;
            let spent = spending().rows(None).expect("reads").total();
            assert!(spent.money <= Money(day), "{spent:?}");
            assert!(asked.stopped.is_some() && metered.met_cap().is_some(), "{asked:?}");
            (asked.n_answered, spent.money)
        });
        assert_eq!(alone, at_once, "what was reserved for a while keeps nothing from being asked");
    }
}

#[test]
fn what_is_turned_away_because_of_others_is_asked_again_alone() {
    let (vault, watched) = (vault(), Arc::<Watched>::default());
    let seen = Arc::clone(&watched);
    let model = Scripted::new(move |_, prompt| {
        seen.during(15, || match seen.n.load(Ordering::SeqCst) {
            1 => Ok(reply(prompt)),
            _ => Err(ModelError::new(ErrorKind::RateLimited { retry_after: None }, "one at a time, please")),
        })
    });
    let (_, asked) = compile(&vault, &author(model.at_once(3)));
    assert_eq!((asked.n_sessions, asked.failed.as_slice(), asked.stopped), (N_SESSIONS, &[][..], None));
    assert!((1..=3).contains(&watched.most()) && asked.spent.n_failed <= 3, "{:?}", asked.spent);
}

#[test]
fn one_call_that_fails_among_others_costs_them_nothing() {
    let vault = vault();
    let model = Scripted::new(|_, prompt| {
        let is_of_seven = prompt.schema.name == "distill" && prompt.input.contains("oven of house 7?");
        match is_of_seven {
            true => Err(ModelError::new(ErrorKind::Timeout, "it took too long")),
            false => Ok(reply(prompt)),
        }
    });
    let (_, asked) = compile(&vault, &author(model.at_once(4)));
    assert_eq!((asked.n_sessions, asked.failed.len(), asked.stopped), (N_SESSIONS - 2, 2, None));
    let (_, again) = compile(&vault, &author(slow(4, &Arc::default())));
    assert_eq!((again.n_sessions, again.failed.len()), (2, 0), "and only they are asked again");
}

#[test]
fn a_reply_that_cannot_be_kept_ends_the_run_and_loses_no_other() {
    let vault = vault();
    let place = vault.root().join(".kenning/replies/distill");
    let (blocked, n_calls) = (place.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&n_calls);
    let model = Scripted::new(move |n, prompt| {
        counted.fetch_add(1, Ordering::SeqCst);
        if n == 2 {
            // Where replies are kept there is no folder any longer.
            let _ = fs::rename(&blocked, blocked.with_extension("aside"));
            fs::write(&blocked, "in the way").expect("writes");
        }
        std::thread::sleep(Duration::from_millis(if n == 2 { 5 } else { 30 }));
        Ok(reply(prompt))
    });
    let failed = vault.engine().compile_with(CompileOptions::default(), &author(model.at_once(4)));
    failed.expect_err("a reply cannot be written down");
    assert!(n_calls.load(Ordering::SeqCst) <= 5, "nothing more goes out");
    fs::remove_file(&place).expect("removes");
    fs::rename(place.with_extension("aside"), &place).expect("renames");
    let costs = vault.engine().costs().expect("reads").total(None);
    assert!(costs.n_lost >= 1, "what went out and was not kept counts with the most: {costs:?}");
    assert_eq!(compile(&vault, &author(slow(4, &Arc::default()))).1.n_sessions, N_SESSIONS);
}

#[test]
fn who_waits_is_told_how_far_it_is() {
    type Told = (usize, usize, usize, Money);
    let told = Arc::<Mutex<Vec<Told>>>::default();
    let list = Arc::clone(&told);
    let mut author = author(slow(4, &Arc::default()));
    author.on_ask = Some(Arc::new(move |progress: &Progress<'_>| {
        let Progress { n, n_of, n_back, spent, .. } = *progress;
        list.lock().expect("a list").push((n, n_of, n_back, spent));
    }));
    let vault = vault();
    compile(&vault, &author);
    let told = told.lock().expect("a list");
    let of_sessions: Vec<(usize, usize)> = told.iter().map(|(n, of, ..)| (*n, *of)).take(6).collect();
    assert_eq!(of_sessions, [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]);
    assert_eq!((told[0].2, told[0].3), (0, Money(0)));
    assert!(told[1].2 == 1 && told[1].3 > Money(0), "{told:?}");
    assert!(told.iter().all(|(n, of, back, _)| n <= of && back < n), "{told:?}");
}

#[test]
fn a_model_that_panics_does_not_hang_the_run() {
    let vault = vault();
    let model = Scripted::new(|n, prompt| {
        assert!(n != 3, "a model of a test");
        std::thread::sleep(Duration::from_millis(10));
        Ok(reply(prompt))
    });
    let run = || vault.engine().compile_with(CompileOptions::default(), &author(model.at_once(4)));
    let run: Result<Result<_, Failure>, _> = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    assert!(run.is_err_and(|panic| panic.is::<String>() || panic.is::<&str>()));
    let (_, asked) = compile(&vault, &author(slow(4, &Arc::default())));
    assert_eq!((asked.n_sessions, asked.stopped.map(|failure| failure.kind == FailureKind::Retry)), (N_SESSIONS, None));
}

#[test]
fn questions_of_a_file_are_answered_at_once_and_graded_as_one_at_a_time() {
    let asks = ["How long do access tokens live?", "What lifetime do access tokens have?", "Who signs access tokens?"];
    let more = ["Access tokens live how many minutes?", "For how many minutes do access tokens live now?"];
    let line = |ask: &&str| json!({"question": ask, "gold": "15 minutes", "all": ["15"]}).to_string() + "\n";
    let questions: String = asks.iter().chain(&more).map(line).collect();
    let questions = answers::parse(&questions, "gold.jsonl").expect("it reads");
    let graded = |at_once: usize, run: Money| {
        let (vault, watched) = (crate::answers::vault(), Arc::<Watched>::default());
        let seen = Arc::clone(&watched);
        let model = Scripted::new(move |n, prompt| {
            seen.during([60, 40, 50, 45][n % 4], || {
                seen.wait_for(at_once);
                let text =
                    crate::answers::answer(prompt, &[("Access tokens live 15 minutes.", &["[said 2026-03-10]"])]);
                Ok(Reply { usage: Usage { input: 2_000, output: 100, ..Usage::default() }, text })
            })
        });
        let mut author = author(model.at_once(at_once));
        author.caps.run = run;
        let examiners = Examiners { author: Some(&author), judge: None };
        let done = vault.engine().grade_answers(&questions, examiners).expect("grades");
        (done, watched.most())
    };
    let (alone, at_once) = (graded(1, Money(1_000_000)), graded(4, Money(1_000_000)));
    assert_eq!((alone.1, at_once.1), (1, 4));
    assert_eq!(alone.0, at_once.0);
    assert!(alone.0.questions.iter().all(|row| row.by_model.is_some()) && alone.0.asked.is_some());
    let [alone, at_once] = [1, 4].map(|n| {
        let mut done = graded(n, Money(26_000)).0;
        done.asked = done.asked.map(without_bound);
        done
    });
    assert_eq!(alone, at_once);
    let n_answered = alone.questions.iter().filter(|row| row.by_model.is_some()).count();
    assert!(
        (1..5).contains(&n_answered),
        "what was paid for is graded, the rest is no answer: {n_answered}, {alone:?}"
    );
}

/// A vault with a note a day: each says how hot one oven is on that day.
fn backlog(n_days: usize) -> Vault {
    let vault = Vault::new();
    for n in 1..=n_days {
        let text = format!(
            "# Daily Log: 2026-05-{n:02}\n\n### Bakery (09:30)\n\n**Decisions Made:**\n- The deck oven bakes at {} degrees.\n",
            200 + n
        );
        vault.write(&format!("daily/2026-05-{n:02}.md"), &text);
    }
    vault
}

/// What was shown beside the note of each day, in the order in which they were asked about, and how many notes each call
/// was about.
fn read_backlog(n_days: usize, at_once: usize) -> (Vault, Vec<(usize, String)>, Vec<usize>) {
    let vault = backlog(n_days);
    let (shown, calls) = (Arc::<Mutex<Vec<(usize, String)>>>::default(), Arc::<Mutex<Vec<usize>>>::default());
    let (list, lens) = (Arc::clone(&shown), Arc::clone(&calls));
    let model = Scripted::new(move |_, prompt| {
        if prompt.schema.name != "compile" {
            return Ok(reply(prompt));
        }
        let mut texts = prompt.input.split("Title: ");
        let known = texts.next().unwrap_or_default().to_owned();
        let read = |text: &str| {
            let degrees = text.split("bakes at ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
            list.lock().expect("a list").push((degrees.parse::<usize>().expect("a number") - 200, known.clone()));
            let claim = json!({"text": format!("The deck oven bakes at {degrees} degrees."), "lines": [2, 2],
                "kind": "decision", "subjects": ["Deck oven"], "slot": "heat"});
            let card = json!({"name": "Deck oven", "category": "concept"});
            json!({"claims": [claim], "subjects": [card]})
        };
        let replies: Vec<Value> = texts.map(read).collect();
        lens.lock().expect("a list").push(replies.len());
        let text = match replies.as_slice() {
            [reply] => reply.to_string(),
            replies => {
                let numbered = replies.iter().enumerate().map(|(n, reply)| json!({"n": n + 1, "reply": reply}));
                json!({"replies": numbered.collect::<Vec<_>>(), "nothing": []}).to_string()
            }
        };
        Ok(Reply { usage: Usage { input: 6_000, output: 600, ..Usage::default() }, text })
    });
    let asked = compile(&vault, &author(model.at_once(at_once))).1;
    assert_eq!((asked.failed.as_slice(), asked.stopped), (&[][..], None));
    let shown = std::mem::take(&mut *shown.lock().expect("a list"));
    let calls = std::mem::take(&mut *calls.lock().expect("a list"));
    (vault, shown, calls)
}

#[test]
fn short_days_of_a_backlog_share_a_call_and_are_shown_what_the_days_before_said() {
    let (vault, shown, calls) = read_backlog(9, 4);
    assert_eq!(calls, [4, 4, 1]);
    let known = |day: usize| shown.iter().find(|(n, _)| *n == day).map(|(_, known)| known.as_str()).expect("asked");
    let says = |day: usize, other: usize| known(day).contains(&format!("bakes at {} degrees", 200 + other));
    assert!((1..=4).all(|day| (1..=9).all(|other| !says(day, other))), "{}", known(4));
    assert!((5..=8).all(|day| says(day, 4) && !says(day, 5)), "{}", known(5));
    assert!(says(9, 8) && !says(9, 9), "{}", known(9));
    let page = |vault: &Vault| vault.read("knowledge/concepts/deck-oven.md");
    assert!(page(&vault).contains("~~The deck oven bakes at 208 degrees~~ until 2026-05-09"), "{}", page(&vault));
    let (alone, _, calls) = read_backlog(9, 1);
    assert_eq!(
        (calls, page(&alone)),
        (vec![4, 4, 1], page(&vault)),
        "whoever takes one call at a time needs fewer, too"
    );
    let rebuilt = vault.engine().rebuild(CompileOptions { all: true, ..CompileOptions::default() }, None);
    assert!(rebuilt.is_ok() && page(&vault) == page(&alone), "each day has a record of its own");
}

#[test]
fn few_open_days_go_out_one_after_the_other() {
    let (_, shown, calls) = read_backlog(4, 4);
    let says = |known: &str, other: usize| known.contains(&format!("bakes at {} degrees", 200 + other));
    assert_eq!((shown.iter().map(|(n, _)| *n).collect::<Vec<_>>(), calls), (vec![1, 2, 3, 4], vec![1; 4]));
    assert!(shown.iter().all(|(n, known)| *n == 1 || says(known, n - 1)), "{shown:?}");
}

#[test]
fn sessions_of_many_days_go_out_at_once_and_leave_the_journal_of_one_day_after_the_other() {
    let days = |at_once: usize| {
        let vault = Vault::new();
        for n in 0..6 {
            let turn = |role: &str, minute: usize, text: &str| {
                json!({"type": role, "sessionId": format!("s-{n}"), "cwd": "/x/crumb",
                    "timestamp": format!("2026-03-{:02}T08:{minute:02}:00Z", n + 10),
                    "message": {"role": role, "content": text}})
                .to_string()
            };
            let mut said = vec![
                turn("user", 1, &format!("How hot is the oven of house {n}?")),
                turn("assistant", 2, &format!("We decided that the oven of house {n} heats to {} degrees.", 200 + n)),
                turn("assistant", 3, &format!("The oven of house {n} needs stones from the mill of house {n}.")),
            ];
            // No two share a call.
            let rests = |minute: usize| {
                format!("The dough of minute {minute} in house {n} rests and the oven is lit for it. ").repeat(21)
            };
            said.extend((4..14).map(|minute| turn("user", minute, &rests(minute))));
            let file = vault.root().join(format!("s-{n}.jsonl"));
            fs::write(&file, said.join("\n") + "\n").expect("writes");
            vault.engine().capture(&Transcript::file(&file), None).expect("captures");
        }
        let watched = Arc::<Watched>::default();
        let seen = Arc::clone(&watched);
        let model = Scripted::new(move |_, prompt| match prompt.schema.name {
            "distill" => seen.during(40, || {
                seen.wait_for(at_once.min(3));
                // What is known stands before what was said.
                let text = prompt.input.rsplit("Day: ").next().unwrap_or_default();
                let text = reply_to("distill", text).to_string();
                Ok(Reply { usage: Usage { input: 6_000, output: 600, ..Usage::default() }, text })
            }),
            _ => Ok(reply(prompt)),
        });
        let asked = compile(&vault, &author(model.at_once(at_once))).1;
        assert_eq!((asked.n_sessions, asked.stopped), (6, None), "{:?}", asked.failed);
        (vault, watched.most())
    };
    let ((alone, one), (at_once, four)) = (days(1), days(4));
    assert_eq!((one, four), (1, 3), "the first call of a run goes alone");
    let journal = |vault: &Vault| {
        let all = lies_there(vault).into_iter();
        all.filter(|(name, _)| name.starts_with("daily") || name.starts_with("knowledge")).collect::<Vec<_>>()
    };
    let (alone, at_once) = (journal(&alone), journal(&at_once));
    assert!(alone.len() > 12, "{} files", alone.len());
    assert!(alone == at_once, "each day has its entries, in the same order");
}
