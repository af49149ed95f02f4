"""The programs that are compared: how each is prepared, asked, told of changes, and understood.

Every tool works on its own state below one work folder and finds nothing of the user's: home, cache
and configuration folders are set for each call. What a tool lacks is `None`, and the table shows a
dash. To compare another program, write a class like these and add it to `TOOLS`.
"""

import json
import os
import re
import shutil
from pathlib import Path

from corpus import Page
from measure import Command, Failed, bytes_in, run

LIMIT = 10


class Tool:
    """What all have in common; a tool overrides what it can do."""

    name = ""
    install = ""
    #: Names of the program, looked for where the user says, then in PATH.
    program = ""
    #: A tool that reads every file at each question has no index and is only a floor.
    is_floor = False

    def __init__(self, path: str | None, work: Path):
        self.path = found(path, self.program)
        #: The pages that all tools share; who needs a copy keeps one in a folder of its own.
        self.vault = work / "vault"
        self.pages = self.vault / "knowledge/concepts"
        self.own = work / self.name
        self.home = self.own / "home"

    def missing(self) -> str | None:
        """Returns why the tool cannot take part, if it cannot."""
        return None if self.path else f"not installed; {self.install}"

    def version(self) -> str:
        """Returns what the tool says of itself."""
        said = run(self.command("--version")).out.strip()
        return said.splitlines()[0] if said else "unknown"

    def command(self, *args: str) -> Command:
        """Returns a call of the tool."""
        return Command([self.path, *args], self.cwd(), self.env())

    def cwd(self) -> Path:
        """Returns the folder the tool is called in."""
        self.home.mkdir(parents=True, exist_ok=True)
        return self.own

    def env(self) -> dict[str, str]:
        """Returns an environment in which nothing of the user's is found."""
        home = str(self.home)
        names = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
        return {**dict.fromkeys(names, home), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}

    def prepare(self) -> None:
        """Makes the tool's state when the vault has its pages; not measured."""

    def write(self, page: Page) -> None:
        """Writes a changed page into the tool's own copy, if it has one beside the vault."""

    def forget(self) -> None:
        """Removes the search index."""

    def first_index(self) -> Command | None:
        """Returns the call that makes the search index from nothing."""

    def update(self) -> list[Command] | None:
        """Returns the calls after which a changed page is searchable; none if a search does that itself."""

    def search(self, words: str) -> Command:
        """Returns the call for the best ten pages."""
        raise NotImplementedError

    def answer(self, out: str) -> list[str]:
        """Returns the slugs that a search printed, best first, each once."""
        raise NotImplementedError

    def unchanged(self) -> Command | None:
        """Returns the call that looks for changes where there are none."""

    def answers(self, questions: list[str]) -> list[list[str]]:
        """Returns the answer to each question; here with a process for each."""
        return [self.answer(run(self.search(question)).out) for question in questions]

    def lint(self) -> Command | None:
        """Returns the call that checks all pages."""

    def index_bytes(self) -> int | None:
        """Returns the size of the search index."""


def found(path: str | None, program: str) -> str | None:
    """Returns the full path of a program."""
    return shutil.which(os.path.abspath(path)) if path else shutil.which(program)


def once(slugs) -> list[str]:
    """Returns each slug at its first place."""
    return list(dict.fromkeys(slugs))


def stem(path: str) -> str:
    """Returns the slug of a page's path or address."""
    return re.sub(r"\.md$", "", re.split(r"[?#]", path)[0].rsplit("/", 1)[-1])


class Ken(Tool):
    """Kenning: a search brings its index up to date by itself, the first one makes it."""

    name = "ken"
    program = "ken"
    install = "`cargo build --release -p ken-cli` makes target/release/ken"

    def prepare(self) -> None:
        run(self.command("init", "."))
        # The index of headers is part of every vault, and lint looks at it.
        run(self.command("compile"))

    def cwd(self) -> Path:
        super().cwd()
        self.vault.mkdir(parents=True, exist_ok=True)
        return self.vault

    def env(self) -> dict[str, str]:
        return {**super().env(), "KEN_NOW": "2026-07-01T12:00:00Z", "TZ": "UTC"}

    def missing(self) -> str | None:
        why = super().missing()
        if why is None and run(self.command("search", "--help"), ok=range(256)).code:
            why = f"`{self.path}` is older than `ken search`; {self.install}"
        return why

    def version(self) -> str:
        """Adds the checkout to the version, as long as every version is 0.0.0."""
        folder = Path(self.path).resolve().parent
        git = Command(["git", "-C", str(folder), "describe", "--always", "--dirty"])
        try:
            return f"{super().version()}, checkout {run(git).out.strip() or 'unknown'}"
        except Failed:
            return super().version()

    def forget(self) -> None:
        shutil.rmtree(self.vault / ".kenning/cache", ignore_errors=True)

    def first_index(self) -> Command:
        return self.search("nothing")

    def update(self) -> list[Command]:
        return []

    def unchanged(self) -> Command:
        return self.search("nothing")

    def search(self, words: str) -> Command:
        return self.command("search", words, "--json", "--limit", str(LIMIT))

    def answer(self, out: str) -> list[str]:
        return once(names_in(json.loads(out)))[:LIMIT] if out.strip() else []

    def lint(self) -> Command:
        return self.command("lint", "--quiet")

    def index_bytes(self) -> int:
        return bytes_in(self.vault / ".kenning/cache")


def names_in(value) -> list[str]:
    """Returns the pages that a JSON answer names, in order: in its first list of objects with a page."""
    if isinstance(value, dict):
        lists = [value[key] for key in ("results", "hits", "pages", "passages") if isinstance(value.get(key), list)]
        return names_in(lists[0]) if lists else []
    keys = ("slug", "page", "path", "file")
    return [stem(next(hit[key] for key in keys if isinstance(hit.get(key), str))) for hit in value]


class LlmWiki(Tool):
    """llm-wiki-engine: Rust, tantivy; every page needs a header, every ingest is a git commit."""

    name = "llm-wiki"
    program = "llm-wiki"
    install = "`cargo install llm-wiki-engine` makes llm-wiki"

    def env(self) -> dict[str, str]:
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in GIT_IDENTITY}
        config = str(self.home / ".llm-wiki/config.toml")
        return {**super().env(), **who, "LLM_WIKI_CONFIG": config, "RUST_LOG": "error"}

    def __init__(self, path: str | None, work: Path, tags: bool = False):
        super().__init__(path, work)
        self.pages = self.own / "wiki/wiki/concepts"
        self.triggers_key = "tags" if tags else "read_when"

    def version(self) -> str:
        return super().version() + (", pages with tags" if self.triggers_key == "tags" else "")

    def text(self, page: Page) -> str:
        """Returns a page as this tool wants it."""
        return page.for_llm_wiki(self.triggers_key)

    def prepare(self) -> None:
        run(self.command("spaces", "create", str(self.own / "wiki"), "--name", "bench", "--set-default"))

    def take_in(self) -> Command:
        """Returns the call that validates, commits and indexes all pages."""
        return self.command("ingest", "concepts")

    def write(self, page: Page) -> None:
        self.changed = page.slug
        (self.pages / f"{page.slug}.md").write_text(self.text(page))

    def forget(self) -> None:
        shutil.rmtree(self.home / ".llm-wiki/indexes/bench", ignore_errors=True)

    def first_index(self) -> Command:
        return self.command("index", "rebuild")

    def update(self) -> list[Command]:
        return [self.command("ingest", f"concepts/{self.changed}.md")]

    def unchanged(self) -> Command:
        return self.take_in()

    def search(self, words: str) -> Command:
        return self.command("search", words, "--top-k", str(LIMIT), "--format", "json")

    def answer(self, out: str) -> list[str]:
        return once(stem(hit["slug"]) for hit in first_json(out)["results"])

    def lint(self) -> Command:
        return self.command("lint", "--format", "json")

    def index_bytes(self) -> int:
        return bytes_in(self.home / ".llm-wiki/indexes/bench")


GIT_IDENTITY = (("NAME", "bench"), ("EMAIL", "bench@example.org"))


def first_json(out: str):
    """Returns the first JSON value of an output that may begin with other lines."""
    starts = [at for at in (out.find("{"), out.find("[")) if at >= 0]
    if not starts:
        raise Failed(f"no JSON in: {out.strip()[:200]!r}")
    return json.JSONDecoder().raw_decode(out[min(starts):])[0]


class Qmd(Tool):
    """qmd: Node, SQLite FTS5; measured without its models, which is its `search`. It only reads the pages."""

    name = "qmd"
    program = "qmd"
    install = "`npm install @tobilu/qmd` with Node 22 or newer (`npm install node@24` brings one)"

    def __init__(self, path: str | None, work: Path, node: str | None = None):
        super().__init__(path, work)
        self.node = found(node, "node") if node else self._own_node() or shutil.which("node")

    def _own_node(self) -> str | None:
        """Returns the Node that was installed beside qmd."""
        if not self.path:
            return None
        folders = [folder for folder in Path(self.path).absolute().parents if folder.name == "node_modules"]
        return next((str(node) for folder in folders if (node := folder / "node/bin/node").exists()), None)

    def package(self) -> Path:
        """Returns the folder of the package, for its library."""
        return Path(self.path).resolve().parent.parent

    def missing(self) -> str | None:
        if not self.path or not self.node:
            return super().missing() or f"no Node; {self.install}"
        version = run(Command([self.node, "--version"])).out.strip()
        if int(re.sub(r"\D.*", "", version.lstrip("v")) or 0) < 22:
            return f"Node is {version}; {self.install}"
        return None

    def version(self) -> str:
        return f"{super().version()}, Node {run(Command([self.node, '--version'])).out.strip()}"

    def env(self) -> dict[str, str]:
        path = f"{Path(self.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        return {**super().env(), "PATH": path, "QMD_FORCE_CPU": "1"}

    def call(self, *args: str) -> Command:
        """Returns a call on an index of our own."""
        return self.command("--index", "bench", *args)

    def forget(self) -> None:
        shutil.rmtree(self.home / "qmd", ignore_errors=True)

    def first_index(self) -> Command:
        return self.call("collection", "add", str(self.pages), "--name", "bench")

    def update(self) -> list[Command]:
        return [self.call("update")]

    def unchanged(self) -> Command:
        return self.call("update")

    def search(self, words: str) -> Command:
        return self.call("search", words, "-n", str(LIMIT), "--format", "json")

    def answer(self, out: str) -> list[str]:
        return once(stem(hit["file"]) for hit in first_json(out))

    def answers(self, questions: list[str]) -> list[list[str]]:
        """Asks in one process through the package's library: a Node for each question takes too long."""
        asked = self.cwd() / "questions.json"
        asked.write_text(json.dumps(questions))
        script = Path(__file__).resolve().parent / "qmd_lex.mjs"
        places = [self.package(), self.pages, self.own / "lex.sqlite", asked]
        argv = [self.node, str(script), *map(str, places), str(LIMIT)]
        said = run(Command(argv, self.cwd(), self.env())).out
        return [once(map(stem, files)) for files in json.loads(said)]

    def index_bytes(self) -> int:
        return bytes_in(self.home / "qmd")


class Rg(Tool):
    """ripgrep: no index and no ranking; what it costs to look at every byte."""

    name = "rg"
    program = "rg"
    install = "https://github.com/BurntSushi/ripgrep#installation"
    is_floor = True

    def search(self, words: str) -> Command:
        patterns = [part for word in words.split() for part in ("-e", word)]
        return self.command("-i", "-w", "-F", "-c", "--no-config", *patterns, str(self.pages))

    def answer(self, out: str) -> list[str]:
        return [stem(line.rpartition(":")[0]) for line in out.splitlines()]

    def lint(self) -> Command:
        """Looking at every line, which any check of all pages must do at least."""
        return self.command("-c", "--no-config", ".", str(self.pages))
