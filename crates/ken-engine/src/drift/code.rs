//! The texts of the code that statements name.

use std::collections::BTreeMap;

use ken_core::drift::{Project, Reference, State, judge};

use super::cached::Facts;
use super::tree::{Tree, text_of};
use crate::engine::Engine;

/// The code of a project, by what names it.
pub(crate) struct CodeTexts {
    tree: Tree,
    project: Project<'static>,
}

impl Engine {
    /// Returns the code of the project that the vault belongs to, if there is one.
    pub(crate) fn code_texts(&self) -> Option<CodeTexts> {
        let top = self.project_of(None).ok()?;
        let tree = Tree::read(&top, &self.own_folders(&top));
        let facts = Facts::read(self, &tree);
        // What is only mentioned, ignored, or went long ago is not shown to anybody.
        let n_files = tree.files.len();
        let none = move || vec![Vec::new(); n_files];
        let project = Project::new(facts.files(&tree), BTreeMap::new(), Box::new(none), Box::new(|_| false));
        Some(CodeTexts { tree, project })
    }
}

impl CodeTexts {
    /// Returns the file that a reference names, from the top of the project, with its text: code in a language that is
    /// known, which defines what the reference names. Nothing where it names several files or none.
    pub(crate) fn text_of(&self, reference: &Reference) -> Option<(String, String)> {
        let path = self.project.code_at(reference.path()?)?;
        if judge(reference, &self.project) != State::There {
            return None;
        }
        let at = self.tree.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        Some((path.to_owned(), text_of(&self.tree.top, &self.tree.files[at])?))
    }
}
