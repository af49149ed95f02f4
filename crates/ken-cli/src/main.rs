//! The program `ken`: arguments in, one engine call, text or JSON out.
//!
//! Everything that touches the terminal, the environment, the clock or the exit code is in this crate,
//! and nothing else is: a command file holds its arguments (whose doc comments are the help), the call,
//! and the printing. What an answer means is decided in the engine.
//!
//! The modules are listed in suggested reading order.

mod exit;
mod failure;
mod batches;
mod models;
mod env;
mod editor;
mod text;
mod tokenizer;
mod paint;
mod table;
mod ui;
mod args;
mod session;
mod worker;
mod watcher;
mod background;
mod then;
mod wire;
mod dest;
mod commands;
mod app;

use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    failure::report_panics();
    let code = std::panic::catch_unwind(app::run).unwrap_or(if env::is_hook() { 0 } else { exit::BUG });
    ExitCode::from(code)
}
