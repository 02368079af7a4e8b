#include "mem/read/runtime_log/sniff.h"

#include <cstring>

#include "mem/read/runtime_log/failure_marks.h"
#include "mem/read/runtime_log/failure_parser.h"

namespace ttscope::mem {
namespace {

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace

bool has_runtime_lines(std::string_view text) {
  return holds(text, "Executing operation:") || holds(text, " memory state: MemoryView{");
}

bool has_compiler_lines(std::string_view text) { return holds(text, "END OF MLIR MODULE"); }

bool has_failure(std::string_view text) {
  for (std::size_t at = find_failure_mark(text, 0); at != std::string_view::npos;
       at = find_failure_mark(text, at + 1)) {
    const std::string_view message = text.substr(at);
    OutOfMemory failure;
    if (!is_host_mark(message) && parse_failure(message, failure)) return true;
  }
  return false;
}

}  // namespace ttscope::mem
