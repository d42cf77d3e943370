"""What all tests share."""

import subprocess
import sys
import textwrap

import hypothesis
import pytest

# The same examples each time; a failure prints the example that shows it.
hypothesis.settings.register_profile("here", deadline=None, derandomize=True, max_examples=200)
hypothesis.settings.load_profile("here")


@pytest.fixture
def run_python():
    """Runs a program in a process of its own: run_python(text, env={...}) -> subprocess.CompletedProcess."""
    import os

    def run(text, timeout=120, **env):
        return subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", textwrap.dedent(text)],
            capture_output=True, text=True, timeout=timeout, env={**os.environ, **env},
        )

    return run
