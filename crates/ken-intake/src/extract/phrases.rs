//! What a sentence is about, by its wording.
//!
//! Patterns are phrases, not single words: a sentence that only mentions a decision is not one. Most are
//! English; the basic Italian ones stand beside them.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

/// The patterns, compiled once.
pub(super) struct Phrases {
    decision: Regex,
    proposal: Regex,
    lesson: Regex,
    action: Regex,
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
}

const DECISION: &str = r"\b(?:(?:we|i|they|you|was|were|been|have|has|been|it)(?:'ve|'s| have| has)? (?:decided|agreed|settled)\b|decided (?:to|on|that|against)\b|settled on\b|agreed (?:to|on|that)\b|chose\b[^.]{1,80}\b(?:over|instead|because|for)\b|(?:we're|i'm|we are|i am|am|are) going with\b|(?:let's|lets|let us|we'll|we will|i'd|we should|should) (?:go with|use|stick with|stick to|switch to|keep using|settle on|adopt)\b|go(?:ing)? with (?:the|a|option|approach|plan)\b|switch(?:ed|ing)? (?:from|to|over to)\b|migrat(?:ed|ing|e) (?:from|to)\b|moved (?:from [^.]{1,60} to|away from)\b|replac(?:ed|e|es|ing)\b[^.]{1,80}\bwith\b|(?:us(?:e|es|ed|ing)|keep(?:s|ing)?|kept|stor(?:e|es|ed|ing)|mov(?:e|ed|ing)|put(?:ting)?|writ(?:e|es|ing)|read(?:s|ing)?|call(?:s|ing)?|pass(?:es|ing)?|returns?|run(?:s|ning)?|point(?:s|ing)?|took|take|pick(?:ed)?|prefer(?:red|s)?|chose|i want|we want)\b[^.]{0,80}\b(?:instead of|rather than)\b|(?:instead of|rather than)\b[^,.]{1,60}, (?:we|i|it)\b|use [^.]{1,60} instead\b|i(?:'d)? (?:like|prefer|choose|pick) (?:the |your )?(?:option|approach|idea|first|second|third|latter|former)\b|opted (?:for|to)\b|(?:from now on|no longer|stop) (?:use|using|uses)\b|(?:the|our) decision (?:is|was)\b|abbiamo (?:deciso|scelto)\b|ho (?:deciso|scelto)\b|è stato deciso\b|deciso di\b|scelto di\b|optiamo per\b|usiamo\b|passiamo a\b|andiamo con\b|al posto di\b|invece di\b|sostituit[oaie] con\b)";

/// A proposal is no decision: somebody still has to agree.
const PROPOSAL: &str = r"\b(?:recommend(?:ation|ed|s)?|suggest(?:ion|ions|ed|s)?|propos(?:e|al|ed)|(?:you|we|i|it|they) (?:could|can|might|may)|could (?:use|also|be)|consider|alternatively|optionally|would (?:be|require|need)|pros|cons|consiglio|potremmo|si potrebbe)\b|^(?:option|approach|alternative|opzione) [a-z0-9]+\b";

const LESSON: &str = r"\b(?:root cause|the (?:real |actual |main |underlying |core )?(?:issue|problem|bug|culprit|reason|cause|fix|trick|catch) (?:is|was|here is|were)\b|the (?:issue|problem|bug) with\b[^.]{1,60}\b(?:is|was)\b|(?:it )?turns out\b|turned out\b|because\b|this is why\b|that's why\b|which is why\b|(?:must|never|always) (?:be|not|use|have|run|call|set|come|go|reach|match|return|include|pass|start|check|happen|contain|exist|add|keep|do|write|read)\b|must(?:n't)?\b[^.]{0,40}\b(?:before|after|otherwise)\b|gotcha\b|caveat\b|note that\b|beware\b|(?:doesn't|does not|don't|do not|didn't|did not|won't|cannot|can't) (?:work|apply|trigger|propagate|capture|persist|respect)\b|fails (?:when|if|because|on|with)\b|failed because\b|requires\b|only works (?:when|if|with|on)\b|as a side effect\b|race condition\b|causa (?:principale|del problema)\b|il problema (?:è|era)\b|perché\b|non funziona\b|si è scoperto\b|bisogna sempre\b)";

const ACTION: &str = r"^(?:todo\b|to do:|follow[ -]?up:|next steps?\b[:,]|remaining\b[:,]|action items?:|da fare:|prossim[oi] pass[oi]:)|\b(?:TODO:|still needs? to\b|still (?:to be|have to|has to)\b|remains to be\b|left to do\b|should later\b|needs? a follow[ -]?up\b|will need to be\b|(?:is|are) not yet (?:implemented|done|covered|tested|supported|wired)\b|(?:should|must) be (?:added|done|fixed|updated|removed|tested) (?:later|next|too|as well|before|in)\b|in a follow[ -]?up (?:pr|commit|change|task)\b|resta da\b|ancora da fare\b)";

const NARRATION: &str = r"^(?:(?:ok(?:ay)?|good|great|perfect|excellent|nice|alright|right|sure|now|first|next|then|so|yes|ah|actually|also|finally|and|but|wait|hmm|i see|got it)[,.!:;—–-]*\s+)*(?:let me\b|let's (?:see|check|look|verify|run|fix|start|make|update|also|now|try|test|first|do|add|create|implement|read|find|continue|build|confirm|take|trace|examine|explore)\b|lemme\b|i'll\b|i will\b|i'm going to\b|i am going to\b|i'm now\b|i need to\b|i should\b|i want to\b|i can see\b|i see\b|i understand\b|i now\b|i have (?:a|enough|all)\b|i've (?:got|read|seen|reviewed|looked)\b|i have (?:read|reviewed|looked|seen)\b|looking at\b|checking\b|searching\b|here's\b|here is\b|here are\b|based on my\b|you're (?:absolutely |completely |totally )?right\b|you are (?:absolutely )?right\b|good (?:catch|point|question|idea|news)\b|great (?:question|point|catch|idea)\b|sorry\b|my apologies|apologies\b|thanks\b|thank you\b|now (?:i|we|update|add|run|fix|create|check|the|for)\b|time to\b|summary\b|in summary\b|to summarize\b|starting\b|running\b|vediamo\b|ora\b|adesso\b|ecco\b|perfetto\b|fatto\b)";

const OFFER: &str = r"\b(?:would you like|do you want|want me to|should i\b|shall i\b|let me know|feel free|if you(?:'d| would) like|happy to|is there anything|ready (?:for|to) (?:review|proceed|commit)|waiting for|vuoi che|fammi sapere)";

const ACKNOWLEDGEMENT: &str = r"^(?:ok(?:ay)?|yes|yep|yeah|y|no|nope|sure|thanks?|thank you|thx|great|perfect|nice|good|cool|lgtm|done|continue|go(?: ahead| on)?|proceed|do it|try again|again|retry|hello|hi|hey|test|stop|wait|please|right|correct|sounds good|looks good|makes sense|that works|ship it|sì|si|va bene|grazie|ciao|avanti|continua|perfetto)(?:[ ,.!]+(?:please|do(?: it| that| so)?|go(?: ahead| on)?|thanks?|you|now|that|it|ok|continue|proceed|then|there|again))*[.! ]*$";

const GREETING: &str = r"^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening)|ciao|buongiorno|salve|ok(?:ay)?|so|please|hello there|hi there|hey there|hi claude|hey claude)\b[ ,.!:;—–-]*)+";

/// Words that a request opens with before it says what it is about.
const ASKING: &str = r"^(?:(?:can|could|would|will) (?:you|we|i)|please|i(?:'d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to|we (?:should|need to|want to)|let's|lets|help me|puoi|potresti|vorrei|per favore)\b[ ,]*(?:please\b ?|also\b ?)?";

/// What an answer opens with before it says what was done.
const OPENER: &str = r"^(?:done|fixed|perfect|great|excellent|good|yes|no|ok|okay|fatto)(?:\s*[-–—:]|[!.,])\s+";

/// Words that no title ends with.
const HANGING: &str = r"(?:\s+(?:to|the|a|an|in|on|at|for|of|and|or|if|i|we|it|that|this|with|from|by|is|are|was|did|do|does|as|so|all|into|my|our|your|its|when|where|which|right|following|documents|includes?|covers?|shows?|contains?|these|changes|two|three|di|il|la|per|con|e|che))+$";

const CAUSAL: &str = r"\b(?:because|since|so that|therefore|root cause|caused|causes|causing|due to|which means|this means|that means|as a result|the reason|leads to|results in|to avoid|to prevent|to ensure|ensures|prevents|otherwise|so it|so the|so that|previously|was missing|perché|quindi|dovuto a)\b";

const CONCRETE: &str = r"`[^`]+`|\b[\w/-]+\.(?:rs|go|ts|tsx|js|jsx|py|md|toml|yaml|yml|json|sh|sql|html|css|rb|java|kt|swift|c|h|cpp|lock|txt)\b|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b\d+(?:\.\d+)?(?: ?(?:ms|s|kb|mb|gb|%|tests?|files?|lines?))\b";

const ACHIEVED: &str = r"\b(?:added|adds|fixed|fixes|updated|updates|removed|removes|created|creates|changed|changes|moved|renamed|replaced|implemented|implements|refactored|extracted|now (?:uses?|handles?|shows?|returns?|works?|supports?|clears?|runs?|checks?|includes?|writes?|reads?)|pushed|merged|committed|deleted|configured|introduced|simplified|extended|verified|handles|documented|aggiunto|corretto|rimosso|creato)\b";

const FILLER: &str = r"^(?:all (?:the )?(?:tests?|checks?|\d+ tests?)(?: \w+)? (?:are |now )?(?:pass(?:ing|ed)?|green)|(?:the )?(?:build|tests?|lint(?:er|ing)?) (?:is |are |now )?(?:pass(?:es|ing|ed)?|succeed(?:s|ed)?|clean|green)|(?:everything|it) (?:works|looks good|is working)|that's it|the (?:implementation|changes?|fix|work|plan) (?:is|are) (?:now )?(?:complete|done|ready)|no response requested)\b[^.]{0,30}[.!]?$";

impl Phrases {
    /// Returns the patterns.
    pub(super) fn get() -> &'static Phrases {
        static PHRASES: OnceLock<Phrases> = OnceLock::new();
        let compile = |pattern: &str| {
            RegexBuilder::new(pattern).case_insensitive(true).build().expect("the patterns are constants")
        };
        let compile_exact = |pattern: &str| Regex::new(pattern).expect("the patterns are constants");
        PHRASES.get_or_init(|| Phrases {
            decision: compile(DECISION),
            proposal: compile(PROPOSAL),
            lesson: compile(LESSON),
            action: compile(ACTION),
            narration: compile(NARRATION),
            offer: compile(OFFER),
            acknowledgement: compile(ACKNOWLEDGEMENT),
            greeting: compile(GREETING),
            causal: compile(CAUSAL),
            concrete: compile_exact(CONCRETE),
            achieved: compile(ACHIEVED),
            decision_heading: compile(r"^(?:key |design |final )?decisions?\b|^(?:decisioni|scelte)\b"),
            lesson_heading: compile(r"^(?:the )?(?:root cause|lessons?|gotchas?|caveats?|key (?:learnings?|insights?|findings?)|why (?:it|this)|causa)\b"),
            action_heading: compile(r"^(?:next steps?|todos?|to do|remaining|follow[ -]?ups?|action items?|what's left|open items?|prossimi passi|da fare)\b"),
            filler: compile(FILLER),
            advice: compile(r"^(?:(?:now|so|then|also|or|and|alternatively),? )*(?:you (?:can|could|may|might|should be able)|please|i noticed)\b"),
            condition: compile(r"^(?:when|if|for|since|because|as|after|before|while|although|given|with|in|on|quando|se)\b"),
            asking: compile(ASKING),
            opener: compile(OPENER),
            hanging: compile(HANGING),
        })
    }

    pub(super) fn is_decision(&self, sentence: &str) -> bool {
        let sentence = straight(sentence);
        !sentence.ends_with('?') && self.decision.is_match(&sentence) && !self.proposal.is_match(&sentence)
    }

    pub(super) fn is_lesson(&self, sentence: &str) -> bool {
        !sentence.ends_with('?') && self.lesson.is_match(&straight(sentence))
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

    /// Whether a line that introduces a list says by itself what was done.
    pub(super) fn is_complete(&self, led: &str) -> bool {
        self.achieved.is_match(led) && !self.hanging.is_match(led) && !led.ends_with([',', ';'])
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
fn straight(text: &str) -> String {
    text.replace('\u{2019}', "'")
}
