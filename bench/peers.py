#!/usr/bin/env python3
"""Measures Kenning beside its peers, on one machine, with the same pages and the same questions.

    python3 bench/peers.py                              what is installed, at 1,000 and 10,000 pages
    python3 bench/peers.py --pages 100000 --runs 5      larger
    python3 bench/peers.py --retrieval DIR --no-speed   how good the answers are, on a public data set

Tools that are not installed are named with the way to install them, and the others are measured.
Nothing is downloaded, nothing outside of the work folder is written. `bench/README.md` says what each
row means and under which conditions the figures may be compared.
"""

import argparse
import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

sys.dont_write_bytecode = True

import report  # noqa: E402  (after the line above, which keeps the folder free of caches)
import retrieval  # noqa: E402
from measure import Failed, load  # noqa: E402
from speed import Speed  # noqa: E402
from tools import Ken, LlmWiki, Qmd, Rg, Tool  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
OWN = Ken.name
NAMES = [kind.name for kind in (Ken, LlmWiki, Qmd, Rg)]


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--pages", type=sizes, default=[1_000, 10_000], metavar="N[,N]", help="sizes [default: 1000,10000]")
    add("--runs", type=count, default=11, metavar="N", help="counted runs of each call [default: 11]")
    add("--index-runs", type=count, default=3, metavar="N", help="counted runs of making an index [default: 3]")
    add("--tools", default=",".join(NAMES), metavar="LIST", help=f"which tools [default: {','.join(NAMES)}]")
    add("--ken", metavar="PATH", help="Kenning's program [default: target/release/ken, then PATH]")
    add("--llm-wiki", metavar="PATH", help="llm-wiki-engine's program `llm-wiki` [default: PATH]")
    add("--qmd", metavar="PATH", help="qmd's program [default: PATH]")
    add("--node", metavar="PATH", help="Node for qmd, 22 or newer [default: the one beside qmd, then PATH]")
    add("--rg", metavar="PATH", help="ripgrep [default: PATH]")
    add("--tags", action="store_true", help="give llm-wiki the triggers as tags, which slow its common words down")
    more = "; may be given more than once"
    add("--retrieval", type=data_set, action="append", default=[], metavar="DIR",
        help=f"a data set: docs.jsonl, queries.jsonl, qrels.tsv{more}")
    add("--no-speed", action="store_true", help="only what --retrieval asks for")
    add("--work", type=Path, default=ROOT / "target", metavar="DIR",
        help="where the folder `kenning-peers` is made, and removed again [default: target]")
    add("--keep", action="store_true", help="leave that folder as it is at the end")
    add("--json", type=Path, metavar="FILE", help="write every single figure there, too")
    return parser.parse_args()


def data_set(text: str) -> Path:
    """Reads a folder that has the three files of a data set."""
    folder = Path(text)
    missing = [name for name in retrieval.FILES if not (folder / name).is_file()]
    if missing:
        raise argparse.ArgumentTypeError(f"`{text}` has no {missing[0]}")
    return folder


def sizes(text: str) -> list[int]:
    """Reads `1000,10000`."""
    return [count(part) for part in text.split(",")]


def count(text: str) -> int:
    """Reads a positive number."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def tools(options: argparse.Namespace, work: Path) -> list[Tool]:
    """Returns the tools that were asked for, each with its state below the work folder."""
    built = ROOT / "target/release/ken"
    ken = options.ken or (str(built) if built.exists() else None)
    qmd = Qmd(options.qmd, work, options.node)
    every = [Ken(ken, work), LlmWiki(options.llm_wiki, work, options.tags), qmd, Rg(options.rg, work)]
    wanted = options.tools.split(",")
    unknown = sorted(set(wanted) - set(NAMES))
    if unknown:
        sys.exit(f"no tool is called `{unknown[0]}`; there are {', '.join(NAMES)}")
    return [tool for tool in every if tool.name in wanted]


def present(options: argparse.Namespace, work: Path) -> tuple[list[Tool], list[tuple[str, str]]]:
    """Returns the tools that can take part, and for every tool its version or what is missing."""
    able, said = [], []
    for tool in tools(options, work):
        try:
            why = tool.missing()
            said.append((tool.name, why or tool.version()))
        except Failed as error:
            why = str(error)
            said.append((tool.name, f"cannot be run: {why}"))
        if why is None:
            able.append(tool)
    return able, said


def measure_speed(options: argparse.Namespace, n_pages: int) -> dict:
    """Measures one size, prints its table, and returns every figure."""
    work = options.work / str(n_pages)
    able, _ = present(options, work)
    speed = Speed(able, n_pages, options.runs, options.index_runs, lambda done: say(f"{n_pages:,} pages: {done}"))
    rows = speed.measure()
    print(f"## {n_pages:,} pages\n")
    corpus = f"{speed.text_bytes / 1e6:.1f} MB of Markdown, digest {speed.corpus.digest()}"
    print(f"{corpus}; load average afterwards {load()}.\n")
    for name, why in speed.left_out.items():
        print(f"{name} is left out: {report.one_line(why)}\n")
    report.print_speed(rows, speed.sizes, [tool.name for tool in speed.tools], OWN)
    clear(options, work)
    losses = report.behind(rows, speed.sizes, OWN, n_pages)
    if OWN in speed.left_out:
        losses.append(f"{n_pages:,} pages: not measured: {report.one_line(speed.left_out[OWN])}")
    return {
        "n_pages": n_pages,
        "rows": [asdict(row) for row in rows],
        "index_bytes": speed.sizes,
        "behind": losses,
    }


def measure_retrieval(options: argparse.Namespace, data: Path) -> dict:
    """Judges every tool's answers on one data set, prints the table, and returns the figures."""
    work = options.work / data.resolve().name
    scores = retrieval.measure(data, lambda scope: present(options, work / scope)[0], say)
    retrieval.show(data.name, scores, OWN)
    clear(options, work)
    return {"data": data.name, "scores": scores, "behind": retrieval.behind(data.name, scores, OWN)}


def clear(options: argparse.Namespace, work: Path):
    """Removes what was made, unless it is to be looked at."""
    if not options.keep:
        shutil.rmtree(work, ignore_errors=True)


def say(text: str):
    """Tells a waiting person how far it is."""
    print(f"… {text}", file=sys.stderr, flush=True)


def main() -> int:
    """Measures what was asked for and prints it."""
    options = arguments()
    sys.stdout.reconfigure(line_buffering=True)
    options.work = options.work.resolve() / "kenning-peers"
    shutil.rmtree(options.work, ignore_errors=True)
    able, versions = present(options, options.work)
    print("# Kenning and its peers\n")
    runs = f"{options.runs}, of making an index {options.index_runs}; all tools in turn, then again"
    report.print_conditions([*versions, ("counted runs", runs)])
    if not able:
        print("None of the tools is there, so there is nothing to measure.")
        return 1
    results = {"versions": dict(versions), "speed": [], "retrieval": []}
    for n_pages in [] if options.no_speed else options.pages:
        results["speed"].append(measure_speed(options, n_pages))
    for data in options.retrieval:
        results["retrieval"].append(measure_retrieval(options, data))
    sentences = [sentence for part in results["speed"] + results["retrieval"] for sentence in part["behind"]]
    report.print_behind(sentences, OWN, any(tool.name == OWN for tool in able))
    clear(options, options.work)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
