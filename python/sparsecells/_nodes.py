"""The scheme of a well-known example: velocity and pressure at the same nodes, Euler's method, sweeps of Jacobi's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sparsecells import _core

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


class NavierStokes:
    """Incompressible flow in a rectangle of nx x ny nodes, at rest in the beginning.

    nx, ny: nodes along each side, at least 3. width, height: of the rectangle [length]. density, viscosity (kinematic),
    time_step: > 0. sweep_count: sweeps of Jacobi's method for the pressure in each step. stability_factor: the part of
    1 / (viscosity (1 / dx^2 + 1 / dy^2)) that a time step may be; diffusion is stable up to 0.5. allow_unstable: takes a
    longer step all the same. dtype: float64 or float32. Raises ValueError for other numbers or types.

    Velocities of boundary nodes stay 0 unless they are given. Where pressure is not given there, its normal derivative is
    0. First order in time. It is there to teach and to be compared with; for flows to rely on, take `Incompressible`.
    Source: D. J. Vickers, fluid_simulation (2024), after F. Koehler, lid-driven cavity in simple Python.
    """

    def __init__(
        self, nx: int, ny: int, width: float, height: float, *, density: float = 1.0, viscosity: float = 0.1, time_step: float = 0.001,
        sweep_count: int = 50, stability_factor: float = 0.5, allow_unstable: bool = False, dtype: npt.DTypeLike = "f8",
    ) -> None:  # fmt: skip
        name = np.dtype(dtype).name
        if name not in ("float64", "float32"):
            raise ValueError(f"NavierStokes: dtype must be float64 or float32, not {name}")
        if not (isinstance(nx, int) and isinstance(ny, int)):
            raise TypeError(f"NavierStokes: nx and ny must be whole numbers, not {nx} and {ny}")
        if nx < 3 or ny < 3:
            raise ValueError(f"NavierStokes: there must be at least 3 nodes along each side, not {nx} and {ny}")
        if not (width > 0 and height > 0):
            raise ValueError(f"NavierStokes: width and height must be positive, not {width} and {height}")
        self._core = getattr(_core, "_Nodes_f8" if name == "float64" else "_Nodes_f4")(nx, ny, width, height)
        self._shape = ny, nx
        self._core.set_options(
            density=density, viscosity=viscosity, time_step=time_step, sweep_count=sweep_count, stability_factor=stability_factor,
            allow_unstable=allow_unstable,
        )  # fmt: skip

    def set_u_boundary(self, x: npt.ArrayLike, y: npt.ArrayLike, value: npt.ArrayLike) -> None:
        """Gives u at nodes: x, y are numbers or arrays of them, value one number or one each. Later values count.

        Velocities hold from the end of the next step on. Raises IndexError for a node that is not there.
        """
        self._fix(0, x, y, value)

    def set_v_boundary(self, x: npt.ArrayLike, y: npt.ArrayLike, value: npt.ArrayLike) -> None:
        """Gives v at nodes, as `set_u_boundary` gives u."""
        self._fix(1, x, y, value)

    def set_p_boundary(self, x: npt.ArrayLike, y: npt.ArrayLike, value: npt.ArrayLike) -> None:
        """Gives the pressure at nodes, as `set_u_boundary` gives u. It holds at once."""
        self._fix(2, x, y, value)

    def _fix(self, component: int, x: npt.ArrayLike, y: npt.ArrayLike, value: npt.ArrayLike) -> None:
        columns, rows = np.asarray(x), np.asarray(y)
        if columns.dtype.kind not in "iu" or rows.dtype.kind not in "iu":
            raise TypeError("x and y must be whole numbers: those of nodes, from 0 on")
        values = np.asarray(value, float)
        if not np.isfinite(values).all():
            raise ValueError("a given value must be finite")
        if (columns < 0).any() or (rows < 0).any():
            raise IndexError(f"nodes have the numbers 0 to {self._shape[1] - 1} and 0 to {self._shape[0] - 1}")
        given = np.full(self._shape, np.nan)
        given[rows, columns] = values
        self._core.fix(component, given)

    def solve(self, steps: int = 1000) -> None:
        """Takes steps, from the state as it is.

        Raises ValueError with the limit if the time step is longer than `longest_step`; NonFiniteState, naming the step
        and the node, if a value is no longer finite. The state is then that before this step.
        """
        self._core.advance(steps)

    @property
    def u(self) -> Array:
        """(ny, nx) the velocity along x, a copy."""
        return np.asarray(self._core.values(0))

    @property
    def v(self) -> Array:
        """(ny, nx) the velocity along y, a copy."""
        return np.asarray(self._core.values(1))

    @property
    def p(self) -> Array:
        """(ny, nx) the pressure, a copy."""
        return np.asarray(self._core.values(2))

    @property
    def longest_step(self) -> float:
        """The longest time step that `solve` takes without `allow_unstable`."""
        return float(self._core.longest_step)

    @property
    def time(self) -> float:
        """The time of the state."""
        return float(self._core.time)

    @property
    def step_count(self) -> int:
        """The number of steps so far."""
        return int(self._core.step_count)

    def __repr__(self) -> str:
        return f"NavierStokes({self._shape[1]} x {self._shape[0]} nodes, time {self.time:.6g}, step {self.step_count})"
