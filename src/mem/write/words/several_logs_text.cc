#include "mem/write/words/several_logs_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttscope::mem {
namespace {

std::string sign_text(const SeveralLogs& logs) {
  using Sign = SeveralLogs::Sign;
  switch (logs.sign) {
    case Sign::kSameRank:
      return fmt::format("both have lines of `{}`", logs.detail);
    case Sign::kOtherDevice:
      return "their devices are not alike";
    case Sign::kOtherOps:
      return fmt::format("`{}` has other ops in one than in the other", logs.detail);
    case Sign::kNames:
      return fmt::format("their names say {}", logs.detail);
    case Sign::kNone:
      break;
  }
  return {};
}

}  // namespace

std::string several_logs_text(const SeveralLogs& logs) {
  if (logs.files.size() < 2) return {};
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("{} logs are taken as ranks of one run: ", logs.files.size());
  for (std::size_t i = 0; i < logs.files.size() && i < kShown; ++i) {
    const SeveralLogs::File& file = logs.files[i];
    text += i == 0 ? "" : ", ";
    if (file.ranks.empty()) {
      text += fmt::format("{} has none", file.path);
    } else {
      text += fmt::format("{} is rank{} {}", file.path, file.ranks.size() == 1 ? "" : "s",
                          fmt::join(file.ranks, ", "));
    }
  }
  if (logs.files.size() > kShown) text += ", ...";
  const std::string command = logs.files.size() == 2 ? fmt::format("`ttscope diff {} {}` compares two runs",
                                                                   logs.files[0].path, logs.files[1].path)
                                                     : "`ttscope diff` compares two runs";
  const std::string sign = sign_text(logs);
  if (sign.empty()) return fmt::format("{} ({})", text, command);
  return fmt::format("{}\nthey look like two runs, because {}: {}", text, sign, command);
}

}  // namespace ttscope::mem
