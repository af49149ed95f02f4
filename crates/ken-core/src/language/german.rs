//! The words of German.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// German.
pub(super) const GERMAN: Lexicon = Lexicon {
    name: "german",
    stemmer: Some(Algorithm::German),
    telling: "der die und das ist nicht von zu den mit ein eine auf sich des dem auch es wird wir fur sind als bei oder nach aus ich haben war werden",
    stop: "der die das und oder ist sind war nicht mit von zu im den dem des ein eine einer eines wie was wann wo",
    numbers: "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn \
        achtzehn neunzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert tausend halb",
    ordinals: "erste zweite dritte vierte funfte letzte",
    ..Lexicon::NONE
};
