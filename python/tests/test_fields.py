"""Fields as arrays."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import sparsecells as sc


def some_set(dim, seed=1):
    shape = (9, 14) if dim == 2 else (5, 6, 7)
    return sc.from_mask(np.random.default_rng(seed).random(shape) < 0.6, (3, -4, 2)[:dim])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8", np.float64, "float32"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("components", [1, 3])
def test_values_are_the_memory_of_the_field(dtype, dim, components):
    cells = some_set(dim)
    field = sc.Field(cells, dtype=dtype, components=components, fill=7)
    values = field.values
    assert values.dtype == np.dtype(dtype) and field.dtype == values.dtype
    assert values.shape == ((len(cells),) if components == 1 else (components, len(cells)))
    assert (values == 7).all()
    values[...] = np.arange(values.size).reshape(values.shape)
    assert field.values.ctypes.data == values.ctypes.data and np.shares_memory(field.values, values)
    assert np.array_equal(np.asarray(field), values) and np.shares_memory(np.asarray(field), values)
    lent = np.from_dlpack(field)
    assert np.shares_memory(lent, values) and lent.ctypes.data == values.ctypes.data
    other = field.copy()
    assert np.array_equal(other.values, values) and not np.shares_memory(other.values, values)


def test_arrays_outlive_their_field():
    cells = some_set(2)
    values = sc.Field(cells, fill=3).values
    lent = np.from_dlpack(sc.Field(cells, fill=4))
    for k in range(50):  # would take the memory if it were free
        sc.Field(cells, fill=k)
    assert (values == 3).all() and (lent == 4).all()


@pytest.mark.parametrize("dim", [2, 3])
def test_dense_arrays(dim):
    cells = some_set(dim)
    field = sc.Field(cells, components=2)
    field.values[:] = np.random.default_rng(2).random(field.values.shape)
    dense, mask = field.to_dense(), cells.to_mask()
    assert dense.shape == (2, *mask.shape)
    assert np.array_equal(dense[:, mask], field.values) and np.isnan(dense[:, ~mask]).all()
    assert (field.to_dense(fill=-1)[:, ~mask] == -1).all()
    where = np.argwhere(mask)[:, ::-1] + cells.bounds[0] + 0.5
    for axis, name in enumerate("xyz"[:dim]):
        assert np.array_equal(getattr(field, name), where[:, axis])
    if dim == 2:
        with pytest.raises(ValueError, match="axis must be"):
            field.z
    whole = sc.Field(cells, dtype="i4", fill=5)
    assert (whole.to_dense()[~mask] == 0).all()
    with pytest.raises(ValueError, match="whole number"):
        whole.to_dense(fill=0.5)


@given(st.integers(2, 3), st.data())
def test_threshold_is_a_set(dim, data):
    cells = some_set(dim)
    field = sc.Field(cells)
    field.values[:] = data.draw(arrays(float, len(cells), elements=st.floats(-1, 1)))
    warm = cells[field.values > 0.1]
    assert np.array_equal(warm.cells(), cells.cells()[field.values > 0.1])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8"])
@pytest.mark.parametrize("dim", [2, 3])
def test_pickle_copies_and_files(dtype, dim, tmp_path):
    field = sc.Field(some_set(dim), dtype=dtype, components=2, name="heat")
    field.values[:] = np.random.default_rng(3).integers(-99, 99, field.values.shape)
    if field.dtype.kind == "f":
        field.values[0, 0] = np.nan
    path = tmp_path / "field.h5"
    field.save(path)
    for other in (pickle.loads(pickle.dumps(field)), copy.copy(field), copy.deepcopy(field), sc.load_field(path), sc.load_field(path, "heat")):
        assert other.domain == field.domain and other.name == "heat" and other.dtype == field.dtype
        assert other.values.tobytes() == field.values.tobytes()
    with pytest.raises(OSError, match="field.h5"):
        sc.load_field(path, "cold")


def test_sample_is_linear():
    cells = sc.box((0, 0, 0), (9, 8, 7))
    field = sc.Field(cells)
    field.values[:] = 2 * field.x - field.y + 3 * field.z
    points = np.random.default_rng(4).uniform(1, 6, (50, 3))
    assert np.allclose(field.sample(points), points @ [2, -1, 3])
    assert np.array_equal(field.sample([[99, 0, 0]], missing=-5), [-5])
    with pytest.raises(ValueError):
        field.sample([[99, 0, 0]])


def test_xarray():
    xarray = pytest.importorskip("xarray")
    field = sc.Field(some_set(2), name="heat")
    field.values[:] = field.x + 100 * field.y
    array = field.to_xarray()
    assert isinstance(array, xarray.DataArray) and array.name == "heat" and array.dims == ("y", "x")
    x, y = field.domain.cells()[5]
    assert float(array.sel(x=x + 0.5, y=y + 0.5)) == x + 0.5 + 100 * (y + 0.5)


def test_pyvista():
    pyvista = pytest.importorskip("pyvista")
    field = sc.Field(some_set(3), name="heat")
    field.values[:] = np.arange(len(field))
    grid = field.to_pyvista()
    assert isinstance(grid, pyvista.ImageData)
    cells = grid.cell_centers().points[~np.isnan(grid.cell_data["heat"])]
    assert np.array_equal(cells, field.domain.cells() + 0.5)


def test_pictures():
    field = sc.Field(sc.ball((20, 20), 15), name="heat")
    field.values[:] = field.x
    picture = field.plot(size=200, title="Heat", colours="inferno", range=(0, 40))
    assert picture.pixels.shape[1] > 200 and len(np.unique(picture.pixels.reshape(-1, 3), axis=0)) > 20
    assert repr(field) == f'Field("heat", float64, {len(field)} cells in 2D)'
    assert field._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")
    assert sc.Field(sc.ball((9, 9, 9), 5)).plot(size=64).pixels.ndim == 3
    with pytest.raises(TypeError, match="plot takes"):
        field.plot(color="red")
