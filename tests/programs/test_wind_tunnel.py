#!/usr/bin/env python3
"""Runs the case wind_tunnel. usage: test_wind_tunnel.py PROGRAM short|paper"""

from pathlib import Path

from example_test import Example, close, main, record_of, shipped, table_of

CASE = shipped("wind_tunnel")
SMALL = ["--threads", 1, "--picture-size", 128, "--output-stride", 1000000, "--history-stride", 10, "--no-fields"]


def run(program, *arguments):
    example = Example(program, *SMALL, case=CASE)
    done = example.run("--t-end", 3, *arguments, timeout=1500)
    assert done.returncode == 0, done.stderr
    rows, record = example.check_whole("out"), record_of("out")
    for row in rows:
        close(row["inflow"], 1, 1e-9)
        close(row["outflow"], 1, 1e-3)
    assert rows[-1]["drag"] > 0, rows[-1]
    return rows, record


def short(program):
    rows, record = run(program, "--nx", 128)
    # The picture's share of dark pixels is that of the cells that are no fluid.
    pixels = "".join((CASE.with_name("vehicle.pbm")).read_text().split("\n")[3:])
    solid = pixels.count("1") / len(pixels) * 0.96 * 0.32 / (4 * 1)
    close(1 - record["cells"] / (128 * 32), solid, 0.05)
    assert all(rows[-1][f"ink_{k}"] > 2 * rows[0][f"ink_{k}"] > 0 for k in range(4)), rows[-1]
    # With less friction there is less drag.
    assert run(program, "--nx", 128, "--re", 1000)[0][-1]["drag"] < 0.8 * rows[-1]["drag"], rows[-1]


def paper(program):
    """At the paper's size, 256 x 64 and Re 100, the flow becomes steady, with an eddy behind the vehicle."""
    rows, _ = run(program, "--t-end", 20, "--history-stride", 200)
    for row in rows[1:]:
        close(row["outflow"], 1, 1e-6)
    middle = next(row for row in rows if row["time"] > 15)
    for name in ("kinetic_energy", "drag", "lift"):
        close(rows[-1][name], middle[name], 1e-6)
    # The vehicle ends at x = 1.76. Beside its back the fluid turns clockwise under its roof.
    behind = [eddy for eddy in table_of("out/eddies.csv") if 1.5 < eddy["x"] < 2.6 and eddy["y"] < 0.4]
    assert any(not eddy["counterclockwise"] for eddy in behind), behind
    # With half as many cells along each axis, much the same force.
    coarse, _ = run(program, "--t-end", 20, "--nx", 128, "--history-stride", 200)
    close(coarse[-1]["drag"], rows[-1]["drag"], 0.15)


main({"short": short, "paper": paper})
