"""The exceptions of sparsecells. Others are Python's own: ValueError, TypeError, RuntimeError, OSError, MemoryError."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sparsecells import Field, Report


class NotConverged(RuntimeError):
    """A solver stopped before its tolerance was met.

    report: what it did, with the residual of each iteration. solution: what it had found.
    """

    def __init__(self, message: str, report: Report, solution: Field) -> None:
        super().__init__(message)
        self.report = report
        self.solution = solution


class NonFiniteState(ArithmeticError):
    """A step of a simulation gave an impossible state. The message names the cell; the state before the step is kept."""


class ExpressionError(ValueError):
    """An expression has a mistake. Its text shows the line with a caret under the place.

    reason: what is wrong. begin, end: the place [bytes of the text].
    """

    def __init__(self, message: str, reason: str, begin: int, end: int) -> None:
        super().__init__(message)
        self.reason = reason
        self.begin = begin
        self.end = end

    def __reduce__(self) -> tuple[type[ExpressionError], tuple[str, str, int, int]]:
        return type(self), (str(self), self.reason, self.begin, self.end)
