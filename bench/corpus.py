"""Pages made from a seed, and questions about them.

The words are invented, their frequencies are not: a third of a text are English function words, the
rest follow Zipf's law over an invented vocabulary, so a few words stand on every page and most on a
handful. Each page also has one word that no other page has, which is how an answer can be checked.
The same number of pages gives the same bytes on every machine; `digest` proves it.
"""

import hashlib
import random
from bisect import bisect
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

SEED = 20_260_701
N_WORDS = 20_000
FUNCTION_WORDS = (
    "the of and to in a is that for it as with be by on not this are or from at which have an when can "
    "does how if its was has but more than after before into what why where work between"
).split()
FUNCTION_SHARE = 0.35
WORDS_MIN, WORDS_MAX = 100, 220

ONSETS = "b br c d dr f g gr h j k l m n p pl r s st t tr v w z".split()
VOWELS = "a a e e i o o u ea".split()
CODAS = "n r l m d t nd rt lk sk".split()
ENDINGS = ["", "", "", "a", "o", "en", "or", "ic", "um", "ex", "ate"]
LETTERS = "bcdfghjklmnprstvwz"


def vocabulary(rng: random.Random) -> list[str]:
    """Returns the invented words, the commonest first; common words are short, as in any language."""
    words, seen = [], set(FUNCTION_WORDS)
    while len(words) < N_WORDS:
        first = "" if len(words) < 100 else pick(rng, ONSETS) + pick(rng, VOWELS)
        word = first + pick(rng, ONSETS) + pick(rng, VOWELS) + pick(rng, CODAS) + pick(rng, ENDINGS)
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def pick(rng: random.Random, items):
    """Draws one; only `random()` is promised to give the same numbers in every Python."""
    return items[int(rng.random() * len(items))]


def unique_word(number: int, kind: str = "q") -> str:
    """Spells a number so that it looks like no other word and no stemmer shortens it."""
    out = ""
    while True:
        number, rest = divmod(number, len(LETTERS))
        out += LETTERS[rest] + "aiou"[len(out) // 2 % 4]
        if number == 0:
            return f"z{kind}{out}q"


def zipf(n: int) -> list[float]:
    """Returns running sums of 1/rank, for drawing by weight."""
    return list(accumulate(1 / rank for rank in range(1, n + 1)))


@dataclass(frozen=True)
class Page:
    """One page: its parts, from which each tool's own header is made."""

    slug: str
    title: str
    tldr: str
    triggers: list[str]
    body: str
    word: str

    def for_kenning(self) -> str:
        """A page as a person writes it into a vault; no compiler may own it."""
        return self._text(
            "type: concept",
            f"tldr: {self.tldr}",
            f"answers_when: [{', '.join(self.triggers)}]",
            "confidence: high",
            "validated: 2026-04",
            "owner: human",
        )

    def for_llm_wiki(self, triggers_key: str = "read_when") -> str:
        """The same page with llm-wiki-engine's own header fields, without which it skips the page."""
        return self._text(
            "type: doc",
            f"summary: {self.tldr}",
            f"{triggers_key}: [{', '.join(self.triggers)}]",
            "status: active",
            "confidence: 0.9",
        )

    def _text(self, *fields: str) -> str:
        lines = [f"title: {self.title}", *fields, "created: 2026-02-15", "updated: 2026-04-26"]
        return "---\n" + "\n".join(lines) + f"\n---\n# {self.title}\n{self.body}"


@dataclass(frozen=True)
class Question:
    """Words to search for, and the page that must be found if there is just one."""

    text: str
    slug: str | None = None


@dataclass
class Corpus:
    """All pages of one size."""

    n_pages: int
    words: list[str] = field(init=False)

    def __post_init__(self):
        self.words = vocabulary(random.Random(SEED))
        self._content_weights = zipf(N_WORDS)
        self._function_weights = zipf(len(FUNCTION_WORDS))

    def pages(self):
        """Yields every page; none is kept, so a large corpus costs no memory."""
        for number in range(self.n_pages):
            yield self.page(number)

    def page(self, number: int, revision: int = 0) -> Page:
        """Makes one page; a later revision ends in a sentence with a new unique word."""
        rng = random.Random(SEED * 1_000_003 + number)
        title_words = self._title(number)
        triggers = list(dict.fromkeys(title_words + [self._ranked(rng, 200, N_WORDS) for _ in range(4)]))
        word = unique_word(number)
        body = self._body(rng, triggers, word)
        if revision:
            body += f"\nSince the last change it is also {self.changed_word(number, revision)}.\n"
        return Page(
            slug=self.slug(number),
            title=" ".join(title_words).capitalize(),
            tldr=self._sentence(rng, triggers),
            triggers=triggers,
            body=body,
            word=word,
        )

    def slug(self, number: int) -> str:
        """Returns a page's name: its title and its number."""
        return "-".join([*self._title(number), str(number)])

    def changed_word(self, number: int, revision: int) -> str:
        """Returns the word that a revision added."""
        return unique_word(number * 1_000 + revision, "y")

    def rare(self, n: int) -> list[Question]:
        """Words that one page has."""
        rng = random.Random(SEED + 1)
        numbers = [int(rng.random() * self.n_pages) for _ in range(n)]
        return [Question(unique_word(number), self.slug(number)) for number in numbers]

    def two_words(self, n: int) -> list[Question]:
        """Pairs of words that some hundredths of the pages have."""
        rng = random.Random(SEED + 2)
        return [Question(f"{self._ranked(rng, 100, 1_000)} {self._ranked(rng, 100, 1_000)}") for _ in range(n)]

    def common(self, n: int) -> list[Question]:
        """The commonest invented words, three at a time: nearly every page has one of them."""
        return [Question(" ".join(self.words[(at + k) % 5] for k in range(3))) for at in range(n)]

    def natural(self, n: int) -> list[Question]:
        """Questions of eight words about a page: two words of its title, one that it should mention."""
        rng = random.Random(SEED + 3)
        questions = []
        for _ in range(n):
            page = self.page(int(rng.random() * self.n_pages))
            first, second, third = page.triggers[0], page.triggers[1], page.triggers[3]
            questions.append(Question(f"how does the {first} {second} work with {third}", page.slug))
        return questions

    def digest(self) -> str:
        """Returns the digest of all pages as Kenning gets them."""
        digest = hashlib.sha256()
        for page in self.pages():
            digest.update(page.for_kenning().encode())
        return digest.hexdigest()[:16]

    def write(self, folder: Path, text=Page.for_kenning) -> int:
        """Writes every page into a folder and returns their bytes."""
        folder.mkdir(parents=True, exist_ok=True)
        n_bytes = 0
        for page in self.pages():
            data = text(page).encode()
            (folder / f"{page.slug}.md").write_bytes(data)
            n_bytes += len(data)
        return n_bytes

    def _title(self, number: int) -> list[str]:
        rng = random.Random(SEED * 7_919 + number)
        return [self._ranked(rng, 500, N_WORDS), self._ranked(rng, 500, N_WORDS), self._ranked(rng, 50, 500)]

    def _ranked(self, rng: random.Random, low: int, high: int) -> str:
        """Draws a word of a rank between the two, low ranks more often, as texts do."""
        return self.words[int(low * (high / low) ** rng.random())]

    def _body(self, rng: random.Random, triggers: list[str], word: str) -> str:
        n_wanted = WORDS_MIN + int(rng.random() * (WORDS_MAX - WORDS_MIN))
        parts, n_words, n_sections = [], 0, 0
        while n_words < n_wanted:
            n_sections += 1
            sentences = [self._sentence(rng, triggers) for _ in range(3)]
            if n_sections == 2:
                sentences[1] = f"{sentences[1][:-1]} as {word}."
            n_words += sum(sentence.count(" ") + 1 for sentence in sentences)
            heading = f"{pick(rng, triggers)} {self._ranked(rng, 20, 2_000)}".capitalize()
            parts.append(f"\n## {heading}\n\n{' '.join(sentences)}\n")
            if n_sections == 1:
                other = self.slug(int(rng.random() * self.n_pages))
                parts.append(f"\nSee also [[concepts/{other}]].\n")
        return "".join(parts)

    def _sentence(self, rng: random.Random, triggers: list[str]) -> str:
        n = 8 + int(rng.random() * 12)
        words = [self._drawn(rng) for _ in range(n)]
        words[int(rng.random() * n)] = pick(rng, triggers)
        return " ".join(words).capitalize() + "."

    def _drawn(self, rng: random.Random) -> str:
        if rng.random() < FUNCTION_SHARE:
            return FUNCTION_WORDS[at(self._function_weights, rng.random())]
        return self.words[at(self._content_weights, rng.random())]


def at(sums: list[float], share: float) -> int:
    """Returns the place in running sums where a share of their total falls."""
    return min(bisect(sums, share * sums[-1]), len(sums) - 1)
