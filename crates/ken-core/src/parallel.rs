//! Pure work on all processors.
//!
//! Results come in the order of their numbers, so that threads never show in any output.

/// Below this many elements starting threads costs more than it saves.
const PARALLEL_FROM: usize = 500;

/// Returns what `make` makes of 0 to `n`, in order, on all processors.
pub fn in_parallel<T: Send>(n: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    if n < PARALLEL_FROM || n_threads == 1 {
        return (0..n).map(make).collect();
    }
    let chunk = n.div_ceil(n_threads);
    let make = &make;
    std::thread::scope(|scope| {
        let range = |thread: usize| (thread * chunk).min(n)..((thread + 1) * chunk).min(n);
        let work = |thread: usize| scope.spawn(move || range(thread).map(make).collect::<Vec<T>>());
        let workers: Vec<_> = (1..n_threads).map(work).collect();
        // The calling thread is one of them: memory costs less there.
        let mut all: Vec<T> = Vec::with_capacity(n);
        all.extend(range(0).map(make));
        workers.into_iter().for_each(|worker| all.extend(worker.join().expect("a worker does not panic")));
        all
    })
}
