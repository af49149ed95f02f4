//! Git: headers are checked before a commit, pages are renewed after a merge.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Agent, Site};
use crate::command::quoted;
use crate::install::{Change, Marks, spoken};
use crate::machine::Machine;
use crate::refusal::Refusal;

/// Git answers at once; more means that something is in its way.
const GIT_WAIT: Duration = Duration::from_secs(10);

/// Not an agent: the repository that a vault is kept in.
pub(super) struct Git;

impl Agent for Git {
    fn name(&self) -> &'static str {
        "git"
    }

    fn title(&self) -> &'static str {
        "git"
    }

    fn found(&self, _: &Machine) -> Option<String> {
        None
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        let Some(vault) = &site.vault else {
            return Err(Refusal::new("no vault is here, so there is nothing to check before a commit")
                .hint("go to the vault, or make one with `ken init`"));
        };
        let top = PathBuf::from(asked(site.machine, vault, &["rev-parse", "--show-toplevel"])?);
        let hooks = PathBuf::from(asked(site.machine, vault, &["rev-parse", "--git-path", "hooks"])?);
        let hooks = if hooks.is_absolute() { hooks } else { vault.join(hooks) };
        let real = std::fs::canonicalize(vault).unwrap_or_else(|_| vault.clone());
        let inner = real.strip_prefix(std::fs::canonicalize(&top).unwrap_or(top)).unwrap_or(Path::new("")).to_owned();
        let inner = if inner.as_os_str().is_empty() { PathBuf::from(".") } else { inner };
        let find = format!(
            "ken={}; [ -x \"$ken\" ] || ken=$(command -v ken) || ken=",
            quoted(&site.machine.exe.to_string_lossy())
        );
        let vault = quoted(&inner.to_string_lossy());
        let before = format!(
            "# Written by `ken install git`. Pages that are committed must have no errors.\n\
             {find}\n\
             if [ -n \"$ken\" ] && [ -f {vault}/kenning.toml ]; then\n  \
               kenning_said=$(git diff --cached --name-only --diff-filter=ACMR -z -- '*.md' |\n    \
                 \"$ken\" lint --vault {vault} --quiet - 2>&1)\n  \
               case $? in\n    \
                 0) ;;\n    \
                 1) printf '%s\\n' \"$kenning_said\" >&2\n       \
                    echo 'ken: nothing was committed; repair these pages, or commit with --no-verify' >&2\n       \
                    exit 1 ;;\n    \
                 *) printf '%s\\n' \"$kenning_said\" >&2\n       \
                    echo 'ken: the pages could not be checked; the commit goes on' >&2 ;;\n  \
               esac\n\
             fi"
        );
        let after = format!(
            "# Written by `ken install git`. Pages are renewed in the background, whatever comes of it.\n\
             {find}\n\
             if [ -n \"$ken\" ] && [ -f {vault}/kenning.toml ]; then\n  \
               (\"$ken\" compile --vault {vault} --quiet </dev/null >/dev/null 2>&1 &)\n\
             fi"
        );
        Ok(vec![
            Change::block(hooks.join("pre-commit"), before, Marks::Shell),
            Change::block(hooks.join("post-merge"), after, Marks::Shell),
        ])
    }

    fn command(&self, _: &Site<'_>) -> Option<String> {
        None
    }

    fn is_extra(&self) -> bool {
        true
    }
}

fn asked(machine: &Machine, folder: &Path, args: &[&str]) -> Result<String, Refusal> {
    let Some(program) = machine.program("git") else {
        return Err(Refusal::new("`git` is not on the search path").hint("nothing was changed"));
    };
    let mut command = Command::new(program);
    // A hook that calls us has these set, for another question than ours.
    command.args(args).current_dir(folder).env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
    let answer = spoken(command, "", GIT_WAIT).map_err(|cause| Refusal::new("cannot run `git`").because(cause))?;
    match answer.is_success {
        true => Ok(answer.out.trim_end_matches(['\n', '\r']).to_owned()),
        false => Err(Refusal::new(format!("`{}` is in no git repository", folder.display()))
            .hint("make one with `git init`, or go without: nothing else needs git")),
    }
}
