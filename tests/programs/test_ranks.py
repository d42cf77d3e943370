#!/usr/bin/env python3
"""Runs programs on several ranks of MPI, beside one process. usage: test_ranks.py PROGRAM files|kills|ends|refused MPIRUN"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from example_test import Example, main, record_of

SMALL = ["--nx", 40, "--ny", 32, "--radius", 3, "--cx", 12, "--amr-levels", 3, "--threads", 1, "--picture-size", 400]
MPIRUN = sys.argv[3]


class OnRanks(Example):
    def command(self, *arguments, folder="out"):
        *arguments, ranks = arguments
        return [MPIRUN, "-n", str(ranks), *super().command(*arguments, folder=folder)]


def same_files(here, there):
    """All files of both runs, but for what tells of the run itself."""
    names = sorted(path.name for path in Path(here).iterdir())
    assert names == sorted(path.name for path in Path(there).iterdir()), names
    for name in names:
        if name == "run.json":
            a, b = record_of(here), record_of(there)
            for key in ("results", "steps", "cells", "time", "repeated-steps", "outcome"):
                assert a.get(key) == b.get(key), (key, a.get(key), b.get(key))
        elif not name.endswith(".h5"):  # whose dates differ
            assert Path(here, name).read_bytes() == Path(there, name).read_bytes(), name


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
    names = sorted(path.name for path in Path("never").glob(f"*_{step + 3:06}.*"))
    assert len(names) > 4, names
    for name in names:
        assert Path("after", name).read_bytes() == Path("never", name).read_bytes(), (step, name)


def kills(program):
    """A rank that is killed at any time ends all soon. The checkpoint before is whole, and goes on on other ranks."""
    ranks = OnRanks(program, *SMALL)
    what = ["--output-stride", 1000, "--history-stride", 1000, "--checkpoint-stride", 5, "--no-fields"]
    for seed in range(20 if os.environ.get("SPARSE_SEEDS") else 4):
        print("seed", seed)
        random = Random(seed)
        shutil.rmtree("out", ignore_errors=True)
        process = subprocess.Popen(ranks.command("--max-steps", 100000, "--t-end", 1e6, *what, 3), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not Path("out/checkpoint.h5").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(random.uniform(0, 0.3))
        found = subprocess.run(["pgrep", "-f", f"^{program}"], capture_output=True, text=True, check=True).stdout.split()
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
        [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 0 ] || ulimit -f 40
        exec "$@"\n""")
    command = ranks.command("--max-steps", 50, "--output-stride", 10, 3)
    place = command.index(program)
    done = subprocess.run([*command[:place], "sh", "full.sh", *command[place:]], capture_output=True, text=True, timeout=60, env={**os.environ, "OMPI_MCA_btl": "tcp,self", "PMIX_MCA_gds": "hash"})
    assert done.returncode != 0 and done.stderr.count("mach2_cylinder: out/") == 1, done.stderr
    assert not list(Path("out").glob(".*")), "leftovers"
    ranks.check_whole("out")


def refused(program):
    """A program without levels has no ranks."""
    done = OnRanks(program).run("--t-end", 1, 2, timeout=30)
    assert done.returncode != 0 and done.stderr.count("several ranks cannot share this run") == 1, done.stderr
    assert not Path("out").exists()


main({"files": files, "kills": kills, "ends": ends, "refused": refused})
