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
#include "perf/write/capture_sections.h"
#include "perf/write/json.h"
#include "perf/write/markdown.h"
#include "perf/write/page.h"
#include "perf/write/terminal.h"

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

namespace {

bool complain_about(std::string_view key, const std::string& value, std::string_view expected) {
  complain(fmt::format("{} {}: expected {}", key, value, expected));
  return false;
}

bool read_double(const ParsedArgs& args, std::string_view key, double& number) {
  if (!args.has(key)) return true;
  const std::string text = args.value(key);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_read = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_read || complain_about(key, text, "a number of at least 0");
}

/// `5-10`, `31-` or `-12`; separators of thousands may stand in the numbers.
bool read_id_range(const ParsedArgs& args, perf::ShownOptions& options) {
  if (!args.has("--id-range")) return true;
  const std::string text = args.value("--id-range");
  const auto wrong = [&] { return complain_about("--id-range", text, "FIRST-LAST, FIRST- or -LAST"); };
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos || text.find('-', dash + 1) != std::string::npos || text.size() < 2)
    return wrong();
  const auto read = [](std::string part, std::optional<std::uint32_t>& id) {
    std::erase(part, ',');
    if (part.empty()) return true;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    id = number;
    return error == std::errc() && end == part.data() + part.size();
  };
  if (!read(text.substr(0, dash), options.first_id) || !read(text.substr(dash + 1), options.last_id))
    return wrong();
  return true;
}

/// The order by its name; false and a complaint where rows have none of that kind.
bool read_order(const ParsedArgs& args, PerfReadingRequest& request) {
  request.report.table.order = request.report.all_rows ? perf::OpOrder::kRow : perf::OpOrder::kTotal;
  if (!args.has("--sort")) return true;
  const std::string name = args.value("--sort");
  const auto found = std::find(perf::kOpOrderNames.begin(), perf::kOpOrderNames.end(), name);
  request.report.table.order = static_cast<perf::OpOrder>(found - perf::kOpOrderNames.begin());
  const bool is_of_groups = name == "count" || name == "mean" || name == "spread";
  if (!is_of_groups || !request.report.all_rows) return true;
  complain(
      fmt::format("--sort {} is an order of groups; rows (--all) have total, time, gap, name and row", name));
  return false;
}

/// Which rows or groups the table shows, and how wide it is.
bool read_table(const ParsedArgs& args, PerfReadingRequest& request) {
  constexpr int kUsualTop = 20;
  request.report.all_rows = args.has("--all");
  const bool is_about_table =
      args.has("--all") || args.has("--top") || args.has("--sort") || args.has("--op");
  if (is_about_table && !request.ops.rules->chooses_table_rows) {
    complain("--all, --top, --sort and --op: the table of the reference (--compat) has always all rows");
    return false;
  }
  if (!request.ops.rules->chooses_table_rows) return true;
  request.table_wanted = request.table_wanted || is_about_table;
  int top = request.report.all_rows ? std::numeric_limits<int>::max() : kUsualTop;
  if (!read_number(args, "--top", 1, top)) return false;
  request.report.table.top = static_cast<std::size_t>(top);
  request.report.table.op = args.value("--op");
  request.report.table.width = perf_table_width();
  return read_order(args, request);
}

bool read_paths(const ParsedArgs& args, PerfReadingRequest& request) {
  request.csv_path = args.value("--csv");
  request.json_path = args.value("--json");
  request.markdown_path = args.value("--llm");
  request.page_path = args.value("--html");
  request.summary_base = args.value("--summary-file");
  for (const std::string_view key : {"--csv", "--json", "--llm", "--html", "--summary-file"}) {
    if (args.has(key) && args.value(key).empty()) {
      complain(fmt::format("{} needs a path", key));
      return false;
    }
  }
  if (request.on_stdout() > 1) {
    complain("only one of --csv, --json, --llm and --html can go to standard output");
    return false;
  }
  if (request.on_stdout() > 0 && request.table_wanted) {
    complain("the table goes to standard output; give the other output a file");
    return false;
  }
  return true;
}

}  // namespace

std::vector<OptionSpec> perf_reading_options() {
  return {
      {"--table", "", "print the table beside files that are written", ValueKind::kText, {}},
      {"--all", "", "table: every row in its order, not the costliest groups", ValueKind::kText, {}},
      {"--top", "N", "table: at most so many groups (default 20), or rows with --all", ValueKind::kText, {}},
      {"--sort",
       "WHAT",
       "table: by total (default; time and gaps), time, gap, count, mean, spread, name or row",
       ValueKind::kChoice,
       {perf::kOpOrderNames.begin(), perf::kOpOrderNames.end()}},
      {"--op", "TEXT", "table: only ops with that in their name, and their sum", ValueKind::kText, {}},
      {"--csv",
       "PATH",
       "write the table as CSV, and PATH_stacked.csv, .png, .svg and PATH_bounds.csv beside it",
       ValueKind::kFile,
       {}},
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write the markdown report", ValueKind::kFile, {}},
      {"--html", "PATH", "write the report page: one file, opens in any browser", ValueKind::kFile, {}},
      {"--start-signpost", "NAME", "only what follows the first signpost of that name", ValueKind::kText, {}},
      {"--end-signpost",
       "NAME",
       "only what comes before the first of that name; the second if it is also the start",
       ValueKind::kText,
       {}},
      {"--ignore-signposts",
       "",
       "the whole report, not the last part that signposts set off",
       ValueKind::kText,
       {}},
      {"--warm-up", "", "also show the passes at the beginning that made programs", ValueKind::kText, {}},
      {"--print-signposts", "", "keep the signposts inside the window as rows", ValueKind::kText, {}},
      {"--id-range", "RANGE", "only rows with these ids: 5-10, 31- or -12", ValueKind::kText, {}},
      {"--min-percentage", "P", "rows with less of the time are grey (default 0.5)", ValueKind::kText, {}},
      {"--arch",
       "NAME",
       "wormhole, blackhole, p150, p100, bh20 or n1 (default: as recorded)",
       ValueKind::kText,
       {}},
      {"--no-advice", "", "no advice", ValueKind::kText, {}},
      {"--tracing-mode",
       "",
       "keep the order of the file: traced ops carry the time of their capture",
       ValueKind::kText,
       {}},
      {"--raw-op-codes", "", "one more column in the CSV: the name as recorded", ValueKind::kText, {}},
      {"--no-host-ops", "", "leave ops that ran on the host out", ValueKind::kText, {}},
      {"--group-by",
       "WHAT",
       "what the stacked report sums up: op, memory, category, signpost or module (layers of one kind)",
       ValueKind::kChoice,
       {"op", "memory", "category", "signpost", "module"}},
      {"--no-merge-devices", "", "a row for each device", ValueKind::kText, {}},
      {"--stacked-csv,--summary-file",
       "BASE",
       "write the stacked report to BASE.csv, BASE.png and BASE.svg",
       ValueKind::kFile,
       {}},
      {"--no-stacked-report,--no-summary", "", "no stacked report", ValueKind::kText, {}},
      {"--no-stack-by-in0", "", "as --group-by op", ValueKind::kText, {}},
      {"--active-experts",
       "K",
       "experts that a sparse matmul computes, where the report does not say",
       ValueKind::kText,
       {}},
      {"--color",
       "WHEN",
       "auto, always or never; alone: always",
       ValueKind::kChoice,
       {"auto", "always", "never"},
       "always"},
      {"--no-color", "", "as --color never", ValueKind::kText, {}},
  };
}

bool wants_perf_reading(const ParsedArgs& args) {
  for (const OptionSpec& option : perf_reading_options()) {
    const bool is_color = option.key() == "--color" || option.key() == "--no-color";
    if (!is_color && args.has(option.key())) return true;
  }
  return false;
}

bool perf_color(const ParsedArgs& args) {
  return !args.has("--no-color") && use_color(args.value("--color", "auto"), Stream::kOut);
}

std::size_t perf_table_width() {
  constexpr std::int64_t kLeast = 40;
  constexpr std::int64_t kMost = 1000;
  constexpr std::size_t kUsual = 120;
  const auto given = parse_whole(std::string(environment_value("COLUMNS")));
  if (given && *given >= kLeast && *given <= kMost) return static_cast<std::size_t>(*given);
  return is_terminal(Stream::kOut) ? static_cast<std::size_t>(terminal_width(Stream::kOut)) : kUsual;
}

perf::PerfTableOptions perf_table_form(const ParsedArgs& args) {
  perf::PerfTableOptions form;
  form.color = perf_color(args);
  form.width = perf_table_width();
  return form;
}

bool read_perf_reading(const ParsedArgs& args, PerfReadingRequest& request) {
  perf::ShownOptions& ops = request.ops;
  ops.start_signpost = args.value("--start-signpost");
  ops.end_signpost = args.value("--end-signpost");
  ops.ignore_signposts = args.has("--ignore-signposts");
  ops.print_signposts = args.has("--print-signposts");
  ops.keep_warm_up = args.has("--warm-up");
  ops.tracing_mode = args.has("--tracing-mode");
  ops.no_host_ops = args.has("--no-host-ops");
  ops.no_merge_devices = args.has("--no-merge-devices");
  ops.rules = &perf::rules_for(args.has("--compat"));
  ops.arch = args.value("--arch");
  if (args.has("--arch") && !perf::is_known_arch(ops.arch)) {
    return complain_about("--arch", ops.arch, "wormhole, blackhole, p150, p100, bh20 or n1");
  }
  request.report.table.advice = !args.has("--no-advice");
  request.report.table.raw_op_codes = args.has("--raw-op-codes");
  request.report.table.rules = ops.rules;
  request.report.table.threads = std::max(1u, std::thread::hardware_concurrency());
  request.report.table.color = perf_color(args);
  const std::string by = args.value("--group-by", args.has("--no-stack-by-in0") ? "op" : "memory");
  request.report.stack.by = by == "op"         ? perf::StackBy::kOp
                            : by == "signpost" ? perf::StackBy::kSignpost
                            : by == "module"   ? perf::StackBy::kModule
                            : by == "category" ? perf::StackBy::kCategory
                                               : perf::StackBy::kMemory;
  request.report.stack.per_device = ops.no_merge_devices;
  request.report.stack.no_host_ops = ops.no_host_ops;
  request.report.stack.rules = ops.rules;
  request.report.summary = !args.has("--no-summary");
  request.quiet = args.has("--quiet");
  request.table_wanted = args.has("--table");
  if (!read_table(args, request)) return false;
  return read_double(args, "--min-percentage", request.report.table.min_percentage) &&
         read_double(args, "--active-experts", ops.active_experts) && read_id_range(args, ops) &&
         read_paths(args, request);
}

int no_ops_found(const perf::Profile& profile) {
  const bool has_device =
      std::any_of(profile.captures.begin(), profile.captures.end(),
                  [](const perf::Capture& capture) { return capture.files.has_device(); });
  const std::string words = has_device ? std::string() : perf::no_device_words(profile.captures);
  if (!words.empty()) complain(fmt::format("{}: {}", profile.name, words));
  return kNothingFound;
}

int run_perf_reading(const ParsedArgs& args, const PerfReadingRequest& request,
                     const perf::CaptureOptions& capture, perf::Profile& profile) {
  perf::LoadOptions options{capture, request.ops};
  if (request.report.summary) options.stack = request.report.stack;
  if (const Result<void> analyzed = perf::analyze_ops(options, profile); !analyzed) {
    return fail(analyzed.error());
  }
  if (const Result<void> named =
          perf::check_wanted_op(profile.report, profile.reading.ops, request.report.table.op);
      !named) {
    return fail(named.error());
  }
  if (const Result<void> written = write_perf_outputs(profile, request); !written) {
    return fail(written.error());
  }
  if (!profile.shows_content() && request.ops.rules->tells_nothing_found) return no_ops_found(profile);
  if (!args.has("--strict") || !profile.has_report_problems()) return kOk;
  complain("--strict: the report is incomplete or damaged, see the trust section");
  return kFailed;
}

}  // namespace ttscope::cli
