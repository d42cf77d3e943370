"""Says which sources of targets can be compiled as one. usage: group_sources.py FILE

Each line of the file is "greatest size;target;source;...".

Two sources go together unless one has a name of its own (in a namespace without a name, or static) that the other
uses, makes instances of members of a class of which the other makes instances, or opens a namespace to all that follows.
Prints "target;source;..." for each group of two or more.
"""

import functools
import re
import sys
from pathlib import Path

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", flags=re.M)
NAMESPACE = re.compile(r"(?:inline )?namespace\s*([\w:]*)\s*$")
TYPE = re.compile(r"\b(?:class|struct|enum class|enum|union|concept)\s+(\w+)")
ALIAS = re.compile(r"\busing\s+(\w+)\s*=|\bnamespace\s+(\w+)\s*=")
FUNCTION_OR_VALUE = re.compile(r"(?<!::)\b(?!(?:requires|sizeof|decltype)\b)(\w+)\s*(?:\(|=|\{|\[|$)")
CLASS_INSTANCE = re.compile(r"\btemplate\s+(?:class|struct)\s+(?:\w+::)*(\w+)<")
MEMBER_INSTANCE = re.compile(r"\btemplate\s+(?!class|struct)[^;(]*?\b(\w+)<[^;(<>]*>::\w+\(")


def own_names(code):
    """Names that a source declares for itself alone, and the namespaces that it opens to all that follows."""
    names, opened = set(), set()
    scopes, statement = [], ""  # scopes: None in what is no namespace, else whether the namespace has no name
    for token in re.split(r"([{};])", code):
        if token not in ("{", "}", ";"):
            statement += token
            continue
        is_declaration = None not in scopes
        if token == "{":
            namespace = NAMESPACE.search(statement.strip())
            if is_declaration and not namespace:
                names |= declared(statement, any(scopes))
            scopes.append(namespace[1] == "" if namespace else None)
        else:
            if is_declaration and token == ";":
                names |= declared(statement, any(scopes))
                if all(scopes):
                    opened |= set(re.findall(r"using namespace ([\w:]+)", statement))
            if token == "}" and scopes:
                scopes.pop()
        statement = ""
    return names, opened


def declared(statement, is_private):
    statement = " ".join(statement.split())
    is_private = is_private or re.search(r"\bstatic\b", statement)
    if not is_private or re.match(r"(TYPED_)?TEST|using namespace|template [^<]|static_assert", statement):
        return set()
    while statement.startswith("template"):
        statement = without_parameters(statement)
    for pattern in (ALIAS, TYPE, FUNCTION_OR_VALUE):
        found = pattern.search(statement)
        if found:
            return {name for name in found.groups() if name}
    return set()


def without_parameters(statement):
    """A template without its first list of parameters."""
    depth = 0
    for i, letter in enumerate(statement):
        depth += (letter == "<") - (letter == ">")
        if letter == ">" and depth == 0:
            return statement[i + 1 :].lstrip()
    return ""


class Source:
    def __init__(self, path):
        self.path = path
        code = NOT_CODE.sub(" ", Path(path).read_text())
        self.classes, self.members = set(CLASS_INSTANCE.findall(code)), set(MEMBER_INSTANCE.findall(code))
        code = DIRECTIVE.sub("", code)
        self.own, self.opened = own_names(code)
        self.used = set(re.findall(r"(?<![.>])(?<!::)\b[A-Za-z_]\w*", code))

    def goes_with(self, other):
        have_same_name = self.own & other.used or other.own & self.used
        have_same_class = self.classes & other.members or other.classes & self.members
        return not (have_same_name or have_same_class) and self.opened == other.opened


@functools.cache  # targets share sources
def source_at(path):
    return Source(path)


def groups_of(sources, greatest_size):
    groups = []
    for source in sources:
        for group in groups:
            if len(group) < greatest_size and all(map(source.goes_with, group)):
                group.append(source)
                break
        else:
            groups.append([source])
    return [group for group in groups if len(group) > 1]


for line in Path(sys.argv[1]).read_text().splitlines():
    size, target, *paths = line.split(";")
    for group in groups_of([source_at(path) for path in paths if path], int(size)):
        print(target, *(source.path for source in group), sep=";")
