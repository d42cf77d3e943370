# Short runs of the program: steady flows against tables, on two grids; films; wrong input.
foreach(topic IN ITEMS tables films options)
  sparse_command_test(cavity_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:cavity> ${topic})
endforeach()
sparse_command_test(nightly_cavity_reynolds ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:cavity> reynolds)
set_tests_properties(nightly_cavity_reynolds PROPERTIES LABELS nightly TIMEOUT 3600)
