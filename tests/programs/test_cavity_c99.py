#!/usr/bin/env python3
"""Runs the example in C. usage: test_cavity_c99.py PROGRAM results"""

import subprocess

from example_test import main


def results(program):
    """What a NumPy script of the same scheme gives."""
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "least u: -0.15899\nleast v: -0.15644\ngreatest v: 0.14968\n", done.stdout
    assert done.stderr == "", done.stderr


main({"results": results})
