#!/usr/bin/env python3
"""Runs the window of live on a virtual display, with a synthetic mouse and keys.

usage: test_live_window.py PROGRAM mouse|none
"""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from example_test import main
from live_test import CASE, read_png

WIDTH, HEIGHT = 1280, 720
PANEL = (980, 0, 1280, 560)  # left, top, right, bottom
# Where the flow is in the window: the picture's corner and its width in pixels.
CORNER, WIDE = (8, 8), 964


def place(x, y):
    """The pixel of a position in the flow."""
    return round(CORNER[0] + x / 4 * WIDE), round(CORNER[1] + (1 - y) / 4 * WIDE)


def pixel_of(rows, x, y):
    column, row = place(x, y)
    return tuple(rows[row][3 * column : 3 * column + 3])


def similarity(a, b, area):
    """The mean structural similarity (Wang et al. 2004) of the greens in squares of 8 pixels."""
    left, top, right, bottom = area
    total = count = 0
    for y in range(top, bottom - 7, 8):
        for x in range(left, right - 7, 8):
            s, t = ([g for row in rows[y : y + 8] for g in row[3 * x + 1 : 3 * x + 25 : 3]] for rows in (a, b))
            ms, mt = sum(s) / 64, sum(t) / 64
            vs, vt = sum((u - ms) ** 2 for u in s) / 63, sum((u - mt) ** 2 for u in t) / 63
            c = sum((u - ms) * (v - mt) for u, v in zip(s, t)) / 63
            total += (2 * ms * mt + 6.5) * (2 * c + 58.5) / ((ms**2 + mt**2 + 6.5) * (vs + vt + 58.5))
            count += 1
    return total / count


class Window:
    """The program on a display of its own."""

    def __init__(self, program, *arguments):
        shutil.rmtree("out", ignore_errors=True)
        reader, writer = os.pipe()
        screen = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-noreset", "-nolisten", "tcp"]
        self.screen = subprocess.Popen(screen, pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        number = os.fdopen(reader).readline().strip()
        assert number, "Xvfb did not start"
        self.environment = {**os.environ, "DISPLAY": f":{number}", "OMP_NUM_THREADS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.report = open("report.txt", "w")
        self.process = subprocess.Popen([program, *arguments, "--output-dir", "out", "--report", "0.1"], stdout=self.report,
                                        env=self.environment)
        self.state()
        self.do("search", "--sync", "--name", "sparse live", "windowfocus", "--sync")

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True, timeout=60, capture_output=True)

    def key(self, name):
        self.do("key", name)

    def drag(self, points, button=1):
        """Presses a button at the first of some positions, goes along the others, lets it go."""
        self.do("mousemove", *place(*points[0]))
        time.sleep(0.3)
        self.do("mousedown", button)
        for (x, y), (to_x, to_y) in zip(points, points[1:]):
            for i in range(1, 11):
                self.do("mousemove", *place(x + (to_x - x) * i / 10, y + (to_y - y) * i / 10))
                time.sleep(0.03)
        time.sleep(0.2)
        self.do("mouseup", button)

    def state(self, until=lambda state: True):
        """What the next report says that is as wanted."""
        size, deadline = Path("report.txt").stat().st_size, time.time() + 60
        while time.time() < deadline:
            assert self.process.poll() is None, "it has ended"
            for line in Path("report.txt").read_text()[size:].splitlines(keepends=True):
                if line.endswith("}\n") and line.startswith("{") and until(json.loads(line)):
                    return json.loads(line)
            time.sleep(0.05)
        raise AssertionError("it never became so")

    def screenshot(self):
        before = set(Path("out").glob("window_*.png"))
        self.key("F11")
        deadline = time.time() + 30
        while time.time() < deadline:
            new = set(Path("out").glob("window_*.png")) - before
            if new:
                return read_png(new.pop())
            time.sleep(0.05)
        raise AssertionError("there is no picture of the window")

    def files(self, ending, count=1):
        deadline = time.time() + 30
        while time.time() < deadline:
            found = sorted(Path("out").glob(f"case_*{ending}"))
            if len(found) >= count:
                return found
            time.sleep(0.05)
        raise AssertionError(f"there is no file {ending}")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self.screen.terminate()
        self.screen.wait(timeout=30)


def is_grey(pixel):
    return max(pixel) - min(pixel) < 6 and 120 < pixel[0] < 180


def mouse(program):
    Path("case.toml").write_text(CASE)
    window = Window(program, "case.toml")
    try:
        start = window.state()
        assert start["emitters"] == 1 and start["re"] == 200 and not start["paused"], start
        window.key("4")  # the view of ink alone
        # Drawing leaves grey cells, erasing with a wider brush restores what was there.
        stroke = [(2.0, 0.3), (2.3, 0.6)]
        window.drag(stroke)
        drawn = window.state(lambda state: state["bodies"] != start["bodies"])
        picture = window.screenshot()
        for x, y in ((2.0, 0.3), (2.15, 0.45), (2.3, 0.6)):
            assert is_grey(pixel_of(picture, x, y)), (x, y, pixel_of(picture, x, y))
        assert not is_grey(pixel_of(picture, 2.3, 0.3))
        for _ in range(3):
            window.key("bracketright")
        window.drag(stroke, button=3)
        window.state(lambda state: state["bodies"] == start["bodies"])
        assert window.state()["steps"] > drawn["steps"]

        # The ink has its emitter's hue, also where it was dragged to.
        def is_blue(picture, x, y):
            red, green, blue = pixel_of(picture, x, y)
            return blue > green + 20 > red + 40

        assert is_blue(picture, 0.5, 0.5) and not is_blue(picture, 0.4, 0.85), pixel_of(picture, 0.5, 0.5)
        window.drag([(0.5, 0.5), (1.0, 0.8)])
        time.sleep(1)
        assert is_blue(window.screenshot(), 1.0, 0.8)
        window.do("mousemove", *place(0.3, 0.2))
        time.sleep(0.3)
        window.key("e")
        window.state(lambda state: state["emitters"] == 2)

        # Pausing holds the state; the window stays as it is, and so does its panel.
        window.key("space")
        paused = window.state(lambda state: state["paused"])
        time.sleep(0.5)
        one = window.screenshot()
        assert window.state()["state"] == paused["state"]
        two = window.screenshot()
        assert similarity(one, two, PANEL) >= 0.95 and similarity(one, two, (8, 8, 972, 248)) >= 0.95
        window.key("period")
        assert window.state(lambda state: state["steps"] == paused["steps"] + 1)["state"] != paused["state"]
        # Help covers the flow, not the panel; it goes away again.
        window.key("question")
        time.sleep(0.5)
        helped = window.screenshot()
        assert similarity(one, helped, (60, 60, 580, 240)) < 0.8 and similarity(one, helped, PANEL) >= 0.95
        window.key("question")
        # The Reynolds number is a slider in the panel.
        window.do("mousemove", 1100, 72, "click", 1)
        assert window.state(lambda state: state["re"] != 200)["re"] > 10
        window.key("space")
        window.state(lambda state: not state["paused"])

        # Pictures, a film, and the case.
        window.key("F9")
        assert read_png(window.files(".png")[0])
        window.key("F10")
        time.sleep(1)
        window.key("F10")
        assert window.files(".webp")[0].read_bytes()[8:12] == b"WEBP"
        window.key("ctrl+s")
        assert "[[ink]]" in window.files(".toml")[0].read_text()
    finally:
        window.end()


def none(program):
    """Without a display there is a message that names what works without one."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    for more in ({}, {"DISPLAY": ":987"}):
        done = subprocess.run([program], capture_output=True, text=True, timeout=60, env={**environment, **more})
        assert done.returncode == 2, done
        assert "--script" in done.stderr and "--serve" in done.stderr and done.stderr.count("\n") == 1, done.stderr


main({"mouse": mouse, "none": none})
