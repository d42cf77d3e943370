"""Settings of Sphinx. tools/site/build.py makes the pages and calls it."""

import os

project = "sparse"
author = "the authors of sparse"
version = release = os.environ.get("SPARSE_VERSION", "")
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
exclude_patterns = []
default_role = "code"
nitpicky = True
# Signatures name what other libraries have, private types and template arguments. Names of this library that are not private
# must be on a page; words of text refer to each other by links, which are always checked.
nitpick_ignore_regex = [
    ("cpp:identifier", r".*"),
    ("py:class", r"(numpy|npt|np|os|collections|typing|datetime|types|xarray|pyvista|pathlib)\..*"),
    ("py:class", r"(NDArray|ArrayLike|int32|int64|uint8|float32|float64|bool_|PathLike|Sequence|Mapping|Iterator|Iterable|Callable|Any|Array|Side"
                 r"|DTypeLike|Item|Velocity|Pixels|dtype|ndarray|optional|TracebackType|Self|Path|DataArray|object|ImageData|UnstructuredGrid|UniformGrid|DataSet)"),
]
suppress_warnings = ["myst.strikethrough"]
cpp_index_common_prefix = ["sparse::"]
highlight_language = "text"
html_theme = "furo"
html_title = "sparse"
html_static_path = [os.environ.get("SPARSE_SITE_STATIC", "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
toc_object_entries_show_parents = "hide"
