//! The phrases for dates that languages share.
//!
//! Words that name dates stand in the files of their languages, see [`crate::language`]; phrases here are made of
//! slots that any language fills.

use super::phrase::Says::{AnyWeekday, Calendar, Month, Nothing, Past, Quarter, Weekday};
use super::phrase::{Dates, Says};
use crate::language::LEXICONS;

/// Returns what names dates: first what languages share, then every language.
pub(super) fn all() -> impl Iterator<Item = &'static Dates> {
    std::iter::once(&SHARED).chain(LEXICONS.iter().map(|lexicon| &lexicon.dates))
}

static SHARED: Dates = Dates {
    phrases: &[
        (Calendar, "{d}. {month} {y} | {d}. {month} | {month} {d}, {y} | {month} {d} | {month}, {y} | {y} {month}"),
        (Calendar, "{d}–{d}. {month} {y} | {d}–{d}. {month} | {month} {d}–{d}, {y} | {month} {d}–{d} | {month} | {y}"),
        (Nothing, "{month} {i} | {i} {month} | {i} {month} {i} | {month} {i}, {i} | {month} {i}, {i}"),
        (Says::Unit(0), "{rel} {span} | {span} {post}"),
        (Weekday(0), "{rel} {wd} | {wd} {post}"),
        (Month(0), "{rel} {month} | {month} {post}"),
        (Past, "{rel} {n} {unit} | {n} {post} {unit}"),
        (AnyWeekday, "{wd}"),
        (Quarter, "q{q} {y} | q{q}/{y} | {y} q{q} | q{q}-{y}"),
        (Nothing, "q{q} fy{i} | q{q} fy {i}"),
    ],
    ..Dates::NONE
};
