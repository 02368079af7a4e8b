#include "mem/analyze/failures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mem/analyze/memory_profile.h"
#include "mem/analyze/modules.h"
#include "mem/analyze/tensor_origins.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {
namespace {

FailureCause cause_of(const FailedBank& bank) {
  const std::int64_t needed = bank.needed_bytes;
  if (bank.size_bytes == 0) return FailureCause::kRegionAbsent;
  if (needed < 0) return FailureCause::kUnknown;
  if (bank.size_bytes > 0 && needed > bank.size_bytes) return FailureCause::kNeverFits;
  // The largest free block alone, of a damaged message, does not tell how much is free in all.
  if (bank.free_bytes < 0) return FailureCause::kUnknown;
  if (needed > bank.free_bytes) return FailureCause::kExhausted;
  if (bank.largest_free_bytes >= 0 && needed > bank.largest_free_bytes) return FailureCause::kFragmented;
  // A message that is cut behind the free bytes: it failed though they are enough.
  const bool cut = bank.largest_free_bytes < 0 && bank.from_message;
  return cut ? FailureCause::kFragmented : FailureCause::kUnknown;
}

/// Banks of the whole device. A sharded buffer names no more banks than it has shards, and no device has
/// fewer than 64 cores with L1.
std::int64_t banks_of_device(const RuntimeLog& log, const RankLog& rank, const OutOfMemory& failure) {
  constexpr std::int64_t kMinCores = 64;
  std::int64_t banks = failure.banks;
  if (!rank.blocks.empty()) {
    banks = std::max<std::int64_t>(
        banks, log.geometries[rank.blocks.back().geometry].banks[index_of(failure.memory)]);
  }
  const bool in_cores = failure.memory == Memory::kL1 || failure.memory == Memory::kL1Small;
  return in_cores ? std::max(banks, kMinCores) : banks;
}

FailureVerdict verdict_of_allocation(const FailedBank& bank, const OutOfMemory& failure,
                                     std::int64_t device_banks) {
  switch (bank.cause) {
    case FailureCause::kRegionAbsent:
      return FailureVerdict::kRegionMissing;
    case FailureCause::kNeverFits: {
      if (failure.memory == Memory::kL1Small || failure.memory == Memory::kTrace)
        return FailureVerdict::kRegionMissing;
      const bool is_device_known = device_banks > 0 && failure.requested_bytes >= 0;
      return is_device_known && failure.requested_bytes > saturating_multiply(device_banks, bank.size_bytes)
                 ? FailureVerdict::kLargerThanDevice
                 : FailureVerdict::kLargerThanBank;
    }
    case FailureCause::kExhausted:
      return FailureVerdict::kExhausted;
    case FailureCause::kFragmented:
      return FailureVerdict::kFragmented;
    case FailureCause::kUnknown:
      break;
  }
  return FailureVerdict::kUndecided;
}

FailureVerdict verdict_of_kind(FailureKind kind) {
  switch (kind) {
    case FailureKind::kBuffersBeyondL1:
      return FailureVerdict::kBuffersExceedL1;
    case FailureKind::kBuffersClash:
      return FailureVerdict::kBuffersClash;
    case FailureKind::kProgramSize:
      return FailureVerdict::kProgramTooLarge;
    case FailureKind::kTraceRegion:
    case FailureKind::kTraceOverlap:
      return FailureVerdict::kRegionMissing;
    case FailureKind::kHostMemory:
      return FailureVerdict::kHostMemory;
    case FailureKind::kAddressBelowLimit:
    case FailureKind::kAllocation:
      break;
  }
  return FailureVerdict::kUndecided;
}

std::int64_t even_share(const OutOfMemory& failure) {
  if (failure.per_bank_bytes >= 0) return failure.per_bank_bytes;
  if (failure.requested_bytes < 0 || failure.banks <= 0) return -1;
  return failure.requested_bytes / failure.banks + (failure.requested_bytes % failure.banks == 0 ? 0 : 1);
}

/// Older messages do not tell the state of the bank; the block before the failing op does.
void take_state_of_block(const RuntimeLog& log, const RankLog& rank, const OutOfMemory& failure,
                         FailedBank& bank) {
  if (failure.last_op >= rank.ops.size() || rank.ops[failure.last_op].block >= rank.blocks.size()) return;
  const MemoryBlock& block = rank.blocks[rank.ops[failure.last_op].block];
  const std::size_t memory = index_of(failure.memory);
  if (bank.size_bytes < 0) bank.size_bytes = bytes_of(log.geometries[block.geometry].total[memory]);
  bank.allocated_bytes = bytes_of(block.allocated[memory]);
  bank.free_bytes = bytes_of(block.free[memory]);
  bank.largest_free_bytes = bytes_of(block.largest_free[memory]);
  bank.from_message = false;
  bank.block_line = block.line;
}

}  // namespace

std::string_view name_of(FailureCause cause) {
  constexpr std::array<std::string_view, 5> kNames = {"unknown", "never_fits", "exhausted", "fragmented",
                                                      "region_absent"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string_view name_of(FailureVerdict verdict) {
  constexpr std::array<std::string_view, 11> kNames = {
      "larger_than_device", "larger_than_bank", "exhausted",     "fragmented",
      "undecided",          "region_missing",   "cb_exceeds_l1", "cb_clash",
      "program_too_large",  "host_memory",      "crashed"};
  return kNames[static_cast<std::size_t>(verdict)];
}

FailedBank examine_failure(const RuntimeLog& log, const RankLog& rank, const OutOfMemory& failure) {
  FailedBank bank;
  bank.verdict = verdict_of_kind(failure.kind);
  bank.reached_bytes = failure.reached_bytes;
  bank.limit_bytes = failure.limit_bytes;
  if (bank.verdict == FailureVerdict::kRegionMissing) bank.cause = FailureCause::kRegionAbsent;
  if (failure.kind != FailureKind::kAllocation) return bank;
  bank.size_bytes = failure.bank_size_bytes;
  bank.allocated_bytes = failure.allocated_bytes;
  bank.free_bytes = failure.free_bytes;
  bank.largest_free_bytes = failure.largest_free_bytes;
  bank.needed_bytes = even_share(failure);
  if (bank.size_bytes < 0 && bank.allocated_bytes >= 0 && bank.free_bytes >= 0)
    bank.size_bytes = saturating_add(bank.allocated_bytes, bank.free_bytes);
  if (bank.free_bytes < 0) take_state_of_block(log, rank, failure, bank);
  bank.cause = cause_of(bank);
  bank.verdict = verdict_of_allocation(bank, failure, banks_of_device(log, rank, failure));
  return bank;
}

std::uint64_t fingerprint_of(const OutOfMemory& failure) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a: the same on every machine and in every version
  const auto mix = [&hash](std::int64_t value) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash ^= static_cast<std::uint64_t>(value) >> shift & 0xff;
      hash *= 0x100000001b3ull;
    }
  };
  mix(static_cast<std::int64_t>(failure.kind));
  mix(static_cast<std::int64_t>(failure.memory));
  for (const std::int64_t figure : {failure.requested_bytes, failure.banks, failure.per_bank_bytes,
                                    failure.reached_bytes, failure.limit_bytes}) {
    mix(figure);
  }
  return hash;
}

namespace {

constexpr std::size_t kMaxCandidates = 8;
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
  TypeLines(const RuntimeLog& log, const RankLog& rank) {
    made_.resize(log.types.size(), 0);
    taken_.resize(log.types.size(), 0);
    std::vector<bool> seen(log.op_texts.size(), false);
    const auto note_op = [&](std::uint32_t id, std::uint32_t line) {
      if (id == kNone || seen[id]) return;
      seen[id] = true;
      const OpText& text = log.op_texts[id];
      for (const std::uint32_t type : log.ids(text.result_types)) note(made_, type, line);
      for (const std::uint32_t type : log.ids(text.input_types)) note(taken_, type, line);
    };
    for (const ExecutedOp& op : rank.ops) note_op(op.text, op.line);
    for (const ModuleDump& module : log.modules) {
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
  CandidateFinder(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank,
                  const OutOfMemory& failure)
      : log_(log), profile_(profile), rank_(rank), failure_(failure) {}

  std::vector<TensorCandidate> find() {
    if (failure_.kind != FailureKind::kAllocation || failure_.requested_bytes <= 0) return {};
    origin_ = OriginFinder(log_, profile_, rank_).find(failure_.last_op);
    const FailingOp failing_op = find_failing_op(log_, rank_, failure_);
    look_at_op(false);
    look_at_failing_op(failing_op, false);
    // Others of that size were not asked for.
    const bool is_known =
        !found_.empty() && (is_counted_result_ || origin_ != kNone || !failing_op.ops.empty());
    if (!is_known) look_at_arguments();
    if (!is_known) look_at_modules();
    if (!is_known) look_at_types(false);
    if (found_.empty()) look_at_op(true);
    if (found_.empty()) look_at_failing_op(failing_op, true);
    if (found_.empty()) look_at_types(true);
    if (found_.empty()) found_ = plausible_tensors(failure_);
    if (found_.size() > kMaxCandidates) found_.resize(kMaxCandidates);
    return std::move(found_);
  }

 private:
  struct Seen {
    std::uint32_t line = 0;
    std::string_view name{};
    CandidateReason reason = CandidateReason::kSeen;
    std::uint32_t origin = kNone;
  };

  const RankLog& rank() const { return log_.ranks[rank_]; }

  const TensorType* type_at(std::uint32_t id) const {
    const auto& local = profile_.ranks[rank_].local_types;
    if (id >= kLocalTypeBase)
      return id - kLocalTypeBase < local.size() ? &local[id - kLocalTypeBase] : nullptr;
    return id < log_.types.size() ? &log_.types[id] : nullptr;
  }

  void look_at_op(bool convert) {
    if (failure_.last_op >= rank().ops.size()) return;
    const ExecutedOp& op = rank().ops[failure_.last_op];
    const OpText* text = log_.text_of(op);
    if (text == nullptr) return;
    if (!convert && take_failed_result(*text, op.line)) return;
    look_at_results(*text, op.line, convert);
    take_each(
        text->input_types, text->operands,
        {op.line, {}, convert ? CandidateReason::kResultConverted : CandidateReason::kOperand, origin_});
  }

  /// The result that came next, where it is known how many the op had got; true if it is the one.
  bool take_failed_result(const OpText& text, std::uint32_t line) {
    const FailingResults results = failing_results(log_, rank(), profile_.ranks[rank_].device, failure_);
    if (!results.got || *results.got >= results.places.size()) return false;
    const std::uint32_t place = results.places[*results.got];
    const auto names = log_.ids(text.results);
    const std::string_view name = place < names.size() ? log_.names[names[place]] : std::string_view();
    take(log_.ids(text.result_types)[place], {line, name, CandidateReason::kResult, origin_}, false);
    is_counted_result_ = !found_.empty();
    return is_counted_result_;
  }

  void look_at_results(const OpText& text, std::uint32_t line, bool convert) {
    take_each(text.result_types, text.results,
              {line, {}, convert ? CandidateReason::kResultConverted : CandidateReason::kResult, origin_});
  }

  /// The op that a backtrace names, where the modules have it.
  void look_at_failing_op(const FailingOp& failing_op, bool convert) {
    for (const ModuleOp* op : failing_op.ops) look_at_results(log_.op_texts[op->text], op->line, convert);
    for (const ModuleOp* op : failing_op.ops) {
      const OpText& text = log_.op_texts[op->text];
      take_each(text.input_types, text.operands,
                {op->line, {}, convert ? CandidateReason::kResultConverted : CandidateReason::kOperand});
    }
  }

  /// Results of the ops that only the modules show.
  void look_at_modules() {
    for (const ModuleDump* module : modules_before(log_, rank_, failure_.line)) {
      for (const ModuleOp& op : module->ops) {
        const OpText& text = log_.op_texts[op.text];
        take_each(text.result_types, text.results, {op.line, {}, CandidateReason::kSeen});
      }
    }
  }

  void take_each(IdRange types, IdRange names, Seen seen) {
    const bool convert = seen.reason == CandidateReason::kResultConverted;
    const auto ids = log_.ids(types);
    const auto name_ids = log_.ids(names);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      seen.name = k < name_ids.size() ? std::string_view(log_.names[name_ids[k]]) : std::string_view();
      take(ids[k], seen, convert);
    }
  }

  void look_at_arguments() {
    for (const Argument& argument : profile_.arguments) {
      if (found_.size() >= kMaxCandidates) return;
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
        if (module < log_.modules.size()) return log_.modules[module].line;
      }
    }
    return lines().line_of(argument.type);
  }

  void look_at_types(bool convert) {
    for (std::uint32_t id = 0; id < log_.types.size() && found_.size() < kMaxCandidates; ++id) {
      const std::size_t before = found_.size();
      take(id, {0, {}, convert ? CandidateReason::kSeenConverted : CandidateReason::kSeen}, convert);
      for (std::size_t i = before; i < found_.size(); ++i) found_[i].source_line = lines().line_of(id);
    }
  }

  void take(std::uint32_t id, const Seen& seen, bool convert) {
    const TensorType* type = type_at(id);
    if (type == nullptr || !type->is_tensor || found_.size() >= kMaxCandidates) return;
    if (!convert) {
      if (type->on_device() && matches_failed_size(*type, failure_)) add(*type, seen);
      return;
    }
    // Only data of about that size can have it in another form: tiles pad at most 1024 times.
    if (type->logical_bytes <= 0 || type->logical_bytes / 64 > failure_.requested_bytes) return;
    for (const std::string_view dtype : kDeviceTypes) {
      for (const bool tiled : {true, false}) {
        const TensorType other = converted(type->shape, dtype, tiled, buffer_of(failure_.memory));
        if (other.padded_bytes == failure_.requested_bytes && matches_failed_size(other, failure_))
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
    if (lines_.empty()) lines_.emplace_back(log_, rank());
    return lines_.front();
  }

  const RuntimeLog& log_;
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

bool matches_failed_size(const TensorType& type, const OutOfMemory& failure) {
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

std::vector<TensorCandidate> find_candidates(const RuntimeLog& log, const MemoryProfile& profile,
                                             std::uint32_t rank, const OutOfMemory& failure) {
  return CandidateFinder(log, profile, rank, failure).find();
}

namespace {

constexpr std::size_t kMaxOfOneType = 3;
constexpr std::int64_t kMaxPages = std::int64_t{1} << 34;  // their divisors are looked for one by one
constexpr std::array<std::string_view, 4> kTileTypes = {"bf16", "f32", "bfp_bf8", "bfp_bf4"};

/// Widths of known models.
constexpr std::array<std::int64_t, 17> kHidden = {512,  768,  1024, 1280, 1536, 1792, 2048, 2304, 2560,
                                                  3072, 3584, 4096, 5120, 5376, 6144, 7168, 8192};
/// Their feed-forward layers and vocabularies.
constexpr std::array<std::int64_t, 40> kWide = {
    3456,  4864,  5632,  6912,  8960,  9216,   9728,   10240,  11008,  12288,  13696,  13824, 14336, 15360,
    16384, 17408, 17920, 18432, 18944, 20480,  21504,  22016,  23040,  24576,  25600,  27648, 28672, 29568,
    32000, 32768, 36864, 46080, 49152, 128256, 129280, 131072, 151936, 152064, 256000, 262144};

template <typename List>
bool lists(const List& list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// How much a matrix looks like a weight of a model; ratios near 3 are usual.
double likeness(std::int64_t rows, std::int64_t columns) {
  const auto [narrow, broad] = std::minmax(rows, columns);
  double score = 0;
  if (lists(kHidden, narrow) && lists(kWide, broad)) score += 3;
  if (lists(kHidden, narrow) && lists(kHidden, broad)) score += 2;
  if (lists(kHidden, narrow) || lists(kWide, broad)) score += 1;
  return score - 0.1 * std::abs(std::log2(static_cast<double>(broad) / static_cast<double>(narrow)) - 1.5);
}

std::int64_t round_up_to(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// Whether pages of this size, dealt out to the banks in turn, give what the message says.
bool pages_fit(const OutOfMemory& failure, std::int64_t page_bytes) {
  if (page_bytes <= 0 || failure.requested_bytes % page_bytes != 0) return false;
  if (failure.banks <= 0 || failure.per_bank_bytes < 0) return true;
  const std::int64_t pages = failure.requested_bytes / page_bytes;
  const std::int64_t of_bank = pages / failure.banks + (pages % failure.banks == 0 ? 0 : 1);
  const auto takes = [&](std::int64_t alignment) {
    return saturating_multiply(of_bank, round_up_to(page_bytes, alignment)) == failure.per_bank_bytes;
  };
  return takes(16) || takes(32) || takes(64);
}

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// The likeliest products of two dimensions, both multiples of 32 of a tile's side.
std::vector<Matrix> likely_matrices(std::int64_t tiles) {
  std::vector<Matrix> matrices;
  for (std::int64_t a = 1; a <= tiles / a; ++a) {
    if (tiles % a == 0) matrices.push_back({32 * (tiles / a), 32 * a});
  }
  const std::size_t kept = std::min(matrices.size(), kMaxOfOneType);
  std::partial_sort(matrices.begin(), matrices.begin() + static_cast<std::ptrdiff_t>(kept), matrices.end(),
                    [](const Matrix& a, const Matrix& b) {
                      return likeness(a.rows, a.columns) > likeness(b.rows, b.columns);
                    });
  matrices.resize(kept);
  return matrices;
}

/// Rows of a row-major tensor are its pages. The longest that fits: shorter ones often fit by chance.
std::int64_t likely_row_bytes(const OutOfMemory& failure) {
  constexpr std::int64_t kMaxRowBytes = std::int64_t{4} << 20;
  if (failure.banks <= 0 || failure.per_bank_bytes <= 0) return 0;
  for (std::int64_t row = std::min(kMaxRowBytes, failure.requested_bytes); row >= 64; row -= 2) {
    if (failure.per_bank_bytes % row == 0 && pages_fit(failure, row)) return row;
  }
  return 0;
}

}  // namespace

std::vector<TensorCandidate> plausible_tensors(const OutOfMemory& failure) {
  std::vector<TensorCandidate> found;
  if (failure.requested_bytes <= 0) return found;
  for (const std::string_view dtype : kTileTypes) {
    const std::int64_t tile = tile_bytes(dtype, 32, 32);
    if (!pages_fit(failure, tile) || failure.requested_bytes / tile > kMaxPages) continue;
    for (const Matrix& matrix : likely_matrices(failure.requested_bytes / tile)) {
      found.push_back({{matrix.rows, matrix.columns}, std::string(dtype)});
    }
  }
  // Of several element types that fit, the one with the dimensions of a model comes first.
  std::stable_sort(found.begin(), found.end(), [](const TensorCandidate& a, const TensorCandidate& b) {
    return std::floor(likeness(a.shape[0], a.shape[1])) > std::floor(likeness(b.shape[0], b.shape[1]));
  });
  if (!found.empty()) return found;
  const std::int64_t row = likely_row_bytes(failure);
  if (row <= 0) return found;
  for (const auto& [dtype, bytes] : {std::pair("bf16", 2), std::pair("f32", 4)}) {
    if (row % bytes != 0) continue;
    found.push_back({{failure.requested_bytes / row, row / bytes}, dtype, false});
  }
  return found;
}

namespace {

/// The smaller, the nearer to the cause.
int distance_of(const Crash& crash) {
  if (crash.kind == CrashKind::kReportedFailure) return 2;
  if (crash.kind != CrashKind::kPythonError) return 0;
  return crash.text.starts_with("Traceback (") ? 3 : 1;
}

}  // namespace

std::uint32_t cause_among(const std::vector<Crash>& crashes, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t cause = begin;
  for (std::uint32_t i = begin; i < end; ++i) {
    if (distance_of(crashes[i]) < distance_of(crashes[cause])) cause = i;
  }
  return cause;
}

std::uint32_t end_of_crash(const std::vector<Crash>& crashes, std::uint32_t begin) {
  std::uint32_t end = begin + 1;
  while (end < crashes.size() && crashes[end].last_op == crashes[begin].last_op) ++end;
  return end;
}

}  // namespace ttscope::mem
