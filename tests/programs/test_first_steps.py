#!/usr/bin/env python3
"""Checks that the README shows first_steps.cpp, and the tutorial its output. usage: test_first_steps.py PROGRAM shown|write"""

import re
import subprocess
import sys
from pathlib import Path

root, program, topic = Path(__file__).parents[2], sys.argv[1], sys.argv[2]
output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
SHOWN = [
    ("README.md", r"(?<=## Twenty lines\n\n```cpp\n)(.*?)(?=```)", (root / "examples/first_steps.cpp").read_text()),
    ("docs/tutorials/twenty_lines.md", r"(?<=tools/run first_steps\n```\n\n```\n)(.*?)(?=```)", output),
]
for page, place, wanted in SHOWN:
    text = (root / page).read_text()
    shown, count = re.subn(place, lambda match: wanted, text, count=1, flags=re.S)
    if topic == "write":
        (root / page).write_text(shown)
    elif count != 1 or shown != text:
        sys.exit(f"{page} does not show first_steps.cpp and its output; tests/programs/test_first_steps.py PROGRAM write mends it")
