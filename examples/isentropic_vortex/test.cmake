# Short runs of the program: orders of convergence, levels, wrong input.
foreach(topic IN ITEMS orders levels options)
  sparse_command_test(isentropic_vortex_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:isentropic_vortex> ${topic})
endforeach()
