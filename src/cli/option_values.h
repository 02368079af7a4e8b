#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace ttscope::cli {

/// The value of a whole-number option, which stays as it is when the option is absent; false and a complaint
/// when it is none of at least `least`.
bool read_number(const ParsedArgs& args, std::string_view key, int least, int& number);

/// The parts of `a,b`; none that is empty.
std::vector<std::string> comma_separated(std::string_view list);

/// Whether the files that these options name can be written: they are not empty, not one of the inputs, and
/// at most one is standard output. Complains otherwise.
bool are_usable_outputs(const ParsedArgs& args, std::initializer_list<std::string_view> keys);

/// write_file() for the path of an option: nothing for one that was not given, and a reader that has seen
/// enough is no failure.
template <typename Write>
Result<void> write_output(const std::string& path, Write write) {
  if (path.empty()) return {};
  return forgive_closed_pipe(write_file(path, write), path);
}

}  // namespace ttscope::cli
