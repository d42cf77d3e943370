#!/usr/bin/env python3
"""Runs advect_disk. usage: test_advect_disk.py PROGRAM plane|space|end|options"""

import math

from example_test import Example, close, main

SHORT = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]


def check(rows, record, size):
    """Bounds hold but for what is corrected between levels."""
    results = record["results"]
    assert results["least value"] > -1e-9 and results["greatest value"] < 1 + 1e-9, results
    assert abs(results["relative change of the total"]) < 1e-12, results
    for row in rows:
        assert row["least_value"] > -1e-9 and row["greatest_value"] < 1 + 1e-9, row
    close(rows[-1]["total"], size, 0.02)


def plane(program):
    """A jump that second-order schemes carry loses order: errors fall as about n^(-2/3)."""
    example = Example(program, *SHORT, "--amr-levels", 3)
    results = {}
    for n in (64, 128):
        rows, record = example.complete("--n", n)
        check(rows, record, math.pi * 0.04)
        results[n] = record["results"]["L1 error"]
    assert record["cells"] < 0.6 * 128**2, record
    order = math.log2(results[64] / results[128])
    assert 0.5 < order < 1, results
    # The same without finer levels, and as good.
    rows, record = example.complete("--n", 128, "--amr-levels", 1)
    check(rows, record, math.pi * 0.04)
    close(record["results"]["L1 error"], results[128], 0.03)
    # Other schemes: not as good, but within bounds.
    for scheme in (["godunov"], ["hancock", "--limiter", "minmod"]):
        rows, record = example.complete("--n", 128, "--scheme", *scheme)
        check(rows, record, math.pi * 0.04)
        assert record["results"]["L1 error"] > results[128], record


def space(program):
    example = Example(program, *SHORT, "--dim", 3, "--n", 48, "--amr-levels", 2, "--radius", 0.25)
    rows, record = example.complete()
    check(rows, record, 4 / 3 * math.pi * 0.25**3)
    assert record["cells"] < 0.8 * 48**3, record


def end(program):
    """What rounding leaves of the time is not a step."""
    example = Example(program, *SHORT, "--n", 32, "--amr-levels", 1, "--history-stride", 1)
    for steps in (3, 7):
        rows, _ = example.complete("--max-steps", steps)
        time = rows[-1]["time"]
        rows, record = example.complete("--t-end", repr(time * (1 + 1e-14)))
        assert record["steps"] == steps and rows[-1]["time"] == time, (record, rows[-1], time)
        rows, record = example.complete("--t-end", repr(time * 1.01))
        assert record["steps"] == steps + 1 and rows[-1]["time"] == time * 1.01, (record, rows[-1], time)


def options(program):
    example = Example(program, "--n", 64, "--amr-levels", 2, "--threads", 1, "--picture-size", 200)
    for arguments, message in [
        (["--dim", "1"], "--dim"),
        (["--n", "100"], "multiple"),
        (["--radius", "0.5"], "--radius"),
        (["--flux", "hll"], "--flux"),
    ]:
        example.refuses(arguments, message)
    example.goes_on(5)


main({"plane": plane, "space": space, "end": end, "options": options})
