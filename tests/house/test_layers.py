#!/usr/bin/env python3
"""layers.py notices each way to break the rule, in a tree made for it."""

import tempfile
import unittest
from pathlib import Path

import layers


class Layers(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"include/sparse/config.hpp": "", **files}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.check(Path(folder))

    def test_includes_that_go_up_are_fine(self):
        self.assertEqual([], self.problems({
            "include/sparse/field.hpp": "#include <sparse/config.hpp>\n#include <vector>\n",
            "include/sparse/io/png.hpp": "#include <sparse/field.hpp>\n",
            "amr/include/sparse/amr/levels.hpp": "#include <sparse/io/png.hpp>\n",
            "examples/flow/main.cpp": '#include <sparse/amr/levels.hpp>\n#include "options.hpp"\n',
        }))

    def test_includes_that_go_down_are_noticed(self):
        for header, included in [
            ("include/sparse/config.hpp", "sparse/interval_set.hpp"),
            ("include/sparse/shapes.hpp", "sparse/field.hpp"),
            ("include/sparse/field.hpp", "sparse/io/png.hpp"),
            ("include/sparse/io/png.hpp", "sparse/sparse.hpp"),
            ("src/shapes.cpp", "sparse/stencil.hpp"),
            ("src/field.cpp", "sparse/amr/levels.hpp"),
            ("amr/include/sparse/amr/levels.hpp", "sparse/solvers/pcg.hpp"),
            ("solvers/src/pcg.cpp", "sparse/amr/levels.hpp"),
            ("solvers/src/pcg.cu", "sparse/amr/levels.hpp"),
            ("solvers/include/sparse/solvers/pcg.hpp", "examples/flow/options.hpp"),
        ]:
            with self.subTest(header=header, included=included):
                self.assertEqual(1, len(self.problems({header: f"#include <{included}>\n"})))

    def test_an_unknown_header_is_noticed(self):
        self.assertEqual(1, len(self.problems({"include/sparse/misc.hpp": ""})))
        self.assertEqual(1, len(self.problems({"include/sparse/amr/levels.hpp": ""})))
        self.assertEqual(1, len(self.problems({"examples/a.cpp": "#include <sparse/misc.hpp>\n"})))

    def test_quotes_and_cycles_are_noticed(self):
        self.assertEqual(1, len(self.problems({"include/sparse/vec.hpp": '#include "local.hpp"\n'})))
        self.assertEqual(1, len(self.problems({
            "include/sparse/vec.hpp": "#include <sparse/box.hpp>\n",
            "include/sparse/box.hpp": "#include <sparse/vec.hpp>\n",
        })))


if __name__ == "__main__":
    unittest.main()
