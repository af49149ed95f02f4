//! The words of Italian.

use rust_stemmers::Algorithm;

use super::lexicon::{Claims, Lexicon, Pages, Questions, Sessions};
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, MODAL, Orders, PERSON, PRIOR,
    PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN, URGENT, VITAL,
    VOID, YOU,
};
use crate::search::Asks;
use crate::when::phrase::Says::{Ago, Ahead, At, Calendar, Nothing, Numbered, Op};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Dates, Op as O, Part as P, Unit};

/// Italian.
pub(super) const ITALIAN: Lexicon = Lexicon {
    name: "italian",
    stemmer: Some(Algorithm::Italian),
    telling: "il di che la per non una del della sono con gli dei ma anche nel alla questo come piu ha delle lo essere perche dal quando abbiamo viene",
    stop: "ad ai agli al alla alle allo anche avere aveva c che chi ci cio coi col come con cosa cui d da dagli dai \
        dal dalla dalle dallo degli dei del dell della delle dello di dove due e ed era erano essere fa fare \
        fatto fra gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne \
        negli nei nel nell nella nelle nello noi non nostra nostro o ogni per perche piu po poi puo qual quale \
        quali quando quanta quante quanti quanto quella quelle quelli quello questa queste questi questo qui \
        sara se sei si sia siamo siano sono sta stata state stati stato su sua sue sugli sui sul sulla sulle suo \
        suoi tra tu tua tue tuo tutti tutto un una uno vi voi",
    weak: "aggiungere aggiunto allora altro ancora attuale avuto bene bisogno caso certo codice controllare creare \
        dati deciso decidere dire dobbiamo dopo dovrebbe errore esempio facile fatta fine funziona funzione \
        giorno grande implementare mai meglio meno mentre mettere modo niente numero nuova nuovo oggi ora ordine \
        parte passare piccolo prima primo problema prossimo proprio prova punto quindi rispetto ricerca sempre \
        senza sistema solo sotto spiegare stesso subito tempo tipo tre trovare progetto progetti lavoro spiegami \
        usare uso utente utilizzare valore vecchio vedere verso vero via volta vuole ieri domani anno anni mese \
        mesi",
    numbers: "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici \
        diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento",
    ordinals: "primo prima secondo seconda terzo terza quarto quarta",
    dates: Dates {
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
        ordinal_ends: "o",
        ..Dates::NONE
    },
    orders: Orders {
        words: &[
            (YOU, "devi puoi ti tuo tua tuoi tue voi vostro vostra"),
            (READER, "agenti assistente* modello"),
            (MODAL, "deve devi devono dovrai"),
            (TOLD, "istruzion* direttiv* regole"),
            (HIDDEN, "nascost*"),
            (IGNORE, "dimentic* trascur*"),
            (PRIOR, "prima sopra"),
            (ALL, "tutte tutti ogni"),
            (SAID, "detto"),
            (SEND, "invia invi* invio mandare copiare incoll* pubblic* caric* spedi*"),
            (RUN, "esegu* avvia* lancia*"),
            (FETCH, "scaric*"),
            (ADD, "aggiung* accett*"),
            (DELETE, "elimin* cancell* disattiv*"),
            (REVEAL, "mostr* rivel* ripet* inizia inizi*"),
            (HIDE, "nascond*"),
            (TELL, "di dica"),
            (TURN, "cambi* sostitu* approv*"),
            (AS, "comportati"),
            (SECRET, "chiave chiavi credenzial*"),
            (ROOT, "amministratore limiti permessi"),
            (PUBLIC, "commento qui pubblico condiviso"),
            (SCRIPT, "pacchett*"),
            (SESSION, "sessione rispondere risposta"),
            (URGENT, "urgente"),
            (AUTHORITY, "direzione sicurezza"),
            (IF, "se appena quando"),
            (PERSON, "revisore utente utenti qualcuno"),
            (VITAL, "diario"),
            (GRANTED, "concesso"),
        ],
        phrases: &[
            (VOID, "non valgono piu|non sei piu"),
            (BYPASS, "senza chiedere|senza conferma|forza il"),
            (SILENT, "di nascosto"),
            (SECRET, "variabili d ambiente"),
            (GRANTED, "sono disattivati"),
        ],
        before_verbs: "ora poi prima e non per",
        and: "e poi",
        not: "non",
        elided: "l d all dell nell",
        ..Orders::NONE
    },
    claims: Claims {
        negating: "mai",
        may_negate: "non senza nessun nessuna",
        sure_numbers: &[
            (4, "quattro"),
            (5, "cinque"),
            (7, "sette"),
            (10, "dieci"),
            (11, "undici"),
            (12, "dodici"),
            (15, "quindici"),
            (20, "venti"),
            (30, "trenta"),
        ],
        unsure_numbers: &[
            (1, "un uno una primo"),
            (2, "due entrambi secondo"),
            (3, "tre terzo"),
            (6, "sei"),
            (8, "otto"),
            (9, "nove"),
            (100, "cento"),
            (1000, "mille"),
        ],
        factors: &[(1_000, "mila mille"), (1_000_000, "milioni"), (1_000_000_000, "miliardi")],
        ..Claims::NONE
    },
    questions: Questions {
        first: &[
            ("quanto", Asks::Amount),
            ("quanti", Asks::Amount),
            ("quante", Asks::Amount),
            ("perche", Asks::Reason),
            ("come", Asks::Way),
            ("chi", Asks::Person),
        ],
        weekdays: "lunedi martedi mercoledi giovedi venerdi sabato domenica",
        repeats: "ogni",
        reasons: "poiche",
        changes: "adesso nuovo",
        open: "aperto",
        early: "iniziale inizialmente originale originariamente primo prima",
        late: "attuale attualmente ultimo ultima adesso ora ancora",
        past: "era",
        what_is: &["cos'è ", "cos’è ", "cosa è ", "che cos'è ", "che cos’è ", "chi è "],
        how: &["come ", "perché ", "quando "],
        answer_openers: &["vediamo", "adesso", "fammi", "va bene"],
        ..Questions::NONE
    },
    abbreviations: "p.es",
    abbreviations_either: "ecc",
    abbreviations_in_turns: "es",
    pages: Pages {
        prepositions: "a al allo alla ai agli alle con contro da dal dalla dai di del dello della dei degli delle \
        dopo durante fra in nel nella per prima presso senza sopra sotto su sul sulla tra verso",
        generic_titles: &[
            "titolo",
            "panoramica",
            "introduzione",
            "prefazione",
            "premessa",
            "sommario",
            "riassunto",
            "conclusione",
        ],
        contents_titles: &["indice", "indice dei contenuti"],
        determiners: "il lo la gli le un uno una del della dei nostro nostra mio mia ogni",
        journal_speaking: r"probabilmente|forse|sembra",
        speaking: "io mi mio mia noi ci nostro nostra tu ti tuo tua voi questo questa questi queste",
        asking: "che cosa perche come dove quando chi quale quali e sono se puo puoi possiamo",
        leaning: "questo questa questi queste quindi inoltre però",
        defining: &["e ", "sono ", "serve ", "contiene ", "permette "],
        before_names: &["il ", "la ", "lo ", "l'"],
        needing: &["dipende da", "usa", "richiede", "si basa su", "scrive su", "legge da"],
        change_verbs: r"aggiunt[oa]|rimoss[oa]|corrett[oa]|creat[oa]|aggiornat[oa]|rinominat[oa]|spostat[oa]|modificat[oa]|sostituit[oa]|implementat[oa]|testat[oa]|unit[oa]|semplificat[oa]|migliorat[oa]|(?:ho|abbiamo) (?:aggiunto|rimosso|corretto|creato|aggiornato|rinominato|spostato|modificato|sostituito|implementato|testato)",
        done: r"fatto|chiuso|finito|risolto|corretto|pagato|consegnato",
        change_reasons: r"perché|invece|così|adesso|ora|non più|a causa",
        ..Pages::NONE
    },
    sessions: Sessions {
        decision: r"abbiamo (?:deciso|scelto)\b|ho (?:deciso|scelto)\b|è stato deciso\b|deciso di\b|scelto di\b|optiamo per\b|usiamo\b|passiamo a\b|andiamo con\b|al posto di\b|invece di\b|sostituit[oaie] con\b",
        proposal: r"consiglio|potremmo|si potrebbe",
        lesson: r"causa (?:principale|del problema)\b|il problema (?:è|era)\b|perché\b|non funziona\b|si è scoperto\b|bisogna sempre\b",
        action_first: r"da fare:|prossim[oi] pass[oi]:",
        action: r"resta da\b|ancora da fare\b",
        narration: r"vediamo\b|ora\b|adesso\b|ecco\b|perfetto\b|fatto\b",
        offer: r"vuoi che|fammi sapere",
        acknowledgement: r"sì|si|va bene|grazie|ciao|avanti|continua|perfetto",
        greeting: r"ciao|buongiorno|salve",
        asking: r"puoi|potresti|vorrei|per favore",
        opener: r"fatto",
        leaning: r"da allora|fino ad allora|senza di (?:esso|essa|essi|esse|lui|lei|loro)|per questo|questo|questa|questi|queste|quindi|inoltre|però",
        causal: r"perché|quindi|dovuto a",
        achieved: r"aggiunto|corretto|rimosso|creato",
        hanging: r"di|il|la|per|con|e|che",
        assent: r"sì|si|va bene|d'accordo|certo",
        refusal: r"lascia",
        label_decision: r"decisione|deciso",
        label_lesson: r"lezione|causa|motivo",
        label_plan: r"piano|correzione",
        label_action: r"da fare|resta aperto|prossimi passi",
        wish: r"non voglio|preferisco|teniamo|lasciamo|mai più|d'ora in poi",
        decision_heading: r"decisioni|scelte",
        lesson_heading: r"causa",
        action_heading: r"prossimi passi|da fare",
        condition: r"quando|se",
        subordinate: r"quando|se|mentre|dopo",
        negating: "non mai",
        ..Sessions::NONE
    },
    ..Lexicon::NONE
};
