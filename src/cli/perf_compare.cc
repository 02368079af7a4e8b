#include "cli/perf_compare.h"

#include <fmt/format.h>

#include "base/number_text.h"
#include "cli/cmd_perf.h"
#include "cli/given_inputs.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "perf/compare.h"
#include "perf/write/compare/report_diff_output.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kGiveReports =
    "`ttscope perf compare` takes ops reports; `ttscope perf {} -o DIR` writes one of a capture";

bool read_tolerance(const ParsedArgs& args, perf::ReportDiffOptions& options) {
  if (!args.has("--tolerance")) return true;
  std::string text = args.value("--tolerance");
  const bool relative = !text.empty() && text.back() == '%';
  if (relative) text.pop_back();
  const auto value = parse_number(text);
  if (!value || *value < 0) {
    complain(fmt::format("--tolerance {}: expected a number or a share like 1%", args.value("--tolerance")));
    return false;
  }
  constexpr double kPercent = 100;
  (relative ? options.relative_tolerance : options.tolerance) = relative ? *value / kPercent : *value;
  return true;
}

bool read_options(const ParsedArgs& args, perf::ReportDiffOptions& options) {
  if (args.positionals.size() != 3) {
    complain("compare needs two reports: ttscope perf compare A B");
    return false;
  }
  options.columns = comma_separated(args.value("--columns"));
  if (args.has("--max-differences")) {
    const auto most = parse_unsigned(args.value("--max-differences"));
    if (!most) {
      complain(fmt::format("--max-differences {}: expected a whole number", args.value("--max-differences")));
      return false;
    }
    options.most_differences = *most;
  }
  return read_tolerance(args, options);
}

/// Options of `ttscope perf` that mean nothing here are not taken in silence.
bool are_known_to_compare(const ParsedArgs& args) {
  for (const OptionSpec& option : perf_spec().options) {
    const std::string name = std::string(option.key());
    const bool known = name == "--tolerance" || name == "--columns" || name == "--max-differences" ||
                       name == "--json" || name == "--llm" || name == "--quiet";
    if (known || !args.has(name)) continue;
    complain(fmt::format("{} is no option of perf compare", name));
    return false;
  }
  return are_usable_outputs(args, {"--json", "--llm"});
}

Result<void> write_diff(const ParsedArgs& args, const perf::ReportDiff& diff,
                        const perf::ReportDiffOptions& options) {
  const perf::ReportDiffInputs inputs = {args.positionals[1], args.positionals[2], options, version_text()};
  const std::string json = args.value("--json");
  const std::string markdown = args.value("--llm");
  Result<void> done =
      write_output(json, [&](Writer& out) { perf::write_report_diff_json(diff, inputs, out); });
  if (done) {
    done = write_output(markdown, [&](Writer& out) { perf::write_report_diff_markdown(diff, inputs, out); });
  }
  if (!done || args.has("--quiet") || json == "-" || markdown == "-") return done;
  return print(perf::report_diff_text(diff));
}

}  // namespace

int run_perf_compare(const ParsedArgs& args) {
  perf::ReportDiffOptions options;
  if (!are_known_to_compare(args) || !read_options(args, options)) return kUsage;
  const std::string& first = args.positionals[1];
  const std::string& second = args.positionals[2];
  const GivenInputs inputs(first == second ? std::vector{first} : std::vector{first, second},
                           app::Subject::kPerf, {"ops_report", kGiveReports});
  const Result<perf::ComparedFiles> compared = perf::compare_files(first, second, options);
  if (!compared) return inputs.fail(compared.error());
  for (const std::string& warning : compared->warnings) complain(warning);
  const Result<void> done = write_diff(args, compared->diff, options);
  if (!done) return fail(done.error());
  return compared->diff.is_equal() ? kOk : kLimitExceeded;
}

}  // namespace ttscope::cli
