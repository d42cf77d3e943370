#!/usr/bin/env python3
"""Runs programs on several ranks of MPI, beside one process. usage: test_ranks.py PROGRAM files|flows|cases|programs|kills|ends|refused MPIRUN, or PROGRAM unshared"""

import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
import zlib
from pathlib import Path
from random import Random

from example_test import ROOT, Example, main, record_of

SMALL = ["--nx", 40, "--ny", 32, "--radius", 3, "--cx", 12, "--amr-levels", 3, "--threads", 1, "--picture-size", 400]
MPIRUN = sys.argv[3] if len(sys.argv) > 3 else None


def ranks_in_this_folder(program):
    """The processes of a program, but not those of other tests."""
    found = subprocess.run(["pgrep", "-f", f"^{program}"], capture_output=True, text=True, check=True).stdout.split()
    return [process for process in found if os.path.realpath(f"/proc/{process}/cwd") == os.getcwd()]


class OnRanks(Example):
    def command(self, *arguments, folder="out"):
        *arguments, ranks = arguments
        return [MPIRUN, "-n", str(ranks), *super().command(*arguments, folder=folder)]


def cells_of(file):
    """The cells of a .vtu or .pvtu file: corners and values of each, sorted."""
    root = xml.parse(file).getroot()
    pieces = [Path(file).parent / piece.get("Source") for piece in root.iter("Piece") if piece.get("Source")]
    if pieces:
        return sorted(cell for piece in pieces for cell in cells_of(piece))
    arrays = {array.get("Name"): values_of(root, array) for array in root.iter("DataArray")}
    points, corners = arrays.pop("Points"), arrays.pop("connectivity")
    count, offsets = len(arrays.pop("types")), arrays.pop("offsets")
    width = offsets[0] if count else 0
    cells = []
    for i in range(count):
        of_points = tuple(points[3 * p + axis] for p in corners[i * width : (i + 1) * width] for axis in range(3))
        of_arrays = [(name, tuple(values[i * (len(values) // count) : (i + 1) * (len(values) // count)])) for name, values in sorted(arrays.items())]
        cells.append((of_points, *of_arrays))
    return sorted(cells)


def values_of(root, data):
    """The numbers of an array: a header with the number of blocks, their size and their compressed sizes; then blocks."""
    kind = {"Float32": "f", "Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}[data.get("type")]
    size = {"UInt32": 4, "UInt64": 8}[root.get("header_type")]
    number = "I" if size == 4 else "Q"
    text = data.text.strip()
    begin = base64.b64decode(text[: (3 * size + 2) // 3 * 4])
    blocks = struct.unpack_from("<" + number, begin)[0]
    length = ((3 + blocks) * size + 2) // 3 * 4
    sizes = struct.unpack_from(f"<{3 + blocks}{number}", base64.b64decode(text[:length]))[3:]
    body, raw, place = base64.b64decode(text[length:]), b"", 0
    for block in sizes:
        raw += zlib.decompress(body[place : place + block])
        place += block
    return struct.unpack(f"<{len(raw) // struct.calcsize(kind)}{kind}", raw)


def same_files(here, there):
    """All files of the runs of one process and of ranks, but for what tells of the run itself. Fields may be in pieces."""
    fields = sorted(path.stem for path in Path(here).glob("mach2_cylinder_0*.vtu"))
    assert fields == sorted(path.stem for kind in ("vtu", "pvtu") for path in Path(there).glob(f"mach2_cylinder_0*.{kind}"))
    for name in fields:
        shared = Path(there, f"{name}.pvtu")
        a, b = cells_of(Path(here, f"{name}.vtu")), cells_of(shared if shared.exists() else Path(there, f"{name}.vtu"))
        assert len(a) > 100 and a == b, name
    names = [sorted(path.name for path in Path(folder).iterdir() if not in_pieces(path.name)) for folder in (here, there)]
    assert names[0] == names[1], names
    for name in names[0]:
        if name == "run.json":
            a, b = record_of(here), record_of(there)
            for key in ("results", "steps", "cells", "time", "repeated-steps", "outcome"):
                assert a.get(key) == b.get(key), (key, a.get(key), b.get(key))
        elif not name.endswith(".h5"):  # whose dates differ
            assert Path(here, name).read_bytes() == Path(there, name).read_bytes(), name


def in_pieces(name):
    """What has other names, or other contents, where several ranks write."""
    return name == "mach2_cylinder.pvd" or re.fullmatch(r"mach2_cylinder_\d+(\.p?vtu)?|checkpoint_[ab]_\d\.h5", name)


def files(program):
    alone, ranks = Example(program, *SMALL), OnRanks(program, *SMALL)
    point, line = "30,20", "4,16:38,16:9"
    what = ["--output-stride", 10, "--history-stride", 2, "--checkpoint-stride", 10, "--probe", point, "--line", line]
    alone.complete("--max-steps", 30, *what, folder="alone")
    for count in (2, 3):
        ranks.complete("--max-steps", 30, *what, count, folder="ranks")
        same_files("alone", "ranks")
    # A run on three ranks stops, goes on on two, and then with one process.
    ranks.complete("--max-steps", 10, *what, 3, folder="parts")
    ranks.complete("--max-steps", 20, *what, "--restart", "parts/checkpoint.h5", 2, folder="parts", keep=True)
    alone.complete("--max-steps", 30, *what, "--restart", "parts/checkpoint.h5", folder="parts", keep=True)
    same_files("alone", "parts")
    assert not list(Path("parts").glob("checkpoint_*")), "pieces of an earlier checkpoint"
    assert [path.name for path in Path("ranks").glob("checkpoint_?_*.h5")] != []
    # All write into one file.
    levels = ["--max-steps", 10, *what, "--format", "hdf"]
    alone.complete(*levels, folder="alone")
    ranks.complete(*levels, 3, folder="ranks")
    for name in "mach2_cylinder_000000.hdf", "mach2_cylinder_000010.hdf":
        assert Path("alone", name).read_bytes() == Path("ranks", name).read_bytes(), name
    # A sphere, in float.
    ball = ["--dim", 3, "--nx", 20, "--ny", 16, "--radius", 3, "--cx", 8, "--amr-levels", 2, "--precision", "float", "--max-steps", 4]
    alone.complete(*ball, folder="sphere")
    ranks.complete(*ball, 2, folder="spheres")
    same_files("sphere", "spheres")


def goes_on(program, checkpoint, ranks):
    """A run from a checkpoint has the files of one that was never interrupted."""
    alone, shared = Example(program, *SMALL), OnRanks(program, *SMALL)
    done = alone.run("--max-steps", 1, "--restart", checkpoint, folder="early")
    step = int(re.search(r"and step (\d+), is beyond the end", done.stderr)[1])
    end = ["--max-steps", step + 3, "--t-end", 1e6, "--output-stride", step + 3, "--history-stride", 1000]
    shared.complete(*end, "--restart", checkpoint, ranks, folder="after")
    alone.complete(*end, folder="never")
    fields = f"mach2_cylinder_{step + 3:06}"
    assert cells_of(f"never/{fields}.vtu") == cells_of(f"after/{fields}.{'vtu' if ranks == 1 else 'pvtu'}")
    names = sorted(path.name for path in Path("never").glob(f"*_{step + 3:06}.png"))
    assert len(names) > 3, names
    for name in names:
        assert Path("after", name).read_bytes() == Path("never", name).read_bytes(), (step, name)


def kills(program):
    """A rank that is killed at any time ends all soon. The checkpoint before is whole, and goes on on other ranks."""
    ranks = OnRanks(program, *SMALL)
    what = ["--output-stride", 1000, "--history-stride", 1000, "--checkpoint-stride", 5, "--no-fields"]
    for seed in range(20 if os.environ.get("SPARSE_SEEDS") else 3):
        print("seed", seed)
        random = Random(seed)
        shutil.rmtree("out", ignore_errors=True)
        process = subprocess.Popen(ranks.command("--max-steps", 100000, "--t-end", 1e6, *what, 3), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not Path("out/checkpoint.h5").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(random.uniform(0, 0.3))
        found = ranks_in_this_folder(program)
        assert len(found) >= 3, found
        subprocess.run(["kill", "-9", random.choice(found)], check=True)
        assert process.wait(timeout=10) != 0
        with open("out/run.json") as record:
            assert '"running"' in record.read()
        goes_on(program, "out/checkpoint.h5", 1 + seed % 3)


def ends(program):
    """A rank that cannot write ends all, with one message and without broken files."""
    ranks = OnRanks(program, *SMALL)
    Path("file").write_text("")
    done = ranks.run("--max-steps", 5, 3, folder="file/out", timeout=30)
    assert done.returncode != 0 and done.stderr.count("mach2_cylinder: ") == 1, done.stderr
    # A full disk, after the first files. MPI's own files do not count.
    Path("full.sh").write_text("""trap '' XFSZ
        full=$1; shift
        [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != "$full" ] || ulimit -f 20
        exec "$@"\n""")
    command = ranks.command("--max-steps", 50, "--output-stride", 10, 3)
    place = command.index(program)
    for full, more in (0, []), (2, []), (0, ["--format", "hdf"]):
        shutil.rmtree("out", ignore_errors=True)
        done = subprocess.run([*command[:place], "sh", "full.sh", str(full), *command[place:], *more], capture_output=True, text=True, timeout=60, env={**os.environ, "OMPI_MCA_btl": "tcp,self", "PMIX_MCA_gds": "hash"})
        assert done.returncode != 0 and done.stderr.count("mach2_cylinder: out/") == 1, done.stderr
        assert not list(Path("out").rglob(".*")), "leftovers"
        ranks.check_whole("out")


def same_flow(here, there):
    """The fields and pictures of one process and of ranks are the same bytes. Sums in history.csv are the same but for rounding."""
    names = [sorted(path.name for path in Path(folder).iterdir() if path.suffix != ".h5") for folder in (here, there)]
    assert names[0] == names[1], names
    for name in names[0]:
        a, b = Path(here, name), Path(there, name)
        if name == "history.csv":
            lines = [path.read_text().split("\n") for path in (a, b)]
            assert lines[0][0] == lines[1][0] and len(lines[0]) == len(lines[1]) > 3
            for of_a, of_b in zip(*(",".join(rows[1:]).split(",") for rows in lines)):
                assert of_a == of_b or abs(float(of_a) - float(of_b)) <= 1e-10 * (1 + abs(float(of_a))), (of_a, of_b)
        elif name != "run.json":
            assert a.read_bytes() == b.read_bytes(), name


def flows(program):
    """An incompressible flow is the same on ranks, and goes on on another number of them."""
    small = ["--nx", 96, "--exact-sums", "--threads", 1, "--picture-size", 400, "--output-stride", 10, "--checkpoint-stride", 10, "--format", "hdf"]
    for what in ["--surfaces", "curved"], ["--surfaces", "staircase"], ["--method", "lfm"], ["--surfaces", "curved", "--amr-levels", 2]:
        alone, ranks = (kind(program, *small, *what) for kind in (Example, OnRanks))
        alone.complete("--max-steps", 20, folder="alone")
        for count in (2, 3):
            ranks.complete("--max-steps", 20, count, folder="ranks")
            same_flow("alone", "ranks")
        ranks.complete("--max-steps", 10, 3, folder="parts")
        ranks.complete("--max-steps", 20, "--restart", "parts/checkpoint.h5", 2, folder="parts", keep=True)
        same_flow("alone", "parts")
        ranks.complete("--max-steps", 10, 2, folder="parts")
        alone.complete("--max-steps", 20, "--restart", "parts/checkpoint.h5", folder="parts", keep=True)
        same_flow("alone", "parts")
    # Pieces have the same cells.
    small[-1] = "vtu"
    alone, ranks = (kind(program, *small, "--max-steps", 10) for kind in (Example, OnRanks))
    alone.complete(folder="alone")
    ranks.complete(3, folder="ranks")
    assert cells_of("alone/karman_000010.vtu") == cells_of("ranks/karman_000010.pvtu")
    # A signal to one of them: all ranks stop after the same step, and leave a checkpoint that goes on. (mpirun would end them at once.)
    shutil.rmtree("stopped", ignore_errors=True)
    process = subprocess.Popen(ranks.command("--t-end", 1e6, "--max-steps", 100000, 2, folder="stopped"), stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not Path("stopped/checkpoint.h5").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    found = ranks_in_this_folder(program)
    subprocess.run(["kill", found[-1]], check=True)
    process.wait(timeout=20)
    assert record_of("stopped")["outcome"] == "interrupted"
    step = record_of("stopped")["steps"]
    ranks.complete("--max-steps", step + 1, "--restart", "stopped/checkpoint.h5", 3, folder="stopped", keep=True)


def cases(program):
    """So are cases, with inks of several colours, heat, profiles and the stream function."""
    small = ["--exact-sums", "--threads", 1, "--picture-size", 400, "--max-steps", 12]
    often = ["--output-stride", 6, "--history-stride", 1, "--probe", "0.1,0.1"]
    smac, maps, levels = ["--nx", 48, "--method", "smac"], ["--nx", 48, "--method", "lfm"], ["--nx", 96, "--amr-levels", 2]
    for name, how in ("obstacles", smac), ("obstacles", maps), ("natural_convection", smac), ("natural_convection", levels), ("cavity", smac), ("cylinder_in_channel", smac), ("hot_cylinder", levels):
        alone, ranks = (kind(program, *small, *how, *often, case=ROOT / f"examples/cases/{name}.toml") for kind in (Example, OnRanks))
        alone.complete(folder="alone")
        for count in (2, 5):
            ranks.complete(count, folder="ranks")
            same_flow("alone", "ranks")
    with_fine_ink = [program, *small, *smac, "--ink-supersampling", 2]
    Example(*with_fine_ink, case=ROOT / "examples/cases/obstacles.toml").complete(folder="fine")
    fine = OnRanks(*with_fine_ink, case=ROOT / "examples/cases/obstacles.toml").run(2, timeout=30)
    assert fine.returncode != 0 and fine.stderr.count("fine ink needs the cells of all ranks") == 1, fine.stderr


def programs(program):
    """So are the flows of other programs."""
    levels, often = ["--amr-levels", 3], ["--max-steps", 12, "--exact-sums", "--threads", 1, "--picture-size", 300, "--format", "hdf", "--output-stride", 10, "--history-stride", 1]
    for name, how in (
        ("vortex_rings", ["--n", 12]),
        ("leapfrog_vortices", ["--nx", 64]),
        ("taylor_green", ["--n", 32]),
        ("taylor_green", ["--n", 32, "--method", "smac", *levels]),
        ("smoke", ["--nx", 32, "--method", "lfm"]),
        ("dipole_wall", ["--n", 64, *levels]),
        ("impulsive_cylinder", ["--n", 32, *levels]),
        ("sphere", ["--n", 8, "--length", 8, "--height", 4, *levels]),
    ):
        alone, ranks = (kind(str(Path(program).parent / name), *often, *how) for kind in (Example, OnRanks))
        alone.complete(folder="alone")
        ranks.complete(2, folder="ranks")
        same_flow("alone", "ranks")
        of_both = [record_of(folder)["results"] for folder in ("alone", "ranks")]
        assert of_both[0].keys() == of_both[1].keys()
        for what, value in of_both[0].items():
            assert value == of_both[1][what] or abs(value - of_both[1][what]) <= 1e-10 * (1 + abs(value)), (name, what)


def refused(program):
    """The semi-Lagrangian method has no ranks, and says so once."""
    done = OnRanks(program).run("--t-end", 1, "--method", "projection", 2, timeout=30)
    assert done.returncode != 0 and done.stderr.count("alone run on ranks") == 1, done.stderr


def unshared(program):
    """Built without MPI, a program runs on one rank only."""
    example = Example(program, *SMALL, "--max-steps", 2)
    for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
        done = example.run(env={**os.environ, name: "2"}, timeout=60)
        assert done.returncode == 1 and "-DSPARSE_MPI=ON" in done.stderr, (name, done)
        assert not Path("out").exists(), name
        example.complete(env={**os.environ, name: "1"})


main({"files": files, "flows": flows, "cases": cases, "programs": programs, "kills": kills, "ends": ends, "refused": refused, "unshared": unshared})
