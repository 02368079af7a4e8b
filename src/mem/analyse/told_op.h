#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// An op that no op line shows: the backtrace below a message names it, and the modules in the log may have
/// it.
struct ToldOp {
  std::string name{};      ///< `ttnn.conv3d` of a module, else `Conv3dOp` as the frame says; empty: not told
  std::string loc{};       ///< empty unless one op of the modules alone can be it
  std::string program{};   ///< function of that op, the same
  std::uint32_t line = 0;  ///< of that op in its module, else of the frame
  std::vector<const ModuleOp*> ops{};  ///< of the modules, that it can be; the newest compilation first

  bool is_told() const { return !name.empty(); }
};

/// `rank` is in RuntimeTrace::ranks. Nothing is told where an op line says what was running; where memory
/// lines alone do, only the ops of the modules.
ToldOp told_op(const RuntimeTrace& trace, std::uint32_t rank, const OutOfMemory& failure);

/// The modules that a rank printed before a line, the newest first.
std::vector<const ModuleDump*> modules_before(const RuntimeTrace& trace, std::uint32_t rank,
                                              std::uint32_t line);

}  // namespace ttscope::mem
