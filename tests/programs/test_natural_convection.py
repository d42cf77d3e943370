#!/usr/bin/env python3
"""Runs the case natural_convection. usage: test_natural_convection.py PROGRAM conduction|tables|levels|options|paper"""

from example_test import Example, close, main, record_of, shipped, table_of

CASE = shipped("natural_convection")
SMALL = ["--threads", 1, "--picture-size", 64, "--output-stride", 1000000, "--no-fields"]
LEFT, RIGHT = "mean Nusselt number, left", "mean Nusselt number, right"


def run(example, *arguments, **options):
    """Numbers of a steady state, in which what comes in by one wall goes out by the other."""
    done = example.run(*arguments, **options)
    assert done.returncode == 0, done.stderr
    rows, record = example.check_whole("out"), record_of("out")
    results = record["results"]
    assert record["is-steady"] and rows[-1]["change"] <= record["parameters"]["steady-tolerance"], rows[-1]
    close(results[LEFT], -results[RIGHT], 2e-3)
    close(rows[-1]["nusselt_left"], results[LEFT], 1e-12)
    return rows, results


def conduction(program):
    """With the paper's numbers, a Rayleigh number of 139, nearly all heat is conducted. The paper prints no Nusselt number."""
    example = Example(program, *SMALL, "--nx", 16, case=CASE)
    rows, results = run(example, "--tolerance", 1e-7)
    # What the series for small Rayleigh numbers says of both walls.
    close(0.5 * (results[LEFT] - results[RIGHT]) - 1, 1.460e-7 * 138.63**2, 0.05)
    assert rows[-1]["time"] > 0.3 * 985.7 * 7, rows[-1]  # the time of conduction
    close(rows[-1]["temperature"], 0.5, 1e-2)  # the mean of the walls' is that of the fluid
    assert results["least stream function"] < -1e-6, results  # up on the left: clockwise
    # Heat goes into the fluid first, and nothing comes out.
    assert rows[1]["nusselt_left"] > 5 and abs(rows[1]["nusselt_right"]) < 1e-3, rows[1]


def tables(program):
    """Of air, what de Vahl Davis found."""
    example = Example(program, *SMALL, "--nx", 32, "--pr", 0.71, case=CASE)
    for ra, nusselt, u, v in ((1e3, 1.118, 3.649, 3.697), (1e4, 2.2448, 16.18, 19.63)):
        rows, results = run(example, "--ra", ra)
        close(results[LEFT], nusselt, 0.015)
        close(results["greatest u on centre line along y"], u, 0.01)
        close(results["greatest v on centre line along x"], v, 0.01)
        # What is turned by half a turn is the same with opposite velocities.
        close(results["least v on centre line along x"], -results["greatest v on centre line along x"], 1e-3)


def levels(program):
    """Of air on levels, what de Vahl Davis found, with cells along the walls."""
    levels = ["--amr-levels", 3, "--refine-threshold", 0.1]
    example = Example(program, *SMALL, "--nx", 16, "--pr", 0.71, *levels, case=CASE)
    for ra, nusselt, u, v in ((1e4, 2.2448, 16.18, 19.63), (1e5, 4.5216, 34.74, 68.64)):
        rows, results = run(example, "--ra", ra, "--steady-tolerance", 2e-5)
        assert 0.05 < results["cells over those of the finest grid"] < 0.6, results
        close(results[LEFT], nusselt, 0.005)
        close(results["greatest u on centre line along y"], u, 0.01)
        close(results["greatest v on centre line along x"], v, 0.01)
        close(rows[-1]["temperature"], 0.5, 1e-3)
    example = Example(program, "--threads", 1, "--picture-size", 64, "--nx", 16, "--pr", 0.71, *levels, case=CASE)
    example.goes_on(15, "--ra", 1e5, "--output-stride", 5, other=("--refine-threshold", 0.2))


def paper(program):
    """At the paper's size, 64^2: an eddy in the middle. Its stream function is the deflection of a clamped square plate under
    an even load, 0.00126532 (Timoshenko and Woinowsky-Krieger, Theory of plates and shells, table 35: 0.00126), times the
    Rayleigh number and the diffusivity."""
    example = Example(program, *SMALL, case=CASE)
    rows, results = run(example, "--tolerance", 1e-8, "--steady-tolerance", 1e-8, timeout=3000)
    diffusivity = 1 / (985.7 * 7)
    rayleigh = 2.1e-4 * 9.706e-2 / diffusivity * 985.7
    close(results["least stream function"], -0.00126532 * rayleigh * diffusivity, 0.005)
    close(results["least stream function, x"], 0.5, 1e-3)
    close(results["least stream function, y"], 0.5, 1e-3)
    eddies = table_of("out/eddies.csv")
    assert [eddy["counterclockwise"] for eddy in eddies] == [0], eddies
    # Heat at small Rayleigh numbers: 1 + 1.460e-7 Ra^2 (tests/incompressible/test_smac_cases.cpp).
    close(results[LEFT] - 1, 1.460e-7 * rayleigh**2, 0.05)


def options(program):
    example = Example(program, *SMALL, case=CASE)
    for arguments, message in [
        (["--pr", "0"], "--pr"),
        (["--ra", "-1"], "--ra"),
        (["--ra", "inf"], "--ra"),
        (["--re", "x"], "--re"),
        (["--ra", "1e4", "--re", "5"], "--re: follows from --ra and --pr"),
    ]:
        example.refuses(arguments, message)
    done = example.run("--method", "projection", "--steady-tolerance", 0)
    assert done.returncode == 1 and "knows no gravity; smac does" in done.stderr, done.stderr


main({"conduction": conduction, "tables": tables, "levels": levels, "options": options, "paper": paper})
