#!/usr/bin/env python3
"""Runs impulsive_cylinder. usage: test_impulsive_cylinder.py PROGRAM start|parts|options|drag"""

from pathlib import Path

from example_test import Example, close, main

SMALL = ["--threads", 1, "--picture-size", 300, "--output-stride", 1000000, "--n", 32, "--amr-levels", 5, "--length", 16, "--height", 16]
# Koumoutsakos and Leonard, J. Fluid Mech. 296 (1995), Re = 1000.
DRAG = {0.51: 0.587, 1.01: 1.074, 1.50: 1.297, 1.98: 1.201, 2.50: 1.103}


def drag_of(record):
    return {time: record["results"].get(f"drag coefficient at t = {time:.2f}") for time in DRAG}


def start(program):
    """Few cells, no divergence, symmetry, and drag that is too great by some percent, as cells are wide."""
    example = Example(program, *SMALL)
    rows, record = example.complete("--t-end", 1.2, "--n", 64, "--amr-levels", 6, "--checkpoint-stride", 1000)
    found = drag_of(record)
    close(found[0.51], DRAG[0.51], 0.2)
    close(found[1.01], DRAG[1.01], 0.1)
    assert found[1.50] is None, found
    assert record["results"]["cells over those of the finest grid"] < 0.02, record
    assert all(row["divergence"] < 3e-6 for row in rows), rows
    assert abs(rows[-1]["lift"]) < 0.02, rows[-1]
    assert rows[-1]["time"] == 1.2
    curved = drag_of(example.complete("--t-end", 1.2, "--n", 64, "--amr-levels", 6, "--surfaces", "curved", folder="curved")[1])
    close(curved[0.51], DRAG[0.51], 0.2)
    close(curved[1.01], DRAG[1.01], 0.1)
    assert curved[1.01] != found[1.01]
    example.complete("--max-steps", 8, "--output-stride", 4, "--format", "hdf", folder="hdf")
    assert {path.read_bytes()[:8] for path in Path("hdf").glob("*.hdf")} == {b"\x89HDF\r\n\x1a\n"}
    assert len(example.output_times("hdf")) == 3


def parts(program):
    """Runs go on to the bit: after a checkpoint, and after control-C."""
    example = Example(program, *SMALL)
    example.goes_on(10, "--output-stride", 5, other=("--re", 50))
    example.goes_on(10, "--output-stride", 5, "--format", "hdf", "--regrid-stride", 3, other=("--refine-threshold", 1))
    example.goes_on(6, "--output-stride", 3, "--surfaces", "curved", other=("--re", 50))
    example.stops_when_asked("--t-end", 10000, "--history-stride", 1)


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--n", "1"], "--n"),
        (["--re", "0"], "--re"),
        (["--re", "nan"], "--re"),
        (["--length", "15.3"], "even number of cells of level 0"),
        (["--height", "3.5"], "even number of cells of level 0, which are 0.5 wide"),
        (["--refine-threshold", "0"], "--refine-threshold"),
        (["--amr-levels", "1", "--regrid-stride", "2"], "of no use with one level"),
        (["--regrid-stride", "0"], "--regrid-stride"),
        (["--surfaces", "round"], "--surfaces"),
    ]:
        example.refuses(arguments, message)


def drag(program):
    """On fine cells in a large box drag is that of the vortex particles."""
    record = Example(program).complete("--output-stride", 1000000)[1]
    for time, found in drag_of(record).items():
        close(found, DRAG[time], 0.04)


main({"start": start, "parts": parts, "options": options, "drag": drag})
