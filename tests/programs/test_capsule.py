#!/usr/bin/env python3
"""Runs the case capsule. usage: test_capsule.py PROGRAM pressure"""

import math
import subprocess
import sys
from pathlib import Path

from example_test import Example, close, main, shipped

CASE = shipped("capsule")
SMALL = ["--threads", 1, "--picture-size", 128, "--output-stride", 100000, "--history-stride", 1000]


def pressure(program):
    """The flow stops on the heat shield with the pressure of a Pitot tube."""
    subprocess.run([sys.executable, CASE.with_name("capsule.py"), "made.stl"], check=True)
    assert Path("made.stl").read_bytes() == CASE.with_name("capsule.stl").read_bytes()

    example = Example(program, *SMALL, "--nx", 20, "--amr-levels", 2, "--t-end", 1.5, case=CASE)
    rows, record = example.complete()
    results, square = record["results"], 3**2
    pitot = (2.4**2 * square / (5.6 * square - 0.8)) ** 3.5 * (2.8 * square - 0.4) / 2.4
    close(results["greatest pressure"], pitot, 0.05)
    close(results["pressure at probe 0"], pitot, 0.06)
    assert results["Mach number at probe 0"] < 0.4, results
    # Modified Newtonian theory (Anderson 2006, chapter 3): the pressure coefficient falls with the square of the normal's
    # cosine, on the shield from 0 to asin(0.47 / 1.2). Towards the shoulder it falls faster than that.
    greatest = (pitot - 1) / (0.5 * 1.4 * square)
    close(results["drag coefficient"], greatest * (1 - 0.5 * (0.5 / 1.2) ** 2), 0.15)
    assert abs(results["lift coefficient"]) < 0.02 and abs(results["side force coefficient"]) < 0.02, results
    # What the fluid lacks is the body that the triangles bound.
    missing = 2.4**3 - sum(rows[0][f"cells_{level}"] * (0.12 / 2**level) ** 3 for level in (0, 1))
    close(missing, 0.2666, 0.03)
    assert math.isfinite(rows[-1]["drag"])


main({"pressure": pressure})
