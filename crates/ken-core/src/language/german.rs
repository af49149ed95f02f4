//! The words of German.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// German.
pub(super) const GERMAN: Lexicon = Lexicon {
    name: "german",
    stemmer: Some(Algorithm::German),
    telling: "der die und das ist nicht von zu den mit ein eine auf sich des dem auch es wird wir fur sind als bei oder nach aus ich haben war werden",
};
