"""Sets against masks of NumPy."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import sparsecells as sc

PAD = 4  # cells around a mask, so that morphology has room


@st.composite
def masks(draw, count=1, dims=(2, 3)):
    """Masks of one shape, and the cell of their first value."""
    dim = draw(st.sampled_from(dims))
    shape = draw(array_shapes(min_dims=dim, max_dims=dim, min_side=1, max_side=9 if dim == 2 else 5))
    origin = tuple(draw(st.integers(-20, 20)) for _ in range(dim))
    found = []
    for _ in range(count):
        found.append(draw(arrays(bool, shape)))
    return found, origin


def box_of(mask, origin, pad=0):
    lower = [o - pad for o in origin]
    upper = [o + n + pad for o, n in zip(origin, mask.shape[::-1])]
    return lower, upper


def same(result, mask, origin, pad=0):
    """Whether a set is this mask, which begins `pad` cells before the origin, and nothing else."""
    lower, upper = box_of(np.zeros([n - 2 * pad for n in mask.shape]), origin, pad)
    assert np.array_equal(result.to_mask(lower, upper), mask)
    assert len(result) == mask.sum()


@given(masks(2))
def test_algebra(case):
    (a, b), origin = case
    x, y = sc.from_mask(a, origin), sc.from_mask(b, origin)
    same(x | y, a | b, origin)
    same(x & y, a & b, origin)
    same(x - y, a & ~b, origin)
    same(x ^ y, a ^ b, origin)
    assert (x == y) == bool((a == b).all())
    assert bool(x) == bool(a.any())


@given(masks(3))
def test_fuse_unite_intersect(case):
    (a, b, c), origin = case
    x, y, z = (sc.from_mask(m, origin) for m in (a, b, c))
    same(sc.fuse(lambda p, q, r: (p and not q) or r, x, y, z), (a & ~b) | c, origin)
    same(sc.unite([x, y, z]), a | b | c, origin)
    same(sc.intersect([x, y, z]), a & b & c, origin)


def dilated(mask, offsets):
    """The mask with PAD cells around, and true where a cell at one of the offsets is."""
    padded = np.pad(mask, PAD)
    result = np.zeros_like(padded)
    for offset in offsets:
        result |= np.roll(padded, offset[::-1], range(mask.ndim))
    return result


def element(kind, radius, dim):
    cells = np.stack(np.meshgrid(*[np.arange(-radius, radius + 1)] * dim, indexing="ij"), -1).reshape(-1, dim)
    size = {"box": abs(cells).max(1), "diamond": abs(cells).sum(1), "ball": np.sqrt((cells**2).sum(1))}[kind]
    return [tuple(cell) for cell in cells[size <= radius]]


@given(masks(), st.integers(0, 2), st.sampled_from(["box", "diamond", "ball"]))
def test_morphology(case, radius, kind):
    (a,), origin = case
    x, offsets = sc.from_mask(a, origin), element(kind, radius, a.ndim)
    grown = dilated(a, offsets)
    outside = ~np.pad(a, PAD)
    shrunk = np.pad(a, PAD)
    for offset in offsets:  # a cell stays if all cells around it belong
        shrunk &= np.roll(np.pad(a, PAD), offset[::-1], range(a.ndim))
    same(x.expand(radius, kind), grown, origin, PAD)
    same(x.shrink(radius, kind), shrunk, origin, PAD)
    same(x.outer_layer(radius, kind), grown & outside, origin, PAD)
    same(x.inner_layer(radius, kind), np.pad(a, PAD) & ~shrunk, origin, PAD)
    assert x.open(radius, kind) == x.shrink(radius, kind).expand(radius, kind)
    assert x.close(radius, kind) == x.expand(radius, kind).shrink(radius, kind)
    assert x.close(radius, kind) & x == x and x.open(radius, kind) - x == x - x


@given(masks(), st.data())
def test_moves(case, data):
    (a,), origin = case
    x = sc.from_mask(a, origin)
    offset = [data.draw(st.integers(-50, 50)) for _ in origin]
    same(x.shift(offset), a, [o + d for o, d in zip(origin, offset)])
    plane = data.draw(st.integers(-9, 9))
    axis = data.draw(st.integers(0, a.ndim - 1))
    moved = list(origin)
    moved[axis] = 2 * plane - origin[axis] - a.shape[::-1][axis]
    same(x.mirror(axis, plane), np.flip(a, a.ndim - 1 - axis), moved)
    other = data.draw(st.integers(0, a.ndim - 1))
    swapped = list(origin)
    swapped[axis], swapped[other] = origin[other], origin[axis]
    same(x.transpose(axis, other), np.swapaxes(a, a.ndim - 1 - axis, a.ndim - 1 - other), swapped)
    if axis != other:
        assert x.rotate(axis, other).rotate(other, axis) == x


@given(masks())
def test_scales(case):
    (a,), _ = case
    x = sc.from_mask(a)  # at even coordinates, so that blocks are those of the array
    same(x.refine(), a.repeat(2, 0).repeat(2, 1).repeat(2, 2) if a.ndim == 3 else a.repeat(2, 0).repeat(2, 1), (0,) * a.ndim)
    even = np.pad(a, [(0, n % 2) for n in a.shape])
    blocks = even.reshape([k for n in even.shape for k in (n // 2, 2)])
    counts = blocks.sum(axis=tuple(range(1, 2 * a.ndim, 2)))
    for children, least in [("any", 1), ("majority", 2 ** (a.ndim - 1) + 1), ("all", 2**a.ndim)]:
        same(x.coarsen(children), counts >= least, (0,) * a.ndim)


@given(masks(), st.data())
def test_queries(case, data):
    (a,), origin = case
    x = sc.from_mask(a, origin)
    cells = np.argwhere(a)[:, ::-1] + origin
    assert np.array_equal(x.cells(), cells)
    assert np.array_equal(x.find(cells), np.arange(len(cells)))
    for axis in range(a.ndim):
        assert np.array_equal(x.centers(axis), cells[:, axis] + 0.5)
    where = [data.draw(st.integers(o - 2, o + n + 1)) for o, n in zip(origin, a.shape[::-1])]
    index = tuple(w - o for w, o in zip(where, origin))[::-1]
    is_in = all(0 <= i < n for i, n in zip(index, a.shape)) and bool(a[index])
    assert (where in x) == is_in
    assert (x.find([where])[0] >= 0) == is_in
    if len(cells):
        assert x.bounds == (tuple(cells.min(0)), tuple(cells.max(0) + 1))


@given(masks(), st.data())
def test_choice_by_values(case, data):
    (a,), origin = case
    x = sc.from_mask(a, origin)
    marks = data.draw(arrays(bool, len(x)))
    wanted = a.copy()
    wanted[a] = marks
    same(x[marks], wanted, origin)


@given(masks(dims=(3,)), st.integers(0, 2), st.integers(-25, 30))
def test_slices(case, axis, position):
    (a,), origin = case
    x = sc.from_mask(a, origin)
    cut = x.slice(axis, position)
    at, rest = position - origin[axis], [o for i, o in enumerate(origin) if i != axis]
    inside = 0 <= at < a.shape[2 - axis]
    wanted = np.take(a, at if inside else 0, 2 - axis) & inside
    same(cut, wanted, rest)
    assert cut.extrude(position, position + 1, axis) == sc.fuse(lambda p, q: p and q, x, cut.extrude(position, position + 1, axis))


@given(masks())
def test_components(case):
    (a,), origin = case
    x = sc.from_mask(a, origin)
    for neighbours in ("faces", "corners"):
        parts = x.components(neighbours)
        labels = flood(a, neighbours)
        assert len(parts) == labels.max(initial=0)
        assert sorted(parts.sizes) == sorted(np.bincount(labels.ravel())[1:])
        for k in range(len(parts)):
            values = set(labels[parts[k].to_mask(*box_of(a, origin))])
            assert len(values) == 1 and (labels == values.pop()).sum() == parts.sizes[k] == len(parts[k])
        big = sc.unite([parts[k] for k in range(len(parts)) if parts.sizes[k] >= 3] or [x - x])
        assert parts.of_size(3) == big
        seeds = x & sc.box(*box_of(a, origin)).shrink(1)
        assert parts.touching(seeds) == sc.unite([p for p in map(parts.__getitem__, range(len(parts))) if p & seeds] or [x - x])


def flood(mask, neighbours):
    """Numbers of components from 1, by a search from cell to cell."""
    labels = np.zeros(mask.shape, int)
    steps = [s for s in np.ndindex((3,) * mask.ndim) if sum(c != 1 for c in s) in ((1,) if neighbours == "faces" else (1, 2, 3))]
    for start in np.argwhere(mask):
        if labels[tuple(start)]:
            continue
        number = labels.max() + 1
        stack = [tuple(start)]
        labels[stack[0]] = number
        while stack:
            cell = stack.pop()
            for step in steps:
                there = tuple(c + s - 1 for c, s in zip(cell, step))
                if all(0 <= i < n for i, n in zip(there, mask.shape)) and mask[there] and not labels[there]:
                    labels[there] = number
                    stack.append(there)
    return labels


@given(masks())
def test_holes(case):
    (a,), origin = case
    outside = flood(~np.pad(a, 1), "faces")  # the region of the corner leaves the array
    same(sc.from_mask(a, origin).fill_holes(), (outside != outside.flat[0])[(slice(1, -1),) * a.ndim], origin)


@given(masks())
def test_faces_and_nodes(case):
    (a,), origin = case
    x, zero = sc.from_mask(a, origin), [(0, 0)] * a.ndim
    corners = np.zeros([n + 1 for n in a.shape], bool)
    for shift in np.ndindex((2,) * a.ndim):
        corners[tuple(slice(s, s + n) for s, n in zip(shift, a.shape))] |= a
    same(x.nodes(), corners, origin)
    for axis in range(a.ndim):
        where = a.ndim - 1 - axis
        before, after = list(zero), list(zero)
        before[where], after[where] = (1, 0), (0, 1)
        lower, upper = np.pad(a, after), np.pad(a, before)  # of face i: cells i and i - 1
        same(x.faces(axis), lower | upper, origin)
        same(x.interior_faces(axis), lower & upper, origin)
        same(x.boundary_faces(axis, "lower"), lower & ~upper, origin)
        same(x.boundary_faces(axis, "upper"), upper & ~lower, origin)


@given(masks())
def test_pickle_and_copies(case):
    (a,), origin = case
    x = sc.from_mask(a, origin)
    again = pickle.loads(pickle.dumps(x))
    assert again == x and hash(again) == hash(x) and again.dim == x.dim
    assert copy.copy(x) == x and copy.deepcopy(x) == x
    assert x == sc.from_mask(np.asfortranarray(a), origin)


@given(masks())
def test_files(case):
    import tempfile
    from pathlib import Path

    (a,), origin = case
    x = sc.from_mask(a, origin)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "set.h5")
        x.save(path)
        assert sc.load_set(path) == x


def test_shapes_follow_centres():
    y, x = np.mgrid[0:40, 0:60] + 0.5
    frame = (0, 0), (60, 40)
    def check(shape, wanted):
        assert np.array_equal(shape.to_mask(*frame), wanted)
    check(sc.box((3, 4), (50, 20)), (x > 3) & (x < 50) & (y > 4) & (y < 20))
    check(sc.ball((30, 20.25), 11), (x - 30) ** 2 + (y - 20.25) ** 2 <= 121)
    check(sc.ellipsoid((30, 20), (21, 7)), ((x - 30) / 21) ** 2 + ((y - 20) / 7) ** 2 <= 1)
    check(sc.capsule((10, 20), (40, 20), 5.3), np.hypot(x - np.clip(x, 10, 40), y - 20) <= 5.3)
    check(sc.half_space((30, 20), (1, 2), *frame), (x - 30) + 2 * (y - 20) <= 0)
    check(sc.checkerboard(*frame, 4), ((x // 4 + y // 4) % 2) == 0)
    check(sc.polygon([(5, 5), (50.2, 8), (20.7, 33)]), inside((5, 5), (50.2, 8), (20.7, 33), x, y))
    ring = [[(0, 0), (30, 0), (30, 30), (0, 30)], [(10, 10), (20, 10), (20, 20), (10, 20)]]
    check(sc.polygon(ring), (x < 30) & (y < 30) & ~((x > 10) & (x < 20) & (y > 10) & (y < 20)))
    check(sc.from_function(sc.box(*frame), lambda x, y: x * y > 300), x * y > 300)
    assert sc.expression("box(0, 0, 60, 40) - ball(30, 20, 11)") == sc.box(*frame) - sc.ball((30, 20), 11)
    assert 0.2 < len(sc.random_cells(*frame, 0.25, 7)) / 2400 < 0.3


def inside(a, b, c, x, y):
    def left(p, q):
        return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) > 0
    return left(a, b) & left(b, c) & left(c, a)


def test_solids():
    z, y, x = np.mgrid[0:20, 0:20, 0:20] + 0.5
    same(sc.ball((10, 10, 10), 7.5) & sc.box((0, 0, 0), (20, 20, 20)), (x - 10) ** 2 + (y - 10) ** 2 + (z - 10) ** 2 <= 7.5**2, (0, 0, 0))
    corners = [(0, 0, 0), (8, 0, 0), (0, 8, 0), (0, 0, 8)]
    turned = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    same(sc.triangle_mesh(corners, turned) & sc.box((0, 0, 0), (20, 20, 20)), x + y + z < 8, (0, 0, 0))


def test_images(tmp_path):
    mask = np.random.default_rng(1).random((12, 17)) < 0.4
    path = tmp_path / "drawing.pgm"
    path.write_bytes(b"P5 17 12 255\n" + np.where(mask, 0, 255).astype(np.uint8)[::-1].tobytes())  # the top row is first
    same(sc.image(path), mask, (0, 0))
    same(sc.image(path, origin=(5, -3)), mask, (5, -3))
    with pytest.raises(OSError, match="gone.png"):
        sc.image(tmp_path / "gone.png")


def test_arrays_are_lent():
    x = sc.ball((0, 0), 50)
    assert np.shares_memory(x.intervals, x.intervals) and x.intervals.ctypes.data == x.intervals.ctypes.data
    for array in (x.rows, x.row_ptr, x.intervals):
        with pytest.raises(ValueError):
            array[0] = 0
    rows, pairs = x.rows, x.intervals
    wanted = pairs.copy()
    del x
    for _ in range(100):
        sc.ball((0, 0), 50)
    assert np.array_equal(pairs, wanted) and len(rows) == 100
    empty = sc.Set()
    assert len(empty.rows) == 0 and empty.intervals.shape == (0, 2) and not empty and empty.to_mask().size == 0


def test_representations():
    x = sc.box((0, 0), (3, 2))
    assert repr(x) == "Set(2D, 6 cells, 2 intervals, x 0..3, y 0..2)"
    assert str(x) == "###\n###\n" or str(x).count("###") == 2
    bundle = sc.ball((0, 0), 400)._repr_mimebundle_()
    assert bundle["image/png"].startswith(b"\x89PNG") and "text/plain" in bundle
    width, height = (int.from_bytes(bundle["image/png"][i : i + 4], "big") for i in (16, 20))
    assert 250 <= max(width, height) <= 500
    solid = sc.ball((0, 0, 0), 20)
    assert solid.plot().pixels.shape[1] > 2 * solid.plot().pixels.shape[0]
    assert "image/png" not in sc.Set()._repr_mimebundle_()


def test_pictures_hold_what_they_show(tmp_path):
    x = sc.from_mask(np.random.default_rng(3).random((30, 40)) < 0.5)
    x.plot().save(tmp_path / "set.png")
    side = x.plot().pixels.shape[1] // (x.bounds[1][0] - x.bounds[0][0])
    dark = sc.image(tmp_path / "set.png").to_mask()[side // 2 :: side, side // 2 :: side]
    assert np.array_equal(dark, x.to_mask())
