#!/usr/bin/env python3
"""Checks that examples are for reading: one file of at most 100 lines each, and each one is run by a test.

usage: examples.py REPOSITORY
Prints what breaks the rule and exits with 1. Longer programs belong in tools/programs.
"""

import re
import sys
from pathlib import Path

MOST_LINES = 100


def check(root):
    problems = []
    for path in sorted([*(root / "examples").rglob("*.?pp"), *(root / "examples").rglob("*.c")]):
        shown = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        line_count = len(text.splitlines())
        if line_count > MOST_LINES:
            problems.append(f"{shown}: {line_count} lines, but an example has at most {MOST_LINES}")
        if path.parent != root / "examples" or path.suffix not in (".cpp", ".c"):
            problems.append(f"{shown}: an example is one file, examples/NAME.cpp or NAME.c")
        for include in re.findall(r'^\s*#\s*include\s*"(.*)"', text, re.M):
            problems.append(f"{shown}: includes {include}, but an example stands alone")
        if not (root / "tests/programs" / f"test_{path.stem}.py").exists():
            problems.append(f"{shown}: there is no tests/programs/test_{path.stem}.py")
    return problems


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "examples").is_dir():
        sys.exit(__doc__)
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "every example is short, stands alone and is tested")
    sys.exit(1 if found else 0)
