// The failures of simulator.h: how a run is made to end by one, and what is printed then.
#include <algorithm>
#include <array>
#include <utility>

#include "session_text.h"
#include "simulator.h"

namespace ttscope::gen_log {

std::optional<Failure> failure_named(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Failure>, 7> kWords = {{
      {"exhausted", Failure::kExhausted},
      {"fragmented", Failure::kFragmented},
      {"too-large", Failure::kTooLarge},
      {"l1", Failure::kL1},
      {"region", Failure::kRegion},
      {"cb-exceeds", Failure::kBuffersExceed},
      {"cb-clash", Failure::kBuffersClash},
  }};
  const auto* found =
      std::find_if(kWords.begin(), kWords.end(), [word](const auto& row) { return row.first == word; });
  return found == kWords.end() ? std::nullopt : std::optional<Failure>(found->second);
}

void Simulator::note_raise(Memory memory, std::int64_t reached_bytes, std::int64_t bytes) {
  std::int64_t& reached = reached_[index_of(memory)];
  if (reached_bytes <= reached) return;
  if (!frames_.empty()) {
    const std::int64_t before = memories_[index_of(memory)].state().allocated_bytes - bytes;
    raises_.push_back({memory, reached, reached_bytes, before, bytes});
  }
  reached = reached_bytes;
}

std::optional<std::int64_t> Simulator::failing_arena_bytes() const {
  const auto last = std::find_if(raises_.rbegin(), raises_.rend(),
                                 [](const Raise& raise) { return raise.memory == Memory::kDram; });
  if (last == raises_.rend()) return std::nullopt;
  const std::int64_t half = (last->to_bytes - last->from_bytes) / 2;
  return last->from_bytes + half / device_.alignment * device_.alignment;
}

/// An arena that ends between what was reached before an allocation and with it fails there and nowhere
/// before. Its size decides what the failure is.
bool Simulator::arrange(Failure failure, RunPlan& plan) const {
  for (auto raise = raises_.rbegin(); raise != raises_.rend(); ++raise) {
    const std::int64_t with_it = raise->allocated_bytes + raise->bytes;
    std::int64_t arena = raise->from_bytes;
    bool fits = raise->memory == Memory::kDram;
    if (failure == Failure::kExhausted) fits = fits && arena < with_it && raise->bytes <= arena;
    if (failure == Failure::kTooLarge) fits = fits && raise->bytes > arena;
    if (failure == Failure::kL1) fits = raise->memory == Memory::kL1 && raise->bytes <= arena;
    if (failure == Failure::kFragmented) {
      arena = std::max(arena, with_it);
      fits = fits && arena < raise->to_bytes;
    }
    if (failure >= Failure::kRegion) break;
    if (!fits) continue;
    (raise->memory == Memory::kDram ? plan.dram_bytes_per_bank : plan.l1_bytes_per_bank) = arena;
    return true;
  }
  if (failure < Failure::kRegion || last_computing_op_ < 0) return false;
  plan.failure = failure;
  plan.fail_at_op = last_computing_op_;
  return true;
}

void Simulator::fail(const Op& op, std::int64_t index, ValueId result) {
  const TensorType* type = frame().program->values[result].type;
  const Memory memory = *type->memory();
  const bool dram = memory == Memory::kDram;
  const FreeList& list = memories_[index_of(memory)];
  const std::int64_t per_bank = list.rounded(type->bytes_per_bank(device_));
  FailedAllocation failure;
  failure.memory = dram ? "DRAM" : "L1";
  failure.requested_bytes = type->padded_bytes;
  failure.banks = dram ? device_.dram_banks : type->banks_named(device_);
  failure.requested_per_bank = per_bank;
  failure.bank_size = list.size_bytes();
  failure.state = list.state();
  print_failure(log_, {out_of_memory_text(failure), "TT_FATAL", "allocator/bank_manager.cpp:462: false",
                       op.op_type, frames_.size() > 1});
  if (truth_ != nullptr) {
    truth_->fail_op({index, op.name, name_of(result), memory, failure.requested_bytes, per_bank,
                     failure.bank_size, failure.state, ""});
  }
  failed_ = finished_ = true;
}

void Simulator::fail_without_allocation(const Op& op, std::int64_t index) {
  constexpr std::int64_t kMoreBytes = 4096;
  const std::string cores = "core range [(x=0,y=0) - (x=" + std::to_string(device_.grid_columns - 1) +
                            ",y=" + std::to_string(device_.grid_rows - 1) + ")]";
  PrintedFailure printed{"", "TT_THROW", "program/program.cpp:1136: tt::exception", op.op_type, false};
  OutOfMemoryRecord record{index, op.name, "", Memory::kL1, 0, 0, 0, memories_[index_of(Memory::kL1)].state(),
                           ""};
  if (*plan_.failure == Failure::kRegion) {
    FailedAllocation small;
    small.memory = "L1_SMALL";
    small.banks = device_.l1_banks;
    small.requested_per_bank = kL1SmallBytesPerBank + kMoreBytes;
    small.requested_bytes = small.requested_per_bank * small.banks;
    small.bank_size = kL1SmallBytesPerBank;
    small.state = {0, kL1SmallBytesPerBank, kL1SmallBytesPerBank};
    printed.text = out_of_memory_text(small);
    record.verdict = "region_missing";
  } else if (*plan_.failure == Failure::kBuffersExceed) {
    printed.text = "Statically allocated circular buffers on " + cores + " grow to " +
                   std::to_string(device_.l1_size_bytes + kMoreBytes) + " B which is beyond max L1 size of " +
                   std::to_string(device_.l1_size_bytes) + " B";
    record.verdict = "cb_exceeds_l1";
  } else {
    const std::int64_t lowest = device_.l1_size_bytes - record.state.allocated_bytes;
    printed.text = "Statically allocated circular buffers in program 17 clash with L1 buffers on " + cores +
                   ". L1 buffer allocated at " + std::to_string(lowest) +
                   " and static circular buffer region ends at " + std::to_string(lowest + kMoreBytes);
    record.verdict = "cb_clash";
  }
  print_failure(log_, printed);
  if (truth_ != nullptr) truth_->fail_op(record);
  failed_ = finished_ = true;
}

}  // namespace ttscope::gen_log
