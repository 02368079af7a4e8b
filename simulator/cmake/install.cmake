install(DIRECTORY device/firmware device/ops DESTINATION ${CMAKE_INSTALL_DATADIR}/ttscope/device)

# The library: find_package(ttscope) gives ttscope::ttscope.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ttscope)
install(TARGETS ttscope_tt_metal_compat EXPORT ttscope_targets)
install(TARGETS ttscope_tracy EXPORT ttscope_targets)
install(TARGETS ttscope_library ttscope_record ttscope_ttml_names EXPORT ttscope_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  NAMELINK_COMPONENT library)
install(DIRECTORY include/ttscope include/tt_metal_compat include/tracy_compat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library)
install(EXPORT ttscope_targets NAMESPACE ttscope:: FILE ttscope-config.cmake DESTINATION ${package_dir}
  COMPONENT library)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ttscope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ttscope-config-version.cmake DESTINATION ${package_dir} COMPONENT library)
