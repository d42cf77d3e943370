# Short runs of the program: the plume, methods, open and closed boxes, 3D, solvers; wrong input.
foreach(topic IN ITEMS plume methods boxes space solvers options)
  sparse_command_test(smoke_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:smoke> ${topic})
endforeach()
