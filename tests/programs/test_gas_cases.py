#!/usr/bin/env python3
"""Runs cases with a gas. usage: test_gas_cases.py PROGRAM shapes|sides|levels|friction|parts|errors"""

import math
import shutil
import subprocess
from pathlib import Path

from example_test import Example, close, main, table_of

SMALL = ["--threads", 1, "--picture-size", 64, "--output-stride", 100000]
GAS = """
[gas]
gamma = 1.4
[inflow]
density = 1.4
pressure = 1.0
mach = 2.0
"""
TUNNEL = (
    """
[domain]
size = [2.0, 1.0]
cells = [32, 16]
[[boundary]]
side = "left"
kind = "inflow"
[[boundary]]
side = "right"
kind = "outflow"
[run]
amr-levels = 2
t-end = 0.5
history-stride = 1
"""
    + GAS
)


class Case(Example):
    """A case file and options behind it."""

    def __init__(self, program, text, *options):
        super().__init__(program, *SMALL, *options, case="case.toml")
        Path("case.toml").write_text(text)


def shapes(program):
    """Each shape takes its area from the fluid and is pushed along; with surfaces of cells much the same."""
    Path("dots.pbm").write_text("P1\n4 2\n1 1 0 0\n1 0 0 1\n")
    for shape, area in {
        "box = [0.75, 0.25, 1.25, 0.75]": 0.25,
        "ball = [1.0, 0.5, 0.25]": math.pi / 16,
        "ellipsoid = [1.0, 0.5, 0.4, 0.2]": math.pi * 0.08,
        "capsule = [0.8, 0.5, 1.2, 0.5, 0.15]": 0.12 + math.pi * 0.15**2,
        "polygon = [[0.6, 0.5], [1.2, 0.25], [1.2, 0.75]]": 0.15,
        'bitmap = "dots.pbm"\nrectangle = [0.5, 0.25, 1.5, 0.75]': 0.25,
        "cells = 'box(nx / 4, ny / 4, nx / 2, ny / 2)'": 0.125,
    }.items():
        drags = []
        for surfaces in ("curved", "staircase"):
            case = Case(program, TUNNEL + f"[[obstacle]]\n{shape}\n", "--surfaces", surfaces)
            rows, record = case.complete("--max-steps", 12)
            close(2 - rows[0]["mass"] / 1.4, area, 0.05)
            assert record["parameters"]["surfaces"] == surfaces, record["parameters"]
            drags.append(rows[-1]["drag"])
        assert drags[0] > 0.1 * area and drags[1] > 0.1 * area, (shape, drags)
        is_of_cells = shape.startswith(("bitmap", "cells"))
        assert (drags[0] == drags[1]) == is_of_cells, (shape, drags)
    # The same body as a polygon and as a box: walls that lie on each other. At corners their normals differ.
    text = TUNNEL + "[[obstacle]]\n{}\n"
    square = [text.format("box = [0.8, 0.3, 1.2, 0.7]"), text.format("polygon = [[0.8, 0.3], [0.8, 0.7], [1.2, 0.7], [1.2, 0.3]]")]
    by_box, by_polygon = (Case(program, case).complete("--max-steps", 12)[0][-1] for case in square)
    close(by_polygon["drag"], by_box["drag"], 0.15)
    close(by_polygon["mass"], by_box["mass"], 1e-2)


def sides(program):
    """What comes in, and what a subsonic flow leaves against."""
    # A uniform stream stays what it is.
    rows, record = Case(program, TUNNEL).complete()
    assert all(abs(row["mass"] - 2.8) < 1e-12 for row in rows) and record["parameters"]["mach"] == 2
    close(rows[-1]["momentum_x"], 2.8 * 2, 1e-12)
    # A jet from a part of the bottom: so much mass per time, until something leaves.
    jet = '[[boundary]]\nside = "bottom"\nrange = [0.5, 0.75]\nkind = "inflow"\nvelocity = [0, 3]\npressure = 2\n'
    rows, _ = Case(program, TUNNEL + jet).complete("--t-end", 0.1)
    close(rows[-1]["mass"] - rows[0]["mass"], 0.25 * 3 * 1.4 * 0.1, 0.03)
    # Of two boundaries that share faces the later one has them.
    covered = '[[boundary]]\nside = "bottom"\nkind = "wall"\n'
    rows, _ = Case(program, TUNNEL + jet + covered).complete("--t-end", 0.1)
    close(rows[-1]["mass"], 2.8, 1e-12)
    rows, _ = Case(program, TUNNEL + covered + jet).complete("--t-end", 0.1)
    assert rows[-1]["mass"] > 2.85, rows[-1]
    # A direction, and periodic sides, which hold all of it.
    ring = '[domain]\nsize = [1, 1]\ncells = [16, 16]\n[[boundary]]\nside = "left"\nkind = "periodic"\n'
    ring += '[[boundary]]\nside = "top"\nkind = "periodic"\n' + GAS + "direction = [3, 4]\n"
    rows, _ = Case(program, ring, "--amr-levels", 1).complete("--max-steps", 5)
    close(rows[-1]["momentum_x"], 1.4 * 2 * 0.6, 1e-12)
    close(rows[-1]["momentum_y"], 1.4 * 2 * 0.8, 1e-12)
    # A subsonic stream against a higher pressure slows down, and against its own it does not.
    slow = TUNNEL.replace("mach = 2.0", "mach = 0.4")
    speeds = []
    for pressure in (1.0, 1.1):
        text = slow.replace('kind = "outflow"', f'kind = "outflow"\npressure = {pressure}')
        rows, _ = Case(program, text, "--probe", "1.9,0.5").complete("--t-end", 0.3)
        speeds.append(table_of("out/probe_0.csv")[-1]["velocity_x"])
    close(speeds[0], 0.4, 1e-9)
    assert speeds[1] < 0.35, speeds
    # A region with a state of its own, in a gas at rest: a shock tube, against the exact solution (Toro 2009, test 1).
    tube = """
[domain]
size = [1.0, 0.125]
cells = [64, 8]
[gas]
[inflow]
density = 1
pressure = 1
[start]
[[region]]
box = [0.5, -1, 2, 1]
density = 0.125
pressure = 0.1
[output]
probes = [[0.6, 0.06], [0.75, 0.06]]
"""
    _, record = Case(program, tube, "--amr-levels", 3).complete("--t-end", 0.2)
    close(record["results"]["pressure at probe 0"], 0.30313, 0.01)
    close(record["results"]["density at probe 0"], 0.42632, 0.02)
    close(record["results"]["density at probe 1"], 0.26557, 0.02)


def levels(program):
    """Levels follow what is asked for."""
    ball = TUNNEL + "[[obstacle]]\nball = [1.0, 0.5, 0.2]\n"
    found = {}
    for name, refine in {
        "default": "",
        "density": '[[refine]]\nfield = "density"\nthreshold = 0.05\n',
        "rarely": '[[refine]]\nfield = "density"\nthreshold = 0.5\n',
        "pressure": '[[refine]]\nfield = "pressure"\nthreshold = 0.05\n',
        "vorticity": '[[refine]]\nfield = "vorticity"\nthreshold = 0.2\n',
        "box": "[[refine]]\nbox = [0, 0, 0.5, 1]\nlevels = 2\n",
        "all": "[[refine]]\nbox = [0, 0, 2, 1]\nlevels = 2\n",
    }.items():
        rows, record = Case(program, ball + refine).complete("--max-steps", 10)
        found[name] = rows[-1]["cells_1"]
        is_there = "refine-threshold" in record["parameters"]
        assert is_there == ("field" not in refine), record["parameters"]
    assert found["density"] == found["default"] > found["rarely"], found
    assert found["all"] > found["box"] >= 4 * 8 * 16 and found["all"] > 4 * 400, found
    assert len({found[name] for name in ("density", "pressure", "vorticity", "box")}) == 4, found
    # Pictures, probes and lines of the file come before those of the command line.
    text = ball + '[output]\npictures = ["mach", "velocity"]\nprobes = [[0.5, 0.5]]\n'
    text += "[[profile]]\nfrom = [0, 0.5]\nto = [0.5, 0.5]\ncount = 7\n"
    case = Case(program, text, "--probe", "0.25,0.5", "--line", "0,0:1,1:3")
    case.complete("--max-steps", 5)
    assert Path("out/case.png").read_bytes() == Path("out/mach_000005.png").read_bytes() and Path("out/velocity_000005.png").exists()
    assert [table_of(f"out/probe_{i}.csv")[0]["x"] for i in (0, 1)] == [0.5, 0.25]
    assert [len(table_of(f"out/line_{i}.csv")) for i in (0, 1)] == [7, 3]


def friction(program):
    """With a viscosity gas sticks to walls: a layer of Couette flow has the shear that theory says."""
    channel = TUNNEL.replace('kind = "outflow"', 'kind = "outflow"\npressure = 1').replace("mach = 2.0", "mach = 0.3")
    walls = '[[boundary]]\nside = "bottom"\nkind = "no_slip"\n[[boundary]]\nside = "top"\nkind = "no_slip"\n'
    viscous = channel.replace("gamma = 1.4", "gamma = 1.4\nviscosity = 0.05")
    lost = []
    for text in (channel, viscous, viscous + walls):
        rows, _ = Case(program, text, "--amr-levels", 1).complete("--t-end", 0.5)
        lost.append(1 - rows[-1]["momentum_x"] / rows[0]["momentum_x"])
    assert abs(lost[0]) < 1e-9 and abs(lost[1]) < 1e-9 < 0.05 < lost[2], lost
    # Obstacles stick unless they say else.
    ball = "[[obstacle]]\nball = [1.0, 0.5, 0.2]\n"
    speeds = [
        Case(program, viscous + ball + kind).complete("--t-end", 0.3)[0][-1]["momentum_x"] for kind in ("", 'kind = "wall"\n')
    ]
    assert speeds[0] < speeds[1], speeds


def parts(program):
    """A run in two parts ends as one without a break; but only if it is of the same case."""
    text = TUNNEL + '[[obstacle]]\npolygon = [[0.6, 0.5], [1.2, 0.25], [1.2, 0.75]]\n[output]\nprobes = [[0.3, 0.5]]\n'
    case = Case(program, text)
    case.goes_on(10)
    Path("case.toml").write_text(text.replace("[output]", "[output]\npictures = ['pressure']"))
    done = case.run("--restart", "half.h5", "--max-steps", 20, "--history-stride", 10)
    assert done.returncode == 0, done.stderr
    Path("case.toml").write_text(text.replace("0.25]", "0.375]"))
    done = case.run("--restart", "half.h5", "--max-steps", 20, "--history-stride", 10)
    assert done.returncode == 1 and "1.2,0.375" in done.stderr, done.stderr
    case.stops_when_asked("--t-end", 100)


def errors(program):
    """Every mistake has its line."""

    def run(text, *arguments):
        Path("case.toml").write_text(text)
        shutil.rmtree("out", ignore_errors=True)
        command = [program, "case.toml", "--output-dir", "out", "--max-steps", "1", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def expect(text, line, message):
        done = run(text)
        wanted = f"case.toml:{line}: "
        assert done.returncode == 1 and wanted in done.stderr and message in done.stderr, (text, done.stderr)
        assert not Path("out").exists(), text

    box = "[domain]\nsize = [1, 1]\ncells = [8, 8]\n"
    expect("[gas]\n", 1, "'[domain]' is missing")
    expect("[gas]\n" + box, 1, "'[inflow]' is missing")
    expect("[gas]\ngamma = 1\n", 2, "from 1.01 to 3")
    expect("[gas]\nre = 1\n", 2, "unknown key 're'; known are gamma, viscosity")
    expect("[gas]\nprandtl = 1\n", 2, "needs viscosity")
    expect("[gas]\n" + box + "walls = 'no_slip'\n", 5, "no_slip needs viscosity in [gas]")
    expect("[gas]\n" + box + "walls = 'inflow'\n", 5, "none of wall, no_slip, outflow")
    expect("[gas]\n" + box + "pad_thin = true\n", 5, "unknown key 'pad_thin'")
    expect("[gas]\n" + box + "[inflow]\npressure = 1\n", 5, "'density' is missing")
    expect("[gas]\n" + box + "[inflow]\ndensity = 1\n", 5, "'pressure' is missing")
    expect("[gas]\n" + box + "[inflow]\ndensity = 0\n", 6, "greater than 0")
    state = "[gas]\n" + box + "[inflow]\ndensity = 1\npressure = 1\n"
    expect(state + "mach = 1\nvelocity = [1, 0]\n", 9, "follows from mach")
    expect(state + "direction = [1, 0]\n", 8, "needs mach")
    expect(state + "mach = 1\ndirection = [0, 0]\n", 9, "must not be 0")
    expect(state + "velocity = [1, 0, 0]\n", 8, "2 numbers")
    expect(state + "[fluid]\nre = 1\n", 8, "unknown key 'fluid'")
    expect(state + "[[ink]]\nball = [0, 0, 1]\n", 8, "unknown key 'ink'")
    side = state + "[[boundary]]\nside = 'left'\n"
    expect(state + "[[boundary]]\nkind = 'wall'\n", 8, "'side' is missing")
    expect(side + "kind = 'sticky'\n", 10, "none of wall, no_slip, inflow, outflow, periodic")
    expect(side + "kind = 'no_slip'\n", 10, "no_slip needs viscosity")
    expect(side + "kind = 'wall'\nvelocity = [1, 0]\n", 11, "is for inflows")
    expect(side + "kind = 'wall'\npressure = 1\n", 11, "is for inflows and outflows")
    expect(side + "kind = 'inflow'\ndensity = 1\n", 8, "'velocity' is missing")
    expect(side + "kind = 'outflow'\npressure = -1\n", 11, "greater than 0")
    expect(side + "kind = 'inflow'\ntemperature = 1\n", 11, "unknown key 'temperature'")
    expect(side + "kind = 'periodic'\n[[boundary]]\nside = 'right'\nkind = 'outflow'\n", 13, "both sides are periodic or")
    expect(state + "[[obstacle]]\nkind = 'wall'\n", 8, "a shape is missing")
    expect(state + "[[obstacle]]\nball = [0, 0, 1]\nkind = 'no_slip'\n", 10, "no_slip needs viscosity")
    expect(state + "[[obstacle]]\nball = [0, 0, 1]\nvelocity = [1, 0]\n", 10, "unknown key 'velocity'")
    expect(state + "[[obstacle]]\nstl = 'a.stl'\n", 9, "three dimensions")
    expect(state + "[[region]]\ndensity = 1\n", 8, "a shape is missing")
    expect(state + "[[region]]\nball = [0, 0, 1]\ndensity = -1\n", 10, "greater than 0")
    expect(state + "[[refine]]\nfield = 'colour'\n", 9, "none of density, pressure, vorticity")
    expect(state + "[[refine]]\nfield = 'density'\n", 8, "'threshold' is missing")
    expect(state + "[[refine]]\nball = [0, 0, 1]\n", 8, "'levels' is missing")
    expect(state + "[[refine]]\nball = [0, 0, 1]\nlevels = 1.5\n", 10, "whole number from 2")
    expect(state + "[[refine]]\nball = [0, 0, 1]\nlevels = 2\nthreshold = 1\n", 11, "unknown key 'threshold'")
    expect(state + "[output]\npictures = ['ink']\n", 9, "there is no 'ink' to draw")
    expect(state + "[output]\nprobes = [1, 2, 3]\n", 9, "2 numbers each")
    expect(state + "[[reference]]\nre = 1\n[reference.results]\n", 9, "unknown key 're'")
    expect(state + "[[reference]]\nmach = 1\n", 8, "'results' is missing")
    expect(state + "[[reference]]\n[reference.results]\ndrag = 'much'\n", 10, "finite number")
    expect(state + "[run]\nscheme = 'magic'\n", 9, "scheme")
    expect(state + "[run]\nsurfaces = 'curved'\n", 9, "unknown key 'surfaces'")
    expect(state + "[run]\nmethod = 'smac'\n", 9, "unknown key 'method'")
    expect(state + "[[refine]]\nfield = 'density'\nthreshold = 1\n[run]\nrefine-threshold = 1\n", 12, "unknown key")

    for text, message in {
        "[[obstacle]]\nball = [5, 5, 1]\n": "obstacle 1 has no cells",
        "[[region]]\nball = [5, 5, 1]\n": "region 1 has no cells",
        "[[boundary]]\nside = 'left'\nkind = 'inflow'\nrange = [2, 3]\n": "boundary 1 has no faces",
        "[output]\nprobes = [[2, 2]]\n": "outside of the domain",
        "[[obstacle]]\nball = [0.5, 0.5, 0.2]\n[output]\nprobes = [[0.5, 0.5]]\n": "in a body",
        "[[obstacle]]\ncells = 'ball(4, 4)'\n": "radius",
    }.items():
        done = run(state + text)
        assert done.returncode == 1 and message in done.stderr, (text, done.stderr)
    for arguments, message in {("--mach", "2"): "--mach", ("--viscosity", "1"): "--viscosity", ("--gamma", "5"): "--gamma"}.items():
        done = run(state, *arguments)
        assert done.returncode not in (0, -6, -11) and message in done.stderr, done.stderr


main({"shapes": shapes, "sides": sides, "levels": levels, "friction": friction, "parts": parts, "errors": errors})
