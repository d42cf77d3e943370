#!/usr/bin/env python3
"""Runs double_mach_reflection and compares with theory. usage: test_double_mach_reflection.py PROGRAM results"""

import math

from example_test import Example, close, main


def results(program):
    example = Example(program, "--ny", 16, "--amr-levels", 4, "--threads", 1, "--picture-size", 300)
    _, early = example.complete("--t-end", 0.1, folder="early")
    rows, late = example.complete("--t-end", 0.2, folder="late")
    found = late["results"]
    # The flow at 0.2 is that at 0.1, twice as large.
    close(found["Mach stem's speed"], early["results"]["Mach stem's speed"], 0.01)
    close(found["triple point's path, degrees"], early["results"]["triple point's path, degrees"], 0.1)
    # The incident shock drives the triple point along its path; the stem, nearly straight, follows it along the wall.
    path = math.radians(found["triple point's path, degrees"])
    triple_point_speed = 10 / math.cos(math.radians(30) + path)
    close(found["Mach stem's speed"], triple_point_speed * math.cos(path), 0.05)
    # Behind a Mach-10 shock density is 8; the source shows 20 to 22 where the reflected shock begins.
    assert 17 < rows[-1]["greatest_density"] < 23, rows[-1]
    assert 1.39 < rows[-1]["least_density"] <= 1.4001, rows[-1]
    example.goes_on(10)


main({"results": results})
