"""Loops in time."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Generic, TypeVar

Step = TypeVar("Step")


class Run(Generic[Step]):
    """The steps of a run, one at a time: `for step in sim.run(until=400): ...`.

    Nothing is computed before the loop asks for it. A run that no loop has asked for a step warns.
    """

    def __init__(self, steps: Iterator[Step]) -> None:
        self._steps = steps
        self._has_begun = False

    def __iter__(self) -> Run[Step]:
        return self

    def __next__(self) -> Step:
        self._has_begun = True
        return next(self._steps)

    def finish(self) -> Step | None:
        """Takes all steps that are left and returns the last one."""
        last = None
        for last in self:
            pass
        return last

    def __del__(self) -> None:
        if not getattr(self, "_has_begun", True):
            warnings.warn("this run took no step: write `for step in sim.run(...)` or `sim.run(...).finish()`", RuntimeWarning, stacklevel=2)


class Bar:
    """A bar of progress: tqdm where it is installed, else a line on stderr that is written over."""

    def __init__(self, total: float, start: float, unit: str) -> None:
        self._start, self._total, self._bar = start, total, None
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            pass
        else:
            shape = "{l_bar}{bar}| {n:.4g}/{total:.4g} " + unit + " [{elapsed}<{remaining}{postfix}]"
            self._bar = tqdm(total=total - start, bar_format=shape)

    def show(self, now: float, text: str = "") -> None:
        """Moves to `now` and shows a text beside."""
        if self._bar is not None:
            self._bar.update(now - self._start - self._bar.n)
            self._bar.set_postfix_str(text)
        else:
            share = (now - self._start) / (self._total - self._start) if self._total > self._start else 1.0
            sys.stderr.write(f"\r{100 * share:5.1f} %  {text}")

    def close(self) -> None:
        """Ends the line."""
        if self._bar is not None:
            self._bar.close()
        else:
            sys.stderr.write("\n")
