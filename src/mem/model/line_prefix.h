#pragma once

#include <string>
#include <string_view>

/// What stands before a message in a line of a log. Readers and the copying of lines must agree about it.
namespace ttscope::mem {

/// Takes the rank tag, if any, off the beginning of a line: `1,0` of `[1,0]<stdout>: `, the name of
/// `[host=name] `. CI timestamps before it are taken off too. `line` is shortened only when a tag or
/// timestamp was found.
std::string_view take_rank_tag(std::string_view& line);

/// True for a line that a logger wrote: such a line ends a module dump that has no end mark.
bool has_logger_prefix(std::string_view line);

/// Removes `ESC [ ... m` sequences.
std::string without_colours(std::string_view text);

}  // namespace ttscope::mem
