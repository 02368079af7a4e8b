#include "output/mem_json/document.h"

namespace ttscope::output {
namespace {

/// What one bank held when the allocation failed; -1 where nothing tells.
struct BankState {
  std::int64_t size_bytes = -1;
  std::int64_t allocated_bytes = -1;
  std::int64_t free_bytes = -1;
  std::int64_t largest_free_bytes = -1;
  std::string_view source = "message";
};

/// Older messages do not say what was free; the block before the failing op does.
BankState state_of(const MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  BankState state{failure.bank_size_bytes, failure.allocated_bytes, failure.free_bytes,
                  failure.largest_free_bytes, "message"};
  const RankTrace& trace = document.trace.ranks[rank];
  const std::size_t memory = index_of(failure.memory);
  if (state.size_bytes < 0) {
    const std::int64_t capacity = document.profile.ranks[rank].device.capacity_bytes_per_bank[memory];
    if (capacity > 0) state.size_bytes = capacity;
  }
  const bool has_op = failure.last_op < trace.ops.size();
  if (state.free_bytes >= 0 || !has_op || trace.ops[failure.last_op].block >= trace.blocks.size())
    return state;
  const MemoryBlock& block = trace.blocks[trace.ops[failure.last_op].block];
  state.allocated_bytes = bytes_of(block.allocated[memory]);
  state.free_bytes = bytes_of(block.free[memory]);
  state.largest_free_bytes = bytes_of(block.largest_free[memory]);
  state.source = "memory block";
  return state;
}

std::string_view diagnosis_of(std::int64_t needed_bytes, const BankState& state) {
  if (state.size_bytes == 0) return "region_absent";
  if (needed_bytes < 0) return "unknown";
  if (state.size_bytes > 0 && needed_bytes > state.size_bytes) return "never_fits";
  if (state.free_bytes >= 0 && needed_bytes > state.free_bytes) return "exhausted";
  if (state.largest_free_bytes >= 0 && needed_bytes > state.largest_free_bytes) return "fragmented";
  return "unknown";
}

void write_failure(JsonWriter& json, MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  const BankState state = state_of(document, rank, failure);
  const auto& ops = document.trace.ranks[rank].ops;
  const bool has_op = failure.last_op < ops.size();
  json.begin_object();
  write_rank(json, document, rank);
  json.field("diagnosis", diagnosis_of(failure.per_bank_bytes, state));
  json.field("memory", name_of(failure.memory));
  json.field("message_line", failure.line);
  json.field("requested_bytes", known_or_null(failure.requested_bytes));
  json.field("banks", known_or_null(failure.banks));
  json.field("bytes_per_bank", known_or_null(failure.per_bank_bytes));
  json.field("bank_size_bytes", known_or_null(state.size_bytes));
  json.field("allocated_bytes_per_bank", known_or_null(state.allocated_bytes));
  json.field("free_bytes_per_bank", known_or_null(state.free_bytes));
  json.field("largest_free_bytes_per_bank", known_or_null(state.largest_free_bytes));
  json.field("state_from", state.source);
  write_op(json, document, rank, failure.last_op);
  json.field("program", has_op ? program_name(document, rank, ops[failure.last_op].instance) : std::nullopt);
  json.end_object();
}

}  // namespace

void write_failures(MemDocument& document) {
  const auto& ranks = document.trace.ranks;
  document.json.key("failure");
  std::uint32_t first = 0;
  while (first < ranks.size() && ranks[first].failures.empty()) ++first;
  if (first == ranks.size()) {
    document.json.value(nullptr);
  } else {
    write_failure(document.json, document, first, ranks[first].failures.front());
  }
  RecordList list(document, "failures");
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    for (const OutOfMemory& failure : ranks[rank].failures) {
      JsonWriter json = list.next();
      write_failure(json, document, rank, failure);
    }
  }
}

}  // namespace ttscope::output
