#!/usr/bin/env python3
"""Runs adaptive_wake and compares with what is known of a cylinder at Re = 100. usage: test_adaptive_wake.py PROGRAM results"""

from example_test import main, printed


def results(program):
    found = printed(program)
    leaves, uniform = (int(number) for number in found["leaves"].split(" of "))
    assert leaves < 0.25 * uniform, found
    # Far from walls the Strouhal number is 0.164 to 0.167 and the drag 1.32 to 1.36. At a distance of 7.5 diameters walls
    # make both greater by some percent.
    assert 0.16 < 1 / float(found["period of the lift"]) < 0.18, found
    assert 1.3 < float(found["mean drag"]) < 1.5, found
    assert float(found["greatest divergence"]) < 1e-6, found


main({"results": results})
