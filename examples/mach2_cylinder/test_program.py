#!/usr/bin/env python3
"""Runs mach2_cylinder and looks at what it leaves. usage: test_program.py PROGRAM results|options|faults"""

import csv
import json
import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from pathlib import Path

program, topic = sys.argv[1:]
SMALL = ["--nx", "80", "--ny", "48", "--radius", "6", "--amr-levels", "3", "--threads", "1"]


def run(*arguments, folder="out", **options):
    """Runs the program into a fresh folder; what subprocess.run returns."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [program, *SMALL, "--output-dir", folder, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def check_whole(folder):
    """Every file that the run leaves under its own name can be read to its end; the history's rows."""
    folder = Path(folder)
    for path in folder.glob("*.vtu"):
        assert xml.parse(path).getroot().get("type") == "UnstructuredGrid", path
    for path in folder.glob("*.png"):
        assert path.read_bytes().endswith(b"IEND\xaeB`\x82"), path
    if (folder / "mach2_cylinder.pvd").exists():
        for entry in xml.parse(folder / "mach2_cylinder.pvd").getroot().iter("DataSet"):
            assert (folder / entry.get("file")).exists(), entry.get("file")
    json.loads((folder / "run.json").read_text())
    text = (folder / "history.csv").read_text()
    assert text.endswith("\n"), "history.csv ends within a line"
    rows = list(csv.DictReader(text.splitlines()))
    assert all(None not in row.values() for row in rows)
    return rows


def test_results():
    done = run("--max-steps", 60, "--output-stride", 30, "--history-stride", 5)
    assert done.returncode == 0, done.stderr
    for name in ("mach2_cylinder.pvd", "fluid.vtu", "obstacle.vtu", "mach2_cylinder.png", "history.csv", "run.json"):
        assert Path("out", name).stat().st_size > 0, name
    assert "out/mach2_cylinder.pvd" in done.stdout and "out/mach2_cylinder.png" in done.stdout
    rows = check_whole("out")
    assert len(rows) == 13
    last = {name: float(value) for name, value in rows[-1].items()}
    series = xml.parse("out/mach2_cylinder.pvd").getroot()
    times = [float(entry.get("timestep")) for entry in series.iter("DataSet")]
    assert len(times) == 3 and times[0] == 0 and abs(times[-1] - last["time"]) < 1e-9, times
    # The body starts in a uniform stream, so all its mass is there at first, and the drag is a multiple of the dynamic
    # pressure (rho u^2 / 2 = 2) on its cross section (12), without lift.
    solid = 80 * 48 - float(rows[0]["mass"])
    assert abs(solid - math.pi * 36) < 2, solid
    assert 1 < last["force_x"] / (2 * 12) < 4, last["force_x"]
    assert abs(last["force_y"]) < 1e-9, last["force_y"]
    record = json.loads(Path("out/run.json").read_text())
    assert record["outcome"] == "complete" and record["steps"] == 60 and record["parameters"]["radius"] == 6
    assert record["cells"] == sum(last[f"cells_{level}"] for level in range(3))

    # Outputs and the histories' stride do not change the flow; float is close to double; files of both formats appear.
    assert run("--max-steps", 60, folder="plain").returncode == 0
    assert check_whole("plain")[-1] == rows[-1]
    assert run("--max-steps", 60, "--precision", "float", folder="float").returncode == 0
    assert abs(float(check_whole("float")[-1]["mass"]) / last["mass"] - 1) < 1e-4
    assert run("--max-steps", 60, "--output-stride", 30, "--format", "hdf", folder="hdf").returncode == 0
    listed = json.loads(Path("hdf/mach2_cylinder.hdf.series").read_text())["files"]
    assert [Path("hdf", entry["name"]).read_bytes()[:8] for entry in listed] == [b"\x89HDF\r\n\x1a\n"] * 3
    # Slip walls hold mass back that open sides let go.
    assert run("--t-final", 12, "--walls", "slip", folder="slip").returncode == 0
    assert run("--t-final", 12, folder="open").returncode == 0
    assert float(check_whole("slip")[-1]["mass"]) > float(check_whole("open")[-1]["mass"])

    # A file of options does what the options do.
    Path("run.toml").write_text('max-steps = 60\noutput-dir = "from_file"\n')
    shutil.rmtree("from_file", ignore_errors=True)
    assert subprocess.run([program, *SMALL, "--config", "run.toml"], capture_output=True).returncode == 0
    assert check_whole("from_file")[-1] == rows[-1]


def test_options():
    for arguments, message in [
        (["--radius", "500"], "does not fit"),
        (["--radius", "-1"], "positive"),
        (["--cx", "3"], "does not fit"),
        (["--cy", "nan"], "finite"),
        (["--nx", "0"], "--nx"),
        (["--nx", "12.5"], "--nx"),
        (["--mach-inlet", "0"], "positive"),
        (["--gamma", "1"], "--gamma"),
        (["--cfl", "1.5"], "--cfl"),
        (["--t-final", "inf"], "finite"),
        (["--max-steps", "0"], "--max-steps"),
        (["--output-stride", "0"], "--output-stride"),
        (["--amr-levels", "0"], "--amr-levels"),
        (["--regrid-stride", "x"], "--regrid-stride"),
        (["--refine-threshold", "-0.1"], "positive"),
        (["--walls", "round"], "--walls"),
        (["--precision", "half"], "--precision"),
        (["--format", "obj"], "--format"),
        (["--threads", "-2"], "--threads"),
        (["--speed", "3"], "--speed"),
        (["--config", "missing.toml"], "missing.toml"),
    ]:
        shutil.rmtree("out", ignore_errors=True)
        done = subprocess.run([program, "--output-dir", "out", *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode not in (0, -6, -11), (arguments, done.returncode)
        assert message in done.stderr, (arguments, done.stderr)
        assert not Path("out").exists(), arguments
    Path("unknown.toml").write_text("radios = 5\n")
    done = run("--config", "unknown.toml")
    assert done.returncode != 0 and "radios" in done.stderr, done.stderr
    Path("file").write_text("not a folder")
    done = run(folder="file/out")
    assert done.returncode == 1 and "file/out" in done.stderr, done.stderr


def test_faults():
    # A state that overflows: the message names the cell, the last good state is there, run.json says why.
    done = run("--precision", "float", "--mach-inlet", "1e15")
    assert done.returncode == 1 and "level" in done.stderr and "cell (" in done.stderr, done.stderr
    assert check_whole("out") and "no finite" in json.loads(Path("out/run.json").read_text())["outcome"]

    # A full disk, here a limit on the size of files.
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    done = run("--max-steps", 20, preexec_fn=small_files)
    assert done.returncode == 1 and "out/" in done.stderr, (done.returncode, done.stderr)
    check_whole("out")
    assert sorted(path.suffix for path in Path("out").iterdir() if path.name.startswith(".")) == [], "leftovers"

    # Killed in the middle, again and again.
    for seconds in (0.2, 0.35, 0.5, 0.7):
        shutil.rmtree("killed", ignore_errors=True)
        process = subprocess.Popen([program, *SMALL, "--output-stride", "1", "--history-stride", "1", "--output-dir", "killed"],
                                   stdout=subprocess.DEVNULL)
        time.sleep(seconds)
        while not Path("killed/history.csv").exists() or Path("killed/history.csv").stat().st_size == 0:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        check_whole("killed")


globals()[f"test_{topic}"]()
