"""live(): a client sees pictures of a simulation that this thread steps, and gives commands."""

import contextlib
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import sparsecells as sc
from sparsecells import _live

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "programs"))
from live_test import Client  # noqa: E402

CAVITY = """
import sparsecells as sc
flow = sc.Incompressible(sc.box((0, 0), (16, 16)), viscosity=0.1, walls={"top": sc.no_slip((1, 0))})
"""


def cavity(**options):
    return sc.Incompressible(sc.box((0, 0), (16, 16)), viscosity=0.1, walls={"top": sc.no_slip((1, 0))}, **options)


def tunnel(refine=None):
    gas = sc.Euler()
    domain = sc.Domain((16, 16), levels=2, bodies=[sc.Ball((5, 8), 2)], sides={"left": "inflow", "others": "open"})
    return sc.Compressible(domain, gas, initial=gas.state(1, (2, 0), 1 / 1.4), refine=refine)


@pytest.fixture
def watch(monkeypatch):
    """watch(use, start): start() in this thread, use(client) in another. Returns what start() gives."""
    pytest.importorskip("sparsecells._server")

    def run(use, start):
        addresses, failures = queue.Queue(), []
        monkeypatch.setattr(_live, "announce", addresses.put)

        def other():
            client = Client(addresses.get(timeout=60))
            try:
                use(client)
            except BaseException as error:
                failures.append(error)
                with contextlib.suppress(OSError):
                    client.command(do="stop")

        thread = threading.Thread(target=other)
        thread.start()
        last = start()
        thread.join(timeout=60)
        if failures:
            raise failures[0]
        return last

    return run


def test_a_page_controls_a_flow(watch):
    flow, seen = cavity(inks=["ink"]), {}

    def use(client):
        status, page = client.ask("/")
        assert status == 200 and b'id="stop"' in page and b"sparsecells" in page
        for picture in client.pictures(3):
            assert picture.startswith(b"\xff\xd8")
        first = client.state()
        assert first["views"] == ["velocity", "vorticity", "pressure", "streaks", "ink"] and first["view"] == "velocity"
        assert max(first["pixels"]) >= 200 and first["about"].startswith("Incompressible(time") and first["until"] is None
        client.state(lambda state: state["steps"] > first["steps"] and state["time"] > first["time"])

        client.command(do="pause", on=True)
        paused = client.state(lambda state: state["paused"])
        time.sleep(0.3)
        assert client.state()["steps"] == paused["steps"]
        client.command(do="step")
        client.command(do="step")
        client.state(lambda state: state["steps"] == paused["steps"] + 2)
        time.sleep(0.2)
        assert client.state()["steps"] == paused["steps"] + 2
        for _ in range(20):  # who leaves makes room for others, though no picture is sent
            before = next(client.pictures(1))
            time.sleep(0.06)
        client.command(do="set", view="streaks")
        assert client.state(lambda state: state["view"] == "streaks")["steps"] == paused["steps"] + 2
        assert next(client.pictures(1)) != before
        client.command(do="pause", on=False)
        seen.update(client.state(lambda state: not state["paused"] and state["steps"] > paused["steps"] + 2))

        status, reason = client.ask("/command", '{"do": "set", "view": "mach"}')
        assert status == 400 and reason.decode() == "command: there is no view 'mach'; there are velocity, vorticity, pressure, streaks, ink\n"
        for wrong in ("", "[]", "{}", '{"do": "jump"}', '{"do": 1}', '{"do": "pause"}', '{"do": "pause", "on": 1}', '{"do": "stop", "now": true}',
                      '{"do": "set", "view": 1}'):
            status, reason = client.ask("/command", wrong)
            assert status == 400 and reason.startswith(b"command: "), wrong
        for path in ("/", "/stream", "/state"):
            assert client.ask(path, token="0" * 32)[0] == 403
        assert client.ask("/command", '{"do": "stop"}', token="")[0] == 403
        assert client.state()["steps"] >= seen["steps"]  # it has not stopped
        client.command(do="stop")

    last = watch(use, lambda: flow.live(size=200))
    assert last.number == flow.step_count >= seen["steps"] and last.time == flow.time
    flow.run(most_steps=1)  # it goes on as ever
    assert flow.step_count == last.number + 1


def test_functions_and_sources_run_in_the_thread_that_called(watch):
    threads = set()

    def refine(level):
        threads.add(threading.current_thread())
        return level.primitive("density").values > 1.1

    def source(x, time, w):
        threads.add(threading.current_thread())
        return np.zeros(4)

    sim = tunnel(refine=[refine])
    sim.add_source(source)

    def use(client):
        client.state(lambda state: state["steps"] > 2)
        for view in ("level", "mach"):
            client.command(do="set", view=view)
            client.state(lambda state: state["view"] == view)
        client.command(do="stop")

    assert watch(use, lambda: sim.live("pressure", range=(0, 1), size=100)).number > 2
    assert threads == {threading.current_thread()}


def test_ends_at_a_time_with_the_steps_of_a_run(watch):
    plain, shown = tunnel(), tunnel()
    for _ in plain.run(until=3):
        pass
    last = watch(lambda client: None, lambda: shown.live(until=3, size=100))
    assert (last.time, last.number) == (3, plain.step_count) and shown.totals() == plain.totals()
    assert watch(lambda client: None, lambda: shown.live(until=3, size=100)) is None


def test_the_last_picture_arrives(watch):
    def use(client):
        client.command(do="pause", on=True)
        pictures = {}
        for view in ("pressure", "velocity"):
            client.command(do="set", view=view)
            client.state(lambda state: state["paused"] and state["view"] == view)
            pictures[view] = next(client.pictures(1))
        stream = client.pictures(100)
        last = next(stream)
        assert last == pictures["velocity"] != pictures["pressure"]
        client.command(do="set", view="pressure")
        client.command(do="stop")
        with pytest.raises(AssertionError):  # the stream ends before the hundredth
            for last in stream:
                pass
        assert last == pictures["pressure"]

    watch(use, lambda: cavity().live(size=100))


def test_steps_are_so_many_between_pictures(watch):
    def use(client):
        first, begin = client.state(), time.perf_counter()
        time.sleep(1)
        last, taken = client.state(), time.perf_counter() - begin
        assert first["steps"] % 3 == last["steps"] % 3 == 0
        assert 0 < last["steps"] - first["steps"] <= 3 * (30 * taken + 2)
        client.command(do="stop")

    watch(use, lambda: cavity().live(steps=3, size=100))


def test_an_interrupt_ends_it_after_a_step():
    pytest.importorskip("sparsecells._server")
    text = CAVITY + """
last = flow.live(size=100)
print(last.number == flow.step_count > 0, flow.step() > 0)
import signal
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        assert line.startswith("live: http"), process.communicate()
        Client(line.removeprefix("live: ")).state(lambda state: state["steps"] > 0)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert (out, errors, process.returncode) == ("True True\nTrue\n", "", 0)


def test_a_second_interrupt_is_as_always():
    with pytest.raises(KeyboardInterrupt), _live.Interrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.came
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_a_step_closes_the_server(watch):
    sim, clients = tunnel(), []

    def fail(x, time, w):
        if time > 1:
            raise ZeroDivisionError("mine")
        return np.zeros(4)

    sim.add_source(fail)
    with pytest.raises(ZeroDivisionError, match="mine"):
        watch(clients.append, lambda: sim.live(size=100))
    with pytest.raises(ConnectionError):
        clients[0].ask("/state")


def test_what_is_refused(monkeypatch):
    pytest.importorskip("sparsecells._server")
    flow = cavity()
    for wrong, kind, text in [
        (lambda: flow.live("speed"), ValueError, "view must be one of velocity, .*, not 'speed'"),
        (lambda: flow.live(until=-1), ValueError, "before the time"),
        (lambda: flow.live(steps=0), ValueError, "steps must be at least 1"),
        (lambda: flow.live(port=70000), ValueError, "port must be 0 to 65535"),
        (lambda: flow.live(wide=3), TypeError, "plot takes size"),
    ]:
        with pytest.raises(kind, match=text) as caught:
            wrong()
        assert "\n" not in str(caught.value)

    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="port .* of 127.0.0.1"):
        flow.live(port=taken.getsockname()[1])
    monkeypatch.setitem(sys.modules, "sparsecells._server", None)  # as in a build without it
    with pytest.raises(RuntimeError, match="install libturbojpeg0-dev"):
        flow.live()
