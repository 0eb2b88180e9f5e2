#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs benchmarks and their peers, and puts all their tables into one; report.sh builds them and calls this.

What belongs to what is found by rule: bench/NAME.cpp is the program bench_NAME and has its peers in bench/peers/NAME.py; bench/NAME.sh beside a folder
NAME is a benchmark that is a script. A table begins with "TITLE, threads N"; tables of the same title are one line of the report. A row counts for the
column that its name begins with, and of several the quickest counts, of croton's the first.
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from math import log

bench = pathlib.Path(__file__).resolve().parent
columns = ["croton", "raw", "Eigen", "NumPy", "PyTorch", "PyTorch compiled", "JAX", "PyTensor"]
heading = "benchmark "  # and its name, in what a run has printed
units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}


def column_of(name):
    first = re.match(r"\w+", name).group()
    return "PyTorch compiled" if first == "PyTorch" and "compiled" in name else first if first in columns else None


def run(command, environment, log):
    """The lines that a command prints, which are shown and kept at once, and whether it ended well."""
    lines = []
    with tempfile.TemporaryFile("w+") as errors:  # what libraries warn of does not belong into the tables
        program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **environment})
        for line in program.stdout:
            lines.append(line.rstrip("\n"))
            print(lines[-1], flush=True)
            log.write(line)
        log.flush()
        well = program.wait() == 0
        if not well:
            errors.seek(0)
            print(*errors.readlines()[-5:], file=sys.stderr, sep="")
    return lines, well


def read(lines, name, tables, of_croton, origins):
    """Adds what the lines say to the tables, {(name, title): {column: seconds}}, and to the lines that say where numbers come from."""
    table = None
    for line in lines:
        if line.startswith(heading):
            name, table = line.removeprefix(heading), None
        elif match := re.match(r"(\S.*), threads \d+$", line):
            title = match[1]
            table = tables.setdefault((name, title), {})
        elif match := re.match(r"  (\S.*?) +(\d+\.\d+) ([num]s) +(\d+\.\d+) ([num]s) ", line):
            column = column_of(match[1])
            if column is None or table is None:
                continue
            best = float(match[4]) * units[match[5]]
            # The other rows of croton are variants of the first.
            if column != "croton" or match[1] == of_croton.setdefault((name, title), match[1]):
                table[column] = min(best, table.get(column, best))
        elif re.match(r".*; flags |Python \d|\d+ elements, ", line) and line not in origins:
            origins.append(line)


def in_units(t):
    unit = next(u for u in ("ns", "us", "ms") if t < 1000 * units[u] or u == "ms")
    return f"{t / units[unit]:.3g} {unit}" if t / units[unit] < 1000 else f"{t / units[unit]:.0f} {unit}"


def cell(times, column):
    if column not in times:
        return ""
    if column == "croton":
        return in_units(times[column])
    return f"{in_units(times[column])} ({times['croton'] / times[column]:.2f})"


def markdown(tables, facts):
    text = "# croton and its peers\n\n" + "".join(f"- {fact}\n" for fact in facts)
    text += "\nThe best time of each; in brackets croton's time divided by it: below 1 croton is quicker.\n\n"
    text += f"| workload | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}\n"
    for (_, title), times in tables.items():
        text += f"| {title.replace('|', '/')} | {' | '.join(cell(times, c) for c in columns)} |\n"
    return text


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


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--quick", action="store_true")
    asked.add_argument("--threads", type=int, default=1)
    asked.add_argument("--python", default=sys.executable)
    asked.add_argument("--programs", type=pathlib.Path, default=bench.parent / "build/bench/bench")
    asked.add_argument("--out", type=pathlib.Path)
    asked.add_argument("--add", type=pathlib.Path, action="append", default=[])
    asked.add_argument("--merge", action="store_true")
    asked.add_argument("--command", default=" ".join(sys.argv))
    asked.add_argument("names", nargs="*")
    asked = asked.parse_args()

    if asked.out is None:  # a part of the report does not take the place of all of it
        asked.out = bench.parent / "build/report" if asked.names else bench / "results"
    date = datetime.date.today().isoformat()
    asked.out.mkdir(parents=True, exist_ok=True)
    environment = {"OPENBLAS_NUM_THREADS": str(asked.threads), "PYTHON": asked.python}
    if asked.quick:
        environment["BENCH_ROUNDS"] = "11"
    every = sorted({p.stem for p in bench.glob("*.cpp")} | {p.stem for p in bench.glob("*.sh") if (bench / p.stem).is_dir()})
    names = [] if asked.merge else asked.names or every
    tables, of_croton, origins, missing = {}, {}, [], []
    earlier = [path.read_text() for path in asked.add]
    for text in earlier:
        read(text.splitlines(), "", tables, of_croton, origins)
    commit = subprocess.run(["git", "-C", bench, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    if asked.merge:  # what was measured says itself of which state it is
        commit = ", ".join(dict.fromkeys(re.findall(r"^\d{4}-\d\d-\d\d, croton (.+)$", "\n".join(earlier), re.MULTILINE)))
    with open(asked.out / f"{date}-report.txt", "w") as log:
        log.write("\n".join([*earlier, f"{date}, croton {commit}\ncommand: {asked.command}\n"]))
        for name in names:
            script = bench / f"{name}.sh"
            program = asked.programs / f"bench_{name}"
            commands = [["bash", str(script)]] if script.exists() else [[str(program), str(asked.threads)]]
            if not script.exists() and not program.exists():
                missing.append(f"{name} (not built)")
                continue
            if (bench / "peers" / f"{name}.py").exists():
                commands.append([asked.python, str(bench / "peers.py"), name, str(asked.threads)])
            log.write(f"\n{heading}{name}\n")
            # Turn by turn, so that what slows the machine for a while slows both; the best of all turns counts.
            for command in commands * (1 if asked.quick or script.exists() else 3):
                print()
                log.write("\n")
                lines, well = run(command, environment, log)
                read(lines, name, tables, of_croton, origins)
                if not well and not any(m.startswith(f"{name} ") for m in missing):
                    missing.append(f"{name} (failed: {pathlib.Path(command[1] if len(command) > 2 else command[0]).name})")
    tables = {key: times for key, times in tables.items() if "croton" in times}
    if not tables:
        sys.exit("report.py: no benchmark has measured anything")
    absent = [c for c in columns if not any(c in times for times in tables.values())]
    facts = [f"{date}, croton {commit}, {asked.threads} thread{'s' if asked.threads > 1 else ''}{', few rounds' if asked.quick else ''}; command: {asked.command}", *origins]
    if absent:
        facts.append(f"not installed, or without any row: {', '.join(absent)}; `bench/report.sh --install` brings those that pip has")
    if asked.merge and (left := [name for name in every if not any(name == of for of, _ in tables)]):
        facts.append(f"not measured: {', '.join(left)}")
    if missing:
        facts.append(f"missing: {', '.join(missing)}")
    (asked.out / f"{date}-report.md").write_text(markdown(tables, facts))
    if drawing := picture(tables, facts):
        (asked.out / "report.svg").write_text(drawing)
    print(f"\n{asked.out}/{date}-report.md: {len(tables)} workloads" + (f"; missing: {', '.join(missing)}" if missing else ""))
    sys.exit(1 if any("failed" in m for m in missing) else 0)


main()
