#!/usr/bin/env python3
"""Runs the case mach2. usage: test_mach2.py PROGRAM pressure"""

from example_test import Example, close, main, record_of, shipped

SMALL = ["--threads", 1, "--picture-size", 256, "--output-stride", 1000000, "--history-stride", 10, "--no-fields"]


def pressure(program):
    """The pressure before the nose is that of a Pitot tube, and the body is pushed along the flow alone."""
    example = Example(program, *SMALL, case=shipped("mach2"))
    done = example.run("--t-end", 1.5)
    assert done.returncode == 0, done.stderr
    rows, results = example.check_whole("out"), record_of("out")["results"]
    close(results["greatest pressure"], 5.6404, 0.02)
    close(results["pressure at probe 0"], 5.6404, 0.03)
    last = rows[-1]
    assert 1 < last["drag"] < 2 and abs(last["lift"]) < 0.01, last
    assert all(row["impossible_cells"] == 0 for row in rows), rows


main({"pressure": pressure})
