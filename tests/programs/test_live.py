#!/usr/bin/env python3
"""Runs the program live without a display. usage: test_live.py PROGRAM script|saved|errors|server|hour"""

import json
import os
import random
import shutil
import socket
import subprocess
import time
from pathlib import Path

from example_test import main
from live_test import Served


def live(program, *arguments, threads=1, code=0):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == code, (done.returncode, done.stderr)
    return done


def run_script(program, text, folder="out", threads=1):
    Path("script.toml").write_text(text)
    done = live(program, "--script", "script.toml", "--output-dir", folder, threads=threads)
    return [json.loads(line) for line in done.stdout.splitlines()]


CASE = """
[domain]
size = [4, 1]
cells = [96, 24]
walls = "wall"

[fluid]
re = 200
length = 0.25

[[boundary]]
side = "left"
kind = "inflow"
velocity = [1, 0]

[[boundary]]
side = "right"
kind = "outflow"

[[obstacle]]
ball = [1, 0.5, 0.125]

[[ink]]
box = [0, 0.4, 0.1, 0.6]
colour = "#d62728"

[start]
velocity = [1, 0]

[run]
t-end = 1
"""

COMMANDS = """
frames = 24
report = 4
pixels = 192

[[command]]
frame = 2
do = "draw"
from = [2.0, 0.3]
to = [2.3, 0.6]
radius = 0.08

[[command]]
frame = 4
do = "add_emitter"
at = [1.5, 0.8]
radius = 0.05
colour = "#1f77b4"
jet = [0, -0.5]

[[command]]
frame = 6
do = "set"
re = 80
speed = 1.25
decay = 0.1
steps = 2

[[command]]
frame = 8
do = "pin"
at = [2.5, 0.5]

[[command]]
frame = 10
do = "change_emitter"
number = 1
to = [1.2, 0.2]

[[command]]
frame = 12
do = "erase"
tool = "box"
from = [0.9, 0.3]
to = [1.2, 0.5]

[[command]]
frame = 16
do = "add_streamline"
at = [0.2, 0.5]

[[command]]
frame = 23
do = "picture"
"""


def script(program):
    """The same script gives the same bits, with one thread and with two; with levels, too."""
    Path("case.toml").write_text(CASE)
    Path("levels.toml").write_text(CASE.replace("[run]", "[run]\namr-levels = 2"))
    for case in ("case.toml", "levels.toml", "mach2"):
        text = f'case = "{case}"' + COMMANDS
        if case == "mach2":  # a gas has no ink and no Reynolds number
            parts = text.split("\n[[command]]")
            text = "\n[[command]]".join(part for part in parts if "emitter" not in part and "re = 80" not in part)
        folders = [f"{name}_{case}" for name in ("one", "two", "again")]
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        one, two, again = (run_script(program, text, folder, threads) for folder, threads in zip(folders, (1, 2, 1)))
        assert [line["frame"] for line in one] == [3, 7, 11, 15, 19, 23], one
        for a, b, c in zip(one, two, again):
            assert (a["state"], a["bodies"], a["time"]) == (b["state"], b["bodies"], b["time"]), (a, b)
            a.pop("message", None), c.pop("message", None)
            assert a == c, (a, c)
        assert len({line["state"] for line in one}) == len(one), one
        assert one[0]["edits"] == 1 and one[-1]["edits"] == (1 if case == "mach2" else 2), one
        pictures = [path for folder in (folders[0], folders[2]) for path in Path(folder).glob("*.png")]
        assert len(pictures) == 2 and pictures[0].read_bytes() == pictures[1].read_bytes(), pictures
    # Drawing and erasing the same restores the geometry.
    stroke = 'from = [2.0, 0.3]\nto = [2.3, 0.6]\nradius = 0.08\n'
    lines = run_script(program, 'case = "case.toml"\nframes = 6\nreport = 1\n'
                       f'[[command]]\nframe = 2\ndo = "draw"\n{stroke}[[command]]\nframe = 4\ndo = "erase"\n{stroke}')
    bodies = [line["bodies"] for line in lines]
    assert bodies[0] == bodies[1] == bodies[4] == bodies[5] != bodies[2] == bodies[3], bodies
    measured = run_script(program, 'case = "cavity"\nframes = 3\nmeasure = true\n')[-1]
    assert measured["frames_per_second"] > 0 and measured["milliseconds_of_steps"] > 0, measured


def saved(program):
    """`flow` repeats a case that was saved: the same cells, and the ink of its emitters."""
    flow = Path(program).with_name("flow")
    Path("case.toml").write_text(CASE)
    Path("levels.toml").write_text(CASE.replace("[run]", "[run]\namr-levels = 2"))
    for case, steps in (("case.toml", 6), ("levels.toml", 6), ("wind_tunnel", 2), ("mach2", 2)):
        ink = "" if case == "mach2" else """
[[command]]
frame = 1
do = "add_emitter"
at = [2.4, 0.8]
radius = 0.05
colour = "#1f77b4"
jet = [0, -0.5]
[[command]]
frame = 1
do = "set"
re = 150
"""
        lines = run_script(program, f"""
case = "{case}"
frames = {steps}
[[command]]
frame = 0
do = "draw"
from = [2.0, 0.5]
radius = 0.1
{ink}
[[command]]
frame = {steps - 1}
do = "save"
""", folder=f"saved_{case}")
        assert lines[-1]["message"].startswith("saved: "), lines
        path = Path(lines[-1]["message"].removeprefix("saved: "))
        assert path.exists() and path.with_suffix(".h5").exists(), path
        done = subprocess.run([flow, path, "--max-steps", "3", "--output-dir", "flow_out", "--threads", "1"],
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        if case == "mach2":
            continue
        record = json.loads(Path("flow_out/run.json").read_text())
        if case != "levels.toml":  # levels follow the flow
            assert record["cells"] == lines[-1]["cells"], (record["cells"], lines[-1])
        assert record["parameters"]["re"] == 150, record["parameters"]
        header = Path("flow_out/history.csv").read_text().splitlines()[0]
        assert "ink_1" in header, header


def errors(program):
    """What is wrong is said in one line, with its place."""
    def refuses(text, message, name="script.toml"):
        Path(name).write_text(text)
        done = live(program, "--script", name, code=1)
        assert message in done.stderr and done.stderr.count("\n") == 1, (message, done.stderr)

    refuses("case = 'cavity'\nframes = 2\nfrmes = 3\n", "script.toml:3")
    refuses("case = 'cavity'\n", "'frames' is missing")
    refuses("case = 'cavity'\nframes = 0\n", "whole number from 1")
    refuses("case = 'nothing'\nframes = 2\n", "there is no case 'nothing'")
    refuses("case = 'capsule'\nframes = 2\n", "there is no case 'capsule'")
    refuses("case = 'script.toml'\nframes = 2\n", "script.toml")
    command = "case = 'cavity'\nframes = 2\n[[command]]\nframe = 1\n"
    refuses(command, "'do' is missing")
    refuses(command + "do = 'jump'\n", "'do' is unknown: jump")
    refuses(command + "do = 'draw'\nfrom = [1, 2]\n", "script.toml:3")
    refuses(command + "do = 'draw'\nfrom = [1]\nradius = 1\n", "must be two numbers")
    refuses(command + "do = 'draw'\nfrom = [0.5, 0.5]\nradius = 0.1\nheight = 3\n", "'height' is an unknown key")
    refuses(command + "do = 'set'\nview = 'mach'\n", "no view 'mach'")
    refuses(command + "do = 'set'\nre = -4\n", "must be from 0.001")
    refuses(command + "do = 'remove_emitter'\nnumber = 3\n", "no emitter 3")
    refuses(command + "do = 'load'\nname = '../case'\n", "the menu has no case")
    refuses(command.replace("frame = 1", "frame = 2") + "do = 'pause'\n", "whole number from 0 to 1")
    Path("space.toml").write_text("[domain]\nsize = [1, 1, 1]\ncells = [4, 4, 4]\n[run]\nt-end = 1\n")
    refuses("case = 'space.toml'\nframes = 2\n", "three dimensions")
    Path("option.toml").write_text("[domain]\nsize = [1, 1]\ncells = [4, 4]\n[run]\nt-end = 1\nnonsense = 2\n")
    refuses("case = 'option.toml'\nframes = 2\n", "option.toml:6: [run]")
    assert "missing.toml" in live(program, "--script", "missing.toml", code=1).stderr
    assert "--unknown" in live(program, "--script", "script.toml", "--unknown", code=109).stderr


def server(program):
    """A client sees pictures and gives commands; what it must not do is refused, and the server goes on."""
    Path("case.toml").write_text(CASE)
    served = Served(program, "case.toml")
    try:
        expect_good_answers(program, served)
        served.stop()
    finally:  # else it would go on after a failure
        served.process.kill()


def expect_good_answers(program, served):
    status, body = served.ask("/")
    assert status == 200 and b"<!DOCTYPE html>" in body and b"/stream" in body
    pictures = list(served.pictures(5))
    assert len(set(pictures)) == 5
    before = served.state()
    assert before["case"] == "case" and before["pixels"][0] >= 512 and "streaked_ink" in before["views"], before
    assert [name for name, _ in before["cases"]][0] == "cavity"

    served.command(do="draw", **{"from": [2, 0.5]}, radius=0.1)
    drawn = served.state(lambda state: state["bodies"] != before["bodies"])
    served.command(do="pause")
    paused = served.state(lambda state: state["paused"])
    time.sleep(0.3)
    assert served.state()["state"] == paused["state"] and paused["steps"] >= drawn["steps"]
    served.command(do="erase", **{"from": [2, 0.5]}, radius=0.1)
    served.state(lambda state: state["bodies"] == before["bodies"])  # changes of bodies need no steps
    served.command(do="step")
    assert served.state(lambda state: state["steps"] == paused["steps"] + 1)["bodies"] == before["bodies"]
    served.command(do="pin", at=[2.5, 0.5])
    served.command(do="hover", at=[1, 0.5])
    seen = served.state(lambda state: state["probes"] and "hover" in state)
    assert len(seen["probes"][0]["values"]) > 4 and seen["hover"]["values"] == [], seen  # the obstacle is no fluid
    for i in range(1, 21):  # sliders that move faster than frames: the last values count
        served.command(do="set", speed=1 + 0.01 * i)
        served.command(do="set", re=200 + i)
    served.state(lambda state: state["speed"] == 1.2 and state["re"] == 220)
    served.command(do="load", name="street")
    assert served.state(lambda state: state["case"] == "street")["probes"] == []
    served.command(do="set", view="mach")
    assert "no view" in served.state(lambda state: state["message"])["message"]
    served.command(do="picture")
    served.state(lambda state: "picture" in state["message"])  # the next message takes its place
    served.command(do="save")
    served.state(lambda state: "saved" in state["message"])
    assert sorted(path.name for path in Path("served").iterdir()) == ["street_001.png", "street_001.toml"]

    for token in ("", "0" * 32, served.token[:-1], served.token + "0", served.token.upper() + "x"):
        for path in ("/", "/stream", "/state"):
            assert served.ask(path, token=token)[0] == 403, (path, token)
        assert served.ask("/command", '{"do": "reset"}', token=token)[0] == 403
    assert served.raw(b"GET / HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 403")
    for path in ("/etc/passwd", "/../../etc/passwd", "/served/street_001.png", "//", "/state/", "/%2e%2e/"):
        assert served.ask(path)[0] == 404, path
    assert served.ask("/command")[0] == 405 and served.ask("/state", "x")[0] == 405
    assert served.ask("/", method="DELETE")[0] == 405
    for body in ("", "{", "[]", '{"do": "jump"}', '{"do": "load", "name": "../case.toml"}x', '{"do": "draw"}',
                 '{"do": "picture", "path": "/tmp/x"}', '{"do": "set", "re": 1e99}', '{"do": "set", "steps": 1e6}'):
        status, said = served.ask("/command", body)
        assert status == 400 and said.startswith(b"command: "), (body, status, said)
    assert served.ask("/command", "x" * 4097)[0] == 413
    line = b"POST /command?token=" + served.token.encode() + b" HTTP/1.1\r\n"
    assert served.raw(line + b"\r\n").startswith("HTTP/1.1 411")
    assert served.raw(line + b"Content-Length: 99999999999\r\n\r\n").startswith("HTTP/1.1 400")
    assert served.raw(line + b"Content-Length: -1\r\n\r\n").startswith("HTTP/1.1 400")
    assert served.raw(line + b"Transfer-Encoding: chunked\r\n\r\n").startswith("HTTP/1.1 411")
    assert served.raw(b"GET /?" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 431")
    assert served.raw(b"hello\r\n\r\n").startswith("HTTP/1.1 400")
    assert served.raw(bytes(range(256)) + b"\r\n\r\n").startswith("HTTP/1.1 400")
    # Only this machine reaches it, and clients that say nothing cost nobody else anything.
    silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(8)]
    addresses = Path("/proc/net/tcp").read_text()
    assert f"0100007F:{served.port:04X} 00000000:0000 0A" in addresses, "it listens on 127.0.0.1 alone"
    assert served.state()["case"] == "street"
    for client in silent:
        client.close()
    crowd = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]
    time.sleep(0.5)
    for client in crowd:
        client.close()
    time.sleep(0.3)
    assert served.ask("/state")[0] == 200
    again = subprocess.run([program, "--serve", str(served.port)], capture_output=True, text=True, timeout=60)
    assert again.returncode == 1 and f"port {served.port} of 127.0.0.1" in again.stderr, again.stderr


def resident(process):
    """Memory that a process holds [MB]."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def random_command(chance, state):
    """A change that any flow may get. Most are strokes."""
    at = [chance.uniform(0, side) for side in state["size"]]
    kind = chance.randrange(10)
    if kind < 5:
        width = chance.uniform(0.02, 0.06) * min(state["size"])
        to = [x + chance.uniform(-2, 2) * width for x in at]
        return {"do": "erase" if kind < 3 else "draw", "tool": "line", "from": at, "to": to, "radius": 2 * width}
    if kind == 5:
        return {"do": "set", "view": chance.choice(state["views"]), "steps": chance.randrange(1, 5)}
    if kind == 6:
        return {"do": "set", "speed": chance.uniform(0.5, 1.5), "decay": chance.uniform(0, 1)}
    if kind == 7 and len(state["emitters"]) < 8 and state["re"] > 0:
        return {"do": "add_emitter", "at": at, "radius": 0.03 * min(state["size"]), "colour": "#0072b2"}
    if kind == 8 and len(state["probes"]) < 8:
        return {"do": "pin", "at": at}
    return {"do": "hover", "at": at}


def hour(program):
    """For an hour, or SPARSE_LIVE_SECONDS, one case after the other is changed at random. Memory does not grow."""
    rounds, seconds = 6, float(os.environ.get("SPARSE_LIVE_SECONDS", 3600))
    chance, peaks, steps, commands = random.Random(24), [], 0, 0
    served = Served(program, "cavity", folder="served_hour")
    try:
        names = [name for name, _ in served.state()["cases"]]
        for number in range(rounds):
            peaks.append(0)
            for name in names:
                served.command(do="load", name=name)
                state = served.state(lambda state: state["case"] == name, seconds=300)
                end = time.time() + seconds / rounds / len(names)
                while time.time() < end:
                    last = state["frame"]  # one command per picture, so that none wait
                    state = served.state(lambda state: state["frame"] > last or state["paused"], seconds=300)
                    served.command(**({"do": "pause", "on": False} if state["paused"] else random_command(chance, state)))
                    commands += 1
                    peaks[-1] = max(peaks[-1], resident(served.process))
                    time.sleep(0.05)
                steps += state["steps"]
            print(f"round {number}: {steps} steps, {commands} commands, at most {peaks[-1]:.1f} MB", flush=True)
        served.stop()
    finally:
        served.process.kill()
    # The first rounds fill what later ones use again: as much as the largest bodies of any case need.
    assert max(peaks[4:]) < 1.05 * max(peaks[2:4]) + 5, peaks


main({"hour": hour, "server": server, "script": script, "saved": saved, "errors": errors})
