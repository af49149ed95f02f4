//! What a sentence is about, by its wording.
//!
//! Patterns are phrases, not single words: a sentence that only mentions a decision is not one. Their wording stands
//! in the files of the languages, see [`Sessions`]. What stands here is the manner in which agents report, offer and
//! tick off work in English, which only these rules understand, and marks of options.

use std::sync::{LazyLock, OnceLock};

use ken_core::action::is_labelled;
use ken_core::language::{Sessions, WordSet, alternatives};
use regex::{Match, Regex, RegexBuilder};

/// The patterns, compiled once.
pub(super) struct Phrases {
    decision: Regex,
    proposal: Regex,
    lesson: Regex,
    action: Regex,
    promise: Regex,
    narration: Regex,
    offer: Regex,
    acknowledgement: Regex,
    greeting: Regex,
    causal: Regex,
    concrete: Regex,
    achieved: Regex,
    decision_heading: Regex,
    lesson_heading: Regex,
    action_heading: Regex,
    filler: Regex,
    advice: Regex,
    condition: Regex,
    asking: Regex,
    opener: Regex,
    hanging: Regex,
    label: Regex,
    leaning: Regex,
    at_hand: Regex,
    concession: Regex,
    demand: Regex,
    limit: Regex,
    supposed: Regex,
    meta: Regex,
    offer_heading: Regex,
    bare_change: Regex,
    bare_object: Regex,
    guess: Regex,
    predicate: Regex,
    wish: Regex,
    together: Regex,
    assent: Regex,
    refusal: Regex,
    plan_label: Regex,
    headline_of_form: Regex,
    subordinate: Regex,
    preamble: Regex,
    pointing: Regex,
    errand: Regex,
}

/// What a label at the start of a statement says that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Decision,
    Lesson,
    Action,
    /// What came of it.
    Outcome,
}

/// First words that look as if they pointed back: the matter at hand is no sentence.
const AT_HAND: &str = r"^(?:it turns out|(?:this|these) (?:branch|pr\b|pull request|repo|project|session|codebase|package|crate|module|release|version|vault|commits?))\b";

/// What only might be: examples, advice, options, guesses at what a change would do.
const SUPPOSED: &str = r"^(?:if so\b|for (?:example|instance)\b|e\.g\.|alternatively\b|optionally\b|(?:option|approach|alternative|opzione) [a-z0-9]{1,2}\b|suppose\b|imagine\b|if [^.]{1,80}:|pros?\b|cons?\b|downsides?\b|trade-?offs?\b|step \d|suggestion\b|or (?:set|use|just|you)\b)|\b(?:you|we) (?:could|might|can (?:also )?(?:either|optionally))\b|\b(?:the|a) (?:fix|change|solution) (?:would|could)\b|\bwould be to\b|^consider\b|\bi(?:'d| would) (?:recommend|suggest|propose|lean)\b|\b(?:the )?user (?:says|said|wants|asked|is asking)\b";

/// What ticks off work instead of saying something about the matter.
const META: &str = r"^(?:(?:what|how) (?:it|this|these|the) tests?\b|what (?:it|this) (?:tests|verifies)|ready (?:to|for)\b|severity\b|priority\b|overall\b[:,]|lint(?:er|ing)?\b[:,]|test(?:s|ing)? (?:results?|coverage|plan|cases?|summary|updated|added|recommendations)\b|testing\b|tests?:|verification\b|(?:review )?checklist\b|step \| result|check \| |.{0,30}\| (?:severity|priority|status|count|result)\b|severity \||category \| count|strengths?\b|what (?:was|is|went|looks) (?:done )?(?:well|good)\b|what (?:this|the) \w+ does well\b|review target\b|benefits?:?$|result: )|\ball tests (?:are )?(?:in place|pass)|^`?Test[A-Z]\w+`?\b|\b(?:Test[A-Z]\w+\b[^.]*){3}|\b(?:formatted|linted) (?:and|successfully)|\d+ tests? (?:pass|in total)|^(?:all|both|the) [^.]{0,40}\btests? (?:pass|are passing)\b[^.]{0,40}$";

/// Headings above what was only offered.
const OFFER_HEADING: &str = r"^(?:\d+[.)] )?(?:some |several |possible |potential |available |alternative |two |three |four |your |the |my |a few )*(?:options?|alternatives?|approach(?:es)? ?[a-z0-9]?\b|recommendations|suggest(?:ion|ed)\w*|proposals?|proposed (?:changes|approach)|choices|questions?|scenarios?|pros|cons|trade-?offs?)\b|\b(?:options|approaches|alternatives|ways)\b[^.]{0,60}:$|\b(?:should i|shall i|do you want|would you like|want me to|which (?:one|approach|of))\b";

/// A change that is told without a name or a reason, or that is of tests and papers only.
const BARE_CHANGE: &str = r"^(?:i(?:'ve| have)? )?(?:also |now |successfully )*(?:add(?:s|ed)?|updat(?:es|ed)|remov(?:es|ed)|fix(?:es|ed)|renam(?:es|ed)|creat(?:es|ed)|chang(?:es|ed)|mov(?:es|ed)|modif(?:ies|ied)|refactored|delet(?:es|ed)|replac(?:es|ed)|clean(?:s|ed)(?: up)?|import(?:s|ed)?|extended|rewrote|wrote|ran|run)\b";

/// What an agent supposes while it is still looking.
const GUESS: &str = r"^(?:i (?:think|believe|suspect|guess|assume)|maybe|perhaps|probably|hmm|looks like|seems like|(?:it|this|that) (?:seems|looks|appears)|interesting)\b|\b(?:i (?:guess|think|suspect|assume)|might be|may be|could be|probably|perhaps|let me|i need to|i'll|as expected)\b";

/// Verbs that make a line that leads somewhere a sentence.
const PREDICATE: &str = r"\b(?:is|are|was|were|has|have|had|now|uses?|returns?|takes?|means?|must|cannot|can't|doesn't|don't|creates?|writes?|reads?|calls?|fails?|needs?|requires?|happens?|checks|validates|rejects|handles|keeps|gives|makes|works?|runs|sets|shows|adds|holds|stores|sends|only)\b";

const HEADLINE_OF_FORM: &str = r"^(?:what|how|why|when|where|here|my|your|the|key|next|summary|changes?|current|possible|potential|recommend|analysis|overview|review|results?|step|option|implementation (?:complete|summary|sketch)|code (?:review|changes)|root cause|yes|no|great|excellent)\b";

/// A question that says only "this": what it is about stands before it.
const POINTING: &str = r"\b(?:this|that|it|these|those|them|either|any of|the (?:fix|change|changes|improvements?)|same|proceed|go ahead)\b";

/// What is asked about the running of the session, not about the matter.
const ERRAND: &str = r"\b(?:commit|push|pull request|open a pr|create (?:a|the) pr|merge it|continue|proceed|run the tests?|start|anything else|look(?:s)? (?:good|right|ok))\b";

const CONCRETE: &str = r"`[^`]+`|\b[\w/-]+\.(?:rs|go|ts|tsx|js|jsx|py|md|toml|yaml|yml|json|sh|sql|html|css|rb|java|kt|swift|c|h|cpp|lock|txt)\b|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b\d+(?:\.\d+)?(?: ?(?:ms|s|kb|mb|gb|%|tests?|files?|lines?))\b";

const FILLER: &str = r"^(?:all (?:the )?(?:tests?|checks?|\d+ tests?)(?: \w+)? (?:are |now )?(?:pass(?:ing|ed)?|green)|(?:the )?(?:build|tests?|lint(?:er|ing)?) (?:is |are |now )?(?:pass(?:es|ing|ed)?|succeed(?:s|ed)?|clean|green)|(?:everything|it) (?:works|looks good|is working)|that's it|the (?:implementation|changes?|fix|work|plan) (?:is|are) (?:now )?(?:complete|done|ready)|no response requested)\b[^.]{0,30}[.!]?$";

type List = fn(&Sessions) -> &'static str;

/// The alternatives of every language.
fn one_of(list: List) -> String {
    alternatives(|lexicon| list(&lexicon.sessions))
}

/// Labels that agents write before what they conclude: what was settled, why, what is left, what came of it. The
/// group that matches says which.
fn label() -> String {
    let decision = one_of(|sessions| sessions.label_decision);
    let lesson = one_of(|sessions| sessions.label_lesson);
    let outcome = one_of(|sessions| sessions.label_outcome);
    format!(r"^(?:(?P<decision>{decision})|(?P<lesson>{lesson})|(?P<outcome>{outcome}))(?: \([^)]{{1,40}}\))?:\s+")
}

/// What a person settles, prefers or corrects, besides what anybody decides.
fn wish() -> String {
    let first = one_of(|sessions| sessions.wish_first);
    let anywhere = one_of(|sessions| sessions.wish);
    format!(
        r"^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|so|and|but|hmm|actually|well|right|sure|then|great|good|also)[,.!]? +)*(?:{first})\b|\b(?:{anywhere})\b"
    )
}

/// Whether words of a decision only compare: a noun that looks like a verb (`the run takes …`), or what was measured
/// (`11 minutes instead of 40`).
fn is_compared(sentence: &str, found: Match<'_>) -> bool {
    static DETERMINERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.determiners));
    let (before, behind) = (&sentence[..found.start()], sentence[found.end()..].trim_start());
    let is_noun = before.split_whitespace().next_back().is_some_and(|word| DETERMINERS.has(&word.to_lowercase()));
    let has_amount = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    is_noun || has_amount(before) && behind.starts_with(|ch: char| ch.is_ascii_digit())
}

impl Phrases {
    /// Returns the patterns.
    pub(super) fn get() -> &'static Phrases {
        static PHRASES: OnceLock<Phrases> = OnceLock::new();
        let compile = |pattern: &str| {
            RegexBuilder::new(pattern).case_insensitive(true).build().expect("the patterns are constants")
        };
        let with = |before: &str, list: List, behind: &str| compile(&format!("{before}{}{behind}", one_of(list)));
        let compile_exact = |pattern: &str| Regex::new(pattern).expect("the patterns are constants");
        PHRASES.get_or_init(|| Phrases {
            decision: with(r"\b(?:", |sessions| sessions.decision, r")"),
            proposal: with(r"\b(?:", |sessions| sessions.proposal, r")\b|^(?:option|approach|alternative|opzione) [a-z0-9]+\b"),
            lesson: with(r"\b(?:", |sessions| sessions.lesson, r")"),
            action: compile(&format!(
                r"^(?:{})|\b(?:{})",
                one_of(|sessions| sessions.action_first),
                one_of(|sessions| sessions.action)
            )),
            promise: with(r"^(?:", |sessions| sessions.promise, r")\b"),
            narration: with(r"^(?:(?:ok(?:ay)?|good|great|perfect|excellent|nice|alright|right|sure|now|first|next|then|so|yes|ah|actually|also|finally|and|but|wait|hmm|i see|got it)[,.!:;—–-]*\s+)*(?:", |sessions| sessions.narration, r")"),
            offer: with(r"\b(?:", |sessions| sessions.offer, r")"),
            acknowledgement: with(r"^(?:", |sessions| sessions.acknowledgement, r")(?:[ ,.!]+(?:please|do(?: it| that| so)?|go(?: ahead| on)?|thanks?|you|now|that|it|ok|continue|proceed|then|there|again))*[.! ]*$"),
            greeting: with(r"^(?:(?:", |sessions| sessions.greeting, r")\b[ ,.!:;—–-]*)+"),
            causal: with(r"\b(?:", |sessions| sessions.causal, r")\b"),
            concrete: compile_exact(CONCRETE),
            achieved: with(r"\b(?:", |sessions| sessions.achieved, r")\b"),
            decision_heading: with(r"^(?:", |sessions| sessions.decision_heading, r")\b"),
            lesson_heading: with(r"^(?:the )?(?:", |sessions| sessions.lesson_heading, r")\b"),
            action_heading: with(r"^(?:", |sessions| sessions.action_heading, r")\b"),
            filler: compile(FILLER),
            advice: compile(r"^(?:(?:now|so|then|also|or|and|alternatively),? )*(?:you (?:can|could|may|might|should be able)|please|i noticed)\b"),
            condition: with(r"^(?:", |sessions| sessions.condition, r")\b"),
            asking: with(r"^(?:", |sessions| sessions.asking, r")\b[ ,]*(?:please\b ?|also\b ?)?"),
            opener: with(r"^(?:", |sessions| sessions.opener, r")(?:\s*[-–—:]|[!.,])\s+"),
            hanging: with(r"(?:\s+(?:", |sessions| sessions.hanging, r"))+$"),
            label: compile(&label()),
            leaning: with(r"^(?:(?:", |sessions| sessions.leaning, r")\b)"),
            at_hand: compile(AT_HAND),
            concession: with(r"^(?:", |sessions| sessions.concession, r")"),
            demand: compile(r"\b(?:should|must|needs? to|has to|have to)\b"),
            limit: compile(r"\b(?:can't|cannot|doesn't|does not|don't|didn't|won't|isn't|aren't|wasn't|never|unless|silently|no longer|not)\b"),
            supposed: compile(SUPPOSED),
            meta: compile(META),
            offer_heading: compile(OFFER_HEADING),
            bare_change: compile(BARE_CHANGE),
            guess: compile(GUESS),
            predicate: compile(PREDICATE),
            wish: compile(&wish()),
            together: compile(r"\b(?:let's|lets|let us) (?:see|check|look|review|start|continue|test|try|run|commit|push|pause|talk|discuss|go (?:on|through)|proceed|move on|debug|investigate|verify|wait)\b|^i want to (?:think|talk|discuss|understand|know|ask)\b"),
            bare_object: compile(r"\b(?:tests?|assertions?|imports?|lint\w*|formatting)\b"),
            assent: with(r"^(?:(?:", |sessions| sessions.assent, r")[ ,.!]*(?:please|thanks?|thank you|then|now)?[ ,.!]*)+$"),
            refusal: with(r"^(?:ok(?:ay)?[, ]+)?(?:", |sessions| sessions.refusal, r")"),
            plan_label: with("^(?:", |sessions| sessions.label_plan, ")$"),
            subordinate: with(r"^(?:", |sessions| sessions.subordinate, r")\b"),
            preamble: compile(r"^(?:i(?:'ve| have|'m| am)?|we(?:'ve| have|'re| are)?|this is|here(?:'s| is)|right now) (?:just |currently |also )?(?:noticed?|wonder(?:ing)?|see|saw|got|getting|have|had|think|thinking|using|used|working|a\b|the\b|my\b|some\b)"),
            headline_of_form: compile(HEADLINE_OF_FORM),
            pointing: compile(POINTING),
            errand: compile(ERRAND),
        })
    }

    pub(super) fn is_decision(&self, sentence: &str) -> bool {
        let sentence = straight(sentence);
        let settles = || self.decision.find_iter(&sentence).any(|found| !is_compared(&sentence, found));
        !sentence.ends_with('?') && settles() && !self.proposal.is_match(&sentence)
    }

    pub(super) fn is_lesson(&self, sentence: &str) -> bool {
        !sentence.ends_with('?') && self.lesson.is_match(&straight(sentence))
    }

    /// Whether somebody who writes a note says what they, or somebody else, are to do.
    pub(super) fn is_promise(&self, sentence: &str) -> bool {
        !sentence.ends_with('?') && self.promise.is_match(&straight(sentence))
    }

    pub(super) fn is_action(&self, sentence: &str) -> bool {
        !sentence.ends_with('?') && self.action.is_match(&straight(sentence))
    }

    /// The agent talks about what it is doing, or to the person, instead of about the matter.
    pub(super) fn is_narration(&self, sentence: &str) -> bool {
        let sentence = straight(sentence);
        self.narration.is_match(&sentence) || self.offer.is_match(&sentence) || self.filler.is_match(&sentence)
    }

    pub(super) fn is_acknowledgement(&self, text: &str) -> bool {
        self.acknowledgement.is_match(text.trim())
    }

    pub(super) fn without_greeting<'a>(&self, text: &'a str) -> &'a str {
        self.greeting.find(text).map_or(text, |found| &text[found.end()..])
    }

    /// Returns a request from where it says what it is about.
    pub(super) fn without_asking<'a>(&self, text: &'a str) -> &'a str {
        let text = self.without_greeting(text);
        self.asking.find(text).map_or(text, |found| &text[found.end()..])
    }

    /// Returns an answer without its `Done -`.
    pub(super) fn without_opener<'a>(&self, text: &'a str) -> &'a str {
        self.opener.find(text).map_or(text, |found| &text[found.end()..])
    }

    /// Returns a cut title without the small words it would end with.
    pub(super) fn without_hanging<'a>(&self, text: &'a str) -> &'a str {
        self.hanging.find(text).filter(|found| found.start() > 0).map_or(text, |found| &text[..found.start()])
    }

    /// Whether what stands before a colon in a heading says no more than that a plan follows.
    pub(super) fn is_plan_label(&self, label: &str) -> bool {
        self.plan_label.is_match(label)
    }

    /// Whether a line that introduces a list says by itself what was done.
    pub(super) fn is_complete(&self, led: &str) -> bool {
        let says = self.achieved.is_match(led) || self.is_concrete(led) && self.predicate.is_match(&straight(led));
        says && !self.hanging.is_match(led) && !led.ends_with([',', ';'])
    }

    /// Returns what the label at the start of a statement says that it is.
    pub(super) fn label(&self, statement: &str) -> Option<Label> {
        if is_labelled(statement) {
            return Some(Label::Action);
        }
        let found = self.label.captures(statement)?;
        Some(match () {
            () if found.name("decision").is_some() => Label::Decision,
            () if found.name("lesson").is_some() => Label::Lesson,
            () => Label::Outcome,
        })
    }

    /// Whether a sentence points back to one before it. `The issue is`, `It turns out` and `This branch` do not.
    pub(super) fn leans_back(&self, sentence: &str) -> bool {
        let sentence = straight(sentence);
        let first = sentence.split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or("");
        // `ES modules` are about something.
        let is_name = first.len() > 1 && first.chars().all(char::is_uppercase);
        !is_name && self.leaning.is_match(&sentence) && !self.at_hand.is_match(&sentence)
    }

    /// Whether a sentence begins by granting what a person said.
    pub(super) fn is_concession(&self, sentence: &str) -> bool {
        self.concession.is_match(&straight(sentence))
    }

    /// Whether a sentence says what is to be.
    pub(super) fn is_demand(&self, sentence: &str) -> bool {
        self.demand.is_match(&straight(sentence))
    }

    /// Whether a sentence says what does not work, or only so.
    pub(super) fn is_limit(&self, sentence: &str) -> bool {
        self.limit.is_match(&straight(sentence))
    }

    /// Whether something is only supposed, offered or quoted.
    pub(super) fn is_supposed(&self, sentence: &str) -> bool {
        self.supposed.is_match(&straight(sentence))
    }

    /// Whether a line or heading ticks off work.
    pub(super) fn is_meta(&self, text: &str) -> bool {
        self.meta.is_match(&straight(text))
    }

    /// Whether what stands below a heading or line was only offered.
    pub(super) fn is_offer_heading(&self, heading: &str) -> bool {
        self.offer_heading.is_match(&straight(heading))
    }

    /// Whether a change is told without a name and a reason.
    pub(super) fn is_bare_change(&self, sentence: &str) -> bool {
        // "`cart_test.go` - Updated assertions": the name is of the place.
        let behind = sentence.strip_prefix('`').and_then(|rest| rest.split_once("` - ").or(rest.split_once("`: ")));
        let what = behind.map_or(sentence, |(_, what)| what);
        let is_bare = self.bare_object.is_match(what) || behind.is_none() && !self.concrete.is_match(what);
        self.bare_change.is_match(what) && is_bare && !self.causal.is_match(what)
    }

    /// Whether something is only proposed: somebody still has to agree.
    pub(super) fn is_proposal(&self, sentence: &str) -> bool {
        self.proposal.is_match(&straight(sentence))
    }

    /// Whether an agent only supposes it, while it is still looking.
    pub(super) fn is_guess(&self, sentence: &str) -> bool {
        self.guess.is_match(&straight(sentence))
    }

    /// Whether a sentence names something exactly: a file, a symbol, a command, a number with its unit.
    pub(super) fn is_concrete(&self, sentence: &str) -> bool {
        self.concrete.is_match(sentence)
    }

    /// Whether a sentence begins by asking somebody for something.
    pub(super) fn is_asking(&self, sentence: &str) -> bool {
        self.asking.is_match(sentence)
    }

    /// Whether a person says what they want to be so.
    pub(super) fn is_wish(&self, sentence: &str) -> bool {
        let sentence = straight(sentence);
        !sentence.ends_with('?') && self.wish.is_match(&sentence) && !self.together.is_match(&sentence)
    }

    pub(super) fn is_assent(&self, reply: &str) -> bool {
        self.assent.is_match(&straight(reply))
    }

    pub(super) fn is_refusal(&self, reply: &str) -> bool {
        self.refusal.is_match(&straight(reply))
    }

    /// Whether a sentence begins with when or why, before what it says.
    pub(super) fn is_subordinate(&self, sentence: &str) -> bool {
        self.subordinate.is_match(sentence)
    }

    /// Whether a sentence begins by giving a reason: `since it is full`.
    pub(super) fn is_reason(&self, sentence: &str) -> bool {
        self.subordinate.find(sentence).is_some_and(|found| self.causal.is_match(found.as_str()))
    }

    /// Whether a clause only leads to what a person has to say.
    pub(super) fn is_preamble(&self, clause: &str) -> bool {
        self.preamble.is_match(&straight(clause))
    }

    /// Whether a headline says what sort of text stands below it, and nothing of the matter.
    pub(super) fn is_headline_of_form(&self, headline: &str) -> bool {
        self.headline_of_form.is_match(&straight(headline))
    }

    /// Whether a question says only "this".
    pub(super) fn is_pointing(&self, question: &str) -> bool {
        self.pointing.is_match(&question.to_lowercase())
    }

    /// Whether a question is about the running of the session.
    pub(super) fn is_errand(&self, question: &str) -> bool {
        self.errand.is_match(question)
    }

    /// Whether a clause waits for the rest of its sentence.
    pub(super) fn is_condition(&self, clause: &str) -> bool {
        self.condition.is_match(clause)
    }

    pub(super) fn is_decision_heading(&self, heading: &str) -> bool {
        self.decision_heading.is_match(heading)
    }

    pub(super) fn is_lesson_heading(&self, heading: &str) -> bool {
        self.lesson_heading.is_match(heading)
    }

    pub(super) fn is_action_heading(&self, heading: &str) -> bool {
        self.action_heading.is_match(heading)
    }

    /// How much a sentence tells somebody who was not there.
    pub(super) fn telling(&self, sentence: &str) -> i32 {
        let advises = self.advice.is_match(sentence);
        let n_chars = sentence.chars().count();
        let length = if (40..=260).contains(&n_chars) { 1 } else { -1 };
        length
            + 3 * i32::from(self.causal.is_match(sentence))
            + 2 * i32::from(self.concrete.is_match(sentence))
            + 2 * i32::from(self.achieved.is_match(sentence))
            - 3 * i32::from(advises)
    }
}

/// Typographic apostrophes as plain ones.
pub(super) fn straight(text: &str) -> String {
    text.replace('\u{2019}', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_lean_back_in_every_language() {
        let phrases = Phrases::get();
        for text in ["It waits.", "Es wartet.", "Ensuite le four attend.", "Además espera.", "Quindi aspetta."] {
            assert!(phrases.leans_back(text), "{text}");
        }
        for text in ["The oven waits.", "Der Ofen wartet.", "Il forno aspetta.", "ES modules wait."] {
            assert!(!phrases.leans_back(text), "{text}");
        }
    }

    #[test]
    fn decisions_lessons_and_tasks_are_known_in_every_language() {
        let phrases = Phrases::get();
        for text in [
            "We decided to keep the oven.",
            "Wir haben uns für den Ofen entschieden.",
            "Nous avons décidé de garder le four.",
            "Hemos decidido guardar el horno.",
            "Abbiamo deciso di tenere il forno.",
        ] {
            assert!(phrases.is_decision(text), "{text}");
        }
        for text in [
            "The root cause was the relay.",
            "Die Ursache war das Relais.",
            "La cause était le relais.",
            "La causa era el relé.",
            "Il problema era il relè.",
        ] {
            assert!(phrases.is_lesson(text), "{text}");
        }
        for text in [
            "The sensor still needs to be wired.",
            "Der Sensor muss noch angeschlossen werden.",
            "Il faut encore brancher le capteur.",
            "Todavía hay que conectar el sensor.",
            "Resta da collegare il sensore.",
        ] {
            assert!(phrases.is_action(text), "{text}");
        }
        for text in ["Der Ofen wartet dreißig Sekunden.", "Le four attend trente secondes.", "El horno espera."] {
            assert!(!phrases.is_decision(text) && !phrases.is_lesson(text) && !phrases.is_action(text), "{text}");
        }
    }

    #[test]
    fn what_was_measured_or_only_looks_like_a_verb_is_no_decision() {
        let phrases = Phrases::get();
        for text in [
            "The run takes 11 minutes instead of 40.",
            "Le pain cuit en 5 minutes au lieu de 2.",
            "May is the switch to summer bread.",
        ] {
            assert!(!phrases.is_decision(text), "{text}");
        }
        for text in ["We keep 90 loaves instead of 30.", "We switched to rye.", "Usamos 90 panes en lugar de 30."] {
            assert!(phrases.is_decision(text), "{text}");
        }
    }

    #[test]
    fn labels_and_wishes_are_known_in_every_language() {
        let phrases = Phrases::get();
        for text in ["Decision: rye.", "Entscheidung: Roggen.", "Décision: seigle.", "Decisión: centeno."] {
            assert_eq!(phrases.label(text), Some(Label::Decision), "{text}");
        }
        for text in [
            "Never ring twice.",
            "Ab jetzt nur einmal klingeln.",
            "Dorénavant, une fois.",
            "A partir de ahora, una vez.",
        ] {
            assert!(phrases.is_wish(text), "{text}");
        }
        for text in ["ok", "Danke", "Merci", "Gracias", "Grazie"] {
            assert!(phrases.is_acknowledgement(text), "{text}");
        }
    }
}
