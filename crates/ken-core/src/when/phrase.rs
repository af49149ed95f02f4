//! What phrases for dates can say: the words in which the dates of a [`crate::language::Lexicon`] are written.

/// A stretch of time that words count in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Day,
    Week,
    Weekend,
    Month,
    Quarter,
    Year,
}

/// How many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    Exactly(u32),
    Couple,
    Few,
}

/// A stretch of a longer period: `early March`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Early,
    Middle,
    Late,
    FirstHalf,
    SecondHalf,
    FirstDay,
    LastDay,
    /// Seven days of a month, from 1.
    Week(u8),
    LastWeek,
    /// The whole week around a day: `the week of March 5`.
    WeekOf,
}

/// Words that stand before a date, behind it, or between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    /// Makes a date of a word that is one only sometimes: `in May`.
    In,
    /// Says nothing: `the`, `of`.
    Filler,
    From,
    Since,
    Until,
    Before,
    After,
    Between,
    And,
    To,
    Part(Part),
    /// The same behind the date: `3月初`, `2026年以来`.
    Behind(Behind),
}

/// What is said behind a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behind {
    Since,
    Until,
    Before,
    After,
    Part(Part),
}

/// What a phrase means. Slots of the phrase fill in what is missing here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// The unit so many from the present one: `yesterday` is day -1.
    At(Unit, i32),
    /// The unit of the slot, so many from the present one: `last {span}`.
    Unit(i32),
    /// So many units ago.
    Ago,
    /// So many units ahead.
    Ahead,
    /// From so many units ago until today; one unit when no count is said.
    Past,
    /// From today until so many units ahead.
    Coming,
    /// The day, month or year as the slots have them.
    Calendar,
    /// A month by name, in the past (-1), this year (0) or in the future (1).
    Month(i32),
    /// A weekday: the newest before today (-1), of this week (0), the first after today (1).
    Weekday(i32),
    /// A weekday alone: the newest before today.
    AnyWeekday,
    /// A weekday of the week so many from this one.
    WeekdayIn(i32),
    /// A weekday with its day of the month: the nearest one that is both.
    WeekdayOfMonth,
    /// A quarter, with its year or the newest that has begun.
    Quarter,
    /// Half a year of this one, 1 or 2.
    Half(u8),
    /// A day or week counted from day one.
    Numbered(Unit),
    /// A week by its number in the year.
    IsoWeek,
    /// No date, although it looks like one: `every {wd}`.
    Nothing,
    /// No date by itself.
    Op(Op),
}

/// The words in which one language names dates.
///
/// Words that another language uses for something else stand under `weak_months` or `guesses`, or not here.
///
/// Alternatives are separated by `|`, and stand without accents or with them. In phrases a slot is
/// `{n}` (how many), `{unit}`, `{span}` (a unit that is not a day), `{rel}` and `{post}` (last, this, next;
/// before and behind the noun), `{month}`, `{wd}` (weekday), `{han}` (weekday as a Chinese number), `{d}`
/// (day), `{m}` (month as a number), `{y}` (year, four digits), `{q}` (quarter), `{i}` (a number). A space
/// stands for white space or an apostrophe, `,` `.` `-` `–` before it allow that sign as well, and a slot
/// that touches the word before it may be written in one word with it.
#[derive(Debug)]
pub(crate) struct Dates {
    /// January to December; `~` before one that is another word too, which needs a day, a year or a word like
    /// `in`. Spellings of one month are separated by `/`.
    pub(crate) months: &'static str,
    /// Short forms behind the month's number; they need the same.
    pub(crate) weak_months: &'static str,
    /// Monday to Sunday, like the months.
    pub(crate) weekdays: &'static str,
    pub(crate) units: &'static [(Unit, &'static str)],
    /// Number words behind their number.
    pub(crate) numbers: &'static str,
    pub(crate) couple: &'static str,
    pub(crate) few: &'static str,
    /// Last (-1), this (0), next (1) before the noun; `~` before one that may count from another day.
    pub(crate) before_noun: &'static [(i32, &'static str)],
    /// The same behind the noun.
    pub(crate) behind_noun: &'static [(i32, &'static str)],
    /// Whether its phrases take the words of other languages too, as Chinese ones do Japanese words.
    pub(crate) shares_phrases: bool,
    pub(crate) phrases: &'static [(Says, &'static str)],
    /// Phrases that are a date in this language, and something else often enough to be a guess.
    pub(crate) guesses: &'static [(Says, &'static str)],
    /// Lower-case words that are verbs more often than months, even beside a number: `version 5 may break`.
    pub(crate) verbs: &'static str,
    /// What makes a number an ordinal when it follows directly.
    pub(crate) ordinal_ends: &'static str,
    /// Words that are a date only with their accents: without them they are a name or another word.
    pub(crate) accented: &'static str,
    /// Words that another language has for something else, each with words by which a question shows that it is in
    /// that one: `hier` is yesterday in French and here in German.
    pub(crate) false_friends: &'static [(&'static str, &'static str)],
}

impl Dates {
    /// A language that names no dates.
    pub(crate) const NONE: Dates = Dates {
        months: "",
        weak_months: "",
        weekdays: "",
        units: &[],
        numbers: "",
        couple: "",
        few: "",
        before_noun: &[],
        behind_noun: &[],
        shares_phrases: false,
        phrases: &[],
        guesses: &[],
        verbs: "",
        ordinal_ends: "",
        accented: "",
        false_friends: &[],
    };
}
