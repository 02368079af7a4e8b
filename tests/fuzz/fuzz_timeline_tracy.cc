// A capture of the Tracy profiler. What is behind the magic is also taken as the content itself, in blocks
// that are stored as they are: most changes of packed bytes end in the packing.
#include <utility>

#include "fuzz/fuzz_target.h"
#include "fuzz/timeline_rules.h"
#include "support/tracy_blocks.h"
#include "timeline/read/tracy_reader.h"

namespace ttscope::timeline {
namespace {

void check(std::string_view file) {
  Result<Timeline> read = read_tracy(file, "x.tracy");
  if (!read) return;
  fuzz::check_zones(*read);
  fuzz::check_sums(std::move(*read));
}

TTSCOPE_FUZZ_TARGET(timeline_tracy) {
  check(text);
  check(stored_in_blocks(text));
}

}  // namespace
}  // namespace ttscope::timeline
