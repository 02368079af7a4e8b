#pragma once

#include <cstdint>
#include <string>

#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"

namespace ttscope::testing {

/// What every trace and profile must hold, whatever the input was: ids point into their tables, lists that
/// belong together have the same length, sizes are not negative. Returns the first rule that is broken, empty
/// if none.
class Invariants {
 public:
  explicit Invariants(const mem::RuntimeLog& log) : log_(log) {}

  std::string broken_log() {
    require(log_.op_texts.size() == log_.op_bodies.size(), "one op text a body");
    require(log_.types.size() == log_.type_texts.size(), "one type a text");
    for (std::size_t r = 0; broken_.empty() && r < log_.ranks.size(); ++r) {
      check_ops(log_.ranks[r]);
      check_programs(log_.ranks[r]);
    }
    return broken_;
  }

  std::string broken(const mem::MemoryProfile& profile) {
    broken_log();
    require(profile.ranks.size() == log_.ranks.size(), "one profile a rank");
    for (std::size_t r = 0; broken_.empty() && r < log_.ranks.size(); ++r) {
      check_profile(log_.ranks[r], profile.ranks[r]);
    }
    require(log_.ranks.empty() || profile.main_rank < log_.ranks.size(), "the main rank exists");
    return broken_;
  }

 private:
  void require(bool holds, const char* rule) {
    if (!holds && broken_.empty()) broken_ = rule;
  }
  static bool in(std::uint32_t id, std::size_t size) { return id == kNone || id < size; }

  void check_ops(const mem::RankLog& rank) {
    for (const mem::ExecutedOp& op : rank.ops) {
      require(in(op.text, log_.op_texts.size()), "op text");
      require(in(op.loc, log_.locs.size()), "op location");
      require(in(op.block, rank.blocks.size()), "op block");
      require(in(op.instance, rank.programs.size()), "op program");
      require(op.text != kNone || op.op_type != kNone, "an op has a text or a type");
    }
    for (const mem::MemoryBlock& block : rank.blocks) {
      require(block.before_op <= rank.ops.size(), "block place");
      require(block.geometry < log_.geometries.size(), "block geometry");
    }
  }

  void check_programs(const mem::RankLog& rank) {
    for (std::size_t p = 0; p < rank.programs.size(); ++p) {
      const mem::ProgramInstance& program = rank.programs[p];
      require(program.first_op <= program.end_op && program.end_op <= rank.ops.size(), "program ops");
      require(program.parent == kNone || program.parent < p, "parents come first");
      require(in(program.caller_op, rank.ops.size()), "program caller");
    }
    std::uint32_t last = 0;
    for (const mem::ProgramEvent& event : rank.events) {
      require(event.before_op >= last && event.instance < rank.programs.size(), "events are in order");
      last = event.before_op;
    }
    require(rank.events.size() == 2 * rank.programs.size(), "every program starts and ends");
  }

  void check_profile(const mem::RankLog& rank, const mem::RankProfile& profile) {
    require(profile.effects.size() == rank.ops.size(), "one effect an op");
    require(profile.accounted.size() == rank.ops.size(), "one state an op");
    require(profile.programs.size() == rank.programs.size(), "one summary a program");
    for (const mem::PerTensorMemory& state : profile.accounted) {
      for (const std::int64_t bytes : state) require(bytes >= 0, "no negative memory");
    }
    for (const mem::Buffer& buffer : profile.buffers) {
      require(buffer.born <= buffer.died && buffer.bytes_per_bank > 0, "buffers live and weigh something");
      require(in(buffer.producer_op, rank.ops.size()), "buffer maker");
      require(buffer.memory < mem::kTensorMemoryCount, "buffer memory");
      require(buffer.type >= mem::kLocalTypeBase
                  ? buffer.type - mem::kLocalTypeBase < profile.local_types.size()
                  : buffer.type < log_.types.size(),
              "buffer type");
    }
    for (const mem::Peak& peak : profile.peaks) {
      require(peak.bytes_per_bank >= 0 && in(peak.op, rank.ops.size()) && in(peak.block, rank.blocks.size()),
              "peak");
    }
    for (const mem::LiveSet& live : profile.live_at_peak) {
      for (const std::uint32_t b : live.buffers) require(b < profile.buffers.size(), "live buffer");
    }
  }

  const mem::RuntimeLog& log_;
  std::string broken_;
};

inline std::string broken_invariant(const mem::RuntimeLog& log, const mem::MemoryProfile& profile) {
  return Invariants(log).broken(profile);
}

/// The same of a trace alone.
inline std::string broken_log(const mem::RuntimeLog& log) { return Invariants(log).broken_log(); }

}  // namespace ttscope::testing
