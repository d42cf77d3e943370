#!/usr/bin/env python3
"""Runs the case cylinder_in_channel. usage: test_cylinder_in_channel.py PROGRAM table"""

from example_test import Example, close, main, shipped

CASE = shipped("cylinder_in_channel")
SMALL = ["--picture-size", 128, "--output-stride", 1000000, "--output-interval", 0, "--no-fields"]


def table(program):
    """What Schaefer and Turek give."""
    rows, record = Example(program, *SMALL, case=CASE).complete()
    results = record["results"]
    close(results["greatest drag coefficient"], 3.23, 0.02)
    close(results["greatest lift coefficient"], 1.00, 0.05)
    close(results["Strouhal number"], 0.30, 0.015)
    assert results["periods"] >= 10, results
    late = [row for row in rows if row["time"] > 4]
    close(max(row["lift"] for row in late), 1.00, 0.05)
    close(min(row["lift"] for row in late), -1.00, 0.05)
    for row in rows:
        close(row["inflow"], 0.41, 1e-3)
        close(row["outflow"], row["inflow"], 1e-6)


main({"table": table})
