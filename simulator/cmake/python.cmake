# The Python modules and stand-ins of the simulator, included by cmake/python.cmake.
list(APPEND python_modules ttscope_record_python ttscope_metal_python)

# The marks of the recorder; needs no package.
Python_add_library(ttscope_record_python MODULE WITH_SOABI ${PROJECT_SOURCE_DIR}/python/record/record_module.cc)
target_link_libraries(ttscope_record_python PRIVATE ttscope_record)
target_compile_options(ttscope_record_python PRIVATE -O2 -g0 -Wall -Wextra -Wconversion)
set_target_properties(ttscope_record_python PROPERTIES
  OUTPUT_NAME _record LIBRARY_OUTPUT_DIRECTORY ${python_build_dir})
# The path from the package's folder to the library: in the build, installed, and installed in Debian's layout.
set(python_library_folders "$ORIGIN/../..;$ORIGIN/../../..;$ORIGIN/../../../${CMAKE_LIBRARY_ARCHITECTURE}")
ttscope_find_libraries(ttscope_record_python "${python_library_folders}")
add_dependencies(ttscope_python ttscope_record_python)
if(TTSCOPE_WERROR)
  target_compile_options(ttscope_record_python PRIVATE -Werror)
endif()

# Simulated chips, for the stand-in of ttnn.
pybind11_add_module(ttscope_metal_python MODULE NO_EXTRAS ${PROJECT_SOURCE_DIR}/python/metal/metal_module.cc)
target_link_libraries(ttscope_metal_python PRIVATE ttscope_metal)
target_compile_options(ttscope_metal_python PRIVATE -O1 -g0 -Wall -Wextra -Wconversion -Wno-sign-conversion)
set_target_properties(ttscope_metal_python PROPERTIES
  OUTPUT_NAME _metal LIBRARY_OUTPUT_DIRECTORY ${python_build_dir})
ttscope_find_libraries(ttscope_metal_python "${python_library_folders}")
add_dependencies(ttscope_python ttscope_metal_python)

# `tracy` and `ttnn` for where tt-metal's are absent: `ttscope trace` alone puts them on Python's path.
file(GLOB_RECURSE standin_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/standins/*.py)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/python_standins/made VERBATIM
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/python/standins ${PROJECT_BINARY_DIR}/python_standins
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/python_standins/made
  DEPENDS ${standin_files})
add_custom_target(ttscope_standins ALL DEPENDS ${PROJECT_BINARY_DIR}/python_standins/made)
add_dependencies(ttscope_python ttscope_standins)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/standins/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ttscope/python_standins
  FILES_MATCHING PATTERN "*.py" PATTERN "*.cpp")
