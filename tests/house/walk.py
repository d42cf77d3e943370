#!/usr/bin/env python3
"""The newcomer's walk: the blocks of docs/tutorials/start.md run, from the first flow to a case with a body of one's own.

usage: walk.py REPOSITORY BUILD
"""

import sys
import tempfile
from pathlib import Path

if len(sys.argv) != 3:
    sys.exit(__doc__)
root, build = (Path(argument).resolve() for argument in sys.argv[1:])
sys.path.insert(0, str(root / "tools/site"))

import blocks  # noqa: E402

PAGE = "docs/tutorials/start.md"
with tempfile.TemporaryDirectory() as folder:
    found = blocks.blocks_of(PAGE, (root / PAGE).read_text(encoding="utf-8"))
    try:
        blocks.Runner(root, build, Path(folder), sys.executable).run(PAGE, found)
    except blocks.BlockError as error:
        sys.exit(str(error))
    pictures = [name for block in found for name, _ in block.pictures]
    if len(pictures) < 4 or not any("own_body" in name for name in pictures):
        sys.exit(f"{PAGE} makes too few pictures: {pictures}")
    print(f"{sum(block.runs for block in found)} blocks ran and made {', '.join(Path(name).name for name in pictures)}")
