#!/usr/bin/env python3
"""Runs karman. usage: test_karman.py PROGRAM street|levels|methods|symmetry|solvers|shapes|surfaces|limits|parts|options|grids|onset|far"""

import json
import shutil
from pathlib import Path

from example_test import Example, close, film_of, main, record_of

SMALL = ["--threads", 1, "--picture-size", 200, "--output-stride", 1000000]
SMALL += ["--nx", 128, "--height", 8, "--re", 100, "--method", "projection"]
SOLVERS = ["jacobi", "rbgs", "sor", "cg", "mg", "pcg"]
OTHER_SOLVERS = ["chebyshev", "jcg", "wcycle", "fmg", "fcg", "tiled"]


def check(rows, height=8.0, tolerance=1e-6, divergence=2e-5):
    """What holds at any time: nothing is lost between inflow and outflow, and velocity has no divergence."""
    for row in rows:
        assert row["residual"] <= tolerance and row["divergence"] < divergence, row
        close(row["inflow"], height, 1e-12)
        close(row["outflow"], height, 1e-5)
        assert row["kinetic_energy"] > 0 and row["ink"] > 0, row


def sign_changes(values):
    return sum(1 for a, b in zip(values, values[1:]) if a * b < 0)


def street(program):
    """Vortices leave both sides in turn, as often as they do in experiments."""
    rows, record = Example(program, *SMALL).complete("--t-end", 70)
    check(rows)
    results = record["results"]
    assert 0.15 < results["Strouhal number"] < 0.19 and results["periods"] >= 4, results
    assert 1.3 < results["drag coefficient"] < 2.1 and 0.2 < results["greatest lift coefficient"] < 0.6, results
    assert results["greatest divergence"] < 1e-5, results
    close(results["flow out over flow in"], 1, 1e-6)
    late = [row for row in rows if row["time"] > 35]
    changes = sign_changes([row["lift"] for row in late])
    close(changes / 2 / 35, results["Strouhal number"], 0.15)
    # Drag swings about its mean, once for each vortex.
    mean = sum(row["drag"] for row in late) / len(late)
    assert sign_changes([row["drag"] - mean for row in late]) >= 1.6 * changes, (changes, mean)
    assert record["steps-per-second"] > 0 and set(record["seconds-of"]) == {"advection", "maps", "pressure", "other"}, record

    # More viscosity, more drag, and below a Reynolds number of 47 no street.
    rows, record = Example(program, *SMALL).complete("--t-end", 40, "--re", 30)
    check(rows)
    assert "Strouhal number" not in record["results"], record["results"]
    assert record["results"]["drag coefficient"] > results["drag coefficient"] + 0.2, record["results"]
    greatest = [max(abs(row["lift"]) for row in rows if t < row["time"] <= t + 10) for t in (5, 15, 25)]
    assert greatest[0] > 1.5 * greatest[1] > 2.25 * greatest[2], greatest


def levels(program):
    """On levels vortices leave as on a uniform grid, with fewer cells, and runs go on to the bit."""
    example = Example(program, "--threads", 1, "--picture-size", 200, "--output-stride", 1000000, "--re", 100)
    domain = ["--height", 8]
    rows, record = example.complete("--t-end", 60, "--nx", 256, "--amr-levels", 4, "--refine-threshold", 0.15, *domain)
    found = record["results"]
    assert found["cells over those of the finest grid"] < 0.36 and found["periods"] >= 4, found
    assert all(row["divergence"] < 3e-6 for row in rows), rows
    _, record = example.complete("--t-end", 60, "--nx", 256, "--method", "smac", *domain, folder="uniform")
    uniform = record["results"]
    for name in ("Strouhal number", "drag coefficient", "greatest lift coefficient"):
        close(found[name], uniform[name], 0.03)
    small = Example(program, "--threads", 1, "--picture-size", 200, "--nx", 128, "--height", 8, "--re", 100, "--amr-levels", 3)
    small.goes_on(10, "--output-stride", 5, other=("--re", 50))
    rows, _ = small.complete("--surfaces", "curved", "--max-steps", 20)
    assert all(row["divergence"] < 3e-6 for row in rows) and 1 < rows[-1]["drag"] < 10, rows[-1]
    small.complete("--max-steps", 15, "--checkpoint-stride", 15, folder="late")  # means begin before the break
    shutil.copy("late/checkpoint.h5", "late.h5")
    small.complete("--max-steps", 20, "--restart", "late.h5", folder="late", keep=True)
    small.complete("--max-steps", 20, folder="whole")
    assert record_of("late")["results"] == record_of("whole")["results"], record_of("late")
    rows, record = small.complete("--max-steps", 100, "--steady-tolerance", 1)
    assert record["is-steady"] and rows[-1]["change"] <= 1 < rows[-2]["change"], rows[-2:]
    done = small.run("--length", 1000, "--height", 1000, "--nx", 16)
    assert done.returncode == 1 and "the cylinder has none" in done.stderr, (done.returncode, done.stderr)
    three = Example(program, "--threads", 1, "--picture-size", 200, "--dim", 3, "--nx", 64, "--amr-levels", 2)
    rows, record = three.complete("--max-steps", 4)
    assert len(rows) >= 4 and all(row["divergence"] < 3e-6 for row in rows), rows
    for arguments, message in [
        (["--method", "lfm"], "--method: is of no use with --amr-levels"),
        (["--nx", "130", "--length", "16.25"], "--nx: must be a multiple of 2^(levels - 1) = 4"),
        (["--nx", "132"], "--ny: must be a multiple"),
        (["--dim", "3", "--nx", "264", "--height", "8"], "a whole number of cells of level 0"),
    ]:
        small.refuses(["--amr-levels", 3, *arguments], message)


def surfaces(program):
    """Drag depends less on the grid where the cylinder cuts cells."""
    drags = {}
    for kind in ("staircase", "curved"):
        drags[kind] = []
        for nx in (104, 112, 120):
            options = ["--method", "smac", "--surfaces", kind, "--re", 30, "--t-end", 20, "--length", 12, "--height", 6]
            rows, record = Example(program, *SMALL).complete("--nx", nx, *options)
            check(rows, round(6 * nx / 12) * 12 / nx)
            drags[kind].append(record["results"]["drag coefficient"])
    spread = {kind: max(found) - min(found) for kind, found in drags.items()}
    assert spread["curved"] < 0.5 * spread["staircase"], drags
    done = Example(program, *SMALL).run("--method", "lfm", "--surfaces", "curved")
    assert done.returncode != 0 and "--surfaces: is of no use with this --method" in done.stderr, done.stderr


def methods(program):
    """Vortices leave as often by other methods; and at a Reynolds number of 40 none do."""
    example = Example(program, *SMALL)
    found = {}
    # A cycle of steps makes more divergence than a step, of which as large a part is left.
    for method, divergence in (("smac", 2e-5), ("lfm", 1e-4)):
        rows, record = example.complete("--method", method, "--t-end", 60)
        check(rows, divergence=divergence)
        results = record["results"]
        close(results["Strouhal number"], 0.185, 0.05)  # between these walls; without them it is 0.1644
        assert 1.5 < results["drag coefficient"] < 2 and 0.15 < results["greatest lift coefficient"] < 0.6, results
        assert results["periods"] >= 3, results
        # Ink comes all the time: the strip is wider than what flows in between.
        late = [row["ink"] for row in rows if row["time"] > 40]
        assert min(late) > 0.8 * max(late), (min(late), max(late))
        found[method] = late[-1], record["seconds-of"]["maps"]
        rows, record = example.complete("--method", method, "--t-end", 30, "--re", 40)
        check(rows, divergence=divergence)
        assert "Strouhal number" not in record["results"], record["results"]
        lift = [max(abs(row["lift"]) for row in rows if t < row["time"] <= t + 10) for t in (0, 10, 20)]
        assert lift == sorted(lift, reverse=True), lift
    close(found["lfm"][0], found["smac"][0], 0.2)
    assert found["lfm"][1] > 0 == found["smac"][1], found

    # Shorter cycles and steps, another part from upstream: much the same flow, before anything is shed.
    drag = []
    others = (("smac", "--integrator", "paper"), ("smac", "--dt-safety", 0.2), ("lfm", "--cycle", 2, "--cfl", 0.5))
    for arguments in (("smac",), *others):
        rows, record = example.complete("--t-end", 6, "--method", *arguments)
        check(rows, divergence=1e-4)
        drag.append(rows[-1]["drag"])
    for value in drag[1:]:
        close(value, drag[0], 0.15)
    assert len(set(drag)) == len(drag), drag


def symmetry(program):
    """Without a perturbation there is no lift, but for what solvers leave; with one there is."""
    for advection in ("linear", "maccormack"):
        example = Example(program, *SMALL, "--t-end", 4, "--advection", advection)
        rows, _ = example.complete("--perturbation", 0, "--tolerance", 1e-9)
        check(rows)
        assert len(rows) > 30 and all(abs(row["lift"]) < 1e-6 for row in rows), rows
        rows, _ = example.complete("--perturbation", 0.2)
        assert max(abs(row["lift"]) for row in rows) > 1e-2, rows


def solvers(program):
    """All solvers give the same flow, to what they tolerate."""
    example = Example(program, *SMALL, "--nx", 48, "--max-steps", 8, "--tolerance", 1e-8)
    wanted = None
    iterations = {}
    for solver in (*reversed(SOLVERS), *OTHER_SOLVERS):
        rows, record = example.complete("--solver", solver)
        check(rows, tolerance=1e-8)
        wanted = wanted or rows
        iterations[solver] = record["iterations-per-step"]
        for is_row, should_be in zip(rows, wanted):
            for name in ("time", "drag", "kinetic_energy", "ink"):
                close(is_row[name], should_be[name], 1e-5)
            assert abs(is_row["lift"] - should_be["lift"]) < 1e-5, (solver, is_row)
    others = {solver: iterations.pop(solver) for solver in OTHER_SOLVERS}
    assert iterations["pcg"] < others["tiled"] < 2 * iterations["pcg"]  # one sweep in each cycle, not two
    assert others["fcg"] <= iterations["pcg"] + 1 and others["wcycle"] <= iterations["mg"], (others, iterations)
    assert others["fmg"] <= iterations["mg"] + 2 and others["chebyshev"] < iterations["rbgs"], (others, iterations)
    assert others["jcg"] <= iterations["cg"] + 2, (others, iterations)
    assert [name for name, _ in sorted(iterations.items(), key=lambda item: -item[1])] == SOLVERS, iterations
    assert iterations["pcg"] < 8, iterations
    with_one = [example.complete("--method", "smac", "--solver", s)[1]["iterations-per-step"] for s in ("pcg", "tiled")]
    assert abs(with_one[0] - with_one[1]) <= 1, with_one


def shapes(program):
    """Cells that are not square and channels of another size; in 3D the same as in 2D, as long as it starts so."""
    example = Example(program, *SMALL)
    drag = {}
    for aspect in (1, 0.5, 2):
        rows, record = example.complete("--t-end", 8, "--aspect", aspect)
        check(rows)
        drag[aspect] = record["results"]["drag coefficient"]
    for aspect in (0.5, 2):
        close(drag[aspect], drag[1], 0.2)
    rows, record = example.complete("--t-end", 5, "--height", 4)
    check(rows, 4)
    assert record["results"]["drag coefficient"] > 1.1 * drag[1], (record["results"], drag)  # the gaps are narrower

    flat, _ = example.complete("--nx", 40, "--max-steps", 6)
    solid, record = example.complete("--nx", 40, "--max-steps", 6, "--dim", 3)
    check(solid, 32.0)
    assert record["cells"] > 40 * 20 * 9, record
    for is_row, should_be in zip(solid, flat):
        for name in ("time", "drag"):
            close(is_row[name], should_be[name], 1e-5)
        for name in ("kinetic_energy", "ink", "inflow"):
            close(is_row[name], 4 * should_be[name], 1e-5)


def limits(program):
    """A solver that does not reach the tolerance, and a signal, leave whole files and say so."""
    example = Example(program, *SMALL, "--nx", 64)
    for arguments in (("--solver", "jacobi", "--max-iterations", 30), ("--max-iterations", 1, "--tolerance", 1e-9)):
        done = example.run(*arguments)
        assert done.returncode == 1 and "reached the iteration limit" in done.stderr, (done.returncode, done.stderr)
        example.check_whole("out")
        assert record_of("out")["outcome"].startswith("failed: the pressure solver"), record_of("out")
    example.complete("--max-steps", 8, "--output-stride", 3)
    assert len(example.output_times()) == 4 and example.output_times()[0] == 0, example.output_times()
    for name in ("vorticity_000006.png", "ink_000008.png", "karman_000003.vtu", "fluid.vtu", "body.vtu"):
        assert Path("out", name).exists(), name
    first = Path("out/history.csv").read_bytes()
    example.complete("--max-steps", 8, "--output-stride", 3)
    assert Path("out/history.csv").read_bytes() == first, "the same run gives other numbers"
    example.complete("--max-steps", 2, "--format", "hdf")
    assert len(example.output_times()) == 2
    example.run("--max-steps", 3, "--output-stride", 1, "--video", "--no-fields")
    assert film_of("out/vorticity.webp") == film_of("out/ink.webp") == (4, 25), film_of("out/ink.webp")
    assert not list(Path("out").glob("karman_*")), list(Path("out").iterdir())


def parts(program):
    """Runs go on to the bit, with all methods: after a checkpoint, and after control-C."""
    example = Example(program, *SMALL, "--nx", 64)
    for method, other in (("smac", "--dt-safety"), ("lfm", "--cfl"), ("projection", "--cfl")):
        example.goes_on(10, "--method", method, "--output-stride", 10, other=(other, 0.123))
    example.goes_on(4, "--nx", 32, "--dim", 3, "--method", "smac", "--output-stride", 2, other=("--re", 50))
    example.goes_on(10, "--method", "smac", "--surfaces", "curved", "--output-stride", 5, other=("--re", 50))
    long = ("--method", "lfm", "--t-end", 10000, "--output-stride", 20, "--history-stride", 7)
    example.goes_on_where_it_stopped(20, *long, "--video")
    example.stops_when_asked("--method", "smac", "--t-end", 10000, "--history-stride", 1)
    example.survives_kills("--method", "smac", "--t-end", 10000)


def options(program):
    example = Example(program, *SMALL)
    for arguments, message in [
        (["--dim", "4"], "--dim"),
        (["--nx", "8"], "--nx"),
        (["--re", "0"], "--re"),
        (["--re", "-100"], "--re"),
        (["--aspect", "0"], "--aspect"),
        (["--aspect", "nan"], "--aspect"),
        *(([option, "nan"], option) for option in ("--re", "--length", "--height", "--perturbation", "--cfl", "--t-end")),
        (["--height", "1"], "--height"),
        (["--length", "1"], "--length"),
        (["--perturbation", "2"], "--perturbation"),
        (["--solver", "magic"], "--solver"),
        (["--advection", "upwind"], "--advection"),
        (["--method", "magic"], "--method"),
        (["--method", "projection", "--gamma", "0.5"], "--gamma"),
        (["--cfl", "1"], "--cfl"),
        (["--method", "smac", "--cfl", "1"], "--cfl"),
        (["--method", "lfm", "--advection", "linear"], "--advection"),
        (["--method", "smac", "--integrator", "paper", "--gamma", "2"], "--gamma"),
        (["--dt-safety", "0"], "--dt-safety"),
        (["--cycle", "0"], "--cycle"),
        (["--interpolation", "cubic"], "--interpolation"),
        (["--tolerance", "0"], "--tolerance"),
        (["--cfl", "0"], "--cfl"),
        (["--max-iterations", "0"], "--max-iterations"),
        (["--t-end", "0"], "--t-end"),
        (["--video-fps", "10"], "--video-fps"),
        (["--no-fields", "--format", "hdf"], "--format"),
        (["--amr-levels", "17"], "--amr-levels"),
        (["--refine-threshold", "0.1"], "--refine-threshold: is of no use with one level"),
    ]:
        example.refuses(arguments, message)
    done = example.run("--length", 1000, "--height", 1000, "--nx", 16)
    assert done.returncode == 1 and "the cylinder has none" in done.stderr, (done.returncode, done.stderr)
    shutil.rmtree("out")
    # The paper's case, and how --ny, --height and --aspect go together.
    example = Example(program, "--threads", 1, "--max-steps", 2, "--picture-size", 200)
    for arguments, cells, height, aspect in (
        ([], (256, 64), 4, 1),
        (["--nx", 64, "--ny", 32], (64, 32), 8, 1),
        (["--nx", 64, "--ny", 32, "--height", 4], (64, 32), 4, 0.5),
        (["--nx", 64, "--aspect", 0.5], (64, 32), 4, 0.5),
    ):
        example.complete(*arguments)
        parameters = record_of("out")["parameters"]
        assert (parameters["nx"], parameters["ny"]) == cells, parameters
        assert parameters["height"] == height and parameters["aspect"] == aspect, parameters
        assert parameters["re"] == 1000 and parameters["method"] == "smac", parameters
        assert parameters["integrator"] == "rk3" and "gamma" not in parameters and "cfl" not in parameters and "cycle" not in parameters, parameters
    example.refuses(["--ny", "32", "--height", "4", "--aspect", "1"], "--aspect")
    # What a run was computed with is what another can be computed with.
    lines = [f"{name} = {json.dumps(value)}" for name, value in parameters.items()]
    Path("karman.toml").write_text("\n".join(lines) + "\n")
    example.complete("--config", "karman.toml")
    assert record_of("out")["parameters"] == parameters, record_of("out")
    Path("karman.toml").write_text('solver = "cg"\nnx = 32\nre = 60\nmax-steps = 2\n')
    example.complete("--config", "karman.toml")
    parameters = record_of("out")["parameters"]
    assert parameters["solver"] == "cg" and parameters["nx"] == 32 and parameters["re"] == 60, parameters


def onset(program):
    """With room on all sides a disturbance dies away at 45. A method without viscosity of its own has the
    Strouhal number of a cylinder between walls. It falls towards that of one without walls as they get further away."""
    wide = ("--height", 16, "--length", 32, "--nx", 256)
    for method in ("projection", "smac", "lfm"):
        rows, record = Example(program, *SMALL).complete("--t-end", 60, "--re", 45, "--method", method, *wide)
        check(rows, 16.0, divergence=1e-4)
        assert "Strouhal number" not in record["results"], (method, record["results"])
        lift = [max(abs(row["lift"]) for row in rows if t < row["time"] <= t + 20) for t in (0, 20, 40)]
        assert lift == sorted(lift, reverse=True), (method, lift)
    found = []
    for room in (("--height", 8), wide):
        rows, record = Example(program, *SMALL).complete("--t-end", 100, "--method", "smac", *room)
        check(rows, float(room[1]))
        found.append(record["results"]["Strouhal number"])
    close(found[1], 0.1644, 0.08)
    assert found[0] > found[1] > 0.1644, found


def grids(program):
    """On finer grids and with shorter steps the street is still there, at much the same Strouhal number."""
    found = []
    for arguments in (("--nx", 128), ("--nx", 128, "--cfl", 0.5), ("--nx", 256), ("--nx", 256, "--advection", "linear")):
        rows, record = Example(program, *SMALL).complete("--t-end", 80, *arguments)
        check(rows)
        found.append(record["results"]["Strouhal number"])
        assert 0.15 < found[-1] < 0.22 and 1.2 < record["results"]["drag coefficient"] < 2.2, record["results"]
    for strouhal in found[1:3]:
        close(strouhal, found[0], 0.1)


def far(program):
    """With sides far away, numbers are those of others: St 0.164 to 0.167, drag 1.32 to 1.36, lift 0.32 to 0.34."""
    arguments = ["--threads", 1, "--output-stride", 1000000, "--re", 100, "--length", 64, "--height", 64]
    rows, record = Example(program, *arguments).complete("--nx", 2048, "--amr-levels", 6, "--t-end", 150)
    results = record["results"]
    close(results["Strouhal number"], 0.1655, 0.01)
    close(results["drag coefficient"], 1.34, 0.015)
    close(results["greatest lift coefficient"], 0.33, 0.03)
    assert results["cells over those of the finest grid"] < 0.01 and results["periods"] >= 10, results
    assert max(row["divergence"] for row in rows) < 1e-6, results


main(
    {
        "street": street,
        "levels": levels,
        "methods": methods,
        "symmetry": symmetry,
        "solvers": solvers,
        "shapes": shapes,
        "surfaces": surfaces,
        "limits": limits,
        "parts": parts,
        "options": options,
        "grids": grids,
        "onset": onset,
        "far": far,
    }
)
