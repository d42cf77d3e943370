# Short runs of the program: results, samples, runs in parts, wrong input, faults.
foreach(topic IN ITEMS results samples parts options faults)
  sparse_command_test(mach2_cylinder_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:mach2_cylinder> ${topic})
endforeach()
