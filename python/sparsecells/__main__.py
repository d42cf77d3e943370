"""Geometry and cases from the command line.

    python -m sparsecells 'box(0, 0, 400, 160) - ball(80, 80, 20)'       draws the set and says how large it is
    python -m sparsecells EXPRESSION -o fluid.png [-o fluid.h5]           writes pictures and set files
    python -m sparsecells CASE.toml [options]                             runs a flow; --help after the case lists options
    python -m sparsecells --functions                                     lists the functions of expressions
"""

from __future__ import annotations

import sys


def main(words: list[str]) -> int:
    """Runs the command line. Returns the exit code."""
    import sparsecells as sc

    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if words else 2
    if words[0] == "--functions":
        print(sc.expression_help())
        return 0
    if words[0] == "--version":
        print(sc.__version__)
        return 0
    if words[0].endswith(".toml"):
        return run_case(words)
    outputs, rest = [], words[1:]
    while rest:
        if rest[0] not in ("-o", "--output") or len(rest) == 1:
            print(f"sparsecells: what is {rest[0]!r}? After an expression comes -o FILE", file=sys.stderr)
            return 2
        outputs.append(rest[1])
        rest = rest[2:]
    try:
        found = sc.expression(words[0])
        for path in outputs:
            if path.endswith(".png"):
                found.plot().save(path)
            else:
                found.save(path)
    except (ValueError, OSError, MemoryError) as error:
        print(f"sparsecells: {error}", file=sys.stderr)
        return 1
    print(repr(found) if outputs else str(found).rstrip())
    return 0


def run_case(words: list[str]) -> int:
    """Runs a case file with the options that follow it. Returns the exit code."""
    try:
        from sparsecells import _cases  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        print("sparsecells: this build runs no case files, since it was made without VTK", file=sys.stderr)
        return 1
    try:
        return int(_cases.run(words[0], ["sparsecells", *words[1:]]))
    except RuntimeError as error:
        print(f"sparsecells: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
