# A short run against point vortices and other methods; pairs that do not pass; wrong input. At night the four passes on a fine grid.
foreach(topic IN ITEMS passes apart options)
  sparse_command_test(leapfrog_vortices_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:leapfrog_vortices> ${topic})
endforeach()
sparse_command_test(nightly_leapfrog_vortices ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:leapfrog_vortices> turns)
set_tests_properties(nightly_leapfrog_vortices PROPERTIES LABELS nightly TIMEOUT 3600)
