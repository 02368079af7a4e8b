#pragma once

#include <cstddef>
#include <string_view>

namespace ttscope::mem {

/// Where the next failure message of a line begins, from `from` on; npos when there is none. A mark is no
/// more than a hint: parse_failure() says whether a message stands there.
std::size_t find_failure_mark(std::string_view line, std::size_t from);

/// Whether a mark is of the host's memory: such a line tells of the end of the program too.
bool is_host_mark(std::string_view text);

/// Whether a line is an op or an attribute of a module dump. They are many and long, and hold no message.
bool is_module_text(std::string_view line);

}  // namespace ttscope::mem
