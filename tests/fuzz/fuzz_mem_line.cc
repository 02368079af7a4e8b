// What stands in single lines of a runtime log: views of a memory, prefixes, the sentence of a failed
// allocation.
#include <string>

#include "fuzz/fuzz_target.h"
#include "mem/model/log_lines.h"
#include "mem/read/chunk_scan.h"
#include "mem/read/failures.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(mem_line) {
  MemoryView view;
  if (parse_memory_view(text, view)) {
    require(view.total >= 0 && view.allocated >= 0 && view.free >= 0 && view.largest_free >= 0,
            "no memory is negative");
  }
  OutOfMemory failure;
  if (parse_failure(text, failure)) {
    require(failure.requested_bytes >= -1 && failure.banks >= -1 && failure.per_bank_bytes >= -1,
            "nobody asks for less than nothing");
  }
  std::string_view rest = text;
  const std::string_view tag = take_rank_tag(rest);
  require(tag.size() + rest.size() <= text.size(), "tag and rest lie in the line");
  static_cast<void>(has_logger_prefix(text));
  const std::string plain = without_colors(text);
  require(plain.size() <= text.size() && without_colors(plain).size() <= plain.size(),
          "colours are taken off");
}

}  // namespace
}  // namespace ttscope::mem
