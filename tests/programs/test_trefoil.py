#!/usr/bin/env python3
"""Runs trefoil. usage: test_trefoil.py PROGRAM knot|options|fine"""

import xml.etree.ElementTree as xml

from example_test import Example, close, main


def check(example, *arguments):
    """Nothing flows out anywhere, and the circulation is that of the line."""
    rows, record = example.complete(*arguments)
    results = record["results"]
    assert abs(results["divergence x spacing / speed"]) < 1e-14, results
    assert all(abs(row["circulation"] - 1) < 0.01 for row in rows), rows
    assert abs(results["circulation / strength, mean"] - 1) < 0.001, results
    for name in ("trapped", "orbit", "surface"):
        assert xml.parse(f"out/{name}.vtp").getroot().get("type") == "PolyData", name
    return results


def knot(program):
    example = Example(program, "--threads", 1, "--picture-size", 300, "--n", 64, "--turns", 2)
    results = check(example)
    assert all(results[f"cycles for potential {axis}"] <= 12 for axis in "xyz"), results
    scaled = check(example, "--strength", 7)  # the equations are linear
    close(scaled["greatest deviation from 1"], results["greatest deviation from 1"], 1e-6)
    check(example, "--radius", 0.14)


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--n", "100"], "power of two"),
        (["--radius", "0.2"], "--radius"),
        (["--strength", "0"], "--strength"),
        (["--iso", "1"], "--iso"),
        (["--turns", "0"], "--turns"),
    ]:
        example.refuses(arguments, message)


def fine(program):
    """The paper's size."""
    check(Example(program, "--n", 256))


main({"knot": knot, "options": options, "fine": fine})
