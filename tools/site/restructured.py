"""Small pieces of reStructuredText, which generated pages are written in."""

import re


def escape(text):
    """`text` without anything that reStructuredText would take for markup."""
    return re.sub(r"([\\*`|]|_(?!\w)|(?<!\w)_)", r"\\\1", text)


def heading(text, line="="):
    return f"{escape(text)}\n{line * (len(text) + 8)}\n\n"


def indent(text, width=3):
    return "\n".join(" " * width + line if line.strip() else "" for line in text.splitlines())


def paragraph(lines):
    """Lines as one paragraph, with names in `backticks`."""
    parts = re.split(r"(`[^`]+`)", " ".join(line.strip() for line in lines))
    return "".join(f"``{part[1:-1]}``" if part.startswith("`") and len(part) > 2 else escape(part) for part in parts)


def from_docstring(text, language="python"):
    """The docstring of a name: paragraphs, lists of "- ", names in `backticks`, and indented examples."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        if all(line.startswith("    ") for line in lines):
            code = "\n".join(line[4:] for line in lines)
            if blocks and blocks[-1].startswith(".. code-block"):
                blocks[-1] += "\n\n" + indent(code)
            else:
                blocks.append(f".. code-block:: {language}\n   :force:\n\n" + indent(code))
            continue
        items = [[]]
        for line in lines:
            if line.startswith("- "):
                items.append([])
            items[-1].append(line)
        blocks += [paragraph(items[0])] if items[0] else []
        blocks += ["\n".join("- " + indent(paragraph([item[0][2:], *item[1:]]), 2).lstrip() for item in items[1:])] if items[1:] else []
    return "\n\n".join(blocks)
