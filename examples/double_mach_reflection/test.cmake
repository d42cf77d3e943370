sparse_command_test(example_double_mach_reflection ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:double_mach_reflection> results)
