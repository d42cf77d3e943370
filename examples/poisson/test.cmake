# Short runs of the program: errors as theory has them, orders, iterations, solids; solvers that give up; wrong input.
foreach(topic IN ITEMS errors orders comparison solids limits options)
  sparse_command_test(poisson_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:poisson> ${topic})
endforeach()
