"""Checks a built site: every link and anchor inside it is there, and no page needs anything from outside."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        loads = [given[name] for of, name in LOADS if of == tag and given.get(name)]
        if tag == "link" and given.get("href") and given.get("rel") in ("stylesheet", "icon", "preload"):
            loads.append(given["href"])
        self.loads += loads


def check(site):
    """Problems of the site in this folder, a line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    problems = []
    for path, page in pages.items():
        shown = path.relative_to(site)
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    problems.append(f"{shown}: needs {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                problems.append(f"{shown}: there is no {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors and link in page.links:
                problems.append(f"{shown}: {parts.path or shown} has no anchor {parts.fragment}")
    return problems
