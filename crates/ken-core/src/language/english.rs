//! The words of English.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// English.
pub(super) const ENGLISH: Lexicon = Lexicon {
    name: "english",
    stemmer: Some(Algorithm::English),
    telling: "the and of to is that it for with was this are you not have be from at or an we by can will which has but they what when how",
};
