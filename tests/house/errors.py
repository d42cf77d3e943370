#!/usr/bin/env python3
"""Checks that comments say what throws: a public function that checks its arguments itself has "throws" in its comment.

usage: errors.py REPOSITORY
Prints header: function for each one that does not and exits with 1. A function counts if its body, in the header or in a
source that includes it, has `expects(`, `fail(` or `throw`. One comment is enough for all functions of a name in a header.
"""

import re
import sys
from pathlib import Path

# Headers; sources lie in src instead of include.
HEADERS = ("include", "distributed/include", "amr/include", "solvers/poisson/include", "solvers/compressible/include",
           "solvers/incompressible/include", "tools/app/include")
CHECKS = re.compile(r"\b(expects|fail|file_failure)\(|\bthrow\b(?!;)")
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b")
NAME = re.compile(r"((?:::)?~?\w+|operator\S{1,2})\s*\(")
ITSELF = {"fail", "expects"}  # their names say it


def tokens(text):
    """The text with each block of `///` as one sign: character 1 if it says what throws, 2 if not. Other comments are gone."""
    def sign(block):
        return "\1" if re.search(r"throws", block[0], re.I) else "\2"
    text = re.sub(r'R"\w*\(.*?\)\w*"|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])\'', '""', re.sub(r"^\s*#.*?(?<!\\)$", "", text, flags=re.M | re.S))
    text = re.sub(r"(^[ \t]*///(?!<).*\n)+", sign, text, flags=re.M)
    return re.sub(r"//.*", "", text)


def functions(text):
    """(name, whether it is in a class and a namespace that are open to all, whether its comment says what throws, its body
    or None) of each function. The name of one that is defined outside of its class begins with ::."""
    scopes, start, sign, function, text = [], 0, "", None, tokens(text)
    for place, token in ((m.start(), m[0]) for m in re.finditer(r"[{};\1\2]|\b(?:public|private|protected):", text)):
        before = text[start:place]
        if function is None and token in "\1\2":
            sign = token
        elif function is None and token.endswith(":"):
            scopes[-1] = token == "public:"
        elif function is None:
            name = NAME.search(re.sub(r"\b(requires|decltype|noexcept|alignas)\s*\([^()]*\)|<[^<>()]*>", "", before))
            rest = before.rpartition(")")[2]
            kinds = SCOPE.findall(rest) if "(" not in rest else []
            if token == "{" and kinds:
                scopes.append(kinds[-1] != "class" and not re.search(r"\bdetail\b|namespace\s*$", before))
            elif token == "{":
                function = (name[1] if name else None, all(scopes), sign == "\1", place, len(scopes))
                scopes.append(True)
            elif token == "}" and scopes:
                scopes.pop()
            elif name and token == ";":
                yield name[1], all(scopes), sign == "\1", None
        elif token == "{":
            scopes.append(True)
        elif token == "}":
            scopes.pop()
            if len(scopes) == function[4]:
                if function[0]:
                    yield *function[:3], text[function[3]:place]
                function = None
        if token in "{};" or token.endswith(":"):
            start = place + 1


def check(root):
    problems = []
    for folder in HEADERS:
        texts = [path.read_text(encoding="utf-8") for path in (root / folder.replace("include", "src")).rglob("*.cpp")]
        for header in sorted((root / folder).rglob("*.hpp")):
            own = list(functions(header.read_text(encoding="utf-8")))
            known = {name for name, is_open, _, _ in own if is_open} - ITSELF
            says = {name for name, _, throws, _ in own if throws}
            include = f"#include <{header.relative_to(root / folder).as_posix()}>"
            bodies = [*own, *(f for text in texts if text.startswith(include) for f in functions(text))]
            silent = {name.lstrip(":") for name, is_open, _, body in bodies if is_open and body and CHECKS.search(body)} & known - says
            problems += [f"{header.relative_to(root).as_posix()}: {name} throws, but no comment says what" for name in sorted(silent)]
    return problems


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "include").is_dir():
        sys.exit(__doc__)
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "comments say what throws")
    sys.exit(1 if found else 0)
