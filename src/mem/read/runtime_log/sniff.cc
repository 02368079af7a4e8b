#include "mem/read/runtime_log/sniff.h"

#include <algorithm>
#include <cstring>

namespace ttscope::mem {
namespace {

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

constexpr std::size_t kNowhere = std::string_view::npos;

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// ` space to allocate 4096 B`, which people break into lines anywhere. Without a size there is nothing to
/// tell.
bool goes_on_with_size(std::string_view text) {
  for (const std::string_view word : {"space", "to", "allocate"}) {
    text = without_blanks(text);
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
  }
  text = without_blanks(text);
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

}  // namespace

bool has_runtime_lines(std::string_view text) {
  return holds(text, "Executing operation:") || holds(text, " memory state: MemoryView{");
}

bool has_compiler_lines(std::string_view text) { return holds(text, "END OF MLIR MODULE"); }

bool has_failure(std::string_view text) {
  constexpr std::string_view kStart = "Out of Memory: Not enough";
  for (std::size_t at = text.find(kStart); at != kNowhere; at = text.find(kStart, at + kStart.size())) {
    if (goes_on_with_size(text.substr(at + kStart.size()))) return true;
  }
  return false;
}

}  // namespace ttscope::mem
