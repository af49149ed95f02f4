//! One vault with a clock and a configuration: what every operation works on.
//!
//! Each operation is a method in a file of its own. Nothing here prints, reads the environment or asks
//! for the time; the caller hands those in.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use jiff::tz::TimeZone;
use ken_core::layout::{KENNING, Layout, Look, sights};
use ken_core::revised::Revision;
use ken_core::{Date, Plan, Timestamp, VaultPath};
use ken_store::{Back, Conflict, Keys, LockGuard, RealFs, Receipt, Store};

use crate::code::CodeAsFound;
use crate::config::{CONFIG_FILE, Config};
use crate::earlier::Thread;
use crate::failure::Failure;
use crate::propose::record::ReadWell;
use crate::search::MeaningSettings;
use crate::then::Past;

/// Now, and where: journal days are local dates.
#[derive(Debug, Clone)]
pub struct Clock {
    /// The moment of the operation.
    pub now: Timestamp,
    /// The zone that journal days are counted in.
    pub zone: TimeZone,
}

impl Clock {
    /// Returns the local day of the operation.
    pub fn today(&self) -> Date {
        self.now.to_zoned(self.zone.clone()).date()
    }
}

/// Store, configuration and clock; one method an operation.
#[derive(Clone)]
pub struct Engine {
    pub(crate) store: Store,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) wait: Duration,
    /// Where vectors come from; nowhere unless the caller says so.
    pub(crate) meaning: MeaningSettings,
    /// The day that questions are asked as of; today when there is none.
    pub(crate) past: Option<Arc<Past>>,
    /// The day of which it is told what held; none where what holds now is told.
    pub(crate) on: Option<Date>,
    /// How documents were changed since the day that is asked about, once somebody asked.
    pub(crate) revised: Arc<OnceLock<Vec<(Date, Revision)>>>,
    /// The questions that the next one goes on from; none unless the caller says so.
    pub(crate) thread: Thread,
    /// Whether nobody waits for a model: what it failed at is then left alone for a while.
    pub(crate) rests: bool,
    /// The code that statements are compared with, once somebody asked.
    pub(crate) code: CodeAsFound,
    /// The records of replies that were found to read.
    pub(crate) read_well: ReadWell,
    notices: Arc<Mutex<Vec<String>>>,
}

impl Engine {
    /// Returns the engine of the vault that `start` lies in, for the user with these keys.
    ///
    /// # Errors
    /// When there is no vault at or above `start`, or its configuration does not read.
    pub fn open(start: &Path, keys: &Keys, clock: Clock, wait: Duration) -> Result<Engine, Failure> {
        let fs = RealFs;
        let Some(root) = Store::find(start, &fs) else {
            return Err(Failure::usage(format!("no vault at or above `{}`", start.display()))
                .hint("make one here with `ken init .`")
                .hint("see one at work with `ken demo`"));
        };
        Engine::at(root, keys, clock, wait)
    }

    /// Returns whether there is a vault at or above a folder, readable or not.
    pub fn is_in_vault(folder: &Path) -> bool {
        Store::find(folder, &RealFs).is_some()
    }

    /// Returns whether a folder is the root of a vault, readable or not.
    pub fn is_vault(folder: &Path) -> bool {
        Store::find(folder, &RealFs).is_some_and(|root| root == folder)
    }

    /// Returns the engine of the vault whose root is `root`, for the user with these keys.
    ///
    /// # Errors
    /// When its configuration does not read.
    pub fn at(root: PathBuf, keys: &Keys, clock: Clock, wait: Duration) -> Result<Engine, Failure> {
        let found = found_layout(&root);
        let probe = Store::open(root.clone(), found.clone(), Arc::new(RealFs), Keys::none());
        let path = VaultPath::new(CONFIG_FILE).expect("a file name is a vault path");
        let mut config = match probe.read(&path)? {
            Some(bytes) => {
                let text =
                    String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{CONFIG_FILE} is not UTF-8 text")))?;
                Config::parse(&text, &found)?
            }
            None => Config::with_layout(found),
        };
        let linked = without_links(&mut config.layout, &probe);
        let store = Store::open(root, config.layout.clone(), Arc::new(RealFs), keys.clone()).for_one_run();
        let why = "is left alone: it is, or lies behind, a symbolic link";
        let notices = linked.iter().map(|place| format!("`{place}` {why}")).collect();
        Ok(Engine {
            store,
            config,
            clock,
            wait,
            meaning: MeaningSettings::default(),
            past: None,
            on: None,
            revised: Arc::default(),
            thread: Thread::default(),
            rests: false,
            code: CodeAsFound::default(),
            read_well: ReadWell::default(),
            notices: Arc::new(Mutex::new(notices)),
        })
    }

    /// Returns the engine of a vault that lies in a file system of a test's.
    #[cfg(test)]
    pub(crate) fn on(store: Store, config: Config, clock: Clock) -> Engine {
        let meaning = MeaningSettings::default();
        Engine {
            store,
            config,
            clock,
            wait: Duration::from_secs(5),
            meaning,
            past: None,
            on: None,
            revised: Arc::default(),
            thread: Thread::default(),
            rests: false,
            code: CodeAsFound::default(),
            read_well: ReadWell::default(),
            notices: Arc::default(),
        }
    }

    /// Returns now, and where.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the same engine at another time.
    pub fn at_time(&self, clock: Clock) -> Engine {
        Engine { clock, ..self.clone() }
    }

    /// Returns the same engine with a source of vectors.
    #[must_use]
    pub fn with_meaning(self, meaning: MeaningSettings) -> Engine {
        Engine { meaning, ..self }
    }

    /// Returns the same engine for asking while nobody waits.
    pub(crate) fn while_nobody_waits(&self) -> Engine {
        Engine { rests: true, ..self.clone() }
    }

    /// Returns the same engine before it looked at any code.
    pub(crate) fn before_code(&self) -> Engine {
        Engine { code: CodeAsFound::default(), ..self.clone() }
    }

    /// Returns the same engine with another patience.
    pub(crate) fn waiting(&self, wait: Duration) -> Engine {
        Engine { wait, ..self.clone() }
    }

    /// Returns the vault's root.
    pub fn root(&self) -> &Path {
        self.store.root()
    }

    /// Returns the configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the layout.
    pub fn layout(&self) -> &Layout {
        &self.config.layout
    }
}

/// Writing: every change goes through here, so that nothing the store had to do stays unsaid.
impl Engine {
    /// Takes the vault's lock, completing a change that was interrupted.
    pub(crate) fn lock(&self, operation: &str) -> Result<LockGuard, Failure> {
        let guard = self.store.lock(operation, self.wait)?;
        if let Some(recovered) = guard.recovered() {
            if let Some(id) = recovered.completed {
                self.notice(format!("operation {id} had been interrupted and was completed"));
            }
            if recovered.discarded {
                self.notice("a change that had been interrupted before it was decided was discarded".to_owned());
            }
            if let Some(path) = &recovered.damaged {
                self.notice(format!("a damaged record of a change was set aside as `{path}`"));
            }
            self.notice_conflicts(&recovered.conflicts);
        }
        Ok(guard)
    }

    /// Applies a plan.
    pub(crate) fn apply(&self, guard: &LockGuard, plan: &Plan) -> Result<Receipt, Failure> {
        let receipt = self.store.apply(guard, plan)?;
        self.notice_conflicts(&receipt.conflicts);
        Ok(receipt)
    }

    /// Applies what takes operations back; returns the files that changed.
    pub(crate) fn apply_back(&self, guard: &LockGuard, back: &Back) -> Result<Vec<VaultPath>, Failure> {
        let receipt = self.store.apply_back(guard, back)?;
        self.notice_conflicts(&receipt.conflicts);
        Ok(receipt.changed)
    }

    pub(crate) fn notice_conflicts(&self, conflicts: &[Conflict]) {
        for conflict in conflicts {
            let path = &conflict.path;
            self.notice(match &conflict.ours {
                Some(ours) => format!("`{path}` was changed at the same moment and kept; the new text is in `{ours}`"),
                None => format!("`{path}` was changed at the same moment and kept"),
            });
        }
    }

    pub(crate) fn notice(&self, text: String) {
        // A panic elsewhere does not make the list unusable.
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    /// Returns what happened on the way that the caller should hear of, each once.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Takes the places of another tool out of a layout to which nothing but a link leads, and returns them: the vault goes on
/// without.
fn without_links(layout: &mut Layout, store: &Store) -> Vec<VaultPath> {
    let mut linked = Vec::new();
    for places in [&mut layout.foreign, &mut layout.evidence] {
        linked.extend(places.extract_if(.., |place| store.is_behind_link(place)));
    }
    linked
}

/// What a folder looks like without a configuration: one of the families that need none, else Kenning's own.
pub(crate) fn found_layout(root: &Path) -> Layout {
    let seen = sights(&Root::of(root), &|preset| preset.is_vault);
    seen.into_iter().next().map_or_else(|| Layout::of(&KENNING, ""), |sight| sight.layout)
}

/// A folder that is looked at before anything is known of it.
pub(crate) struct Root(Store);

impl Root {
    pub(crate) fn of(root: &Path) -> Root {
        Root(Store::open(root.to_path_buf(), Layout::of(&KENNING, ""), Arc::new(RealFs), Keys::none()))
    }
}

impl Look for Root {
    fn files(&self, folder: Option<&VaultPath>) -> Vec<VaultPath> {
        // What cannot be read shows no sign.
        match folder {
            Some(folder) => self.0.list_paths(folder).unwrap_or_default(),
            None => self.0.list_root().unwrap_or_default(),
        }
    }

    fn text(&self, path: &VaultPath) -> Option<String> {
        self.0.read(path).ok().flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}
