"""The same work by sparsecells and by other packages, in turns within one run: time, and lines of code.

usage: PYTHONPATH=build/release/python PYTHON benchmarks/python/peers.py [--quick]
PYTHON has the packages of python/requirements.txt and of requirements.txt beside this file; rows whose package is
missing are left out. Times are the least of some rounds.
"""

import importlib
import importlib.metadata
import inspect
import sys
import time
from pathlib import Path

import numpy as np

import sparsecells as sc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
import cavity_numpy  # noqa: E402

QUICK = "--quick" in sys.argv
N = 512 if QUICK else 2048  # cells along a side


def package(name):
    """A package, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def lines(function):
    """Lines of a function without its first line and its documentation."""
    body = inspect.getsource(function).splitlines()[1:]
    return sum(1 for line in body if line.strip() and not line.strip().startswith(('"""', "#")))


def compare(title, rivals, check, rounds=5):
    """Runs rivals in turns and prints a row for each. check(result) gives a number that must agree."""
    print(f"\n{title}")
    times, results = {f: [] for f in rivals}, {}
    for _ in range(2 if QUICK else rounds):
        for f, arguments in rivals.items():
            begin = time.perf_counter()
            results[f] = f(*arguments)
            times[f].append(time.perf_counter() - begin)
    wanted = check(results[next(iter(rivals))])
    for f in rivals:
        found = check(results[f])
        agrees = "same" if found == wanted else f"{abs(found - wanted) / abs(wanted):.1e} apart"
        print(f"  {f.__doc__:<44} {1e3 * min(times[f]):10.2f} ms {lines(f):4d} lines   {agrees}")


# ---- sets: a plate with 200 holes, its difference with a ring, grown by a disc of radius 5


def holes():
    rng = np.random.default_rng(1)
    return [(tuple(rng.uniform(0, N, 2)), rng.uniform(5, N / 20)) for _ in range(200)]


def make_sets(balls):
    """sparsecells: shapes"""
    plate = sc.box((0, 0), (N, N))
    return plate - sc.unite([sc.ball(center, radius) for center, radius in balls])


def make_masks(balls):
    """NumPy masks: shapes"""
    y, x = np.arange(N)[:, None] + 0.5, np.arange(N) + 0.5
    mask = np.ones((N, N), bool)
    for (cx, cy), r in balls:
        mask &= (x - cx) ** 2 + (y - cy) ** 2 > r * r
    return mask


def algebra_sets(a, b):
    """sparsecells: (a | b) - (a & b)"""
    return (a | b) - (a & b)


def algebra_masks(a, b):
    """NumPy masks: (a | b) & ~(a & b)"""
    return (a | b) & ~(a & b)


def algebra_roaring(a, b):
    """pyroaring: (a | b) - (a & b)"""
    return (a | b) - (a & b)


def grow_set(a):
    """sparsecells: dilation by a disc of radius 5"""
    return a.expand(5, "ball")


def grow_mask(a):
    """scipy.ndimage: dilation by a disc of radius 5"""
    from scipy import ndimage

    y, x = np.ogrid[-5:6, -5:6]
    return ndimage.binary_dilation(np.pad(a, 5), x * x + y * y <= 25)


def grow_mask_by_distance(a):
    """scipy.ndimage: the same by a distance transform"""
    from scipy import ndimage

    return ndimage.distance_transform_edt(~np.pad(a, 5)) <= 5


def parts_of_set(a):
    """sparsecells: connected components"""
    return np.asarray(a.components().sizes)


def parts_of_mask(a):
    """scipy.ndimage: connected components"""
    from scipy import ndimage

    labels, _ = ndimage.label(a)
    return np.bincount(labels.ravel())[1:]


def count(result):
    """Cells of a set, a mask or a bitmap; components of sizes."""
    if isinstance(result, np.ndarray) and result.dtype == bool:
        return int(result.sum())
    return len(result)


# ---- pressure: the plate, p = 0 at its right side


def poisson_cells(fluid, b):
    """sparsecells: multigrid-CG, 1e-8"""
    x, _ = sc.Poisson(fluid, dirichlet={"right": 0.0}).solve(b, tolerance=1e-8)
    return x.values


def poisson_amg(matrix, b):
    """PyAMG: smoothed aggregation with CG, 1e-8"""
    import pyamg

    solver = pyamg.smoothed_aggregation_solver(matrix)
    return solver.solve(b, tol=1e-8, accel="cg")


def poisson_ruge_stuben(matrix, b):
    """PyAMG: Ruge-Stuben with CG, 1e-8"""
    import pyamg

    solver = pyamg.ruge_stuben_solver(matrix)
    return solver.solve(b, tol=1e-8, accel="cg")


def poisson_direct(matrix, b):
    """SciPy: spsolve (SuperLU)"""
    from scipy.sparse.linalg import spsolve

    return spsolve(matrix, b)


def poisson_cg(matrix, b):
    """SciPy: cg, 1e-8"""
    from scipy.sparse.linalg import cg

    x, _ = cg(matrix, b, rtol=1e-8, maxiter=20000)
    return x


def matrix_of(fluid):
    """The matrix of the same problem, for SciPy; not timed."""
    from scipy import sparse

    cells, n = fluid.cells(), len(fluid)
    diagonal, rows, columns = np.zeros(n), [], []
    for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        there = fluid.find(cells + step)
        has = there >= 0
        diagonal += has
        rows.append(np.flatnonzero(has))
        columns.append(there[has])
    at_right = (cells[:, 0] == fluid.bounds[1][0] - 1)
    diagonal += 2 * at_right
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    off = sparse.csr_array((-np.ones(len(rows)), (rows, columns)), shape=(n, n))
    return sparse.csr_matrix(off + sparse.diags_array(diagonal))


# ---- flow: the lid-driven cavity of fluid_simulation, 41 x 41 nodes


def cavity_of_nodes(steps):
    """sparsecells: NavierStokes"""
    flow = sc.NavierStokes(41, 41, 1, 1)
    flow.set_u_boundary(np.arange(41), 40, 1.0)
    flow.set_p_boundary(np.arange(41), 40, 0.0)
    flow.solve(steps)
    return flow.u


def cavity_of_numpy(steps):
    """NumPy: cavity_numpy.py (44 lines)"""
    return cavity_numpy.simulate(steps=steps)[0]


def make_cavity_of_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    h, dt, viscosity = 1 / 40, 0.001, 0.1

    def x_slope(f):
        return (f[1:-1, 2:] - f[1:-1, :-2]) / (2 * h)

    def y_slope(f):
        return (f[2:, 1:-1] - f[:-2, 1:-1]) / (2 * h)

    def around(f):
        return f[1:-1, :-2] + f[1:-1, 2:] + f[:-2, 1:-1] + f[2:, 1:-1]

    def step(_, state):
        u, v, p = state

        def change(f):
            return viscosity * (around(f) - 4 * f[1:-1, 1:-1]) / h**2 - u[1:-1, 1:-1] * x_slope(f) - v[1:-1, 1:-1] * y_slope(f)

        a = jnp.zeros_like(u).at[1:-1, 1:-1].set(u[1:-1, 1:-1] + dt * change(u))
        b = jnp.zeros_like(v).at[1:-1, 1:-1].set(v[1:-1, 1:-1] + dt * change(v))
        source = (x_slope(a) + y_slope(b)) / dt

        def sweep(_, p):
            p = p.at[1:-1, 1:-1].set((around(p) - h**2 * source) / 4)
            return p.at[:, -1].set(p[:, -2]).at[:, 0].set(p[:, 1]).at[0].set(p[1]).at[-1].set(0)

        p = jax.lax.fori_loop(0, 50, sweep, p)
        return a.at[1:-1, 1:-1].add(-dt * x_slope(p)).at[-1].set(1), b.at[1:-1, 1:-1].add(-dt * y_slope(p)), p

    @jax.jit
    def simulate(steps):
        return jax.lax.fori_loop(0, steps, step, (jnp.zeros((41, 41)),) * 3)

    def cavity_of_jax(steps):
        """JAX: the same, compiled before (33 lines)"""
        return np.asarray(simulate(steps)[0])

    return cavity_of_jax


def main():
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "pyamg", "pyroaring", "jax") if package(name)]
    print(f"sparsecells {sc.__version__} ({sc.backend()}), Python {sys.version.split()[0]}, {', '.join(versions)}")
    balls = holes()
    compare(f"A plate of {N} x {N} cells with 200 holes", {make_sets: (balls,), make_masks: (balls,)}, count)
    a, b = make_sets(balls), sc.ball((N / 2, N / 2), N / 2.2) - sc.ball((N / 2, N / 2), N / 3)
    frame = (0, 0), (N, N)
    x, y = a.to_mask(*frame), b.to_mask(*frame)
    rivals = {algebra_sets: (a, b), algebra_masks: (x, y)}
    if package("pyroaring"):
        bitmaps = []
        for mask in (x, y):
            bitmap = package("pyroaring").BitMap(np.flatnonzero(mask).astype(np.uint32))
            bitmap.run_optimize()
            bitmaps.append(bitmap)
        rivals[algebra_roaring] = tuple(bitmaps)
    compare("Symmetric difference with a ring", rivals, count)
    if package("scipy"):
        compare("Dilation", {grow_set: (a,), grow_mask: (x,), grow_mask_by_distance: (x,)}, count, rounds=3)
        compare("Components of a checked plate", {parts_of_set: (a & sc.checkerboard(*frame, 8),), parts_of_mask: ((a & sc.checkerboard(*frame, 8)).to_mask(*frame),)}, count)
    n = min(N, 512)
    fluid = sc.box((0, 0), (n, n)) - sc.unite([sc.ball(np.array(c) * n / N, r * n / N) for c, r in balls])
    fluid = fluid.components().of_size(len(fluid) // 2)  # others have no side, and SciPy's solvers no unique solution
    right = np.sin(np.arange(len(fluid)) / 100)
    rivals = {poisson_cells: (fluid, right)}
    if package("scipy"):
        matrix = matrix_of(fluid)
        rivals.update({poisson_direct: (matrix, right), poisson_cg: (matrix, right)})
        if package("pyamg"):
            rivals.update({poisson_amg: (matrix, right), poisson_ruge_stuben: (matrix, right)})
    compare(f"Pressure in {len(fluid)} cells around holes, set-up included", rivals, lambda p: float(np.linalg.norm(p)), rounds=3)
    steps = 100 if QUICK else 1000
    rivals = {cavity_of_nodes: (steps,), cavity_of_numpy: (steps,)}
    if package("jax"):
        of_jax = make_cavity_of_jax()
        of_jax(1)
        rivals[of_jax] = (steps,)
    compare(f"{steps} steps of the cavity on 41 x 41 nodes", rivals, lambda u: float(u[:, 20].min()), rounds=3)


if __name__ == "__main__":
    main()
