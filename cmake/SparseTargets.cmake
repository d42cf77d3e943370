# One function per kind of target. Sources are found by their place: a new file needs no line in any list.

# ---- precompiled headers

# Kokkos and the standard library are parsed once for all libraries, once for all programs, once for all tests; for programs
# with options, CLI11 and sparse, too. nvcc has no such thing.
set(sparse_common_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional>
  <string> <vector> <Kokkos_Core.hpp>)

# sparse_precompile(TARGET KIND): KIND is what sparse_precompiled_headers made.
function(sparse_precompile target kind)
  if(TARGET sparse_${kind}_headers)
    target_precompile_headers(${target} REUSE_FROM sparse_${kind}_headers)
  endif()
endfunction()

# sparse_precompiled_headers(KIND LINK libs... HEADERS headers... OPTIONS flags...). Whoever reuses them is compiled with the
# optimisation of OPTIONS: g++ takes it from the precompiled headers, and ignores an -O of the target's own.
function(sparse_precompiled_headers kind)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;HEADERS;OPTIONS")
  if(NOT SPARSE_PCH OR SPARSE_HAS_CUDA)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/generated/${kind}_headers.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Belongs to the precompiled headers.\n")
  add_library(sparse_${kind}_headers OBJECT ${source})
  target_link_libraries(sparse_${kind}_headers PRIVATE Kokkos::kokkos sparse_flags ${arg_LINK})
  target_precompile_headers(sparse_${kind}_headers PRIVATE ${sparse_common_headers} ${arg_HEADERS})
  target_compile_options(sparse_${kind}_headers PRIVATE ${arg_OPTIONS})
  if(NOT kind STREQUAL "library")  # what goes into programs is compiled like programs
    set_target_properties(sparse_${kind}_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(sparse_${kind}_headers PRIVATE -fPIE)
  endif()
endfunction()
sparse_precompiled_headers(library)
sparse_precompiled_headers(program)

# ---- libraries

add_custom_target(sparse_libraries)  # all of them

# sparse_library(NAME INCLUDE dir SOURCES ... PUBLIC libs... PRIVATE libs... EXPORT set): target sparse_NAME, alias
# sparse::NAME. Headers are in INCLUDE; private ones are included by their place in src. Without sources it is
# header-only.
function(sparse_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE;EXPORT" "SOURCES;PUBLIC;PRIVATE")
  set(target sparse_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:sparse_flags>)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
      $<$<BOOL:${arg_INCLUDE}>:${arg_INCLUDE}/../src>)
    sparse_precompile(${target} library)
    add_dependencies(sparse_libraries ${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC})
  endif()
  add_library(sparse::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(arg_INCLUDE)
    target_include_directories(${target} ${scope}
      $<BUILD_INTERFACE:${arg_INCLUDE}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    install(DIRECTORY ${arg_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  endif()
  target_compile_features(${target} ${scope} cxx_std_20)
  if(NOT arg_EXPORT)
    set(arg_EXPORT sparse_targets)
  endif()
  install(TARGETS ${target} EXPORT ${arg_EXPORT})
endfunction()

# ---- programs

# sparse_program(NAME SOURCES ... LINK libs...): an example or command-line tool; all of them lie in <build>/bin.
function(sparse_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} sparse_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  list(LENGTH arg_SOURCES source_count)
  if(source_count EQUAL 1 AND arg_LINK MATCHES "sparse::(app|cases)")
    sparse_precompile(${name} tool)
  else()
    sparse_precompile(${name} program)
  endif()
endfunction()

# sparse_programs(FOLDER DEFAULT libs...): all programs of a folder. A program is NAME.cpp, or the *.cpp of a folder
# NAME; the target is NAME. It links what the list links_NAME says, or DEFAULT.
function(sparse_programs folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEFAULT")
  file(GLOB entries CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.cpp ${folder}/*/*.cpp)
  set(names)
  foreach(entry IN LISTS entries)
    string(REGEX REPLACE "(/.*|\\.cpp)$" "" name ${entry})
    list(APPEND names ${name})
    list(APPEND sources_${name} ${folder}/${entry})
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    if(NOT DEFINED links_${name})
      set(links_${name} ${arg_DEFAULT})
    endif()
    sparse_program(${name} SOURCES ${sources_${name}} LINK ${links_${name}})
  endforeach()
endfunction()

# ---- tests

# Two threads show races and do not crowd a small machine. Waiting threads sleep, since tests run side by side.
set(sparse_test_environment OMP_NUM_THREADS=2 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive ASAN_OPTIONS=detect_leaks=0
  PYTHONDONTWRITEBYTECODE=1)

# sparse_command_test(NAME COMMAND...): a test that runs a command; gets a fresh folder of its own to work in.
function(sparse_command_test name)
  set(folder ${PROJECT_BINARY_DIR}/tests/work/${name})
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${folder})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${sparse_test_environment}" TIMEOUT 600)
endfunction()
