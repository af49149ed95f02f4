"""How good the answers are: public questions with known answers, the same judge for every tool.

A data set is a folder with `docs.jsonl` (`id`, `text`, `meta`), `queries.jsonl` (`id`, `text`, `meta`)
and `qrels.tsv` (question, document, grade). Where `meta.scope` divides the documents, each scope is
searched on its own, as the set's authors mean it. Every document becomes one page with a neutral name.

Recall and reciprocal rank count the documents of the question's best grade; nDCG weighs every grade.
"""

import csv
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from measure import Failed, run
from report import one_line
from tools import Ken, LlmWiki, Tool

FILES = ["docs.jsonl", "queries.jsonl", "qrels.tsv"]
FIGURES = ["any@5", "R@5", "R@10", "MRR@10", "nDCG@10"]
#: What `ken eval retrieval --json` calls the same figures.
OWN_FIGURES = {
    "questions": "n_judged",
    "any@5": "success_at_5",
    "R@5": "recall_at_5",
    "R@10": "recall_at_10",
    "MRR@10": "mrr_at_10",
    "nDCG@10": "ndcg_at_10",
    "empty": "empty_share",
}
OWN_EVAL = "`ken eval retrieval`"


@dataclass(frozen=True)
class Asked:
    """One question and the grades of the documents that answer it."""

    text: str
    grades: dict[str, float]


@dataclass
class Scope:
    """What belongs together: documents and the questions about them."""

    docs: dict[str, str]
    asked: list[Asked]


def measure(data: Path, tools_for, say) -> dict[str, dict[str, float | str]]:
    """Returns each tool's figures on a data set; `tools_for` gives fresh tools for a scope's name."""
    answers: dict[str, list[tuple[Asked, list[str]]]] = defaultdict(list)
    failures: dict[str, str] = {}
    ken: Ken | None = None
    for number, (name, scope) in enumerate(scopes(data).items(), 1):
        tools = [tool for tool in tools_for(f"scope-{number}") if not tool.is_floor]
        ids = write(scope, tools)
        for tool in tools:
            say(f"{data.name}, {name}: {tool.name}")
            try:
                for asked, slugs in zip(scope.asked, ask(tool, scope)):
                    answers[tool.name].append((asked, [ids.get(slug, slug) for slug in slugs]))
            except (Failed, OSError, ValueError, KeyError) as error:
                failures[tool.name] = str(error) or type(error).__name__
            ken = tool if isinstance(tool, Ken) else ken
    scores: dict[str, dict] = {tool: figures(pairs) for tool, pairs in answers.items()}
    scores.update({tool: {"failure": why} for tool, why in failures.items()})
    if ken:
        scores[OWN_EVAL] = evaluated(ken, data)
    return scores


def scopes(data: Path) -> dict[str, Scope]:
    """Reads a data set, divided as its documents say."""
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    with open(data / "qrels.tsv", newline="") as lines:
        for row in csv.reader(lines, delimiter="\t"):
            if len(row) >= 3 and row[2].replace(".", "", 1).isdigit():
                grades[row[0]][row[1]] = float(row[2])
    result: dict[str, Scope] = defaultdict(lambda: Scope({}, []))
    for doc in jsonl(data / "docs.jsonl"):
        result[scope_of(doc)].docs[doc["id"]] = doc["text"]
    for query in jsonl(data / "queries.jsonl"):
        if any(grades[query["id"]].values()):
            result[scope_of(query)].asked.append(Asked(query["text"], grades[query["id"]]))
    return result


def scope_of(record: dict) -> str:
    """Returns the part of the set that a record belongs to."""
    return str((record.get("meta") or {}).get("scope") or "all")


def jsonl(path: Path):
    """Yields the records of a file."""
    with open(path, encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def write(scope: Scope, tools: list[Tool]) -> dict[str, str]:
    """Writes the documents as pages for every tool and returns the document of each slug."""
    ids = {f"doc-{at:06}": id for at, id in enumerate(scope.docs)}
    for folder in {tool.pages for tool in tools}:
        folder.mkdir(parents=True)
    for tool in tools:
        needed = "type: doc\nstatus: active\nconfidence: 0.9"
        header = needed if isinstance(tool, LlmWiki) else "type: concept\nowner: human"
        for slug, id in ids.items():
            text = f"---\n{header}\ntitle: {slug}\n---\n{scope.docs[id]}\n"
            (tool.pages / f"{slug}.md").write_text(text, encoding="utf-8")
    return ids


def ask(tool: Tool, scope: Scope) -> list[list[str]]:
    """Lets one tool index the pages and answer every question."""
    tool.prepare()
    if isinstance(tool, LlmWiki):
        run(tool.take_in())
    return tool.answers([asked.text for asked in scope.asked])


def figures(pairs: list[tuple[Asked, list[str]]]) -> dict[str, float]:
    """Returns the means over all questions."""
    each = [judged(asked, found) for asked, found in pairs]
    means = {name: sum(one[name] for one in each) / len(each) for name in [*FIGURES, "empty"]}
    return {**means, "questions": len(each)}


def judged(asked: Asked, found: list[str]) -> dict[str, float]:
    """Returns the figures of one answer."""
    best = max(asked.grades.values())
    wanted = {id for id, grade in asked.grades.items() if grade == best}
    rank = next((at for at, id in enumerate(found[:10], 1) if id in wanted), None)
    gained = sum(asked.grades.get(id, 0) / math.log2(at + 1) for at, id in enumerate(found[:10], 1))
    best_order = sorted(asked.grades.values(), reverse=True)[:10]
    ideal = sum(grade / math.log2(at + 1) for at, grade in enumerate(best_order, 1))
    return {
        "any@5": float(bool(wanted & set(found[:5]))),
        "R@5": len(wanted & set(found[:5])) / len(wanted),
        "R@10": len(wanted & set(found[:10])) / len(wanted),
        "MRR@10": 1 / rank if rank else 0.0,
        "nDCG@10": gained / ideal,
        "empty": float(not found),
    }


def evaluated(ken: Ken, data: Path) -> dict:
    """Returns what the product's own evaluation says of the same set."""
    try:
        said = json.loads(run(ken.command("eval", "retrieval", str(data.resolve()), "--json")).out)
    except (Failed, ValueError) as error:
        return {"failure": str(error)}
    flat = flattened(said)
    return {name: flat[key] for name, key in OWN_FIGURES.items() if key in flat} or {"failure": f"gives {sorted(flat)}"}


def flattened(value, into=None) -> dict:
    """Returns the numbers of a JSON value by the names of their fields; the outermost wins."""
    into = {} if into is None else into
    if isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, (int, float)):
                into.setdefault(key, part)
        for part in value.values():
            flattened(part, into)
    return into


def show(data: str, scores: dict[str, dict], own: str):
    """Prints the table of one data set."""
    names = [*FIGURES, "empty"]
    print(f"## Retrieval: {data}\n\n| tool | questions | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}")
    for tool, score in sorted(scores.items(), key=lambda item: (item[0] != own, item[0])):
        if "failure" in score:
            print(f"| {tool} | failed: {one_line(score['failure'])} |{' |' * len(names)}")
        else:
            cells = " | ".join(f"{score[name]:.3f}" if name in score else "–" for name in names)
            print(f"| {tool} | {score.get('questions', '–')} | {cells} |")
    print()


def behind(data: str, scores: dict[str, dict], own: str) -> list[str]:
    """Returns a sentence for each figure in which another tool is better."""
    mine = scores.get(own, {})
    found = [f"{data}: failed: {one_line(mine['failure'])}"] if "failure" in mine else []
    for tool, score in scores.items():
        for name in FIGURES if tool not in (own, OWN_EVAL) else []:
            if name in mine and name in score and score[name] > mine[name]:
                found.append(f"{data}: {name} {mine[name]:.3f} against {score[name]:.3f} of {tool}")
    return found
