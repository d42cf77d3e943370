# shellcheck shell=bash disable=SC2034
# Sourced by tools/setup and tools/build.sh: what SPARSE_BACKEND (openmp, threads, serial or empty) means for their folders.
#   backend_suffix    of folders that another backend than OpenMP has for itself
#   backend_options   for CMake

backend_suffix=
backend_options=()
case ${SPARSE_BACKEND:-} in
  "") ;;
  openmp) backend_options=(-DSPARSE_BACKEND=openmp) ;;
  threads | serial)
    backend_suffix=-$SPARSE_BACKEND
    backend_options=("-DSPARSE_BACKEND=$SPARSE_BACKEND")
    ;;
  *)
    echo "SPARSE_BACKEND must be openmp, threads or serial, not '$SPARSE_BACKEND'" >&2
    exit 2
    ;;
esac
