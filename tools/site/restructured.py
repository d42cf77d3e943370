"""Small pieces of reStructuredText, which generated pages are written in."""

import re


def escape(text):
    """`text` without anything that reStructuredText would take for markup."""
    return re.sub(r"([\\*`|]|_(?!\w)|(?<!\w)_)", r"\\\1", text)


def heading(text, line="="):
    return f"{escape(text)}\n{line * (len(text) + 8)}\n\n"


def indent(text, width=3):
    return "\n".join(" " * width + line if line.strip() else "" for line in text.splitlines())


def from_docstring(text):
    """The docstring of a Python name: paragraphs, names in `backticks`, and indented examples."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        if all(line.startswith("    ") for line in lines):
            code = "\n".join(line[4:] for line in lines)
            if blocks and blocks[-1].startswith(".. code-block"):
                blocks[-1] += "\n\n" + indent(code)
            else:
                blocks.append(".. code-block:: python\n\n" + indent(code))
            continue
        parts = re.split(r"(`[^`]+`)", " ".join(line.strip() for line in lines))
        blocks.append("".join(f"``{part[1:-1]}``" if part.startswith("`") and len(part) > 2 else escape(part) for part in parts))
    return "\n\n".join(blocks)
