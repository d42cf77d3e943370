"""The reference of Python: from the stubs of the compiled module and from the sources of the rest."""

import ast
import re
from pathlib import Path

from restructured import from_docstring, heading, indent

TITLES = {
    "_core": "Sets, fields, pressure",
    "_bodies": "Bodies with surfaces",
    "_compressible": "Gases on levels",
    "_incompressible": "Incompressible flow",
    "_nodes": "The teaching scheme",
    "_run": "Runs",
    "_case": "Files of cases",
    "_pictures": "Pictures",
    "_errors": "Errors",
}


def public_names(package):
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return [name.value for name in node.value.elts]
    raise ValueError(f"{package} has no __all__")


def annotation(node):
    text = ast.unparse(node)
    text = text[1:-1] if isinstance(node, ast.Constant) and isinstance(node.value, str) else text
    return re.sub(r"\b(npt|numpy\.typing|np|numpy|sparsecells|collections\.abc|os)\.", "", text)


def signature(function, is_method):
    given = function.args
    positional = given.posonlyargs + given.args
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    is_static = any(getattr(d, "id", "") == "staticmethod" for d in function.decorator_list)
    parts = []
    for i, (argument, default) in enumerate(zip(positional, defaults)):
        if not (is_method and i == 0 and not is_static):
            parts.append(one_parameter(argument, default))
        if given.posonlyargs and i == len(given.posonlyargs) - 1 and parts:
            parts.append("/")
    if given.vararg:
        parts.append("*" + one_parameter(given.vararg, None))
    elif given.kwonlyargs:
        parts.append("*")
    parts += [one_parameter(a, d) for a, d in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        parts.append("**" + one_parameter(given.kwarg, None))
    result = f" -> {annotation(function.returns)}" if function.returns else ""
    return f"({', '.join(parts)}){result}"


def one_parameter(argument, default):
    text = argument.arg + (f": {annotation(argument.annotation)}" if argument.annotation else "")
    return text + (f" = {ast.unparse(default)}" if default is not None else "")


def decorators(function):
    return [ast.unparse(d) for d in function.decorator_list]


def directive(kind, names, node, options=()):
    opening = f".. py:{kind}:: "
    lines = [opening + ("\n" + " " * len(opening)).join(names)] + [f"   :{option}:" for option in options] + [""]
    text = ast.get_docstring(node) if node is not None else None
    return "\n".join(lines + ([indent(from_docstring(text)), ""] if text else []))


def functions_of(body, is_method):
    """Functions and methods, overloads joined: (name, nodes)."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and not any(d.endswith(".setter") for d in decorators(node)):
            found.setdefault(node.name, []).append(node)
    return found


def is_shown(name):
    hidden = {"__repr__", "__copy__", "__deepcopy__", "__getstate__", "__setstate__", "__hash__", "__getattr__", "__iter__", "__next__",
              "__del__", "__reduce__", "__enter__", "__exit__"}
    return not name.startswith("_") or name.startswith("__") and name not in hidden


def render_class(node, lonely):
    bases = [ast.unparse(base) for base in node.bases]
    functions = functions_of(node.body, True)
    init = functions.pop("__init__", [])
    names = [node.name + signature(f, True).split(" -> ")[0] for f in init] or [node.name]
    if not ast.get_docstring(node):
        lonely.append(node.name)
    text = directive("exception" if any("Error" in b or "Exception" in b for b in bases) else "class", names, node)
    for f in init:
        if ast.get_docstring(f):
            text += "\n" + indent(from_docstring(ast.get_docstring(f))) + "\n"
    for at, item in enumerate(node.body):
        if isinstance(item, ast.AnnAssign) and is_shown(item.target.id):
            after = node.body[at + 1] if at + 1 < len(node.body) else None
            words = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            text += "\n" + indent(f".. py:attribute:: {item.target.id}\n   :type: {annotation(item.annotation)}\n\n" + indent(from_docstring(str(words))))
            text += "\n"
    for name, nodes in functions.items():
        if not is_shown(name):
            continue
        if not any(ast.get_docstring(n) for n in nodes):
            lonely.append(f"{node.name}.{name}")
        if "property" in decorators(nodes[0]):
            type_ = [f"type: {annotation(nodes[0].returns)}"] if nodes[0].returns else []
            text += "\n" + indent(directive("property", [name], nodes[0]).replace("\n", "\n" + "".join(f"   :{t}\n" for t in type_).replace("type: ", "type: "), 1))
        else:
            options = [o for o in ("staticmethod", "classmethod") if o in decorators(nodes[0])]
            written = next((n for n in nodes if ast.get_docstring(n)), nodes[0])
            shown = [n for n in nodes if "overload" in decorators(n) or "typing.overload" in decorators(n)] or nodes
            text += "\n" + indent(directive("method", [name + signature(n, True) for n in shown], written, options))
        text += "\n"
    return text


def write(package, stub, target):
    """Writes pages below `target`. Returns public names without a docstring."""
    names, lonely = public_names(package), []
    shown = set()
    target.mkdir(parents=True, exist_ok=True)
    pages = []
    for module, title in TITLES.items():
        path = stub if module == "_core" else package / f"{module}.py"
        text = heading(title) + ".. py:currentmodule:: sparsecells\n\n"
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        functions = functions_of(tree.body, False)
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name in names:
                shown.add(node.name)
                text += render_class(node, lonely) + "\n"
            elif isinstance(node, ast.FunctionDef) and node.name in names and node.name not in shown:
                shown.add(node.name)
                nodes = functions[node.name]
                written = next((n for n in nodes if ast.get_docstring(n)), nodes[0])
                if not ast.get_docstring(written):
                    lonely.append(node.name)
                over = [n for n in nodes if any("overload" in d for d in decorators(n))] or nodes
                text += directive("function", [n.name + signature(n, False) for n in over], written) + "\n"
        (target / f"{module[1:]}.rst").write_text(text, encoding="utf-8")
        pages.append(module[1:])
    text = heading("Python") + ("The module ``sparsecells``, from its stubs. ``help(sparsecells)`` says the same.\n\n.. py:module:: sparsecells\n\n"
                                ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {page}\n" for page in pages))
    (target / "index.rst").write_text(text, encoding="utf-8")
    missing = [name for name in names if name not in shown and not name.startswith("__") and name != "kokkos_version"]
    return [f"sparsecells.{name} has no docstring" for name in lonely] + [f"sparsecells.{name} is on no page" for name in missing]
