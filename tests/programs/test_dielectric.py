#!/usr/bin/env python3
"""Runs dielectric. usage: test_dielectric.py PROGRAM balls|options|fine"""

import xml.etree.ElementTree as xml

from example_test import Example, close, main


def check(example, *arguments):
    """What enters leaves; two methods agree on the same equations, and two stencils to the order of their errors."""
    rows, record = example.complete(*arguments)
    results, n = record["results"], record["parameters"]["n"]
    assert results["their difference over the flux"] < 1e-10, results
    assert results["single grid less multigrid-PCG"] < 1e-8, results
    assert 0 < results["27 points less 7 points"] < 2 / n**2, results
    close(results["flux with 7 points"], results["flux at the lower plate"], 2 / n**2 * 10)
    assert rows[-1]["residual"] <= 1e-14 and results["cycles"] == len(rows) - 1 <= 14, rows
    for name in ("field_lines", *(f"conductivity_0.{i}" for i in (2, 4, 6, 8))):
        assert xml.parse(f"out/{name}.vtp").getroot().get("type") == "PolyData", name
    return results["flux at the lower plate"]


def balls(program):
    """Flux differs from that without a ball as theory for a small one in a large box says, roughly; finer grids agree."""
    example = Example(program, "--threads", 1, "--picture-size", 200)
    fluxes = {}
    for ball in ("lower", "higher"):
        coarse = check(example, "--n", 16, "--ball", ball)
        fluxes[ball] = check(example, "--n", 32, "--ball", ball)
        close(coarse, fluxes[ball], 0.01)
    # Far from the ball s is 1, or 0.1; the plates are 2 apart in potential and 1 in height.
    assert 1.8 < fluxes["lower"] < 2 and 0.2 < fluxes["higher"] < 0.26, fluxes


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--n", "100"], "power of two"),
        (["--ball", "none"], "--ball"),
        (["--lines", "0"], "--lines"),
        (["--format", "hdf"], "--format"),
    ]:
        example.refuses(arguments, message)


def fine(program):
    """The paper's size, which is the default."""
    check(Example(program))


main({"balls": balls, "options": options, "fine": fine})
