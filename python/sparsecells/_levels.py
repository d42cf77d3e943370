"""The extension of a wheel comes more than once: for each level of processors that it was built for, in a folder."""

from __future__ import annotations

import os
from collections.abc import MutableSequence

_SSE = "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3"
_V3 = f"{_SSE} abm avx avx2 bmi1 bmi2 f16c fma movbe"
# From the best to the least, with what a processor must have.
_LEVELS = {
    "x86-64-v4": f"{_V3} avx512bw avx512cd avx512dq avx512f avx512vl",
    "x86-64-v3": _V3,
    "x86-64-v2": _SSE,
    "x86-64": "",
}


def flags_of(path: str = "/proc/cpuinfo") -> set[str]:
    """What the first processor has, in the words of Linux."""
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("flags"):
                return set(line.partition(":")[2].split())
    return set()


def is_enough(level: str, flags: set[str]) -> bool:
    """Whether a processor with these flags has what a level needs."""
    return flags.issuperset(_LEVELS[level].split())


def best(folder: str, flags: set[str]) -> str | None:
    """The folder of the best level that is there and that the processor has. None without such folders.

    Raises ImportError if there are some, but none for this processor.
    """
    there = [level for level in _LEVELS if os.path.isdir(os.path.join(folder, level))]
    for level in there:
        if is_enough(level, flags):
            return os.path.join(folder, level)
    if there:
        raise ImportError(
            f"this sparsecells was built for processors of {' or '.join(there)}, and this one has less; build it here, with pip install . in a clone"
        )
    return None


def choose(folders: MutableSequence[str]) -> None:
    """Adds the folder of the extension to those of the package. Environment: SPARSECELLS_LEVEL names another level."""
    inner = os.path.join(folders[0], "levels")
    if not os.path.isdir(inner):
        return
    wanted = os.environ.get("SPARSECELLS_LEVEL")
    chosen = os.path.join(inner, wanted) if wanted else best(inner, flags_of())
    if chosen is None or not os.path.isdir(chosen):
        raise ImportError(f"there is no {chosen or inner}")
    folders.append(chosen)
    # The Fontconfig of a wheel complains about machines without its settings.
    if not os.path.exists("/etc/fonts/fonts.conf"):
        os.environ.setdefault("FONTCONFIG_FILE", os.path.join(folders[0], "fonts.conf"))
