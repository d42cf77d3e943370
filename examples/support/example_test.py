"""What the tests of examples share: running a program, and looking at what it leaves."""

import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from pathlib import Path


class Example:
    """A program and the arguments that make its runs short."""

    def __init__(self, program, *small):
        self.program, self.name = program, Path(program).name
        self.small = [str(argument) for argument in small]

    def command(self, *arguments, folder="out"):
        return [self.program, *self.small, "--output-dir", folder, *map(str, arguments)]

    def run(self, *arguments, folder="out", keep=False, **options):
        """Runs the program into a folder, a fresh one unless `keep`; what subprocess.run returns."""
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        return subprocess.run(
            self.command(*arguments, folder=folder), capture_output=True, text=True, timeout=300, **options
        )

    def complete(self, *arguments, folder="out", **options):
        """Runs to the end; the history's rows and what run.json says."""
        done = self.run(*arguments, folder=folder, **options)
        assert done.returncode == 0, (done.returncode, done.stderr)
        rows, record = self.check_whole(folder), record_of(folder)
        assert record["outcome"] == "complete", record["outcome"]
        for path in (f"{self.name}.png", "history.csv"):
            assert f"{folder}/{path}" in done.stdout, (path, done.stdout)
        return rows, record

    def check_whole(self, folder):
        """Every file that a run has left under its own name can be read to its end; the history's rows, as numbers."""
        folder = Path(folder)
        for path in folder.glob("*.vtu"):
            assert xml.parse(path).getroot().get("type") == "UnstructuredGrid", path
        for path in folder.glob("*.png"):
            assert path.read_bytes().endswith(b"IEND\xaeB`\x82"), path
        for path in folder.glob("*.pvd"):
            for entry in xml.parse(path).getroot().iter("DataSet"):
                assert (folder / entry.get("file")).exists(), entry.get("file")
        record_of(folder)
        text = (folder / "history.csv").read_text()
        assert text.endswith("\n"), "history.csv ends within a line"
        rows = list(csv.DictReader(text.splitlines()))
        assert all(None not in row.values() and None not in row for row in rows)
        return [{name: float(value) for name, value in row.items()} for row in rows]

    def output_times(self, folder="out"):
        """The times of the series of outputs."""
        listed = Path(folder, f"{self.name}.hdf.series")
        if listed.exists():
            return [entry["time"] for entry in json.loads(listed.read_text())["files"]]
        series = xml.parse(Path(folder, f"{self.name}.pvd")).getroot()
        return [float(entry.get("timestep")) for entry in series.iter("DataSet")]

    # ---- tests that fit every example

    def refuses(self, arguments, message):
        """Wrong arguments give a message and no folder."""
        shutil.rmtree("out", ignore_errors=True)
        command = [self.program, "--output-dir", "out", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode not in (0, -6, -11), (arguments, done.returncode)
        assert message in done.stderr, (arguments, done.stderr)
        assert not Path("out").exists(), arguments

    def goes_on(self, steps, *arguments):
        """A run in two parts ends as one without a break does, byte by byte; checkpoints are checked when read."""
        half = ("--checkpoint-stride", steps, "--max-steps", steps, *arguments)
        self.complete("--max-steps", 2 * steps, "--checkpoint-stride", 2 * steps, *arguments, folder="whole")
        self.complete(*half, folder="parts")
        shutil.copy("parts/checkpoint.h5", "half.h5")
        rest = ("--max-steps", 2 * steps, "--checkpoint-stride", 2 * steps, "--restart", "half.h5", *arguments)
        self.complete(*rest, folder="parts", keep=True)
        files = [path.name for path in Path("whole").iterdir() if path.suffix in (".vtu", ".png", ".hdf")]
        for name in files:
            assert Path("parts", name).read_bytes() == Path("whole", name).read_bytes(), name
        assert set(self.output_times("whole")) <= set(self.output_times("parts"))

        damaged = bytearray(Path("half.h5").read_bytes())
        damaged[len(damaged) // 2] ^= 1
        Path("damaged.h5").write_bytes(damaged)
        Path("short.h5").write_bytes(damaged[:-100])
        for name in ("damaged.h5", "short.h5", "missing.h5"):
            done = self.run(*arguments, "--restart", name)
            assert done.returncode == 1 and name in done.stderr, (name, done.returncode, done.stderr)
        done = self.run(*arguments, "--restart", "half.h5", "--cfl", "0.123")
        assert done.returncode == 1 and "cfl = 0.123" in done.stderr, done.stderr

    def stops_when_asked(self, *arguments):
        """SIGTERM ends a long run with a checkpoint from which it can go on."""
        process = self.started(*arguments, folder="stopped")
        process.send_signal(signal.SIGTERM)
        told = process.communicate(timeout=60)[0]
        assert process.returncode == 128 + signal.SIGTERM, process.returncode
        assert "--restart stopped/checkpoint.h5" in told, told
        record = record_of("stopped")
        assert record["outcome"] == "interrupted", record["outcome"]
        self.check_whole("stopped")
        steps = record["steps"] + 2
        _, record = self.complete(*arguments, "--max-steps", steps, "--restart", "stopped/checkpoint.h5", folder="further")
        assert record["steps"] == steps

    def leaves_whole_files(self, *arguments, pauses=(0.2, 0.35, 0.5, 0.7)):
        """A run that is killed, or finds the disk full, leaves no broken file."""
        strides = ("--output-stride", 1, "--history-stride", 1, "--checkpoint-stride", 1)
        for pause in pauses:
            process = self.started(*strides, *arguments, folder="killed", pause=pause)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            self.check_whole("killed")

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        done = self.run("--max-steps", 20, *arguments, preexec_fn=small_files)
        assert done.returncode == 1 and "out/" in done.stderr, (done.returncode, done.stderr)
        self.check_whole("out")
        assert not [path for path in Path("out").iterdir() if path.name.startswith(".")], "leftovers"

        Path("file").write_text("not a folder")
        done = self.run(folder="file/out")
        assert done.returncode == 1 and "file/out" in done.stderr, done.stderr

    def started(self, *arguments, folder, pause=0.3):
        """A process that has been running for a while."""
        shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen(self.command(*arguments, folder=folder), stdout=subprocess.PIPE, text=True)
        history = Path(folder, "history.csv")
        while not history.exists() or history.read_text().count("\n") < 2:
            assert process.poll() is None, "it ended early"
            time.sleep(0.02)
        time.sleep(pause)
        return process


def record_of(folder):
    return json.loads(Path(folder, "run.json").read_text())


def close(value, wanted, relative):
    """Fails unless `value` is within a part of `wanted`."""
    assert abs(value - wanted) <= relative * abs(wanted), f"{value} is not {wanted} within {100 * relative:g} %"


def main(tests):
    """Runs the test that the command line names; usage: test_program.py PROGRAM TEST."""
    tests[sys.argv[2]](sys.argv[1])
