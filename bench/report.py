#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs benchmarks and their peers, and puts all their tables into one; report.sh builds them and calls this.

What belongs to what is found by rule: bench/NAME.cpp is the program bench_NAME and has its peers in bench/peers/NAME.py; bench/NAME.sh beside a folder
NAME is a benchmark that is a script, whose parts `NAME.sh --parts` names. Any other .sh and every .cu says in a line "Not in the report: ..." why it has no
part in it. A table begins with "TITLE, threads N"; tables of the same title are one line of the report. A row counts for the column that its name begins
with, and of several the quickest counts, of croton's the first. Why a column has no row, a line "without COLUMN: ..." says, which counts for all tables of
that benchmark, with `others` in the place of the column for all columns; or the line of a row that was left out.

What a program has printed is a piece, and kept: a report that was broken off goes on behind the last one.
"""
import argparse
import datetime
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from math import log

bench = pathlib.Path(__file__).resolve().parent
columns = ["croton", "raw", "Eigen", "NumPy", "PyTorch", "PyTorch compiled", "JAX", "PyTensor"]
heading = "benchmark "  # and its name, in what a run has printed
units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}


def benchmarks():
    """Every benchmark of the folder, and why it has no part in the report; "" for those that have."""
    found = {}
    for path in sorted([*bench.glob("*.cpp"), *bench.glob("*.cu"), *bench.glob("*.sh")]):
        if path.name == "report.sh":
            continue
        said = re.search(r"^(?://|#) Not in the report: (.+)$", path.read_text(), re.MULTILINE)
        found[path.stem] = said[1] if said else ""
    return found


def column_of(name):
    first = re.match(r"\w+", name).group()
    return "PyTorch compiled" if first == "PyTorch" and "compiled" in name else first if first in columns else None


class Tables:
    """What was printed: {(benchmark, title): {column: seconds}}, why a column is missing there, and where the numbers come from."""

    def __init__(self):
        self.times, self.of_croton, self.why, self.origins = {}, {}, {}, []

    def read(self, lines, name):
        title = None
        for line in lines:
            if line.startswith(heading):
                name, title = line.removeprefix(heading), None
            elif match := re.match(r"(\S.*), threads \d+$", line):
                title = match[1]
                self.times.setdefault((name, title), {})
            elif match := re.match(r"  (\S.*?) +(\d+\.\d+) ([num]s) +(\d+\.\d+) ([num]s) ", line):
                self.add(name, title, match[1], float(match[4]) * units[match[5]])
            elif match := re.match(r"without ([^:]+): (.+)$", line):
                self.why.setdefault((name, None, match[1]), match[2])
            elif (match := re.match(r"  (\S.*): left out, (.+)$", line)) and column_of(match[1]):
                self.why.setdefault((name, title, column_of(match[1])), match[2])
            elif re.match(r".*; flags |Python \d|\d+ elements, ", line) and line not in self.origins:
                self.origins.append(line)

    def add(self, name, title, row, best):
        column = column_of(row)
        if column is None or title is None:
            return
        # The other rows of croton are variants of the first.
        if column != "croton" or row == self.of_croton.setdefault((name, title), row):
            times = self.times[name, title]
            times[column] = min(best, times.get(column, best))

    def reason(self, name, title, column):
        """Why a column has no time there; none where nothing says so."""
        for key in ((name, title, column), (name, None, column), (name, None, "others")):
            if key in self.why:
                return self.why[key]
        if column == "PyTorch compiled" and (reason := self.reason(name, title, "PyTorch")):
            return reason
        # Of a program that was run without a library, the line at its end says so.
        return "not installed" if any(f"{column.split()[0]} not installed" in line for line in self.origins) else None

    def measured(self):
        return {key: times for key, times in self.times.items() if "croton" in times}


def in_units(t):
    unit = next(u for u in ("ns", "us", "ms") if t < 1000 * units[u] or u == "ms")
    return f"{t / units[unit]:.3g} {unit}" if t / units[unit] < 1000 else f"{t / units[unit]:.0f} {unit}"


def markdown(tables, facts):
    """The table, under it the reasons by their numbers, and the list of columns for which nothing says why they are missing."""
    reasons, unsaid, rows = {}, [], ""
    for (name, title), times in tables.measured().items():
        cells = []
        for column in columns:
            if column in times:
                ratio = "" if column == "croton" else f" ({times['croton'] / times[column]:.2f})"
                cells.append(in_units(times[column]) + ratio)
            elif reason := tables.reason(name, title, column):
                cells.append(f"[{reasons.setdefault(reason, len(reasons) + 1)}]")
            else:
                cells.append("")
                unsaid.append(f"{name}: {title}: {column}")
        rows += f"| {name} | {title.replace('|', '/')} | {' | '.join(cells)} |\n"
    text = "# croton and its peers\n\n" + "".join(f"- {fact}\n" for fact in facts)
    text += "\nThe best time of each; in brackets croton's time divided by it: below 1 croton is quicker. Where there is no time a number says why.\n\n"
    text += f"| benchmark | workload | {' | '.join(columns)} |\n|---|---|{'---|' * len(columns)}\n" + rows
    text += "\n" + "".join(f"{number}. {reason}\n" for reason, number in reasons.items())
    return text, unsaid


colours = dict(zip(columns, ("#000000", "#7f7f7f", "#9467bd", "#2a78d6", "#f28e2b", "#d1495b", "#2e9e5b", "#a6761d")))


def picture(tables, facts):
    """How many times croton's time each peer takes, on a logarithmic axis: of each benchmark that has peers other than loops by hand its first and
    its last workload, which is the smallest and the largest where they grow."""
    of_benchmark = {}
    for (name, title), times in tables.items():
        if any(c in times for c in columns[2:]):
            of_benchmark.setdefault(name, []).append((title, times))
    drawn = dict(row for rows in of_benchmark.values() for row in (rows[0], rows[-1]))
    if not drawn:
        return None
    ratios = [t / times["croton"] for times in drawn.values() for t in times.values()]
    ticks = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    low = max(t for t in ticks if t <= max(min(ratios), ticks[0]))
    high = min(t for t in ticks if t >= min(max(ratios), ticks[-1]))
    left, right, top, step = 470, 960, 64, 22
    def x(ratio):
        return left + (right - left) * log(min(max(ratio, low), high) / low) / log(high / low)

    height = top + step * len(drawn) + 46
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="{height}" viewBox="0 0 1000 {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="1000" height="{height}" fill="#ffffff"/>', '<text x="12" y="22" font-size="15">Time of each, by that of croton</text>']
    place = 290
    for column in columns:
        if any(column in times for times in drawn.values()):
            out.append(f'<circle cx="{place}" cy="18" r="5" fill="{colours[column]}"/><text x="{place + 9}" y="22">{column}</text>')
            place += 24 + 7 * len(column)
    bottom = top + step * len(drawn)
    for t in ticks:
        if low <= t <= high:
            out.append(f'<line x1="{x(t):.1f}" x2="{x(t):.1f}" y1="{top - 12}" y2="{bottom}" stroke="{"#000000" if t == 1 else "#dddddd"}"/>'
                       f'<text x="{x(t):.1f}" y="{top - 17}" text-anchor="middle">{t:g}</text>')
    for i, (title, times) in enumerate(drawn.items()):
        y = top + step * i + step / 2
        shown = title if len(title) <= 66 else title[:65] + "…"
        shown = shown.replace("&", "&amp;").replace("<", "&lt;")
        out.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
        for column in reversed(columns):
            if column in times:
                ratio = times[column] / times["croton"]
                out.append(f'<circle cx="{x(ratio):.1f}" cy="{y:.1f}" r="5" fill="{colours[column]}" fill-opacity="0.85">'
                           f'<title>{column}: {in_units(times[column])}, {ratio:.2f} times croton</title></circle>')
    for i, fact in enumerate(facts[:2]):
        out.append(f'<text x="12" y="{bottom + 20 + 15 * i}" font-size="10" fill="#555555">{fact.replace("&", "&amp;").replace("<", "&lt;")[:170]}</text>')
    return "\n".join(out + ["</svg>", ""])


def run(command, environment, path, first_line):
    """Shows the lines that a command prints, and keeps them in `path` if it ends well."""
    part = path.with_suffix(".part")
    with tempfile.TemporaryFile("w+") as errors, open(part, "w") as kept:  # what libraries warn of does not belong into the tables
        kept.write(first_line + "\n")
        program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **environment})
        for line in program.stdout:
            print(line, end="", flush=True)
            kept.write(line)
        well = program.wait() == 0
        if not well:
            errors.seek(0)
            print(*errors.readlines()[-5:], file=sys.stderr, sep="")
    if well:
        part.replace(path)
    return well


def pieces(name, asked):
    """The commands of a benchmark, by a name for each; none where it is not built."""
    script, program = bench / f"{name}.sh", asked.programs / f"bench_{name}"
    if script.exists():
        parts = subprocess.run(["bash", script, "--parts"], capture_output=True, text=True, check=True).stdout.split()
        return {f"{name}.{part}": ["bash", str(script), part] for part in parts}
    if not program.exists():
        return {}
    commands = {"croton": [str(program), str(asked.threads)]}
    if (bench / "peers" / f"{name}.py").exists():
        commands["peers"] = [asked.python, str(bench / "peers.py"), name, str(asked.threads)]
    # Turn by turn, so that what slows the machine for a while slows both; the best of all turns counts.
    return {f"{name}.{who}.{turn}": command for turn in range(1 if asked.quick else 3) for who, command in commands.items()}


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--quick", action="store_true")
    asked.add_argument("--threads", type=int, default=1)
    asked.add_argument("--python", default=sys.executable)
    asked.add_argument("--programs", type=pathlib.Path, default=bench.parent / "build/bench/bench")
    asked.add_argument("--out", type=pathlib.Path)
    asked.add_argument("--pieces", type=pathlib.Path, default=bench.parent / "build/report/pieces")
    asked.add_argument("--under", default="")
    asked.add_argument("--add", type=pathlib.Path, action="append", default=[])
    asked.add_argument("--merge", action="store_true")
    asked.add_argument("--command", default=" ".join(sys.argv))
    asked.add_argument("names", nargs="*")
    asked = asked.parse_args()

    if asked.out is None:  # a part of the report does not take the place of all of it
        asked.out = bench.parent / "build/report" if asked.names else bench / "results"
    date = datetime.date.today().isoformat()
    asked.out.mkdir(parents=True, exist_ok=True)
    asked.pieces.mkdir(parents=True, exist_ok=True)
    environment = {"OPENBLAS_NUM_THREADS": str(asked.threads), "PYTHON": asked.python}
    if asked.quick:
        environment["BENCH_ROUNDS"] = "11"
    commit = subprocess.run(["git", "-C", bench, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    every = benchmarks()
    names = asked.names or [name for name, why in every.items() if not why]
    tables, missing, texts = Tables(), [], []
    for path in asked.add:
        texts.append(path.read_text())
        tables.read(texts[-1].splitlines(), "")
    for name in names:
        commands = pieces(name, asked)
        if not commands and not asked.merge:
            missing.append(f"{name} (not built)")
        for piece, command in commands.items():
            path = asked.pieces / f"{piece}.txt"
            if not path.exists() and not asked.merge:
                print(f"\n{piece}", flush=True)
                if not run(shlex.split(asked.under) + command, environment, path, f"{date}, croton {commit}"):
                    missing.append(f"{piece} (failed)")
        for path in sorted(asked.pieces.glob(f"{name}.*.txt")):
            texts.append(f"{heading}{name}\n{path.read_text()}")
            tables.read(texts[-1].splitlines(), name)
    if not tables.measured():
        sys.exit("report.py: no benchmark has measured anything")
    states = ", ".join(dict.fromkeys(re.findall(r"^(\d{4}-\d\d-\d\d, croton [^;\n]+)$", "\n".join(texts), re.MULTILINE)))
    facts = [f"{states}, {asked.threads} thread{'s' if asked.threads > 1 else ''}{', few rounds' if asked.quick else ''}; command: {asked.command}", *tables.origins]
    for name, why in every.items():
        if not any(name == of for of, _ in tables.measured()) and not any(m.startswith(f"{name} ") for m in missing):
            facts.append(f"without {name}: {why or 'not measured'}")
    text, unsaid = markdown(tables, facts)
    missing += [f"why nothing is there ({each})" for each in unsaid]
    if missing:
        text = text.replace("\n\nThe best time", f"\n- missing: {', '.join(missing)}\n\nThe best time", 1)
    (asked.out / f"{date}-report.txt").write_text("\n".join(texts))
    (asked.out / f"{date}-report.md").write_text(text)
    if drawing := picture(tables.measured(), facts):
        (asked.out / "report.svg").write_text(drawing)
    print(f"\n{asked.out}/{date}-report.md: {len(tables.measured())} workloads" + (f"; missing: {', '.join(missing)}" if missing else ""))
    sys.exit(1 if missing else 0)


main()
