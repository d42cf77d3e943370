#!/usr/bin/env python3
"""Runs own_matrix and compares with theory. usage: test_own_matrix.py PROGRAM results"""

from example_test import main, printed


def results(program):
    found = printed(program)
    assert found["solver"] == "converged", found
    # Of second order; most of it comes from the half cell before the warm end, where it is h^2 / 8 u'' = 0.0031.
    assert 0.0025 < float(found["error"]) < 0.0035, found


main({"results": results})
