"""The lid-driven cavity in NumPy: one scheme, to be read. docs/python.md asks how it can go faster.

Nodes on a square of side 1, all values at the same nodes, Euler's method, central differences, sweeps of Jacobi's
method for the pressure. After F. Koehler's lid-driven cavity and D. J. Vickers' fluid_simulation (2024).
"""

import sys
import time

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]


def simulate(
    n: int = 41, steps: int = 1000, dt: float = 0.001, viscosity: float = 0.1, density: float = 1.0, sweeps: int = 50
) -> tuple[Array, Array, Array]:
    """Velocity u, v and pressure p, each [y, x] on n x n nodes, after some steps from rest. The lid moves with u = 1."""
    h = 1 / (n - 1)
    if dt > 0.5 * 0.5 * h * h / viscosity:
        raise ValueError(f"the time step {dt} is more than the stable one, {0.25 * h * h / viscosity}")
    u, v, p = (np.zeros((n, n)) for _ in range(3))
    inside = slice(1, -1), slice(1, -1)

    def x_slope(f: Array) -> Array:
        return (f[1:-1, 2:] - f[1:-1, :-2]) / (2 * h)

    def y_slope(f: Array) -> Array:
        return (f[2:, 1:-1] - f[:-2, 1:-1]) / (2 * h)

    def around(f: Array) -> Array:
        return f[1:-1, :-2] + f[1:-1, 2:] + f[:-2, 1:-1] + f[2:, 1:-1]

    def change(f: Array) -> Array:
        curvature = (around(f) - 4 * f[inside]) / h**2
        return viscosity * curvature - u[inside] * x_slope(f) - v[inside] * y_slope(f)

    for _ in range(steps):
        tentative_u, tentative_v = np.zeros_like(u), np.zeros_like(v)
        tentative_u[inside] = u[inside] + dt * change(u)
        tentative_v[inside] = v[inside] + dt * change(v)
        source = density / dt * (x_slope(tentative_u) + y_slope(tentative_v))
        for _ in range(sweeps):
            p[inside] = (around(p) - h**2 * source) / 4
            p[:, -1], p[:, 0], p[0, :], p[-1, :] = p[:, -2], p[:, 1], p[1, :], 0  # walls; the lid has pressure 0
        u, v = tentative_u, tentative_v
        u[inside] -= dt / density * x_slope(p)
        v[inside] -= dt / density * y_slope(p)
        u[-1, :] = 1
    if not np.isfinite(u).all():
        raise FloatingPointError("the flow is not finite")
    return u, v, p


if __name__ == "__main__":
    begin = time.perf_counter()
    u, v, p = simulate(steps=int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    print(f"{time.perf_counter() - begin:.2f} s; on the centre line least u {u[:, 20].min():.5f}, v {v[20].min():.4f} to {v[20].max():.4f}")
