#!/usr/bin/env python3
"""Prints the curve of routing's thresholds: own questions kept against foreign questions loaded.

    python3 bench/curve.py DIR [DIR …]

The vaults are the demo's and one for every folder, a data set as `bench/README.md` describes it; its documents
become pages, or with `--journal` days of a journal, and are compiled. Questions are own in their vault and
foreign in every other. Where a data set is divided by `meta.scope`, each scope has a vault of its own, and
questions whose label is `other` are foreign in it.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = [0.10, 0.20, 0.30, 0.34, 0.38, 0.42, 0.46, 0.50, 0.60]
TEXT = [0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.40]
#: Foreign questions that each vault is asked, from every other: evenly taken, always the same.
FOREIGN_MAX = 60
#: What people ask the demo, in this project's own words; its vault has no questions of its own.
DEMO = """What is stock reservation?
How are refresh tokens kept and how long do they live?
how long is an item held while a customer pays?
why do we use cookie sessions?
which database stores the orders?
what happens when two customers want the last loaf?
how are prices rounded?
when do delivery slots open?
how many orders fit into a delivery slot?
AVIF or JPEG for pictures?
how often do webhooks retry?
where are backups copied to?
how do we deal with a stolen token?
which payment provider do we use?
what does the image pipeline write?
what did we decide about SQLite?
how does the online copy of the database work?
which pixel widths do pictures have?
authentication middleware
WAL mode
night backup of the order database
what does the conditional update do?
rounding half a cent
how are sessions expired""".splitlines()


class Vault:
    """A vault with its own questions."""

    def __init__(self, ken: str, name: str, folder: Path, own: list[str], foreign: list[str]):
        self.ken, self.name, self.folder, self.own, self.foreign = ken, name, folder, own, foreign

    def call(self, *args: str) -> str:
        """Runs `ken` in the vault; 1 is "nothing found"."""
        self.folder.mkdir(parents=True, exist_ok=True)
        env = {"PATH": os.environ.get("PATH", ""), "HOME": str(self.folder.parent), "TZ": "UTC"}
        done = subprocess.run([self.ken, *args], cwd=self.folder, env=env, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"`ken {' '.join(args)}` ended with {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def ask(self, questions: list[str]) -> list[dict]:
        """Returns what routing says of each question, and how sure the text of pages is."""
        lines = "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(questions))
        batch = self.folder.parent / f"{self.folder.name}.jsonl"
        batch.write_text(lines)
        searched = [json.loads(line) for line in self.call("search", "--json", "--in", "pages", "--batch", str(batch)).splitlines()]
        routed = [json.loads(self.call("route", "--json", "--", text)) for text in questions]
        return [{"headers": one["confidence"], "text": two["confidence"], "loads": not one["abstained"]}
                for one, two in zip(routed, searched)]


def vaults_of(ken: str, data: Path, work: Path, as_journal: bool) -> list[Vault]:
    """Makes the vaults of a data set."""
    read = lambda name: [json.loads(line) for line in (data / name).read_text().splitlines()]  # noqa: E731
    scope_of = lambda one: str(one.get("meta", {}).get("scope", ""))  # noqa: E731
    docs, queries = read("docs.jsonl"), read("queries.jsonl")
    scopes = sorted({scope_of(doc) for doc in docs}) if not as_journal else [""]
    out = []
    for scope in scopes:
        asked = [one for one in queries if as_journal or scope_of(one) == scope]
        is_other = lambda one: one.get("meta", {}).get("label") == "other"  # noqa: E731
        own = [plain(one["text"]) for one in asked if not is_other(one)]
        vault = Vault(ken, data.name, work / f"{data.name}-{scope}".rstrip("-"), own, [plain(one["text"]) for one in asked if is_other(one)])
        vault.call("init", ".", "--quiet")
        for number, doc in enumerate(doc for doc in docs if as_journal or scope_of(doc) == scope):
            write(vault.folder, doc, number, as_journal)
        vault.call("compile", "--quiet", *([] if as_journal else ["--headers"]))
        vault.call("search", "--refresh", "--quiet")
        out.append(vault)
    return out


def write(folder: Path, doc: dict, number: int, as_journal: bool):
    """Writes one document as a page, or as a day of the journal."""
    if as_journal:
        day = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
        path, text = folder / "daily" / f"{day}.md", f"# Daily Log: {day}\n\n## Sessions\n\n{doc['text']}\n"
    else:
        name = doc.get("meta", {}).get("room", doc["id"])
        path = folder / "knowledge" / f"{name}.md"
        text = doc["text"] if doc["text"].startswith("#") else f"# {name.rsplit('/')[-1].replace('-', ' ')}\n\n{doc['text']}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def plain(text: str) -> str:
    """Returns a text on one line."""
    return re.sub(r"\s+", " ", text).strip()


def auc(own: list[float], foreign: list[float]) -> float:
    """Returns how often an own question is surer than a foreign one."""
    wins = sum((a > b) + (a == b) / 2 for a in own for b in foreign)
    return wins / (len(own) * len(foreign)) if own and foreign else float("nan")


def show(what: str, thresholds: list[float], asked: dict[str, tuple[list[dict], list[dict]]], used: str):
    """Prints the shares of own and foreign questions above each threshold."""
    print(f"## By {what}\n")
    print(f"| threshold | {' | '.join(asked)} |\n|---|{'---|' * len(asked)}")
    for threshold in thresholds:
        share = lambda rows: sum(row[used] >= threshold for row in rows) / max(len(rows), 1)  # noqa: E731
        cells = [f"{share(own):.3f} / {share(foreign):.3f}" for own, foreign in asked.values()]
        print(f"| {threshold:.2f} | {' | '.join(cells)} |")
    cells = [f"{auc([row[used] for row in own], [row[used] for row in foreign]):.3f}" for own, foreign in asked.values()]
    print(f"| AUC | {' | '.join(cells)} |\n")


def main() -> int:
    """Makes the vaults, asks everything, and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, nargs="+", help="a data set: docs.jsonl and queries.jsonl")
    parser.add_argument("--journal", type=Path, action="append", default=[], help="a data set whose documents are days")
    parser.add_argument("--ken", default=str(ROOT / "target/release/ken"), help="[default: target/release/ken]")
    options = parser.parse_args()
    ken = shutil.which(options.ken) or sys.exit(f"`{options.ken}` is no program")
    with tempfile.TemporaryDirectory(prefix="kenning-curve-") as work:
        demo = Vault(str(Path(ken).resolve()), "demo", Path(work).resolve() / "demo", DEMO, [])
        demo.folder.parent.mkdir(exist_ok=True)
        subprocess.run([demo.ken, "demo", str(demo.folder)], capture_output=True, check=True)
        demo.call("search", "--refresh", "--quiet")
        sets = {"demo": [demo]}
        for data, as_journal in [(data, False) for data in options.dir] + [(data, True) for data in options.journal]:
            sets[data.name] = vaults_of(demo.ken, data, Path(work).resolve(), as_journal)
        questions = {name: [text for vault in vaults for text in vault.own] for name, vaults in sets.items()}
        asked: dict[str, tuple[list[dict], list[dict]]] = {}
        for name, vaults in sets.items():
            others = [text for other, texts in questions.items() if other != name for text in texts]
            others = [] if len(vaults) > 1 else others[:: max(1, len(others) // FOREIGN_MAX)]
            own, foreign = [], []
            for vault in vaults:
                own += vault.ask(vault.own)
                foreign += vault.ask(vault.foreign + others)
            asked[f"{name} ({len(own)} / {len(foreign)})"] = (own, foreign)
    print("# Own questions kept / foreign questions loaded\n")
    show("headers", HEADERS, asked, "headers")
    show("text", TEXT, asked, "text")
    cells = {name: [sum(row["loads"] for row in rows) / max(len(rows), 1) for rows in both] for name, both in asked.items()}
    print("As `ken route` decides: " + ", ".join(f"{name} {own:.3f} / {foreign:.3f}" for name, (own, foreign) in cells.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
