//! Which pages are used most, so that the short index names them first.

use crate::slug::Slug;

/// So many of the rows of the short index are of the pages used most; the newest have the rest.
pub const USED_MAX: usize = 100;

/// What is known of the use of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The page.
    pub slug: Slug,
    /// Days on which a question was answered from it.
    pub n_asked: usize,
    /// Pages that lead to it.
    pub n_leading: usize,
    /// Of the last ninety days, those on which something was said of it.
    pub n_said: usize,
}

impl Use {
    /// A question is a person who needed it, a link is one who thought of it; what is said most needs it least.
    fn score(&self) -> usize {
        4 * self.n_asked + 2 * self.n_leading + self.n_said
    }
}

/// Returns the pages used most, most first. Where no question was asked nothing is known that the day of a page does not
/// tell as well, and it is nothing.
pub fn used_most(pages: &[Use]) -> Vec<Slug> {
    if pages.iter().all(|page| page.n_asked == 0) {
        return Vec::new();
    }
    let mut sorted: Vec<&Use> = pages.iter().filter(|page| page.score() > 0).collect();
    sorted.sort_by(|a, b| b.score().cmp(&a.score()).then_with(|| a.slug.cmp(&b.slug)));
    sorted.into_iter().take(USED_MAX).map(|page| page.slug.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(slug: &str, n_asked: usize, n_leading: usize, n_said: usize) -> Use {
        Use { slug: Slug::from_text(slug).expect("a slug"), n_asked, n_leading, n_said }
    }

    #[test]
    fn what_is_asked_for_stands_before_what_is_talked_about() {
        let pages = [used("talked", 0, 1, 5), used("asked", 2, 0, 1), used("never", 0, 0, 0), used("also", 0, 3, 1)];
        let shown: Vec<String> = used_most(&pages).iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["asked", "also", "talked"]);
        assert_eq!(used_most(&pages[..1]), []);
    }
}
