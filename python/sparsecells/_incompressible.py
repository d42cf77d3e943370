"""Incompressible flow on any set of cells."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sparsecells import _core
from sparsecells._compressible import Step
from sparsecells._core import Field, Report, Set
from sparsecells._pictures import Picture
from sparsecells._run import Bar, Run, Simulation

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Velocity = Sequence[float] | Callable[..., npt.ArrayLike]

_KINDS = {"slip": 0, "no_slip": 1, "outflow": 2, "inflow": 3}  # in the order of C++


class Wall:
    """What holds on a side or on a body; `no_slip`, `slip` and `inflow` make it."""

    def __init__(self, kind: str, velocity: Velocity) -> None:
        self._kind, self._velocity = kind, velocity

    def __repr__(self) -> str:
        return f"{self._kind}({self._velocity!r})"


def no_slip(velocity: Sequence[float]) -> Wall:
    """A wall to which the flow sticks, and which moves along itself with this velocity."""
    return Wall("no_slip", velocity)


def slip(velocity: Sequence[float]) -> Wall:
    """A wall without friction, which moves with this velocity."""
    return Wall("slip", velocity)


def inflow(velocity: Velocity) -> Wall:
    """A side through which fluid enters.

    velocity: a vector; or a function of the middles of all faces, `lambda x, y: 4 * y * (1 - y)`, called once, for the
    velocity along the axis normal to the side.
    """
    return Wall("inflow", velocity)


class StreamFunction(NamedTuple):
    """psi with velocity = (d psi / dy, -d psi / dx), on the nodes of the fluid [length^2 / time].

    field: on nodes; node (i, j) is the lower corner of cell (i, j). min, max: extrema, between nodes by parabolas.
    min_at, max_at: their points [length].
    """

    field: Field
    min: float
    min_at: tuple[float, float]
    max: float
    max_at: tuple[float, float]


class FlowForce(NamedTuple):
    """The force of a flow on a body over the density [length^(dim + 1) / time^2].

    pressure, viscous: of pressure and of friction. carried: what the flow carries through the middles of the cells
    beside walls; it vanishes with the spacing.
    """

    pressure: tuple[float, ...]
    viscous: tuple[float, ...]
    carried: tuple[float, ...]

    @property
    def total(self) -> tuple[float, ...]:
        """The sum of all."""
        return tuple(map(sum, zip(self.pressure, self.viscous, self.carried)))

    @property
    def drag(self) -> float:
        """The whole force along x."""
        return self.total[0]

    @property
    def lift(self) -> float:
        """The whole force along y."""
        return self.total[1]


class Incompressible(Simulation):
    """An incompressible flow in a set of cells.

    fluid: the cells. spacing: cell width, one or one per axis [length]. viscosity: kinematic, >= 0 [length^2 / time].
    method: "smac" (second order, Runge-Kutta), "semi-lagrangian" (stable for long steps) or "leapfrog" (flow maps, keeps
    vortices). walls: a dict from sides of the fluid's bounds, "left", "right", "bottom", "top", "back", "front", from
    sets of solid cells, and from "others", to "no_slip", "slip", "outflow", "periodic" (both sides of an axis), or what
    `no_slip`, `slip` and `inflow` make. initial: `lambda x, y: (u, v)` of the middles of faces; rest by default. inks:
    names of values that the flow carries; see `set_ink`. acceleration: of all fluid, with "smac". tolerance: of the
    pressure solver. size: safety factor of "smac" (0.5), cells that fluid crosses per step of the others (1). dtype:
    float64 or float32.

    Raises ValueError for what makes no sense, for example fluid that enters and cannot leave.
    """

    def __init__(
        self,
        fluid: Set,
        spacing: float | Sequence[float] = 1.0,
        viscosity: float = 0.0,
        method: str = "smac",
        walls: Mapping[str | Set, str | Wall] | None = None,
        origin: Sequence[float] | None = None,
        initial: Callable[..., Sequence[npt.ArrayLike]] | None = None,
        inks: Sequence[str] = (),
        ink_method: str = "fluxes",
        acceleration: Sequence[float] | None = None,
        tolerance: float = 1e-6,
        size: float | None = None,
        dtype: npt.DTypeLike = "f8",
    ) -> None:
        self._arguments = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        self._make(None)

    def _make(self, saved: dict[str, Any] | None) -> None:
        a = self._arguments
        fluid = a["fluid"]
        if not isinstance(fluid, Set):
            raise TypeError(f"Incompressible: fluid must be a Set, not {type(fluid).__name__}")
        self.fluid: Set = fluid
        self.report: Report | None = None
        """What the pressure solver did in the last step."""
        self.unsolved_steps = 0
        """Steps in which it did not meet its tolerance."""
        dim, spacing = fluid.dim, a["spacing"]
        others, parts, periodic = self._read(a["walls"] or {}, dim)
        name = np.dtype(a["dtype"]).name
        if name not in ("float64", "float32"):
            raise ValueError(f"Incompressible: dtype must be float64 or float32, not {name}")
        inks = list(a["inks"])
        taken = {"velocity", "vorticity", "pressure", "streaks", "stream_function"}
        if len(set(inks)) != len(inks) or taken & set(inks):
            raise ValueError(f"Incompressible: names of inks must differ from each other and from {', '.join(sorted(taken))}")
        kind = getattr(_core, f"_Flow_{'f8' if name == 'float64' else 'f4'}_{dim}d")
        self._size = a["size"] if a["size"] is not None else 0.5 if a["method"] == "smac" else 1.0
        self._core = kind(
            dict(
                fluid=fluid, spacing=spacing if isinstance(spacing, Sequence) else (spacing,) * dim,
                origin=a["origin"] if a["origin"] is not None else (0.0,) * dim,
                acceleration=a["acceleration"] if a["acceleration"] is not None else (0.0,) * dim,
                viscosity=a["viscosity"], method=a["method"], tolerance=a["tolerance"], ink=a["ink_method"], carried=inks,
                others=others, parts=parts, periodic=periodic, initial=a["initial"], saved=saved,
            )
        )  # fmt: skip

    @staticmethod
    def _read(walls: Mapping[str | Set, str | Wall], dim: int) -> tuple[int, list[dict[str, Any]], list[int]]:
        others, parts = _KINDS["no_slip"], []
        names = ("left", "right", "bottom", "top", "back", "front")[: 2 * dim]
        sides_of_periods = {key for key, wall in walls.items() if wall == "periodic"}
        periodic = [axis for axis in range(dim) if names[2 * axis] in sides_of_periods]
        if sides_of_periods != {name for axis in periodic for name in names[2 * axis : 2 * axis + 2]}:
            raise ValueError("Incompressible: both sides of an axis must be periodic, or neither")
        for key, wall in walls.items():
            if key in sides_of_periods:
                continue
            if isinstance(wall, str):
                if wall not in ("no_slip", "slip", "outflow"):
                    hint = "; write sc.inflow(velocity)" if wall == "inflow" else ""
                    raise ValueError(f"Incompressible: a wall must be no_slip, slip, outflow or periodic, not {wall!r}{hint}")
                wall = Wall(wall, (0.0,) * dim)
            if not isinstance(wall, Wall):
                raise TypeError(f"Incompressible: a wall must be a name, or what no_slip, slip or inflow make, not {wall!r}")
            if isinstance(key, str) and key == "others":
                if wall._kind not in ("no_slip", "slip") or callable(wall._velocity) or any(wall._velocity):
                    raise ValueError("Incompressible: others must be walls at rest, no_slip or slip")
                others = _KINDS[wall._kind]
            elif isinstance(key, Set) or key in names:
                parts.append({"where": key, "kind": _KINDS[wall._kind], "velocity": wall._velocity})
            else:
                raise ValueError(f"Incompressible: walls are {', '.join(names)}, others and sets, not {key!r}")
        return others, parts, periodic

    @property
    def time(self) -> float:
        """The time of the state."""
        return float(self._core.time)

    @property
    def step_count(self) -> int:
        """The number of steps so far."""
        return int(self._core.step_count)

    def step(self, longest: float = math.inf) -> float:
        """Takes the longest stable step, but at most `longest`; "leapfrog" takes a cycle of five. Returns its length.

        Raises NonFiniteState if a value is no longer finite. Warns once if the pressure solver misses its tolerance;
        `report` says what it did.
        """
        dt, self.report = self._core.advance(longest, self._size)
        if not self.report.converged:
            if self.unsolved_steps == 0:
                warnings.warn(f"the pressure of a step {self.report.reason}: see flow.report and flow.unsolved_steps", RuntimeWarning, stacklevel=2)
            self.unsolved_steps += 1
        return float(dt)

    def steps(
        self, until: float | None = None, steady: float | None = None, progress: bool = False, most_steps: int | None = None
    ) -> Run[Step]:
        """The steps of `run`, one at a time: `for step in flow.steps(until=10): ...`.

        Raises ValueError if nothing says when to stop, or `until` lies in the past.
        """
        if until is None and steady is None and most_steps is None:
            raise ValueError("run: say when to stop: until a time, steady below a change, or most_steps")
        if until is not None and until < self.time:
            raise ValueError(f"run: until must not lie before the time of the flow, {self.time}")
        return Run(self._steps(until, steady, progress, most_steps))

    def run(
        self, until: float | None = None, steady: float | None = None, progress: bool = False, most_steps: int | None = None
    ) -> Step | None:
        """Runs until a time, until no velocity changes by more than `steady` per time ("smac"), or for `most_steps`.

        Whatever comes first ends the run; "leapfrog" takes five steps at once. Returns the last step. progress: shows a bar.
        """
        return self.steps(until, steady, progress, most_steps).finish()

    def _steps(self, until: float | None, steady: float | None, progress: bool, most_steps: int | None) -> Iterator[Step]:
        bar, count, first = None, 0, 0.0
        if progress:
            bar = Bar(until, self.time, "time") if until is not None else Bar(1.0, 0.0, "of the way")
        try:
            while (until is None or self.time < until) and (most_steps is None or count < most_steps):
                dt = self.step(until - self.time if until is not None else math.inf)
                count += 1
                change = self.greatest_change() if steady is not None else math.nan
                if bar is not None:
                    first = first or change
                    share = min(1.0, math.log(first / change) / math.log(first / steady)) if steady and 0 < steady < change < first else 0.0
                    bar.show(self.time if until is not None else share, f"step {self.step_count}, time {self.time:.4g}")
                yield Step(self.step_count, self.time, dt)
                if steady is not None and change <= steady:
                    return
        finally:
            if bar is not None:
                bar.close()

    def greatest_change(self) -> float:
        """The greatest change of a velocity per time in the last step. Raises ValueError for other methods than "smac"."""
        return float(self._core.greatest_change())

    def set_velocity(self, function: Callable[..., Sequence[npt.ArrayLike]]) -> None:
        """Sets the velocity from `lambda x, y: (u, v)` of the middles of faces, and takes its divergence out."""
        self._core.set_velocity(function)

    def set_ink(self, name: str, values: npt.ArrayLike | Callable[..., npt.ArrayLike]) -> None:
        """Sets an ink: (n,) values on the fluid, one value, or a function of the centres of cells, `lambda x, y: ...`."""
        if callable(values):
            a = self._arguments
            dim, spacing = self.fluid.dim, a["spacing"]
            widths = spacing if isinstance(spacing, Sequence) else (spacing,) * dim
            origin = a["origin"] if a["origin"] is not None else (0.0,) * dim
            values = values(*(origin[i] + widths[i] * self.fluid.centers(i) for i in range(dim)))
        self._core.set_carried(name, values)

    def velocity(self) -> Field:
        """The velocity at the centres of cells: dim components on the fluid [length / time]. A copy."""
        field: Field = self._core.field("velocity")
        return field

    def pressure(self) -> Field:
        """The pressure over the density, on the fluid [(length / time)^2]. A copy."""
        field: Field = self._core.field("pressure")
        return field

    def vorticity(self) -> Field:
        """The curl of the velocity on the fluid: one component in 2D, three in 3D [1 / time]."""
        field: Field = self._core.field("vorticity")
        return field

    def ink(self, name: str) -> Field:
        """The values of an ink on the fluid. A copy. Raises ValueError if there is no such ink."""
        field: Field = self._core.field(name)
        return field

    def velocity_at(self, points: npt.ArrayLike) -> Array:
        """(m, dim) the velocity at (m, dim) points [length], linear between faces.

        Raises ValueError, naming the first one, if a point is not in the fluid.
        """
        return np.asarray(self._core.velocity_at(points))

    def stream_function(self) -> StreamFunction:
        """The stream function of a flow in 2D. Raises ValueError in 3D."""
        if self.fluid.dim != 2:
            raise ValueError("stream_function: there is one in 2D only")
        field, least, greatest = self._core.stream_function()
        return StreamFunction(field, least[0], least[1], greatest[0], greatest[1])

    def force(self, body: Set) -> FlowForce:
        """The force on a set of solid cells: what the steps of "smac" take from the fluid at its faces, to rounding.

        Over density [length^(dim + 1) / time^2]. Raises TypeError if it is no set, ValueError if it has cells of the fluid.
        """
        if not isinstance(body, Set):
            raise TypeError(f"force: body must be a Set of solid cells, not {type(body).__name__}")
        return FlowForce(*self._core.force(body))

    def plot(self, array: str = "velocity", **options: Any) -> Picture:
        """A picture of "velocity", "vorticity", "pressure", "streaks" (2D) or an ink. Options as `Field.plot`."""
        picture: Picture = self._core.plot(array, **options)
        return picture

    def _views(self) -> list[str]:
        return ["velocity", "vorticity", "pressure", *(["streaks"] if self.fluid.dim == 2 else []), *self._arguments["inks"]]

    def __getstate__(self) -> dict[str, Any]:
        return {"arguments": self._arguments, "saved": self._core.saved()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._arguments = state["arguments"]
        self._make(state["saved"])

    def __repr__(self) -> str:
        return f"Incompressible(time {self.time:.6g}, step {self.step_count}, {len(self.fluid)} cells in {self.fluid.dim}D)"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, object]:
        return {"text/plain": repr(self), "image/png": self.plot(size=500).thumbnail().png()}
