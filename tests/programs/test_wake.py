#!/usr/bin/env python3
"""Runs wake and compares with what is known of vortex streets. usage: test_wake.py PROGRAM results"""

from example_test import close, main, printed


def results(program):
    found = {name: float(value) for name, value in printed(program).items()}
    close(found["flow out"], 4, 1e-5)  # what comes in over a height of 4
    # Strouhal numbers of a cylinder at Re = 200 are 0.19 to 0.2 far from walls; a channel of 4 diameters makes more.
    assert 0.19 < 1 / found["period of the lift"] < 0.24, found


main({"results": results})
