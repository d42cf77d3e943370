#!/usr/bin/env python3
"""Runs bow_shock and compares with theory. usage: test_bow_shock.py PROGRAM results"""

import xml.etree.ElementTree as xml

from example_test import close, main, printed


def results(program):
    found = {name: float(value) for name, value in printed(program).items()}
    close(found["pressure at the nose over that of the inflow"], found["by Rayleigh's formula for Pitot tubes"], 0.005)
    # Between those of level 0 and those of a box that is fine everywhere.
    assert 48 * 64 < found["cells"] < 0.7 * 16 * 48 * 64, found
    piece = next(xml.parse("bow_shock.vtu").getroot().iter("Piece"))
    assert int(piece.get("NumberOfCells")) == found["cells"], piece.attrib


main({"results": results})
