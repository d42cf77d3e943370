#!/usr/bin/env python3
"""examples.py notices each way to break the rule, in a tree made for it."""

import tempfile
import unittest
from pathlib import Path

import examples


class Examples(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"examples/heat.cpp": "// Heat.\n", "tests/programs/test_heat.py": "", **files}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return examples.check(Path(folder))

    def test_short_ones_are_fine(self):
        self.assertEqual([], self.problems({"examples/heat.cpp": "#include <cmath>\n" * 100}))
        self.assertEqual([], self.problems({"examples/in_c.c": "/* C. */\n", "tests/programs/test_in_c.py": ""}))
        self.assertEqual([], self.problems({"tools/programs/long.cpp": "\n" * 200, "examples/cases/a.toml": "\n" * 200}))

    def test_what_breaks_the_rule_is_noticed(self):
        for files in [
            {"examples/heat.cpp": "\n" * 101},
            {"examples/heat.cpp": '#include "options.hpp"\n'},
            {"examples/other.cpp": ""},
            {"examples/in_c.c": ""},
            {"examples/heat/heat.cpp": ""},
            {"examples/heat.hpp": ""},
        ]:
            with self.subTest(files=files):
                self.assertEqual(1, len(self.problems(files)))


if __name__ == "__main__":
    unittest.main()
