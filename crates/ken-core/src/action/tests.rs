//! Cases of what is open after some entries, a line each, and of questions that ask for it.

use super::*;

/// The action items that are open after some entries, a line each; entries are parted by `|`, statements by `/`, and those among
/// the action items begin with `[ ]`, those of a list that somebody keeps with `[-]`, or `[-] Closed:` where they are done.
#[track_caller]
fn check(entries: &str, expected: &[&str]) {
    let told = |statement: &'static str| {
        let statement = statement.trim();
        let marked = statement.strip_prefix("[ ] ");
        let listed = statement.strip_prefix("[-] ");
        let is_open = listed.is_some_and(|text| !text.starts_with("Closed:"));
        Statement {
            text: marked.or(listed).unwrap_or(statement),
            is_marked: marked.is_some() || is_open,
            is_listed: listed.is_some(),
        }
    };
    let entries: &'static str = Box::leak(entries.to_owned().into_boxed_str());
    let entries: Vec<Vec<Statement<'_>>> =
        entries.split('|').map(|entry| entry.split(" / ").map(told).collect()).collect();
    let entries: Vec<&[Statement<'_>]> = entries.iter().map(Vec::as_slice).collect();
    let found = open(&entries);
    let shown: Vec<&str> = found.iter().map(|open| open.text.as_str()).collect();
    assert_eq!(shown, expected);
}

#[test]
fn a_label_says_what_is_to_be_done_and_by_whom() {
    check("Open task for Ada: order flour.", &["Ada: order flour"]);
    check("Task for Ben: book the hall.", &["Ben: book the hall"]);
    check("Two open tasks for Ada: order flour, and write the menu.", &["Ada: order flour", "Ada: write the menu"]);
    check("Tasks: Ada orders flour. Ben books the hall.", &["Ada orders flour", "Ben books the hall"]);
    check("Me. Open task: order flour. It is nearly empty.", &["order flour"]);
    check("TODO: order flour", &["order flour"]);
    check("Open task without an owner: order flour.", &["order flour"]);
    check("Offene Aufgabe für Ada: Mehl bestellen.", &["Ada: Mehl bestellen"]);
    check("Tâche pour Ada : commander la farine.", &["Ada: commander la farine"]);
    check("Tarea pendiente para Ada: pedir harina.", &["Ada: pedir harina"]);
    check("Compito per Ada: ordinare la farina.", &["Ada: ordinare la farina"]);
    check("[ ] Order flour.", &["Order flour"]);
    check("The task of the oven is to be hot.", &[]);
    check("Tasks: Ada orders flour, no, she did. Ben counts the sacks, no, he did that too.", &[]);
    check("Tasks: Ada orders flour, no rye. Ben counts.", &["Ada orders flour, no rye", "Ben counts"]);
}

#[test]
fn a_later_entry_closes_an_action_item() {
    for done in [
        "Closed: order flour.",
        "The flour is ordered.",
        "I ordered the flour at the mill.",
        "Ordered flour.",
        "Ada has ordered the flour.",
        "The flour has been ordered, two sacks.",
        "Ben: the flour is ordered and came today.",
    ] {
        check(&format!("Open task for Ada: order flour. | {done}"), &[]);
    }
    // The doer is said in the task.
    check("TODO: Ben paints the door. | Ben has painted the door.", &[]);
    check("TODO: Ben paints the door. | The door is painted.", &[]);
    check("TODO: Ben paints the door. | Ben has painted the door; it is wet until noon.", &[]);
    check("[ ] Tomas promised to repair the van. | Tomas repaired the van.", &[]);
    check("[ ] I'll call the mill tomorrow. | I called the mill.", &[]);
    check("TODO: Ben paints the door. | Ben paints the door.", &["Ben paints the door"]);
    check("TODO: Ada must call the mill about rye. | Ada called the mill about rye.", &[]);
    check("Open task: the leaflet for the shop. | The poster, the leaflet and the menu are done.", &[]);
    check("[ ] Write the leaflet for the shop. | The leaflet hangs in the shop. / Task done.", &[]);
    check("Task for Ben: count the sacks in the mill. | The counting task of Ben is done.", &[]);
    check(
        "Tasks: print the leaflet; write the menu. | The leaflet is printed. Task done; the menu is still to do.",
        &["write the menu"],
    );
    check("Aufgabe für Ada: das Faltblatt drucken. | Das Faltblatt ist fertig.", &[]);
    // German has a form of its own for what was done.
    check("TODO: Leiter reparieren | DONE: Leiter repariert", &[]);
    check("TODO: Fenster im Backraum abdichten, bis Ende Oktober | Das Fenster ist abgedichtet.", &[]);
    check("TODO: Feuerlöscher prüfen lassen, Tom | Erledigt: Feuerlöscher geprüft", &[]);
    check("TODO: Reifen wechseln | Reifen gewechselt.", &[]);
    check("TODO: Schlauch bestellen (6 m), Luca | Schlauch bestellt bei der Mühle, kommt nächste Woche.", &[]);
    check("TODO: Schlauch bestellen, Luca | Schlauch bestellen, sagt Luca.", &["Schlauch bestellen, Luca"]);
    check("TODO: refill the kit in the mill room | Done: kit refilled", &[]);
    check("TODO: refill the kit in the mill room | Kit refilled.", &[]);
    check("TODO: order flour (20 kg) by Friday, Ada | Flour ordered.", &[]);
    check("TODO: order flour and yeast | Done: yeast", &["order flour and yeast"]);
    check("Tâche: la brochure du magasin. | La brochure est terminée.", &[]);
    check("Tarea: el folleto de la tienda. | El folleto está terminado.", &[]);
    check("Compito: il volantino del negozio. | Il volantino è finito.", &[]);
}

#[test]
fn what_names_a_task_and_says_that_it_is_done_is_known_alone() {
    for (told, expected) in [
        ("The counting task of Ben is done.", true),
        ("Task done.", true),
        ("The task is not done yet.", false),
        ("Is the task done?", false),
        ("The menu is done.", false),
    ] {
        assert_eq!(closes_task(told), expected, "{told}");
    }
}

#[test]
fn what_is_planned_denied_asked_or_about_something_else_closes_nothing() {
    for told in [
        "The flour is not ordered yet.",
        "Is the flour ordered?",
        "When the flour is ordered, we bake.",
        "The flour must be ordered on Monday.",
        "Nobody ordered the flour.",
        "The flour is heavy.",
        "The oven is done.",
        "The shop is done.",
        "I'll order the flour.",
        "Flour to be ordered.",
        "I want to order flour for the shop.",
        "Flour ordered? Not yet.",
    ] {
        check(&format!("Open task for Ada: order flour for the shop. | {told}"), &["Ada: order flour for the shop"]);
    }
    // Whoever is to be asked did not ask.
    check(
        "TODO: Ada asks Ben to take the flour on Tuesday | Ben asked about the flour.",
        &["Ada asks Ben to take the flour on Tuesday"],
    );
}

#[test]
fn what_is_said_of_a_part_or_of_what_it_belongs_to_closes_nothing() {
    check("[ ] Fix the app crash. | The app is done.", &["Fix the app crash"]);
    check(
        "[ ] Write the privacy notice for the app. | The app is finished.",
        &["Write the privacy notice for the app"],
    );
    check("[ ] Fix the app crash. | The crash is fixed.", &[]);
}

#[test]
fn an_entry_closes_nothing_that_it_leaves_open_itself() {
    check("The flour is ordered. / [ ] Order flour.", &["Order flour"]);
    check("[ ] Order flour. / The flour is ordered.", &["Order flour"]);
}

#[test]
fn an_action_item_that_is_said_again_is_one() {
    check("Task for Ben: book the hall. | Ben still books the hall. / [ ] Book the hall.", &["Ben: book the hall"]);
    check("[ ] Book the hall. | The hall is booked. | [ ] Book the hall.", &["Book the hall"]);
}

#[test]
fn each_item_of_a_list_that_somebody_keeps_is_one_of_its_own() {
    check("[-] Paint door 3 | [-] Paint door 4", &["Paint door 3", "Paint door 4"]);
    check("[-] Print the menu | [-] Print the menu cards", &["Print the menu", "Print the menu cards"]);
    check("[-] Paint door 3 | [-] Paint door 4 | [-] Closed: Paint door 3", &["Paint door 4"]);
    check("[-] Print the menu | [-] Print the menu cards | [-] Closed: Print the menu", &["Print the menu cards"]);
    check("[-] Paint door 3 | [-] Paint door 4 | Door 3 is painted.", &["Paint door 4"]);
    // What is said of it elsewhere is the same, as before.
    check("[-] Book the hall | [ ] Book the hall for us. | The hall is booked.", &[]);
}

#[test]
fn a_statement_is_closed_by_the_one_that_does_the_last_of_its_items() {
    let told = |(entry, text): (usize, &'static str)| (entry, Statement { text, is_marked: false, is_listed: false });
    let said = [
        (0, "Two open tasks for Ada: order flour; print the menu."),
        (0, "The menu is printed."),
        (1, "The menu is printed."),
        (2, "The oven is hot."),
        (3, "The flour is ordered."),
        (4, "Task for Ben: book the hall."),
    ];
    assert_eq!(closed(&said.map(told)), [Some(4), None, None, None, None, None]);
}

#[track_caller]
fn asks(question: &str, expected: Option<&[&str]>) {
    let asked = AskedActions::of(question, &[]).map(|asked| asked.topic().join(" "));
    assert_eq!(asked, expected.map(|words| words.join(" ")), "{question}");
}

#[test]
fn a_question_about_action_items_is_known_by_its_wording() {
    for question in [
        "What is left to do?",
        "Which tasks are still open?",
        "What's still open?",
        "What do we still have to do?",
        "List all open action items",
        "Show me the todo list please",
        "What remains to be done?",
        "Was ist noch zu tun?",
        "Welche Aufgaben sind noch offen?",
        "Que reste-t-il à faire ?",
        "Quelles tâches sont encore ouvertes ?",
        "¿Qué queda por hacer?",
        "Che cosa resta da fare?",
    ] {
        asks(question, Some(&[]));
    }
    asks("Which tasks are open for Ada?", Some(&["ada"]));
    asks("What is left to do for the leaflet?", Some(&["leaflet"]));
    asks("How long is the bakery open?", None);
    asks("How do I open the oven?", None);
    asks("What did we do on Monday?", None);
    asks("Who owns the task queue?", None);
}
