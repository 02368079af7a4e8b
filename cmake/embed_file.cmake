# ttscope_embed_file(<target> <file> <symbol>): puts the bytes of <file> (relative to the source directory)
# into <target> as the function `std::string_view <symbol>()`, where <symbol> is a qualified name such as
# ttscope::cli::agents_text. The code that calls it declares that function in a header of its own.
#
# The file is also the script of its own build step, so that a change of the embedded file needs no new
# configure run.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  string(REGEX MATCH "^(.*)::([^:]+)$" qualified "${SYMBOL}")
  set(namespace "${CMAKE_MATCH_1}")
  set(function "${CMAKE_MATCH_2}")
  file(SIZE "${INPUT}" size)
  file(READ "${INPUT}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REPEAT "0x..," 20 row)
  string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
  # The closing zero keeps the array valid when the file is empty.
  file(WRITE "${OUTPUT}" "#include <string_view>

namespace ${namespace} {

std::string_view ${function}();

static constexpr unsigned char kBytes[] = {
${bytes}0};

std::string_view ${function}() { return {reinterpret_cast<const char*>(kBytes), ${size}}; }

}  // namespace ${namespace}
")
  return()
endif()

set(TTSCOPE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(ttscope_embed_file target file symbol)
  if(NOT symbol MATCHES "^.+::[^:]+$")
    message(FATAL_ERROR "ttscope_embed_file: expected a qualified name, found `${symbol}`")
  endif()
  set(input ${PROJECT_SOURCE_DIR}/${file})
  string(REPLACE "::" "_" name ${symbol})
  set(output ${PROJECT_BINARY_DIR}/embedded/${name}.cc)
  add_custom_command(OUTPUT ${output} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DSYMBOL=${symbol} -P ${TTSCOPE_EMBED_SCRIPT}
    DEPENDS ${input} ${TTSCOPE_EMBED_SCRIPT}
    COMMENT "Embedding ${file}")
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${output})
endfunction()
