# The build flags of everything in this tree, and one function per kind of target. Sources are found by their place:
# a new file needs no line in any list.

# ---- flags: linked by every target of the tree, not exported

# What g++ or clang compile even where nvcc compiles the rest has these; all else has sparse_flags.
add_library(sparse_host_flags INTERFACE)
add_library(sparse_flags INTERFACE)
target_link_libraries(sparse_flags INTERFACE sparse_host_flags)
target_compile_options(sparse_host_flags INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor
  $<$<BOOL:${SPARSE_WERROR}>:-Werror>
  # Sums and square roots vectorise only when nobody can look at errno or at floating-point traps.
  -fno-math-errno -fno-trapping-math -fopenmp-simd
  $<$<BOOL:${SPARSE_NATIVE}>:-march=native>)
if(SPARSE_HAS_CUDA)
  # fmt thinks that nvcc has no constexpr, and then does not compile with its own consteval.
  target_compile_definitions(sparse_flags INTERFACE FMT_USE_CONSTEXPR=1 FMT_CONSTEVAL=)
  # nvcc hands its own pragmas on to the host compiler, and finds a FieldView's conversion to FieldView<const T> odd where
  # T is const already. 177: unused functions, which g++ finds without being wrong about templates.
  target_compile_options(sparse_flags INTERFACE -Wno-unknown-pragmas "SHELL:-Xcudafe --diag_suppress=177"
    "SHELL:-Xcudafe --diag_suppress=554")
endif()
# Programs that write no files do not load VTK.
target_link_options(sparse_host_flags INTERFACE LINKER:--as-needed)
if(SPARSE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(sparse_host_flags INTERFACE ${sanitizers} -O1)
  target_link_options(sparse_host_flags INTERFACE ${sanitizers})
endif()

# ---- libraries

# sparse_library(NAME INCLUDE dir SOURCES ... PUBLIC libs... PRIVATE libs...): target sparse_NAME, alias sparse::NAME.
# Without sources it is header-only.
function(sparse_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE" "SOURCES;PUBLIC;PRIVATE")
  set(target sparse_${name})
  if(arg_SOURCES)
    add_library(${target} ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:sparse_flags>)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC})
  endif()
  add_library(sparse::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${arg_INCLUDE}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} ${scope} cxx_std_20)
  install(DIRECTORY ${arg_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  if(name STREQUAL "io")
    install(TARGETS ${target} EXPORT sparse_io_targets)
  else()
    install(TARGETS ${target} EXPORT sparse_targets)
  endif()
endfunction()

set(sparse_libraries sparse_core sparse_amr sparse_solvers)
if(SPARSE_IO)
  list(APPEND sparse_libraries sparse_io)
endif()

# ---- programs

# sparse_program(NAME sources...): an example or command-line tool; all of them lie in <build>/bin.
function(sparse_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${sparse_libraries} sparse_flags CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# ---- tests

# Two threads show races and do not crowd a small machine. Waiting threads sleep, since tests run side by side.
set(sparse_test_environment OMP_NUM_THREADS=2 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive ASAN_OPTIONS=detect_leaks=0
  PYTHONDONTWRITEBYTECODE=1)

# sparse_program_test(NAME COMMAND...): a test that runs a command; gets a fresh folder of its own to work in.
function(sparse_command_test name)
  set(folder ${PROJECT_BINARY_DIR}/tests/work/${name})
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${folder})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${sparse_test_environment}" TIMEOUT 600)
endfunction()
