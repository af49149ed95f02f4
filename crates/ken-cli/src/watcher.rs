//! What wakes `ken watch`: the system's word that something changed, a signal, the end of its owner.
//!
//! The system is asked to tell of every folder that matters; it is asked anew before each look, so that folders may
//! come, go and come again. Where it cannot tell, [`Watching::Looking`] says why, and whoever waits looks by itself.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use ken_engine::{Concern, Watched};

/// What comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    /// Something that matters changed.
    #[cfg_attr(not(feature = "watch"), expect(dead_code, reason = "nobody tells then"))]
    Changed(Concern),
    /// It is time to go.
    End(End),
}

/// Why it is time to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Somebody said so.
    Told,
    /// Who started it is gone.
    Owner,
}

/// After a change nothing may come for so long before anything is done: an editor, a checkout or a sync tool writes
/// many files in a row.
const QUIET: Duration = Duration::from_millis(200);

/// Whoever never stops writing waits no longer than this.
const QUIET_MAX: Duration = Duration::from_millis(1_000);

/// Where everything that wakes comes together.
pub(crate) struct Inbox {
    sender: Sender<News>,
    news: Receiver<News>,
}

impl Inbox {
    /// Returns the inbox of a process that ends when it is told to, and with standard input if that is its owner's.
    pub(crate) fn new(ends_with_input: bool) -> Inbox {
        let (sender, news) = channel();
        let inbox = Inbox { sender, news };
        let of_signals = inbox.sender.clone();
        on_signal(move || of_signals.send(News::End(End::Told)).is_ok());
        if ends_with_input {
            let of_input = inbox.sender.clone();
            std::thread::spawn(move || {
                // What comes is nobody's business; that it ends says that the owner is gone.
                let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
                let _ = of_input.send(News::End(End::Owner));
            });
        }
        inbox
    }

    /// Waits for news, at most until a moment; `None` when it has come.
    pub(crate) fn wait(&self, until: Option<Instant>) -> Option<News> {
        let Some(until) = until else { return self.news.recv().ok() };
        self.news.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }

    /// Waits until nothing comes any more; returns the news that it is time to go, if that comes.
    pub(crate) fn settle(&self) -> Option<End> {
        let latest = Instant::now() + QUIET_MAX;
        loop {
            let left = latest.saturating_duration_since(Instant::now());
            match self.news.recv_timeout(QUIET.min(left)) {
                Ok(News::End(end)) => return Some(end),
                Ok(News::Changed(_)) if left > Duration::ZERO => {}
                Ok(News::Changed(_)) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Calls `with` when the process is told to end, which it then does by itself; told twice, it ends at once. Where there
/// are no signals, it ends at once.
fn on_signal(with: impl FnOnce() -> bool + Send + 'static) {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        std::thread::spawn(move || {
            let mut signals = signals.forever();
            let first = signals.next();
            if with() {
                signals.next();
            }
            // A shell tells by this number that a signal ended it.
            std::process::exit(128 + first.unwrap_or(SIGTERM));
        });
    }
    #[cfg(not(unix))]
    drop(with);
}

/// How changes are seen.
pub(crate) enum Watching {
    /// The system tells, as long as this value lives.
    #[cfg_attr(not(feature = "watch"), expect(dead_code, reason = "nobody tells then"))]
    Told {
        /// Tells until it is dropped.
        _by: Box<dyn std::any::Any>,
    },
    /// Nobody tells, for this reason.
    Looking(String),
}

impl Watching {
    /// Asks the system to tell of changes; `None` for a reason lets it try.
    pub(crate) fn begin(watched: &Watched, inbox: &Inbox, without: Option<&str>) -> Watching {
        let reason = without.map(ToOwned::to_owned).or_else(|| far_away(watched.root()));
        match reason {
            Some(reason) => Watching::Looking(reason),
            None => told(watched, inbox.sender.clone()).unwrap_or_else(Watching::Looking),
        }
    }

    /// Returns why nobody tells, if nobody does.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Watching::Told { .. } => None,
            Watching::Looking(reason) => Some(reason),
        }
    }
}

#[cfg(feature = "watch")]
fn told(watched: &Watched, to: Sender<News>) -> Result<Watching, String> {
    use notify::{Event, EventKind, RecursiveMode, Watcher};

    let concern = watched.clone();
    let tell = move |event: notify::Result<Event>| {
        let of_event = |event: Event| match event.kind {
            // Whoever reads changes nothing: our own looks would wake us for ever.
            EventKind::Access(_) => None,
            _ if event.need_rescan() => Some(Concern::Vault),
            _ => event.paths.iter().filter_map(|path| concern.concern(path)).min_by_key(|one| *one != Concern::Vault),
        };
        // What the system could not tell may have been anything.
        if let Some(concern) = event.map_or(Some(Concern::Vault), of_event) {
            // Nobody listens any more at the very end.
            let _ = to.send(News::Changed(concern));
        }
    };
    let mut watcher = notify::recommended_watcher(tell).map_err(|error| refusal(&error))?;
    // Linux tells of single folders and would count those of the whole tree; others tell of trees.
    let (folders, mode) = match cfg!(target_os = "linux") {
        true => (watched.folders(), RecursiveMode::NonRecursive),
        false => (&watched.folders()[..1], RecursiveMode::Recursive),
    };
    for folder in folders {
        match watcher.watch(folder, mode) {
            // It went meanwhile, which its parent tells.
            Err(_) if !folder.is_dir() => {}
            other => other.map_err(|error| refusal(&error))?,
        }
    }
    Ok(Watching::Told { _by: Box::new(watcher) })
}

/// Returns why the system does not tell.
#[cfg(feature = "watch")]
fn refusal(error: &notify::Error) -> String {
    use notify::ErrorKind;
    match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system watches no more folders (its limit is `fs.inotify.max_user_watches`)".to_owned()
        }
        ErrorKind::Io(cause) if cause.raw_os_error() == Some(24) => {
            "the system has no more watchers (their limit is `fs.inotify.max_user_instances`)".to_owned()
        }
        ErrorKind::Io(cause) => format!("the system says: {}", cause.to_string().to_lowercase()),
        _ => format!("the system says: {}", error.to_string().to_lowercase()),
    }
}

#[cfg(not(feature = "watch"))]
fn told(_: &Watched, _: Sender<News>) -> Result<Watching, String> {
    Err("this `ken` was built without the feature `watch`".to_owned())
}

/// Returns why a folder's changes may not be told, where other machines change it too.
#[cfg(target_os = "linux")]
fn far_away(root: &Path) -> Option<String> {
    // By the numbers that `statfs` gives: NFS, SMB, CIFS, SMB2, 9P (folders of Windows), vboxsf, Ceph.
    const FAR: [u32; 7] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x786f_4256, 0x00c3_6400];
    let kind = rustix::fs::statfs(root).ok()?.f_type as u32;
    FAR.contains(&kind).then(|| "other machines may change this folder, and the system does not tell".to_owned())
}

#[cfg(not(target_os = "linux"))]
fn far_away(_: &Path) -> Option<String> {
    None
}
