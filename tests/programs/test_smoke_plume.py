#!/usr/bin/env python3
"""Runs the case smoke_plume. usage: test_smoke_plume.py PROGRAM short|paper"""

from example_test import Example, close, main, shipped, table_of

CASE = shipped("smoke_plume")
SMALL = ["--threads", 1, "--picture-size", 128, "--output-stride", 1000000, "--history-stride", 10, "--no-fields"]


def short(program):
    example = Example(program, *SMALL, "--nx", 32, case=CASE)
    done = example.run("--t-end", 4)
    assert done.returncode == 0, done.stderr
    rows = example.check_whole("out")
    width = 7 / 32  # cells between 0.38 and 0.60
    for row in rows:
        close(row["inflow"], width, 1e-9)
        close(row["outflow"], width, 1e-3)
        for k in (0, 1):
            assert row[f"ink_{k}"] > 0, row
    # Smoke comes in as the jet does, whatever becomes of it in the shaft, which it does not reach the end of.
    before, last = next(row for row in rows if row["time"] > 1), rows[-1]
    gained = sum(last[f"ink_{k}"] - before[f"ink_{k}"] for k in (0, 1))
    close(gained, width * (last["time"] - before["time"]), 0.35)
    # The jet draws the fluid beside it along, and is not symmetric.
    assert last["least_stream_function"] < -width, last


def paper(program):
    """At the paper's size, 128 x 1024 and Re 10000, the jet breaks up into vortices."""
    example = Example(program, *SMALL, "--history-stride", 100, case=CASE)
    done = example.run(timeout=3000)
    assert done.returncode == 0, done.stderr
    rows = example.check_whole("out")
    width = rows[0]["inflow"]
    assert abs(width - 0.22) < 1 / 128, width
    for row in rows:
        close(row["inflow"], width, 1e-9)
        close(row["outflow"], width, 1e-4)
    # The jet's momentum is carried on, so the fluid in the shaft moves, slower than the jet; vortices turn to both sides.
    last = rows[-1]
    assert last["time"] == 20 and 0.1 < last["kinetic_energy"] < 0.5 * 8, last
    turns = [eddy["counterclockwise"] for eddy in table_of("out/eddies.csv")]
    assert turns.count(0) >= 10 and turns.count(1) >= 10, len(turns)
    line = [row["velocity_y"] for row in table_of("out/centre_line_y.csv")]
    assert len(line) == 1024 and max(line) < 2 and min(line) > -1.5, (max(line), min(line))


main({"short": short, "paper": paper})
