# Installs the build tree BUILD into a folder of its own, then configures, builds and runs CONSUMER against it. With
# FLAGSHIP, the flagship of the install tree must compute what that of the build tree does, to the bit.
# Run in a scratch folder: cmake -DBUILD=... -DCONSUMER=... -DGENERATOR=... -DCXX=... -DBUILD_TYPE=... -DSANITIZE=...
#   "-DPARTS=core ..." -DFLAGSHIP=... -DC_EXAMPLE=... -P ...

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "this failed: ${command}")
  endif()
endfunction()

set(scratch ${CMAKE_CURRENT_BINARY_DIR})
file(REMOVE_RECURSE ${scratch}/prefix ${scratch}/build)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix)
set(flags "")
if(SANITIZE)
  set(flags "-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined" "-DCMAKE_C_FLAGS=-fsanitize=address,undefined")
endif()
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${scratch}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${scratch}/prefix
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} "-DPARTS=${PARTS}" -DFLAGSHIP=${FLAGSHIP} -DC_EXAMPLE=${C_EXAMPLE} ${flags})
run(${CMAKE_COMMAND} --build ${scratch}/build)
execute_process(COMMAND ${scratch}/build/consumer OUTPUT_VARIABLE output RESULT_VARIABLE failed)
# 400 x 160 cells without the 1264 whose centres are within 20 of a corner.
if(failed OR NOT output STREQUAL "62736 cells\n")
  message(FATAL_ERROR "the consumer ended with '${failed}' and printed: ${output}")
endif()
message(STATUS "the consumer printed: ${output}")

# In C, by the shared library.
if(PARTS MATCHES "(^| )c( |$)")
  run(${scratch}/build/cavity_c99)
endif()

if(FLAGSHIP)
  set(small --nx 48 --ny 64 --radius 4 --max-steps 10 --checkpoint-stride 10 --picture-size 64)
  foreach(program IN ITEMS ${BUILD}/bin/mach2_cylinder ${scratch}/build/mach2_cylinder)
    get_filename_component(folder ${program} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    run(${program} ${small} --output-dir ${scratch}/${folder}_run)
    file(SHA256 ${scratch}/${folder}_run/checkpoint.h5 sum_${folder})
  endforeach()
  if(NOT sum_bin STREQUAL sum_build)
    message(FATAL_ERROR "the flagship computes something else when it is compiled against the installed library")
  endif()
  message(STATUS "the flagship computes the same, to the bit")
endif()

# A run in two parts by a program of its own, if the library has what that takes.
if(PARTS MATCHES "app")
  run(${scratch}/build/lid --threads 1 --max-steps 4 --checkpoint-stride 4 --output-dir ${scratch}/lid)
  run(${scratch}/build/lid --threads 1 --output-dir ${scratch}/lid --restart ${scratch}/lid/checkpoint.h5)
  foreach(file IN ITEMS run.json history.csv lid.png lid.pvd)
    if(NOT EXISTS ${scratch}/lid/${file})
      message(FATAL_ERROR "the consumer's run left no ${file}")
    endif()
  endforeach()
endif()
