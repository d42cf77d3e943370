#!/usr/bin/env python3
"""documents.py notices each kind of name that is not there, in a tree made for it."""

import tempfile
import unittest
from pathlib import Path

import documents

TREE = {
    "include/sparse/sets/algebra.hpp": "",
    "src/sets/search.hpp": "",
    "solvers/poisson/include/sparse/poisson/solver.hpp": "",
    "tools/run": "",
    "docs/design.md": "# Design\n## For a GPU\n",
}


class Documents(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **files}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return documents.check(Path(folder))

    def test_what_is_there_is_fine(self):
        self.assertEqual([], self.problems({"README.md": "\n".join([
            "`include/sparse/sets` `algebra.hpp` `<sparse/sets/algebra.hpp>` `\"sets/search.hpp\"` `src/*/search.hpp`",
            "```sh", "tools/run name > build/log  # run.json", "#include <sparse/poisson/solver.hpp>", "```",
            "[here](docs/design.md#for-a-gpu), [up](#title), [far](https://example.org/x.md)", "# Title",
        ])}))

    def test_what_is_no_path_is_fine(self):
        self.assertEqual([], self.problems({"README.md": "`a / b` `1/re` `run.json` `NAME_output/` `/where/you/like` `a|b`"}))

    def test_missing_files_are_noticed(self):
        for text in ["`src/sets/gone.hpp`", "`gone.hpp`", "`sparse/gone.hpp`", "`<sparse/sets/gone.hpp>`", "`tools/gone`",
                     "`solvers/gone`", "`\"sets/gone.hpp\"`", "`include/gone/`", "see `tools/run` and `tools/gone`.",
                     "```sh\ntools/gone --help\n```", "```cpp\n#include <sparse/gone.hpp>\n```", "`src/*/gone.hpp`"]:
            with self.subTest(text=text):
                self.assertEqual(1, len(self.problems({"README.md": text})))

    def test_dead_links_are_noticed(self):
        for link in ["gone.md", "docs/design.md#gone", "#gone", "docs/gone.png"]:
            with self.subTest(link=link):
                self.assertEqual(1, len(self.problems({"README.md": f"[text]({link})"})))

    def test_comments_name_headers_that_are_there(self):
        good = "// see algebra.hpp, sets/algebra.hpp, sparse/sets/algebra.hpp, sets/search.hpp\n#include <gone.hpp>\n"
        self.assertEqual([], self.problems({"src/sets/algebra.cpp": good}))
        for comment in ["// see gone.hpp", "int x;  ///< see sparse/gone.hpp", "/// `sets/gone.hpp`"]:
            with self.subTest(comment=comment):
                self.assertEqual(1, len(self.problems({"src/sets/algebra.cpp": comment})))

    def test_every_document_is_read(self):
        for name in ["CONTRIBUTING.md", "docs/design.md", "docs/performance/README.md"]:
            with self.subTest(name=name):
                self.assertEqual([f"{name}:2: there is no gone.hpp"], self.problems({name: "Text.\n`gone.hpp`\n"}))

    def test_records_keep_the_names_of_their_day(self):
        for name in ["CHANGELOG.md", "docs/performance/2026-11-20-sets.md"]:
            with self.subTest(name=name):
                self.assertEqual([], self.problems({name: "`src/sets/gone.hpp`"}))
                self.assertEqual(1, len(self.problems({name: "[text](gone.md)"})))


if __name__ == "__main__":
    unittest.main()
