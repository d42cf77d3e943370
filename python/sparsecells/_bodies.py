"""Solid bodies in a flow. All lengths are those of the domain, in units of its spacing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sparsecells._core import Set

if TYPE_CHECKING:
    import numpy.typing as npt


class Body:
    """What all bodies have: a name, a wall and whether it is curved. Make one of `Ball`, `Box`, `Capsule`, `Polygon`,
    `Mesh` and `Cells`.

    wall: "slip" or "no_slip". curved: the wall lies where the surface is; else it is made of faces of cells. Raises TypeError if
    it is called itself; numbers are checked when a domain is made.
    """

    def __init__(self, *, wall: str = "slip", curved: bool = True, name: str = "", **shape: Any) -> None:
        if type(self) is Body:
            raise TypeError("Body has no shape; use Ball, Box, Capsule, Polygon, Mesh or Cells")
        kind = type(self).__name__
        self._told: dict[str, Any] = {"kind": kind, "name": name or kind.lower(), "wall": wall, "curved": bool(curved), **shape}

    def __repr__(self) -> str:
        told = ", ".join(f"{key}={value!r}" for key, value in self._told.items() if key not in ("kind", "name"))
        return f"{type(self).__name__}({told})"


class Ball(Body):
    """A disc or a ball: center (x, y) or (x, y, z), and radius > 0 [length]."""

    def __init__(self, center: Sequence[float], radius: float, *, wall: str = "slip", curved: bool = True, name: str = "") -> None:
        super().__init__(wall=wall, curved=curved, name=name, center=center, radius=radius)


class Box(Body):
    """A rectangle or a box from `lower` to `upper` [length]."""

    def __init__(self, lower: Sequence[float], upper: Sequence[float], *, wall: str = "slip", curved: bool = True, name: str = "") -> None:
        super().__init__(wall=wall, curved=curved, name=name, lower=lower, upper=upper)


class Capsule(Body):
    """All points at most `radius` away from the segment from a to b [length]."""

    def __init__(
        self, a: Sequence[float], b: Sequence[float], radius: float, *, wall: str = "slip", curved: bool = True, name: str = ""
    ) -> None:
        super().__init__(wall=wall, curved=curved, name=name, a=a, b=b, radius=radius)


class Polygon(Body):
    """The inside of a polygon in 2D: points (n, 2), or a list of such loops [length]. Loops in loops are holes."""

    def __init__(
        self, points: npt.ArrayLike | Sequence[npt.ArrayLike], *, wall: str = "slip", curved: bool = True, name: str = ""
    ) -> None:
        super().__init__(wall=wall, curved=curved, name=name, points=points)


class Mesh(Body):
    """The inside of a closed surface of triangles in 3D: vertices (n, 3) [length], triangles (m, 3) numbers of vertices."""

    def __init__(
        self, vertices: npt.ArrayLike, triangles: npt.ArrayLike, *, wall: str = "slip", curved: bool = True, name: str = ""
    ) -> None:
        super().__init__(wall=wall, curved=curved, name=name, vertices=vertices, triangles=triangles)


class Cells(Body):
    """A set of cells as a body. Its cells count as those of each grid that asks; its walls are their faces."""

    def __init__(self, cells: Set, *, wall: str = "slip", name: str = "") -> None:
        super().__init__(wall=wall, curved=True, name=name, cells=cells)
