#pragma once

#include <memory>

#include "cli/menu/ui.h"

namespace ttscope::cli {

/// Asks line by line, with numbers instead of a selection: for terminals that understand no escape sequences.
std::unique_ptr<Ui> make_line_ui();

}  // namespace ttscope::cli
