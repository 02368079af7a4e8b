#include "cli/perf_raw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/identify.h"
#include "cli/cmd_perf.h"
#include "cli/given_inputs.h"
#include "cli/option_values.h"
#include "cli/perf_reading.h"
#include "cli/profile_run.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "perf/load_raw.h"
#include "perf/write/capture/log_files.h"
#include "perf/write/raw/raw_report.h"

namespace ttscope::cli {
namespace {

/// Options of `ttscope perf` that mean nothing here are not taken in silence.
bool are_known_to_raw(const ParsedArgs& args) {
  constexpr std::array<std::string_view, 9> kKnown = {"--raw",           "--json",  "--llm",
                                                      "--output-folder", "--quiet", "--strict",
                                                      "--no-color",      "--color", "--table"};
  for (const OptionSpec& option : perf_spec().options) {
    const std::string name(option.key());
    if (!args.has(name) || std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end()) continue;
    complain(fmt::format("{} is no option of perf --raw: write the files with -o and read them", name));
    return false;
  }
  return are_usable_outputs(args, {"--json", "--llm"});
}

Result<void> print_summary(const ParsedArgs& args, const perf::RawRun& run,
                           const std::vector<std::string>& written) {
  if (args.has("--quiet") || args.value("--json") == "-" || args.value("--llm") == "-") return {};
  return print(perf::raw_text(run, perf_color(args), perf_table_width()) +
               perf::raw_files_text(run, written, args.value("--output-folder")));
}

}  // namespace

bool is_raw_input(const std::vector<std::string>& paths) {
  if (paths.size() != 1) return false;
  const Result<app::Identified> found = app::identify(paths.front());
  return found && found->format != nullptr && found->format->key == "raw_run";
}

int run_perf_raw(const ParsedArgs& args) {
  if (!are_known_to_raw(args)) return kUsage;
  if (args.positionals.size() != 1) {
    complain("--raw reads one run: ttscope perf --raw RUN.json");
    return kUsage;
  }
  const std::string& path = args.positionals.front();
  for (const std::string key : {"--json", "--llm"}) {
    if (!is_one_of(args.value(key), {path})) continue;
    complain(fmt::format("{}: would overwrite the input", path));
    return kUsage;
  }
  const GivenInputs inputs({path}, app::Subject::kPerf,
                           {"raw_run", "`ttscope perf {}` reads it, without --raw"});
  const Result<perf::RawRun> run = perf::load_raw(path);
  if (!run) return inputs.fail(run.error());
  std::vector<std::string> written;
  if (args.has("--output-folder")) {
    Result<std::vector<std::string>> files =
        perf::write_log_files(perf::read_out_of(*run), run->zones, args.value("--output-folder"));
    if (!files) return fail(files.error());
    written = std::move(*files);
  }
  Result<void> done = write_output(args.value("--json"),
                                   [&](Writer& out) { perf::write_raw_json(*run, version_text(), out); });
  if (done)
    done = write_output(args.value("--llm"), [&](Writer& out) { out.write(perf::raw_markdown(*run)); });
  if (done) done = print_summary(args, *run, written);
  if (!done) return fail(done.error());
  if (args.has("--strict") && (!run->findings.empty() || !run->warnings.empty())) {
    complain("--strict: markers are lost or wrong, see the findings");
    return kFailed;
  }
  return perf::has_markers(*run) ? kOk : kNothingFound;
}

}  // namespace ttscope::cli
