#include "mem/analyse/tensor_candidates.h"

#include <algorithm>
#include <array>

#include "mem/analyse/failed_tensor.h"
#include "mem/analyse/memory_profile.h"
#include "mem/analyse/tensor_origin.h"
#include "mem/analyse/told_op.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMostCandidates = 8;
constexpr std::array<std::string_view, 7> kDeviceTypes = {"bf16", "f32", "bfp_bf8", "bfp_bf4",
                                                          "si32", "u16", "u8"};

BufferType buffer_of(Memory memory) {
  if (memory == Memory::kDram) return BufferType::kDram;
  if (memory == Memory::kTrace) return BufferType::kTrace;
  return memory == Memory::kL1 ? BufferType::kL1 : BufferType::kL1Small;
}

/// First lines at which types appear: where an op makes it, else where one takes it; of modules where only
/// these have the ops.
class TypeLines {
 public:
  TypeLines(const RuntimeTrace& trace, const RankTrace& rank) {
    made_.resize(trace.types.size(), 0);
    taken_.resize(trace.types.size(), 0);
    std::vector<bool> seen(trace.op_texts.size(), false);
    const auto note_op = [&](std::uint32_t id, std::uint32_t line) {
      if (id == kNone || seen[id]) return;
      seen[id] = true;
      const OpText& text = trace.op_texts[id];
      for (const std::uint32_t type : trace.ids(text.result_types)) note(made_, type, line);
      for (const std::uint32_t type : trace.ids(text.input_types)) note(taken_, type, line);
    };
    for (const ExecutedOp& op : rank.ops) note_op(op.text, op.line);
    for (const ModuleDump& module : trace.modules) {
      for (const ModuleOp& op : module.ops) note_op(op.text, op.line);
    }
  }
  std::uint32_t line_of(std::uint32_t type) const {
    if (type >= made_.size()) return 0;
    return made_[type] != 0 ? made_[type] : taken_[type];
  }

 private:
  static void note(std::vector<std::uint32_t>& lines, std::uint32_t type, std::uint32_t line) {
    if (type < lines.size() && lines[type] == 0) lines[type] = line;
  }
  std::vector<std::uint32_t> made_;
  std::vector<std::uint32_t> taken_;
};

class CandidateFinder {
 public:
  CandidateFinder(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank,
                  const OutOfMemory& failure)
      : trace_(trace), profile_(profile), rank_(rank), failure_(failure) {}

  std::vector<TensorCandidate> find() {
    if (failure_.kind != FailureKind::kAllocation || failure_.requested_bytes <= 0) return {};
    origin_ = OriginFinder(trace_, profile_, rank_).find(failure_.last_op);
    const ToldOp told = told_op(trace_, rank_, failure_);
    look_at_op(false);
    look_at_told(told, false);
    // Others of that size were not asked for.
    const bool is_known = !found_.empty() && (is_counted_result_ || origin_ != kNone || !told.ops.empty());
    if (!is_known) look_at_arguments();
    if (!is_known) look_at_modules();
    if (!is_known) look_at_types(false);
    if (found_.empty()) look_at_op(true);
    if (found_.empty()) look_at_told(told, true);
    if (found_.empty()) look_at_types(true);
    if (found_.empty()) found_ = plausible_tensors(failure_);
    if (found_.size() > kMostCandidates) found_.resize(kMostCandidates);
    return std::move(found_);
  }

 private:
  struct Seen {
    std::uint32_t line = 0;
    std::string_view name{};
    CandidateReason reason = CandidateReason::kSeen;
    std::uint32_t origin = kNone;
  };

  const RankTrace& rank() const { return trace_.ranks[rank_]; }

  const TensorType* type_at(std::uint32_t id) const {
    const auto& local = profile_.ranks[rank_].local_types;
    if (id >= kLocalTypeBase)
      return id - kLocalTypeBase < local.size() ? &local[id - kLocalTypeBase] : nullptr;
    return id < trace_.types.size() ? &trace_.types[id] : nullptr;
  }

  void look_at_op(bool convert) {
    if (failure_.last_op >= rank().ops.size()) return;
    const ExecutedOp& op = rank().ops[failure_.last_op];
    const OpText* text = trace_.text_of(op);
    if (text == nullptr) return;
    if (!convert && take_failed_result(*text, op.line)) return;
    look_at_results(*text, op.line, convert);
    take_each(
        text->input_types, text->operands,
        {op.line, {}, convert ? CandidateReason::kResultConverted : CandidateReason::kOperand, origin_});
  }

  /// The result that came next, where it is known how many the op had got; true if it is the one.
  bool take_failed_result(const OpText& text, std::uint32_t line) {
    const FailingResults results = failing_results(trace_, rank(), profile_.ranks[rank_].device, failure_);
    if (!results.got || *results.got >= results.places.size()) return false;
    const std::uint32_t place = results.places[*results.got];
    const auto names = trace_.ids(text.results);
    const std::string_view name = place < names.size() ? trace_.names[names[place]] : std::string_view();
    take(trace_.ids(text.result_types)[place], {line, name, CandidateReason::kResult, origin_}, false);
    is_counted_result_ = !found_.empty();
    return is_counted_result_;
  }

  void look_at_results(const OpText& text, std::uint32_t line, bool convert) {
    take_each(text.result_types, text.results,
              {line, {}, convert ? CandidateReason::kResultConverted : CandidateReason::kResult, origin_});
  }

  /// The op that a backtrace names, where the modules have it.
  void look_at_told(const ToldOp& told, bool convert) {
    for (const ModuleOp* op : told.ops) look_at_results(trace_.op_texts[op->text], op->line, convert);
    for (const ModuleOp* op : told.ops) {
      const OpText& text = trace_.op_texts[op->text];
      take_each(text.input_types, text.operands,
                {op->line, {}, convert ? CandidateReason::kResultConverted : CandidateReason::kOperand});
    }
  }

  /// Results of the ops that only the modules show.
  void look_at_modules() {
    for (const ModuleDump* module : modules_before(trace_, rank_, failure_.line)) {
      for (const ModuleOp& op : module->ops) {
        const OpText& text = trace_.op_texts[op.text];
        take_each(text.result_types, text.results, {op.line, {}, CandidateReason::kSeen});
      }
    }
  }

  void take_each(IdRange types, IdRange names, Seen seen) {
    const bool convert = seen.reason == CandidateReason::kResultConverted;
    const auto ids = trace_.ids(types);
    const auto name_ids = trace_.ids(names);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      seen.name = k < name_ids.size() ? std::string_view(trace_.names[name_ids[k]]) : std::string_view();
      take(ids[k], seen, convert);
    }
  }

  void look_at_arguments() {
    for (const Argument& argument : profile_.arguments) {
      if (found_.size() >= kMostCandidates) return;
      take(argument.type, {line_of(argument), argument.name, CandidateReason::kArgument}, false);
    }
  }

  /// Of the dump that describes it, else of the first op with such a tensor.
  std::uint32_t line_of(const Argument& argument) {
    if (argument.graph < profile_.graphs.size()) {
      const std::uint32_t group = profile_.graphs[argument.graph].module_group;
      if (group < profile_.module_groups.size()) {
        const std::uint32_t module =
            profile_.module_groups[group].by_stage[static_cast<std::size_t>(Stage::kTtnn)];
        if (module < trace_.modules.size()) return trace_.modules[module].line;
      }
    }
    return lines().line_of(argument.type);
  }

  void look_at_types(bool convert) {
    for (std::uint32_t id = 0; id < trace_.types.size() && found_.size() < kMostCandidates; ++id) {
      const std::size_t before = found_.size();
      take(id, {0, {}, convert ? CandidateReason::kSeenConverted : CandidateReason::kSeen}, convert);
      for (std::size_t i = before; i < found_.size(); ++i) found_[i].source_line = lines().line_of(id);
    }
  }

  void take(std::uint32_t id, const Seen& seen, bool convert) {
    const TensorType* type = type_at(id);
    if (type == nullptr || !type->is_tensor || found_.size() >= kMostCandidates) return;
    if (!convert) {
      if (type->on_device() && takes_failed_size(*type, failure_)) add(*type, seen);
      return;
    }
    // Only data of about that size can have it in another form: tiles pad at most 1024 times.
    if (type->logical_bytes <= 0 || type->logical_bytes / 64 > failure_.requested_bytes) return;
    for (const std::string_view dtype : kDeviceTypes) {
      for (const bool tiled : {true, false}) {
        const TensorType other = converted(type->shape, dtype, tiled, buffer_of(failure_.memory));
        if (other.padded_bytes == failure_.requested_bytes && takes_failed_size(other, failure_))
          add(other, seen);
      }
    }
  }

  void add(const TensorType& type, const Seen& seen) {
    const auto same = [&](const TensorCandidate& known) {
      const bool other_result = known.reason == CandidateReason::kResult &&
                                seen.reason == CandidateReason::kResult && known.name != seen.name;
      return !other_result && known.shape == type.shape && known.dtype == type.dtype &&
             known.tiled == type.is_tiled();
    };
    if (std::any_of(found_.begin(), found_.end(), same)) return;
    const double padding = type.logical_bytes <= 0 ? 1.0
                                                   : static_cast<double>(type.padded_bytes) /
                                                         static_cast<double>(type.logical_bytes);
    found_.push_back({type.shape, type.dtype, type.is_tiled(), padding, seen.line, std::string(seen.name),
                      seen.reason, seen.origin});
  }

  const TypeLines& lines() {
    if (lines_.empty()) lines_.emplace_back(trace_, rank());
    return lines_.front();
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  std::uint32_t rank_;
  const OutOfMemory& failure_;
  std::uint32_t origin_ = kNone;    ///< of the running op's tensor
  bool is_counted_result_ = false;  ///< what the op had got before tells which of its results it was
  std::vector<TensorCandidate> found_;
  std::vector<TypeLines> lines_;  ///< made when first asked for
};

}  // namespace

std::string_view name_of(CandidateReason reason) {
  constexpr std::array<std::string_view, 7> kNames = {
      "result", "operand", "argument", "seen", "result_converted", "seen_converted", "plausible"};
  return kNames[static_cast<std::size_t>(reason)];
}

bool takes_failed_size(const TensorType& type, const OutOfMemory& failure) {
  const bool in_dram = failure.memory == Memory::kDram || failure.memory == Memory::kTrace;
  if (in_dram != (type.buffer == BufferType::kDram || type.buffer == BufferType::kTrace)) return false;
  if (type.padded_bytes != failure.requested_bytes) return false;
  if (failure.banks <= 0 || failure.per_bank_bytes < 0) return true;
  if (type.is_sharded() && failure.banks != type.shard_count) return false;
  DeviceFacts device;
  device.banks.fill(static_cast<std::uint32_t>(std::min<std::int64_t>(failure.banks, 1 << 20)));
  for (const std::uint32_t alignment : {32u, 64u}) {
    device.dram_alignment_bytes = alignment;
    const std::int64_t room = bytes_per_bank(type, device);  // rounded up to whole blocks
    if (room >= failure.per_bank_bytes && room - failure.per_bank_bytes < alignment) return true;
  }
  return false;
}

TensorType converted(const std::vector<std::int64_t>& shape, std::string_view dtype, bool tiled,
                     BufferType buffer) {
  TensorType type;
  type.dtype = dtype;
  type.tensor_dtype = dtype;
  type.tile_height = type.tile_width = tiled ? 32 : 0;
  type.memref = {1, 1};
  type.buffer = buffer;
  type.layout = MemoryLayout::kInterleaved;
  type.is_tensor = type.has_layout = true;
  return with_local_shape(type, shape);
}

std::vector<TensorCandidate> find_candidates(const RuntimeTrace& trace, const MemoryProfile& profile,
                                             std::uint32_t rank, const OutOfMemory& failure) {
  return CandidateFinder(trace, profile, rank, failure).find();
}

}  // namespace ttscope::mem
