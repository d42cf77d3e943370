# Finds Kokkos and VTK: what the user names first, then what tools/setup left in .deps, then what is installed.

if(NOT DEFINED SPARSE_DEPS)
  set(SPARSE_DEPS ${CMAKE_CURRENT_LIST_DIR}/../.deps)
endif()
get_filename_component(SPARSE_DEPS ${SPARSE_DEPS} ABSOLUTE)

# Kokkos >= 3.4 with a parallel backend. A package with Serial alone (Debian's) is refused.
macro(sparse_find_kokkos)
  if(NOT Kokkos_ROOT AND NOT DEFINED ENV{Kokkos_ROOT} AND NOT Kokkos_DIR AND EXISTS ${SPARSE_DEPS}/kokkos)
    set(Kokkos_ROOT ${SPARSE_DEPS}/kokkos)
  endif()
  # No version here: Kokkos' own version file accepts one major version only.
  find_package(Kokkos REQUIRED)
  if(Kokkos_VERSION VERSION_LESS 3.4)
    message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} is ${Kokkos_VERSION}; sparse needs 3.4 or later")
  endif()
  set(sparse_parallel_devices ${Kokkos_DEVICES})
  list(FILTER sparse_parallel_devices INCLUDE REGEX "^(OPENMP|THREADS|CUDA)$")
  if(NOT sparse_parallel_devices)
    message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} has only the backends '${Kokkos_DEVICES}'; sparse needs OPENMP, THREADS "
      "or CUDA. Run tools/setup to build one, or name one with -DKokkos_ROOT=...")
  endif()
endmacro()

set(SPARSE_VTK_COMPONENTS CommonCore CommonDataModel FiltersCore IOXML IOLegacy IOGeometry)

macro(sparse_find_vtk)
  if(NOT VTK_ROOT AND NOT DEFINED ENV{VTK_ROOT} AND NOT VTK_DIR AND NOT DEFINED ENV{VTK_DIR} AND EXISTS ${SPARSE_DEPS}/vtk/usr)
    set(VTK_ROOT ${SPARSE_DEPS}/vtk/usr)
  endif()
  # Debian's VTK prints pages about the tools and Qt libraries that are not installed.
  set(sparse_log_level ${CMAKE_MESSAGE_LOG_LEVEL})
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
  find_package(VTK 9 REQUIRED COMPONENTS ${SPARSE_VTK_COMPONENTS})
  set(CMAKE_MESSAGE_LOG_LEVEL ${sparse_log_level})
endmacro()
