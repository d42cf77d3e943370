#!/usr/bin/env python3
"""Runs the case street. usage: test_street.py PROGRAM short|paper"""

import math

from example_test import Example, close, main, record_of, shipped

CASE = shipped("street")
SMALL = ["--threads", 1, "--picture-size", 128, "--no-fields", "--history-stride", 5]


def run(program, *arguments):
    """What comes in goes out, at each time."""
    example = Example(program, *SMALL, case=CASE)
    done = example.run(*arguments, timeout=1500)
    assert done.returncode == 0, done.stderr
    rows, record = example.check_whole("out"), record_of("out")
    for row in rows:
        close(row["inflow"], 1, 1e-9)
        close(row["outflow"], 1, 1e-5)
        assert row["divergence"] < 1e-3, row
    return rows, record["results"]


def short(program):
    """At a Reynolds number of 30 of the cylinder there is no street, and its drag is a known one, made greater by walls."""
    _, results = run(program, "--nx", 128, "--re", 240, "--t-end", 12)
    assert "Strouhal number" not in results, results
    # 1.75 without walls (Tritton, J. Fluid Mech. 6 (1959)).
    assert 1.75 < results["drag coefficient"] < 2.5, results


def paper(program):
    """The grid and the Reynolds number of Scheidegger, Comba and da Cunha (2005), who print no Strouhal number."""
    rows, results = run(program)
    # Of the cylinder the Reynolds number is 125, so without walls it is 0.266 - 1.016 / sqrt(125) = 0.175. Between walls,
    # the fluid beside the cylinder is faster by 1 / (1 - 1 / 8) at most.
    alone = 0.2660 - 1.0160 / math.sqrt(125)
    assert results["periods"] >= 15, results
    assert alone < results["Strouhal number"] < alone / (1 - 1 / 8), (alone, results)
    assert 1.3 < results["drag coefficient"] < 1.3 / (1 - 1 / 8) ** 2, results  # 1.3 to 1.35 without walls
    # Lift goes up and down about 0, as often as vortices leave, and on eight cells across nearly as far to both sides.
    late = [row for row in rows if row["time"] > 15]
    lift = [row["lift"] for row in late]
    turns = sum(a <= 0 < b for a, b in zip(lift, lift[1:]))
    close(turns / (late[-1]["time"] - late[0]["time"]) / 8, results["Strouhal number"], 0.08)
    assert abs(max(lift) + min(lift)) < 0.25 * max(lift), (max(lift), min(lift))


main({"short": short, "paper": paper})
