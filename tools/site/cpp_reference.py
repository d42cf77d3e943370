"""The reference of C++: what Doxygen reads in the headers, as pages for Sphinx. One page per header, grouped by layer.

A name without a comment shares that of the declarations right above it, if they are of the same kind and no empty line
comes between. Any other public name without a comment is reported, and the build of the site fails.
"""

import itertools
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

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
KINDS = {"struct": "struct", "class": "class", "union": "union"}
# What says itself: the six members that every class has, and names that are passed on from a template argument.
SPECIAL = r"= ?(default|delete)\b|\b(operator=|{0})\({0}(<.*>)? ?(const ?&|&&)( \w+)?\)"  # {0}: the class
# What begins a paragraph, though no empty line stands before it.
BEGINS = re.compile(r" (?=(?:Cost|Memory|Sources?)\b[\w ,]*: )")
PASSED_ON = re.compile(r"^(using \w+ = (typename )?[\w:]+::\w+;|static constexpr (int|bool) \w+ = \w+(::\w+)+(, \w+ = \w+(::\w+)+)*;)")


def run_doxygen(root, folder):
    """The XML files that Doxygen writes, in `folder`/xml. Raises RuntimeError with its warnings."""
    shutil.rmtree(folder, ignore_errors=True)  # files of headers that are gone
    folder.mkdir(parents=True)
    settings = (root / "tools/site/Doxyfile").read_text()
    settings += f"\nOUTPUT_DIRECTORY = {folder}\nWARN_LOGFILE = {folder}/warnings.txt\n"
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, cwd=root, stdout=subprocess.DEVNULL)
    # Doxygen 1.9.4 compares constraints of C++20 with members of other classes, and warns that none of them fits. It
    # also wants @param for all parameters or for none; here those have one whose name does not say it.
    noise = re.compile(r"no uniquely matching class member|concept |Possible candidates|^\s|^$|(is|are) not documented:$")
    warnings = [line for line in (folder / "warnings.txt").read_text().splitlines() if not noise.search(line)]
    if warnings:
        raise RuntimeError("Doxygen warns:\n" + "\n".join(warnings))


def text_of(element):
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


class Description:
    """The paragraphs of a comment, as reStructuredText."""

    def __init__(self, member):
        self.blocks = []
        for name in ("briefdescription", "detaileddescription"):
            for para in member.findall(name + "/*"):
                self.add(para)

    def add(self, element):
        if element.tag in ("sect1", "sect2", "title"):
            for child in element:
                self.add(child)
            return
        line = escape(element.text or "")
        for child in element:
            if child.tag in ("computeroutput", "ref", "bold", "emphasis"):
                plain = text_of(child)
                line += f"\x01``{plain}``\x01" if child.tag == "computeroutput" and plain else escape(plain)
            elif child.tag == "ulink":
                line += escape(text_of(child))
            elif child.tag in ("itemizedlist", "orderedlist"):
                line = self.flush(line)
                for item in child.findall("listitem"):
                    self.blocks.append("- " + indent(" ".join(Description.inline(p) for p in item), 2).lstrip())
            elif child.tag in ("verbatim", "programlisting", "preformatted"):
                line = self.flush(line)
                rows = [text_of_code(row) for row in child] if child.tag == "programlisting" else (child.text or "").split("\n")
                self.blocks.append("::\n\n" + indent("\n".join(rows).strip("\n")))
            elif child.tag == "parameterlist":
                line = self.flush(line)
                self.add_parameters(child)
            elif child.tag == "simplesect":
                line = self.flush(line)
                self.add_field("Returns" if child.get("kind") == "return" else child.get("kind"), child)
            elif child.tag == "para":
                line = self.flush(line)
                self.add(child)
            else:
                line += escape({"lsquo": "'", "mdash": "-", "ndash": "-", "nonbreakablespace": " "}.get(child.tag, text_of(child)))
            line += escape(child.tail or "")
        self.flush(line)

    def add_parameters(self, list_):
        for item in list_.findall("parameteritem"):
            names = ", ".join(text_of(name) for name in item.iter("parametername"))
            what = "Throws" if list_.get("kind") == "exception" else "Template parameter" if list_.get("kind") == "templateparam" else "Parameter"
            self.add_field(f"{what} {names}", item.find("parameterdescription"))

    def add_field(self, name, paragraphs):
        words, *rest = BEGINS.split(" ".join(Description.inline(p) for p in paragraphs))
        self.blocks += [f":{name}: {words}", *rest]

    def flush(self, line):
        # Beside a word, markup needs an escaped space.
        line = re.sub(r"(?<=[\s(])\x01|^\x01|\x01(?=[\s,.;:)]|$)", "", line).replace("\x01", "\\ ")
        if line.strip():
            self.blocks.append(" ".join(line.split()))
        return ""

    @staticmethod
    def inline(para):
        holder = ElementTree.Element("x")
        wrapped = ElementTree.SubElement(holder, "briefdescription")
        wrapped.append(para)
        return " ".join(Description(holder).blocks)

    def __bool__(self):
        return bool(self.blocks)

    def __str__(self):
        # Fields stand together behind the text.
        fields = [block for block in self.blocks if block.startswith(":") and not block.startswith("::")]
        words = [block for block in self.blocks if block not in fields]
        return "\n\n".join(words + ["\n".join(fields)] if fields else words)


def text_of_code(row):
    return "".join([(part.text or "") + "".join(" " + (s.tail or "") if s.tag == "sp" else text_of_code(s) + (s.tail or "") for s in part) + (part.tail or "")
                    for part in row]) if len(row) else row.text or ""


def template_of(member):
    parameters = []
    found = member.find("templateparamlist")
    if found is None:
        return ""
    for param in found:
        text, name, default = (text_of(param.find(tag)) for tag in ("type", "declname", "defval"))
        text += f" {name}" if name and not re.search(rf"\b{re.escape(name)}$", text) else ""
        parameters.append(text + (f" = {default}" if default else ""))
    return f"template<{', '.join(parameters)}> "


def parses(kind, signature):
    """Whether Sphinx understands a declaration. Without Sphinx no page is built, and anything will do."""
    try:
        from sphinx.domains.cpp import DefinitionParser
    except ImportError:
        return True
    if not signature:
        return False

    class Quiet:
        cpp_id_attributes = cpp_paren_attributes = ()

    try:
        parser = DefinitionParser(signature, location="", config=Quiet())
        parser.parse_declaration(kind, kind)
        parser.assert_end()
        return True
    except Exception:  # noqa: BLE001  the parser raises what it likes; an unknown form gets a simpler signature
        return False


class Name:
    """A public name of a header."""

    def __init__(self, member, scope, scope_is_class=False):
        place = member.find("location")
        self.file, self.line = place.get("file"), int(place.get("line"))
        self.kind, self.name = member.get("kind"), text_of(member.find("name"))
        self.description = Description(member)
        self.members = []
        self.values = [(text_of(v.find("name")), Description(v)) for v in member.findall("enumvalue")]
        self.scope = scope
        template = template_of(member)
        type_ = re.sub(r"\b(static|constexpr|inline|virtual|explicit|friend) ?", "", text_of(member.find("type")))
        static = "static " if member.get("static") == "yes" and scope_is_class else ""
        arguments = re.sub(r" ?= ?(0|default|delete)$", "", text_of(member.find("argsstring")))
        kind = {"typedef": "type", "variable": "member", "function": "function", "enum": "enum", "define": "macro"}[self.kind]
        if self.kind == "typedef":
            candidates = [f"{template}{self.name} = {text_of(member.find('type'))}", f"{template}{self.name}"]
        elif self.kind == "enum":
            candidates = [self.name]
        elif self.kind == "define":
            names = [text_of(p) for p in member.findall("param/defname")]
            candidates = [self.name + (f"({', '.join(names)})" if names else "")]
        else:
            full = f"{template}{static}{type_} {self.name}{arguments}".replace("  ", " ").strip()
            candidates = [full if "[" not in full.rpartition("=")[2] else "", re.sub(r"\s*=\s*[^,()]*(?=[,)])", "", full), f"{template}{static}auto {self.name}{arguments}",
                          f"void {self.name}()" if self.kind == "function" else f"int {self.name}"]
        self.directive = "c:macro" if kind == "macro" else "cpp:enum-class" if member.get("strong") == "yes" else f"cpp:{kind}"
        self.signature = next((c for c in candidates if kind == "macro" or parses(kind, c)), candidates[-1])


class Class(Name):
    """A class with its members."""

    def __init__(self, compound):
        place = compound.find("location")
        self.file, self.line, self.kind = place.get("file"), int(place.get("line")), compound.get("kind")
        self.name = self.scope = text_of(compound.find("compoundname"))
        self.description, self.values = Description(compound), []
        self.directive = f"cpp:{KINDS.get(self.kind, 'concept')}"
        self.members = [Name(m, self.name, True) for s in compound.findall("sectiondef") if s.get("kind").startswith("public")
                        for m in s.findall("memberdef") if m.get("kind") in ("typedef", "variable", "function", "enum")]
        self.members = [m for m in self.members if not m.name.startswith(("~", "@"))]
        template = template_of(compound)
        kind = KINDS.get(self.kind, "concept")
        if kind != "concept":
            kind = "class"
        self.signature = next((c for c in (template + self.name, re.sub(r"template<.*> ", "template<class T> ", template) + self.name) if parses(kind, c)), self.name)


def is_private(name):
    return any(part == "detail" or part.startswith("@") for part in name.split("::"))


def names_of(xml):
    """All public names, by header."""
    headers, members = {}, set()
    for path in sorted(xml.glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().findall("compounddef"):
            kind, name = compound.get("kind"), text_of(compound.find("compoundname"))
            if is_private(name) or compound.get("prot") == "private":
                continue
            if kind in (*KINDS, "concept"):
                if "<" not in name:  # specialisations say nothing new
                    found = Class(compound)
                    headers.setdefault(found.file, []).append(found)
            elif kind in ("namespace", "file"):
                for member in compound.findall("sectiondef/memberdef"):
                    if member.get("id") in members or is_private(text_of(member.find("qualifiedname"))):
                        continue
                    if member.get("kind") not in ("typedef", "variable", "function", "enum", "define") or member.get("prot") != "public":
                        continue
                    if member.get("kind") == "define" and not Description(member):
                        continue  # macros without a comment are private
                    members.add(member.get("id"))
                    found = Name(member, name if kind == "namespace" else "")
                    headers.setdefault(found.file, []).append(found)
    for names in headers.values():
        names.sort(key=lambda found: found.line)
    return headers


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
