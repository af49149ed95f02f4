//! The words of Japanese, by which dates are understood.

use super::lexicon::Lexicon;
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL, Orders, PERSON,
    PRIOR, PROMPT, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN,
    URGENT, VITAL, VOID, YOU,
};
use crate::when::phrase::Says::{At, Nothing, Numbered, Op, Past, Quarter};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Behind as B, Dates, Op as O, Part as P, Unit};

/// Japanese.
pub(super) const JAPANESE: Lexicon = Lexicon {
    name: "japanese",
    dates: Dates {
        weekdays: "月曜日/月曜 | 火曜日/火曜 | 水曜日/水曜 | 木曜日/木曜 | 金曜日/金曜 | 土曜日/土曜 | 日曜日/日曜",
        units: &[
            (Day, "日間 | 日"),
            (Week, "週間 | 週"),
            (Unit::Month, "か月 | ヶ月 | カ月 | ヵ月 | ケ月 | か月間 | ヶ月間"),
            (Year, "年間"),
        ],
        few: "数",
        before_noun: &[(-1, "前の"), (0, "この | 今度の"), (1, "次の")],
        shares_phrases: true,
        phrases: &[
            (At(Day, -2), "一昨日 | おととい"),
            (At(Day, -1), "昨日 | きのう | 昨夜"),
            (At(Day, 0), "今日 | きょう | 本日 | 今朝 | 今夜"),
            (At(Day, 1), "明日 | あした"),
            (At(Day, 2), "明後日 | あさって"),
            (At(Week, -2), "先々週"),
            (At(Week, -1), "先週"),
            (At(Week, 0), "今週"),
            (At(Week, 1), "来週"),
            (At(Weekend, -1), "先週末 | 先週の週末"),
            (At(Weekend, 0), "今週末"),
            (At(Weekend, 1), "来週末"),
            (At(Unit::Month, -2), "先々月"),
            (At(Unit::Month, -1), "先月"),
            (At(Unit::Month, 0), "今月"),
            (At(Unit::Month, 1), "来月"),
            (At(Year, -2), "一昨年"),
            (At(Year, -1), "去年 | 昨年"),
            (At(Year, 1), "来年"),
            (Past, "ここ{n}{unit} | この{n}{unit} | 直近{n}{unit}"),
            (Quarter, "第{q}四半期 | {y}年第{q}四半期"),
            (Numbered(Day), "{i}日目"),
            (Nothing, "毎週{wd}"),
            (Op(O::Filler), "の"),
            (Op(O::Behind(B::Since)), "から | 以降"),
            (Op(O::Behind(B::Until)), "まで | までに"),
            (Op(O::Behind(B::Before)), "より前 | 以前"),
            (Op(O::Behind(B::After)), "より後"),
            (Op(O::Behind(B::Part(P::Early))), "上旬 | 初め"),
            (Op(O::Behind(B::Part(P::Late))), "末"),
        ],
        ..Dates::NONE
    },
    orders: Orders {
        parts: &[
            (YOU, "あなた|自分の"),
            (READER, "エージェント|アシスタント|AI"),
            (MODAL, "なければならない|べきである|べきだ"),
            (TOLD, "規則|プロンプト"),
            (PROMPT, "プロンプト"),
            (HIDDEN, "隠された"),
            (IGNORE, "無視|忘れ"),
            (VOID, "適用されません|ではなく"),
            (PRIOR, "より前"),
            (ALL, "すべて|全て"),
            (SAID, "言われた"),
            (SEND, "送信|送って|コピー|アップロード|貼り付け|公開し"),
            (RUN, "実行|起動"),
            (FETCH, "ダウンロード|取得して"),
            (INSTALL, "インストール"),
            (ADD, "追加し|許可し"),
            (DELETE, "削除|消して|消せ|無効に"),
            (REVEAL, "表示して|表示しろ|繰り返|出力して"),
            (HIDE, "隠す|隠し|隠せ"),
            (TELL, "伝えて|伝えろ"),
            (TURN, "置き換え|承認|プッシュ"),
            (AS, "振る舞"),
            (SECRET, "認証情報|秘密鍵|トークン|パスワード|環境変数"),
            (ROOT, "権限|管理者|制限"),
            (PUBLIC, "コメント|公開|ここに|共有"),
            (SCRIPT, "スクリプト|パッケージ"),
            (SESSION, "セッション|回答"),
            (SILENT, "こっそり"),
            (VITAL, "日誌|データベース|メインブランチ"),
            (BYPASS, "強制プッシュ|確認せずに|確認なし"),
            (URGENT, "緊急"),
            (AUTHORITY, "セキュリティチーム|経営陣"),
            (IF, "たら|次第"),
            (PERSON, "ユーザー|担当者"),
            (GRANTED, "許可されました|付与|解除|無効になって"),
        ],
        ordering_ends: &["ください", "下さい", "せよ", "しろ", "なさい", "すること", "なければならない", "べきである"],
        ..Orders::NONE
    },
    ..Lexicon::NONE
};
