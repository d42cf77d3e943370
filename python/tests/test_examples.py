"""The examples, coarse."""

import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))


@pytest.mark.parametrize("name, most", [("mach2", 30), ("cavity", 30), ("cavity_numpy", 60), ("sets", 40)])
def test_are_short(name, most):
    assert len((EXAMPLES / f"{name}.py").read_text().splitlines()) <= most


def test_sets():
    import sets

    heat, warm = sets.simulate(steps=50)
    assert np.isclose(heat.values.sum(), 112) and len(warm) > 112 and not warm - heat.domain


def test_mach2():
    import mach2

    sim = mach2.simulate(cells=(24, 32), radius=2.0, until=30)
    ahead = sim.probe([(0.3 * 24 - 2.1, 16)], "pressure")[0] * 1.4
    assert np.isclose(ahead, 5.64, rtol=0.05)  # behind a normal shock, then at rest: 5.6404 times that of the stream
    assert sim.level_count == 4 and abs(sim.force(0).lift) < 1e-6


def test_cavity():
    import cavity

    flow = cavity.simulate(n=48, reynolds=400, steady=1e-3)
    assert np.isclose(flow.stream_function().min, -0.1139, rtol=0.03)  # Ghia, Ghia and Shin (1982), Re 400
