//! The words of Chinese, by which dates are understood.

use super::lexicon::Lexicon;
use crate::when::phrase::Says::{
    Ago, Ahead, At, Calendar, Coming, Half, Nothing, Numbered, Op, Past, Quarter, WeekdayIn,
};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Behind as B, Dates, Op as O, Part as P, Unit};

/// Chinese.
pub(super) const CHINESE: Lexicon = Lexicon {
    name: "chinese",
    dates: Dates {
        units: &[
            (Day, "天 | 日"),
            (Week, "周 | 週 | 个星期 | 星期 | 个礼拜 | 個星期"),
            (Unit::Month, "个月 | 個月"),
            (Year, "年"),
        ],
        few: "几 | 幾 | 好几 | 数",
        shares_phrases: true,
        phrases: &[
            (At(Day, -3), "大前天"),
            (At(Day, -2), "前天"),
            (At(Day, -1), "昨天 | 昨晚 | 昨日"),
            (At(Day, 0), "今天 | 今晚 | 今早 | 今日"),
            (At(Day, 1), "明天 | 明日"),
            (At(Day, 2), "后天 | 後天"),
            (At(Week, -2), "上上周 | 上上个星期"),
            (At(Week, -1), "上周 | 上週 | 上星期 | 上个星期 | 上礼拜 | 上个礼拜"),
            (At(Week, 0), "本周 | 这周 | 這週 | 本週 | 这个星期 | 这星期 | 本星期"),
            (At(Week, 1), "下周 | 下週 | 下星期 | 下个星期 | 下礼拜"),
            (At(Weekend, -1), "上周末 | 上个周末 | 上週末"),
            (At(Weekend, 0), "这周末 | 本周末 | 这个周末"),
            (At(Weekend, 1), "下周末 | 下个周末"),
            (At(Unit::Month, -2), "上上个月 | 上上月"),
            (At(Unit::Month, -1), "上个月 | 上月 | 上個月"),
            (At(Unit::Month, 0), "本月 | 这个月 | 這個月"),
            (At(Unit::Month, 1), "下个月 | 下月 | 下個月"),
            (At(Unit::Quarter, -1), "上季度 | 上个季度"),
            (At(Unit::Quarter, 0), "本季度 | 这个季度"),
            (At(Year, -2), "前年"),
            (At(Year, -1), "去年"),
            (At(Year, 0), "今年"),
            (At(Year, 1), "明年"),
            (Ago, "{n}{unit}前 | {n}{unit}之前 | {n}{unit}以前"),
            (Ahead, "{n}{unit}后 | {n}{unit}之后 | {n}{unit}後"),
            (Past, "最近{n}{unit} | 过去{n}{unit} | 過去{n}{unit} | 近{n}{unit} | 最近的{n}{unit} | 过去的{n}{unit}"),
            (Coming, "未来{n}{unit} | 接下来{n}{unit}"),
            (Calendar, "{y}年{m}月{d}日 | {y}年{m}月{d}号 | {m}月{d}日 | {m}月{d}号 | {y}年{m}月 | {y}年{m}月份"),
            (Calendar, "{m}月 | {m}月份 | {y}年"),
            (Calendar, "{y}年{m}月{d}日–{d}日 | {m}月{d}日–{d}日 | {m}月{d}日至{d}日 | {m}月{d}日到{d}日"),
            (Quarter, "第{q}季度 | {y}年第{q}季度"),
            (Half(1), "上半年 | {y}年上半年"),
            (Half(2), "下半年 | {y}年下半年"),
            (WeekdayIn(0), "周{han} | 星期{han} | 礼拜{han} | 週{han} | 这周{han} | 本周{han} | 这星期{han}"),
            (WeekdayIn(-1), "上周{han} | 上星期{han} | 上个星期{han} | 上礼拜{han} | 上週{han}"),
            (WeekdayIn(1), "下周{han} | 下星期{han} | 下个星期{han} | 下礼拜{han} | 下週{han}"),
            (Numbered(Day), "第{i}天"),
            (Numbered(Week), "第{i}周"),
            (Nothing, "每周{han} | 每个月 | 每天"),
            (Op(O::In), "在"),
            (Op(O::Filler), "的"),
            (Op(O::From), "从 | 從"),
            (Op(O::Since), "自 | 自从"),
            (Op(O::Until), "直到 | 截至"),
            (Op(O::To), "到 | 至"),
            (Op(O::And), "和 | 与"),
            (Op(O::Behind(B::Since)), "以来 | 以來 | 起"),
            (Op(O::Behind(B::Before)), "之前 | 以前"),
            (Op(O::Behind(B::After)), "之后 | 以后 | 之後"),
            (Op(O::Behind(B::Part(P::Early))), "初 | 上旬"),
            (Op(O::Behind(B::Part(P::Middle))), "中旬"),
            (Op(O::Behind(B::Part(P::Late))), "底 | 下旬 | 末"),
            (Op(O::Behind(B::Part(P::Week(1)))), "第一周"),
        ],
        ..Dates::NONE
    },
    ..Lexicon::NONE
};
