# A short run of the program: what comes in goes out, by two exits, with three inks.
sparse_command_test(obstacles_short ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:obstacles> short)
