#!/usr/bin/env python3
"""Opens the page of live's server in a browser without a display, with a synthetic mouse and keys.

usage: test_live_page.py PROGRAM page. Exit status 77 where there is no Chromium.
"""

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from example_test import main
from live_test import CASE, Served, read_png

WIDTH, HEIGHT = 1280, 720
NAMES = ("chromium", "chromium-browser", "google-chrome")

class Browser:
    """Chromium without a display. Commands and events are JSON with a zero byte at the end, through pipes."""

    def __init__(self, program):
        to_read, self.to = os.pipe()
        self.answers, to_write = os.pipe()
        self.profile = tempfile.mkdtemp(prefix="sparse_browser_")

        def pipes_for_child():  # it reads from 3 and writes to 4
            spare = [os.dup(to_read), os.dup(to_write)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        options = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
                   "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-proxy-server",
                   "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}"]
        if os.geteuid() == 0:  # the sandbox of Chromium refuses root
            options.append("--no-sandbox")
        self.process = subprocess.Popen([program, *options], preexec_fn=pipes_for_child, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        self.count, self.rest, self.complaints = 0, b"", []
        self.session = None
        self.guard = threading.Timer(150, self.process.kill)  # so that no read waits forever
        self.guard.start()
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.scale(1)

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.answers, 1 << 16)
            assert data, "the browser has ended"
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data) :]
        while True:
            answer = self.message()
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(answer["params"])
            if answer.get("id") == self.count:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def value(self, expression):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, (expression, answer)
        return answer["result"].get("value")

    def wait(self, expression, seconds=40):
        deadline = time.time() + seconds
        while time.time() < deadline:
            if self.value(expression):
                return
            time.sleep(0.1)
        raise AssertionError(f"it never became so: {expression}; {self.value('document.body.innerText')}")

    def scale(self, factor):
        """Pixels of the screen per pixel of the page."""
        self.ask("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=factor, mobile=False)

    def mouse(self, kind, at, button="none"):
        buttons = {"none": 0, "left": 1, "right": 2}[button] if kind != "mouseReleased" else 0
        self.ask("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button=button, buttons=buttons, clickCount=1)

    def drag(self, points, button="left"):
        self.mouse("mouseMoved", points[0])
        self.mouse("mousePressed", points[0], button)
        for (x, y), (to_x, to_y) in zip(points, points[1:]):
            for i in range(1, 9):
                self.mouse("mouseMoved", (x + (to_x - x) * i / 8, y + (to_y - y) * i / 8), button)
        self.mouse("mouseReleased", points[-1], button)

    def click(self, name):
        """Clicks at the middle of an element."""
        r = self.value(f"(r => [r.left, r.top, r.width, r.height])(get('{name}').getBoundingClientRect())")
        at = (r[0] + r[2] / 2, r[1] + r[3] / 2)
        self.drag([at])

    def key(self, text):
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, key=text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=text)

    def screenshot(self, path):
        """Writes a picture of the page. Returns its width and height"""
        data = base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])
        Path(path).write_bytes(data)
        return struct.unpack(">II", data[16:24])

    def end(self):
        self.guard.cancel()
        self.process.kill()
        self.process.wait(timeout=30)
        shutil.rmtree(self.profile, ignore_errors=True)


def is_grey(pixel):
    return max(pixel) - min(pixel) < 14 and 110 < pixel[0] < 190


def is_blue(pixel):
    red, green, blue = pixel
    return blue > green + 20 > red + 40


def use(browser, served):
    start = served.state()
    browser.ask("Page.navigate", url=f"http://127.0.0.1:{served.port}/?token={served.token}")
    browser.wait("typeof get !== 'undefined' && get('says').textContent.startsWith('t = ')")
    browser.wait("get('picture').naturalWidth > 0")
    assert browser.value("get('picture').naturalWidth") == start["pixels"][0]
    left, top, wide, high = browser.value("(r => [r.left, r.top, r.width, r.height])(get('picture').getBoundingClientRect())")

    def place(x, y):
        return left + x / 4 * wide, top + (1 - y) * high

    def pixel(rows, x, y):
        column, row = (round(value) for value in place(x, y))
        return tuple(rows[row][3 * column : 3 * column + 3])

    assert abs(wide / high - 4) < 0.02, (wide, high)
    assert browser.value("get('case').value") == "case" and browser.value("get('case').length") == len(start["cases"]) + 1
    # All of the page fits into the window, without scrolling.
    assert browser.value("document.documentElement.scrollWidth <= innerWidth"), "too wide"
    assert browser.value("document.documentElement.scrollHeight <= innerHeight"), "too high"

    # The right keys and buttons do what they say; obstacles are grey, ink has its colour.
    browser.key("4")  # the view of ink alone
    served.state(lambda state: state["view"] == "ink")
    stroke = [place(2.0, 0.3), place(2.3, 0.6)]
    browser.drag(stroke)
    drawn = served.state(lambda state: state["bodies"] != start["bodies"])
    time.sleep(0.5)
    assert browser.screenshot("drawn.png") == (WIDTH, HEIGHT)
    rows = read_png("drawn.png")
    for x, y in ((2.0, 0.3), (2.15, 0.45), (2.3, 0.6)):
        assert is_grey(pixel(rows, x, y)), (x, y, pixel(rows, x, y))
    assert not is_grey(pixel(rows, 2.3, 0.3)) and is_blue(pixel(rows, 0.5, 0.5)), pixel(rows, 0.5, 0.5)
    browser.value("get('width').value = 8")
    browser.drag(stroke, "right")
    served.state(lambda state: state["bodies"] == start["bodies"])
    assert served.state()["steps"] > drawn["steps"]
    browser.drag([place(0.5, 0.5), place(1.0, 0.8)])
    served.state(lambda state: abs(state["emitters"][0]["at"][0] - 1.0) < 0.05)
    browser.mouse("mouseMoved", place(0.3, 0.2))
    browser.key("e")
    served.state(lambda state: len(state["emitters"]) == 2)
    browser.key("p")
    served.state(lambda state: len(state["probes"]) == 1)
    browser.wait("get('says').textContent.includes('probe 0')")
    browser.key(" ")
    paused = served.state(lambda state: state["paused"])
    browser.wait("get('pause').className === 'on'")
    browser.click("step")
    served.state(lambda state: state["steps"] == paused["steps"] + 1)
    browser.key("?")
    assert browser.value("get('help').getBoundingClientRect().height") > 20
    browser.key("?")
    assert browser.value("get('help').getBoundingClientRect().height") == 0
    browser.value("get('view').value = 'speed', get('view').dispatchEvent(new Event('change'))")
    served.state(lambda state: state["view"] == "speed")
    browser.value("get('re').value = 3, get('re').dispatchEvent(new Event('input'))")
    served.state(lambda state: abs(state["re"] - 1000) < 1)
    browser.click("pause")
    served.state(lambda state: not state["paused"])
    time.sleep(0.5)
    browser.scale(2)  # a screen of high density
    assert browser.screenshot("dense.png") == (2 * WIDTH, 2 * HEIGHT)
    browser.scale(1)
    # What the server refuses is told below the picture.
    browser.value("send({do: 'set', view: 'mach'})")
    browser.wait("get('says').textContent.includes(\"no view 'mach'\")")
    assert browser.complaints == [], browser.complaints

    served.stop()
    browser.wait("get('says').textContent === 'the program has ended'")


def page(program):
    browser_program = next(filter(None, map(shutil.which, NAMES)), None)
    if browser_program is None:
        print(f"skipped: there is no browser ({', '.join(NAMES)})")
        sys.exit(77)
    Path("case.toml").write_text(CASE)
    served = Served(program, "case.toml", folder="served_page")
    try:
        browser = Browser(browser_program)
        try:
            use(browser, served)
        finally:
            browser.end()
    finally:
        served.process.kill()


main({"page": page})
