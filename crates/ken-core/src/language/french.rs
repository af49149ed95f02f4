//! The words of French.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// French.
pub(super) const FRENCH: Lexicon = Lexicon {
    name: "french",
    stemmer: Some(Algorithm::French),
    telling: "le les des et est une du que dans pour pas sur au avec ce il qui nous vous sont aux cette mais ont par plus fait etre ou je",
};
