# sparse_make_units(SIZE): up to so many sources of a target are compiled as one, half as many of those with the property
# SPARSE_HEAVY. So headers are parsed once, and what several sources make of templates is made once. Sources that could be
# in each other's way are apart (group_sources.py). To be called when all targets are there.

function(sparse_make_units size)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(NOT Python3_FOUND)
    message(STATUS "Python not found: each source is compiled alone")
    return()
  endif()
  set(lists)
  sparse_list_sources(${size} ${PROJECT_SOURCE_DIR})
  set(script ${PROJECT_SOURCE_DIR}/cmake/group_sources.py)
  file(WRITE ${PROJECT_BINARY_DIR}/generated/sources.txt "${lists}")
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} ${PROJECT_BINARY_DIR}/generated/sources.txt
    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  string(REPLACE ";" "|" groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  set(last "")
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" group "${group}")
    list(POP_FRONT group target)
    if(NOT target STREQUAL last)
      # Each source has its own macro that makes instances.
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
        UNITY_BUILD_CODE_AFTER_INCLUDE "#undef SPARSE_DEFINE\n#undef SPARSE_INSTANTIATE")
      # Members of a unit are not in its main file, so g++ takes them for those of a header.
      set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
      set(last ${target})
      set(number 0)
    endif()
    math(EXPR number "${number} + 1")
    set_source_files_properties(${group} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${target}_${number})
  endforeach()
endfunction()

# Appends a line "size;target;source;..." for each target of a folder and those below to `lists`.
#
# Properties of sources belong to their folder, so that targets of one folder that share a source overwrite each other's
# groups. A part of a group can be compiled as one, too, because all pairs of the group can.
function(sparse_list_sources size folder)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    sparse_list_sources(${size} ${below})
  endforeach()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "LIBRARY|EXECUTABLE" OR type STREQUAL "INTERFACE_LIBRARY")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
    foreach(source IN LISTS sources)
      cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${source}" is_made)
      if(is_made OR source MATCHES "/\\.deps/")  # what is made may not be there yet
        list(REMOVE_ITEM sources "${source}")
      endif()
    endforeach()
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    get_target_property(is_heavy ${target} SPARSE_HEAVY)
    set(most ${size})
    if(is_heavy)
      math(EXPR most "${size} / 2")
    endif()
    string(APPEND lists "${most};${target};${sources}\n")
  endforeach()
  set(lists "${lists}" PARENT_SCOPE)
endfunction()
