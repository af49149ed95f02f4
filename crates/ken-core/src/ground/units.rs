//! What a number is of, where that is a unit of measure with a sign: `7 km` and `seven kilometres` are of one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::words::stem;

/// The sign of a unit and the words for it, a line each. A sign that stands for something else as often is left out: `m`
/// of minutes, `t`. Of two words the first one tells: `newton metres`.
const UNITS: &str = "\
km kilometre kilometres kilometer kilometers kilometern chilometro chilometri kilometro kilometros
cm centimetre centimetres centimeter centimeters centimetern centimetro centimetri centimetros
mm millimetre millimetres millimeter millimeters millimetern millimetro millimetri milimetro milimetros
kg kilo kilos kilogram kilograms kilogramme kilogrammes kilogramm chilo chili
g gram grams gramme grammes gramm grammo grammi gramo gramos
l litre litres liter liters litern litro litri litros
ml millilitre millilitres milliliter milliliters millilitro millilitri mililitro mililitros
nm newton newtons newtonmetre newtonmetres newtonmeter newtonmeters
w watt watts
kw kilowatt kilowatts
kwh kilowatthour kilowatthours kilowattstunde kilowattstunden
v volt volts
kb kilobyte kilobytes
mb megabyte megabytes
gb gigabyte gigabytes
° degree degrees celsius grad degre degres grado gradi grados
tb terabyte terabytes
hz hertz";

/// Returns what a number is of, by the folded word behind it: the sign of a unit of measure, the stem of any other word.
pub(crate) fn unit(word: &str) -> String {
    static SIGNS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
        let of = |line: &'static str| {
            let sign = line.split(' ').next().unwrap_or(line);
            line.split(' ').map(move |word| (word, sign))
        };
        UNITS.lines().flat_map(of).collect()
    });
    SIGNS.get(word).map_or_else(|| stem(word), |sign| (*sign).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_of_measure_is_its_sign() {
        for (word, expected) in [
            ("km", "km"),
            ("kilometres", "km"),
            ("kilometer", "km"),
            ("newton", "nm"),
            ("kilos", "kg"),
            ("trays", "tray"),
        ] {
            assert_eq!(unit(word), expected, "{word}");
        }
    }
}
