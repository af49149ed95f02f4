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
