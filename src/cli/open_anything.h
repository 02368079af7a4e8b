#pragma once

#include <string>
#include <vector>

namespace ttscope::cli {

/// Whether a first argument that is no command is meant as a file: it is there, is `-`, or looks like a path.
bool is_meant_as_file(const std::string& argument);

/// `ttscope FILE... [options]`: tells what the first file is and runs the command that reads it with all
/// arguments. Files of several subjects are an error. Device time is only shown: files of a report are
/// written where options ask for them.
int open_anything(const std::vector<std::string>& args);

}  // namespace ttscope::cli
