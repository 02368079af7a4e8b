# The Python package `ttscope`: the extension module _core beside the files of python/ttscope. In the build directory
# it can be used as it lies there (PYTHONPATH=build/release/python).
set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python for which the module is built")
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 CONFIG REQUIRED)

set(python_build_dir ${PROJECT_BINARY_DIR}/python/ttscope)
file(GLOB binding_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/bindings/*.cc)
pybind11_add_module(ttscope_python MODULE NO_EXTRAS ${binding_sources})
target_link_libraries(ttscope_python PRIVATE ttscope_sim ttscope_app fmt::fmt)
# Glue between languages: what it calls is optimised, and pybind11 is slow to compile.
target_compile_definitions(ttscope_python PRIVATE TTSCOPE_VERSION="${PROJECT_VERSION}")
target_compile_options(ttscope_python PRIVATE -O1 -g0 -Wall -Wextra -Wconversion -Wno-sign-conversion)
if(TTSCOPE_WERROR)
  target_compile_options(ttscope_python PRIVATE -Werror)
endif()
set_target_properties(ttscope_python PROPERTIES
  OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${python_build_dir})

# The marks of the recorder; needs no package.
Python_add_library(ttscope_record_python MODULE WITH_SOABI ${PROJECT_SOURCE_DIR}/python/record/record_module.cc)
target_link_libraries(ttscope_record_python PRIVATE ttscope_record)
target_compile_options(ttscope_record_python PRIVATE -O2 -g0 -Wall -Wextra -Wconversion)
set_target_properties(ttscope_record_python PROPERTIES
  OUTPUT_NAME _record LIBRARY_OUTPUT_DIRECTORY ${python_build_dir})
# Where the library is from the folder of the package: in the build, installed, and installed in Debian's layout.
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

file(GLOB python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/ttscope/*.py
  ${PROJECT_SOURCE_DIR}/python/ttscope/py.typed)
file(GLOB python_stubs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/ttscope/_core/*.pyi)
add_custom_command(TARGET ttscope_python POST_BUILD VERBATIM
  COMMAND ${CMAKE_COMMAND} -E make_directory ${python_build_dir}/_core
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${python_files} ${python_build_dir}
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${python_stubs} ${python_build_dir}/_core)
set_property(TARGET ttscope_python PROPERTY LINK_DEPENDS ${python_files} ${python_stubs})

# Debian's Python looks in dist-packages under /usr and /usr/local, and nowhere in a folder of that name elsewhere; an
# environment and a home directory have site-packages. The prefix is known when it is installed.
execute_process(COMMAND ${Python_EXECUTABLE} -c
  "import sysconfig; print('dist-packages' if 'deb_system' in sysconfig.get_scheme_names() else 'site-packages')"
  OUTPUT_VARIABLE python_system_folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(TTSCOPE_PYTHON_FOLDER "" CACHE STRING "Where the Python package is installed, under the prefix; empty: where Python looks")
install(CODE "
  set(TTSCOPE_PYTHON_DIR \"${TTSCOPE_PYTHON_FOLDER}\")
  if(NOT TTSCOPE_PYTHON_DIR AND CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?$\")
    set(TTSCOPE_PYTHON_DIR lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/${python_system_folder})
  elseif(NOT TTSCOPE_PYTHON_DIR)
    set(TTSCOPE_PYTHON_DIR lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages)
  endif()")
install(TARGETS ttscope_python ttscope_record_python ttscope_metal_python LIBRARY DESTINATION "\${TTSCOPE_PYTHON_DIR}/ttscope")
install(FILES ${python_files} DESTINATION "\${TTSCOPE_PYTHON_DIR}/ttscope")
install(FILES ${python_stubs} DESTINATION "\${TTSCOPE_PYTHON_DIR}/ttscope/_core")
