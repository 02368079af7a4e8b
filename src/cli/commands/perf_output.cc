#include "cli/commands/perf_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <thread>

#include "base/number_text.h"
#include "base/writer.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "perf/analyze/op_groups.h"
#include "perf/compat/write.h"
#include "perf/write/capture_sections.h"
#include "perf/write/json.h"
#include "perf/write/markdown.h"
#include "perf/write/page.h"
#include "perf/write/table_csv.h"
#include "perf/write/terminal.h"

namespace ttscope::cli {
namespace {

class PerfOutputs {
 public:
  PerfOutputs(const perf::Profile& profile, PerfOutputRequest& request)
      : profile_(profile),
        report_(profile.report),
        analysis_(profile.analysis),
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
  const perf::OpsReport& report_;
  const perf::OpAnalysis& analysis_;
  const std::vector<const perf::CaptureZones*> zones_;
  PerfOutputRequest& request_;
  perf::WrittenFiles written_;
};

Result<void> PerfOutputs::write_csv() {
  const std::string& path = request_.csv;
  if (path.empty()) return {};
  const perf::PerfTableOptions& form = request_.report.table;
  const auto write_csv = request_.compat ? perf::compat::write_perf_csv : perf::write_perf_csv;
  Result<void> done = write_output(path, [&](Writer& out) { write_csv(report_, analysis_.ops, form, out); });
  if (!done || path == "-") return done;
  written_.csv_path = path;
  written_.paths.push_back(path);
  if (request_.compat) return {};
  const std::string beside = perf::bounds_path(path);
  done = write_output(beside, [&](Writer& out) { perf::write_bounds_csv(report_, analysis_, out); });
  if (done) written_.paths.push_back(beside);
  return done;
}

Result<void> PerfOutputs::write_stack() {
  if (!request_.report.summary || request_.csv == "-" || profile_.stack.empty()) return {};
  std::string base = request_.stack;
  if (base.empty() && !request_.csv.empty()) base = perf::stack_base(request_.csv);
  if (base.empty()) return {};
  const auto write_csv = request_.compat ? perf::compat::write_stack_csv : perf::write_stack_csv;
  Result<void> done = perf::write_stack_files(profile_.stack, request_.report.stack, base, write_csv);
  if (!done) return done;
  written_.stack_base = base;
  for (std::string& path : perf::stack_paths(base)) written_.paths.push_back(std::move(path));
  return {};
}

Result<void> PerfOutputs::write_documents() {
  Outputs& outputs = request_.outputs;
  const Result<void> done = outputs.write({
      {outputs.json,
       [&](Writer& out) {
         perf::write_perf_json(report_, analysis_,
                               {.tool_version = std::string(version_text()),
                                .zones = zones_,
                                .noc = perf::noc_traces_of(profile_)},
                               out);
       }},
      {outputs.llm,
       [&](Writer& out) {
         perf::write_perf_markdown(report_, analysis_, profile_.title(), out);
         out.write(perf::zone_markdown(zones_));
       }},
      {outputs.html,
       [&](Writer& out) {
         const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
         perf::write_perf_page(
             report_, analysis_,
             {profile_.title(), std::string(version_text()), profile_.cores, threads, zones_}, out);
       }},
  });
  written_.paths = outputs.written();
  return done;
}

Result<void> PerfOutputs::print_report() {
  if (!request_.outputs.prints()) return {};
  perf::PerfReportOptions options = request_.report;
  options.shows_sections = prints_table();
  const auto write_report = request_.compat ? perf::compat::write_perf_report : perf::write_perf_report;
  return write_output("-", [&](Writer& out) { write_report(profile_, options, written_, out); });
}

Result<void> PerfOutputs::write() {
  Result<void> done = write_documents();
  if (done) done = write_csv();
  if (done) done = write_stack();
  if (done) done = print_report();
  return done;
}

}  // namespace

std::vector<std::string> perf_output_paths(const PerfOutputRequest& request) {
  std::vector<std::string> paths;
  for (const std::string& path :
       {request.csv, request.outputs.json, request.outputs.llm, request.outputs.html}) {
    if (!path.empty()) paths.push_back(path);
  }
  std::vector<std::string> stacks;
  if (!request.csv.empty()) {
    paths.push_back(perf::bounds_path(request.csv));
    stacks.push_back(perf::stack_base(request.csv));
  }
  if (!request.stack.empty()) stacks.push_back(request.stack);
  for (const std::string& stack : stacks) {
    for (std::string& path : perf::stack_paths(stack)) paths.push_back(std::move(path));
  }
  return paths;
}

Result<void> write_perf_outputs(const perf::Profile& profile, PerfOutputRequest& request) {
  return PerfOutputs(profile, request).write();
}

namespace {

OptionSpec positive_option(std::string_view names, std::string_view value_name, double& number,
                           std::string_view help) {
  return value_option(
      names, value_name,
      [&number](std::string_view key, const std::string& text) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool is_read = error == std::errc() && end == text.data() + text.size() && number >= 0;
        return is_read ? std::string() : wrong_value(key, text, "a number of at least 0");
      },
      help);
}

/// `5-10`, `31-` or `-12`; separators of thousands may stand in the numbers.
std::string take_id_range(std::string_view key, const std::string& text, perf::ShownOptions& options) {
  const std::string wrong = wrong_value(key, text, "FIRST-LAST, FIRST- or -LAST");
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos || text.find('-', dash + 1) != std::string::npos || text.size() < 2)
    return wrong;
  const auto read = [](std::string part, std::optional<std::uint32_t>& id) {
    std::erase(part, ',');
    if (part.empty()) return true;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    id = number;
    return error == std::errc() && end == part.data() + part.size();
  };
  const bool is_read =
      read(text.substr(0, dash), options.first_id) && read(text.substr(dash + 1), options.last_id);
  return is_read ? std::string() : wrong;
}

/// The order by its name; false and a complaint where rows have none of that kind.
bool settle_order(PerfOutputRequest& request) {
  const std::string& name = request.sort;
  request.report.table.order = request.report.all_rows ? perf::OpOrder::kRow : perf::OpOrder::kTotal;
  if (name.empty()) return true;
  const auto found = std::find(perf::kOpOrderNames.begin(), perf::kOpOrderNames.end(), name);
  request.report.table.order = static_cast<perf::OpOrder>(found - perf::kOpOrderNames.begin());
  const bool is_of_groups = name == "count" || name == "mean" || name == "spread";
  if (!is_of_groups || !request.report.all_rows) return true;
  complain(
      fmt::format("--sort {} is an order of groups; rows (--all) have total, time, gap, name and row", name));
  return false;
}

/// Which rows or groups the table shows, and how wide it is.
bool settle_table(PerfOutputRequest& request) {
  constexpr int kDefaultTop = 20;
  const bool is_about_table =
      request.has("--all") || request.has("--top") || request.has("--sort") || request.has("--op");
  if (is_about_table && request.compat) {
    complain("--all, --top, --sort and --op: the table of the reference (--compat) has always all rows");
    return false;
  }
  if (request.compat) return true;
  request.table_wanted = request.table_wanted || is_about_table;
  const int usual = request.report.all_rows ? std::numeric_limits<int>::max() : kDefaultTop;
  request.report.table.top = static_cast<std::size_t>(request.top.value_or(usual));
  request.report.table.width = perf_table_width();
  return settle_order(request);
}

bool are_usable_paths(const PerfOutputRequest& request) {
  for (const std::string_view key : {"--csv", "--json", "--llm", "--html", "--summary-file"}) {
    const auto given = request.given.find(key);
    if (given == request.given.end() || !given->second.empty()) continue;
    complain(fmt::format("{} needs a path", key));
    return false;
  }
  if (request.outputs.on_stdout() > 1) {
    complain("only one of --csv, --json, --llm and --html can go to standard output");
    return false;
  }
  if (request.outputs.on_stdout() > 0 && request.table_wanted) {
    complain("the table goes to standard output; give the other output a file");
    return false;
  }
  return true;
}

}  // namespace

std::vector<OptionSpec> perf_output_options(PerfOutputRequest& request) {
  Outputs& outputs = request.outputs;
  perf::ShownOptions& ops = request.ops;
  perf::PerfReportOptions& report = request.report;
  return {
      flag_option("--table", request.table_wanted, "print the table beside files that are written"),
      flag_option("--all", report.all_rows, "table: every row in its order, not the costliest groups"),
      number_option("--top", "N", 1, request.top,
                    "table: at most so many groups (default 20), or rows with --all"),
      choice_option("--sort", "WHAT", {perf::kOpOrderNames.begin(), perf::kOpOrderNames.end()}, request.sort,
                    "table: by total (default; time and gaps), time, gap, count, mean, spread, name or row"),
      text_option("--op", "TEXT", report.table.op, "table: only ops with that in their name, and their sum"),
      outputs.file_option(
          "--csv", "PATH", request.csv,
          "write the table as CSV, and PATH_stacked.csv, .png, .svg and PATH_bounds.csv beside it"),
      outputs.json_option(),
      outputs.llm_option(),
      outputs.html_option(),
      text_option("--start-signpost", "NAME", ops.start_signpost,
                  "only what follows the first signpost of that name"),
      text_option("--end-signpost", "NAME", ops.end_signpost,
                  "only what comes before the first of that name; the second if it is also the start"),
      flag_option("--ignore-signposts", ops.ignore_signposts,
                  "the whole report, not the last part that signposts set off"),
      flag_option("--warm-up", ops.keep_warm_up, "also show the passes at the beginning that made programs"),
      flag_option("--print-signposts", ops.print_signposts, "keep the signposts inside the window as rows"),
      value_option(
          "--id-range", "RANGE",
          [&ops](std::string_view key, const std::string& text) { return take_id_range(key, text, ops); },
          "only rows with these ids: 5-10, 31- or -12"),
      positive_option("--min-percentage", "P", report.table.min_percentage,
                      "rows with less of the time are grey (default 0.5)"),
      value_option(
          "--arch", "NAME",
          [&ops](std::string_view key, const std::string& name) {
            ops.arch = name;
            return perf::is_known_arch(name)
                       ? std::string()
                       : wrong_value(key, name, "wormhole, blackhole, p150, p100, bh20 or n1");
          },
          "wormhole, blackhole, p150, p100, bh20 or n1 (default: as recorded)"),
      flag_option("--no-advice", report.table.advice, "no advice", false),
      flag_option("--tracing-mode", ops.tracing_mode,
                  "keep the order of the file: traced ops carry the time of their capture"),
      flag_option("--raw-op-codes", report.table.raw_op_codes,
                  "one more column in the CSV: the name as recorded"),
      flag_option("--no-host-ops", ops.no_host_ops, "leave ops that ran on the host out"),
      choice_option(
          "--group-by", "WHAT",
          {{"op", perf::StackBy::kOp},
           {"memory", perf::StackBy::kMemory},
           {"category", perf::StackBy::kCategory},
           {"signpost", perf::StackBy::kSignpost},
           {"module", perf::StackBy::kModule}},
          request.group_by,
          "what the stacked report sums up: op, memory, category, signpost or module (layers of one kind)"),
      flag_option("--no-merge-devices", ops.no_merge_devices, "a row for each device"),
      text_option("--stacked-csv,--summary-file", "BASE", request.stack,
                  "write the stacked report to BASE.csv, BASE.png and BASE.svg", ValueKind::kFile),
      flag_option("--no-stacked-report,--no-summary", report.summary, "no stacked report", false),
      flag_option("--no-stack-by-in0", request.groups_by_op, "as --group-by op"),
      positive_option("--active-experts", "K", ops.active_experts,
                      "experts that a sparse matmul computes, where the report does not say"),
      outputs.color_option("auto, always or never; alone: always", "always"),
      value_option(
          "--no-color", "",
          [&outputs](std::string_view, const std::string&) {
            outputs.color = "never";
            return std::string();
          },
          "as --color never"),
  };
}

bool wants_perf_output(const PerfOutputRequest& request) {
  PerfOutputRequest unused;
  for (const OptionSpec& option : perf_output_options(unused)) {
    const bool is_color = option.key() == "--color" || option.key() == "--no-color";
    if (!is_color && request.has(option.key())) return true;
  }
  return false;
}

std::size_t perf_table_width() {
  constexpr std::int64_t kMin = 40;
  constexpr std::int64_t kMax = 1000;
  constexpr std::size_t kUsual = 120;
  const auto given = parse_whole(std::string(environment_value("COLUMNS")));
  if (given && *given >= kMin && *given <= kMax) return static_cast<std::size_t>(*given);
  return is_terminal(Stream::kOut) ? static_cast<std::size_t>(terminal_width(Stream::kOut)) : kUsual;
}

perf::PerfTableOptions perf_table_form(const Outputs& outputs) {
  perf::PerfTableOptions form;
  form.color = outputs.use_color();
  form.width = perf_table_width();
  return form;
}

bool settle_perf_reading(PerfOutputRequest& request) {
  perf::ShownOptions& ops = request.ops;
  request.report.table.threads = std::max(1u, std::thread::hardware_concurrency());
  request.report.table.color = request.outputs.use_color();
  request.report.stack.by =
      request.group_by.value_or(request.groups_by_op ? perf::StackBy::kOp : perf::StackBy::kMemory);
  request.report.stack.per_device = ops.no_merge_devices;
  request.report.stack.no_host_ops = ops.no_host_ops;
  return settle_table(request) && are_usable_paths(request);
}

int no_ops_found(const perf::Profile& profile) {
  const bool has_device =
      std::any_of(profile.captures.begin(), profile.captures.end(),
                  [](const perf::Capture& capture) { return capture.files.has_device(); });
  const std::string words = has_device ? std::string() : perf::no_device_text(profile.captures);
  if (!words.empty()) complain(fmt::format("{}: {}", profile.name, words));
  return kNothingFound;
}

int run_perf_analysis(PerfOutputRequest& request, const perf::CaptureOptions& capture,
                      perf::Profile& profile) {
  perf::LoadOptions options{capture, request.ops};
  options.capture.compat = request.compat;
  if (request.report.summary) options.stack = request.report.stack;
  if (const Result<void> analyzed = perf::analyze_profile(options, profile); !analyzed) {
    return fail(analyzed.error());
  }
  if (const Result<void> named =
          perf::check_wanted_op(profile.report, profile.analysis.ops, request.report.table.op);
      !named) {
    return fail(named.error());
  }
  if (const Result<void> written = write_perf_outputs(profile, request); !written) {
    return fail(written.error());
  }
  if (!profile.shows_content() && !request.compat) return no_ops_found(profile);
  if (!request.strict || !profile.has_report_problems()) return kOk;
  complain("--strict: the report is incomplete or damaged, see the trust section");
  return kFailed;
}

}  // namespace ttscope::cli
