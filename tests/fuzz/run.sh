#!/usr/bin/env bash
# Builds the fuzzers with clang and runs each for some seconds, from the kept corpus.
#
#   tests/fuzz/run.sh BUILD_FOLDER [SECONDS [TARGET...]]     15 seconds, all targets
#
# New inputs go to BUILD_FOLDER/corpus, those that break something to BUILD_FOLDER/broken. Without a clang that has
# libFuzzer it exits with 77, which ctest reports as skipped.
set -euo pipefail
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?the build folder}
seconds=${2:-15}
targets=("${@:3}")
mkdir -p "$build"
build=$(cd "$build" && pwd)

# The first clang++ that makes fuzzers: the packages of compiler and libFuzzer are separate.
find_clang() {
  local name
  for name in clang++ clang++-{30..14}; do
    command -v "$name" >/dev/null || continue
    if "$name" -fsanitize=fuzzer,address -x c++ -o "$build/probe" - 2>"$build/probe.log" <<<'
      #include <cstddef>
      extern "C" int LLVMFuzzerTestOneInput(unsigned char const*, std::size_t) { return 0; }'; then
      command -v "$name"
      return
    fi
  done
  return 1
}

if ! clang=$(find_clang); then
  echo "fuzz: skipped: there is no clang++ with libFuzzer (Debian: clang, libclang-rt-dev)"
  exit 77
fi
if ! { cmake -S "$here" -B "$build" -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="${clang/clang++/clang}" &&
  cmake --build "$build" --parallel "${SPARSE_JOBS:-$(nproc)}"; } >"$build/build.log" 2>&1; then
  cat "$build/build.log" >&2
  exit 1
fi

if ((${#targets[@]} == 0)); then  # those with a corpus; what needs more than clang is only replayed
  for folder in "$here"/corpus/*/; do
    name=$(basename "$folder")
    [[ ! -x $build/$name ]] || targets+=("$name")
  done
fi
failed=no
for target in "${targets[@]}"; do
  [[ -x $build/$target ]] || { echo "fuzz: there is no target '$target'" >&2; exit 2; }
  mkdir -p "$build/corpus/$target" "$build/broken"
  options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -max_len=4096 -print_final_stats=1
    -artifact_prefix="$build/broken/$target-")
  [[ ! -f $here/$target.dict ]] || options+=(-dict="$here/$target.dict")
  export ASAN_OPTIONS=detect_leaks=1
  [[ $target != set_file ]] || ASAN_OPTIONS=detect_leaks=0  # HDF5 leaks what it has of a file that it cannot open
  if "$build/$target" "${options[@]}" "$build/corpus/$target" "$here/corpus/$target" >"$build/$target.log" 2>&1; then
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
    printf 'fuzz: %-12s %s inputs tried\n' "$target" "$tried"
  else
    failed=yes
    tail -n 40 "$build/$target.log"
    echo "fuzz: $target is broken by a file in $build/broken"
  fi
done
[[ $failed == no ]]
