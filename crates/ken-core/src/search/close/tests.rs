//! Which unit scores best.

use super::*;
use crate::search::Language;
use crate::search::unit::units;
use crate::span::Span;

/// The units of a text, each with its score for a question.
fn scored(question: &str, title: &str, text: &str) -> Vec<(String, f32)> {
    let question = Question::plain(question, &[Language::ENGLISH]);
    let frequencies: Vec<Frequency> = question.words.iter().map(|_| Frequency { n_passages: 3, n_docs: 2 }).collect();
    let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
    let units = units(text, Span::new(0, text.len()), 60);
    let doc = FoundDoc {
        text,
        title,
        date: None,
        units: units.iter().map(|unit| (unit, "")).collect(),
        kind: DocKind::Other,
    };
    let said = Close::new(&question, &frequencies, &collection).look(&[doc]).remove(0);
    units.iter().zip(said).map(|(unit, said)| (unit.span.of(text).to_owned(), said.score)).collect()
}

fn best(question: &str, title: &str, text: &str) -> String {
    scored(question, title, text).into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or_else(String::new, |one| one.0)
}

#[test]
fn what_covers_the_question_is_best_and_forms_of_its_words_count() {
    let text = "The oven is painted green, as all of them are.\n\nThe timer of the oven rings twice a day.\n\nNobody paints the doors of the shop any more.";
    assert_eq!(best("when does the oven timer ring?", "", text), "The timer of the oven rings twice a day.");
    assert_eq!(best("door painting", "", text), "Nobody paints the doors of the shop any more.");
}

#[test]
fn what_stands_beside_an_answer_is_found_without_a_word_of_the_question() {
    let text = "Which flour do we order for the bread now?\n\nThe dark one, from the mill beside the river.\n\nLunch was late on that day, and nobody said a word.";
    let found = scored("which flour do we order", "", text);
    assert!(found[1].1 > 0.1 && found[2].1 < found[1].1 / 2.0, "{found:?}");
}

#[test]
fn a_title_says_what_its_units_are_about() {
    let text = "The timer rings twice.\n";
    assert!(scored("oven timer", "Oven", text)[0].1 > scored("oven timer", "Till", text)[0].1);
}

#[test]
fn in_a_chat_what_somebody_says_beats_what_is_said_of_them() {
    let chat = "Ada: The seal of the oven is worn, it stays warm.\nBen: Ada, the oven was warm again.\nAda: I will look.\n\nIt is the seal.\nBen: Fine, when?\nAda: On Monday.\n";
    let body = Span::new(0, chat.len());
    let found = crate::search::cut::cut(chat, body, &crate::chat::messages(chat, body));
    let units: Vec<Unit> = found
        .iter()
        .flat_map(|cut| {
            units(chat, cut.span, 250).into_iter().map(|unit| Unit { speaker: cut.speaker.clone(), ..unit })
        })
        .collect();
    let best = |question: &str| {
        let question = Question::plain(question, &[Language::ENGLISH]);
        let frequencies: Vec<Frequency> =
            question.words.iter().map(|_| Frequency { n_passages: 3, n_docs: 2 }).collect();
        let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
        let units: Vec<_> = units.iter().map(|unit| (unit, "")).collect();
        let doc = FoundDoc { text: chat, title: "", date: None, units, kind: DocKind::Other };
        let said = Close::new(&question, &frequencies, &collection).look(&[doc]).remove(0);
        let best = (0..said.len()).max_by(|a, b| said[*a].score.total_cmp(&said[*b].score)).unwrap_or_default();
        found[best].span.of(chat).lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(best("what did Ada say about the oven?"), "Ada: The seal of the oven is worn, it stays warm.");
    assert_eq!(best("what did Ben say about the oven?"), "Ben: Ada, the oven was warm again.");
    assert_eq!(best("when is Ada's oven warm again?"), "Ben: Ada, the oven was warm again.");
}

/// A talk: its text, and its turns as units, by person and agent in turn. What begins with `$` was done.
fn talk(turns: &[&str]) -> (String, Vec<Unit>) {
    let (mut text, mut units) = (String::new(), Vec::new());
    for (section, turn) in turns.iter().enumerate() {
        let span = Span::new(text.len(), text.len() + turn.len());
        text.push_str(turn);
        text.push('\n');
        let is_event = turn.starts_with('$');
        units.push(Unit { span, sentences: vec![span], section, is_event, speaker: String::new() });
    }
    (text, units)
}

/// The turns of talks, each with its score for a question.
fn talks_scored(question: &str, title: &str, talks: &[&[&str]]) -> Vec<Vec<f32>> {
    let question = Question::plain(question, &[Language::ENGLISH]);
    let frequencies = vec![Frequency { n_passages: 3, n_docs: 2 }; question.words.len()];
    let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
    let heading = |n: usize| if n.is_multiple_of(2) { "User (2026-03-01 09:20)" } else { "Agent (2026-03-01 09:20)" };
    let talks: Vec<(String, Vec<Unit>)> = talks.iter().map(|turns| talk(turns)).collect();
    let docs = talks.iter().map(|(text, units)| {
        let units = units.iter().enumerate().map(|(n, unit)| (unit, heading(n))).collect();
        FoundDoc { text, title, date: None, units, kind: DocKind::Other }
    });
    let said = Close::new(&question, &frequencies, &collection).look(&docs.collect::<Vec<_>>());
    said.iter().map(|said| said.iter().map(|said| said.score).collect()).collect()
}

fn turns_scored(question: &str, title: &str, turns: &[&str]) -> Vec<f32> {
    talks_scored(question, title, &[turns]).remove(0)
}

#[test]
fn where_work_was_done_an_agents_turn_leads_to_the_reply() {
    let (asks, replies) = ("For the oven door I see new screws or a new hinge.", "The second, screws cost us a week.");
    let work = ["Look at this.", asks, replies, "$ make hinge", "Fine."];
    let found = turns_scored("why no screws in the oven door hinge", "", &work);
    assert!(found[2] > 0.7 * found[1] && found[4] < 0.1 * found[1], "{found:?}");
    let chat = ["Look at this.", asks, "What is for lunch?", "Soup.", "Fine."];
    let found = turns_scored("why no screws in the oven door hinge", "", &chat);
    assert!(found[2] < 0.4 * found[1], "{found:?}");
}

#[test]
fn a_cause_is_found_by_its_mark_where_one_is_asked_for() {
    let cause = "There it is. A wet spring held the bolt back.";
    let turns = ["The oven door fell off at night.", "$ ls oven", "It is bolted twice.", cause, "Fine."];
    let asked = |question: &str| {
        let found = turns_scored(question, "", &turns);
        found[3] / found[0]
    };
    assert!(asked("why did the oven door fall off") > 0.6 && asked("what made the oven door fall off") > 0.6);
    assert!(asked("why is the oven door off") < 0.2 && asked("when did the oven door fall off") < 0.2);
    let chat = ["The oven door fell off at night.", "Fine.", "It is bolted twice.", cause, "Fine."];
    assert!(turns_scored("why did the oven door fall off", "", &chat)[3] < 0.2, "nothing was done");
}

#[test]
fn a_session_counts_by_all_that_it_says_of_the_question() {
    let about =
        ["The oven door fell off.", "$ ls oven", "The oven door has short screws.", "The screws of the door are new."];
    let beside = ["The oven is off.", "$ ls till", "Lunch is late.", "Fine."];
    let found = talks_scored("which screws has the oven door", "", &[&about, &beside]);
    let alone = turns_scored("which screws has the oven door", "", &beside);
    assert!(found[1][0] < 0.8 * alone[0], "{found:?} {alone:?}");
    let documents = talks_scored("which screws has the oven door", "", &[&about[2..3], &beside[..1]]);
    assert!((documents[1][0] - turns_scored("which screws has the oven door", "", &beside[..1])[0]).abs() < 0.2);
}

#[test]
fn a_document_counts_by_all_that_it_says_of_the_question() {
    let question = Question::plain("which screws has the oven door", &[Language::ENGLISH]);
    let frequencies = vec![Frequency { n_passages: 3, n_docs: 2 }; question.words.len()];
    let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
    let texts =
        ["The oven door has short screws.\n\nThe screws of the door are new.", "The oven is off.\n\nLunch is late."];
    let units = texts.map(|text| units(text, Span::new(0, text.len()), 60));
    let scored = |kind: DocKind| {
        let docs = texts.iter().zip(&units).map(|(text, units)| {
            let units = units.iter().map(|unit| (unit, "")).collect();
            FoundDoc { text, title: "", date: None, units, kind }
        });
        let said = Close::new(&question, &frequencies, &collection).look(&docs.collect::<Vec<_>>());
        (said[0][0].score, said[1][0].score)
    };
    let (plain, document) = (scored(DocKind::Other), scored(DocKind::Document));
    assert!(document.0 == plain.0 && document.1 < 0.8 * plain.1, "{plain:?} {document:?}");
}

#[test]
fn the_page_of_a_piece_of_work_counts_as_the_session_of_its_day_does() {
    let question = Question::plain("which screws has the oven door", &[Language::ENGLISH]);
    let frequencies = vec![Frequency { n_passages: 3, n_docs: 2 }; question.words.len()];
    let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
    let heading = |n: usize| if n.is_multiple_of(2) { "User (2026-03-01 09:20)" } else { "Agent (2026-03-01 09:20)" };
    let about = ["The oven door fell off.", "$ ls oven", "The oven door has short screws.", "The screws are new."];
    let talks = [talk(&about), talk(&["The oven is off.", "$ ls till", "Lunch is late.", "Fine."])];
    let page = "The oven has a door.";
    let of_page = units(page, Span::new(0, page.len()), 60);
    let days = ["2026-03-01", "2026-03-08"].map(|day| day.parse().ok());
    let scored = |day: usize, kind: DocKind| {
        let mut docs: Vec<FoundDoc<'_>> = talks
            .iter()
            .zip(days)
            .map(|((text, units), date)| {
                let units = units.iter().enumerate().map(|(n, unit)| (unit, heading(n))).collect();
                FoundDoc { text, title: "", date, units, kind: DocKind::Other }
            })
            .collect();
        let units = of_page.iter().map(|unit| (unit, "")).collect();
        docs.push(FoundDoc { text: page, title: "", date: days.get(day).copied().flatten(), units, kind });
        Close::new(&question, &frequencies, &collection).look(&docs)[2][0].score
    };
    let plain = scored(0, DocKind::Other);
    assert_eq!(scored(0, DocKind::Work), plain);
    assert!(scored(1, DocKind::Work) < 0.8 * plain && scored(1, DocKind::Other) == plain);
    assert_eq!(scored(2, DocKind::Work), scored(1, DocKind::Work), "of no session that was found");
}

#[test]
fn in_talk_a_question_back_leads_to_its_answer() {
    let turns = ["The oven door fell off.", "What was it then?", "Short screws.", "Lunch is late.", "Fine."];
    let found = turns_scored("why did the oven door fall", "", &turns);
    assert!(found[2] > 0.2 * found[0] && found[4] < 0.1 * found[0], "{found:?}");
    let turns = ["The oven door fell off.", "I see.", "Short screws.", "Lunch is late.", "Fine."];
    assert!(turns_scored("why did the oven door fall", "", &turns)[2] < 0.1 * found[0]);
}

#[test]
fn the_title_of_talk_of_short_turns_says_less_of_each() {
    let turns = ["The oven is off.", "Good.", "The timer rings twice.", "Good.", "And the shop is shut."];
    let titled = turns_scored("oven timer", "Oven", &turns)[2];
    let other = turns_scored("oven timer", "Till", &turns)[2];
    let text = turns.join("\n\n");
    let of_a_document = scored("oven timer", "Oven", &text).iter().map(|one| one.1).fold(0.0, f32::max);
    assert!(other < titled && titled < of_a_document, "{other} {titled} {of_a_document}");
}

#[test]
fn a_day_raises_what_is_of_it_and_what_is_a_day_off_and_names_it() {
    let mut question = Question::plain("who baked on 2026-03-31?", &[Language::ENGLISH]);
    question.read_days("2026-06-01".parse().expect("a day"), None);
    let frequencies = vec![Frequency { n_passages: 3, n_docs: 2 }; question.words.len()];
    let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
    let close = Close::new(&question, &frequencies, &collection);
    let raised = |date: &str, text: &str| {
        let date = Some(date.parse().expect("a day"));
        close.of_the_day(&FoundDoc { text, title: "", date, units: Vec::new(), kind: DocKind::Other })
    };
    let of_the_day = 1.0 + OF_THE_DAY;
    assert_eq!(raised("2026-03-31", "Ada baked."), of_the_day);
    assert_eq!(raised("2026-04-01", "On 2026-03-31 Ada baked."), of_the_day);
    assert_eq!(raised("2026-04-01", "Ada baked."), 1.0);
    assert_eq!(raised("2026-04-02", "On 2026-03-31 Ada baked."), 1.0);
    assert!((1.0..of_the_day).contains(&raised("2026-03-25", "Ada baked.")));
}

#[test]
fn stems_that_begin_alike_are_near() {
    for (a, b, near) in [
        ("telemetri", "telemetr", true),
        ("notar", "notariz", true),
        ("cat", "cats", false),
        ("port", "portal", true),
        ("contain", "content", false),
        ("v12", "v123", false),
    ] {
        assert_eq!(is_near(a, b), near, "{a} {b}");
    }
}

#[test]
fn what_is_disputed_answers_who_disagrees() {
    let text = "Ada bakes from Monday on, and Ben has the week off.\n\nAda wants two ovens, and Ben wants one.";
    let units = units(text, Span::new(0, text.len()), 60);
    let has = |question: &str| {
        let question = Question::plain(question, &[Language::ENGLISH]);
        let frequencies = vec![Frequency { n_passages: 3, n_docs: 2 }; question.words.len()];
        let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
        let headed = units.iter().zip(["", DISPUTED]).collect();
        let doc = FoundDoc { text, title: "", date: None, units: headed, kind: DocKind::Other };
        let said = Close::new(&question, &frequencies, &collection).look(&[doc]).remove(0);
        (said[0].score, said[1].score)
    };
    let (plain, disputed) = has("What do Ada and Ben disagree about?");
    assert!(disputed > 1.2 * plain, "{plain} {disputed}");
    let (plain, disputed) = has("What do Ada and Ben bake?");
    assert!(disputed < 1.2 * plain, "{plain} {disputed}");
}
