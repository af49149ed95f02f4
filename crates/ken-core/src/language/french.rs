//! The words of French.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// French.
pub(super) const FRENCH: Lexicon = Lexicon {
    name: "french",
    stemmer: Some(Algorithm::French),
    telling: "le les des et est une du que dans pour pas sur au avec ce il qui nous vous sont aux cette mais ont par plus fait etre ou je",
    stop: "les des une est sont dans sur pour pas avec que qui quoi comment",
    numbers: "deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante \
        cinquante soixante cent mille",
    ordinals: "premier premiere deuxieme troisieme quatrieme dernier derniere",
    ..Lexicon::NONE
};
