//! Text from a pattern: `«a36»` in a pattern becomes 36 random letters and digits, `«word»` a word.
//!
//! Everything is drawn from one seed, so the corpus is the same on every machine. No secret stands in the
//! repository: what looks like one is put together when the measurement runs.

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORDS: &[&str] = &[
    "oven", "flour", "bakery", "timer", "delivery", "market", "crust", "recipe", "order", "kitchen", "display",
    "token", "session", "secret", "key", "access", "client", "service", "staging", "backup", "worker", "queue",
    "index", "cache", "router", "journal", "vault", "parser", "budget", "payment", "invoice", "customer", "report",
    "metrics", "tracer", "gateway", "login", "password", "account", "profile", "upload", "digest", "storage",
];
const NAMES: &[&str] = &["mia", "theo", "ines", "jonas", "lena", "samir", "app", "deploy", "svc-orders", "reader"];
const HOSTS: &[&str] = &["db.internal", "10.0.4.17", "localhost", "cache-2.example.net", "pg.prod.svc.cluster.local"];
/// What people choose when they choose a password themselves.
const LEET: &[&str] =
    &["S0urd0ugh", "Baguette", "Cr0issant", "pumpern1ckel", "Brioche", "zwieb4ck", "Rye-Loaf", "Ciabatta"];

/// Draws from a seed.
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn chars(&mut self, n_chars: usize, alphabet: &str) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..n_chars).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    /// Expands every `«…»` of a pattern.
    pub(crate) fn fill(&mut self, pattern: &str) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some((before, tail)) = rest.split_once('«') {
            let (name, after) = tail.split_once('»').expect("a pattern closes what it opens");
            out.push_str(before);
            out.push_str(&self.one(name));
            rest = after;
        }
        out + rest
    }

    fn one(&mut self, name: &str) -> String {
        let lower = |text: &str| text.to_ascii_lowercase();
        match name {
            "word" => self.pick(WORDS).to_owned(),
            "Word" => capital(self.pick(WORDS)),
            "WORD" => self.pick(WORDS).to_uppercase(),
            "name" => self.pick(NAMES).to_owned(),
            "host" => self.pick(HOSTS).to_owned(),
            "snake" => format!("{}_{}", self.pick(WORDS), self.pick(WORDS)),
            "camel" => format!("{}{}", self.pick(WORDS), capital(self.pick(WORDS))),
            "uuid" => self.fill("«h8»-«h4»-4«h3»-a«h3»-«h12»"),
            "date" => format!("2026-{:02}-{:02}", 1 + self.below(12), 1 + self.below(28)),
            "time" => format!("{:02}:{:02}:{:02}", self.below(24), self.below(60), self.below(60)),
            // A password as a person makes one, and one as a generator makes it.
            "pw" => {
                let (word, mark) = (self.pick(LEET), self.pick(&["!", "#", "?", "*", "_", "!!", "$"]));
                let n_digits = 2 + self.below(3);
                format!("{word}{mark}{}", self.chars(n_digits, "0123456789"))
            }
            "gen" => self.chars(16, &format!("{ALNUM}!#%*+-_?")),
            "pem64" => {
                let lines: Vec<String> = (0..6).map(|_| self.fill("«b64»")).collect();
                lines.join("\n")
            }
            _ => {
                let (kind, n_chars) = name.split_at(1);
                let n_chars: usize = n_chars.parse().unwrap_or_else(|_| panic!("no such noise: {name}"));
                let alphabet = match kind {
                    "a" => ALNUM.to_owned(),
                    "h" => "0123456789abcdef".to_owned(),
                    "H" => "0123456789ABCDEF".to_owned(),
                    "d" => "0123456789".to_owned(),
                    "u" => ALNUM[..26].to_owned() + &ALNUM[52..],
                    "U" => ALNUM[..26].to_owned(),
                    "l" => lower(&ALNUM[..26]) + &ALNUM[52..],
                    "L" => lower(&ALNUM[..26]),
                    "A" => ALNUM[..52].to_owned(),
                    "b" => ALNUM.to_owned() + "+/",
                    "w" => ALNUM.to_owned() + "-_",
                    "k" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".to_owned(),
                    "n" => "0123456789abcdfghijklmnpqrsvwxyz".to_owned(),
                    "c" => "023456789acdefghjklmnpqrstuvwxyz".to_owned(),
                    "p" => ALNUM.to_owned() + "!@#$%^&*(-_=+)",
                    _ => panic!("no such noise: {name}"),
                };
                self.chars(n_chars, &alphabet)
            }
        }
    }
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
