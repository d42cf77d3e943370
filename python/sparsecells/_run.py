"""Loops in time."""

from __future__ import annotations

import math
import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from sparsecells._compressible import Step
    from sparsecells._pictures import Picture

Item = TypeVar("Item")


class Run(Generic[Item]):
    """The steps of a run, one at a time: `for step in sim.run(until=400): ...`.

    Nothing is computed before the loop asks for it. A run that no loop has asked for a step warns.
    """

    def __init__(self, steps: Iterator[Item]) -> None:
        self._steps = steps
        self._has_begun = False

    def __iter__(self) -> Run[Item]:
        return self

    def __next__(self) -> Item:
        self._has_begun = True
        return next(self._steps)

    def finish(self) -> Item | None:
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


class Simulation(ABC):
    """What `Compressible` and `Incompressible` share: they step, they draw themselves, and they can be watched."""

    @property
    @abstractmethod
    def time(self) -> float:
        """The time of the state."""

    @property
    @abstractmethod
    def step_count(self) -> int:
        """The number of steps so far."""

    @abstractmethod
    def step(self, longest: float = math.inf) -> float:
        """Takes a step of at most `longest`. Returns its length."""

    @abstractmethod
    def plot(self, array: str = ..., **options: Any) -> Picture:
        """A picture of an array. Options as `Field.plot`."""

    @abstractmethod
    def _views(self) -> list[str]:
        """What `plot` draws, the usual one first."""

    def live(
        self, view: str | None = None, until: float | None = None, steps: int | None = None, port: int = 0, **options: Any
    ) -> Step | None:
        """Runs on and shows it in a browser; a notebook shows it below the cell. Prints the address, of this machine alone.

        The page has views, pause, single steps and stop. It ends at the time `until`, by the page's stop, or by Ctrl-C (in a
        notebook: interrupt), which cuts no step; a second Ctrl-C is as always. Then the simulation is where it was shown
        last. Returns the last step, None if there was none.

        view: what `plot` draws. steps: so many between pictures, of which there are at most 30 per second, so that quick
        flows can be watched; None: as many as there is time for. port: 0: any that is free. options: those of `Field.plot`,
        where size is 800 unless it is given; colours, range, label and title are for `view` alone.

        Steps and your functions run in the thread that calls, and pictures take at most half of its time. Raises ValueError
        for another view, OSError if the port cannot be had, RuntimeError where this build has no server.
        """
        from sparsecells._live import Live  # here, so that the import of the module stays quick

        return Live(self, self._views(), view, until, steps, port, options).run()
