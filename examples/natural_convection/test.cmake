# Short runs of the program: heat by conduction and by convection against tables; wrong input.
foreach(topic IN ITEMS conduction tables options)
  sparse_command_test(natural_convection_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:natural_convection> ${topic})
endforeach()
