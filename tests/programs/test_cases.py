#!/usr/bin/env python3
"""Checks docs/cases.md. usage: test_cases.py PROGRAM snippets|keys"""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

from example_test import ROOT, main, record_of, shipped

SHORT = ["--max-steps", "2", "--threads", "1", "--picture-size", "64", "--output-dir", "out"]
TEXT = (ROOT / "docs/cases.md").read_text()


def tables_of(toml):
    """The tables of a file as (header, text)."""
    return [(part.split("\n", 1)[0].split("#")[0].strip(), part) for part in re.split(r"^(?=\[)", toml, flags=re.M) if part.strip()]


def with_snippet(case, snippet):
    """A case with the tables of a snippet, instead of its own of the same name unless there can be many."""
    new = tables_of(snippet)
    single = {header for header, _ in new if not header.startswith("[[")}
    kept = [part for header, part in tables_of(case) if header not in single]
    return "\n".join([*kept, *(part for _, part in new)])


def run(program, text, *arguments):
    Path("case.toml").write_text(text)
    shutil.rmtree("out", ignore_errors=True)
    return subprocess.run([program, "case.toml", *SHORT, *arguments], capture_output=True, text=True, timeout=300)


def snippets(program):
    """Each snippet is a case, or can be added to the case before it; each command runs; the message is the one shown."""
    case, count = "", 0
    for toml in re.findall(r"```toml\n(.*?)```", TEXT, flags=re.S):
        is_whole = "[domain]" in toml
        case = toml if is_whole else case
        done = run(program, toml if is_whole else with_snippet(case, toml))
        assert done.returncode == 0, (toml, done.stderr)
        count += 1
    assert count >= 13, count
    known = []
    for line in "".join(re.findall(r"```sh\n(.*?)```", TEXT, flags=re.S)).splitlines():
        tool, name, *arguments = shlex.split(line, comments=True)
        assert tool == "tools/run", line
        case = ROOT / arguments.pop(0) if name == "flow" else shipped(name)
        done = subprocess.run([program, case, *arguments, *SHORT], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, (line, done.stderr)
        known.append(record_of("out")["parameters"])
    assert known[0] == known[1] and known[0]["re"] == 400 and known[0]["nx"] == 64, known
    (message,) = re.findall(r"```\n(flow: .*)\n```", TEXT)
    done = run(program, "[domain]\nsize = [1, 1]\ncells = [8, 8]\ncolour = 3\n")
    assert done.stderr.strip() == message, done.stderr


def keys(program):
    """Every key that a case can have is there."""
    flow = "[domain]\nsize = [1, 1]\ncells = [8, 8]\n{}[fluid]\npr = 1\n{}"
    gas = "[gas]\nviscosity = 1\n{}[domain]\nsize = [1, 1]\ncells = [8, 8]\n{}[inflow]\ndensity = 1\npressure = 1\nmach = 1\n{}"
    unknown = "colour_of_the_sky = 3\n"
    ball, left = "ball = [0.5, 0.5, 0.1]\n", "side = 'left'\nkind = 'inflow'\nvelocity = [1, 0]\n"
    results = "[reference.results]\n"
    wall = "name = 'floor'\nside = 'bottom'\nfrom = [0, 0]\nto = [1, 0]\n"
    texts = [flow.format(unknown, ""), flow.format("", unknown), *(gas.format(*places) for places in ((unknown, "", ""), ("", unknown, ""), ("", "", unknown)))]
    both = {"start": "", "[boundary]": left, "[obstacle]": ball, "[profile]": "from = [0, 0]\nto = [1, 1]\n", "output": ""}
    both["[reference]"] = unknown + results
    for kind, more in ((flow.format("", ""), {"[ink]": ball + "colour = '#ffffff'\n", "[wall]": wall}), (gas.format("", "", ""), {"[region]": ball, "[refine]": ball + "levels = 2\n"})):
        texts += [kind + f"[{name}]\n{content}" + ("" if "reference" in name else unknown) for name, content in (both | more).items()]
        texts.append(unknown + kind)
    for text in texts:
        done = run(program, text)
        found = re.search(r"unknown key 'colour_of_the_sky'; known are (.*)", done.stderr)
        assert done.returncode == 1 and found, (text, done.stderr)
        for key in found[1].split(", "):
            assert re.search(rf"[`\[\n ]{key}[`\] =]", TEXT), (key, text)


main({"snippets": snippets, "keys": keys})
