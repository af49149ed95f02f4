//! The words of Spanish.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// Spanish.
pub(super) const SPANISH: Lexicon = Lexicon {
    name: "spanish",
    stemmer: Some(Algorithm::Spanish),
    telling: "el los las de que en y por una con no para es del se lo como mas pero sus al esta cuando este hay son fue muy ya",
    stop: "el los las una uno es son en con por para como cual cuando donde",
    numbers: "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta \
        cincuenta sesenta setenta ochenta noventa cien ciento mil",
    ordinals: "primero primera segundo segunda tercero tercera ultimo ultima",
    ..Lexicon::NONE
};
