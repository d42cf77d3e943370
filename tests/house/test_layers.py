#!/usr/bin/env python3
"""layers.py notices each way to break the rule, in a tree made for it."""

import tempfile
import unittest
from pathlib import Path

import layers

SOLVER = "solvers/poisson/include/sparse/poisson"


class Layers(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"include/sparse/base/config.hpp": "", **files}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.check(Path(folder))

    def test_includes_that_go_up_are_fine(self):
        self.assertEqual([], self.problems({
            "include/sparse/fields/field.hpp": "#include <sparse/base/config.hpp>\n#include <vector>\n",
            "include/sparse/sparse.hpp": "#include <sparse/fields/field.hpp>\n",
            "include/sparse/io/pictures/png.hpp": "#include <sparse/fields/field.hpp>\n",
            "amr/include/sparse/amr/levels.hpp": "#include <sparse/io/pictures/png.hpp>\n",
            "solvers/incompressible/src/step.cpp": "#include <sparse/amr/levels.hpp>\n#include <sparse/sparse.hpp>\n",
            "distributed/mpi/mpi_world.cpp": "#include <sparse/distributed/team.hpp>\n#include <mpi.h>\n",
            "tools/app/src/run.cpp": "#include <sparse/amr/levels.hpp>\n",
            "tools/programs/flow/flow.cpp": '#include <sparse/app/run.hpp>\n#include "options.hpp"\n',
        }))

    def test_includes_that_go_down_are_noticed(self):
        for header, included in [
            ("include/sparse/base/config.hpp", "sparse/sets/interval_set.hpp"),
            ("include/sparse/shapes/shapes.hpp", "sparse/fields/field.hpp"),
            ("include/sparse/fields/field.hpp", "sparse/io/png.hpp"),
            ("include/sparse/fields/field.hpp", "sparse/sparse.hpp"),
            ("src/shapes/shapes.cpp", "sparse/plans/stencil.hpp"),
            ("src/fields/field.cpp", "sparse/amr/levels.hpp"),
            ("amr/include/sparse/amr/levels.hpp", "sparse/poisson/pcg.hpp"),
            ("amr/include/sparse/amr/levels.hpp", "sparse/app/run.hpp"),
            ("distributed/src/halo.cpp", "sparse/io/png.hpp"),
            ("distributed/src/halo.cpp", "sparse/amr/levels.hpp"),
            ("distributed/src/halo.cpp", "mpi.h"),
            ("tests/mpi/test_halo.cpp", "mpi.h"),
            ("solvers/poisson/src/pcg.cpp", "sparse/amr/levels.hpp"),
            ("solvers/poisson/src/pcg.cu", "sparse/amr/levels.hpp"),
            ("solvers/compressible/src/euler.cpp", "sparse/incompressible/smac.hpp"),
            (f"{SOLVER}/pcg.hpp", "examples/flow/options.hpp"),
        ]:
            with self.subTest(header=header, included=included):
                self.assertEqual(1, len(self.problems({header: f"#include <{included}>\n"})))

    def test_private_parts_of_later_layers_are_noticed(self):
        self.assertEqual([], self.problems({"src/shapes/a.cpp": '#include "sets/search.hpp"\n'}))
        self.assertEqual(1, len(self.problems({"src/sets/a.cpp": '#include "shapes/bins.hpp"\n'})))

    def test_files_in_no_layer_are_noticed(self):
        self.assertEqual(1, len(self.problems({"include/sparse/misc.hpp": ""})))
        self.assertEqual(1, len(self.problems({"include/sparse/misc/a.hpp": ""})))
        self.assertEqual(1, len(self.problems({"src/a.cpp": ""})))
        self.assertEqual(1, len(self.problems({"examples/a.cpp": "#include <sparse/misc.hpp>\n"})))

    def test_topics_that_include_each_other_are_noticed(self):
        public, private = "solvers/incompressible/include/sparse/incompressible", "solvers/incompressible/src"
        step = {f"{private}/step/a.cpp": '#include <sparse/incompressible/grid/b.hpp>\n#include "grid/c.hpp"\n'}
        self.assertEqual([], self.problems(step))
        self.assertEqual([], self.problems({**step, f"{private}/grid/d.cpp": '#include "c.hpp"\n'}))
        self.assertEqual(1, len(self.problems({**step, f"{private}/grid/d.cpp": '#include "step/e.hpp"\n'})))
        self.assertEqual(1, len(self.problems(
            {**step, f"{public}/grid/b.hpp": "#include <sparse/incompressible/step/e.hpp>\n"})))

    def test_quotes_and_cycles_are_noticed(self):
        self.assertEqual(1, len(self.problems({"include/sparse/base/vec.hpp": '#include "local.hpp"\n'})))
        self.assertEqual(1, len(self.problems({
            "include/sparse/base/vec.hpp": "#include <sparse/base/box.hpp>\n",
            "include/sparse/base/box.hpp": "#include <sparse/base/vec.hpp>\n",
        })))


if __name__ == "__main__":
    unittest.main()
