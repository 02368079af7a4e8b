# TTSCOPE_SANITIZE: a list of sanitizers for everything that is compiled, e.g. "address;undefined" or "thread".
set(TTSCOPE_SANITIZE "" CACHE STRING "Sanitizers to build with (a CMake list)")

if(TTSCOPE_SANITIZE)
  list(JOIN TTSCOPE_SANITIZE "," ttscope_sanitizers)
  add_compile_options(-fsanitize=${ttscope_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ttscope_sanitizers})
endif()

if(TTSCOPE_BUILD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TTSCOPE_BUILD_FUZZ needs clang: use the preset `fuzz`")
  endif()
  # Coverage counters everywhere; the driver itself is linked into the fuzz targets only. Comparisons of numbers are not
  # traced: that takes a quarter of the time and tells little in texts, whose words stand in dictionaries.
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
endif()

# Checked containers and iterators wherever speed is not the point.
if(TTSCOPE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
