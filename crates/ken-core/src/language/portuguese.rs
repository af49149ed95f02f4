//! The words of Portuguese, by which dates are understood.

use super::lexicon::Lexicon;
use crate::when::phrase::Says::{Ago, Ahead, At, Op};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Dates, Op as O, Unit};

/// Portuguese.
pub(super) const PORTUGUESE: Lexicon = Lexicon {
    name: "portuguese",
    dates: Dates {
        months: "janeiro | fevereiro | março | abril | ~maio | junho | julho | ~agosto | setembro | outubro | novembro \
        | dezembro",
        weak_months: "2 fev",
        weekdays: "segunda-feira | terça-feira | quarta-feira | quinta-feira | sexta-feira | ~sábado | ~domingo",
        units: &[
            (Day, "dia | dias"),
            (Week, "semana | semanas"),
            (Weekend, "fim de semana"),
            (Unit::Month, "mês | meses"),
            (Year, "ano | anos"),
        ],
        numbers: "1 um/uma | 2 dois/duas | 3 três",
        behind_noun: &[(-1, "passado | passada"), (1, "que vem")],
        phrases: &[
            (At(Day, -2), "anteontem"),
            (At(Day, -1), "ontem"),
            (At(Day, 0), "hoje"),
            (At(Day, 1), "amanhã"),
            (Ago, "há {n} {unit}"),
            (Op(O::In), "em | no | na"),
            (Op(O::Until), "até"),
            (Op(O::After), "depois de"),
        ],
        guesses: &[(Ahead, "em {n} {unit}")],
        accented: "março",
        ..Dates::NONE
    },
    ..Lexicon::NONE
};
