# The README shows this program and what it prints.
sparse_command_test(first_steps_in_readme ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_readme.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:first_steps>)
