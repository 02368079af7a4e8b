#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::testing {

struct ReferenceOp {
  std::string text;  ///< without its location
  std::string loc;   ///< inside `loc( )`
  bool has_loc = false;
  std::uint32_t line = 0;
  int program = -1;  ///< in ReferenceRank::programs; -1: outside any
  bool retained = false;
  bool cache_hit = false;
  bool cache_miss = false;
};

/// Figures in thousandths of a MiB.
struct ReferenceView {
  std::uint32_t line = 0;
  std::uint64_t banks = 0;
  std::array<std::uint64_t, 4> numbers{};  ///< total, allocated, free, largest free
};

struct ReferenceBlock {
  std::string moment;  ///< `before operation`, `before submit`, `after submit`, or empty without a header
  std::string op_type;
  std::uint32_t line = 0;                             ///< of the first line
  int op_line_before = -1;                            ///< op printed last before the block
  std::array<std::optional<ReferenceView>, 4> views;  ///< DRAM, L1, L1_SMALL, TRACE
};

struct ReferenceProgram {
  std::string name;
  std::uint32_t start_line = 0;
  std::uint32_t end_line = 0;  ///< 0: left open
  int parent = -1;
};

struct ReferenceRank {
  std::string tag;
  std::vector<ReferenceOp> ops;
  std::vector<ReferenceBlock> blocks;
  std::vector<ReferenceProgram> programs;
  int unmatched_ends = 0;
  int unreadable_views = 0;
};

/// Reads a runtime log slowly and plainly, line by line, by the description of the format alone: what the
/// fast reader is compared with. Ranks come in order of their first op or memory line.
std::vector<ReferenceRank> read_reference(std::string_view log);

}  // namespace ttscope::testing
