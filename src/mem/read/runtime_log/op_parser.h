#pragma once

#include <string_view>

#include "mem/read/runtime_log/op_parts.h"
#include "mem/read/runtime_log/trace_tables.h"

namespace ttscope::mem {

/// Reads the text of an op line behind `Executing operation: `, without its location:
///   %12:4 = ttcore.load_cached(@main_const_eval_12, []) : () -> (tensor<...>, ...)
///   %86 = "ttnn.conv2d"(%85, %21) <{...}> {...} : (tensor<...>, ...) -> tensor<...>
///   "ttnn.deallocate"(%85) <{force = false}> : (tensor<...>) -> ()
///   %13 = func.call @cpu_hoisted(%11) {ttir.cpu_hoist_call} : (...) -> ...
/// `text` must stay valid as long as the trace. A text that is not an op gives role kUnparsed.
OpText parse_op(std::string_view text, TraceTables& tables);

/// The second half of parse_op, for a text that was taken apart before. `text` is the same text where it
/// stays.
OpText intern_op(const OpParts& parts, const OpPartsTable& table, std::string_view text, TraceTables& tables);

}  // namespace ttscope::mem
