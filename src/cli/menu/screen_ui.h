#pragma once

#include <memory>

#include "cli/menu/ui.h"

namespace ttscope::cli {

/// Asks on a terminal that understands escape sequences: arrow keys, lists, a line that can be edited.
std::unique_ptr<Ui> make_screen_ui(bool color);

}  // namespace ttscope::cli
