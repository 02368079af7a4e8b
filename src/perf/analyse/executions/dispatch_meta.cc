#include "perf/analyse/executions/dispatch_meta.h"

#include "base/number_text.h"

namespace ttscope::perf {
namespace {

/// What follows `"name":`.
std::optional<std::string_view> behind_key(std::string_view meta, std::string_view key) {
  const std::size_t at = meta.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return meta.substr(at + key.size());
}

}  // namespace

std::optional<std::uint64_t> op_id_in_meta(std::string_view meta) {
  const auto rest = behind_key(meta, "\"workers_runtime_id\":");
  if (!rest) return std::nullopt;
  return parse_unsigned(rest->substr(0, rest->find_first_of(";}"))).value_or(0);
}

std::optional<std::string_view> command_in_meta(std::string_view meta) {
  const auto rest = behind_key(meta, "\"dispatch_command_type\":\"");
  if (!rest) return std::nullopt;
  return rest->substr(0, rest->find('"'));
}

}  // namespace ttscope::perf
