"""Which sources can be compiled as one: see cmake/group_sources.py."""

import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "cmake" / "group_sources.py"


def groups(size, **texts):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in texts.items():
            paths.append(Path(folder, f"{name}.cpp"))
            paths[-1].write_text(text)
        listing = Path(folder, "sources.txt")
        listing.write_text("".join(";".join([str(size), target, *map(str, paths)]) + "\n" for target in ("one", "other")))
        done = subprocess.run([sys.executable, SCRIPT, listing], capture_output=True, text=True, check=True)
    lines = [line.split(";") for line in done.stdout.splitlines()]
    found = {target: [[Path(path).stem for path in line[1:]] for line in lines if line[0] == target] for target in ("one", "other")}
    assert found["one"] == found["other"] and len(lines) == 2 * len(found["one"]), done.stdout
    return found["one"]


def private(declaration):
    return "namespace sparse {\nnamespace {\n" + declaration + "\n}  // namespace\nint use() { return 1; }\n}\n"


PLAIN = "int plain() { int width = 3; return width; }\n"
# Private names of each kind, and code that uses the name.
for declaration, name in [
    ("int width() { return 3; }", "width"),
    ("constexpr double width = 3;", "width"),
    ("double widths[] = {1, 2};", "widths"),
    ("template <class T, int N = 2>\nstruct Width { T value; };", "Width"),
    ("template <class T>\nrequires(sizeof(T) > 1) void width(T const&) {}", "width"),
    ("enum class Width { small, large };", "Width"),
    ("using Width = std::vector<int>;", "Width"),
]:
    assert groups(8, a=private(declaration), b=private(declaration)) == [], declaration
    assert groups(8, a=private(declaration), b=f"auto x = {name};\n") == [], declaration
    assert groups(8, a=private(declaration), b="int other() { return 2; }\n") == [["a", "b"]], declaration
assert groups(8, a="static int width() { return 3; }\n", b=PLAIN) == []

# What is nobody's own: definitions that others see, members, local names, text, comments, tests, parameters of templates.
PUBLIC = "namespace sparse {\nint use() { int width = 1; return width; }\nstruct Box { int width; };\n}\n"
assert groups(8, a=PUBLIC, b=PLAIN) == [["a", "b"]]
assert groups(8, a=private("constexpr int depth = 3;"), b="// depth\nauto a = box.depth + box->depth + f(\"depth\");\n") == [["a", "b"]]
TESTS = private("TEST(Sets, Depth) { int depth = 0; EXPECT_EQ(depth, 0); }\ntemplate <class T>\nvoid check(T) {}")
assert groups(8, a=TESTS, b="template <class T> T depth(T x) { return x; }\n") == [["a", "b"]]

# Instances of a class, and of a member that has a source of its own.
WHOLE = "#define SPARSE_DEFINE(T, Dim) \\\n  template class Matrix<T, Dim>; \\\n  template void Matrix<T, Dim>::scale(T);\nSPARSE_DEFINE(float, 2)\n"
PART = "template std::vector<float> Matrix<float, 2>::gradient(Field<float, 2> const&) const;\n"
assert groups(8, a=WHOLE, b=PART, c=PART) == [["b", "c"]]

# Namespaces that are open to all that follows, and one that is open in another alone.
OPEN = "namespace {\nusing namespace reference;\n}\n"
assert groups(8, a=OPEN, b=PLAIN, c=OPEN) == [["a", "c"]]
assert groups(8, a="namespace sparse {\nusing namespace reference;\n}\n", b=PLAIN) == [["a", "b"]]

# No group is greater than it may be; what is in the way of one may go with another.
assert groups(2, a=PLAIN, b="int b;\n", c="int c;\n", d="int d;\n") == [["a", "b"], ["c", "d"]]
width = private("int width();")
assert groups(8, a=width, b=PLAIN, c=width, d="int d;\n") == [["a", "d"]]
