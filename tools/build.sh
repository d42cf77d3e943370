# shellcheck shell=bash
# Sourced by tools/run, tools/test, tools/bench and tools/check_cuda: configures when needed, and builds. Expects $root.
#   spin_briefly         sets how threads wait for each other
#   build TARGET...      builds the targets with a preset (SPARSE_PRESET, else release), in $build_folder; build_options, if
#                        set, are for CMake's configuring
# SPARSE_BACKEND=threads or serial has a folder of its own, such as build/release-serial.

source "${root:?}/tools/backend.sh"
preset=${SPARSE_PRESET:-release}
build_folder=$root/build/$preset$backend_suffix
build_log=$build_folder.log
export PATH="${PATH:-}:/usr/local/bin:/usr/bin:/bin"

# For programs that have the machine to themselves. Kernels are short, so threads should spin between them, but not for
# milliseconds, as g++'s OpenMP does by default. Beside other programs that makes steps a hundred times slower.
spin_briefly() { export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-20000}; }

build() {
  local options=(${build_options[@]+"${build_options[@]}"} "${backend_options[@]}") reason=
  [[ $preset == release || $preset == debug ]] && options+=(-DSPARSE_NATIVE=ON)
  if [[ ! -f $build_folder/CMakeCache.txt ]]; then
    reason="the first time"
  elif [[ ! -f $build_folder/build.ninja && ! -f $build_folder/Makefile ]]; then
    reason="the last time failed"
  elif [[ -n $(find "$root/.deps/stamp$backend_suffix"{,.*} -newer "$build_folder/CMakeCache.txt" 2>/dev/null) ]]; then
    reason="what it needs has changed"
    rm -f "$build_folder/CMakeCache.txt"
  fi
  mkdir -p "$build_folder" && [[ -w $build_folder ]] || { echo "build: cannot write to $build_folder" >&2; return 1; }
  if [[ -n $reason ]]; then
    if [[ ! -f $build_folder/CMakeCache.txt && ! -f $build_folder/Makefile ]] && command -v ninja >/dev/null; then
      options+=(-G Ninja)
    fi
    echo "build: configuring $preset ($reason)" >&2
    if ! (cd "$root" && cmake --preset "$preset" -B "$build_folder" "${options[@]}") >"$build_log" 2>&1; then
      cat "$build_log" >&2
      return 1
    fi
    touch "$build_folder/CMakeCache.txt"
  fi
  # The program's own output keeps stdout to itself.
  cmake --build "$build_folder" --parallel "${SPARSE_JOBS:-$(nproc)}" --target "$@" >&2 || return 1
  if [[ ${CI:-} == true || ${CI:-} == 1 ]]; then refuse_warnings; fi
}

# In CI a warning is an error, also one of an object that was compiled before (see cmake/note_warnings.sh).
refuse_warnings() {
  local noted warned=no
  while IFS= read -r noted; do
    [[ -e ${noted%.warnings} ]] || continue
    [[ $warned == yes ]] || echo "build: warnings are errors here:" >&2
    warned=yes
    cat "$noted" >&2
  done < <(find "$build_folder" -name '*.o.warnings')
  [[ $warned == no ]]
}
