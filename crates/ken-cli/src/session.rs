//! One run of the program: what is around it and what was asked of every command alike.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ken_agents::Machine;
use ken_engine::{Clock, Engine, Failure, Keys};

use crate::args::Globals;
use crate::env::{self, Env};

/// What a command starts from.
pub(crate) struct Session {
    env: Env,
    globals: Globals,
    /// Engines that were handed out, for what they have to say at the end.
    engines: RefCell<Vec<Engine>>,
    started: Instant,
}

impl Session {
    /// Returns the session of these options.
    pub(crate) fn start(globals: Globals) -> Result<Session, Failure> {
        Ok(Session { env: Env::read()?, globals, engines: RefCell::default(), started: Instant::now() })
    }

    /// Returns now, and where.
    pub(crate) fn clock(&self) -> &Clock {
        &self.env.clock
    }

    /// Returns the time as it is by now.
    pub(crate) fn clock_now(&self) -> Result<Clock, Failure> {
        Env::clock()
    }

    /// Returns the engine of the vault that was named or lies around the working folder.
    pub(crate) fn engine(&self) -> Result<Engine, Failure> {
        let engine = self.open()?.with_meaning(env::meaning());
        self.engines.borrow_mut().push(engine.clone());
        Ok(engine)
    }

    /// Returns the engine of the user's personal vault, if the environment names one.
    pub(crate) fn personal(&self) -> Result<Option<Engine>, Failure> {
        let Some(dir) = env::personal_vault() else { return Ok(None) };
        let root = self.absolute(&dir);
        if !Engine::is_vault(&root) {
            let message = format!("`KEN_PERSONAL` names no vault: `{}`", dir.display());
            return Err(Failure::usage(message).hint(format!("make one there with `ken init {}`", dir.display())));
        }
        let engine = Engine::at(root, &self.keys(), self.env.clock.clone(), self.globals.wait)?;
        Ok(Some(engine.with_meaning(env::meaning())))
    }

    /// Returns the engine of a vault's folder as it is by now, for a run that outlasts its configuration; with patience
    /// of its own, and what happens on the way is the caller's to tell.
    pub(crate) fn engine_again(&self, root: &Path, wait: Duration) -> Result<Engine, Failure> {
        let engine = Engine::at(root.to_owned(), &self.keys(), self.clock_now()?, wait)?;
        Ok(engine.with_meaning(env::meaning()))
    }

    /// Returns what happened on the way that the user should hear of.
    pub(crate) fn notices(&self) -> Vec<String> {
        self.engines.borrow().iter().flat_map(Engine::notices).collect()
    }

    /// Returns the machine as agents and their hooks see it.
    pub(crate) fn machine(&self) -> Result<Machine, Failure> {
        env::machine()
    }

    /// Returns the key of the user who runs the program.
    pub(crate) fn keys(&self) -> Keys {
        env::keys(&env::machine_as_it_is())
    }

    /// Returns how long to wait for others.
    pub(crate) fn wait(&self) -> Duration {
        self.globals.wait
    }

    /// Returns the working folder.
    pub(crate) fn cwd(&self) -> &Path {
        &self.env.cwd
    }

    /// Returns the vault's folder, if there is a vault.
    pub(crate) fn vault(&self) -> Option<PathBuf> {
        self.open().ok().map(|engine| engine.root().to_owned())
    }

    /// Returns whether there is a vault, also one that does not open.
    pub(crate) fn is_in_vault(&self) -> bool {
        self.globals.vault.is_some() || Engine::is_in_vault(&self.env.cwd)
    }

    /// Returns how long the run has taken so far, milliseconds.
    pub(crate) fn elapsed_ms(&self) -> u128 {
        self.started.elapsed().as_millis()
    }

    /// Returns how long the run has taken so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn open(&self) -> Result<Engine, Failure> {
        let clock = self.env.clock.clone();
        let Some(dir) = &self.globals.vault else {
            return Engine::open(&self.env.cwd, &self.keys(), clock, self.globals.wait);
        };
        let root = self.absolute(dir);
        if !root.is_dir() {
            let message = format!("`--vault` names no folder: `{}`", dir.display());
            return Err(Failure::usage(message).hint(match root.exists() {
                true => "it is a file; name the folder of a vault".to_owned(),
                false => format!("make a vault there with `ken init {}`", dir.display()),
            }));
        }
        Engine::at(root, &self.keys(), clock, self.globals.wait)
    }

    /// Returns the folder that `dir` means, `--vault` or the working folder when there is none.
    pub(crate) fn folder(&self, dir: Option<&PathBuf>) -> PathBuf {
        dir.or(self.globals.vault.as_ref()).map_or_else(|| self.env.cwd.clone(), |dir| self.absolute(dir))
    }

    /// Returns a folder in the working folder that is not there yet: `name`, `name-2`, `name-3`, …
    pub(crate) fn new_folder(&self, name: &str) -> PathBuf {
        let numbered = (2..).map(|n| format!("{name}-{n}"));
        let names = std::iter::once(name.to_owned()).chain(numbered);
        let mut free = names.map(|name| self.env.cwd.join(name)).filter(|dir| !dir.exists());
        free.next().expect("there are more numbers than folders")
    }

    /// Returns how a folder is best named to someone in the working folder.
    pub(crate) fn shown(&self, dir: &Path) -> String {
        dir.strip_prefix(&self.env.cwd)
            .ok()
            .filter(|rest| !rest.as_os_str().is_empty())
            .unwrap_or(dir)
            .display()
            .to_string()
    }

    fn absolute(&self, dir: &Path) -> PathBuf {
        // Without `.` in between, so that messages show the path a user would write.
        self.env.cwd.join(dir).components().collect()
    }
}
