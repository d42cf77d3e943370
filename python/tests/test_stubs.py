"""Type checkers accept the package and the examples, and the stubs say what the extension has."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sparsecells as sc

ROOT = Path(__file__).resolve().parents[2]
# What stubtest says of any class and function of nanobind.
ALWAYS = re.compile(r"is not a function$|is a disjoint base at runtime|metaclass differs$|__init__ is inconsistent, stub does not have \*args")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The package and the examples without links, for mypy."""
    place = tmp_path_factory.mktemp("typed")
    shutil.copytree(Path(sc.__file__).parent, place / "sparsecells", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for example in (ROOT / "examples" / "python").glob("*.py"):
        shutil.copy(example, place)
    return place


def run(folder, *words):
    return subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, timeout=300)


def test_mypy_is_strict(folder):
    examples = sorted(path.name for path in folder.glob("*.py"))
    assert {"mach2.py", "cavity.py", "sets.py", "cavity_numpy.py"} <= set(examples)
    found = run(folder, "mypy", "--strict", "--cache-dir", str(folder / "cache"), "-p", "sparsecells")
    assert found.returncode == 0, found.stdout
    found = run(folder, "mypy", "--strict", "--cache-dir", str(folder / "cache"), *examples)
    assert found.returncode == 0, found.stdout
    (folder / "wrong.py").write_text("import sparsecells as sc\nsc.ball('a', 3)\nsc.box((0, 0), (1, 1)).expand('two').wide()\n")
    found = run(folder, "mypy", "--strict", "--cache-dir", str(folder / "cache"), "wrong.py")
    assert found.returncode == 1 and found.stdout.count("error:") == 3, found.stdout


def test_stubs_are_those_of_the_extension(folder):
    for library in Path(sc.__file__).parent.glob("_core*.so"):
        os.symlink(library, folder / "sparsecells" / library.name)
    found = run(folder, "mypy.stubtest", "sparsecells._core", "--concise")
    complaints = [line for line in (found.stdout + found.stderr).splitlines() if not ALWAYS.search(line)]
    assert complaints == [] and "sparsecells._core.box is not a function" in found.stdout
