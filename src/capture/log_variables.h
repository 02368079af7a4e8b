#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ttscope::capture {

/// A variable that decides what a runtime prints.
struct LogVariable {
  std::string name;
  std::string value;      ///< that the program gets
  bool is_users = false;  ///< it was set already and stays as it is
  std::string remark;     ///< what is wrong with the user's value; empty: nothing
};

/// The environment of a captured program.
struct LogEnvironment {
  std::vector<LogVariable> variables;    ///< those that make the log useful, in the order they are told
  std::vector<std::string> obstacles;    ///< other variables that keep lines out of the log, with what to do
  std::vector<std::string> environment;  ///< all of it, `NAME=value`
};

/// Adds what makes a log useful to `environment` (`NAME=value`) and keeps what is set there.
LogEnvironment plan_environment(const std::vector<std::string>& environment);

/// The value of a variable in `environment`; null when it is not set.
const std::string* find_variable(const std::vector<std::string>& environment, std::string_view name,
                                 std::string& value);

}  // namespace ttscope::capture
