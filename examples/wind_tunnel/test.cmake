# A short run of the program: the wind, what it does to the vehicle, and what the vehicle does to the wind.
sparse_command_test(wind_tunnel_short ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:wind_tunnel> short)
