#include "mem/failed_module_run.h"

#include <algorithm>

#include "mem/analyse/fit/lives.h"
#include "mem/analyse/told_op.h"
#include "mem/read/ttnn_module/module_reader.h"

namespace ttscope::mem {
namespace {

bool is_failure_alone(const RuntimeTrace& trace) {
  return trace.ranks.size() == 1 && trace.ranks[0].ops.empty() && trace.ranks[0].blocks.empty() &&
         own_failure(trace.ranks[0]) != nullptr;
}

/// Lines of modules have no tag, so that they are no rank's; with one rank they are its.
void give_to_only_rank(RuntimeTrace& trace, std::uint32_t before_line) {
  const std::uint32_t file = trace.ranks[0].file;
  std::erase_if(trace.modules,
                [&](const ModuleDump& dump) { return dump.file != file || dump.line >= before_line; });
  for (ModuleDump& dump : trace.modules) dump.rank = 0;
}

/// The last run of the op at a line, as of the newest compilation.
std::uint32_t op_at(const RankTrace& rank, std::uint32_t line) {
  const auto found =
      std::find_if(rank.ops.rbegin(), rank.ops.rend(), [&](const ExecutedOp& op) { return op.line == line; });
  return found == rank.ops.rend() ? kNone : static_cast<std::uint32_t>(rank.ops.rend() - found) - 1;
}

/// Nothing ran behind the op; the programs around it end there, without a line.
void end_at(RankTrace& rank, std::uint32_t last) {
  const std::uint32_t end = last + 1;
  rank.ops.resize(end);
  while (!rank.programs.empty() && rank.programs.back().first_op >= end) rank.programs.pop_back();
  for (ProgramInstance& program : rank.programs) {
    if (program.end_op > end) program.end_line = 0;
    program.end_op = std::min(program.end_op, end);
  }
  std::erase_if(rank.events,
                [&](const ProgramEvent& event) { return event.instance >= rank.programs.size(); });
  for (ProgramEvent& event : rank.events) event.before_op = std::min(event.before_op, end);
  std::erase_if(rank.cache_keys, [&](const auto& key) { return key.first >= end; });
}

}  // namespace

void run_failed_modules(RuntimeTrace& trace) {
  if (!is_failure_alone(trace)) return;
  const OutOfMemory told = *own_failure(trace.ranks[0]);
  give_to_only_rank(trace, told.line);
  if (trace.modules.empty()) return;
  index_printed_modules(trace);
  const ToldOp failed = told_op(trace, 0, told);
  if (!run_printed_modules(trace)) return;
  RankTrace& rank = trace.ranks[0];
  const std::uint32_t op = failed.ops.empty() ? kNone : op_at(rank, failed.ops.front()->line);
  if (op != kNone) end_at(rank, op);
  for (OutOfMemory& failure : rank.failures) {
    failure.before_op = static_cast<std::uint32_t>(rank.ops.size());
    if (op == kNone) continue;
    failure.last_op = op;
    failure.instance = rank.ops[op].instance;
  }
}

}  // namespace ttscope::mem
