# Short runs of the program: the plume, open and closed boxes, 3D, solvers; wrong input.
foreach(topic IN ITEMS plume boxes space solvers options)
  sparse_command_test(smoke_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:smoke> ${topic})
endforeach()
