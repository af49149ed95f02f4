//! Function words and filler of English and Italian, and the filler of software projects.
//!
//! A list may be any length as long as every entry has the same shape. All entries are folded (lower
//! case, no diacritics), in their base form: the caller looks up inflections.

use std::sync::OnceLock;

const STOP: &str = "
a about above after again against all also am an and any anybody anyone anything are aren arent as at be because been
before being below between both but by can cannot cant could couldn did didn didnt do does doesn doesnt doing don done
dont down during each either else etc ever every everyone everything few for from further had has hasn have haven
having he her here hers him his how however i if im in into is isn isnt it its itself ive just ll let lets like may me
might mine more most much must my myself neither no nobody none nor not nothing now of off often ok okay on once one only or other
others our ours out over own per please quite rather re really s same shall she should shouldn since so some somebody
someone something still such t than thank thanks that thats the their theirs them then there these they thing things this
those though through thus to today too under until up upon us ve very via was wasn we well were weren what whats when
where whether which while who whom whose why will with within without won would wouldn yes yet you your yours
tell show explain describe
ad ai agli al alla alle allo anche avere aveva c che chi ci cio coi col come con cosa cui d da dagli dai dal dalla dalle
dallo degli dei del dell della delle dello di dove due e ed era erano essere fa fare fatto fra gli ha hai hanno ho i il
in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nell nella nelle nello noi non nostra
nostro o ogni per perche piu po poi puo qual quale quali quando quanta quante quanti quanto quella quelle quelli quello
questa queste questi questo qui sara se sei si sia siamo siano sono sta stata state stati stato su sua sue sugli sui sul
sulla sulle suo suoi tra tu tua tue tuo tutti tutto un una uno vi voi
der die das und oder ist sind war nicht mit von zu im den dem des ein eine einer eines wie was wann wo
les des une est sont dans sur pour pas avec que qui quoi comment
el los las una uno es son en con por para como cual cuando donde
";

const WEAK: &str = "
able goes gone going readme license changelog todo pr prs api apis src lib pkg cmd kb mb gb tb ms delete release accept arrive close open answer begin begun access account across act action actual actually add added additional address adjust allow allowed almost along already
always among amount another answer anyway app appear application apply approach appropriate area ask asked aspect assume
attempt available avoid back bad base based basic basically become begin behavior behaviour behind best better big bit block body
bottom break bring broken bug build call case cause certain change check choose clean clear clearly code come command
comment common compare complete completely concern confirm consider contain content context continue control copy correct correctly cost count
couple course create current currently cut data date day deal decide decision default define definition depend describe description
design detail determine develop developer difference different directly discuss doc document documentation drop easy edge edit effect
effort empty enable end ensure enough entire entirely entry environment error especially even event exact exactly example except exist
existing expect explain extra fact fail failure fairly false far fast feature feel field figure file final finally find fine finish first fit fix flag
follow following force form format found free fresh full fully function future gather general generate get give given go goal going good
great group grow guess half handle happen hard head help helper hence high hit hold hour idea identify ignore implement implementation
important improve include including incorrect indeed info information initial inside instance instead integrate integration intend interest internal
introduce involve issue item job keep key kind know known lack large last late later latest layer lead leave left length less level
line link list little live load local location log logic long look loop lose lot low main maintain major make manage manual many
mark match matter maybe mean meaning mention merge message method minimal minor minute miss missing mode modify moment month move
multiple name natural near necessary need never new next nice normal note notice number object obvious occur offer old open operation
option optional order original otherwise output outside overall page part particular pass past path pattern perform perhaps pick piece place
plan play point possible possibly potential prefer prepare present pretty prevent previous previously print probably problem proceed process produce program
project proper properly provide pull purpose push put question quick quickly quite raise range reach read ready real realise realize reason
recent recently recommend record reduce refer reference regard relate relevant remain remember remove rename repeat replace report represent request
require requirement resolve respect rest result return review right root row rule run safe save say scan scope second section see seem
select send sense separate serve set setting setup several share short side sign significant similar simple simply single
size skip slow small software solution solve soon sort sound source specific specifically stand standard start state statement status stay step stop store straightforward
string structure stuff style suggest suggestion summary support suppose sure switch system table take talk task team technical term test text think
thought three thus time together tool top total touch track true try turn twice two type typical typically understand unique
unit unless unlike update upper use used useful user using usual usually valid value variable various verify version view
wait walk want watch way week whatever whenever whole wide wish wonder word work worker worth write wrong year yesterday tomorrow tonight
also another certainly four five six seven eight nine ten hundred thousand weekday monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december morning evening afternoon
acceptable accord alternative assistant begin beginning belong bound brief capture catch caught chance clarify collect combine consist consistent correspond
costly cover customer deep deliver detect distinct double dozen early either enter equal exceed explicit explicitly express extend extract face feed
fill fire gain gone grab happy heavy held hope identical immediate immediately imply independent inspect instant involve isolate join jump keep kick land leak
lower measure mostly narrow obtain oversee owner pair partial pay people person pin plain plenty pop post predict prove quality quiet quietly
rare rarely reject rely remind request reserve restore reuse rise roll round satisfy sell sensible sent settle share shape ship shop shrink shut silent silently sit
slight slightly slip smart smooth sometimes speak spend split stable stick strict strictly strong succeed success successful sudden suit surface sustain thin thoroughly tie tight
tiny tough trace treat trigger trivial unable unclear unexpected unnecessary unused upcoming useless vary wrap yield zero
agree agreed bought built chose chosen came did done drove fell felt gave got grew heard kept knew led left let lost made meant met moved paid ran
rose said sat saw seen sent shown sold spent stood taken taught thought told took tried understood went won wrote written
aggiungere aggiunto allora altro ancora attuale avuto bene bisogno caso certo codice controllare creare dati deciso decidere dire dobbiamo dopo dovrebbe
errore esempio facile fatta fine funziona funzione giorno grande implementare mai meglio meno mentre mettere modo niente numero nuova nuovo oggi ora ordine
parte passare piccolo prima primo problema prossimo proprio prova punto quindi rispetto ricerca sempre senza sempre sistema solo sotto spiegare stesso subito tempo tipo tre trovare
progetto progetti lavoro spiegami usare uso utente utilizzare valore vecchio vedere verso vero via volta vuole ieri domani anno anni mese mesi
";

/// Weak nouns that may begin or end the name of a subject (`order database`, `image pipeline job`).
const NAMING: &str = "
access account action address app application area block body build call case change check code command comment content
context copy cost count data day design doc document edge entry error event example failure feature field file flag form
format function goal group idea info input issue item job key layer level limit line link list load log logic loop message
method mode name note number object option order output page part pattern place plan point problem process product program
project question range record reference report request result review row rule run scope section set setting setup share shop size
source state statement status step store string structure style summary support system table task team test text time tool type unit
update user value version view word work worker customer
";

/// Numbers in words.
const NUMBERS: &str = "
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen half
zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn
zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert tausend halb
deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante
cent mille dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta
sesenta setenta ochenta noventa cien ciento mil due tre quattro cinque sei sette otto nove dieci undici dodici tredici
quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta
novanta cento
";

/// Places in a row, in words.
const ORDINALS: &str = "
first second third fourth fifth sixth seventh eighth ninth tenth last next erste zweite dritte vierte funfte letzte premier
premiere deuxieme troisieme quatrieme dernier derniere primero primera segundo segunda tercero tercera ultimo ultima
primo prima secondo seconda terzo terza quarto quarta
";

fn sorted(words: &'static str) -> Vec<String> {
    let mut out: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Returns whether a folded word is a function word.
pub(super) fn is_stop(folded: &str) -> bool {
    static SET: OnceLock<Vec<String>> = OnceLock::new();
    SET.get_or_init(|| sorted(STOP)).binary_search_by(|word| word.as_str().cmp(folded)).is_ok()
}

/// Returns whether a folded weak word may begin or end the name of a subject.
pub(super) fn is_naming(folded: &str) -> bool {
    static SET: OnceLock<Vec<String>> = OnceLock::new();
    SET.get_or_init(|| sorted(NAMING)).binary_search_by(|word| word.as_str().cmp(folded)).is_ok()
}

/// Returns whether a folded word is filler.
pub(super) fn is_weak(folded: &str) -> bool {
    static SET: OnceLock<Vec<String>> = OnceLock::new();
    SET.get_or_init(|| sorted(WEAK)).binary_search_by(|word| word.as_str().cmp(folded)).is_ok()
}

/// Returns whether a folded word is a number.
pub(super) fn is_number(folded: &str) -> bool {
    static SET: OnceLock<Vec<String>> = OnceLock::new();
    SET.get_or_init(|| sorted(NUMBERS)).binary_search_by(|word| word.as_str().cmp(folded)).is_ok()
}

/// Returns whether a folded word is a place in a row.
pub(super) fn is_ordinal(folded: &str) -> bool {
    static SET: OnceLock<Vec<String>> = OnceLock::new();
    SET.get_or_init(|| sorted(ORDINALS)).binary_search_by(|word| word.as_str().cmp(folded)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_folded() {
        for word in [STOP, WEAK, NAMING, NUMBERS, ORDINALS].into_iter().flat_map(str::split_whitespace) {
            assert_eq!(super::super::fold(word), word);
        }
    }
}
