#!/usr/bin/env python3
"""What makes the site of documentation is strict: blocks that are wrong, links to nowhere and names without a comment are noticed."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/site"))

import blocks  # noqa: E402
import cpp_reference  # noqa: E402
import doxygen  # noqa: E402
import gallery  # noqa: E402
import links  # noqa: E402
import python_reference  # noqa: E402
import restructured  # noqa: E402

PAGE = """# A page

```sh
echo "x,y" > points.csv
ls *.csv
```

```python
total = sum(range(5))
total * 2
```

<!-- file: case.toml -->
```toml
re = 100
```

```python
print(total, open("case.toml").read().strip())
```

<!-- from: examples/first.cpp -->
```cpp
int main() {
  return 0;
}
```

<!-- not run: it needs a GPU -->
```sh
false
```

<!-- exit: 3 -->
```sh
exit 3
```
"""


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        (self.root / "examples").mkdir()
        (self.root / "examples/first.cpp").write_text("// Nothing.\nint main() {\n  return 0;\n}\n")


class Blocks(Folder):
    def run_page(self, text):
        found = blocks.blocks_of("docs/page.md", text)
        blocks.Runner(self.root, self.root / "build", self.root / "site", sys.executable).run("docs/page.md", found)
        return blocks.with_outputs(text, found, lambda name: name), found

    def test_outputs_stand_behind_blocks(self):
        text, found = self.run_page(PAGE)
        self.assertEqual(["points.csv\n", "20\n", "", "10 re = 100\n", "", "", ""], [b.output for b in found])
        self.assertLess(text.index("ls *.csv"), text.index("\npoints.csv\n"))
        self.assertIn("Not run here: it needs a GPU", text)

    def test_a_block_that_is_edited_wrongly_fails(self):
        for right, wrong, line in [("ls *.csv", "ls *.txt", 4), ("sum(range(5))", "sum(range(5)", 9), ("total * 2", "totel * 2", 9),
                                   ("return 0", "return 1", 24), ("exit 3", "exit 4", 36), ("file: case", "file: cafe", 19),
                                   ("examples/first", "examples/last", 24)]:
            with self.subTest(wrong), self.assertRaisesRegex(blocks.BlockError, rf"^docs/page.md:{line}: "):
                self.run_page(PAGE.replace(right, wrong))

    def test_a_picture_that_is_not_made_fails(self):
        with self.assertRaisesRegex(blocks.BlockError, "it made no picture flow.png"):
            self.run_page("<!-- picture: flow.png | A flow -->\n```sh\ntrue\n```\n")

    def test_unchanged_pages_are_remembered(self):
        memory = blocks.Memory(self.root / "memory")
        _, found = self.run_page(PAGE)
        memory.keep("page.md", found, blocks.digest(found))
        again = blocks.blocks_of("docs/page.md", PAGE)
        self.assertTrue(memory.recall("page.md", again, blocks.digest(again)))
        self.assertEqual([b.output for b in found], [b.output for b in again])
        other = blocks.blocks_of("docs/page.md", PAGE.replace("range(5)", "range(6)"))
        self.assertFalse(memory.recall("page.md", other, blocks.digest(other)))


class Gallery(Folder):
    def run_program(self, text, options=""):
        programs = self.root / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "first").write_text(f"#!/bin/sh\n{text}\n")
        (programs / "first").chmod(0o755)
        return gallery.run(self.root, programs, "first", options, self.root / "work/first", None)

    def test_what_is_shown_has_run(self):
        kept = self.run_program("mkdir first_output; echo $1 > first_output/first.png; echo; echo 'Results:'; echo '  drag   1.5   reference 1.4'", "--n 4")
        self.assertEqual(("--n 4", [("drag", "1.5", "1.4")], ""), (kept["options"], kept["results"], kept["printed"]))
        self.assertEqual("--n\n", (self.root / "work/first.png").read_text())
        kept = self.run_program("echo $1 > first.png; echo 'drag: 1.5'", "tools/run first -o > all.txt\ncat all.txt")
        self.assertEqual("drag: 1.5", kept["printed"])

    def test_programs_that_fail_or_draw_nothing_are_noticed(self):
        for text, message in [("touch first.png; exit 3", "exit status 3"), ("true", "no picture")]:
            with self.subTest(text), self.assertRaisesRegex(gallery.GalleryError, message):
                self.run_program(text)

    def test_every_program_and_case_is_there(self):
        programs = {path.stem for path in (ROOT / "tools/programs").iterdir()} - {"CMakeLists", "flow"}  # flow runs the cases
        drawing = {path.stem for path in (ROOT / "examples").glob("*.cpp") if "write_png" in path.read_text() or "run_program" in path.read_text()}
        cases = {path.stem for path in (ROOT / "examples/cases").glob("*.toml")}
        self.assertEqual(set(), (programs | drawing | cases) - {name for name, _ in gallery.RUNS})


class Links(Folder):
    def check(self, body):
        (self.root / "a.html").write_text(body)
        (self.root / "b.html").write_text('<h1 id="top">B</h1>')
        return links.check(self.root)

    def test_links_that_are_there(self):
        self.assertEqual([], self.check('<a href="b.html#top">b</a><a href="#x" id="x">x</a><a href="https://kokkos.org">k</a>'))

    def test_links_that_are_not_there(self):
        for body in ('<a href="c.html">c</a>', '<a href="b.html#bottom">b</a>', '<a href="#y">y</a>', '<img src="c.png">',
                     '<script src="https://example.org/x.js"></script>', '<link rel="stylesheet" href="//example.org/x.css">'):
            with self.subTest(body):
                self.assertEqual(1, len(self.check(body)))


class Names(Folder):
    def lonely(self, header):
        (self.root / "tools/site").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tools/site/Doxyfile", self.root / "tools/site")
        for folder in ("include", "distributed/include", "amr/include", "solvers/poisson/include", "solvers/compressible/include", "solvers/incompressible/include",
                       "tools/app/include", "tools/c/include"):
            (self.root / folder / "sparse/base").mkdir(parents=True, exist_ok=True)
        (self.root / "include/sparse/base/it.hpp").write_text(header)
        doxygen.run_doxygen(self.root, self.root / "doxygen")
        names = doxygen.names_of(self.root / "doxygen/xml")
        pages = cpp_reference.Pages(self.root, self.root / "pages")
        for file, found in names.items():
            pages.header(file, found, "sparse/base/it.hpp", self.root / "pages/it.rst")
        return [name.name for name in pages.lonely]

    @unittest.skipUnless(shutil.which("doxygen"), "there is no doxygen")
    def test_public_names_need_a_comment(self):
        body = "namespace sparse {{\n{}\n}}\n"
        for header, lonely in [("/// One.\nint one();", []), ("int one();", ["one"]), ("/// One, and two.\nint one();\nint two();", []),
                               ("/// One.\nint one();\n\nint two();", ["two"]), ("/// One.\nint one();\nstruct Two {};", ["sparse::Two"]),
                               ("namespace detail { int one(); }", []),
                               ("/// S.\nstruct S {\n  int x;\n  int y;  ///< height\n};", ["x"]),
                               ("/// S.\nstruct S {\n  int x, y;  ///< both\n private:\n  int z;\n};", [])]:
            with self.subTest(header):
                self.assertEqual(lonely, self.lonely(body.format(header)))

    @unittest.skipUnless(shutil.which("doxygen"), "there is no doxygen")
    def test_the_comment_of_a_header_is_on_its_page(self):
        self.lonely("#pragma once\n/// Of `it`:\n/// - one\n/// - two\n///\n///     int x;\n\n/// One.\nint one();\n")
        self.assertIn("Of ``it``:\n\n- one\n- two\n\n.. code-block:: cpp\n   :force:\n\n   int x;\n", (self.root / "pages/it.rst").read_text())

    @unittest.skipUnless(shutil.which("doxygen"), "there is no doxygen")
    def test_costs_and_copies_are_no_errors(self):
        lines = ["/// S.", "struct S {", "  /// One.", "  /// @throws int  if x is odd", "  /// Cost: a pass.", "  explicit S(int x);", "  S(S const&);", "  S& operator=(S&&) noexcept;",
                 "  S();", "};"]
        self.assertEqual([], self.lonely("\n".join(lines)))
        text = (self.root / "pages/it.rst").read_text()
        self.assertIn(":Throws int: if x is odd\n", text)
        self.assertIn("   One.\n\n      Cost: a pass.\n", text)
        first, *others = text.split(".. cpp:function:: ")[1:]
        self.assertEqual(["S(int x)", "S()"], [line.strip() for line in first.splitlines()[:2]])
        self.assertEqual([False, False], ["Throws" in other for other in others])

    def test_every_name_of_python_is_on_a_page(self):
        (self.root / "p").mkdir()
        (self.root / "p/__init__.py").write_text('__all__ = ["One", "two", "lost"]\n')
        (self.root / "core.pyi").write_text('class One:\n    """One."""\n    def f(self, x: int = 1) -> int: ...\n\ndef two() -> None:\n    """Two."""\n')
        for module in list(python_reference.TITLES)[1:]:
            (self.root / f"p/{module}.py").write_text("")
        problems = python_reference.write(self.root / "p", self.root / "core.pyi", self.root / "out")
        self.assertEqual(["sparsecells.One.f has no docstring", "sparsecells.lost is on no page"], problems)
        self.assertIn(".. py:method:: f(x: int = 1) -> int", (self.root / "out/core.rst").read_text())

    def test_words_are_no_markup(self):
        self.assertEqual(r"a \| b \* c, 2\ ".strip("\\ "), restructured.escape("a | b * c, 2"))


if __name__ == "__main__":
    unittest.main()
