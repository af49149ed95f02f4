//! The wording by which a text shows how something is meant: as settled, guessed, asked, told by others, taken back.

/// Phrases between `|`, as [`super::Wording`] has them, in small letters and with their marks.
#[derive(Debug)]
pub(crate) struct Senses {
    /// What says that it may be otherwise.
    pub(crate) hedge: &'static str,
    /// What says so behind the sentence that it is about, or before it.
    pub(crate) doubtful: &'static str,
    /// What says that something is possible.
    pub(crate) might: &'static str,
    /// What says on what something depends.
    pub(crate) condition: &'static str,
    /// What begins a sentence that depends on the one before it.
    pub(crate) then: &'static str,
    /// What says what somebody would like.
    pub(crate) wish: &'static str,
    /// What asks, offers or proposes.
    pub(crate) asks: &'static str,
    /// What says what somebody thinks.
    pub(crate) views: &'static str,
    /// What tells what others tell.
    pub(crate) rumour: &'static str,
    /// What says that something is still to come.
    pub(crate) plan: &'static str,
    /// What stands before a participle when something is over.
    pub(crate) done: &'static str,
    /// What nobody says who means it.
    pub(crate) irony: &'static str,
    /// What calls something good.
    pub(crate) praise: &'static str,
    pub(crate) not: &'static str,
    pub(crate) all: &'static str,
    /// What says that it is a part of several.
    pub(crate) some: &'static str,
    pub(crate) only: &'static str,
    pub(crate) except: &'static str,
    /// What somebody did by speaking, and what is there if they did.
    pub(crate) acts: &'static [(&'static str, &'static str)],
    /// What a turn begins with that says that the one before is wrong.
    pub(crate) retracts: &'static str,
    /// What a turn begins with that owns it.
    pub(crate) concedes: &'static str,
    pub(crate) because: &'static str,
    /// What begins a clause.
    pub(crate) joins: &'static str,
    pub(crate) and: &'static str,
    /// What stands before where something comes from, and before where it goes.
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// What stands between what is and what is not any more.
    pub(crate) instead: &'static str,
    /// Who the person and the agent are called, at the beginning of a claim.
    pub(crate) person: &'static str,
    pub(crate) agent: &'static str,
    /// What speaks of the one who speaks.
    pub(crate) own: &'static str,
    /// What somebody does by speaking or deciding.
    pub(crate) says: &'static str,
    /// Words that say the opposite of each other.
    pub(crate) opposites: &'static [(&'static str, &'static str)],
}

impl Senses {
    /// No words.
    pub(crate) const NONE: Senses = Senses {
        hedge: "",
        doubtful: "",
        might: "",
        condition: "",
        then: "",
        wish: "",
        asks: "",
        views: "",
        rumour: "",
        plan: "",
        done: "",
        irony: "",
        praise: "",
        not: "",
        all: "",
        some: "",
        only: "",
        except: "",
        acts: &[],
        retracts: "",
        concedes: "",
        because: "",
        joins: "",
        and: "",
        from: "",
        to: "",
        instead: "",
        person: "",
        agent: "",
        own: "",
        says: "",
        opposites: &[],
    };
}
