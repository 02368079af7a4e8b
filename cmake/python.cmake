# The Python package `ttscope`: the extension module _core beside the files of python/ttscope. In the build directory
# it can be used as it lies there (PYTHONPATH=build/release/python).
set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python for which the module is built")
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 CONFIG REQUIRED)

set(python_build_dir ${PROJECT_BINARY_DIR}/python/ttscope)
file(GLOB binding_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/bindings/*.cc)
if(NOT TTSCOPE_BUILD_SIMULATOR)
  list(FILTER binding_sources INCLUDE REGEX "/(module|profile_bindings)\\.cc$")
endif()
pybind11_add_module(ttscope_python MODULE NO_EXTRAS ${binding_sources})
target_link_libraries(ttscope_python PRIVATE ttscope_app fmt::fmt)
if(TTSCOPE_BUILD_SIMULATOR)
  target_link_libraries(ttscope_python PRIVATE ttscope_sim)
  target_compile_definitions(ttscope_python PRIVATE TTSCOPE_HAS_SIMULATOR)
endif()
# Glue between languages: what it calls is optimised, and pybind11 is slow to compile.
target_compile_definitions(ttscope_python PRIVATE TTSCOPE_VERSION="${PROJECT_VERSION}")
target_compile_options(ttscope_python PRIVATE -O1 -g0 -Wall -Wextra -Wconversion -Wno-sign-conversion)
if(TTSCOPE_WERROR)
  target_compile_options(ttscope_python PRIVATE -Werror)
endif()
set_target_properties(ttscope_python PROPERTIES
  OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${python_build_dir})

set(python_modules ttscope_python)
if(TTSCOPE_BUILD_SIMULATOR)
  include(simulator/cmake/python.cmake)
endif()

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
install(TARGETS ${python_modules} LIBRARY DESTINATION "\${TTSCOPE_PYTHON_DIR}/ttscope")
install(FILES ${python_files} DESTINATION "\${TTSCOPE_PYTHON_DIR}/ttscope")
install(FILES ${python_stubs} DESTINATION "\${TTSCOPE_PYTHON_DIR}/ttscope/_core")
