//! What the file of one language holds: its words, for every room that reads texts.
//!
//! Rules stay where they are used. A list is words between white space; a list of phrases is a slice of them.
//! Words stand folded (lower case, no diacritics) unless a list says otherwise. A language leaves out what it has
//! no words for, with `..Lexicon::NONE`, and then has none in that room.

use rust_stemmers::Algorithm;

use crate::orders::cues::Orders;
use crate::when::phrase::Dates;

/// The words of one language.
#[derive(Debug)]
pub struct Lexicon {
    /// What the language is called, in English, in small letters.
    pub name: &'static str,
    /// What takes the endings off; a language without it is never what a text is in.
    pub(crate) stemmer: Option<Algorithm>,
    /// Words that stand in nearly every sentence of the language and seldom in the others.
    pub telling: &'static str,
    /// Function words: never matched.
    pub stop: &'static str,
    /// Words that every project uses, in their base form: they support a match and make none.
    pub weak: &'static str,
    /// Weak nouns that may begin or end the name of a subject: `order database`, `image pipeline job`.
    pub naming: &'static str,
    /// Numbers in words.
    pub numbers: &'static str,
    /// Places in a row, in words.
    pub ordinals: &'static str,
    /// The words that name dates.
    pub(crate) dates: Dates,
    /// The words by which a sentence shows that it gives an order.
    pub(crate) orders: Orders,
}

impl Lexicon {
    /// A language without words.
    pub const NONE: Lexicon = Lexicon {
        name: "",
        stemmer: None,
        telling: "",
        stop: "",
        weak: "",
        naming: "",
        numbers: "",
        ordinals: "",
        dates: Dates::NONE,
        orders: Orders::NONE,
    };
}
