//! What reading operations return.

use ken_core::agreement::Counted;
use ken_core::context::ContextPack;
use ken_core::route::Route;
use ken_core::{Date, IndexEntry, Slug, Tokens};

/// The pages chosen for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteOutcome {
    /// The route.
    pub route: Route,
    /// Where nothing is loaded, the page that means most nearly what is asked, if meanings can be compared.
    pub alike: Option<Slug>,
    /// Things the caller should know (an interrupted change, an index that is out of date).
    pub notes: Vec<String>,
}

/// The text chosen for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextOutcome {
    /// The pack; where nothing is sure to answer, what came closest.
    pub pack: ContextPack,
    /// What might be spent.
    pub budget: Tokens,
    /// Whether nothing is sure to answer.
    pub abstained: bool,
    /// How sure it is that what was found answers, see [`ken_core::search::close::SURE`].
    pub confidence: f32,
    /// CKP's declaration line of the route.
    pub declaration: String,
    /// The day of which it is told what held, by the caller or by the question.
    pub on: Option<Date>,
    /// Things the caller should know.
    pub notes: Vec<String>,
}

/// A page with what surrounds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowOutcome {
    /// What the index says of it.
    pub entry: IndexEntry,
    /// Its bytes.
    pub text: String,
    /// Its claims, with how often each was said; none of a page of a person.
    pub claims: Vec<Counted>,
    /// Pages that link or relate to it.
    pub backlinks: Vec<Slug>,
    /// The redirects that were followed to it.
    pub redirected_from: Vec<Slug>,
}
