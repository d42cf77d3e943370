#!/usr/bin/env python3
"""Runs pressure and compares with theory. usage: test_pressure.py PROGRAM results"""

from example_test import close, main, printed


def results(program):
    found = printed(program)
    flow_in, flow_out, of_theory = (float(found[f"flow {name}"]) for name in ("in", "out", "of theory"))
    assert found["solver"] == "converged" and int(found["iterations"]) <= 12, found
    close(flow_out, flow_in, 1e-5)
    close(flow_in, of_theory, 0.003)


main({"results": results})
