"""A running simulation in a browser."""

from __future__ import annotations

import json
import math
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from time import perf_counter
from types import FrameType
from typing import Any

from sparsecells._compressible import Step
from sparsecells._pictures import Picture
from sparsecells._run import Simulation

_BODY = """
<div class="bar"><label>View <select id="view"></select></label>
<button id="pause">Pause</button><button id="step">Step</button><button id="stop">Stop</button></div>
<img id="picture" alt="the simulation" draggable="false">
<div id="says">connecting</div>
"""
_SCRIPT = """
const ended = "ended: Python goes on";
get("stop").onclick = () => send({do: "stop"});
function told() {
  const until = state.until === null ? "" : `, until ${short(state.until)}`;
  return state.about + until + (state.milliseconds === null ? "" : `, ${short(state.milliseconds)} ms per step`);
}
"""
_INTERVAL = 1 / 30  # s between pictures
_IDLE = 0.05  # s that a pause waits for a command before it looks for Ctrl-C
_OF_ONE_VIEW = ("colours", "range", "label", "title")  # options of plot


def announce(address: str) -> None:
    """Prints an address; a notebook shows what is there, too."""
    print(f"live: {address}", flush=True)
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if hasattr(shell, "kernel"):
        shown = import_module("IPython.display")
        shown.display(shown.IFrame(address, "100%", 640))


class Interrupt:
    """While it is entered, the first Ctrl-C only sets `came`, so that it cuts no step. The second one is as always."""

    def __enter__(self) -> Interrupt:
        self.came = False
        self._is_main = threading.current_thread() is threading.main_thread()
        if self._is_main:  # no other thread gets Ctrl-C
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = True

    def __exit__(self, *error: object) -> None:
        if self._is_main:
            signal.signal(signal.SIGINT, self._before or signal.default_int_handler)


class Live:
    """Steps a simulation and shows it. All of the simulation is called in the thread that made this."""

    def __init__(
        self, sim: Simulation, views: Sequence[str], view: str | None, until: float | None, steps: int | None, port: int, options: dict[str, Any]
    ) -> None:
        view = views[0] if view is None else view
        if view not in views:
            raise ValueError(f"live: view must be one of {', '.join(views)}, not {view!r}")
        if until is not None and not until >= sim.time:
            raise ValueError(f"live: until must not lie before the time of the simulation, {sim.time}")
        if steps is not None and steps < 1:
            raise ValueError(f"live: steps must be at least 1, not {steps}")
        if not 0 <= port <= 65535:
            raise ValueError(f"live: port must be 0 to 65535, not {port}")
        try:
            server = import_module("sparsecells._server")
        except ImportError:
            raise RuntimeError(
                "live: this build of sparsecells shows nothing in a browser; install libturbojpeg0-dev and build it again (pip install . in a clone)"
            ) from None
        self._sim, self._views, self._view, self._first = sim, list(views), view, view
        self._until, self._stride = None if until is None else float(until), steps
        self._options = {"size": 800, **options}
        self._is_paused = self._stops = False
        self._single_steps = 0
        self._milliseconds: float | None = None
        self._paint()  # so that a wrong option opens no port
        try:
            self._window = server.Window(port, "sparsecells", _BODY, _SCRIPT, self._views)
        except RuntimeError as error:
            raise OSError(f"live: {error}") from None

    def run(self) -> Step | None:
        """Goes on until the end. Returns the last step."""
        last: Step | None = None
        try:
            with Interrupt() as interrupt:
                self._show()
                announce(self._window.url)
                while not (self._stops or interrupt.came or self._is_over()):
                    if self._may_step():
                        last = self._step()
                    if self._wants_picture() and perf_counter() >= self._next_picture:
                        self._show()
                    for command in self._window.commands(self._idle_time()):
                        self._obey(json.loads(command))
                if self._is_changed or self._since_picture:
                    self._show()
        finally:
            self._window.close()
        return last

    def _is_over(self) -> bool:
        return self._until is not None and self._sim.time >= self._until

    def _may_step(self) -> bool:
        if self._is_paused:
            return self._single_steps > 0
        return self._stride is None or self._since_picture < self._stride

    def _wants_picture(self) -> bool:
        enough = 1 if self._is_paused or self._stride is None else self._stride
        return self._is_changed or self._since_picture >= enough

    def _idle_time(self) -> float:
        """How long to wait for a command."""
        if self._may_step():
            return 0.0
        return min(_IDLE, max(0.0, self._next_picture - perf_counter())) if self._wants_picture() else _IDLE

    def _step(self) -> Step:
        begin = perf_counter()
        dt = self._sim.step(math.inf if self._until is None else self._until - self._sim.time)
        taken = 1e3 * (perf_counter() - begin)
        self._milliseconds = taken if self._milliseconds is None else 0.9 * self._milliseconds + 0.1 * taken
        self._single_steps = max(0, self._single_steps - 1)
        self._since_picture += 1
        return Step(self._sim.step_count, self._sim.time, dt)

    def _obey(self, command: dict[str, Any]) -> None:
        """A command that the server has found to be right."""
        self._is_changed = True
        if command["do"] == "stop":
            self._stops = True
        elif command["do"] == "step":
            self._is_paused = True
            self._single_steps += 1
        elif command["do"] == "pause":
            self._is_paused = command["on"]
        else:
            self._view = command["view"]

    def _show(self) -> None:
        begin = perf_counter()
        picture = self._paint()
        height, width, _ = picture.pixels.shape
        state = {
            "time": self._sim.time, "steps": self._sim.step_count, "about": repr(self._sim), "until": self._until,
            "milliseconds": self._milliseconds, "paused": self._is_paused, "view": self._view, "views": self._views, "pixels": [width, height],
        }  # fmt: skip
        self._window.show(picture.pixels, json.dumps(state))
        now = perf_counter()
        self._next_picture = max(begin + _INTERVAL, now + (now - begin))  # pictures take half of the time at most
        self._since_picture, self._is_changed = 0, False

    def _paint(self) -> Picture:
        options = {key: value for key, value in self._options.items() if self._view == self._first or key not in _OF_ONE_VIEW}
        return self._sim.plot(self._view, **options)
