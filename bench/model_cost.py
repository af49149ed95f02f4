"""What reading one more day with a model costs in a small and in a large wiki.

Makes vaults of several sizes from a generated journal that a program has read, so that every page rests
on a reading; then adds the same new day to each and lets `ken compile --estimate` count the prompt. The
cost must not grow with the wiki: exits with 1 when the largest prompt is more than a fifth over the
smallest.

    python3 bench/model_cost.py --ken target/release/ken
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (50, 500, 5_000)
#: Subjects of one entry: a reading has at most 30 claims.
PER_ENTRY = 25
ENTRIES_PER_DAY = 8
#: How much more the prompt may be in the largest wiki than in the smallest.
GROWTH_MAX = 1.20

SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo dra cle pri sto gru fen lor mak tis".split()
NOUNS = "ledger queue socket beacon lantern harbor orchard pantry turbine cabinet quarry meadow".split()
VERBS = "stores sends checks renews guards sorts counts paints weighs prints".split()

#: A reader that takes each line for a claim about the name it opens with.
READER = r"""
import json, re, sys
claims, subjects = [], []
for number, text, name in re.findall(r"^(\d+)\| - (((?:\S+) \S+) .*)$", sys.stdin.read(), re.M):
    claims.append({"text": text, "lines": [int(number)] * 2, "kind": "fact", "subjects": [name],
                   "same_as": [], "replaces": [], "disputes": []})
    subjects.append({"name": name, "category": "concept", "aliases": []})
print(json.dumps({"claims": claims, "subjects": subjects[:12], "connections": []}))
"""


def names(count: int) -> list[str]:
    """Returns the first names of one endless list: every vault begins with the same ones."""
    rng = random.Random(7)
    seen, out = set(), []
    while len(out) < count:
        words = ["".join(rng.choice(SYLLABLES) for _ in range(3)).capitalize() for _ in range(2)]
        # No word twice, so that no two names look like one subject.
        if words[0] != words[1] and not seen.intersection(words):
            seen.update(words)
            out.append(" ".join(words))
    return out


def statement(name: str, number: int) -> str:
    """Returns what is said of a name."""
    rng = random.Random(number)
    first, second = rng.sample(NOUNS, 2)
    return f"{name} {rng.choice(VERBS)} the {first} behind the {second} every evening."


def entry(title: str, lines: list[str]) -> str:
    """Returns one entry of the journal."""
    return f"### Session (09:00) - {title}\n\n**Decisions Made:**\n" + "".join(f"- {line}\n" for line in lines) + "\n"


def ken(args, *words: str, vault: Path) -> str:
    """Runs the program and returns what it prints."""
    done = subprocess.run([args.ken, *words], cwd=vault, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"ken {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def fill(args, vault: Path, n_pages: int, model: str) -> int:
    """Makes a vault of so many read pages; returns how many there are."""
    vault.mkdir()
    ken(args, "init", vault=vault)
    known = names(n_pages)
    groups = [known[at : at + PER_ENTRY] for at in range(0, n_pages, PER_ENTRY)]
    for day in range(0, len(groups), ENTRIES_PER_DAY):
        date = time.strftime("%Y-%m-%d", time.gmtime(1_735_689_600 + 86_400 * (day // ENTRIES_PER_DAY)))
        text = f"# Daily Log: {date}\n\n## Sessions\n\n"
        for n, group in enumerate(groups[day : day + ENTRIES_PER_DAY], start=day):
            text += entry(f"Entry {n}", [statement(name, n * PER_ENTRY + m) for m, name in enumerate(group)])
        (vault / "daily").mkdir(exist_ok=True)
        (vault / "daily" / f"{date}.md").write_text(text)
    ken(args, "compile", "--model", model, vault=vault)
    return len(list((vault / "knowledge").rglob("*.md"))) - 2


def new_day(vault: Path):
    """Adds the day whose cost is asked for: it speaks of ten pages that every vault has."""
    lines = [f"{name} no longer needs the {NOUNS[n]} since the move." for n, name in enumerate(names(10))]
    (vault / "daily/2026-05-01.md").write_text(
        "# Daily Log: 2026-05-01\n\n## Sessions\n\n" + entry("The move", lines)
    )


def main():
    """Prints a row for each size, and the growth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ken", default="target/release/ken", help="the program to measure")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="pages of each vault")
    args = parser.parse_args()
    args.ken = str(Path(args.ken).resolve())
    tokens = []
    print("| pages | prompt tokens of the day | tasks | estimate s | compile s |")
    print("|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as work:
        reader = Path(work) / "reader.py"
        reader.write_text(READER)
        model = f"command:{sys.executable} {reader}"
        for size in map(int, args.sizes.split(",")):
            vault = Path(work) / f"vault-{size}"
            started = time.monotonic()
            n_pages = fill(args, vault, size, model)
            compiled = time.monotonic() - started
            new_day(vault)
            walls = []
            for _ in range(3):
                started = time.monotonic()
                out = ken(args, "compile", "--model", model, "--estimate", "--json", vault=vault)
                walls.append(time.monotonic() - started)
            tasks = [task for task in json.loads(out)["tasks"] if task["kind"] == "compile"]
            tokens.append(sum(task["prompt_tokens"] for task in tasks))
            print(f"| {n_pages} | {tokens[-1]} | {len(tasks)} | {sorted(walls)[1]:.2f} | {compiled:.1f} |", flush=True)
    growth = max(tokens) / min(tokens)
    print(f"\nThe largest prompt is {growth:.2f} times the smallest; at most {GROWTH_MAX:.2f} is allowed.")
    sys.exit(growth > GROWTH_MAX)


if __name__ == "__main__":
    main()
