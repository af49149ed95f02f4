//! What questions name, on Wednesday, 2026-04-01, in a vault whose day one is 2026-01-01.

use proptest::prelude::*;

use super::*;

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

fn shown(question: &str) -> String {
    let side = |date: Option<Date>| date.map_or(String::new(), |date| date.to_string());
    let words = date_words(question, day("2026-04-01"), Some(day("2026-01-01")));
    let shown = words.iter().map(|words| {
        let (from, to) = (side(words.period.from), side(words.period.to));
        let dates = if from == to { from } else { format!("{from}..{to}") };
        format!("{}={dates}{}", words.span.of(question), if words.is_sure { "" } else { "?" })
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Each line is a question, ` -> `, and its dates: `words=from..to`, and `?` behind a guess.
#[track_caller]
fn check(lines: &str) {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    for (question, expected) in lines.map(|line| line.split_once(" -> ").expect("an arrow")) {
        assert_eq!(format!("{question} -> {}", shown(question)), format!("{question} -> {expected}"));
    }
}

#[track_caller]
fn check_none(lines: &str) {
    for question in lines.lines().map(str::trim) {
        assert_eq!(shown(question), "", "{question}");
    }
}

#[test]
fn dates_in_numbers() {
    check(
        "What changed on 2026-02-10? -> 2026-02-10=2026-02-10
        2026-02-10..2026-03-01 -> 2026-02-10..2026-03-01=2026-02-10..2026-03-01
        2026-02-10 to 2026-03-01 -> 2026-02-10 to 2026-03-01=2026-02-10..2026-03-01
        on 2026-02-24 and 2026-02-25 -> 2026-02-24=2026-02-24, 2026-02-25=2026-02-25
        logs at 2026-02-10T12:30:00Z only -> 2026-02-10T12:30:00Z=2026-02-10
        2026-03, please -> 2026-03=2026-03-01..2026-03-31
        in 2026-W13 -> 2026-W13=2026-03-23..2026-03-29
        2025-Q4 -> 2025-Q4=2025-10-01..2025-12-31
        2024/01/15 -> 2024/01/15=2024-01-15
        01/15/2024 -> 01/15/2024=2024-01-15
        15/01/2024 -> 15/01/2024=2024-01-15
        01/02/2024 -> 01/02/2024=2024-01-02?
        am 15.01.2024 -> 15.01.2024=2024-01-15
        in 2025 -> 2025=2025-01-01..2025-12-31
        in 2025 we moved -> 2025=2025-01-01..2025-12-31?",
    );
}

#[test]
fn days_and_months_by_name() {
    check(
        "March 5 -> March 5=2026-03-05
        5 March -> 5 March=2026-03-05
        on 5 may -> 5 may=2025-05-05
        March 5th, 2025 -> March 5th, 2025=2025-03-05
        Feb 29 -> Feb 29=2024-02-29
        the 5th of May 2024 -> 5th of May 2024=2024-05-05
        June 10–16 -> June 10–16=2025-06-10..2025-06-16
        5. März 2025 -> 5. März 2025=2025-03-05
        Besprechung am 3.März 2025 -> 3.März 2025=2025-03-03
        5 de marzo de 2025 -> 5 de marzo de 2025=2025-03-05
        le 3 mars -> 3 mars=2026-03-03
        3 marzo -> 3 marzo=2026-03-03
        встреча 3 марта 2025 -> 3 марта 2025=2025-03-03
        3月3日 -> 3月3日=2026-03-03
        三月三日 -> 三月三日=2026-03-03
        ２０２６年３月 -> ２０２６年３月=2026-03-01..2026-03-31
        2025年3月3日の会議 -> 2025年3月3日=2025-03-03
        3월 3일에 -> 3월 3일=2026-03-03
        in March -> March=2026-03-01..2026-03-31
        in may -> may=2025-05-01..2025-05-31
        marco em março -> março=2026-03-01..2026-03-31
        last May -> last May=2025-05-01..2025-05-31
        the January report -> January=2026-01-01..2026-01-31?
        April 2024 -> April 2024=2024-04-01..2024-04-30
        Q1 2026 -> Q1 2026=2026-01-01..2026-03-31
        in Q3 -> in Q3=2025-07-01..2025-09-30?",
    );
}

#[test]
fn relative_days_and_weeks() {
    check(
        "What did we do yesterday? -> yesterday=2026-03-31
        the day before yesterday -> day before yesterday=2026-03-30
        yesterday's plan for tomorrow -> yesterday=2026-03-31, tomorrow=2026-04-02
        LAST WEEK -> LAST WEEK=2026-03-23..2026-03-29
        this weekend -> this weekend=2026-04-04..2026-04-05
        last weekend -> last weekend=2026-03-28..2026-03-29
        next quarter -> next quarter=2026-07-01..2026-09-30
        last Friday -> last Friday=2026-03-27
        on Monday -> Monday=2026-03-30?
        Wednesday -> Wednesday=2026-03-25?
        next Wednesday -> next Wednesday=2026-04-08
        Monday of last week -> Monday of last week=2026-03-23
        Sun, 2026-03-01 -> Sun, 2026-03-01=2026-03-01
        Friday, 2026-03-06 -> Friday, 2026-03-06=2026-03-06
        5 days ago -> 5 days ago=2026-03-27
        1mon ago -> 1mon ago=2026-03-01
        two weeks ago -> two weeks ago=2026-03-18
        in three days -> in three days=2026-04-04?
        two weeks from now -> two weeks from now=2026-04-15
        the previous month -> previous month=2026-03-01..2026-03-31?
        a couple of days ago -> a couple of days ago=2026-03-29..2026-03-31
        a few weeks ago -> a few weeks ago=2026-02-25..2026-03-18
        in the last 3 days -> last 3 days=2026-03-29..2026-04-01
        past two weeks -> past two weeks=2026-03-18..2026-04-01
        ieri -> ieri=2026-03-31
        l'altro ieri -> l'altro ieri=2026-03-30
        la settimana scorsa -> settimana scorsa=2026-03-23..2026-03-29
        vor 5 Tagen -> vor 5 Tagen=2026-03-27
        letzten Freitag -> letzten Freitag=2026-03-27
        il y a 5 jours -> il y a 5 jours=2026-03-27
        hier j'ai dit -> hier=2026-03-31?
        aujourd'hui -> aujourd'hui=2026-04-01
        hace 5 dias -> hace 5 dias=2026-03-27
        el año pasado -> año pasado=2025-01-01..2025-12-31
        há 5 dias -> há 5 dias=2026-03-27
        на прошлой неделе -> прошлой неделе=2026-03-23..2026-03-29
        礼拜一 -> 礼拜一=2026-03-30?
        上周五做了什么 -> 上周五=2026-03-27
        最近一周 -> 最近一周=2026-03-25..2026-04-01
        一昨日 -> 一昨日=2026-03-30
        先週の金曜日 -> 先週の金曜日=2026-03-27
        지난주 금요일 -> 지난주 금요일=2026-03-27",
    );
}

#[test]
fn ranges_open_ends_and_parts() {
    check(
        "between March 3 and March 10 -> between March 3 and March 10=2026-03-03..2026-03-10
        from November to February -> from November to February=2025-11-01..2026-02-28
        March to May 2025 -> March to May 2025=2025-03-01..2025-05-31
        March–May 2025 -> March–May 2025=2025-03-01..2025-05-31
        from Monday to Tuesday -> from Monday to Tuesday=2026-03-30..2026-03-31?
        from Wednesday, March 11 through Monday, March 16 -> \
         from Wednesday, March 11 through Monday, March 16=2026-03-11..2026-03-16
        notes from 3 March 2025 -> 3 March 2025=2025-03-03
        since March -> since March=2026-03-01..
        until last week -> until last week=..2026-03-29
        before 2026-03-01 -> before 2026-03-01=..2026-02-28
        after the first week of March -> after the first week of March=2026-03-08..
        mid-February -> mid-February=2026-02-11..2026-02-20
        early March -> early March=2026-03-01..2026-03-10
        at the end of March -> end of March=2026-03-21..2026-03-31
        late 2025 -> late 2025=2025-09-01..2025-12-31
        too late for this year -> this year=2026-01-01..2026-12-31
        the week of March 5 -> week of March 5=2026-03-02..2026-03-08
        zwischen dem 3. März und dem 5. März -> zwischen dem 3. März und dem 5. März=2026-03-03..2026-03-05
        dal 3 al 5 marzo -> dal 3 al 5 marzo=2026-03-03..2026-03-05
        1月5日から2月3日まで -> 1月5日から2月3日まで=2026-01-05..2026-02-03
        3月3日以来 -> 3月3日以来=2026-03-03..
        3月初 -> 3月初=2026-03-01..2026-03-10
        bis Ende März -> bis Ende März=..2026-03-31",
    );
}

#[test]
fn days_and_weeks_count_from_day_one() {
    check(
        "on day 14 -> day 14=2026-01-14
        days 13–14 -> days 13–14=2026-01-13..2026-01-14
        days 64 through 70 -> days 64 through 70=2026-03-05..2026-03-11
        day 3 to day 5 -> day 3 to day 5=2026-01-03..2026-01-05
        week 2 -> week 2=2026-01-08..2026-01-14",
    );
    assert_eq!(date_words("day 14, week 2", day("2026-04-01"), None), []);
}

#[test]
fn a_weekday_with_its_day_of_the_month_is_the_nearest() {
    check(
        "on Monday the 23rd -> Monday the 23rd=2026-03-23
        the fair is on Saturday, the 11th -> Saturday, the 11th=2026-04-11
        from Friday the 1st -> Friday the 1st=2026-05-01
        on Monday the 23rd of February -> Monday the 23rd of February=2026-02-23",
    );
    check_none("Monday the 31st was a weekday once");
}

#[test]
fn what_is_no_date_gives_nothing() {
    check_none(
        "may I ask a question
        she may have been right, and this may help
        the may report
        version 5 may break
        30 days from now on, two weeks from today on
        beans and peas get 35 days from today, small seed stays 21 days from today
        he is away for two weeks from today
        march on
        a march on the road, on the march
        repos need an actual remote
        the second one, in the sun
        5 apples
        at 3pm
        in 2000 tokens
        up to 2000 lines
        two days later
        yesterdays
        every Monday, and Tuesday evenings
        the Q1 board
        what is a WeekRule
        guten Morgen
        Was ist hier passiert?",
    );
}

#[test]
fn code_paths_versions_and_addresses_are_no_dates() {
    check_none(
        "`git log --since yesterday`
        today.rs
        src/today/march
        last-week-report
        today_max
        v2024.1
        v15.01.2024
        10.01.2024.5
        1.5 days ago
        1,000 days ago
        https://example.com/2026-03-01/today
        2026-03-01-notes.md
        me@today.com
        [[last week]]
        SELECT * FROM memory_units WHERE a > 5",
    );
}

#[test]
fn dates_that_do_not_exist_give_nothing() {
    check_none(
        "0000-00-00
        2020-13-45
        june 0000
        january 0000
        31 february 2020
        February 30
        一百万年前
        99999 years ago
        99999999999",
    );
}

#[test]
fn a_long_question_is_read_whole() {
    let question = format!("{} yesterday", "may ".repeat(20_000));
    assert!(shown(&question).ends_with("yesterday=2026-03-31"));
}

proptest! {
    #[test]
    fn words_lie_in_the_text_and_periods_run_forward(
        text in prop_oneof![
            ".{0,60}",
            "([0-9]{1,5}|last|days|ago|in|from|to|March|of|上|周|一|日|3|月|금|요|일|`|\\.|-|–|/|,|'| |é){0,25}",
        ],
        days in -700_000i32..2_900_000,
    ) {
        let today = jiff::ToSpan::days(i64::from(days));
        let Ok(today) = day("2000-01-01").checked_add(today) else { return Ok(()) };
        let mut last = 0;
        for words in date_words(&text, today, Some(today)) {
            prop_assert!(words.span.start >= last && words.span.start < words.span.end);
            prop_assert!(text.get(words.span.start..words.span.end).is_some());
            prop_assert!(words.period.from.is_some() || words.period.to.is_some());
            prop_assert!(words.period.from.zip(words.period.to).is_none_or(|(from, to)| from <= to));
            last = words.span.end;
        }
    }
}
