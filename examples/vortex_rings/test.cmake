# Rings that slip through each other once on a coarse grid, and head on; wrong input. At night twice, on a finer grid.
foreach(topic IN ITEMS leapfrog head_on options)
  sparse_command_test(vortex_rings_${topic} ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:vortex_rings> ${topic})
endforeach()
sparse_command_test(nightly_vortex_rings ${Python3_EXECUTABLE}
  ${CMAKE_CURRENT_LIST_DIR}/test_program.py $<TARGET_FILE:vortex_rings> twice)
set_tests_properties(nightly_vortex_rings PROPERTIES LABELS nightly TIMEOUT 7200)
