# sparse_compile_cli11_once(LIBRARY): the library gets the functions of CLI11's classes. These functions are in the classes,
# so that g++ compiles them again in each source that includes CLI11, for 5 s each. Whoever links the library sees copies
# of the headers that leave it to one source. Newer CLI11 has another layout.
function(sparse_compile_cli11_once library)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR SPARSE_HAS_CUDA OR CLI11_VERSION VERSION_GREATER_EQUAL 2.3)
    return()
  endif()
  find_path(SPARSE_cli11_INCLUDE CLI/CLI.hpp REQUIRED HINTS ${CLI11_DIR}/../../../include)
  mark_as_advanced(SPARSE_cli11_INCLUDE)
  set(copies ${PROJECT_BINARY_DIR}/generated/cli11)
  file(GLOB headers ${SPARSE_cli11_INCLUDE}/CLI/*.hpp)
  set(source "")
  foreach(header IN LISTS headers)
    get_filename_component(name ${header} NAME)
    file(READ ${header} text)
    file(GENERATE OUTPUT ${copies}/CLI/${name} CONTENT "#pragma interface\n${text}")
    string(APPEND source "#pragma implementation \"${name}\"\n")
  endforeach()
  file(GENERATE OUTPUT ${copies}/cli11.cpp CONTENT "${source}#include <CLI/CLI.hpp>\n")
  set_source_files_properties(${copies}/cli11.cpp PROPERTIES GENERATED ON SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS -O1)  # a command line is read once
  target_sources(${library} PRIVATE ${copies}/cli11.cpp)
  target_include_directories(${library} BEFORE PUBLIC $<BUILD_INTERFACE:${copies}>)
endfunction()
