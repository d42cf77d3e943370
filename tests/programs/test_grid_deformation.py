#!/usr/bin/env python3
"""Runs grid_deformation. usage: test_grid_deformation.py PROGRAM circle|outline|options"""

import xml.etree.ElementTree as xml
from pathlib import Path

from example_test import ROOT, Example, close, main

SMALL = ["--threads", 1, "--picture-size", 200]
MEXICO = ROOT / "examples/outlines/mexico.csv"


def check(rows, results, shrink):
    """Areas near the curve are what theory says, and no cell is turned inside out at any time."""
    assert all(row["least_corner"] > 0 for row in rows), rows
    least = [row["least_area"] for row in rows]
    assert least == sorted(least, reverse=True) and least[0] == 1, least
    # The source is strongest where two hats meet, and is 1/2 of that at the sides of a cell.
    assert 0.6 / shrink < results["least area over the first"] < 1.1 / shrink, results
    for name in ("grid", "curve"):
        assert xml.parse(f"out/{name}.vtp").getroot().get("type") == "PolyData", name


def circle(program):
    """At each size and strength; the mean area of the cells at the curve follows the equation of the flow."""
    example = Example(program, *SMALL)
    for n, shrink in ((32, 5), (64, 3), (64, 5), (128, 2)):
        rows, record = example.complete("--n", n, "--shrink", shrink)
        assert len(rows) == 101, len(rows)
        results = record["results"]
        check(rows, results, shrink)
        close(results["length of the curve"], 0.5 * 3.14159265, 2e-3)
        close(results["their mean area over the first"], results["the same by theory"], 0.05)
        assert results["cycles of the solver"] <= 14, results
    # All cells together stay the square.
    _, record = example.complete("--shrink", 1)
    assert record["results"]["least area over the first"] == 1, record["results"]
    _, record = example.complete("--a", 0)
    close(record["results"]["least area over the first"], 0.2, 0.3)
    # Where areas shrink too much for the grid, the program says so and writes no grid.
    done = example.run("--shrink", 50)
    assert done.returncode == 1 and "turned inside out in step" in done.stderr, done.stderr
    assert not Path("out/grid.vtp").exists()


def outline(program):
    """A country, by splines of each degree; a square from an SVG file."""
    example = Example(program, *SMALL, "--size", 0.8)
    lengths = []
    for degree in (1, 3, 5):
        rows, record = example.complete("--outline", MEXICO, "--degree", degree)
        check(rows, record["results"], 2.5)
        assert record["parameters"]["n"] == 128 and record["parameters"]["shrink"] == 2.5, record["parameters"]
        lengths.append(record["results"]["length of the curve"])
    assert lengths[0] < lengths[1] < 1.05 * lengths[0] and lengths[0] < lengths[2] < 1.05 * lengths[0], lengths
    Path("square.svg").write_text('<svg><path d="M0 0 H2 V2 H0 Z"/></svg>')
    _, record = example.complete("--outline", "square.svg", "--n", 64)
    close(record["results"]["length of the curve"], 3.2, 5e-3)  # points one cell apart cut corners


def options(program):
    example = Example(program)
    Path("curved.svg").write_text('<svg><path d="M0 0 C 1 1 2 2 3 3"/></svg>')
    done = example.run("--outline", "curved.svg")
    assert done.returncode == 1 and "curved.svg: its path has a curve" in done.stderr, done.stderr
    for arguments, message in [
        (["--outline", "missing.csv"], "missing.csv"),
        (["--n", "100"], "power of two"),
        (["--degree", "2"], "--degree"),
        (["--degree", "1", "--corner-angle", "30"], "--corner-angle: is of no use"),
        (["--size", "1"], "--size"),
        (["--a", "10"], "--a"),
        (["--shrink", "0.5"], "--shrink"),
        (["--steps", "0"], "--steps"),
        (["--format", "hdf"], "--format"),
    ]:
        example.refuses(arguments, message)


main({"circle": circle, "outline": outline, "options": options})
