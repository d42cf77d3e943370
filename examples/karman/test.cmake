# Short runs of the program: the street, methods, symmetry, solvers, 3D, cells that are not square, curved walls; solvers that give up;
# wrong input. At night finer grids, and where the street begins.
foreach(topic IN ITEMS street methods symmetry solvers shapes surfaces limits options)
  sparse_command_test(karman_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:karman> ${topic})
endforeach()
foreach(topic IN ITEMS grids onset)
  sparse_command_test(nightly_karman_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:karman> ${topic})
  set_tests_properties(nightly_karman_${topic} PROPERTIES LABELS nightly TIMEOUT 3600)
endforeach()
