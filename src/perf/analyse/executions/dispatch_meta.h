#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope::perf {

/// The op that a dispatch core works for: `{"workers_runtime_id":1024}`. Nothing if the meta data do not say.
std::optional<std::uint64_t> op_id_in_meta(std::string_view meta);
/// What it does: `{"dispatch_command_type":"CQ_DISPATCH_CMD_WAIT"}`.
std::optional<std::string_view> command_in_meta(std::string_view meta);

}  // namespace ttscope::perf
