"""Tables in Markdown, with every figure beside Kenning's, and the list of rows where Kenning is behind."""

from measure import conditions
from speed import Cell, Row

#: Below this share of difference two medians are called equal; machines are not quieter than that.
NOISE = 0.10


def print_conditions(versions: list[tuple[str, str]]):
    """Prints what was measured, and on what."""
    print("## Conditions\n")
    for name, value in [*conditions(), *versions]:
        print(f"- {name}: {value}")
    print()


def print_speed(rows: list[Row], sizes: dict[str, int], names: list[str], own: str):
    """Prints one size's table."""
    print(f"| what | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for row in rows:
        print(f"| {row.label} | {' | '.join(shown_cell(row, name, own) for name in names)} |")
    print(f"| search index on disk | {' | '.join(shown_size(sizes, name, own) for name in names)} |")
    print(f"\nA cell: median wall time, CPU time, peak memory; in brackets how many times {own}'s that is.\n")
    answers = [row for row in rows if any(cell.n_answers for cell in row.cells.values())]
    print(f"| answers that are not empty (that have the one right page) | {' | '.join(names)} |")
    print(f"|---|{'---|' * len(names)}")
    for row in answers:
        print(f"| {row.label} | {' | '.join(shown_answers(row.cells.get(name)) for name in names)} |")
    print()


def shown_cell(row: Row, name: str, own: str) -> str:
    """Shows what one tool needed."""
    cell = row.cells.get(name)
    if cell is None:
        return "–"
    if cell.wall_s is None:
        return f"failed: {one_line(cell.failure or 'no answer')}"
    mine = row.cells.get(own, Cell()) if name != own else Cell()
    parts = [ms(cell.wall_s) + times(cell.wall_s, mine.wall_s), "cpu " + ms(cell.cpu_s) + times(cell.cpu_s, mine.cpu_s)]
    if cell.peak_mib is not None:
        parts.append(f"{cell.peak_mib:.0f} MiB" + times(cell.peak_mib, mine.peak_mib))
    return ", ".join(parts)


def one_line(text: str) -> str:
    """Shows a message so that it fits into a table."""
    return " ".join(text.split()).replace("|", "/")[:300]


def times(theirs: float, mine: float | None) -> str:
    """Shows a figure as a multiple of ours, if there is ours."""
    return f" ({theirs / mine:.1f}x)" if mine else ""


def shown_size(sizes: dict[str, int], name: str, own: str) -> str:
    """Shows the size of one tool's index."""
    if name not in sizes:
        return "–"
    return f"{sizes[name] / 1024 / 1024:.1f} MiB" + times(sizes[name], sizes.get(own) if name != own else None)


def shown_answers(cell: Cell | None) -> str:
    """Shows how many questions got an answer, and how many the right one."""
    if cell is None or not cell.n_answers:
        return "–"
    found = f" ({cell.n_found}/{cell.n_to_find})" if cell.n_to_find else ""
    return f"{cell.n_answers - cell.n_empty}/{cell.n_answers}{found}"


def ms(seconds: float) -> str:
    """Shows a time."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def behind(rows: list[Row], sizes: dict[str, int], own: str, n_pages: int) -> list[str]:
    """Returns a sentence for each figure in which another tool needed clearly less than `own`."""
    found = []
    for row in rows:
        mine = row.cells.get(own)
        if mine is None:
            continue
        where = f"{n_pages:,} pages, {row.label}"
        if mine.failure:
            found.append(f"{where}: failed: {one_line(mine.failure)}")
        for name, other in row.cells.items():
            if name == own:
                continue
            found += worse(where, name, "wall time", mine.wall_s, other.wall_s, ms)
            found += worse(where, name, "CPU time", mine.cpu_s, other.cpu_s, ms)
            found += worse(where, name, "memory", mine.peak_mib, other.peak_mib, lambda mib: f"{mib:.0f} MiB")
            found += worse(where, name, "right pages missed", missed(mine), missed(other), str)
    for name, size in sizes.items():
        if own in sizes and name != own:
            where = f"{n_pages:,} pages, search index on disk"
            found += worse(where, name, "size", sizes[own], size, lambda n: f"{n / 1024 / 1024:.1f} MiB")
    return found


def missed(cell: Cell) -> int | None:
    """Returns how many answers lacked the page that must be there."""
    return cell.n_to_find - cell.n_found if cell.n_to_find else None


def worse(where: str, name: str, what: str, mine, other, shown) -> list[str]:
    """Returns a sentence if ours is clearly larger."""
    if mine is None or other is None or mine <= other * (1 + NOISE):
        return []
    times = f", {mine / other:.1f} x {name}" if other else ""
    return [f"{where}: {what} {shown(mine)} against {shown(other)} of {name}{times}"]


def print_behind(sentences: list[str], own: str, took_part: bool):
    """Prints where Kenning loses."""
    print(f"## Where {own} is behind\n")
    if not took_part:
        print(f"{own} was not measured, so nothing can be said.")
    for sentence in sentences:
        print(f"- {sentence}")
    if took_part and not sentences:
        print(f"In none of these figures by more than {NOISE:.0%}.")
    print()
