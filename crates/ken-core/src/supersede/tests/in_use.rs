//! What is in use, on or off, or of an amount, and what takes its place.

use super::*;

#[test]
fn what_is_in_use_ends_with_what_takes_its_place_whatever_it_is_used_for() {
    for (earlier, later) in [
        ("We use nginx.", "We replaced nginx with caddy."),
        ("We use nginx as the gateway.", "Correction: we replaced nginx with caddy."),
        ("nginx is our reverse proxy.", "We replaced nginx with caddy."),
        ("The gateway uses nginx instead of apache.", "The gateway uses caddy instead of nginx."),
        ("Deploys use Helm.", "We moved from Helm to Kustomize."),
        ("We use RabbitMQ between ingest and the workers.", "Decision: NATS takes the place of RabbitMQ."),
        ("We use tabs.", "Correction: we use spaces, not tabs."),
        ("The backup runs at night.", "The backup runs at noon instead of at night."),
        ("The API authenticates with cookies.", "The API authenticates with signed tokens instead of cookies."),
        ("Images are stored on local disk.", "Images are stored in the bucket instead of on local disk."),
        ("Wir verwenden Jenkins.", "Wir haben Jenkins durch Travis ersetzt."),
        ("Nous utilisons nginx.", "Nous avons remplacé nginx par caddy."),
        ("Usamos nginx.", "Hemos sustituido nginx por caddy."),
        ("Usiamo nginx.", "Abbiamo sostituito nginx con caddy."),
    ] {
        check(earlier, later, Some(Evidence::Pair));
    }
    check("We use Celery for jobs.", "We dropped Celery.", Some(Evidence::End));
    for (earlier, later) in [
        ("We use nginx.", "We considered replacing nginx with caddy."),
        ("We use nginx in production.", "We replaced nginx with caddy in the demo."),
        ("We use nginx.", "Replace nginx with caddy."),
        ("Deploys use Helm.", "The blog moved from Helm to a static page."),
        ("Breadbot answers the customers.", "Breadbot was renamed to Ovenbird, and the customers were told."),
        ("A sensible use of a clock.", "The sentences exist: soil instead of a clock."),
        ("Alerts go to Slack.", "Critical alerts go to PagerDuty instead of Slack."),
        ("Alerts go to Slack.", "Alerts go to PagerDuty, too."),
        ("The queue is Redis.", "We now monitor the queue with Grafana."),
        ("A customer pays when the loaf is ready.", "A customer who has paid must never read that the loaf is gone."),
        ("Users log in with a password.", "Users no longer complain about the password form."),
        ("The worker pool has 4 threads.", "On the big machine the worker pool has 8 threads now."),
        ("The token expires after 24 hours.", "Suppose the token expires after 12 hours now."),
    ] {
        check(earlier, later, None);
    }
}

#[test]
fn a_state_and_a_value_with_its_unit_change_as_amounts_do() {
    for (earlier, later) in [
        ("The feature flag is off.", "The feature flag is on now."),
        ("The timeout is 30s.", "The timeout is 60s now."),
        ("Ingest listens on 8085.", "Ingest listens on 9410 as of this morning."),
        ("The primary runs Postgres 14.", "The primary runs Postgres 16 since 6:40."),
        ("Redis keeps the state for 60 seconds now rather than 300.", "Redis keeps the state for 90 seconds now."),
        ("Der Filter ist aus.", "Der Filter ist jetzt eingeschaltet."),
        ("Rye budget 3,800 euros.", "The rye budget falls to 3,200 euros."),
    ] {
        check(earlier, later, Some(Evidence::Change));
    }
    check("The full price is 24 euros.", "The full price rises from 24 to 27 euros.", Some(Evidence::Pair));
    let on = "The flag is on for all shops since 8:30.";
    check(on, "The flag is off again since eight, except for Acme.", Some(Evidence::End));
    check("Interval 20 minutes.", "The interval is 25 minutes.", Some(Evidence::Restated));
    check("Leo Brown plays Widow Thorn.", "Ada Cole plays Widow Thorn in place of Leo Brown.", Some(Evidence::Pair));
    check("The oven is on the roof.", "The oven is off the table now.", None);
    check("A class has 8 children.", "A class has no more than 8 children.", None);
}

#[test]
fn who_does_it_in_somebody_s_place_or_from_a_day_on_takes_the_place_whatever_the_words() {
    let known = "Yesterday we met Ada, Ben, Cleo and Leo.";
    let days = [1, 5, 9].map(|day| Date::constant(2026, 3, day));
    let checks = |earlier: &str, later: &str, expected: Option<Evidence>| {
        let all = [(days[0], known), (days[1], earlier), (days[2], later)];
        let found = replaced(&said(&all));
        assert_eq!(found[1].map(|found| found.evidence), expected, "{earlier} / {later}");
        assert_eq!(found[0], None);
    };
    for (earlier, later, evidence) in [
        ("Leo takes the pictures.", "Ada takes the pictures in place of Leo.", Evidence::Pair),
        ("Photographer: Leo.", "Ada is the photographer instead of Leo.", Evidence::Pair),
        ("Leo is the fire warden.", "Ada is fire warden now.", Evidence::Change),
        ("I approve the recipes.", "Ada approves the recipes now, and keeps doing so.", Evidence::Change),
    ] {
        checks(earlier, later, Some(evidence));
    }
    checks("Leo is away until 17 April.", "From 10 March Ada owns the support rota instead of Leo.", None);
    checks("Leo takes the pictures.", "Ada takes the money instead of Leo.", None);
}

#[test]
fn a_day_at_the_end_says_since_when_something_is_so() {
    for (earlier, later) in [
        ("The full fare is 27 euros.", "The full fare is 26 euros since this morning."),
        ("The full fare is 27 euros.", "The full fare is 26 euros since yesterday."),
        ("Status page: Fernhost.", "The status page is at Cairn since Sunday evening, because Fernhost costs more."),
        ("Status page: Fernhost.", "So I've moved the status page to Cairn over the weekend."),
        ("Ada is the baker.", "Cleo is the baker now."),
        ("The fair opens on 17 April.", "The fair opens on 24 April, a week later, because of the flu."),
        ("Die Messe öffnet am 17. April.", "Die Messe öffnet am 24. April, eine Woche später."),
        ("La foire ouvre le 17 avril.", "La foire ouvre le 24 avril, une semaine plus tard."),
        ("La fiera apre il 17 aprile.", "La fiera apre il 24 aprile, una settimana dopo."),
        ("La feria abre el 17 de abril.", "La feria abre el 24 de abril, una semana después."),
    ] {
        check(earlier, later, Some(Evidence::Change));
    }
    for (earlier, later) in [
        ("The order book is in Breadbox.", "The order book is in Ovenhub since we moved."),
        ("We open at 7.", "We open at 8, since this is what Ada wants."),
        ("The parcel left on 2 March.", "The parcel arrived on 4 March, two days later."),
        ("The kit costs 89 euros, a valve costs 14 euros.", "76.20 euros of material a kit, as of today."),
    ] {
        check(earlier, later, None);
    }
}

#[test]
fn a_report_of_a_swap_needs_nobody_who_did_it_and_may_say_when() {
    for (earlier, later) in [
        ("Background jobs run through Celery.", "Replaced Celery with Dramatiq on Friday night."),
        ("Redis is the cache in front of everything.", "Swapped Redis for Valkey this morning, licence reasons."),
    ] {
        check(earlier, later, Some(Evidence::Pair));
    }
    check("Background jobs run through Celery.", "Replace Celery with Dramatiq on Friday night.", None);
    check("Background jobs run through Celery.", "Replaced Celery with Dramatiq in the demo.", None);
}

#[test]
fn what_takes_the_place_of_any_statement_of_a_thing_takes_that_of_the_last() {
    let days = [2, 6, 20].map(|day| Date::constant(2026, 3, day));
    let all = [
        (days[0], "Tracking events stay 90 days, deleted nightly."),
        (days[1], "As of tonight the retention of tracking events is 60 days, down from 90."),
        (days[2], "Tracking events are kept 120 days from now on, since couriers may dispute for 100."),
    ];
    let by: Vec<Option<usize>> = replaced(&said(&all)).into_iter().map(|one| one.map(|one| one.by)).collect();
    assert_eq!(by[1], Some(2));
}

#[test]
fn what_is_said_beside_a_move_says_the_day_that_it_moved_to() {
    let day = Some(Date::constant(2026, 3, 10));
    let moved = "The fair with Upper Mill moves from 18 to 20 March, in their yard, 14:00.";
    let (before, after) =
        (Saying::of_replaced(moved, "The fair is on 26 March now.", day), "The fair is on 26 March now.");
    let after = Saying::of(after, Some(Date::constant(2026, 3, 18)));
    let echoes = |text| Saying::of(text, day).echoes(&before, &after);
    assert!(echoes("New date for the fair is 20 March, same yard."));
    assert!(!echoes("The fair is not on the 18th, they get a delivery of trees."));
    assert!(!echoes("The fair costs 20 euros."));
}
