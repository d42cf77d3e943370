"""Compressible flow on levels of resolution that follow it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sparsecells import _core
from sparsecells._bodies import Body
from sparsecells._core import Field, Set
from sparsecells._pictures import Picture
from sparsecells._run import Bar, Run, Simulation

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Side: TypeAlias = "str | Outflow | npt.ArrayLike | Callable[[SidePoints], npt.ArrayLike]"

_SIDES = ("left", "right", "bottom", "top", "back", "front")
_KINDS = ("wall", "no_slip", "open", "inflow", "periodic", "given")  # in the order of C++


class Euler:
    """An ideal gas without friction: the Euler equations.

    gamma: ratio of specific heats, > 1. Primitive variables are density, velocity along each axis and pressure, in this
    order and in any consistent units. Raises ValueError unless gamma > 1.
    """

    def __init__(self, gamma: float = 1.4) -> None:
        if not gamma > 1:
            raise ValueError(f"Euler: gamma must be more than 1, not {gamma}")
        self.gamma = float(gamma)

    def state(self, density: npt.ArrayLike, velocity: Sequence[npt.ArrayLike], pressure: npt.ArrayLike) -> Array:
        """Primitive variables as an array (dim + 2,), or (dim + 2, n) if one of them is an array of n values.

        velocity: one value or array for each axis. Raises ValueError unless there are 2 or 3 of them.
        """
        if len(velocity) not in (2, 3):
            raise ValueError(f"state: velocity must have 2 or 3 components, not {len(velocity)}")
        return np.stack(np.broadcast_arrays(density, *velocity, pressure)).astype(float)

    def sound_speed(self, state: Array) -> Array:
        """The speed of sound of primitive variables (dim + 2, ...)."""
        speed: Array = np.sqrt(self.gamma * state[-1] / state[0])
        return speed

    def __repr__(self) -> str:
        return f"Euler(gamma={self.gamma})"


class Outflow:
    """A side where gas leaves against a pressure, if it is slower than sound. Raises ValueError unless it is positive."""

    def __init__(self, pressure: float) -> None:
        if not pressure > 0:
            raise ValueError(f"Outflow: pressure must be positive, not {pressure}")
        self.pressure = float(pressure)

    def __repr__(self) -> str:
        return f"Outflow({self.pressure})"


class SidePoints:
    """The cells beyond a side, for a function that gives their states.

    x: (n, dim) centres. time. inside: (dim + 2, n) primitive variables of the nearest cells in the box. image: those of
    the cells as far inside as these are outside. axis, is_upper: the side.
    """

    def __init__(self, x: Array, time: float, inside: Array, image: Array, axis: int, is_upper: bool) -> None:
        self.x, self.time, self.inside, self.image = x, time, inside, image
        self.axis, self.is_upper = axis, is_upper

    def slip(self) -> Array:
        """(dim + 2, n) the states behind a slip wall: `image` with the velocity normal to the side turned round."""
        mirrored = self.image.copy()
        mirrored[1 + self.axis] *= -1
        return mirrored


class Domain:
    """A box of cells with bodies cut out, at every resolution.

    cells: cells of level 0 along each axis; 2 or 3 numbers decide the dimension. levels: level 0 included; each has half
    the cell width of the one before. bodies: see `Ball`. sides: a dict of "left", "right", "bottom", "top", "back",
    "front" and "others" to one of

    - "wall" (slip), "no_slip", "open", "inflow" (the state that `Compressible` is given), "periodic";
    - `Outflow(pressure)`;
    - a state, as `gas.state(...)` makes it;
    - a function `f(p) -> (dim + 2, n)` of `SidePoints`, called with all cells beyond the side at once.

    origin, spacing: lower corner, and cell width of level 0 [length]. body_level: bodies are made of cells of this level;
    the finest one by default. Raises ValueError for sides and numbers that make no sense.
    """

    def __init__(
        self,
        cells: Sequence[int],
        levels: int = 1,
        bodies: Sequence[Body] = (),
        sides: Mapping[str, Side] | None = None,
        origin: Sequence[float] | None = None,
        spacing: float | Sequence[float] = 1.0,
        body_level: int | None = None,
    ) -> None:
        self.cells = tuple(cells)
        self.dim = len(self.cells)
        if self.dim not in (2, 3):
            raise ValueError(f"Domain: cells must be 2 or 3 numbers, not {self.dim}")
        self.levels, self.bodies = levels, list(bodies)
        for body in self.bodies:
            if not isinstance(body, Body):
                raise TypeError(f"Domain: bodies must be Ball, Box, Capsule, Polygon, Mesh or Cells, not {type(body).__name__}")
        names = _SIDES[: 2 * self.dim]
        told = dict(sides or {})
        others = told.pop("others", "wall")
        for name in told:
            if name not in names:
                raise ValueError(f"Domain: sides are {', '.join(names)} and others, not {name!r}")
        self.sides: dict[str, Side] = {name: told.get(name, others) for name in names}
        for name, side in self.sides.items():
            if isinstance(side, str) and side not in _KINDS[:-1]:
                raise ValueError(f"Domain: the side {name} must be one of {', '.join(_KINDS[:-1])}, not {side!r}")
        self.origin = tuple(origin) if origin is not None else (0.0,) * self.dim
        self.spacing = tuple(spacing) if isinstance(spacing, Sequence) else (float(spacing),) * self.dim
        self.body_level = -1 if body_level is None else body_level

    def __repr__(self) -> str:
        return f"Domain({self.cells}, levels={self.levels}, bodies={self.bodies}, sides={self.sides})"


class Criterion:
    """A ready-made criterion for refinement; `relative_gradient`, `vorticity` and `region` make them."""

    def __init__(self, kind: str, **told: Any) -> None:
        self._kind, self._told = kind, told

    def __repr__(self) -> str:
        return f"{self._kind}({', '.join(f'{key}={value!r}' for key, value in self._told.items())})"


def relative_gradient(variable: str, threshold: float, release: float = 0.5) -> Criterion:
    """Refines where a variable q changes much from cell to cell: |grad q| dx / |q| > threshold.

    variable: "density", "velocity_x", "velocity_y", "velocity_z" or "pressure". release: refined cells stay down to this
    fraction of the threshold.
    """
    return Criterion("relative_gradient", variable=variable, threshold=threshold, release=release)


def vorticity(threshold: float, release: float = 0.5) -> Criterion:
    """Refines where |curl v| dx > threshold [velocity]."""
    return Criterion("vorticity", threshold=threshold, release=release)


def region(cells: Set, level: int, up_to: int) -> Criterion:
    """Refines all cells that overlap `cells`, which are of level `level`, up to the level `up_to`."""
    return Criterion("region", cells=cells, level=level, up_to=up_to)


class Level:
    """A level of a simulation: `number`, `time`, `cells`, `leaves` (cells without children) and `spacing` [length].

    A function for refinement gets one, which is only there while the function runs.
    """

    def __init__(self, seen: Any) -> None:
        self._seen = seen

    @property
    def number(self) -> int:
        """0 for the coarsest level."""
        return int(self._seen.number)

    @property
    def time(self) -> float:
        """The time of the state."""
        return float(self._seen.time)

    @property
    def cells(self) -> Set:
        """All cells of the level, those with children among them."""
        cells: Set = self._seen.cells
        return cells

    @property
    def leaves(self) -> Set:
        """The cells without children: the level's part of the solution."""
        leaves: Set = self._seen.leaves
        return leaves

    @property
    def spacing(self) -> tuple[float, ...]:
        """Cell widths along each axis [length]."""
        return tuple(self._seen.spacing)

    @property
    def positions(self) -> Array:
        """(n, dim) the centres of `cells` [length]."""
        return np.asarray(self._seen.positions())

    def primitive(self, variable: str) -> Field:
        """A copy of a variable on `cells`: "density", "velocity", "velocity_x", ..., "pressure", or "all" of them."""
        first, count = _variable(variable, len(self.spacing))
        field: Field = self._seen.primitive(variable, first, count)
        return field


class _SimulationLevel:
    """What `Level` asks for, from a simulation."""

    def __init__(self, core: Any, number: int) -> None:
        self._core, self.number = core, number
        self.time, self.spacing = core.time, core.spacing(number)
        self.cells, self.leaves = core.cells(number), core.leaves(number)

    def positions(self) -> Array:
        return np.asarray(self._core.positions(self.number))

    def primitive(self, name: str, first: int, count: int) -> Field:
        field: Field = self._core.primitive(self.number, name, first, count)
        if field.domain != self.cells:
            raise RuntimeError("the levels have changed since sim.level(...) was called; call it again")
        return field

    def state(self) -> Any:
        return self._core.state(self.number)


class LentState:
    """The conserved variables of a level, lent by a simulation: density, momentum along each axis, total energy.

    They live on `domain`, which also has the level's ghosts. Steps and changes of levels move the simulation to other
    memory; then `is_current` is False, and `values` keeps what it had.
    """

    def __init__(self, lent: Any) -> None:
        self._lent = lent

    @property
    def values(self) -> Array:
        """(dim + 2, n) without a copy; writing changes the simulation while `is_current`."""
        values: Array = self._lent.values
        return values

    @property
    def domain(self) -> Set:
        """The set of the values."""
        domain: Set = self._lent.domain
        return domain

    @property
    def is_current(self) -> bool:
        """Whether the simulation's state is in this memory now."""
        return bool(self._lent.is_current)


class SimulationLevel(Level):
    """A level of a simulation outside of its steps. Its sets are those of the moment when it was asked for."""

    @property
    def state(self) -> LentState:
        """The level's conserved variables, without a copy."""
        return LentState(self._seen.state())


class Force(NamedTuple):
    """A force on a body, in 2D per unit length, and its moment about a point."""

    force: tuple[float, ...]
    moment: tuple[float, ...]

    @property
    def drag(self) -> float:
        """The force along x."""
        return self.force[0]

    @property
    def lift(self) -> float:
        """The force along y."""
        return self.force[1]


class Step(NamedTuple):
    """A step of a run: its number, the time after it, and its length."""

    number: int
    time: float
    dt: float


def _variable(name: str, dim: int) -> tuple[int, int]:
    """First component and number of components of a primitive variable."""
    table = {"density": (0, 1), "velocity": (1, dim), "pressure": (dim + 1, 1), "all": (0, dim + 2)}
    table.update({f"velocity_{axis}": (1 + i, 1) for i, axis in enumerate("xyz"[:dim])})
    if name not in table:
        raise ValueError(f"there is no variable {name!r}; there are {', '.join(table)}")
    return table[name]


class Compressible(Simulation):
    """A gas on levels of resolution that follow it.

    domain: a `Domain`. gas: an `Euler`. initial: a state, or a function of the coordinates of all cells of a level,
    `lambda x, y: gas.state(...)`. inflow: the state beyond sides of the kind "inflow"; that of `initial` by default.
    flux: "hllc", "hll" or "rusanov". scheme: "hancock" (second order), "godunov" (first), "muscl_rk2" or "muscl_rk3".
    limiter: "minmod", "van_leer" or "mc". cfl: cells that waves cross per step, in (0, 1]. refine: criteria; a cell is
    refined if one of them asks for it: `relative_gradient`, `vorticity`, `region`, or a function of a `Level` that
    returns a boolean for each of its cells, or a `Set`. regrid_stride: steps of level 0 between changes of the levels.
    dtype: float64 or float32. restart: a file of `save`.

    Functions get whole arrays, on the thread that called, never inside a kernel. Raises ValueError for what makes no
    sense, NonFiniteState for an impossible initial state.
    """

    def __init__(
        self,
        domain: Domain,
        gas: Euler,
        initial: npt.ArrayLike | Callable[..., npt.ArrayLike],
        inflow: npt.ArrayLike | None = None,
        flux: str = "hllc",
        scheme: str = "hancock",
        refine: Sequence[Criterion | Callable[[Level], Any]] | None = None,
        limiter: str = "minmod",
        cfl: float = 0.8,
        subcycle: bool = True,
        regrid_stride: int = 1,
        longest_stride: int = 4,
        buffer: int | None = None,
        dtype: npt.DTypeLike = "f8",
        restart: str | os.PathLike[str] | None = None,
    ) -> None:
        self._arguments = {key: value for key, value in locals().items() if key not in ("self", "restart", "__class__")}
        self._sources: list[Callable[[Array, float, Array], npt.ArrayLike]] = []
        self._make(restart, None)

    def _make(self, restart: str | os.PathLike[str] | None, saved: dict[str, Any] | None) -> None:
        a = self._arguments
        domain, gas = a["domain"], a["gas"]
        if not isinstance(domain, Domain):
            raise TypeError(f"Compressible: domain must be a Domain, not {type(domain).__name__}")
        if not isinstance(gas, Euler):
            raise TypeError(f"Compressible: gas must be an Euler, not {type(gas).__name__}")
        self.domain: Domain = domain
        self.gas: Euler = gas
        inflow = a["inflow"]
        if inflow is None:
            has_inflow = any(isinstance(side, str) and side == "inflow" for side in domain.sides.values())
            if has_inflow and callable(a["initial"]):
                raise ValueError("Compressible: a side is an inflow, so its state must be given: inflow=gas.state(...)")
            inflow = np.r_[1.0, np.zeros(domain.dim), 1.0] if callable(a["initial"]) else a["initial"]
        refine = a["refine"] if a["refine"] is not None else [relative_gradient("density", 0.05)]
        kinds, given = [], []
        for side in domain.sides.values():
            is_kind = isinstance(side, str)
            kinds.append(_KINDS.index(side) if is_kind else _KINDS.index("given"))
            given.append(None if is_kind else side.pressure if isinstance(side, Outflow) else side)
        name = np.dtype(a["dtype"]).name
        if name not in ("float64", "float32"):
            raise ValueError(f"Compressible: dtype must be float64 or float32, not {name}")
        kind = getattr(_core, f"_Gas_{'f8' if name == 'float64' else 'f4'}_{domain.dim}d")
        self._core = kind(
            dict(
                cells=domain.cells, levels=domain.levels, origin=domain.origin, spacing=domain.spacing, body_level=domain.body_level,
                bodies=[body._told for body in domain.bodies], sides=kinds, given=given, gamma=gas.gamma,
                initial=a["initial"], inflow=inflow, flux=a["flux"], scheme=a["scheme"], limiter=a["limiter"], cfl=a["cfl"],
                subcycle=a["subcycle"], regrid_stride=a["regrid_stride"], longest_stride=a["longest_stride"], buffer=a["buffer"],
                refine=[self._criterion(each) for each in refine], saved=saved, restart=restart, fingerprint=self._fingerprint(),
            )
        )  # fmt: skip

    def _criterion(self, told: Criterion | Callable[[Level], Any]) -> Any:
        if callable(told):
            return told
        if not isinstance(told, Criterion):
            raise TypeError(f"Compressible: each criterion must be relative_gradient, vorticity, region or a function, not {told!r}")
        plain = {"kind": told._kind, **told._told}
        if "variable" in plain:
            first, count = _variable(plain.pop("variable"), self.domain.dim)
            if count != 1:
                raise ValueError("relative_gradient: the variable must have one component, as velocity_x has")
            plain["component"] = first
        return plain

    def _fingerprint(self) -> str:
        a, domain = self._arguments, self.domain
        lines = {key: getattr(domain, key) for key in ("cells", "levels", "origin", "spacing", "body_level", "bodies")}
        lines.update({key: a[key] for key in ("flux", "scheme", "limiter", "cfl", "subcycle")})
        lines["gamma"], lines["dtype"] = self.gas.gamma, np.dtype(a["dtype"]).name
        return "".join(f"{key} {value!r}\n" for key, value in lines.items())

    @property
    def time(self) -> float:
        """The time of the state."""
        return float(self._core.time)

    @property
    def step_count(self) -> int:
        """The number of steps of level 0 so far."""
        return int(self._core.step_count)

    @property
    def repeated_step_count(self) -> int:
        """The number of steps that were taken again, because a state became impossible."""
        return int(self._core.repeated_step_count)

    @property
    def update_count(self) -> int:
        """Cells computed so far; each level counts as often as it stepped."""
        return int(self._core.update_count)

    @property
    def level_count(self) -> int:
        """The number of levels that there are now."""
        return int(self._core.level_count)

    @property
    def leaf_count(self) -> int:
        """The number of cells that make up the solution."""
        return int(self._core.leaf_count)

    def level(self, number: int) -> SimulationLevel:
        """A level, 0 for the coarsest. Raises IndexError if there is no such level now."""
        return SimulationLevel(_SimulationLevel(self._core, number))

    def add_source(self, function: Callable[[Array, float, Array], npt.ArrayLike]) -> None:
        """Adds a source to the equations: dU/dt = function(x, time, w) on leaves, with Strang's splitting.

        x: (n, dim) centres. w: (dim + 2, n) primitive variables. The function returns the change per time of density,
        momentum and total energy: (dim + 2, n), or (dim + 2,) everywhere. Each half step is one of the midpoint method. Cost: four
        calls per step and level. Raises TypeError if it is no function.
        """
        if not callable(function):
            raise TypeError("add_source: the source must be a function f(x, time, w)")
        self._sources.append(function)

    def step(self, longest: float = math.inf) -> float:
        """Takes a step of level 0 of at most `longest`. Returns its length.

        Raises NonFiniteState, naming the cell, if no possible state comes out; the state stays as before the step.
        """
        if not self._sources:
            return float(self._core.advance(longest))
        wanted, begin = min(self._core.next_step, longest), self.time
        for source in self._sources:
            self._core.add_change(source, begin, 0.5 * wanted)
        taken = float(self._core.advance(wanted))
        for source in reversed(self._sources):  # a step that was shortened needs less of the second half
            self._core.add_change(source, begin + 0.5 * wanted, taken - 0.5 * wanted)
        return taken

    def run(self, until: float, progress: bool = False, most_steps: int | None = None) -> Run[Step]:
        """The steps until a time: `for step in sim.run(until=400): ...`. The last one ends there.

        progress: shows a bar. most_steps: stops after so many steps, too. Raises ValueError if `until` lies in the past, and what
        `step` raises.
        """
        if not until > self.time and until != self.time:
            raise ValueError(f"run: until must not lie before the time of the simulation, {self.time}")
        return Run(self._steps(until, progress, most_steps))

    def _steps(self, until: float, progress: bool, most_steps: int | None) -> Iterator[Step]:
        bar = Bar(until, self.time, "time") if progress else None
        count = 0
        try:
            while self.time < until and (most_steps is None or count < most_steps):
                dt = self.step(until - self.time)
                count += 1
                if bar is not None:
                    bar.show(self.time, f"{self.leaf_count} cells")
                yield Step(self.step_count, self.time, dt)
        finally:
            if bar is not None:
                bar.close()

    def regrid(self) -> bool:
        """Adapts the levels to the solution now. Returns whether they changed."""
        return bool(self._core.regrid())

    def totals(self) -> tuple[float, ...]:
        """Integrals over the domain of density, momentum along each axis, total energy: (dim + 2,) [their units times length^dim]."""
        return tuple(self._core.totals())

    def extrema(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The least and the greatest value of each primitive variable on the leaves."""
        least, greatest = self._core.extrema()
        return least, greatest

    def force(self, body: Body | int, about: Sequence[float] | None = None) -> Force:
        """The force of the pressure on a body of the domain, and its moment about a point (the origin).

        In pressure times area; in 2D per unit length along z. Raises ValueError for a body of another domain.
        """
        number = body if isinstance(body, int) else next((i for i, each in enumerate(self.domain.bodies) if each is body), -1)
        if number < 0:
            raise ValueError("force: this body is not one of the domain")
        return Force(*self._core.force(number, about if about is not None else (0.0,) * self.domain.dim))

    def probe(self, points: npt.ArrayLike, variable: str = "all") -> Array:
        """Primitive variables at points, linear between centres: (m,), or (components, m).

        points: (m, dim) [length]. NaN outside the box and in bodies. variable: as for `Level.primitive`.
        """
        first, count = _variable(variable, self.domain.dim)
        values = np.asarray(self._core.primitive_at(points))
        return values[first] if count == 1 else values[first : first + count]

    def line(self, begin: Sequence[float], end: Sequence[float], count: int = 101, variable: str = "all") -> tuple[Array, Array]:
        """(distances (m,), values) at `count` points from one point to another, both included. See `probe`.

        Raises ValueError if count < 2.
        """
        if count < 2:
            raise ValueError(f"line: count must be at least 2, not {count}")
        points = np.linspace(begin, end, count)
        return np.linalg.norm(points - points[0], axis=1), self.probe(points, variable)

    def plot(self, array: str = "density", **options: Any) -> Picture:
        """A picture of "density", "pressure", "velocity", "mach" or "level" on all levels. Options as `Field.plot`."""
        picture: Picture = self._core.plot(array, **options)
        return picture

    def _views(self) -> list[str]:
        return ["density", "pressure", "velocity", "mach", "level"]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file to go on from, complete or not at all: `Compressible(..., restart=path)`."""
        self._core.save(path, self._fingerprint())

    def __getstate__(self) -> dict[str, Any]:
        return {"arguments": self._arguments, "sources": self._sources, "saved": self._core.saved()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._arguments, self._sources = state["arguments"], state["sources"]
        self._make(None, state["saved"])

    def __repr__(self) -> str:
        return f"Compressible(time {self.time:.6g}, step {self.step_count}, {self.leaf_count} cells on {self.level_count} levels)"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, object]:
        return {"text/plain": repr(self), "image/png": self.plot(size=500).thumbnail().png()}
