//! The words of Italian.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// Italian.
pub(super) const ITALIAN: Lexicon = Lexicon {
    name: "italian",
    stemmer: Some(Algorithm::Italian),
    telling: "il di che la per non una del della sono con gli dei ma anche nel alla questo come piu ha delle lo essere perche dal quando abbiamo viene",
};
