#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// An op that no op line shows: the backtrace below a message names it, and the modules in the log may have
/// it.
struct FailingOp {
  std::string name{};      ///< `ttnn.conv3d` of a module, else `Conv3dOp` as the frame says; empty: not told
  std::string loc{};       ///< empty unless one op of the modules alone can be it
  std::string program{};   ///< function of that op, the same
  std::uint32_t line = 0;  ///< of that op in its module, else of the frame
  std::vector<const ModuleOp*> ops{};  ///< of the modules, that it can be; the newest compilation first

  bool is_known() const { return !name.empty(); }
};

/// `rank` is in RuntimeLog::ranks. Nothing is told where an op line says what was running; where memory
/// lines alone do, only the ops of the modules.
FailingOp find_failing_op(const RuntimeLog& log, std::uint32_t rank, const OutOfMemory& failure);

/// The modules that a rank printed before a line, the newest first.
std::vector<const ModuleDump*> modules_before(const RuntimeLog& log, std::uint32_t rank, std::uint32_t line);

/// What a compiled function does with its values behind one of its ops, as the dump of the module says: it
/// tells what the rest of a program would have used, though the run never came to it.
class ModuleUses {
 public:
  ModuleUses() = default;
  /// `result` is a value that the op makes, with or without `#1`. Empty where the function or the op is not
  /// in the module.
  ModuleUses(const ModuleDump& module, std::string_view function, std::string_view result);

  /// Line of the log where the rest of the function frees a value that it does not use any more; 0 where it
  /// uses it, does not free it, or nothing is known.
  std::uint32_t freed_at(std::string_view value) const;

 private:
  struct ValueUse {
    bool is_used = false;
    std::uint32_t freed_line = 0;
  };
  void note(std::string_view statement, std::uint32_t line);

  std::unordered_map<std::string_view, ValueUse> values_;  ///< views into the dump
};

/// Where the locations of a module stand in its text; lines count from 1.
struct LocIndex {
  struct Entry {
    std::string name;
    std::uint32_t line = 0;            ///< the one to jump to
    std::vector<std::uint32_t> lines;  ///< all ops with this location
  };
  struct Function {
    std::string name;  ///< without `@`
    std::uint32_t first_line = 0;
    std::uint32_t last_line = 0;
  };
  std::vector<Entry>
      entries;  ///< ops with a location alias first, then inline locations, then `@callee` of load_cached
  std::vector<Function> functions;
};

/// Names are those that op records carry as `loc`. Where one is used several times the first op of a main
/// function wins over const-eval functions, and any op over function headers.
LocIndex index_locations(const std::vector<std::string_view>& lines);

}  // namespace ttscope::mem
