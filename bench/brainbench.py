#!/usr/bin/env python3
"""Replays the conversations of gbrain's BrainBench through `ken`, turn by turn.

    python3 bench/brainbench.py DIR                     DIR is `evals/brainbench` of gbrain's repository
    python3 bench/brainbench.py DIR --ken PATH --failed

Every fixture gets vaults of its own in a folder that is removed again; the real program is called for
every turn. `bench/README.md` says what the columns mean and what of it cannot be compared.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True

from measure import conditions  # noqa: E402  (after the line above, which keeps the folder free of caches)

ROOT = Path(__file__).resolve().parent.parent
#: What an agent would be given: how it asks, and whether it is given a page again that it has.
COLUMNS = ("route", "route, new", "hook, new")
#: Passages of the journal that a reader takes beside the pages, and that a fact is looked for in.
EVIDENCE_MAX = 5
#: Rows of the table: the metrics of the suite, and silence, which is what false fires leave.
ROWS = {
    "know-to-ask": ("know_to_ask_failure_rate", "false_fire_rate", "silence", "avg_injected_tokens"),
    "push": ("push_precision", "push_recall", "avg_injected_tokens"),
    "write-back": ("write_back_fidelity", "provenance_accuracy"),
    "continuity": ("continuity_rate", "continuity_page_rate", "avg_injected_tokens"),
}
ISOLATION = "source_isolation_violations"


@dataclass
class Turn:
    """What one turn brought, by each way of asking."""

    fixture: dict
    turn: dict
    gold: dict | None
    injected: dict[str, list[str]] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    def name(self) -> str:
        """Returns what the turn is called in lists."""
        return f"{self.fixture['fixture_id']}#{self.turn['turn_id']}"


@dataclass
class Check:
    """One thing that must be remembered, and whether it was."""

    suite: str
    metric: str
    fixture: dict
    name: str
    is_met: bool


class Vault:
    """One vault of one fixture; each source of pages has its own, as people keep them."""

    def __init__(self, ken: str, folder: Path):
        self.ken, self.root = ken, folder
        self.home = folder.parent / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.call("init", str(folder), cwd=self.home)
        config = folder / "kenning.toml"
        config.write_text(config.read_text() + "\nprompt_context = true\n")

    def call(self, *args: str, text: str = "", cwd: Path | None = None, now: str | None = None) -> str:
        """Runs `ken` and returns what it printed; 1 is "nothing found"."""
        env = {"PATH": os.environ.get("PATH", ""), "HOME": str(self.home), "TZ": "UTC"}
        env |= {"KEN_NOW": now} if now else {}
        done = subprocess.run(
            [self.ken, *args], input=text, capture_output=True, text=True, cwd=cwd or self.root, env=env, timeout=120
        )
        if done.returncode not in (0, 1):
            sys.exit(f"`ken {' '.join(args)}` ended with {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def seed(self, slug: str, content: str):
        """Writes a page."""
        path = self.root / "knowledge" / f"{slug}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def slug(self, path: str) -> str:
        """Returns the fixture's name of a page."""
        return path.removeprefix("knowledge/").removesuffix(".md")

    def route(self, question: str) -> tuple[list[str], int]:
        """Returns the pages that a question loads, and what they cost."""
        said = json.loads(self.call("route", "--json", "--", question))
        return [self.slug(page["path"]) for page in said["loaded"]], said["tokens"]

    def hook(self, prompt: str, session: str) -> tuple[list[str], int]:
        """Returns the pages that are named when a prompt is sent, and an estimate of the text's tokens."""
        call = {"hook_event_name": "UserPromptSubmit", "prompt": prompt, "session_id": session, "cwd": str(self.root)}
        out = self.call("hook", "--agent", "claude-code", text=json.dumps(call)).strip()
        text = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""
        files = {path.stem: self.slug(str(path.relative_to(self.root))) for path in self.root.glob("knowledge/**/*.md")}
        names = re.findall(r"^- \[\[([^\]]+)\]\]", text, re.MULTILINE)
        return [files.get(name, name) for name in names], len(text) // 4

    def delivered(self, question: str) -> str:
        """Returns the text that an agent reads to answer a question: pages, then passages of the journal."""
        pack = json.loads(self.call("context", "--json", "--", question))
        return "\n".join([pack["text"], *(hit["text"] for hit in self.evidence(question))])

    def evidence(self, question: str) -> list[dict]:
        """Returns the passages of the journal that answer a question."""
        args = ("search", "--json", "--in", "evidence", "--limit", str(EVIDENCE_MAX), "--", question)
        return json.loads(self.call(*args))["evidence"]

    def capture(self, turns: list[dict], session: str):
        """Puts a conversation into the journal, as a transcript of Claude Code, and makes pages of it."""
        lines = []
        for turn in turns:
            content = turn["text"] if turn["role"] == "user" else [{"type": "text", "text": turn["text"]}]
            lines.append(json.dumps({
                "type": turn["role"], "sessionId": session, "uuid": f"{session}-{turn['turn_id']}",
                "timestamp": turn["ts"], "cwd": str(self.root), "message": {"role": turn["role"], "content": content},
            }))
        transcript = self.home / f"{session}.jsonl"
        transcript.write_text("\n".join(lines) + "\n")
        self.call("capture", str(transcript))
        self.call("compile", now=turns[-1]["ts"])


class Replay:
    """The fixtures of a folder, replayed."""

    def __init__(self, ken: str, folder: Path, work: Path):
        self.ken, self.work = ken, work
        self.fixtures = [json.loads(path.read_text()) for path in sorted(folder.glob("fixtures/*.json"))]
        golds = [json.loads(path.read_text()) for path in folder.glob("gold/*.json")]
        self.golds = {gold["fixture_id"]: gold for gold in golds}
        self.turns: list[Turn] = []
        self.checks: list[Check] = []
        self.violations: list[str] = []
        #: By pair: the vault that a writer leaves to its reader.
        self.written: dict[str, Vault] = {}

    def run(self):
        """Replays everything; writers come before their readers."""
        is_reader = lambda fixture: fixture.get("continuity", {}).get("pair_role") == "reader"  # noqa: E731
        for fixture in sorted(self.fixtures, key=is_reader):
            self.replay(fixture)

    def replay(self, fixture: dict):
        """Replays one conversation."""
        active = fixture.get("active_source", "default")
        pair = fixture.get("continuity", {})
        vault = self.written.get(pair.get("pair_id")) if pair.get("pair_role") == "reader" else None
        vaults = {active: vault or Vault(self.ken, self.work / fixture["fixture_id"] / active)}
        own = set()
        for page in fixture.get("seed_pages", []):
            source = page.get("source_id", "default")
            if source not in vaults:
                vaults[source] = Vault(self.ken, self.work / fixture["fixture_id"] / source)
            vaults[source].seed(page["slug"], page["content"])
            own |= {page["slug"]} if source == active else set()
        foreign = {page["slug"] for page in fixture.get("seed_pages", [])} - own
        gold = self.golds.get(fixture["fixture_id"], {})
        known: dict[str, set[str]] = {column: set() for column in COLUMNS}
        for turn in fixture["turns"]:
            if turn["role"] == "user":
                self.ask(vaults[active], Turn(fixture, turn, gold.get("turns", {}).get(str(turn["turn_id"]))), known, foreign)
        if all("ts" in turn for turn in fixture["turns"]):
            vaults[active].capture(fixture["turns"], fixture["fixture_id"])
            self.check_facts(vaults[active], fixture, gold)
        if pair.get("pair_role") == "writer":
            self.written[pair["pair_id"]] = vaults[active]
        if pair.get("pair_role") == "reader":
            self.check_decisions(vaults[active], fixture, gold)

    def ask(self, vault: Vault, turn: Turn, known: dict[str, set[str]], foreign: set[str]):
        """Asks for one turn in every way, and notes what came."""
        text = turn.turn["text"]
        routed, hooked = vault.route(text), vault.hook(text, turn.fixture["fixture_id"])
        for column, (slugs, tokens) in zip(COLUMNS, (routed, routed, hooked)):
            is_new = column.endswith("new")
            new = [slug for slug in slugs if not is_new or slug not in known[column]]
            known[column].update(slugs)
            turn.injected[column] = new
            turn.tokens[column] = tokens if len(new) == len(slugs) else tokens * len(new) // max(len(slugs), 1)
            self.violations += [f"{turn.name()}: {slug}" for slug in new if slug in foreign]
        self.turns.append(turn)

    def check_facts(self, vault: Vault, fixture: dict, gold: dict):
        """Looks for every fact of a conversation in the journal, by searching for it."""
        days = {str(turn["turn_id"]): turn["ts"][:10] for turn in fixture["turns"]}
        for turn_id, said in gold.get("turns", {}).items():
            for fact in said.get("gold_facts", []):
                name = f"{fixture['fixture_id']}#{turn_id} {fact['gist']}"
                hits = [hit for hit in vault.evidence(fact["fact"]) if has_all(hit["text"], fact["match_keywords"])]
                self.checks.append(Check("write-back", "write_back_fidelity", fixture, name, bool(hits)))
                if hits:
                    best = hits[0]
                    is_right = (best["session"], best["date"]) == (fixture["fixture_id"], days[turn_id])
                    self.checks.append(Check("write-back", "provenance_accuracy", fixture, name, is_right))

    def check_decisions(self, vault: Vault, fixture: dict, gold: dict):
        """Looks for every decision of the writer in what the reader is given."""
        asked = [turn for turn in self.turns if turn.fixture is fixture]
        text = "\n".join(vault.delivered(turn.turn["text"]) for turn in asked)
        slugs = {slug for turn in asked for slug in turn.injected["route"]}
        for decision in gold.get("continuity", {}).get("decisions", []):
            name = f"{fixture['fixture_id']} {decision['decision_id']}"
            said = has_all(text, decision["match_keywords"])
            loaded = bool(slugs & set(decision["expected_slugs"]))
            self.checks.append(Check("continuity", "continuity_rate", fixture, name, said))
            self.checks.append(Check("continuity", "continuity_page_rate", fixture, name, loaded))


def has_all(text: str, words: list[str]) -> bool:
    """Returns whether a text says all of these words; hyphens are as good as spaces."""
    plain = lambda text: " ".join(re.split(r"[\s-]+", text.lower()))  # noqa: E731
    return all(plain(word) in plain(text) for word in words)


def score(replay: Replay, is_holdout: bool, column: str) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Returns the metrics of every suite for one way of asking, and what failed."""
    wanted = lambda fixture: bool(fixture.get("holdout")) == is_holdout  # noqa: E731
    out: dict[str, dict[str, float]] = {suite: {} for suite in ROWS}
    failed: list[str] = []
    for suite in ROWS:
        turns = [turn for turn in replay.turns if wanted(turn.fixture) and suite in turn.fixture["suites"]]
        if suite == "know-to-ask":
            out[suite] |= know_to_ask(turns, column, failed)
        elif suite == "push":
            out[suite] |= push(turns, column, failed)
        if turns and suite != "write-back":
            out[suite]["avg_injected_tokens"] = sum(turn.tokens[column] for turn in turns) / len(turns)
            out[suite]["gold"] = sum(turn.gold is not None for turn in turns)
        for metric in ROWS[suite]:
            checks = [c for c in replay.checks if (c.suite, c.metric) == (suite, metric) and wanted(c.fixture)]
            if checks:
                out[suite][metric] = sum(check.is_met for check in checks) / len(checks)
                out[suite].setdefault("gold", len(checks))
                failed += [f"{metric}: {check.name}" for check in checks if not check.is_met]
    return out, failed


def know_to_ask(turns: list[Turn], column: str, failed: list[str]) -> dict[str, float]:
    """Returns how often memory stayed silent when it should speak, and spoke when it should be silent."""
    asked, missed, quiet, fired = 0, 0, 0, 0
    for turn in turns:
        if turn.gold is None:
            continue
        if turn.gold["should_retrieve"]:
            asked += 1
            right = set(turn.gold.get("gold_slugs", []) + turn.gold.get("acceptable_slugs", []))
            if not right & set(turn.injected[column]):
                missed += 1
                failed.append(f"missed: {turn.name()} {turn.turn['text']!r} got {turn.injected[column]}")
        else:
            quiet += 1
            if turn.injected[column]:
                fired += 1
                failed.append(f"false fire: {turn.name()} {turn.turn['text']!r} got {turn.injected[column]}")
    rate = fired / quiet if quiet else 0.0
    return {"know_to_ask_failure_rate": missed / asked if asked else 0.0, "false_fire_rate": rate, "silence": 1 - rate}


def push(turns: list[Turn], column: str, failed: list[str]) -> dict[str, float]:
    """Returns how much of what came was right, and how much of what is right came."""
    n_injected, n_right, n_gold, n_found = 0, 0, 0, 0
    for turn in turns:
        gold = turn.gold or {}
        wanted = gold.get("gold_slugs", [])
        right = set(wanted + gold.get("acceptable_slugs", []))
        injected = turn.injected[column]
        n_injected += len(injected)
        n_right += sum(slug in right for slug in injected)
        n_gold += len(wanted)
        n_found += sum(slug in injected for slug in wanted)
        failed += [f"not right: {turn.name()} {slug}" for slug in injected if slug not in right]
        failed += [f"not loaded: {turn.name()} {slug}" for slug in wanted if slug not in injected]
    return {
        "push_precision": n_right / n_injected if n_injected else 1.0,
        "push_recall": n_found / n_gold if n_gold else 1.0,
    }


def show(replay: Replay, baseline: dict, is_holdout: bool):
    """Prints one table; the committed baseline leaves the holdout out, so it stands beside the rest only."""
    harnesses = [] if is_holdout else sorted({cell.split("/")[0] for cell in baseline})
    ours = [score(replay, is_holdout, column)[0] for column in COLUMNS]
    names = [f"ken {column}" for column in COLUMNS] + [f"gbrain {harness}" for harness in harnesses]
    print(f"## {'Holdout' if is_holdout else 'Without holdout'}\n")
    print(f"| suite | metric | {' | '.join(names)} |\n|---|---|{'---:|' * len(names)}")
    for suite, metrics in ROWS.items():
        for metric in metrics:
            theirs = [baseline.get(f"{harness}/{suite}", {}) for harness in harnesses]
            theirs = [cell | {"silence": 1 - cell["false_fire_rate"]} if "false_fire_rate" in cell else cell for cell in theirs]
            cells = [shown(metric, cell.get(metric)) for cell in [*(mine[suite] for mine in ours), *theirs]]
            print(f"| {suite} ({ours[0][suite].get('gold', 0):.0f}) | {metric} | {' | '.join(cells)} |")
    print()


def shown(metric: str, value: float | None) -> str:
    """Shows a figure."""
    if value is None:
        return "–"
    return f"{value:.1f}" if metric == "avg_injected_tokens" else f"{value:.3f}"


def main() -> int:
    """Replays a folder and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, help="the folder with fixtures/, gold/ and baselines/main.json")
    parser.add_argument("--ken", default=str(ROOT / "target/release/ken"), help="[default: target/release/ken]")
    parser.add_argument("--failed", action="store_true", help="name every item that failed, for the first column")
    options = parser.parse_args()
    ken = shutil.which(options.ken)
    if ken is None or not any(options.dir.glob("fixtures/*.json")):
        sys.exit(f"`{options.ken}` is no program, or `{options.dir}` has no fixtures")
    path = options.dir / "baselines/main.json"
    baseline = json.loads(path.read_text())["cells"] if path.is_file() else {}
    with tempfile.TemporaryDirectory(prefix="kenning-brainbench-") as work:
        replay = Replay(str(Path(ken).resolve()), options.dir, Path(work).resolve())
        replay.run()
    print("# BrainBench\n")
    for name, value in conditions()[:5]:
        print(f"- {name}: {value}")
    print(f"- fixtures: {len(replay.fixtures)}; {ISOLATION}: {len(replay.violations)} (a vault for each source)\n")
    show(replay, baseline, is_holdout=False)
    if any(fixture.get("holdout") for fixture in replay.fixtures):
        show(replay, baseline, is_holdout=True)
    if options.failed:
        for column in COLUMNS:
            print(f"## What failed: ken {column}\n")
            print("\n".join(f"- {line}" for line in score(replay, False, column)[1]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
