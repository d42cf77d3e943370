# Short runs of the program: the shock, the tracer, symmetry; wrong input.
foreach(topic IN ITEMS light heavy options)
  sparse_command_test(shock_bubble_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:shock_bubble> ${topic})
endforeach()
