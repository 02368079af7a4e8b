#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "fit/report.h"

namespace ttscope::cli {

/// The options of `ttscope fit` that ask something: devices, changes, search.
std::vector<OptionSpec> fit_question_options(fit::FitQuery& question);

/// `--device`: what is no device is refused.
OptionSpec fit_device_option(fit::FitQuery& question, std::string_view help);

/// The devices of a list: at commas; those inside of `custom:...` belong to it.
std::vector<std::string> device_list(const std::string& text);

}  // namespace ttscope::cli
