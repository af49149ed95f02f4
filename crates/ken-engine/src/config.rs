//! What `kenning.toml` says: where things live and what may be spent.
//!
//! The file comes with a clone and is untrusted: it can only name places inside the vault and numbers
//! within ranges. Every key has a default; an unknown key is refused with the nearest known one.

use ken_compile::rollup::Thresholds;
use ken_core::consolidate::archive::ARCHIVE_DAYS;
use ken_core::consolidate::due::{PACE, Pace};
use ken_core::layout::{KENNING, Layout, PRESETS, Preset, SHARED_TALK};
use ken_core::talk::Keep;
use ken_core::text::closest;
use ken_core::topic::Topics;
use ken_core::{Tokens, VaultPath};
use serde::Deserialize;

use crate::failure::Failure;

mod exclude;
mod limits;
mod topics;

pub use exclude::Exclude;
pub use limits::{BUDGET_KEYS, Figures, Limits, Measured, window_tokens};

pub use ken_core::layout::CONFIG_FILE;

/// The configuration with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where things live.
    pub layout: Layout,
    /// What `ken route` may spend.
    pub route_tokens: Tokens,
    /// What `ken context` may spend.
    pub context_tokens: Tokens,
    /// Most bytes of the brief that a session starts with.
    pub brief_bytes: usize,
    /// Whether what a prompt asks is looked up as it is sent.
    pub prompt_context: bool,
    /// Working folders, or names of projects, whose sessions are left alone.
    pub exclude: Exclude,
    /// New entries after which a worker compiles; 0 is never.
    pub compile_after_entries: usize,
    /// Hour of the day from which a worker compiles whatever is new; 24 is never.
    pub compile_from_hour: usize,
    /// How much is rolled up; nothing where that is off.
    pub rollups: Option<Thresholds>,
    /// How often the wiki is consolidated by itself.
    pub consolidate: Pace,
    /// Days after which a compiled page that nobody used is put away; 0 is never.
    pub archive_after_days: usize,
    /// Whether it is noted which questions found nothing, and which pages answered.
    pub keeps_questions: bool,
    /// The short index that some agents read at every start, if one is kept.
    pub memory_index: Option<VaultPath>,
    /// Whether search compares meanings: always, never, or when asked.
    pub semantic: Option<bool>,
    /// Whether the talk of sessions is kept.
    pub keeps_talk: bool,
    /// How much talk is kept.
    pub sessions_keep: Keep,
    /// The folder of the work tree around the vault whose code its pages speak of; the whole tree when there is none.
    pub project: Option<VaultPath>,
    /// How much of a window each layer may take.
    pub limits: Limits,
    /// The topics that statements are sorted by.
    pub topics: Topics,
}

/// Default of `route_tokens`: a few whole pages.
pub const ROUTE_TOKENS: usize = 8_000;
/// Default of `context_tokens`: what a prompt can spare without thinking about it.
pub const CONTEXT_TOKENS: usize = 2_000;

/// Default of `brief_bytes`: what every session can spare.
const BRIEF_BYTES: usize = 2_000;
/// Most that a brief may be: above 10,000 characters an agent shows its model a part and a file name.
pub const BRIEF_BYTES_MAX: usize = 9_000;
/// Default of `compile_after_entries`: without a model a compile costs tens of milliseconds.
const COMPILE_AFTER_ENTRIES: usize = 1;
/// Default of `compile_from_hour`: the end of a working day.
const COMPILE_FROM_HOUR: usize = 18;

/// Default of `rollup_days` and `rollup_weeks`: from then on a page says less than what it rolls up.
const THRESHOLDS: Thresholds = Thresholds { week_days: 3, month_weeks: 2 };

/// Every key: name, what it takes, default, meaning.
pub const KEYS: &[(&str, &str, &str, &str)] = &[
    ("layout", "a layout", "`kenning`", "the family of vaults this is; `ken init` finds it"),
    ("wiki", "a folder in the vault", "`knowledge`", "where pages stand"),
    ("journal", "a folder in the vault", "`daily`", "where the journal stands, one file a day"),
    ("sources", "a folder in the vault", "`raw`", "where sources stand"),
    ("foreign", "a list of folders in the vault", "the layout's", "pages another tool writes: read, never written to"),
    ("base", "a folder in the vault", "the vault", "where the folders of another tool's layout lie"),
    ("index", "a file in the vault", "`index.md` in the wiki", "the index; in the `ckp` layout `_index.md`"),
    ("state", "a folder in the vault", "the vault", "where `state.md` and `state.json` stand"),
    ("route_tokens", "tokens", "8000", "what `ken route` may spend"),
    ("context_tokens", "tokens", "2000", "what `ken context` may spend"),
    ("brief_bytes", "bytes up to 9000", "2000", "what a session starts with; 0 is nothing"),
    ("prompt_context", "true or false", "false", "look up what a prompt asks as it is sent"),
    ("exclude", "a list of folders or names", "none", "sessions to leave alone; `*` is any name, `**` any folders"),
    ("compile_after_entries", "a number", "1", "new entries after which a worker compiles; 0 is never"),
    ("compile_from_hour", "an hour", "18", "from when a worker compiles what is new; 24 is never"),
    ("rollups", "true or false", "true", "roll the days of the journal up by week, month and year"),
    ("rollup_days", "a number from 1 to 7", "3", "days with entries that make a page of their week"),
    ("rollup_weeks", "a number from 1 to 5", "2", "such weeks that make a page of their month"),
    ("consolidate_after_hours", "a number", "24", "hours between two consolidations by the worker"),
    ("consolidate_after_sessions", "a number", "5", "new sessions after which it consolidates; 0 is never"),
    (
        "archive_after_days",
        "a number",
        "90",
        "days after which a compiled page that nobody used is archived; 0 is never",
    ),
    ("questions", "true or false", "true", "note which questions found nothing and which pages answered, in the cache"),
    ("memory_index", "a file in the vault", "none", "a short index (200 lines, 25 KB) for agents that read one"),
    ("sessions", "`local`, `shared` or `off`", "`local`", "where the talk stands: git ignores it, or not; or nowhere"),
    (
        "sessions_keep",
        "`all`, or bounds: days (`90d`), sessions (`500`), a size (`200MB`)",
        "`all`",
        "how much talk is kept: of days, of sessions, or so much; several stand in a list, and each holds",
    ),
    (
        "project",
        "a folder of the work tree",
        "all of it",
        "the code that pages speak of, seen from the top of the git work tree",
    ),
    ("budget", "a table", "below", "`[budget]`: how much of a model's window each layer may take"),
    ("topics", "a table", "below", "`[topics]`: the topics of the wiki, each with the words that tell it"),
    ("semantic", "true or false", "when asked", "compare meanings when searching; false: never, also when asked"),
];

/// The file as written.
#[derive(Debug, Default, Deserialize)]
struct ConfigFile {
    layout: Option<String>,
    wiki: Option<String>,
    journal: Option<String>,
    sources: Option<String>,
    foreign: Option<Vec<String>>,
    base: Option<String>,
    index: Option<String>,
    state: Option<String>,
    route_tokens: Option<toml::Value>,
    context_tokens: Option<toml::Value>,
    brief_bytes: Option<toml::Value>,
    prompt_context: Option<bool>,
    exclude: Option<Vec<String>>,
    compile_after_entries: Option<toml::Value>,
    compile_from_hour: Option<toml::Value>,
    rollups: Option<bool>,
    rollup_days: Option<toml::Value>,
    rollup_weeks: Option<toml::Value>,
    consolidate_after_hours: Option<toml::Value>,
    consolidate_after_sessions: Option<toml::Value>,
    archive_after_days: Option<toml::Value>,
    questions: Option<bool>,
    memory_index: Option<String>,
    semantic: Option<bool>,
    sessions: Option<String>,
    sessions_keep: Option<toml::Value>,
    project: Option<String>,
}

impl Config {
    /// Returns the configuration of a vault with this layout and nothing else set.
    pub fn with_layout(layout: Layout) -> Config {
        Config {
            layout,
            route_tokens: Tokens(ROUTE_TOKENS),
            context_tokens: Tokens(CONTEXT_TOKENS),
            brief_bytes: BRIEF_BYTES,
            prompt_context: false,
            exclude: Exclude::default(),
            compile_after_entries: COMPILE_AFTER_ENTRIES,
            compile_from_hour: COMPILE_FROM_HOUR,
            rollups: Some(THRESHOLDS),
            consolidate: PACE,
            archive_after_days: ARCHIVE_DAYS,
            keeps_questions: true,
            memory_index: None,
            semantic: None,
            keeps_talk: true,
            sessions_keep: Keep::default(),
            project: None,
            limits: Limits::default(),
            topics: Topics::default(),
        }
    }

    /// Returns the configuration that the text of `kenning.toml` gives; `fallback` is what the folder
    /// itself looks like.
    ///
    /// # Errors
    /// When the text is not TOML, a key is unknown, or a value is not of its kind.
    pub fn parse(text: &str, fallback: &Layout) -> Result<Config, Failure> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| bad(error.message()))?;
        if let Some(key) = table.keys().find(|key| !KEYS.iter().any(|(known, ..)| known == key)) {
            let closest = closest(key, KEYS.iter().map(|(known, ..)| *known)).unwrap_or_default();
            return Err(bad(&format!("unknown key `{key}`")).hint(format!("the closest key is `{closest}`")));
        }
        let mut table = table;
        let limits = limits::table_of(table.remove("budget"))?;
        let topics = topics::topics_of(table.remove("topics"))?;
        let file: ConfigFile = table.try_into().map_err(|error: toml::de::Error| bad(error.message()))?;
        let preset = preset_of(file.layout.as_deref(), fallback)?;
        let place = |value: &Option<String>, default: &VaultPath| match value {
            Some(text) => folder(text),
            None => Ok(default.clone()),
        };
        let is_as_found = preset == fallback.preset || *fallback.preset == KENNING;
        let usual = if is_as_found { fallback.wiki.clone() } else { Layout::of(preset, "").wiki };
        let wiki = place(&file.wiki, &usual)?;
        let base = file.base.as_deref().map(folder).transpose()?.map(|base| format!("{base}/"));
        let mut layout = Layout::below(base.as_deref().unwrap_or_default(), preset, &wiki);
        if let Some(foreign) = &file.foreign {
            layout.foreign = foreign.iter().map(|text| folder(text)).collect::<Result<_, Failure>>()?;
        }
        layout.journal = place(&file.journal, &layout.journal)?;
        layout.sources = place(&file.sources, &layout.sources)?;
        layout.index = place(&file.index, &layout.index)?;
        layout.state_folder = file.state.as_deref().map(|text| state_folder(text, &layout)).transpose()?;
        let sessions = file.sessions.as_deref().unwrap_or("local");
        match sessions {
            "local" | "off" => {}
            "shared" => layout.talk = VaultPath::new(SHARED_TALK).expect("a plain folder name is a vault path"),
            other => return Err(bad(&format!("`sessions` is `{other}`, one of local, shared and off is expected"))),
        }
        if layout.index.extension() != "md" {
            return Err(bad(&format!("`{}` is no Markdown file, and an index is one", layout.index)));
        }
        let memory_index = file.memory_index.as_deref().map(|text| short_index(text, &layout)).transpose()?;
        layout.memory.clone_from(&memory_index);
        Ok(Config {
            layout,
            route_tokens: Tokens(number("route_tokens", file.route_tokens, ROUTE_TOKENS, TOKENS_MAX)?),
            context_tokens: Tokens(number("context_tokens", file.context_tokens, CONTEXT_TOKENS, TOKENS_MAX)?),
            brief_bytes: number("brief_bytes", file.brief_bytes, BRIEF_BYTES, BRIEF_BYTES_MAX)?,
            prompt_context: file.prompt_context.unwrap_or(false),
            exclude: exclude(file.exclude)?,
            compile_after_entries: number(
                "compile_after_entries",
                file.compile_after_entries,
                COMPILE_AFTER_ENTRIES,
                TOKENS_MAX,
            )?,
            compile_from_hour: number("compile_from_hour", file.compile_from_hour, COMPILE_FROM_HOUR, 24)?,
            rollups: thresholds(file.rollups, file.rollup_days, file.rollup_weeks)?,
            consolidate: pace(file.consolidate_after_hours, file.consolidate_after_sessions)?,
            archive_after_days: number("archive_after_days", file.archive_after_days, ARCHIVE_DAYS, DAYS_MAX)?,
            keeps_questions: file.questions.unwrap_or(true),
            memory_index,
            semantic: file.semantic,
            keeps_talk: sessions != "off",
            sessions_keep: bounds(file.sessions_keep)?,
            project: file.project.as_deref().map(project).transpose()?,
            limits,
            topics,
        })
    }

    /// Returns whether sessions in a working folder are to be left alone; `relative` is the folder as seen
    /// from the vault's root, `whole` its absolute name.
    pub(crate) fn excludes(&self, whole: &str, relative: &str) -> bool {
        self.exclude.has(whole, relative)
    }
}

/// The family that the file names, else what the folder looks like.
/// Returns where the short index is.
fn short_index(text: &str, layout: &Layout) -> Result<VaultPath, Failure> {
    VaultPath::new(text)
        .filter(|path| Layout::may_be_folder(path) && path.extension() == "md")
        .filter(|path| layout.may_change(path) && *path != layout.index && *path != layout.log)
        .filter(|path| !path.is_under(layout.journal.as_str()) && !path.is_under(layout.sources.as_str()))
        .ok_or_else(|| bad(&format!("`{text}` is not a Markdown file beside journal and sources")))
}

fn preset_of(name: Option<&str>, fallback: &Layout) -> Result<&'static Preset, Failure> {
    let Some(name) = name else { return Ok(fallback.preset) };
    let known = || PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    Preset::parse(name)
        .ok_or_else(|| bad(&format!("layout `{name}` is not known")).hint(format!("the layouts are {}", known())))
}

/// A folder that somebody names, inside the vault and not git's or the program's.
fn folder(text: &str) -> Result<VaultPath, Failure> {
    let folder = VaultPath::new(text.trim_end_matches('/'))
        .ok_or_else(|| bad(&format!("`{text}` is not a place inside the vault")))?;
    match Layout::may_be_folder(&folder) {
        true => Ok(folder),
        false => Err(bad(&format!("`{text}` belongs to git or to ken and cannot be a folder of the vault"))),
    }
}

/// The folder of the state: beside what pages are made of, and no page itself.
fn state_folder(text: &str, layout: &Layout) -> Result<VaultPath, Failure> {
    let folder = folder(text)?;
    let is_at = |place: &VaultPath| folder == *place || folder.is_under(place.as_str());
    let taken = layout.folders().into_iter().chain(&layout.evidence).find(|place| is_at(place));
    let is_hidden = folder.as_str().split('/').any(|part| part.starts_with('.'));
    match taken {
        Some(place) => Err(bad(&format!("`state` is `{folder}`, in `{place}`, where other files of the vault stand"))),
        None if is_hidden => {
            Err(bad(&format!("`state` is `{folder}`, and nobody looks for a page in a hidden folder")))
        }
        None => Ok(folder),
    }
}

fn exclude(patterns: Option<Vec<String>>) -> Result<Exclude, Failure> {
    let hint = "`exclude` names folders; a sign that stands for itself stands in brackets: `[*]`";
    Exclude::new(patterns.unwrap_or_default()).map_err(|why| bad(&why).hint(hint))
}

/// A folder of the work tree that the vault lies in: a file that comes with a clone names nothing outside of it.
fn project(text: &str) -> Result<VaultPath, Failure> {
    let folder = VaultPath::new(text.trim_end_matches('/'));
    folder.ok_or_else(|| {
        bad(&format!("`project` is `{text}`, a folder of the work tree is expected"))
            .hint("a folder elsewhere is named with `ken drift --project DIR`")
    })
}

fn thresholds(
    is_on: Option<bool>,
    days: Option<toml::Value>,
    weeks: Option<toml::Value>,
) -> Result<Option<Thresholds>, Failure> {
    let of = |key: &str, value, default, max| match number(key, value, default, max)? {
        0 => Err(bad(&format!("`{key}` is `0`, a number from 1 to {max} is expected"))
            .hint("`rollups = false` makes no such pages")),
        n => Ok(n),
    };
    let week_days = of("rollup_days", days, THRESHOLDS.week_days, 7)?;
    let month_weeks = of("rollup_weeks", weeks, THRESHOLDS.month_weeks, 5)?;
    Ok(is_on.unwrap_or(true).then_some(Thresholds { week_days, month_weeks }))
}

fn pace(hours: Option<toml::Value>, sessions: Option<toml::Value>) -> Result<Pace, Failure> {
    Ok(Pace {
        hours: number("consolidate_after_hours", hours, PACE.hours, DAYS_MAX * 24)?,
        sessions: number("consolidate_after_sessions", sessions, PACE.sessions, SESSIONS_MAX)?,
    })
}

/// Returns what a text says of how much talk is kept: `all`, days, sessions or a size.
///
/// # Errors
/// When it is none of them; the message says what is expected.
pub fn keep(texts: &[String]) -> Result<Keep, Failure> {
    let mut keep = Keep::default();
    for text in texts {
        let digits = text.trim_end_matches(|ch: char| ch.is_ascii_alphabetic());
        let number = digits.parse::<u64>().ok().filter(|number| *number > 0);
        let count = number.and_then(|number| usize::try_from(number).ok());
        let size = |factor: u64| number.and_then(|number| number.checked_mul(factor));
        match (&text[digits.len()..], count, text.as_str()) {
            (_, _, "all") => {}
            ("d", Some(days), _) => keep.days = Some(days),
            ("", Some(sessions), _) => keep.sessions = Some(sessions),
            ("kB", Some(_), _) => keep.bytes = size(1_000),
            ("MB", Some(_), _) => keep.bytes = size(1_000_000),
            ("GB", Some(_), _) => keep.bytes = size(1_000_000_000),
            _ => {
                let expected = "`all`, days as `90d`, a number of sessions, or a size as `200MB` is expected";
                return Err(Failure::usage(format!("`{text}` is no bound: {expected}")).hint("nothing was changed"));
            }
        }
    }
    Ok(keep)
}

fn bounds(value: Option<toml::Value>) -> Result<Keep, Failure> {
    let all = match value {
        None => Vec::new(),
        Some(toml::Value::Array(all)) => all,
        Some(one) => vec![one],
    };
    let text = |one: &toml::Value| match one {
        toml::Value::Integer(number) => number.to_string(),
        other => other.as_str().map_or_else(|| format!("a {}", other.type_str()), ToOwned::to_owned),
    };
    let texts: Vec<String> = all.iter().map(text).collect();
    keep(&texts).map_err(|failure| bad(&format!("`sessions_keep`: {}", failure.message)))
}

/// Most days and sessions that something may wait for: ten years, and what nobody has in between.
const DAYS_MAX: usize = 3_650;
/// See [`DAYS_MAX`].
const SESSIONS_MAX: usize = 10_000;

/// Most a number may be: beyond any model's window.
const TOKENS_MAX: usize = 10_000_000;

fn number(key: &str, value: Option<toml::Value>, default: usize, max: usize) -> Result<usize, Failure> {
    let Some(value) = value else { return Ok(default) };
    let number = value.as_integer().and_then(|number| usize::try_from(number).ok()).filter(|number| *number <= max);
    let value = value.as_integer().map_or_else(|| format!("a {}", value.type_str()), |number| format!("`{number}`"));
    number.ok_or_else(|| bad(&format!("`{key}` is {value}, a number from 0 to {max} is expected")))
}

fn bad(why: &str) -> Failure {
    let why = why.lines().next().unwrap_or("it does not read as TOML");
    Failure::usage(format!("{CONFIG_FILE}: {why}")).hint("nothing was changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fallback() -> Layout {
        Layout::new(&KENNING, &VaultPath::new("knowledge").expect("inside"))
    }

    #[test]
    fn every_key_has_a_default() {
        assert_eq!(Config::parse("", &fallback()), Ok(Config::with_layout(fallback())));
    }

    #[test]
    fn keys_are_closed_and_places_stay_inside() {
        let message = |text: &str| Config::parse(text, &fallback()).expect_err("refused").message;
        assert_eq!(message("route_token = 5"), "kenning.toml: unknown key `route_token`");
        assert_eq!(message("wiki = '../x'"), "kenning.toml: `../x` is not a place inside the vault");
        assert_eq!(
            message("route_tokens = -5"),
            "kenning.toml: `route_tokens` is `-5`, a number from 0 to 10000000 is expected"
        );
        for (key, folder) in
            [("wiki", ".git"), ("journal", "a/.GIT/hooks"), ("sources", ".kenning/raw"), ("index", ".git/x.md")]
        {
            let expected =
                format!("kenning.toml: `{folder}` belongs to git or to ken and cannot be a folder of the vault");
            assert_eq!(message(&format!("{key} = '{folder}'")), expected);
        }
        assert_eq!(message("foreign = ['a', '../x']"), "kenning.toml: `../x` is not a place inside the vault");
        assert_eq!(message("base = '/x'"), "kenning.toml: `/x` is not a place inside the vault");
        let git = "kenning.toml: `a/.git` belongs to git or to ken and cannot be a folder of the vault";
        assert_eq!(message("foreign = ['a/.git']"), git);
        for index in [".env", "main.c", "index"] {
            let expected = format!("kenning.toml: `{index}` is no Markdown file, and an index is one");
            assert_eq!(message(&format!("index = '{index}'")), expected);
        }
        assert_eq!(
            message("memory_index = '.git/x.md'"),
            "kenning.toml: `.git/x.md` is not a Markdown file beside journal and sources"
        );
        assert_eq!(message("rollup_days = 0"), "kenning.toml: `rollup_days` is `0`, a number from 1 to 7 is expected");
        assert_eq!(
            message("rollup_weeks = 9"),
            "kenning.toml: `rollup_weeks` is `9`, a number from 0 to 5 is expected"
        );
        assert_eq!(
            message("sessions = 'cloud'"),
            "kenning.toml: `sessions` is `cloud`, one of local, shared and off is expected"
        );
        assert_eq!(
            message("sessions_keep = ['90d', '0d']"),
            "kenning.toml: `sessions_keep`: `0d` is no bound: `all`, days as `90d`, a number of sessions, or a size as `200MB` is expected"
        );
        assert_eq!(
            message("exclude = ['diary', 'a[b']"),
            "kenning.toml: `a[b` is no pattern: unclosed character class; missing ']'"
        );
        let taken = "kenning.toml: `state` is `daily/x`, in `daily`, where other files of the vault stand";
        assert_eq!(message("state = 'daily/x'"), taken);
        assert_eq!(message("layout = 'foo'"), "kenning.toml: layout `foo` is not known");
    }

    #[test]
    fn talk_is_kept_where_and_as_long_as_somebody_says() {
        let config = |text: &str| Config::parse(text, &fallback()).expect("reads");
        assert_eq!(config("").layout.talk.as_str(), ".kenning/talk");
        assert_eq!(config("sessions = 'shared'").layout.talk.as_str(), "sessions");
        assert!(!config("sessions = 'off'").keeps_talk);
        let keep = |text: &str| config(&format!("sessions_keep = {text}")).sessions_keep;
        let (days, sessions, bytes) = (Some(90), Some(500), Some(200_000_000));
        assert_eq!(keep("'90d'"), Keep { days, ..Keep::default() });
        assert_eq!(keep("500"), Keep { sessions, ..Keep::default() });
        assert_eq!(keep("['90d', 500, '200MB']"), Keep { days, sessions, bytes });
        assert_eq!((keep("'all'"), keep("[]")), (Keep::default(), Keep::default()));
    }

    #[test]
    fn a_layout_brings_its_places() {
        let config = Config::parse("layout = 'ckp'\nwiki = 'memory-bank'", &fallback()).expect("reads");
        assert_eq!(config.layout.index.as_str(), "memory-bank/_index.md");
        let config = Config::parse("layout = 'recall'\nbase = 'memory/'", &fallback()).expect("reads");
        assert_eq!(config.layout.journal.as_str(), "memory/memory");
        assert_eq!(config.layout.foreign, [VaultPath::new("memory/memory/wiki").expect("inside")]);
        let config = Config::parse("foreign = ['docs/adr/']", &fallback()).expect("reads");
        assert_eq!(config.layout.foreign, [VaultPath::new("docs/adr").expect("inside")]);
    }
}
