#!/usr/bin/env python3
"""Runs forward_step and compares with theory. usage: test_forward_step.py PROGRAM results"""

from example_test import Example, close, main


def results(program):
    example = Example(program, "--ny", 10, "--amr-levels", 3, "--threads", 1, "--picture-size", 300)
    rows, record = example.complete("--t-end", 4)
    found = record["results"]
    # A normal shock and then compression to rest, whose pressure and density are known.
    close(found["pressure at the foot of the step"], 12.061, 0.02)
    close(found["density at the foot of the step"], 6.030, 0.02)
    # As in figures of the source, which show shocks on the floor at 0.2 to 0.35 and on the ceiling at 0.6.
    assert 0.2 < found["bow shock on the floor, x"] < 0.35, found
    assert 0.55 < found["Mach stem on the ceiling, x"] < 0.75, found
    # Nothing stays ahead of the shock but the inflow, and behind it there is no more than a shock can compress.
    assert abs(rows[0]["mass"] - 1.4 * (3 - 2.4 * 0.2)) < 1e-9, rows[0]["mass"]
    assert 0 < rows[-1]["least_density"] and rows[-1]["greatest_density"] < 1.15 * 6.030, rows[-1]
    example.refuses(["--ny", 12], "multiple of 5")
    example.goes_on(10)


main({"results": results})
