"""NavierStokes against the same scheme in NumPy."""

import sys
from pathlib import Path

import numpy as np
import pytest

import sparsecells as sc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
import cavity_numpy  # noqa: E402


def cavity(n=41, **options):
    flow = sc.NavierStokes(n, n, 1, 1, **options)
    flow.set_u_boundary(np.arange(n), n - 1, 1.0)
    flow.set_p_boundary(np.arange(n), n - 1, 0.0)
    return flow


def test_is_the_scheme_of_numpy():
    flow = cavity()
    flow.solve(1000)
    assert flow.step_count == 1000 and np.isclose(flow.time, 1)
    u, v, p = cavity_numpy.simulate()
    for ours, theirs in ((flow.u, u), (flow.v, v)):
        assert ours.shape == (41, 41) and ours.dtype == float
        assert abs(ours - theirs).max() <= 1e-13 * abs(theirs).max()
    inside = slice(1, -1), slice(1, -1)
    assert abs(flow.p - p)[inside].max() <= 1e-13 * abs(p).max()
    assert np.isclose(u[:, 20].min(), -0.15899, atol=1e-5) and np.allclose([v[20].min(), v[20].max()], [-0.1564, 0.1497], atol=1e-4)


def test_in_single_precision():
    flow = cavity(dtype="f4")
    flow.solve(1000)
    u, v, _ = cavity_numpy.simulate()
    assert flow.u.dtype == np.float32 and abs(flow.u - u).max() < 1e-4 and abs(flow.v - v).max() < 1e-4


def test_goes_on_and_takes_single_nodes():
    whole, parts = cavity(), sc.NavierStokes(41, 41, 1, 1)
    for x in range(41):
        parts.set_u_boundary(x, 40, 1.0)
        parts.set_p_boundary(x, 40, 0.0)
    whole.solve(40)
    parts.solve(15)
    parts.solve(25)
    assert whole.u.tobytes() == parts.u.tobytes() and whole.p.tobytes() == parts.p.tobytes()
    parts.set_v_boundary([5, 6], [7, 8], [0.25, 0.5])
    parts.solve(1)
    assert parts.v[7, 5] == 0.25 and parts.v[8, 6] == 0.5
    assert repr(whole) == "NavierStokes(41 x 41 nodes, time 0.04, step 40)"


def test_unstable_steps_are_refused():
    flow = cavity(time_step=0.01)
    with pytest.raises(ValueError, match="longest stable one"):
        flow.solve(1)
    assert flow.longest_step < 0.01 and flow.step_count == 0
    wild = cavity(81, time_step=0.01, viscosity=0.1, allow_unstable=True)
    with pytest.raises(sc.NonFiniteState, match="step"):
        wild.solve(200)
    assert np.isfinite(wild.u).all()


@pytest.mark.parametrize("wrong, kind", [
    (lambda: sc.NavierStokes(2, 41, 1, 1), ValueError),
    (lambda: sc.NavierStokes(41.0, 41, 1, 1), TypeError),
    (lambda: sc.NavierStokes(41, 41, 0, 1), ValueError),
    (lambda: sc.NavierStokes(41, 41, 1, 1, viscosity=-1), ValueError),
    (lambda: sc.NavierStokes(41, 41, 1, 1, dtype="i4"), ValueError),
    (lambda: cavity().set_u_boundary(41, 0, 1.0), IndexError),
    (lambda: cavity().set_u_boundary(-1, 0, 1.0), IndexError),
    (lambda: cavity().set_u_boundary(0.5, 0, 1.0), TypeError),
    (lambda: cavity().set_u_boundary(0, 0, np.nan), ValueError),
    (lambda: cavity().solve(1.5), TypeError),
])
def test_mistakes(wrong, kind):
    with pytest.raises(kind) as caught:
        wrong()
    assert "\n" not in str(caught.value) and ".cpp:" not in str(caught.value)
