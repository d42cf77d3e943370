"""The gallery: every program and case makes its picture here, and its results stand beside their references.

What a page shows is what runs: its lines, by bash, with a `tools/run` that starts the programs of the build.
"""

import json
import re
import shutil
import subprocess
import time

from blocks import RUN, shortened
from programs import first_comment
from restructured import escape, heading, indent

# Programs and cases with the options of a run that takes seconds. Without options a run is as large as users get it. Programs
# that report no results have lines of their own, and what they print is shown.
RUNS = [
    ("mach2_cylinder", "--nx 48 --ny 64 --radius 4 --amr-levels 3 --t-end 60 --output-stride 1000000"),
    ("mach2", "--t-end 3 --output-stride 1000000"),
    ("capsule", "--t-end 0.5 --output-stride 1000000"),
    ("mach3_inlet", "--t-end 2 --output-stride 1000000"),
    ("forward_step", "--amr-levels 3 --t-end 1 --output-stride 1000000"),
    ("double_mach_reflection", "--amr-levels 3 --output-stride 1000000"),
    ("shock_tube", ""),
    ("blast", "--output-stride 1000000"),
    ("shock_bubble", "--n 96 --output-stride 1000000"),
    ("isentropic_vortex", "--output-stride 1000000"),
    ("advect_disk", "--output-stride 1000000"),
    ("own_law", "--output-stride 1000000"),
    ("karman", "--nx 128 --t-end 30 --output-stride 1000000"),
    ("impulsive_cylinder", "--n 64 --amr-levels 6 --t-end 1.6 --output-stride 1000000"),
    ("sphere", "--n 16 --amr-levels 5 --t-end 4 --output-stride 1000000"),
    ("dipole_wall", "--n 256 --amr-levels 3 --t-end 0.5 --output-stride 1000000"),
    ("street", "--t-end 10 --output-stride 1000000"),
    ("hot_cylinder", "--nx 48 --t-end 12 --output-stride 1000000"),
    ("cylinder_in_channel", "--nx 220 --t-end 4 --output-stride 1000000"),
    ("backward_step", "--nx 300 --t-end 30 --output-stride 1000000"),
    ("cavity", "--nx 32 --t-end 30 --output-stride 1000000"),
    ("natural_convection", "--nx 20 --output-stride 1000000"),
    ("channel", "--output-stride 1000000"),
    ("obstacles", "--t-end 2 --output-stride 1000000"),
    ("wind_tunnel", "--t-end 2 --output-stride 1000000"),
    ("smoke_plume", "--t-end 1 --output-stride 1000000"),
    ("smoke", "--t-end 2 --output-stride 1000000"),
    ("taylor_green", "--t-end 1 --output-stride 1000000"),
    ("leapfrog_vortices", "--nx 96 --t-end 1 --output-stride 1000000"),
    ("vortex_rings", "--n 24 --t-end 0.2 --output-stride 1000000"),
    ("poisson", "--n 64 --compare --problem random"),
    ("grid_deformation", "--n 64"),
    ("trefoil", "--n 32"),
    ("dielectric", "--n 32"),
    ("fluid_simulation", ""),
    *((name, f"tools/run {name}") for name in ("wake", "adaptive_wake", "bow_shock", "pressure", "own_matrix", "operations")),
    ("geometry", """tools/run geometry 'plate = box(0, 0, 96, 64) - checkerboard(box(12, 8, 84, 56), 8); ring = ball(48, 32, 30) - ball(48, 32, 22);
  extrude(plate, 0, 4) | extrude(ring, 0, 24)' --measure -o geometry.png"""),
    ("live", "tools/run live --script examples/live/wing.toml"),
    ("distribution", """tools/run mach2_cylinder --nx 96 --ny 64 --radius 6 --amr-levels 4 --max-steps 200 --checkpoint-stride 200 --no-fields > steps.txt
tools/run distribution mach2_cylinder_output/checkpoint.h5 --ranks 16 --picture distribution.png"""),
]
RESULT = re.compile(r"^  (\S.*?) {2,}(\S+)(?: +reference (\S+))?$")
SECONDS = 400


class GalleryError(Exception):
    """A program of the gallery that fails, or makes no picture."""


def lines_of(name, options):
    """What a user types."""
    return options if options.startswith("tools/run ") else f"tools/run {name} {options}".rstrip()


def run(root, programs, name, options, folder, environment):
    """Runs the lines in `folder`; what is kept: the seconds, the results or what was printed, the picture's name."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tools").mkdir(parents=True)
    (folder / "tools/run").write_text(RUN.format(root=root, programs=programs))
    (folder / "tools/run").chmod(0o755)
    (folder / "examples").symlink_to(root / "examples")
    began = time.monotonic()
    try:
        result = subprocess.run(["bash", "-eo", "pipefail", "-c", lines_of(name, options)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=SECONDS, env=environment, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise GalleryError(f"{name} {options}: it takes more than {SECONDS} s") from error
    if result.returncode:
        raise GalleryError(f"{name} {options}: exit status {result.returncode}:\n{result.stdout[-2000:]}")
    pictures = [path for path in re.findall(r"^Look at: +(\S+\.png)$", result.stdout, re.M)]
    pictures = pictures or sorted(path.relative_to(folder).as_posix() for part in ("*.png", "*_output/*.png") for path in folder.glob(part))
    if not pictures:
        raise GalleryError(f"{name} {options}: no picture:\n{result.stdout[-1000:]}")
    after = result.stdout.partition("Results:\n")[2] or result.stdout
    results = [match.groups() for match in map(RESULT.match, after.splitlines()) if match]
    printed = shortened(result.stdout) if options == lines_of(name, options) else ""
    picture = (folder / pictures[0]).resolve()
    kept = {"options": options, "seconds": round(time.monotonic() - began, 1), "results": results, "printed": printed, "picture": picture.name}
    (folder.parent / f"{name}.png").write_bytes(picture.read_bytes())
    (folder.parent / f"{name}.json").write_text(json.dumps(kept))
    shutil.rmtree(folder)
    return kept


def source_of(root, name):
    for place in (f"examples/cases/{name}.toml", f"examples/{name}.cpp", f"tools/programs/{name}.cpp", f"tools/programs/{name}/{name}.cpp"):
        if (root / place).exists():
            return place
    raise GalleryError(f"there is no program or case {name}")


def write(root, programs, work, target, environment, is_quick, say):
    """Writes gallery/index.rst and a page for each source. A quick build runs only what no build before has run."""
    folder = target / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    text = heading("Gallery") + ("Each picture was made by the program beside it when this site was built, with the command that is shown. "
                                 "References are those that the program prints: theory, tables or balances. Runs are short and "
                                 "grids are coarse, so that all of them take minutes. Where a flow is not steady yet, its results are on "
                                 "their way to the reference.\n\n")
    pages = []
    for name, options in RUNS:
        kept_at = work / f"{name}.json"
        kept = json.loads(kept_at.read_text()) if kept_at.exists() else None
        if not kept or kept["options"] != options or not is_quick:
            say(f"gallery: {name} {options}")
            kept = run(root, programs, name, options, work / name, environment)
        shutil.copy(work / f"{name}.png", folder / f"{name}.png")
        source = source_of(root, name)
        what = (root / source).read_text(encoding="utf-8").splitlines()[0].lstrip("#/ ") if source.endswith(".toml") else first_comment(root / source)
        pages.append(name)
        text += heading(name, "-") + f"{escape(what)}\n\n.. image:: {name}.png\n   :alt: {escape(what)}\n\n"
        text += f".. code-block:: sh\n\n{indent(lines_of(name, options))}\n\n{kept['seconds']} s. :doc:`Source <source/{name}>`.\n\n"
        if kept["printed"]:
            text += f".. code-block:: text\n   :class: output\n\n{indent(kept['printed'])}\n\n"
        elif kept["results"]:
            text += ".. list-table::\n   :header-rows: 1\n\n   * - result\n     - value\n     - reference\n"
            text += "".join(f"   * - {escape(what)}\n     - {value}\n     - {reference or ''}\n" for what, value, reference in kept["results"]) + "\n"
        code = (root / source).read_text(encoding="utf-8")
        language = "toml" if source.endswith(".toml") else "cpp"
        page = folder / "source" / f"{name}.rst"
        page.parent.mkdir(exist_ok=True)
        page.write_text(":orphan:\n\n" + heading(source) + f".. code-block:: {language}\n\n" + indent(code) + "\n", encoding="utf-8")
    (folder / "index.rst").write_text(text, encoding="utf-8")
