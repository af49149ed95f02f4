//! Places inside a vault.
//!
//! A [`VaultPath`] cannot leave its vault: it is relative, uses forward slashes, and holds no `.` or
//! `..` parts. Every file operation of the store takes one, so untrusted text can name no other file.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A normalised path relative to the vault's root; cheap to clone, because findings and plans name files often.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VaultPath(Arc<str>);

impl VaultPath {
    /// Returns the path, or `None` when `text` is empty, absolute, or would leave the vault.
    ///
    /// ```
    /// # use ken_core::VaultPath;
    /// assert!(VaultPath::new("knowledge/concepts/jwt.md").is_some());
    /// assert!(VaultPath::new("../etc/passwd").is_none());
    /// assert!(VaultPath::new("C:/x").is_none());
    /// ```
    pub fn new(text: &str) -> Option<VaultPath> {
        let text = text.strip_prefix("./").unwrap_or(text);
        let bad_part = |part: &[u8]| matches!(part, b"" | b"." | b"..");
        let is_bad = |byte: u8| matches!(byte, b'\\' | b':') || byte.is_ascii_control();
        // All bytes are looked at, several at once: hardly any text is refused.
        if text.bytes().fold(false, |bad, byte| bad | is_bad(byte))
            || text.as_bytes().split(|byte| *byte == b'/').any(bad_part)
        {
            return None;
        }
        if !text.is_ascii() && text.contains(char::is_control) {
            return None;
        }
        Some(VaultPath(Arc::from(text)))
    }

    /// Returns the path with forward slashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last part, the file's name.
    pub fn file_name(&self) -> &str {
        self.last_slash().map_or(&self.0, |at| &self.0[at + 1..])
    }

    /// Returns the file's name without its last extension.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
    }

    /// Returns the extension in the case it was written, or an empty text.
    pub fn extension(&self) -> &str {
        let name = self.file_name();
        let dot = name.bytes().rposition(|byte| byte == b'.').filter(|at| *at > 0);
        dot.map_or("", |at| &name[at + 1..])
    }

    /// Returns the folder, or `None` for a file at the vault's root.
    pub fn parent(&self) -> Option<VaultPath> {
        self.folder().map(|parent| VaultPath(Arc::from(parent)))
    }

    /// Returns the text of the folder, or `None` for a file at the vault's root.
    pub fn folder(&self) -> Option<&str> {
        self.last_slash().map(|at| &self.0[..at])
    }

    /// Names are short: this is found sooner byte by byte.
    fn last_slash(&self) -> Option<usize> {
        self.0.bytes().rposition(|byte| byte == b'/')
    }

    /// Returns the path of `name` inside this folder, or `None` when it would leave the vault.
    pub fn join(&self, name: &str) -> Option<VaultPath> {
        VaultPath::new(&format!("{}/{name}", self.0))
    }

    /// Returns whether this path lies in `folder`, at any depth.
    pub fn is_under(&self, folder: &str) -> bool {
        self.0.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// Paths are in the order of their texts, so that one is found by its text.
impl Borrow<str> for VaultPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for VaultPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_vault_are_refused() {
        for text in ["", "/", "/etc/passwd", "..", "a/../b", "a//b", "a/./b", "C:\\x", "a\\b", "a\0b", "a\nb"] {
            assert_eq!(VaultPath::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn parts_are_named_like_std_paths() {
        let path = VaultPath::new("knowledge/concepts/jwt.v2.md").expect("inside");
        assert_eq!((path.file_name(), path.stem(), path.extension()), ("jwt.v2.md", "jwt.v2", "md"));
        assert_eq!(path.parent().as_ref().map(VaultPath::as_str), Some("knowledge/concepts"));
        assert!(path.is_under("knowledge") && !path.is_under("know"));
    }
}
