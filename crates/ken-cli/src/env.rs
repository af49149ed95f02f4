//! The world around the process: arguments, working folder, clock, zone, standard input.
//!
//! Nothing else in the program reads them. What is read becomes a value that is handed on, so that a
//! test can freeze it: `KEN_NOW` stops the clock, `TZ` says where days begin and end.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ken_agents::Machine;
use ken_engine::{Clock, Failure, FailureKind, Keys};

use crate::failure;

/// Names of the variables and what they do, for the help.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    ("KEN_NOW", "the moment that counts as now, as RFC 3339 (2026-06-01T12:00:00Z)"),
    ("TZ", "the zone that journal days are counted in; without it, the system's"),
    ("KEN_HOOK_GUARD", "when set, `ken hook` does nothing: for programs it must not see"),
    ("KEN_NO_WORKER", "when set, hooks start no worker; run `ken work` some other way"),
    ("KEN_MODELS", "the file about models [default: ~/.config/kenning/models.toml]"),
    ("ANTHROPIC_API_KEY", "the key for `anthropic:` models; ANTHROPIC_BASE_URL is where they are"),
    ("ANTHROPIC_AUTH_TOKEN", "a token for them, sent as `Bearer`, as gateways want it; goes before the key"),
    ("OPENAI_API_KEY", "the key for `openai:` models; OPENAI_BASE_URL is where they are"),
    ("GEMINI_API_KEY", "the key for `gemini:` models; GOOGLE_GEMINI_BASE_URL is where they are"),
    ("OLLAMA_HOST", "where `ollama:` models are"),
    ("KEN_EMBEDDING_MODEL", "the folder of a model that makes vectors; with a URL, its name"),
    ("KEN_EMBEDDING_URL", "a server that makes vectors, without `/embeddings`; gets texts"),
    ("KEN_EMBEDDING_KEY", "the key for that server"),
    ("VISUAL", "the editor of `ken page edit`, else the one in EDITOR"),
    ("NO_COLOR", "no colour anywhere; CLICOLOR=0 likewise, CLICOLOR_FORCE=1 for always"),
];

/// What the process finds around it.
#[derive(Debug, Clone)]
pub(crate) struct Env {
    /// The working folder.
    pub(crate) cwd: PathBuf,
    /// Now, and where.
    pub(crate) clock: Clock,
}

impl Env {
    /// Returns what is around the process.
    pub(crate) fn read() -> Result<Env, Failure> {
        let cwd = std::env::current_dir().map_err(|error| {
            let failure = failure::of_process("cannot read the working folder", &error);
            Failure { kind: FailureKind::Usage, ..failure }.hint("go to a folder that exists")
        })?;
        Ok(Env { cwd, clock: Env::clock()? })
    }

    /// Returns what is around the process, as far as it can be told, and what could not: a hook has no
    /// time to lose and nobody to ask.
    pub(crate) fn read_for_hook() -> (Env, Option<Failure>) {
        // The payload says where the session runs.
        let cwd = std::env::current_dir().unwrap_or_default();
        match Env::clock() {
            Ok(clock) => (Env { cwd, clock }, None),
            Err(failure) => (Env { cwd, clock: Clock { now: Timestamp::now(), zone: TimeZone::UTC } }, Some(failure)),
        }
    }

    /// Returns now, and where.
    pub(crate) fn clock() -> Result<Clock, Failure> {
        let now = moment(std::env::var_os("KEN_NOW").as_deref())?;
        Ok(Clock { now, zone: zone()? })
    }
}

/// Returns whether the program was called as a hook, before its arguments are understood.
pub(crate) fn is_hook() -> bool {
    std::env::args_os().nth(1).is_some_and(|arg| arg == "hook")
}

/// Returns whether hooks are to start no worker.
pub(crate) fn is_without_worker() -> bool {
    std::env::var_os("KEN_NO_WORKER").is_some_and(|value| !value.is_empty())
}

/// Returns whether the clock stands still.
pub(crate) fn is_frozen() -> bool {
    std::env::var_os("KEN_NOW").is_some_and(|value| !value.is_empty())
}

/// Returns the arguments, the program's name first.
pub(crate) fn args() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// Returns whether the arguments ask for JSON, for failures that happen before they are understood.
pub(crate) fn asks_for_json() -> bool {
    std::env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json")
}

/// Returns the machine as agents and their hooks see it.
pub(crate) fn machine() -> Result<Machine, Failure> {
    let machine = machine_as_it_is();
    if !machine.home.is_absolute() {
        let failure = Failure::usage("HOME names no folder, and agents keep their configuration there");
        return Err(failure.hint("nothing was changed"));
    }
    Ok(machine)
}

/// Returns the machine with whatever is known of it: a hook does what it can.
pub(crate) fn machine_as_it_is() -> Machine {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = set("HOME").or_else(|| set("USERPROFILE")).map(PathBuf::from).unwrap_or_default();
    let path: Vec<PathBuf> = set("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let variables = ken_agents::VARIABLES.iter().filter_map(|name| {
        let value = set(name)?.into_string().ok()?;
        Some(((*name).to_owned(), value))
    });
    let exe = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("ken"));
    let mut machine = Machine { home, path, exe, variables: variables.collect() };
    // A package manager moves the file and keeps the link on the search path.
    let real = |path: &Path| path.canonicalize().ok();
    if let Some(found) = machine.program("ken").filter(|found| real(found) == real(&machine.exe)) {
        machine.exe = found;
    }
    machine
}

/// Returns the key of the user who runs the program, which is kept in no vault.
pub(crate) fn keys(machine: &Machine) -> Keys {
    let folder = machine.state();
    if folder.is_absolute() { Keys::in_folder(folder) } else { Keys::none() }
}

/// Returns whether somebody can answer a question.
pub(crate) fn can_be_asked() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Returns whether the next line of standard input says yes.
pub(crate) fn says_yes() -> bool {
    let mut line = String::new();
    // Who cannot be read has not agreed.
    let _ = std::io::stdin().read_line(&mut line);
    ["y", "yes"].contains(&line.trim().to_lowercase().as_str())
}

/// Returns what standard input holds, or `None` when it is a terminal.
pub(crate) fn piped_input() -> Result<Option<String>, Failure> {
    let mut stdin = std::io::stdin();
    if stdin.is_terminal() { Ok(None) } else { all_of(&mut stdin).map(Some) }
}

/// Returns what standard input holds, whatever it is.
pub(crate) fn input() -> Result<String, Failure> {
    all_of(&mut std::io::stdin())
}

/// Calls `with` with every line of standard input as it comes.
pub(crate) fn each_input_line(with: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| failure::of_process("cannot read standard input", &error))?;
        with(&line);
    }
    Ok(())
}

fn all_of(from: &mut dyn Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).map_err(|error| failure::of_process("cannot read standard input", &error))?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::refused("standard input is not UTF-8 text").hint("nothing was changed"))
}

/// Returns now; `frozen` is the value of `KEN_NOW`, and an empty one counts as none.
fn moment(frozen: Option<&OsStr>) -> Result<Timestamp, Failure> {
    let Some(frozen) = frozen.filter(|text| !text.is_empty()) else { return Ok(Timestamp::now()) };
    let text = frozen.to_string_lossy();
    text.parse().map_err(|_| {
        Failure::usage(format!("KEN_NOW is `{text}`, which is no moment in time"))
            .hint("write it as RFC 3339: `KEN_NOW=2026-06-01T12:00:00Z`")
            .hint("nothing was changed")
    })
}

/// Returns the zone that the machine is set to, where a file says so: looking its name up in the database takes
/// longer than most hooks take for all the rest.
fn machine_zone() -> Option<TimeZone> {
    const PLACE: &str = "/etc/localtime";
    let rules = std::fs::read(PLACE).ok()?;
    let place = std::fs::canonicalize(PLACE).ok()?;
    let (_, name) = place.to_str()?.rsplit_once("/zoneinfo/")?;
    TimeZone::tzif(name, &rules).ok()
}

/// Returns the zone of journal days. A machine without one counts in UTC; a `TZ` that names none is an
/// error, because entries would land in the wrong day.
fn zone() -> Result<TimeZone, Failure> {
    if std::env::var_os("TZ").is_none_or(|text| text.is_empty())
        && let Some(zone) = machine_zone()
    {
        return Ok(zone);
    }
    if std::env::var_os("TZ").is_some_and(|text| text == "UTC") {
        return Ok(TimeZone::UTC);
    }
    TimeZone::try_system().or_else(|_| match std::env::var_os("TZ").filter(|text| !text.is_empty()) {
        Some(text) => {
            Err(Failure::usage(format!("TZ is `{}`, which names no zone known here", text.to_string_lossy()))
                .hint("name one as in `TZ=Europe/Rome`, or count in UTC with `TZ=UTC`")
                .hint("nothing was changed"))
        }
        None => Ok(TimeZone::UTC),
    })
}

/// Returns the text of a file, or of standard input for `-`.
///
/// # Errors
/// When it cannot be read, or is not UTF-8.
pub(crate) fn read_text(file: &str) -> Result<String, Failure> {
    let failed = |error: &std::io::Error| crate::failure::of_process(&format!("cannot read `{file}`"), error);
    if file == "-" {
        return std::io::read_to_string(std::io::stdin()).map_err(|error| failed(&error));
    }
    std::fs::read_to_string(file).map_err(|error| failed(&error))
}

/// Writes a file that the user named, outside of any vault.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_text(file: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| failure::of_process(&format!("cannot write `{file}`"), &error))
}

/// Returns the most memory that the process has held so far, where the system tells.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1_024)
}

/// Returns the bytes of a file that the user named, or of standard input for `-`.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_bytes(file: &str) -> Result<Vec<u8>, Failure> {
    let failed = |error: &std::io::Error| crate::failure::of_process(&format!("cannot read `{file}`"), error);
    if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(|error| failed(&error))?;
        return Ok(bytes);
    }
    std::fs::read(file).map_err(|error| failed(&error))
}

/// Returns whether the environment names the user's file about models.
pub(crate) fn names_models() -> bool {
    std::env::var_os("KEN_MODELS").is_some_and(|value| !value.is_empty())
}

/// Returns the folder of the user's personal vault, as the environment names it.
pub(crate) fn personal_vault() -> Option<PathBuf> {
    std::env::var_os("KEN_PERSONAL").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Returns where the user's file about models is, if the machine tells.
pub(crate) fn models_path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let config = || set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")));
    set("KEN_MODELS").or_else(|| Some(config()?.join("kenning").join(ken_engine::model::MODELS_FILE)))
}

/// Ends the programs that answer prompts when this one is told to end: they lead groups of their own, and a
/// terminal's Ctrl-C does not reach them. What was answered until then is recorded.
pub(crate) fn end_programs_with_us() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                ken_engine::model::end_programs();
                // Who cannot be told is not kept waiting for it.
                let _ =
                    writeln!(std::io::stderr(), "interrupted; replies until now are recorded, nothing is half done");
                // A shell tells by this number that a signal ended it.
                std::process::exit(128 + signal);
            }
        });
    }
}

/// Waits for the end of standard input, and ends the programs that run still by what it told.
pub(crate) fn end_what_input_tells() {
    ken_engine::model::end_told(std::io::stdin().lock());
}

/// Returns whether the machine runs on battery, as far as it says: where it does not, it counts as plugged in.
pub(crate) fn is_on_battery() -> bool {
    on_battery(Path::new("/sys/class/power_supply"))
}

/// Whether nothing of what Linux lists there supplies power from outside, and a battery gives it.
fn on_battery(supplies: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(supplies) else { return false };
    let word = |folder: &Path, name: &str| {
        std::fs::read_to_string(folder.join(name)).map(|text| text.trim().to_owned()).unwrap_or_default()
    };
    let (mut is_fed, mut is_drained) = (false, false);
    for folder in entries.flatten().map(|entry| entry.path()) {
        // Batteries of mice and headsets are of a device, not of the system.
        if word(&folder, "scope") == "Device" {
            continue;
        }
        match word(&folder, "type").as_str() {
            "Battery" => is_drained |= word(&folder, "status") == "Discharging",
            _ => is_fed |= word(&folder, "online") == "1",
        }
    }
    is_drained && !is_fed
}

/// Returns the text of a file, or none when there is no such file.
///
/// # Errors
/// When it is there and cannot be read.
pub(crate) fn text_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(crate::failure::of_process(&format!("cannot read `{}`", path.display()), &error)),
        Ok(text) => Ok(Some(text)),
    }
}

/// Returns the folder in which programs that answer prompts get folders of their own.
pub(crate) fn scratch() -> PathBuf {
    std::env::temp_dir()
}

/// Makes a folder there that only this user can look into, under a name that nobody can have taken before, and that stays.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn scratch_folder() -> Result<PathBuf, Failure> {
    let folder = scratch();
    let mut builder = tempfile::Builder::new();
    builder.prefix("ken-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(&folder).map(tempfile::TempDir::keep).map_err(|error| {
        crate::failure::of_process(&format!("cannot make a folder in `{}`", folder.display()), &error)
            .hint("nothing was changed")
    })
}

/// Puts addresses and keys of the environment into the settings of models. Only the environment and the
/// user's own file say where prompts go: what stands in a vault may come from others.
pub(crate) fn set_models(settings: &mut ken_engine::model::Settings) {
    use ken_engine::model::{Key, Secret};
    let set = variable;
    for (server, keys, url) in [
        (&mut settings.anthropic, &["ANTHROPIC_API_KEY"][..], "ANTHROPIC_BASE_URL"),
        (&mut settings.openai, &["OPENAI_API_KEY"], "OPENAI_BASE_URL"),
        (&mut settings.gemini, &["GEMINI_API_KEY", "GOOGLE_API_KEY"], "GOOGLE_GEMINI_BASE_URL"),
        (&mut settings.ollama, &["OLLAMA_API_KEY"], "OLLAMA_HOST"),
    ] {
        if let Some(key) = keys.iter().find_map(|key| set(key)) {
            server.key = Key::Given(Secret::new(&key));
        }
        if let Some(at) = set(url) {
            server.url = at;
        }
    }
    if let Some(token) = set("ANTHROPIC_AUTH_TOKEN") {
        settings.anthropic.key = Key::Given(Secret::new(&token));
        settings.anthropic.key_header = Some("authorization".to_owned());
    }
    // Ollama's own variable is a host, with or without a port.
    if let Some(host) = set("OLLAMA_HOST") {
        settings.ollama.url = ollama_url(&host);
    }
}

fn ollama_url(host: &str) -> String {
    let ends_in_port = |host: &str| host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match host {
        _ if host.contains("://") => host.to_owned(),
        _ if ends_in_port(host) => format!("http://{host}"),
        _ => format!("http://{host}:11434"),
    }
}

/// Returns whether the environment has a key that an agent takes instead of a login.
pub(crate) fn has_agent_key(agent: &str) -> bool {
    let names: &[&str] = match agent {
        "claude" => &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
        "codex" => &["CODEX_API_KEY"],
        "gemini" => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        "copilot" => &["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
        _ => &[],
    };
    names.iter().any(|name| variable(name).is_some())
}

/// The name under which a server of LM Studio is written into the user's file.
#[cfg(feature = "http")]
const LM_STUDIO: &str = "lmstudio";

/// Returns the servers of models on this machine: what it is called, where it is, how its models are named.
#[cfg(feature = "http")]
pub(crate) fn local_models() -> Vec<(&'static str, String, Vec<String>)> {
    use ken_engine::model::local::{LM_STUDIO_URL, ollama_models, served_models};

    let ollama = variable("OLLAMA_HOST").map_or_else(|| "http://127.0.0.1:11434".to_owned(), |host| ollama_url(&host));
    let named = |server: &str, names: Vec<String>| names.iter().map(|name| format!("{server}:{name}")).collect();
    vec![
        ("Ollama", ollama.clone(), named("ollama", ollama_models(&ollama))),
        ("LM Studio", LM_STUDIO_URL.to_owned(), named(LM_STUDIO, served_models(LM_STUDIO_URL))),
    ]
}

/// Without HTTP nobody can be asked.
#[cfg(not(feature = "http"))]
pub(crate) fn local_models() -> Vec<(&'static str, String, Vec<String>)> {
    Vec::new()
}

/// Returns the address of a server on this machine that a model's name means without the user's file naming it.
pub(crate) fn local_server(model: &str) -> Option<&'static str> {
    #[cfg(feature = "http")]
    {
        let of = model.split_once(':').is_some_and(|(server, _)| server == LM_STUDIO);
        of.then_some(ken_engine::model::local::LM_STUDIO_URL)
    }
    #[cfg(not(feature = "http"))]
    {
        let _ = model;
        None
    }
}

/// Returns what a variable that the user's own file names holds.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Removes a file of the folder for temporary ones, and its folder there if that is empty then.
pub(crate) fn drop_scratch(file: &Path) {
    // What is left there harms nobody.
    let _ = std::fs::remove_file(file);
    file.parent().map(std::fs::remove_dir);
}

/// Returns the next line of standard input, or `None` when there is none.
pub(crate) fn line() -> Option<String> {
    let mut line = String::new();
    let n_bytes = std::io::stdin().read_line(&mut line).ok()?;
    (n_bytes > 0).then(|| line.trim().to_owned())
}

/// Replaces a file of the user's as a whole, and makes its folder.
///
/// # Errors
/// When it cannot be written; then it is as it was.
pub(crate) fn replace_text(path: &Path, text: &str) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| crate::failure::of_process(&format!("cannot write `{}`", path.display()), &error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path)).map_err(|error| {
        // What is left of a try is of no use to anybody.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}

/// Returns where vectors come from. Only the environment says: what stands in a vault may come from others.
pub(crate) fn meaning() -> ken_engine::search::MeaningSettings {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    ken_engine::search::MeaningSettings {
        model: set("KEN_EMBEDDING_MODEL"),
        url: set("KEN_EMBEDDING_URL"),
        key: set("KEN_EMBEDDING_KEY").map(ken_engine::search::Secret::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollamas_host_becomes_an_address() {
        for (host, url) in [
            ("127.0.0.1", "http://127.0.0.1:11434"),
            ("box:8080", "http://box:8080"),
            ("[::1]", "http://[::1]:11434"),
            ("https://box/ollama", "https://box/ollama"),
        ] {
            assert_eq!(ollama_url(host), url);
        }
    }

    #[test]
    fn a_machine_is_on_battery_when_it_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let set = |supply: &str, name: &str, text: &str| {
            std::fs::create_dir_all(folder.path().join(supply)).expect("a folder");
            std::fs::write(folder.path().join(supply).join(name), text).expect("a file");
        };
        assert!(!on_battery(&folder.path().join("none")) && !on_battery(folder.path()));
        set("BAT0", "type", "Battery\n");
        set("BAT0", "status", "Discharging\n");
        assert!(on_battery(folder.path()));
        set("AC", "type", "Mains\n");
        set("AC", "online", "1\n");
        assert!(!on_battery(folder.path()));
        set("AC", "online", "0\n");
        set("mouse", "type", "Battery\n");
        set("BAT0", "status", "Charging\n");
        set("mouse", "status", "Discharging\n");
        set("mouse", "scope", "Device\n");
        assert!(!on_battery(folder.path()));
    }

    #[test]
    fn time_can_be_frozen() {
        let frozen = moment(Some(OsStr::new("2026-06-01T14:00:00+02:00"))).expect("a moment");
        assert_eq!(frozen.to_string(), "2026-06-01T12:00:00Z");
        assert!(moment(Some(OsStr::new(""))).is_ok());
        let failure = moment(Some(OsStr::new("tomorrow"))).expect_err("no moment");
        assert_eq!(failure.message, "KEN_NOW is `tomorrow`, which is no moment in time");
    }

    #[test]
    fn input_that_is_no_text_is_refused() {
        assert_eq!(all_of(&mut "é\n".as_bytes()).as_deref(), Ok("é\n"));
        assert!(all_of(&mut [0xff_u8, 0xfe].as_slice()).is_err());
    }
}
