#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::cli {

/// Command lines as Python's argparse reads them, for programs that stand in for a Python script: scripts
/// around those know its abbreviations, its messages and its help.
struct PythonOption {
  std::string_view name;     ///< `--logs`
  std::string_view metavar;  ///< `LOGS`; empty for a flag
  std::string_view help;
  bool required = false;
  bool number = false;  ///< the value must be what Python's float() takes
};

struct PythonProgram {
  std::string name;  ///< as called
  std::string_view description;
  std::vector<PythonOption> options;  ///< without -h, --help
};

struct PythonArgs {
  bool help_wanted = false;
  std::string error;  ///< not empty: wrong usage
  std::map<std::string, std::string, std::less<>> values;

  bool has(std::string_view name) const { return values.find(name) != values.end(); }
  std::string value(std::string_view name, std::string_view otherwise = {}) const {
    const auto found = values.find(name);
    return found == values.end() ? std::string(otherwise) : found->second;
  }
};

PythonArgs parse_python_args(const PythonProgram& program, const std::vector<std::string>& args);

/// `usage: ...` broken for a terminal of that many columns, with its newline.
std::string python_usage(const PythonProgram& program, int columns);
std::string python_help(const PythonProgram& program, int columns);

/// What float() makes of a text; absent where it raises ValueError.
std::optional<double> python_float(std::string_view text);
/// A text as repr() shows it.
std::string python_repr(std::string_view text);

}  // namespace ttscope::cli
