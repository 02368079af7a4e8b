// The tables that csvexport makes of a capture: zones and messages, one behind the other.
#include <string_view>
#include <utility>

#include "fuzz/fuzz_target.h"
#include "fuzz/timeline_rules.h"
#include "timeline/read/host_csv.h"

namespace ttscope::timeline {
namespace {

TTSCOPE_FUZZ_TARGET(timeline_host_csv) {
  const std::string_view zones = fuzz::take_part(text);
  Timeline read;
  read.groups.push_back({read.texts.intern("host"), kNone});
  add_host_times(zones, 0, read);
  add_host_messages(text, read);
  read.find_span();
  fuzz::check_zones(read);
  fuzz::check_order(read);
  fuzz::check_sums(std::move(read));
}

}  // namespace
}  // namespace ttscope::timeline
