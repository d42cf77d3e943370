#!/usr/bin/env python3
"""Builds the site of documentation: build.py ROOT BUILD SITE [--quick]

ROOT is the tree, BUILD its build folder with all programs and the Python module, SITE where the site and what it is made
from go: SITE/html is the result. tools/docs calls this with the Python of .deps/docs. Any warning is an error.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import blocks
import cpp_reference
import gallery
import links
import programs
import python_reference

# Pages whose blocks run. Those of the other pages are tested by tests/programs, or are records of a day.
EXECUTED = ("tutorials/", "howto/")
# Pages of the tree that do not lie in docs.
OTHER_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
LINK = re.compile(r"(?<!!)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def say(text):
    print(f"docs: {text}", file=sys.stderr, flush=True)


def pages_of(root):
    """Every page of the tree: its place in the site, and its file."""
    pages = {path.relative_to(root / "docs").as_posix(): path for path in sorted((root / "docs").rglob("*.md"))}
    return pages | {name: root / path for path, name in OTHER_PAGES.items()}


def with_site_links(root, page, path, text, listing):
    """Links to other files of the tree become links to their pages, or to a listing of the file."""

    def replace(match):
        target, anchor = match[1], match[2] or ""
        if re.match(r"\w+:", target):
            return match[0]
        found = (path.parent / target).resolve()
        relative = found.relative_to(root).as_posix() if found.is_relative_to(root) else None
        here = Path(page).parent.as_posix()
        if relative in OTHER_PAGES:
            return f"]({os.path.relpath(OTHER_PAGES[relative], here)}{anchor})"
        if relative and relative.startswith("docs/"):
            return f"]({os.path.relpath(relative[5:], here)}{anchor})"
        if relative == "README.md":
            return f"]({os.path.relpath('index.md', here)})"
        if relative and found.is_file():
            return f"]({os.path.relpath(listing(relative), here)})"
        return match[0] if relative is None else f"]({os.path.relpath(listing(relative), here)})"

    return LINK.sub(replace, text)


class Site:
    def __init__(self, root, build, site, is_quick):
        self.root, self.build, self.site, self.is_quick = root, build, site, is_quick
        self.source = site / "source.new"  # becomes site/source
        self.listed = set()

    def listing(self, file):
        """The page that shows a file of the tree, or the names in a folder."""
        name = f"files/{file.rstrip('/').replace('/', '-')}.md"
        if name not in self.listed:
            self.listed.add(name)
            path = self.root / file
            if path.is_dir():
                body = "\n".join(f"- `{p.name}`" for p in sorted(path.iterdir()))
            else:
                fence = {".cpp": "cpp", ".py": "python", ".toml": "toml"}.get(path.suffix, "text")
                body = f"````{fence}\n{path.read_text(encoding='utf-8')}\n````"
            (self.source / "files").mkdir(parents=True, exist_ok=True)
            (self.source / name).write_text(f"---\norphan: true\n---\n# {file}\n\n{body}\n", encoding="utf-8")
        return name

    def write_pages(self):
        pages = pages_of(self.root)
        texts = {page: path.read_text(encoding="utf-8") for page, path in pages.items()}
        executed = {page: blocks.blocks_of(f"docs/{page}", text) for page, text in texts.items() if page.startswith(EXECUTED)}
        self.run_blocks(executed)
        for page, path in pages.items():
            text = texts[page]
            target = self.source / page
            target.parent.mkdir(parents=True, exist_ok=True)
            if page in executed:
                def place(name, page=page):
                    copy = self.source / "pictures" / name.replace("/", "-")
                    copy.parent.mkdir(exist_ok=True)
                    shutil.copy(self.site / "pages" / name, copy)
                    return os.path.relpath(copy, (self.source / page).parent)

                text = blocks.with_outputs(text, executed[page], place)
            if page == "performance/README.md":
                text += "\n```{toctree}\n:hidden:\n:glob:\n\n2*\n```\n"
            target.write_text(with_site_links(self.root, page, path, text, self.listing), encoding="utf-8")
        shutil.copytree(self.root / "docs/images", self.source / "images", dirs_exist_ok=True)

    def run_blocks(self, executed):
        runner = blocks.Runner(self.root, self.build, self.site, self.root / ".deps/python/bin/python")
        memory = blocks.Memory(self.site / "memory")
        keys = {page: blocks.digest(found) for page, found in executed.items()}
        fresh = {page: found for page, found in executed.items() if not (self.is_quick and memory.recall(page, found, keys[page]))}
        if any(b.language == "cpp" and b.runs for found in fresh.values() for b in found):
            say("compiling the blocks of C++")
            runner.compile({found[0].page: found for found in executed.values() if found})
        for page, found in fresh.items():
            began = time.monotonic()
            runner.run(f"docs/{page}", found)
            memory.keep(page, found, keys[page])
            say(f"{page}: {sum(b.runs for b in found)} blocks ran in {time.monotonic() - began:.0f} s")

    def write_references(self):
        missing = cpp_reference.write(self.root, self.site / "doxygen", self.source / "reference/cpp")
        missing += python_reference.write(self.root / "python/sparsecells", self.build / "python/sparsecells/_core.pyi", self.source / "reference/py")
        programs.write(self.root, self.build / "bin", self.source / "reference/programs")
        return missing

    def write_gallery(self):
        environment = dict(os.environ, GOMP_SPINCOUNT="20000")
        work = self.site / "gallery"
        work.mkdir(exist_ok=True)
        gallery.write(self.root, self.build / "bin", work, self.source, environment, self.is_quick, say)

    def take_changes(self):
        """Brings site/source up to date. Files that are as before stay untouched, so that Sphinx reads only the others."""
        old = self.site / "source"
        fresh = {path.relative_to(self.source) for path in self.source.rglob("*") if path.is_file()}
        for path in sorted(old.rglob("*"), reverse=True):
            if path.is_file() and path.relative_to(old) not in fresh:
                path.unlink()
        for name in sorted(fresh):
            target = old / name
            if not target.is_file() or target.read_bytes() != (self.source / name).read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.source / name, target)
        shutil.rmtree(self.source)
        self.source = old

    def run_sphinx(self):
        version = re.search(r"project\(sparse VERSION (\S+)", (self.root / "CMakeLists.txt").read_text())
        environment = dict(os.environ, SPARSE_VERSION=version[1] if version else "", SPARSE_SITE_STATIC=str(self.root / "tools/site/static"))
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "-n", "--keep-going", "-q", "-j", "auto", "-c", str(self.root / "tools/site"),
                   "-d", str(self.site / "doctrees"), str(self.source), str(self.site / "html")]
        return subprocess.run(command, env=environment).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("root", "build", "site"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--quick", action="store_true", help="pictures of the gallery and outputs of unchanged pages from the build before")
    given = parser.parse_args()
    began = time.monotonic()
    site = Site(given.root.resolve(), given.build.resolve(), given.site.resolve(), given.quick)
    shutil.rmtree(site.source, ignore_errors=True)
    if not given.quick:
        shutil.rmtree(site.site / "html", ignore_errors=True)
        shutil.rmtree(site.site / "doctrees", ignore_errors=True)
    site.source.mkdir(parents=True)
    try:
        problems = site.write_references()
        site.write_pages()
        site.write_gallery()
    except (blocks.BlockError, gallery.GalleryError, RuntimeError) as error:
        sys.exit(f"docs: {error}")
    site.take_changes()
    if not site.run_sphinx():
        problems.append("Sphinx warns of what is shown above")
    else:
        problems += links.check(site.site / "html")
    if problems:
        print("\n".join(problems), file=sys.stderr)
        sys.exit(f"docs: {len(problems)} problems")
    say(f"{site.site / 'html/index.html'} ({time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    main()
