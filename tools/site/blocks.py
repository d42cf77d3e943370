"""Runs the blocks of pages and puts their output behind them.

Blocks of `sh`, `python` and `cpp` run, in the order of the page, in a folder of the page's own. A block that fails ends the
build with the page and the line. A comment right above a block changes this:

    <!-- file: NAME -->          the block becomes this file
    <!-- from: PATH -->          the block must stand in this file of the tree, which a test compiles and runs
    <!-- not run: REASON -->     the block is shown alone, with the reason
    <!-- output: below -->       the next block of the page must be the output
    <!-- exit: N -->             a command of shell that must end with this status
    <!-- picture: NAME | TEXT -->  this file of the folder is shown behind the block

Python has one process per page. `tools/run` starts the programs that the build has made. All blocks of C++ of all pages
are one program: those of a page are one function, but for `#include` and what has the comment `<!-- file scope -->`.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"(?P<notes>(?:^<!--[^\n]*-->\n)*)^(?P<fence>```+)(?P<language>[\w+-]*)\n(?P<code>.*?)^(?P=fence)[ ]*\n", re.M | re.S)
NOTE = re.compile(r"<!-- *([\w ]+?)(?:: *(.*?))? *-->")
RUNS = ("sh", "python", "cpp")
LONGEST = 40  # lines of output that are shown
SECONDS = 600  # that a block may take

PYTHON = r"""
import ast, contextlib, io, sys, traceback
names = {"__name__": "__main__"}
for line in sys.stdin:
    path, shown = line.rstrip("\n").split("\t")
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            tree = ast.parse(open(path).read(), shown)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, shown, "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), shown, "eval"), names)
                if value is not None:
                    print(repr(value))
        status = "done"
    except BaseException:
        traceback.print_exc(file=out)
        status = "failed"
    with open(path + ".out", "w") as file:
        file.write(out.getvalue())
    print(status, flush=True)
"""

RUN = """#!/usr/bin/env bash
# tools/run, with programs that are built.
name=$1; shift
if [[ -f {root}/examples/cases/$name.toml ]]; then set -- "{root}/examples/cases/$name.toml" "$@"; name=flow; fi
exec "{programs}/$name" "$@"
"""


class BlockError(Exception):
    """What is wrong with a block: page, line and reason."""


@dataclass
class Block:
    page: str
    line: int
    language: str
    code: str
    notes: dict
    end: int  # where it ends in the text
    output: str = ""
    pictures: list = field(default_factory=list)  # (file name, text)

    @property
    def runs(self):
        return self.language in RUNS and not {"file", "from", "not run"} & set(self.notes)

    def fail(self, reason):
        raise BlockError(f"{self.page}:{self.line}: {reason}")


def blocks_of(page, text):
    found = []
    for match in FENCE.finditer(text):
        notes = {name: value or "" for name, value in NOTE.findall(match["notes"])}
        line = text.count("\n", 0, match.start("code")) + 1
        found.append(Block(page, line, match["language"], match["code"], notes, match.end()))
    return found


def digest(blocks, extra=""):
    text = extra + "".join(f"{b.language}\0{sorted(b.notes.items())}\0{b.code}\0" for b in blocks)
    return hashlib.sha256(text.encode()).hexdigest()


class Runner:
    """Runs the blocks of pages in folders below `work`."""

    def __init__(self, root, build, work, python):
        self.root, self.build, self.work, self.python = root, build, work, python
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", GOMP_SPINCOUNT="20000", PYTHONPATH=f"{build}/python",
                                PATH=f"{Path(python).parent}:{os.environ['PATH']}", SPARSE_PREFIX=str(work / "installed"))
        self.program = work / "cpp/build/blocks"

    # ---- C++

    def compile(self, pages):
        """Compiles the C++ of all pages, {page: blocks}, against an installed copy of the built tree."""
        source, includes, calls = "", [], ""
        for number, (page, blocks) in enumerate(pages.items()):
            blocks = [b for b in blocks if b.language == "cpp" and b.runs]
            if not blocks:
                continue
            scope = body = ""
            for index, b in enumerate(blocks):
                code = re.sub(r"^#include .*$", lambda m: includes.append(m[0]) or "", b.code, flags=re.M)
                at = f'#line {b.line} "{page}"\n'
                if "file scope" in b.notes:
                    scope += at + code
                else:
                    body += f'std::cout << "\\x1e" "{index}\\n" << std::flush;\n' + at + code
            source += f"namespace page_{number} {{\nusing namespace sparse;\n{scope}\nvoid run() {{\n{body}\n}}\n}}\n"
            calls += f'  if (page == "{page}") page_{number}::run();\n'
        if not source:
            return
        folder = self.work / "cpp"
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(line + "\n" for line in dict.fromkeys(["#include <iostream>", "#include <string>", "#include <sparse/base/runtime.hpp>",
                                                              "#include <sparse/sparse.hpp>", *includes]))
        text += source + ('#line 1 "blocks"\nint main(int, char** arguments) {\n  sparse::Runtime const runtime;\n  std::string const page = arguments[1];\n'
                          + calls + "}\n")
        lists = ("cmake_minimum_required(VERSION 3.22)\nproject(blocks LANGUAGES C CXX)\nfind_package(sparse REQUIRED)\nadd_executable(blocks blocks.cpp)\n"
                 "target_link_libraries(blocks PRIVATE sparse::solvers sparse::io)\n")
        for name, content in (("blocks.cpp", text), ("CMakeLists.txt", lists)):
            path = folder / name
            if not path.exists() or path.read_text() != content:
                path.write_text(content)
        self.command(["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.install()}", "-DCMAKE_BUILD_TYPE=Release"])
        self.command(["cmake", "--build", folder / "build"])

    def install(self):
        """The built tree, installed into a folder below the work folder."""
        prefix = self.work / "installed"
        if not (prefix / "done").exists():
            self.command(["cmake", "--install", self.build, "--prefix", prefix])
            (prefix / "done").touch()
        return prefix

    def command(self, arguments):
        result = subprocess.run([str(a) for a in arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)
        if result.returncode:
            raise BlockError(f"{' '.join(str(a) for a in arguments[:2])} failed:\n{result.stdout[-4000:]}")

    # ---- a page

    def run(self, page, blocks):
        """Runs the blocks of a page; they get their output and pictures."""
        folder = self.work / "pages" / page.removesuffix(".md")
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "tools").mkdir(parents=True)
        run = folder / "tools/run"
        run.write_text(RUN.format(root=self.root, programs=self.build / "bin"))
        run.chmod(0o755)
        (folder / "examples").symlink_to(self.root / "examples")
        if any(b.runs and "SPARSE_PREFIX" in b.code for b in blocks):
            self.install()
        interpreter, of_cpp = None, None
        try:
            for number, block in enumerate(blocks):
                if "from" in block.notes:
                    self.compare(block)
                if "file" in block.notes:
                    (folder / block.notes["file"]).write_text(block.code)
                if not block.runs:
                    continue
                if block.language == "sh":
                    self.run_shell(folder, block)
                elif block.language == "python":
                    interpreter = interpreter or subprocess.Popen([self.python, "-c", PYTHON], cwd=folder, env=self.environment, text=True,
                                                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                    self.run_python(folder, block, number, interpreter)
                else:
                    of_cpp = of_cpp if of_cpp is not None else self.run_cpp(folder, block)
                    if "file scope" not in block.notes:
                        block.output = of_cpp.pop(0)
                if "output" in block.notes:
                    expected = blocks[number + 1] if number + 1 < len(blocks) else block
                    if expected.code.strip() != block.output.strip():
                        block.fail(f"the next block is not its output, which is\n{block.output}")
                    block.output = ""
                self.add_picture(folder, block)
        finally:
            if interpreter:
                interpreter.stdin.close()
                interpreter.wait(60)
                interpreter.stdout.close()

    def add_picture(self, folder, block):
        name, _, text = block.notes.get("picture", "").partition("|")
        name = name.strip()
        if name and not (folder / name).is_file():
            block.fail(f"it made no picture {name}")
        if name:
            block.pictures.append((str((folder / name).relative_to(self.work / "pages")), text.strip()))

    def compare(self, block):
        path = self.root / block.notes["from"]
        if not path.is_file():
            block.fail(f"there is no {block.notes['from']}")
        lines = [line.strip() for line in path.read_text().splitlines()]
        wanted = [line.strip() for line in block.code.rstrip("\n").splitlines()]
        if not any(lines[at: at + len(wanted)] == wanted for at in range(len(lines))):
            block.fail(f"these lines are not in {block.notes['from']}")

    def run_shell(self, folder, block):
        wanted = int(block.notes.get("exit", "0"))
        try:
            result = subprocess.run(["bash", "-eo", "pipefail", "-c", block.code], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS)
        except subprocess.TimeoutExpired:
            block.fail(f"it takes more than {SECONDS} s")
        if result.returncode != wanted:
            block.fail(f"exit status {result.returncode}, not {wanted}:\n{result.stdout[-3000:]}")
        block.output = result.stdout.replace(str(folder) + "/", "").replace(str(self.root) + "/", "")

    def run_python(self, folder, block, number, interpreter):
        path = folder / f".block_{number}.py"
        path.write_text("\n" * (block.line - 1) + block.code)
        interpreter.stdin.write(f"{path}\t{block.page}\n")
        interpreter.stdin.flush()
        status = interpreter.stdout.readline().strip()
        output = Path(f"{path}.out").read_text() if Path(f"{path}.out").exists() else ""
        if status != "done":
            block.fail(f"the block of Python failed:\n{output[-3000:]}")
        block.output = output

    def run_cpp(self, folder, block):
        result = subprocess.run([self.program, block.page], cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                errors="replace", timeout=SECONDS)
        if result.returncode:
            block.fail(f"the C++ of this page failed:\n{result.stdout[-3000:]}")
        return re.split(r"\x1e\d+\n", result.stdout)[1:]


def shortened(output):
    lines = output.rstrip().splitlines()
    if len(lines) > LONGEST:
        half = LONGEST // 2
        lines = lines[:half] + ["..."] + lines[-half:]
    return "\n".join(lines)


def with_outputs(text, blocks, place_of):
    """The page with outputs and pictures behind its blocks. `place_of` gives the link to a picture."""
    for block in reversed(blocks):
        extra = ""
        if "file" in block.notes:
            extra = f"\n*This is the file* `{block.notes['file']}`.\n"
        if "from" in block.notes:
            extra = f"\n*From* `{block.notes['from']}`.\n"
        if "not run" in block.notes:
            extra = f"\n*Not run here: {block.notes['not run']}.*\n"
        if block.output.strip():
            extra += f"\n:::::{{code-block}} text\n:class: output\n\n{shortened(block.output)}\n:::::\n"
        for name, words in block.pictures:
            extra += f"\n![{words}]({place_of(name)})\n"
        text = text[: block.end] + extra + text[block.end:]
    return text


class Memory:
    """Outputs of pages that have not changed, for quick builds."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, page):
        return self.folder / (page.replace("/", "+") + ".json")

    def recall(self, page, blocks, key):
        """Whether the outputs are known; the blocks then have them."""
        path = self.path(page)
        known = json.loads(path.read_text()) if path.exists() else {}
        if known.get("key") != key or len(known["blocks"]) != len(blocks):
            return False
        for block, (output, pictures) in zip(blocks, known["blocks"]):
            block.output, block.pictures = output, [tuple(p) for p in pictures]
        return True

    def keep(self, page, blocks, key):
        self.path(page).write_text(json.dumps({"key": key, "blocks": [(b.output, b.pictures) for b in blocks]}))
