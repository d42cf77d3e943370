# Sourced by tools/run, tools/test and tools/bench: configures when needed, and builds. Expects $root.
#   build TARGET...      builds the targets with a preset (SPARSE_PRESET, else release), in $build_folder

preset=${SPARSE_PRESET:-release}
build_folder=$root/build/$preset
build_log=$root/build/$preset.log
export PATH="${PATH:-}:/usr/local/bin:/usr/bin:/bin"

build() {
  local options=() reason=
  if [[ ! -f $build_folder/CMakeCache.txt ]]; then
    reason="the first time"
    ! command -v ninja >/dev/null || options+=(-G Ninja)
  elif [[ ! -f $build_folder/build.ninja && ! -f $build_folder/Makefile ]]; then
    reason="the last time failed"
  elif [[ $root/.deps/stamp -nt $build_folder/CMakeCache.txt ]]; then
    reason="what it needs has changed"
  fi
  # Kept in the cache, so ask for it whenever it is not what it was.
  local werror=OFF
  [[ ${CI:-} != true && ${CI:-} != 1 ]] || werror=ON
  if [[ -z $reason ]] && ! grep -q "^SPARSE_WERROR:BOOL=$werror\$" "$build_folder/CMakeCache.txt"; then
    reason="warnings as errors: $werror"
  fi
  mkdir -p "$root/build"
  if [[ -n $reason ]]; then
    echo "build: configuring $preset ($reason)" >&2
    if ! (cd "$root" && cmake --preset "$preset" "${options[@]}" -DSPARSE_WERROR="$werror") >"$build_log" 2>&1; then
      cat "$build_log" >&2
      return 1
    fi
    touch "$build_folder/CMakeCache.txt"
  fi
  # The program's own output keeps stdout to itself.
  cmake --build "$build_folder" --parallel "${SPARSE_JOBS:-$(nproc)}" --target "$@" >&2
}
