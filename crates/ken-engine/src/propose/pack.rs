//! Several tasks of one kind in one call.
//!
//! Each keeps its own reply, recorded as if it had been asked alone, so that nothing else knows of packs: whoever asks
//! decides what shares a call, and a task that was answered in one is never asked again in another.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::budget::count;
use ken_model::{Prompt, Schema};
use serde_json::{Value, json};

use super::across;
use super::kinds::page::{Part, Wanted};
use super::kinds::{COMMON, Kind, distill, object, page};
use super::task::{Fence, Input, Task, shareable, told_rules};

/// What is said behind the rules of a kind when several texts are sent at once.
const TOGETHER: &str = "\
Here are several texts, `Text 1:` and so on, each with line numbers of its own; read each by itself and reply to each: \
{\"replies\":[{\"n\":1,\"reply\":{…}},{\"n\":2,\"reply\":{…}}],\"nothing\":[3]}, where `nothing` has the numbers of texts that need \
no reply, because nothing of them is worth keeping.
";

/// The name of the list of replies to several tasks.
pub(super) const REPLIES: &str = "replies";

/// Most tokens of a reply to several tasks.
const REPLY_TOKENS_MAX: u64 = 12_000;

/// Tokens of a reply for a hundred tokens of text: of talk and notes that say much, most is said again.
const SAID_AGAIN_PERCENT: u64 = 70;
/// Tokens of a reply about a page: a sentence and some words, or some names.
pub(super) const OF_PAGE_TOKENS: u64 = 90;
/// Tokens of a verdict with its quote, our own claims included.
const OF_VERDICT_TOKENS: u64 = 60;

/// Returns how many tokens the replies of a pack are expected to have.
pub(crate) fn expected_reply_tokens(pack: &[Task]) -> u64 {
    let of = |task: &Task| match task.kind() {
        Kind::Distill | Kind::Compile | Kind::Rollup => said_again(task),
        Kind::Page if task.asked().contains(&Part::Prose) => OF_PAGE_TOKENS + said_again(task),
        Kind::Doubt => task.shown.claims.len() as u64 * OF_VERDICT_TOKENS,
        _ => OF_PAGE_TOKENS,
    };
    pack.iter().map(of).sum()
}

fn said_again(task: &Task) -> u64 {
    count(&task.material()).0 as u64 * SAID_AGAIN_PERCENT / 100
}

/// Returns what a call is about, for people.
pub(crate) fn label_of(first: &Task, n_tasks: usize) -> String {
    let more = if n_tasks > 1 { format!(" and {} more", n_tasks - 1) } else { String::new() };
    format!("{}{more}", first.label)
}

/// Returns what is sent for several tasks of one kind that share what is shown beside them.
pub(crate) fn prompt_of<'t>(tasks: &[&'t Task], fence: &Fence) -> Prompt {
    let first = tasks[0].prompt(fence);
    let known = &tasks[0].known;
    let mut input = if known.is_empty() { String::new() } else { fence.put_around(&shareable(known)) + "\n" };
    let of_page = |task: &&'t Task| match &task.input {
        Input::Page(wanted) => Some(&**wanted),
        _ => None,
    };
    let pages: Vec<&Wanted> = tasks.iter().filter_map(of_page).collect();
    let near = page::candidates(&pages);
    if !near.is_empty() {
        input.push_str(&format!("{}\n", fence.put_around(&shareable(&near))));
    }
    let told: BTreeSet<&str> = pages.iter().map(|wanted| wanted.page.slug.as_str()).collect();
    let material = |task: &Task| match &task.input {
        Input::Merge(pages) => page::pair(pages, &told),
        _ => task.material(),
    };
    let texts: Vec<String> = tasks.iter().map(|task| shareable(&material(task))).collect();
    // What is the same in all of them is said once.
    let day = first_line(&texts[0]).filter(|day| texts.iter().all(|text| first_line(text) == Some(*day)));
    let rest = |text: &str| day.map_or(text, |day| text[day.len()..].trim_start_matches('\n')).to_owned();
    input.push_str(&day.map(|day| format!("{day}\n")).unwrap_or_default());
    let headed = texts.iter().enumerate().map(|(n, text)| (format!("Text {}:\n", n + 1), rest(text)));
    if tasks[0].is_by_lines() {
        let all: String = headed.map(|(heading, text)| format!("{heading}{}\n", text.trim_end())).collect();
        input.push_str(&fence.put_around(&all));
    } else {
        headed.for_each(|(heading, text)| input.push_str(&format!("{heading}{}\n", fence.put_around(&text))));
    }
    let asked = tasks.iter().flat_map(|task| task.asked()).collect();
    let (rules, mut reply) = told_rules(tasks[0].rules(), &asked);
    let defined = reply.as_object_mut().and_then(|reply| reply.remove("$defs"));
    let one = object(json!({"n": {"type": "integer"}, "reply": reply}));
    let mut schema = object(json!({
        "replies": {"type": "array", "items": one},
        "nothing": {"type": "array", "items": {"type": "integer"}},
    }));
    if let Some(defined) = defined {
        // Names of it lead from the top.
        schema["$defs"] = defined;
    }
    Prompt {
        rules: format!("{COMMON}\n{rules}\n{TOGETHER}{}", across::told(tasks[0].kind())),
        context: first.context,
        input,
        schema: Schema { name: tasks[0].kind().in_calls().as_str(), json: schema },
        reply_tokens_max: tasks.iter().map(|task| task.reply_tokens_max()).sum::<u64>().min(REPLY_TOKENS_MAX),
    }
}

/// The line that says the day of a text, where its first does.
fn first_line(text: &str) -> Option<&str> {
    text.lines().next().filter(|line| line.starts_with("Day: "))
}

/// Says whether a reply to several tasks has the form that was asked for, before each is looked at.
///
/// # Errors
/// The reason, for whoever replied.
pub(crate) fn has_form_together(reply: &Value) -> Result<(), String> {
    match reply.get(REPLIES).or(reply.get("nothing")) {
        Some(Value::Array(_)) => Ok(()),
        _ => Err("`replies` is missing; an object with replies and nothing is expected".to_owned()),
    }
}

/// Returns the reply to each of so many tasks, counted from 0; of two to one task the first.
pub(crate) fn replies_of(kind: Kind, reply: &Value, n_tasks: usize) -> BTreeMap<usize, Value> {
    let at = |value: &Value| {
        let n = value.as_u64().and_then(|n| usize::try_from(n).ok())?;
        n.checked_sub(1).filter(|n| *n < n_tasks)
    };
    let list = |name: &str| reply.get(name).and_then(Value::as_array).into_iter().flatten();
    let mut out = BTreeMap::new();
    for one in list(REPLIES) {
        if let (Some(n), Some(reply)) = (one.get("n").and_then(at), one.get("reply")) {
            out.entry(n).or_insert_with(|| reply.clone());
        }
    }
    let nothing: Option<fn() -> Value> = match kind {
        Kind::Distill => Some(distill::nothing),
        Kind::Compile => Some(|| json!({"claims": [], "subjects": [], "connections": []})),
        _ => None,
    };
    for (n, nothing) in list("nothing").filter_map(at).filter_map(|n| Some((n, nothing?))) {
        out.entry(n).or_insert_with(nothing);
    }
    out
}

/// Most tokens of the texts of one call, and how many there may be: what a model reads with care.
pub(super) const PACK_TOKENS: usize = 6_000;
pub(super) const PACK_TASKS_MAX: usize = 40;
/// What is to be judged of one call: each is weighed by itself.
const PACK_JUDGED_MAX: usize = 16;

/// Returns how many tokens a text takes among others.
pub(super) fn tokens_of(task: &Task) -> usize {
    count(&task.material()).0
}

/// Returns tasks in packs that may be asked in one call, in their order: of one kind and within bounds. What is shown
/// beside the first of a pack is what its prompt shows.
pub(crate) fn packs(tasks: Vec<Task>) -> Vec<Vec<Task>> {
    let mut packs: Vec<(usize, Vec<Task>)> = Vec::new();
    for task in tasks {
        let n_tokens = tokens_of(&task);
        let fits = |(n, pack): &&mut (usize, Vec<Task>)| {
            let is_judged = matches!(task.kind(), Kind::Judge | Kind::Support | Kind::Code | Kind::Grade | Kind::Doubt);
            let tasks_max = if is_judged { PACK_JUDGED_MAX } else { PACK_TASKS_MAX };
            n + n_tokens <= PACK_TOKENS && pack.len() < tasks_max && pack[0].kind().in_calls() == task.kind().in_calls()
        };
        match packs.last_mut().filter(fits) {
            Some((n, pack)) => {
                *n += n_tokens;
                pack.push(task);
            }
            None => packs.push((n_tokens, vec![task])),
        }
    }
    packs.into_iter().map(|(_, pack)| pack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(kind: Kind, text: &str) -> Task {
        let input = match kind {
            Kind::Judge => Input::Judge(text.to_owned()),
            _ => Input::Support(text.to_owned()),
        };
        Task::new(input, text.len().to_string(), "a task".to_owned())
    }

    #[test]
    fn a_pack_is_of_one_kind_and_within_bounds() {
        let long = "The oven heats at 220 degrees. ".repeat(500);
        let kinds = [Kind::Judge, Kind::Judge, Kind::Support, Kind::Judge];
        let tasks = kinds
            .map(|kind| task(kind, "short"))
            .into_iter()
            .chain([task(Kind::Judge, &long), task(Kind::Judge, &long)]);
        let lens: Vec<usize> = packs(tasks.collect()).iter().map(Vec::len).collect();
        assert_eq!(lens, [2, 1, 2, 1]);
        let many = packs((0..PACK_JUDGED_MAX + 1).map(|_| task(Kind::Judge, "short")).collect());
        assert_eq!(many.iter().map(Vec::len).collect::<Vec<_>>(), [PACK_JUDGED_MAX, 1]);
    }

    #[test]
    fn replies_are_told_apart_by_their_numbers() {
        let reply = json!({"replies": [{"n": 2, "reply": {"a": 1}}, {"n": 2, "reply": {"a": 2}}, {"n": 9, "reply": {}}, {"reply": {}}], "nothing": [1, 2, 0]});
        let found = replies_of(Kind::Distill, &reply, 3);
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(found[&1], json!({"a": 1}));
        // Only of what is read may nothing be worth keeping.
        assert_eq!(replies_of(Kind::Page, &reply, 3).len(), 1);
        assert_eq!(replies_of(Kind::Compile, &reply, 3)[&0]["claims"], json!([]));
    }
}
