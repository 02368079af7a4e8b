# ttscope_set_warnings(target): the warnings all our code is held to; errors when TTSCOPE_WERROR is on.
function(ttscope_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wpedantic)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Names that hide others are clang's to find: g++ 12 takes kNone of an `enum class` for one.
    # clang counts sign conversions among -Wconversion, g++ does not: one rule for both.
    target_compile_options(${target} PRIVATE -Wshadow -Wno-sign-conversion)
  elseif(TTSCOPE_SANITIZE)
    # The instrumentation of g++ 12 makes its flow analysis report values that are set on every path.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(TTSCOPE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
