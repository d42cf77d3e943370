"""Gases on levels: against the program, exact solutions, totals; and what functions of the user see."""

import os
import pickle
import subprocess
import threading

import numpy as np
import pytest

import sparsecells as sc

GAS = sc.Euler(gamma=1.4)
FREE = GAS.state(density=1, velocity=(2, 0), pressure=1 / 1.4)


def tunnel(cells=(24, 32), levels=3, radius=2.0, **sides):
    body = sc.Ball((0.3 * cells[0], 0.5 * cells[1]), radius=radius)
    return sc.Domain(cells, levels=levels, bodies=[body], sides={"left": "inflow", "others": "open", **sides})


def states(sim):
    return [sim.level(l).primitive("all").values.tobytes() for l in range(sim.level_count)]


def test_is_the_program_bit_by_bit(tmp_path):
    program = os.environ.get("SPARSE_MACH2_CYLINDER")
    if not program:
        pytest.skip("the program mach2_cylinder is not built")
    subprocess.run([program, "--t-end", "2", "--nx", "48", "--ny", "64", "--radius", "4", "--checkpoint-stride", "1000", "--no-fields",
                    "--output-dir", str(tmp_path / "out")], check=True, capture_output=True)
    body = sc.Ball((0.3 * 48, 32), radius=4)
    domain = sc.Domain((48, 64), levels=4, bodies=[body], sides={"left": "inflow", "others": "open"})
    sim = sc.Compressible(domain, GAS, initial=FREE, inflow=FREE, refine=[sc.relative_gradient("density", 0.05)], regrid_stride=4)
    sim.run(until=2).finish()
    sim.save(tmp_path / "end.h5")
    for l in range(sim.level_count):  # in covered cells, which no step reads, the program has means for its history
        ours, theirs = (sc.load_field(tmp_path / name, f"state_{l}") for name in ("end.h5", "out/checkpoint.h5"))
        leaves = ours.domain.find(sim.level(l).leaves.cells())
        assert ours.domain == theirs.domain and len(leaves) > 100
        assert ours.values[:, leaves].tobytes() == theirs.values[:, leaves].tobytes()


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("dim", [2, 3])
def test_totals_are_conserved(dtype, dim):
    """A blast in a box with walls of faces: nothing leaves."""
    domain = sc.Domain((12,) * dim, levels=2, bodies=[sc.Box((2,) * dim, (4,) * dim, curved=False)])
    centre = lambda *x: sum((c - 8) ** 2 for c in x) < 4
    initial = lambda *x: GAS.state(1, (0,) * dim, np.where(centre(*x), 5.0, 1.0))
    sim = sc.Compressible(domain, GAS, initial, dtype=dtype)
    before = sim.totals()
    steps = [step.number for step in sim.run(until=1.0)]
    assert steps == list(range(1, len(steps) + 1)) and sim.time == 1.0 and sim.level_count == 2
    tolerance = 1e-12 if dtype == "f8" else 1e-5
    assert np.allclose([sim.totals()[0], sim.totals()[-1]], [before[0], before[-1]], rtol=tolerance)
    least, greatest = sim.extrema()
    assert 0 < least[0] < 1 < greatest[0] and least[-1] > 0


def test_shock_tube_is_that_of_theory():
    """Sod's problem: density left of the contact 0.42632, right of it 0.26557, pressure 0.30313, velocity 0.92745."""
    domain = sc.Domain((100, 4), levels=2, spacing=0.01, sides={"left": "open", "right": "open"})
    left = lambda x: np.where(x < 0.5, 1.0, 0.0)
    initial = lambda x, y: GAS.state(0.125 + 0.875 * left(x), (0, 0), 0.1 + 0.9 * left(x))
    sim = sc.Compressible(domain, GAS, initial)
    sim.run(until=0.2).finish()
    density, u, v, pressure = sim.probe([(0.6, 0.02), (0.75, 0.02)])
    assert np.allclose(density, [0.42632, 0.26557], rtol=0.01)
    assert np.allclose(pressure, 0.30313, rtol=0.01) and np.allclose(u, 0.92745, rtol=0.01) and np.allclose(v, 0)
    distance, along = sim.line((0, 0.02), (1, 0.02), 11, "density")
    assert np.allclose(distance, np.linspace(0, 1, 11)) and along[0] == 1 and along[-1] == 0.125
    assert np.isnan(sim.probe([(5, 5)], "pressure")).all()


def test_levels_are_seen_and_lent():
    sim = sc.Compressible(tunnel(), GAS, initial=FREE, inflow=FREE)
    sim.run(until=1).finish()
    fine = sim.level(2)
    assert fine.number == 2 and fine.spacing == (0.25, 0.25) and len(fine.leaves) <= len(fine.cells)
    assert sum(len(sim.level(l).leaves) for l in range(3)) == sim.leaf_count
    state = fine.state
    assert state.is_current and state.values.shape == (4, len(state.domain))
    again = sim.level(2).state
    assert np.shares_memory(state.values, again.values) and state.values.ctypes.data == again.values.ctypes.data
    w = fine.primitive("all").values
    where = state.domain.find(fine.cells.cells())
    u = state.values[:, where]
    assert np.allclose(u[0], w[0]) and np.allclose(u[1], w[0] * w[1]) and np.allclose(u[3], w[3] / 0.4 + w[0] * (w[1] ** 2 + w[2] ** 2) / 2)
    positions = fine.positions
    assert np.allclose(positions, (fine.cells.cells() + 0.5) * 0.25)
    kept = state.values.copy()
    sim.run(until=3).finish()
    sim.regrid()
    assert sim.step_count > 2 and not (state.is_current and np.array_equal(kept, state.values))
    old = state.values.copy()
    del sim, again
    for _ in range(30):
        sc.Field(sc.box((0, 0), (100, 100)), fill=9)
    assert np.array_equal(old, state.values) and not state.is_current


def test_writing_to_a_lent_state_changes_the_simulation():
    domain = sc.Domain((16, 16))
    sim = sc.Compressible(domain, GAS, GAS.state(1, (0, 0), 1))
    before = sim.totals()
    state = sim.level(0).state
    state.values[:] *= 2
    assert np.allclose(sim.totals(), 2 * np.array(before))


@pytest.mark.parametrize("where", ["memory", "file"])
def test_goes_on_bit_by_bit(where, tmp_path):
    def make(**more):
        return sc.Compressible(tunnel(), GAS, initial=FREE, inflow=FREE, **more)
    whole, first = make(), make()
    whole.run(until=3, most_steps=8).finish()
    first.run(until=3, most_steps=4).finish()
    if where == "file":
        first.save(tmp_path / "half.h5")
        second = make(restart=tmp_path / "half.h5")
        with pytest.raises(OSError, match="another set-up"):
            make(restart=tmp_path / "half.h5", scheme="godunov")
    else:
        second = pickle.loads(pickle.dumps(first))
    assert second.time == first.time and second.step_count == 4
    second.run(until=3, most_steps=4).finish()
    assert second.time == whole.time and states(second) == states(whole) and second.update_count == whole.update_count


def test_given_sides_get_arrays():
    """An inflow as a function gives the bits of one by name; a slip wall as a function, those of a wall."""
    seen = []

    def inflow(p):
        seen.append((p.x.copy(), p.time, p.inside.shape, threading.get_ident()))
        return FREE

    by_name = sc.Compressible(tunnel(bottom="wall"), GAS, initial=FREE, inflow=FREE)
    by_function = sc.Compressible(tunnel(left=inflow, bottom=lambda p: p.slip()), GAS, initial=FREE, inflow=FREE)
    by_state = sc.Compressible(tunnel(left=FREE, bottom="wall"), GAS, initial=FREE)
    for sim in (by_name, by_function, by_state):
        sim.run(until=3).finish()
    assert states(by_name) == states(by_state)
    for a, b in zip(states(by_name), states(by_function)):
        assert np.allclose(np.frombuffer(a), np.frombuffer(b), rtol=1e-10, atol=1e-12)
    assert seen and all(thread == threading.get_ident() for *_, thread in seen)
    assert all((x[:, 0] < 0).all() and shape == (4, len(x)) for x, _, shape, _ in seen)
    assert max(len(x) for x, *_ in seen) > 10 and max(time for _, time, *_ in seen) <= 3


def test_outflow_against_a_pressure():
    slow = GAS.state(1, (0.5, 0), 1 / 1.4)
    domain = sc.Domain((40, 4), sides={"left": "inflow", "right": sc.Outflow(1 / 1.4), "others": "wall"})
    sim = sc.Compressible(domain, GAS, initial=slow)
    sim.run(until=20).finish()
    assert np.allclose(sim.level(0).primitive("all").values.T, slow)  # a uniform stream leaves as it is


def test_functions_refine():
    asked = []

    def dense(level):
        asked.append((level.number, level.time, len(level.cells)))
        return level.primitive("density").values > 1.2

    sim = sc.Compressible(tunnel(), GAS, initial=FREE, inflow=FREE, refine=[dense])
    sim.run(until=2).finish()
    w = sim.level(1).primitive("density")
    marked = w.domain[w.values > 1.2]
    assert len(marked) and not marked - sim.level(2).cells.coarsen()
    assert {number for number, *_ in asked} <= {0, 1} and asked
    kept = []
    where = sc.box((20, 20), (30, 30))
    by_set = sc.Compressible(sc.Domain((24, 32), levels=2), GAS, initial=FREE, refine=[lambda level: kept.append(level) or where & level.cells])
    by_region = sc.Compressible(sc.Domain((24, 32), levels=2), GAS, initial=FREE, refine=[sc.region(where, 0, 1)])
    assert by_set.level(1).cells == by_region.level(1).cells and len(by_region.level(1).cells)
    with pytest.raises(RuntimeError, match="has returned"):
        kept[0].cells
    sc.Compressible(tunnel(), GAS, initial=FREE, inflow=FREE, refine=[sc.vorticity(0.1)]).run(until=1).finish()


def test_sources_are_second_order():
    """Gravity accelerates a uniform gas: velocity g t, to rounding. Cooling dE/dt = -k E: an exponential, second order."""
    domain = sc.Domain((8, 8), sides={"others": "periodic"})
    still = GAS.state(1, (0, 0), 1)
    sim = sc.Compressible(domain, GAS, still)
    sim.add_source(lambda x, t, w: np.stack([0 * w[0], 0 * w[0], -3 * w[0], -3 * w[0] * w[2]]))
    sim.run(until=1).finish()
    density, u, v, pressure = sim.probe([(4, 4)])
    assert np.allclose([density[0], u[0], v[0], pressure[0]], [1, 0, -3, 1])
    errors = []
    for dt in (0.1, 0.05):
        sim = sc.Compressible(domain, GAS, still)
        sim.add_source(lambda x, t, w: np.stack([0 * w[0]] * 3 + [-2 * w[3] / 0.4]))
        while sim.time < 1 - 1e-9:
            sim.step(min(dt, 1 - sim.time))
        errors.append(abs(sim.probe([(4, 4)], "pressure")[0] - np.exp(-2)))
    assert errors[0] / errors[1] > 3.5


def test_forces_of_symmetric_flow():
    domain = tunnel()
    sim = sc.Compressible(domain, GAS, initial=FREE, inflow=FREE)
    sim.run(until=8).finish()
    force = sim.force(domain.bodies[0])
    assert force.drag > 1 and abs(force.lift) < 1e-9 * force.drag and len(force.moment) == 1
    about = sim.force(domain.bodies[0], about=(0, 16))
    assert np.isclose(about.moment[0], force.moment[0] + 16 * force.drag)


def test_pictures_and_words():
    sim = sc.Compressible(tunnel(), GAS, initial=FREE, inflow=FREE)
    for array in ("density", "pressure", "velocity", "mach", "level"):
        assert sim.plot(array, size=200, mesh=True).pixels.shape[0] > 200
    assert repr(sim).startswith("Compressible(time 0, step 0, ")
    assert sim._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")


def test_an_impossible_state_is_told_and_kept_out():
    sim = sc.Compressible(sc.Domain((8, 8)), GAS, GAS.state(1, (0, 0), 1))
    state = sim.level(0).state
    state.values[0, state.domain.find([(3, 4)])] = np.nan
    with pytest.raises(sc.NonFiniteState):
        sim.step()
    with pytest.raises(sc.NonFiniteState):
        sc.Compressible(sc.Domain((8, 8)), GAS, GAS.state(-1, (0, 0), 1))


def test_errors_of_functions_come_through():
    class Mine(Exception):
        pass

    def broken(*_):
        raise Mine("here")

    with pytest.raises(Mine, match="here"):
        sc.Compressible(sc.Domain((8, 8)), GAS, broken)
    sim = sc.Compressible(sc.Domain((8, 8), sides={"left": lambda p: broken() if p.time > 0 else FREE}), GAS, FREE)
    with pytest.raises(Mine):
        sim.run(until=10).finish()
    time = sim.time
    assert np.isfinite(sim.totals()).all() and sim.time == time  # it is as before the step
    with pytest.raises(ValueError, match="must return the shape"):
        sc.Compressible(sc.Domain((8, 8)), GAS, lambda x, y: np.zeros((3, len(x))))
    held = []
    again = sc.Compressible(sc.Domain((8, 8), sides={"left": lambda p: held and held[0].step() or FREE}), GAS, FREE)
    held.append(again)
    with pytest.raises(RuntimeError, match="in use"):
        again.run(until=1).finish()


def test_a_run_without_a_loop_warns():
    sim = sc.Compressible(sc.Domain((8, 8)), GAS, FREE)
    with pytest.warns(RuntimeWarning, match="took no step"):
        sim.run(until=1)
    assert sim.run(until=1, progress=True).finish().time == 1


def test_simulations_are_collected(run_python):
    result = run_python("""
        import gc
        import sparsecells as sc
        from sparsecells import _core
        def use():
            gas = sc.Euler()
            free = gas.state(1, (2, 0), 1)
            kept = []
            sim = sc.Compressible(sc.Domain((8, 8), sides={"left": lambda p: (kept, free)[1]}), gas, free)
            kept.append(sim)  # a circle through the function
        use()
        gc.collect()
        print(_core._alive())
    """)
    assert (result.stdout.strip(), result.stderr, result.returncode) == ("0", "", 0)


def test_two_threads_advance_two_simulations(run_python):
    result = run_python("""
        import threading, warnings
        warnings.simplefilter("ignore")
        import sparsecells as sc
        gas = sc.Euler()
        free = gas.state(1, (2, 0), 1)
        def make(n):
            return sc.Compressible(sc.Domain((n, n), levels=2, bodies=[sc.Ball((n / 2, n / 2), 3)], sides={"left": "inflow", "others": "open"}), gas, free)
        def end(sim):
            sim.run(until=3).finish()
            return [sim.level(l).primitive("all").values.tobytes() for l in range(sim.level_count)]
        alone = [end(make(20)), end(make(28))]
        found = [None, None]
        def work(i, n):
            found[i] = end(make(n))
        threads = [threading.Thread(target=work, args=(i, n)) for i, n in enumerate((20, 28))]
        for t in threads: t.start()
        for t in threads: t.join()
        shared, said = make(40), []
        def use():
            try:
                for _ in shared.run(until=30): pass
            except RuntimeError as error:
                said.append("in use" in str(error))
        threads = [threading.Thread(target=use) for _ in range(3)]
        for t in threads: t.start()
        for t in threads: t.join()
        print(found == alone, all(said))
    """)
    assert (result.stdout.strip(), result.stderr, result.returncode) == ("True True", "", 0)


@pytest.mark.parametrize("wrong, kind, text", [
    (lambda: sc.Euler(gamma=1), ValueError, "more than 1"),
    (lambda: GAS.state(1, (1,), 1), ValueError, "2 or 3 components"),
    (lambda: sc.Domain((8,)), ValueError, "2 or 3"),
    (lambda: sc.Domain((8, 8), sides={"north": "wall"}), ValueError, "sides are left"),
    (lambda: sc.Domain((8, 8), sides={"left": "wet"}), ValueError, "must be one of wall"),
    (lambda: sc.Domain((8, 8), bodies=[sc.box((0, 0), (2, 2))]), TypeError, "bodies must be"),
    (lambda: sc.Body(), TypeError, "has no shape"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), 1.4, FREE), TypeError, "must be an Euler"),
    (lambda: sc.Compressible(sc.box((0, 0), (8, 8)), GAS, FREE), TypeError, "must be a Domain"),
    (lambda: sc.Compressible(sc.Domain((8.5, 8)), GAS, FREE), TypeError, "whole number"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, [1, 2, 3]), ValueError, "shape"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE, flux="roe"), ValueError, '"hllc", not "roe"|"hllc"'),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE, cfl=2), ValueError, "cfl"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE, dtype="i4"), ValueError, "float64 or float32"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE, refine=["density"]), TypeError, "each criterion"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE, refine=[sc.relative_gradient("heat", 1)]), ValueError, "no variable"),
    (lambda: sc.Compressible(sc.Domain((8, 8), sides={"left": "periodic"}), GAS, FREE), ValueError, "periodic"),
    (lambda: sc.Compressible(sc.Domain((8, 8), bodies=[sc.Ball((4, 4), -1)]), GAS, FREE), ValueError, "radius must be positive"),
    (lambda: sc.Compressible(sc.Domain((8, 8), bodies=[sc.Ball((4, 4), 40)]), GAS, FREE), ValueError, "."),
    (lambda: sc.Compressible(sc.Domain((8, 8), sides={"left": "inflow"}), GAS, lambda x, y: FREE), ValueError, "inflow=gas.state"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE).level(3), IndexError, "1 levels"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE).force(0), ValueError, "no such body"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE).plot("heat"), ValueError, "heat"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE, restart="/nowhere.h5"), OSError, "/nowhere.h5"),
    (lambda: sc.Compressible(sc.Domain((8, 8)), GAS, FREE).run(until=-1), ValueError, "before the time"),
])
def test_mistakes(wrong, kind, text):
    with pytest.raises(kind, match=text) as caught:
        wrong()
    assert "\n" not in str(caught.value) and ".hpp:" not in str(caught.value)
