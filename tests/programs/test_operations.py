#!/usr/bin/env python3
"""Runs operations and counts cells one by one. usage: test_operations.py PROGRAM results"""

from example_test import main, printed


def grown(cells, across, up):
    return {(x + i, y + j) for x, y in cells for i in range(-across, across + 1) for j in range(-up, up + 1)}


def shrunk(cells, radius):
    return {cell for cell in cells if grown({cell}, radius, radius) <= cells}


def results(program):
    a = {(x, y) for x in range(4, 21) for y in range(5, 19)}
    b = {(x, y) for x in range(40) for y in range(40) if (x + 0.5 - 22) ** 2 + (y + 0.5 - 12) ** 2 <= 8**2}
    expected = {
        "a | b": a | b,
        "a & b": a & b,
        "a - b": a - b,
        "a ^ b": a ^ b,
        "expand(a & b, 3)": grown(a & b, 3, 3),
        "expand(a & b, {6, 1})": grown(a & b, 6, 1),
        "shrink(a | b, 3)": shrunk(a | b, 3),
        "coarsen(a ^ b)": {(x // 2, y // 2) for x, y in a ^ b},
    }
    assert printed(program) == {name: f"{len(cells)} cells" for name, cells in expected.items()}


main({"results": results})
