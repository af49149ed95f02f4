//! Which folders have sessions that are left alone.
//!
//! A pattern is a glob: `*` and `?` stay inside a name, `**` is any folders, `[ab]` and `{a,b}` are choices. One that
//! does not begin at the root may begin anywhere, and what it names takes all that lies below along: a list of what
//! is private rather leaves too much alone than too little.

use globset::{Error, GlobBuilder, GlobSet, GlobSetBuilder};

/// The patterns of folders whose sessions are left alone.
#[derive(Debug, Clone)]
pub struct Exclude {
    patterns: Vec<String>,
    /// Those that begin at the root.
    rooted: GlobSet,
    others: GlobSet,
}

impl PartialEq for Exclude {
    fn eq(&self, other: &Exclude) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Exclude {}

impl Default for Exclude {
    fn default() -> Exclude {
        Exclude { patterns: Vec::new(), rooted: GlobSet::empty(), others: GlobSet::empty() }
    }
}

impl Exclude {
    /// Returns what some patterns leave alone.
    ///
    /// # Errors
    /// The first pattern that is none, with what is wrong with it.
    pub(super) fn new(patterns: Vec<String>) -> Result<Exclude, String> {
        let (mut rooted, mut others) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for pattern in &patterns {
            let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
            let named = |error: Error| format!("`{pattern}` is no pattern: {}", error.kind());
            let bare = pattern.trim_end_matches('/');
            if bare.starts_with('/') {
                rooted.add(glob(bare).map_err(named)?);
            } else {
                others.add(glob(&format!("**/{bare}")).map_err(named)?);
            }
        }
        let built = |set: GlobSetBuilder| set.build().map_err(|error| format!("`exclude` cannot be read: {error}"));
        Ok(Exclude { patterns, rooted: built(rooted)?, others: built(others)? })
    }

    /// Returns whether a folder is left alone, by its own name or by that of a folder around it; `relative` is the
    /// folder as seen from the vault's root, `whole` its absolute name.
    pub(super) fn has(&self, whole: &str, relative: &str) -> bool {
        let last = whole.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("");
        let is_in = |set: &GlobSet, name: &str| {
            let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
            ends.filter(|end| *end > 0).any(|end| set.is_match(&name[..end]))
        };
        is_in(&self.rooted, whole) || is_in(&self.others, relative) || self.others.is_match(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(patterns: &[&str], left_alone: &[&str], others: &[&str]) {
        let exclude = Exclude::new(patterns.iter().map(|pattern| (*pattern).to_owned()).collect()).expect("patterns");
        let has = |relative: &&&str| exclude.has(&format!("/v/{relative}"), relative);
        assert_eq!(left_alone.iter().filter(|name| !has(name)).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert_eq!(others.iter().filter(has).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn folders_are_told_by_place_or_name_with_all_below_them() {
        check(
            &["clients/*", "diary", "*/secret/"],
            &["clients/acme", "clients/acme/deep", "notes/diary", "a/secret", "a/b/secret/c"],
            &["clients", "diary-app", "secrets"],
        );
        check(&["/v/a", "/v/*/b"], &["a", "a/x", "c/b/d"], &["b", "c/a", "c/d/b"]);
        check(
            &["clients/**/draft", "tmp-?", "{x,y}z", "[ab]c"],
            &["clients/draft", "clients/a/b/draft", "tmp-1/a", "xz", "bc"],
            &["tmp-12", "z", "cc"],
        );
        check(&[], &[], &["a"]);
    }

    #[test]
    fn a_star_stays_inside_a_name() {
        check(&["a*c"], &["abc", "b/a-c"], &["a/c", "ab/bc"]);
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        let why = |pattern: &str| Exclude::new(vec![pattern.to_owned()]).expect_err("is no pattern");
        assert_eq!(why("a[b"), "`a[b` is no pattern: unclosed character class; missing ']'");
        assert_eq!(
            why("{a"),
            "`{a` is no pattern: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"
        );
    }
}
