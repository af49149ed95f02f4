//! Forms of English words that no rule of endings leads back to their base.
//!
//! Forms that are another word as often are left out: `left`, `rose`, `saw`, `bit`, `ground`, `bound`, `wound`, `lives`; and
//! `said`, which tells nothing of what a sentence is about. Nouns of what is done, which whoever asks says with the verb, are
//! forms of it (`delivery`, `decision`), as long as they are not mostly said of something else (`reception`, `operation`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A base form and the forms of it, a line each.
const FORMS: &str = "\
become became
begin began begun
bend bent
bite bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen choice choices
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown growth
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lean leant
learn learnt
lend lent
lose lost loss losses
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame
override overrode overridden
overtake overtook overtaken
pay paid payment payments
prove proven
rebuild rebuilt
redo redid redone
resell resold
rethink rethought
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise risen
run ran
see seen
seek sought
sell sold sale sales
send sent
shake shook shaken
shine shone
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
sow sown
speak spoke spoken
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
stink stank
stride strode
strike struck
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
undertake undertook undertaken
undo undid undone
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
calf calves
child children
foot feet
goose geese
half halves
knife knives
loaf loaves
man men
mouse mice
ox oxen
shelf shelves
thief thieves
tooth teeth
wife wives
wolf wolves
woman women
absent absence
advise advice
agree agreement agreements
analyse analysis analyses analyze analyzed analyzing analyzes
arrive arrival arrivals
approve approval approvals
believe belief beliefs
breathe breath
collide collision collisions
compare comparison comparisons
conclude conclusion conclusions
consume consumption
decide decision decisions
deep depth
deliver delivery deliveries
deny denial denials
depart departure departures
describe description descriptions
die death deaths
discover discovery discoveries
distant distance distances
divide division divisions
expire expiry
extend extension extensions
fail failure failures
frequent frequency frequencies
high height heights
inquire inquiry inquiries
injure injury injuries
leak leakage
long length lengths
maintain maintenance
marry marriage
omit omission omissions
permit permission permissions
persuade persuasion
privacy private
propose proposal proposals
prove proof proofs
reduce reduction reductions
refuse refusal refusals
recover recovery recoveries
remove removal removals
renew renewal renewals
revise revision revisions
safe safety
ship shipment shipments
short shortage shortages
store storage
strong strength
submit submission submissions
subscribe subscription subscriptions
suspend suspension suspensions
treat treatment treatments
use usage
weigh weight weights
wide width widths";

/// Returns the base form of an irregular one.
pub(crate) fn base(form: &str) -> Option<&'static str> {
    static BASES: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
        let forms = |line: &'static str| {
            let mut words = line.split(' ');
            let base = words.next().unwrap_or("");
            words.map(move |form| (form, base))
        };
        FORMS.lines().flat_map(forms).collect()
    });
    BASES.get(form).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::stem;

    #[test]
    fn irregular_forms_meet_their_base() {
        for (form, base) in [("held", "hold"), ("kept", "keeping"), ("chosen", "chooses"), ("children", "child")] {
            assert_eq!(stem(form), stem(base), "{form}");
        }
        assert_eq!(stem("ran"), stem("run"));
    }

    #[test]
    fn words_that_mean_something_else_as_often_stay() {
        assert!(["left", "rose", "bit", "ground", "bound"].iter().all(|word| base(word).is_none()));
    }

    #[test]
    fn no_form_has_two_bases_and_no_base_has_another() {
        let forms: Vec<&str> = FORMS.lines().flat_map(|line| line.split(' ').skip(1)).collect();
        let mut unique = forms.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), forms.len());
        assert!(FORMS.lines().filter_map(|line| line.split(' ').next()).all(|word| base(word).is_none()));
    }
}
