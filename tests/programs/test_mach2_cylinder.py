#!/usr/bin/env python3
"""Runs mach2_cylinder and looks at what it leaves. usage: test_mach2_cylinder.py PROGRAM results|levels|samples|parts|options|faults"""

import base64
import math
import shutil
import struct
import xml.etree.ElementTree as xml
import zlib
from pathlib import Path

from example_test import Example, close, main, record_of, table_of

SMALL = ["--nx", 40, "--ny", 32, "--radius", 3, "--cx", 12, "--amr-levels", 3, "--threads", 1, "--picture-size", 400]


def results(program):
    example = Example(program, *SMALL)
    rows, record = example.complete("--max-steps", 60, "--output-stride", 30, "--history-stride", 5)
    for name in ("mach2_cylinder.pvd", "fluid.vtu", "body.vtu", "mach2_cylinder.png"):
        assert Path("out", name).stat().st_size > 0, name
    assert len(rows) == 13 and all(row["impossible_cells"] == 0 for row in rows)
    last = rows[-1]
    times = example.output_times()
    assert len(times) == 3 and times[0] == 0 and abs(times[-1] - last["time"]) < 1e-9, times
    # The body starts in a uniform stream, so all its mass is there at first.
    assert abs(40 * 32 - rows[0]["mass"] - math.pi * 9) < 0.5, rows[0]["mass"]
    assert abs(last["lift"]) < 1e-9 and abs(last["moment"]) < 1e-9, last
    assert record["steps"] == 60 and record["parameters"]["radius"] == 3
    assert record["cells"] == sum(last[f"cells_{level}"] for level in range(3))

    # Near the steady state, with 12 cells on the radius.
    flow = ["--ny", 40, "--t-end", 60, "--history-stride", 100]
    results = example.complete(*flow, folder="steady")[1]["results"]
    close(results["stand-off / R"], 1.33, 0.03)
    close(results["stagnation pressure / inflow"], 5.640, 0.01)
    close(results["drag, front half"], 1.133, 0.02)
    close(results["drag from balance of momentum"], results["drag"], 0.03)
    # A staircase holds the shock further away.
    faces = example.complete(*flow, "--wall", "faces", folder="faces")[1]["results"]
    assert faces["stand-off / R"] > results["stand-off / R"] + 0.05, faces

    # Outputs do not change the flow; float is close to double; files of both formats appear.
    again, _ = example.complete("--max-steps", 60, folder="plain")
    forces = ("balance_drag", "balance_lift", "balance_moment")  # means over the time between lines
    assert {**again[-1], **{name: last[name] for name in forces}} == last
    rough, _ = example.complete("--max-steps", 60, "--precision", "float", folder="float")
    close(rough[-1]["mass"], last["mass"], 1e-4)
    example.complete("--max-steps", 60, "--output-stride", 30, "--format", "hdf", folder="hdf")
    assert {path.read_bytes()[:8] for path in Path("hdf").glob("*.hdf")} == {b"\x89HDF\r\n\x1a\n"}
    assert len(list(Path("hdf").glob("*.hdf"))) == 3
    # Slip walls hold mass back that open sides let go.
    held, _ = example.complete("--t-end", 20, "--sides", "slip", folder="slip")
    free, _ = example.complete("--t-end", 20, folder="open")
    assert held[-1]["mass"] > free[-1]["mass"]
    # A sphere.
    ball = ["--dim", 3, "--nx", 24, "--ny", 20, "--radius", 3, "--cx", 8, "--amr-levels", 2]
    rows, _ = example.complete(*ball, "--max-steps", 5, folder="sphere")
    close(24 * 20 * 20 - rows[0]["mass"], 4 / 3 * math.pi * 27, 0.05)
    across = ("lift", "side_force", "moment_x", "moment_y", "moment_z")
    assert all(abs(rows[-1][by + name]) < 1e-8 for name in across for by in ("", "balance_")), rows[-1]
    # Near the steady state, with 6 cells on the radius: half the pressure coefficient behind the normal shock (modified
    # Newtonian theory); spheres at Mach 2 (Bailey and Hiatt 1972, AIAA J. 10, 1436); Billig (1967), J. Spacecr. 4, 822.
    results = example.complete(*ball, "--t-end", 20, folder="steady_sphere")[1]["results"]
    close(results["drag, front half"], (5.640 - 1) / (1.4 * 2**2), 0.04)
    close(results["drag"], 1.0, 0.05)
    close(results["drag from balance of momentum"], results["drag"], 0.04)
    assert abs(results["stand-off / R"] - 0.143 * math.exp(3.24 / 2**2)) < 1 / 6, results  # a cell

    # Below the speed of sound there is no shock, and hardly any drag: the pressure of far away holds at the outlet.
    slow, record = example.complete("--mach-inlet", 0.4, "--ny", 40, "--t-end", 150, folder="slow")
    assert abs(record["results"]["drag"]) < 0.3 and "stand-off / R" not in record["results"], record["results"]
    assert slow[-1]["greatest_pressure"] < 1.1 * (1 + 0.2 * 0.4**2) ** 3.5 / 1.4, slow[-1]

    # A file of options does what the options do.
    Path("run.toml").write_text('max-steps = 60\nscheme = "godunov"\nsubcycle = false\n')
    from_file, record = example.complete("--config", "run.toml", folder="from_file")
    assert record["parameters"]["scheme"] == "godunov" and record["parameters"]["subcycle"] is False, record
    options = ["--max-steps", 60, "--scheme", "godunov", "--no-subcycle"]
    assert example.complete(*options, folder="from_line")[0] == from_file


def area_of(path):
    """The area of the cells in a .vtu file, by their levels."""
    root = xml.parse(path).getroot()
    array = next(array for array in root.iter("DataArray") if array.get("Name") == "level")
    size, letter = {"UInt32": (4, "I"), "UInt64": (8, "Q")}[root.get("header_type")]
    if not (array.text or "").strip():
        return 0
    text = array.text.strip()
    # The header, in base64 of its own, has the number of blocks, two sizes, and the compressed size of each block.
    block_count = struct.unpack(f"<{letter}", base64.b64decode(text[: 4 * ((size + 2) // 3)])[:size])[0]
    if block_count == 0:
        return 0
    header_length = 4 * ((size * (3 + block_count) + 2) // 3)
    sizes = struct.unpack(f"<{3 + block_count}{letter}", base64.b64decode(text[:header_length]))[3:]
    packed, levels, at = base64.b64decode(text[header_length:]), b"", 0
    for block in sizes:
        levels += zlib.decompress(packed[at : at + block])
        at += block
    return sum(4.0**-level for level in levels)


def levels(program):
    """--amr with four levels: cells and masks of levels 1 to 3, and the pictures of levels, mesh and pressure."""
    line = "--nx 400 --ny 160 --radius 20 --mach-inlet 2.0 --max-steps 5000 --output-stride 50 --amr --amr-levels 4".split()
    example = Example(program, *line, "--picture-size", 400)
    rows, record = example.complete("--max-steps", 4, "--output-stride", 2, "--history-stride", 1)
    assert record["parameters"]["amr"] is True and record["parameters"]["max-steps"] == 4, record
    for name in ("density", "mach", "pressure", "level", "mesh"):
        for step in (0, 2, 4):
            assert Path("out", f"{name}_{step:06}.png").stat().st_size > 0, (name, step)
    cells = [area_of(f"out/fine_geometry_lvl{level}.vtu") for level in (1, 2, 3)]
    masks = [area_of(f"out/refine_mask_lvl{level}.vtu") for level in (1, 2, 3)]
    assert cells[0] > cells[1] > cells[2] == rows[-1]["cells_3"] / 64, (cells, rows[-1])  # finest cells are never covered
    assert all(0 < mask < area for mask, area in zip(masks, cells)), (masks, cells)
    # Where nothing has happened yet, there is no reason to refine but the body.
    example.complete("--max-steps", 4, "--output-stride", 2, "--refine-threshold", 1e6, folder="calm")
    assert [area_of(f"calm/refine_mask_lvl{level}.vtu") for level in (1, 2, 3)] == [0, 0, 0]
    around_body = area_of("calm/fine_geometry_lvl3.vtu")
    assert 0 < around_body < cells[2], (around_body, cells)
    # Levels alone do not need the word; one level does not go with it.
    without = Example(program, *(word for word in line if word != "--amr"), "--picture-size", 400)
    assert without.complete("--max-steps", 4, "--output-stride", 2, "--history-stride", 1, folder="without")[0] == rows
    example.refuses(["--amr", "--amr-levels", "1"], "--amr: is of no use with one level")
    Path("run.toml").write_text("amr = false\n")
    example.refuses(["--config", "run.toml"], "amr")
    # Pictures alone.
    example.complete("--max-steps", 1, "--no-fields", folder="plain")
    assert not list(Path("plain").glob("*lvl*")), list(Path("plain").iterdir())


def samples(program):
    """A line through the body has no values there."""
    example = Example(program, *SMALL)
    columns = ("density", "velocity_x", "velocity_y", "pressure")
    nowhere = [([12, 16], "in a body"), ([-1, 5], "outside of the domain"), ([5, 32.5], "outside of the domain")]
    example.samples([[8.5, 16], [20, 20.25]], [40, 16], nowhere, columns)
    for row in table_of("whole/line_1.csv"):
        from_wall = abs(row["x"] - 12) - 3
        assert abs(from_wall) < 0.25 or all(math.isnan(row[name]) == (from_wall < 0) for name in columns), row
    ball = ["--dim", 3, "--nx", 24, "--ny", 20, "--radius", 3, "--cx", 8, "--amr-levels", 2, "--max-steps", 3]
    example.complete(*ball, "--probe", "2,10,10", folder="ball")
    start, *_, end = table_of("ball/probe_0.csv")
    assert list(start)[3:] == ["z", "density", "velocity_x", "velocity_y", "velocity_z", "pressure"], start
    assert start["velocity_x"] == end["velocity_x"] == 2, (start, end)  # nothing has got there


def parts(program):
    """The balance of momentum is that of a run without a break, or says that it is none."""
    example = Example(program, *SMALL)
    options = ("--checkpoint-stride", 5, "--history-stride", 5)
    whole, _ = example.complete("--max-steps", 30, *options, folder="whole")
    example.complete("--max-steps", 20, *options, folder="parts")
    shutil.copy("parts/checkpoint.h5", "half.h5")
    on = ("--max-steps", 30, *options, "--restart", "half.h5")
    assert example.complete(*on, folder="parts", keep=True)[0] == whole
    # Without the lines of before it is not known since when.
    rest, _ = example.complete(*on, folder="rest")
    lacks = ("balance_drag", "balance_lift", "balance_moment")
    assert all(math.isnan(rest[0][name]) for name in lacks), rest
    for row, known in zip(rest, whole[5:], strict=True):
        assert all(row[name] == known[name] for name in known if name not in lacks or row is not rest[0]), (row, known)
    # A run that has nothing left to do reports its numbers all the same.
    record = example.complete("--max-steps", 20, *options, "--restart", "half.h5", folder="none")[1]
    close(record["results"]["drag"], whole[4]["drag"], 1e-12)


def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--radius", "500"], "does not fit"),
        (["--radius", "-1"], "positive"),
        (["--cx", "3"], "does not fit"),
        (["--cy", "nan"], "finite"),
        (["--nz", "20"], "--dim 3"),
        (["--dim", "4"], "--dim"),
        (["--nx", "0"], "--nx"),
        (["--nx", "12.5"], "--nx"),
        (["--mach-inlet", "0"], "positive"),
        (["--gamma", "1"], "--gamma"),
        (["--cfl", "1.5"], "--cfl"),
        (["--t-end", "inf"], "finite"),
        (["--max-steps", "0"], "--max-steps"),
        (["--output-stride", "0"], "--output-stride"),
        (["--checkpoint-stride", "-1"], "--checkpoint-stride"),
        (["--amr-levels", "0"], "--amr-levels"),
        (["--regrid-stride", "x"], "--regrid-stride"),
        (["--scheme", "godunov", "--limiter", "mc"], "--limiter: is of no use with --scheme godunov"),
        (["--amr-levels", "1", "--regrid-stride", "2"], "--regrid-stride: is of no use with one level"),
        (["--no-subcycle", "--longest-stride", "2"], "--longest-stride: is of no use without --subcycle"),
        (["--probe-interval", "1"], "--probe-interval: is of no use without --probe"),
        (["--refine-threshold", "-0.1"], "positive"),
        (["--scheme", "third"], "--scheme"),
        (["--flux", "roe"], "--flux"),
        (["--limiter", "none"], "--limiter"),
        (["--wall", "round"], "--wall"),
        (["--sides", "round"], "--sides"),
        (["--precision", "half"], "--precision"),
        (["--format", "obj"], "--format"),
        (["--picture-size", "1"], "--picture-size"),
        (["--threads", "-2"], "--threads"),
        (["--speed", "3"], "--speed"),
        (["--config", "missing.toml"], "missing.toml"),
    ]:
        example.refuses(arguments, message)
    Path("unknown.toml").write_text("radios = 5\n")
    done = example.run("--config", "unknown.toml")
    assert done.returncode != 0 and "radios" in done.stderr, done.stderr


def faults(program):
    example = Example(program, *SMALL)
    # Pressures that rounding makes negative: the message names the cell, the last good state is there, run.json says why.
    done = example.run("--precision", "float", "--mach-inlet", "3000")
    assert done.returncode == 1 and "level" in done.stderr and "cell (" in done.stderr, done.stderr
    assert example.check_whole("out") and record_of("out")["outcome"].startswith("failed"), record_of("out")

    done = example.run("--radius", 0.1, "--amr-levels", 1)
    assert done.returncode == 1 and "the body has no cell" in done.stderr, done.stderr

    example.goes_on(30, "--output-stride", 15)
    example.goes_on(6, "--precision", "float", "--regrid-stride", 2, "--longest-stride", 1, "--format", "hdf")
    example.stops_when_asked()
    example.leaves_whole_files()


main({"results": results, "levels": levels, "samples": samples, "parts": parts, "options": options, "faults": faults})
