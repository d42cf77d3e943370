#!/usr/bin/env python3
"""Runs distribution on a checkpoint of a short flow. usage: test_distribution.py PROGRAM predictions|pressure|errors"""

import json
import subprocess
import sys
from pathlib import Path


def checkpoint(program):
    """The checkpoint of some steps of the flow around a cylinder, by the program beside this one."""
    flow = Path(program).with_name("mach2_cylinder")
    small = "--nx 48 --ny 48 --radius 4 --amr-levels 3 --max-steps 4 --checkpoint-stride 4 --no-fields --threads 1"
    subprocess.run([flow, *small.split(), "--output-dir", "flow"], check=True, capture_output=True, timeout=300)
    return "flow/checkpoint.h5"


def run(program, *arguments):
    command = [program, "--threads", "1", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def predict(program, *arguments):
    done = run(program, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def predictions(program):
    path = checkpoint(program)
    one, many = predict(program, path, "--ranks", 1, 6)["predictions"]
    assert one["efficiency"] == 1 and one["messages per step"] == 0 == one["bytes per step"], one
    assert one["imbalance of the step"] == 1 and one["partners, most"] == 0, one
    assert 0 < many["partners"] <= many["partners, most"] <= 5, many
    assert many["bytes per step"] > 0 and 0.1 < many["efficiency"] < 1, many
    assert 1 <= many["imbalance of the step"] < 1.2, many
    # Messages that cost nothing leave the imbalance alone.
    free = predict(program, path, "--ranks", 6, "--latency", 0, "--bandwidth", 1e12)["predictions"][0]
    assert abs(free["efficiency"] * free["imbalance of the step"] - 1) < 1e-6, free
    # Other curves have longer borders.
    scattered = predict(program, path, "--ranks", 6, "--curve", "scattered")["predictions"][0]
    assert scattered["bytes per step"] > 1.5 * many["bytes per step"], (scattered, many)
    # With halved cells there is four times the work, and less to send for it.
    fine = predict(program, path, "--ranks", 6, "--refine", 1)
    assert fine["leaves"] == 4 * predict(program, path, "--ranks", 1)["leaves"]
    assert fine["predictions"][0]["efficiency"] > many["efficiency"]
    slow = predict(program, path, "--ranks", 6, "--no-subcycle")["predictions"][0]
    assert slow["messages per step"] < many["messages per step"]
    pictures = []
    for ranks in (1, 6):
        predict(program, path, "--ranks", ranks, "--picture", f"{ranks}.png")
        pictures.append(Path(f"{ranks}.png").read_bytes())
    assert pictures[0].startswith(b"\x89PNG") and pictures[0] != pictures[1]
    shown = run(program, path, "--ranks", 6)
    assert shown.returncode == 0 and "6 ranks" in shown.stdout and "efficiency" in shown.stdout, shown


def pressure(program):
    """The pressure of an incompressible flow: levels that ranks share, and the first one that all have."""
    karman = Path(program).with_name("karman")
    small = "--nx 512 --max-steps 2 --checkpoint-stride 2 --no-fields --threads 1"
    subprocess.run([karman, *small.split(), "--output-dir", "flow"], check=True, capture_output=True, timeout=300)
    path = "flow/checkpoint.h5"
    one, two, many = predict(program, path, "--ranks", 1, 2, 16)["predictions"]
    assert one["messages per iteration"] == 0 and abs(one["efficiency"] - 1) < 1e-9, one
    assert two["partners"] == two["partners, most"] == 1, two
    # Finest level: two messages, then the right-hand side of the next one, which all have.
    assert two["messages per iteration"] == 3 and [level["shared"] for level in two["levels"]] == [True, False], two
    assert many["bytes per iteration"] < 16 * two["bytes per iteration"] and many["efficiency"] < two["efficiency"] < 1, many
    fine = predict(program, path, "--ranks", 16, "--refine", 3)
    assert fine["cells"] == 64 * predict(program, path, "--ranks", 1)["cells"]
    assert len(fine["predictions"][0]["levels"]) == 5 and fine["predictions"][0]["efficiency"] > many["efficiency"], fine
    shown = run(program, path, "--ranks", 16)
    assert shown.returncode == 0 and "all, by each" in shown.stdout, shown
    done = run(program, path, "--ranks", 16, "--picture", "parts.png")
    assert done.returncode == 1 and "--picture" in done.stderr, done


def errors(program):
    Path("text.h5").write_text("no checkpoint")
    for arguments, message in [
        (["text.h5", "--ranks", 2], "text.h5"),
        (["nowhere.h5", "--ranks", 2], "nowhere.h5"),
        (["text.h5"], "--ranks"),
        (["text.h5", "--ranks", 0], "--ranks"),
        (["text.h5", "--ranks", 2, "--updates", 0], "--updates"),
        (["text.h5", "--ranks", 2, "--latency", -1], "--latency"),
        (["text.h5", "--ranks", 2, "--curve", "straight"], "--curve"),
    ]:
        done = run(program, *arguments)
        assert done.returncode != 0 and message in done.stderr, (arguments, done)
        assert len(done.stderr.strip().splitlines()) <= 2, done.stderr
    geometry = Path(program).with_name("geometry")
    subprocess.run([geometry, "box(0, 0, 4, 4)", "-o", "set.h5"], check=True, capture_output=True)
    done = run(program, "set.h5", "--ranks", 2)
    assert done.returncode == 1 and "it is no checkpoint" in done.stderr, done


if __name__ == "__main__":
    {"predictions": predictions, "pressure": pressure, "errors": errors}[sys.argv[2]](sys.argv[1])
