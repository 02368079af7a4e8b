#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/writer.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace ttscope::cli {

/// The value of a whole-number option, which stays as it is when the option is absent; false and a complaint
/// when it is none of at least `least`.
bool read_number(const ParsedArgs& args, std::string_view key, int least, int& number);

/// Whether the files that these options name can be written: they are not empty, not one of the inputs, and
/// at most one is standard output. Complains otherwise.
bool are_usable_outputs(const ParsedArgs& args, std::initializer_list<std::string_view> keys);

/// Writes one output; nothing for an empty path. `write` takes the Writer and returns a Result<void>.
template <typename Write>
Result<void> write_output(const std::string& path, Write write) {
  if (path.empty()) return {};
  Result<std::unique_ptr<Writer>> writer = open_writer(path);
  if (!writer) return failure(writer.error());
  const Result<void> written = write(**writer);
  if (!written) return written;
  return forgive_closed_pipe((*writer)->finish(), path);
}

}  // namespace ttscope::cli
