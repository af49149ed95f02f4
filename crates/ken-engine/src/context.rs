//! The text that answers a question, within a budget.

use ken_core::context::{ContextPack, Head, Wanted, pack};
use ken_core::frame::attribute;
use ken_core::header::FieldName;
use ken_core::route::Route;
use ken_core::search::close::Verdict;
use ken_core::words::folded_words;
use ken_core::{IndexEntry, LineIndex, Page, Tokens, VaultPath};

use crate::course::Then;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::ContextOutcome;
use crate::trusted::TrustOfPages;

/// Most tokens of what only came closest.
const CLOSEST_TOKENS: Tokens = Tokens(1_500);

impl Engine {
    /// Returns the text to hand to a model for a question, within a budget.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn context(&self, question: &str, budget: Option<Tokens>) -> Result<ContextOutcome, Failure> {
        let catalog = self.catalog()?;
        let budget = budget.unwrap_or(self.config.context_tokens);
        let route = self.choose(question, catalog.as_ref(), Tokens(usize::MAX));
        let actions = self.actions_asked(question)?;
        let rolled = self.period_told(question, catalog.as_ref());
        let is_told = actions.is_some() || rolled.is_some();
        let then = if is_told { None } else { self.course_asked(question, catalog.as_ref())? };
        let statements = match (&actions, &then) {
            _ if rolled.is_some() => {
                rolled.map_or(Ok(Vec::new()), |rolled| self.rolled_as_statements(&rolled, budget.0))?
            }
            (Some((actions, _)), _) => self.actions_as_statements(actions)?,
            (_, Some(Then::Changed(_, changed))) => self.statements(changed)?,
            _ => Vec::new(),
        };
        let day = if let Some(Then::On(day)) = then { Some(day) } else { None };
        let found =
            self.told_on(day).look((question, catalog.as_ref()), (budget, statements.is_empty()), |looked| {
                let told = self.told_on(looked.on);
                let (heads, attributes) = (told.heads(question, &route)?, told.frame_attributes());
                let packed = |is_sure: bool, budget: Tokens| {
                    let confidence = looked.confidence;
                    let wanted =
                        Wanted { attributes: &attributes, budget, is_sure, confidence, statements: &statements };
                    pack(wanted, looked.close, &heads, looked.found, looked.said)
                };
                let verdict = if statements.is_empty() { looked.verdict } else { Verdict::Answers };
                let (pack, abstained) = match verdict {
                    Verdict::Answers => (packed(true, budget), false),
                    Verdict::Closest => (packed(false, budget.min(CLOSEST_TOKENS)), true),
                    Verdict::Nothing => (ContextPack::default(), true),
                };
                Ok::<_, Failure>((pack, abstained, looked.confidence, looked.notes.to_vec(), looked.on))
            })?;
        let (pack, abstained, confidence, found_by, on) = found?;
        let declaration = route.declaration();
        let changed = self.told_on(on).note_changed(&pack.text);
        let notes = self.reading_notes().into_iter().chain(changed).chain(found_by).collect();
        Ok(ContextOutcome { pack, budget, abstained, confidence, declaration, on, notes })
    }

    /// The pages of a route with their sentences.
    fn heads(&self, question: &str, route: &Route) -> Result<Vec<Head>, Failure> {
        let paths: Vec<VaultPath> = route.loaded.iter().map(|page| page.entry.path.clone()).collect();
        let trusted = TrustOfPages::new(self)?;
        let head = |page: Page| {
            let line = page.header.field(FieldName::Tldr);
            let line = line.map_or(1, |field| LineIndex::new(&page.text).line_of(field.lines.start));
            let names = std::iter::once(page.title()).chain(page.list(FieldName::Aliases));
            let tldr = page.scalar(FieldName::Tldr).unwrap_or_default();
            let drift = self.drift_marks(&[&tldr]).pop().flatten();
            Head {
                title: page.title(),
                path: page.path.clone(),
                date: IndexEntry::uncounted(&page).updated,
                trust: Some(trusted.of(&page)),
                tldr: (tldr, line),
                tag: drift.or_else(|| self.tag_of(&page, &trusted)),
                is_named: names.into_iter().any(|name| names_it(question, &name)),
            }
        };
        Ok(self.read_pages(&paths)?.into_iter().map(head).collect())
    }

    /// The attributes of a frame that answers: no time, so that the same answer is the same text.
    pub(crate) fn frame_attributes(&self) -> String {
        let name = self.root().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        attribute("vault", &name) + &self.then_attributes()
    }
}

/// Whether a question holds the words of a name, one behind the other.
fn names_it(question: &str, name: &str) -> bool {
    let (asked, name) = (folded_words(question), folded_words(name));
    !name.is_empty() && asked.windows(name.len()).any(|run| run == name.as_slice())
}
