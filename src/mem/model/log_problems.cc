#include "mem/model/log_problems.h"

#include <array>

namespace ttscope::mem {

const ProblemInfo& info_of(LogProblem problem) {
  static constexpr std::array<ProblemInfo, kLogProblemCount> kInfos = {{
      {"op_text_unparsed", "op lines whose text is not an op (kept, without tensors)", false},
      {"op_text_cut", "op lines cut before their end (read as far as they go)", true},
      {"type_unparsed", "tensor types that could not be read (counted as 0 bytes)", false},
      {"block_incomplete", "memory blocks with fewer than four views (the rest taken from the block before)",
       true},
      {"block_displaced", "memory blocks away from their op line (put back by op type)", true},
      {"block_without_op", "memory blocks whose op line is missing (op known by type only)", true},
      {"block_missing", "ops without a memory block (their growth is modelled)", true},
      {"bad_memory_number", "memory views with unreadable numbers (view ignored)", false},
      {"view_inconsistent", "memory views whose allocated + free is not the total", false},
      {"program_left_open", "programs without an end line (crash or cut log)", true},
      {"program_end_unmatched", "program end lines without a start (ignored)", false},
      {"programs_too_deep", "programs nested beyond any real depth (outer ones closed)", true},
      {"module_cut", "module dumps without an end (read as far as they go)", true},
      {"module_unparsed", "module dumps without a readable function header", false},
      {"line_too_long", "lines too long to be real (only the beginning was read)", true},
      {"log_wrapped", "logs whose lines a terminal broke at a column (put together again)", true},
      {"invalid_utf8", "texts that are not UTF-8 (shown with replacement characters)", true},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

}  // namespace ttscope::mem
