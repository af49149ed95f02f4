//! The words of French.

use rust_stemmers::Algorithm;

use super::lexicon::{Claims, Lexicon, Pages, Questions, Sessions};
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, MODAL, Orders, PERSON, PRIOR,
    PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN, VITAL, VOID, YOU,
};
use crate::search::Asks;
use crate::when::phrase::Says::{Ago, Ahead, At, Calendar, Nothing, Numbered, Op};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Dates, Op as O, Part as P, Unit};

/// French.
pub(super) const FRENCH: Lexicon = Lexicon {
    name: "french",
    stemmer: Some(Algorithm::French),
    telling: "le les des et est une du que dans pour pas sur au avec ce il qui nous vous sont aux cette mais ont par plus fait etre ou je",
    stop: "les des une est sont dans sur pour pas avec que qui quoi comment",
    numbers: "deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante \
        cinquante soixante cent mille",
    ordinals: "premier premiere deuxieme troisieme quatrieme dernier derniere",
    dates: Dates {
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
        false_friends: &[("hier", "ist sind war waren wird das der wie wir ich nicht und gibt steht wo")],
        ordinal_ends: "er",
        ..Dates::NONE
    },
    orders: Orders {
        words: &[
            (YOU, "dois peux tu toi tes te vous votre vos"),
            (READER, "ia modèle"),
            (MODAL, "doit doivent dois devez"),
            (TOLD, "consigne* regles"),
            (HIDDEN, "cache cachee* caches"),
            (IGNORE, "oubli*"),
            (PRIOR, "precedent* avant"),
            (ALL, "tout toutes tous chaque"),
            (SAID, "dit"),
            (SEND, "envoie* envoy* transmet* copie* copier colle coller publie* publier"),
            (RUN, "execut* exécut* lance lancer lancez demarr*"),
            (FETCH, "telecharg*"),
            (ADD, "ajout*"),
            (DELETE, "supprim* effac*"),
            (REVEAL, "affich* montr* revel* repet* commenc*"),
            (HIDE, "cacher dissimul*"),
            (TELL, "dis dites"),
            (TURN, "rempla* valid* approuv*"),
            (AS, "comporte*"),
            (SECRET, "cle cles identifiants jeton*"),
            (ROOT, "administrateur droits limite*"),
            (PUBLIC, "commentaire ici partage* serveur"),
            (SCRIPT, "paquet binaire"),
            (SESSION, "reponse repondre"),
            (SILENT, "discretement discrètement"),
            (AUTHORITY, "direction securite"),
            (IF, "si lorsque quand des dès"),
            (PERSON, "utilisateur* quelqu relecteur"),
            (VITAL, "journaux"),
            (GRANTED, "accordee accordé autorisation"),
        ],
        phrases: &[
            (VOID, "s appliquent plus|n es plus"),
            (BYPASS, "sans demander|sans confirm|sans valid|sans poser|force l envoi"),
            (SECRET, "mot de passe|variables d environnement"),
            (AUTHORITY, "equipe securite"),
            (VITAL, "base de donnees|base de preproduction"),
            (GRANTED, "sont desactives"),
        ],
        before_verbs: "maintenant puis et d abord ne n discretement",
        and: "et puis",
        not: "pas jamais",
        elided: "l d qu",
        ..Orders::NONE
    },
    claims: Claims {
        negating: "jamais",
        may_negate: "ne pas aucun sans",
        sure_numbers: &[
            (2, "deux"),
            (3, "trois"),
            (4, "quatre"),
            (5, "cinq"),
            (8, "huit"),
            (11, "onze"),
            (12, "douze"),
            (15, "quinze"),
            (20, "vingt"),
            (30, "trente"),
        ],
        unsure_numbers: &[
            (1, "un une premier"),
            (2, "deuxieme"),
            (3, "troisieme"),
            (7, "sept"),
            (9, "neuf"),
            (10, "dix"),
            (1000, "mille"),
        ],
        factors: &[(1_000, "mille"), (1_000_000_000, "milliards")],
        ..Claims::NONE
    },
    questions: Questions {
        first: &[
            ("combien", Asks::Amount),
            ("quand", Asks::When),
            ("pourquoi", Asks::Reason),
            ("comment", Asks::Way),
            ("qui", Asks::Person),
        ],
        weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
        repeats: "chaque quotidien",
        reasons: "parce raison sinon",
        changes: "maintenant nouveau",
        open: "ouvert",
        early: "initialement premier premiere",
        late: "actuel actuellement maintenant dernier derniere encore",
        answer_openers: &["je vais", "laisse moi", "d accord", "parfait"],
        ..Questions::NONE
    },
    pages: Pages {
        determiners: "les une du notre nos mon ma mes chaque la le un des",
        change_verbs: r"ajouté|supprimé|corrigé|créé",
        change_reasons: r"parce que|au lieu",
        leaning: "elle ils elles cela ça ceci ce cet cette ces alors donc aussi sinon cependant mais et puis ensuite",
        ..Pages::NONE
    },
    sessions: Sessions {
        assent: r"oui",
        leaning: r"elle|ils|elles|cela|ça|ceci|ce|cet|cette|ces|alors|donc|aussi|sinon|cependant|mais|et|puis|ensuite",
        ..Sessions::NONE
    },
    ..Lexicon::NONE
};
