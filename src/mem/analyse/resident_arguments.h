#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyse/const_eval_cache.h"
#include "mem/analyse/graphs.h"
#include "mem/analyse/measured_curve.h"
#include "mem/analyse/program_names.h"

namespace ttscope::mem {

/// What is on the device when an outermost program starts: its arguments, moved there without a line in the
/// log, and what earlier programs left.
class ResidentArguments {
 public:
  ResidentArguments(const GraphTable& graphs, const std::vector<Argument>& arguments,
                    const DeviceFacts& device, BufferPool& pool)
      : graphs_(graphs),
        arguments_(arguments),
        device_(device),
        pool_(pool),
        home_buffers_(graphs.graphs.size()) {}

  struct Start {
    std::optional<PerTensorMemory> measured;  ///< state before the program's first op
    PerTensorMemory unaccounted{};            ///< measured less modelled at the last block before
    bool all_there = false;  ///< where nothing is measured: arguments that no op names are on the device too
  };
  /// Whether the measured state before a graph's outermost program has room for its arguments alone and not
  /// for what is remembered beside them: another process has opened the device, and nothing is left on it.
  bool begins_anew(std::uint32_t graph, const PerTensorMemory& measured, const ConstEvalCache& cache) const;
  /// Binds the arguments and settles what happens to earlier outputs; the measured state decides where it
  /// can.
  void bind(ProgramNames& names, const Start& start);

 private:
  /// Which way of explaining the state before the first op was chosen.
  struct Explanation {
    bool named_there = true;     ///< arguments that no resident buffer serves were moved to the device
    bool unnamed_there = false;  ///< arguments that only the dump lists are on the device
    bool outputs_kept = false;   ///< outputs of earlier programs that nobody takes stay
  };
  /// Bytes per bank of each part that an explanation adds or removes.
  struct Parts {
    PerTensorMemory new_named{};
    PerTensorMemory new_unnamed{};
    PerTensorMemory untaken{};
    PerTensorMemory outputs_of_unnamed{};  ///< outputs that only unnamed arguments would take
  };

  void find_resident(const ProgramNames& names, std::vector<std::uint32_t>& found);
  Parts measure_parts(std::uint32_t graph, const std::vector<std::uint32_t>& found,
                      const std::vector<std::uint32_t>& untaken) const;
  Explanation explain(const Parts& parts, const Start& start) const;
  void bind_one(ProgramNames& names, std::uint32_t position, std::uint32_t buffer);
  void bind_absent(ProgramNames& names, std::uint32_t position);
  std::uint32_t resident_home(std::uint32_t graph, std::uint32_t position);
  void settle_outputs(std::vector<std::uint32_t>& untaken, const Start& start);
  void free_outputs_gone(const PerTensorMemory& measured);

  const GraphTable& graphs_;
  const std::vector<Argument>& arguments_;
  const DeviceFacts& device_;
  BufferPool& pool_;
  std::vector<std::vector<std::uint32_t>> home_buffers_;  ///< [graph][argument]
  std::vector<std::uint32_t> kept_outputs_;
  std::vector<bool> was_output_;  ///< by argument of the program that starts: what it took was an output
};

}  // namespace ttscope::mem
