"""The Poisson solver against exact solutions and a dense matrix of NumPy."""

import numpy as np
import pytest

import sparsecells as sc


def matrix_of(cells, h, given=(), zeroth=0.0):
    """The matrix by its definition. given: function (cell, axis, direction) -> whether the value is given there."""
    where = {tuple(cell): i for i, cell in enumerate(cells.cells())}
    a = np.zeros((len(where), len(where)))
    for cell, i in where.items():
        a[i, i] += zeroth
        for axis in range(cells.dim):
            for step in (-1, 1):
                other = list(cell)
                other[axis] += step
                j = where.get(tuple(other))
                if j is not None:
                    a[i, i] += 1 / h**2
                    a[i, j] -= 1 / h**2
                elif given and given(cell, axis, step):
                    a[i, i] += 2 / h**2
    return a


METHODS = ["multigrid-cg", "flexible-cg", "multigrid", "full-multigrid", "cg", "chebyshev", "sor", "gauss-seidel", "jacobi"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dim", [2, 3])
def test_solution_is_that_of_the_matrix(method, dim):
    cells = sc.box((0,) * dim, (9, 8, 6)[:dim]) - sc.ball((4, 4, 3)[:dim], 1.7)
    right = cells.bounds[1][0] - 1
    a = matrix_of(cells, 0.5, lambda cell, axis, step: axis == 0 and step == 1 and cell[0] == right)
    b = np.random.default_rng(1).standard_normal(len(cells))
    p = sc.Poisson(cells, spacing=0.5, dirichlet={"right": 0.0}, method=method)
    x, report = p.solve(b, tolerance=1e-10, iteration_limit=20000)
    assert report.converged and report.reason == "converged" and report.true_residual <= 1e-10
    assert report.right_side == pytest.approx(np.linalg.norm(b))
    assert len(report.residuals) == report.iterations + 1 or method in ("full-multigrid", "jacobi")
    assert np.allclose(x.values, np.linalg.solve(a, b), atol=1e-8)
    assert np.allclose(p.apply(x).values, a @ x.values)


def test_values_on_the_boundary():
    """p = 1 + 2 x - 3 y is exact: linear, with its values at the middle of each side's faces."""
    cells = sc.box((0, 0), (16, 16))
    p = sc.Poisson(cells, spacing=1 / 16, dirichlet={"left": 1.0, "right": 3.0})
    x, _ = p.solve(np.zeros(len(cells)), tolerance=1e-12)
    assert np.allclose(x.values, 1 + 2 * x.x / 16, atol=1e-9)
    holes = cells - sc.ball((8, 8), 3)
    x, _ = sc.Poisson(holes, dirichlet={"others": 5.0}).solve(np.zeros(len(holes)), tolerance=1e-12)
    assert np.allclose(x.values, 5)
    a = matrix_of(holes, 1.0, lambda *_: True)
    b = np.random.default_rng(2).standard_normal(len(holes))
    x, _ = sc.Poisson(holes, dirichlet={"others": 0.0}).solve(b, tolerance=1e-10)
    assert np.allclose(x.values, np.linalg.solve(a, b), atol=1e-7)


def test_second_order():
    errors = []
    for n in (32, 64):
        cells = sc.box((0, 0), (n, n))
        p = sc.Poisson(cells, spacing=1 / n, dirichlet={"others": 0.0})
        field = sc.Field(cells)
        wanted = np.sin(np.pi * field.x / n) * np.sin(np.pi * field.y / n)
        x, _ = p.solve(2 * np.pi**2 * wanted, tolerance=1e-10)
        errors.append(abs(x.values - wanted).max())
    assert errors[0] / errors[1] > 3.9


def test_periods_and_helmholtz():
    n = 24
    cells = sc.box((0, 0), (n, n))
    f = sc.Field(cells)
    wave = np.cos(2 * np.pi * f.x / n)
    eigenvalue = 2 - 2 * np.cos(2 * np.pi / n)
    x, _ = sc.Poisson(cells, periodic=["x", "y"]).solve(eigenvalue * wave, tolerance=1e-12)
    assert np.allclose(x.values, wave, atol=1e-9)
    x, _ = sc.Poisson(cells, periodic=["x"], zeroth_order=2.0, coefficient=3.0).solve((2 + 3 * eigenvalue) * wave, tolerance=1e-12)
    assert np.allclose(x.values, wave, atol=1e-9)


def test_singular_problems_have_the_mean_zero():
    cells = sc.box((0, 0), (20, 10))
    b = np.random.default_rng(3).standard_normal(len(cells)) + 1
    x, report = sc.Poisson(cells).solve(b)
    assert abs(x.values.mean()) < 1e-12 and report.incompatibility > 0.1


def test_fields_are_not_copied_and_guesses_help():
    cells = sc.box((0, 0), (64, 64))
    for dtype in ("f8", "f4"):
        p = sc.Poisson(cells, dirichlet={"left": 0.0}, dtype=dtype)
        b = sc.Field(cells, dtype=dtype)
        b.values[:] = np.random.default_rng(4).standard_normal(len(cells))
        x, report = p.solve(b, tolerance=1e-5)
        again, short = p.solve(b.values.astype("f8"), tolerance=1e-5, guess=x)
        assert x.dtype == np.dtype(dtype) and short.iterations < report.iterations
        assert np.allclose(again.values, x.values, atol=1e-3 * abs(x.values).max())


def test_not_converged_says_how_far_it_came():
    cells = sc.box((0, 0), (50, 50))
    with pytest.raises(sc.NotConverged, match="iteration limit after 3 iterations") as caught:
        sc.Poisson(cells, dirichlet={"left": 0.0}, method="jacobi").solve(np.ones(len(cells)), iteration_limit=3)
    assert caught.value.report.iterations == 3 and not caught.value.report.converged
    assert len(caught.value.solution) == len(cells) and caught.value.report.true_residual > 1e-6


@pytest.mark.parametrize("wrong", [
    lambda c: sc.Poisson(c, spacing=-1.0),
    lambda c: sc.Poisson(c, spacing=(1.0, 2.0, 3.0)),
    lambda c: sc.Poisson(c, dirichlet={"north": 0.0}),
    lambda c: sc.Poisson(c, method="magic"),
    lambda c: sc.Poisson(c, dtype="i4"),
    lambda c: sc.Poisson(c, periodic=["z"]),
    lambda c: sc.Poisson(c, periodic=["x"], dirichlet={"left": 0.0}),
    lambda c: sc.Poisson(c - c),
    lambda c: sc.Poisson(c).solve(np.zeros(3)),
    lambda c: sc.Poisson(c).solve(np.full(len(c), np.nan)),
    lambda c: sc.Poisson(c).solve(np.ones(len(c)), tolerance=0),
    lambda c: sc.Poisson(c).solve(sc.Field(c.shift((1, 0)))),
])
def test_mistakes_are_told_in_a_sentence(wrong):
    with pytest.raises(ValueError) as caught:
        wrong(sc.box((0, 0), (8, 8)))
    assert "\n" not in str(caught.value) and ".cpp" not in str(caught.value) and len(str(caught.value)) > 15


def test_wrong_types_are_told():
    c = sc.box((0, 0), (8, 8))
    for wrong in (lambda: sc.Poisson(3), lambda: sc.Poisson(c, dirichlet="left"), lambda: sc.Poisson(c).solve("b"),
                  lambda: sc.Poisson(c, spacing="wide")):
        with pytest.raises(TypeError) as caught:
            wrong()
        assert "\n" not in str(caught.value)
