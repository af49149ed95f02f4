//! The words of English.

use rust_stemmers::Algorithm;

use super::lexicon::Lexicon;

/// English.
pub(super) const ENGLISH: Lexicon = Lexicon {
    name: "english",
    stemmer: Some(Algorithm::English),
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
        would wouldn yes yet you your yours tell show explain describe",
    weak: "able goes gone going readme license changelog todo pr prs api apis src lib pkg cmd kb mb gb tb ms delete \
        release accept arrive close open answer begin begun access account across act action actual actually add \
        added additional address adjust allow allowed almost along already always among amount another anyway \
        app appear application apply approach appropriate area ask asked aspect assume attempt available avoid \
        back bad base based basic basically become behavior behaviour behind best better big bit block body \
        bottom break bring broken bug build call case cause certain change check choose clean clear clearly code \
        come command comment common compare complete completely concern confirm consider contain content context \
        continue control copy correct correctly cost count couple course create current currently cut data date \
        day deal decide decision default define definition depend describe description design detail determine \
        develop developer difference different directly discuss doc document documentation drop easy edge edit \
        effect effort empty enable end ensure enough entire entirely entry environment error especially even \
        event exact exactly example except exist existing expect explain extra fact fail failure fairly false \
        far fast feature feel field figure file final finally find fine finish first fit fix flag follow \
        following force form format found free fresh full fully function future gather general generate get give \
        given go goal good great group grow guess half handle happen hard head help helper hence high hit hold \
        hour idea identify ignore implement implementation important improve include including incorrect indeed \
        info information initial inside instance instead integrate integration intend interest internal \
        introduce involve issue item job keep key kind know known lack large last late later latest layer lead \
        leave left length less level line link list little live load local location log logic long look loop \
        lose lot low main maintain major make manage manual many mark match matter maybe mean meaning mention \
        merge message method minimal minor minute miss missing mode modify moment month move multiple name \
        natural near necessary need never new next nice normal note notice number object obvious occur offer old \
        operation option optional order original otherwise output outside overall page part particular pass past \
        path pattern perform perhaps pick piece place plan play point possible possibly potential prefer prepare \
        present pretty prevent previous previously print probably problem proceed process produce program \
        project proper properly provide pull purpose push put question quick quickly quite raise range reach \
        read ready real realise realize reason recent recently recommend record reduce refer reference regard \
        relate relevant remain remember remove rename repeat replace report represent request require \
        requirement resolve respect rest result return review right root row rule run safe save say scan scope \
        second section see seem select send sense separate serve set setting setup several share short side sign \
        significant similar simple simply single size skip slow small software solution solve soon sort sound \
        source specific specifically stand standard start state statement status stay step stop store \
        straightforward string structure stuff style suggest suggestion summary support suppose sure switch \
        system table take talk task team technical term test text think thought three thus time together tool \
        top total touch track true try turn twice two type typical typically understand unique unit unless \
        unlike update upper use used useful user using usual usually valid value variable various verify version \
        view wait walk want watch way week whatever whenever whole wide wish wonder word work worker worth write \
        wrong year yesterday tomorrow tonight also certainly four five six seven eight nine ten hundred thousand \
        weekday monday tuesday wednesday thursday friday saturday sunday january february march april june july \
        august september october november december morning evening afternoon acceptable accord alternative \
        assistant beginning belong bound brief capture catch caught chance clarify collect combine consist \
        consistent correspond costly cover customer deep deliver detect distinct double dozen early either enter \
        equal exceed explicit explicitly express extend extract face feed fill fire gain grab happy heavy held \
        hope identical immediate immediately imply independent inspect instant isolate join jump kick land leak \
        lower measure mostly narrow obtain oversee owner pair partial pay people person pin plain plenty pop \
        post predict prove quality quiet quietly rare rarely reject rely remind reserve restore reuse rise roll \
        round satisfy sell sensible sent settle shape ship shop shrink shut silent silently sit slight slightly \
        slip smart smooth sometimes speak spend split stable stick strict strictly strong succeed success \
        successful sudden suit surface sustain thin thoroughly tie tight tiny tough trace treat trigger trivial \
        unable unclear unexpected unnecessary unused upcoming useless vary wrap yield zero agree agreed bought \
        built chose chosen came did done drove fell felt gave got grew heard kept knew led let lost made meant \
        met moved paid ran rose said sat saw seen shown sold spent stood taken taught told took tried understood \
        went won wrote written",
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
    ..Lexicon::NONE
};
