//! The words of Korean, by which dates are understood.

use super::lexicon::Lexicon;
use crate::when::phrase::Says::{Ago, Ahead, At, Calendar, Nothing, Op, Past, Quarter};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Behind as B, Dates, Op as O, Part as P, Unit};

/// Korean.
pub(super) const KOREAN: Lexicon = Lexicon {
    name: "korean",
    dates: Dates {
        weekdays: "월요일 | 화요일 | 수요일 | 목요일 | 금요일 | 토요일 | 일요일",
        units: &[(Day, "일"), (Week, "주 | 주일"), (Weekend, "주말"), (Unit::Month, "개월 | 달"), (Year, "년")],
        numbers: "1 한 | 2 두 | 3 세",
        few: "며 | 몇",
        before_noun: &[(-1, "지난"), (0, "이번"), (1, "다음")],
        phrases: &[
            (At(Day, -2), "그저께 | 그제"),
            (At(Day, -1), "어제"),
            (At(Day, 0), "오늘"),
            (At(Day, 1), "내일"),
            (At(Day, 2), "모레"),
            (At(Week, -1), "저번주 | 저번 주"),
            (At(Year, -2), "재작년"),
            (At(Year, -1), "작년"),
            (At(Year, 0), "올해"),
            (At(Year, 1), "내년"),
            (Nothing, "오늘날 | 매주 {wd}"),
            (Ago, "{n}{unit} 전"),
            (Ahead, "{n}{unit} 후 | {n}{unit} 뒤"),
            (Past, "최근 {n}{unit}"),
            (Calendar, "{y}년 {m}월 {d}일 | {m}월 {d}일 | {y}년 {m}월 | {m}월 | {y}년"),
            (Quarter, "{q}분기 | {y}년 {q}분기"),
            (Op(O::Filler), "의"),
            (Op(O::Behind(B::Since)), "부터 | 이후 | 이래"),
            (Op(O::Behind(B::Until)), "까지"),
            (Op(O::Behind(B::Before)), "이전"),
            (Op(O::Behind(B::Part(P::Early))), "초"),
            (Op(O::Behind(B::Part(P::Middle))), "중순"),
            (Op(O::Behind(B::Part(P::Late))), "말"),
        ],
        ..Dates::NONE
    },
    ..Lexicon::NONE
};
