#!/usr/bin/env python3
"""Uses geometry as people do, rightly and wrongly. usage: test_geometry.py PROGRAM right|wrong|documents"""

import json
import math
import os
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).parents[2]

program, topic = str(Path(sys.argv[1]).resolve()), sys.argv[2]
shutil.rmtree(topic, ignore_errors=True)
Path(topic).mkdir()
os.chdir(topic)


def run(*arguments, stdin="", **options):
    return subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120, **options)


def facts(*arguments, **options):
    done = run(*arguments, "--json", **options)
    assert done.returncode == 0, (arguments, done.stderr)
    return json.loads(done.stdout)


def png_size(path):
    return struct.unpack(">II", Path(path).read_bytes()[16:24])


def test_right():
    # Numbers of a plate with a hole, for people and for programs.
    plate = "box(0, 0, 40, 16) - box(10, 4, 14, 9)"
    found = facts(plate, "--measure")
    assert found == {"dimension": 2, "cells": 620, "intervals": 21, "rows": 16, "bytes": found["bytes"], "begin": [0, 0],
                     "end": [40, 16], "components": 1, "faces": 2 * (40 + 16) + 2 * (4 + 5), "files": []}, found
    assert found["bytes"] > 16 * 8
    told = run(plate, "--measure")
    assert told.returncode == 0 and told.stderr == "", told.stderr
    for line in ("cells       620\n", "components  1\n", "bounds      [0, 40) x [0, 16)\n"):
        assert line in told.stdout, told.stdout
    ball = facts("ball(0, 0, 0, 30)", "--dim", 3, "--measure")
    assert abs(ball["cells"] / (4 / 3 * math.pi * 30**3) - 1) < 0.01 and ball["components"] == 1
    nothing = facts("ball(0, 0, 5) - box(-9, -9, 9, 9)", "--measure")
    assert nothing["cells"] == nothing["components"] == nothing["faces"] == 0
    assert "bounds      none" in run("ball(0, 0, 5) - box(-9, -9, 9, 9)").stdout

    # Text from a file, from standard input, with comments and definitions.
    Path("body.txt").write_text("# a moon\nwhole = ball(0, 0, 9);\nwhole - shift(whole, dx = 4, dy = 0)\n")
    moon = facts("@body.txt")
    assert moon == facts("-", stdin=Path("body.txt").read_text()) and 0 < moon["cells"] < 9 * 9 * math.pi
    shown = run("box(1, 0, 3, 1) | box(2, 1, 4, 2)", "--show")
    assert shown.stdout.endswith(".##\n##.\n"), shown.stdout

    # The arrays of a set: those of a face, and of two rows in different slices.
    face = "box(3, 1, 7, 2) | box(2, 2, 4, 3) | box(6, 2, 8, 3) | box(1, 3, 3, 4) | box(7, 3, 9, 4)"
    face += "| box(2, 6, 4, 8) | box(6, 6, 8, 8)"
    csr = facts(face, "--csr")["csr"]
    assert csr == {
        "row_keys": [1, 2, 3, 6, 7],
        "row_ptr": [0, 1, 3, 5, 7, 9],
        "intervals": [[3, 7], [2, 4], [6, 8], [1, 3], [7, 9], [2, 4], [6, 8], [2, 4], [6, 8]],
        "cell_offsets": [0, 4, 6, 8, 10, 12, 14, 16, 18],
    }, csr
    told = run(face, "--csr").stdout
    assert told.startswith("dimension   2\ncells       20\nintervals   9\nrows        5\n"), told
    assert told.endswith(
        "row_keys     [1, 2, 3, 6, 7]\n"
        "row_ptr      [0, 1, 3, 5, 7, 9]\n"
        "intervals    [[3,7], [2,4], [6,8], [1,3], [7,9], [2,4], [6,8], [2,4], [6,8]]\n"
        "cell_offsets [0, 4, 6, 8, 10, 12, 14, 16, 18]\n"
    ), told
    csr = facts("box(-5, -4, -3, -1, -3, -2) | box(0, 2, 7, 9, 3, 8)", "--csr")["csr"]
    assert csr == {"row_keys": [[-4, -3], [2, 7]], "row_ptr": [0, 1, 2], "intervals": [[-5, -1], [0, 9]],
                   "cell_offsets": [0, 4]}, csr
    csr = facts("box(0, 0, 0, 0)", "--csr")["csr"]
    assert csr == {"row_keys": [], "row_ptr": [0], "intervals": [], "cell_offsets": []}, csr
    assert "csr" not in facts(face)

    # All files are written, and what can be read back is the same.
    done = run(plate, "-o", "a.h5", "--output", "a.vtu", "-o", "a.png", "-o", "a.hdf")
    assert done.returncode == 0 and done.stdout.count("wrote") == 4, (done.stdout, done.stderr)
    assert facts(f"file('a.h5') ^ ({plate})")["cells"] == 0
    width, height = png_size("a.png")
    scale = width // 40
    assert (width, height) == (40 * scale, 16 * scale) and scale > 1
    drawn = f"box(0, 0, {width}, {height}) - box(10 * {scale}, 4 * {scale}, 14 * {scale}, 9 * {scale})"
    assert facts(f"image('a.png') ^ ({drawn})")["cells"] == 0
    grid = xml.parse("a.vtu").getroot()
    assert grid.get("type") == "UnstructuredGrid"
    assert Path("a.hdf").read_bytes()[:8] == b"\x89HDF\r\n\x1a\n"

    # Pictures of solids: a shadow, darker where it is thicker, and a slice; large sets in few pixels.
    solid = "box(0, 0, 0, 4, 3, 2) | box(0, 0, 0, 1, 3, 8)"  # an L of which the short arm is a quarter as high
    assert run(solid, "-o", "shadow.png", "-o", "other.h5").returncode == 0
    width, height = png_size("shadow.png")
    assert width * 3 == height * 4
    dark = {threshold: facts(f"image('shadow.png', {threshold})")["cells"] for threshold in (1, 191, 192)}
    assert dark == {1: width * height / 4, 191: width * height / 4, 192: width * height}, dark
    assert run(solid, "-o", "slice.png", "--slice", 5).returncode == 0
    width, height = png_size("slice.png")
    assert width * 3 == height and facts("image('slice.png')")["cells"] == width * height
    assert run(solid, "-o", "side.png", "--view", "y").returncode == 0
    width, height = png_size("side.png")
    assert width * 2 == height and facts("image('side.png')")["cells"] == width * height * 14 / 32
    assert run(solid, "-o", "axes.png", "--view", "y", "--axes").returncode == 0
    framed_width, framed_height = png_size("axes.png")
    assert width + 20 < framed_width < width + 200 and height + 20 < framed_height < height + 200
    assert run("box(0, 0, 1000000, 500000)", "-o", "large.png").returncode == 0
    width, height = png_size("large.png")
    assert 500 <= width <= 1000 and facts("image('large.png', 1)")["cells"] == width * height == width * width / 2

    # Lists, versions, help.
    functions = run("--functions")
    assert functions.returncode == 0 and "ball(x, y, z, radius)" in functions.stdout
    assert run("--version").stdout.strip()[0].isdigit()
    text = run("--help").stdout
    assert "--functions" in text and "box(0, 0, 400, 160)" in text


def test_wrong():
    Path("text.png").write_text("no picture")
    Path("folder").mkdir(exist_ok=True)
    Path("half.h5").write_bytes(b"sparse sets\nversion 1\n")
    box = "box(0, 0, 4, 4)"
    for arguments, messages in [
        ([], ["expression"]),
        (["bax(1, 2, 3)"], ["line 1, column 1", "did you mean 'box'?", "\n    bax(1, 2, 3)\n    ^~~\n"]),
        (["box(0, 0, 4"], ["expected ',' or ')'"]),
        (["1 + 2"], ["a number, not a set"]),
        (["@missing.txt"], ["missing.txt: No such file"]),
        (["@folder"], ["folder: Is a directory"]),
        (["-"], ["the expression is empty"]),
        (["image('missing.png')"], ["missing.png: No such file"]),
        (["image('text.png')"], ["text.png: neither"]),
        (["file('text.png')"], ["text.png: not a file of sparse sets"]),
        (["file('half.h5')"], ["half.h5: truncated"]),
        (["box(0, 0, 1000000000, 1000000000)"], ["rows of cells"]),
        ([box, "--dim", "3"], ["a set in 2D, and one in 3D is wanted"]),
        ([box, "--dim", "4"], ["--dim"]),
        ([box, "-o", "a.xyz"], ["a.xyz", ".vtu"]),
        ([box, "-o", "missing/a.png"], ["missing/a.png: No such file"]),
        ([box, "-o", "folder/../text.png/a.h5"], ["Not a directory"]),
        ([box, "--view", "w"], ["--view"]),
        ([box, "--slice", "x"], ["--slice"]),
        ([box, "--threads", "-1"], ["--threads"]),
        ([box, "--speed"], ["--speed"]),
        ([box, box], ["box"]),
        (["box(5, 5, 5, 5)", "-o", "a.hdf"], ["at least one cell"]),
    ]:
        done = run(*arguments)
        assert done.returncode > 0, (arguments, done.returncode, done.stdout)
        for message in messages:
            assert message in done.stderr, (arguments, done.stderr)
        assert ".cpp" not in done.stderr and "terminate" not in done.stderr and done.stderr.count("\n") <= 4, done.stderr
    assert not list(Path(".").glob("a.*")), "files were written"

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    for name in ("full.h5", "full.vtu", "full.png", "full.hdf"):
        done = run("ball(0, 0, 99)", "-o", name, preexec_fn=small_files)
        assert done.returncode == 1 and f"{name}: File too large" in done.stderr, (name, done.stderr)
    assert not [path.name for path in Path(".").iterdir() if "full" in path.name]


def test_documents():
    text = (ROOT / "docs/geometry_tool.md").read_text()
    examples = re.findall(r"```\n\$ geometry (.*)\n((?s:.*?))```\n", text)
    assert len(examples) == 6
    without_bytes = lambda printed: re.sub(r'(bytes"?:? +)\d+', r"\1", printed)  # of memory, which may change
    for command, printed in examples:
        done = run(*shlex.split(command))
        assert without_bytes(done.stdout + done.stderr) == without_bytes(printed), (command, done.stdout, done.stderr)


globals()[f"test_{topic}"]()
