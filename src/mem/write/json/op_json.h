#pragma once

#include <string_view>

#include "mem/model/runtime_trace.h"
#include "report/json_text.h"
#include "report/text_cache.h"

namespace ttscope::mem {

/// Name and location of ops as JSON, each distinct text escaped once. The trace outlives it. Not thread safe.
class OpJson {
 public:
  OpJson(const RuntimeTrace& trace, JsonStyle style)
      : trace_(trace), names_(style), callees_(style), quoter_(style) {}

  /// `"ttnn.matmul"`; `"MatmulOp"` when only the memory lines are there; `"unknown"` when neither can be
  /// read.
  std::string_view name(const ExecutedOp& op);
  /// First name of the location, a file with its line and column, the callee of a load_cached without a
  /// location, else `null`.
  std::string_view loc(const ExecutedOp& op);

 private:
  const RuntimeTrace& trace_;
  report::JsonTable names_;
  report::JsonTable callees_;
  report::JsonQuoter quoter_;
  report::TextCache<std::uint32_t, 14> locs_;  ///< by location id
};

}  // namespace ttscope::mem
