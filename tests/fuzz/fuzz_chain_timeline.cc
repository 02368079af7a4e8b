// A capture of the Tracy profiler, plain and in stored blocks, through reader, statistics and every output
// form.
#include <string_view>
#include <utility>

#include "base/writer.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"
#include "fuzz/timeline_rules.h"
#include "support/tracy_blocks.h"
#include "timeline/load.h"
#include "timeline/read/tracy_reader.h"
#include "timeline/write/exports.h"
#include "timeline/write/outputs.h"

namespace ttscope::timeline {
namespace {

using fuzz::require;

template <typename Write>
std::string written(Write write) {
  StringWriter out;
  write(out);
  require(out.finish().has_value(), "a string can be written");
  return out.text();
}

void check(std::string_view file) {
  Result<Timeline> read = read_tracy(file, "x.tracy");
  if (!read) return fuzz::require_printable(read.error().message, "no control byte in an error");
  fuzz::check_zones(*read);
  fuzz::check_order(*read);
  const Profile profile = profile_of("x", std::move(*read));
  for (const ZoneStat& stat : profile.stats) {
    require(stat.total_ns >= 0 && stat.self_ns >= 0 && stat.min_ns >= 0 && stat.max_ns >= 0 &&
                stat.self_min_ns >= 0 && stat.self_max_ns >= 0 && stat.median_ns >= 0,
            "no zone takes less than no time");
  }
  // Messages stand where the axis has them, which may begin before 0.
  fuzz::require_terminal_text(timeline_summary_text(profile, {.top = 0}), fuzz::Times::kSigned);
  fuzz::require_markdown(written([&](Writer& out) { write_timeline_markdown(profile, out); }),
                         fuzz::Times::kSigned);
  fuzz::require_json(written([&](Writer& out) { write_timeline_json(profile, "1", out); }));
  fuzz::require_json(written([&](Writer& out) { write_chrome(profile.timeline, out); }));
}

TTSCOPE_FUZZ_TARGET(chain_timeline) {
  check(text);
  check(stored_in_blocks(text));
}

}  // namespace
}  // namespace ttscope::timeline
