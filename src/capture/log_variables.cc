#include "capture/log_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ttscope::capture {
namespace {

/// What a variable should be and what is lost with other values.
struct Wanted {
  std::string_view name;
  std::string_view value;
  std::vector<std::string_view> also_good;
  bool any_case = false;
  std::string_view otherwise;
};

const std::array<Wanted, 4>& wanted_variables() {
  static const std::array<Wanted, 4> kWanted = {{
      {"TTMLIR_RUNTIME_LOGGER_LEVEL", "DEBUG", {"TRACE"}, true, "op lines need DEBUG"},
      {"TT_RUNTIME_MEMORY_LOG_LEVEL",
       "operation",
       {"any", "all"},
       true,
       "memory lines for each op need operation"},
      {"TTXLA_LOGGER_LEVEL", "DEBUG", {"VERBOSE"}, false, "module dumps need DEBUG, in capital letters"},
      {"PYTHONUNBUFFERED", "1", {}, false, ""},
  }};
  return kWanted;
}

bool equal(std::string_view a, std::string_view b, bool any_case) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [any_case](char x, char y) {
    return x == y || (any_case && std::tolower(static_cast<unsigned char>(x)) ==
                                      std::tolower(static_cast<unsigned char>(y)));
  });
}

std::string remark_on(const Wanted& wanted, const std::string& value) {
  if (wanted.otherwise.empty() || equal(value, wanted.value, wanted.any_case)) return {};
  for (const std::string_view good : wanted.also_good) {
    if (equal(value, good, wanted.any_case)) return {};
  }
  return std::string(wanted.otherwise);
}

/// Variables that send lines elsewhere or leave them out.
std::vector<std::string> find_obstacles(const std::vector<std::string>& environment) {
  std::vector<std::string> found;
  std::string value;
  for (const std::string_view name : {"TTMLIR_RUNTIME_LOGGER_FILE", "TTXLA_LOGGER_FILE"}) {
    if (find_variable(environment, name, value) == nullptr || value.empty()) continue;
    found.push_back(
        fmt::format("{}={}: those lines go to that file, not into this log; unset {}", name, value, name));
  }
  if (find_variable(environment, "TTMLIR_RUNTIME_LOGGER_TYPES", value) != nullptr && !value.empty() &&
      value.find("RuntimeTTNN") == std::string::npos && value.find("All") == std::string::npos) {
    found.push_back(
        fmt::format("TTMLIR_RUNTIME_LOGGER_TYPES={}: leaves out RuntimeTTNN, the op lines; unset it", value));
  }
  if (find_variable(environment, "LOGGER_LEVEL", value) != nullptr) {
    found.push_back(
        "LOGGER_LEVEL is the old name of TTXLA_LOGGER_LEVEL: newer TT-XLA switches its log off when it is "
        "set; unset LOGGER_LEVEL");
  }
  return found;
}

}  // namespace

const std::string* find_variable(const std::vector<std::string>& environment, std::string_view name,
                                 std::string& value) {
  for (const std::string& entry : environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.compare(0, name.size(), name) == 0) {
      value = entry.substr(name.size() + 1);
      return &value;
    }
  }
  return nullptr;
}

LogEnvironment plan_environment(const std::vector<std::string>& environment) {
  LogEnvironment plan;
  plan.environment = environment;
  plan.obstacles = find_obstacles(environment);
  for (const Wanted& wanted : wanted_variables()) {
    LogVariable variable;
    variable.name = wanted.name;
    variable.is_users = find_variable(environment, wanted.name, variable.value) != nullptr;
    if (variable.is_users) {
      variable.remark = remark_on(wanted, variable.value);
    } else {
      variable.value = wanted.value;
      plan.environment.push_back(fmt::format("{}={}", wanted.name, wanted.value));
    }
    plan.variables.push_back(std::move(variable));
  }
  return plan;
}

}  // namespace ttscope::capture
