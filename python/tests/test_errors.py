"""What beginners do: each mistake ends in one sentence that says what to do."""

import pickle

import numpy as np
import pytest

import sparsecells as sc

A = dict(flat=lambda: sc.box((0, 0), (4, 4)), solid=lambda: sc.box((0, 0, 0), (4, 4, 4)))

MISTAKES = [
    (lambda a, s: sc.box((0.5, 0), (4, 4)), TypeError, "whole number, not 0.5; use int"),
    (lambda a, s: sc.box((0, 0), (4, 4, 4)), ValueError, "as many numbers, not 2 and 3"),
    (lambda a, s: sc.box(0, 4), TypeError, r"2 or 3 numbers, such as \(0, 0\), not 0"),
    (lambda a, s: sc.box((0,), (4,)), ValueError, "2 or 3 numbers"),
    (lambda a, s: sc.box((4, 4), (0, 0)), ValueError, "."),
    (lambda a, s: sc.box((0, 0), (1 << 40, 4)), ValueError, "between -2\\^30 and 2\\^30"),
    (lambda a, s: sc.box((0, 0), (10**30, 4)), ValueError, "out of range"),
    (lambda a, s: sc.ball((1, 2), "wide"), TypeError, "radius must be a number, not 'wide'"),
    (lambda a, s: sc.ball((1, 2), -1), ValueError, "radius"),
    (lambda a, s: sc.ball((1, float("nan")), 1), ValueError, "."),
    (lambda a, s: a | s, ValueError, "same dimension, and they are in 2D and 3D"),
    (lambda a, s: a - 3, TypeError, "unsupported operand"),
    (lambda a, s: a.expand(1.5), TypeError, "whole number"),
    (lambda a, s: a.expand(-1), ValueError, "radius"),
    (lambda a, s: a.expand(1, "disc"), ValueError, '"box", "diamond" or "ball", not "disc"'),
    (lambda a, s: a.expand((1, 2, 3)), ValueError, "2 numbers, not 3"),
    (lambda a, s: a.shift((1, 2, 3)), ValueError, "2 numbers, not 3"),
    (lambda a, s: a.mirror("z", 0), ValueError, "axis must be 0 or 1"),
    (lambda a, s: a.slice(0, 0), ValueError, "3D, not in 2D"),
    (lambda a, s: (1, 2, 3) in a, ValueError, "2 numbers"),
    (lambda a, s: a[3], TypeError, "boolean array"),
    (lambda a, s: a[np.zeros(len(a))], TypeError, "boolean array"),
    (lambda a, s: a[np.zeros(3, bool)], ValueError, r"shape \(16,\), not \(3,\)"),
    (lambda a, s: sc.from_mask(np.zeros((3, 3))), TypeError, "booleans, not float64; write mask > 0"),
    (lambda a, s: sc.from_mask([[True]]), TypeError, "NumPy array"),
    (lambda a, s: sc.from_mask(np.zeros(3, bool)), ValueError, "2 axes"),
    (lambda a, s: sc.from_function(a, lambda x, y: x + y), TypeError, "must return booleans"),
    (lambda a, s: sc.fuse(lambda p, q: not p, a, a), ValueError, "true where no set is"),
    (lambda a, s: sc.fuse(lambda: True), ValueError, "one to six"),
    (lambda a, s: sc.fuse(lambda p, q: p, a, 3), TypeError, "must be a Set, not int"),
    (lambda a, s: sc.polygon([(0, 0), (1, 1)]), ValueError, "three points"),
    (lambda a, s: sc.polygon([(0, 0, 0), (1, 1, 0), (2, 0, 1)]), ValueError, r"shape \(n, 2\), not \(3, 3\)"),
    (lambda a, s: sc.Field(a, dtype="c16"), ValueError, '"float64", "float32", "int32" or "int64", not "complex128"'),
    (lambda a, s: sc.Field(np.zeros((3, 3))), TypeError, "must be a Set"),
    (lambda a, s: sc.Field(a, components=0), ValueError, "1 or more"),
    (lambda a, s: a.components()[9], IndexError, "1 components"),
    (lambda a, s: sc.load_set("/nowhere/set.h5"), OSError, "/nowhere/set.h5"),
    (lambda a, s: a.save("/nowhere/set.h5"), OSError, "/nowhere/set.h5"),
    (lambda a, s: sc.load_set(3), TypeError, "."),
    (lambda a, s: sc.set_threads(2), RuntimeError, "has started already"),
    (lambda a, s: sc.set_threads("two"), TypeError, "whole number"),
]


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes(number):
    mistake, kind, text = MISTAKES[number]
    with pytest.raises(kind, match=text) as caught:
        mistake(A["flat"](), A["solid"]())
    message = str(caught.value)
    assert "\n" not in message and ".cpp:" not in message and ".hpp:" not in message


def test_expressions_show_the_place():
    with pytest.raises(sc.ExpressionError) as caught:
        sc.expression("box(0, 0, 4, 4) - bal(1, 1, 1)")
    error = caught.value
    assert (error.begin, error.end) == (18, 21) and "^" in str(error) and "bal" in error.reason
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.begin, again.reason, str(again)) == (error.begin, error.reason, str(error))


def test_broken_pickles_are_refused():
    x = sc.ball((0, 0), 5)
    _, rows, row_ptr, intervals = x.__getstate__()
    blank = sc.Set.__new__(sc.Set)
    for state in [(4, rows, row_ptr, intervals), (2, rows, row_ptr[:-1], intervals), (2, rows[:-1], row_ptr, intervals),
                  (2, rows, row_ptr, intervals[:, ::-1]), (2, rows, row_ptr + 1, intervals), (2, rows, row_ptr)]:
        with pytest.raises(ValueError):
            blank.__setstate__(state)


def test_every_public_name_is_explained():
    for name in sc.__all__:
        thing = getattr(sc, name)
        if name.startswith("__") or isinstance(thing, str):
            continue
        assert thing.__doc__ and len(thing.__doc__) > 10, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if callable(value) and not member.startswith("_") or isinstance(value, property):
                    assert value.__doc__, f"{name}.{member}"
