"""The public names of the headers with their comments, from what Doxygen reads."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

from restructured import escape, indent

KINDS = {"struct": "struct", "class": "class", "union": "union"}
# What begins a paragraph, though no empty line stands before it.
BEGINS = re.compile(r" (?=(?:Cost|Memory|Sources?)\b[\w ,]*: )")


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
