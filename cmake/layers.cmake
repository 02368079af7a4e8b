# ttscope_add_layer(<layer> [PUBLIC lib...] [PRIVATE lib...]): the static library ttscope_<layer> of all
# sources under src/<layer>. main.cc is never part of a layer.
function(ttscope_add_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE")
  set(target ttscope_${layer})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  ttscope_set_warnings(${target})
endfunction()
