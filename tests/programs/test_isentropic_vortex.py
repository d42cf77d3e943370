#!/usr/bin/env python3
"""Runs isentropic_vortex. usage: test_isentropic_vortex.py PROGRAM orders|levels|options"""

import math

from example_test import Example, close, main

SHORT = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]


def orders(program):
    """One period: second order in the mean for each scheme and sharp limiter, at least first in the greatest error."""
    example = Example(program, *SHORT, "--amr-levels", 1, "--n", 96, "--orders", 1)
    for method in (
        ["--scheme", "hancock", "--limiter", "mc"],
        ["--scheme", "hancock", "--limiter", "van-leer"],
        ["--scheme", "muscl-rk2", "--limiter", "mc"],
        ["--scheme", "muscl-rk3", "--limiter", "van-leer", "--flux", "rusanov"],
    ):
        rows, record = example.complete(*method)
        results = record["results"]
        assert results["order of L1 to 96"] >= 1.8, (method, results)
        assert results["order of Linf to 96"] >= 1, (method, results)
        assert abs(results["relative change of mass"]) < 1e-13, results
        assert rows[-1]["time"] == 10 and record["cells"] == 96 * 96
    # First order is nowhere near at such a resolution, but gets better.
    first = example.complete("--scheme", "godunov", "--t-end", 1)[1]["results"]
    assert 0.5 < first["order of L1 to 96"] < 1.3, first
    # The reference's values on the centre line, at the beginning.
    start = example.complete("--max-steps", 1, "--orders", 0)[0][0]
    temperature = 1 - 0.4 * 25 / (8 * 1.4 * math.pi**2) * math.e
    close(start["least_density"], temperature**2.5, 0.01)


def levels(program):
    """Two levels are as good as the fine one alone where there is something, with fewer cells."""
    example = Example(program, *SHORT, "--n", 96, "--t-end", 3)
    one, two = (example.complete("--amr-levels", n)[1] for n in (1, 2))
    assert two["cells"] < 0.6 * one["cells"], (one, two)
    name = "L1 error of density"
    assert two["results"][name] < 1.3 * one["results"][name], (one, two)
    assert abs(two["results"]["relative change of mass"]) < 1e-13, two


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--n", "100", "--amr-levels", "4"], "multiple"),
        (["--n", "128", "--orders", "5"], "multiple"),
        (["--orders", "-1"], "--orders"),
        (["--limiter", "sharp"], "--limiter"),
    ]:
        example.refuses(arguments, message)


main({"orders": orders, "levels": levels, "options": options})
