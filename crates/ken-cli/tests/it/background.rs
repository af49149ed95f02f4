//! A model that works by itself: killed at any moment, at once in several vaults, refusing, away, and out of money.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{ANSWER_EACH, Place, text};

/// An answer to every kind of task; the claim of a session is borne out by the second line of each.
const REPLY: &str = r#"{"worth":true,"title":"","context":[],"exchanges":[],"decisions":[{"text":"It was decided to bake a loaf.","lines":[2,2]}],"lessons":[],"actions":[],"claims":[],"subjects":[],"connections":[],"tldr":"","triggers":[]}"#;

/// Notes what it is asked about, waits, answers as an agent does, with what it cost.
const MODEL: &str = r#"
prompt=$(cat)
case "$prompt" in
    *'"worth"'*) what="session $(printf %s "$prompt" | grep -o 'loaf number [0-9]*' | sort -u | tr '\n' ' ')" ;;
    *) what=pages ;;
esac
echo "$what" >> "$HOME/calls"
sleep "$(cat "$HOME/pause")"
case "$what" in
    *"$(cat "$HOME/refused")"*) echo 'no JSON here'; exit ;;
esac
asked=$prompt
one() { cat "$HOME/part"; }
said=$(. "$HOME/each.sh" | tr -d '\n' | sed 's/\\/\\\\/g; s/"/\\"/g')
printf '{"type":"result","subtype":"success","result":"%s","total_cost_usd":0.01,"usage":{"input_tokens":100,"output_tokens":10}}' "$said"
"#;

/// A person's machine with a model that works by itself.
struct Worker {
    place: Place,
    state: PathBuf,
}

impl Worker {
    /// A vault of so many sessions, and what the person's file says besides who is asked.
    fn new(n_sessions: usize, background: &str) -> Worker {
        let place = Place::new();
        let home = place.home();
        for (name, text) in
            [("model.sh", MODEL), ("each.sh", ANSWER_EACH), ("part", REPLY), ("pause", "0"), ("refused", "nobody")]
        {
            fs::write(home.join(name), text).expect("a new file");
        }
        let envelope = serde_json::json!({"type": "result", "subtype": "success", "result": REPLY,
            "total_cost_usd": 0.01, "usage": {"input_tokens": 100, "output_tokens": 10}});
        fs::write(home.join("reply"), envelope.to_string()).expect("a new file");
        let model = format!("command:sh {}", home.join("model.sh").display());
        let worker = Worker { state: home.join("state"), place };
        worker.say(&format!("[background]\nmodel = \"{model}\"\ncall_usd_max = 0.01\n{background}"));
        (0..n_sessions).for_each(|n| worker.session(n));
        worker.trusted()
    }

    /// The vault is this person's, with the key that lies in this folder.
    fn trusted(self) -> Worker {
        self.said(self.ken(&["trust"]));
        self
    }

    fn say(&self, models: &str) {
        let folder = self.place.home().join(".config/kenning");
        fs::create_dir_all(&folder).expect("a new folder");
        fs::write(folder.join("models.toml"), models).expect("a new file");
    }

    fn session(&self, n: usize) {
        self.place.session(&format!("s{n}"), &[&format!("We decided to bake loaf number {n}.")]);
    }

    /// A session that is too long to share a call.
    fn long_session(&self, n: usize) {
        let filler = |day| format!("The dough of day {day} rests and the oven is lit for it. ").repeat(20);
        let said: Vec<String> =
            [format!("We decided to bake loaf number {n}.")].into_iter().chain((1..18).map(filler)).collect();
        self.place.session(&format!("s{n}"), &said.iter().map(String::as_str).collect::<Vec<_>>());
    }

    fn ken(&self, args: &[&str]) -> Command {
        let mut command = self.place.ken(args);
        command.env("XDG_STATE_HOME", &self.state).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The worker, with what a session's start left for it, so that it looks for sessions.
    fn work(&self) -> Command {
        let mut hook = self.place.hook_without_worker("SessionStart", &self.state);
        hook.wait().expect("it ends");
        self.ken(&["work"])
    }

    fn said(&self, mut command: Command) -> String {
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    /// What was asked, a line a call.
    fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.place.home().join("calls")).unwrap_or_default();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    fn n_distilled(&self) -> usize {
        self.place.journal().matches(" distilled=").count()
    }

    /// What was spent over all vaults.
    fn spent(&self) -> serde_json::Value {
        let said = self.said(self.ken(&["costs", "--all", "--json"]));
        serde_json::from_str::<serde_json::Value>(&said).expect("JSON")["total"].clone()
    }

    /// Processes that this person started and that are still there.
    fn n_left(&self) -> usize {
        let home = format!("HOME={}", self.place.home().display());
        let is_ours = |process: &fs::DirEntry| {
            let around = fs::read(process.path().join("environ")).unwrap_or_default();
            around.split(|byte| *byte == 0).any(|variable| variable == home.as_bytes())
        };
        fs::read_dir("/proc").map_or(0, |all| all.flatten().filter(is_ours).count())
    }
}

#[test]
fn a_worker_that_asks_and_is_killed_at_any_moment_pays_nothing_twice_but_the_call_in_flight() {
    let worker = Worker::new(6, "day_usd_max = 100\nmonth_usd_max = 100");
    fs::write(worker.place.home().join("pause"), "0.15").expect("a file");
    let n_kills: u64 = 8;
    for n in 0..n_kills {
        let mut child = worker.work().stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(60 + n * 367 % 700));
        let _ = child.kill();
        child.wait().expect("it ends");
        worker.place.until("no program outlives its worker", |_| worker.n_left() == 0);
    }
    fs::write(worker.place.home().join("pause"), "0").expect("a file");
    worker.said(worker.work());
    assert_eq!(worker.n_distilled(), 6, "{}", worker.place.journal());
    let calls = worker.calls();
    let mut once = calls.clone();
    once.sort();
    once.dedup();
    assert!(calls.len() - once.len() <= n_kills as usize, "{calls:?}");
    let spent = worker.spent();
    let count = |key: &str| spent[key].as_u64().expect("a number");
    let micro_usd = (spent["usd"].as_f64().expect("a number") * 1e6).round() as u64;
    assert!(count("lost") <= n_kills && count("calls") + count("lost") >= calls.len() as u64, "{spent}");
    assert_eq!(micro_usd, (count("calls") + count("lost")) * 10_000, "{spent}");
    let n_before = calls.len();
    worker.said(worker.work());
    worker.said(worker.ken(&["work", "--ask"]));
    assert_eq!(worker.calls().len(), n_before, "what was answered is not asked again");
    worker.place.until("nobody is left", |_| worker.n_left() == 0);
}

#[test]
fn caps_hold_over_all_vaults_to_the_cent() {
    let first = Worker::new(0, "day_usd_max = 0.05\nmonth_usd_max = 0.08");
    let mut second = Worker::new(0, "day_usd_max = 0.05\nmonth_usd_max = 0.08");
    [&first, &second].iter().for_each(|worker| (0..8).for_each(|n| worker.long_session(n)));
    second.state = first.state.clone();
    let second = second.trusted();
    let at = |worker: &Worker, now: &str| {
        let mut command = worker.work();
        command.env("KEN_NOW", now).args(["--wait", "30"]);
        command
    };
    let both = [at(&first, "2026-06-01T12:00:00Z"), at(&second, "2026-06-01T12:00:00Z")];
    let both = both.map(|mut command| command.spawn().expect("it runs"));
    both.into_iter().for_each(|child| assert!(child.wait_with_output().expect("it ends").status.success()));
    let n_calls = || first.calls().len() + second.calls().len();
    assert_eq!((n_calls(), first.spent()["usd"].as_f64()), (5, Some(0.05)));
    let worker = if first.calls().is_empty() { &second } else { &first };
    let status = worker.said(worker.ken(&["status"]));
    assert!(status.contains("; paused until 2026-06-02 00:00: the limit of a day"), "{status}");
    for now in ["2026-06-01T23:59:00Z", "2026-06-02T00:00:00Z", "2026-06-02T00:01:00Z", "2026-06-03T12:00:00Z"] {
        worker.said(at(worker, now));
    }
    assert_eq!(
        (n_calls(), first.spent()["usd"].as_f64()),
        (8, Some(0.08)),
        "the month has three more: {:?} {:?}",
        first.calls(),
        second.calls()
    );
    worker.said(at(worker, "2026-07-01T00:00:00Z"));
    assert!(n_calls() > 8 && n_calls() <= 13, "{}", n_calls());
}

#[test]
fn what_a_model_refuses_keeps_no_other_waiting_and_rests() {
    let worker = Worker::new(3, "");
    fs::write(worker.place.home().join("refused"), "loaf number 0").expect("a file");
    worker.said(worker.work());
    let n_refused = || worker.calls().iter().filter(|call| *call == "session loaf number 0").count();
    assert_eq!((worker.n_distilled(), n_refused()), (2, 2), "once, and once more with what was wrong");
    let brief = worker.said(worker.ken(&["brief"]));
    assert!(brief.contains("In the background: 2 sessions read by command:sh, $0.03; 1 left."), "{brief}");
    let at = |now: &str| {
        let mut command = worker.work();
        command.env("KEN_NOW", now);
        command
    };
    worker.said(at("2026-06-01T12:59:00Z"));
    assert_eq!(n_refused(), 2, "it rests for an hour");
    worker.said(at("2026-06-01T13:00:00Z"));
    worker.said(at("2026-06-01T18:59:00Z"));
    assert_eq!(n_refused(), 4, "and then for six");
    fs::write(worker.place.home().join("refused"), "nobody").expect("a file");
    worker.said(worker.ken(&["work", "--ask"]));
    assert_eq!((worker.n_distilled(), n_refused()), (3, 5), "who asks for it waits for no pause");
}

#[test]
fn what_an_agent_leaves_of_a_prompt_is_nobodys_session() {
    let worker = Worker::new(1, "");
    let exe = env!("CARGO_BIN_EXE_ken");
    let folder = worker.place.home().join(".claude/projects/scratch");
    // An agent with hooks that keeps a transcript, in a folder for temporary files that lies in the vault.
    let script = format!(
        r#"mkdir -p '{0}'
cat > "$HOME/prompt"
printf '{{"type":"user","sessionId":"agent","cwd":"%s","timestamp":"2026-06-01T09:00:00Z","message":{{"role":"user","content":"We decided to bake a canary."}}}}\n' "$PWD" | tee '{0}/agent.jsonl' > "$HOME/.claude/projects/$(basename "$(dirname '{0}')")-agent.jsonl"
for event in SessionStart SessionEnd; do
    printf '{{"hook_event_name":"%s","session_id":"agent","cwd":"%s","transcript_path":"%s"}}' "$event" "$PWD" '{0}/agent.jsonl' | '{exe}' hook
done >> "$HOME/hooked"
echo "$PWD" > "$HOME/ran-in"
cat "$HOME/reply"
"#,
        folder.display()
    );
    fs::write(worker.place.home().join("model.sh"), script).expect("a file");
    let tmp = worker.place.project().join("tmp");
    fs::create_dir_all(&tmp).expect("a new folder");
    let mut command = worker.work();
    worker.said({
        command.env("TMPDIR", &tmp);
        command
    });
    assert_eq!(worker.n_distilled(), 1);
    assert_eq!(fs::read_to_string(worker.place.home().join("hooked")).expect("it ran"), "", "hooks say nothing");
    assert!(worker.place.spool().is_empty(), "{:?}", worker.place.spool());
    let ran_in = fs::read_to_string(worker.place.home().join("ran-in")).expect("it ran");
    assert!(ran_in.starts_with(&*tmp.to_string_lossy()), "{ran_in}");
    // The same transcript where the agent keeps those of this very project.
    let transcript = fs::read(folder.join("agent.jsonl")).expect("it is there");
    fs::write(worker.place.transcripts().join("agent.jsonl"), transcript).expect("a new file");
    worker.said(worker.ken(&["sync"]));
    assert!(!worker.place.journal().contains("canary"), "{}", worker.place.journal());
}

/// A server of models that answers as it is told, and counts.
struct Server {
    port: u16,
    n_asked: Arc<AtomicUsize>,
    answer: Arc<Mutex<String>>,
}

impl Server {
    fn start(answer: String) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (n_asked, answer) = (Arc::<AtomicUsize>::default(), Arc::new(Mutex::new(answer)));
        let (counted, told) = (Arc::clone(&n_asked), Arc::clone(&answer));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
                let mut n_bytes = 0;
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                    let lower = line.to_lowercase();
                    n_bytes = lower.strip_prefix("content-length:").map_or(n_bytes, |n| n.trim().parse().unwrap_or(0));
                    line.clear();
                }
                let _ = reader.take(n_bytes).read_to_end(&mut Vec::new());
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = told.lock().expect("an answer").clone();
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Server { port, n_asked, answer }
    }

    fn n_asked(&self) -> usize {
        self.n_asked.load(Ordering::SeqCst)
    }

    fn answers(&self, answer: String) {
        *self.answer.lock().expect("an answer") = answer;
    }
}

fn http(status: &str, headers: &str, body: &str) -> String {
    let len = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len}\r\n{headers}connection: close\r\n\r\n{body}"
    )
}

#[test]
fn an_empty_account_pauses_all_until_it_may_be_over() {
    let worker = Worker::new(2, "");
    let server =
        Server::start(http("429 Too Many Requests", "retry-after: 7200\r\n", "{\"error\":{\"message\":\"slow\"}}"));
    worker.say(&format!(
        "[background]\nmodel = \"mine:m\"\n[servers.mine]\nurl = \"http://127.0.0.1:{}/v1\"\nprice = {{ input = 1, output = 1 }}\n",
        server.port
    ));
    let at = |now: &str| {
        let mut command = worker.work();
        command.env("KEN_NOW", now);
        worker.said(command)
    };
    at("2026-06-01T12:00:00Z");
    let status = worker.said(worker.ken(&["status"]));
    assert!(status.contains("nothing read by mine:m, $0.00; 2 left; paused until 14:00: quota"), "{status}");
    assert_eq!(server.n_asked(), 1);
    let reply = serde_json::json!({"choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10_000, "completion_tokens": 0}});
    server.answers(http("200 OK", "", &reply.to_string()));
    at("2026-06-01T13:59:00Z");
    assert_eq!(server.n_asked(), 1, "nobody is asked before");
    at("2026-06-01T14:00:00Z");
    assert_eq!(worker.n_distilled(), 2, "{}", worker.said(worker.ken(&["status"])));
    let asked = server.n_asked() as f64 - 1.0;
    assert_eq!(worker.spent()["usd"].as_f64(), Some(asked * 0.01), "what the provider says it took");
}

#[test]
fn nobody_is_asked_unless_the_persons_own_file_says_so() {
    let worker = Worker::new(2, "");
    worker.say("model = \"command:sh -c 'echo x >> ~/calls'\"\n");
    let config = "[background]\nmodel = \"command:sh -c 'echo x >> ~/calls'\"\n";
    fs::write(worker.place.project().join(".kenning/models.toml"), config).expect("a file");
    worker.said(worker.work());
    assert!(worker.calls().is_empty() && worker.place.journal().contains("loaf number 1"));
    for background in ["exclude = ['ROOT']", "after_sessions = 3", "at = '12:01'", "when_idle_minutes = 10"] {
        let worker = Worker::new(2, "");
        let root = worker.place.project().display().to_string();
        let model = format!("command:sh {}", worker.place.home().join("model.sh").display());
        worker.say(&format!("[background]\nmodel = \"{model}\"\n{}\n", background.replace("ROOT", &root)));
        worker.said(worker.work());
        // At a time of day the first run catches up with the day before.
        let is_first = background.starts_with("at");
        assert_eq!(worker.calls().is_empty(), !is_first, "{background}");
    }
}

#[test]
fn servers_of_models_on_this_machine_are_offered_and_others_are_not_asked() {
    let worker = Worker::new(0, "");
    worker.say("");
    let server = Server::start(http("200 OK", "", r#"{"models":[{"name":"small:1b"},{"name":"zz\"z"}]}"#));
    let listed = |host: &str| {
        let mut command = worker.ken(&["install", "--model", "--json"]);
        command.env("OLLAMA_HOST", host);
        worker.said(command)
    };
    let here = listed(&format!("127.0.0.1:{}", server.port));
    assert!(here.contains("\"ollama:small:1b\"") && !here.contains("zz"), "{here}");
    assert!(!listed("192.0.2.1:9").contains("ollama:"), "nobody is asked elsewhere");
    assert_eq!(server.n_asked(), 1);
}
