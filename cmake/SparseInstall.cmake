# The install tree: libraries, headers and a package config. find_package(sparse) then gives the sparse:: targets.

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sparse)
configure_package_config_file(cmake/sparse-config.cmake.in sparse-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(sparse-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sparse-config.cmake ${PROJECT_BINARY_DIR}/sparse-config-version.cmake
    cmake/SparseFindLibrary.cmake
  DESTINATION ${package_folder})
install(EXPORT sparse_targets NAMESPACE sparse:: DESTINATION ${package_folder})
if(SPARSE_MPI)
  install(EXPORT sparse_mpi_targets NAMESPACE sparse:: DESTINATION ${package_folder})
endif()
if(SPARSE_IO)
  install(EXPORT sparse_io_targets NAMESPACE sparse:: DESTINATION ${package_folder})
endif()
if(SPARSE_VTK)
  install(EXPORT sparse_io_vtk_targets NAMESPACE sparse:: DESTINATION ${package_folder})
endif()
if(TARGET sparse_app)
  install(EXPORT sparse_app_targets NAMESPACE sparse:: DESTINATION ${package_folder})
endif()
