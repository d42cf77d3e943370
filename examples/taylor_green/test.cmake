# What is kept and lost in 2D, with viscosity, in 3D; wrong input. At night finer grids.
foreach(topic IN ITEMS square viscosity space options)
  sparse_command_test(taylor_green_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:taylor_green> ${topic})
endforeach()
sparse_command_test(nightly_taylor_green ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:taylor_green> fine)
set_tests_properties(nightly_taylor_green PROPERTIES LABELS nightly TIMEOUT 3600)
