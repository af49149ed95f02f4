//! The words of Italian.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

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
    ..Lexicon::NONE
};
