#!/usr/bin/env python3
"""Checks that what documents and comments name is there: files, folders, headers, and headings that links point to.

usage: documents.py REPOSITORY
Prints what is missing as file:line and exits with 1. Names count in `code` and in code blocks; in
comments of C++ those of headers do. Dated records and the
changelog keep the names of their day, so only their links are checked.
"""

import re
import sys
from pathlib import Path

SOURCES = ("include", "src", "distributed", "amr", "solvers", "examples", "tools", "benchmarks", "tests", "python")
CHECKED = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs")
# Where includes are looked for: public ones as <sparse/...>, private ones by their place in a src folder.
INCLUDE_FOLDERS = ("include", "distributed/include", "amr/include", "solvers/*/include", "tools/app/include")
SOURCE_FOLDERS = ("src", "distributed/src", "amr/src", "solvers/*/src", "tools/app/src")
# Folders that builds and users make, as those of runs, and headers that the build makes.
GENERATED = re.compile(r"build|\.deps|out|\.git|\w+_output")
GENERATED_FILES = ("sparse/version.hpp",)
# Endings of files that are named without their folder. Runs make files with other endings.
SOURCE_ENDINGS = (".hpp", ".cpp", ".py", ".cmake", ".md", ".cff")

CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
WORD = re.compile(r"[^\s,;:()'\"<>=|\[\]{}]+")
PATH = re.compile(r"\.?\w[\w.*-]*(/[\w.*-]+)+/?")
NAME = re.compile(r"\w[\w.-]*")
COMMENT = re.compile(r"//[/!]?<?(.*)")
HEADER = re.compile(r"[\w./-]+\.hpp\b")
RECORD = re.compile(r"\d{4}-\d\d(-\d\d)?-.*")


def documents(root):
    for name in CHECKED:
        path = root / name
        yield from sorted(path.rglob("*.md")) if path.is_dir() else [path] if path.exists() else []


def headings(text):
    """The anchors that a page has for its headings, as GitHub makes them."""
    anchors = set()
    for line in text.splitlines():
        if line.startswith("#"):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            anchors.add(words.replace(" ", "-"))
    return anchors


def words_and_links(document):
    """(line number, word, None) for each word in `code` or a code block, (line number, None, target) for each link."""
    fenced = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced:
            yield from ((number, word, None) for word in WORD.findall(line))
        else:
            for code in CODE.findall(line):
                yield from ((number, word, None) for word in WORD.findall(code))
            yield from ((number, None, target) for target in LINK.findall(CODE.sub("", line)))


def exists_in(root, folders, path):
    return any(any(root.glob(f"{folder}/{path}")) for folder in folders)


def is_there(root, names, word):
    """Whether a path, or the bare name of a source, is in the tree; true of words that are neither."""
    word = word.rstrip(".")
    if PATH.fullmatch(word):
        first = word.split("/")[0]
        if GENERATED.fullmatch(first) or word in GENERATED_FILES:
            return True
        if first == "sparse":
            return exists_in(root, INCLUDE_FOLDERS, word.rstrip("/"))
        is_source = word.endswith(SOURCE_ENDINGS)
        if (root / first).exists() or is_source:
            return any(root.glob(word.rstrip("/"))) or is_source and exists_in(root, SOURCE_FOLDERS, word)
        return True
    return not (NAME.fullmatch(word) and word.endswith(SOURCE_ENDINGS)) or word in names


def check_comments(root, names):
    """Headers that a comment names, by their name, or by their place in their folder or in the tree."""
    for path in sorted(path for folder in SOURCES for path in (root / folder).rglob("*.[ch]pp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            comment = COMMENT.search(line)
            for header in HEADER.findall(comment[1]) if comment else ():
                is_found = header in names or (path.parent / header).exists()
                if not is_found and not ("/" in header and any(is_there(root, names, at + header) for at in ("", "sparse/"))):
                    yield f"{path.relative_to(root).as_posix()}:{number}: there is no {header}"


def check(root):
    problems = []
    folders = [path for path in root.iterdir() if path.is_dir() and not GENERATED.fullmatch(path.name)]
    names = {path.name for path in root.iterdir()} | {path.name for folder in folders for path in folder.rglob("*.*")}
    problems += check_comments(root, names)
    for document in documents(root):
        shown = document.relative_to(root).as_posix()
        is_record = shown == "CHANGELOG.md" or RECORD.fullmatch(document.name)
        for number, word, link in words_and_links(document):
            where = f"{shown}:{number}"
            if link is not None:
                if re.match(r"\w+:", link):
                    continue
                target, _, anchor = link.partition("#")
                path = (document.parent / target) if target else document
                if not path.exists():
                    problems.append(f"{where}: there is no {link}")
                elif anchor and anchor not in headings(path.read_text(encoding="utf-8")):
                    problems.append(f"{where}: {target or shown} has no heading '{anchor}'")
            elif not is_record and not is_there(root, names, word):
                problems.append(f"{where}: there is no {word}")
    return problems


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "include").is_dir():
        sys.exit(__doc__)
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "all that the documents name is there")
    sys.exit(1 if found else 0)
