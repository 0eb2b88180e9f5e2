#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the work of a program of this folder with other libraries, as peers/NAME.py has it for NAME.cpp, and prints the same tables.

usage: python bench/peers.py NAME [threads]
"""
import importlib.util
import pathlib
import runpy
import sys

folder = pathlib.Path(__file__).resolve().parent / "peers"
names = sorted(p.stem for p in folder.glob("*.py"))
if len(sys.argv) not in (2, 3) or sys.argv[1] not in names or not (sys.argv[2:] or ["1"])[0].isdigit():
    sys.exit(f"usage: peers.py NAME [threads], where NAME is one of {' '.join(names)}")
if importlib.util.find_spec("numpy") is None:
    print(f"{sys.executable} has no NumPy: no peers are measured")
    sys.exit(0)
# Not run as a script of its own: beside random.py and statistics.py nothing could be imported that needs those of Python.
runpy.run_path(str(folder / f"{sys.argv[1]}.py"))
