"""What a call from Python costs: the least time of many repetitions.

usage: PYTHONPATH=build/release/python .deps/python/bin/python benchmarks/python/overheads.py
"""

import subprocess
import sys
import time
import timeit

import numpy as np

import sparsecells as sc


def least(statement, number, repeat=40, **names):
    """Microseconds of a statement, the least of some means."""
    return 1e6 * min(timeit.repeat(statement, number=number, repeat=repeat, globals=names)) / number


def least_import():
    """Milliseconds of the processor for the import, without those of NumPy."""
    text = "import numpy, time; t = time.process_time(); import sparsecells; print(time.process_time() - t)"
    return 1e3 * min(float(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout) for _ in range(9))


def least_first_use():
    """Milliseconds of the processor for the first set, when Kokkos starts."""
    text = "import sparsecells as sc, time; t = time.process_time(); sc.box((0, 0), (4, 4)); print(time.process_time() - t)"
    return 1e3 * min(float(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout) for _ in range(9))


def share_of_given_side(cells=(96, 128), steps=12, rounds=25):
    """What a given side in NumPy adds to a step on four levels, as a share of the step with a side by name.

    Both flows are the same and take the same steps, in turns. Least, middle and greatest share of all rounds.
    """
    gas = sc.Euler()
    free = gas.state(1, (2, 0), 1 / 1.4)

    def make(left):
        body = sc.Ball((0.3 * cells[0], 0.5 * cells[1]), radius=8)
        sim = sc.Compressible(sc.Domain(cells, levels=4, bodies=[body], sides={"left": left, "others": "open"}), gas, free, free)
        sim.run(until=1e9, most_steps=20).finish()
        return sim

    sims = [make("inflow"), make(lambda p: np.where(p.inside[0] > 0, free[:, None], p.inside))]
    times = [[], []]
    for _ in range(rounds):
        for sim, found in zip(sims, times):
            begin = time.process_time()
            sim.run(until=1e9, most_steps=steps).finish()
            found.append(time.process_time() - begin)
    assert sims[0].update_count == sims[1].update_count
    shares = sorted(given / named - 1 for named, given in zip(*times))
    return shares[0], shares[len(shares) // 2], shares[-1]


if __name__ == "__main__":
    a, b = sc.box((0, 0), (400, 160)), sc.ball((80, 80), 20)
    heat = sc.Field(a)
    print(f"import, without NumPy      {least_import():8.2f} ms")
    print(f"first use                  {least_first_use():8.2f} ms")
    print(f"bool(set)                  {least('bool(a)', 100000, a=a):8.3f} us")
    print(f"len(set)                   {least('len(a)', 100000, a=a):8.3f} us")
    print(f"field.values               {least('f.values', 20000, f=heat):8.3f} us")
    print(f"a - b, 160 rows            {least('a - b', 5000, a=a, b=b):8.2f} us")
    print("given side, 4 levels       " + ", ".join(f"{100 * share:.1f}" for share in share_of_given_side()) + " % of the step")
