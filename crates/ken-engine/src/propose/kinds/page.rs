//! What makes pages better than their extract: header, relations, prose, and whether two of them are one.
//!
//! Each is asked only of the pages that need it, all of a run in one call, and taken or rejected by itself.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Slug;
use ken_core::text::cut;
use serde_json::{Value, json};

use super::{PageView, Rules, object};
use crate::propose::check::{Report, Shown};

pub(crate) mod header;
pub(crate) mod merge;
pub(crate) mod prose;
pub(crate) mod relations;

/// What the writer is told first; what is said of each part follows where it is asked for.
pub(crate) const RULES: Rules = Rules { version: 2, text: TEXT, schema: whole_schema, reply_tokens_max: 3_900 };

const TEXT: &str = "\
Task: better pages of a wiki from their claims, the newest first. Reply of each page with what it asks for, and leave out the \
rest.
";

/// Claims of a page that are shown for its header: a sentence says no more.
const HEADER_CLAIMS_MAX: usize = 6;
/// Claims of a page that are shown where no more is needed than what it is about.
const CLAIMS_MAX: usize = 3;
/// Characters of a candidate's tldr.
const TLDR_CHARS_MAX: usize = 70;

/// Something that can be asked of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// Its tldr and triggers.
    Header,
    /// Which pages it is related to.
    Relations,
    /// Its body.
    Prose,
    /// Whether it is about the same as another.
    Same,
}

impl Part {
    const ALL: [Part; 4] = [Part::Header, Part::Relations, Part::Prose, Part::Same];

    /// What it is called in prompts and labels.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Part::Header => "header",
            Part::Relations => "relations",
            Part::Prose => "prose",
            Part::Same => "same",
        }
    }

    /// What the writer is told of it.
    fn rules(self) -> &'static str {
        match self {
            Part::Header => {
                "\
header: tldr, one sentence, at most 280 characters, that answers most questions about the subject: what it is, and what is most \
particular about it here and now; numbers, dates and names stand in the claims; no \"this page\", no praise. triggers, 5 to 9 \
words or short phrases, by which somebody looks for it: other words for it, the problem it solves, its parts and \
commands; not its title, and nothing that fits every page.
"
            }
            Part::Relations => {
                "\
relations: slugs of its candidates by what they are to it; few are better than many, none is a good answer. high, at most 3: \
whoever wants to understand or change the subject is misled without the candidate, as jwt without oauth2. mid, at most 5: \
often useful together, each understood alone, as jwt and http-headers. Not what only occurs in the same system or text, as \
jwt and database, nor what needs the page.
"
            }
            Part::Prose => {
                "\
prose: sections, as an encyclopedia would: plain, in the present tense, the most important first. The first has an empty \
heading and says in one to three sentences what the subject is, as far as the claims tell; the others have headings of its list, and something to say. \
sentences: each tells one or more claims and names their ids. Put together what belongs together, say each thing once; \
numbers, dates, names and quotes stand in the claims it names. A sentence that concludes what no claim says, for instance that \
two have one cause, has synthesis: true; rarely. What is left over is listed below your text.
"
            }
            Part::Same => {
                "\
same: whether two pages are about one and the same subject under two names, so that they should be one. A part and its whole, \
a thing and its kind, two versions, two rivals are not; when in doubt, they are not. The claims of a page that has a text of \
its own stand there. Where they are one, title: the better of the two, copied exactly.
"
            }
        }
    }

    /// The fields of a reply that answer it.
    fn fields(self) -> Value {
        let texts = json!({"type": "array", "items": {"type": "string"}});
        match self {
            Part::Header => json!({"tldr": {"type": "string"}, "triggers": texts}),
            Part::Relations => json!({"high": texts, "mid": texts}),
            Part::Prose => {
                let sentence =
                    object(json!({"text": {"type": "string"}, "claims": texts, "synthesis": {"type": "boolean"}}));
                let sentences = json!({"type": "array", "items": sentence});
                let section = object(json!({"heading": {"type": "string"}, "sentences": sentences}));
                json!({"sections": {"type": "array", "items": section}})
            }
            Part::Same => json!({"same": {"type": "boolean"}, "title": {"type": "string"}}),
        }
    }

    /// Most tokens of a reply to it.
    fn reply_tokens_max(self) -> u64 {
        match self {
            Part::Header => 500,
            Part::Relations => 400,
            Part::Prose => 3_000,
            Part::Same => 100,
        }
    }
}

/// Slug, title and tldr of a page that may be related to another.
pub(crate) type Candidate = (String, String, String);

/// A page, and what is asked of it.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// The page.
    pub(crate) page: PageView,
    /// What is asked of it.
    pub(crate) parts: BTreeSet<Part>,
    /// What it may be related to, where that is asked.
    pub(crate) near: Vec<Candidate>,
}

/// Returns the rules for some parts.
pub(crate) fn rules(parts: &BTreeSet<Part>) -> String {
    parts.iter().fold(TEXT.to_owned(), |text, part| text + part.rules())
}

/// Returns the schema of a reply with some parts.
pub(crate) fn schema(parts: &BTreeSet<Part>) -> Value {
    let fields = parts.iter().filter_map(|part| part.fields().as_object().cloned());
    object(Value::Object(fields.flatten().collect()))
}

fn whole_schema() -> Value {
    schema(&Part::ALL.into())
}

/// Returns the most tokens of a reply with some parts.
pub(crate) fn reply_tokens_max(parts: &BTreeSet<Part>) -> u64 {
    parts.iter().map(|part| part.reply_tokens_max()).sum()
}

/// Returns the parts of a page as they are told.
pub(crate) fn told(parts: &BTreeSet<Part>) -> String {
    parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(", ")
}

/// Returns what is sent for one page; its candidates are told before, see [`candidates`].
pub(crate) fn input(wanted: &Wanted) -> String {
    let Wanted { page, parts, near } = wanted;
    let mut out = format!("Asks for: {}\n", told(parts));
    if parts.contains(&Part::Prose) {
        out.push_str(&format!("Headings: {}\n{}", prose::headings(page.category), page.without_open().told_by_id()));
    } else if parts.contains(&Part::Header) {
        out.push_str(&page.vouched().told_in_short(HEADER_CLAIMS_MAX));
    } else {
        out.push_str(&page.told_in_short(CLAIMS_MAX));
    }
    if parts.contains(&Part::Relations) {
        let slugs: Vec<&str> = near.iter().map(|(slug, ..)| slug.as_str()).collect();
        out.push_str(&format!("Candidates: {}\n", slugs.join(", ")));
    }
    out
}

/// Returns what is sent for two pages that may be one; those that are told besides are only named.
pub(crate) fn pair(pages: &[PageView; 2], told: &BTreeSet<&str>) -> String {
    let claims_max = |page: &PageView| if told.contains(page.slug.as_str()) { 0 } else { CLAIMS_MAX };
    let [a, b] = pages.each_ref().map(|page| page.told_in_short(claims_max(page)));
    format!("Asks for: {}\n{a}{b}", Part::Same.as_str())
}

/// Returns the candidates of several pages, each once; of those that are told besides, and of what its slug says, nothing
/// more.
pub(crate) fn candidates(of: &[&Wanted]) -> String {
    let told: BTreeSet<&str> = of.iter().map(|wanted| wanted.page.slug.as_str()).collect();
    let near = of.iter().flat_map(|wanted| &wanted.near);
    let all: BTreeMap<&str, &Candidate> = near.map(|one| (one.0.as_str(), one)).collect();
    let row = |(slug, title, tldr): &Candidate| {
        let is_named = Slug::from_text(title).is_some_and(|named| named.as_str() == slug);
        let title = if is_named { String::new() } else { format!(" | {title}") };
        let tldr = cut(if told.contains(slug.as_str()) { "" } else { tldr }, TLDR_CHARS_MAX);
        let tldr = if tldr.is_empty() { tldr } else { format!(" | {tldr}") };
        format!("- {slug}{title}{tldr}\n")
    };
    let rows: String = all.into_values().map(row).collect();
    if rows.is_empty() { rows } else { format!("Candidates:\n{rows}") }
}

/// Returns how many parts of a reply hold.
pub(crate) fn check(reply: &Value, wanted: &Wanted, shown: &Shown, report: &mut Report) -> usize {
    let page = &wanted.page;
    let part = |part: &Part| match part {
        Part::Header => usize::from(header::check(reply, page, report).is_some()),
        Part::Relations => {
            let found = relations::check(reply, page, shown, report);
            found.high.len() + found.mid.len()
        }
        Part::Prose => {
            let sections = prose::check(reply, &page.without_open(), report);
            sections.iter().map(|section| section.sentences.len()).sum()
        }
        Part::Same => 0,
    };
    wanted.parts.iter().map(part).sum()
}

/// Whether a reply says something of a page, or whether two are one.
pub(crate) fn is_reply(reply: &Value, is_pair: bool) -> bool {
    let of_page = ["tldr", "triggers", "high", "mid", "sections"];
    if is_pair { reply.get("same").is_some() } else { of_page.iter().any(|name| reply.get(name).is_some()) }
}

#[cfg(test)]
mod tests {
    use ken_core::Category;

    use super::super::ClaimView;
    use super::*;

    fn page(title: &str, says: &str) -> PageView {
        let claim = ClaimView::held("0a1b2c3d".to_owned(), says.to_owned(), None);
        PageView {
            digest: "0".repeat(16),
            path: String::new(),
            slug: Slug::from_text(title).expect("a slug").to_string(),
            title: title.to_owned(),
            aliases: Vec::new(),
            category: Category::Concept,
            claims: vec![claim],
            past: Vec::new(),
            sources: Vec::new(),
        }
    }

    #[test]
    fn rules_and_form_are_of_what_is_asked() {
        let asked = BTreeSet::from([Part::Relations]);
        assert!(rules(&asked).contains("high, at most 3") && !rules(&asked).contains("tldr"), "{}", rules(&asked));
        let schema = schema(&asked);
        let fields: Vec<&String> = schema["properties"].as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["high", "mid"]);
        assert_eq!(reply_tokens_max(&Part::ALL.into()), RULES.reply_tokens_max + 100);
    }

    #[test]
    fn what_is_told_of_a_page_is_told_once() {
        let (oven, hearth) = (page("Oven", "The oven heats at 220 degrees."), page("Hearth", "The hearth is old."));
        let near =
            [&hearth, &page("Mill", "")].map(|page| (page.slug.clone(), page.title.clone(), "It is there.".to_owned()));
        let wanted = |page: &PageView, parts: &[Part]| Wanted {
            page: page.clone(),
            parts: parts.iter().copied().collect(),
            near: near.to_vec(),
        };
        let pages = [wanted(&oven, &[Part::Header, Part::Relations]), wanted(&hearth, &[Part::Header])];
        let told = candidates(&pages.iter().collect::<Vec<_>>());
        assert_eq!(told, "Candidates:\n- hearth\n- mill | It is there.\n");
        assert_eq!(
            input(&pages[0]),
            "Asks for: header, relations\nPage: Oven (concept)\n- The oven heats at 220 degrees.\nCandidates: hearth, mill\n"
        );
        let both = pair(&[oven, hearth], &BTreeSet::from(["oven"]));
        assert_eq!(both, "Asks for: same\nPage: Oven (concept)\nPage: Hearth (concept)\n- The hearth is old.\n");
    }

    #[test]
    fn a_tldr_and_triggers_hold_each_by_itself() {
        let oven = page("Oven", "The oven heats at 220 degrees.");
        let of = |tldr: &str, triggers: &[&str]| {
            let header = header::check(&json!({"tldr": tldr, "triggers": triggers}), &oven, &mut Report::default());
            header.map(|header| (header.tldr, header.triggers.len()))
        };
        let five = ["heat", "bake", "bread", "220 degrees", "hot"];
        assert_eq!(of("The oven heats at 220 degrees.", &["heat"]), Some(("The oven heats at 220 degrees.".into(), 0)));
        assert_eq!(of("The oven heats at 300 degrees.", &five), Some((String::new(), 5)));
        assert_eq!(of("The oven heats at 300 degrees.", &["heat"]), None);
    }

    #[test]
    fn a_reply_that_says_a_part_is_one() {
        let of = |reply: &Value| (is_reply(reply, false), is_reply(reply, true));
        assert_eq!(of(&json!({"triggers": []})), (true, false));
        assert_eq!(of(&json!({"same": false})), (false, true));
        assert_eq!(of(&json!({"claims": []})), (false, false));
    }
}
