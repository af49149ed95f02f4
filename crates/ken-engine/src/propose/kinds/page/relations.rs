//! Relations of a page to its neighbours: the rubric of the Compiled Knowledge Pattern.

use std::collections::BTreeSet;

use ken_core::Slug;
use ken_core::header::{HIGH_MAX, MID_MAX};
use serde_json::Value;

use crate::propose::check::{Report, Shown, left_out, texts};
use crate::propose::kinds::PageView;

/// Most entries of a list that are looked at.
const LOOKED_AT_MAX: usize = 20;

/// Relations that hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    /// What is needed with the page.
    pub(crate) high: Vec<Slug>,
    /// What is often useful with it.
    pub(crate) mid: Vec<Slug>,
}

/// Returns what holds of a reply: slugs that were shown, each once, within the caps.
pub(crate) fn check(reply: &Value, page: &PageView, shown: &Shown, report: &mut Report) -> Relations {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut tier = |name: &str, max: usize| {
        let mut out = Vec::new();
        if let Some(reason) = left_out(reply, name, LOOKED_AT_MAX) {
            report.reject(name, reason, "", "");
        }
        for (n, text) in texts(reply, name, LOOKED_AT_MAX).into_iter().enumerate() {
            let reason = match Slug::from_text(text).filter(|slug| slug.as_str() == text) {
                _ if text == page.slug => "a page is not related to itself".to_owned(),
                Some(_) if !shown.pages.contains_key(text) => "it is no candidate".to_owned(),
                Some(_) if seen.contains(text) => "it is there twice".to_owned(),
                Some(_) if out.len() >= max => format!("at most {max} are allowed"),
                Some(slug) => {
                    seen.insert(text.to_owned());
                    out.push(slug);
                    continue;
                }
                None => "it is no slug".to_owned(),
            };
            report.reject(format!("{name}[{n}]"), reason, text, "");
        }
        out
    };
    Relations { high: tier("high", HIGH_MAX), mid: tier("mid", MID_MAX) }
}
