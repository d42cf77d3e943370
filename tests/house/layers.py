#!/usr/bin/env python3
"""Checks which file includes which: a layer includes itself and the layers above it in the table, nothing else.

usage: layers.py REPOSITORY
Prints what breaks the rule as file:line and exits with 1; a public header that the table does not know breaks it too.
"""

import re
import sys
from pathlib import Path

# Every public header <sparse/NAME.hpp> of the core, by layer, in order: a layer may include those before it.
LAYERS = {
    "base": "config compat version error vec box interval arena buffer context parallel profiling runtime grid",
    "sets": "interval_set assemble host_set shapes set_algebra pending_set morphology scaling transform boundary faces locate print "
    "polygon triangle_mesh random signed_distance physical_shapes",
    "runs": "plan subset stencil for_each reduce region",
    "fields": "field field_algebra select components hysteresis extrema gather sample operators subview transfer "
    "pad_thin",
    "io": "io/*",
    "sparse": "sparse",
}
# What comes after the core: folder of the headers -> the layers they may include. They never include each other.
MODULES = {"amr": "sparse/amr/", "solvers": "sparse/solvers/"}
# What composes the above. Nothing includes them.
PROGRAMS = ("examples", "tools", "benchmarks", "tests")

ORDER = list(LAYERS)
LAYER_OF = {name: layer for layer, names in LAYERS.items() for name in names.split()}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(include):
    """The layer or module of `sparse/...hpp`, or None when the table does not know it."""
    for module, folder in MODULES.items():
        if include.startswith(folder):
            return module
    name = include.removeprefix("sparse/").removesuffix(".hpp")
    return LAYER_OF.get(name) or LAYER_OF.get(f"{name.split('/')[0]}/*" if "/" in name else name)


def allowed(layer):
    """The layers that a file of `layer` may include."""
    if layer in MODULES:
        return set(ORDER) | {layer}
    if layer == "program":
        return set(ORDER) | set(MODULES)
    return set(ORDER[: ORDER.index(layer) + 1])


def files_with_layers(root):
    """Every source file that has a rule, as (path, layer, whether it is a public header)."""
    for folder in ("include", "amr/include", "solvers/include"):
        for path in sorted((root / folder).rglob("*.hpp")):
            include = path.relative_to(root / folder).as_posix()
            yield path, layer_of(include), True
            in_module = next((m for m, prefix in MODULES.items() if include.startswith(prefix)), None)
            if (in_module or "include") != folder.split("/")[0]:
                yield path, None, True
    for path in sorted([*(root / "src").rglob("*.?pp")]):
        inside = path.relative_to(root / "src").as_posix()
        name = inside.rsplit(".", 1)[0]
        yield path, "io" if inside.startswith("io/") else LAYER_OF.get(name, "fields"), False
    for module in MODULES:
        for path in sorted((root / module / "src").rglob("*.[chi][pu]*")):
            yield path, module, False
    for folder in PROGRAMS:
        for path in sorted((root / folder).rglob("*.?pp")):
            yield path, "program", False


def cycles(edges):
    """Chains of headers that include each other."""
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
    problems, edges = [], {}
    for path, layer, is_public in files_with_layers(root):
        shown = path.relative_to(root).as_posix()
        if layer is None:
            problems.append(f"{shown}: no layer; add the header to the table in tests/house/layers.py")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, include = match.groups()
            if quote == '"' and is_public:
                problems.append(f'{shown}:{number}: "{include}": public headers are included as <sparse/...>')
            if not include.startswith("sparse/"):
                if layer != "program" and include.startswith(tuple(f"{folder}/" for folder in PROGRAMS)):
                    problems.append(f"{shown}:{number}: <{include}>: nothing includes examples, tools, benchmarks, tests")
                continue
            target = layer_of(include)
            if target is None:
                problems.append(f"{shown}:{number}: <{include}>: no layer in the table of tests/house/layers.py")
            elif target not in allowed(layer):
                problems.append(f"{shown}:{number}: layer '{layer}' must not include <{include}> of '{target}'")
            if is_public:
                public_name = shown.split("include/", 1)[1]
                edges.setdefault(public_name, []).append(include)
    problems += ["headers include each other: " + " -> ".join(chain) for chain in cycles(edges)]
    return problems


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "include").is_dir():
        sys.exit(__doc__)
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "every include goes up")
    sys.exit(1 if found else 0)
