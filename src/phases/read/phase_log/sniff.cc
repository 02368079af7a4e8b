#include "phases/read/phase_log/sniff.h"

#include <cstring>

namespace ttscope::phases {
namespace {

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace

bool has_summary_lines(std::string_view text) {
  // A summary whose first line was lost still has its phases: `DRAM: Segment Peak 1.00 MB, Allocations ...`.
  return holds(text, "=== Memory Usage Summary ===") || holds(text, "DRAM: Segment Peak");
}

}  // namespace ttscope::phases
