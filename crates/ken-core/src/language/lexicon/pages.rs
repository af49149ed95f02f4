//! The words by which pages are written.

/// The words by which sentences are chosen for pages.
#[derive(Debug)]
pub struct Pages {
    /// Determiners that say that something is one of its kind (`A library for ovens.`).
    pub indefinite: &'static str,
    /// Nouns that everything is full of, which nobody looks anything up by (`thing`, `morning`, `example`).
    pub everyday: &'static str,
    /// What whoever speaks calls themselves.
    pub speaker: &'static str,
    /// Words that stand before nouns.
    pub determiners: &'static str,
    /// Those that stand before the name of what a page is about, with what follows them.
    pub before_names: &'static [&'static str],
    /// Words before a name that make it no subject, in small letters: `by Ada`, `of the oven`.
    pub prepositions: &'static str,
    /// Determiners behind which a noun and a word in -s are a subject and its verb: `the oven rings at six`.
    pub before_verbs_in_s: &'static str,
    /// Verbs behind somebody that say what they do for others: `Ada leads the bakery`.
    pub role_verbs: &'static str,
    /// Pronouns that stand behind verbs.
    pub objects: &'static str,
    /// Past forms without an ending of their own, which end no name.
    pub past_forms: &'static str,
    /// Participles that are verbs wherever they stand.
    pub verbs_in_ing: &'static str,
    /// First words that refer to the sentence before, in small letters, not folded.
    pub leaning: &'static str,
    /// Words behind a subject's name that begin a definition.
    pub defining: &'static [&'static str],
    /// Wording between two names by which the first needs the second.
    pub needing: &'static [&'static str],
    /// Words of somebody who speaks of themselves, or points at what they see.
    pub speaking: &'static str,
    /// Those of them by which somebody speaks for all whose wiki it is.
    pub ours: &'static str,
    /// First words of a question or of half a sentence.
    pub asking: &'static str,
    /// How sentences open that lead elsewhere or speak of the document.
    pub elsewhere: &'static [&'static str],
    /// Titles that every document may have.
    pub generic_titles: &'static [&'static str],
    /// Titles of sections that say what stands elsewhere.
    pub contents_titles: &'static [&'static str],
    /// Verbs that a note of a change opens with, as alternatives of a pattern.
    pub change_verbs: &'static str,
    /// First words of a sentence that says that something is done, the same way.
    pub done: &'static str,
    /// Words by which such a note says why, or what holds now, the same way.
    pub change_reasons: &'static str,
    /// Verbs by which a sentence says what something is or does, the same way.
    pub says_what_is: &'static str,
    /// Words of a cause, a rule, a condition or a change, the same way.
    pub says_why_or_when: &'static str,
    /// Words that tell a reader what to do, the same way.
    pub says_what_to_do: &'static str,
    /// First words of a sentence that does not stand alone in a document, the same way.
    pub document_leaning: &'static str,
    /// First words of a sentence that says of its document what it is about, the same way.
    pub document_itself: &'static str,
    /// Verbs by which it then says what it is about, the same way.
    pub document_tells: &'static str,
    /// How the first sentence of a document begins that says what the document is (`These are the …`), the same way.
    pub document_opening: &'static str,
    /// How a sentence begins that says what something is for or proposed (`The goal is to …`), the same way.
    pub document_purpose: &'static str,
    /// Verbs by which a sentence says what something is, besides those of `says_what_is`, the same way.
    pub document_defines: &'static str,
    /// Words before what a sentence ends with that speaks of several things of which the next one tells (`… several
    /// stages.`): plain words between `|`, no pattern.
    pub document_counting: &'static str,
    /// Words of a remark on the document itself or on the site that shows it, the same way.
    pub document_remarks: &'static str,
    /// Words near the beginning of a sentence of a document that point at others, the same way.
    pub document_pointed: &'static str,
    /// Words of a document that speak to its reader or point around, the same way.
    pub document_speaking: &'static str,
    /// First words of a sentence that does not stand alone in the journal, the same way.
    pub journal_leaning: &'static str,
    /// Words that add a sentence to one before it (`also`, `by the way`), the same way.
    pub adding: &'static str,
    /// The last words of a sentence that goes on with what was said (`…, then.`), the same way.
    pub trailing: &'static str,
    /// How a statement begins that hangs on what is not in it, the same way.
    pub pointing: &'static str,
    /// How a sentence of a document begins that says little without the one before it, the same way.
    pub document_pointing: &'static str,
    /// Words of a sentence of a document that says that a list comes, the same way.
    pub announcing: &'static str,
    /// Words for a time that is over when the day is (`until the evening`), the same way.
    pub fleeting: &'static str,
    /// What stands before a statement where it was said and tells nothing of it (`Noted:`, `Two,`), the same way.
    pub wrappers: &'static str,
    /// Words of a statement about the running of the work (checks, approvals) and not about its matter, the same way.
    pub of_the_work: &'static str,
    /// Labels of what was so before work began (`Before: …`), the same way.
    pub before_work: &'static str,
    /// Words of a statement that tells what is wrong with something, the same way.
    pub fault: &'static str,
    /// The same words where nothing is wrong (`avoids bugs`, `the bug report`), the same way.
    pub no_fault: &'static str,
    /// Words before a colon behind which conditions are listed, the same way.
    pub conditions: &'static str,
    /// What stands between a word for it and what it is (`The bug is that …`), the same way.
    pub is_that: &'static str,
    /// How a statement begins that says what a change does (`The PR adds …`), the same way.
    pub changes: &'static str,
    /// Words of a statement that tells how it is since, the same way.
    pub mended: &'static str,
    /// First words of a statement about what a change brings (`the new door …`).
    pub brings: &'static str,
    /// Words by which somebody gives up what they found or supposed before (`my first guess was wrong`), the same way.
    pub giving_up: &'static str,
    /// How a step of an example begins, the same way.
    pub scene: &'static str,
    /// How somebody begins who talks of themselves or to somebody, the same way.
    pub personal: &'static str,
    /// Words of the journal that speak of oneself or to somebody, point around, or only suppose, the same way.
    pub journal_speaking: &'static str,
    /// Words for oneself and for whom one speaks to, wherever they stand, the same way.
    pub persons: &'static str,
    /// Words of a statement that only supposes, or makes it hang on something, the same way.
    pub supposing: &'static str,
    /// Words by which somebody tells what somebody said or felt, the same way.
    pub reporting: &'static str,
    /// Verbs behind what a sentence speaks of, the same way.
    pub subject_verbs: &'static str,
    /// Verbs that no ending tells, beside [`Pages::past_forms`].
    pub verbs: &'static str,
}

impl Pages {
    /// A language without them.
    pub const NONE: Pages = Pages {
        indefinite: "",
        everyday: "",
        speaker: "",
        determiners: "",
        before_names: &[],
        prepositions: "",
        before_verbs_in_s: "",
        role_verbs: "",
        objects: "",
        past_forms: "",
        verbs_in_ing: "",
        leaning: "",
        defining: &[],
        needing: &[],
        speaking: "",
        ours: "",
        asking: "",
        elsewhere: &[],
        generic_titles: &[],
        contents_titles: &[],
        change_verbs: "",
        done: "",
        change_reasons: "",
        says_what_is: "",
        says_why_or_when: "",
        says_what_to_do: "",
        document_leaning: "",
        document_itself: "",
        document_tells: "",
        document_opening: "",
        document_purpose: "",
        document_defines: "",
        document_counting: "",
        document_remarks: "",
        document_pointed: "",
        pointing: "",
        document_pointing: "",
        announcing: "",
        fleeting: "",
        giving_up: "",
        wrappers: "",
        of_the_work: "",
        before_work: "",
        fault: "",
        no_fault: "",
        conditions: "",
        is_that: "",
        changes: "",
        mended: "",
        brings: "",
        scene: "",
        personal: "",
        document_speaking: "",
        adding: "",
        trailing: "",
        journal_leaning: "",
        journal_speaking: "",
        persons: "",
        supposing: "",
        reporting: "",
        subject_verbs: "",
        verbs: "",
    };
}
