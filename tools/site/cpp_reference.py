"""The reference of C++: what Doxygen reads in the headers, as pages for Sphinx. One page per header, grouped by layer.

A name without a comment shares that of the declarations right above it, if they are of the same kind and no empty line
comes between. Any other public name without a comment is reported, and the build of the site fails.
"""

import itertools
import re
from pathlib import Path

from doxygen import Class, names_of, run_doxygen
from restructured import escape, from_docstring, heading, indent

LAYERS = {
    "base": "where kernels run, memory, parallel primitives, small vectors, grids, errors",
    "sets": "what a set is, and sets from sets",
    "shapes": "sets from shapes, in cells or in metres",
    "plans": "how kernels visit sets",
    "fields": "values on sets; fields from sets, and sets from fields",
    "io": "files, pictures, the language of geometry",
    "distributed": "levels cut into parts for many ranks, and what they would send each other",
    "amr": "levels that follow the solution of a conservation law",
    "poisson": "pressure: the matrix, multigrid, Krylov and stationary methods",
    "compressible": "laws of gases, numerical fluxes, the exact Riemann solution",
    "incompressible": "staggered grids, advection, projection, the methods that step",
    "app": "run folders, options, the run loop, flows described by files",
    "c": "a shared library with a C interface",
}
# What says itself: the six members that every class has, and names that are passed on from a template argument.
SPECIAL = r"= ?(default|delete)\b|\b(operator=|{0})\({0}(<.*>)? ?(const ?&|&&)( \w+)?\)"  # {0}: the class
PASSED_ON = re.compile(r"^(using \w+ = (typename )?[\w:]+::\w+;|static constexpr (int|bool) \w+ = \w+(::\w+)+(, \w+ = \w+(::\w+)+)*;)")


class Source:
    """The lines of a header, for comments that cover several declarations."""

    def __init__(self, path):
        self.lines = path.read_text(encoding="utf-8").splitlines()

    def opening(self):
        """The comment at the top, about the whole header."""
        top = self.lines[1:] if self.lines[0] == "#pragma once" else []
        return "\n".join(line[4:] for line in itertools.takewhile(lambda line: line.startswith("///"), top))

    def is_special(self, name):
        own = re.escape(name.scope.rpartition("::")[2])
        return bool(re.search(SPECIAL.format(own), self.lines[name.line - 1]))

    def says_itself(self, name):
        return self.is_special(name) or bool(PASSED_ON.match(self.lines[name.line - 1].strip()))

    def are_together(self, above, below):
        between = self.lines[above.line - 1: below.line]
        return all(line.strip() for line in between) and (above.kind == below.kind or above.line == below.line)


def groups_of(names, source):
    """Names that share a comment, and the names without any."""
    groups, lonely, alone, last = [], [], [], None
    names = sorted(names, key=lambda found: found.line)
    for name in names:
        if not name.description:  # names of one line share its comment
            name.description = next((n.description for n in names if n.line == name.line and n.description), name.description)
    for name in names:
        is_class = isinstance(name, Class)
        if not name.description and not is_class and source.is_special(name):
            alone.append([name])
            continue
        if name.description or not groups or is_class:
            groups.append([name])
            if not name.description and not source.says_itself(name):
                lonely.append(name)
        elif last.line == name.line or source.are_together(last, name) and groups[-1][0].description and not isinstance(last, Class):
            groups[-1].append(name)
        else:
            groups.append([name])
            if not source.says_itself(name):
                lonely.append(name)
        last = name
    return sorted(groups + alone, key=lambda group: group[0].line), lonely


class Pages:
    """Writes the pages of all headers."""

    def __init__(self, root, target):
        self.root, self.target = root, target
        self.lonely, self.seen = [], set()

    def render(self, group, source, prefix=""):
        lines, fresh = [], []
        for name in group:
            key = re.sub(r"\s+", "", prefix + name.signature)
            fresh.append(key not in self.seen)
            self.seen.add(key)
        first = group[0]
        same = [n for n in group if n.directive == first.directive]
        rest = [n for n in group if n.directive != first.directive]
        opening = f".. {first.directive}:: "
        lines.append(opening + ("\n" + " " * len(opening)).join(n.signature for n in same))
        if not all(fresh):
            lines.append("   :no-index:")
        lines.append("")
        if first.description:
            lines += [indent(str(first.description)), ""]
        for value, description in first.values:
            lines += [f"   .. cpp:enumerator:: {value}", ""] + ([indent(str(description), 6), ""] if description else [])
        if isinstance(first, Class) and first.members:
            groups, lonely = groups_of(first.members, source)
            self.lonely += lonely
            for members in groups:
                lines += [indent(self.render(members, source, first.signature + "::")), ""]
        text = "\n".join(lines)
        return text + "\n" + "\n".join(self.render([n], source, prefix) for n in rest)

    def header(self, file, names, include, page):
        source = Source(self.root / file)
        groups, lonely = groups_of(names, source)
        self.lonely += lonely
        text = ":orphan:\n\n" + heading(include) + f"``#include <{include}>``\n\n" + from_docstring(source.opening(), "cpp") + "\n\n"
        scope = None
        for group in groups:
            space = group[0].scope.rsplit("::", 1)[0] if isinstance(group[0], Class) else group[0].scope
            if not isinstance(group[0], Class) and space != scope:
                text += f".. cpp:namespace:: {space or 'NULL'}\n\n"
                scope = space
            if isinstance(group[0], Class):
                text += ".. cpp:namespace:: NULL\n\n"
                scope = None
            text += self.render(group, source, space) + "\n"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")


def sources_of(path):
    """The sources of methods that a header names: the texts behind "Source:" in its comments."""
    found, text = [], None
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        comment = re.match(r"\s*///<? ?(.*)", line)
        begins = comment and re.search(r"\bSources?(?: of [\w ,]+)?: (.+)", comment[1])
        if begins or not comment or not comment[1].strip() or comment[1].startswith("@"):
            found += [text] if text else []
            text = begins[1] if begins else None
        elif text:
            text += " " + comment[1]
    return found


def write_sources(root, headers, target):
    """The page of literature: each source, with the headers that name it."""
    places = {}
    for file in headers:
        for text in sources_of(root / file):
            places.setdefault(text.strip(), []).append(file.split("include/", 1)[1])
    body = "".join(f"- {escape(text)} (" + ", ".join(f"``{p}``" for p in sorted(set(found))) + ")\n" for text, found in sorted(places.items()))
    (target.parent / "sources.rst").write_text(heading("Sources of methods") + "Where methods come from, as the headers say it.\n\n" + body, encoding="utf-8")


def write(root, work, target):
    """Writes pages below `target`. Returns the public names without a comment, as file:line: name."""
    run_doxygen(root, work)
    headers = names_of(work / "xml")
    pages = Pages(root, target)
    layers = {layer: [] for layer in LAYERS}
    for file, names in sorted(headers.items()):
        include = file.split("include/", 1)[1]
        layer = "c" if include.startswith("sparse_c/") else include.split("/")[1] if include.count("/") > 1 else "base"
        page = Path(layer) / re.sub(r"\.hpp$|\.h$", "", "/".join(include.split("/")[1 if layer == "c" or include.count("/") < 2 else 2:]))
        pages.header(file, names, include, target / page.with_name(page.name + ".rst"))
        layers[layer].append(page.relative_to(layer).as_posix())
    for layer, found in layers.items():
        text = heading(layer) + LAYERS[layer][0].upper() + LAYERS[layer][1:] + ".\n\n"
        (target / layer / "index.rst").write_text(text + "".join(f"- :doc:`sparse/{layer}/{page}.hpp <{page}>`\n" for page in sorted(found)).replace("/c/navier_stokes.hpp", "_c/navier_stokes.h"), encoding="utf-8")
    text = heading("C++") + ("Every public name, by layer and header. A layer uses those before it. Names in a namespace ``detail`` are private.\n\n"
                             ".. toctree::\n   :maxdepth: 1\n\n")
    write_sources(root, headers, target)
    (target / "index.rst").write_text(text + "".join(f"   {layer}/index\n" for layer in LAYERS), encoding="utf-8")
    return [f"{name.file}:{name.line}: {name.name} has no comment" for name in pages.lonely]
