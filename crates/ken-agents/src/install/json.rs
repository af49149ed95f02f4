//! Merges into JSON files that people keep: comments, order, indentation and line ends stay.
//!
//! Text in, text out. A file that cannot be read as JSON is refused with the place, never repaired.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::command::is_ours;

/// One addition to a JSON file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonEdit {
    /// Adds `value` at the end of the list at `at`, unless the list holds a hook of ours.
    Append {
        /// Keys from the root.
        at: Vec<String>,
        /// What is added.
        value: Value,
    },
    /// Gives the key at `at` this value, unless it has one.
    Default {
        /// Keys from the root.
        at: Vec<String>,
        /// Its value.
        value: Value,
    },
    /// Takes the hooks of another tool out of the list at `at`: those whose command has one of `holding` in it. Taking back
    /// puts them there again.
    Take {
        /// Keys from the root.
        at: Vec<String>,
        /// What the commands have in them.
        holding: Vec<String>,
    },
    /// Adds nothing; taking back removes the key at `at`, which an agent's own program wrote.
    Drop {
        /// Keys from the root.
        at: Vec<String>,
    },
}

impl JsonEdit {
    /// Returns the addition of a hook to the list at `at`.
    pub fn append(at: &[&str], value: Value) -> JsonEdit {
        JsonEdit::Append { at: owned(at), value }
    }

    /// Returns the setting of a key that has to be there.
    pub fn default(at: &[&str], value: Value) -> JsonEdit {
        JsonEdit::Default { at: owned(at), value }
    }

    /// Returns the removal of another tool's hooks from the list at `at`.
    pub fn take(at: &[&str], holding: &[&str]) -> JsonEdit {
        JsonEdit::Take { at: owned(at), holding: owned(holding) }
    }

    /// Returns the removal of what an agent's own program wrote, or left behind empty.
    pub fn dropping(at: &[&str]) -> JsonEdit {
        JsonEdit::Drop { at: owned(at) }
    }
}

/// Returns the text with the edits in it.
///
/// # Errors
/// What keeps the text from taking them: no JSON, or another shape than the agent reads.
pub(crate) fn merged(text: &str, edits: &[JsonEdit], is_strict: bool) -> Result<String, String> {
    let (bom, body) = split_bom(text);
    if is_strict && !body.trim().is_empty() {
        serde_json::from_str::<Value>(body)
            .map_err(|error| format!("it is not JSON as the agent reads it: {error}"))?;
    }
    let root = parse(body)?;
    let object = root.object_value_or_create().ok_or("it holds something other than an object")?;
    let mut changed = false;
    for edit in edits {
        changed |= apply(&object, edit)?;
    }
    if !changed {
        return Ok(text.to_owned());
    }
    let mut merged = root.to_string();
    if body.trim().is_empty() {
        merged = format!("{}\n", merged.trim());
    }
    check(&merged, edits)?;
    Ok(format!("{bom}{merged}"))
}

/// What is left of a file without our part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// All of it.
    pub text: String,
    /// Whether nothing in it is anybody's.
    pub is_empty: bool,
}

/// Returns the text without what the edits added, and without lists and objects that are empty now.
///
/// # Errors
/// What keeps the text from being read.
pub(crate) fn removed(text: &str, edits: &[JsonEdit]) -> Result<Left, String> {
    let (bom, body) = split_bom(text);
    let root = parse(body)?;
    let Some(object) = root.object_value() else {
        return Ok(Left { text: text.to_owned(), is_empty: body.trim().is_empty() });
    };
    for edit in edits {
        take_back(&object, edit);
    }
    let value = |name: &str| object.get(name)?.value()?.to_serde_value();
    let is_default = |name: &str| {
        edits.iter().any(|edit| match edit {
            JsonEdit::Default { at, value: default } => {
                at.as_slice() == [name] && value(name).as_ref() == Some(default)
            }
            _ => false,
        })
    };
    let names: Vec<String> = object.properties().iter().filter_map(|prop| prop.decoded_name()).collect();
    let left = root.to_string();
    // A comment is somebody's.
    let has_comment = serde_json::from_str::<Value>(&left).is_err();
    let is_empty = !has_comment && names.iter().all(|name| is_default(name));
    Ok(Left { text: format!("{bom}{left}"), is_empty })
}

/// Returns whether the text has what the edits add.
pub(crate) fn holds(text: &str, edits: &[JsonEdit]) -> bool {
    merged(text, edits, false).is_ok_and(|merged| merged == text)
}

fn owned(at: &[&str]) -> Vec<String> {
    at.iter().map(|key| (*key).to_owned()).collect()
}

fn split_bom(text: &str) -> (&str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    }
}

fn parse(body: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        ..ParseOptions::default()
    };
    CstRootNode::parse(body, &options).map_err(|error| format!("it is not JSON: {error}"))
}

fn apply(object: &CstObject, edit: &JsonEdit) -> Result<bool, String> {
    match edit {
        JsonEdit::Append { at, value } => {
            let (last, parents) = at.split_last().ok_or("a list needs a name")?;
            let parent = descend(object, parents)?;
            let list = parent.array_value_or_create(last).ok_or_else(|| format!("`{}` is no list", at.join(".")))?;
            if list.elements().iter().any(|element| is_same(element, value)) {
                return Ok(false);
            }
            list.append(input(value));
            if list.elements().len() == 1 {
                list.ensure_multiline();
            }
            Ok(true)
        }
        JsonEdit::Default { at, value } => {
            let (last, parents) = at.split_last().ok_or("a key needs a name")?;
            let parent = descend(object, parents)?;
            let is_missing = parent.get(last).is_none();
            if is_missing {
                parent.append(last, input(value));
            }
            Ok(is_missing)
        }
        JsonEdit::Take { at, holding } => Ok(take(object, at, holding)),
        JsonEdit::Drop { .. } => Ok(false),
    }
}

/// Takes hooks out of a list, and a group that holds no other with them; returns whether there were any.
fn take(object: &CstObject, at: &[String], holding: &[String]) -> bool {
    let Some((last, parents)) = at.split_last() else { return false };
    let parent = parents.iter().try_fold(object.clone(), |object, key| object.object_value(key));
    let Some(list) = parent.and_then(|parent| parent.array_value(last)) else { return false };
    let is_theirs = |node: &CstNode| node.to_serde_value().is_some_and(|value| runs_one(&value, holding));
    let mut changed = false;
    for group in list.elements() {
        let Some(hooks) = group.as_object().and_then(|group| group.array_value("hooks")) else { continue };
        let theirs: Vec<CstNode> = hooks.elements().into_iter().filter(is_theirs).collect();
        changed |= !theirs.is_empty();
        match theirs.len() == hooks.elements().len() && !theirs.is_empty() {
            true => group.remove(),
            false => theirs.into_iter().for_each(CstNode::remove),
        }
    }
    changed
}

/// Whether a hook runs a command that has one of these in it.
fn runs_one(hook: &Value, holding: &[String]) -> bool {
    let command = hook["command"].as_str().unwrap_or_default();
    holding.iter().any(|held| command.contains(held.as_str()))
}

/// Returns the text with what was taken out of `before` in its place again, among what stands there now.
///
/// # Errors
/// What keeps either from being read.
pub(crate) fn put_back(text: &str, edits: &[JsonEdit], before: &str) -> Result<String, String> {
    let was = parse(split_bom(before).1)?;
    let (bom, body) = split_bom(text);
    let root = parse(body)?;
    let mut changed = false;
    for edit in edits {
        let JsonEdit::Take { at, holding } = edit else { continue };
        let groups = list_at(was.object_value(), at).and_then(|list| list.to_serde_value());
        let Some(Value::Array(groups)) = groups else { continue };
        if !groups.iter().any(|group| !split(group, holding).1.is_empty()) {
            continue;
        }
        let object = root.object_value_or_create().ok_or("it holds something other than an object")?;
        let list = list_in_its_place(&object, at, &was)?;
        for idx in 0..groups.len() {
            changed |= put_group_back(&list, &groups, idx, holding);
        }
    }
    Ok(if changed { format!("{bom}{root}") } else { text.to_owned() })
}

/// A group of hooks without those of the other tool, and these with their places in it.
fn split(group: &Value, holding: &[String]) -> (Value, Vec<(usize, Value)>) {
    let hooks = group["hooks"].as_array().cloned().unwrap_or_default();
    let (theirs, rest): (Vec<_>, Vec<_>) = hooks.into_iter().enumerate().partition(|(_, hook)| runs_one(hook, holding));
    let mut left = group.clone();
    if !theirs.is_empty() {
        left["hooks"] = rest.into_iter().map(|(_, hook)| hook).collect();
    }
    (left, theirs)
}

/// Puts what was taken of a group back: into what is left of it, else as a group behind those that stood before it.
fn put_group_back(list: &CstArray, groups: &[Value], idx: usize, holding: &[String]) -> bool {
    let (rest, theirs) = split(&groups[idx], holding);
    let place =
        |group: &Value| list.elements().iter().position(|element| element.to_serde_value().as_ref() == Some(group));
    // Somebody may have put it there meanwhile.
    if theirs.is_empty() || place(&groups[idx]).is_some() {
        return false;
    }
    let left = place(&rest).and_then(|at| list.elements()[at].as_object()?.array_value("hooks"));
    if let Some(hooks) = left {
        for (at, hook) in &theirs {
            hooks.insert((*at).min(hooks.elements().len()), input(hook));
        }
        return true;
    }
    let before = groups[..idx].iter().rev().find_map(|group| place(group).or_else(|| place(&split(group, holding).0)));
    let mut group = groups[idx].clone();
    group["hooks"] = theirs.into_iter().map(|(_, hook)| hook).collect();
    list.insert(before.map_or(0, |before| before + 1), input(&group));
    true
}

fn list_at(object: Option<CstObject>, at: &[String]) -> Option<CstArray> {
    let (last, parents) = at.split_last()?;
    parents.iter().try_fold(object?, |object, key| object.object_value(key))?.array_value(last)
}

/// The list at `at`; where it is gone it is made again behind the keys that it stood behind.
fn list_in_its_place(object: &CstObject, at: &[String], was: &CstRootNode) -> Result<CstArray, String> {
    let (last, parents) = at.split_last().ok_or("a list needs a name")?;
    let parent = descend(object, parents)?;
    if parent.get(last).is_none() {
        let stood = parents.iter().try_fold(was.object_value(), |object, key| Some(object?.object_value(key)));
        let names = |object: &CstObject| -> Vec<String> {
            object.properties().iter().filter_map(|prop| prop.decoded_name()).collect()
        };
        let (stood, now) = (stood.flatten().as_ref().map(names).unwrap_or_default(), names(&parent));
        let behind =
            stood.iter().take_while(|name| *name != last).filter_map(|name| now.iter().position(|other| other == name));
        parent.insert(behind.max().map_or(0, |at| at + 1), last, CstInputValue::Array(Vec::new()));
    }
    parent.array_value(last).ok_or_else(|| format!("`{}` is no list", at.join(".")))
}

fn descend(object: &CstObject, keys: &[String]) -> Result<CstObject, String> {
    let mut at = object.clone();
    for key in keys {
        at = at.object_value_or_create(key).ok_or_else(|| format!("`{key}` is no object"))?;
    }
    Ok(at)
}

/// The agent's own reader takes the last of two equal keys; what we added must be what it sees.
fn check(merged: &str, edits: &[JsonEdit]) -> Result<(), String> {
    // This value takes the last of two equal keys too.
    let seen = parse(merged)?.to_serde_value().unwrap_or_default();
    for edit in edits {
        let JsonEdit::Append { at, value } = edit else { continue };
        let list = at.iter().try_fold(&seen, |value, key| value.get(key)).and_then(Value::as_array);
        if !list.is_some_and(|list| list.iter().any(|element| element == value || has_ours(element))) {
            return Err(format!("`{}` seems to stand in it twice", at.join(".")));
        }
    }
    Ok(())
}

fn take_back(object: &CstObject, edit: &JsonEdit) {
    let (at, value) = match edit {
        JsonEdit::Append { at, value } => (at, Some(value)),
        JsonEdit::Drop { at } => (at, None),
        JsonEdit::Default { .. } | JsonEdit::Take { .. } => return,
    };
    let Some((last, parents)) = at.split_last() else { return };
    let mut chain = vec![object.clone()];
    for key in parents {
        let Some(next) = chain.last().and_then(|parent| parent.object_value(key)) else { return };
        chain.push(next);
    }
    let Some(parent) = chain.last() else { return };
    if let Some(value) = value {
        let Some(list) = parent.array_value(last) else { return };
        remove_from(&list, value);
    }
    match parent.get(last) {
        Some(prop) if value.is_none() => prop.remove(),
        _ => drop_if_empty(parent, last),
    }
    for (parent, key) in chain.iter().zip(parents).rev() {
        drop_if_empty(parent, key);
    }
}

fn remove_from(list: &CstArray, value: &Value) {
    for element in list.elements() {
        if element.to_serde_value().as_ref() == Some(value) {
            element.remove();
        }
    }
}

fn drop_if_empty(parent: &CstObject, key: &str) {
    let Some(prop) = parent.get(key) else { return };
    let is_empty = match prop.value() {
        Some(value) => {
            value.as_array().is_some_and(|list| list.elements().is_empty())
                || value.as_object().is_some_and(|object| object.properties().is_empty())
        }
        None => false,
    };
    if is_empty {
        prop.remove();
    }
}

fn is_same(element: &CstNode, value: &Value) -> bool {
    element.to_serde_value().is_some_and(|element| element == *value || has_ours(&element))
}

/// Returns whether a hook entry runs `ken hook`, however it is nested.
fn has_ours(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(has_ours),
        Value::Object(object) => object.iter().any(|(key, value)| match value {
            Value::String(text) => ["command", "bash"].contains(&key.as_str()) && is_ours(text),
            other => has_ours(other),
        }),
        _ => false,
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(is) => CstInputValue::Bool(*is),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(object) => {
            CstInputValue::Object(object.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
