# The Debian package: `./dev package`, or `cpack -G DEB` in a build directory.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ttscope)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "ttscope maintainers <maintainers@ttscope.invalid>")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Tells where the device memory of models on Tenstorrent accelerators goes.
It reads runtime logs of TT-XLA and tt-mlir, runs programs so that they print
such logs, writes reports as pages, JSON and markdown, and serves them to a
browser. Commands: ttscope, ttmem, tt-memory-profiler, analyze_memory. With a
C++ library and a Python module that track the memory of training.")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy")
# The versions of the libraries that the program was linked with.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_layout.cmake)
include(CPack)
