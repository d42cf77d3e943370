#!/usr/bin/env python3
"""Runs the case mach3_inlet. usage: test_mach3_inlet.py PROGRAM shock"""

import math

from example_test import Example, close, main, record_of, shipped, table_of

CASE = shipped("mach3_inlet")
SMALL = ["--threads", 1, "--picture-size", 128, "--output-stride", 100000, "--amr-levels", 3, "--t-end", 2.5]


def oblique_shock(mach, turn, gamma=1.4):
    """The weak shock that turns a flow: its angle, the pressure ratio, the Mach number behind; Anderson (2003), chapter 4."""

    def excess(angle):
        normal = (mach * math.sin(angle)) ** 2
        return 2 / math.tan(angle) * (normal - 1) / (mach**2 * (gamma + math.cos(2 * angle)) + 2) - math.tan(turn)

    low, high = math.asin(1 / mach), math.radians(60)
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    normal = (mach * math.sin(low)) ** 2
    behind = (1 + 0.5 * (gamma - 1) * normal) / (gamma * normal - 0.5 * (gamma - 1))
    return low, 1 + 2 * gamma / (gamma + 1) * (normal - 1), math.sqrt(behind) / math.sin(low - turn)


def shock(program):
    """The ramp's shock has the angle and the strength of theory, at two Mach numbers."""
    for mach in (3, 2.7):
        angle, ratio, behind = oblique_shock(mach, math.radians(15))
        example = Example(program, *SMALL, case=CASE)
        done = example.run("--mach", mach)
        assert done.returncode == 0, done.stderr
        results = record_of("out")["results"]
        close(results["pressure at probe 0"], ratio, 0.015)
        close(results["Mach number at probe 0"], behind, 0.01)
        assert ("reference 2.82156" in done.stdout) == (mach == 3), done.stdout
        line = table_of("out/line_0.csv")
        above = next(row["y"] for row in line if row["pressure"] < 0.5 * (1 + ratio))
        assert abs(math.degrees(math.atan2(above, 1.3 - 0.5)) - math.degrees(angle)) < 0.8, (above, angle)
    # The table of the case is that of theory.
    angle, ratio, behind = oblique_shock(3, math.radians(15))
    close(ratio, 2.82156, 1e-5)
    close(behind, 2.25490, 1e-5)
    # Walls made of cells hold the flow up.
    _, record = example.complete("--surfaces", "staircase")
    assert record["results"]["Mach number at probe 0"] < behind - 0.02, record["results"]


main({"shock": shock})
