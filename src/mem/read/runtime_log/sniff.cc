#include "mem/read/runtime_log/sniff.h"

#include <cstring>

namespace ttscope::mem {
namespace {

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace

bool has_runtime_lines(std::string_view text) {
  return holds(text, "Executing operation:") || holds(text, " memory state: MemoryView{");
}

bool has_compiler_lines(std::string_view text) {
  return holds(text, "END OF MLIR MODULE") || holds(text, "Out of Memory: Not enough space");
}

}  // namespace ttscope::mem
