#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// What stands before a message in a line of a log. Readers and the copying of lines must agree about it.
namespace ttscope::mem {

/// Takes what tools write in front of every line off the beginning: times, labels of processes, line numbers
/// (prefix_pieces.h), in any order and colour. Returns what tells the processes of a log apart: `1,0` of
/// `[1,0]<stdout>: `, `rank0` of `[rank0]: `, `pid=12` of `(Worker pid=12) `; empty if nothing does. The
/// runtime's own prefix stays.
std::string_view take_rank_tag(std::string_view& line);

/// Where the message begins when the runtime logger's prefix stands at column 0; npos otherwise:
///   ESC[32m<type, 23 wide>ESC[0m | ESC[1m<colour><level, 8 wide>ESC[0m | message
/// or the same without colours.
std::size_t runtime_message_start(std::string_view line);

/// Takes what ends a colour (`ESC[0m`, `ESC[0;0m`) off the beginning of a line.
void take_reset(std::string_view& line);

/// Without what ends colours and lines of terminals (`ESC[0m`, `ESC[K`) at the end.
std::string_view without_trailing_colour(std::string_view line);

/// True for a line that a logger wrote: such a line ends a module dump that has no end mark.
bool has_logger_prefix(std::string_view line);

/// Removes `ESC [ ... m` sequences, and `K`, which erases.
std::string without_colours(std::string_view text);

}  // namespace ttscope::mem
