//! The words by which what is said in sessions is read.

/// The wording by which it shows what somebody says in a session, as alternatives of patterns that look at small and
/// capital letters alike. Typographic apostrophes are plain ones.
#[derive(Debug)]
pub struct Sessions {
    /// What says that something was settled.
    pub decision: &'static str,
    /// What says that something is only proposed: no decision, somebody still has to agree.
    pub proposal: &'static str,
    /// What says that something was learned, or why it is so.
    pub lesson: &'static str,
    /// What a statement begins with that says what is left to do.
    pub action_first: &'static str,
    /// What says that something is left to do.
    pub action: &'static str,
    /// What a note of one's own begins with that says what is to be done: a promise, or something not to forget.
    pub promise: &'static str,
    /// How somebody begins who tells what they are doing.
    pub narration: &'static str,
    /// What offers something, or asks whether to go on.
    pub offer: &'static str,
    /// What acknowledges and says no more.
    pub acknowledgement: &'static str,
    /// What greets.
    pub greeting: &'static str,
    /// What a request opens with before it says what it is about.
    pub asking: &'static str,
    /// What an answer opens with before it says what was done.
    pub opener: &'static str,
    /// First words that point back: alone the sentence says nothing.
    pub leaning: &'static str,
    /// What somebody begins with who has found what they were looking for (`There it is.`), as far as a stop or colon.
    pub finding: &'static str,
    /// What an agent begins with when a person put it right.
    pub concession: &'static str,
    /// What joins a cause to what it causes.
    pub causal: &'static str,
    /// What says that something was done.
    pub achieved: &'static str,
    /// Words that no title ends with.
    pub hanging: &'static str,
    /// What agrees to an offer.
    pub assent: &'static str,
    /// What refuses one.
    pub refusal: &'static str,
    /// Labels of what was settled.
    pub label_decision: &'static str,
    /// Labels of why something is so, or what was learned.
    pub label_lesson: &'static str,
    /// What stands before the name of a plan.
    pub label_plan: &'static str,
    /// Labels of what came of something.
    pub label_outcome: &'static str,
    /// What a person settles, prefers or corrects begins with.
    pub wish_first: &'static str,
    /// How a sentence begins by which a person rules something in answer to an agent (`make that …`), the same way.
    pub ruling_first: &'static str,
    /// Words by which they do so anywhere (`the flag stays off`), the same way.
    pub ruling: &'static str,
    /// What says how something is, where words of a ruling stand in it (`she always says that`, `only since Monday`).
    pub stating: &'static str,
    /// How somebody reacts before they say what they want (`yes, but …`), the same way.
    pub reaction: &'static str,
    /// How somebody says yes before they say what they want (`yeah put it there`): words between white space.
    pub nodding: &'static str,
    /// What joins that to what they want (`yes but …`): words between white space.
    pub joining: &'static str,
    /// With what a sentence begins by which somebody greets, thanks, praises or takes leave: alternatives.
    pub courtesy: &'static str,
    /// How somebody chooses the first, second, third, fourth or last of what was offered: five expressions.
    pub nth: [&'static str; 5],
    /// What stands behind the mark of an option that is chosen in place of another (`3 after all`), the same way.
    pub after_all: &'static str,
    /// What stands before it (`rather 3`), the same way.
    pub rather: &'static str,
    /// What stands behind the mark of an option of which something is said (`B is tempting`), the same way.
    pub of_option: &'static str,
    /// What stands behind it where that takes it (`B is fine`), the same way.
    pub takes_option: &'static str,
    /// The word before what is not to be (`no magic`), the same way.
    pub forbidding: &'static str,
    /// What stands behind that where nothing is forbidden (`no worries`): words between white space.
    pub in_passing: &'static str,
    /// With what a person begins who turns down what an agent proposed (`too much`), the same way.
    pub objecting: &'static str,
    /// How an agent proposes something without calling it so (`I'd …`), the same way.
    pub proposing: &'static str,
    /// What rules something out that was supposed (`the cache is innocent`): the ends of words count.
    pub ruling_out: &'static str,
    /// With what an agent begins who takes back what it said (`You're right, my mistake`), the same way.
    pub conceding: &'static str,
    /// The word by which a reply denies what was said before it (`no, …`), the same way.
    pub denial: &'static str,
    /// With what a person turns to another matter (`next`), the same way.
    pub turning: &'static str,
    /// With what somebody begins who asks in a statement (`I wonder how …`), the same way.
    pub wondering: &'static str,
    /// What says so anywhere.
    pub wish: &'static str,
    /// Headings above what was settled.
    pub decision_heading: &'static str,
    /// Headings above what was learned.
    pub lesson_heading: &'static str,
    /// Headings above what is left to do.
    pub action_heading: &'static str,
    /// First words of a clause that waits for the rest of its sentence.
    pub condition: &'static str,
    /// First words of a sentence that says when or why before what it says.
    pub subordinate: &'static str,
    /// Words between white space: those that negate a statement.
    pub negating: &'static str,
}

impl Sessions {
    /// A language without them.
    pub const NONE: Sessions = Sessions {
        decision: "",
        proposal: "",
        lesson: "",
        action_first: "",
        promise: "",
        action: "",
        narration: "",
        offer: "",
        acknowledgement: "",
        greeting: "",
        asking: "",
        opener: "",
        leaning: "",
        finding: "",
        concession: "",
        causal: "",
        achieved: "",
        hanging: "",
        assent: "",
        refusal: "",
        label_decision: "",
        label_lesson: "",
        label_plan: "",
        label_outcome: "",
        wish_first: "",
        ruling_first: "",
        nth: [""; 5],
        ruling: "",
        stating: "",
        reaction: "",
        nodding: "",
        joining: "",
        courtesy: "",
        after_all: "",
        rather: "",
        of_option: "",
        takes_option: "",
        forbidding: "",
        in_passing: "",
        objecting: "",
        proposing: "",
        ruling_out: "",
        conceding: "",
        denial: "",
        turning: "",
        wondering: "",
        wish: "",
        decision_heading: "",
        lesson_heading: "",
        action_heading: "",
        condition: "",
        subordinate: "",
        negating: "",
    };
}
