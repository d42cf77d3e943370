#!/usr/bin/env python3
"""Runs dipole_wall. usage: test_dipole_wall.py PROGRAM start|parts|options|peaks"""

from example_test import Example, close, main, record_of

SMALL = ["--threads", 1, "--picture-size", 300, "--output-stride", 1000000, "--n", 64, "--amr-levels", 3]


def start(program):
    """The first state is that of the paper. Until the wall is near, energy falls as its enstrophy says."""
    rows, record = Example(program, *SMALL).complete("--n", 512, "--amr-levels", 4, "--t-end", 0.06)
    close(rows[0]["kinetic_energy"], 2, 2e-3)
    close(rows[0]["enstrophy"], 800, 4e-3)
    lost = sum((b["time"] - a["time"]) * (a["enstrophy"] + b["enstrophy"]) / 625 for a, b in zip(rows, rows[1:]))
    close(rows[0]["kinetic_energy"] - rows[-1]["kinetic_energy"], lost, 0.02)
    assert all(row["divergence"] < 1e-4 for row in rows), rows
    assert record["results"]["cells over those of the finest grid"] < 0.5, record


def parts(program):
    """Runs go on to the bit, with the maxima that they have found."""
    example = Example(program, *SMALL)
    example.goes_on(10, "--output-stride", 5, other=("--re", 50))
    example.goes_on(200, other=("--re", 50))  # the break is behind the first maximum
    assert "enstrophy maximum 1" in record_of("whole")["results"], record_of("whole")
    example.stops_when_asked("--t-end", 10000, "--history-stride", 1)


def options(program):
    example = Example(program)
    for arguments, message in [
        (["--n", "15"], "--n"),
        (["--n", "500"], "multiple of 2^(levels - 1) = 16"),
        (["--n", "64"], "8 times that at least"),
        (["--re", "0"], "--re"),
        (["--refine-threshold", "nan"], "--refine-threshold"),
        (["--amr-levels", "1", "--regrid-stride", "2"], "of no use with one level"),
        (["--amr-levels", "17"], "--amr-levels"),
    ]:
        example.refuses(arguments, message)


def peaks(program):
    """The maxima of enstrophy are those of the paper."""
    results = Example(program).complete("--output-stride", 1000000)[1]["results"]
    for k, (time, enstrophy) in enumerate([(0.371, 933.6), (0.647, 305.2)], 1):
        close(results[f"time of enstrophy maximum {k}"], time, 0.01)
        close(results[f"enstrophy maximum {k}"], enstrophy, 0.02)


main({"start": start, "parts": parts, "options": options, "peaks": peaks})
