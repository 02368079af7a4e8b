#include "cli/perf_outputs.h"

#include <algorithm>
#include <thread>

#include "base/writer.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "perf/write/json/perf_json.h"
#include "perf/write/markdown/perf_markdown.h"
#include "perf/write/page/perf_page.h"
#include "perf/write/terminal/perf_sections.h"
#include "perf/write/zones/zone_report.h"

namespace ttscope::cli {
namespace {

class PerfOutputs {
 public:
  PerfOutputs(const perf::Profile& profile, const PerfReadingRequest& request)
      : profile_(profile),
        table_(profile.report),
        reading_(profile.reading),
        zones_(profile.zones()),
        request_(request) {}

  Result<void> write();

 private:
  Result<void> write_documents();
  Result<void> write_csv();
  Result<void> write_stack();
  Result<void> print_report();
  bool prints_table() const { return request_.table_wanted || !request_.writes_files(); }

  const perf::Profile& profile_;
  const perf::OpsReport& table_;
  const perf::OpReading& reading_;
  const std::vector<const perf::CaptureZones*> zones_;
  const PerfReadingRequest& request_;
  perf::WrittenReading written_;
};

Result<void> PerfOutputs::write_csv() {
  const std::string& path = request_.csv_path;
  if (path.empty()) return {};
  const perf::PerfTableOptions& form = request_.report.table;
  Result<void> done =
      write_output(path, [&](Writer& out) { perf::write_perf_csv(table_, reading_.ops, form, out); });
  if (!done || path == "-") return done;
  written_.csv_path = path;
  written_.paths.push_back(path);
  if (!form.rules->writes_bounds_beside_csv) return {};
  const std::string beside = perf::bounds_path(path);
  done = write_output(beside, [&](Writer& out) { perf::write_bounds_csv(table_, reading_, out); });
  if (done) written_.paths.push_back(beside);
  return done;
}

Result<void> PerfOutputs::write_stack() {
  if (!request_.report.summary || request_.csv_path == "-" || profile_.stack.empty()) return {};
  std::string base = request_.summary_base;
  if (base.empty() && !request_.csv_path.empty()) base = perf::stack_base(request_.csv_path);
  if (base.empty()) return {};
  Result<void> done = perf::write_stack_files(profile_.stack, request_.report.stack, base);
  if (!done) return done;
  written_.stack_base = base;
  for (std::string& path : perf::stack_paths(base)) written_.paths.push_back(std::move(path));
  return {};
}

Result<void> PerfOutputs::write_documents() {
  Result<void> done = write_output(request_.json_path, [&](Writer& out) {
    perf::write_perf_json(
        table_, reading_,
        {.tool_version = std::string(version_text()), .zones = zones_, .noc = perf::noc_traces_of(profile_)},
        out);
  });
  if (!done) return done;
  done = write_output(request_.markdown_path, [&](Writer& out) {
    perf::write_perf_markdown(table_, reading_, profile_.title(), out);
    out.write(perf::zone_markdown(zones_));
  });
  if (!done) return done;
  done = write_output(request_.page_path, [&](Writer& out) {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    perf::write_perf_page(table_, reading_,
                          {profile_.title(), std::string(version_text()), profile_.cores, threads, zones_},
                          out);
  });
  if (!done) return done;
  for (const std::string& path : {request_.json_path, request_.markdown_path, request_.page_path}) {
    if (!path.empty() && path != "-") written_.paths.push_back(path);
  }
  return {};
}

Result<void> PerfOutputs::print_report() {
  if (request_.on_stdout() > 0 || request_.quiet) return {};
  perf::PerfReportOptions options = request_.report;
  options.shows_sections = prints_table();
  return write_output("-", [&](Writer& out) { perf::write_perf_report(profile_, options, written_, out); });
}

Result<void> PerfOutputs::write() {
  Result<void> done = write_documents();
  if (done) done = write_csv();
  if (done) done = write_stack();
  if (done) done = print_report();
  return done;
}

}  // namespace

std::vector<std::string> perf_output_paths(const ParsedArgs& args) {
  std::vector<std::string> paths;
  for (const std::string_view key : {"--csv", "--json", "--llm", "--html"}) {
    if (args.has(key)) paths.push_back(args.value(key));
  }
  std::vector<std::string> stacks;
  if (args.has("--csv")) {
    paths.push_back(perf::bounds_path(args.value("--csv")));
    stacks.push_back(perf::stack_base(args.value("--csv")));
  }
  if (args.has("--summary-file")) stacks.push_back(args.value("--summary-file"));
  for (const std::string& stack : stacks) {
    for (std::string& path : perf::stack_paths(stack)) paths.push_back(std::move(path));
  }
  return paths;
}

Result<void> write_perf_outputs(const perf::Profile& profile, const PerfReadingRequest& request) {
  return PerfOutputs(profile, request).write();
}

}  // namespace ttscope::cli
