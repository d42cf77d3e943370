"""Fields as arrays and data sets of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    from sparsecells import Field


def to_dense(field: Field, fill: float | None) -> npt.NDArray[Any]:
    """The values in an array over the bounds of the field's set, `fill` elsewhere: [y, x] or [z, y, x], components first.

    Raises ValueError if the field has integers and `fill` is no whole number.
    """
    values = field.values
    is_real = np.issubdtype(values.dtype, np.floating)
    if fill is None:
        fill = np.nan if is_real else 0
    elif not is_real and fill != int(fill if np.isfinite(fill) else 0):
        raise ValueError(f"to_dense: fill must be a whole number for a field of {values.dtype}, not {fill}")
    mask = field.domain.to_mask()
    dense = np.full(values.shape[:-1] + mask.shape, fill, values.dtype)
    dense[..., mask] = values
    return dense


def to_xarray(field: Field) -> Any:
    """The values as an `xarray.DataArray` with the coordinates of centres."""
    import xarray  # type: ignore[import-not-found,unused-ignore]

    lower, upper = field.domain.bounds
    dense = field.to_dense()
    names = ["x", "y", "z"][: len(lower)]
    coordinates = {name: np.arange(begin, end) + 0.5 for name, begin, end in zip(names, lower, upper)}
    axes = names[::-1]
    if field.components > 1:
        axes = ["component", *axes]
    return xarray.DataArray(dense, dims=axes, coords=coordinates, name=field.name)


def to_pyvista(field: Field) -> Any:
    """The values as a `pyvista.ImageData` with a cell for each cell of the bounds."""
    import pyvista  # type: ignore[import-not-found,unused-ignore]

    lower, upper = field.domain.bounds
    dense = field.to_dense()
    extent = [end - begin for begin, end in zip(lower, upper)]
    dimensions = tuple(n + 1 for n in extent) + (1,) * (3 - len(extent))
    grid = pyvista.ImageData(dimensions=dimensions, origin=tuple(map(float, lower)) + (0.0,) * (3 - len(lower)))
    flat = dense.reshape(field.components, -1)
    grid.cell_data[field.name] = flat[0] if field.components == 1 else flat.T
    return grid
