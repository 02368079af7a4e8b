#pragma once

#include <cstdint>
#include <vector>

#include "analysis/op_table/op_table.h"
#include "base/result.h"

namespace ttscope::analysis {

/// Row numbers in the order in which the ops were sent: by host time, or as recorded when traces run.
std::vector<std::uint32_t> order_rows(const OpsTable& table, const OpTableOptions& options,
                                      std::vector<OpNote>& notes);

/// Keeps the rows between signposts. Without a choice: the last part of the run that signposts set off.
Result<void> apply_window(const OpsTable& table, const OpTableOptions& options,
                          std::vector<std::uint32_t>& rows, std::vector<OpNote>& notes);

}  // namespace ttscope::analysis
