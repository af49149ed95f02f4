//! The words of English by which pages of work tell what was done, asked for and wrong.

use super::super::lexicon::Work;

/// English.
pub(super) const WORK: Work = Work {
    change_titles: "added add|updated update|removed remove|created create|fixed fix|changed change|modified modify|split split|adjusted adjust|corrected correct|restructured restructure|reworked rework|renamed rename|moved move|deleted delete|implemented implement|refactored refactor|replaced replace|rewrote rewrite|merged merge|extracted extract|simplified simplify|improved improve",
    steps: r"add|update|create|parse|extend|remove|rename|replace|implement|refactor|extract|modify|delete|fix|adjust|move|restore|switch|split|revert",
    offering: r"options|alternatives|possibilities|candidates|choices|remedies|(?:two|three|four|several|a few) ways",
    title_openers: r"(?:please )?(?:(?:use|run|try) (?:the|this|our|your) (?:[\w-]+ ){1,3}(?:skills?|plugins?|subagents?|superpowers?)|(?:take|have) (?:a|another) (?:quick |closer )?(?:look|peek) (?:at|into)|look (?:at|into)|check (?:if|whether|when|that|why|how|out)|do (?:some|a bit of) research (?:for|on|about|into)|investigate|review|examine|debug|figure out|find out|see (?:if|whether)|make sure(?: that)?)",
    clause_joins: r"by|because|so that|so|which|since|rather than|instead of|in order to|to (?:ensure|avoid|prevent|make)|that|when|where|while|and|with",
    clause_follows: r"so|which|therefore|thus|hence|causing|meaning",
    consequences: r"the|a|an|all|every|this|that|these|so|thus|hence|then|since|for|when|later|both|then,|as a result,?|this means",
    rules: r"must|requires?|always|never|should|cannot|can't|only",
    errands: r"(?:(?:yeah|yep|yes|ok|okay|so|and|now|please|then|also|well|sure|hm+),? )*(?:let's|lets|let us|can (?:we|you)|could (?:we|you)|would you|i (?:want|need|like)|i'd like|i would like|i think we|we should(?: also)? (?:add|update|create|write|fix|adjust|change)|we need to)",
};
