#!/usr/bin/env python3
"""Runs own_law and compares with theory. usage: test_own_law.py PROGRAM results"""

from example_test import Example, close, main


def results(program):
    example = Example(program, "--ny", 16, "--amr-levels", 3, "--threads", 1, "--picture-size", 300)
    rows, record = example.complete()
    found = record["results"]
    # 2 (1 - sqrt(h)) = (h - 1/4) sqrt((1/h + 4) / 2): no wave has come back from the pillar or a wall.
    close(found["height where the dam was"], 0.551747, 0.003)
    # Exact but for the pillar: ghosts of curved walls let a little pass, less with smaller cells.
    assert abs(found["relative change of volume"]) < 2e-3, found
    assert 0.2 < rows[-1]["least_value"] < 0.26 and rows[-1]["greatest_value"] < 1.001, rows[-1]
    assert rows[-1]["cells_2"] > rows[0]["cells_2"] > 0, rows
    example.refuses(["--flux", "hll"], "--flux")
    example.goes_on(10)


main({"results": results})
