//! The words in which languages name dates. Adding a language is adding a [`Language`] to [`LANGUAGES`].
//!
//! Long because it is a table.
//!
//! Words that another language uses for something else stand under `weak_months` or `guesses`, or not here.

use super::phrase::Behind as B;
use super::phrase::Op as O;
use super::phrase::Part as P;
use super::phrase::{Language, Says, Unit};

use Says::{
    Ago, Ahead, AnyWeekday, At, Calendar, Coming, Half, IsoWeek, Month, Nothing, Numbered, Op, Past, Quarter, Weekday,
    WeekdayIn,
};
use Unit::{Day, Week, Weekend, Year};

/// Every language, and first what they share.
pub(super) const LANGUAGES: &[Language] =
    &[SHARED, ENGLISH, ITALIAN, GERMAN, FRENCH, SPANISH, PORTUGUESE, RUSSIAN, CHINESE, JAPANESE, KOREAN];

/// Lower-case words that are verbs more often than months, even beside a number: `version 5 may break`.
pub(super) const VERBS: &[&str] = &["may", "march", "mar"];

/// Words that are a date only with their accents: without them they are a name or another word.
pub(super) const ACCENTED: &[&str] = &["março"];

/// A word of two languages, and words of a question that show it is in the one where it is no date:
/// `hier` is yesterday in French and here in German.
pub(super) const FALSE_FRIENDS: &[(&str, &[&str])] = &[(
    "hier",
    &["ist", "sind", "war", "waren", "wird", "das", "der", "wie", "wir", "ich", "nicht", "und", "gibt", "steht", "wo"],
)];

const NONE: Language = Language {
    months: "",
    weak_months: "",
    weekdays: "",
    units: &[],
    numbers: "",
    couple: "",
    few: "",
    before_noun: &[],
    behind_noun: &[],
    shares_phrases: false,
    phrases: &[],
    guesses: &[],
};

const SHARED: Language = Language {
    phrases: &[
        (Calendar, "{d}. {month} {y} | {d}. {month} | {month} {d}, {y} | {month} {d} | {month}, {y} | {y} {month}"),
        (Calendar, "{d}–{d}. {month} {y} | {d}–{d}. {month} | {month} {d}–{d}, {y} | {month} {d}–{d} | {month} | {y}"),
        (Nothing, "{month} {i} | {i} {month} | {i} {month} {i} | {month} {i}, {i} | {month} {i}, {i}"),
        (Says::Unit(0), "{rel} {span} | {span} {post}"),
        (Weekday(0), "{rel} {wd} | {wd} {post}"),
        (Month(0), "{rel} {month} | {month} {post}"),
        (Past, "{rel} {n} {unit} | {n} {post} {unit}"),
        (AnyWeekday, "{wd}"),
        (Quarter, "q{q} {y} | q{q}/{y} | {y} q{q} | q{q}-{y}"),
        (Nothing, "q{q} fy{i} | q{q} fy {i}"),
    ],
    ..NONE
};

const ENGLISH: Language = Language {
    months: "january | february | ~march | ~april | ~may | ~june | july | ~august | september | october | november \
        | december",
    weak_months: "1 jan | 2 feb | 3 mar | 4 apr | 6 jun | 7 jul | 8 aug | 9 sep/sept | 10 oct | 11 nov | 12 dec",
    weekdays: "monday/~mon | tuesday/~tue/~tues | wednesday/~wed | thursday/~thu/~thur/~thurs | friday/~fri \
        | saturday/~sat | sunday/~sun",
    units: &[
        (Day, "day | days | ~d"),
        (Week, "week | weeks | ~w | ~wk | ~wks"),
        (Weekend, "weekend | weekends"),
        (Unit::Month, "month | months | ~mon | ~mo | ~mos"),
        (Unit::Quarter, "quarter | quarters"),
        (Year, "year | years | ~y | ~yr | ~yrs"),
    ],
    numbers: "1 a/an/one | 2 two | 3 three | 4 four | 5 five | 6 six | 7 seven | 8 eight | 9 nine | 10 ten | 11 eleven \
        | 12 twelve",
    couple: "couple | a couple | couple of | a couple of",
    few: "few | a few | several",
    before_noun: &[(-1, "last | ~previous"), (0, "this | ~the current"), (1, "next | ~the coming | ~the upcoming")],
    phrases: &[
        (At(Day, -2), "day before yesterday"),
        (At(Day, 2), "day after tomorrow"),
        (At(Day, -1), "yesterday | last night | yesterday morning | yesterday afternoon | yesterday evening"),
        (At(Day, 0), "today | tonight | this morning | this afternoon | this evening"),
        (At(Day, 1), "tomorrow | tomorrow morning | tomorrow afternoon | tomorrow evening"),
        (At(Week, -2), "week before last"),
        (At(Week, 2), "week after next"),
        (At(Unit::Month, -2), "month before last"),
        (At(Year, -2), "year before last"),
        (Ago, "{n}{unit} ago | {n} {unit} back | {n} {unit} earlier than today"),
        (Ahead, "{n} {unit} from now | {n} {unit} from today | in {n} {unit} time"),
        // How long something holds, beginning now.
        (Nothing, "{n} {unit} from now on | {n} {unit} from today on"),
        (Past, "past {n} {unit} | past {span} | in the last {span} | over the last {span} | in the past {span}"),
        (Past, "within the last {span} | during the last {span} | last {n} {unit}"),
        (Coming, "coming {n} {unit} | in the next {span} | over the next {span}"),
        (Calendar, "{d} of {month}, {y} | {d} of {month} | {month} of {y} | year {y}"),
        (Calendar, "{month} {d} to {d}, {y} | {month} {d} to {d} | {month} {d} through {d} | {d} to {d} {month} {y}"),
        (Calendar, "{month} {d} through {d}, {y} | {d} to {d} {month} | from {d} to {d} {month} {y}"),
        (Calendar, "between {month} {d} and {d} | between {month} {d} and {d}, {y} | from {month} {d} to {d}"),
        (Quarter, "in q{q} | during q{q} | since q{q}"),
        (Numbered(Day), "day {i} | days {i}–{i} | days {i} to {i} | days {i} through {i} | days {i} and {i}"),
        (Numbered(Day), "day {i} to day {i} | day {i} through day {i} | days {i} until {i}"),
        (Numbered(Week), "week {i} | weeks {i}–{i} | weeks {i} to {i} | weeks {i} through {i} | weeks {i} and {i}"),
        (IsoWeek, "calendar week {i} | week {i} of {y} | week {i}, {y} | cw {i} | calendar week {i} {y}"),
        (Nothing, "every {wd} | each {wd} | {wd} mornings | {wd} evenings | {wd} afternoons | {wd} nights"),
        (
            Nothing,
            "day {i} of | week {i} of | mardi gras | black friday | good friday | cyber monday | ash wednesday | per day {i}",
        ),
        (Op(O::In), "in | on | during | within | throughout | as of | by | month of | for"),
        (Op(O::Filler), "the | of"),
        (Op(O::From), "from"),
        (Op(O::Since), "since | starting | beginning | ever since"),
        (Op(O::Until), "until | till | through | thru | up to | up until"),
        (Op(O::Before), "before | prior to | earlier than"),
        (Op(O::After), "after | later than"),
        (Op(O::Between), "between"),
        (Op(O::And), "and"),
        (Op(O::To), "to"),
        (Op(O::Behind(B::Since)), "onwards | onward | and later | on wards"),
        (Op(O::Part(P::Early)), "early | early in | beginning of | the beginning of | start of | early-"),
        (Op(O::Part(P::Middle)), "mid | middle of | mid-"),
        (Op(O::Part(P::Late)), "late | late in | end of | end-of | later in"),
        (Op(O::Part(P::FirstHalf)), "first half of"),
        (Op(O::Part(P::SecondHalf)), "second half of"),
        (Op(O::Part(P::FirstDay)), "first day of"),
        (Op(O::Part(P::LastDay)), "last day of"),
        (Op(O::Part(P::Week(1))), "first week of | first week in"),
        (Op(O::Part(P::Week(2))), "second week of | second week in"),
        (Op(O::Part(P::Week(3))), "third week of | third week in"),
        (Op(O::Part(P::Week(4))), "fourth week of | fourth week in"),
        (Op(O::Part(P::LastWeek)), "last week of | last week in"),
        (Op(O::Part(P::WeekOf)), "week of"),
    ],
    // How long it took, as often as when it will be.
    guesses: &[(Ahead, "in {n} {unit}")],
    ..NONE
};

const ITALIAN: Language = Language {
    months: "gennaio | febbraio | marzo | aprile | maggio | giugno | luglio | ~agosto | settembre | ottobre \
        | novembre | dicembre",
    weak_months: "1 gen | 4 apr | 10 ott | 12 dic",
    weekdays: "lunedì | martedì | mercoledì | giovedì | venerdì | sabato | domenica",
    units: &[
        (Day, "giorno | giorni"),
        (Week, "settimana | settimane"),
        (Weekend, "fine settimana | finesettimana | weekend | week-end"),
        (Unit::Month, "mese | mesi"),
        (Unit::Quarter, "trimestre | trimestri"),
        (Year, "anno | anni"),
    ],
    numbers: "1 un/uno/una | 2 due | 3 tre | 4 quattro | 5 cinque | 6 sei | 7 sette | 8 otto | 9 nove | 10 dieci",
    couple: "un paio di",
    few: "qualche | alcuni | alcune",
    before_noun: &[
        (-1, "scorso | scorsa | ultimo | ultima | ultimi | ultime"),
        (0, "questo | questa | quest"),
        (1, "prossimo | prossima | prossimi | prossime"),
    ],
    behind_noun: &[(-1, "scorso | scorsa | passato | passata"), (1, "prossimo | prossima")],
    phrases: &[
        (At(Day, -2), "l'altro ieri | altro ieri | ieri l'altro | avantieri"),
        (At(Day, 2), "dopodomani | dopo domani"),
        (At(Day, -1), "ieri | ieri sera | ieri mattina | stanotte scorsa"),
        (At(Day, 0), "oggi | stamattina | stamani | stasera"),
        (At(Day, 1), "domani | domani mattina | domani sera"),
        (Ago, "{n} {unit} fa"),
        (Ahead, "tra {n} {unit} | fra {n} {unit}"),
        (Calendar, "l'{d} {month} {y} | l'{d} {month} | {month} del {y} | anno {y}"),
        (Calendar, "dal {d} al {d} {month} {y} | dal {d} al {d} {month} | tra il {d} e il {d} {month}"),
        (Numbered(Day), "giorno {i} | giorni {i}–{i}"),
        (Numbered(Week), "settimana {i}"),
        (Nothing, "ogni {wd}"),
        (Op(O::In), "ad | nel | nell | nella | durante"),
        (Op(O::Filler), "il | lo | la | l | i | gli | le | del | dello | della | dell"),
        (Op(O::From), "da"),
        (Op(O::Since), "dal | dall | dalla | dallo | a partire da | a partire dal"),
        (Op(O::Until), "fino al | fino a | fino alla | fino ad | entro"),
        (Op(O::Before), "prima di | prima del | prima della | prima dell"),
        (Op(O::After), "dopo | dopo il | dopo la"),
        (Op(O::Between), "tra | fra"),
        (Op(O::And), "e"),
        (Op(O::To), "al | alla | all"),
        (Op(O::Part(P::Early)), "inizio | inizio di | all'inizio di | inizi di"),
        (Op(O::Part(P::Middle)), "metà | metà di | a metà di"),
        (Op(O::Part(P::Late)), "fine | fine di | alla fine di"),
        (Op(O::Part(P::Week(1))), "prima settimana di"),
        (Op(O::Part(P::LastWeek)), "ultima settimana di"),
    ],
    ..NONE
};

const GERMAN: Language = Language {
    months: "januar/jänner | februar | märz/maerz | ~april | ~mai | juni | juli | ~august | september | oktober \
        | november | dezember",
    weak_months: "10 okt | 12 dez",
    weekdays: "montag | dienstag | mittwoch | donnerstag | freitag | samstag/sonnabend | sonntag",
    units: &[
        (Day, "tag | tage | tagen"),
        (Week, "woche | wochen"),
        (Weekend, "wochenende | wochenenden"),
        (Unit::Month, "monat | monate | monaten | monats"),
        (Unit::Quarter, "quartal | quartale | quartalen"),
        (Year, "jahr | jahre | jahren | jahres"),
    ],
    numbers: "1 ein/eine/einem/einen/einer | 2 zwei | 3 drei | 4 vier | 5 fünf | 6 sechs | 7 sieben | 8 acht | 9 neun \
        | 10 zehn",
    few: "ein paar | einigen | einige | mehreren | wenigen",
    before_noun: &[
        (-1, "letzte | letzten | letzter | letztes | letztem | vorige | vorigen | voriges | voriger | vorigem"),
        (-1, "vergangene | vergangenen | vergangener | vergangenes | vergangenem"),
        (0, "diese | diesen | dieser | dieses | diesem"),
        (1, "nächste | nächsten | nächster | nächstes | nächstem | kommende | kommenden | kommender | kommendes"),
    ],
    phrases: &[
        (At(Day, -2), "vorgestern"),
        (At(Day, 2), "übermorgen | uebermorgen"),
        (At(Day, -1), "gestern | gestern abend | gestern morgen | gestern früh | gestern nachmittag"),
        (At(Day, 0), "heute | heute morgen | heute früh | heute abend | heute nachmittag"),
        (At(Day, 1), "morgen früh | morgen abend | morgen nachmittag"),
        (Nothing, "guten morgen | am morgen | jeden morgen | jeden {wd} | jeder {wd}"),
        (Ago, "vor {n} {unit}"),
        (Calendar, "{d}. bis {d}. {month} {y} | {d}. bis {d}. {month} | jahr {y} | jahre {y}"),
        (Quarter, "{q}. quartal {y} | {q}. quartal"),
        (Numbered(Day), "tag {i} | tage {i}–{i} | tagen {i}–{i} | tage {i} bis {i}"),
        (Numbered(Week), "woche {i}"),
        (IsoWeek, "kw {i} | kw {i} {y} | kw {i}/{y} | kalenderwoche {i} | kalenderwoche {i} {y}"),
        (Op(O::In), "im | am | in der | zum | ab dem jahr | während"),
        (Op(O::Filler), "der | die | das | den | dem | des"),
        (Op(O::From), "von | vom"),
        (Op(O::Since), "seit | seit dem | seit der | ab | ab dem"),
        (Op(O::Until), "bis | bis zum | bis zur"),
        (Op(O::Before), "vor | vor dem | vor der"),
        (Op(O::After), "nach | nach dem | nach der"),
        (Op(O::Between), "zwischen | zwischen dem"),
        (Op(O::And), "und | und dem"),
        (Op(O::Part(P::Early)), "anfang"),
        (Op(O::Part(P::Middle)), "mitte"),
        (Op(O::Part(P::Late)), "ende"),
        (Op(O::Part(P::Week(1))), "erste woche im | ersten woche im"),
        (Op(O::Part(P::LastWeek)), "letzte woche im | letzten woche im"),
    ],
    guesses: &[(At(Day, 1), "morgen"), (Ahead, "in {n} {unit}")],
    ..NONE
};

const FRENCH: Language = Language {
    months: "janvier | février | ~mars | avril | ~mai | juin | juillet | août | septembre | octobre | novembre \
        | décembre",
    weak_months: "1 janv | 2 févr/fév | 7 juil | 12 déc",
    weekdays: "lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche",
    units: &[
        (Day, "jour | jours"),
        (Week, "semaine | semaines"),
        (Weekend, "week-end | weekend | week-ends"),
        (Unit::Month, "mois"),
        (Unit::Quarter, "trimestre | trimestres"),
        (Year, "an | ans | année | années"),
    ],
    numbers: "1 un/une | 2 deux | 3 trois | 4 quatre | 5 cinq | 6 six | 7 sept | 8 huit | 9 neuf | 10 dix",
    few: "quelques | plusieurs",
    before_noun: &[
        (-1, "dernier | dernière | derniers | dernières"),
        (0, "ce | cet | cette"),
        (1, "prochain | prochaine | prochains | prochaines"),
    ],
    behind_noun: &[
        (-1, "dernier | dernière | derniers | dernières | passé | passée"),
        (0, "-ci | ci"),
        (1, "prochain | prochaine | prochains | prochaines"),
    ],
    phrases: &[
        (At(Day, -2), "avant-hier"),
        (At(Day, 2), "après-demain"),
        (At(Day, -1), "hier soir | hier matin | hier après-midi"),
        (At(Day, 0), "aujourd'hui | ce matin | ce soir | cet après-midi"),
        (At(Day, 1), "demain | demain matin | demain soir"),
        (Ago, "il y a {n} {unit}"),
        (Ahead, "dans {n} {unit}"),
        (Calendar, "du {d} au {d} {month} {y} | du {d} au {d} {month} | année {y} | l'an {y}"),
        (Numbered(Day), "jour {i} | jours {i}–{i} | jours {i} à {i}"),
        (Numbered(Week), "semaine {i}"),
        (Nothing, "chaque {wd} | tous les {wd}"),
        (Op(O::In), "en | au mois de | pendant | durant | courant"),
        (Op(O::Filler), "le | la | l | les | du | des | d"),
        (Op(O::From), "de"),
        (Op(O::Since), "depuis | depuis le | à partir de | à partir du | dès"),
        (Op(O::Until), "jusqu'à | jusqu'au | jusqu'en"),
        (Op(O::Before), "avant | avant le"),
        (Op(O::After), "après | après le"),
        (Op(O::Between), "entre"),
        (Op(O::And), "et"),
        (Op(O::To), "au | à"),
        (Op(O::Part(P::Early)), "début | début de | au début de"),
        (Op(O::Part(P::Middle)), "mi | mi- | milieu de"),
        (Op(O::Part(P::Late)), "fin | fin de | à la fin de"),
        (Op(O::Part(P::Week(1))), "première semaine de | première semaine d"),
        (Op(O::Part(P::LastWeek)), "dernière semaine de | dernière semaine d"),
    ],
    guesses: &[(At(Day, -1), "hier")],
    ..NONE
};

const SPANISH: Language = Language {
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
    behind_noun: &[(-1, "pasado | pasada"), (0, "actual | en curso"), (1, "próximo | próxima | que viene | siguiente")],
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
};

const PORTUGUESE: Language = Language {
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
    ..NONE
};

const RUSSIAN: Language = Language {
    months: "январь/января/январе | февраль/февраля/феврале | март/марта/марте | апрель/апреля/апреле | май/мая/мае \
        | июнь/июня/июне | июль/июля/июле | август/августа/августе | сентябрь/сентября/сентябре \
        | октябрь/октября/октябре | ноябрь/ноября/ноябре | декабрь/декабря/декабре",
    weekdays: "понедельник | вторник | среду/среда | четверг | пятницу/пятница | субботу/суббота | воскресенье",
    units: &[
        (Day, "день | дня | дней"),
        (Week, "неделя | недели | недель | неделю | неделе"),
        (Weekend, "выходные | выходных"),
        (Unit::Month, "месяц | месяца | месяцев | месяце"),
        (Unit::Quarter, "квартал | квартале"),
        (Year, "год | года | лет | году"),
    ],
    numbers: "2 два/две | 3 три | 4 четыре | 5 пять",
    couple: "пару | пары | пара",
    few: "несколько",
    before_noun: &[
        (-1, "прошлый | прошлая | прошлое | прошлые | прошлой | прошлую | прошлом | прошлых"),
        (-1, "последний | последние | последних | последнюю"),
        (0, "этот | эта | эту | этой | этом | эти | этих"),
        (1, "следующий | следующая | следующую | следующей | следующем | следующие"),
    ],
    phrases: &[
        (At(Day, -2), "позавчера"),
        (At(Day, 2), "послезавтра"),
        (At(Day, -1), "вчера | вчера вечером | вчера утром"),
        (At(Day, 0), "сегодня | сегодня утром | сегодня вечером"),
        (At(Day, 1), "завтра"),
        (Ago, "{n} {unit} назад | {unit} назад"),
        (Ahead, "через {n} {unit} | через {unit}"),
        (
            Calendar,
            "с {d} по {d} {month} {y} | с {d} по {d} {month} | {d} {month} {y} года | {month} {y} года | {y} году | {y} год",
        ),
        (Op(O::In), "в | во | на"),
        (Op(O::Since), "с | со | начиная с"),
        (Op(O::Until), "до | по"),
        (Op(O::After), "после"),
        (Op(O::Between), "между"),
        (Op(O::And), "и"),
        (Op(O::Part(P::Early)), "начало | начале | в начале"),
        (Op(O::Part(P::Middle)), "середина | середине | в середине"),
        (Op(O::Part(P::Late)), "конец | конце | в конце"),
    ],
    ..NONE
};

const CHINESE: Language = Language {
    units: &[
        (Day, "天 | 日"),
        (Week, "周 | 週 | 个星期 | 星期 | 个礼拜 | 個星期"),
        (Unit::Month, "个月 | 個月"),
        (Year, "年"),
    ],
    few: "几 | 幾 | 好几 | 数",
    shares_phrases: true,
    phrases: &[
        (At(Day, -3), "大前天"),
        (At(Day, -2), "前天"),
        (At(Day, -1), "昨天 | 昨晚 | 昨日"),
        (At(Day, 0), "今天 | 今晚 | 今早 | 今日"),
        (At(Day, 1), "明天 | 明日"),
        (At(Day, 2), "后天 | 後天"),
        (At(Week, -2), "上上周 | 上上个星期"),
        (At(Week, -1), "上周 | 上週 | 上星期 | 上个星期 | 上礼拜 | 上个礼拜"),
        (At(Week, 0), "本周 | 这周 | 這週 | 本週 | 这个星期 | 这星期 | 本星期"),
        (At(Week, 1), "下周 | 下週 | 下星期 | 下个星期 | 下礼拜"),
        (At(Weekend, -1), "上周末 | 上个周末 | 上週末"),
        (At(Weekend, 0), "这周末 | 本周末 | 这个周末"),
        (At(Weekend, 1), "下周末 | 下个周末"),
        (At(Unit::Month, -2), "上上个月 | 上上月"),
        (At(Unit::Month, -1), "上个月 | 上月 | 上個月"),
        (At(Unit::Month, 0), "本月 | 这个月 | 這個月"),
        (At(Unit::Month, 1), "下个月 | 下月 | 下個月"),
        (At(Unit::Quarter, -1), "上季度 | 上个季度"),
        (At(Unit::Quarter, 0), "本季度 | 这个季度"),
        (At(Year, -2), "前年"),
        (At(Year, -1), "去年"),
        (At(Year, 0), "今年"),
        (At(Year, 1), "明年"),
        (Ago, "{n}{unit}前 | {n}{unit}之前 | {n}{unit}以前"),
        (Ahead, "{n}{unit}后 | {n}{unit}之后 | {n}{unit}後"),
        (Past, "最近{n}{unit} | 过去{n}{unit} | 過去{n}{unit} | 近{n}{unit} | 最近的{n}{unit} | 过去的{n}{unit}"),
        (Coming, "未来{n}{unit} | 接下来{n}{unit}"),
        (Calendar, "{y}年{m}月{d}日 | {y}年{m}月{d}号 | {m}月{d}日 | {m}月{d}号 | {y}年{m}月 | {y}年{m}月份"),
        (Calendar, "{m}月 | {m}月份 | {y}年"),
        (Calendar, "{y}年{m}月{d}日–{d}日 | {m}月{d}日–{d}日 | {m}月{d}日至{d}日 | {m}月{d}日到{d}日"),
        (Quarter, "第{q}季度 | {y}年第{q}季度"),
        (Half(1), "上半年 | {y}年上半年"),
        (Half(2), "下半年 | {y}年下半年"),
        (WeekdayIn(0), "周{han} | 星期{han} | 礼拜{han} | 週{han} | 这周{han} | 本周{han} | 这星期{han}"),
        (WeekdayIn(-1), "上周{han} | 上星期{han} | 上个星期{han} | 上礼拜{han} | 上週{han}"),
        (WeekdayIn(1), "下周{han} | 下星期{han} | 下个星期{han} | 下礼拜{han} | 下週{han}"),
        (Numbered(Day), "第{i}天"),
        (Numbered(Week), "第{i}周"),
        (Nothing, "每周{han} | 每个月 | 每天"),
        (Op(O::In), "在"),
        (Op(O::Filler), "的"),
        (Op(O::From), "从 | 從"),
        (Op(O::Since), "自 | 自从"),
        (Op(O::Until), "直到 | 截至"),
        (Op(O::To), "到 | 至"),
        (Op(O::And), "和 | 与"),
        (Op(O::Behind(B::Since)), "以来 | 以來 | 起"),
        (Op(O::Behind(B::Before)), "之前 | 以前"),
        (Op(O::Behind(B::After)), "之后 | 以后 | 之後"),
        (Op(O::Behind(B::Part(P::Early))), "初 | 上旬"),
        (Op(O::Behind(B::Part(P::Middle))), "中旬"),
        (Op(O::Behind(B::Part(P::Late))), "底 | 下旬 | 末"),
        (Op(O::Behind(B::Part(P::Week(1)))), "第一周"),
    ],
    ..NONE
};

const JAPANESE: Language = Language {
    weekdays: "月曜日/月曜 | 火曜日/火曜 | 水曜日/水曜 | 木曜日/木曜 | 金曜日/金曜 | 土曜日/土曜 | 日曜日/日曜",
    units: &[
        (Day, "日間 | 日"),
        (Week, "週間 | 週"),
        (Unit::Month, "か月 | ヶ月 | カ月 | ヵ月 | ケ月 | か月間 | ヶ月間"),
        (Year, "年間"),
    ],
    few: "数",
    before_noun: &[(-1, "前の"), (0, "この | 今度の"), (1, "次の")],
    shares_phrases: true,
    phrases: &[
        (At(Day, -2), "一昨日 | おととい"),
        (At(Day, -1), "昨日 | きのう | 昨夜"),
        (At(Day, 0), "今日 | きょう | 本日 | 今朝 | 今夜"),
        (At(Day, 1), "明日 | あした"),
        (At(Day, 2), "明後日 | あさって"),
        (At(Week, -2), "先々週"),
        (At(Week, -1), "先週"),
        (At(Week, 0), "今週"),
        (At(Week, 1), "来週"),
        (At(Weekend, -1), "先週末 | 先週の週末"),
        (At(Weekend, 0), "今週末"),
        (At(Weekend, 1), "来週末"),
        (At(Unit::Month, -2), "先々月"),
        (At(Unit::Month, -1), "先月"),
        (At(Unit::Month, 0), "今月"),
        (At(Unit::Month, 1), "来月"),
        (At(Year, -2), "一昨年"),
        (At(Year, -1), "去年 | 昨年"),
        (At(Year, 1), "来年"),
        (Past, "ここ{n}{unit} | この{n}{unit} | 直近{n}{unit}"),
        (Quarter, "第{q}四半期 | {y}年第{q}四半期"),
        (Numbered(Day), "{i}日目"),
        (Nothing, "毎週{wd}"),
        (Op(O::Filler), "の"),
        (Op(O::Behind(B::Since)), "から | 以降"),
        (Op(O::Behind(B::Until)), "まで | までに"),
        (Op(O::Behind(B::Before)), "より前 | 以前"),
        (Op(O::Behind(B::After)), "より後"),
        (Op(O::Behind(B::Part(P::Early))), "上旬 | 初め"),
        (Op(O::Behind(B::Part(P::Late))), "末"),
    ],
    ..NONE
};

const KOREAN: Language = Language {
    weekdays: "월요일 | 화요일 | 수요일 | 목요일 | 금요일 | 토요일 | 일요일",
    units: &[(Day, "일"), (Week, "주 | 주일"), (Weekend, "주말"), (Unit::Month, "개월 | 달"), (Year, "년")],
    numbers: "1 한 | 2 두 | 3 세",
    few: "며 | 몇",
    before_noun: &[(-1, "지난"), (0, "이번"), (1, "다음")],
    phrases: &[
        (At(Day, -2), "그저께 | 그제"),
        (At(Day, -1), "어제"),
        (At(Day, 0), "오늘"),
        (At(Day, 1), "내일"),
        (At(Day, 2), "모레"),
        (At(Week, -1), "저번주 | 저번 주"),
        (At(Year, -2), "재작년"),
        (At(Year, -1), "작년"),
        (At(Year, 0), "올해"),
        (At(Year, 1), "내년"),
        (Nothing, "오늘날 | 매주 {wd}"),
        (Ago, "{n}{unit} 전"),
        (Ahead, "{n}{unit} 후 | {n}{unit} 뒤"),
        (Past, "최근 {n}{unit}"),
        (Calendar, "{y}년 {m}월 {d}일 | {m}월 {d}일 | {y}년 {m}월 | {m}월 | {y}년"),
        (Quarter, "{q}분기 | {y}년 {q}분기"),
        (Op(O::Filler), "의"),
        (Op(O::Behind(B::Since)), "부터 | 이후 | 이래"),
        (Op(O::Behind(B::Until)), "까지"),
        (Op(O::Behind(B::Before)), "이전"),
        (Op(O::Behind(B::Part(P::Early))), "초"),
        (Op(O::Behind(B::Part(P::Middle))), "중순"),
        (Op(O::Behind(B::Part(P::Late))), "말"),
    ],
    ..NONE
};
