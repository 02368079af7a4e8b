#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ttscope::capture {

/// What a short command prints; nothing when it cannot be started, fails, prints more than a page or takes
/// longer than `patience` (its group is killed then). Standard input is empty.
std::optional<std::string> command_output(const std::string& path, const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& environment,
                                          std::chrono::milliseconds patience);

}  // namespace ttscope::capture
