//! Full-text search: making the index, whole processes, and questions to one process while another updates.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::measure::{median, memory_mib, timed};
use super::{Bench, shown_time};
use crate::Outcome;

const N_RUNS: usize = 21;
const N_REFRESHES: usize = 7;
const N_QUESTIONS: usize = 500;

/// Bars of the product's promises.
const P50_MAX: Duration = Duration::from_millis(3);
const P99_MAX: Duration = Duration::from_millis(20);
const REFRESH_MAX: Duration = Duration::from_millis(50);

impl Bench {
    /// Prints the rows of search.
    pub(super) fn search(&self) -> Outcome {
        let failed = |err: std::io::Error| format!("cannot change the vault: {err}");
        // The memory of making the index is measured first, the time on a second index.
        let cache = self.dir.join(".kenning/cache");
        std::fs::remove_dir_all(&cache).map_err(failed)?;
        let memory = memory_mib(self.ken(&["search", "--refresh"]))?;
        std::fs::remove_dir_all(&cache).map_err(failed)?;
        let time = timed(self.ken(&["search", "--refresh"]))?;
        let size = self.index_bytes().map_err(failed)?;
        self.row(&format!("making the search index ({} MB)", size / 1_000_000), time, memory, None);
        let bar = match self.n_pages() {
            0..=10_000 => Some(Duration::from_millis(12)),
            10_001..=100_000 => Some(Duration::from_millis(25)),
            _ => None,
        };
        let (rare, common) = (self.vault.rare_word(), self.vault.common_words());
        let question = self.vault.questions(1).remove(0);
        for (what, asked) in
            [("a rare word", &rare), ("the three most common words", &common), ("a question", &question)]
        {
            let mut times = Vec::new();
            for _ in 0..N_RUNS {
                times.push(timed(self.ken(&["search", asked]))?);
            }
            let memory = memory_mib(self.ken(&["search", asked]))?;
            self.row(&format!("`ken search`, {what}, whole process"), median(&mut times), memory, bar);
        }
        self.refresh()?;
        self.while_updating()
    }

    fn index_bytes(&self) -> std::io::Result<u64> {
        let mut sum = 0;
        for entry in std::fs::read_dir(self.dir.join(".kenning/cache"))? {
            let entry = entry?;
            sum += if entry.file_name().to_string_lossy().starts_with("search") { entry.metadata()?.len() } else { 0 };
        }
        Ok(sum)
    }

    /// A search that has to see that a page was replaced.
    fn refresh(&self) -> Outcome {
        let mut times = Vec::new();
        for n in 0..N_REFRESHES {
            self.replace_page(n)?;
            times.push(timed(self.ken(&["search", "--limit", "1", &format!("replaced{n}")]))?);
        }
        self.row(
            "`ken search` after one page was replaced, whole process",
            median(&mut times),
            None,
            Some(REFRESH_MAX),
        );
        Ok(())
    }

    fn replace_page(&self, n: usize) -> Outcome {
        let failed = |err: std::io::Error| format!("cannot replace a page: {err}");
        let place = self.dir.join(self.vault.page_path(n));
        let staged = place.with_extension("tmp");
        let text = std::fs::read_to_string(&place).map_err(failed)?;
        std::fs::write(&staged, format!("{text}\nThis was replaced{n}.\n")).map_err(failed)?;
        std::fs::rename(staged, place).map_err(failed)
    }

    /// Questions to one process, one at a time, while others replace pages and bring the index up to date.
    fn while_updating(&self) -> Outcome {
        let is_done = AtomicBool::new(false);
        let (times, n_updates) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut n_updates = 0;
                while !is_done.load(Ordering::Relaxed) {
                    self.replace_page(n_updates % 50)?;
                    timed(self.ken(&["search", "--limit", "1", "anything"]))?;
                    n_updates += 1;
                }
                Ok::<usize, String>(n_updates)
            });
            let times = self.round_trips();
            is_done.store(true, Ordering::Relaxed);
            (times, writer.join().expect("a writer does not panic"))
        });
        let (mut times, n_updates) = (times?, n_updates?);
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        self.row(
            &format!("a question to a running process, p50, during {n_updates} updates"),
            at(0.5),
            None,
            Some(P50_MAX),
        );
        self.row(&format!("the same, p99 (slowest {})", shown_time(at(1.0))), at(0.99), None, Some(P99_MAX));
        Ok(())
    }

    fn round_trips(&self) -> Result<Vec<Duration>, String> {
        let failed = |err: std::io::Error| format!("cannot talk to `ken search --batch -`: {err}");
        let mut command: Command = self.ken(&["search", "--batch", "-", "--json"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut to = child.stdin.take().expect("it is piped");
        let mut from = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut times = Vec::new();
        let mut answer = String::new();
        for (n, question) in self.vault.mixed_questions(N_QUESTIONS).into_iter().enumerate() {
            let start = Instant::now();
            writeln!(to, "{{\"id\": {n}, \"text\": \"{question}\"}}").map_err(failed)?;
            answer.clear();
            from.read_line(&mut answer).map_err(failed)?;
            times.push(start.elapsed());
        }
        drop(to);
        child.wait().map_err(failed)?;
        // The first question opens the index.
        times.remove(0);
        Ok(times)
    }
}
