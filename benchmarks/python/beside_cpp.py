"""The same work from Python and in C++ (twin.cpp), in turns within one run: ratios of least CPU times.

usage: OMP_NUM_THREADS=1 PYTHONPATH=build/release/python .deps/python/bin/python benchmarks/python/beside_cpp.py [ROUNDS]
The program build/release/benchmarks/python_twin must be there; PYTHON_TWIN names another.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import sparsecells as sc

PROGRAM = os.environ.get("PYTHON_TWIN") or Path(__file__).resolve().parents[2] / "build/release/benchmarks/python_twin"
STEPS, TIMES = 10, 2000


def make_solve():
    """-laplacian(x) = b on 1024^2 cells, to 1e-8."""
    cells = sc.box((0, 0), (1024, 1024))
    problem = sc.Poisson(cells, spacing=1 / 1024, dirichlet={"right": 0.0})
    b = sc.Field(cells)
    b.values[:] = np.sin(np.arange(len(cells)) / 100)
    problem.solve(b, tolerance=1e-8)
    return lambda: problem.solve(b, tolerance=1e-8)


def make_step():
    """Steps of SMAC on 1024 x 128 cells with a ball and an ink."""
    fluid = sc.box((0, 0), (1024, 128)) - sc.ball((128, 64), 16)
    flow = sc.Incompressible(fluid, spacing=1 / 128, viscosity=1e-3, walls={"left": sc.inflow((1, 0)), "right": "outflow"}, inks=["ink"])
    flow.set_ink("ink", 1.0)

    def step():
        for _ in range(STEPS):
            flow.step()

    step()
    step()
    return step


def make_subtract():
    """a - b of 160 rows."""
    a, b = sc.box((0, 0), (400, 160)), sc.ball((80, 80), 20)

    def subtract():
        for _ in range(TIMES):
            a - b

    return subtract


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    works = {"solve": (make_solve, 1), "step": (make_step, STEPS), "subtract": (make_subtract, TIMES)}
    print(f"sparsecells {sc.__version__}, {sc.backend()}; least CPU time of {rounds} rounds, in turns")
    with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as twin:
        for name, (make, count) in works.items():
            work = None  # the memory of the work before is free, here as in the program
            work = make()
            ours, theirs = [], []
            for _ in range(rounds):
                print(name, file=twin.stdin, flush=True)
                theirs.append(float(twin.stdout.readline()))
                begin = time.process_time()
                work()
                ours.append((time.process_time() - begin) / count)
            a, b = min(ours), min(theirs)
            print(f"{name:10} {1e6 * a:12.1f} us from Python {1e6 * b:12.1f} us in C++   ratio {a / b:.3f}, difference {1e6 * (a - b):.2f} us")
        twin.stdin.close()


if __name__ == "__main__":
    main()
