//! How much a sentence tells whoever looks something up.

use std::sync::OnceLock;

use regex::Regex;

/// Below this a sentence of a long section is left out.
pub(super) const SCORE_MIN: f32 = 1.0;

/// How sentences open that lead elsewhere or speak of the document.
const ELSEWHERE: &[&str] =
    &["see ", "for more ", "for details", "for further", "let's ", "let us ", "we hope ", "read more", "refer to "];

struct Cues {
    /// What something is or does, told from the start.
    defines: Regex,
    /// A term with what it means: `**Tags:** …`, `` `--all`: … ``.
    term: Regex,
    /// A cause, a rule, a condition, a change.
    rules: Regex,
    /// What a reader does.
    tells: Regex,
    /// Code, paths, options, numbers with units, versions.
    names: Regex,
}

fn cues() -> &'static Cues {
    static CUES: OnceLock<Cues> = OnceLock::new();
    let regex = |pattern: &str| Regex::new(pattern).expect("a pattern of ours");
    CUES.get_or_init(|| Cues {
        defines: regex(r"^(?:(?:The|A|An)\s)?[*_`]{0,2}[^\s.,;:]+(?:\s[^\s.,;:]+){0,5}?\s(?:is|are|means|lets|allows|provides|describes|defines|controls|returns|sets|takes)\b"),
        term: regex(r"^(?:\*\*[^*]{1,60}\*\*|`[^`]{1,60}`)\s?(?:[:.—–=-]|is\b|are\b|->)|^\*\*[^*]{1,60}[:.]\*\*"),
        rules: regex(r"(?i)\b(?:because|so that|due to|only|never|always|must|cannot|can't|required?s?|default|instead|unless|however|except|if|when|before|after|no longer|deprecated|since)\b"),
        tells: regex(r"(?i)\b(?:you can|you need|you may|you should|use|set|run|add|install|configure|enable|disable|pass|specify|create)\b"),
        names: regex(r"`[^`]+`|--[a-z][a-z-]+|\b[\w-]+/[\w./-]+|\bv?\d+(?:\.\d+)+\b|\b\d+\s?(?:ms|s|seconds?|minutes?|hours?|days?|[KMG]i?B|%|bytes?)\b|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}_[A-Z_]+"),
    })
}

/// Returns whether a sentence notes a change, which is history and no knowledge, unless it says why or what holds now.
pub(super) fn is_change_note(text: &str) -> bool {
    static NOTE: OnceLock<[Regex; 2]> = OnceLock::new();
    let [note, tells] = NOTE.get_or_init(|| {
        let note = r"(?i)^(?:(?:I|we)(?:'ve| have)? )?(?:just |also |now )?(?:added|updated|removed|created|fixed|changed|renamed|moved|deleted|implemented|refactored|replaced|wrote|rewrote|ran|tested|committed|pushed|verified|cleaned|merged|extracted|simplified|improved|hinzugefügt|aktualisiert|entfernt|erstellt|behoben|geändert|ajouté|supprimé|corrigé|créé|añadid[oa]|eliminad[oa]|corregid[oa]|cread[oa]|aggiunt[oa]|rimoss[oa]|corrett[oa]|creat[oa])\b";
        let tells = r"(?i)\b(?:because|so that|instead of|no longer|now|which means|due to|weil|statt|parce que|au lieu|porque|en lugar|perché|invece)\b|→|->";
        [note, tells].map(|pattern| Regex::new(pattern).expect("a pattern of ours"))
    });
    note.is_match(text) && !tells.is_match(text)
}

/// Returns whether a sentence says nothing about what the document is about: it asks, or leads elsewhere.
pub(super) fn is_left_out(text: &str) -> bool {
    let lower = text.trim_start_matches(['*', '_']).to_lowercase();
    text.ends_with('?') || ELSEWHERE.iter().any(|opening| lower.starts_with(opening))
}

/// Returns whether a sentence begins with a term and what it means.
pub(super) fn is_term(text: &str) -> bool {
    cues().term.is_match(text)
}

/// Returns how much a sentence tells, about 0 to 6; the first of a section says what the section is about.
pub(super) fn score(text: &str, is_first: bool) -> f32 {
    let cues = cues();
    let n_names = cues.names.find_iter(text).count().min(3) as f32;
    let part = |is: bool, amount: f32| if is { amount } else { 0.0 };
    part(is_first, 1.5)
        + part(cues.defines.is_match(text) || cues.term.is_match(text), 1.5)
        + part(cues.rules.is_match(text), 0.8)
        + part(cues.tells.is_match(text), 0.7)
        + 0.6 * n_names
}
