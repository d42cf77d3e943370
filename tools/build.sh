# shellcheck shell=bash
# Sourced by tools/run, tools/test, tools/bench and tools/check_cuda: configures when needed, and builds. Expects $root.
#   spin_briefly         sets how threads wait for each other
#   build TARGET...      builds the targets with a preset (SPARSE_PRESET, else release), in $build_folder; build_options, if
#                        set, are for CMake's configuring

preset=${SPARSE_PRESET:-release}
build_folder=$root/build/$preset
build_log=$root/build/$preset.log
export PATH="${PATH:-}:/usr/local/bin:/usr/bin:/bin"

# For programs that have the machine to themselves: kernels are short, so threads should spin between them, but not for
# milliseconds, as g++'s OpenMP does unless told, which beside other programs makes steps a hundred times slower.
spin_briefly() { export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-20000}; }

build() {
  local options=(${build_options[@]+"${build_options[@]}"}) reason=
  if [[ ! -f $build_folder/CMakeCache.txt ]]; then
    reason="the first time"
  elif [[ ! -f $build_folder/build.ninja && ! -f $build_folder/Makefile ]]; then
    reason="the last time failed"
  elif [[ -n $(find "$root"/.deps/stamp* -newer "$build_folder/CMakeCache.txt" 2>/dev/null) ]]; then
    reason="what it needs has changed"
    rm -f "$build_folder/CMakeCache.txt"
  fi
  if [[ ${CI:-} == true || ${CI:-} == 1 ]]; then
    options+=(-DSPARSE_WERROR=ON)
    grep -qs '^SPARSE_WERROR:BOOL=ON$' "$build_folder/CMakeCache.txt" || reason=${reason:-"warnings become errors"}
  fi
  mkdir -p "$build_folder" && [[ -w $build_folder ]] || { echo "build: cannot write to $build_folder" >&2; return 1; }
  if [[ -n $reason ]]; then
    if [[ ! -f $build_folder/CMakeCache.txt && ! -f $build_folder/Makefile ]] && command -v ninja >/dev/null; then
      options+=(-G Ninja)
    fi
    echo "build: configuring $preset ($reason)" >&2
    if ! (cd "$root" && cmake --preset "$preset" "${options[@]}") >"$build_log" 2>&1; then
      cat "$build_log" >&2
      return 1
    fi
    touch "$build_folder/CMakeCache.txt"
  fi
  # The program's own output keeps stdout to itself.
  cmake --build "$build_folder" --parallel "${SPARSE_JOBS:-$(nproc)}" --target "$@" >&2
}
