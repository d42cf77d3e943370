# Flags. Three kinds:
#   sparse_vectorise   what templates need so that their loops vectorise; travels with the installed libraries
#   sparse_host_flags  warnings, sanitizers: of this tree alone
#   sparse_flags       both, and what nvcc needs; everything here links it

# Sums and square roots vectorise only when nobody can look at errno or at floating-point traps. Programs instantiate the
# templates of the library, so they need the same.
add_library(sparse_vectorise INTERFACE)
set_target_properties(sparse_vectorise PROPERTIES EXPORT_NAME vectorise)
target_compile_options(sparse_vectorise INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-fno-math-errno;-fno-trapping-math;-fopenmp-simd>
  $<$<BOOL:${SPARSE_NATIVE}>:-march=native> $<$<BOOL:${SPARSE_LEVEL}>:-march=${SPARSE_LEVEL}>)
install(TARGETS sparse_vectorise EXPORT sparse_targets)

add_library(sparse_host_flags INTERFACE)
target_link_libraries(sparse_host_flags INTERFACE sparse_vectorise)
target_compile_options(sparse_host_flags INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor $<$<BOOL:${SPARSE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT SPARSE_HAS_CUDA)
  # g++ looks for memory to free only from 2 GB on, more than it needs here. That saves a twentieth of the compile time.
  target_compile_options(sparse_host_flags INTERFACE --param=ggc-min-heapsize=2000000)
endif()
# Programs that write no files do not load VTK.
target_link_options(sparse_host_flags INTERFACE LINKER:--as-needed)
if(SPARSE_SANITIZE)
  # The two checks that are left out take a sixth of the compile time. The address sanitizer finds null pointers and the ends of
  # objects itself.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,object-size -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(sparse_host_flags INTERFACE ${sanitizers} -O1)
  target_link_options(sparse_host_flags INTERFACE ${sanitizers})
endif()

add_library(sparse_flags INTERFACE)
target_link_libraries(sparse_flags INTERFACE sparse_host_flags)
if(SPARSE_HAS_CUDA)
  # fmt thinks that nvcc has no constexpr, and then does not compile with its own consteval.
  target_compile_definitions(sparse_flags INTERFACE FMT_USE_CONSTEXPR=1 FMT_CONSTEVAL=)
  # nvcc hands its own pragmas on to the host compiler. 554: the conversion of a FieldView to FieldView<const T> where T is
  # const already. 177: unused functions; g++ finds them, too, and is not wrong about templates.
  target_compile_options(sparse_flags INTERFACE -Wno-unknown-pragmas "SHELL:-Xcudafe --diag_suppress=177"
    "SHELL:-Xcudafe --diag_suppress=554")
endif()

# Warnings are noted beside the object that has them, so that CI can refuse them without compiling anything again. nvcc
# has a launcher of its own.
if(NOT SPARSE_HAS_CUDA AND CMAKE_HOST_UNIX)
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/note_warnings.sh)
endif()
