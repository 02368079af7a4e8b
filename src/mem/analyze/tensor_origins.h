#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"

/// The tensor that a failed allocation was for, as far as the op that ran tells.

namespace ttscope::mem {

struct MemoryProfile;

/// Follows tensors back to the program argument that they are made of alone: through ops of one tensor, and
/// from const-eval programs to those that called them.
class OriginFinder {
 public:
  /// `rank` is in RuntimeLog::ranks.
  OriginFinder(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank);

  /// The argument of what an op of the rank is given, in MemoryProfile::arguments; kNone where several
  /// tensors are made into one, or a line is missing.
  std::uint32_t find(std::uint32_t op) const { return find(only_tensor_of(op), op); }

  /// The same of one operand of the op; `name` is in RuntimeLog::names.
  std::uint32_t find(std::uint32_t name, std::uint32_t op) const;

 private:
  std::uint32_t only_tensor_of(std::uint32_t op) const;
  std::uint32_t maker_of(std::uint32_t name, std::uint32_t op) const;
  std::uint32_t passed_as(std::uint32_t name, std::uint32_t call) const;
  std::uint32_t described(std::uint32_t name, std::uint32_t instance) const;

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  std::uint32_t rank_number_ = 0;
  const RankLog& rank_;
  // The ops that make a tensor of name n, in order: makers_[first_maker_[n] .. first_maker_[n + 1]).
  std::vector<std::uint32_t> first_maker_;
  std::vector<std::uint32_t> makers_;
};

/// Results of const-eval programs are weights in another form.
TensorKind kind_of_request(const RankProfile& profile, const OutOfMemory& failure);

/// Whether a tensor takes as much of a bank of its memory as was asked for.
bool matches_requested_bytes(const TensorType& tensor, const RankProfile& profile,
                             const OutOfMemory& failure);

/// The first result of the running op of that size, as a buffer that was never made; its type is kNone where
/// none has it.
Buffer asked_buffer(const RuntimeLog& log, const RankLog& ops, const RankProfile& profile,
                    const OutOfMemory& failure);

/// An op with several results allocates them one after the other: those before the one that failed are in use
/// already, though the op never ended.
struct FailingResults {
  std::vector<std::uint32_t> places;  ///< in OpText::result_types: those in the memory that failed
  std::vector<TensorType> types;      ///< of these
  /// How many of these the op had got, where the message and the block before the op tell it.
  std::optional<std::size_t> got;
};

FailingResults failing_results(const RuntimeLog& log, const RankLog& ops, const DeviceFacts& device,
                               const OutOfMemory& failure);

/// Counts those that the op had got as live; where nobody tells how many, those that explain what is
/// unaccounted.
void claim_failing_results(const FailingResults& results, const DeviceFacts& device, LiveSet& live);

/// The tables that embeddings look rows up in: they need rows of bf16, so block formats, which only tiles
/// have, are not for them, nor for the weights that they are made of.
class EmbeddingTables {
 public:
  EmbeddingTables(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank);

  bool has(const Buffer& buffer) const;

 private:
  std::unordered_set<std::uint32_t> arguments_;  ///< in MemoryProfile::arguments
  std::unordered_set<std::uint32_t> types_;      ///< of tables that are no arguments themselves
};

/// Which model weights an op reads, by data flow: arguments among its own operands; inside const-eval also
/// those that its operands were made from, where the arguments are what the calling load_cached passed. The
/// trace and the profile outlive it. Not thread safe.
class WeightFlow {
 public:
  WeightFlow(const RuntimeLog& log, const MemoryProfile& profile);

  /// The ops of a rank are then asked for in their order.
  void use_rank(std::uint32_t rank);
  /// Indices in MemoryProfile::arguments, without repeats. Valid until the next call.
  std::span<const std::uint32_t> weights_of(std::uint32_t op);

 private:
  using Weights = std::vector<std::uint32_t>;
  /// What is known of the values of one running const-eval program.
  struct Scope {
    std::uint32_t instance = kNone;
    std::vector<Weights> arguments;                     ///< by position
    std::unordered_map<std::uint32_t, Weights> values;  ///< by name id
  };

  bool inside_const_eval(std::uint32_t instance) const;
  bool is_ancestor(std::uint32_t ancestor, std::uint32_t instance) const;
  void enter(std::uint32_t instance);
  const Weights* find(const Scope& scope, std::uint32_t name) const;
  void add_argument(Weights& to, std::uint32_t instance, std::uint32_t name) const;

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  std::vector<std::uint32_t> positions_;  ///< by name id: 3 for `%arg3`, kNone for other names
  std::unordered_map<std::uint64_t, std::uint32_t> arguments_;  ///< weights by graph and name
  std::uint32_t rank_ = 0;
  std::uint32_t instance_ = kNone;
  bool in_const_eval_ = false;  ///< instance_ is, or is called by, a const-eval program
  std::vector<Scope> scopes_;   ///< open const-eval programs, outermost first
  Weights weights_;
};

/// 3 for `%arg3`, kNone for other names.
std::uint32_t argument_number(std::string_view name);

}  // namespace ttscope::mem
