"""The examples run in a notebook, coarse: each shows its last value as a picture."""

import re
from pathlib import Path

import nbclient
import nbformat
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
PNG = "iVBORw0KGgo"  # how a PNG file begins in base 64


def run(name, cells, folder):
    """The outputs of a notebook with a cell that holds an example, and others."""
    text, _, _ = (EXAMPLES / f"{name}.py").read_text().partition('if __name__ == "__main__":')
    return run_cells([text, *cells], folder)[1:]


def run_cells(cells, folder):
    """The outputs of the cells of a notebook."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return [cell.outputs for cell in book.cells]


def shown(outputs):
    """What the last value of a cell is shown as."""
    (found,) = [output.data for output in outputs if output.output_type == "execute_result"]
    return found


@pytest.mark.parametrize("name, cells", [
    ("mach2", ["sim = simulate(cells=(24, 32), radius=2.0, until=10)\nsim", 'sim.plot("mach")', "sim.domain, sim.level(3).cells"]),
    ("cavity", ["flow = simulate(n=24, reynolds=100, steady=1e-3)\nflow", 'flow.plot("streaks")', "flow.stream_function().field"]),
    ("sets", ["heat, warm = simulate(steps=20)\nheat", "warm", "sc.ball((0, 0, 0), 9)"]),
])
def test_examples_in_a_notebook(name, cells, tmp_path):
    outputs = run(name, cells, tmp_path)
    for number, each in enumerate(outputs[:2]):
        data = shown(each)
        assert data["image/png"].startswith(PNG) and re.search(r"\w+\(.*\)", data["text/plain"]), number
    last = shown(outputs[2])
    assert ("image/png" in last) == (name != "mach2")  # a tuple is text


def test_bars_of_progress(tmp_path):
    """Without tqdm a bar is a line on stderr, with it a widget or its text."""
    outputs = run("cavity", ["flow = simulate(n=16, reynolds=100, steady=1e-2, progress=True)"], tmp_path)
    assert outputs[0] and not any(output.output_type == "error" for output in outputs[0])


def test_live_shows_its_page(tmp_path):
    pytest.importorskip("sparsecells._server")
    (outputs,) = run_cells([
        "import sparsecells as sc\n"
        "flow = sc.Incompressible(sc.box((0, 0), (16, 16)), viscosity=0.1, walls={'top': sc.no_slip((1, 0))})\n"
        "flow.live(until=2, size=100)"
    ], tmp_path)  # fmt: skip
    assert not any(output.output_type == "error" for output in outputs)
    (frame,) = [output.data["text/html"] for output in outputs if output.output_type == "display_data"]
    assert "<iframe" in frame and re.search(r"http://127\.0\.0\.1:\d+/\?token=", frame)
    assert shown(outputs)["text/plain"].startswith("Step(number=")
