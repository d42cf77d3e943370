# Short runs of the program against the similarity solution; wrong input.
foreach(topic IN ITEMS plane space sides options)
  sparse_command_test(blast_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:blast> ${topic})
endforeach()
