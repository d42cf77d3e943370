#!/usr/bin/env python3
"""Runs shock_bubble. usage: test_shock_bubble.py PROGRAM light|heavy|options"""

import math

from example_test import Example, close, main

SHORT = ["--threads", 1, "--picture-size", 300, "--n", 128, "--amr-levels", 3, "--output-stride", 1000000]


def behind(mach, gamma=1.4):
    """Density and pressure behind a shock over those before, and velocity over the speed of sound (Rankine-Hugoniot)."""
    square = mach * mach
    density = (gamma + 1) * square / ((gamma - 1) * square + 2)
    return density, 1 + 2 * gamma / (gamma + 1) * (square - 1), mach * (1 - 1 / density)


def check(rows, record, mach, density_of_bubble):
    results = record["results"]
    density, pressure, velocity = behind(mach)
    close(results["Mach number of the shock"], mach, 0.01)
    close(results["density behind it"], density, 0.01)
    close(results["pressure behind it"], pressure, 0.005)
    close(results["velocity behind it"], velocity, 0.005)
    assert results["asymmetry"] < 1e-7, results
    # What the tracer marks: a disk of diameter 1.
    close(rows[0]["tracer_mass"], density_of_bubble * math.pi / 4, 0.02)
    assert abs(results["relative change of tracer mass"]) < 1e-12, results
    for row in rows:
        assert row["least_tracer"] > -1e-5 and row["greatest_tracer"] < 1 + 1e-5, row
    # The shock is seen until it meets the bubble, and never turns back.
    places = [row["shock_x"] for row in rows if math.isfinite(row["shock_x"])]
    assert len(places) > 3 and places == sorted(places) and math.isnan(rows[-1]["shock_x"]), places


def light(program):
    check(*Example(program, *SHORT).complete("--t-end", 2), 1.22, 0.138)


def heavy(program):
    """The shock runs slower through a heavy bubble than outside."""
    check(*Example(program, *SHORT).complete("--t-end", 2, "--density", 3, "--mach", 1.5), 1.5, 3)


def options(program):
    example = Example(program, *SHORT)
    for arguments, message in [
        (["--mach", "1"], "--mach"),
        (["--density", "0"], "--density"),
        (["--n", "100", "--amr-levels", "4"], "multiple"),
    ]:
        example.refuses(arguments, message)
    example.goes_on(6)


main({"light": light, "heavy": heavy, "options": options})
