//! The words of Korean, by which dates are understood.

use super::lexicon::Lexicon;
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL, Orders, PERSON,
    PRIOR, PROMPT, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN,
    URGENT, VITAL, VOID, YOU,
};
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
    orders: Orders {
        parts: &[
            (YOU, "당신|너는|네 설정|너의"),
            (READER, "에이전트|어시스턴트|도우미|인공지능"),
            (MODAL, "해야"),
            (TOLD, "지시|지침|규칙|프롬프트"),
            (PROMPT, "프롬프트"),
            (HIDDEN, "숨겨진"),
            (IGNORE, "무시|잊어"),
            (VOID, "적용되지|아니라"),
            (PRIOR, "이전|앞의"),
            (ALL, "모든"),
            (SAID, "말한"),
            (SEND, "보내|전송|복사|업로드|게시하|붙여"),
            (RUN, "실행"),
            (FETCH, "내려받|다운로드"),
            (INSTALL, "설치"),
            (ADD, "추가하|허용"),
            (DELETE, "삭제|지우|꺼라"),
            (REVEAL, "출력|보여|반복"),
            (HIDE, "숨기|숨겨야"),
            (TELL, "말하세요|말해"),
            (TURN, "바꾸|승인|푸시"),
            (AS, "행동하"),
            (SECRET, "자격 증명|개인 키|토큰|비밀번호|환경 변수"),
            (ROOT, "권한|관리자|제한"),
            (PUBLIC, "댓글|공개|여기|공유"),
            (SCRIPT, "스크립트|패키지"),
            (SESSION, "세션|답하|답변"),
            (SILENT, "몰래"),
            (VITAL, "일지|데이터베이스|메인 브랜치"),
            (BYPASS, "강제로|묻지 말고|확인 없이"),
            (URGENT, "긴급"),
            (AUTHORITY, "보안팀|경영진"),
            (IF, "물으면|통과하면|면 "),
            (PERSON, "사용자|누가|검토자"),
            (GRANTED, "부여|해제|꺼져"),
        ],
        ordering_ends: &[
            "세요",
            "하라",
            "해라",
            "십시오",
            "꺼라",
            "잊어라",
            "해야 한다",
            "해야 합니다",
            "마라",
            "허용해라",
            "바꿔라",
        ],
        ..Orders::NONE
    },
    ..Lexicon::NONE
};
