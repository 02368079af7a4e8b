#include "mem/analyse/told_op.h"

#include <algorithm>

#include "mem/analyse/tensor_candidates.h"
#include "mem/model/op_type_fit.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kDeviceOperation = "DeviceOperation";

/// tt-metal's `Conv3dDeviceOperation` is what `Conv3dOp` runs.
std::string op_type_of(std::string_view told) {
  if (!told.ends_with(kDeviceOperation)) return std::string(told);
  return std::string(told.substr(0, told.size() - kDeviceOperation.size())) + "Op";
}

bool has_failed_size(const RuntimeTrace& trace, const OpText& op, const OutOfMemory& failure) {
  for (const IdRange types : {op.result_types, op.input_types}) {
    for (const std::uint32_t type : trace.ids(types)) {
      if (trace.types[type].on_device() && takes_failed_size(trace.types[type], failure)) return true;
    }
  }
  return false;
}

std::string location_of(const RuntimeTrace& trace, const ModuleOp& op) {
  return op.loc == kNone ? std::string() : display_loc(trace.locs[op.loc]);
}

std::string_view name_of_op(const RuntimeTrace& trace, const ModuleOp& op) {
  const std::uint32_t name = trace.op_texts[op.text].name;
  return name == kNone ? std::string_view() : std::string_view(trace.names[name]);
}

/// What is known of an op that has no line.
struct OpSign {
  std::string type;                ///< `Conv3dOp`
  std::uint32_t function = kNone;  ///< its program, where lines tell it; in RuntimeTrace::names
  bool in_const_eval = false;      ///< otherwise
};

/// By the header of the memory block before it.
OpSign sign_of_block(const RuntimeTrace& trace, const RankTrace& rank, const ExecutedOp& op) {
  OpSign sign;
  if (op.op_type != kNone) sign.type = trace.names[op.op_type];
  if (op.instance < rank.programs.size()) sign.function = rank.programs[op.instance].name;
  return sign;
}

OpSign sign_of_frames(const Backtrace& frames) {
  const std::string type = op_type_of(frames.op);
  return {type, kNone, frames.const_eval_line != 0 && type != "LoadCachedOp"};
}

/// Ops of the modules that have the sign. Where some of them make a tensor of the size that was asked for,
/// only these.
std::vector<const ModuleOp*> ops_with(const RuntimeTrace& trace, std::uint32_t rank,
                                      const OutOfMemory& failure, const OpSign& sign) {
  std::vector<const ModuleOp*> found;
  std::vector<const ModuleOp*> of_size;
  for (const ModuleDump* module : modules_before(trace, rank, failure.line)) {
    for (const ModuleOp& op : module->ops) {
      const bool is_there =
          sign.function == kNone ? op.in_const_eval == sign.in_const_eval : op.function == sign.function;
      if (!is_there || fit_of(name_of_op(trace, op), sign.type) != TypeFit::kYes) continue;
      found.push_back(&op);
      if (failure.kind == FailureKind::kAllocation &&
          has_failed_size(trace, trace.op_texts[op.text], failure))
        of_size.push_back(&op);
    }
  }
  return of_size.empty() ? found : of_size;
}

}  // namespace

std::vector<const ModuleDump*> modules_before(const RuntimeTrace& trace, std::uint32_t rank,
                                              std::uint32_t line) {
  std::vector<const ModuleDump*> modules;
  for (std::size_t i = trace.modules.size(); i-- > 0;) {
    const ModuleDump& module = trace.modules[i];
    const bool is_of_rank = module.rank == rank || module.rank == kNone;
    if (module.file == trace.ranks[rank].file && is_of_rank && module.line < line) modules.push_back(&module);
  }
  return modules;
}

ToldOp told_op(const RuntimeTrace& trace, std::uint32_t rank, const OutOfMemory& failure) {
  ToldOp told;
  const RankTrace& ops = trace.ranks[rank];
  if (failure.last_op < ops.ops.size()) {
    const ExecutedOp& running = ops.ops[failure.last_op];
    if (running.text == kNone) told.ops = ops_with(trace, rank, failure, sign_of_block(trace, ops, running));
    return told;
  }
  if (failure.backtrace.op.empty()) return told;
  told.name = failure.backtrace.op;
  told.line = failure.backtrace.op_line;
  told.ops = ops_with(trace, rank, failure, sign_of_frames(failure.backtrace));
  if (told.ops.empty()) return told;
  const auto same_name = [&](const ModuleOp* op) {
    return name_of_op(trace, *op) == name_of_op(trace, *told.ops.front());
  };
  if (std::all_of(told.ops.begin(), told.ops.end(), same_name)) told.name = name_of_op(trace, *told.ops[0]);
  if (told.ops.size() > 1) return told;
  const ModuleOp& only = *told.ops.front();
  told.loc = location_of(trace, only);
  told.program = only.function == kNone ? std::string_view() : std::string_view(trace.names[only.function]);
  told.line = only.line;
  return told;
}

}  // namespace ttscope::mem
