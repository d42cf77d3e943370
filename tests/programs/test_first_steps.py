#!/usr/bin/env python3
"""Checks that the README shows first_steps.cpp and its output. usage: test_first_steps.py PROGRAM in_readme|write"""

import re
import subprocess
import sys
from pathlib import Path

root, program, topic = Path(__file__).parents[2], sys.argv[1], sys.argv[2]
readme = root / "README.md"
source = (root / "examples/first_steps.cpp").read_text()
output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
blocks = re.compile(r"(?<=## Twenty lines\n\n```cpp\n)(.*?)(```.*?```\n)(.*?)(?=```)", re.S)
shown = blocks.sub(lambda match: source + match[2] + output, readme.read_text(), count=1)
if topic == "write":
    readme.write_text(shown)
elif shown != readme.read_text():
    sys.exit("README.md does not show first_steps.cpp and its output; tests/programs/test_first_steps.py PROGRAM write mends it")
