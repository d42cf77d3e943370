# Short runs of the program: what case files can say, by which methods, and how they refuse what they cannot.
foreach(topic IN ITEMS channel methods shapes surfaces space heat errors)
  sparse_command_test(flow_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:flow> ${topic})
endforeach()
