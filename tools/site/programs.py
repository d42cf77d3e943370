"""The reference of programs, from what `--help` prints, and of expressions, from `geometry --functions`."""

import subprocess

from restructured import escape, heading, indent


def first_comment(path):
    for line in path.read_text(encoding="utf-8").splitlines()[:10]:
        if line.startswith("//"):
            return line.lstrip("/! ").strip()
    return ""


def programs_of(root):
    """(name, what it does) of every program and every example with a command line."""
    found = []
    for folder in ("tools/programs", "examples"):
        for path in sorted((root / folder).iterdir()):
            main = path / f"{path.name}.cpp" if path.is_dir() else path
            if main.suffix == ".cpp" and main.is_file() and (folder != "examples" or "app/" in main.read_text(encoding="utf-8")):
                found.append((main.stem, first_comment(main), main.relative_to(root)))
    return found


def help_of(program, *arguments):
    result = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=True)
    return result.stdout.replace(f"Usage: {program}", f"Usage: tools/run {program.name}").replace(str(program), program.name)


def write(root, programs, target):
    """Writes pages below `target`. Raises FileNotFoundError if a program is not built."""
    target.mkdir(parents=True, exist_ok=True)
    listed = programs_of(root)
    for name, what, source in listed:
        text = ":orphan:\n\n" + heading(name) + f"{escape(what)}\n\nSource: ``{source}``. What ``tools/run {name} --help`` prints:\n\n"
        text += ".. code-block:: text\n\n" + indent(help_of(programs / name, "--help")) + "\n"
        (target / f"{name}.rst").write_text(text, encoding="utf-8")
    text = heading("Programs") + ("Each has ``--help``, and ``--config FILE`` reads the same options from a TOML file. ``tools/run NAME`` builds and "
                                  "runs one.\n\n")
    text += "\n.. list-table::\n   :widths: 25 75\n\n" + "".join(f"   * - :doc:`{name}`\n     - {escape(what)}\n" for name, what, _ in listed)
    (target / "index.rst").write_text(text, encoding="utf-8")
    text = heading("Functions of expressions") + (
        "Programs and cases make sets from expressions, such as ``box(0, 0, 400, 160) - ball(80, 80, 20)``. :doc:`/geometry_tool` teaches "
        "them. In C++ ``sparse::io::evaluate`` reads them, in Python ``sparsecells.expression``. What ``tools/run geometry --functions`` "
        "prints:\n\n.. code-block:: text\n\n")
    (target.parent / "expressions.rst").write_text(text + indent(help_of(programs / "geometry", "--functions")) + "\n", encoding="utf-8")
