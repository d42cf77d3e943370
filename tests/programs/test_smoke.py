#!/usr/bin/env python3
"""Runs smoke. usage: test_smoke.py PROGRAM plume|methods|boxes|space|solvers|options"""

from pathlib import Path

from example_test import Example, close, main, record_of

SMALL = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]


KEPT = 1e-12  # what fluxes change by rounding


def check(rows, tolerance=1e-6):
    """What holds at any time."""
    worst = max(row["divergence"] for row in rows[1:])
    for row in rows[1:]:
        assert row["residual"] <= tolerance and row["divergence"] < 1e-4, row
        assert row["inflow"] == 0 and abs(row["outflow"]) < 1e-5, row
        # Fluxes keep bounds up to the divergence that the pressure solver leaves.
        assert row["greatest_ink"] <= 1 + 1e-9 + 1.1 * worst * row["time"] and row["ink"] > 0, row
        close(row["temperature"], row["ink"], 1e-9)  # both are emitted and carried alike


def plume(program):
    """Smoke gains speed as what is as light as it must, and little of it gets lost."""
    rows, record = Example(program, *SMALL).complete("--t-end", 2, "--history-stride", 2)
    check(rows)
    results = record["results"]
    assert abs(results["relative change of ink"]) < KEPT, results
    close(results["kinetic energy"], rows[-1]["kinetic_energy"], 1e-9)
    energy = [row["kinetic_energy"] for row in rows if row["time"] > 0.3]
    assert rows[0]["kinetic_energy"] == 0 and energy == sorted(energy) and energy[-1] > 0.005, energy
    # What buoyancy gives cannot be more than the height that smoke has risen: energy < ink g height, by far.
    assert energy[-1] < results["ink"] * 1 * 2, (energy[-1], results)
    # At the start of a disk of light fluid half of the force goes into what it pushes aside.
    first = next(row for row in rows if row["time"] > 0.1)
    disk = rows[0]["ink"]
    close(first["kinetic_energy"], 0.5 * (disk * first["time"]) ** 2 / (2 * disk), 0.4)


def methods(program):
    """With smaller cells methods come to the same flow, also in 3D. All keep ink; traced, flow maps lose the least."""
    apart, changes = [], {}
    for n in (32, 64, 128):
        energies = []
        for method in ("projection", "smac", "lfm"):
            example = Example(program, *SMALL, "--nx", n, "--closed", "--method", method, "--history-stride", 1)
            # Of first order in time, the others need shorter steps to be as near as SMAC.
            rows, record = example.complete("--t-end", 1, *(() if method == "smac" else ("--cfl", 0.5)))
            check(rows)
            energies.append(rows[-1]["kinetic_energy"])
            assert abs(record["results"]["relative change of ink"]) < KEPT, record["results"]
            if n == 64:  # with 128 cells all three lose less than half a percent
                _, traced = example.complete("--t-end", 1, "--ink-method", "traced")
                changes[method] = abs(traced["results"]["relative change of ink"])
            assert record["results"]["ink that was emitted"] > 1.5 * rows[0]["ink"], record["results"]
        apart.append(max(energies) / min(energies) - 1)
    assert apart[1] < 0.7 * apart[0] and apart[2] < 0.5 * apart[1] and apart[2] < 0.05, apart
    assert changes["lfm"] < 0.6 * min(changes["projection"], changes["smac"]), changes
    arguments = ("--dim", 3, "--nx", 28, "--t-end", 0.8)
    energies = []
    for method in ("projection", "smac", "lfm"):
        rows, _ = Example(program, *SMALL).complete(*arguments, "--method", method)
        check(rows)
        energies.append(rows[-1]["kinetic_energy"])
    assert max(energies) < 1.4 * min(energies), energies


def boxes(program):
    """Open or closed at the top, with or without an obstacle, with cells that are not square."""
    for arguments in (
        ("--closed",),
        ("--closed", "--radius", 0),
        ("--aspect", 0.5),
        ("--aspect", 2, "--nx", 96, "--offset", 0),
        ("--advection", "linear", "--closed"),
    ):
        rows, record = Example(program, *SMALL, "--nx", 64).complete("--t-end", 2.5, "--emission", 1, *arguments)
        check(rows)
        after = [row for row in rows if row["time"] > 1.1]
        assert len({row["emitted"] for row in after}) == 1 and after[0]["emitted"] > 0.03, after[:2]
        # From an open box a little has left.
        kept = KEPT if "--closed" in arguments else 1e-3
        assert abs(after[-1]["ink"] / after[0]["ink"] - 1) < kept, (arguments, after[0]["ink"], after[-1]["ink"])
        assert abs(record["results"]["relative change of ink"]) < kept, record["results"]
    # Traced, less ink is lost or gained with finer cells.
    change = []
    for n in (48, 96):
        _, record = Example(program, *SMALL, "--nx", n).complete(
            "--t-end", 2.5, "--emission", 1, "--closed", "--radius", 0, "--advection", "linear", "--ink-method", "traced"
        )
        change.append(abs(record["results"]["relative change of ink"]))
    assert change[1] < 0.8 * change[0], change


def space(program):
    rows, record = Example(program, *SMALL, "--dim", 3, "--nx", 20).complete("--t-end", 1, "--history-stride", 1)
    check(rows)
    assert record["cells"] > 15000 and rows[-1]["kinetic_energy"] > 10 * rows[1]["kinetic_energy"] > 0, rows[-1]
    assert abs(record["results"]["relative change of ink"]) < KEPT, record["results"]


def solvers(program):
    """All solvers give the same flow, to what they tolerate, also where pressure is only known up to a constant."""
    for arguments in ((), ("--closed",)):
        example = Example(program, *SMALL, "--nx", 24, "--max-steps", 6, "--tolerance", 1e-8, *arguments)
        wanted = None
        for solver in ("pcg", "mg", "cg", "sor", "rbgs", "jacobi"):
            rows, _ = example.complete("--solver", solver, "--history-stride", 1)
            check(rows, 1e-8)
            wanted = wanted or rows
            for is_row, should_be in zip(rows, wanted):
                for name in ("time", "ink", "kinetic_energy"):
                    assert abs(is_row[name] - should_be[name]) <= 1e-5 * should_be[name], (solver, is_row, should_be)


def parts(program):
    """What was emitted is counted on after a break."""
    example = Example(program, *SMALL, "--nx", 32, "--output-stride", 10)
    example.goes_on(10, "--method", "projection")
    example.goes_on(10, "--method", "lfm")
    example.goes_on(10, "--method", "lfm", "--ink-method", "traced")
    example.goes_on(10, "--dim", 3, "--nx", 12, "--method", "smac", other=("--re", 50))


def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--dim", "1"], "--dim"),
        (["--nx", "4"], "--nx"),
        (["--radius", "0.5"], "--radius"),
        (["--offset", "1"], "--offset"),
        (["--offset", "0.1", "--radius", "0"], "--offset: is of no use without an obstacle"),
        (["--emission", "0"], "--emission"),
        *(([option, "nan"], option) for option in ("--re", "--aspect", "--radius", "--offset", "--emission", "--cfl")),
        (["--solver", "magic"], "--solver"),
        (["--method", "magic"], "--method"),
        (["--method", "smac", "--integrator", "paper", "--gamma", "-1"], "--gamma"),
        (["--cycle", "101"], "--cycle"),
        (["--ink-method", "magic"], "--ink-method"),
    ]:
        example.refuses(arguments, message)
    Path("smoke.toml").write_text('closed = true\nnx = 16\ndim = 3\nmax-steps = 2\n')
    example.complete("--config", "smoke.toml", "--output-stride", 1)
    parameters = record_of("out")["parameters"]
    assert parameters["closed"] is True and parameters["nx"] == 16 and len(example.output_times()) == 3, parameters
    for name in ("ink_000002.png", "vorticity_000001.png", "smoke_000002.vtu", "body.vtu"):
        assert Path("out", name).exists(), name
    example.complete("--dim", 3, "--max-steps", 1)
    assert record_of("out")["parameters"]["nx"] == 48, record_of("out")


main({"plume": plume, "methods": methods, "boxes": boxes, "space": space, "solvers": solvers, "parts": parts, "options": options})
