#!/usr/bin/env python3
"""Runs leapfrog_vortices. usage: test_leapfrog_vortices.py PROGRAM passes|apart|options|turns"""

from pathlib import Path

from example_test import Example, close, main, record_of

SMALL = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]
LINEAR = ["--method", "projection", "--advection", "linear"]
MACCORMACK = ["--method", "projection"]


def check(rows, tolerance=1e-9):
    """What holds at any time: solved, closed, and no energy from nowhere."""
    for row in rows[1:]:
        assert row["residual"] <= tolerance and row["divergence"] < (1e-6 if tolerance < 1e-6 else 1e-3), row
        assert row["inflow"] == 0 and row["outflow"] == 0, row
        assert row["kinetic_energy"] < 1.002 * rows[0]["kinetic_energy"], row
    # Once merged, merged.
    merged = [row["is_merged"] for row in rows]
    assert merged == sorted(merged), merged


def times_of(results):
    """When vortices pass each other."""
    return [results[f"time of pass {i + 1}"] for i in range(int(results["passes"]))]


# Of point vortices in the same strip, by another rule with other steps and images.
THEORY = [0.208007, 0.62402, 1.04003, 1.45605]


def passes(program):
    """On a coarse grid pairs pass twice, when points would; with linear interpolation they merge after the first time."""
    example = Example(program, *SMALL, "--nx", 128, "--t-end", 0.75)
    rows, record = example.complete()
    check(rows)
    results = record["results"]
    times = times_of(results)
    assert len(times) == 2 and "time at which vortices have merged" not in results, results
    for time, theory in zip(times, THEORY):
        close(time, theory, 0.03)
    close(results["energy kept"], rows[-1]["kinetic_energy"] / rows[0]["kinetic_energy"], 1e-6)
    rows, record = example.complete(*LINEAR)
    check(rows, tolerance=1e-6)
    assert record["results"]["passes"] < 2 and record["results"]["time at which vortices have merged"] < 0.4, record
    assert 1 - record["results"]["energy kept"] > 5 * (1 - results["energy kept"]), (record["results"], results)


def apart(program):
    """Far from each other, vortices do not pass; the pairs go on with the same energy."""
    arguments = ("--nx", 64, "--core", 0.08, "--distance", 0.9, "--width", 0.5, "--t-end", 0.3, "--history-stride", 1)
    rows, record = Example(program, *SMALL).complete(*arguments)
    check(rows)
    assert record["results"]["passes"] == 0 and record["results"]["energy kept"] > 0.98, record["results"]
    for row in rows:
        close(row["distance"], 0.9, 0.1)


def turns(program):
    """Two turns: four passes within 3 % of point vortices, and a fifth of the loss of a projection method at most."""
    example = Example(program, *SMALL, "--nx", 256, "--t-end", 1.7)
    rows, record = example.complete()
    check(rows)
    results = record["results"]
    times = times_of(results)
    assert len(times) >= 4 and "time at which vortices have merged" not in results, results
    for time, theory in zip(times, THEORY):
        close(time, theory, 0.03)
    lost = 1 - results["energy kept"]
    rows, record = example.complete(*LINEAR)
    check(rows, tolerance=1e-6)
    assert record["results"]["passes"] <= 2 and record["results"]["time at which vortices have merged"] < 0.7, record
    assert lost < 0.2 * (1 - record["results"]["energy kept"]), (lost, record["results"])
    rows, record = example.complete(*MACCORMACK)
    check(rows, tolerance=1e-6)
    assert lost < 0.2 * (1 - record["results"]["energy kept"]), (lost, record["results"])
    assert abs(times_of(record["results"])[1] - THEORY[1]) > 0.1, record["results"]


def parts(program):
    """Vortices are followed on after a break."""
    example = Example(program, *SMALL, "--nx", 64, "--core", 0.06)
    example.goes_on(30, "--output-stride", 30)


def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--nx", "30"], "--nx"),
        (["--nx", "130"], "multiple of 4"),
        (["--method", "magic"], "--method"),
        (["--interpolation", "cubic"], "--interpolation"),
        (["--limiter", "some"], "--limiter"),
        (["--cycle", "0"], "--cycle"),
        *(([option, "nan"], option) for option in ("--distance", "--width", "--core", "--viscosity", "--cfl")),
    ]:
        example.refuses(arguments, message)
    Path("vortices.toml").write_text('cycle = 3\nnx = 64\nmax-steps = 6\ncompensation = false\nviscosity = 0.001\n')
    _, record = example.complete("--config", "vortices.toml", "--output-stride", 3)
    parameters = record_of("out")["parameters"]
    assert parameters["cycle"] == 3 and parameters["compensation"] is False, parameters
    assert record["steps"] == 6 and len(example.output_times()) == 3, record
    for name in ("vorticity_000006.png", "leapfrog_vortices_000003.vtu"):
        assert Path("out", name).exists(), name
    for arguments in (("--interpolation", "linear"), ("--limiter", "none"), ("--limiter", "everywhere", "--cycle", 1)):
        rows, _ = example.complete("--nx", 64, "--core", 0.08, "--max-steps", 10, *arguments)
        check(rows)


main({"passes": passes, "apart": apart, "turns": turns, "parts": parts, "options": options})
