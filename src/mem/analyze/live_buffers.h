#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// Bookkeeping of one buffer while a rank is followed.
struct BufferState {
  std::uint32_t names = 0;           ///< names of open programs that have it
  std::uint32_t cache_entries = 0;   ///< const-eval cache entries that own it
  std::uint32_t home_graph = kNone;  ///< graph and argument it was last bound to
  std::uint32_t home_argument = kNone;
  bool resident = false;           ///< on the device without a name: for a later program to take
  bool output = false;             ///< left by a program; freed when the next one starts unless taken
  std::uint32_t live_sources = 0;  ///< const-eval copy: resident weights it was made from
};

/// All buffers of a rank with running totals. Resident ones can be found by type in the order in which they
/// came.
class BufferPool {
 public:
  BufferPool(const RuntimeLog& log, RankProfile& profile) : log_(log), profile_(profile) {}

  /// Makes room for so many buffers, which costs nothing until they come.
  void expect(std::size_t buffers) {
    profile_.buffers.reserve(buffers);
    states_.reserve(buffers);
  }
  /// From now on; everything that follows happens at this moment.
  void set_now(Moment now) { now_ = now; }

  /// Bytes per bank of a type in a tensor memory, 0 for host tensors.
  std::int64_t size_of(std::uint32_t type, const DeviceFacts& device, std::uint8_t& memory) const;
  /// A new buffer of a type, born now, its other fields from `like`; kNone for host tensors.
  std::uint32_t allocate(std::uint32_t type, const DeviceFacts& device, const Buffer& like);
  void free(std::uint32_t buffer);
  /// An op computes with it now.
  void note_use(std::uint32_t buffer) {
    Buffer& used = profile_.buffers[buffer];
    used.first_used = std::min(used.first_used, now_);
    used.last_used = now_;
  }
  /// The buffer goes on under another name and kind: a record of its own from now on, so that every moment
  /// shows what the buffer was then. Returns the new record (the same one where the cache or copies refer to
  /// it).
  std::uint32_t rename(std::uint32_t buffer);
  /// The buffer has no name any more: freed, or kept for the cache or (`keep`) for a later program.
  void release(std::uint32_t buffer, bool keep);
  /// Frees all that no open program has a name for: the process that left it is gone.
  void free_unnamed();
  bool is_live(std::uint32_t buffer) const { return profile_.buffers[buffer].died == kForever; }

  void make_resident(std::uint32_t buffer, bool output);
  void take(std::uint32_t buffer) { states_[buffer].resident = states_[buffer].output = false; }
  /// Oldest resident buffer of a type, outputs of earlier programs first; kNone if none.
  std::uint32_t find_resident(std::uint32_t type);
  /// Resident outputs that nobody took since the last call, oldest first.
  std::vector<std::uint32_t> untaken_outputs();

  /// A const-eval copy of a weight: counted as a duplicate while both live.
  void link_copy(std::uint32_t weight, std::uint32_t copy);

  BufferState& state(std::uint32_t buffer) { return states_[buffer]; }
  const BufferState& state(std::uint32_t buffer) const { return states_[buffer]; }
  const Buffer& operator[](std::uint32_t buffer) const { return profile_.buffers[buffer]; }
  Buffer& edit(std::uint32_t buffer) { return profile_.buffers[buffer]; }
  const PerTensorMemory& accounted() const { return accounted_; }
  const std::array<LiveTotals, kTensorMemoryCount>& totals() const { return totals_; }
  const std::vector<DuplicatedWeight>& links() const { return links_; }

 private:
  /// First in, first out, with entries that are no longer resident skipped when they come up.
  struct Queue {
    std::vector<std::uint32_t> buffers;
    std::size_t head = 0;
  };
  const TensorType& type_at(std::uint32_t type) const;
  std::uint32_t pop(std::vector<Queue>& queues, std::uint32_t type, bool outputs);
  void add_duplicate(std::uint32_t copy, int sign);

  const RuntimeLog& log_;
  RankProfile& profile_;
  HugeVector<BufferState> states_;
  std::vector<Queue> outputs_by_type_;
  std::vector<Queue> kept_by_type_;
  std::vector<std::uint32_t> outputs_;
  std::vector<DuplicatedWeight> links_;
  std::vector<std::vector<std::uint32_t>> copies_of_;  ///< by buffer, only as long as links exist
  PerTensorMemory accounted_{};
  std::array<LiveTotals, kTensorMemoryCount> totals_{};
  std::int64_t duplicate_bytes_ = 0;
  Moment now_ = 0;
  std::uint32_t first_after_free_unnamed_ = 0;  ///< those before it have been freed by it, or had a name
};

/// The runtime's cache of const-eval results: it owns its entries until they are replaced.
class ConstEvalCache {
 public:
  explicit ConstEvalCache(const RankLog& rank) {
    for (const auto& [op, hash] : rank.cache_keys) hash_of_op_[op] = hash;
  }

  /// The hash when the runtime prints it, else the function's name within the outermost graph.
  std::uint64_t key(std::uint32_t op, std::uint32_t callee, std::uint32_t outermost_graph) const {
    const auto found = hash_of_op_.find(op);
    if (found != hash_of_op_.end()) return found->second;
    return (std::uint64_t{outermost_graph} + 1) << 32 | callee;
  }

  /// Results by position, kNone for host tensors; null when the entry was never seen.
  const std::vector<std::uint32_t>* find(std::uint64_t key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }

  /// Of what is on the device and no argument of a program.
  std::int64_t bytes_per_bank(const BufferPool& pool) const;
  /// Another process: its cache is empty.
  void forget() { entries_.clear(); }

  void store(BufferPool& pool, std::uint64_t key, const std::vector<std::uint32_t>& entry);

 private:
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> entries_;
  std::unordered_map<std::uint32_t, std::uint32_t> hash_of_op_;
};

/// What a value depends on, weakest first: nothing but constants, weights, a program input.
enum class Flow : std::uint8_t { kConstant, kWeight, kActivation };

/// What a name of an open program stands for.
struct Binding {
  std::uint32_t buffer = kNone;  ///< kNone: a host tensor, or not known
  std::uint32_t type = kNone;
  Flow flow = Flow::kActivation;
  std::uint32_t order = kNone;  ///< of binding, within the program; set by bind()
  bool is_set() const { return order != kNone; }
};

/// The names of one open program instance: SSA names restart in every program, so each has a table of its
/// own.
class ProgramNames {
 public:
  void open(std::uint32_t instance, std::uint32_t graph, bool const_eval);

  void bind(BufferPool& pool, std::uint32_t name, Binding binding);
  /// Takes a name away; returns its buffer when no other name has it, else kNone.
  std::uint32_t unbind(BufferPool& pool, std::uint32_t name);
  const Binding* find(std::uint32_t name) { return names_.find(name); }
  /// (name, binding) in order of binding.
  std::vector<std::pair<std::uint32_t, Binding>> in_order();

  std::uint32_t instance = kNone;
  std::uint32_t graph = kNone;
  bool const_eval = false;

 private:
  PagedMap<Binding> names_;
  std::uint32_t next_order_ = 0;
};

}  // namespace ttscope::mem
