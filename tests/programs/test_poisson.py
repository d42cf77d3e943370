#!/usr/bin/env python3
"""Runs poisson. usage: test_poisson.py PROGRAM errors|orders|hypre|comparison|ladder|solids|sgml|levels|limits|options"""

import math
import shutil
import signal
import subprocess
import time
from pathlib import Path

from example_test import Example, close, main, record_of, table_of

SMALL = ["--threads", 1, "--picture-size", 200]
SIMPLE = ["jacobi", "rbgs", "sor", "chebyshev", "cg"]
ON_CELLS = [*SIMPLE, "vcycle", "wcycle", "fmg", "fcg", "pcg", "tiled"]


def solve(example, *arguments):
    """Runs to the end; what run.json says of each solution, and the rows of history.csv."""
    rows, record = example.complete(*arguments)
    solved = record["solvers"]
    for entry in solved:
        assert entry["outcome"] == "converged" and entry["residual"] <= record["parameters"]["tolerance"], entry
    assert Path("out/convergence.png").exists() and [row["iteration"] for row in rows] == list(range(len(rows)))
    return solved, rows


def sines_on_cells(waves, is_sine, n):
    """Errors of the product of sines, which is an eigenvector of the differences, too: it only gets another length."""
    h = 1 / n
    excess = sum(w**2 for w in waves) / sum((2 / h * math.sin(w * h / 2)) ** 2 for w in waves) - 1
    functions = [math.sin if sine else math.cos for sine in is_sine]
    axes = [[abs(f(w * (i + 0.5) * h)) for i in range(n)] for f, w in zip(functions, waves)]
    return {
        "max-error": excess * math.prod(max(values) for values in axes),
        "L1-error": excess * math.prod(sum(values) / n for values in axes),
        "L2-error": excess * math.sqrt(math.prod(sum(value**2 for value in values) / n for values in axes)),
    }


def errors(program):
    """Errors are those that theory gives, for every solver, boundary, dimension and precision."""
    example = Example(program, *SMALL, "--problem", "sine")
    pi = math.pi
    for dim, n in ((2, 32), (3, 16), (2, 25)):
        for boundary, waves, is_sine in [
            ("dirichlet", [pi] * dim, [True] * dim),
            ("neumann", [pi] * dim, [False] * dim),
            ("one-side", [pi / 2, *[pi] * (dim - 1)], [True, *[False] * (dim - 1)]),
            ("periodic", [2 * pi] * dim, [True] * dim),
        ]:
            wanted = sines_on_cells(waves, is_sine, n)
            solvers = ON_CELLS if boundary == "dirichlet" and n != 25 else ["pcg", "fmg", "chebyshev"]
            for solver in solvers:
                arguments = ("--dim", dim, "--n", n, "--boundary", boundary, "--solver", solver)
                (entry,), rows = solve(example, *arguments)
                assert entry["iterations"] == len(rows) - 1 and rows[-1]["residual"] <= 1e-10, (entry, rows[-1])
                for norm, value in wanted.items():
                    close(entry[norm], value, 1e-5)
        mixed = solve(example, "--dim", dim, "--n", n, "--precision", "mixed")[0][0]
        single = solve(example, "--dim", dim, "--n", n, "--precision", "float")[0][0]
        wanted = sines_on_cells([pi] * dim, [True] * dim, n)
        close(mixed["max-error"], wanted["max-error"], 1e-5)
        close(single["max-error"], wanted["max-error"], 0.1)

    # The differences of sgml take in all the nodes around one, weighted by 1 / distance^2.
    c, n = math.cos(pi / 32), 32
    for dim, eigenvalue in (
        (2, (2 * (1 - c) + (1 - c * c)) * n**2),
        (3, (18 * (1 - c) + 18 * (1 - c * c) + 8 * (1 - c**3)) / 13 * n**2),
    ):
        (entry,), _ = solve(example, "--dim", dim, "--n", n, "--solver", "sgml")
        close(entry["max-error"], dim * pi**2 / eigenvalue - 1, 1e-5)
        for boundary in ("neumann", "one-side"):
            (entry,), _ = solve(example, "--dim", dim, "--n", n, "--solver", "sgml", "--boundary", boundary)
            assert 1e-5 < entry["max-error"] < 1e-2, entry


def orders(program):
    """Second order, also where u is given and not 0."""
    example = Example(program, *SMALL, "--orders")
    for problem, more in (("sine", ()), ("polynomial", ()), ("exponential", ()), ("charges", ("--softening", 0.3))):
        for dim, n, solvers in ((2, 64, ("pcg", "fmg", "sgml", "sor")), (3, 32, ("fcg", "sgml"))):
            for solver in solvers:
                arguments = ("--problem", problem, *more, "--dim", dim, "--n", n, "--solver", solver)
                entries, _ = solve(example, *arguments)
                assert [entry["n"] for entry in entries] == [n // 2, n], entries
                for norm in ("max", "L1", "L2"):
                    # The stencil of sgml is exact for x (1 - x) but for its fourth derivatives across.
                    assert 1.85 < entries[1][f"{norm}-order"] < 2.15, (problem, dim, solver, entries)
                    order = math.log2(entries[0][f"{norm}-error"] / entries[1][f"{norm}-error"])
                    assert abs(order - entries[1][f"{norm}-order"]) < 1e-9, entries
    for boundary in ("neumann", "one-side", "periodic"):
        entries, _ = solve(example, "--boundary", boundary)
        assert 1.95 < entries[1]["max-order"] < 2.05, entries


def has_hypre(program):
    """["hypre"] if it can be used, else []."""
    done = Example(program, *SMALL).run("--solver", "hypre", "--n", 16)
    assert done.returncode == 0 or "this program was built without hypre" in done.stderr, done.stderr
    return ["hypre"] if done.returncode == 0 else []


def hypre(program):
    """Where it is, it finds what multigrid finds."""
    example = Example(program, *SMALL)
    for solver in has_hypre(program):
        for arguments in [(), ("--boundary", "neumann"), ("--boundary", "periodic", "--dim", 3, "--n", 16)]:
            found, here = (solve(example, "--n", 64, *arguments, "--solver", name)[0][0] for name in (solver, "pcg"))
            close(found["max-error"], here["max-error"], 1e-5)
            assert 2 <= found["iterations"] <= 12, found
        solve(example, "--solver", solver, "--problem", "random", "--solid", "ball:0.5,0.5,0.2", "--precision", "float", "--tolerance", 1e-5)


def comparison(program):
    """All solvers, on a source that has every wave in it: how many iterations they take."""
    example = Example(program, *SMALL, "--compare", "--problem", "random")
    counts = {}
    with_hypre = has_hypre(program)
    used = [*ON_CELLS, *with_hypre, "sgml"]
    for n in (32, 64):
        entries, rows = solve(example, "--n", n)
        assert [entry["solver"] for entry in entries] == used, entries
        assert list(rows[0]) == ["iteration", *used], rows[0]
        counts[n] = {entry["solver"]: entry["iterations"] for entry in entries}
        for solver, count in counts[n].items():
            if solver == "hypre":  # tells its residual at the end only
                continue
            known = [row[solver] for row in rows if not math.isnan(row[solver])]
            assert len(known) == count + 1 and known[-1] <= 1e-10 < min(known[:-1]), (solver, count, known[-2:])
    for solver, growth in [("jacobi", 4), ("rbgs", 4), ("sor", 2), ("chebyshev", 2), ("cg", 2)]:
        close(counts[64][solver] / counts[32][solver], growth, 0.15)
    close(counts[64]["jacobi"] / counts[64]["rbgs"], 2 / 0.9, 0.05)
    for solver in ("vcycle", "wcycle", "fmg", "fcg", "pcg", "sgml"):
        assert counts[64][solver] <= 20 and counts[64][solver] - counts[32][solver] <= 2, (solver, counts)
    assert counts[64]["pcg"] <= 10, counts

    # What cannot be used is left out.
    done = example.run("--n", 25, "--boundary", "periodic")
    assert done.returncode == 0, done.stderr
    for solver in ("rbgs", "sor", "sgml"):
        assert f"without {solver}: " in done.stdout, done.stdout
    assert len(record_of("out")["solvers"]) == 8 + len(with_hypre)
    entries, _ = solve(example, "--n", 16, "--dim", 3, "--precision", "mixed")
    assert [entry["solver"] for entry in entries] == ON_CELLS[5:], entries


def ladder(program):
    """All rungs take as many iterations; what is counted falls from none of the optimisations to all."""
    example = Example(program, *SMALL, "--ladder", "--problem", "random")
    for dim, n in ((2, 64), (3, 24)):
        done = example.run("--dim", dim, "--n", n)
        assert done.returncode == 0, done.stderr
        rungs = record_of("out")["ladder"]
        up, without = [r for r in rungs if not r["is-without"]], [r for r in rungs if r["is-without"]]
        assert [r["optimisation"] for r in up] == [0, 1, 6, 5, 2, 3, 4, 7, 8, 9, 10, 10], up
        assert [r["optimisation"] for r in without] == [1, 6, 5, 2, 3, 4, 7, 8, 9, 10], without
        assert {r["iterations"] for r in up[:10]} == {up[0]["iterations"]}, up
        assert all(abs(r["iterations"] - up[0]["iterations"]) <= 1 for r in rungs), rungs
        first, last = up[0], up[9]
        assert last["launches"] < 0.2 * first["launches"], (first, last)
        assert last["counted-moved-bytes-per-cell"] < 0.5 * first["counted-moved-bytes-per-cell"], (first, last)
        assert last["counted-asked-bytes-per-cell"] < 0.7 * first["counted-asked-bytes-per-cell"], (first, last)
        whole = up[10]
        for r in without:
            for what in ("launches", "counted-asked-bytes-per-cell", "counted-moved-bytes-per-cell"):
                assert r[what] >= whole[what], (r, whole)
        assert f"{last['launches']:.1f}" in done.stdout and Path("out/poisson.png").exists(), done.stdout
        assert len(Path("out/history.csv").read_text().splitlines()) == len(rungs) + 1


def solids(program):
    """Around balls; what they cut off is solved up to a constant."""
    example = Example(program, *SMALL)
    disk, ball = ("--solid", "ball:0.5,0.5,0.2"), ("--solid", "ball:0.5,0.5,0.5,0.2")
    for arguments, limit in [
        ((*disk, "--n", 64), 10),
        ((*disk, "--solid", "ball:0.1,0.9,0.15", "--n", 50, "--boundary", "one-side"), 12),
        ((*disk, "--n", 64, "--boundary", "neumann"), 10),
        ((*ball, "--n", 32, "--dim", 3, "--boundary", "periodic"), 10),
    ]:
        (entry,), _ = solve(example, *arguments)
        assert entry["iterations"] <= limit and "max-error" not in entry, entry
        source = record_of("out")["parameters"]["problem"]
        assert source == ("random" if "neumann" in arguments or "periodic" in arguments else "constant"), source
        assert (entry["incompatibility"] > 1e-4) == (source == "random"), entry
    solvers = [*ON_CELLS, *has_hypre(program)]
    entries, _ = solve(example, "--compare", *disk, "--n", 32)
    assert [entry["solver"] for entry in entries] == solvers, entries
    picture = Path("out/poisson.png").read_bytes()
    solve(example, "--n", 32, "--problem", "constant")
    assert Path("out/poisson.png").read_bytes() != picture

    for arguments, message in [
        (("--solid", "ball:3,3,0.5"), "--solid ball:3,3,0.5: no cell of the domain"),
        ((*disk, *disk), "--solid ball:0.5,0.5,0.2: no cell of the domain"),
        (("--solid", "ball:0.5,0.5,2"), "nothing is left of the domain"),
    ]:
        done = example.run(*arguments)
        assert done.returncode == 1 and message in done.stderr, (done.returncode, done.stderr)
        assert record_of("out")["outcome"].startswith("failed: --solid"), record_of("out")


def sgml(program):
    """Options of sgml: coefficients, stencils, relaxations, and the figure of the paper."""
    example = Example(program, *SMALL, "--solver", "sgml")
    for dim, n in ((2, 64), (3, 32)):
        for stencil in ("radial", "axes"):
            for coefficients in (("--s", 2.5, "--a", -30), ("--s", "ball", "--a", -3), ("--s", "ball", "--a", 0.5)):
                arguments = ("--dim", dim, "--n", n, "--stencil", stencil, *coefficients, "--problem", "exponential")
                entries, _ = solve(example, *arguments, "--orders")
                assert 1.9 < entries[1]["L2-order"] < 2.1, (arguments, entries)
    # More relaxations need fewer cycles; a constant s changes nothing but the size of f.
    cycles = [solve(example, "--relaxations", count)[0][0]["iterations"] for count in (1, 2, 4)]
    assert cycles[0] > cycles[1] > cycles[2], cycles
    (one,), _ = solve(example)
    (two,), _ = solve(example, "--s", 2)
    close(two["max-error"], one["max-error"], 1e-9)
    # Accumulated residuals sink below rounding, computed ones do not.
    low = ("--tolerance", "1e-15", "--n", 128)
    (entry,), rows = solve(example, *low, "--residual", "accumulated")
    assert entry["true-residual"] > 1e-14 and rows[-1]["residual"] == entry["residual"], entry
    done = example.run(*low)
    assert done.returncode == 1 and "stagnated" in done.stderr, done.stderr

    # The errors by cycle are those of an independent program; the residual falls by 0.028 per cycle, to 1e-14.
    (entry,), rows = solve(example, "--problem", "quartic", "--n", 256, "--saw")
    saw = table_of("out/saw.csv")
    ends = [row for row in saw if not math.isnan(row["error"])]
    assert Path("out/saw.png").exists() and len(ends) == entry["iterations"] == 10, ends
    for row, wanted in zip(ends, (2.04e-2, 4.49e-4)):
        close(row["error"], wanted, 0.01)
    close(ends[-1]["error"], 2.233e-5, 0.005)
    assert all(0.02 < after["residual"] / before["residual"] < 0.04 for before, after in zip(ends, ends[1:])), ends
    works = [row["work"] for row in saw]
    assert works == sorted(set(works)) and ends[0]["work"] == 124, ends[0]  # that of the paper's algorithm
    for arguments, message in [
        (["--solver", "pcg", "--a", "1"], "--a: is of no use without --solver sgml"),
        (["--solver", "cg", "--stencil", "axes"], "--stencil: is of no use"),
        (["--saw", "--residual", "computed"], "--residual: is of no use with --saw"),
        (["--saw", "--orders"], "--saw"),
        (["--saw", "--problem", "random"], "--saw"),
        (["--relaxations", "0"], "--relaxations"),
        (["--s", "0"], "0 is not ball or a positive number"),
        (["--s", "cube"], "cube"),
        (["--a", "inf"], "--a"),
    ]:
        example.refuses(["--solver", "sgml", *arguments] if "--solver" not in arguments else arguments, message)


def levels(program):
    """On the leaves of levels: second order for given sets, fewer leaves than a uniform grid where cells follow u."""
    example = Example(program, *SMALL, "--amr-levels", 2)

    def passes(*arguments):
        rows, record = example.complete(*arguments)
        for row in rows:
            assert row["residual"] <= 1e-10 and row["iterations"] <= 13, row
        assert [row["pass"] for row in rows] == list(range(len(rows)))
        assert record["results"]["leaves"] == rows[-1]["leaves"], record["results"]
        return rows, record["results"]

    for dim, n in ((2, 64), (3, 24)):
        ball = f"ball({', '.join(['%d' % (n // 2)] * dim)}, {n // 4})"
        for boundary in ("one-side", "periodic"):
            rows, results = passes("--dim", dim, "--n", n, "--refine", ball, "--boundary", boundary, "--orders")
            (row,) = rows
            assert row["levels"] == 3 and row["leaves"] > n**dim, row
            assert 1.85 < results["order of the max error"] < 2.3, results
    rows, results = passes("--n", 16, "--problem", "quartic", "--error", "1e-4", "--passes", 8)
    assert rows[0]["levels"] == 1 and rows[-1]["levels"] == 3 and len(rows) < 9, rows
    assert rows[-1]["max error"] <= 1e-4 < rows[-2]["max error"] and rows[-1]["leaves"] < 0.6 * 64**2, rows
    assert results["cells of the uniform grid"] == 64**2, results
    # Small charges, of which a grid as fine as they need would have 2048^2 (3D 128^3) cells.
    for arguments, leaves in (
        (("--n", 32, "--amr-levels", 6, "--softening", "0.002", "--error", "0.003"), 20000),
        (("--dim", 3, "--n", 8, "--amr-levels", 4, "--softening", "0.03", "--charges", 2, "--error", "0.02"), 60000),
    ):
        deep = Example(program, *SMALL)
        rows, record = deep.complete("--problem", "charges", "--passes", 12, *arguments)
        assert rows[-1]["max error"] <= float(arguments[-1]) and rows[-1]["leaves"] < leaves, rows
        assert rows[-1]["levels"] == arguments[arguments.index("--amr-levels") + 1] + 1, rows
    for boundary in ("dirichlet", "neumann"):
        rows, _ = passes("--n", 32, "--solid", "ball:0.5,0.5,0.2", "--refine", "ball(8, 8, 2)", "--boundary", boundary)
        assert math.isnan(rows[0]["max error"]) and rows[0]["levels"] == 3, rows
    for arguments, message in [
        (["--n", "512", "--dim", "3"], "1024 cells along each side"),
        (["--solver", "cg"], "--solver: is of no use with --amr-levels"),
        (["--orders"], "--orders: is of no use with --refine error"),
        (["--precision", "double"], "mixed or float"),
        (["--refine", "ball(8, 8, 2)", "--passes", "2"], "--passes: is of no use with a set"),
        (["--problem", "random", "--error", "1"], "exact solution"),
        (["--passes", "-1"], "--passes"),
        (["--charges", "3"], "--charges: is of no use without --problem charges"),
        (["--problem", "charges", "--charges", "65"], "--charges"),
        (["--problem", "charges", "--softening", "0"], "--softening"),
        (["--problem", "charges", "--boundary", "neumann"], "need --boundary dirichlet"),
    ]:
        example.refuses(["--amr-levels", "2", *arguments], message)
    plain = Example(program, *SMALL)
    plain.refuses(["--passes", "2"], "--passes: is of no use without --amr-levels")
    plain.refuses(["--amr-levels", "13"], "--amr-levels")
    plain.refuses(["--amr-levels", "-1"], "--amr-levels")
    plain.refuses(["--amr-levels", "12", "--n", "64"], "131072 cells along each side")
    for refine, reason in (("ball(900, 8, 2)", "no cell of the domain"), ("ball(8, 8, 8, 2)", "3D"), ("bell(1)", "bell")):
        done = example.run("--refine", refine)
        assert done.returncode == 1 and reason in done.stderr, done.stderr
    done = example.run("--n", 16, "--error", "1e-9", "--passes", 1)
    assert done.returncode == 1 and "--error 1e-09 was not met" in done.stderr, done.stderr
    done = example.run("--n", 16, "--max-iterations", 2)
    assert done.returncode == 1 and "did not converge: reached the iteration limit" in done.stderr, done.stderr


def limits(program):
    """A solver that does not reach the tolerance says so, and its files are there."""
    example = Example(program, *SMALL, "--problem", "random")
    for arguments, outcome in [
        (("--solver", "jacobi", "--max-iterations", 20), "reached the iteration limit"),
        (("--solver", "sgml", "--max-iterations", 1), "reached the iteration limit"),
        (("--solver", "cg", "--precision", "float", "--tolerance", "1e-7"), "stagnated"),
        (("--compare", "--n", 32, "--max-iterations", 30), "reached the iteration limit"),
    ]:
        shutil.rmtree("out", ignore_errors=True)
        done = example.run(*arguments)
        assert done.returncode == 1 and f"did not converge: {outcome}" in done.stderr, (done.returncode, done.stderr)
        rows, record = example.check_whole("out"), record_of("out")
        assert record["outcome"].startswith("failed: ") and outcome in record["outcome"], record
        failed = [entry["solver"] for entry in record["solvers"] if entry["outcome"] != "converged"]
        assert failed == (SIMPLE if "--compare" in arguments else [record["solvers"][0]["solver"]]), record
        for entry in record["solvers"]:
            assert (entry["residual"] > record["parameters"]["tolerance"]) == (entry["solver"] in failed), entry
        for name in failed:
            assert f"{name} with n = " in done.stderr, done.stderr
        assert len(rows) > 1 and Path("out/poisson.png").exists() and Path("out/convergence.png").exists()


    # A signal ends a comparison before the next solver.
    shutil.rmtree("out", ignore_errors=True)
    process = subprocess.Popen(example.command("--compare", "--n", 96), stdout=subprocess.PIPE, text=True)
    while not Path("out/run.json").exists():
        assert process.poll() is None, "it ended early"
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    told = process.communicate(timeout=60)[0]
    assert process.returncode == 128 + signal.SIGTERM and "Interrupted." in told, (process.returncode, told)
    assert record_of("out")["outcome"] == "interrupted" and "pcg" not in told and "restart" not in told, told

def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--dim", "1"], "--dim"),
        (["--n", "3"], "--n"),
        (["--n", "2000", "--dim", "3"], "at most 1024 in 3D"),
        (["--solver", "magic"], "--solver"),
        (["--solver", "sgml", "--n", "65"], "power of two"),
        (["--solver", "sgml", "--solid", "ball:0.5,0.5,0.1"], "without --solid"),
        (["--solver", "sgml", "--boundary", "periodic"], "no periodic sides"),
        (["--solver", "rbgs", "--boundary", "periodic", "--n", "33"], "even"),
        (["--solver", "cg", "--precision", "mixed"], "mixed"),
        (["--solver", "cg", "--compare"], "--compare"),
        (["--solver", "cg", "--ladder"], "--ladder: is for --solver tiled"),
        (["--ladder", "--compare"], "--compare: is of no use with --ladder"),
        (["--ladder", "--precision", "float"], "--precision: is of no use with --ladder"),
        (["--ladder", "--boundary", "periodic", "--n", "20"], "multiple of 8"),
        (["--precision", "half"], "--precision"),
        (["--tolerance", "0"], "--tolerance"),
        (["--tolerance", "nan"], "--tolerance"),
        (["--max-iterations", "0"], "--max-iterations"),
        (["--problem", "sine", "--solid", "ball:0.5,0.5,0.1"], "no exact solution"),
        (["--problem", "polynomial", "--boundary", "neumann"], "dirichlet"),
        (["--problem", "exponential", "--boundary", "one-side"], "dirichlet"),
        (["--problem", "constant", "--boundary", "periodic"], "no solution"),
        (["--boundary", "open"], "--boundary"),
        (["--orders", "--problem", "random"], "exact solution"),
        (["--orders", "--n", "33"], "even"),
        (["--solid", "ball:0.5,0.5"], "ball:x,y[,z],r"),
        (["--solid", "ball:0.5,0.5,0"], "ball:x,y[,z],r"),
        (["--solid", "ball:0.5,nan,0.1"], "ball:x,y[,z],r"),
        (["--solid", "box:0,0,1,1"], "ball:x,y[,z],r"),
        (["--solid", "ball:0.5,0.5,0.5,0.1"], "centres have 2 coordinates"),
        (["--solid", "ball:0.5,0.5,0.1", "--dim", "3"], "centres have 3 coordinates"),
        (["--dim", "3", "--slice", "2"], "--slice"),
        (["--slice", "0.5"], "--slice: is of no use in 2D"),
        (["--seed", "2"], "--seed: is of no use without --problem random or charges"),
        (["--t-end", "1"], "--t-end"),
    ]:
        example.refuses(arguments, message)
    Path("poisson.toml").write_text('solver = "sor"\nn = 20\nsolid = ["ball:0.5,0.5,0.1", "ball:0.2,0.2,0.1"]\n')
    (entry,), _ = solve(example, "--config", "poisson.toml")
    parameters = record_of("out")["parameters"]
    assert entry["solver"] == "sor" and parameters["n"] == 20 and len(parameters["solid"]) == 2, parameters
    assert parameters["problem"] == "constant" and "slice" not in parameters, parameters
    solve(example, "--dim", 3, "--n", 8, "--solid", "ball:0.5,0.5,0.5,0.2")
    assert record_of("out")["parameters"]["slice"] == 0.5, record_of("out")
    # The same source from the same seed, also on another machine.
    first = solve(example, "--problem", "random", "--n", 16)[1]
    assert solve(example, "--problem", "random", "--n", 16)[1] == first
    assert solve(example, "--problem", "random", "--n", 16, "--seed", 2)[1] != first


main(
    {
        "errors": errors,
        "orders": orders,
        "hypre": hypre,
        "comparison": comparison,
        "ladder": ladder,
        "solids": solids,
        "sgml": sgml,
        "levels": levels,
        "limits": limits,
        "options": options,
    }
)
