"""Flows that files describe."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def run_case(path: str | os.PathLike[str], *, quiet: bool = False, **options: Any) -> Path:
    """Runs a case file, in a process of its own, and returns the folder of its results.

    path: a TOML file of a flow. options: those of the command line, with _ for -: `run_case("cavity.toml", t_end=5,
    output_dir="out")`; True switches one on. quiet: shows nothing but errors.

    Raises FileNotFoundError without the file, RuntimeError with the last lines of what the run said if it fails.
    """
    import subprocess  # here, so that the import of the module stays quick
    from pathlib import Path

    case = Path(path)
    if not case.is_file():
        raise FileNotFoundError(f"there is no case file {case}")
    folder = Path(options.setdefault("output_dir", f"{case.stem}_output"))
    words = []
    for key, value in options.items():
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            words.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    command = [sys.executable, "-m", "sparsecells", os.fspath(case), *words]
    last: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout or ():
            last = [*last[-9:], line]
            if not quiet:
                print(line, end="")
    if process.returncode != 0:
        raise RuntimeError("run_case: " + "".join(last).strip())
    return folder
