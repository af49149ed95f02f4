//! The words of English.
//!
//! Long because it is a table.

mod irregular;
mod pages;
mod senses;
mod sessions;
mod work;

use rust_stemmers::Algorithm;

use super::lexicon::{Actions, Changes, Claims, Code, Lexicon, Periods, Questions};
use crate::orders::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL, Orders, PERSON,
    PRIOR, PROMPT, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN,
    URGENT, VITAL, VOID, YOU,
};
use crate::search::Asks;
use crate::when::phrase::Says::WeekdayOfMonth;
use crate::when::phrase::Says::{Ago, Ahead, At, Calendar, Coming, IsoWeek, Nothing, Numbered, Op, Past, Quarter};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Behind as B, Dates, Op as O, Part as P, Unit};

/// English.
pub(super) const ENGLISH: Lexicon = Lexicon {
    name: "english",
    stemmer: Some(Algorithm::English),
    base: irregular::base,
    telling: "the and of to is that it for with was this are you not have be from at or an we by can will which has but they what when how",
    stop: "a about above after again against all also am an and any anybody anyone anything are aren arent as at be \
        because been before being below between both but by can cannot cant could couldn did didn didnt do does \
        doesn doesnt doing don done dont down during each either else etc ever every everyone everything few for \
        from further had has hasn have haven having he her here hers him his how however i if im in into is isn \
        isnt it its itself ive just ll let lets like may me might mine more most much must my myself neither no \
        nobody none nor not nothing now of off often ok okay on once one only or other others our ours out over \
        own per please quite rather re really s same shall she should shouldn since so some somebody someone \
        something still such t than thank thanks that thats the their theirs them then there these they thing \
        things this those though through thus to today too under until up upon us ve very via was wasn we well \
        were weren what whats when where whether which while who whom whose why will with within without won \
        would wouldn yes yet you your yours tell show explain describe pls plz tbh btw imho idk asap thx fyi afaik",
    weak: "able goes gone going readme license changelog todo pr prs api apis src lib pkg cmd kb mb gb tb ms delete \
        release accept arrive close open answer begin begun access account across act action actual actually add added \
        additional address adjust allow allowed almost along already always among amount another anyway app appear \
        application apply approach appropriate area ask asked aspect assume attempt available avoid back bad base \
        based basic basically become behavior behaviour behind best better big bit block body bottom break bring \
        broken bug build call case cause certain change check choose clean clear clearly code come command comment \
        common compare complete completely concern confirm consider contain content context continue control copy \
        correct correctly cost count couple course create current currently cut data date day deal decide decision \
        default define definition depend describe description design detail determine develop developer difference \
        different directly discuss doc document documentation drop easy edge edit effect effort empty enable end \
        ensure enough entire entirely entry environment error especially even event exact exactly example except exist \
        existing expect explain extra fact fail failure fairly false far fast feature feel field figure file final \
        finally find fine finish first fit fix flag follow following force form format found free fresh full fully \
        function future gather general generate get give given go goal good great group grow guess half handle happen \
        hard head help helper hence high hit hold hour idea identify ignore implement implementation important improve \
        include including incorrect indeed info information initial inside instance instead integrate integration \
        intend interest internal introduce involve issue item job keep key kind know known lack large last late later \
        latest layer lead leave left length less level line link list little live load local location log logic long \
        look loop lose lot low main maintain major make manage manual many mark match matter maybe mean meaning \
        mention merge message method minimal minor minute miss missing mode modify moment month move multiple name \
        natural near necessary need never new next nice normal note notice number object obvious occur offer old \
        operation option optional order original otherwise output outside overall page paragraph part particular pass \
        past path pattern perform perhaps pick piece place plan play point possible possibly potential prefer prepare \
        present pretty prevent previous previously print probably problem proceed process produce program project \
        proper properly provide pull purpose push put question quick quickly quite raise range reach read ready real \
        realise realize reason recent recently recommend record reduce refer reference regard relate relevant remain \
        remember remove rename repeat replace report represent request require requirement resolve respect rest result \
        return review right root row rule run safe save say scan scope second section see seem select send sense \
        sentence separate serve set setting setup several share short side sign significant similar simple simply \
        single size skip slow small software solution solve soon sort sound source specific specifically stand \
        standard start state statement status stay step stop store straightforward string structure stuff style \
        suggest suggestion summary support suppose sure switch system table take talk task team technical term test \
        text think thought three thus time together tool top total touch track true try turn twice two type typical \
        typically understand unique unit unless unlike update upper use used useful user using usual usually valid \
        value variable various verify version view wait walk want watch way week whatever whenever whole wide wish \
        wonder word work worker worth write wrong year yesterday tomorrow tonight also certainly four five six seven \
        eight nine ten hundred thousand weekday monday tuesday wednesday thursday friday saturday sunday january \
        february march april june july august september october november december morning evening afternoon acceptable \
        accord alternative assistant beginning belong bound brief capture catch caught chance clarify collect combine \
        consist consistent correspond costly cover customer deep deliver detect distinct double dozen early either \
        enter equal exceed explicit explicitly express extend extract face feed fill fire gain grab happy heavy held \
        hope identical immediate immediately imply independent inspect instant isolate join jump kick land leak lower \
        measure mostly narrow obtain oversee owner pair partial pay people person pin plain plenty pop post predict \
        prove quality quiet quietly rare rarely reject rely remind reserve restore reuse rise roll round satisfy sell \
        sensible sent settle shape ship shop shrink shut silent silently sit slight slightly slip smart smooth \
        sometimes speak spend split stable stick strict strictly strong succeed success successful sudden suit surface \
        sustain thin thoroughly tie tight tiny tough trace treat trigger trivial unable unclear unexpected unnecessary \
        unused upcoming useless vary wrap yield zero agree agreed bought built chose chosen came did done drove fell \
        felt gave got grew heard kept knew led let lost made meant met moved paid ran rose said sat saw seen shown \
        sold spent stood taken taught told took tried understood went won wrote written ah aha ahead ago alone anymore \
        anyhow anywhere apart around aside away awesome aye cheers cool elsewhere everywhere forward gotcha haha hello \
        hey hmm huh least longer meanwhile nah nevertheless nope nowhere oh oops presumably somehow somewhere sooner \
        sorry strange ugh weird welcome wow yeah yep",
    naming: "access account action address app application area block body build call case change check code command \
        comment content context copy cost count data day design doc document edge entry error event example \
        failure feature field file flag form format function goal group idea info input issue item job key layer \
        level limit line link list load log logic loop message method mode name note number object option order \
        output page part pattern place plan point problem process product program project question range record \
        reference report request result review row rule run scope section set setting setup share shop size \
        source state statement status step store string structure style summary support system table task team \
        test text time tool type unit update user value version view word work worker customer",
    numbers: "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
        eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen \
        half",
    ordinals: "first second third fourth fifth sixth seventh eighth ninth tenth last next",
    dates: Dates {
        months: "january | february | ~march | ~april | ~may | ~june | july | ~august | september | october | november \
        | december",
        weak_months: "1 jan | 2 feb | 3 mar | 4 apr | 6 jun | 7 jul | 8 aug | 9 sep/sept | 10 oct | 11 nov | 12 dec",
        weekdays: "monday/~mon | tuesday/~tue/~tues | wednesday/~wed/~weds | thursday/~thu/~thur/~thurs | friday/~fri \
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
            (At(Day, 1), "tomorrow | tmrw | tomorrow morning | tomorrow afternoon | tomorrow evening"),
            (At(Week, -2), "week before last"),
            (At(Week, 2), "week after next"),
            (At(Unit::Month, -2), "month before last"),
            (At(Year, -2), "year before last"),
            (Ago, "{n}{unit} ago | {n} {unit} back | {n} {unit} earlier than today"),
            (Ahead, "{n} {unit} from now | {n} {unit} from today | in {n} {unit} time"),
            // How long something holds, beginning now.
            (Nothing, "{n} {unit} from now on | {n} {unit} from today on"),
            (Nothing, "for {n} {unit} from today | for {n} {unit} from now | get {n} {unit} from today"),
            (Nothing, "gets {n} {unit} from today | takes {n} {unit} from today | stays {n} {unit} from today"),
            (Past, "past {n} {unit} | past {span} | in the last {span} | over the last {span} | in the past {span}"),
            (Past, "within the last {span} | during the last {span} | last {n} {unit}"),
            (Coming, "coming {n} {unit} | in the next {span} | over the next {span}"),
            (Calendar, "{d} of {month}, {y} | {d} of {month} | {month} of {y} | year {y}"),
            (
                Calendar,
                "{month} {d} to {d}, {y} | {month} {d} to {d} | {month} {d} through {d} | {d} to {d} {month} {y}",
            ),
            (Calendar, "{month} {d} through {d}, {y} | {d} to {d} {month} | from {d} to {d} {month} {y}"),
            (Calendar, "between {month} {d} and {d} | between {month} {d} and {d}, {y} | from {month} {d} to {d}"),
            (Calendar, "between {d} and {d} {month} {y} | between {d} and {d} {month}"),
            (Calendar, "between the {d} and the {d} of {month}"),
            (Quarter, "in q{q} | during q{q} | since q{q}"),
            (Numbered(Day), "day {i} | days {i}–{i} | days {i} to {i} | days {i} through {i} | days {i} and {i}"),
            (Numbered(Day), "day {i} to day {i} | day {i} through day {i} | days {i} until {i}"),
            (Numbered(Week), "week {i} | weeks {i}–{i} | weeks {i} to {i} | weeks {i} through {i} | weeks {i} and {i}"),
            (IsoWeek, "calendar week {i} | week {i} of {y} | week {i}, {y} | cw {i} | calendar week {i} {y}"),
            (WeekdayOfMonth, "{wd} the {d} | {wd}, the {d}"),
            (Calendar, "{wd} the {d} of {month} | {wd}, the {d} of {month} | {wd} the {d} of {month}, {y}"),
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
        verbs: "may march mar",
        ordinal_ends: "st nd rd th",
        ..Dates::NONE
    },
    orders: Orders {
        words: &[
            (YOU, "you your yours yourself youre"),
            (READER, "agent agents assistant assistants ai llm llms copilot copilots chatbot* claude chatgpt gpt"),
            (READER, "gemini codex"),
            (MODAL, "must should shall required requires expected duty obliged always"),
            (TOLD, "instruction* prompt prompts directive* guideline* constraint* policy policies rule rules"),
            (TOLD, "guardrail*"),
            (PROMPT, "prompt prompts systemprompt*"),
            (HIDDEN, "hidden secret"),
            (IGNORE, "ignor* disregard* forget* override* overrul* bypass*"),
            (PRIOR, "previous prior above earlier before preceding initial"),
            (ALL, "all any every everything each"),
            (SAID, "told said"),
            (SEND, "send sends sending sent post posts upload* mail mails email* forward* exfiltrat* transmit*"),
            (SEND, "submit* append* paste pastes pasting copy copies publish* export* leak* share*"),
            (RUN, "run runs running execute* executing start starts launch* open"),
            (FETCH, "download* fetch* curl wget"),
            (INSTALL, "install*"),
            (ADD, "add adds accept* replace*"),
            (DELETE, "delete* deleting remove* removing wipe* wiping erase* destroy* disable*"),
            (REVEAL, "print* reveal* show* repeat* display* output* disclos* recite* begin*"),
            (HIDE, "hide* hiding conceal* withhold*"),
            (TELL, "tell say"),
            (TURN, "change* switch* skip* approve* merge* grant* treat"),
            (AS, "act behave pretend"),
            (SECRET, "env secret secrets password* passphrase* credential* token tokens key keys ssh cookie"),
            (SECRET, "cookies netrc"),
            (ROOT, "root sudo admin administrator* shell unrestricted unlimited rights terminal console base64"),
            (ROOT, "payload"),
            (PUBLIC, "comment comments issue ticket gist chat here inbox public shared bucket server"),
            (SCRIPT, "script scripts binary package packages"),
            (SESSION, "session sessions answer answering reply"),
            (SILENT, "silently secretly quietly covertly unnoticed"),
            (URGENT, "urgent urgently immediately"),
            (AUTHORITY, "ceo legal management anthropic openai"),
            (IF, "if when whenever once after unless until"),
            (PERSON, "user users somebody someone anybody anyone reviewer reviewers human humans"),
            (VITAL, "journal journals diary home production database databases backup backups"),
            (GRANTED, "agreed consented granted approved authorized authorised allowed"),
        ],
        phrases: &[
            (VOID, "no longer apply|not apply to you|are lifted|is lifted|were a test|no longer a"),
            (VOID, "you are now|only obey|no policy exists|obey only"),
            (BYPASS, "without asking|without confirm|without review|without permission|without telling"),
            (BYPASS, "without being asked|skip confirm|skip the confirm|no verify|pre approved|preapproved"),
            (BYPASS, "never mention|do not discuss|force push"),
            (SILENT, "at the same time hide"),
            (PROMPT, "developer message|system message|list of tools you|language model|tools you were given"),
            (READER, "language model|language models|release manager"),
            (SECRET, "environment variables|the environment to"),
            (ROOT, "full access|write access|grant access|all rights"),
            (MODAL, "have to|has to|it is customary|are to"),
            (AUTHORITY, "security team"),
            (GRANTED, "permission granted|checks are disabled|confirmations are|all commands are|you may"),
        ],
        before_verbs: "please now then also first just immediately silently always never do don not no to and or instead kindly \
        simply remember next step todo you must should we i",
        and: "and then",
        not: "not never no don",
        ..Orders::NONE
    },
    claims: Claims {
        definite: "the",
        light: "now currently still also",
        twins: &[
            ("are", "is"),
            ("were", "was"),
            ("have", "has"),
            ("each", "every"),
            ("per", "a"),
            ("an", "a"),
            ("till", "until"),
        ],
        introduces: r"(?:reminder|remember|note|nb|fyi|confirmed|reconfirmed)[,:]|(?:note|remember|we decided|we agreed) that",
        negating: "not never cannot dont doesnt didnt isnt arent wasnt werent wont cant shouldnt mustnt wouldnt couldnt \
        hasnt havent hadnt",
        may_negate: "no none nor neither nobody nothing without instead rather avoid avoided stop stopped stops remove \
        removed disable disabled drop dropped except only unless fail failed fails refuse refused refuses reject \
        rejected lack lacks missing forbid forbidden ban banned skip skipped deny denied prevent prevents \
        prevented zero unlike unable invalid incomplete incorrect inactive insufficient incompatible impossible \
        against away abandon abandoned decline declined defer deferred postpone postponed exclude excluded \
        excludes absent hardly rarely",
        un_words: "under uni until unless",
        changes: "instead longer changed changes moved moves corrected correction revised updated replaced replaces \
        switched previously formerly reversed overrides superseded supersedes shifted raised lowered increased \
        reduced dropped actually rather",
        labels: "phase step day week part chapter issue pr line lines section page option sprint round level tier figure \
        table note ticket build commit case example task milestone item number no rfc cve adr rule question \
        version claim chunk batch q",
        sure_numbers: &[
            (2, "two"),
            (3, "three"),
            (4, "four"),
            (5, "five"),
            (6, "six"),
            (7, "seven"),
            (8, "eight"),
            (9, "nine"),
            (10, "ten"),
            (11, "eleven"),
            (12, "twelve"),
            (13, "thirteen"),
            (14, "fourteen"),
            (15, "fifteen"),
            (16, "sixteen"),
            (17, "seventeen"),
            (18, "eighteen"),
            (19, "nineteen"),
            (20, "twenty"),
            (30, "thirty"),
            (40, "forty"),
            (50, "fifty"),
            (60, "sixty"),
            (70, "seventy"),
            (80, "eighty"),
            (90, "ninety"),
        ],
        unsure_numbers: &[
            (0, "zero no none null"),
            (1, "one a an single once sole first"),
            (2, "both twice double doubled pair couple second"),
            (3, "third triple thrice"),
            (4, "fourth"),
            (5, "fifth"),
            (6, "sixth"),
            (7, "seventh"),
            (8, "eighth"),
            (9, "ninth"),
            (10, "tenth"),
            (11, "eleventh"),
            (12, "twelfth dozen"),
            (25, "quarter"),
            (50, "half halved"),
            (100, "hundred"),
            (1000, "thousand"),
            (1_000_000, "million"),
            (1_000_000_000, "billion"),
        ],
        factors: &[
            (100, "hundred"),
            (1_000, "thousand"),
            (1_000_000, "million millions"),
            (1_000_000_000, "billion billions"),
        ],
        ..Claims::NONE
    },
    changes: Changes {
        instead: "instead of|in place of|in lieu of|in exchange for",
        rather: "rather than",
        from: "from",
        to: "to|into|till|until",
        not: "not|no longer|t|never|no",
        but: "but",
        and_not: "and not|not|no longer",
        replaces: "replace/replaces/replaced/replacing|takes/took/taken the place of|swap/swaps/swapped|exchanged|supersedes|substituted|traded",
        with: "with|by|for",
        formerly: "up from|down from|previously|formerly|it was|until now|so far|before it was|used to be|was|were",
        change: "now|instead|from today/tomorrow/tonight|from now on|from here on|from monday/tuesday/wednesday/thursday/friday/saturday/sunday|from january/february/march/april/may/june/july/august/september/october/november/december|as of|as from|from then on|since this/yesterday/today/tonight/monday/tuesday/wednesday/thursday/friday/saturday/sunday/last|from now|from this/next monday/tuesday/wednesday/thursday/friday/saturday/sunday|starting|beginning tomorrow/tonight/today/monday/tuesday/wednesday/thursday/friday/saturday/sunday|effective|moves/moved to|has/have/had moved|take/takes/taking/took/taken over|hand/hands/handed ~5 over|handed to|passes/passed/pass to/on|relocate*|no longer|not ~4 any more|not ~4 anymore|in future|in the future|henceforth|i/we changed|changed my/our mind|shift/shifts/shifted to|ported|switched/switches|since january/february/march/april/may/june/july/august/september/october/november/december|from this/next week/month/year/season/spring/summer/autumn/winter/version/release|from the next|is/been decided|s decided|we/i decided|we/i have decided|decided on|changed to|from spring/summer/autumn/winter|changed his/her/their/your mind|is/are/be/went/gone/goes live|in production|in force|with immediate effect|take/takes/took effect|comes/came into force|going forward|by now|turned into|is/are in charge now|from its/this/the next issue|change/changes/changed hands|up and running",
        newness: "new newly",
        alters: "goes/went to|week/weeks/day/days/month/months/hour/hours later/earlier|new|newly|moves/moved|slip/slips/slipped to|postponed|put off|brought/bring forward|pushed back|put back|rescheduled|goes/went/gone/go/going up/down|goes from|went from|changed|raise/raises/raised/raising|lower/lowers/lowered|increase/increases/increased|reduce/reduces/reduced|decrease/decreased/decreases|halve/halved/halves|double/doubled/doubles|triple/tripled|extend/extends/extended|shorten/shortens/shortened|bumped|grew|grown|shrank|shrunk|is/are out|is/are/was/were released|revised|revers*|we are at|up to now|drop/drops/dropped to/from|rise/rises/rose/risen to/from|fall/falls/fell/fallen to/from|sink/sinks/sank/sunk to/from|climb/climbs/climbed to/from|onwards|onward|upgrade/upgrades/upgraded|downgrade*|later than|earlier than|adjust/adjusts/adjusted|widened|narrowed|turns out|turned out|is enough|are enough|must now|today|finally|settle/settled on|grow/grows to|must|only ~3 left|move/change/switch/shift from|cut/cuts ~4 to/from/by|brought down to|put up to|had to be moved|be moved|is/are/was/were moved|updates/updated|become/becomes/became|cheaper|more expensive|dearer|shift/shifts/shifted|slips|slipped|slides/slid|delayed|trimmed|tightened|relaxed|eased|loosened|topped up|capped at|crept up|agreed on/at|settled at|renegotiated|bargained|negotiated|knocked down|stretched|comes/came down|gets later/earlier|a bit later/earlier|one/an hour later/earlier|longer|shorter|brings/bringing/put forward|set/sets/setting ~5 to",
        retracts: "forget/ignore/scrap/scratch/strike what i/we/he/she/they said/told/wrote ~3 about/on|forget/ignore/scrap/scratch/strike what i/we/he/she/they told/wrote you about|forget/ignore/scrap/scratch/strike what i/we said to you about/on|what i/we said about ~6 was wrong/nonsense/rubbish|take/takes/took back what i/we/he/she/they said/told/wrote about|taking back what i/we said about|disregard what i/we said about",
        corrects: "correction|corrected|correcting|i was wrong|my mistake|mistake|recount*|counted again|erratum|sorry|change of plan/plans|that was/is wrong|that was not/n right|this was/is wrong|mistyped|misread|misspoke|mixed up",
        switch: "migrate/migrates/migrated|convert/converts/converted|ported|went/go/gone over|go/goes/going/went/gone with|settle/settled on|moved over|upgrade/upgraded|transfer/transferred|relocate*|switches/switched/switching|we/i/they/to switch/change/move|moves/moved|moving to|move/change/switch/shift/migrate to/from|changed to/from|changes from ~4 to",
        takes: "take/takes/taking/took/taken over|takes on|took on|succeeds|steps in for|change/changes/changed hands|steps/stepped in|takes charge|took charge|take/takes/took/taken ~5 off",
        gives: "hand/hands/handed/handing|pass/passes/passed|give/gives/gave/given|goes|went|transferred|gave up|leave/leaves/left",
        owns: "own/owns|lead/leads|run/runs|do/does|handle/handles|manage/manages|maintain/maintains|look/looks after|take/takes care|is/are responsible|is in charge|answers for|teach/teaches|write/writes|edit/edits|drive/drives|keep/keeps|pays|pay|organises/organizes|chairs|coordinates|belongs to|decide/decides|operates|supervises|sign/signs|order/orders|book/books|answer/answers|collect/collects|buy/buys|clean/cleans|approve/approves|check/checks|deliver/delivers|feed/feeds|water/waters|prepare/prepares|host/hosts|represent/represents|oversees/oversee|heads|directs|cooks|repairs|translates|designs|is with|has/have the|sits with|is/are in charge|has charge|place/places|mind/minds|tend/tends|cover/covers|do/does the|gives/give the|sees to|see to|takes charge",
        keeps: "stay/stays/stayed|remain/remains/remained|unchanged|untouched|still|as before|the same|as always|as usual|maintain*|continue/continues/continued|i/we/they/you keep/kept|keep/keeps/kept/keeping the/it/them|keeping|for now|for the moment|for the time being",
        ends: "no longer|no more|decided against|not ~8 any more|not ~8 anymore|not ~6 any longer|nobody ~8 any more|nobody ~8 anymore|nothing ~8 any more|nothing ~8 anymore|t ~8 any more|t ~8 anymore|t ~8 any longer|never ~6 again|is/are/was/were/been/get/gets/being dropped|is/are/was/were/been/get/gets scrapped/abolished/discontinued/retired/withdrawn/lifted/abandoned/suspended/removed/ended|is/are over|is/are history|is/are gone|is/are dead|is/are switched/turned/shut off/down|take/takes/took/taking it/that/this back|take/took back what|we/have/has/i dropped|does away with|falls away|not happening|forget about|closing down|phased out|out of use|goodbye|good bye|farewell|got rid of|get rid of|void|we/i/they/has/have/he/she/it stopped|stopped using|stop using|we/i/they/has/have gave/given up|put an end to|not ~8 after all|t ~8 after all|take/takes/took/taking back|taken back|forget that|strike what|strike that|scratch that|ignore what|ban is lifted|never mind|withdrawn",
        cancels: "is/are/was/were/been/be/gets cancelled/canceled|cancelled|canceled|called off|falls through|fell through|not happening|not taking place|will not take place|off the table|is/are off|scrapped",
        back: "back to|revert/reverts/reverted|return/returns/returned to|restored|reinstated|go/goes/went/gone/going/we're back|roll/rolls/rolled ~3 back",
        again: "again|after all",
        finds: "found|tested|turns/turned out|measured|verified|proved|checked",
        rest: "everything/everyone/everybody/anything/anyone else|all/the other/others|the rest",
        therefore: "so|therefore|hence|thus|which/that is why|that's why",
        in_its_place: "instead|in its place|in their place",
        must: "need/needs/have/has to|must|should",
        enough: "is/are enough|suffice/suffices|is/are required|is/are needed",
        unsure: "would|might|could|suppose|supposing|assume|assuming|let's say|maybe|perhaps|possibly|should we|shall we|what if|rumor*|rumour*|heard|somebody said/told|someone said/told|people say|they say|apparently|supposedly|allegedly|trial|on trial|experiment*|for a week/day/month/try|for one week/day/month/evening/night/time|for once|i'd|we'd|he'd|she'd|they'd|like to|suggest*|propos*|still say/says/show/shows/read/reads/list/lists/has|joke/jokes/joked/joking|kidding|recommend*|imagine|hypothetically|in theory|in principle|simplest/easiest/best/right/proper/cleanest fix/way/solution/option|not decided|undecided|nothing is/was decided|nothing has been decided|let me|i'll|we'll|i will|pretend*|quote from|not yet|t decided|only this|this ~1 only|just this|tonight only|today only|exception|exceptionally|temporarily|stand/stands/standing in for|fills in for|did not|didn't|an idea|the idea|idea is|idea was|idea of|no idea|plan/plans/planned/planning to|we're planning|are/is planning|the plan|a plan|can we",
        views: "want/wants/wanted|wish/wishes/wished|prefer/prefers|think/thinks|believe/believes|consider*|ask/asks/asked|discuss*|hope/hopes/hoped|expect/expects/expected|afraid|feared|fear|try/tries/tried/trying|wonder*|thinking about/of|thought|believed|hopes to|wondered|wanted to",
        unfit: "collide/collides/collided|clash/clashes/clashed|too|not possible|impossible|not enough|can't|cannot|bad for|not work|t work|t manage|t make|not suit|t suit|not fit|t fit|out of the question",
        departs: "retire/retires/retired|quit/quits|resigned|left us|is/has left|has/have left|ended|expired|ran out|runs out|closed down|has/have closed|closed|shut|gave up|given up|died|is/are gone|broke|broke down|is/are broken|burned down|burnt down|burst|is/are full|used up|sold out|is ill|is sick|hurt ~3|moved away|went bankrupt|bankrupt|stopped working|worn out|is/are retired|cracked|leaks|leaked|buckled|jammed|had enough|is/are out|on leave|away|pregnant|fell ill|complained|complaints|leave/leaves/left|step/steps/stepped down|stand/stands/stood down|moved on|resigns|deprecated|is/are off to|off to|on holiday|has/have stopped|stops|went bust|goes bust|pulled out|pulls out|dropped out|drops out|let/lets us down|returned|sent ~4 back|is/are closing",
        since: "from|as of|as from|since|starting|effective|beginning",
        since_ahead: "from as starting effective beginning",
        effective: "before|after",
        until: "until|till|up to|through|by",
        lasts: "until|till",
        offsets: "later|earlier|ago|more|less|longer|shorter|fewer|old|too",
        when: "last/this/next/past week/month/year/night/spring/summer/autumn/winter/season/term|last/this/next/past monday/tuesday/wednesday/thursday/friday/saturday/sunday",
        clock: "at",
        clock_behind: "am|pm|o'clock",
        each: "every|each|once a|once per|per",
        times: "times",
        one: "one",
        free: "free|free of charge|for free|gratis",
        also: "also|as well|additionally|besides|in addition|another|both|extra",
        heir: "the/our/my/your/his/her/their new",
        condition: "if|whether|unless|in case|when|whenever",
        named: "is/are/be/was called|are/is named|named|called|title is|titled|goes by|goes by the name of|runs under|under the name|under the title",
        renames: "renam*|is/are/be now called|now called|is/are/be called ~3 now|is/are called ~4 from now/today/tonight/tomorrow|as of now/today ~4 is/are called|from now/today on ~4 is/are called|is/are called ~6 any more|is/are called ~6 any longer|is/are called ~6 anymore|is/are called ~4 instead of|new name|new title|rechristened|rebranded|calls itself|call it|name change|changes/changed its name|goes by|goes/go by the name of|retitled",
        naming: "name/names/named/naming|call/calls/called|renam*|rename/renames|title",
        once: "formerly|formerly known/called as|formerly called|previously|previously known/called as|previously called|once called|once known as|fka|ex",
        is: "is|are|be|being|means|remains|becomes|become|became|equals",
        at: "in|at|on|inside|near|under|behind|beside|within|next to|in front of|above|below|opposite|by",
        means: "with|using|via|through|by|use/uses/used|in|take/takes|eat/eats|drink/drinks|run/runs on|works/work with",
        of: "from|out of|made of|made from",
        toward: "to|into|through|onto|toward|towards",
        role: "as|for",
        joins: "and|but|or|while|because|so|since|whereas|which|although|though|when|if|as the/it/we/they/he/she/i/this/that",
        because: "because|since|as|when|that|which|who|if|although|though|until|before|after|while|whereas|whenever|where",
        small: "noted recorded saved will shall has have had does did been being get gets got there here very quite just also already yet then than as well only about around i you he she we they me him us them my your his her our their this that these those please ok okay yes go goes going come comes put puts keep kept keeps make makes made take takes use uses used let lets so today tomorrow again back still now every each everybody say says said tell tells told mention mentions mentioned know knows knew mean means meant",
        units: "second|seconds|minute|minutes|hour|hours|day|days|week|weeks|month|months|year|years|euro|euros|dollar|dollars|pound|pounds|cent|cents|percent|ago|metre|metres|meter|meters|kilo|kilos|gram|grams|degree|degrees|litre|litres|liter|liters|mm|cm|km|kg|g|l|ml|mb|gb|kb|ms",
        has_adjectives_before: true,
        bounds: "at most|at least|no more than|not more than|no less than|up to|maximum|minimum|max|limit|limits|limited|capped|cap|not exceed",
        charge: "is/are responsible|take/takes care|look/looks after|looked after|is/are in charge|has charge|takes charge|belongs to|sees to|own/owns",
        stands_for: "it|this|that|they|them|these|those",
        qualifies: "of|for|at|in",
        measures: "cost/costs|price/prices/priced|fee|fees|last/lasts|take/takes|start/starts|begin/begins|end/ends|open/opens|close/closes|finish/finishes|leave/leaves|weigh/weighs|weight|hold/holds|seat/seats|fit/fits|measure/measures|amount/amounts|number|total/totals|size|length|duration|date|deadline|limit/limits|maximum|minimum|due|need/needs|allow/allows|allowed|charge/charges",
        fractions: "900 quarter of an hour|900 quarter hour|1800 half an hour|1800 half hour|2700 three quarters of an hour|5400 hour and a half|5400 one and a half hours|43200 half a day|15778800 half a year|15778800 half year",
        codes: "code|pin|extension|ext|combination|bleep|pager|phone|number|passcode",
        lengths: &[
            (1, "second seconds sec s"),
            (60, "minute minutes min"),
            (3600, "hour hours h"),
            (86400, "day days"),
            (604800, "week weeks"),
            (2629800, "month months"),
            (31557600, "year years"),
        ],
        often: &[
            (3600, "hourly"),
            (86400, "daily"),
            (604800, "weekly"),
            (1209600, "fortnightly"),
            (2629800, "monthly"),
            (7889400, "quarterly"),
            (31557600, "yearly annually"),
        ],
        states: ["off disabled inactive deactivated", "on enabled active activated"],
        repeats: &[(1, "once"), (2, "twice"), (3, "thrice")],
    },
    questions: Questions {
        disagreeing: "disagree disagrees disagreed disagreeing disagreement disagreements argue argues argued dispute disputes disputed quarrel quarrelled",
        openings: &[
            ("how many", Asks::Amount),
            ("how much", Asks::Amount),
            ("how long", Asks::Amount),
            ("how large", Asks::Amount),
            ("how big", Asks::Amount),
            ("how far", Asks::Amount),
            ("how old", Asks::Amount),
            ("how fast", Asks::Amount),
            ("how hot", Asks::Amount),
            ("how warm", Asks::Amount),
            ("how cold", Asks::Amount),
            ("how high", Asks::Amount),
            ("how deep", Asks::Amount),
            ("how wide", Asks::Amount),
            ("how thick", Asks::Amount),
            ("how tall", Asks::Amount),
            ("how heavy", Asks::Amount),
            ("how early", Asks::When),
            ("how late", Asks::When),
            ("which version", Asks::Amount),
            ("what version", Asks::Amount),
            ("how often", Asks::Often),
            ("how come", Asks::Reason),
            ("what made", Asks::Reason),
            ("what caused", Asks::Reason),
            ("what causes", Asks::Reason),
            ("what stopped", Asks::Reason),
            ("what kept", Asks::Reason),
            ("what broke", Asks::Reason),
            ("what led", Asks::Reason),
            ("what went wrong", Asks::Reason),
            ("what was wrong", Asks::Reason),
            ("what triggered", Asks::Reason),
            ("what explains", Asks::Reason),
            ("what is behind", Asks::Reason),
            ("what was behind", Asks::Reason),
            ("what is the cause", Asks::Reason),
            ("what was the cause", Asks::Reason),
            ("what is the reason", Asks::Reason),
            ("what was the reason", Asks::Reason),
            ("where … come from", Asks::Reason),
            ("where … came from", Asks::Reason),
            ("how did", Asks::Change),
            ("how has", Asks::Change),
            ("how have", Asks::Change),
            ("what changed", Asks::Change),
            ("how do", Asks::Way),
            ("how can", Asks::Way),
            ("how to", Asks::Way),
            ("how should", Asks::Way),
            ("what time", Asks::When),
            ("what day", Asks::When),
            ("which day", Asks::When),
            ("what is still", Asks::Open),
            ("what are the open", Asks::Open),
            ("still open", Asks::Open),
            ("still to do", Asks::Open),
            ("when", Asks::When),
            ("why", Asks::Reason),
            ("where", Asks::Way),
            ("who", Asks::Person),
            ("whom", Asks::Person),
        ],
        things: "what which whose",
        stated: "is are isn isn't aren aren't do does don don't doesn doesn't should shouldn shouldn't must mustn mustn't can can't may not",
        reported: "ask|asks|asked|wonder|wonders|wondered|wants? to know|wanted to know|would like to know",
        moments: "monday tuesday wednesday thursday friday saturday sunday noon midday midnight spring summer autumn winter",
        repeats: "every daily weekly monthly yearly hourly times once twice",
        reasons: "because since due reason cause caused therefore otherwise avoid prevents",
        changes: "instead from now new changed moved became raised lowered replaced",
        open: "open todo pending waiting waits yet remaining unfinished next",
        early: "initial initially original originally first early earliest baseline kickoff onboarding",
        late: "current currently latest now final finally still updated today remaining",
        past: "was were did had used",
        course: "how did/has/have/had ~8 change/changed/evolve/evolved/develop/developed/progress/progressed/shift/shifted/vary/varied/move/moved|how ~8 changed/evolved|how did ~8 come to be|history of|over time|over the month/months/week/weeks/year/years/days|what changed about/in/with|what has changed about/in/with|what became of|what happened to|what ~6 used to be|what has ~6 been so far|how did/has/have/had ~8 rise/risen/fall/fallen/grow/grown/shrink/shrunk/fluctuate/fluctuated|how did/has/have/had ~8 go/gone up and down|how ~8 up and down|what/which ~5 have/has there been|what/which ~5 has/have ~6 had so far|what/which ~4 have/has ~6 had|was/were/did ~10 each/every time|which/what/how ~2 days/dates/times ~6 planned|what/which ~5 were there so far|what did/have ~3 switch/switched/change/changed/move/moved/migrate/migrated ~6 from|from what to what|one after the other|one after another|in what order ~8 changed|over the course of|through the months/weeks/years|how often/many was/were/has/have/times ~8 changed/moved/postponed/raised/lowered/renamed/replaced|what has become of|what ~5 became of",
        first_of_all: "originally|initially|at first|at the start|at the beginning|at the outset|in the beginning|from the start|to begin with|to start with|was/were/did/had ~8 first|first ~3 was/were/be|the first version/value/plan/choice/date/price|the original/initial",
        before: "before|prior to",
        formerly: "previously|formerly|beforehand|the previous|the former|the old|used to|predecessor|earlier|back then",
        turns: "switch*|mov*|chang*|replac*|migrat*|chose/choose/chosen|decid*|decision|rais*|lower*|increas*|reduc*|cut|drop*|gave up|give up|stopp*|stop|took over|take over|taken over|renam*|postpon*|adopt*|abandon*|shift*|revers*|revert*|convert*|swap*|go/went over|updat*|extend*|shorten*|doubl*|halv*|introduc*|put off|push* back|brought forward|bring forward|call* off|delay*",
        since_when: "since when|from when",
        was: "was|were|did|had|used|*ed|chose|took|gave|cut|went|came|became|made",
        askers: "we|us|our|ours|i|they|there|it|twice|times|again|ever|already|exactly",
        why: "because|due to|so that|in order to|since it/they/we/the/there|as it/they",
        early_runs: &["at the start", "from the start", "before the change", "before it was"],
        late_runs: &["as of", "most recent", "by the end"],
        what_is: &["what is ", "what's ", "what are ", "what was ", "define ", "who is "],
        how: &["how ", "why ", "when ", "where "],
        commands: &[
            "how do i",
            "how do we",
            "how do you",
            "how can i",
            "how can we",
            "how to",
            "which command",
            "what command",
            "what do i run",
        ],
        answer_openers: &[
            "let me",
            "let s",
            "now let me",
            "now i",
            "i ll",
            "i will",
            "i m going to",
            "great",
            "perfect",
            "excellent",
            "good",
            "sure",
            "okay",
            "ok",
            "alright",
            "you re right",
            "you re absolutely right",
        ],
        kept: "before after between during until only once own same other over under through against again now off up \
        down",
        dates: "date dates day days deadline when",
        prices: "price prices cost costs fee fees amount budget money sum sums rent wage wages salary",
        times: "time times hour hours duration *time",
        amounts: "number numbers count counts size sizes figure figures quantity level levels limit limits threshold thresholds maximum minimum share shares percentage rate many",
        names: "name names title titles called",
        ..Questions::NONE
    },
    abbreviations: "approx cf dr e.g eg i.e ie mr mrs prof resp st v vs",
    abbreviations_before_numbers: "art ch eq fig max min no nos p pp s sec tab vol",
    abbreviations_either: "al co corp est etc inc jr ltd sr",
    openers: "A After All An And As At Because But By Each Every For From He Her His How However I If In It Its No Not On Or Our She Since So That The Their Then There These They This Those To Use We What When Where Which While Who Why With You Your",
    abbreviations_in_turns: "e.g i.e vs cf approx mr mrs dr fig",
    periods: Periods {
        happened: "what happened|what has happened|what s happened|what went on|what was going on|what was/got done|what did we/i/you/they/everybody do|what did the team do|what have we/i/they done|what we did|what was achieved/accomplished|what did we achieve/accomplish/work on|what were we working on|summary of|summarise/summarize|sum up|recap/recap of|overview of|review of|roll up of|rollup of|highlights of|what is/was new|what s new|how was|what came of",
        decided: "what was/were decided|what did we/they/you decide|what has been decided|what have we decided|which/what decisions|decisions made/taken|decisions of/from/in",
        changed: "what changed|what has/s changed|what was changed|which/what changes|what did we change|changes of/from/in",
        learned: "what did we/i/they learn|what was learned/learnt|what have we learned/learnt|which/what lessons|lessons learned/learnt|lessons of/from/in|what did we/i/they find|what was found|what have we found|what turned out|what did we/i/they discover|what was discovered",
        ruled: "from now on|from today/tomorrow/monday/tuesday/wednesday/thursday/friday|from the next|as of|instead|no longer|not any more|any more|must|always|never|rule|agreed|decided|decision|settled|at most|at least|everybody|nobody|is/are out|back to|now costs/cost|goes/go up/down|we keep/take/use/stay/switch/switched/move/moved/build|moved/moves to",
        found: "found|showed/shows/shown|measured|turned/turns out|noticed|because|reason|cause/causes/caused|discovered|learned/learnt|why|proved/proves|it was|fault|bug",
        idle: "give/show/tell/me/please/can/could/you|a/an/the/all/short/brief/quick|we/us/our/i/they|the team|everything|anything|week/weeks/month/months/year/years|were/was/made/make/taken/take/done|during/over/within/throughout|so far|journal/project|and",
    },
    actions: Actions {
        asked: "open/pending/outstanding/unfinished/remaining ~1 task/tasks/action/actions/point/points/item/items/end/ends/todo/todos|task/tasks ~5 open/left/pending/outstanding/unfinished/remaining|action item/items|left to do/finish|left to be done|still to do|still to be done|remains/remaining to be done|still open|loose ends|to do list|todo/todos|what is/s open|what are open|not done yet|what is/s/are pending|still have/has/need/needs to do",
        idle: "give/show/tell me|list|please|right now|now|today|currently|at the moment|do/does|have/has|need/needs|we/us/i/me/my/our|all|everything|anything|things|work|still|yet",
        label: "still open|to do|todo|todos|still to do|next step/steps|follow up/ups|followup/followups|remaining|left to do|action item/items|task/tasks without an owner|open/new task/tasks without an owner|task/tasks|open/new task/tasks/question/questions/item/items/point/points/end/ends",
        owned_by: "for of",
        several: "tasks items points steps todos ups followups questions ends",
        and: "and then",
        is: "is|are|was|were|has been|have been|got",
        did: "i|we|i have|we have|i ve|we ve",
        has: "has",
        beside: "now all both already finally also just",
        name: "task|tasks|to do|todo|action item/items",
        taken_back: "no he/she/they/we/i did|no he/she/they/we/i has/have/ve done|no already done|no that/it is/s/was done|no done already",
        parting: "",
        staying: "",
    },
    code: Code {
        left_before: "removed|remove|deleted|delete|dropped|drop|retired|retire|renamed|rename|replaced|replaces|replacing|supersedes|superseded|removing|deleting|renaming|moved|move|moving|moved ~3 from|move ~3 from|moving ~3 from|extracted|extracted ~3 from|split|merged|merge|no|without|not|never|avoid|avoids|against|instead of|in place of|rather than|unlike|was/were called|was/were named|used to be called|was once|there was/were|isn t there a|there isn t a|there is no|like|such as|for example|e g|looks like|say|add|adding|create|creating|introduce|generate|generates|generating|scaffold|write|writes|writing|produces|emits|outputs|prints|saves|to be called|formerly|previously|does not have|do not have|has no|have no|missing|lacks|old|legacy|former",
        left_behind: "was/were/is/are/been/got/being ~1 removed/deleted/dropped/renamed/moved/replaced/retired/superseded/split/merged/gone/inlined/extracted/folded/missing/obsolete|has/have/had been ~1 removed/deleted/dropped/renamed/moved/replaced/retired/superseded/split/merged/inlined/extracted|no longer|not any longer|is/are/was/were gone|is/are/was/were no more|does/do/did not exist|doesn t exist|did not exist|don t exist|not exist|not yet|does not yet|will|shall|would|should be ~1 added/created|to be added/created/written|became|went away|once|used to|is/are planned|is/are now|is/are deprecated|was/were deprecated|exists|exist|is/are not implemented|isn t implemented",
        moods: "should|could|would|might|todo|to do|plan|plans|planned|proposal|propose|proposes|proposed|wish|let s|we need to|needs to|shall",
        elsewhere: "upstream|standard library|in/of the codemark/other/old repository/repo/project/service/crate/package|their repository/repo/project|another/other repository/repo/project|different repository/repo/project",
        between: "the|a|an|our|its|their|this|that|old|new|former|and|or|both|also|file|files|folder|all|any|of|more|function|method|class|module|script|page|calls|to|using|calling|first|now",
        kinds: "function/functions|method/methods|class/classes|struct/structs|trait/traits|enum/enums|interface/interfaces|constant/constants|type/types|helper|macro|module|decorator|component|hook|test",
        inside: "in|inside|within|is in|lives in|live in|stands in|is defined in|are defined in|defined in|declared in|implemented in|is implemented in|found in|is found in|exported from|is exported from|the|file|the file",
    },
    pages: pages::PAGES,
    work: work::WORK,
    sessions: sessions::SESSIONS,
    senses: senses::SENSES,
};
