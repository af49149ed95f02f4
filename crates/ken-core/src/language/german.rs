//! The words of German.

use rust_stemmers::Algorithm;

use super::lexicon::{Claims, Lexicon, Pages, Questions, Sessions};
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, MODAL, Orders, PERSON, PRIOR,
    PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN, URGENT, VITAL,
    VOID, YOU,
};
use crate::search::Asks;
use crate::when::phrase::Says::{Ago, Ahead, At, Calendar, IsoWeek, Nothing, Numbered, Op, Quarter};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Dates, Op as O, Part as P, Unit};

/// German.
pub(super) const GERMAN: Lexicon = Lexicon {
    name: "german",
    stemmer: Some(Algorithm::German),
    telling: "der die und das ist nicht von zu den mit ein eine auf sich des dem auch es wird wir fur sind als bei oder nach aus ich haben war werden",
    stop: "der die das und oder ist sind war nicht mit von zu im den dem des ein eine einer eines wie was wann wo",
    numbers: "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn \
        achtzehn neunzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert tausend halb",
    ordinals: "erste zweite dritte vierte funfte letzte",
    dates: Dates {
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
        ..Dates::NONE
    },
    orders: Orders {
        words: &[
            (YOU, "deine deinen deinem deiner dein dich bist musst sollst darfst kannst hast"),
            (READER, "agenten assistent* ki sprachmodell*"),
            (MODAL, "muss mussen soll sollen immer"),
            (TOLD, "anweisung* instruktion* vorgabe* regel regeln richtlinie* systemprompt*"),
            (HIDDEN, "versteckt* verborgen*"),
            (IGNORE, "vergiss vergesst vergessen missacht*"),
            (PRIOR, "bisherig* vorherig* fruher* vorher obig* zuvor vor"),
            (ALL, "alle alles jede jeder jedes samtliche"),
            (SAID, "gesagt stand"),
            (SEND, "sende* schick* kopier* ubermittel* veroffentlich* hochladen hochlad* lade fuge füge"),
            (RUN, "führ* fuhr* ausfuhr* starte startet"),
            (FETCH, "herunterlad* lädt ladt"),
            (ADD, "trage erlaube*"),
            (DELETE, "losch* entfern* uberschreib* schalt*"),
            (REVEAL, "gib zeig* wiederhol* beginn*"),
            (HIDE, "verberg* verbirg* verschweig* verheimlich*"),
            (TELL, "sag sage"),
            (TURN, "ander* ersetz* genehmig* freigib*"),
            (AS, "verhalte benimm"),
            (SECRET, "passwort* kennwort* zugangsdaten schlussel* umgebungsvariable*"),
            (ROOT, "rechte* rechten einschrankung*"),
            (PUBLIC, "kommentar hier offentlich*"),
            (SCRIPT, "skript* paket programm"),
            (SESSION, "sitzung* antwort* antwortest"),
            (SILENT, "heimlich unbemerkt"),
            (URGENT, "dringend sofort"),
            (AUTHORITY, "geschaftsfuhrung sicherheit"),
            (IF, "wenn sobald falls"),
            (PERSON, "nutzer* benutzer* jemand prufer"),
            (VITAL, "tagesnotizen tagebuch datenbank* hauptzweig"),
            (GRANTED, "einverstanden erteilt freigegeben"),
        ],
        phrases: &[
            (VOID, "gelten nicht mehr|gelten für dich nicht|gelten fur dich nicht|außer kraft"),
            (VOID, "kein assistent mehr"),
            (BYPASS, "ohne ruckfrage|ohne bestatigung|ohne nachzufragen|ohne zu fragen"),
            (ROOT, "allen rechten|zugriff auf die shell"),
            (AUTHORITY, "it sicherheit"),
            (GRANTED, "is freigegeben|sind abgeschaltet|sind aufgehoben"),
        ],
        before_verbs: "bitte jetzt nun dann zuerst und sofort niemals nie",
        and: "und dann",
        not: "nicht nie niemals keine",
        ..Orders::NONE
    },
    claims: Claims {
        negating: "nicht nie niemals",
        may_negate: "kein keine keinen keiner keinem ohne statt",
        labels: "nr",
        capitalised: "der das dem den ein eine und ist wird nicht mit von fur auf wir sind werden zum zur statt bei nach haben \
        hat wurde oder im",
        sure_numbers: &[
            (2, "zwei"),
            (3, "drei"),
            (4, "vier"),
            (5, "funf fuenf"),
            (6, "sechs"),
            (7, "sieben"),
            (9, "neun"),
            (10, "zehn"),
            (12, "zwolf zwoelf"),
            (13, "dreizehn"),
            (14, "vierzehn"),
            (15, "funfzehn"),
            (20, "zwanzig"),
            (30, "dreissig"),
        ],
        unsure_numbers: &[
            (1, "ein eine einen einer einem eins einmal erste ersten"),
            (2, "beide beiden zweite zweiten"),
            (3, "dritte dritten"),
            (8, "acht"),
            (11, "elf"),
            (100, "hundert"),
            (1000, "tausend"),
        ],
        factors: &[
            (100, "hundert"),
            (1_000, "tausend tsd"),
            (1_000_000, "mio millionen"),
            (1_000_000_000, "milliarden"),
        ],
        ..Claims::NONE
    },
    questions: Questions {
        openings: &[
            ("wie viele", Asks::Amount),
            ("wie viel", Asks::Amount),
            ("wie lange", Asks::Amount),
            ("wie oft", Asks::Often),
            ("wie hat sich", Asks::Change),
            ("wie kann", Asks::Way),
            ("noch offen", Asks::Open),
        ],
        first: &[
            ("wann", Asks::When),
            ("warum", Asks::Reason),
            ("weshalb", Asks::Reason),
            ("wieso", Asks::Reason),
            ("wo", Asks::Way),
            ("wer", Asks::Person),
        ],
        weekdays: "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        repeats: "jeden jede taglich wochentlich monatlich",
        reasons: "weil denn grund deshalb sonst",
        changes: "statt jetzt neu geandert",
        open: "offen ausstehend wartet",
        early: "anfangs ursprunglich zuerst erste",
        late: "aktuell derzeit jetzt neueste letzte noch",
        past: "war waren wurde wurden hatte",
        answer_openers: &["lass mich", "ich werde"],
        ..Questions::NONE
    },
    abbreviations: "nr ca",
    pages: Pages {
        determiners: "ein eine einen einem einer der die das den dem des unser unsere mein meine jede jeder jedes",
        change_verbs: r"hinzugefügt|aktualisiert|entfernt|erstellt|behoben|geändert",
        change_reasons: r"weil|statt",
        leaning: "es dies diese dieser dieses diesen diesem sie dann also auch sonst stattdessen jedoch aber und daher deshalb deswegen dadurch damit dabei danach",
        ..Pages::NONE
    },
    sessions: Sessions {
        assent: r"ja",
        leaning: r"es|dies|diese|dieser|dieses|diesen|diesem|sie|dann|also|auch|sonst|stattdessen|jedoch|aber|und|daher|deshalb|deswegen|dadurch|damit|dabei|danach",
        ..Sessions::NONE
    },
    ..Lexicon::NONE
};
