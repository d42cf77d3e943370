#!/usr/bin/env python3
"""Runs the case obstacles. usage: test_obstacles.py PROGRAM short|paper"""

from pathlib import Path

from example_test import Example, close, main, shipped, table_of

CASE = shipped("obstacles")
SMALL = ["--threads", 1, "--picture-size", 128, "--output-stride", 1000000, "--history-stride", 10, "--no-fields"]


def short(program):
    """At the paper's smaller size, 64^2 and Re 100."""
    example = Example(program, *SMALL, "--nx", 64, "--re", 100, case=CASE)
    done = example.run("--t-end", 3)
    assert done.returncode == 0, done.stderr
    rows = example.check_whole("out")
    for row in rows:
        close(row["inflow"], 0.25, 1e-9)
        close(row["outflow"], 0.25, 1e-3)
        assert row["divergence"] < 1e-2, row
    assert all(rows[-1][f"ink_{k}"] > 3 * rows[0][f"ink_{k}"] > 0 for k in range(3)), rows[-1]
    # The stream function grows by the inflow from the wall below it to the one above.
    assert rows[-1]["greatest_stream_function"] >= 0.25 - 1e-4, rows[-1]
    assert rows[-1]["drag"] > 0 and Path("out/obstacles.png").read_bytes() == sorted(Path("out").glob("ink_*.png"))[
        -1
    ].read_bytes()
    # Part of it leaves at the right, part at the top: along a vertical line in the middle there is both.
    line = table_of("out/centre_line_y.csv")
    assert len(line) < 64 and max(row["velocity_x"] for row in line) > 0.2, line

    # Cells that are not square, and probes from the command line.
    by_squares = rows[-1]["kinetic_energy"]
    rows, record = example.complete("--t-end", 3, "--ny", 80, "--probe", "0.1,0.1", "--probe", "0.95,0.95")
    close(rows[-1]["kinetic_energy"], by_squares, 0.1)
    assert len(table_of("out/probe_1.csv")) == len(rows) and record["cells"] > 1.2 * 0.8 * 64**2, record

    # The same flow between bodies that cut cells.
    by_cells = rows[-1]["kinetic_energy"]
    rows, record = example.complete("--t-end", 3, "--surfaces", "curved")
    for row in rows:
        close(row["outflow"], 0.25, 1e-3)
        assert row["divergence"] < 1e-2, row
    close(rows[-1]["kinetic_energy"], by_cells, 0.2)
    assert record["parameters"]["surfaces"] == "curved", record["parameters"]

    # And on levels.
    half = ["--t-end", 0.5, "--surfaces", "curved"]
    rows, _ = example.complete(*half)
    levels = Example(program, *SMALL, "--nx", 32, "--re", 100, "--amr-levels", 2, case=CASE)
    on_levels, record = levels.complete(*half, folder="levels")
    assert record["results"]["cells over those of the finest grid"] < 0.9, record["results"]
    close(on_levels[-1]["drag"], rows[-1]["drag"], 0.03)
    close(on_levels[-1]["kinetic_energy"], rows[-1]["kinetic_energy"], 0.01)


def paper(program):
    """At the paper's size, 128^2 and Re 1000, the flow becomes steady between the bodies, and all that comes in goes out."""
    example = Example(program, *SMALL, case=CASE)
    done = example.run("--t-end", 20, "--history-stride", 200, timeout=1500)
    assert done.returncode == 0, done.stderr
    rows = example.check_whole("out")
    for row in rows:
        close(row["inflow"], 0.25, 1e-9)
        close(row["outflow"], 0.25, 1e-5)
    middle = next(row for row in rows if row["time"] > 15)
    for name in ("kinetic_energy", "drag", "lift", "greatest_stream_function"):
        close(rows[-1][name], middle[name], 1e-3)
    # Behind bodies the fluid turns: there are eddies of both senses, the strongest within the inflow's part of the flow.
    eddies = table_of("out/eddies.csv")
    assert {eddy["counterclockwise"] for eddy in eddies} == {0, 1} and len(eddies) >= 5, eddies
    assert rows[-1]["greatest_stream_function"] < 0.3 and rows[-1]["least_stream_function"] > -0.05, rows[-1]


main({"short": short, "paper": paper})
