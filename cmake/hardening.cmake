# What compiler and linker do against errors in memory that a hostile file finds: for all that is compiled, but for the
# sanitizers' builds, which watch memory better and must not see the checked calls of FORTIFY instead of the real ones.
# tests/integration/hardening_test.py reads the programs and libraries for them.
include(CheckCXXCompilerFlag)

set(TTSCOPE_FORTIFIED OFF)
if(NOT TTSCOPE_SANITIZE AND NOT TTSCOPE_BUILD_FUZZ)
  add_compile_options(-fstack-protector-strong)
  set(ttscope_flags -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND ttscope_flags -fcf-protection)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND ttscope_flags -mbranch-protection=standard)
  endif()
  foreach(flag IN LISTS ttscope_flags)
    string(MAKE_C_IDENTIFIER "TTSCOPE_HAS${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
      add_compile_options(${flag})
    endif()
  endforeach()
  # Position independent: before CMake's own -fPIC of the libraries, of which the last one counts.
  string(APPEND CMAKE_CXX_FLAGS " -fPIE")
  string(APPEND CMAKE_EXE_LINKER_FLAGS " -pie")
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
  # Lengths of buffers are known to optimised code only; glibc warns otherwise.
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(TTSCOPE_FORTIFIED ON)
    # All of this costs 3 % of the processor time of `mem` on a log of 300 MB, and 1 to 3 % of that of `perf`.
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS)
  endif()
endif()

# ttscope_compile_quickly(target): not optimised, for tests.
function(ttscope_compile_quickly target)
  target_compile_options(${target} PRIVATE -O0 $<$<BOOL:${TTSCOPE_FORTIFIED}>:-U_FORTIFY_SOURCE>)
endfunction()

# ttscope_find_libraries(target "folder;..."): where the loader looks for our libraries, in the build as installed. With a path
# for each, CMake pads the shorter one with colons, and the loader takes an empty part for the current folder.
function(ttscope_find_libraries target folders)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${folders}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()
