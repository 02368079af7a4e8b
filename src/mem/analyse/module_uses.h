#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "mem/model/module_dump.h"

namespace ttscope::mem {

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
  struct Rest {
    bool is_used = false;
    std::uint32_t freed_line = 0;
  };
  void note(std::string_view statement, std::uint32_t line);

  std::unordered_map<std::string_view, Rest> values_;  ///< views into the dump
};

}  // namespace ttscope::mem
