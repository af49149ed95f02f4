//! Calls under way at once, through a real server: how long a day takes, and what a kill costs.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Place, figures, text};

/// Sessions of a busy day.
const N_SESSIONS: usize = 27;
/// Variables for measuring by hand: how many milliseconds the server takes for a call, how many further turns of 200
/// tokens a session has.
const PAUSE: &str = "KEN_CALL_MS";
const TURNS: &str = "KEN_CALL_TURNS";

/// What a server saw.
#[derive(Default)]
struct Seen {
    n_under_way: usize,
    most: usize,
    /// What was asked about: kind and texts, one a call.
    calls: Vec<String>,
}

/// A server that speaks the chat protocol, takes its time, and answers many at once.
struct Server {
    port: u16,
    seen: Arc<Mutex<Seen>>,
}

impl Server {
    fn start(pause: Duration) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let seen = Arc::<Mutex<Seen>>::default();
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&shared);
                std::thread::spawn(move || serve(stream, pause, &seen));
            }
        });
        Server { port, seen }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("what was seen")
    }
}

/// Answers one call; who has gone away gets nothing.
fn serve(mut stream: TcpStream, pause: Duration, seen: &Mutex<Seen>) {
    let Some(asked) = read(&stream) else { return };
    let kind = asked["response_format"]["json_schema"]["name"].as_str().unwrap_or_default().to_owned();
    let prompt = asked["messages"].as_array().and_then(|all| all.last()).and_then(|last| last["content"].as_str());
    let texts = texts(prompt.unwrap_or_default());
    {
        let mut seen = seen.lock().expect("what was seen");
        seen.n_under_way += 1;
        seen.most = seen.most.max(seen.n_under_way);
        seen.calls.push(format!("{kind} {:?}", texts.iter().map(|text| house(text)).collect::<Vec<_>>()));
    }
    std::thread::sleep(pause);
    let reply = match texts.as_slice() {
        [one] => reply_to(&kind, one),
        many => {
            let one = |(n, text): (usize, &String)| json!({"n": n + 1, "reply": reply_to(&kind, text)});
            json!({"replies": many.iter().enumerate().map(one).collect::<Vec<_>>(), "nothing": []})
        }
    };
    let body = json!({"choices": [{"message": {"content": reply.to_string()}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1_000, "completion_tokens": 100}})
    .to_string();
    seen.lock().expect("what was seen").n_under_way -= 1;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let _ = stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
}

fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let (mut n_bytes, mut line) = (0, String::new());
    while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
        let lower = line.to_lowercase();
        n_bytes = lower.strip_prefix("content-length:").map_or(n_bytes, |n| n.trim().parse().unwrap_or(0));
        line.clear();
    }
    let mut body = Vec::new();
    reader.take(n_bytes).read_to_end(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// The texts of a prompt, one by one.
fn texts(prompt: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for line in prompt.lines() {
        let number = line.strip_prefix("Text ").and_then(|rest| rest.strip_suffix(':'));
        match number.and_then(|number| number.parse::<usize>().ok()) {
            Some(1) => out = vec![String::new()],
            Some(_) => out.push(String::new()),
            None => out.iter_mut().last().expect("one").push_str(&format!("{line}\n")),
        }
    }
    out
}

/// The number of the house that a text speaks of.
fn house(text: &str) -> usize {
    let digits: String =
        text.split("house ").nth(1).unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

fn reply_to(kind: &str, text: &str) -> Value {
    let n = house(text);
    let (oven, mill) = (format!("Oven of house {n}"), format!("Mill of house {n}"));
    let said = |said: String, line: usize, subject: &str| json!({"text": said, "lines": [line, line], "subjects": [subject], "same_as": [], "replaces": [], "disputes": []});
    let card = |name: &str| json!({"name": name, "category": "concept", "aliases": []});
    match kind {
        "distill" => json!({"worth": true, "title": oven, "context": [], "exchanges": [],
            "decisions": [said(format!("The oven of house {n} heats to {} degrees.", 200 + n), 2, &oven)],
            "lessons": [said(format!("The oven of house {n} needs stones from the mill of house {n}."), 3, &mill)],
            "actions": [], "subjects": [card(&oven), card(&mill)]}),
        "page" => {
            json!({"tldr": "", "triggers": ["baking", "stones", "heat", "bread", "loaf"], "high": [], "mid": [], "sections": [], "same": false})
        }
        "doubt" => json!({"verdicts": []}),
        _ => json!({"same": false}),
    }
}

/// A person's machine with a day of sessions that are captured, and a server.
struct Day {
    place: Place,
    server: Server,
}

impl Day {
    fn new(n_sessions: usize, at_once: &str, pause: Duration) -> Day {
        let (place, server) = (Place::new(), Server::start(pause));
        for n in 0..n_sessions {
            let filler = |hour: u64| {
                format!("The dough of hour {hour} in house {n} rests and the oven is lit for it. ").repeat(16)
            };
            let mut said = vec![
                format!("We decided that the oven of house {n} heats to {} degrees.", 200 + n),
                format!("The oven of house {n} needs stones from the mill of house {n}."),
            ];
            said.extend((0..told_by_hand(TURNS, 7)).map(filler));
            place.session(&format!("s{n}"), &said.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let folder = place.home().join(".config/kenning");
        fs::create_dir_all(&folder).expect("a new folder");
        let file = format!(
            "run_usd_max = 100\nmonth_usd_max = 100\n[servers.mine]\nurl = \"http://127.0.0.1:{}/v1\"\n\
             price = {{ input = 1, output = 1 }}\n{at_once}\n[background]\nmodel = \"mine:m\"\nday_usd_max = 100\nmonth_usd_max = 100\n",
            server.port
        );
        fs::write(folder.join("models.toml"), file).expect("a new file");
        let day = Day { place, server };
        day.said(&mut day.ken(&["trust"]));
        day.said(&mut day.ken(&["sync"]));
        day
    }

    fn ken(&self, args: &[&str]) -> Command {
        let mut command = self.place.ken(args);
        command.env("XDG_STATE_HOME", self.place.home().join("state")).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn compile(&self) -> Command {
        self.ken(&["compile", "--model", "mine:m", "--json"])
    }

    fn said(&self, command: &mut Command) -> String {
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    /// Journal, pages and replies, by place.
    fn lies_there(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let root = self.place.project();
        let of_us = |path: &Path| {
            let is_in = |folder: &str| path.starts_with(folder);
            (is_in("daily") || is_in("knowledge") || is_in(".kenning/replies") || is_in(".kenning/rejected"))
                && !path.ends_with("log.md")
        };
        let all = self.place.files().into_iter().map(|path| {
            let name = path.strip_prefix(&root).expect("inside").to_path_buf();
            (name, fs::read(path).unwrap_or_default())
        });
        all.filter(|(name, _)| of_us(name)).collect()
    }
}

/// What a variable says, for who measures by hand.
fn told_by_hand(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn a_day_of_sessions_goes_out_four_calls_at_once_and_leaves_the_same_as_one() {
    let pause = Duration::from_millis(told_by_hand(PAUSE, 250));
    let mut took = Vec::new();
    let [alone, at_once] = ["", "calls_at_once_max = 4"].map(|setting| {
        let day = Day::new(N_SESSIONS, setting, pause);
        let began = Instant::now();
        day.said(&mut day.compile());
        let n_calls = day.server.seen().calls.len();
        took.push(format!("{n_calls} calls in {:.1} s", began.elapsed().as_secs_f64()));
        day
    });
    let most = [&alone, &at_once].map(|day| day.server.seen().most);
    assert_eq!(most, [1, 4], "a server on this machine is sent one at a time unless the file says more");
    let [mut first, mut second] = [&alone, &at_once].map(|day| day.server.seen().calls.clone());
    first.sort();
    second.sort();
    assert_eq!(first, second);
    let (alone, at_once) = (alone.lies_there(), at_once.lies_there());
    // What is recorded names the address of the server, which differs.
    let told = |all: &BTreeMap<PathBuf, Vec<u8>>| {
        let pages = all.iter().filter(|(name, _)| name.starts_with("daily") || name.starts_with("knowledge"));
        pages.map(|(name, bytes)| (name.clone(), String::from_utf8_lossy(bytes).into_owned())).collect::<Vec<_>>()
    };
    let n_replies = |all: &BTreeMap<PathBuf, Vec<u8>>| all.keys().filter(|name| !name.starts_with("daily")).count();
    assert_eq!(n_replies(&alone), n_replies(&at_once));
    let (alone, at_once) = (told(&alone), told(&at_once));
    assert!(alone.len() > 2 * N_SESSIONS, "{} pages and days", alone.len());
    let differ: Vec<_> = alone.iter().zip(&at_once).filter(|(a, b)| a != b).collect();
    assert!(differ.is_empty(), "{differ:?}");
    figures(N_SESSIONS, &[], &format!("{} ms a call: {}", pause.as_millis(), took.join("; at once ")));
}

#[test]
fn a_kill_at_any_moment_loses_only_the_calls_under_way() {
    let whole = Day::new(9, "calls_at_once_max = 4", Duration::from_millis(60));
    whole.said(&mut whole.ken(&["work", "--ask"]));
    let day = Day::new(9, "calls_at_once_max = 4", Duration::from_millis(60));
    let n_kills: u64 = 8;
    for n in 0..n_kills {
        let mut child = day.ken(&["work", "--ask"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
        std::thread::sleep(Duration::from_millis(80 + n * 367 % 600));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    day.said(&mut day.ken(&["work", "--ask"]));
    day.said(&mut day.ken(&["work", "--ask"]));
    let (before, after) = (whole.lies_there(), day.lies_there());
    let pages = |all: &BTreeMap<PathBuf, Vec<u8>>| {
        let is_page = |name: &&PathBuf| name.starts_with("daily") || name.starts_with("knowledge");
        all.keys().filter(is_page).cloned().collect::<Vec<_>>()
    };
    assert_eq!(pages(&before), pages(&after));
    let of_sessions = |calls: &[String]| {
        let list = calls.iter().filter(|call| call.starts_with("distill")).map(|call| call.matches(", ").count() + 1);
        list.sum::<usize>()
    };
    let n_read = of_sessions(&day.server.seen().calls);
    // A call may hold all sessions that there is room for.
    let most_of_a_call = 4 * 4;
    assert!((9..=9 + n_kills as usize * most_of_a_call).contains(&n_read), "{:?}", day.server.seen().calls);
    let said = day.said(&mut day.ken(&["costs", "--all", "--json"]));
    let total = serde_json::from_str::<Value>(&said).expect("JSON")["total"].clone();
    let count = |key: &str| total[key].as_u64().expect("a number");
    assert!(count("lost") <= n_kills * 4, "{total}");
    // Who was killed before a call came to the server counts it nevertheless, and never the other way round.
    assert!(count("calls") + count("lost") >= day.server.seen().calls.len() as u64, "{total}");
    let n_before = day.server.seen().calls.len();
    day.said(&mut day.ken(&["work", "--ask"]));
    assert_eq!(day.server.seen().calls.len(), n_before, "what was answered is not asked again");
}
