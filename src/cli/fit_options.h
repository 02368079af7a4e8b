#pragma once

#include <vector>

#include "cli/command.h"
#include "fit/question.h"

namespace ttscope::cli {

/// The options of `ttscope fit` that ask something: devices, changes, search.
std::vector<OptionSpec> fit_question_options();

/// Reads them; false and a complaint where one is wrong.
bool read_fit_question(const ParsedArgs& args, fit::Question& question);

}  // namespace ttscope::cli
