#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/terminal.h"

namespace ttscope::cli {

/// The value of a whole-number option, which stays as it is when the option is absent; false and a complaint
/// when it is none of at least `least`.
bool read_number(const ParsedArgs& args, std::string_view key, int least, int& number);

/// Seconds of `30d`, `12h` or `90m`; a number alone is days.
std::optional<std::int64_t> age_seconds(std::string_view text);

/// What stands between commas, blanks and empty parts too; one part where there is no comma.
std::vector<std::string_view> comma_parts(std::string_view list);
/// The parts of `a, b` without the blanks around them; none that is empty.
std::vector<std::string> comma_separated(std::string_view list);

/// Whether the files that these options name can be written: they are not empty, not one of the inputs, and
/// at most one is standard output. Complains otherwise.
bool are_usable_outputs(const ParsedArgs& args, std::initializer_list<std::string_view> keys);

/// write_file() for the path of an option: nothing for one that was not given, and a reader that has seen
/// enough is no failure. Control characters are made visible where the output goes to a terminal.
template <typename Write>
Result<void> write_output(const std::string& path, Write write) {
  if (path.empty()) return {};
  if (!is_terminal_path(path)) return forgive_closed_pipe(write_file(path, write), path);
  Result<std::unique_ptr<Writer>> direct = open_writer(path);
  if (!direct) return failure(direct.error());
  VisibleWriter out(std::move(*direct));
  if constexpr (std::is_void_v<decltype(write(out))>) {
    write(out);
  } else {
    if (Result<void> written = write(out); !written) return written;
  }
  return forgive_closed_pipe(out.finish(), path);
}

/// A size that a user typed, in bytes: `943718400`, `900MB`, `1.5 GiB`; units of 1024. Absent if it is none.
std::optional<std::int64_t> parse_size(std::string_view text);
/// `90%` as 0.9.
std::optional<double> parse_share(std::string_view text);

/// A bound that a user typed: a share or bytes.
struct LimitValue {
  double fraction = -1;  ///< < 0: bytes are given
  std::int64_t bytes = 0;
};

/// `90%`, `1048576`, `900MB`, `1.5GiB`; units of 1024. Nothing when it is none of these.
std::optional<LimitValue> parse_limit(std::string_view text);

}  // namespace ttscope::cli
