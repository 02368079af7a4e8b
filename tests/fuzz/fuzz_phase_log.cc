// A training log through both readers, the analysis and every output form. What is read must not depend on
// how the input is cut into chunks, and the parts of a peak add up to it.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/writer.h"
#include "phases/analyse/classic_breakdown.h"
#include "phases/analyse/profile.h"
#include "phases/read/phase_log/classic_log.h"
#include "phases/read/phase_log/phase_log_reader.h"
#include "phases/write/json/phases_json.h"
#include "phases/write/markdown/phases_markdown.h"
#include "phases/write/page/phases_page.h"
#include "phases/write/plot/phases_plot.h"
#include "phases/write/terminal/classic_report.h"
#include "phases/write/terminal/phases_summary.h"
#include "report/plot/plot_files.h"

namespace {

void require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", rule);
  std::abort();
}

ttscope::phases::PhaseLog read(const std::string& path, std::size_t chunk_bytes) {
  ttscope::io::SourceOptions options;
  if (chunk_bytes != 0) options.chunk_bytes = chunk_bytes;
  auto log = ttscope::phases::read_phase_logs({path}, options);
  require(log.has_value(), "a file in memory can be read");
  return std::move(*log);
}

void require_same(const ttscope::phases::PhaseLog& a, const ttscope::phases::PhaseLog& b) {
  require(a.summaries.size() == b.summaries.size() && a.lines == b.lines,
          "summaries do not depend on chunks");
  for (std::size_t i = 0; i < a.summaries.size(); ++i) {
    require(a.summaries[i].phases.size() == b.summaries[i].phases.size() &&
                a.summaries[i].line == b.summaries[i].line,
            "phases do not depend on chunks");
  }
}

void check(const ttscope::phases::PhaseLog& log, const ttscope::phases::PhaseOptions& options) {
  const ttscope::phases::Profile profile = ttscope::phases::profile_of(log, options);
  const ttscope::phases::PhaseAnalysis& analysis = profile.analysis;
  require(analysis.configurations.size() == log.summaries.size(), "one configuration a summary");
  for (const auto& run : analysis.configurations) {
    std::int64_t sum = 0;
    for (const auto& part : run.components) sum += part.bytes;
    constexpr std::int64_t kSane = std::int64_t{1} << 58;  // beyond, sums are cut off
    require(std::abs(run.peak_bytes) > kSane || sum == run.peak_bytes ||
                std::abs(run.components.front().bytes) > kSane,
            "the parts of a peak add up to it");
  }
  ttscope::StringWriter out;
  ttscope::phases::write_phases_json(profile, out, {});
  ttscope::phases::write_phases_markdown(profile, "t", out);
  ttscope::phases::write_phases_page(profile, out, {});
  ttscope::report::write_svg(layout_plot(ttscope::phases::phases_plot(analysis, "t")), out);
  require(out.finish().has_value(), "a string can be written");
  require(!ttscope::phases::phases_summary_text(profile, {}).empty(), "there is a summary");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size),
          "a file in memory can be written");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  {
    const ttscope::phases::PhaseLog log = read(path, 0);
    require_same(log, read(path, 1 + size % 97));
    check(log, {});
    check(log,
          {.model_bytes = 1 << 20, .device_bytes = 1 << 30, .devices = 4, .use_actual_sizes = size % 2 == 0});
  }
  ::close(file);
  const ttscope::phases::ClassicLog classic = ttscope::phases::read_classic_log(text);
  for (const ttscope::phases::ClassicSection& section : classic.sections) {
    require(!ttscope::phases::classic_section_text(section, {1, 2, 1, 10}).empty(), "a section has a text");
  }
  return 0;
}
