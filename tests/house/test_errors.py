#!/usr/bin/env python3
"""errors.py notices functions whose comments do not say what they throw, in a tree made for it."""

import tempfile
import unittest
from pathlib import Path

import errors

HEADER = """#pragma once
namespace sparse {
/// A shape.
template <class T>
class Shape {
public:
  /// The width.
  /// @throws std::invalid_argument  if there is none
  T width() const;
  /// Nothing is thrown: "expects(true)".
  T height() const { return {}; }

private:
  void check() { expects(true, "private"); }
};
/// Doubles. COMMENT
template <class T>
T twice(T x = {});
namespace detail {
/// Private.
void part();
}
}
"""
SOURCE = """#include <sparse/shape.hpp>
namespace sparse {
namespace {
void helper() { fail("no name of the header"); }
}
void detail::part() { fail("private"); }
template <class T>
T Shape<T>::width() const {
  expects(true, "a { brace");
  return T();
}
template <class T>
T twice(T x) {
  BODY
}
}
"""


class Errors(unittest.TestCase):
    def problems(self, comment="", body="return 2 * x;", header=HEADER):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"include/sparse/shape.hpp": header.replace("COMMENT", comment), "src/shape.cpp": SOURCE.replace("BODY", body)}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [problem.split(": ")[1].split()[0] for problem in errors.check(Path(folder))]

    def test_what_says_it_is_fine(self):
        self.assertEqual([], self.problems())
        self.assertEqual([], self.problems("Throws if x is odd.", 'expects(x % 2 == 0, "odd");'))

    def test_what_does_not_say_it_is_noticed(self):
        for body in ['expects(x > 0, "x");', 'if (x < 0) fail("x");', "throw std::runtime_error(name);"]:
            with self.subTest(body=body):
                self.assertEqual(["twice"], self.problems(body=body))
        self.assertEqual(["width"], self.problems(header=HEADER.replace("@throws std::invalid_argument", "")))
        self.assertEqual(["height"], self.problems(header=HEADER.replace("return {};", 'fail("height");')))

    def test_what_passes_an_exception_on_is_no_check(self):
        self.assertEqual([], self.problems(body="try { f(); } catch (...) { throw; }"))


if __name__ == "__main__":
    unittest.main()
