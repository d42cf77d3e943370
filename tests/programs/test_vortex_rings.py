#!/usr/bin/env python3
"""Runs vortex_rings. usage: test_vortex_rings.py PROGRAM leapfrog|head_on|options|twice"""

from pathlib import Path

from example_test import Example, close, main, record_of

SMALL = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]
LINEAR = ["--method", "projection", "--advection", "linear"]


def check(rows, tolerance=1e-9):
    """What holds at any time: solved, closed, and no energy from nowhere."""
    for row in rows[1:]:
        assert row["residual"] <= tolerance and row["divergence"] < (1e-6 if tolerance < 1e-6 else 1e-2), row
        assert row["inflow"] == 0 and row["outflow"] == 0, row
        assert row["kinetic_energy"] < 1.005 * rows[0]["kinetic_energy"], row


def leapfrog(program):
    """The ring behind gets narrower, and slips through the wider one about when thin rings do."""
    example = Example(program, *SMALL, "--n", 24, "--core", 0.07, "--t-end", 0.42)
    rows, record = example.complete("--history-stride", 1)
    check(rows)
    results = record["results"]
    assert results["passes"] == 1, results
    close(results["time of pass 1"], 0.38, 0.1)
    last = rows[-1]
    assert last["radius_0"] > 1.1 * 0.5 and last["radius_1"] < 0.9 * 0.5, last
    rows, record = example.complete(*LINEAR)
    check(rows, tolerance=1e-6)
    assert 1 - record["results"]["energy kept"] > 5 * (1 - results["energy kept"]), (record["results"], results)


def head_on(program):
    """Rings that meet get wider, both alike, and lose far less than with linear interpolation."""
    example = Example(program, *SMALL, "--head-on", "--n", 24, "--core", 0.07, "--distance", 0.5, "--t-end", 0.3)
    rows, record = example.complete("--history-stride", 1)
    check(rows)
    results = record["results"]
    assert results["growth of radius"] > 1.1 and rows[-1]["distance"] < 0.8 * rows[0]["distance"], (results, rows[-1])
    for row in rows:
        close(row["radius_0"], row["radius_1"], 0.02)
    rows, record = example.complete(*LINEAR)
    check(rows, tolerance=1e-6)
    assert 1 - record["results"]["energy kept"] > 4 * (1 - results["energy kept"]), (record["results"], results)


def twice(program):
    """Rings of 192 x 96 x 96 cells, of which a quarter is computed, change places twice; with linear interpolation not."""
    example = Example(program, *SMALL, "--n", 48, "--t-end", 1.15)
    rows, record = example.complete(timeout=6000)
    check(rows)
    results = record["results"]
    assert results["passes"] >= 2 and "time at which rings have merged" not in results, results
    assert results["energy kept"] > 0.9, results
    # Thin rings in unbounded fluid; here are walls.
    close(results["time of pass 1"], 0.3709, 0.05)
    close(results["time of pass 2"], 1.1127, 0.06)
    rows, record = example.complete(*LINEAR)
    check(rows, tolerance=1e-6)
    assert record["results"]["time at which rings have merged"] < 0.8, record["results"]


def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--n", "4"], "--n"),
        (["--method", "magic"], "--method"),
        (["--cycle", "0"], "--cycle"),
        *(([option, "nan"], option) for option in ("--distance", "--radius", "--core", "--viscosity", "--cfl")),
    ]:
        example.refuses(arguments, message)
    Path("rings.toml").write_text('head-on = true\nn = 12\nmax-steps = 4\ncycle = 2\ncore = 0.15\n')
    example.complete("--config", "rings.toml", "--output-stride", 2)
    parameters = record_of("out")["parameters"]
    assert parameters["head-on"] is True and parameters["cycle"] == 2, parameters
    assert len(example.output_times()) == 3 and Path("out/vorticity_000004.png").exists()


main({"leapfrog": leapfrog, "head_on": head_on, "twice": twice, "options": options})
