#include "mem/read/ttnn_module/sniff.h"

#include <array>
#include <cstring>

#include "base/text_search.h"
#include "io/beginning.h"
#include "mem/model/line_prefix.h"
#include "mem/read/runtime_log/module_aliases.h"
#include "mem/read/runtime_log/sniff.h"

namespace ttscope::mem {
namespace {

constexpr int kLinesLookedAt = 200;  // comments of a file's head, then something of MLIR

bool has_text(std::string_view text, std::string_view wanted) {
  return !text.empty() && ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

/// `#loc3 = `, `module @x`, `func.func @main(`, ...: the first line that is neither blank nor a comment.
bool begins_as_mlir(std::string_view line) {
  constexpr std::array<std::string_view, 6> kWords = {"module ",   "builtin.module", "\"builtin.module\"",
                                                      "func.func", "\"func.func\"",  "ttcore."};
  for (const std::string_view word : kWords) {
    if (line.starts_with(word)) return true;
  }
  return !alias_name(line).empty();
}

bool looks_like_mlir(std::string_view text) {
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == kNoPlace ? text.size() : end + 1);
    take_rank_tag(line);
    line = trimmed(line);
    if (line.empty() || line.starts_with("//")) continue;
    return begins_as_mlir(line);
  }
  return false;
}

bool uses_ttnn(std::string_view text) {
  return has_text(text, "\"ttnn.") || has_text(text, "#ttnn.") || has_text(text, "!ttnn.") ||
         has_text(text, "#tt.layout<");
}

}  // namespace

bool is_ttnn_module(const io::Beginning& beginning) {
  if (beginning.path_kind == io::PathKind::kFolder || beginning.is_binary()) return false;
  const std::string_view text = beginning.text();
  return looks_like_mlir(text) && uses_ttnn(text) && !has_runtime_lines(text);
}

bool has_ttnn_module(std::string_view text) {
  return has_text(text, "func.func") && has_text(text, "\"ttnn.");
}

}  // namespace ttscope::mem
