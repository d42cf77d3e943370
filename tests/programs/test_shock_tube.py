#!/usr/bin/env python3
"""Runs shock_tube against exact solutions. usage: test_shock_tube.py PROGRAM errors|hard|options|parts|samples"""

import csv
import math
import sys
from pathlib import Path

from example_test import Example, close, main, table_of

ROOT = Path(__file__).parents[2]

SOD = []
LAX = ["--left", "0.445,0.698,3.528", "--right", "0.5,0,0.571", "--t-end", 0.13]
NAMES = {"rho": "density", "u": "velocity", "p": "pressure"}


def table(name):
    lines = (ROOT / "tests/data" / name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def tube(example, *arguments):
    """Runs and checks that profile.csv is what the errors are of; the results."""
    results = example.complete("--output-stride", 1000000, *arguments)[1]["results"]
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(open("out/profile.csv"))]
    for name, long_name in NAMES.items():
        mean = sum(abs(row[name] - row[f"exact_{name}"]) for row in rows) / len(rows)
        close(mean, results[f"L1 error of {long_name}"], 0.1)
    assert Path("out/shock_tube.png").stat().st_size > 0
    return results, rows


def errors(program):
    """The errors of another solver with the same scheme, and what levels change."""
    example = Example(program, "--threads", 1, "--picture-size", 400)
    plain = ["--amr-levels", 1, "--flux", "rusanov", "--cfl", 0.45]
    rows = table("riemann_L1_rusanov.csv")
    assert len(rows) == 8
    for row in rows:
        states = LAX if row["case"] == "lax" else SOD
        scheme = ["godunov"] if row["order"] == "1" else ["muscl-rk2", "--limiter", "minmod"]
        results, _ = tube(example, *plain, *states, "--n", row["N"], "--scheme", *scheme)
        for name, long_name in NAMES.items():
            close(results[f"L1 error of {long_name}"], float(row[f"L1_{name}"]), 0.05)

    for states, exact in ((SOD, "riemann_exact_sod.csv"), (LAX, "riemann_exact_lax.csv")):
        _, rows = tube(example, *states, "--n", 1000, "--amr-levels", 1, "--scheme", "godunov")
        for row, known in zip(rows, table(exact), strict=True):
            for name in ("x", *NAMES):
                should_be = float(known[name])
                value = row[name if name == "x" else f"exact_{name}"]
                assert abs(value - should_be) < 2e-6 * max(1, abs(should_be)), (exact, row, known)

        one, three = (tube(example, *states, "--amr-levels", levels)[0] for levels in (1, 3))
        for name in NAMES.values():
            close(three[f"L1 error of {name}"], one[f"L1 error of {name}"], 0.05)
        subcycled = tube(example, *states, "--subcycle")[0]
        close(subcycled["L1 error of density"], one["L1 error of density"], 0.1)


def hard(program):
    """Near vacuum, strong shocks, vacuum: it runs, and finer is better."""
    example = Example(program, "--threads", 1, "--picture-size", 400)
    for states in (
        ["--left", "1,-2,0.4", "--right", "1,2,0.4", "--t-end", 0.15],  # Toro's 123 problem
        ["--left", "1,0,1000", "--right", "1,0,0.01", "--t-end", 0.012],
        ["--left", "1,0,0.01", "--right", "1,0,100", "--t-end", 0.035],
        ["--left", "5.99924,19.5975,460.894", "--right", "5.99242,-6.19633,46.095", "--x0", 0.4, "--t-end", 0.035],
        ["--left", "1,0,1", "--right", "0,0,0", "--t-end", 0.1],
        ["--left", "0,0,0", "--right", "1,2,1", "--t-end", 0.1],
        ["--left", "1,-10,1", "--right", "1,10,1", "--t-end", 0.03],
    ):
        coarse, fine = (tube(example, *states, "--n", n)[0]["L1 error of density"] for n in (100, 400))
        assert fine < 0.6 * coarse, (states, coarse, fine)
        for scheme in ("godunov", "muscl-rk2"):
            error = tube(example, *states, "--n", 100, "--scheme", scheme)[0]["L1 error of density"]
            assert fine < error < 5 * coarse, (states, scheme, error, coarse)
    fine, _ = tube(example, "--left", "1,0,1000", "--right", "1,0,0.01", "--t-end", 0.012)
    close(fine["pressure at the contact"], 460.894, 0.001)  # Toro (2009), table 4.2


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--left", "1,0"], "rho,u,p"),
        (["--left", "1,0,1,2"], "rho,u,p"),
        (["--left", "-1,0,1"], "rho,u,p"),
        (["--right", "1,0,0"], "rho,u,p"),
        (["--right", "1,nan,1"], "rho,u,p"),
        (["--right", "one,0,1"], "rho,u,p"),
        (["--left", "0,0,0", "--right", "0,1,0"], "vacuum"),
        (["--x0", "1"], "--x0"),
        (["--gamma", "1"], "--gamma"),
        (["--n", "401"], "multiple"),
        (["--n", "8", "--amr-levels", "4"], "multiple"),
    ]:
        example.refuses(arguments, message)
    probes = ["0.25,0.5", "0.75,0.5"]
    Path("tube.toml").write_text(f'left = "1,0.5,1"\nn = 100\namr-levels = 1\nprobe = {probes}\n'.replace("'", '"'))
    record = example.complete("--config", "tube.toml")[1]
    assert record["parameters"]["left"] == "1,0.5,1" and record["parameters"]["n"] == 100, record
    assert record["parameters"]["probe"] == probes and Path("out/probe_1.csv").exists(), record


def parts(program):
    Example(program, "--threads", 1, "--n", 200, "--picture-size", 400).goes_on(10)


def samples(program):
    """A line has the values of the profile."""
    columns = {"density": "rho", "velocity_x": "u", "pressure": "p"}
    example = Example(program, "--threads", 1, "--n", 64, "--amr-levels", 2, "--picture-size", 400)
    outside = [([x, 0.5], "outside of the domain") for x in (-0.01, 1.01)]
    example.samples([[0.45, 0.5], [0.7, 0.25]], [0.55, 0.5], outside, ("density", "velocity_x", "velocity_y", "pressure"))
    half = 0.5 / 64
    line = ("--line", f"{half},0.25:{1 - half},0.25:64", "--line", f"{half},0.25:{1 - half},0.25")
    example.complete("--t-end", 0.1, *line)
    profile = table_of("out/profile.csv")
    for name in ("out/line_0.csv", "out/line_1.csv"):
        for row, known in zip(table_of(name), profile, strict=True):
            assert abs(row["x"] - known["x"]) < 1e-12 and abs(row["velocity_y"]) < 1e-12, (row, known)
            assert all(abs(row[c] - known[short]) < 1e-9 for c, short in columns.items()), (row, known)


main({"errors": errors, "hard": hard, "options": options, "parts": parts, "samples": samples})
