"""Incompressible flows: exact solutions, tables, balances; and what users pass."""

import pickle

import numpy as np
import pytest

import sparsecells as sc


def test_cavity_of_ghia():
    """Least u on the centre line at Re 100: -0.2109 (Ghia et al. 1982); the eddy: -0.1034 at (0.617, 0.734)."""
    flow = sc.Incompressible(sc.box((0, 0), (32, 32)), spacing=1 / 32, viscosity=1e-2, walls={"top": sc.no_slip((1, 0)), "others": "no_slip"})
    last = flow.run(steady=1e-4)
    assert last.number == flow.step_count and flow.greatest_change() <= 1e-4 and flow.unsolved_steps == 0
    psi = flow.stream_function()
    assert np.isclose(psi.min, -0.1034, rtol=0.02) and np.allclose(psi.min_at, (0.617, 0.734), atol=0.01)
    assert psi.field.domain == flow.fluid.nodes() and np.isclose(psi.field.values.min(), psi.min, rtol=0.01)
    line = flow.velocity_at(np.column_stack([np.full(99, 0.5), np.linspace(0.01, 0.99, 99)]))
    assert np.isclose(line[:, 0].min(), -0.2109, atol=0.006)
    assert abs(flow.velocity().values[0].max()) < 1


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("method", ["smac", "semi-lagrangian", "leapfrog"])
def test_channel_of_poiseuille(method, dtype):
    """A parabola that enters stays one."""
    parabola = lambda x, y: 4 * y * (1 - y)
    seen = []
    flow = sc.Incompressible(
        sc.box((0, 0), (24, 12)), spacing=1 / 12, viscosity=0.05, method=method, dtype=dtype, tolerance=1e-5,
        walls={"left": sc.inflow(lambda x, y: seen.append((x, y)) or parabola(x, y)), "right": "outflow", "others": "no_slip"},
        initial=lambda x, y: (parabola(x, y), 0 * x),
    )
    assert len(seen) == 1 and (seen[0][0] == 0).all() and np.allclose(seen[0][1], (np.arange(12) + 0.5) / 12)
    flow.run(until=0.5)
    assert np.isclose(flow.time, 0.5)
    y = (np.arange(12) + 0.5) / 12
    u = flow.velocity_at(np.column_stack([np.full(12, 1.0), y]))
    assert u.dtype == np.dtype(dtype) and np.allclose(u[:, 0], parabola(0, y), atol=0.03) and np.allclose(u[:, 1], 0, atol=0.02)


def test_taylor_green_vortices_decay():
    n, viscosity = 32, 0.02
    k = 2 * np.pi
    flow = sc.Incompressible(
        sc.box((0, 0), (n, n)), spacing=1 / n, viscosity=viscosity, tolerance=1e-8,
        walls={side: "periodic" for side in ("left", "right", "bottom", "top")},
        initial=lambda x, y: (np.sin(k * x) * np.cos(k * y), -np.cos(k * x) * np.sin(k * y)),
    )
    before = np.sqrt((flow.velocity().values ** 2).mean())
    flow.run(until=0.2)
    after = np.sqrt((flow.velocity().values ** 2).mean())
    assert np.isclose(after / before, np.exp(-2 * k**2 * viscosity * 0.2), rtol=2e-3)
    assert np.isclose(flow.vorticity().values.sum(), 0, atol=1e-8)


def test_forces_are_balanced():
    """In a channel friction balances what pulls the fluid; in a box with a lid, all forces add up to nothing."""
    sides = {"left": "periodic", "right": "periodic"}
    flow = sc.Incompressible(sc.box((0, 0), (12, 8)), spacing=1 / 8, viscosity=0.05, tolerance=1e-10, walls=sides, acceleration=(0.4, 0))
    flow.run(steady=1e-9)
    ground, roof = sc.box((0, -1), (12, 0)), sc.box((0, 8), (12, 9))
    for wall in (ground, roof):
        force = flow.force(wall)
        assert np.isclose(force.drag, 0.4 * 1.5 / 2, rtol=1e-7) and force.lift == force.pressure[1] and force.carried == (0, 0)
    box, block = sc.box((0, 0), (12, 12)), sc.box((3, 3), (6, 6))
    flow = sc.Incompressible(box - block, spacing=1 / 12, viscosity=0.05, tolerance=1e-11, walls={"top": sc.no_slip((1, 0))})
    flow.run(steady=1e-9)
    forces = np.array([flow.force(body).total for body in (block, box.expand(1) - box)])
    assert abs(forces[0]).min() > 1e-3 and np.allclose(forces.sum(0), 0, atol=1e-9)


def test_moving_bodies_and_solids_in_space():
    ball = sc.ball((8, 8, 8), 3)
    fluid = sc.box((0, 0, 0), (16, 16, 16)) - ball
    flow = sc.Incompressible(fluid, viscosity=0.5, walls={ball: sc.no_slip((0, 0, 1)), "others": "slip"})
    flow.run(until=1)
    assert flow.velocity().values[2].max() > 0.1 and flow.velocity().components == 3 and flow.vorticity().components == 3
    assert flow.pressure().domain == fluid and flow.force(ball).pressure[2] < 0
    with pytest.raises(ValueError, match="2D only"):
        flow.stream_function()
    assert flow.plot("pressure", size=64).pixels.ndim == 3


def test_ink_is_carried_and_kept():
    flow = sc.Incompressible(sc.box((0, 0), (32, 32)), spacing=1 / 32, inks=["ink"], tolerance=1e-9,
                             initial=lambda x, y: (np.sin(np.pi * x) ** 2 * np.sin(2 * np.pi * y), -np.sin(2 * np.pi * x) * np.sin(np.pi * y) ** 2),
                             walls={"others": "slip"})
    flow.set_ink("ink", lambda x, y: np.hypot(x - 0.5, y - 0.75) < 0.15)
    before = flow.ink("ink").values.sum()
    flow.run(until=0.5)
    ink = flow.ink("ink").values
    assert np.isclose(ink.sum(), before, rtol=1e-7) and -1e-6 < ink.min() and ink.max() < 1 + 1e-6
    assert flow.ink("ink").name == "ink"


@pytest.mark.parametrize("method", ["smac", "semi-lagrangian", "leapfrog"])
def test_goes_on_bit_by_bit(method):
    def make():
        flow = sc.Incompressible(sc.box((0, 0), (24, 24)), spacing=1 / 24, viscosity=1e-2, method=method, inks=["ink"],
                                 walls={"top": sc.no_slip((1, 0))})
        flow.set_ink("ink", 1.0)
        return flow
    whole, first = make(), make()
    whole.run(most_steps=8)
    first.run(most_steps=4)
    second = pickle.loads(pickle.dumps(first))
    assert (second.time, second.step_count) == (first.time, first.step_count) and first.step_count >= 4
    second.run(most_steps=4)
    for name in ("velocity", "pressure"):
        assert getattr(whole, name)().values.tobytes() == getattr(second, name)().values.tobytes()
    assert whole.ink("ink").values.tobytes() == second.ink("ink").values.tobytes() and whole.time == second.time


def test_pictures():
    flow = sc.Incompressible(sc.box((0, 0), (24, 16)) - sc.ball((8, 8), 2), viscosity=0.1, inks=["ink"],
                             walls={"left": sc.inflow((1, 0)), "right": "outflow", "others": "slip"})
    flow.run(most_steps=5, progress=True)
    for array in ("velocity", "vorticity", "pressure", "ink", "streaks"):
        pixels = flow.plot(array, size=240).pixels
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > (3 if array == "ink" else 30)
    assert flow.plot("streaks", size=240).pixels.shape == (160, 240, 3)
    assert (flow.plot("streaks", size=240).pixels[80, 80] == 255).all()  # the body is white
    assert flow._repr_mimebundle_()["image/png"].startswith(b"\x89PNG") and repr(flow).startswith("Incompressible(time")
    steps = [step.number for step in flow.steps(until=flow.time + 1)]
    assert steps[0] == 6 and steps == sorted(steps)


BOX = sc.box((0, 0), (8, 8))


@pytest.mark.parametrize("wrong, kind, text", [
    (lambda: sc.Incompressible(3), TypeError, "must be a Set"),
    (lambda: sc.Incompressible(BOX - BOX), ValueError, "no cells"),
    (lambda: sc.Incompressible(BOX, spacing=-1), ValueError, "spacing"),
    (lambda: sc.Incompressible(BOX, viscosity=-1), ValueError, "viscosity"),
    (lambda: sc.Incompressible(BOX, method="magic"), ValueError, '"smac", "semi-lagrangian" or "leapfrog"'),
    (lambda: sc.Incompressible(BOX, walls={"north": "slip"}), ValueError, "walls are left"),
    (lambda: sc.Incompressible(BOX, walls={"left": "wet"}), ValueError, "not 'wet'"),
    (lambda: sc.Incompressible(BOX, walls={"left": "inflow"}), ValueError, "sc.inflow"),
    (lambda: sc.Incompressible(BOX, walls={"left": 3}), TypeError, "a wall must be"),
    (lambda: sc.Incompressible(BOX, walls={"left": "periodic"}), ValueError, "both sides"),
    (lambda: sc.Incompressible(BOX, walls={"others": sc.no_slip((1, 0))}), ValueError, "at rest"),
    (lambda: sc.Incompressible(BOX, walls={"left": sc.inflow((1, 0))}), ValueError, "outflow"),
    (lambda: sc.Incompressible(BOX, walls={"left": sc.inflow(lambda x, y: [1, 2]), "right": "outflow"}), ValueError, "8 values"),
    (lambda: sc.Incompressible(BOX, initial=lambda x, y: x), ValueError, "2 components"),
    (lambda: sc.Incompressible(BOX, dtype="i4"), ValueError, "float64 or float32"),
    (lambda: sc.Incompressible(BOX, inks=["velocity"]), ValueError, "names of inks"),
    (lambda: sc.Incompressible(BOX, method="leapfrog", acceleration=(1, 0)), ValueError, "takes an acceleration"),
    (lambda: sc.Incompressible(BOX).run(), ValueError, "say when to stop"),
    (lambda: sc.Incompressible(BOX).run(until=-1), ValueError, "before the time"),
    (lambda: sc.Incompressible(BOX).velocity_at([(99, 0)]), ValueError, "99"),
    (lambda: sc.Incompressible(BOX).velocity_at([(1, 2, 3)]), ValueError, "shape"),
    (lambda: sc.Incompressible(BOX).ink("red"), ValueError, 'no ink named "red"'),
    (lambda: sc.Incompressible(BOX).force(3), TypeError, "must be a Set"),
    (lambda: sc.Incompressible(BOX, method="leapfrog").greatest_change(), ValueError, "only the method"),
])
def test_mistakes(wrong, kind, text):
    with pytest.raises(kind, match=text) as caught:
        wrong()
    assert "\n" not in str(caught.value) and ".hpp:" not in str(caught.value) and ".cpp:" not in str(caught.value)
