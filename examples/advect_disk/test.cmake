# Short runs of the program: errors, bounds, mass; the last step; wrong input.
foreach(topic IN ITEMS plane space end options)
  sparse_command_test(advect_disk_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:advect_disk> ${topic})
endforeach()
