#!/usr/bin/env python3
"""Writes capsule.stl, the surface of a capsule: usage: capsule.py FILE

A body of revolution about x, of diameter 1. From the front to the back its radius r at x is that of
  a heat shield, part of a sphere of radius 1.2:  x = 1.2 - sqrt(1.2^2 - r^2), r <= 0.47,
  a shoulder, part of a ring of radius 0.05 that joins both,
  a cone that narrows by tan(33 degrees), down to r = 0.2,
and a flat back.
"""

import math
import struct
import sys

SHIELD, SHOULDER, CONE, BACK, AROUND = 1.2, 0.05, math.radians(33), 0.2, 32


def profile():
    """Points (x, r) from the nose to the back, with the axis at both ends."""
    ring = 0.5 - SHOULDER  # the middle of the shoulder's circle; the shield touches it from outside
    steep = math.asin(ring / (SHIELD - SHOULDER))  # angle of the shield's normal where the shoulder begins
    middle = SHIELD - (SHIELD - SHOULDER) * math.cos(steep)
    shield = [SHIELD * part / 6 * steep / SHIELD for part in range(7)]
    points = [(SHIELD - SHIELD * math.cos(a), SHIELD * math.sin(a)) for a in shield]
    last = math.pi / 2 + CONE  # of the cone's normal, from the way that the capsule flies
    for part in range(1, 7):
        a = steep + part / 6 * (last - steep)
        points.append((middle - SHOULDER * math.cos(a), ring + SHOULDER * math.sin(a)))
    x, r = points[-1]
    points.append((x + (r - BACK) / math.tan(CONE), BACK))
    return [*points, (points[-1][0], 0.0)]


def triangles():
    """Corners of triangles that turn outwards."""

    def corner(point, i):
        angle = 2 * math.pi * (i % AROUND) / AROUND
        return point[0], point[1] * math.cos(angle), point[1] * math.sin(angle)

    points = profile()
    for a, b in zip(points, points[1:]):
        for i in range(AROUND):
            near, far = (corner(a, i), corner(a, i + 1)), (corner(b, i), corner(b, i + 1))
            if b[1] > 0:
                yield near[0], far[1], far[0]
            if a[1] > 0:
                yield near[0], near[1], far[1] if b[1] > 0 else far[0]


def main(path):
    facets = list(triangles())
    with open(path, "wb") as file:
        file.write(b"capsule".ljust(80, b" ") + struct.pack("<I", len(facets)))
        for corners in facets:
            numbers = [0.0] * 3 + [x for corner in corners for x in corner]
            file.write(struct.pack("<12fH", *numbers, 0))


main(sys.argv[1])
