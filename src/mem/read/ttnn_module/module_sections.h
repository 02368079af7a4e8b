#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ttscope::mem {

/// The lines of one TTNN module in a text.
struct ModuleSection {
  std::vector<std::string_view> lines;  ///< without what tools write before them; none is left out
  std::uint32_t first_line = 1;         ///< of lines[0]
  bool is_pass_dump = false;            ///< `IR Dump After ...`: the next one may be of the same program
  bool is_module = false;               ///< not a single function
};

/// The TTNN modules of a text that is nothing else, or has them without a header of TT-XLA: files of the
/// compiler, several one after the other, `// -----` between them, or the IR after every pass, of which the
/// last TTNN stage of each program is taken. Stages of other dialects are left out. The sections point into
/// the text.
std::vector<ModuleSection> find_modules(std::string_view text);

}  // namespace ttscope::mem
