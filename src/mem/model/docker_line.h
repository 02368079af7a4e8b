#pragma once

#include <string>
#include <string_view>

/// The file that docker's default log driver (json-file) keeps of a container's output:
///   {"log":"text\n","stream":"stdout","time":"2025-10-14T04:33:23.904873512Z"}
namespace ttscope::mem {

/// Whether a line is one of such a file.
bool is_docker_line(std::string_view line);

/// Whether it was written to standard error.
bool is_docker_error(std::string_view line);

/// Appends the text of such a line to `text`, without its escapes. Returns true when the text ends a line;
/// docker splits lines of more than 16 KiB, whose other pieces do not. A line that is none is taken as it is.
bool append_docker_text(std::string_view line, std::string& text);

}  // namespace ttscope::mem
