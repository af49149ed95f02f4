//! Pure work on all processors.
//!
//! Results come in the order of their numbers, so that threads never show in any output.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Below this many elements starting threads costs more than it saves.
const PARALLEL_FROM: usize = 500;
/// Elements that a thread takes at a time: enough that taking them costs nothing, few enough that none is left with
/// all that take long.
const BATCH: usize = 64;
/// The same of elements that take long, each of them.
const LONG_FROM: usize = 16;
const LONG_BATCH: usize = 2;
/// The same of elements of which each takes milliseconds.
const WHOLE_FROM: usize = 2;
const WHOLE_BATCH: usize = 1;

/// Returns what `make` makes of 0 to `n`, in order, on all processors.
pub fn in_parallel<T: Send>(n: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    in_batches(n, (PARALLEL_FROM, BATCH), make)
}

/// Returns what `make` makes of 0 to `n`, in order, on all processors, where each takes as long as a thread to start.
pub fn long_in_parallel<T: Send>(n: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    in_batches(n, (LONG_FROM, LONG_BATCH), make)
}

/// Returns what `make` makes of 0 to `n`, in order, on all processors, where each takes far longer than a thread to start.
pub fn each_in_parallel<T: Send>(n: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    in_batches(n, (WHOLE_FROM, WHOLE_BATCH), make)
}

fn in_batches<T: Send>(n: usize, (from, size): (usize, usize), make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    // Finding it out reads files of the system.
    static N_THREADS: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    let n_threads = *N_THREADS;
    if n < from || n_threads == 1 {
        return (0..n).map(make).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(size, Ordering::Relaxed);
            if start >= n {
                return done;
            }
            done.push((start, (start..n.min(start + size)).map(&make).collect::<Vec<T>>()));
        }
    };
    let mut batches: Vec<_> = std::thread::scope(|scope| {
        // The calling thread is one of them: memory costs less there.
        let workers: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic"));
        others.chain(own).collect()
    });
    batches.sort_unstable_by_key(|(start, _)| *start);
    batches.into_iter().flat_map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_their_numbers() {
        for n in [0, 1, PARALLEL_FROM - 1, PARALLEL_FROM, 64 * 100 + 1] {
            let uneven = |at: usize| (0..(at % 97) * 10).fold(at, |sum, _| std::hint::black_box(sum));
            assert_eq!(in_parallel(n, uneven), (0..n).collect::<Vec<_>>());
            assert_eq!(long_in_parallel(n, uneven), (0..n).collect::<Vec<_>>());
            assert_eq!(each_in_parallel(n, uneven), (0..n).collect::<Vec<_>>());
        }
    }
}
