#!/usr/bin/env python3
"""Runs sphere. usage: test_sphere.py PROGRAM start|parts|options|wake"""

from example_test import Example, close, main

SMALL = ["--threads", 1, "--picture-size", 300, "--output-stride", 1000000, "--n", 8, "--amr-levels", 4, "--length", 12, "--height", 8]


def start(program):
    """Few cells, no divergence, and a wake that bends into the plane of the push."""
    example = Example(program, *SMALL)
    rows, record = example.complete("--t-end", 4, "--history-stride", 1)
    assert record["results"]["cells over those of the finest grid"] < 0.4, record
    assert all(row["divergence"] < 3e-6 for row in rows), rows
    last = rows[-1]
    assert last["time"] == 4
    close(last["drag"], 0.75, 0.3)  # wide cells
    assert abs(last["side_force"]) < 1e-6 < abs(last["lift"]), last
    straight = example.complete("--t-end", 1, "--history-stride", 1, "--perturbation", 0)[0][-1]
    assert abs(straight["lift"]) < 1e-6, straight


def parts(program):
    """Runs go on to the bit, with the forces of before."""
    example = Example(program, *SMALL)
    example.goes_on(6, "--output-stride", 3, other=("--re", 50))
    example.goes_on(6, "--output-stride", 3, "--surfaces", "curved", other=("--re", 50))


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--n", "1"], "--n"),
        (["--re", "0"], "--re"),
        (["--length", "31"], "even number of cells of level 0"),
        (["--perturbation", "-1"], "--perturbation"),
        (["--amr-levels", "1", "--regrid-stride", "2"], "of no use with one level"),
    ]:
        example.refuses(arguments, message)


def wake(program):
    """Drag, lift and Strouhal number are those that Johnson and Patel computed, J. Fluid Mech. 378 (1999), Re = 300."""
    results = Example(program).complete("--output-stride", 1000000, timeout=7000)[1]["results"]
    close(results["drag coefficient"], 0.656, 0.03)
    close(results["lift coefficient, in size"], 0.069, 0.03)
    close(results["Strouhal number"], 0.137, 0.03)


main({"start": start, "parts": parts, "options": options, "wake": wake})
