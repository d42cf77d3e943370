#!/usr/bin/env python3
"""note_warnings.sh keeps what a compiler says beside the object, and nothing where it says nothing.

usage: test_warnings.py COMPILER; works in the current folder
"""

import subprocess
import sys
from pathlib import Path

LAUNCHER = Path(__file__).parents[2] / "cmake/note_warnings.sh"


def compile_text(text):
    """Compiles `text`; the exit status, what was printed, and what was kept, or None."""
    Path("a.cpp").write_text(text)
    done = subprocess.run(
        [LAUNCHER, sys.argv[1], "-Wall", "-c", "a.cpp", "-o", "a.o"], capture_output=True, text=True, check=False
    )
    kept = Path("a.o.warnings")
    return done.returncode, done.stderr, kept.read_text() if kept.exists() else None


def main():
    status, printed, kept = compile_text("int f() { int unused; return 0; }\n")
    assert status == 0 and "unused" in printed and kept == printed, (status, printed, kept)
    status, printed, kept = compile_text("int f() { return 0; }\n")
    assert (status, printed, kept) == (0, "", None), (status, printed, kept)
    status, printed, kept = compile_text("int f() { return }\n")
    assert status != 0 and "error" in printed and kept is None, (status, printed, kept)


main()
