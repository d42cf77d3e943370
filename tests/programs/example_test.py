"""What the tests of examples share: running a program, and looking at what it leaves."""

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


ROOT = Path(__file__).parents[2]


class Example:
    """A program, or a case that the program `flow` runs, and the arguments that make its runs short."""

    def __init__(self, program, *small, case=None):
        self.start = [program, *([] if case is None else [str(case)])]
        self.name = Path(self.start[-1]).stem
        self.small = [str(argument) for argument in small]

    def command(self, *arguments, folder="out"):
        return [*self.start, *self.small, "--output-dir", folder, *map(str, arguments)]

    def run(self, *arguments, folder="out", keep=False, timeout=300, **options):
        """Runs the program into a folder, a fresh one unless `keep`; what subprocess.run returns."""
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        return subprocess.run(
            self.command(*arguments, folder=folder), capture_output=True, text=True, timeout=timeout, **options
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
        for path in folder.rglob("*.vtu"):
            assert xml.parse(path).getroot().get("type") == "UnstructuredGrid", path
        for path in folder.glob("*.png"):
            assert path.read_bytes().endswith(b"IEND\xaeB`\x82"), path
        for path in folder.glob("*.pvd"):
            for entry in xml.parse(path).getroot().iter("DataSet"):
                assert (folder / entry.get("file")).exists(), entry.get("file")
        record_of(folder)
        return table_of(folder / "history.csv")

    def output_times(self, folder="out"):
        """The times of the series of outputs."""
        listed = Path(folder, f"{self.name}.hdf.series")
        if listed.exists():
            return [entry["time"] for entry in json.loads(listed.read_text())["files"]]
        series = xml.parse(Path(folder, f"{self.name}.pvd")).getroot()
        return [float(entry.get("timestep")) for entry in series.iter("DataSet")]

    # ---- tests that fit every example

    def samples(self, points, end, nowhere, columns):
        """Probes and lines: where the probes are, where a line from the first of them ends, and where no probe may be."""
        axes = "xyz"[: len(end)]
        probes = [argument for point in points for argument in ("--probe", text_of(point))]
        line = ("--line", f"{text_of(points[0])}:{text_of(end)}:5", "--line", f"{text_of(points[0])}:{text_of(end)}")
        both = (*probes, *line, "--output-stride", 4, "--history-stride", 1, "--checkpoint-stride", 4)
        rows, record = self.complete("--max-steps", 8, *both)
        times = [row["time"] for row in rows]
        assert len(times) == 9 and record["parameters"]["probe"] == [text_of(point) for point in points], record
        for i, point in enumerate(points):  # a row for each step
            probe = table_of(f"out/probe_{i}.csv")
            assert list(probe[0]) == ["time", *axes, *columns], probe[0]
            assert [row["time"] for row in probe] == times, probe
            assert all([row[axis] for axis in axes] == list(point) for row in probe), probe
        for name in ("line_0", "line_1"):  # one for each output
            last = Path(f"out/{name}.csv").read_text()
            assert last == Path(f"out/{name}_000008.csv").read_text() != Path(f"out/{name}_000000.csv").read_text()
            rows = table_of(f"out/{name}.csv")
            assert list(rows[0]) == ["distance", *axes, *columns], rows[0]
            assert len(rows) == 5 or name == "line_1" and len(rows) > 5, len(rows)
            assert {c: rows[0][c] for c in columns} == {c: table_of("out/probe_0.csv")[-1][c] for c in columns}
            length, apart = math.dist(points[0], end), math.dist(points[0], end) / (len(rows) - 1)
            assert all(abs(row["distance"] - i * apart) < 1e-9 * length for i, row in enumerate(rows)), rows

        # The first step at or after each multiple of an interval. The lines are the same after a break, if the run had
        # gone on for a while before it was lost.
        interval = 2.5 * max(after - before for before, after in zip(times, times[1:]))
        rare = (*both, "--probe-interval", interval)
        self.complete("--max-steps", 8, *rare, folder="whole")
        first = {math.floor(time / interval): time for time in reversed(times)}
        assert [row["time"] for row in table_of("whole/probe_0.csv")] == sorted(first.values()) and len(first) < 6, first
        for wanted, whole in ((rare, "whole"), (both, "out")):
            self.complete("--max-steps", 4, *wanted, folder="parts")
            shutil.copy("parts/checkpoint.h5", "half.h5")
            self.complete("--max-steps", 7, *wanted, folder="parts")
            on = ("--restart", "half.h5", "--max-steps", 8, *wanted)
            self.complete(*on, folder="parts", keep=True)
            for name in ("line_0.csv", *(f"probe_{i}.csv" for i in range(len(points)))):
                assert Path("parts", name).read_bytes() == Path(whole, name).read_bytes(), name
        # A probe elsewhere starts its file anew.
        moved = ("--probe", text_of(end), *probes)
        self.complete("--restart", "half.h5", "--max-steps", 8, *moved, folder="parts", keep=True)
        assert [row["time"] for row in table_of("parts/probe_0.csv")] == times[4:]

        flat = text_of(end[:2] if len(end) == 3 else (*end, 0))
        for option, value, message in [
            ("--probe", flat, f"points have {len(end)} coordinates"),
            ("--line", f"{flat}:{flat}", f"points have {len(end)} coordinates"),
            ("--line", f"{text_of(points[0])}:{text_of([1e6] * len(end))}", "outside of the domain"),
            *(("--probe", text_of(point), message) for point, message in nowhere),
        ]:
            done = self.run(option, value)
            assert done.returncode == 1 and f"{option} {value}: {message}" in done.stderr, (value, done.stderr)
            assert not Path("out/history.csv").exists(), value
        for probe in ("1", "1,x", "1,nan", "1,2,3,4", ""):
            self.refuses(["--probe", probe], "x,y[,z]")
        for line in ("1,2", "1,2:3,4:1", "1,2:3,4:2.5", "1,2:3,4,5", "1,2:3,4:5:6", ""):
            self.refuses(["--line", line], "x0,y0[,z0]:x1,y1[,z1][:count]")
        self.refuses(["--probe-interval", "-1"], "--probe-interval")

    def refuses(self, arguments, message):
        """Wrong arguments give a message and no folder."""
        shutil.rmtree("out", ignore_errors=True)
        command = [*self.start, "--output-dir", "out", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode not in (0, -6, -11), (arguments, done.returncode)
        assert message in done.stderr, (arguments, done.stderr)
        assert not Path("out").exists(), arguments

    def goes_on(self, steps, *arguments, other=("--cfl", 0.123)):
        """A run in two parts ends as one without a break does, byte by byte; checkpoints are checked when read.

        other: an option with a value that the run does not have
        """
        arguments = ("--history-stride", steps, *arguments)  # so that both runs have the same lines
        half = ("--checkpoint-stride", steps, "--max-steps", steps, *arguments)
        self.complete("--max-steps", 2 * steps, "--checkpoint-stride", 2 * steps, *arguments, folder="whole")
        self.complete(*half, folder="parts")
        shutil.copy("parts/checkpoint.h5", "half.h5")
        rest = ("--max-steps", 2 * steps, "--checkpoint-stride", 2 * steps, "--restart", "half.h5", *arguments)
        self.complete(*rest, folder="parts", keep=True)
        kinds = (".vtu", ".png", ".hdf", ".csv")
        files = [path.name for path in Path("whole").iterdir() if path.suffix in kinds]
        assert "history.csv" in files
        for name in files:
            assert Path("parts", name).read_bytes() == Path("whole", name).read_bytes(), name
        assert set(self.output_times("whole")) <= set(self.output_times("parts"))
        whole, parts = record_of("whole"), record_of("parts")
        for name in ("steps", "time", "repeated-steps", "is-steady", "iterations-per-step", "results"):
            assert parts.get(name) == whole.get(name), (name, parts, whole)

        damaged = bytearray(Path("half.h5").read_bytes())
        damaged[len(damaged) // 2] ^= 1
        Path("damaged.h5").write_bytes(damaged)
        Path("short.h5").write_bytes(damaged[:-100])
        for name in ("damaged.h5", "short.h5", "missing.h5"):
            done = self.run(*arguments, "--restart", name)
            assert done.returncode == 1 and name in done.stderr, (name, done.returncode, done.stderr)
        done = self.run(*arguments, "--restart", "half.h5", "--max-steps", steps - 1)
        assert done.returncode == 1 and "is beyond the end" in done.stderr, done.stderr
        done = self.run(*arguments, "--restart", "half.h5", *other)
        assert done.returncode == 1 and f"{other[0][2:]} = {other[1]}" in done.stderr, done.stderr

    def stops_when_asked(self, *arguments):
        """A signal ends a long run with a checkpoint from which it can go on."""
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.started(*arguments, folder="stopped")
            process.send_signal(number)
            told = process.communicate(timeout=60)[0]
            assert process.returncode == 128 + number, process.returncode
            assert "--restart stopped/checkpoint.h5" in told, told
            record = record_of("stopped")
            assert record["outcome"] == "interrupted", record["outcome"]
            self.check_whole("stopped")
            self.goes_on_from("stopped/checkpoint.h5", record["steps"] + 2, *arguments)

    def goes_on_where_it_stopped(self, further, *arguments):
        """A signal at any step: the run in two parts leaves the same files as one without a break, films too."""
        process = self.started(*arguments, folder="parts")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 128 + signal.SIGINT
        process.communicate()
        steps = record_of("parts")["steps"] + further
        self.complete(*arguments, "--max-steps", steps, folder="whole")
        on = ("--restart", "parts/checkpoint.h5", "--max-steps", steps)
        self.complete(*arguments, *on, folder="parts", keep=True)
        files = {path.name for path in Path("whole").iterdir()} - {"run.json"}
        assert files == {path.name for path in Path("parts").iterdir()} - {"run.json", "checkpoint.h5"}, files
        for name in files:
            if name.endswith(".webp"):  # frames and rate, not bytes
                assert film_of(Path("parts", name)) == film_of(Path("whole", name)), name
            else:
                assert Path("parts", name).read_bytes() == Path("whole", name).read_bytes(), name
        assert record_of("parts")["results"] == record_of("whole")["results"]

    def goes_on_from(self, checkpoint, steps, *arguments):
        _, record = self.complete(*arguments, "--max-steps", steps, "--restart", checkpoint, folder="further")
        assert record["steps"] == steps

    def survives_kills(self, *arguments, pauses=(0.2, 0.35, 0.5, 0.7)):
        """A run that is killed leaves no broken file, and goes on from its last checkpoint."""
        strides = ("--output-stride", 1, "--history-stride", 1, "--checkpoint-stride", 1)
        for pause in pauses:
            process = self.started(*strides, *arguments, folder="killed", pause=pause)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            lines = len(self.check_whole("killed"))
            if Path("killed/checkpoint.h5").exists():  # of the last step or the one before
                self.goes_on_from("killed/checkpoint.h5", lines + 1, *arguments)

    def leaves_whole_files(self, *arguments, pauses=(0.2, 0.35, 0.5, 0.7)):
        """A run that is killed, or finds the disk full, leaves no broken file."""
        self.survives_kills(*arguments, pauses=pauses)

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


def printed(program):
    """Runs an example that has no options; the values of its lines "name: value". Its picture NAME.png must be whole."""
    picture = Path(f"{Path(program).name}.png")
    picture.unlink(missing_ok=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=300, check=True)
    assert picture.read_bytes().endswith(b"IEND\xaeB`\x82"), picture
    return dict(line.split(": ") for line in done.stdout.splitlines() if ": " in line)


def shipped(name):
    """The path of a case in examples/cases."""
    return ROOT / f"examples/cases/{name}.toml"


def record_of(folder):
    return json.loads(Path(folder, "run.json").read_text())


def table_of(path):
    """The rows of a CSV file of numbers, which must be whole."""
    text = Path(path).read_text()
    assert text.endswith("\n"), f"{path} ends within a line"
    rows = list(csv.DictReader(text.splitlines()))
    assert all(None not in row.values() and None not in row for row in rows), path
    return [{name: float(value) for name, value in row.items()} for row in rows]


def film_of(path):
    """Frames and frames per second of a film: an animated WebP picture, which is a list of chunks in a RIFF file."""
    film, at, times = Path(path).read_bytes(), 12, []
    assert film[:4] == b"RIFF" and film[8:12] == b"WEBP" and int.from_bytes(film[4:8], "little") + 8 == len(film), path
    while at < len(film):
        name, size = film[at : at + 4], int.from_bytes(film[at + 4 : at + 8], "little")
        if name == b"ANMF":
            times.append(int.from_bytes(film[at + 20 : at + 23], "little"))
        at += 8 + size + size % 2
    assert at == len(film), path
    return len(times), round(1000 * len(times) / sum(times), 1)


def text_of(point):
    return ",".join(f"{x:g}" for x in point)


def close(value, wanted, relative):
    """Fails unless `value` is within a part of `wanted`."""
    assert abs(value - wanted) <= relative * abs(wanted), f"{value} is not {wanted} within {100 * relative:g} %"


def main(tests):
    """Runs the test that the command line names; usage: example_test.py PROGRAM TEST."""
    tests[sys.argv[2]](sys.argv[1])
