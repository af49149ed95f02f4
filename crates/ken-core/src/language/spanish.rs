//! The words of Spanish.

use rust_stemmers::Algorithm;

use super::lexicon::{Claims, Lexicon, Pages, Questions, Sessions};
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL, Orders, PERSON,
    PRIOR, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN, URGENT,
    VITAL, VOID, YOU,
};
use crate::search::Asks;
use crate::when::phrase::Says::{Ago, Ahead, At, Calendar, Nothing, Numbered, Op};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Dates, Op as O, Part as P, Unit};

/// Spanish.
pub(super) const SPANISH: Lexicon = Lexicon {
    name: "spanish",
    stemmer: Some(Algorithm::Spanish),
    telling: "el los las de que en y por una con no para es del se lo como mas pero sus al esta cuando este hay son fue muy ya",
    stop: "el los las una uno es son en con por para como cual cuando donde",
    numbers: "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta \
        cincuenta sesenta setenta ochenta noventa cien ciento mil",
    ordinals: "primero primera segundo segunda tercero tercera ultimo ultima",
    dates: Dates {
        months: "enero | febrero | marzo | abril | ~mayo | junio | julio | ~agosto | septiembre/setiembre | octubre \
        | noviembre | diciembre",
        weak_months: "1 ene | 4 abr | 12 dic",
        weekdays: "lunes | martes | miércoles | jueves | viernes | sábado | domingo",
        units: &[
            (Day, "día | días"),
            (Week, "semana | semanas"),
            (Weekend, "fin de semana | fines de semana"),
            (Unit::Month, "mes | meses"),
            (Unit::Quarter, "trimestre | trimestres"),
            (Year, "año | años"),
        ],
        numbers: "1 un/una/uno | 2 dos | 3 tres | 4 cuatro | 5 cinco | 6 seis | 7 siete | 8 ocho | 9 nueve | 10 diez",
        couple: "un par de",
        few: "unos | unas | algunos | varias | varios",
        before_noun: &[
            (-1, "último | última | últimos | últimas | pasado | pasada | pasados"),
            (0, "este | esta"),
            (1, "próximo | próxima | próximos | próximas"),
        ],
        behind_noun: &[
            (-1, "pasado | pasada"),
            (0, "actual | en curso"),
            (1, "próximo | próxima | que viene | siguiente"),
        ],
        shares_phrases: false,
        phrases: &[
            (At(Day, -2), "anteayer | antier | antes de ayer"),
            (At(Day, 2), "pasado mañana"),
            (At(Day, -1), "ayer | ayer por la mañana | ayer por la tarde | anoche"),
            (At(Day, 0), "hoy | esta mañana | esta tarde | esta noche"),
            (At(Day, 1), "mañana por la mañana | mañana por la tarde"),
            (Nothing, "por la mañana | cada {wd} | todos los {wd}"),
            (Ago, "hace {n} {unit} | {n} {unit} atrás"),
            (Ahead, "dentro de {n} {unit}"),
            (
                Calendar,
                "{d} de {month} de {y} | {d} de {month} del {y} | {d} de {month} | {month} de {y} | {month} del {y}",
            ),
            (Calendar, "{d} al {d} de {month} de {y} | {d} al {d} de {month} | {d} a {d} de {month} | año {y}"),
            (Numbered(Day), "día {i} | días {i}–{i} | días {i} a {i}"),
            (Numbered(Week), "semana {i}"),
            (Op(O::In), "en | en el | durante | para"),
            (Op(O::Filler), "el | los | las | del"),
            (Op(O::From), "de"),
            (Op(O::Since), "desde | desde el | a partir de | a partir del"),
            (Op(O::Until), "hasta | hasta el"),
            (Op(O::Before), "antes de | antes del"),
            (Op(O::After), "después de | después del | tras"),
            (Op(O::And), "y | y el"),
            (Op(O::Part(P::Early)), "principios de | a principios de | comienzos de | inicios de"),
            (Op(O::Part(P::Middle)), "mediados de | a mediados de"),
            (Op(O::Part(P::Late)), "finales de | a finales de | fines de"),
            (Op(O::Part(P::Week(1))), "primera semana de"),
            (Op(O::Part(P::LastWeek)), "última semana de"),
        ],
        guesses: &[(At(Day, 1), "mañana"), (Ahead, "en {n} {unit}")],
        ..Dates::NONE
    },
    orders: Orders {
        words: &[
            (YOU, "debes tienes puedes ti tus usted ustedes contigo"),
            (READER, "ia agente agentes asistente* modelo"),
            (MODAL, "debe deben debes"),
            (TOLD, "instruccion* directric* reglas"),
            (HIDDEN, "ocult*"),
            (IGNORE, "olvid*"),
            (PRIOR, "anterior* antes arriba"),
            (ALL, "todas todos cada"),
            (SAID, "dijeron dicho"),
            (SEND, "envia envie enviar manda mande mandar copia copie copiar pega pegar publica publicar"),
            (SEND, "publique subir"),
            (RUN, "ejecut* arranca*"),
            (FETCH, "descarg*"),
            (INSTALL, "instal*"),
            (ADD, "anad* agreg* acept*"),
            (DELETE, "desactiv* borra* borre* elimin*"),
            (REVEAL, "muestr* repit* empie*"),
            (HIDE, "ocultar oculte"),
            (TELL, "di diga"),
            (TURN, "cambi* reempla* aprueb*"),
            (AS, "compórt*"),
            (SECRET, "clave claves contrasena* credencial*"),
            (ROOT, "administrador* permisos"),
            (PUBLIC, "comentario aqui publico compartido servidor"),
            (SCRIPT, "paquete* binario*"),
            (SESSION, "sesion* responder respuesta"),
            (URGENT, "urgente"),
            (AUTHORITY, "direccion seguridad"),
            (IF, "cuando"),
            (PERSON, "usuario* alguien revisor"),
            (VITAL, "diario"),
            (GRANTED, "concedido"),
        ],
        phrases: &[
            (VOID, "ya no se aplican|ya no eres"),
            (BYPASS, "sin preguntar|sin confirm|sin validar|fuerza el"),
            (SILENT, "en silencio"),
            (SECRET, "variables de entorno"),
            (AUTHORITY, "equipo de seguridad"),
            (VITAL, "base de datos"),
            (GRANTED, "estan desactivadas|estan anulados"),
        ],
        before_verbs: "por favor ahora luego primero y no",
        and: "y luego",
        not: "nunca no",
        ..Orders::NONE
    },
    claims: Claims {
        negating: "nunca jamas",
        may_negate: "ningun ninguna",
        sure_numbers: &[
            (4, "cuatro"),
            (5, "cinco"),
            (6, "seis"),
            (7, "siete"),
            (8, "ocho"),
            (9, "nueve"),
            (10, "diez"),
            (12, "doce"),
            (15, "quince"),
            (20, "veinte"),
            (30, "treinta"),
        ],
        unsure_numbers: &[
            (1, "un uno una primero"),
            (2, "dos segundo"),
            (3, "tres tercero"),
            (11, "once"),
            (100, "cien"),
            (1000, "mil"),
        ],
        factors: &[(1_000, "mil"), (1_000_000, "millones")],
        ..Claims::NONE
    },
    questions: Questions {
        openings: &[("por que", Asks::Reason)],
        first: &[
            ("cuanto", Asks::Amount),
            ("cuantos", Asks::Amount),
            ("cuantas", Asks::Amount),
            ("cuando", Asks::When),
            ("como", Asks::Way),
            ("quien", Asks::Person),
        ],
        weekdays: "lunes martes miercoles jueves viernes sabado domingo",
        repeats: "cada diario",
        reasons: "porque motivo razon",
        changes: "ahora nuevo",
        open: "pendiente",
        early: "inicial inicialmente originalmente primero",
        late: "actual actualmente ahora todavia",
        past: "era fue",
        answer_openers: &["voy a", "dejame", "de acuerdo", "perfecto"],
        ..Questions::NONE
    },
    pages: Pages {
        determiners: "el los las al nuestro nuestra mi mis cada la una del",
        change_verbs: r"añadid[oa]|eliminad[oa]|corregid[oa]|cread[oa]",
        change_reasons: r"porque|en lugar",
        leaning: "esto esta este estos estas ese esa eso ellos ellas entonces también además sino pero luego después",
        ..Pages::NONE
    },
    sessions: Sessions {
        assent: r"sí",
        leaning: r"esto|esta|este|estos|estas|ese|esa|eso|ellos|ellas|entonces|también|además|sino|pero|luego|después",
        ..Sessions::NONE
    },
    ..Lexicon::NONE
};
