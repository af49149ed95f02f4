"""Time, memory and disk: the same corpus, the same questions, every tool in turn.

One repetition runs a call of each tool before the next repetition begins, so that a machine which
slows down slows all of them. The first repetition warms up and is not counted.
"""

from dataclasses import dataclass, field

from corpus import Corpus, Question
from measure import Command, Failed, Run, median, peak_mib, run, run_all
from tools import LlmWiki, Tool

#: Different questions of one kind; odd, so that repetitions do not fall into step with them.
N_QUESTIONS = 5


@dataclass
class Cell:
    """What one tool needed for one thing."""

    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    peak_mib: float | None = None
    #: Of the answers: how many there were, how many were empty, how many had the page they must have.
    n_answers: int = 0
    n_empty: int = 0
    n_found: int = 0
    n_to_find: int = 0
    failure: str | None = None

    def add(self, result: Run):
        """Counts one run."""
        self.walls.append(result.wall_s)
        self.cpus.append(result.cpu_s)

    def judge(self, slugs: list[str], question: Question):
        """Counts one answer."""
        self.n_answers += 1
        self.n_empty += not slugs
        if question.slug:
            self.n_to_find += 1
            self.n_found += question.slug in slugs

    @property
    def wall_s(self) -> float | None:
        """The median of the wall times."""
        return median(self.walls) if self.walls else None

    @property
    def cpu_s(self) -> float | None:
        """The median of the CPU times."""
        return median(self.cpus) if self.cpus else None


@dataclass
class Row:
    """One thing that was done, and each tool's cell by the tool's name."""

    label: str
    cells: dict[str, Cell] = field(default_factory=dict)


class Speed:
    """Measures all tools on a corpus of one size."""

    def __init__(self, tools: list[Tool], n_pages: int, n_runs: int, n_index_runs: int, say):
        self.tools, self.corpus, self.say = tools, Corpus(n_pages), say
        self.pages = tools[0].vault / "knowledge/concepts"
        self.n_runs, self.n_index_runs = n_runs, n_index_runs
        self.rows: list[Row] = []
        self.sizes: dict[str, int] = {}
        self.left_out: dict[str, str] = {}
        self.revision = 0

    def measure(self) -> list[Row]:
        """Writes the pages, measures everything and returns the rows."""
        self.text_bytes = self.corpus.write(self.pages)
        self.tools = [tool for tool in self.tools if self.prepared(tool)]
        self.take_in()
        self.first_index()
        self.row("nothing changed, brought up to date", self.n_runs, lambda tool, _: tool.unchanged())
        self.search("search: a word that one page has", self.corpus.rare(N_QUESTIONS))
        self.search("search: two words of some pages", self.corpus.two_words(N_QUESTIONS))
        self.search("search: the three commonest words", self.corpus.common(N_QUESTIONS))
        self.search("search: a question of eight words", self.corpus.natural(N_QUESTIONS))
        self.changed_page()
        self.row("lint (rg: count every line)", self.n_runs, lambda tool, _: tool.lint())
        return self.rows

    def prepared(self, tool: Tool) -> bool:
        """Prepares a tool; one that cannot be prepared is left out, and the table says why."""
        try:
            tool.prepare()
        except (Failed, OSError) as error:
            self.left_out[tool.name] = str(error)
        return tool.name not in self.left_out

    def take_in(self):
        """The peer that wants its own copy takes all pages in, once: it validates and commits each."""
        row = Row("all pages taken in for the first time, validated and committed (one run)")
        for tool in (tool for tool in self.tools if isinstance(tool, LlmWiki)):
            self.corpus.write(tool.pages, tool.text)
            row.cells[tool.name] = self.tried(lambda cell: cell.add(run(tool.take_in())))
        if row.cells:
            self.rows.append(row)

    def first_index(self):
        """Makes each search index from nothing."""

        def call(tool: Tool, _: int) -> Command | None:
            tool.forget()
            return tool.first_index()

        self.row("search index made from nothing", self.n_index_runs, call)
        self.sizes = {tool.name: size for tool in self.tools if (size := tool.index_bytes())}

    def search(self, label: str, questions: list[Question]):
        """Asks in a process of its own for each question."""

        def at(turn: int) -> Question:
            return questions[turn % len(questions)]

        def judge(tool: Tool, turn: int, cell: Cell, result: Run):
            # What does not rank lists every match, so that finding the page there says nothing.
            question = Question(at(turn).text) if tool.is_floor else at(turn)
            cell.judge(tool.answer(result.out), question)

        self.row(label, self.n_runs, lambda tool, turn: tool.search(at(turn).text), judge)

    def changed_page(self):
        """Changes one page a repetition; a tool is done when a search finds the new word."""
        both, update = Row("one page changed, until a search finds it"), Row("of that, bringing the index up to date")
        for turn in range(-1, self.n_runs):
            self.revision += 1
            number = (self.revision * 7_919) % self.corpus.n_pages
            page = self.corpus.page(number, self.revision)
            question = Question(self.corpus.changed_word(number, self.revision), page.slug)
            (self.pages / f"{page.slug}.md").write_text(page.for_kenning())
            for tool in self.tools:
                tool.write(page)
            for tool in (tool for tool in self.tools if not tool.is_floor):
                self.tried(lambda _, tool=tool: self.bring(tool, question, turn, both, update), both, tool)
        self.rows += [both, update] if update.cells else [both]
        self.say(both.label)

    def bring(self, tool: Tool, question: Question, turn: int, both: Row, update: Row):
        """Lets one tool take the change in and looks whether it did."""
        updates = tool.update()
        done = run_all(updates) if updates else None
        asked = run(tool.search(question.text))
        if turn < 0:
            return
        cell = both.cells.setdefault(tool.name, Cell())
        cell.add(done.then(asked) if done else asked)
        cell.judge(tool.answer(asked.out), question)
        if done:
            update.cells.setdefault(tool.name, Cell()).add(done)

    def row(self, label: str, n_runs: int, call, judge=None):
        """Measures one thing with every tool that can do it; `call` gives the command for a turn."""
        row = Row(label)
        for turn in range(-1, n_runs):
            for tool in self.tools:
                self.tried(lambda cell, tool=tool: self.turn(tool, turn, cell, call, judge), row, tool)
        for tool in self.tools:
            self.tried(lambda cell, tool=tool: self.weigh(tool, cell, call), row, tool)
        row.cells = {name: cell for name, cell in row.cells.items() if cell.walls or cell.failure}
        self.rows.append(row)
        self.say(label)

    def turn(self, tool: Tool, turn: int, cell: Cell, call, judge):
        """Runs one tool once; turn -1 warms up."""
        command = call(tool, turn)
        if command is None:
            return
        result = run(command)
        if turn >= 0:
            cell.add(result)
            if judge:
                judge(tool, turn, cell, result)

    def weigh(self, tool: Tool, cell: Cell, call):
        """Runs one tool once more for its peak memory."""
        command = call(tool, 0)
        if command is not None:
            cell.peak_mib = peak_mib(command)

    def tried(self, action, row: Row | None = None, tool: Tool | None = None) -> Cell:
        """Does something with a cell; a tool that fails keeps its failure there and the others go on."""
        cell = row.cells.setdefault(tool.name, Cell()) if row else Cell()
        if cell.failure:
            return cell
        try:
            action(cell)
        except (Failed, OSError, ValueError, KeyError, StopIteration) as error:
            cell.failure = str(error) or type(error).__name__
        return cell
