#include "perf/write/files/reading_files.h"

#include <array>
#include <string_view>

#include "base/writer.h"
#include "perf/write/plot/perf_plot.h"
#include "perf/write/terminal/perf_table.h"
#include "report/plot/plot_files.h"

namespace ttscope::perf {
namespace {

/// The path without its extension: `report` of `report.csv`.
std::string without_extension(const std::string& path) {
  const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos || dot <= name ? path : path.substr(0, dot);
}

}  // namespace

std::string bounds_path(const std::string& csv_path) { return without_extension(csv_path) + "_bounds.csv"; }

std::string stack_base(const std::string& csv_path) { return without_extension(csv_path) + "_stacked"; }

std::vector<std::string> stack_paths(const std::string& base) {
  return {base + ".csv", base + ".png", base + ".svg"};
}

Result<void> write_stack_files(const std::vector<StackEntry>& entries, const StackOptions& options,
                               const std::string& base) {
  const std::vector<std::string> paths = stack_paths(base);
  Result<void> done = write_file(paths[0], [&](Writer& out) { write_stack_csv(entries, options, out); });
  if (!done) return done;
  const report::PlotScene scene = stack_scene(entries, options);
  done = write_file(paths[1], [&](Writer& out) { return report::write_png(scene, out); });
  if (done) done = write_file(paths[2], [&](Writer& out) { report::write_svg(scene, out); });
  return done;
}

}  // namespace ttscope::perf
