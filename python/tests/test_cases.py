"""Expressions and case files from the command line and from Python."""

import subprocess
import sys
from pathlib import Path

import pytest

import sparsecells as sc

CASES = Path(__file__).resolve().parents[2] / "examples" / "cases"


def run(*words):
    return subprocess.run([sys.executable, "-m", "sparsecells", *map(str, words)], capture_output=True, text=True, timeout=300)


def test_expressions(tmp_path):
    shown = run("box(0, 0, 5, 3) - box(1, 1, 2, 2)")
    assert shown.stdout == "14 cells in 4 intervals and 3 rows, [0, 5) x [0, 3)\n#####\n#.###\n#####\n" and shown.stderr == ""
    written = run("ball(20, 20, 9)", "-o", tmp_path / "a.png", "-o", tmp_path / "a.h5")
    assert written.returncode == 0 and sc.load_set(tmp_path / "a.h5") == sc.ball((20, 20), 9)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    wrong = run("ball(1")
    assert wrong.returncode == 1 and "^" in wrong.stderr and wrong.stderr.startswith("sparsecells: ")
    assert run("--version").stdout.strip() == sc.__version__
    assert "ball(" in run("--functions").stdout and "CASE.toml" in run("--help").stdout
    assert run().returncode == 2 and run("box(0, 0, 1, 1)", "--what").returncode == 2


def has_cases():
    try:
        from sparsecells import _cases  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.skipif(not has_cases(), reason="built without VTK")
def test_case_files(tmp_path, capfd):
    folder = sc.run_case(CASES / "channel.toml", nx=96, t_end=0.02, output_dir=tmp_path / "out", quiet=True)
    assert folder == tmp_path / "out" and (folder / "history.csv").exists() and list(folder.glob("*.png"))
    assert capfd.readouterr().out == ""
    with pytest.raises(RuntimeError, match="--tend"):
        sc.run_case(CASES / "channel.toml", tend=1, quiet=True)
    (tmp_path / "broken.toml").write_text("nonsense = 1\n")
    with pytest.raises(RuntimeError, match="broken.toml"):
        sc.run_case(tmp_path / "broken.toml", quiet=True)
    with pytest.raises(FileNotFoundError, match="gone.toml"):
        sc.run_case(tmp_path / "gone.toml")
