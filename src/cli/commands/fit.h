#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "fit/report.h"

namespace ttscope::cli {

/// The options of `ttscope fit` that ask something: devices, changes, search.
std::vector<OptionSpec> fit_question_options();

/// The devices of a list: at commas; those inside of `custom:...` belong to it.
std::vector<std::string> device_list(const std::string& text);

/// Reads `--device`; false and a complaint where a device is not known.
bool read_devices(const ParsedArgs& args, fit::Question& question);

/// Reads them; false and a complaint where one is wrong.
bool read_fit_question(const ParsedArgs& args, fit::Question& question);

}  // namespace ttscope::cli
