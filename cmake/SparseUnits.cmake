# sparse_make_units(SIZE): up to so many sources of a target are compiled as one, which parses their headers once. Those
# that could be in each other's way are apart (group_sources.py). To be called when all targets are there.

function(sparse_make_units size)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  sparse_make_units_below(${size} ${PROJECT_SOURCE_DIR})
endfunction()

function(sparse_make_units_below size folder)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    sparse_make_units_below(${size} ${below})
  endforeach()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY")
      sparse_make_units_of(${size} ${target} ${folder})
    endif()
  endforeach()
endfunction()

# Properties of sources belong to their folder, so that targets of one folder that share a source overwrite each other's
# groups. A part of a group can be compiled as one, too, because all pairs of the group can.
function(sparse_make_units_of size target folder)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  foreach(source IN LISTS sources)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${source}" is_made)
    if(is_made)  # and may not be there yet
      list(REMOVE_ITEM sources "${source}")
    endif()
  endforeach()
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/group_sources.py ${size} ${sources}
    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/cmake/group_sources.py ${sources})
  string(REPLACE ";" "|" groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  # Each source has its own macro that makes instances.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef SPARSE_DEFINE\n#undef SPARSE_INSTANTIATE")
  set(number 0)
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" group "${group}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${group} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${target}_${number})
  endforeach()
endfunction()
