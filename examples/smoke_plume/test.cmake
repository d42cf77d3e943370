# A short run of the program: a jet that carries its smoke as fast as it comes in.
sparse_command_test(smoke_plume_short ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:smoke_plume> short)
