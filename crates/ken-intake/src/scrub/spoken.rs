//! Secrets that somebody says in a sentence, in the languages that people write notes in.
//!
//! To add a language, add a line here and sentences to the corpus in `tests/scrub/spoken.rs`. A sentence says
//! a name for a secret, maybe what it is for, a verb, and the value; most sentences about passwords say no
//! value, so the value has to look like one. The rules stay together: each is one pattern for languages that build such
//! a sentence alike, many of which have no other words here.

use super::look::{is_named, is_said, is_seed_phrase};
use super::rule::{Rule, place};

/// Every rule.
#[rustfmt::skip]
pub(super) static SPOKEN: &[Rule] = &[
    // English.
    place("password", &["passw", "passphrase", "passcode", "pass phrase", "pass code"], r#"(?i)\b(?:passw(?:or)?d|pass ?phrase|pass ?code)s?(?:[ \t]+(?:for|of|on|to|in|at)\b[^\n:"'`“]{0,60}?)?(?:'s|’s|[ \t]+(?:is|was|will be|should be|became)|[ \t]*(?::|=|->|→|–|—)|[ \t]+(?:(?:changed|set|reset|rotated|back)[ \t]+)*to)(?:[ \t]+(?:is|now|still|currently|again|temporarily|just|set to|changed to|reset to))*[ \t]*:?[ \t]*["'`“”„«*_]{0,3}(?P<secret>[^\s"'`“”„«»<>]{5,80})"#, is_said),
    place("password", &["passw", "passphrase", "passcode"], r#"(?i)\b(?:with|using|use|try|as|and)[ \t]+(?:the[ \t]+|my[ \t]+|this[ \t]+|our[ \t]+)?(?:passw(?:or)?d|passphrase|passcode|pass)[ \t]*:?[ \t]*["'`“”„«*_]{0,3}(?P<secret>[^\s"'`“”„«»<>]{5,80})"#, is_said),
    place("password", &["passw", "log in", "login", "sign in", "signed in", "ssh"], r#"(?i)\b(?:log[ -]?in|sign(?:ed)?[ -]?in|logged in|ssh)\b[^\n"]{0,40}?\b(?:as|with|using)[ \t]+[`"']?[a-z0-9._@+-]{2,40}[`"']?[ \t]*(?:/|:|and|with)[ \t]*[`"']?(?P<secret>[^\s"'`<>/]{6,60})"#, is_said),
    place("secret", &["key", "token", "secret", "pin"], r#"(?i)\b(?:api[ -]?keys?|(?:access|auth|bearer|deploy|bot|api|refresh|session|signing|webhook|client|shared|license|encryption|master|private|service|account|admin|personal)[ -](?:token|key|secret)|token|secret|key|pin(?:[ ]code)?)(?:[ \t]+(?:for|of|on|to)\b[^\n:"'`“]{0,60}?)?(?:'s|’s|[ \t]+(?:is|was|will be)|[ \t]*(?:->|→)|[ \t]+(?:(?:changed|set|reset|rotated)[ \t]+)to)(?:[ \t]+(?:now|still|currently|again))*[ \t]*:?[ \t]*["'`“”„«*_]{0,3}(?P<secret>[A-Za-z0-9+/=_.~-]{16,200})"#, is_named),
    place("secret", &["seed", "mnemonic", "recovery phrase", "backup phrase"], r#"(?i)\b(?:seed|mnemonic|recovery|backup)(?:[ _-]?(?:phrase|words|seed))?\\*["']?[ \t]*(?:is|was|:|=)[ \t]*["'`]?(?P<secret>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})"#, is_seed_phrase),
    // German, Dutch, Swedish, Danish, Norwegian.
    place("password", &["passwort", "kennwort", "wachtwoord", "passord", "adgangskode", "zugangscode", "losungswort", "passphrase", "lösenord", "lÖsenord", "pincode"], r#"(?i)(?:passwort|passwörter|kennwort|zugangscode|losungswort|passphrase|wachtwoord|passord(?:et)?|adgangskoden?|l[öÖ]senord(?:et)?|pincode)(?:[ \t]+(?:für|von|vom|zum|zur|beim|im|in|auf|des|der|voor|van|op|för|till|til|for)\b[^\n:"'`„“]{0,60}?)?(?:[ \t]+(?:ist|lautet|war|wäre|heißt|heisst|is|was|luidt|är|er|var|blev)|[ \t]*(?::|=|->|→|–|—)|[ \t]+(?:auf|naar|til|till))(?:[ \t]+(?:jetzt|nun|noch|aktuell|weiterhin|nu|nå))*[ \t]*:?[ \t]*["'`„“‚«»*_]{0,3}(?P<secret>[^\s"'`„“”«»<>]{5,80})"#, is_said),
    place("password", &["lautet"], r#"(?i)(?:passwort|kennwort|zugangscode|passphrase|schlüssel|token|geheimnis|pin)\b[^\n.:]{0,60}?[ \t]lautet[ \t]*:?[ \t]*(?:jetzt|nun)?[ \t]*["'`„“‚«»*_]{0,3}(?P<secret>[^\s"'`„“”«»<>]{5,80})"#, is_literal),
    // Spanish, Portuguese, Italian, French, Romanian.
    place("password", &["contrase", "clave", "senha", "palavra-passe", "parola", "mot de passe", "motdepasse", "mdp", "mot de pase", "parole", "password", "passphrase", "codice", "chiave"], r#"(?i)(?:contrase[ñn]as?|clave(?:[ \t]+(?:secreta|de acceso))?|senhas?|palavra-passe|parol[ae](?:[ \t]+d['’]ordine|[ \t]+chiave)?|mots?[ \t]de[ \t]passe|motdepasse|\bmdp|password|passphrase|codice(?:[ \t]+segreto|[ \t]+di accesso)?|chiave(?:[ \t]+segreta)?)(?:[ \t]+(?:de|del|della|dello|delle|dei|di|du|des|d['’]|para|pour|per|do|da|dos|pentru|sur|nel|en|no|na|al|la|le|il)\b[^\n:"'`“«]{0,60}?)?(?:[ \t]+(?:es|era|será|est|était|sera|è|é|e['’]|fue|foi|sarà|este)|[ \t]*(?::|=|->|→|–|—)|[ \t]+(?:a|à|in|por|en))(?:[ \t]+(?:ahora|agora|adesso|ora|maintenant|désormais|toujours|aún|ainda|ancora|acum))*[ \t]*:?[ \t]*["'`“”«»*_]{0,3}[ \t\u{a0}]?(?P<secret>[^\s"'`“”«»<>]{5,80})"#, is_said),
    // Polish, Czech, Hungarian, Finnish, Turkish, Indonesian, Vietnamese.
    place("password", &["hasło", "hasŁo", "heslo", "jelszó", "salasana", "ifre", "parola", "kata sandi", "mật khẩu"], r#"(?i)(?:has[łŁ]o|heslo|jelszó|salasana|[şŞs]ifre(?:si|niz|miz)?|parola(?:sı)?|kata sandi|mật khẩu)(?:(?:[ \t]+(?:do|dla|k|pro|ke|for|untuk|cho|của)\b[^\n:"'`“„]{0,60}?)?(?:[ \t]+(?:to|jest|je|az|on|adalah|là|olarak|ist)|[ \t]*(?::|=|->|→|–|—))|)[ \t]*:?[ \t]*["'`“”„«»*_]{0,3}(?P<secret>[^\s"'`“”„«»<>]{5,80})"#, is_said),
    // Russian, Ukrainian, Greek, Arabic, Hebrew, Hindi.
    place("password", &["ароль", "АРОЛЬ", "ωδικός", "كلمة", "סיסמ", "पासवर्ड"], r#"(?i)(?:пароль|κωδικός(?:[ \t]+πρόσβασης)?|كلمة[ \t]+(?:المرور|السر)|ה?סיסמה?ה?|पासवर्ड)(?:[ \t]+(?:от|для|к|на|від|до|του|της|για|של|ל)[ \t]+[^\s:"'`“«=—-]{1,20})?(?:[ \t]+(?:это|теперь|тепер|це|был|είναι|هي|هو|היא|הוא|है)|[ \t]*(?::|=|->|→|–|—|-))*[ \t]*["'`“”„«»*_]{0,3}(?P<secret>[!-~]{5,80})"#, is_said),
    // Chinese, Japanese, Korean.
    place("password", &["密码", "密碼", "口令", "パスワード", "비밀번호", "암호"], r#"(?:密码|密碼|口令|パスワード|비밀번호|암호)[^\n!-~，。、]{0,8}?(?:是|为|為|改成|改为|は|を|が|는|은|가|[ \t]*[:：=])[ \t]*["'`“”「『«*_]{0,3}(?P<secret>[!-~]{5,80})"#, is_said),
];

/// What follows a word that announces the very letters of a secret.
fn is_literal(value: &str) -> bool {
    let value = super::look::said(value);
    let is_word_before_it =
        ["folgt", "folgendermaßen", "immer", "derzeit", "anders", "leider", "nicht"].contains(&value);
    value.chars().count() >= 5 && !is_word_before_it && super::look::is_filled_in(value)
}
