#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// A small trace made by hand, for tests of single outputs: the methods add what a reader and the analysis
/// would.
struct HandMadeLog {
  RuntimeLog log;
  MemoryProfile profile;

  /// One file, one rank with 12 DRAM banks of 1000 MiB and 64 L1 banks of 1 MiB.
  HandMadeLog();

  RankLog& rank() { return log.ranks[0]; }
  RankProfile& rank_profile() { return profile.ranks[0]; }

  /// A bf16 tensor in tiles; an empty `buffer` gives a type that is no tensor.
  std::uint32_t add_type(std::vector<std::int64_t> shape, BufferType buffer = BufferType::kDram);

  struct Op {
    std::string_view name = "ttnn.add";
    std::vector<std::string_view> results{};
    std::vector<std::string_view> operands{};
    std::string_view callee{};
    OpRole role = OpRole::kCompute;
    std::vector<std::uint32_t> input_types{};
    std::vector<std::uint32_t> result_types{};
    std::string_view loc{};
    std::uint32_t instance = 0;
    MilliMib dram = 0;  ///< allocated before the op
    bool has_block = true;
  };
  /// Adds an op with its memory block, a line of its own and no growth; returns its index.
  std::uint32_t add_op(const Op& op);
  std::uint32_t add_program(std::string_view name, std::uint32_t parent = kNone,
                            std::uint32_t caller_op = kNone);
  void set_growth(std::uint32_t op, std::int64_t dram_bytes);
  void add_change(std::uint32_t before_op, BoundaryChange::Cause cause, std::int64_t dram_bytes);
  void add_weight(std::string_view ssa, std::string_view name, std::vector<std::int64_t> shape);

 private:
  IdRange add_names(const std::vector<std::string_view>& names);
  IdRange add_ids(const std::vector<std::uint32_t>& ids);
  std::uint32_t add_block(MilliMib dram, std::uint32_t before_op);
  std::uint32_t next_line_ = 10;
};

}  // namespace ttscope::mem
