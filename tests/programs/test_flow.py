#!/usr/bin/env python3
"""Runs flow. usage: test_flow.py PROGRAM channel|levels|ink_levels|heated_levels|methods|shapes|surfaces|space|heat|errors"""

import json
import math
import shutil
import subprocess
from pathlib import Path

from example_test import Example, close, main, record_of, table_of

ROOT = Path(__file__).parents[2]

SMALL = ["--threads", 1, "--picture-size", 64]


class Case(Example):
    """A case file and options behind it."""

    def __init__(self, program, text, *options):
        super().__init__(program, *SMALL, *options, case="case.toml")
        Path("case.toml").write_text(text)


def channel(program):
    """The case beside this file: a step in a channel. Options replace what the file says."""
    text = (ROOT / "examples/cases/channel.toml").read_text()
    case = Case(program, text, "--nx", 96, "--history-stride", 10)
    rows, record = case.complete("--t-end", 10)
    parameters = record["parameters"]
    assert parameters["ny"] == 16 and parameters["t-end"] == 10 and parameters["output-interval"] == 1, parameters
    assert record["cells"] == 96 * 16 - 16 * 8, record
    for row in rows:
        close(row["inflow"], 0.5, 0.01)  # the parabola by the midpoint rule
        close(row["outflow"], row["inflow"], 1e-4)
        assert row["divergence"] < 1e-3, row
    assert len(list(Path("out").glob("ink_*.png"))) == 11 and Path("out/case.png").exists()
    # What flows through the channel is the difference of the stream function between its walls.
    profile = table_of("out/profile_0.csv")
    assert len(profile) == 50 and profile[0]["x"] == 3, profile[0]
    flux = sum(0.5 * (a["velocity_x"] + b["velocity_x"]) * 0.02 for a, b in zip(profile, profile[1:]))
    close(flux, rows[-1]["inflow"], 0.03)
    assert rows[-1]["least_stream_function"] < -1e-3, rows[-1]  # behind the step something turns
    probes = [table_of(f"out/probe_{i}.csv") for i in (0, 1)]
    assert [row["time"] for row in probes[0]] == [row["time"] for row in rows], probes[0]
    assert list(probes[0][0]) == ["time", "x", "y", "velocity_x", "velocity_y", "pressure", "ink_0", "ink_1"]
    assert probes[0][-1]["velocity_x"] < 0 < probes[1][-1]["velocity_x"], probes  # back flow behind the step
    assert probes[1][-1]["ink_1"] > 0.1, probes[1][-1]
    again, _ = case.complete("--t-end", 10)
    assert again == rows
    _, record = case.complete("--t-end", 10, "--re", 20)
    assert record["results"]["drag coefficient"] > 0 and table_of("out/history.csv")[-1]["least_stream_function"] > rows[-1][
        "least_stream_function"
    ]


ON_LEVELS = """
[domain]
size = [4, 2]
cells = [32, 16]
[fluid]
re = 40
[start]
velocity = [1, 0]
[[boundary]]
side = "left"
kind = "inflow"
velocity = [1.5, 0]
range = [0.5, 2]
parabola = true
[[boundary]]
side = "right"
kind = "outflow"
[[boundary]]
side = "top"
kind = "wall"
[[obstacle]]
box = [1, 0.75, 1.5, 1.25]
[output]
pictures = ["vorticity", "pressure"]
probes = [[2, 1], [3.5, 0.5]]
[[profile]]
from = [2, 0]
to = [2, 2]
count = 41
"""


def levels(program):
    """A parabola flows into a part of a side and around a square: on levels as on one level of their finest cells."""
    run = ["--max-steps", 10**6, "--t-end", 2, "--history-stride", 10, "--output-stride", 10**6, "--tolerance", 1e-6]
    case = Case(program, ON_LEVELS)
    fine, of_fine = case.complete("--nx", 64, *run)
    finer, of_finer = case.complete("--nx", 128, *run)
    profile, probes = table_of("out/profile_0.csv"), [table_of(f"out/probe_{i}.csv")[-1] for i in (0, 1)]
    rows, record = case.complete("--amr-levels", 3, "--refine-threshold", 0.2, *run)
    assert record["results"]["cells over those of the finest grid"] < 0.8, record
    # Much nearer than the grid of twice the width is.
    for name in ("drag", "lift"):
        error = abs(rows[-1][name] - finer[-1][name])
        assert error < 0.3 * abs(fine[-1][name] - finer[-1][name]) + 0.002, (name, rows[-1][name], finer[-1][name], fine[-1][name])
    for here, there in zip(table_of("out/profile_0.csv"), profile, strict=True):
        for name in ("x", "y", "velocity_x", "velocity_y"):
            assert abs(here[name] - there[name]) < 0.03, (name, here, there)
    for i, there in enumerate(probes):
        here = table_of(f"out/probe_{i}.csv")[-1]
        for name in ("velocity_x", "velocity_y"):
            assert abs(here[name] - there[name]) < 0.03, (name, here, there)
    for text, message in [
        (ON_LEVELS.replace("[[obstacle]]", "[[obstacle]]\nvelocity = [0, 1]"), "the surface of obstacle 1 must be at rest"),
        (ON_LEVELS + "[[boundary]]\nside = 'bottom'\nkind = 'no_slip'\nvelocity = [1, 0]\n[[boundary]]\nside = 'bottom'\nrange = [1, 2]\nkind = 'no_slip'\n", "boundary 5 is a wall in a part of a side that moves"),
        (ON_LEVELS.replace("[1.5, 0]", "[1.5, 1]"), "boundary 1 must have a velocity normal to its side"),
        (ON_LEVELS.replace("re = 40", "re = 40\npr = 1").replace("parabola = true", "temperature = 1"), "boundary 1 gives heat, so it must be a wall"),
    ]:
        done = Case(program, text).run("--amr-levels", 2, "--max-steps", 1)
        assert done.returncode == 1 and "--amr-levels: " + message in done.stderr, (message, done.stderr)


INKS = """
[[ink]]
box = [0.25, 0.25, 0.5, 0.5]
colour = "#d62728"
[[ink]]
box = [0, 1, 0.125, 1.5]
colour = "#1f77b4"
until = 1
"""


def ink_levels(program):
    """Two inks on levels as on one level of their finest cells, and in the same pictures after a break."""
    text = ON_LEVELS.replace('["vorticity", "pressure"]', '["ink", "streaked_ink", "vorticity"]') + INKS
    run = ["--max-steps", 10**6, "--t-end", 2, "--history-stride", 10, "--output-stride", 10**6, "--tolerance", 1e-6]
    case = Case(program, text)
    coarse, _ = case.complete(*run)
    fine, _ = case.complete("--nx", 64, *run)
    finer, _ = case.complete("--nx", 128, *run)
    assert Path("out/case.png").exists()
    probe = table_of("out/probe_0.csv")[-1]
    rows, record = case.complete("--amr-levels", 3, "--refine-threshold", 0.2, *run)
    assert record["results"]["cells over those of the finest grid"] < 0.8, record
    # The second source is at the inflow, where cells are those of level 0.
    for name, grid, part in (("ink_0", fine, 0.2), ("ink_1", coarse, 0.6)):
        error = abs(rows[-1][name] - finer[-1][name])
        assert error < part * abs(grid[-1][name] - finer[-1][name]), (name, rows[-1], finer[-1], grid[-1])
    for name in ("ink_0", "ink_1"):
        assert abs(table_of("out/probe_0.csv")[-1][name] - probe[name]) < 0.1, (name, table_of("out/probe_0.csv")[-1], probe)
    cover = Path("out/case.png").read_bytes()
    assert cover == sorted(Path("out").glob("ink_*.png"))[-1].read_bytes() and len(list(Path("out").glob("streaked_ink_*"))) == 2
    case.goes_on(8, "--amr-levels", 3, "--output-stride", 4, other=("--refine-threshold", 0.3))
    done = Case(program, text + "[[ink]]\nbox = [1.1, 0.9, 1.2, 1]\ncolour = '#000000'\n").run("--amr-levels", 2)
    assert done.returncode == 1 and "ink 3 has no cells in the fluid" in done.stderr, done.stderr


HEATED_PARTS = """
[domain]
size = [1, 1]
cells = [16, 16]
[fluid]
re = 200
pr = 0.71
beta = 1
gravity = [0, -1]
[[boundary]]
side = "top"
kind = "no_slip"
temperature = 0
[[boundary]]
side = "bottom"
range = [0.25, 0.75]
kind = "no_slip"
temperature = 1
[[boundary]]
side = "bottom"
range = [0.5, 0.625]
kind = "no_slip"
[[boundary]]
side = "left"
range = [0.5, 0.75]
kind = "no_slip"
heat_flux = 0.01
"""

HEATED = """
[[heat]]
ball = [1.25, 1.6, 0.15]
strength = 2
[[ink]]
box = [0.125, 0.25, 0.375, 0.5]
colour = "#d62728"
jet = [0.5, 1.5]
until = 1
"""


def heated_levels(program):
    """An obstacle that gives heat in air that rises, a heater and a jet: on levels as on one level of their finest cells."""
    text = ON_LEVELS.replace("re = 40", "re = 40\npr = 0.71\nbeta = 1\ngravity = [0, -1]").replace('"pressure"', '"temperature", "ink"')
    run = ["--max-steps", 10**6, "--t-end", 2, "--history-stride", 10, "--output-stride", 10**6, "--tolerance", 1e-6]
    for what, column, title in (
        ("temperature = 1", "nusselt_obstacle_1", "mean Nusselt number, obstacle_1"),
        ("heat_flux = 0.05", "wall_temperature_obstacle_1", "mean temperature, obstacle_1"),
    ):
        case = Case(program, text.replace("[[obstacle]]", "[[obstacle]]\n" + what) + HEATED)
        fine, _ = case.complete("--nx", 64, *run)
        finer, of_finer = case.complete("--nx", 128, *run)
        rows, record = case.complete("--amr-levels", 3, "--refine-threshold", 0.2, *run)
        assert record["results"]["cells over those of the finest grid"] < 0.8, record
        close(record["results"][title], of_finer["results"][title], 0.03)
        for name in (column, "drag", "lift", "temperature"):
            error, of_fine = abs(rows[-1][name] - finer[-1][name]), abs(fine[-1][name] - finer[-1][name])
            assert error < 0.3 * of_fine + 0.005 * abs(finer[-1][name]), (name, rows[-1][name], finer[-1][name], fine[-1][name])
        close(rows[-1]["ink"], finer[-1]["ink"], 0.1)  # one level carries ink with the divergence of driven fluid, too
        assert Path("out/case.png").exists() and list(Path("out").glob("temperature_*.png"))
    case.goes_on(8, "--amr-levels", 3, "--output-stride", 4, other=("--refine-threshold", 0.3))
    curved = Case(program, text.replace("[[obstacle]]", "[[obstacle]]\ntemperature = 1") + HEATED, "--surfaces", "curved")
    finer, of_finer = curved.complete("--nx", 128, *run)
    rows, record = curved.complete("--amr-levels", 3, "--refine-threshold", 0.2, *run)
    title = "mean Nusselt number, obstacle_1"
    close(record["results"][title], of_finer["results"][title], 0.01)
    close(rows[-1]["drag"], finer[-1]["drag"], 0.01)
    close(rows[-1]["temperature"], finer[-1]["temperature"], 0.01)
    hot = ROOT / "examples/cases/hot_cylinder.toml"
    rows, record = Case(program, hot.read_text()).complete("--nx", 48, "--t-end", 12, "--max-steps", 10**6)
    close(rows[-1]["nusselt_obstacle_1"], 3.28, 0.04)
    close(rows[-1]["drag"], 1.56, 0.06)
    # Parts of walls, one of them without heat in the middle of another.
    case = Case(program, HEATED_PARTS)
    run = ["--max-steps", 10**6, "--t-end", 4, "--history-stride", 10, "--output-stride", 10**6]
    fine, finer = (case.complete("--nx", nx, *run) for nx in (32, 64))
    rows, record = case.complete("--amr-levels", 3, "--refine-threshold", 0.067, *run)
    names = ["mean Nusselt number, top", "mean Nusselt number, bottom_2", "mean temperature, left_4"]
    assert [name for name in record["results"] if name.startswith("mean ")] == names, record["results"]
    for name in names:
        here, there = record["results"][name], finer[1]["results"][name]
        assert abs(here - there) < abs(fine[1]["results"][name] - there) + 0.03 * abs(there), (name, here, there)
    done = Case(program, text + HEATED + "[[heat]]\nball = [1.2, 1, 0.1]\nstrength = 1\n").run("--amr-levels", 2)
    assert done.returncode == 1 and "heat 2 has no cells in the fluid" in done.stderr, done.stderr


def methods(program):
    """By every method much the same flow, from the command line or the file; but not what it does not know."""
    text = (ROOT / "examples/cases/channel.toml").read_text()
    found, lines = {}, {}
    for method in ("smac", "projection", "lfm"):
        options = f'method = "{method}"\n' + ("cycle = 3\n" if method == "lfm" else "")
        case = Case(program, text + options, "--nx", 96, "--history-stride", 1)
        rows, record = case.complete("--t-end", 3)
        assert record["parameters"]["method"] == method, record["parameters"]
        for row in rows:
            close(row["outflow"], row["inflow"], 1e-4)
            assert row["divergence"] < 1e-3, row
        profile = table_of("out/profile_0.csv")
        found[method] = rows[-1]["kinetic_energy"], max(row["velocity_x"] for row in profile), rows[-1]["drag"]
        assert rows[-1]["ink_0"] > rows[0]["ink_0"] > 0, rows[-1]
        lines[method] = len(rows)
    assert record["parameters"]["cycle"] == 3, record["parameters"]
    assert lines["lfm"] < 0.5 * min(lines["smac"], lines["projection"]), lines  # one for each cycle of steps
    for method in ("projection", "lfm"):
        for value, wanted in zip(found[method], found["smac"]):
            close(value, wanted, 0.05)

    gravity = "[domain]\nsize = [1, 1]\ncells = [8, 8]\n[fluid]\ngravity = [0, -1]\n"
    for method in ("projection", "lfm"):
        done = Case(program, gravity).run("--method", method)
        assert done.returncode == 1, method
        assert f"--method {method} knows no gravity; smac does" in done.stderr, done.stderr
    done = Case(program, BOX).run("--method", "lfm", "--steady-tolerance", 1e-3)
    assert done.returncode != 0 and "--steady-tolerance: is of no use with this --method" in done.stderr, done.stderr


BOX = """
[domain]
size = [2.0, 1.0]
cells = [64, 32]
[run]
max-steps = 2
history-stride = 1
"""


def cells_with(program, text):
    Case(program, BOX + text).complete()
    return record_of("out")["cells"]


def shapes(program):
    """Each shape takes its area from the fluid; thin ones are thickened if that is asked for."""
    # A body from a file, and the box that it is.
    write_cube("cube.stl")
    duct = """
[domain]
size = [2.0, 1.0, 1.0]
cells = [20, 10, 10]
[fluid]
re = 20
[[boundary]]
side = "left"
kind = "inflow"
velocity = [1, 0, 0]
[[boundary]]
side = "right"
kind = "outflow"
[[obstacle]]
{}
[run]
surfaces = "curved"
history-stride = 2
"""
    cube, block = 'stl = "cube.stl"\norigin = [0.53, 0.31, 0.22]\nunit = 0.41', "box = [0.53, 0.31, 0.22, 0.94, 0.72, 0.63]"
    drags = [Case(program, duct.format(shape)).complete("--max-steps", 6)[0][-1]["drag"] for shape in (cube, block)]
    assert drags[1] > 0, drags
    close(drags[0], drags[1], 1e-6)

    Path("dots.pbm").write_text("P1\n4 2\n1 1 0 0\n1 0 0 1\n")
    all_cells, cell = 64 * 32, 2.0 / 64 / 32
    for shape, area in {
        "box = [0.25, 0.25, 0.75, 0.5]": 0.125,
        "ball = [1.0, 0.5, 0.25]": 3.14159 / 16,
        "ellipsoid = [1.0, 0.5, 0.5, 0.25]": 3.14159 / 8,
        "capsule = [0.5, 0.5, 1.5, 0.5, 0.125]": 0.25 + 3.14159 / 64,
        "polygon = [[0.5, 0.25], [1.5, 0.25], [1.0, 0.75]]": 0.25,
        'bitmap = "dots.pbm"\nrectangle = [0.5, 0.25, 1.5, 0.75]': 0.25,
        "cells = 'box(0, 0, nx / 2, ny / 4) - box(0, 0, 2, 2)'": 0.25 - 4 * cell,
    }.items():
        close((all_cells - cells_with(program, f"[[obstacle]]\n{shape}\n")) * cell, area, 0.05)
    # Of two that overlap, the cells count once.
    two = "[[obstacle]]\nbox = [0.25, 0.25, 0.75, 0.5]\n"
    assert cells_with(program, two + two.replace("0.75", "1.0")) == all_cells - 24 * 8
    plate = "[[obstacle]]\nbox = [0.5, 0.25, 0.53125, 0.75]\n"
    assert cells_with(program, plate) == all_cells - 16
    padded = BOX.replace("cells = [64, 32]", "cells = [64, 32]\npad_thin = true") + plate
    _, record = Case(program, padded).complete()
    assert record["cells"] == all_cells - 32 and record["results"]["cells added to thin obstacles"] == 16, record
    # A box that repeats itself, in which nothing slows the flow down.
    periodic = '[[boundary]]\nside = "left"\nkind = "periodic"\n[start]\nvelocity = [0.5, 0]\n'
    case = Case(program, BOX.replace("[run]", 'walls = "wall"\n' + periodic + "[run]"))
    rows, _ = case.complete()
    close(rows[-1]["kinetic_energy"], 0.25, 1e-9)
    # Walls that move: an obstacle that pulls the fluid along.
    rows, _ = Case(program, BOX + "[[obstacle]]\nball = [1, 0.5, 0.25]\nvelocity = [0, 0]\n").complete()
    assert rows[-1]["kinetic_energy"] == 0, rows[-1]


def surfaces(program):
    """Where obstacles cut cells, a flow sees them, not their cells; what is made of cells only is refused."""
    channel = """
[domain]
size = [2.0, 1.0]
cells = [48, 24]
[fluid]
re = 20
[[boundary]]
side = "left"
kind = "inflow"
velocity = [1, 0]
[[boundary]]
side = "right"
kind = "outflow"
[[obstacle]]
{}
[run]
surfaces = "{}"
t-end = 0.5
history-stride = 10
"""
    # Of one body in different words.
    square = "box = [0.51, 0.33, 0.93, 0.71]"
    polygon = "polygon = [[0.51, 0.33], [0.93, 0.33], [0.93, 0.71], [0.51, 0.71]]"
    ball, ellipsoid = "ball = [0.7, 0.5, 0.21]", "ellipsoid = [0.7, 0.5, 0.21, 0.21]"
    capsule = "capsule = [0.7, 0.5, 0.7, 0.5, 0.21]"
    drags = {}
    for shape in (square, polygon, ball, ellipsoid, capsule):
        rows, record = Case(program, channel.format(shape, "curved")).complete()
        for row in rows:
            close(row["outflow"], row["inflow"], 1e-4)
            assert row["divergence"] < 1e-3, row
        drags[shape] = rows[-1]["drag"]
        assert record["parameters"]["surfaces"] == "curved", record["parameters"]
        assert record["cells"] > Case(program, channel.format(shape, "staircase")).complete()[1]["cells"]
    close(drags[polygon], drags[square], 1e-6)
    close(drags[ellipsoid], drags[ball], 1e-6)
    close(drags[capsule], drags[ball], 1e-6)
    # Further along by half a cell.
    moved = {"staircase": [], "curved": []}
    for kind, found in moved.items():
        for x in (0.7, 0.7 + 0.5 / 24):
            rows, _ = Case(program, channel.format(f"ball = [{x}, 0.5, 0.21]", kind)).complete()
            found.append(rows[-1]["drag"])
    change = {kind: abs(found[1] - found[0]) for kind, found in moved.items()}
    assert change["curved"] < 0.5 * change["staircase"], moved

    # Across a seam, where the box repeats itself, as elsewhere.
    ring = """
[domain]
size = [2.0, 1.0]
cells = [48, 24]
[fluid]
re = 20
gravity = [1, 0]
[[boundary]]
side = "left"
kind = "periodic"
[[obstacle]]
ball = [{}, 0.52, 0.21]
[run]
surfaces = "curved"
t-end = 0.5
"""
    energies = [Case(program, ring.format(x)).complete()[0][-1]["kinetic_energy"] for x in (1.01, 1.01 + 23 / 24)]
    close(energies[1], energies[0], 1e-5)

    Path("dots.pbm").write_text("P1\n4 2\n1 1 0 0\n1 0 0 1\n")
    for text, message in {
        channel.format('bitmap = "dots.pbm"\nrectangle = [0.5, 0.25, 1.5, 0.75]', "curved"): "obstacle 1 must be a box",
        channel.format("cells = 'box(9, 9, 20, 20)'", "curved"): "obstacle 1 must be a box",
        channel.format(ball + "\nvelocity = [0, 1]", "curved"): "at rest",
        channel.format(ball + '\nkind = "wall"', "curved"): "sticks",
        channel.format(ball, "curved").replace("[fluid]", "pad_thin = true\n[fluid]"): "pad_thin",
        channel.format(ball, "round"): "surfaces",
        BOX + 'surfaces = "curved"\n': "unknown key 'surfaces'",
    }.items():
        done = Case(program, text).run()
        assert done.returncode == 1 and message in done.stderr, (text, done.stderr)
    done = Case(program, channel.format(ball, "curved")).run("--method", "projection")
    assert done.returncode != 0 and "--surfaces: is of no use with this --method" in done.stderr, done.stderr


CUBE = """solid cube
{facets}endsolid cube
"""


def write_cube(path):
    """A unit cube of triangles that turn outwards."""
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    facets = ""
    for a, b, c, d in sides:
        for triangle in ((a, b, c), (a, c, d)):
            lines = "".join(f"vertex {x} {y} {z}\n" for x, y, z in (corners[i] for i in triangle))
            facets += f"facet normal 0 0 0\nouter loop\n{lines}endloop\nendfacet\n"
    Path(path).write_text(CUBE.format(facets=facets))


def space(program):
    """In three dimensions: a duct around a body from a file, with forces, inks and probes."""
    write_cube("cube.stl")
    text = """
[domain]
size = [2.0, 1.0, 1.0]
cells = [24, 12, 12]
walls = "wall"
[fluid]
re = 50
[[boundary]]
side = "left"
kind = "inflow"
velocity = [1, 0, 0]
[[boundary]]
side = "right"
kind = "outflow"
[[boundary]]
side = "front"
kind = "no_slip"
velocity = [1, 0, 0]
[[obstacle]]
stl = "cube.stl"
origin = [0.5, 0.25, 0.25]
unit = 0.5
[[ink]]
ball = [0.1, 0.5, 0.5, 0.15]
colour = "#ff0000"
[start]
velocity = [1, 0, 0]
[output]
pictures = ["ink", "velocity"]
probes = [[1.5, 0.5, 0.5]]
[run]
history-stride = 2
"""
    rows, record = Case(program, text).complete("--max-steps", 12)
    assert record["cells"] == 24 * 12 * 12 - 6 * 6 * 6, record
    assert record["results"]["drag coefficient"] > 0.1, record["results"]
    assert abs(rows[-1]["lift"]) < 1e-6, rows[-1]  # symmetric
    close(rows[-1]["outflow"], 1, 1e-4)
    assert rows[-1]["ink"] > rows[0]["ink"] > 0 and len(table_of("out/centre_line_x.csv")) == 18
    assert list(table_of("out/probe_0.csv")[0])[:4] == ["time", "x", "y", "z"]

    # Of the 12 x 12 faces on the left, 6 along y and 3 along z.
    part = text.replace('side = "left"', 'side = "left"\nrange = [[0.25, 0.75], [0.5, 0.75]]')
    rows, _ = Case(program, part).complete("--max-steps", 4)
    close(rows[-1]["inflow"], 0.5 * 0.25, 1e-12)
    close(rows[-1]["outflow"], 0.5 * 0.25, 1e-4)
    rows, _ = Case(program, part.replace('kind = "inflow"', 'kind = "inflow"\nparabola = true')).complete("--max-steps", 4)
    along = [sum(4 * (i + 0.5) / n * (1 - (i + 0.5) / n) for i in range(n)) / 12 for n in (6, 3)]
    close(rows[-1]["inflow"], along[0] * along[1], 1e-12)


def heat(program):
    """Heat goes from a hot body to cold walls, and warm fluid rises."""
    text = """
[domain]
size = [1.0, 1.0]
cells = [24, 24]
[fluid]
pr = 1
ra = 1e4
[[boundary]]
side = "top"
kind = "no_slip"
temperature = 0
[[boundary]]
side = "bottom"
kind = "no_slip"
temperature = 0
[[obstacle]]
ball = [0.5, 0.3, 0.1]
temperature = 1
[output]
pictures = ["temperature"]
[run]
t-end = 10
"""
    case = Case(program, text, "--history-stride", 20)
    rows, record = case.complete()
    results = record["results"]
    assert results["mean Nusselt number, obstacle_1"] > 2 > 0 > results["mean Nusselt number, top"], results
    assert rows[-1]["greatest_stream_function"] > 0.01 and abs(results["greatest stream function, x"] - 0.5) > 0.1
    assert results["greatest v on centre line along x"] > 1, results
    # Of the same fluid by re, beta and gravity.
    other = text.replace("ra = 1e4", "re = 100\nbeta = 0.1\ngravity = [0, -10]")
    again, _ = Case(program, other, "--history-stride", 20).complete()
    close(again[-1]["nusselt_top"], rows[-1]["nusselt_top"], 1e-3)
    close(again[-1]["kinetic_energy"], rows[-1]["kinetic_energy"], 1e-2)
    # The other methods find nearly the same, and go on from checkpoints, too.
    for options in (("--method", "projection"), ("--method", "lfm", "--cycle", 3)):
        case = Case(program, text, *options)
        other, _ = case.complete("--cfl", 0.5)
        close(other[-1]["nusselt_top"], rows[-1]["nusselt_top"], 0.05)
        case.goes_on(6, "--output-stride", 3)
    heating(program)
    hot_cylinders(program)


def heating(program):
    """A slab that is heated from the left and inside: a straight line and a parabola. All heat goes out at the right."""
    text = """
[domain]
size = [1.0, 0.25]
cells = [16, 4]
[fluid]
re = 1
pr = 0.5
[[boundary]]
side = "left"
kind = "no_slip"
heat_flux = 3
[[boundary]]
side = "right"
kind = "no_slip"
temperature = 1
[[heat]]
box = [0, 0, 1, 1]
strength = 4
[[heat]]
box = [0, 0, 0.5, 1]
strength = 2
[output]
pictures = ["temperature"]
[run]
t-end = 8
"""
    rows, record = Case(program, text).complete()
    conductivity = 2  # 1 / (re pr)
    # The sum of heat inside is 5; that of the second source passes the right half.
    exact = 1 + 3 / conductivity + 4 / (2 * conductivity) + 2 * 0.5 * 0.75 / conductivity
    close(record["results"]["mean temperature, left"], exact, 2e-3)
    close(rows[-1]["wall_temperature_left"], exact, 2e-3)
    close(record["results"]["mean Nusselt number, right"], -(3 + 4 + 2 * 0.5) / conductivity, 1e-6)
    # If nothing goes out at the right, all of it stays.
    rows, _ = Case(program, text.replace("temperature = 1", "heat_flux = 0")).complete("--t-end", 0.1)
    close(rows[-1]["temperature"], 0.25 * 0.1 * (3 + 4 + 2 * 0.5), 1e-10)
    done = Case(program, text.replace("box = [0, 0, 0.5, 1]", "box = [2, 2, 3, 3]")).run()
    assert done.returncode == 1 and "heat 2 has no cells in the fluid" in done.stderr, done.stderr


def hot_cylinders(program):
    """What cylinders with curved surfaces give goes out through the sides. Then fluid flows past them."""
    text = """
[domain]
size = [2, 2]
cells = [32, 32]
[fluid]
re = 1
pr = 1
[[obstacle]]
ball = [0.6, 0.93, 0.3]
heat_flux = 0.5
[[obstacle]]
ball = [1.41, 1.2, 0.25]
temperature = 1
[run]
surfaces = "curved"
t-end = 2
"""
    sides = "".join(
        f"[[boundary]]\nside = '{side}'\nkind = 'no_slip'\ntemperature = 0\n" for side in ("left", "right", "top", "bottom")
    )
    text = text.replace("[run]", sides + "[output]\npictures = ['temperature']\n[run]")
    rows, record = Case(program, text).complete()
    results = record["results"]
    given = [0.5 * 2 * math.pi * 0.3, results["mean Nusselt number, obstacle_2"] * 2 * math.pi * 0.25]
    out = sum(2 * results[f"mean Nusselt number, {side}"] for side in ("left", "right", "top", "bottom"))
    close(-out, sum(given), 5e-3)  # in each cell a chord stands in for the arc, which is longer by 0.3 %
    assert 0.2 < rows[-1]["wall_temperature_obstacle_1"] < 0.6 and given[1] > 1, rows[-1]

    # Warm fluid rises from them, in steps that a restart does not change.
    rising = text.replace("[fluid]\nre = 1\n", "[fluid]\nra = 1e5\n").replace("t-end = 2", "t-end = 4")
    rows, _ = Case(program, rising).complete()
    assert rows[-1]["greatest_stream_function"] > 0.01, rows[-1]
    assert rows[-1]["nusselt_top"] < 1.5 * rows[-1]["nusselt_bottom"] < 0, rows[-1]
    Case(program, rising).goes_on(4, "--output-stride", 2, other=("--dt-safety", 0.123))


TUNNEL = """
[domain]
size = [2.0, 1.0]
cells = [32, 16]
walls = "wall"
[fluid]
re = 200
[start]
velocity = [1, 0]
[[boundary]]
side = "left"
kind = "inflow"
velocity = [1, 0]
[[boundary]]
side = "right"
kind = "outflow"
[[obstacle]]
ball = [0.7, 0.45, 0.15]
[[ink]]
box = [0, 0.3, 0.1, 0.7]
colour = "#d62728"
until = 0.5
[[ink]]
ball = [0.3, 0.8, 0.1]
colour = "#1f77b4"
[[ink]]
cells = "box(2, 1, 5, 4)"
colour = "#2ca02c"
[output]
pictures = ["ink", "streaks", "streaked_ink"]
[run]
t-end = 0.4
history-stride = 1
"""


def inks(program):
    """Inks come in and go out, also on a finer grid or faster than the flow, and a run in two parts is the same."""
    case = Case(program, TUNNEL)
    totals, pictures = {}, {}
    for method in ("smac", "projection", "lfm"):
        rows, _ = case.complete("--method", method, *(("--cycle", 2, "--cfl", 0.5) if method == "lfm" else ()))
        # It comes in through six cells, and nothing is lost.
        between = [row for row in rows if row["time"] > 0.15]
        gain = (between[-1]["ink_0"] - between[0]["ink_0"]) / (between[-1]["time"] - between[0]["time"])
        close(gain, 6 / 16, 0.01)
    for factor in (1, 2, 3):
        rows, record = case.complete("--ink-supersampling", factor)
        assert record["parameters"]["ink-supersampling"] == factor, record["parameters"]
        totals[factor] = [rows[-1][f"ink_{k}"] for k in range(3)]
        pictures[factor] = Path("out/case.png").read_bytes()
        assert not rows[-1]["ink_0"] > rows[0]["ink_0"] + 0.45 * 0.4, rows[-1]
        names = {path.name.rsplit("_", 1)[0] for path in Path("out").glob("*_*.png")}
        assert {"ink", "streaks", "streaked_ink"} <= names, names
        drawn = [sorted(Path("out").glob(f"{name}_*.png"))[-1].read_bytes() for name in ("ink", "streaks", "streaked_ink")]
        assert len(set(drawn)) == 3
    assert len(set(pictures.values())) == 3
    for factor in (2, 3):
        for value, wanted in zip(totals[factor], totals[1]):
            close(value, wanted, 0.1)
    # The source at the inflow ends: then it comes in clean, and all that has come goes out.
    rows, _ = case.complete("--t-end", 6, "--no-fields")
    late = [row for row in rows if row["time"] > 0.5]
    # Some stays in the eddies behind the ball.
    assert rows[-1]["ink_0"] < 0.1 * late[0]["ink_0"], (late[0], rows[-1])
    # Twice as fast is twice as far.
    slow, _ = case.complete("--ink-supersampling", 2)
    fast, _ = case.complete("--ink-supersampling", 2, "--ink-speed", 2)
    gains = [rows[-1]["ink_0"] - rows[0]["ink_0"] for rows in (slow, fast)]
    close(gains[1] / gains[0], 2, 0.1)
    assert [row["kinetic_energy"] for row in slow] == [row["kinetic_energy"] for row in fast]

    for arguments in (("--ink-supersampling", 2), ("--ink-speed", 0.5, "--method", "lfm"), ("--surfaces", "curved")):
        case.goes_on(5, *arguments, "--t-end", 3, "--output-stride", 5, other=("--re", 123))
    why = "of no use with --ink-method traced"
    case.refuses(["--ink-method", "traced", "--ink-supersampling", 2], "--ink-supersampling: is " + why)
    case.refuses(["--ink-method", "traced", "--ink-speed", 2], "--ink-speed: is " + why)
    case.refuses(["--surfaces", "curved", "--ink-speed", 2], "--ink-speed: is of no use with --surfaces curved")
    for wrong in (0, 17, 1.5):
        case.refuses(["--ink-supersampling", wrong], "--ink-supersampling")
    case.refuses(["--ink-speed", 0], "--ink-speed")
    Path("plain.toml").write_text(BOX)
    done = subprocess.run([program, "plain.toml", "--ink-supersampling", "2"], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "--ink-supersampling" in done.stderr, done.stderr


def errors(program):
    """Every mistake has its line."""

    def expect(text, line, message):
        Path("case.toml").write_text(text)
        shutil.rmtree("out", ignore_errors=True)
        done = subprocess.run([program, "case.toml", "--output-dir", "out"], capture_output=True, text=True, timeout=60)
        wanted = f"case.toml:{line}: "
        assert done.returncode == 1 and wanted in done.stderr and message in done.stderr, (text, done.stderr)
        assert not Path("out").exists(), text

    domain = "[domain]\nsize = [1, 1]\ncells = [8, 8]\n"
    expect("size = [1", 1, "")
    expect("[fluid]\nre = 1\n", 1, "'[domain]' is missing")
    expect("[domain]\nsize = [1, 1]\n", 1, "'cells' is missing")
    expect("[domain]\nsize = [1]\ncells = [8, 8]\n", 2, "size")
    expect("[domain]\nsize = [1, -1]\ncells = [8, 8]\n", 2, "greater than 0")
    expect("[domain]\nsize = [1, 1]\ncells = [8, 8, 8]\n", 3, "2 numbers")
    expect("[domain]\nsize = [1, 1]\ncells = [8, 2.5]\n", 3, "whole numbers")
    expect(domain + "colour = 3\n", 4, "unknown key 'colour'; known are size, cells, walls")
    expect(domain + 'pad_thin = "yes"\n', 4, "true or false")
    expect(domain + 'walls = "sticky"\n', 4, "'sticky' is none of no_slip, wall")
    expect(domain + "[fluids]\nre = 1\n", 4, "unknown key 'fluids'")
    expect(domain + "[fluid]\nre = '100'\n", 5, "re must be a finite number")
    expect(domain + "[fluid]\nre = inf\n", 5, "re must be a finite number")
    expect(domain + "[fluid]\nre = -1\n", 5, "greater than 0")
    expect(domain + "[fluid]\nra = 1e4\n", 5, "needs pr")
    expect(domain + "[fluid]\npr = 1\nre = 3\nra = 1e4\n", 6, "follows from")
    expect(domain + "[boundary]\nside = 'left'\n", 4, "[[boundary]]")
    expect(domain + "[[boundary]]\nkind = 'inflow'\n", 4, "'side' is missing")
    expect(domain + "[[boundary]]\nside = 'front'\nkind = 'inflow'\n", 5, "three dimensions")
    expect(domain + "[[boundary]]\nside = 'left'\nkind = 'sticky'\n", 6, "none of no_slip")
    expect(domain + "[[boundary]]\nside = 'left'\nkind = 'no_slip'\nparabola = true\n", 7, "for inflows")
    expect(domain + "[[boundary]]\nside = 'left'\nkind = 'no_slip'\ntemperature = 1\n", 7, "needs pr")
    expect(domain + "[[boundary]]\nside = 'left'\nkind = 'no_slip'\nrange = [1, 0]\n", 7, "must increase")
    left = domain + "[[boundary]]\nside = 'left'\n"
    expect(left + "kind = 'periodic'\nrange = [0, 0.5]\n", 7, "periodic sides are whole")
    expect(left + "kind = 'periodic'\n[[boundary]]\nside = 'right'\nkind = 'outflow'\n", 9, "both sides are periodic or")
    thin = left.replace("[[b", "pad_thin = true\n[[b")
    expect(thin + "kind = 'periodic'\n", 4, "knows no periodic sides")
    expect(left + "kind = 'inflow'\n", 4, "'velocity' is missing")
    for kind in ("wall", "outflow", "periodic"):
        expect(left + f"kind = '{kind}'\nvelocity = [1, 0]\n", 7, "is for no_slip and inflow")
    warm = domain + "[fluid]\npr = 1\n[[boundary]]\nside = 'left'\n"
    for kind in ("outflow", "periodic"):
        expect(warm + f"kind = '{kind}'\ntemperature = 1\n", 9, "is for walls and inflows")
    for kind in ("inflow'\nvelocity = [1, 0]\nheat_flux = 1\n#'", "outflow'\nheat_flux = 1\n#'"):
        expect(warm + f"kind = '{kind}\n", 10 if "velocity" in kind else 9, "is for walls")
    expect(warm + "kind = 'wall'\ntemperature = 1\nheat_flux = 1\n", 10, "follows from the temperature")
    expect(domain + "[[boundary]]\nside = 'left'\nkind = 'no_slip'\nheat_flux = 1\n", 7, "needs pr")
    expect(domain + "[[heat]]\nbox = [0, 0, 1, 1]\nstrength = 1\n", 6, "needs pr")
    expect(domain + "[fluid]\npr = 1\n[[heat]]\nbox = [0, 0, 1, 1]\n", 6, "'strength' is missing")
    box = "[domain]\nsize = [1, 1, 1]\ncells = [8, 8, 8]\n"
    expect(box + "[[boundary]]\nside = 'left'\nkind = 'no_slip'\nrange = [0, 1]\n", 7, "4 numbers")
    expect(box + "[[boundary]]\nside = 'left'\nkind = 'no_slip'\nrange = [[0, 1], [1, 0]]\n", 7, "must increase")
    expect(domain + "[[obstacle]]\nkind = 'no_slip'\n", 4, "a shape is missing")
    expect(domain + "[[obstacle]]\nbox = [0, 0, 1]\n", 5, "4 numbers")
    expect(domain + "[[obstacle]]\nbox = [0, 0, 1, 1]\nball = [0, 0, 1]\n", 6, "second shape")
    expect(domain + "[[obstacle]]\nbox = [0.5, 0, 0.2, 1]\n", 5, "lower corner first")
    for shape in ("ball = [0, 0, -1]", "ellipsoid = [0, 0, 1, 0]", "capsule = [0, 0, 1, 1, -0.1]"):
        expect(domain + f"[[obstacle]]\n{shape}\n", 4, "radii must be greater than 0")
    expect(domain + "[[obstacle]]\nbitmap = 'no.png'\nrectangle = [0, 0, 1, 1]\n", 5, "there is no file no.png")
    expect(box + "[[obstacle]]\nstl = 'no.stl'\n", 5, "there is no file no.stl")
    expect(domain + "[[obstacle]]\nstl = 'a.stl'\n", 5, "three dimensions")
    expect(domain + "[[obstacle]]\nbitmap = 'a.png'\n", 4, "'rectangle' is missing")
    expect(domain + "[[ink]]\nball = [0, 0, 1]\ncolour = 'red'\n", 6, "no colour like")
    expect(domain + "[[ink]]\nball = [0, 0, 1]\n", 4, "'colour' is missing")
    expect(domain + "[output]\npictures = ['ink']\n", 5, "there is no 'ink' to draw")
    expect(domain + "[output]\npictures = ['streaked_ink']\n", 5, "there is no 'streaked_ink' to draw")
    expect(domain + "[output]\nprobes = [[1, 2], [3]]\n", 5, "2 numbers each")
    expect(domain + "[[profile]]\nfrom = [0, 0]\nto = [1, 1]\ncount = 1\n", 7, "whole number")
    expect(domain + "[run]\nspeed = 3\n", 5, "unknown key 'speed'")
    expect(domain + "[run]\nhelp = true\n", 5, "unknown key 'help'")
    expect(domain + "[run]\nt-end = -3\n", 5, "t-end")
    expect(domain + "[run]\nsolver = 'magic'\n", 5, "solver")

    def fails(text, message):
        Path("case.toml").write_text(domain + text)
        done = subprocess.run([program, "case.toml", "--output-dir", "out"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and message in done.stderr, (text, done.stderr)

    fails("[[obstacle]]\nball = [5, 5, 1]\n", "obstacle 1 has no cells")
    fails("[[obstacle]]\nball = [0.5, 0.5, 0.2]\n[[ink]]\nball = [0.5, 0.5, 0.1]\ncolour = '#ffffff'\n", "ink 1 has no")
    fails("[output]\nprobes = [[2, 2]]\n", "probe 0 is not in the fluid")
    fails("[[obstacle]]\ncells = 'ball(4, 4)'\n", "radius")
    fails("[[boundary]]\nside = 'left'\nkind = 'inflow'\nvelocity = [1, 0]\n", "has no outflow")
    # The case can stand anywhere among options, which is not where --config has its file.
    Path("case.toml").write_text(domain + "[run]\nmax-steps = 2\n")
    Path("other.toml").write_text("re = 7\n")
    arguments = ["--output-dir", "out", "--config", "other.toml", "--threads", "1", "case.toml"]
    subprocess.run([program, *arguments], check=True, capture_output=True, timeout=60)
    assert json.loads(Path("out/run.json").read_text())["parameters"]["re"] == 7
    for arguments in ([], ["--re", "100"], ["--config", "other.toml"]):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and "flow CASE.toml [options]" in done.stderr, done.stderr
    done = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "--steady-tolerance" in done.stdout, done.stdout
    done = subprocess.run([program, "missing.toml"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "missing.toml: cannot be read" in done.stderr, done.stderr


main(
    {
        "channel": channel,
        "levels": levels,
        "ink_levels": ink_levels, "heated_levels": heated_levels,
        "methods": methods,
        "shapes": shapes,
        "surfaces": surfaces,
        "space": space,
        "heat": heat,
        "inks": inks,
        "errors": errors,
    }
)
