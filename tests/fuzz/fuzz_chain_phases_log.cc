// A training log through both readers, the analysis and every output form. What is read must not depend on
// how the input is cut into chunks, and the parts of a peak add up to it.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/writer.h"
#include "fuzz/compared_run_check.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"
#include "phases/analyze/phase_analysis.h"
#include "phases/classic_analysis.h"
#include "phases/diff_run.h"
#include "phases/read/phase_log_reader.h"
#include "phases/write/outputs.h"
#include "phases/write/plot.h"
#include "ui/plot.h"

namespace ttscope::phases {
namespace {

using fuzz::require;

PhaseLog read(const std::string& path, std::size_t chunk_bytes) {
  io::SourceOptions options;
  if (chunk_bytes != 0) options.chunk_bytes = chunk_bytes;
  auto log = read_phase_logs({path}, options);
  require(log.has_value(), "a file in memory can be read");
  return std::move(*log);
}

void require_same(const PhaseLog& a, const PhaseLog& b) {
  require(a.summaries.size() == b.summaries.size() && a.lines == b.lines,
          "summaries do not depend on chunks");
  for (std::size_t i = 0; i < a.summaries.size(); ++i) {
    require(a.summaries[i].phases.size() == b.summaries[i].phases.size() &&
                a.summaries[i].line == b.summaries[i].line,
            "phases do not depend on chunks");
  }
}

void check(const PhaseLog& log, const PhaseOptions& options) {
  const Profile profile = profile_of(log, options);
  const PhaseAnalysis& analysis = profile.analysis;
  require(analysis.configurations.size() == log.summaries.size(), "one configuration a summary");
  for (const auto& run : analysis.configurations) {
    std::int64_t sum = 0;
    for (const auto& part : run.components) sum += part.bytes;
    constexpr std::int64_t kSane = std::int64_t{1} << 58;  // beyond, sums are cut off
    require(std::abs(run.peak_bytes) > kSane || sum == run.peak_bytes ||
                std::abs(run.components.front().bytes) > kSane,
            "the parts of a peak add up to it");
  }
  fuzz::require_comparable(diff_run_of(profile));
  StringWriter json, markdown, out;
  write_phases_json(profile, json, {});
  write_phases_markdown(profile, "t", markdown);
  require(json.finish() && markdown.finish(), "a string can be written");
  fuzz::require_json(json.text());
  fuzz::require_markdown(markdown.text());
  write_phases_page(profile, out, {});
  ui::write_svg(layout_plot(phases_plot(analysis, "t")), out);
  require(out.finish().has_value(), "a string can be written");
  fuzz::require_terminal_text(phases_summary_text(profile, {.top = 0}));
}

TTSCOPE_FUZZ_TARGET(chain_phases_log) {
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
          "a file in memory can be written");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  {
    const PhaseLog log = read(path, 0);
    require_same(log, read(path, 1 + text.size() % 97));
    check(log, {});
    check(log, {.model_bytes = 1 << 20,
                .device_bytes = 1 << 30,
                .devices = 4,
                .use_actual_sizes = text.size() % 2 == 0});
  }
  ::close(file);
  const ClassicLog classic = read_classic_log(text);
  for (const ClassicSection& section : classic.sections) {
    fuzz::require_terminal_text(classic_section_text(section, {1, 2, 1, 10}));
  }
}

}  // namespace
}  // namespace ttscope::phases
