//! What grounds a claim, one line a case; the last list is what is missing.

use super::*;
use proptest::prelude::*;

const DAY: &str = "2026-02-10";

#[track_caller]
fn check(claim: &str, cited: &str, expected: &[&str]) {
    let day = DAY.parse().expect("a date");
    let found = missing(claim, &[cited], Some(day), &|name| name == "oven");
    let shown: Vec<String> = found.iter().map(|missing| format!("{:?} {}", missing.kind, missing.text)).collect();
    assert_eq!(shown, expected);
}

#[test]
fn numbers_are_compared_by_value() {
    check("It takes 15 minutes.", "a 15-minute run", &[]);
    check("It takes fifteen minutes.", "15 min", &[]);
    check("It takes 15 min.", "fünfzehn Minuten", &[]);
    check("1,000 pages, 1.000 rows and 1k words", "1000 of each", &[]);
    check("1 000 pages", "1000 pages", &[]);
    check("1000 pages", "1 000 pages", &[]);
    check("50% is $5", "50 percent are 5 dollars", &[]);
    check("The mask is 0x1f.", "31", &[]);
    check("2 million rows", "2M rows", &[]);
    check("twenty-five pages", "25 pages", &[]);
    check("The course costs 420.", "so four hundred twenty, from today", &[]);
    check("The course costs 425.", "four hundred and twenty-five", &[]);
    check("There are 1,200 pages.", "twelve hundred, twenty of them new", &[]);
    check("The course costs 400.", "so four hundred twenty, from today", &["Number 400"]);
    check("the 3rd try", "the third try", &[]);
    check("It costs 3.50.", "3,5 Euro", &[]);
    check("Call at 2:30 PM.", "at 14:30", &[]);
    check("It takes 20 minutes.", "15 minutes", &["Number 20"]);
    check("It takes three days.", "two days", &["Number three"]);
    check("at 3:30 PM", "at 14:30", &["Number 3:30"]);
    check("5 pages", "on 5 March 2026", &["Number 5"]);
}

#[test]
fn a_length_of_time_is_no_date_and_neither_is_a_weekday_of_each_week() {
    check("Corvane offers boards in three weeks.", "Corvane: they say three weeks, and 60 cents more.", &[]);
    check("Corvane offers boards in 3 weeks.", "It offers three weeks.", &[]);
    check("Friday reports and review", "I want a report of half a page on Fridays.", &[]);
    check("Boards come in three weeks.", "They say four weeks for two boards.", &["Date in three weeks"]);
    check("Boards come in three weeks.", "They say three days.", &["Date in three weeks"]);
    check("Boards come three weeks ago.", "They come in three weeks.", &["Date three weeks ago"]);
    check("The report is for Friday.", "The report is for Monday.", &["Date Friday"]);
}

#[test]
fn a_day_may_be_written_short_or_beside_another_one() {
    check("The shop opens on Tuesday and Saturday.", "Tue–Sat, nine to one", &[]);
    check("The oven was shut from Saturday.", "oven shut sat 12.40", &[]);
    check("The market is on 11 February and 12 February.", "market 11/12 February", &[]);
    check("The loan ends on 20 February.", "the loan ends on the 20th", &[]);
    check("The mill opens on 11 February.", "the mill opens tomorrow", &[]);
    check("The mill opens tomorrow.", "mill opens tmrw", &[]);
    check("The shop opens on Wednesday.", "Tue–Sat, nine to one", &["Date Wednesday"]);
    check("The market is on 13 February.", "market 11/12 February", &["Date 13 February"]);
    check("The mill opens on 12 February.", "the mill opens tomorrow", &["Date 12 February"]);
    check("The mill stood still in February.", "in feb the mill stood still", &[]);
    check("Im Oktober stand die Mühle still.", "im okt stand die mühle still", &[]);
    check("The mill stood still in November.", "in feb the mill stood still", &["Date November"]);
    check("It was filled again from 2026-03-12 on.", "`mill fill --from 2026-03-12 --dry`", &[]);
    check("It was filled again from 2026-03-12 on.", "`mill fill --from 2026-03-121 --dry`", &["Date 2026-03-12"]);
}

#[test]
fn a_sentence_that_only_denies_a_word_denies_it_of_what_stands_before() {
    let shows = "So the app says dry, moist, wet, and if you press on it for a second it shows the percent.";
    let claim = "The app says dry, moist, wet and not percent; if you press on it for a second it shows the percent.";
    check(
        claim,
        &format!("We should explain three words: dry, moist, wet. Not percent. Percent of what?\n{shows}"),
        &[],
    );
    check(claim, &format!("It does not ring. {shows}"), &["Negation not"]);
}

#[test]
fn versions_are_numbers() {
    check("Move to v1.2.3.", "version 1.2.3", &[]);
    check("Use Node 22.", "Node v22.3.1", &[]);
    check("Move to v1.2.4.", "version 1.2.3", &["Number 1.2.4"]);
}

#[test]
fn dates_are_compared_by_day() {
    check("On 2026-02-09 it broke.", "It broke yesterday.", &[]);
    check("On 2026-02-10 it broke.", "It broke.", &[]);
    check("On 10 February 2026 it broke.", "2026-02-10", &[]);
    check("On Jan 7 it broke.", "7 January 2026", &[]);
    check("In January 2026 it broke.", "2026-01-07", &[]);
    check("In 2026-W02 it broke.", "2026-01-07", &[]);
    check("It broke last week (2026-W06).", "It broke last week.", &[]);
    check("Am 9. Februar 2026", "Gestern brach es.", &[]);
    check("It broke on `2026-01-07`.", "7 January 2026", &[]);
    check("On 2026-01-08 it broke.", "7 January 2026", &["Date 2026-01-08"]);
    check("On 2026-01-07 it broke.", "in January 2026", &["Date 2026-01-07"]);
    check("It broke yesterday.", "It broke on 2026-01-07.", &["Date yesterday"]);
}

#[test]
fn names_are_found_in_other_spellings() {
    check("They use RefreshToken here.", "refresh tokens are used", &[]);
    check("They use Refresh Tokens here.", "`refreshToken`", &[]);
    check("ask Ada's team", "Ada said so", &[]);
    check("Call `max_retries`.", "maxRetries", &[]);
    check("They chose JWTs.", "JSON web tokens", &[]);
    check("The file is src/auth.rs.", "in `src/auth.rs`", &[]);
    check("See [[oven]] and [[refresh-token]].", "refresh tokens", &[]);
    check("We asked Ada.", "We asked Grace.", &["Name Ada"]);
    check("They use PostgreSQL.", "They use SQLite.", &["Name PostgreSQL"]);
    check("The file is src/auth.rs.", "the file is src/token.rs", &["Name src/auth.rs"]);
    check("Run `ken lint`.", "run ken compile", &["Name ken lint"]);
    check("See [[flour]].", "see the oven", &["Name flour"]);
}

#[test]
fn capitals_that_begin_a_sentence_or_a_german_noun_are_no_names() {
    check("Rotation is done. Secrets move.", "keys are changed", &[]);
    check("Decision: Rotate them.", "keys are changed", &[]);
    check("Wir haben die Datenbank und den Speicher gewechselt.", "changed", &[]);
}

#[test]
fn quotes_are_compared_word_for_word() {
    check("She said “keep it  Simple, please”.", "\"Keep it simple, please\"", &[]);
    check("She said \"keep it … always\".", "keep it simple and short, always", &[]);
    check("She said \"keep it simple\".", "keep things simple", &["Quote keep it simple"]);
    check("the \"hot oven\"", "an oven that is hot", &[]);
}

#[test]
fn a_not_of_one_side_only_is_missing() {
    check("Flour comes no longer from Ada.", "Flour comes from Ben, who replaces Ada.", &[]);
    check("Flour comes no longer from Ada.", "Flour comes from Ada and Ben.", &["Negation no"]);
    check("We bake at most 80 rolls by eight.", "Never bake more than 80 rolls by eight.", &[]);
    check("The cache does not survive restarts.", "The cache survives restarts.", &["Negation not"]);
    // What was replaced stands beside what took its place, and German has `not` last.
    check(
        "~~Beschluss: wir kaufen die KX-Presse Kupfer K84, 2400 Euro, weil die Backgruppe sie seit einem Jahr will~~ until 2026-02-10; now: Die KX kaufen wir doch nicht.",
        "- Beschluss: wir kaufen die KX-Presse Kupfer K84, 2400 Euro, weil die Backgruppe sie seit einem Jahr will.\n- Die KX kaufen wir doch nicht. 2026-02-10",
        &[],
    );
    // Of several sentences the one that negates is compared, whichever of them is the longest.
    let several = "The cache is a file, not a table. Whoever looks for the rows of the bakery finds them in the file by their name.";
    check(several, several, &[]);
    check(several, "The cache is a file and a table.", &["Negation not"]);
    check(
        "The cache survives a restart.",
        "The cache never survives restarts.",
        &["Negation The cache survives a restart."],
    );
    check("We use pnpm here.", "We use pnpm here, not npm.", &[]);
    // A clause that ends with a mark negates nothing behind it.
    let lost = "not in the day! the oven stalls the mill when it heats, we lost a day in may";
    check("The oven stalls the mill when it heats; a day was lost in May.", lost, &[]);
    check(
        "Run it in the day, the oven heats.",
        "do not run it in the day! the oven heats.",
        &["Negation Run it in the day, the oven heats."],
    );
    // What another sentence of the lines says without it does not take it back.
    check(
        "The warranty is two years, not three, on everything including the valves.",
        "They ask about the warranty. It's two years. Not three, two, on everything including the valves. Warranty: two years on everything, including the valves.",
        &[],
    );
    check(
        "CI runs nightly with the hardware rig for fifty minutes; the rig must not be powered off at night.",
        "CI runs nightly and takes fifty minutes with the hardware rig. The hardware rig must not be powered off at night.",
        &[],
    );
    check("The oven is not hot at noon.", "The oven is hot at noon. The mill is not hot.", &["Negation not"]);
    check("The cache does not survive restarts.", "The cache is lost without power at restarts.", &[]);
}

#[test]
fn several_spans_are_one_text() {
    let cited = ["Ada was there.", "It took 15 minutes."];
    assert_eq!(missing("Then Ada took 15 minutes.", &cited, None, &|_| false), Vec::new());
}

#[test]
fn overlap_is_the_share_of_content_words() {
    assert_eq!(overlap("Tokens rotate daily.", &["rotating a token"]), 2.0 / 3.0);
    assert_eq!(overlap("and then", &[""]), 1.0);
    assert_eq!(overlap("Flour is cheap.", &["the oven"]), 0.0);
}

#[test]
fn a_name_is_found_where_its_letters_begin_earlier() {
    check("__v vV", "__v vV", &[]);
}

proptest! {
    #[test]
    fn what_stands_there_word_for_word_is_grounded(text in "[A-Za-z0-9 .,:'`\"$%/_-]{0,80}") {
        prop_assert_eq!(missing(&text, &[&text], None, &|_| false), Vec::new());
    }

    #[test]
    fn any_text_has_an_answer(claim in "(?s).{0,120}", cited in "(?s).{0,120}") {
        let _ = missing(&claim, &[&cited], None, &|_| false);
        prop_assert!((0.0..=1.0).contains(&overlap(&claim, &[&cited])));
    }
}

#[test]
fn a_weekday_stands_for_its_date_near_the_day_of_the_text() {
    let day = Some("2026-05-08".parse().expect("a day"));
    let missing = |claim: &str| super::missing(claim, &["From Saturday a loaf costs 2."], day, &|_| false).len();
    assert_eq!(missing("From Saturday 9 May a loaf costs 2."), 0);
    assert_eq!(missing("From 9 May a loaf costs 2."), 0);
    assert_eq!(missing("From 10 May a loaf costs 2."), 1);
}
