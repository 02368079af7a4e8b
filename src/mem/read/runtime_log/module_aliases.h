#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ttscope::mem {

/// The name of a line that defines an alias: `#loc12` of `#loc12 = ...`; empty if it is something else.
std::string_view alias_name(std::string_view line);

/// What stands behind the `#name` and `!name` of a module, defined before or after their use. Aliases that
/// name each other, and a long one in every type, must not grow without bound: what is written out in all is
/// limited by the text that was collected.
class ModuleAliases {
 public:
  /// Takes `#ttnn_layout5 = #ttnn.ttnn_layout<...>`, `#dram = #ttnn.buffer_type<dram>` or
  /// `#loc3 = loc("dot.7"(#loc1))`; other lines only add to what may be written out. The text must stay.
  void collect(std::string_view line);
  /// Appends `text` with its aliases written out, and those inside them; names that are not aliases
  /// (`#ttnn.ttnn_layout<`) and strings stay. Stops where `out` is over `limit_bytes`.
  void append_expanded(std::string_view text, std::size_t limit_bytes, std::string& out);
  /// What one alias stands for, written out; empty if there is none of that name.
  std::string_view expansion(std::string_view name);

 private:
  struct Alias {
    std::string_view text;
    std::string expanded;
    enum class State : unsigned char { kAsWritten, kBeingExpanded, kExpanded } state = State::kAsWritten;
  };
  std::string_view expand(Alias& alias);

  std::unordered_map<std::string_view, Alias> aliases_;
  std::size_t room_bytes_ = 0;  ///< that may still be written out
  int depth_ = 0;
};

}  // namespace ttscope::mem
