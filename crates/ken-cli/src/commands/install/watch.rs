//! `ken install watch`: how the system starts `ken watch`, printed, and written only when that is asked for.

use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_agents::install::{self, Change, Plan, Scope};
use ken_core::Digest;
use ken_engine::Failure;
use serde::Serialize;

use crate::exit::Answer;
use crate::failure;
use crate::session::Session;
use crate::ui::Ui;

/// What the installation is called in the receipt, and by `ken uninstall`.
pub(crate) const NAME: &str = "watch";
/// What people call it.
pub(crate) const TITLE: &str = "the system's services";

/// By this a file is known for one of ours.
const MARK: &str = "kenning: written by `ken install watch --write`, removed by `ken uninstall watch`";

/// A service for one vault, in each form.
struct Service<'a> {
    exe: &'a Path,
    vault: &'a Path,
    /// What tells it from that of another vault.
    name: String,
}

#[derive(Serialize)]
struct Wire<'a> {
    systemd: One<'a>,
    launchd: One<'a>,
    cron: &'a str,
    written: Option<String>,
    start: Option<&'a str>,
}

#[derive(Serialize)]
struct One<'a> {
    path: String,
    text: &'a str,
}

/// How it is called.
pub(crate) struct Options {
    /// Whether the file of this system is written.
    pub(crate) write: bool,
    /// Whether nothing is changed.
    pub(crate) dry_run: bool,
}

/// Prints the three forms, or writes that of this system.
pub(crate) fn run(options: &Options, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let machine = session.machine()?;
    let engine = session.engine()?;
    let vault = engine.root();
    let service = Service { exe: &machine.exe, vault, name: name_of(vault) };
    let (unit_place, plist_place) = service.places(&machine);
    let (unit, plist, cron) = (service.unit()?, service.plist()?, service.cron()?);
    let (place, text, start) = match cfg!(target_os = "macos") {
        true => (&plist_place, &plist, format!("launchctl bootstrap gui/$(id -u) {}", machine.shown(&plist_place))),
        false => (&unit_place, &unit, format!("systemctl --user enable --now {}.service", service.label())),
    };
    let mut written = None;
    if options.write && !options.dry_run {
        if cfg!(windows) {
            return Err(Failure::refused("there is no such service on this system").hint("nothing was changed"));
        }
        let changes = vec![Change::whole(place.clone(), text.clone(), false)];
        let scope = Scope::Project(vault.to_owned());
        let plan = Plan { agent: NAME.to_owned(), scope, changes, otherwise: Vec::new() };
        let done = install::install(&plan, &machine, session.wait()).map_err(failure::of_agent)?;
        written = Some((machine.shown(place), done.is_changed));
    }
    if ui.is_json() {
        let one = |place: &Path, text| One { path: machine.shown(place), text };
        ui.json(&Wire {
            systemd: one(&unit_place, &unit),
            launchd: one(&plist_place, &plist),
            cron: &cron,
            written: written.map(|(place, _)| place),
            start: options.write.then_some(&start),
        });
        return Ok(Answer::Yes);
    }
    match written {
        Some((place, true)) => {
            ui.say(format!("Wrote {place}. It is not started yet; start it with"));
            ui.say(format!("  {start}"));
            ui.say("`ken uninstall watch` removes the file; a service that runs is stopped by you first.");
        }
        Some((place, false)) => ui.say(format!("{place} is there already; nothing was changed.")),
        None if options.write => {
            ui.line(format!("writes {}", machine.shown(place)));
            text.lines().for_each(|line| ui.line(format!("  {line}")));
            ui.say("Nothing was changed.");
        }
        None => {
            for (what, place, text) in [("systemd", &unit_place, &unit), ("launchd", &plist_place, &plist)] {
                ui.line(format!("# {what}: {}", machine.shown(place)));
                ui.line(text);
            }
            ui.line(format!("# cron, by `crontab -e`\n{cron}"));
            ui.say("\nNothing was changed. `ken install watch --write` writes the file of this system.");
        }
    }
    Ok(Answer::Yes)
}

/// Returns a name for a vault: that of its folder, and what tells it from others of that name.
fn name_of(vault: &Path) -> String {
    let folder = vault.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain: String = folder.chars().filter(|ch| ch.is_ascii_alphanumeric() || *ch == '-').take(24).collect();
    let digest = Digest::of(vault.as_os_str().as_encoded_bytes()).to_string();
    format!("{}-{}", if plain.is_empty() { "vault" } else { &plain }, &digest[..6])
}

impl Service<'_> {
    fn label(&self) -> String {
        format!("ken-watch-{}", self.name)
    }

    fn places(&self, machine: &Machine) -> (PathBuf, PathBuf) {
        let units = machine.folder("XDG_CONFIG_HOME", ".config").join("systemd/user");
        let agents = machine.home.join("Library/LaunchAgents");
        (units.join(format!("{}.service", self.label())), agents.join(format!("{}.plist", self.label())))
    }

    /// Returns the program and the vault as text; a line of these files cannot hold what breaks lines.
    fn words(&self) -> Result<(&str, &str), Failure> {
        fn plain(path: &Path) -> Option<&str> {
            path.to_str().filter(|text| !text.contains(char::is_control))
        }
        plain(self.exe).zip(plain(self.vault)).ok_or_else(|| {
            let name = self.vault.display().to_string();
            Failure::refused(format!("`{}` is a name that no such file can hold", crate::text::clean(&name)))
                .hint("nothing was changed")
        })
    }

    /// Returns the unit of systemd. Whoever is told that the vault is gone or watched already is not started again.
    fn unit(&self) -> Result<String, Failure> {
        let (exe, vault) = self.words()?;
        let specifiers = |text: &str| text.replace('%', "%%");
        let quoted = |text: &str| {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{}\"", specifiers(&text))
        };
        // What starts a program is not read as a variable, its arguments are.
        let argument = quoted(vault).replace('$', "$$");
        Ok(format!(
            "# {MARK}\n[Unit]\nDescription=Kenning watches {}\n\n[Service]\nExecStart={} watch --vault {argument}\n\
             Nice=10\nRestart=on-failure\nRestartSec=30\nRestartPreventExitStatus=2 3 4\n\n[Install]\n\
             WantedBy=default.target\n",
            specifiers(vault),
            quoted(exe)
        ))
    }

    /// Returns the property list of launchd.
    fn plist(&self) -> Result<String, Failure> {
        let (exe, vault) = self.words()?;
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let word = |text: &str| format!("    <string>{}</string>\n", escaped(text));
        let words: String = [exe, "watch", "--vault", vault].into_iter().map(word).collect();
        Ok(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {MARK} -->\n\
             <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
             <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{}</string>\n\
             \x20 <key>ProgramArguments</key>\n  <array>\n{words}  </array>\n\
             \x20 <key>RunAtLoad</key>\n  <true/>\n  <key>ProcessType</key>\n  <string>Background</string>\n</dict>\n</plist>\n",
            self.label()
        ))
    }

    /// Returns the line of cron, which starts it when the machine starts.
    fn cron(&self) -> Result<String, Failure> {
        let (exe, vault) = self.words()?;
        // `%` ends a line there, also between quotation marks.
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''").replace('%', "\\%"));
        Ok(format!("@reboot {} watch --quiet --vault {}", quoted(exe), quoted(vault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_signs_of_their_own_stay_names() {
        let (exe, vault) = (Path::new("/opt/a b/ken"), Path::new("/home/ada/50% \"$HOME\" <it's> & more"));
        let service = Service { exe, vault, name: name_of(vault) };
        let unit = service.unit().expect("a unit");
        let start = unit.lines().find(|line| line.starts_with("ExecStart=")).expect("a start");
        let expected = r#"ExecStart="/opt/a b/ken" watch --vault "/home/ada/50%% \"$$HOME\" <it's> & more""#;
        assert_eq!(start, expected);
        let plist = service.plist().expect("a list");
        assert!(plist.contains("<string>/home/ada/50% \"$HOME\" &lt;it's&gt; &amp; more</string>"), "{plist}");
        let cron = service.cron().expect("a line");
        assert!(cron.ends_with(r#"'/home/ada/50\% "$HOME" <it'\''s> & more'"#), "{cron}");
        assert!(name_of(vault).starts_with("50homeitsmore-"), "{}", name_of(vault));
    }

    #[test]
    fn a_name_that_breaks_lines_is_refused() {
        let vault = Path::new("/home/ada/a\nExecStartPost=rm");
        let service = Service { exe: Path::new("/bin/ken"), vault, name: name_of(vault) };
        assert!(service.unit().is_err() && service.plist().is_err() && service.cron().is_err());
    }
}
