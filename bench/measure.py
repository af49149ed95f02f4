"""Running a program and seeing what it cost: wall time, CPU time, peak memory, and what it printed.

CPU time is the kernel's account of the process and of every process it waited for. Peak memory comes
from a run of its own under GNU time, where there is one: a child of this script inherits the script's
own peak as a floor, which is several times what a small program needs.
"""

import functools
import os
import platform
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

GNU_TIME = "/usr/bin/time"
TIMEOUT_S = 1_800


@dataclass(frozen=True)
class Command:
    """What to run; `env` is added to the environment."""

    argv: list[str]
    cwd: Path | None = None
    env: dict[str, str] | None = None


@dataclass(frozen=True)
class Run:
    """One run of one program, or of several after one another."""

    wall_s: float
    cpu_s: float
    code: int
    out: str
    err: str

    def then(self, other: "Run") -> "Run":
        """Returns both together; what was printed is the last one's."""
        code = self.code or other.code
        return Run(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s, code, other.out, other.err)


class Failed(Exception):
    """A program could not be started or said that it failed."""


def run(command: Command, ok=(0, 1)) -> Run:
    """Runs a program to its end; an exit code outside `ok` is a failure (1 is "nothing found" to many)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        env = {**os.environ, **(command.env or {})}
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                command.argv,
                cwd=command.cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"cannot start `{command.argv[0]}`: {error}") from error
        watchdog = threading.Timer(TIMEOUT_S, kill, [process.pid])
        watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - start
        watchdog.cancel()
        process.returncode = code = os.waitstatus_to_exitcode(status)
        result = Run(wall_s, usage.ru_utime + usage.ru_stime, code, read(out), read(err))
    if code not in ok:
        raise Failed(f"`{' '.join(command.argv)}` ended with {code}: {(result.err or result.out).strip()[-400:]}")
    return result


def kill(pid: int):
    """Ends a program that hangs, and all that it started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def read(file) -> str:
    """Returns what was written to a file, whatever its bytes."""
    file.seek(0)
    return file.read().decode(errors="replace")


def run_all(commands: list[Command]) -> Run:
    """Runs programs after one another and returns their sum."""
    result = run(commands[0])
    for command in commands[1:]:
        result = result.then(run(command))
    return result


@functools.cache
def can_weigh() -> bool:
    """Returns whether this machine's `time` tells peak memory; BSD's has other options."""
    try:
        return run(Command([GNU_TIME, "-f", "%M", "true"])).code == 0
    except Failed:
        return False


def peak_mib(command: Command) -> float | None:
    """Runs a program once more and returns its peak memory, if that can be told honestly."""
    if not can_weigh():
        return None
    with tempfile.NamedTemporaryFile("r") as report:
        argv = [GNU_TIME, "-f", "peak %M", "-o", report.name, *command.argv]
        run(Command(argv, command.cwd, command.env))
        peaks = [line for line in report.read().splitlines() if line.startswith("peak ")]
    return int(peaks[-1].split()[1]) / 1024 if peaks else None


def median(values: list[float]) -> float:
    """Returns the middle one of what happened; of an even number, the lower of the middle two."""
    return statistics.median_low(values)


def bytes_in(*places: Path) -> int:
    """Returns the bytes of all files in these places."""
    n_bytes = 0
    for place in places:
        files = [place] if place.is_file() else place.rglob("*")
        n_bytes += sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink())
    return n_bytes


def conditions() -> list[tuple[str, str]]:
    """Returns what a reader has to know about this machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return [
        ("date", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())),
        ("processor", f"{processor()}, {cores} cores usable"),
        ("memory", memory()),
        ("system", f"{platform.system()} {platform.release()}, {platform.machine()}"),
        ("load average at the start", load()),
        ("page cache", "warm: every measured run follows one that is not counted"),
        ("peak memory", "the largest single process, from GNU time" if can_weigh() else "not measured: no GNU time"),
    ]


def load() -> str:
    """Returns how busy the machine was in the last 1, 5 and 15 minutes."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def processor() -> str:
    """Returns the processor's name."""
    return field(Path("/proc/cpuinfo"), "model name") or platform.processor() or "unknown processor"


def memory() -> str:
    """Returns how much memory there is."""
    kib = field(Path("/proc/meminfo"), "MemTotal")
    return f"{int(kib.split()[0]) / 1024 / 1024:.1f} GiB" if kib else "unknown"


def field(path: Path, name: str) -> str | None:
    """Returns the first value of that name in a file of `name: value` lines."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return None
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), None)
