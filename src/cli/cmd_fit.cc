#include "cli/cmd_fit.h"

#include <fmt/format.h>

#include <utility>

#include "app/fit_input.h"
#include "base/text_escape.h"
#include "cli/fit_options.h"
#include "cli/given_inputs.h"
#include "cli/option_values.h"
#include "cli/profile_run.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "fit/write/fit_json.h"
#include "fit/write/fit_markdown.h"
#include "fit/write/fit_summary.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kFitExamples =
    "Examples:\n"
    "  ttscope fit run.log                          does it fit where it ran?\n"
    "  ttscope fit run.log --device all             one table of all devices\n"
    "  ttscope fit run.log --weights bfp8 --batch 8 two changes together\n"
    "  ttscope fit oom.log --search                 the smallest change that does\n"
    "  ttscope fit run.log --device p150 --max batch\n"
    "  ttscope fit run.log --device custom:DRAM=12x1024MB,L1=64x1.3MB\n"
    "  ttscope fit training.yaml --max batch        before it is run\n"
    "\n"
    "Exit codes: 0 it fits, 1 bad input or failed output, 2 wrong usage,\n"
    "3 it does not fit on a device asked for, 4 nothing found\n";

/// What the options ask for, beside the question itself.
struct FitRequest {
  std::vector<std::string> inputs;
  fit::Question question;
  std::string json_path;
  std::string llm_path;
  std::string color;
  int top = 5;
  bool quiet = false;

  bool on_stdout() const { return json_path == "-" || llm_path == "-"; }
};

bool read_fit_request(const ParsedArgs& args, FitRequest& request) {
  request.inputs = args.positionals;
  request.json_path = args.value("--json");
  request.llm_path = args.value("--llm");
  request.color = args.value("--color", "auto");
  request.quiet = args.has("--quiet");
  if (!are_usable_outputs(args, {"--json", "--llm"})) return false;
  return read_number(args, "--top", 0, request.top) && read_fit_question(args, request.question);
}

Result<void> write_fit_outputs(const fit::Report& report, const FitRequest& request) {
  Result<void> written =
      write_output(request.json_path, [&](Writer& out) { fit::write_fit_json(report, out, version_text()); });
  if (!written) return written;
  written = write_output(request.llm_path, [&](Writer& out) { fit::write_fit_markdown(report, out); });
  if (!written || request.quiet || request.on_stdout()) return written;
  std::string text = fit::fit_summary_text(
      report, {use_color(request.color, Stream::kOut), terminal_width(Stream::kOut), request.top});
  for (const std::string& path : {request.json_path, request.llm_path}) {
    if (!path.empty()) text += fmt::format("\nWritten\n  {}\n", terminal_safe(path));
  }
  return print(text);
}

int finish_fit(const Result<fit::Report>& report, const FitRequest& request) {
  if (!report) return fail(report.error());
  const Result<void> written = write_fit_outputs(*report, request);
  if (!written) return fail(written.error());
  return report->fits() ? kOk : kLimitExceeded;
}

}  // namespace

CommandSpec fit_spec() {
  CommandSpec spec;
  spec.program = "ttscope fit";
  spec.summary = "whether a run fits a device, and the smallest change that makes it fit";
  spec.description =
      "Replays the recorded allocations of a run through a model of the allocator: whether it fits, with how "
      "much "
      "room in each bank, what would find no room first and what was live then; on its own device or on "
      "others, as "
      "it is or with changes. How the replay agrees with the printed memory states is said first.";
  spec.positional = {
      "INPUT",
      "runtime log, compiled module, graph capture, or training config of tt-train (and its model "
      "config); - for standard input",
      1,
      1000000,
      ValueKind::kFile,
      {}};
  spec.options = fit_question_options();
  const std::vector<OptionSpec> outputs = {
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write it as markdown", ValueKind::kFile, {}},
      {"--top", "N", "rows of each list in the summary (default 5)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  spec.options.insert(spec.options.end(), outputs.begin(), outputs.end());
  spec.examples = kFitExamples;
  return spec;
}

int run_fit(const ParsedArgs& args) {
  FitRequest request;
  if (!read_fit_request(args, request)) return kUsage;
  Result<std::vector<std::string>> held = hold_streams(request.inputs);  // to see what they are
  if (!held) return fail(held.error());
  request.inputs = std::move(*held);
  const Result<const app::FitInput*> kind = app::fit_input_of(request.inputs);
  if (!kind) return fail(kind.error());
  const app::FitInput& input = **kind;
  GivenInputs inputs(request.inputs, input.subject.value_or(app::Subject::kMem));
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  app::FitReading reading;
  reading.load_memory = [&inputs](const std::vector<std::string>& paths, mem::LoadOptions options) {
    options.source = inputs.watched();
    return profile_any(paths, std::move(options));
  };
  const Result<app::FitAnswers> answers = input.read(request.inputs, reading);
  if (!answers) return input.subject ? inputs.fail(answers.error()) : fail(answers.error());
  StatusLine status(!request.quiet);
  request.question.on_try = [&status](const fit::SearchProgress& progress) {
    status.show(fmt::format("searching: change {} of at most {}", progress.tried, progress.most));
  };
  const Result<fit::Report> report = (*answers)(request.question);
  status.clear();
  return finish_fit(report, request);
}

}  // namespace ttscope::cli
