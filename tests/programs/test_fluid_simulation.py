#!/usr/bin/env python3
"""Runs fluid_simulation. usage: test_fluid_simulation.py PROGRAM document|variants|smac|unstable|comparison|options"""

import math
from pathlib import Path

from example_test import Example, close, main, record_of, table_of

SMALL = ["--picture-size", 200, "--trials", 1]


def fields(folder="out"):
    """All values at the end, as they are in the file."""
    (path,) = Path(folder).glob("fluid_simulation_*.vtu")
    return path.read_bytes()


def document(program):
    """The document's numbers, those of a script in NumPy, and times that fit together."""
    example = Example(program, *SMALL)
    rows, record = example.complete("--trials", 3)
    results = record["results"]
    close(results["least u on the centre line"], -0.15898884424605544, 1e-12)
    close(results["least v on the centre line"], -0.1564363307152686, 1e-12)
    close(results["greatest v on the centre line"], 0.1496791336314774, 1e-12)
    seconds = [row["seconds"] for row in rows]
    mean = sum(seconds) / 3
    close(results["mean time [s]"], mean, 1e-6)
    close(results["standard deviation [s]"], math.sqrt(sum((s - mean) ** 2 for s in seconds) / 2), 1e-3)
    close(results["node updates per second"], 39 * 39 * 50 * 1000 / mean, 1e-6)
    assert 0.3 * mean < results["time per sweep [s]"] * 50000 < mean, results  # the rest of a step costs less
    for name in ("histogram.png", "centre_lines.png"):
        assert Path("out", name).read_bytes().endswith(b"IEND\xaeB`\x82"), name
    lines = table_of("out/centre_lines.csv")
    assert len(lines) == 41 and lines[40]["u"] == 1 and min(line["u"] for line in lines) < -0.158, lines
    single = example.complete("--precision", "float") and table_of("out/centre_lines.csv")
    for one, other in zip(single, lines):
        assert abs(one["u"] - other["u"]) < 1e-4 and abs(one["v"] - other["v"]) < 1e-4, (one, other)
    # Steps that are not timed come before the others.
    example.complete("--steps", 30)
    whole = example.check_whole("out") and table_of("out/centre_lines.csv")
    results = example.complete("--steps", 20, "--warm-steps", 10)[1]["results"]
    assert table_of("out/centre_lines.csv") == whole
    close(results["node updates per second"] * results["mean time [s]"], 39 * 39 * 50 * 20, 1e-6)
    # A time instead of a number of steps, with the longest stable steps.
    _, record = example.complete("--t-end", 0.5, "--dt", 0, "--nx", 20)
    steps = int(next(Path("out").glob("*.vtu")).stem[-6:])
    assert steps == math.ceil(0.5 / (0.25 / 19**2 / 0.1)), steps
    assert "steps" not in record["parameters"], record


def variants(program):
    """Threads, tiles and records compute what one thread does in arrays, to the bit."""
    example = Example(program, *SMALL, "--nx", 150, "--dt", 0, "--steps", 12, "--sweeps", 20)
    for precision in ("float", "double"):
        example.complete("--variant", "serial", "--precision", precision)
        wanted = fields()
        for arguments in [
            ("threads", "--threads", 2),
            ("threads", "--threads", 3, "--layout", "cells"),
            ("serial", "--layout", "cells"),
            ("tiled", "--threads", 1),
            ("tiled", "--threads", 2, "--layout", "cells", "--tile-sweeps", 3),
        ]:
            example.complete("--precision", precision, "--variant", *arguments)
            assert fields() == wanted, (precision, arguments)
        example.complete("--variant", "serial", "--precision", precision, "--steps", 11)
        assert fields() != wanted, precision


def smac(program):
    """SMAC with multigrid computes the same flow; the document's pressure at the lid costs a fifth."""
    example = Example(program, *SMALL)
    results = example.complete("--smac", 40)[1]["results"]
    assert 0.05 < results["greatest difference to SMAC"] < 0.08, results
    close(results["least u by SMAC"], -0.207, 0.005)
    assert set(table_of("out/centre_lines.csv")[0]) == {"position", "u", "v", "smac_u", "smac_v"}
    results = example.complete("--smac", 40, "--no-lid-pressure", "--nx", 81, "--dt", 0.00025, "--t-end", 1)[1]["results"]
    assert results["greatest difference to SMAC"] < 0.03, results
    close(results["least u on the centre line"], results["least u by SMAC"], 0.03)


def unstable(program):
    """The document's step on finer grids is refused; taken all the same, it ends in an error that says when."""
    example = Example(program, *SMALL)
    for n, limit in ((80, "0.000400577"), (1000, "2.50501e-06")):
        done = example.run("--nx", n)
        assert done.returncode == 1 and f"longest stable one, {limit}" in done.stderr, done.stderr
        assert record_of("out")["outcome"].startswith("failed: "), record_of("out")
    for n, good in ((80, 18), (201, 11)):
        done = example.run("--nx", n, "--allow-unstable")
        assert done.returncode == 1, done.stdout
        assert f"in step {good + 1}, after {good} good ones" in done.stderr, done.stderr
    # Finite data on the document's large grid.
    results = example.complete("--nx", 1000, "--dt", 0, "--steps", 2, "--precision", "float")[1]["results"]
    assert 0 < results["time per sweep [s]"] < 1 and -1 < results["least u on the centre line"] <= 0, results


def comparison(program):
    """All variants that there are; their answers agree to the bit."""
    example = Example(program, *SMALL, "--compare", "--steps", 40)
    rows, record = example.complete("--trials", 2)
    names = [f"{entry['variant']}_{entry['layout']}" for entry in record["variants"]]
    both = ("arrays", "cells")
    has_cuda = names[0] == "cuda_arrays"
    assert names == [f"{variant}_{layout}" for variant in (["cuda"] if has_cuda else ["serial", "threads"]) + ["tiled"] for layout in both]
    assert record["same-to-the-bit"] and list(rows[0]) == ["trial", *names] and len(rows) == 2, (record, rows)
    for name, entry in zip(names, record["variants"]):
        close(entry["results"]["mean time [s]"], (rows[0][name] + rows[1][name]) / 2, 1e-6)
        assert record_of(f"out/{name}")["parameters"]["layout"] == entry["layout"]
    if not has_cuda:
        example.complete("--threads", 3)
        several = "1 thread" if record["backend"].startswith("Serial") else "3 threads"
        for name, threads in (("serial_arrays", "1 thread"), ("threads_cells", several), ("tiled_arrays", several)):
            assert record_of(f"out/{name}")["backend"].endswith(threads), record_of(f"out/{name}")
    done = example.run()
    assert has_cuda or "without cuda: this build has no CUDA" in done.stdout, done.stdout
    # What one of them cannot do, none can.
    done = example.run("--nx", 80)
    assert done.returncode == 1 and "serial_arrays ended with exit status 1" in done.stderr, done.stderr
    assert "longest stable one" in done.stderr, done.stderr


def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--variant", "cuda"], "this build has no CUDA"),
        (["--variant", "numpy"], "--variant"),
        (["--layout", "records"], "--layout"),
        (["--precision", "half"], "--precision"),
        (["--nx", "2"], "--nx"),
        (["--trials", "0"], "--trials"),
        (["--steps", "0"], "--steps"),
        (["--sweeps", "0"], "--sweeps"),
        (["--dt", "-1"], "--dt"),
        (["--dt", "nan"], "--dt"),
        (["--viscosity", "0"], "--viscosity"),
        (["--stability-factor", "0"], "--stability-factor"),
        (["--steps", "5", "--t-end", "1"], "--steps: is of no use with --t-end"),
        (["--warm-steps", "5", "--t-end", "1"], "--warm-steps: is of no use with --t-end"),
        (["--warm-steps", "-1"], "--warm-steps"),
        (["--threads", "2"], "--threads: is of no use with --variant serial"),
        (["--tile-sweeps", "4"], "--tile-sweeps: is of no use without --variant tiled"),
        (["--variant", "tiled", "--tile-sweeps", "17"], "--tile-sweeps"),
        (["--compare", "--variant", "tiled"], "--variant: is of no use with --compare"),
        (["--compare", "--layout", "cells"], "--layout: is of no use with --compare"),
        (["--compare", "--smac", "8"], "--smac: is of no use with --compare"),
    ]:
        example.refuses(arguments, message)


main(
    {
        "document": document,
        "variants": variants,
        "smac": smac,
        "unstable": unstable,
        "comparison": comparison,
        "options": options,
    }
)
