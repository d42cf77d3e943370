"""Which extension of a wheel is chosen, and that the import brings little."""

import pytest

from sparsecells import _levels

V2 = set("cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3".split())
V3 = V2 | set("abm avx avx2 bmi1 bmi2 f16c fma movbe".split())
V4 = V3 | set("avx512bw avx512cd avx512dq avx512f avx512vl".split())


@pytest.mark.parametrize("flags, level", [(V4, "x86-64-v4"), (V3, "x86-64-v3"), (V4 - {"avx512dq"}, "x86-64-v3")])
def test_the_best_level_of_the_processor(tmp_path, flags, level):
    for name in ("x86-64-v3", "x86-64-v4"):
        (tmp_path / name).mkdir()
    assert _levels.best(str(tmp_path), flags | {"fpu", "sse2"}) == str(tmp_path / level)


def test_a_processor_below_all_levels_is_told(tmp_path):
    (tmp_path / "x86-64-v3").mkdir()
    with pytest.raises(ImportError, match="for processors of x86-64-v3, and this one has less"):
        _levels.best(str(tmp_path), V3 - {"fma"})
    (tmp_path / "x86-64").mkdir()
    assert _levels.best(str(tmp_path), set()) == str(tmp_path / "x86-64")


def test_a_level_can_be_named(tmp_path, monkeypatch):
    folders = [str(tmp_path)]
    _levels.choose(folders)
    assert folders == [str(tmp_path)]  # without levels, as in a build of one's own
    (tmp_path / "levels" / "x86-64").mkdir(parents=True)
    _levels.choose(folders)
    assert folders[1:] == [str(tmp_path / "levels" / "x86-64")]
    monkeypatch.setenv("SPARSECELLS_LEVEL", "x86-64-v9")
    with pytest.raises(ImportError, match="x86-64-v9"):
        _levels.choose([str(tmp_path)])


def test_flags_are_those_of_linux(tmp_path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: a\nflags\t\t: fpu sse2 avx2\n\nprocessor\t: 1\nflags\t\t: fpu\n")
    assert _levels.flags_of(str(tmp_path / "cpuinfo")) == {"fpu", "sse2", "avx2"}


def test_the_import_brings_what_is_used(run_python):
    result = run_python("""
        import sys, sparsecells as sc
        ours = lambda: {name for name in sys.modules if name.startswith("sparsecells")}
        assert ours() == {"sparsecells", "sparsecells._core", "sparsecells._levels"}, ours()
        assert set(sc.__all__) <= set(dir(sc)) and all(getattr(sc, name) is not None for name in sc.__all__)
        assert sc.Step is sys.modules["sparsecells._compressible"].Step
        try:
            sc.Stepp
        except AttributeError as error:
            print(error)
    """)
    assert result.stderr == "" and result.stdout == "module 'sparsecells' has no attribute 'Stepp'\n"
