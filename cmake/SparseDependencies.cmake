# Finds Kokkos, VTK and nanobind: what the user names first, then what tools/setup left in .deps, then what is installed.

if(NOT DEFINED SPARSE_DEPS)
  set(SPARSE_DEPS ${CMAKE_CURRENT_LIST_DIR}/../.deps)
endif()
get_filename_component(SPARSE_DEPS ${SPARSE_DEPS} ABSOLUTE)

set(SPARSE_BACKEND "" CACHE STRING "Insist on a Kokkos that runs kernels with openmp, threads or serial; empty: as it is found")
set_property(CACHE SPARSE_BACKEND PROPERTY STRINGS "" openmp threads serial)

# Kokkos >= 3.4. One with Serial alone (Debian's) must be asked for, because it is slow.
macro(sparse_find_kokkos)
  if(NOT SPARSE_BACKEND MATCHES "^(|openmp|threads|serial)$")
    message(FATAL_ERROR "SPARSE_BACKEND must be openmp, threads or serial, not '${SPARSE_BACKEND}'")
  endif()
  set(sparse_kokkos ${SPARSE_DEPS}/kokkos)
  if(SPARSE_BACKEND MATCHES "^(threads|serial)$")
    string(APPEND sparse_kokkos -${SPARSE_BACKEND})
  endif()
  if(NOT Kokkos_ROOT AND NOT DEFINED ENV{Kokkos_ROOT} AND NOT Kokkos_DIR AND EXISTS ${sparse_kokkos})
    set(Kokkos_ROOT ${sparse_kokkos})
  endif()
  # No version here: Kokkos' own version file accepts one major version only.
  find_package(Kokkos REQUIRED)
  if(Kokkos_VERSION VERSION_LESS 3.4)
    message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} is ${Kokkos_VERSION}; sparse needs 3.4 or later")
  endif()
  sparse_default_backend(sparse_backend)
  if(SPARSE_BACKEND AND NOT SPARSE_BACKEND STREQUAL sparse_backend)
    message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} (${Kokkos_DEVICES}) runs kernels with ${sparse_backend}, and SPARSE_BACKEND "
      "is ${SPARSE_BACKEND}. Run tools/setup with this SPARSE_BACKEND to build one, or name one with -DKokkos_ROOT=...")
  elseif(NOT SPARSE_BACKEND AND sparse_backend STREQUAL "serial")
    message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} has only the backend SERIAL. Run tools/setup to build one with OPENMP, name "
      "one with -DKokkos_ROOT=..., or say -DSPARSE_BACKEND=serial")
  elseif(NOT sparse_backend MATCHES "^(openmp|threads|serial|cuda)$")
    message(WARNING "sparse has never been compiled for Kokkos' backend '${sparse_backend}'")
  endif()
endmacro()

# `pip install .` on a machine without a compiler, and without whatever else: tools/setup installs what is missing, unless
# somebody names a Kokkos. To be called before project(), which needs the compiler.
function(sparse_set_up_for_pip)
  if(NOT DEFINED SKBUILD OR Kokkos_ROOT OR DEFINED ENV{Kokkos_ROOT} OR Kokkos_DIR)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/setup --pip RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "tools/setup has failed; what it says is above")
  endif()
endfunction()

# The backend that kernels run on by default, in lower case: that of a device, else OpenMP, else Threads, else Serial.
function(sparse_default_backend result)
  set(backends ${Kokkos_DEVICES})
  list(TRANSFORM backends TOLOWER)
  list(TRANSFORM backends REPLACE "^pthread$" threads)  # its name before Kokkos 3.5
  set(of_devices ${backends})
  list(REMOVE_ITEM of_devices openmp threads serial)
  foreach(backend IN LISTS of_devices ITEMS openmp threads serial)
    if(backend IN_LIST backends)
      set(${result} ${backend} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

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

# Python with nanobind, for the Python module: SPARSE_HAS_NANOBIND, Python_EXECUTABLE and nanobind_DIR.
# The module hands out memory of the host. Kokkos' Threads run kernels for one thread alone, and a sanitizer would have to be
# in the interpreter.
macro(sparse_find_nanobind)
  set(SPARSE_HAS_NANOBIND OFF)
  if(NOT SPARSE_PYTHON STREQUAL "AUTO" AND NOT SPARSE_PYTHON)
    set(sparse_no_python "SPARSE_PYTHON is off")
  elseif(NOT sparse_backend MATCHES "^(openmp|serial)$" OR SPARSE_SANITIZE OR NOT SPARSE_IO)
    set(sparse_no_python "it needs sparse::io, OpenMP or Serial, and no sanitizer")
  else()
    if(NOT Python_EXECUTABLE AND NOT Python_ROOT_DIR AND EXISTS ${SPARSE_DEPS}/python/bin/python)
      set(Python_EXECUTABLE ${SPARSE_DEPS}/python/bin/python)
    endif()
    find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
    set(sparse_no_python "no Python 3.10 with headers (package python3-dev)")
    if(Python_FOUND)
      execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_DIR
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE sparse_nanobind_is_missing)
      set(sparse_no_python "${Python_EXECUTABLE} has no nanobind")
      if(NOT sparse_nanobind_is_missing)
        set(SPARSE_HAS_NANOBIND ON)
      endif()
    endif()
  endif()
  if(NOT SPARSE_HAS_NANOBIND)
    if(NOT SPARSE_PYTHON STREQUAL "AUTO" AND SPARSE_PYTHON)
      message(FATAL_ERROR "SPARSE_PYTHON is on, but: ${sparse_no_python}")
    endif()
    message(STATUS "No Python module: ${sparse_no_python}")
  endif()
endmacro()
