# Short runs of the program against tables and exact solutions; wrong input; a run in two parts.
foreach(topic IN ITEMS errors hard options parts samples)
  sparse_command_test(shock_tube_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:shock_tube> ${topic} ${PROJECT_SOURCE_DIR}/tests/data)
endforeach()
