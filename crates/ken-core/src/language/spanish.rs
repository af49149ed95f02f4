//! The words of Spanish.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// Spanish.
pub(super) const SPANISH: Lexicon = Lexicon {
    name: "spanish",
    stemmer: Some(Algorithm::Spanish),
    telling: "el los las de que en y por una con no para es del se lo como mas pero sus al esta cuando este hay son fue muy ya",
};
