#pragma once

#include <cstdint>
#include <string_view>

#include "base/problem_counts.h"

namespace ttscope::mem {

/// Every expected problem of a runtime log. A problem is counted with its first places; reading goes on.
enum class LogProblem : std::uint8_t {
  kOpTextUnparsed,       ///< an op line whose text is not an op; kept as an op without tensors
  kOpTextCut,            ///< an op line that ends before its loc(...)
  kTypeUnparsed,         ///< a tensor type that could not be read
  kBlockIncomplete,      ///< a memory block with fewer than four views
  kBlockDisplaced,       ///< a block that did not follow its op line directly, put back by op type
  kBlockWithoutOp,       ///< a block whose op line is missing; an op known by type only
  kBlockMissing,         ///< an op without a block in a log that has blocks
  kBadMemoryNumber,      ///< a view whose numbers cannot be read or overflow
  kViewInconsistent,     ///< allocated + free differs from total by more than the rounding
  kProgramLeftOpen,      ///< a program without its end line (crash or cut)
  kProgramEndUnmatched,  ///< an end line without an open program of that name
  kProgramsTooDeep,      ///< nesting beyond any real program; outer ones were closed
  kModuleCut,            ///< a module dump without its end
  kModuleUnparsed,       ///< a module dump without a readable function header
  kLineTooLong,          ///< a line over the limit; only its beginning was looked at
  kLogWrapped,           ///< a file whose lines were broken at a column; they are joined
  kInvalidUtf8,          ///< text that is not UTF-8, shown with replacement characters
};
inline constexpr std::size_t kLogProblemCount = 17;

const ProblemInfo& info_of(LogProblem problem);

using LogProblems = ProblemCounts<LogProblem, kLogProblemCount>;

}  // namespace ttscope::mem
