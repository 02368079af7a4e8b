#include "cli/perf_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>

#include "base/text_escape.h"
#include "base/writer.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "perf/write/json/perf_json.h"
#include "perf/write/markdown/perf_markdown.h"
#include "perf/write/page/perf_page.h"
#include "perf/write/plot/perf_plot.h"
#include "perf/write/terminal/folded_text.h"
#include "perf/write/terminal/noc_table.h"
#include "perf/write/terminal/op_tables.h"
#include "perf/write/terminal/perf_headline.h"
#include "perf/write/terminal/perf_sections.h"
#include "perf/write/words/perf_trust.h"
#include "perf/write/zones/zone_report.h"
#include "report/plot/plot_files.h"

namespace ttscope::cli {
namespace {

/// The path without its extension: `report` of `report.csv`.
std::string base_of(const std::string& path) {
  const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos || dot <= name ? path : path.substr(0, dot);
}

class PerfOutputs {
 public:
  PerfOutputs(const perf::Profile& profile, const PerfReadingRequest& request)
      : profile_(profile),
        table_(profile.report),
        reading_(profile.reading),
        zones_(profile.zones()),
        request_(request),
        stack_(profile.stack),
        rules_(*request.ops.rules) {
    if (rules_.warns_of_unclassified_ops && !stack_.empty())
      unclassified_ = perf::unclassified_warnings(reading_.ops, request.table.color);
  }

  Result<void> write();

 private:
  Result<void> write_documents();
  Result<void> write_csv();
  Result<void> write_stack(const std::string& base);
  Result<void> print_report();
  void print_sections(Writer& out);
  void print_table(Writer& out);
  void write_findings(Writer& out);
  void print_folded(Writer& out, const std::function<void(Writer&)>& write) const;
  void print_reference(Writer& out);
  bool prints_table() const {
    if (request_.on_stdout() > 0 || request_.quiet) return false;
    return request_.table_wanted || !request_.writes_files();
  }

  const perf::Profile& profile_;
  const perf::OpsReport& table_;
  const perf::OpReading& reading_;
  const std::vector<const perf::CaptureZones*> zones_;
  const PerfReadingRequest& request_;
  const std::vector<perf::StackEntry>& stack_;
  const perf::Rules& rules_;
  std::vector<std::string> written_;
  std::string said_;          ///< the same in the words of tt-perf-report
  std::string unclassified_;  ///< what it says of op names that it does not know
};

Result<void> PerfOutputs::write_stack(const std::string& base) {
  if (stack_.empty()) return {};
  Result<void> done =
      write_output(base + ".csv", [&](Writer& out) { perf::write_stack_csv(stack_, request_.stack, out); });
  if (!done) return done;
  const report::PlotScene scene = perf::stack_scene(stack_, request_.stack);
  done = write_output(base + ".png", [&](Writer& out) { return report::write_png(scene, out); });
  if (!done) return done;
  done = write_output(base + ".svg", [&](Writer& out) { report::write_svg(scene, out); });
  if (!done) return done;
  said_ += fmt::format("Writing CSV stacked report to {0}.csv\nPlotting PNG stacked report to {0}.png\n",
                       terminal_safe(base));
  for (const std::string_view extension : {".csv", ".png", ".svg"})
    written_.push_back(base + std::string(extension));
  return {};
}

Result<void> PerfOutputs::write_csv() {
  if (!request_.csv_path.empty()) {
    Result<void> done = write_output(request_.csv_path, [&](Writer& out) {
      perf::write_perf_csv(table_, reading_.ops, request_.table, out);
    });
    if (!done) return done;
    if (request_.csv_path == "-") return {};
    written_.push_back(request_.csv_path);
    said_ += fmt::format("Writing CSV output to {}\n", terminal_safe(request_.csv_path));
    if (rules_.has_own_sections) {
      const std::string path = base_of(request_.csv_path) + "_bounds.csv";
      done = write_output(path, [&](Writer& out) { perf::write_bounds_csv(table_, reading_, out); });
      if (!done) return done;
      written_.push_back(path);
    }
  }
  if (!request_.summary) return {};
  if (!request_.csv_path.empty()) said_ += unclassified_;
  if (!request_.summary_base.empty()) return write_stack(request_.summary_base);
  return request_.csv_path.empty() ? Result<void>{} : write_stack(base_of(request_.csv_path) + "_stacked");
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
    if (!path.empty() && path != "-") written_.push_back(path);
  }
  return {};
}

void PerfOutputs::print_sections(Writer& out) {
  if (!rules_.has_own_sections) return print_reference(out);
  perf::write_notes(reading_.ops.notes, request_.table, out);
  if (!reading_.ops.rows.empty()) {
    print_folded(out,
                 [&](Writer& text) { perf::write_time_section(table_, reading_, request_.table, text); });
  }
  if (!profile_.zones_only) print_table(out);
  perf::write_noc_table(perf::noc_traces_of(profile_), perf::time_tag(table_), request_.table, out);
  if (reading_.ops.rows.empty()) return;
  print_folded(out, [&](Writer& text) { write_findings(text); });
  if (request_.summary) perf::write_fitted_stack(stack_, request_.stack, request_.table, out);
  print_folded(out,
               [&](Writer& text) { perf::write_trust_section(table_, reading_.ops, request_.table, text); });
}

/// What the table means.
void PerfOutputs::write_findings(Writer& out) {
  const perf::PerfTableOptions& form = request_.table;
  perf::write_path_section(table_, reading_, form, out);
  perf::write_bound_section(table_, reading_, form, out);
  perf::write_conversion_section(table_, reading_, form, out);
  perf::write_gap_section(reading_, form, out);
  perf::write_skew_section(table_, reading_, form, out);
  if (request_.table.advice) perf::write_advice_section(table_, reading_, form, out);
}

/// What is written, in lines that the terminal has room for.
void PerfOutputs::print_folded(Writer& out, const std::function<void(Writer&)>& write) const {
  StringWriter text;
  write(text);
  static_cast<void>(text.finish());
  out.write(perf::folded_text(text.text(), request_.table.width));
}

void PerfOutputs::print_table(Writer& out) {
  if (request_.all_rows || reading_.ops.rows.empty()) {
    perf::PerfTableText(table_, reading_.ops, request_.table, &reading_.bounds).write_table(out);
  } else {
    perf::write_group_table(table_, reading_, request_.table, out);
  }
}

/// What tt-perf-report prints, in its order.
void PerfOutputs::print_reference(Writer& out) {
  const perf::PerfTableText text(table_, reading_.ops, request_.table);
  perf::write_notes(reading_.ops.notes, request_.table, out);
  if (!profile_.zones_only) text.write_table(out);
  if (reading_.ops.rows.empty()) return;
  if (request_.table.advice) text.write_matmul_sections(out);
  if (!request_.summary) return;
  out.write(unclassified_);
  perf::write_stack_text(stack_, request_.stack, request_.table.color, out);
}

Result<void> PerfOutputs::print_report() {
  if (request_.on_stdout() > 0 || request_.quiet) return {};
  return write_output("-", [&](Writer& out) {
    if (prints_table()) print_sections(out);
    for (const perf::CaptureZones* zones : zones_) {
      perf::write_zone_table(*zones, request_.table, out);
    }
    if (!rules_.has_own_sections) {
      if (!prints_table()) perf::write_notes(reading_.ops.notes, request_.table, out);
      return out.write(said_);
    }
    if (!written_.empty()) out.write(prints_table() || !zones_.empty() ? "\nWritten\n" : "Written\n");
    for (const std::string& path : written_) out.write(fmt::format("  {}\n", terminal_safe(path)));
  });
}

Result<void> PerfOutputs::write() {
  Result<void> done = write_documents();
  if (done) done = write_csv();
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
    paths.push_back(base_of(args.value("--csv")) + "_bounds.csv");
    stacks.push_back(base_of(args.value("--csv")) + "_stacked");
  }
  if (args.has("--summary-file")) stacks.push_back(args.value("--summary-file"));
  for (const std::string& stack : stacks) {
    for (const char* extension : {".csv", ".png", ".svg"}) paths.push_back(stack + extension);
  }
  return paths;
}

Result<void> write_perf_outputs(const perf::Profile& profile, const PerfReadingRequest& request) {
  return PerfOutputs(profile, request).write();
}

}  // namespace ttscope::cli
