//! Phrases that speak to a model, in English, German, French, Spanish and Italian.
//!
//! Reads the words of a text, folded, letters of other scripts that look like Latin ones taken for those;
//! returns the rule and the place of the first phrase. A phrase is a row of elements: words to choose from
//! with `|` between, a list of words by its name with `@`, and `~3` for up to three words of any kind. It
//! stays within one sentence. A new phrase is a line of [`PHRASES`], with a sample in the corpus of the tests.
//! The phrases of all languages stand together, because one is tried after the other and many are written of words
//! of several (`prompt`, `agent`): a phrase is a rule of this room, not a word of a language.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::memo::Memo;
use crate::span::Span;
use crate::words::{fold, words};

use super::Rule;

/// Lists of words that phrases share.
const LISTS: &[(&str, &str)] = &[
    (
        "ignore",
        "ignore|disregard|forget|override|bypass|overlook|discard|neglect|violate|abandon|unlearn|ignoring|disregarding",
    ),
    (
        "prior",
        "previous|prior|above|earlier|preceding|foregoing|all|any|every|your|existing|original|former|these|those|system|initial",
    ),
    ("past", "previous|prior|above|earlier|preceding|foregoing|your"),
    (
        "told",
        "instruction|instructions|prompt|prompts|directive|directives|programming|guidelines|guardrails|safeguards|orders",
    ),
    (
        "rules",
        "rules|rule|context|commands|constraints|policies|training|messages|conversation|text|restrictions|content",
    ),
    ("model", "ai|assistant|llm|model|chatbot|bot|agent|claude|chatgpt|gpt|gemini|copilot|codex|language"),
    ("person", "user|users|human|humans|operator|owner|anyone|anybody|administrator"),
    (
        "secret",
        "password|passwords|passphrase|credentials|credential|secrets|cookies|keys|key|env|passwd|history|conversation|variables",
    ),
    ("told_de", "anweisungen|anweisung|instruktionen|regeln|vorgaben|befehle|prompts|prompt|systemprompt"),
    ("secret_de", "passwort|passworter|zugangsdaten|schlussel|geheimnisse|kennwort|kennworter|tokens"),
    ("told_fr", "instructions|consignes|regles|directives|ordres"),
    ("told_es", "instrucciones|reglas|indicaciones|ordenes|directrices"),
    ("told_it", "istruzioni|regole|indicazioni|ordini|direttive"),
];

/// Every phrase with what it means. `-` in front: not where a negation stands shortly before.
const PHRASES: &[(Rule, &str)] = &[
    (Rule::Override, "@ignore ~6 @prior ~2 @told"),
    (Rule::Override, "@ignore ~2 @past ~1 @rules"),
    (Rule::Override, "@ignore everything|anything|all ~2 above|before|previously|earlier|said|told|else"),
    (Rule::Override, "@ignore everything|all|what|anything ~2 you ~2 told|instructed|learned|know|read"),
    (Rule::Override, "ignore|disregard|forget the ~1 instructions|directives"),
    (Rule::Override, "@ignore the above"),
    (Rule::Override, "stop|cease following|obeying ~3 @told|rules"),
    (
        Rule::Override,
        "do not|dont follow|obey|heed|trust ~2 previous|prior|above|earlier|your|system|original|other ~2 instructions|rules|prompt|prompts|guidelines",
    ),
    (
        Rule::Override,
        "new|updated|real|actual|true|revised|latest|urgent instructions|instruction|directive|orders follow|below|supersede|override",
    ),
    (Rule::Override, "new instructions|directive :"),
    (Rule::Override, "instead of ~1 your ~1 instructions|task|prompt"),
    (
        Rule::Override,
        "instructions|message|text|prompt|note override|overrides|supersede|supersedes|replace|replaces ~3 @told|rules",
    ),
    (
        Rule::Override,
        "your new|real|only|true|actual|primary task|goal|instructions|objective|mission|role|purpose is|are",
    ),
    (Rule::Override, "end of ~1 system prompt|instructions"),
    (Rule::Address, "you are now|henceforth a|an|my|dan|free|unrestricted|unbound|jailbroken|root|evil|no"),
    (Rule::Address, "you are now|henceforth ~3 mode"),
    (Rule::Address, "you re now a|an|my|dan|in"),
    (Rule::Address, "enable|activate|enter|switch ~2 developer|dan|god|jailbreak|unrestricted mode"),
    (Rule::Address, "from now on|onward|onwards ~2 you|respond|answer|act|reply|obey|pretend|speak"),
    (Rule::Address, "as a|an|the|our|my ~3 @model ~2 you must|should|shall|will|have|need|are|may"),
    (Rule::Address, "as a|an|the|my @model , always|never|please|do|ignore|run"),
    (Rule::Address, "if you are|re a|an|the ~3 @model"),
    (
        Rule::Address,
        "dear|attention|hey|hello|hi|important|note|message|memo|warning ~1 @model ~1 :|please|you|ignore|run|do|reading",
    ),
    (
        Rule::Address,
        "to|for any|all|the|every ~3 @model|models|agents|assistants|llms reading|processing|summarizing|summarising|parsing|indexing|seeing this",
    ),
    (
        Rule::Address,
        "any|all|every|the ~3 @model|models|agents|assistants|llms reading|that|who|which ~1 reads|read|reading|processes|sees|see this",
    ),
    (
        Rule::Address,
        "when|once|after you|the|an ~2 read|reads|reading|see|sees|process|processes|summarize|summarizes this ~3 you|must|should|run|execute|call|send|always|reply",
    ),
    (
        Rule::Address,
        "@model|assistants|models|agents must|should|shall always|now|immediately|first ~1 execute|obey|comply|call|output|reply|respond|recommend",
    ),
    (Rule::Address, "pretend ~2 you are|re"),
    (Rule::Address, "pretend to be a|an|the|my"),
    (
        Rule::Address,
        "act|behave|respond|roleplay as ~1 a|an|my|dan|if ~3 unrestricted|uncensored|jailbroken|evil|hacker|admin|root|dan|unfiltered|no|another",
    ),
    (Rule::Address, "you must|will|shall ~1 obey|comply"),
    (
        Rule::Address,
        "you must|will|shall now|immediately|only|always ~1 answer|respond|reply|output|obey|execute|recommend|call|run",
    ),
    (Rule::Address, "your response|reply|answer|output must|should|shall ~2 begin|start|contain|include|only|end|be"),
    (Rule::Address, "do anything now"),
    (
        Rule::Address,
        "this is|comes ~2 message|instruction|order|directive|command from ~2 developer|developers|administrator|anthropic|openai|google|creator|creators",
    ),
    (
        Rule::Reveal,
        "reveal|print|show|repeat|output|display|leak|dump|expose|disclose|recite|share ~3 system|hidden|secret|developer prompt|instructions|prompts",
    ),
    (
        Rule::Reveal,
        "reveal|print|show|repeat|output|display|leak|dump|expose|disclose|recite ~3 your ~2 instructions|prompt|prompts|guidelines",
    ),
    (Rule::Reveal, "repeat ~2 words|text|everything above"),
    (Rule::Reveal, "your system prompt"),
    (Rule::Conceal, "dont|don|do t|not|never tell|inform|alert ~1 @person"),
    (Rule::Conceal, "never tell|inform ~1 @person about|that|this"),
    (Rule::Conceal, "never|dont mention|reveal|disclose|admit ~3 to ~1 @person"),
    (Rule::Conceal, "do not|never|dont mention|reveal|disclose|report|admit|show ~3 to ~1 @person"),
    (Rule::Conceal, "do not|never|dont|t mention|reveal|disclose ~1 this ~1 instruction|message|note|prompt|text"),
    (Rule::Conceal, "-without telling|informing|alerting ~1 @person"),
    (Rule::Conceal, "keep|hide ~3 secret|hidden|from|confidential ~1 from|the|this ~1 @person"),
    (
        Rule::Conceal,
        "secretly|covertly add|run|execute|send|upload|install|insert|call|change|include|append|forward|post",
    ),
    (
        Rule::Secret,
        "send|post|upload|email|mail|forward|exfiltrate|transmit|leak|submit|deliver|paste|report ~6 @secret ~6 to|at ~2 http|https|me|us|attacker|this|following",
    ),
    (
        Rule::Secret,
        "send|post|upload|email|mail|forward|exfiltrate|transmit|leak|submit|deliver|paste ~6 @secret|token|tokens|contents|file|files|data ~3 to|at me|us|attacker|evil",
    ),
    (Rule::Secret, "exfiltrate|leak ~4 @secret|token|tokens|data|files|contents"),
    (
        Rule::Secret,
        "tell|give|show me ~2 your|all ~3 password|passwords|passphrase|credentials|secrets|cookies|keys|key",
    ),
    (Rule::Secret, "remember|memorize|memorise ~2 password|passphrase|credentials|secret|pin"),
    (Rule::Secret, "remember|memorize|memorise ~2 api|private|ssh|access|secret|auth key|keys|token|tokens"),
    (
        Rule::Secret,
        "save|store|write|keep|add|put|record ~4 password|passwords|credentials|key|keys|token ~2 in|to|into ~1 your|agent|assistant|long|shared memory|notes|context|wiki|term",
    ),
    (
        Rule::Secret,
        "include|append|encode|embed ~4 @secret|token|tokens ~4 in|into|as|to ~2 url|link|image|query|reply|response|answer",
    ),
    (
        Rule::Override,
        "ignoriere|ignorieren|ignoriert|vergiss|vergesse|vergessen|missachte|missachten ~2 vorherigen|bisherigen|obigen|fruheren|alle|deine|vorigen|samtliche|ihre ~2 @told_de",
    ),
    (Rule::Override, "ignoriere|vergiss|ignorieren|vergessen ~2 alles|was ~2 bisher|vorher|zuvor|oben|davor"),
    (Rule::Override, "neue anweisungen|anweisung|instruktionen :"),
    (Rule::Address, "du bist jetzt|nun ~1 ein|eine|im|kein|frei"),
    (Rule::Address, "ab jetzt|sofort ~1 du|antworte|bist|antwortest|musst|handle|gehorche"),
    (
        Rule::Address,
        "als ~2 assistent|ki|sprachmodell|modell|agent|assistenz ~2 musst|sollst|wirst|darfst|mussen|sollen du|sie",
    ),
    (Rule::Address, "als ~2 assistent|ki|sprachmodell|modell|assistenz ~2 du|sie ~1 musst|sollst|mussen|sollen"),
    (Rule::Reveal, "zeige|gib|verrate|nenne|zeig ~3 systemprompt|systemanweisungen"),
    (
        Rule::Reveal,
        "zeige|gib|verrate|nenne|zeig ~3 systemprompt|systemanweisungen|deine|anweisungen ~2 aus|preis|anweisungen|systemprompt|vor|wieder",
    ),
    (Rule::Conceal, "sage|sag|erzahle|erzahl|verrate|melde|teile ~2 nutzer|benutzer|anwender|menschen ~2 nicht|nichts"),
    (Rule::Conceal, "ohne ~2 nutzer|benutzer|anwender ~3 zu informieren|sagen|fragen|erzahlen"),
    (Rule::Secret, "sende|schicke|sendet|schick|ubermittle|maile|lade ~5 @secret_de ~4 an|zu|auf"),
    (
        Rule::Override,
        "ignore|ignorez|oublie|oubliez|neglige|negligez ~3 @told_fr ~2 precedentes|precedents|anterieures|ci|dessus|initiales",
    ),
    (Rule::Override, "ignore|ignorez|oublie|oubliez ~1 tes|vos|toutes ~1 @told_fr"),
    (Rule::Override, "oublie|oubliez|ignore|ignorez tout ce ~2 precede|dit|avant|appris"),
    (Rule::Address, "tu|vous es|etes maintenant|desormais un|une|libre|le|la"),
    (Rule::Address, "a partir de maintenant ~2 tu|vous|reponds|repondez|agis"),
    (Rule::Address, "en tant qu|que ~2 assistant|ia|modele|agent ~2 tu|vous ~1 dois|devez"),
    (
        Rule::Reveal,
        "revele|revelez|affiche|affichez|montre|montrez|donne ~3 prompt|instructions|consignes ~1 systeme|initiales|cachees|secretes",
    ),
    (Rule::Conceal, "ne|n dis|dites|informe|informez|previens|prevenez ~2 pas|rien|jamais ~3 utilisateur"),
    (Rule::Conceal, "sans ~2 prevenir|informer|dire|avertir ~3 utilisateur"),
    (
        Rule::Secret,
        "envoie|envoyez|transmets|transmettez|poste ~4 mot|mots|cles|cle|identifiants|secrets|jetons ~5 a|vers",
    ),
    (
        Rule::Override,
        "ignora|ignore|ignorad|olvida|olvide|olvidad|desobedece ~3 @told_es ~2 anteriores|previas|previos|iniciales|arriba|sistema",
    ),
    (Rule::Override, "ignora|olvida|ignore|olvide ~1 tus|sus|todas ~1 @told_es"),
    (Rule::Override, "olvida|olvide|ignora|ignore todo lo ~2 anterior|dicho|dijeron|previo"),
    (Rule::Address, "ahora eres un|una|libre|mi"),
    (Rule::Address, "a partir de ahora ~2 eres|debes|responde|seras|responderas|actua"),
    (Rule::Address, "como ~2 asistente|ia|modelo|agente ~2 debes|tienes|deberas"),
    (
        Rule::Reveal,
        "revela|muestra|imprime|dime|muestrame ~3 prompt|instrucciones|indicaciones ~2 sistema|ocultas|iniciales",
    ),
    (Rule::Conceal, "no ~1 digas|informes|cuentes|menciones|avises ~4 usuario"),
    (Rule::Conceal, "sin ~2 informar|avisar|decir|decirle|avisarle ~3 usuario"),
    (
        Rule::Secret,
        "envia|manda|envie|mande|sube ~4 contrasena|contrasenas|claves|clave|credenciales|secretos|tokens ~4 a",
    ),
    (
        Rule::Override,
        "ignora|ignorate|ignori|dimentica|dimenticate|trascura ~3 @told_it ~2 precedenti|sopra|iniziali|anteriori|sistema",
    ),
    (Rule::Override, "ignora|dimentica|ignorate|dimenticate ~1 tue|vostre|tutte ~1 @told_it"),
    (Rule::Override, "dimentica|ignora tutto cio|quello che ~4 sopra|prima|detto|precede"),
    (Rule::Address, "ora|adesso sei un|uno|una|libero|il"),
    (Rule::Address, "d|da ora in poi ~2 sei|devi|rispondi|agisci|sarai"),
    (Rule::Address, "come|quanto ~2 assistente|ia|modello|agente ~2 devi|dovrai"),
    (Rule::Reveal, "rivela|mostra|stampa|mostrami|dimmi ~3 prompt|istruzioni ~2 sistema|nascoste|iniziali"),
    (Rule::Conceal, "non dire|dirlo|informare|avvisare|rivelare|menzionare ~4 utente"),
    (Rule::Conceal, "senza ~1 dirlo|informare|avvisare|dire ~3 utente"),
    (
        Rule::Secret,
        "invia|manda|spedisci|inviate|carica ~4 password|credenziali|chiavi|chiave|segreti|token ~4 a|ad|all|al",
    ),
];

/// Words that keep a phrase with `-` from being an order: `never fail without telling the user`.
const NEGATIONS: &[&str] = &["not", "never", "no", "don", "dont", "cannot", "must", "nothing", "nobody", "t", "avoid"];

struct Word {
    text: String,
    span: Span,
}

/// A part of a phrase.
enum Element {
    /// One of these words.
    Words(Vec<&'static str>),
    /// Up to so many words of any kind.
    Gap(usize),
}

struct Phrase {
    rule: Rule,
    elements: Vec<Element>,
    /// Not where a negation stands shortly before.
    is_positive: bool,
    /// Not where somebody tells what they did: `we ignore the previous rules`.
    is_request: bool,
}

/// The phrases, and which of them begin with a word.
struct Table {
    phrases: Vec<Phrase>,
    begins: BTreeMap<&'static str, Vec<usize>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let phrases: Vec<Phrase> = PHRASES.iter().map(|(rule, text)| phrase(*rule, text)).collect();
        let mut begins: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for (n, phrase) in phrases.iter().enumerate() {
            if let Some(Element::Words(first)) = phrase.elements.first() {
                first.iter().for_each(|word| begins.entry(word).or_default().push(n));
            }
        }
        Table { phrases, begins }
    })
}

fn phrase(rule: Rule, text: &'static str) -> Phrase {
    let list = |name: &str| LISTS.iter().find(|(list, _)| *list == name).map_or("", |(_, words)| words);
    let element = |element: &'static str| match element.strip_prefix('~').and_then(|n| n.parse().ok()) {
        Some(n) => Element::Gap(n),
        None => Element::Words(
            element.split('|').flat_map(|word| word.strip_prefix('@').map_or(word, list).split('|')).collect(),
        ),
    };
    let bare = text.trim_start_matches('-');
    let elements = bare.split(' ').map(element).collect();
    Phrase { rule, elements, is_positive: bare.len() < text.len(), is_request: text.starts_with("@ignore") }
}

/// Returns the first phrase of a text.
pub(super) fn find(text: &str) -> Option<(Rule, Span)> {
    let spans = words(text);
    // Most texts have no word with which a phrase begins.
    if !spans.iter().any(|span| begins(span.of(text))) {
        return None;
    }
    let row = row(text, &spans);
    let table = table();
    for (at, word) in row.iter().enumerate() {
        let Some(begun) = table.begins.get(word.text.as_str()) else { continue };
        for phrase in begun.iter().filter_map(|n| table.phrases.get(*n)) {
            let Some(end) = matched(&phrase.elements, &row[at..]).filter(|end| *end > 0) else { continue };
            if is_meant(phrase, &row[..at]) {
                return Some((phrase.rule, Span::new(word.span.start, row[at + end - 1].span.end)));
            }
        }
    }
    None
}

/// Whether the words before a phrase leave it an order.
fn is_meant(phrase: &Phrase, before: &[Word]) -> bool {
    let near = &before[before.len().saturating_sub(8)..];
    let is_negated = near.iter().any(|word| NEGATIONS.contains(&word.text.as_str()));
    let is_told = before.last().is_some_and(|word| matches!(word.text.as_str(), "we" | "i" | "they" | "it"));
    !(phrase.is_positive && is_negated || phrase.is_request && is_told)
}

/// The words of a text, with `.` where a sentence ends, and commas and colons as words of their own.
fn row(text: &str, spans: &[Span]) -> Vec<Word> {
    let mut out = Vec::new();
    let mut end = 0;
    for span in spans.iter().copied() {
        let gap = &text[end..span.start];
        if let Some((at, sign)) =
            gap.char_indices().find(|(_, ch)| matches!(ch, '.' | '!' | '?' | '\n' | ',' | ':' | ';'))
        {
            let sign = if matches!(sign, ',' | ':') { sign } else { '.' };
            // A line end that wraps a sentence ends none.
            let is_wrapped = gap.trim().is_empty() && !gap.contains("\n\n");
            if !is_wrapped {
                out.push(Word { text: sign.to_string(), span: Span::new(end + at, end + at + 1) });
            }
        }
        out.push(Word { text: plain(span.of(text)), span });
        end = span.end;
    }
    if let Some(sign @ (',' | ':')) = text[end..].trim_start().chars().next() {
        out.push(Word { text: sign.to_string(), span: Span::new(end, end) });
    }
    out
}

/// Whether a phrase begins with a word; one that begins with a sign is not looked for.
fn begins(word: &str) -> bool {
    thread_local! {
        static KNOWN: RefCell<Memo<bool>> = const { RefCell::new(Memo::new()) };
    }
    KNOWN.with_borrow_mut(|known| *known.of(word, || table().begins.contains_key(plain(word).as_str())))
}

/// A word as phrases are written.
fn plain(word: &str) -> String {
    let folded = if word.is_ascii() { fold(word) } else { fold(&latin(word)) };
    folded.replace('_', "")
}

/// A word with letters that look like Latin ones taken for those, when it has Latin ones, too.
fn latin(word: &str) -> String {
    if !word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    const SIMILAR: &str = "аaеeоoрpсcхxуyіiјjѕsԁdһhɡgαaοoνvιiρpкkтtмmոnɩiıi";
    let pairs: Vec<char> = SIMILAR.chars().collect();
    let plain = |ch: char| pairs.chunks(2).find(|pair| pair[0] == ch).map_or(ch, |pair| pair[1]);
    word.chars().map(plain).collect()
}

/// Returns how many words of the row the elements take from its beginning on.
fn matched(elements: &[Element], row: &[Word]) -> Option<usize> {
    let Some((element, rest)) = elements.split_first() else { return Some(0) };
    match element {
        Element::Gap(n) => {
            for skipped in 0..=*n {
                if let Some(end) = matched(rest, row.get(skipped..)?) {
                    return Some(skipped + end);
                }
                if row.get(skipped).is_none_or(|word| word.text == ".") {
                    return None;
                }
            }
            None
        }
        Element::Words(choices) => {
            let word = row.first()?;
            if choices.contains(&word.text.as_str()) {
                return matched(rest, &row[1..]).map(|end| end + 1);
            }
            // A comma between two words of a phrase changes nothing.
            let is_passed = word.text == "," && !rest.is_empty();
            if is_passed { matched(elements, &row[1..]).map(|end| end + 1) } else { None }
        }
    }
}
