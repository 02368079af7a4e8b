# ttscope_add_layer(<layer> [ROOT folder] [PUBLIC lib...] [PRIVATE lib...]): the static library ttscope_<layer> of all
# sources under src/<layer>, or <folder>/<layer>. main.cc is never part of a layer.
function(ttscope_add_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT" "PUBLIC;PRIVATE")
  if(NOT arg_ROOT)
    set(arg_ROOT src)
  endif()
  set(target ttscope_${layer})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${arg_ROOT}/${layer}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  add_library(${target} STATIC ${sources})
  set_property(GLOBAL APPEND PROPERTY TTSCOPE_LAYERS ${layer})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/${arg_ROOT})
  # The layers are also linked into the library and the Python module.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  ttscope_set_warnings(${target})
  if(TTSCOPE_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ttscope_headers)
  endif()
endfunction()

# Half of the time of a small file goes into these headers. The preset `clang` (`./dev lint`) compiles without, so that every file
# still has to name what it uses.
if(TTSCOPE_PRECOMPILED)
  file(WRITE ${PROJECT_BINARY_DIR}/headers.cc "")
  add_library(ttscope_headers OBJECT ${PROJECT_BINARY_DIR}/headers.cc)
  set_target_properties(ttscope_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(ttscope_headers PRIVATE fmt::fmt tl::expected)
  target_precompile_headers(ttscope_headers PRIVATE
    <algorithm> <array> <charconv> <functional> <map> <memory> <optional> <string> <string_view> <utility> <vector>
    <fmt/format.h> <tl/expected.hpp>)
  ttscope_set_warnings(ttscope_headers)
endif()
