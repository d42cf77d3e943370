#!/usr/bin/env python3
"""Checks which file includes which. A folder is a layer; a layer includes itself and those before it, nothing else. MPI is
for one folder.

usage: layers.py REPOSITORY
Prints what breaks the rule as file:line and exits with 1.
"""

import re
import sys
from pathlib import Path

# The line of layers. Each may include those before it.
ORDER = ["base", "sets", "shapes", "plans", "fields", "io", "distributed", "amr", "poisson", "compressible", "incompressible", "app"]
# ... but for these. `sparse` is the header that brings the core.
FORBIDDEN = {"distributed": {"io"}, "poisson": {"amr"}, "compressible": {"poisson"}, "incompressible": {"compressible"}}
CORE = ["base", "sets", "shapes", "plans", "fields"]
# Where the layers lie: folder -> layer, or None where its sub-folders are layers.
PUBLIC = {
    "include/sparse": None,
    "distributed/include/sparse": None,
    "amr/include/sparse": None,
    "solvers/poisson/include/sparse": None,
    "solvers/compressible/include/sparse": None,
    "solvers/incompressible/include/sparse": None,
    "tools/app/include/sparse": None,
}
PRIVATE = {
    "src": None,
    "distributed/src": "distributed",
    "distributed/mpi": "distributed",
    "amr/src": "amr",
    "solvers/poisson/src": "poisson",
    "solvers/compressible/src": "compressible",
    "solvers/incompressible/src": "incompressible",
    "tools/app/src": "app",
}
# What may know MPI. hypre, which benchmarks compare with, needs it started.
MPI = ("distributed/mpi/", "benchmarks/hypre_")
# Layers whose sub-folders include each other in one direction only.
WITH_TOPICS = {"poisson", "incompressible"}
# What composes the layers. Nothing includes these.
PROGRAMS = ("examples", "tools", "benchmarks", "tests", "python")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(include):
    """The layer of `sparse/LAYER/...`, or None."""
    parts = include.split("/")
    if include == "sparse/sparse.hpp":
        return "sparse"
    if include == "sparse/version.hpp":
        return "base"
    return parts[1] if len(parts) > 2 and parts[1] in ORDER else None


def allowed(layer):
    """The layers that a file of `layer` may include."""
    if layer == "sparse":
        return set(CORE)
    if layer == "program":
        return {"sparse", *ORDER}
    before = set(ORDER[: ORDER.index(layer) + 1]) - FORBIDDEN.get(layer, set())
    return before | {"sparse"} if layer not in CORE else before


def files_with_layers(root):
    """Every source file that has a rule, as (path, layer, whether it is a public header)."""
    for folder in PUBLIC:
        for path in sorted((root / folder).rglob("*.hpp")):
            yield path, layer_of("sparse/" + path.relative_to(root / folder).as_posix()), True
    for folder, layer in PRIVATE.items():
        for path in sorted((root / folder).rglob("*.[chi][pu]*")):
            first = path.relative_to(root / folder).parts[0]
            yield path, layer or (first if first in ORDER else None), False
    for folder in PROGRAMS:
        for path in sorted((root / folder).rglob("*.?pp")):
            if not path.relative_to(root).as_posix().startswith("tools/app/"):
                yield path, "program", False


def topic_of(path):
    """The sub-folder of a layer's file, TOPIC of .../sparse/LAYER/TOPIC/... and of LAYER/src/TOPIC/..., or None."""
    parts = path.split("/")
    begin = parts.index("sparse") + 2 if "sparse" in parts else parts.index("src") + 1 if "src" in parts else len(parts)
    return parts[begin] if begin + 1 < len(parts) else None


def cycles(edges):
    """Chains of names that lead back to the first one."""
    done, found = set(), []

    def visit(node, chain):
        if node in chain:
            found.append(chain[chain.index(node):] + [node])
        elif node not in done:
            for following in edges.get(node, ()):
                visit(following, chain + [node])
            done.add(node)

    for node in edges:
        visit(node, [])
    return found


def check(root):
    problems, edges, topics = [], {}, {}
    for path, layer, is_public in files_with_layers(root):
        shown = path.relative_to(root).as_posix()
        if layer is None:
            problems.append(f"{shown}: its folder is no layer")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, include = match.groups()
            where = f"{shown}:{number}: <{include}>"
            if include == "mpi.h" and not shown.startswith(MPI):
                problems.append(f"{where}: only {MPI[0]} includes it")
            if quote == '"' and is_public:
                problems.append(f'{where}: public headers are included as <sparse/...>')
            if quote == '"' and layer in CORE and "/" in include and include.split("/")[0] not in allowed(layer):
                problems.append(f"{where}: layer '{layer}' must not include a part of '{include.split('/')[0]}'")
            if layer in WITH_TOPICS:
                is_own = layer_of(include) == layer if include.startswith("sparse/") else quote == '"'
                from_topic = topic_of(shown)
                to_topic = topic_of(include if include.startswith("sparse/") else "src/" + include) if is_own else None
                if to_topic not in (None, from_topic):
                    topics.setdefault(f"{layer}/{from_topic}", set()).add(f"{layer}/{to_topic}")
            if not include.startswith("sparse/"):
                if layer != "program" and include.startswith(tuple(f"{folder}/" for folder in PROGRAMS)):
                    problems.append(f"{where}: nothing includes examples, tools, benchmarks, tests")
                continue
            target = layer_of(include)
            if target is None:
                problems.append(f"{where}: in no layer")
            elif target not in allowed(layer):
                problems.append(f"{where}: layer '{layer}' must not include '{target}'")
            if is_public:
                edges.setdefault(shown.split("include/", 1)[1], []).append(include)
    problems += ["headers include each other: " + " -> ".join(chain) for chain in cycles(edges)]
    problems += ["folders include each other: " + " -> ".join(chain) for chain in cycles(topics)]
    return problems


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "include").is_dir():
        sys.exit(__doc__)
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "every include goes up")
    sys.exit(1 if found else 0)
