"""What the tests of live share: a case, its server, a client, which is for Python's live(), too, and pictures as rows of bytes."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import time
import zlib
from pathlib import Path

# A tunnel with a spot of ink.
CASE = """
[domain]
size = [4, 1]
cells = [128, 32]
walls = "wall"

[fluid]
re = 200

[[boundary]]
side = "left"
kind = "inflow"
velocity = [1, 0]

[[boundary]]
side = "right"
kind = "outflow"

[[ink]]
ball = [0.5, 0.5, 0.1]
colour = "#1f77b4"

[start]
velocity = [1, 0]

[run]
t-end = 1
"""


ADDRESS = r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})\n?"


class Client:
    """A client of a server of pictures, whose address this is."""

    def __init__(self, address):
        found = re.fullmatch(ADDRESS, address)
        assert found, address
        self.port, self.token = int(found[1]), found[2]

    def ask(self, path, body=None, token=None, method=None, headers={}):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        token = self.token if token is None else token
        client.request(method or ("GET" if body is None else "POST"), f"{path}?token={token}", body, headers)
        answer = client.getresponse()
        return answer.status, answer.read()

    def raw(self, data):
        """The first line of the answer to these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as client:
            client.sendall(data)
            return client.recv(4096).split(b"\r\n")[0].decode()

    def command(self, **keys):
        status, said = self.ask("/command", json.dumps(keys))
        assert status == 204, (status, said)

    def state(self, until=lambda state: True, seconds=30):
        """The state, as soon as it is as wanted."""
        deadline = time.time() + seconds
        while time.time() < deadline:
            status, body = self.ask("/state")
            assert status == 200, (status, body)
            state = json.loads(body)
            if until(state):
                return state
            time.sleep(0.02)
        raise AssertionError(f"it never became so: {state}")

    def pictures(self, count):
        """That many pictures of the stream."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        client.request("GET", f"/stream?token={self.token}")
        answer = client.getresponse()
        assert answer.status == 200 and "multipart/x-mixed-replace" in answer.headers["Content-Type"], answer.headers
        for _ in range(count):
            assert answer.readline() == b"--picture\r\n"
            assert answer.readline() == b"Content-Type: image/jpeg\r\n"
            size = int(answer.readline().split(b":")[1])
            answer.readline()
            picture = answer.read(size)
            assert picture[:2] == b"\xff\xd8" and picture[-2:] == b"\xff\xd9", picture[:20]
            answer.readline()
            yield picture
        client.close()


class Served(Client):
    """The program as a server, and a client of it."""

    def __init__(self, program, *arguments, folder="served"):
        shutil.rmtree(folder, ignore_errors=True)
        command = [program, *arguments, "--serve", "0", "--output-dir", folder]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        super().__init__(self.process.stdout.readline())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=30) == 0


def read_png(path):
    """Rows of a PNG file with three bytes per pixel. Opacity is left out."""
    data, at, packed = Path(path).read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colours in (2, 6), (depth, colours)
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    n = 3 if colours == 2 else 4
    raw, stride, rows = zlib.decompress(packed), n * width, []
    before = bytes(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        if kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, before))
        elif kind:
            for i in range(stride):
                left, above, corner = (line[i - n] if i >= n else 0), before[i], (before[i - n] if i >= n else 0)
                guess = left + above - corner
                near = min((left, above, corner), key=lambda value: abs(guess - value))
                line[i] = (line[i] + (0, left, above, (left + above) // 2, near)[kind]) & 255
        before = line
        if n == 4:
            line = bytearray(byte for i, byte in enumerate(line) if i % 4 != 3)
        rows.append(line)
    return rows
