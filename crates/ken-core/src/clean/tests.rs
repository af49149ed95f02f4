//! Tests of cleaning: what goes, what scripts and emoji keep, and that lines stay.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(clean(text), expected, "{text:?}");
}

#[test]
fn what_nobody_sees_is_taken_out() {
    for hidden in [
        '\u{200b}',
        '\u{200c}',
        '\u{200d}',
        '\u{200e}',
        '\u{202e}',
        '\u{2066}',
        '\u{2069}',
        '\u{2060}',
        '\u{2062}',
        '\u{feff}',
        '\u{ad}',
        '\u{34f}',
        '\u{61c}',
        '\u{180e}',
        '\u{3164}',
        '\u{fe0f}',
        '\u{e0100}',
        '\u{e0001}',
        '\u{e0041}',
        '\u{0}',
        '\u{8}',
        '\u{1}',
        '\u{7f}',
        '\u{9d}',
        '\u{fffa}',
        '\u{1d173}',
    ] {
        check(&format!("to{hidden}ken"), "token");
    }
    check(
        "\u{1b}[1;31mred\u{1b}[0m \u{1b}]8;;https://x\u{7}link\u{1b}]8;;\u{1b}\\ \u{9b}2Kgone\u{1b}(B",
        "red link gone",
    );
    check("title \u{1b}]0;never closed\nnext", "title 0;never closed\nnext");
}

#[test]
fn lines_stay_and_breaks_do_not_glue_words() {
    check("a\tb\r\nc\n", "a\tb\r\nc\n");
    check("10%\rdone\u{b}x\u{2028}y", "10% done x y");
}

#[test]
fn scripts_and_emoji_keep_what_they_need() {
    for text in [
        "👩\u{200d}🍳 👨\u{200d}👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3} ☺\u{fe0e}",
        "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        "می\u{200c}خواهم क्\u{200d}ष ක්\u{200d}ර",
        "葛\u{e0100}飾区",
        "شكرا, שלום, Ça, ±½µ — “…” 3×4",
    ] {
        check(text, text);
    }
}

#[test]
fn what_is_needed_once_carries_no_message() {
    check("🏴\u{e0068}\u{e0069}", "🏴");
    check("می\u{200c}\u{200c}\u{200c}خ", "می\u{200c}خ");
    check("🙂\u{e0100}\u{e0101}", "🙂");
}

#[test]
fn the_unseen_are_those_that_are_needed_too() {
    let text = "👩\u{200d}🍳\u{200b}";
    assert_eq!(unseen(text), [Span::new(4, 7), Span::new(11, 14)]);
}

/// Texts in which much is hidden.
fn texts() -> impl Strategy<Value = String> {
    let parts = [
        "a",
        "key=",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\u{1b}",
        "\u{1b}[3",
        "1m",
        "\u{1b}]0;",
        "\u{7}",
        "\\",
        "\u{9b}",
        "\u{200b}",
        "\u{200c}",
        "\u{200d}",
        "\u{fe0f}",
        "👩",
        "🏴",
        "\u{e0067}",
        "\u{e007f}",
        "م",
        "क्",
        "葛",
        "\u{e0100}",
        "\u{ad}",
        "é",
        "\u{2028}",
        "[",
        "]",
        "P",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn cleaning_twice_is_cleaning_once_and_lines_keep_their_number(text in texts(), any in "(?s).{0,40}") {
        for text in [text, any] {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once), once.as_str());
            prop_assert_eq!(once.matches('\n').count(), text.matches('\n').count());
            let spans = unseen(&text);
            prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
