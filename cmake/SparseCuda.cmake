# A Kokkos for CUDA sends every C++ file, native kernels included, through its launcher to nvcc. nvcc then compiles for the
# GPUs that Kokkos was made for. CMake's own CUDA language plays no part.

set(SPARSE_HAS_CUDA OFF)
if("CUDA" IN_LIST Kokkos_DEVICES)
  set(SPARSE_HAS_CUDA ON)
elseif(SPARSE_CUDA)
  message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} has no CUDA, only ${Kokkos_DEVICES}; name one with -DKokkos_ROOT=...")
endif()
