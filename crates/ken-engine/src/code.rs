//! The code that an engine found.

use std::sync::{Arc, Mutex};

use ken_core::drift::Project;

/// The project as it was when an engine first looked at it: nothing where none belongs to the vault. An engine does one
/// thing for one command, and what that tells is of one moment.
pub(crate) type CodeAsFound = Arc<Mutex<Option<Option<Project<'static>>>>>;
