//! Takes what people wrote into compiled pages into the journal before those pages are compiled again.
//!
//! A compiled page carries the digest of the body the compiler wrote, so an edit by hand is seen without
//! any other record. What the edit added becomes a journal entry of its own, named after the page.

use std::collections::BTreeSet;

use ken_core::claim::SourceRef;
use ken_core::dispute::{DisputedClaim, disputes};
use ken_core::header::{FieldName, Style};
use ken_core::journal::{one_line, parse_journal, parse_sections};
use ken_core::page::outline::{self, SYNTHESIS};
use ken_core::page::parse_page;
use ken_core::settled::{Settlement, Side};
use ken_core::trust::{EXTERNAL_CLAIM, UNVERIFIED_CLAIM, without_stale};
use ken_core::{Category, Digest, Page, Slug, VaultPath};
use ken_intake::scrub::scrub;
use ken_store::LockGuard;

use super::sources::read_as;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::kinds::page::prose;
use crate::propose::kinds::{Kind, rollup};
use crate::resolve::can_be_recorded;
use crate::wiki::Wiki;
use ken_compile::account::claim_id;
use ken_compile::compose;
use ken_compile::cut::{Reader, read_entries};
use ken_compile::work;

impl Engine {
    /// Appends the hand edits of compiled pages to the journal; returns the pages.
    pub(crate) fn capture_edits(&self, guard: &LockGuard, wiki: &Wiki) -> Result<Vec<Slug>, Failure> {
        let edited = wiki.files.values().filter(|file| file.is_edited).map(|file| file.stamp.path.clone());
        let mut captured = Vec::new();
        for path in edited.collect::<Vec<VaultPath>>() {
            let bytes = self.store.read(&path)?;
            // What is taken is what was looked at: a page saved since then is refused when it is replaced.
            let is_same = |bytes: &Vec<u8>| wiki.files[&path].stamp.digest == Digest::of(bytes);
            let text = bytes.filter(is_same).and_then(|bytes| String::from_utf8(bytes).ok());
            let Some(text) = text else { continue };
            let page = parse_page(&path, text).value;
            // A question is no subject: what is written below its answer is about what it says.
            let title = match page.category() {
                Category::Question => "Edited by hand: a filed answer".to_owned(),
                _ => format!("Edited by hand: [[{}]]", page.slug()),
            };
            let (mut added, mut settles) = (self.added_statements(&page)?, false);
            // Captured by a compile that did not come to its end: the page still says it.
            let captured_before = self.lines_under(&title)?;
            added.retain(|statement| !captured_before.contains(&one_line(statement)));
            for settled in self.settled_by_hand(&page)? {
                self.record_settlement(guard, "capture edit", &settled)?;
                settles = true;
            }
            if added.is_empty() && settles {
                captured.push(page.slug());
            }
            if added.is_empty() {
                continue;
            }
            let entry = self.hand_written(title.clone(), added);
            self.append(guard, "capture edit", &title, &[(self.clock.today(), entry)])?;
            captured.push(page.slug());
        }
        Ok(captured)
    }

    /// The statements of the journal's entries of this title.
    fn lines_under(&self, title: &str) -> Result<BTreeSet<String>, Failure> {
        let listing = self.store.list(&self.layout().journal)?;
        let found = |_: &ken_store::FileStat, bytes: Vec<u8>| {
            memchr::memmem::find(&bytes, title.as_bytes())?;
            let text = String::from_utf8_lossy(&bytes);
            let entries = parse_journal(&text, None).value.entries;
            let of_title = entries.iter().filter(|entry| entry.title == title);
            let sections = of_title.flat_map(|entry| parse_sections(&text, entry.body));
            let lines = sections.flat_map(|section| section.items).map(|item| one_line(item.of(&text)));
            Some(lines.collect::<Vec<String>>())
        };
        Ok(self.store.map_files(&listing.files, found)?.into_iter().flatten().flatten().flatten().collect())
    }

    /// The lines of an edited page that stand neither in the sources nor on the page as compiled.
    fn added_statements(&self, page: &Page) -> Result<Vec<String>, Failure> {
        let known = self.known_lines(page)?;
        let mut out = Vec::new();
        let body = page.body().of(&page.text);
        let is_merged = body.lines().any(|line| header_key(line) == Some(FieldName::BodyDigest));
        for line in body.lines().map(str::trim) {
            // What somebody struck was said before.
            let statement = outline::without_strokes(&without_marks(line));
            if is_compiled_structure(line, page)
                || (is_merged && header_key(line).is_some())
                || !statement.chars().any(char::is_alphanumeric)
                || known.contains(&statement.to_lowercase())
            {
                continue;
            }
            let (clean, _) = scrub(&statement);
            // The page's own name leads the statement back to it when it is compiled.
            let slug = page.slug();
            let names_page =
                page.category() == Category::Question || clean.to_lowercase().contains(&page.title().to_lowercase());
            out.push(if names_page { clean.into_owned() } else { format!("[[{slug}]]: {clean}") });
        }
        Ok(out)
    }

    /// What somebody settled by removing or striking claims of a dispute. Where all of them went, or another came, nobody
    /// can tell what is meant.
    fn settled_by_hand(&self, page: &Page) -> Result<Vec<Settlement>, Failure> {
        if page.category() == Category::Question {
            return Ok(Vec::new());
        }
        let before = self.disputes_as_compiled(page)?;
        let now: Vec<DisputedClaim> = disputes(page).into_iter().flat_map(|dispute| dispute.claims).collect();
        let says = |claim: &DisputedClaim, side: &Side| claim_id(&claim.text) == claim_id(&side.text);
        let known = || before.iter().flat_map(|dispute| &dispute.sides);
        if now.iter().any(|claim| !known().any(|side| says(claim, side))) {
            return Ok(Vec::new());
        }
        let stands = |side: &Side| now.iter().any(|claim| says(claim, side) && !claim.is_struck);
        let settled = |Settlement { pages, mut sides }: Settlement| {
            sides.iter_mut().for_each(|side| side.holds = stands(side));
            let n_left = sides.iter().filter(|side| side.holds).count();
            let is_settled = 0 < n_left && n_left < sides.len();
            // Several that are left are disputed still.
            sides.retain(|side| n_left == 1 || !side.holds);
            sides.sort_by_key(|side| !side.holds);
            // What cannot be written down stays open, as it would without the edit.
            Some(Settlement { pages, sides }).filter(|settled| is_settled && can_be_recorded(settled))
        };
        Ok(before.iter().cloned().filter_map(settled).collect())
    }

    /// What the page's sources say, as it would stand on the page.
    fn known_lines(&self, page: &Page) -> Result<BTreeSet<String>, Failure> {
        let mut known = BTreeSet::new();
        let replies = self.replies()?;
        let register = self.register()?;
        let readings = super::reading::Readings::of(self, &replies);
        let reader = readings.as_ref().map(|readings| readings as &dyn Reader);
        let answer = self.answer_text(page)?.map(|(text, _)| text).unwrap_or_default();
        known.extend(answer.lines().map(|line| without_marks(line.trim()).to_lowercase()));
        // The folder that tells documents of one title apart.
        let title = page.title();
        let apart = title.rfind(" (").map_or("", |at| &title[at..]);
        for source in page.list(ken_core::header::FieldName::Sources) {
            let Some(path) = VaultPath::new(&source) else { continue };
            let bytes = self.store.read(&path)?.unwrap_or_default();
            let read_as = read_as(&path, path.is_under(self.layout().journal.as_str()), &register);
            for entry in read_entries(&path, read_as, &String::from_utf8_lossy(&bytes), reader) {
                known.extend(entry.parts.iter().flat_map(|part| [plain(part), plain(&(part.clone() + apart))]));
                for place in entry.passages.iter().filter_map(|passage| passage.place.as_ref()) {
                    known.extend(
                        place.sections.iter().flat_map(|name| compose::headings(&title, name)).map(|one| plain(&one)),
                    );
                    known.extend(
                        place
                            .blocks
                            .iter()
                            .flat_map(|block| block.lines())
                            .map(|line| plain(&without_marks(line.trim()))),
                    );
                }
                known.extend(entry.passages.iter().filter_map(work::changed_file).map(plain));
                for passage in &entry.passages {
                    let dated = entry.date.map(|date| ken_compile::dates::resolve(&passage.text, date));
                    known.insert(plain(&passage.text));
                    known.extend(dated.map(|text| plain(&text)));
                }
            }
        }
        for input in replies.inputs(Kind::Page) {
            let reply = self.standing(&replies, Kind::Page, input);
            let reply = reply.and_then(|record| ken_model::json_of(&record.reply));
            known.extend(reply.iter().flat_map(prose::texts_of).map(|text| plain(&text)));
        }
        for input in replies.inputs(Kind::Rollup) {
            let reply = self.standing(&replies, Kind::Rollup, input);
            let reply = reply.and_then(|record| ken_model::json_of(&record.reply));
            known.extend(reply.iter().flat_map(rollup::texts_of).map(|text| plain(&text)));
        }
        Ok(known)
    }
}

/// The field that a line sets, if it reads as one of a compiled page's header: a merge that took the lines of
/// both sides leaves those of one in the body.
fn header_key(line: &str) -> Option<FieldName> {
    let (key, _) = line.split_once(": ")?;
    FieldName::of_key(key).filter(|name| name.key(Style::Yaml) == key)
}

/// Whether a line is one that the compiler itself writes around statements; a heading, a table row or a
/// comment of a person is not.
fn is_compiled_structure(line: &str, page: &Page) -> bool {
    let heading = line.trim_start_matches('#').trim();
    let is_own_heading = heading == page.title()
        || [outline::COMMANDS, outline::FILES].contains(&heading)
        || outline::is_own_heading(heading)
        || prose::is_heading(heading);
    let is_superseded = line.strip_prefix("- ").is_some_and(outline::is_remarked);
    let is_citation =
        line.starts_with("[^") && line.split_once("]:").is_some_and(|(_, text)| SourceRef::parse(text).is_some());
    let is_related = line.starts_with("- [[") && compose::WHYS.iter().any(|why| line.ends_with(why));
    let is_stale_line = line.starts_with("> Stale: ") && page.category() == Category::Question;
    is_stale_line
        || (line.starts_with('#') && is_own_heading)
        || is_citation
        || is_related
        || is_superseded
        || outline::is_between_disputes(line)
        || line.ends_with(compose::LEFT_OUT)
        || line.ends_with(compose::ITEMS_LEFT_OUT)
        || compose::is_shortened(line)
}

/// A statement as it is compared: without list marker, citations, escapes and link brackets.
fn without_marks(line: &str) -> String {
    let numbered = line.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
    let marked = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
    let line = marked.or(numbered.map(|(_, step)| step)).unwrap_or(line);
    let line = line.trim_start_matches('#').trim_matches(['|', ' ']);
    let line = outline::without_marks(line);
    let line = without_stale(line.trim_end());
    let line = line.trim_end_matches(EXTERNAL_CLAIM).trim_end_matches(UNVERIFIED_CLAIM);
    plain_keep_case(line.trim_end_matches(SYNTHESIS))
}

fn plain(text: &str) -> String {
    plain_keep_case(text).to_lowercase()
}

fn plain_keep_case(text: &str) -> String {
    let out = ken_core::link::without_links(text);
    out.replace(['\\', '`', '\''], "").replace("&lt;", "<").replace("--&gt;", "-->").trim().to_owned()
}
