//! The user's own editor, and texts that are kept for them where they can find them.

use std::path::{Path, PathBuf};

use ken_engine::Failure;

use crate::env;

/// Lets the user's own editor change a text in a file of its own, which is there until [`dropped`]; returns the file and
/// what it says then.
///
/// # Errors
/// When no editor is named or it fails; the file stays then.
pub(crate) fn edited(name: &str, text: &str) -> Result<(PathBuf, String), Failure> {
    let Some(editor) = env::variable("VISUAL").or_else(|| env::variable("EDITOR")) else {
        return Err(Failure::usage("no editor is named")
            .hint("name one in VISUAL or EDITOR, or give the text with `--file FILE`")
            .hint("nothing was changed"));
    };
    let file = set_aside(name, text)?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let failed = |why: String| {
        Failure::refused(format!("`{editor}` {why}"))
            .hint(format!("what it left is in `{}`", file.display()))
            .hint("nothing was changed")
    };
    let status = std::process::Command::new(program).args(words).arg(&file).status();
    match status {
        Err(error) => Err(failed(format!("cannot be started: {error}"))),
        Ok(status) if !status.success() => Err(failed(format!("ended with {status}"))),
        Ok(_) => env::read_text(&file.to_string_lossy()).map(|text| (file, text)),
    }
}

/// Keeps a text that could not be put where it belongs in a file of its own, and returns that.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn set_aside(name: &str, text: &str) -> Result<PathBuf, Failure> {
    let file = env::scratch_folder()?.join(name);
    env::replace_text(&file, text)?;
    Ok(file)
}

/// Removes what [`edited`] left.
pub(crate) fn dropped(file: &Path) {
    env::drop_scratch(file);
}
