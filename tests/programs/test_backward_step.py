#!/usr/bin/env python3
"""Runs the case backward_step. usage: test_backward_step.py PROGRAM lengths|walls|fine"""

from pathlib import Path

from example_test import Example, close, main, record_of, shipped, table_of

CASE = shipped("backward_step")
SMALL = ["--threads", 1, "--picture-size", 128, "--no-fields"]
LOWER, LEAVES, RETURNS = "lower wall, reattachment", "upper wall, separation", "upper wall, reattachment"


def steady(program, *arguments, **options):
    """The results of a run that has ended because it is steady. What comes in goes out."""
    example = Example(program, *SMALL, case=CASE)
    done = example.run(*arguments, **options)
    assert done.returncode == 0, done.stderr
    rows, record = example.check_whole("out"), record_of("out")
    assert record["is-steady"] and rows[-1]["change"] <= 1e-5 < rows[-2]["change"], rows[-2:]
    assert rows[-1]["time"] < 1000, rows[-1]
    for row in rows:
        close(row["outflow"], row["inflow"], 1e-5)
    return record["results"]


def lengths(program):
    """Eddies grow with the Reynolds number, the upper one is there at 389, and finer cells come nearer to Gartling."""
    at_100 = steady(program, "--re", 100, "--nx", 200)
    # Far behind the step, the flow is a parabola with the mean velocity 1/2. Its slope at the walls is 3.
    for name in ("wall_0", "wall_1"):
        close(table_of(f"out/{name}.csv")[-1]["shear_rate"], 3, 0.01)
    at_389 = steady(program, "--re", 389, "--nx", 200)
    coarse = steady(program, "--nx", 200)
    assert LEAVES not in at_100 and RETURNS not in at_100, at_100
    # Armaly, Durst, Pereira and Schoenung, J. Fluid Mech. 127 (1983), find about 3 and 8 heights of a step after a long
    # channel, which is half a unit high here. With no channel before the step, eddies are a little longer.
    assert 1.4 < at_100[LOWER] < 1.7 and 3.8 < at_389[LOWER] < 4.5 < at_389[RETURNS] < 5.3, (at_100, at_389)
    assert 3.5 < at_389[LEAVES] < at_389[LOWER], at_389

    # The file of a wall has the same change of sign.
    wall = table_of("out/wall_0.csv")
    assert len(wall) == 199 and abs(wall[0]["x"] - 0.1) < 1e-12, (len(wall), wall[0])
    signs = [(a, b) for a, b in zip(wall, wall[1:]) if a["shear_rate"] < 0 <= b["shear_rate"]]
    assert len(signs) == 1 and signs[0][0]["x"] <= coarse[LOWER] <= signs[0][1]["x"], (signs, coarse)

    # Cells that are not square: more of them across.
    finer = steady(program, "--nx", 200, "--ny", 24)
    for name, exact in ((LOWER, 6.10), (LEAVES, 4.85), (RETURNS, 10.48)):
        assert abs(finer[name] - exact) < 0.7 * abs(coarse[name] - exact) < 0.7 * 0.16 * exact, (name, finer, coarse)


def walls(program):
    """Walls that make no sense are refused, and results of two walls are not mixed up."""
    text = CASE.read_text()
    lower = 'side = "bottom"\nfrom = [0, 0]\nto = [20, 0]\n'
    assert text.count(lower) == 1
    for wrong, message in [
        ('side = "bottom"\nfrom = [0, 0]\nto = [20, 1]\n', "must differ from 'from' along one axis"),
        ('side = "left"\nfrom = [0, 0]\nto = [20, 0]\n', "must differ from 'from' along one axis"),
        ('side = "front"\nfrom = [0, 0]\nto = [20, 0]\n', "is one of three dimensions"),
        ('side = "below"\nfrom = [0, 0]\nto = [20, 0]\n', "'below' is none of"),
        ('side = "bottom"\nfrom = [0, 0]\n', "'to' is missing"),
        ('side = "bottom"\nfrom = [0, 0.5]\nto = [20, 0.5]\n', "wall 'lower wall'"),  # no wall is there
        (lower + '\n[[wall]]\nname = "lower wall"\n' + lower, "two walls are called 'lower wall'"),
    ]:
        Path("wrong.toml").write_text(text.replace(lower, wrong))
        done = Example(program, *SMALL, case=Path("wrong.toml")).run("--max-steps", 1, "--nx", 40)
        assert done.returncode == 1 and message in done.stderr, (wrong, done.stderr)

    # Along a body, from right to left, behind a step of cells, and at its front: the flow goes up there and comes to
    # rest at the corner.
    Path("body.toml").write_text(
        text.replace("size = [20, 1]", "size = [8, 1]").replace("cells = [400, 32]", "cells = [128, 16]").replace(
            lower, 'side = "bottom"\nfrom = [8, 0.25]\nto = [0, 0.25]\n') + '\n[[obstacle]]\nbox = [3, 0, 5, 0.25]\n'
        '[[wall]]\nname = "front"\nside = "right"\nfrom = [3, 0]\nto = [3, 0.25]\n'
    )  # fmt: skip
    example = Example(program, *SMALL, case=Path("body.toml"))
    _, record = example.complete("--re", 100, "--t-end", 20)
    roof, front = table_of("out/wall_0.csv"), table_of("out/wall_2.csv")
    assert [row["x"] for row in roof] == [5 - k / 16 for k in range(1, 32)], roof
    assert len(front) == 3 and abs(front[1]["y"] - 0.125) < 1e-12, front
    # From right to left the flow goes backwards, and on the front it goes up.
    assert all(row["shear_rate"] < 0 for row in roof[:8]) and front[-1]["shear_rate"] > 0, (roof, front)


def fine(program):
    """On 96 cells across, within 1 % of Gartling's lengths."""
    results = steady(program, "--nx", 1200, timeout=7000)
    for name, exact in ((LOWER, 6.10), (LEAVES, 4.85), (RETURNS, 10.48)):
        close(results[name], exact, 0.01)


main({"lengths": lengths, "walls": walls, "fine": fine})
