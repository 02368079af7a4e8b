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

// Options, each bound to the field that it fills. A field keeps what it has where the option is not given.

/// `value`: what the flag sets.
OptionSpec flag_option(std::string_view names, bool& field, std::string_view help, bool value = true);

template <typename Text>  // std::string, or std::optional where "" is not the same as not given
OptionSpec text_option(std::string_view names, std::string_view value_name, Text& field,
                       std::string_view help, ValueKind kind = ValueKind::kText) {
  OptionSpec option{names, value_name, help, kind};
  option.take = [&field](std::string_view, const std::string& value) {
    field = value;
    return std::string();
  };
  return option;
}

/// Text that `take` reads, or complains about.
OptionSpec value_option(std::string_view names, std::string_view value_name, TakeValue take,
                        std::string_view help);

/// A whole number of at least `least`.
OptionSpec number_option(std::string_view names, std::string_view value_name, int least, int& field,
                         std::string_view help);
OptionSpec number_option(std::string_view names, std::string_view value_name, int least,
                         std::optional<int>& field, std::string_view help);

OptionSpec choice_option(std::string_view names, std::string_view value_name,
                         std::vector<std::string_view> choices, std::string& field, std::string_view help);

OptionSpec choice_option(std::string_view names, std::string_view value_name,
                         std::vector<std::string_view> choices, TakeValue take, std::string_view help);

/// What each choice means for the field.
template <typename Field>
OptionSpec choice_option(
    std::string_view names, std::string_view value_name,
    std::initializer_list<std::pair<std::string_view, std::type_identity_t<Field>>> choices, Field& field,
    std::string_view help) {
  OptionSpec option{names, value_name, help, ValueKind::kChoice};
  for (const auto& choice : choices) option.choices.push_back(choice.first);
  option.take = [&field, all = std::vector(choices)](std::string_view, const std::string& value) {
    for (const auto& [name, meaning] : all) {
      if (name == value) field = meaning;
    }
    return std::string();
  };
  return option;
}

/// The complaint about a value that is not what the option takes: `--top x: expected a whole number`.
std::string wrong_value(std::string_view key, std::string_view value, std::string_view expected);
/// The same for a number below `least` or none at all; nothing where it was read.
std::string take_number(std::string_view key, const std::string& value, int least, int& number);

/// Seconds of `30d`, `12h` or `90m`; a number alone is days.
std::optional<std::int64_t> age_seconds(std::string_view text);

/// What stands between commas, blanks and empty parts too; one part where there is no comma.
std::vector<std::string_view> comma_parts(std::string_view list);
/// The parts of `a, b` without the blanks around them; none that is empty.
std::vector<std::string> comma_separated(std::string_view list);

/// write_file() for the path of an option: nothing for one that was not given, and a reader that has seen
/// enough is no failure. Control characters are made visible where the output goes to a terminal.
template <typename Write>
Result<void> write_output(const std::string& path, Write write) {
  if (path.empty()) return {};
  if (!is_terminal_path(path)) return ignore_closed_pipe(write_file(path, write), path);
  Result<std::unique_ptr<Writer>> direct = open_writer(path);
  if (!direct) return failure(direct.error());
  VisibleWriter out(std::move(*direct));
  if constexpr (std::is_void_v<decltype(write(out))>) {
    write(out);
  } else {
    if (Result<void> written = write(out); !written) return written;
  }
  return ignore_closed_pipe(out.finish(), path);
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
