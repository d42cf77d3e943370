#!/usr/bin/env python3
"""Runs blast. usage: test_blast.py PROGRAM plane|space|sides|options"""

from example_test import Example, close, main

SHORT = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]


def check(results, radius, tolerance, spread):
    close(results["radius of the shock"], radius, tolerance)
    assert results["its range over the radius"] < spread, results
    assert results["asymmetry of density"] < 1e-9, results
    assert abs(results["relative change of mass"]) < 1e-12, results
    assert abs(results["relative change of energy"]) < 1e-10, results


def plane(program):
    """The radius by Sedov's solution; the disk of cells has nearly the area of the disk."""
    example = Example(program, *SHORT, "--n", 256, "--source", 0.03)
    for time in (0.04, 0.16):
        rows, record = example.complete("--t-end", time)
        check(record["results"], (time**2 / 0.98404) ** 0.25, 0.02, 0.02)
        # Behind a strong shock density is at most 6.
        assert 2.5 < rows[-1]["greatest_density"] < 6.05, rows[-1]
    assert record["cells"] < 0.6 * 256**2, record


def space(program):
    """With 26 cells on the radius, across which the shock is smeared over three."""
    example = Example(program, *SHORT, "--dim", 3, "--n", 64, "--source", 0.06)
    check(example.complete()[1]["results"], (0.01 / 0.851072) ** 0.2, 0.04, 0.06)


def sides(program):
    """Walls and periodic sides are the same for what is symmetric, and nothing is lost; open ones let it out."""
    example = Example(program, *SHORT, "--n", 64, "--amr-levels", 2, "--source", 0.05, "--t-end", 0.5)
    wall, periodic, open_ = (example.complete("--sides", kind)[1] for kind in ("wall", "periodic", "open"))
    for record in (wall, periodic):
        assert abs(record["results"]["relative change of mass"]) < 1e-12, record
        assert abs(record["results"]["relative change of energy"]) < 1e-12, record
        assert record["results"]["asymmetry of density"] < 1e-9, record
    assert open_["results"]["relative change of energy"] < -0.1, open_


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--dim", "1"], "--dim"),
        (["--n", "100"], "multiple"),
        (["--energy", "0"], "positive"),
        (["--source", "0.6"], "--source"),
        (["--source", "0.001"], "finest"),
        (["--sides", "none"], "--sides"),
    ]:
        example.refuses(arguments, message)


main({"plane": plane, "space": space, "sides": sides, "options": options})
