"""Sparse sets of cells, fields on them, and flow solvers on those, for Python.

    import sparsecells as sc
    fluid = sc.box((0, 0), (400, 160)) - sc.ball((80, 80), 20)

Sets (`Set`) have an algebra, fields (`Field`) are NumPy arrays on sets, `Poisson` solves for pressures. Nothing starts
at the import: threads start when the first set is made.

Everywhere an argument that makes no sense raises ValueError (a number out of range, a shape, sets of other dimensions) or
TypeError (of another type), and a file that cannot be read or written OSError with its path.
"""

from __future__ import annotations

import atexit
import gc
from importlib import import_module
from typing import TYPE_CHECKING

from sparsecells import _levels

_levels.choose(__path__)

from sparsecells._core import (
    Components,
    Field,
    Poisson,
    Report,
    Set,
    __version__,
    _is_started,
    _stop_if_unused,
    backend,
    ball,
    box,
    capsule,
    checkerboard,
    ellipsoid,
    expression,
    expression_help,
    from_function,
    from_mask,
    fuse,
    half_space,
    image,
    intersect,
    kokkos_version,
    load_field,
    load_set,
    polygon,
    random_cells,
    set_threads,
    triangle_mesh,
    unite,
)

if TYPE_CHECKING:
    from sparsecells._bodies import Ball, Body, Box, Capsule, Cells, Mesh, Polygon
    from sparsecells._case import run_case
    from sparsecells._compressible import (
        Compressible,
        Criterion,
        Domain,
        Euler,
        Force,
        LentState,
        Level,
        Outflow,
        SidePoints,
        SimulationLevel,
        Step,
        region,
        relative_gradient,
        vorticity,
    )
    from sparsecells._errors import ExpressionError, NonFiniteState, NotConverged
    from sparsecells._incompressible import FlowForce, Incompressible, StreamFunction, Wall, inflow, no_slip, slip
    from sparsecells._nodes import NavierStokes
    from sparsecells._pictures import Picture
    from sparsecells._run import Run, Simulation

# Modules in Python, with the names that are imported from them at the first use of one.
_LATER = {
    "_bodies": "Ball Body Box Capsule Cells Mesh Polygon",
    "_case": "run_case",
    "_compressible": "Compressible Criterion Domain Euler Force LentState Level Outflow SidePoints SimulationLevel Step region relative_gradient vorticity",
    "_errors": "ExpressionError NonFiniteState NotConverged",
    "_incompressible": "FlowForce Incompressible StreamFunction Wall inflow no_slip slip",
    "_nodes": "NavierStokes",
    "_pictures": "Picture",
    "_run": "Run Simulation",
}
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names.split()}

__all__ = [
    "Ball",
    "Body",
    "Box",
    "Capsule",
    "Cells",
    "Components",
    "Compressible",
    "Criterion",
    "Domain",
    "Euler",
    "ExpressionError",
    "Field",
    "FlowForce",
    "Force",
    "Incompressible",
    "LentState",
    "Level",
    "Mesh",
    "NavierStokes",
    "NonFiniteState",
    "NotConverged",
    "Outflow",
    "Picture",
    "Poisson",
    "Polygon",
    "Report",
    "Run",
    "Set",
    "SidePoints",
    "Simulation",
    "SimulationLevel",
    "Step",
    "StreamFunction",
    "Wall",
    "__version__",
    "backend",
    "ball",
    "box",
    "capsule",
    "checkerboard",
    "ellipsoid",
    "expression",
    "expression_help",
    "from_function",
    "from_mask",
    "fuse",
    "half_space",
    "image",
    "inflow",
    "intersect",
    "kokkos_version",
    "load_field",
    "load_set",
    "no_slip",
    "polygon",
    "random_cells",
    "region",
    "relative_gradient",
    "run_case",
    "set_threads",
    "slip",
    "triangle_mesh",
    "unite",
    "vorticity",
]


@atexit.register
def _stop() -> None:
    """Stops Kokkos if nothing is left that holds its memory. Globals may; then the process just ends."""
    if _is_started():
        gc.collect()
        _stop_if_unused()


if not TYPE_CHECKING:  # a type checker is to know all names

    def __getattr__(name: str) -> object:
        if name not in _MODULE_OF:
            raise AttributeError(f"module 'sparsecells' has no attribute {name!r}")
        module = import_module(f"sparsecells.{_MODULE_OF[name]}")
        for each in _LATER[_MODULE_OF[name]].split():
            globals()[each] = getattr(module, each)
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
