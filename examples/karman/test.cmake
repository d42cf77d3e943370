# Short runs of the program: the street, symmetry, solvers, 3D, cells that are not square; solvers that give up; wrong
# input.
foreach(topic IN ITEMS street symmetry solvers shapes limits options)
  sparse_command_test(karman_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:karman> ${topic})
endforeach()
sparse_command_test(nightly_karman_grids ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:karman> grids)
set_tests_properties(nightly_karman_grids PROPERTIES LABELS nightly TIMEOUT 3600)
