#!/usr/bin/env python3
"""Checks that the README shows first_steps.cpp and its output. usage: test_readme.py REPOSITORY PROGRAM [--write]"""

import re
import subprocess
import sys
from pathlib import Path

root, program = Path(sys.argv[1]), sys.argv[2]
readme = root / "README.md"
source = (root / "examples/first_steps/first_steps.cpp").read_text()
output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
blocks = re.compile(r"(?<=## Twenty lines\n\n```cpp\n)(.*?)(```.*?```\n)(.*?)(?=```)", re.S)
shown = blocks.sub(lambda match: source + match[2] + output, readme.read_text(), count=1)
if "--write" in sys.argv:
    readme.write_text(shown)
elif shown != readme.read_text():
    sys.exit("README.md does not show first_steps.cpp and its output; test_readme.py --write mends it")
