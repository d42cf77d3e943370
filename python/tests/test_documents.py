"""The blocks of Python in docs/python.md and in the README run, one after the other; flows on coarser grids."""

import os
import re
from pathlib import Path

import sparsecells as sc

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
COARSER = [("(96, 128), levels=4", "(24, 32), levels=3"), ("(0.3 * 96, 64), radius=8", "(7.2, 16), radius=2"), ("until=10", "until=1"), ("until=12", "until=1.2"),
           ("(20, 64)", "(5, 16)"), ("(128, 128)", "(16, 16)"), ("1 / 128", "1 / 16"), ("viscosity=1e-3", "viscosity=1e-2"), ("solve(1000)", "solve(10)")]  # fmt: skip


def test_blocks_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 6
    text = "\n".join(blocks)
    for fine, coarse in COARSER:
        assert fine in text
        text = text.replace(fine, coarse)
    names = {}
    exec(compile(text, str(PAGE), "exec"), names)
    assert names["sim"].time == 1.2 and names["flow"].step_count == 10 and names["report"].converged
    assert {"mach2.png", "end.h5", "cavity.png"} <= set(os.listdir(tmp_path))


def test_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (text,) = re.findall(r"^```python\n(.*?)^```", (PAGE.parents[1] / "README.md").read_text(), re.M | re.S)
    for fine, coarse in [("(400, 160)", "(80, 32)"), ("(80, 80), 20", "(16, 16), 4"), ("1 / 40", "1 / 8"), ("until=5", "until=0.5")]:
        assert fine in text
        text = text.replace(fine, coarse)
    names = {}
    exec(compile(text, "README.md", "exec"), names)
    assert abs(names["flow"].time - 0.5) < 1e-9 and (tmp_path / "cylinder.png").stat().st_size > 0


def test_names_are_there():
    for name in re.findall(r"\bsc\.(\w+)", PAGE.read_text()):
        assert name in sc.__all__, name
