"""When Kokkos starts and stops. Each program runs in a process of its own and must end with 0 and an empty stderr."""

import pytest

import sparsecells as sc


def expect_fine(result, out=None):
    assert result.stderr == "" and result.returncode == 0, result.stderr
    if out is not None:
        assert result.stdout.strip() == out


def test_nothing_starts_at_the_import(run_python):
    expect_fine(run_python("""
        import threading, os
        import sys
        import numpy  # starts threads of its own
        before = len(os.listdir("/proc/self/task"))
        import sparsecells as sc
        from sparsecells import _core
        sc.set_threads(2)
        assert not _core._is_started() and len(os.listdir("/proc/self/task")) == before
        len(sc.Set()), repr(sc.Set()), sc.Set().bounds, bool(sc.Set())
        assert not _core._is_started()
        sc.box((0, 0), (4, 4))
        assert _core._is_started()
        print(sc.backend() in ("OpenMP, 2 threads", "Serial, 1 thread"))
    """), "True")


@pytest.mark.parametrize("what", [
    "fluid = sc.ball((0, 0), 9)",
    "field = sc.Field(sc.ball((0, 0), 9))",
    "values = sc.Field(sc.ball((0, 0), 9)).values",
    "lent = sc.ball((0, 0), 9).intervals",
    "solver = sc.Poisson(sc.ball((0, 0), 9)); solver.solve([0.0] * len(solver.domain))",
    "import sys; sys.kept = sc.ball((0, 0), 9)",
    "parts = sc.ball((0, 0), 9).components()",
    "x = [sc.ball((0, 0), 9)]; x.append(x)",
    "sc.ball((0, 0), 9)",
    "try: sc.box((2, 2), (0, 0))\nexcept ValueError as error: kept = error",
    "import atexit; x = sc.ball((0, 0), 9); atexit.register(lambda: len(x | x.shift((1, 1))))",
    "import threading; t = threading.Thread(target=lambda: len(sc.Set())); t.start()",
])
def test_ends_in_peace(run_python, what):
    expect_fine(run_python("import sparsecells as sc\n" + what))


def test_kokkos_stops_where_nothing_is_left(run_python):
    expect_fine(run_python("""
        import atexit
        from sparsecells import _core
        atexit.register(lambda: print(_core._alive()))  # runs after the module's own
        import sparsecells as sc
        def use():
            x = sc.ball((0, 0), 9)
            x = [x, sc.Field(x), sc.Poisson(x)]
            x.append(x)
        use()
    """))


def test_interrupts_and_errors_end_as_always(run_python):
    expect_fine(run_python("""
        import sparsecells as sc, signal, os, time
        x = sc.ball((0, 0), 9)
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:
            print("stopped")
    """), "stopped")
    failed = run_python("import sparsecells as sc\nx = sc.ball((0, 0), 9)\nraise SystemExit(3)")
    assert failed.returncode == 3 and failed.stderr == ""
    failed = run_python("import sparsecells as sc\nx = sc.ball((0, 0), 9)\n1 / 0")
    assert failed.returncode == 1 and failed.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"


def test_a_forked_child_is_told(run_python):
    expect_fine(run_python("""
        import os, time, warnings
        warnings.simplefilter("ignore")  # Python warns of forks with threads
        import sparsecells as sc
        x = sc.ball((0, 0), 9)
        begin = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                x | x
            except RuntimeError as error:
                os._exit(7 if "spawn" in str(error) and len(x) > 0 else 8)
            os._exit(9)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 7 and time.monotonic() - begin < 1
        print(len(x | x) == len(x))
    """), "True")


def test_a_fork_before_the_first_use_is_fine(run_python):
    expect_fine(run_python("""
        import os
        import sparsecells as sc
        child = os.fork()
        n = len(sc.ball((0, 0), 9))
        if child:
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            print(n)
    """), "256")


def test_spawned_processes_get_sets(run_python, tmp_path):
    script = tmp_path / "spawn.py"
    script.write_text("""
import multiprocessing, sparsecells as sc
def grow(x):
    return x.expand(1)
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        x = sc.ball((0, 0), 9)
        print(pool.map(grow, [x])[0] == x.expand(1))
""")
    expect_fine(run_python(f"import subprocess, sys; print(subprocess.run([sys.executable, {str(script)!r}], capture_output=True, text=True, check=True).stdout)"), "True")


def test_other_threads_use_all_cores_or_are_warned_of_once(run_python):
    """Kokkos before 4.3 runs the kernels of other threads on one core."""
    expect_fine(run_python("""
        import threading, warnings
        import sparsecells as sc
        x = sc.ball((0, 0), 9)
        said = []
        warnings.showwarning = lambda message, kind, *rest: said.append((kind, str(message)))
        warnings.simplefilter("always")
        def use():
            for _ in range(3):
                assert (x | x) == x
        for _ in range(2):
            t = threading.Thread(target=use)
            t.start()
            t.join()
        version = tuple(map(int, sc.kokkos_version.split(".")))
        assert len(said) == (1 if (3, 7) <= version < (4, 3) else 0), said
        assert all(kind is RuntimeWarning and "one core" in text for kind, text in said)
    """))


@pytest.mark.skipif(not sc.backend().startswith("OpenMP"), reason="kernels run on one core")
def test_kernels_of_another_thread_run_in_parallel(run_python):
    """A thread that did not start Kokkos gets a second core of its own."""
    expect_fine(run_python("""
        import os, threading
        import numpy as np, sparsecells as sc
        sc.set_threads(2)
        cells = sc.box((0, 0), (700, 700))
        p = sc.Poisson(cells, dirichlet={"left": 0.0})
        b = sc.Field(cells)
        b.values[:] = np.sin(np.arange(len(cells)))
        counts = []
        def use():
            tasks = os.listdir("/proc/self/task")
            x, report = p.solve(b, tolerance=1e-8)
            counts.append(len(os.listdir("/proc/self/task")) - len(tasks))
            assert sc.backend() == "OpenMP, 2 threads"
        t = threading.Thread(target=use)
        t.start()
        t.join()
        print(counts)
    """), "[1]")


def test_threads_get_the_same_results(run_python):
    """Two threads solve two problems at once; both get the bits that they get alone."""
    expect_fine(run_python("""
        import threading, warnings
        warnings.simplefilter("ignore")
        import numpy as np, sparsecells as sc
        def solve(n):
            cells = sc.box((0, 0), (n, n)) - sc.ball((n / 2, n / 2), n / 5)
            b = np.sin(np.arange(len(cells)))
            for _ in range(5):
                x, report = sc.Poisson(cells, dirichlet={"left": 0.0}).solve(b)
            return x.values.tobytes()
        alone = [solve(60), solve(90)]
        found = [None, None]
        def work(i, n):
            found[i] = solve(n)
        threads = [threading.Thread(target=work, args=(i, n)) for i, n in enumerate((60, 90))]
        for t in threads: t.start()
        for t in threads: t.join()
        print(found == alone)
    """), "True")


def test_the_gil_is_released(run_python):
    """While one thread solves, another one counts."""
    expect_fine(run_python("""
        import threading, numpy as np, sparsecells as sc
        cells = sc.box((0, 0), (600, 600))
        p = sc.Poisson(cells, dirichlet={"left": 0.0}, method="jacobi")
        b = np.ones(len(cells))
        counts, done = [0], threading.Event()
        def count():
            while not done.is_set():
                counts[0] += 1
        t = threading.Thread(target=count)
        t.start()
        before = counts[0]
        try:
            p.solve(b, iteration_limit=300)
        except sc.NotConverged:
            pass
        during = counts[0] - before
        done.set()
        t.join()
        print(during > 10000)
    """), "True")


def test_functions_may_use_the_module_again(run_python):
    expect_fine(run_python("""
        import sparsecells as sc
        box = sc.box((-9, -9), (9, 9))
        inner = sc.from_function(box, lambda x, y: (x * x + y * y < 16) & (len(sc.ball((0, 0), 3)) > 0))
        sets = sc.fuse(lambda a, b: a and not (b and bool(sc.box((0, 0), (1, 1)))), box, inner)
        print(sets == box - inner)
    """), "True")


@pytest.mark.parametrize("kept", ["x = ", ""])
def test_tools_of_kokkos_see_the_kernels(run_python, kept):
    """A library of Kokkos' tools is loaded at the start, and told of the end where Kokkos stops."""
    import os

    if "SPARSE_TOOL" not in os.environ:
        pytest.skip("there is no library of tools")
    result = run_python(f"import sparsecells as sc\n{kept}sc.Field(sc.ball((0, 0), 9))", KOKKOS_PROFILE_LIBRARY=os.environ["SPARSE_TOOL"])
    assert result.stderr == "" and result.returncode == 0
    assert result.stdout.split() == (["begins"] if kept else ["begins", "ends"])
